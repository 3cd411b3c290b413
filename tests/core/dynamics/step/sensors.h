/* Shared by the tests of sensors: the pairs that are open according to the events, a brute force
 * that measures all pairs, and random worlds that are changed between the steps. */
#ifndef TESTS_SENSORS_H
#define TESTS_SENSORS_H

#include "../../../support/small_world.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

// ---- pairs that are open according to the events

enum { MAX_OPEN = 1 << 14 };

typedef struct {
    uint64_t sensor, other; // handles
} pair;

typedef struct {
    pair pairs[MAX_OPEN];
    int count;
} ledger;

static int find_open(const ledger *l, const cn_sensor_event *event) {
    for (int i = 0; i < l->count; i++)
        if (l->pairs[i].sensor == event->sensor.shape.id &&
            l->pairs[i].other == event->other.shape.id)
            return i;
    return -1;
}

// Reads the events of a step, begins first: a body that crosses a sensor within a step begins and
// ends in it. A pair that ends was open, and a pair that begins was not.
static inline void follow(ledger *l, cn_world *world) {
    cn_events events = cn_world_events(world);
    for (int i = 0; i < events.sensor_begin_count; i++) {
        const cn_sensor_event *e = &events.sensor_begins[i];
        assert_true(find_open(l, e) < 0);
        assert_true(l->count < MAX_OPEN);
        assert_true(e->sensor.body.id != e->other.body.id);
        l->pairs[l->count++] = (pair){e->sensor.shape.id, e->other.shape.id};
    }
    for (int i = 0; i < events.sensor_end_count; i++) {
        int k = find_open(l, &events.sensor_ends[i]);
        assert_true(k >= 0);
        l->pairs[k] = l->pairs[--l->count];
    }
}

static inline bool is_open(const ledger *l, cn_shape sensor, cn_shape other) {
    for (int i = 0; i < l->count; i++)
        if (l->pairs[i].sensor == sensor.id && l->pairs[i].other == other.id) return true;
    return false;
}

// ---- brute force

static bool filters_agree(cn_filter a, cn_filter b) {
    if (a.group == b.group && a.group != 0) return a.group > 0;
    return a.category & b.mask && b.category & a.mask;
}

static double gap_between(const cn_world *world, cn_shape a, cn_shape b) {
    cn_hull hull_a = cn_shape_hull(world, a), hull_b = cn_shape_hull(world, b);
    cn_pose pose_a = cn_body_pose(world, cn_shape_body(world, a));
    cn_pose pose_b = cn_body_pose(world, cn_shape_body(world, b));
    return (double)cn_hull_distance(&hull_a, pose_a, &hull_b, pose_b).distance;
}

// Returns 1 if the sensor must see the shape, 0 if it must not, -1 if rounding decides.
static int should_see(const cn_world *world, cn_shape sensor, cn_shape other) {
    cn_body a = cn_shape_body(world, sensor), b = cn_shape_body(world, other);
    if (!cn_shape_sensor(world, sensor) || a.id == b.id) return 0;
    if (cn_body_disabled(world, a) || cn_body_disabled(world, b)) return 0;
    if (!filters_agree(cn_shape_filter(world, sensor), cn_shape_filter(world, other))) return 0;
    double gap = gap_between(world, sensor, other);
    return fabs(gap) < 1e-4 ? -1 : gap < 0;
}

static bool is_listed(const cn_shape *shapes, int count, cn_shape shape) {
    for (int i = 0; i < count; i++)
        if (shapes[i].id == shape.id) return true;
    return false;
}

// Checks that events, lists and brute force agree. Returns the number of overlaps.
static inline int check_overlaps(const ledger *l, const cn_world *world) {
    static cn_shape seen[1024];
    int total = 0;
    for (cn_shape s = {0}; (s = cn_world_next_shape(world, s)).id;) {
        int count = cn_sensor_shapes(world, s, seen, COUNT(seen));
        assert_true(count <= COUNT(seen));
        total += count;
        for (cn_shape o = {0}; (o = cn_world_next_shape(world, o)).id;) {
            int expected = should_see(world, s, o);
            bool listed = is_listed(seen, count, o);
            assert_int_equal(listed, is_open(l, s, o));
            if (expected >= 0 && listed != expected)
                print_error("gap %g, listed %d\n", gap_between(world, s, o), listed);
            assert_true(expected < 0 || listed == expected);
        }
    }
    assert_int_equal(total, l->count);
    return total;
}

