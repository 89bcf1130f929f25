/* Presses a bowl on a rigid floor for a few frames and prints where its lowest point ends up. */
#include <knead.h>
#include <stdio.h>

enum { side = 21, vertices = side * side, triangles = 2 * (side - 1) * (side - 1) };

/* A square sheet, flat or bent to a bowl: looks up when x is 0, down when x and z change places. */
static void bend(int x, double bent, double height, double* p) {
    for (int i = 0; i < vertices; ++i, p += 3) {
        p[x] = i % side / 10.0 - 1, p[2 - x] = i / side / 10.0 - 1;
        p[1] = height + bent * (p[0] * p[0] + p[2] * p[2]);
    }
}

int main(void) {
    static double floor_at[3 * vertices], bowl_at[3 * vertices];
    static int faces[3 * triangles];
    for (int i = 0, *f = faces; i < triangles; i += 2, f += 6) {
        const int v = i / 2 % (side - 1) + i / 2 / (side - 1) * side;
        f[0] = v, f[1] = f[4] = v + side, f[2] = f[3] = v + 1, f[5] = v + side + 1;
    }
    knead_deformer* deformer = NULL;
    int floor_id, bowl_id, contact;
    bend(0, 0, 0, floor_at), bend(2, 0.5, 0, bowl_at);
    int failed = knead_create(&deformer) ||
                 knead_add_object(deformer, floor_at, vertices, faces, triangles, &floor_id) ||
                 knead_add_object(deformer, bowl_at, vertices, faces, triangles, &bowl_id) ||
                 knead_set_number(deformer, floor_id, "rigid", 1) ||
                 knead_add_contact(deformer, bowl_id, floor_id, &contact);
    for (int frame = 0; frame < 3 && !failed; ++frame) {
        double *lowest = &bowl_at[3 * (vertices / 2) + 1], before = 0.1 - 0.1 * frame;
        bend(2, 0.5, before, bowl_at);
        failed = knead_set_positions(deformer, bowl_id, bowl_at, vertices) ||
                 knead_solve(deformer) || knead_get_positions(deformer, bowl_id, bowl_at, vertices);
        if (!failed) printf("frame %d: from %.2f to %.2f\n", frame, before, *lowest);
    }
    if (failed) fprintf(stderr, "%s\n", knead_error());
    knead_destroy(deformer);
    return failed;
}
