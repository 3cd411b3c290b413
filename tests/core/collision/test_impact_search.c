/* The search for the time of impact takes a bounded number of rounds, whatever the lengths, and
 * finds the first touch. The reference is plain conservative advancement in long double without a
 * bound. The engine places hulls by rotations in single precision, so results agree up to the
 * rounding of these. */
#include "../../support/physics.h"

#include "../../../engine/core/collision/collision.h"

// This test has its own copy of the search. It counts the rotations of hulls that turn: one for
// each round.
static int rounds;
static cn_rotation count_rotation(float angle) {
    rounds++;
    return cn_rotation_full(angle);
}
#define cn_rotation_full count_rotation
#include "../../../engine/core/collision/time_of_impact.c"
#undef cn_rotation_full

#define TOLERANCE 5e-4

enum { MOST_ROUNDS = 60 };

// ---- the reference

typedef struct {
    long double x, y;
} spot;

typedef struct {
    spot v[CN_MAX_VERTICES];
    int count;
} outline;

static outline outline_at(const cn_swept_hull *hull, long double fraction) {
    long double f = fminl(fraction, (long double)hull->sweep.end_fraction);
    long double angle = f * (long double)hull->sweep.turn, c = cosl(angle), s = sinl(angle);
    outline placed = {.count = hull->count};
    for (int i = 0; i < hull->count; i++) {
        long double x = (long double)hull->vertices[i].x, y = (long double)hull->vertices[i].y;
        placed.v[i] = (spot){(long double)hull->sweep.start_center.x +
                                 f * (long double)hull->sweep.displacement.x + c * x - s * y,
                             (long double)hull->sweep.start_center.y +
                                 f * (long double)hull->sweep.displacement.y + s * x + c * y};
    }
    return placed;
}

// The greatest separation along the normals of the edges of A.
static long double face_separation(const outline *a, const outline *b) {
    long double best = -INFINITY;
    for (int i = 0; i < a->count && a->count > 1; i++) {
        spot p = a->v[i], q = a->v[(i + 1) % a->count];
        long double nx = q.y - p.y, ny = p.x - q.x, length = hypotl(nx, ny), least = INFINITY;
        for (int k = 0; k < b->count; k++)
            least = fminl(least, ((b->v[k].x - p.x) * nx + (b->v[k].y - p.y) * ny) / length);
        best = fmaxl(best, least);
    }
    return best;
}

static long double corner_distance(const outline *a, const outline *b) {
    long double best = INFINITY;
    for (int i = 0; i < a->count; i++)
        for (int k = 0; k < b->count; k++) {
            spot p = b->v[k], q = b->v[(k + 1) % b->count];
            long double ex = q.x - p.x, ey = q.y - p.y, square = ex * ex + ey * ey;
            long double t = (ex * (a->v[i].x - p.x) + ey * (a->v[i].y - p.y)) / square;
            t = square > 0 ? fmaxl(0, fminl(t, 1)) : 0;
            best = fminl(best, hypotl(a->v[i].x - p.x - t * ex, a->v[i].y - p.y - t * ey));
        }
    return best;
}

static long double reference_distance(const cn_swept_hull *a, const cn_swept_hull *b,
                                      long double fraction) {
    outline oa = outline_at(a, fraction), ob = outline_at(b, fraction);
    long double faces = fmaxl(face_separation(&oa, &ob), face_separation(&ob, &oa));
    bool overlap = faces < 0 && oa.count + ob.count > 2;
    long double cores =
        overlap ? faces : fminl(corner_distance(&oa, &ob), corner_distance(&ob, &oa));
    return cores - (long double)(a->radius + b->radius);
}