// ---- a random world

enum { BODIES = 24 };

static uint64_t chance;

static double uniform(double low, double high) { return random_between(&chance, low, high); }
static int below(int count) { return (int)uniform(0, count); }
static bool one_in(int count) { return below(count) == 0; }
static inline vec2s somewhere(void) { return point(uniform(-5, 5), uniform(0.5, 6)); }

static cn_hull some_hull(void) {
    float size = (float)uniform(0.2, 0.9);
    cn_hull hull = one_in(3)   ? cn_circle(size)
                   : one_in(3) ? cn_box(size, (float)uniform(0.2, 0.8))
                   : one_in(2) ? cn_capsule(point(-0.4, 0), point(0.3, 0.1), size)
                               : cn_regular_polygon(3 + below(6), size);
    cn_pose pose = cn_pose_at(point(uniform(-0.5, 0.5), 0), (float)uniform(-3, 3));
    return one_in(3) ? cn_hull_at(hull, pose) : hull;
}

static cn_filter some_filter(void) {
    return (cn_filter){(uint64_t)1 << below(3), (uint64_t)below(8), below(5) - 2};
}

static cn_shape_def some_shape(void) {
    cn_shape_def def = {.hull = some_hull(), .sensor = one_in(3), .custom_filter = true};
    if (one_in(3)) def.filter = some_filter();
    if (one_in(8) && !def.sensor) def.one_way = point(0, 1);
    return def;
}

static cn_body create_body(cn_world *w) {
    cn_body_def def = {.type = (cn_motion_type)below(3), .position = somewhere()};
    def.asleep = one_in(4), def.disabled = one_in(8), def.bullet = one_in(4);
    if (def.type != CN_STATIC) def.velocity = point(uniform(-30, 30), uniform(-5, 5));
    def.angle = (float)uniform(-3, 3);
    return add(w, def, some_shape());
}

static bool change_shape(cn_world *w, cn_body body) {
    cn_shape shape = first_shape(w, body);
    cn_hull hull = some_hull();
    cn_shape_def def = some_shape();
    switch (below(6)) {
    case 0: return cn_shape_set_sensor(w, shape, one_in(2));
    case 1: return cn_shape_set_filter(w, shape, some_filter());
    case 2: return cn_shape_set_filter(w, shape, (cn_filter){1, UINT64_MAX, 0});
    case 3: return cn_shape_set_hull(w, shape, hull);
    case 4: return cn_shape_create(w, body, &def).id != 0;
    default: return cn_shape_destroy(w, shape);
    }
}

static bool change_body(cn_world *w, cn_body *body) {
    switch (below(10)) {
    case 0: return cn_body_destroy(w, *body);
    case 1: return cn_body_set_pose(w, *body, cn_pose_at(somewhere(), (float)uniform(-3, 3)));
    case 2: return cn_body_set_disabled(w, *body, !one_in(2));
    case 3: return cn_body_set_type(w, *body, (cn_motion_type)below(3));
    case 4: return cn_body_set_asleep(w, *body, !one_in(2));
    case 5: return cn_body_set_velocity(w, *body, point(uniform(-60, 60), uniform(-9, 9)));
    case 6: return cn_body_drop_through(w, *body, (float)uniform(0, 1));
    default: return change_shape(w, *body);
    }
}

static inline void change_something(cn_world *w, cn_body *bodies) {
    cn_body *body = &bodies[below(BODIES)];
    if (!cn_body_valid(w, *body))
        *body = create_body(w);
    else
        change_body(w, body);
}

static inline void add_walls(cn_world *world) {
    cn_shape_def wall = {.hull = cn_box(0.5f, 10)};
    for (int side = -1; side <= 1; side += 2)
        add(world, (cn_body_def){.type = CN_STATIC, .position = point(6 * side, 5)}, wall);
    add_floor(world, (cn_material){0});
}

#endif
