/* Presses a bowl on a rigid floor for a few frames and prints where its lowest point ends up. */
#include <knead.h>
#include <stdio.h>

enum { side = 21, vertices = side * side, triangles = 2 * (side - 1) * (side - 1) };

static int failed(knead_status status) {
    if (status != KNEAD_OK) fprintf(stderr, "%s\n", knead_error());
    return status != KNEAD_OK;
}

/* A square sheet: flat, or bent to a bowl. */
static void bend(double bent, double height, double* p) {
    for (int i = 0; i < vertices; ++i, p += 3) {
        p[0] = (i % side) / 10.0 - 1, p[2] = (i / side) / 10.0 - 1;
        p[1] = height + bent * (p[0] * p[0] + p[2] * p[2]);
    }
}

int main(void) {
    static double floor_at[3 * vertices], bowl_at[3 * vertices];
    static int up[3 * triangles], down[3 * triangles];
    for (int i = 0; i < triangles; ++i) { /* the floor looks up, the bowl down */
        const int v = i / 2 % (side - 1) + i / 2 / (side - 1) * side, odd = i % 2;
        up[3 * i] = down[3 * i] = odd ? v + 1 : v;
        up[3 * i + 1] = down[3 * i + 2] = v + side;
        up[3 * i + 2] = down[3 * i + 1] = odd ? v + side + 1 : v + 1;
    }
    knead_deformer* deformer;
    int floor_id, bowl_id, contact;
    bend(0, 0, floor_at);
    bend(0.5, 0, bowl_at);
    if (failed(knead_create(&deformer)) ||
        failed(knead_add_object(deformer, floor_at, vertices, up, triangles, &floor_id)) ||
        failed(knead_add_object(deformer, bowl_at, vertices, down, triangles, &bowl_id)) ||
        failed(knead_set_number(deformer, floor_id, "rigid", 1)) ||
        failed(knead_add_contact(deformer, bowl_id, floor_id, &contact)))
        return 1;
    for (int frame = 0; frame < 3; ++frame) {
        bend(0.5, 0.1 - 0.1 * frame, bowl_at);
        const double before = bowl_at[3 * (vertices / 2) + 1];
        if (failed(knead_set_positions(deformer, bowl_id, bowl_at, vertices)) || failed(knead_solve(deformer)) ||
            failed(knead_get_positions(deformer, bowl_id, bowl_at, vertices)))
            return 1;
        printf("frame %d: from %.3f to %.3f\n", frame, before, bowl_at[3 * (vertices / 2) + 1]);
    }
    knead_destroy(deformer);
    return 0;
}