// The first fraction at which the distance is at most `depth` below zero; more than 1 if it never
// is. `near` more is near enough.
static long double reference_impact(const cn_swept_hull *a, const cn_swept_hull *b,
                                    long double depth, long double near) {
    const cn_body_sweep *sa = &a->sweep, *sb = &b->sweep;
    long double speed = hypotl((long double)sa->displacement.x, (long double)sa->displacement.y) +
                        hypotl((long double)sb->displacement.x, (long double)sb->displacement.y) +
                        fabsl((long double)sa->turn) * (long double)a->extent +
                        fabsl((long double)sb->turn) * (long double)b->extent;
    long double fraction = 0;
    while (fraction <= 1) {
        long double remaining = reference_distance(a, b, fraction) + depth;
        if (remaining <= near) return fraction;
        fraction += fmaxl(remaining, near) / speed;
    }
    return 2;
}

// ---- random pairs

static cn_hull some_hull(uint64_t *seed, double length) {
    switch ((int)random_between(seed, 0, 5)) {
    case 0: return cn_circle(0.5f);
    case 1: return cn_capsule(point(-length, 0.1), point(length, 0.2), 0.1f);
    case 2: return cn_box((float)(length * random_between(seed, 0.3, 1)), 0.1f);
    case 3: return cn_box(0.5f, 0.5f);
    default: return cn_regular_polygon((int)random_between(seed, 3, 8.99), 0.8f);
    }
}

static cn_swept_hull some_sweep(uint64_t *seed, double length, double turn) {
    cn_hull hull = some_hull(seed, random_between(seed, 0, 2) < 1 ? length : 1);
    double x = random_between(seed, 0, 2) < 1 ? random_between(seed, -length, length) : 0;
    double displacement[2] = {random_between(seed, -6, 6), random_between(seed, -6, 6)};
    cn_body_sweep sweep = {
        .start_center = {x + random_between(seed, -4, 4), random_between(seed, -4, 4)},
        .displacement = {displacement[0], displacement[1]},
        .start = cn_rotation_of((float)random_between(seed, -3, 3)),
        .turn = (float)random_between(seed, -turn, turn),
        .end_fraction = fmin(1, random_between(seed, 0.5, 2)),
    };
    return cn_make_swept_hull(&hull, point(x, 0), &sweep);
}

// The search never misses an overlap. It reports a touch, unless it needed all rounds.
static void check_pair(const cn_swept_hull *a, const cn_swept_hull *b, int *hits) {
    rounds = 0;
    double found = cn_find_impact(a, b, 0, TOLERANCE, 1);
    assert_true(rounds <= 2 * MOST_ROUNDS);
    // The angle on the way is a float, and so are its cosine and sine.
    long double turn = fmaxl(fabsl((long double)a->sweep.turn), fabsl((long double)b->sweep.turn));
    long double rounding = 4e-7L * (1 + turn) * (long double)(a->extent + b->extent) + 1e-9L;
    long double last = reference_impact(a, b, rounding, rounding / 2);
    assert_true(last > 1 || (long double)found <= last);
    if (found > 1) return;
    ++*hits;
    assert_true(reference_distance(a, b, (long double)found) <= (long double)TOLERANCE + rounding);
}

static void impacts_of_turning_hulls_are_the_first_touch(void **state) {
    (void)state;
    uint64_t seed = 1;
    int hits = 0;
    const double lengths[] = {1, 10, 100, 1000}, turns[] = {0.3, 3, 20};
    for (int i = 0; i < 600; i++) {
        double length = lengths[i % 4], turn = turns[i / 4 % 3];
        cn_swept_hull a = some_sweep(&seed, length, turn), b = some_sweep(&seed, length, turn);
        check_pair(&a, &b, &hits);
    }
    assert_in_range(hits, 100, 500);
}

static void the_search_takes_few_rounds_at_any_length_and_turn(void **state) {
    (void)state;
    uint64_t seed = 2;
    for (int i = 0; i < 20000; i++) {
        double length = pow(10, random_between(&seed, 0, 9));
        double turn = pow(10, random_between(&seed, -3, 9));
        cn_swept_hull a = some_sweep(&seed, length, turn), b = some_sweep(&seed, length, turn);
        a.sweep.turn = a.sweep.turn == 0 ? 1 : a.sweep.turn, b.sweep.turn = 0; // one is counted
        rounds = 0;
        cn_find_impact(&a, &b, 0, TOLERANCE, 1);
        assert_true(rounds <= MOST_ROUNDS);
    }
}

