/* What the header promises, from C. */
#include <knead.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int wrong = 0;

#define EXPECT(condition)                                                                          \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            printf("line %d: %s (%s)\n", __LINE__, #condition, knead_error());                     \
            ++wrong;                                                                               \
        }                                                                                          \
    } while (0)

/* The call is refused with these words. */
#define REFUSED(call, words)                                                                       \
    do {                                                                                           \
        const knead_status status = (call);                                                        \
        if (status != KNEAD_BAD_INPUT || strcmp(knead_error(), words) != 0) {                      \
            printf("line %d: status %d, %s\n", __LINE__, (int)status, knead_error());              \
            ++wrong;                                                                               \
        }                                                                                          \
    } while (0)

static const int tetrahedron[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
static const double corners[12] = {0, 0, 0, 1, 0, 0, 0, 0, -1, 0, 1, 0};

static knead_deformer* two_tetrahedra(void) {
    double other[12];
    int i, object, contact;
    knead_deformer* deformer = NULL;
    EXPECT(knead_create(&deformer) == KNEAD_OK);
    for (i = 0; i < 12; ++i) other[i] = corners[i] + (i % 3 == 1 ? 0.9 : 0.05);
    EXPECT(knead_add_object(deformer, corners, 4, tetrahedron, 4, &object) == KNEAD_OK &&
           object == 0);
    EXPECT(knead_add_object(deformer, other, 4, tetrahedron, 4, &object) == KNEAD_OK &&
           object == 1);
    EXPECT(knead_add_contact(deformer, 0, 1, &contact) == KNEAD_OK && contact == 0);
    return deformer;
}

static void finds_what_is_wrong(void) {
    static const int out_of_range[3] = {0, 1, 4};
    double nothing[12];
    double values[4] = {1, 1, -1, 1};
    knead_contact found;
    int object;
    knead_deformer* deformer = two_tetrahedra();
    REFUSED(knead_create(NULL), "deformer is null, expected an address");
    REFUSED(knead_solve(NULL), "deformer is null, expected an address");
    REFUSED(knead_add_object(deformer, corners, 4, out_of_range, 1, &object),
            "mesh: face 0: corner 2 is vertex 4, expected 0 to 3");
    REFUSED(knead_add_object(deformer, NULL, 4, tetrahedron, 4, &object),
            "positions is null, expected an address");
    REFUSED(knead_set_positions(deformer, 2, corners, 4),
            "found object 2, expected one of the 2 that were added");
    REFUSED(knead_set_positions(deformer, 1, corners, 3),
            "object 1 has 4 vertices, found room or values for 3");
    REFUSED(knead_set_number(deformer, 1, "stifness", 1),
            "object 1 has no 'stifness', did you mean 'stiffness'?");
    REFUSED(knead_set_number(deformer, 1, "stiffness", -1),
            "object 1, stiffness is -1, expected a number of at least 0");
    REFUSED(knead_set_number(deformer, 1, "rigid", 0.5), "object 1, rigid is 0.5, expected 0 or 1");
    REFUSED(knead_set_map(deformer, 1, "envelope", values, 4),
            "object 1, vertex 2, envelope is -1, expected a number from 0 to 1");
    REFUSED(knead_add_contact(deformer, 1, 1, &object),
            "found object 1 twice, expected two objects");
    REFUSED(knead_set_contact_number(deformer, 0, "stiffness", 1),
            "contact 0 has no 'stiffness', expected 'apparent_stiffness' or 'ball_radius'");
    REFUSED(knead_get_contact(deformer, 0, &found),
            "expected a knead_solve that went well before this");
    REFUSED(knead_get_field(deformer, 0, "depth", values, 4),
            "found the field 'depth', expected zone, gap, u, amplitude, slope or eta");
    memset(nothing, 0, sizeof nothing);
    nothing[4] = NAN;
    EXPECT(knead_set_positions(deformer, 1, nothing, 4) == KNEAD_OK);
    EXPECT(knead_solve(deformer) == KNEAD_BAD_INPUT);
    EXPECT(strncmp(knead_error(), "deform: object 1, vertex 1 is at (0, nan, 0)", 44) == 0);
    EXPECT(knead_get_note(deformer, 7) == NULL);
    knead_destroy(deformer);
    knead_destroy(NULL);
    knead_stop(NULL);
}

static void solves(void) {
    double before[12], after[12], zone[4], u[4];
    float single[12];
    knead_contact found;
    int i;
    knead_deformer* deformer = two_tetrahedra();
    EXPECT(knead_get_positions(deformer, 0, before, 4) == KNEAD_OK);
    EXPECT(memcmp(before, corners, sizeof before) == 0);
    EXPECT(knead_set_threads(deformer, 1) == KNEAD_OK);
    EXPECT(knead_set_number(deformer, 1, "rigid", 1) == KNEAD_OK);
    EXPECT(knead_set_number(deformer, 0, "extent", 0.7) == KNEAD_OK);
    EXPECT(knead_unset(deformer, 0, "extent") == KNEAD_OK);
    EXPECT(knead_solve(deformer) == KNEAD_OK);
    EXPECT(knead_get_positions(deformer, 0, after, 4) == KNEAD_OK);
    EXPECT(knead_get_positions_f(deformer, 0, single, 4) == KNEAD_OK);
    for (i = 0; i < 12; ++i) EXPECT(single[i] == (float)after[i]);
    EXPECT(knead_get_contact(deformer, 0, &found) == KNEAD_OK);
    EXPECT(knead_get_note(deformer, 0) != NULL);
    EXPECT(knead_get_field(deformer, 0, "zone", zone, 4) == KNEAD_OK);
    EXPECT(knead_get_field(deformer, 0, "u", u, 4) == KNEAD_OK);
    /* Apart: nothing moves, and fields say so. */
    for (i = 0; i < 12; ++i) single[i] = (float)(corners[i] + (i % 3 == 1 ? 5 : 0));
    EXPECT(knead_set_positions_f(deformer, 1, single, 4) == KNEAD_OK);
    EXPECT(knead_solve(deformer) == KNEAD_OK);
    EXPECT(knead_get_positions(deformer, 0, after, 4) == KNEAD_OK);
    EXPECT(memcmp(before, after, sizeof before) == 0);
    EXPECT(knead_get_field(deformer, 0, "u", u, 4) == KNEAD_OK);
    EXPECT(u[0] == 1 && u[3] == 1);
    knead_destroy(deformer);
}

int main(void) {
    EXPECT(strcmp(knead_version(), "0.1.0") == 0);
    finds_what_is_wrong();
    solves();
    printf(wrong == 0 ? "all is well\n" : "%d wrong\n", wrong);
    return wrong != 0;
}
