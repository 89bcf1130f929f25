/* Knead's deformer for C, and for what binds to C: game engines, Rust, C#.
 *
 * Every function that can fail returns a status; knead_error() says in a sentence what was wrong.
 * No exception leaves the library, memory that you pass in stays yours and is not looked at after
 * the call, and memory of the library goes with knead_destroy(). A deformer takes one call at a
 * time; different ones can be used at the same time. Objects and contacts are numbered from 0 in
 * the order in which they were added. */
#ifndef KNEAD_H
#define KNEAD_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#if !defined(_WIN32)
#define KNEAD_API __attribute__((visibility("default")))
#elif defined(knead_c_EXPORTS) /* while the library itself is built */
#define KNEAD_API __declspec(dllexport)
#else
#define KNEAD_API __declspec(dllimport)
#endif

typedef enum {
    KNEAD_OK = 0,
    KNEAD_BAD_INPUT = 1, /* an argument that cannot be used */
    KNEAD_GAVE_UP = 2,   /* a numerical method */
    KNEAD_STOPPED = 3,   /* by knead_stop */
    KNEAD_NO_MEMORY = 4,
    KNEAD_MISTAKE = 5 /* in Knead itself: please report it */
} knead_status;

typedef struct knead_deformer knead_deformer;

/* "0.1.0" */
KNEAD_API const char* knead_version(void);
/* What the last call in this thread that failed has to say; valid until the next one that fails. */
KNEAD_API const char* knead_error(void);

KNEAD_API knead_status knead_create(knead_deformer** deformer);
KNEAD_API void knead_destroy(knead_deformer* deformer); /* NULL is fine */

/* A mesh of triangles: three coordinates a vertex, three vertices a face, counter-clockwise seen
 * from outside. The positions are also its first pose. An open sheet is touched on that side only,
 * the "front" of a scene file: for the "back", pass its faces the other way round. */
KNEAD_API knead_status knead_add_object(knead_deformer* deformer, const double* positions,
                                        size_t vertices, const int* faces, size_t triangles,
                                        int* object);
/* The pose of the frame that is to be solved: as many vertices as the object has. */
KNEAD_API knead_status knead_set_positions(knead_deformer* deformer, int object,
                                           const double* positions, size_t vertices);
KNEAD_API knead_status knead_set_positions_f(knead_deformer* deformer, int object,
                                             const float* positions, size_t vertices);

/* How an object takes part, by the names of a scene file: "rigid" (0 or 1), "stiffness",
 * "softness", "extent", "envelope", "offset", "bulge", "anisotropic" (0 or 1), "anisotropy.omega",
 * "profile.bulge_at" and so on; `knead controls` lists them. */
KNEAD_API knead_status knead_set_number(knead_deformer* deformer, int object, const char* name,
                                        double value);
/* A painted number: one value a vertex. "bulge_map" is where the volume goes. */
KNEAD_API knead_status knead_set_map(knead_deformer* deformer, int object, const char* name,
                                     const double* values, size_t vertices);
/* Back to what holds when nothing is set. */
KNEAD_API knead_status knead_unset(knead_deformer* deformer, int object, const char* name);

/* Two objects that may touch. */
KNEAD_API knead_status knead_add_contact(knead_deformer* deformer, int first, int second,
                                         int* contact);
/* "apparent_stiffness" or "ball_radius". */
KNEAD_API knead_status knead_set_contact_number(knead_deformer* deformer, int contact,
                                                const char* name, double value);
/* Whether a last pass parts what still crosses; 1 at the start. */
KNEAD_API knead_status knead_set_crossing_free(knead_deformer* deformer, int contact,
                                               int crossing_free);
/* Which way the first object is pushed out; NULL finds it. */
KNEAD_API knead_status knead_set_direction(knead_deformer* deformer, int contact,
                                           const double direction[3]);

/* At most so many threads; 0, as at the start: as many as there are. */
KNEAD_API knead_status knead_set_threads(knead_deformer* deformer, int threads);
/* Resolves the contacts of the poses that were set. What it finds depends on nothing else. */
KNEAD_API knead_status knead_solve(knead_deformer* deformer);
/* Makes a knead_solve that goes on end soon, with KNEAD_STOPPED. From any thread. */
KNEAD_API void knead_stop(knead_deformer* deformer);

/* Of the last knead_solve. Before it: the pose. */
KNEAD_API knead_status knead_get_positions(knead_deformer* deformer, int object, double* positions,
                                           size_t vertices);
KNEAD_API knead_status knead_get_positions_f(knead_deformer* deformer, int object, float* positions,
                                             size_t vertices);
/* One value a vertex: "zone" (1 in contact), "gap" (depth along the mapping direction), "u" (0 in
 * contact, 1 where the deformation ends), "amplitude", "slope", "eta" (where the volume goes). */
KNEAD_API knead_status knead_get_field(knead_deformer* deformer, int object, const char* name,
                                       double* values, size_t vertices);

typedef struct {
    double direction[3]; /* in which the first object was resolved; zeros where nothing touched */
    double depth;        /* along it */
    double zone_area[2]; /* on the contact surface */
    double extent[2];    /* how far over the surface each was deformed */
} knead_contact;
KNEAD_API knead_status knead_get_contact(knead_deformer* deformer, int contact,
                                         knead_contact* found);
/* Why there was no response, or what is wrong with it; "" where all is well. Valid until the next
 * knead_solve. NULL when there is no such contact. */
KNEAD_API const char* knead_get_note(knead_deformer* deformer, int contact);

#ifdef __cplusplus
}
#endif

#endif