// ---- grazing passes

// The tip of a rod turns past a disc at rest. The rod is a capsule of radius 0.1 m, the disc has
// 0.5 m. `gap`: how far apart they pass.
static double pass(double length, double turn, double gap) {
    cn_hull rod = cn_capsule(point(-length, 0), point(length, 0), 0.1f), disc = cn_circle(0.5f);
    const cn_body_sweep turning = {.start = {1, 0}, .turn = (float)turn, .end_fraction = 1};
    cn_body_sweep still = {.start = {1, 0}, .end_fraction = 1};
    double far = length + (double)rod.radius + 0.5 + gap;
    still.start_center = (cn_vec2d){far * cos(1), far * sin(1)};
    cn_swept_hull a = cn_make_swept_hull(&rod, point(0, 0), &turning);
    cn_swept_hull b = cn_make_swept_hull(&disc, point(0, 0), &still);
    return cn_find_impact(&a, &b, 0, 1e-5, 1);
}

// The fraction at which the tip is at distance d of the centre of the disc: at angle q, where
// far^2 + length^2 - 2 far length cos(1 - q) = d^2. It turns by 2 rad.
static double approach(double length, double far, double d) {
    return (1 - acos((far * far + length * length - d * d) / (2 * far * length))) / 2;
}

static void the_tip_of_a_rod_touches_a_disc_or_passes_it(void **state) {
    (void)state;
    for (double length = 1; length <= 100; length *= 10)
        for (double gap = 0.1; gap > 5e-5; gap /= 3) {
            rounds = 0;
            assert_true(pass(length, 2, gap) > 1);
            double touch = 0.5 + (double)0.1f, far = length + touch - gap;
            double found = pass(length, 2, -gap);
            assert_true(found > approach(length, far, touch + 1.1e-5));
            assert_true(found < approach(length, far, touch - 1e-7 * length));
            assert_true(rounds <= 2 * MOST_ROUNDS);
        }
}

// The head of a hammer turns many times about a disc, which fits into the circle that the head
// leaves free: first it moves within this circle, then out of it.
static void a_hull_that_turns_many_times_touches_what_it_reaches(void **state) {
    (void)state;
    const cn_hull head = cn_box(0.5f, 0.5f), disc = cn_circle(0.5f);
    const cn_body_sweep turning = {.start = {1, 0}, .turn = 300, .end_fraction = 1};
    cn_body_sweep moving = {.start = {1, 0}, .end_fraction = 1};
    cn_swept_hull a = cn_make_swept_hull(&head, point(-5, 0), &turning);
    for (int k = 0; k < 50; k++) {
        double angle = 2 * PI * k / 50, reach = k % 2 ? 3.9 : 5;
        moving.displacement = (cn_vec2d){reach * cos(angle), reach * sin(angle)};
        cn_swept_hull b = cn_make_swept_hull(&disc, point(0, 0), &moving);
        double found = cn_find_impact(&a, &b, 0, 1e-5, 1);
        if (k % 2) assert_true(found > 1);
        // The disc leaves the circle at 4 m, and within a turn of the head it is hit.
        else
            assert_in_range((int)(1e6 * found), 800000, 800000 + (int)(1e6 * 2 * PI / 300));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(impacts_of_turning_hulls_are_the_first_touch),
        cmocka_unit_test(the_search_takes_few_rounds_at_any_length_and_turn),
        cmocka_unit_test(the_tip_of_a_rod_touches_a_disc_or_passes_it),
        cmocka_unit_test(a_hull_that_turns_many_times_touches_what_it_reaches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
