/* Move events: which bodies moved, against the poses of all bodies before and after. */
#include "../../support/refuse.h"
#include "../../support/small_world.h"

enum { MOST = 256 };

// ---- the expected events

typedef struct {
    cn_body bodies[MOST];
    cn_pose poses[MOST];
    int count;
} snapshot;

static snapshot take_snapshot(const cn_world *world) {
    snapshot s = {.count = 0};
    for (cn_body b = {0}; (b = cn_world_next_body(world, b)).id; s.count++) {
        assert_in_range(s.count, 0, MOST - 1);
        s.bodies[s.count] = b, s.poses[s.count] = cn_body_pose(world, b);
    }
    return s;
}

static const cn_pose *pose_in(const snapshot *s, cn_body body) {
    for (int i = 0; i < s->count; i++)
        if (s->bodies[i].id == body.id) return &s->poses[i];
    return NULL;
}

static bool is_same(const cn_pose *a, const cn_pose *b) {
    return a->position.x == b->position.x && a->position.y == b->position.y &&
           a->rotation.c == b->rotation.c && a->rotation.s == b->rotation.s;
}

// True if the last change of the body in these events is that it fell asleep.
static bool last_change_is_sleep(const cn_events *events, cn_body body) {
    bool asleep = false;
    for (int i = 0; i < events->body_count; i++)
        if (events->bodies[i].body.id == body.id)
            asleep = events->bodies[i].change == CN_BODY_SLEPT;
    return asleep;
}

static bool slept(const cn_events *events, cn_body body) {
    for (int i = 0; i < events->body_count; i++)
        if (events->bodies[i].body.id == body.id && events->bodies[i].change == CN_BODY_SLEPT)
            return true;
    return false;
}

// True if the pose of the body changed between any two snapshots.
static bool has_moved(const snapshot *shots, int count, cn_body body) {
    for (int i = 1; i < count; i++) {
        const cn_pose *from = pose_in(&shots[i - 1], body), *to = pose_in(&shots[i], body);
        if (from && to && !is_same(from, to)) return true;
    }
    return false;
}

// Compares the events with snapshots from before each step. `shots` has capacity for one more,
// after the last step. Exactly the bodies whose pose changed or that fell asleep have an event, in
// the order of their slots.
static int check_moves(cn_world *world, snapshot *shots, int count) {
    cn_events events = cn_world_events(world);
    snapshot now = shots[count] = take_snapshot(world);
    int event_count = 0;
    for (int i = 0; i < now.count; i++) {
        bool moved = has_moved(shots, count + 1, now.bodies[i]);
        if (!moved && !slept(&events, now.bodies[i])) continue;
        assert_in_range(event_count, 0, events.moved_count - 1);
        const cn_move_event *e = &events.moved[event_count++];
        assert_true(e->body.id == now.bodies[i].id && is_same(&e->pose, &now.poses[i]));
        assert_true(e->fell_asleep == last_change_is_sleep(&events, e->body));
        assert_true(e->user_data == cn_body_user_data(world, e->body));
    }
    assert_int_equal(event_count, events.moved_count);
    return event_count;
}

// ---- a world with all kinds of motion

static cn_world *make_scene(bool move_events) {
    cn_world *world =
        cn_world_create(&(cn_world_def){.gravity = point(0, -10), .move_events = move_events});
    assert_done(world != NULL);
    add_floor(world, (cn_material){0});
    for (int i = 0; i < 40; i++)
        add(world, (cn_body_def){.position = point(1.5 * (i % 10), 0.5 + i / 10), .user_data = 100},
            box_of(0.5f));
    for (int i = 0; i < 10; i++)
        add(world, (cn_body_def){.position = point(-3 * i - 3, 2 + i)},
            (cn_shape_def){.hull = ball, .material = {.restitution = 0.5f}});
    add(world,
        (cn_body_def){.type = CN_KINEMATIC, .position = point(30, 5), .velocity = point(1, 0)},
        box_of(1));
    add(world, (cn_body_def){.type = CN_KINEMATIC, .position = point(40, 5)}, box_of(1));
    add(world, (cn_body_def){.position = point(50, 5), .disabled = true}, box_of(1));
    add(world, (cn_body_def){.position = point(60, 8), .velocity = point(90, -90), .bullet = true},
        box_of(0.1f));
    return world;
}

static cn_body some_body(const cn_world *world, uint64_t *seed) {
    snapshot s = take_snapshot(world);
    return s.bodies[(int)random_between(seed, 1, s.count)]; // not the floor
}

// Makes a random call that moves, creates or destroys bodies.
static void change(cn_world *world, uint64_t *seed) {
    cn_body body = some_body(world, seed);
    double x = random_between(seed, -20, 20); // before y: arguments have no order
    vec2s p = point(x, random_between(seed, 1, 9));
    switch ((int)random_between(seed, 0, 7)) {
    case 0: assert_done(cn_body_set_pose(world, body, cn_pose_at(p, 1))); break;
    case 1: assert_done(cn_body_set_velocity(world, body, p)); break;
    case 2: assert_done(cn_body_destroy(world, body)); break;
    case 3: add(world, (cn_body_def){.position = p, .angle = 0.5f}, box_of(0.3f)); break;
    case 4:
        assert_done(cn_body_set_disabled(world, body, !(random_between(seed, 0, 2) < 1)));
        break;
    case 5: cn_body_set_asleep(world, body, true); break; // may fail
    default: break;
    }
}

// Adds new bodies to the snapshot, with the poses at which they were created.
static void take_in_new_bodies(snapshot *before, const cn_world *world) {
    snapshot now = take_snapshot(world);
    for (int i = 0; i < now.count; i++) {
        if (pose_in(before, now.bodies[i])) continue;
        assert_in_range(before->count, 0, MOST - 1);
        before->bodies[before->count] = now.bodies[i];
        before->poses[before->count++] = now.poses[i];
    }
}

// ---- claims

static void exactly_the_bodies_that_moved_have_move_events(void **state) {
    (void)state;
    for (uint64_t start = 1; start <= 5; start++) {
        uint64_t seed = start;
        cn_world *world = make_scene(true);
        int event_count = 0, steps = 0, poses = 0;
        print_message("seed %d\n", (int)start);
        for (int i = 0; i < 300; i++) {
            snapshot shots[2] = {take_snapshot(world)};
            if (i % 3 == 0) change(world, &seed);
            take_in_new_bodies(&shots[0], world);
            run(world, 1);
            event_count += check_moves(world, shots, 1), steps++;
            poses += shots[0].count - 1; // without the floor
        }
        assert_in_range(event_count, steps, poses - steps); // not always all of them
        cn_world_destroy(world);
    }
}

// Takes a snapshot before each step of a frame, and sometimes pushes a body.
typedef struct {
    snapshot shots[8];
    int count;
    uint64_t seed;
} watch;

static void watch_step(cn_world *world, float time_step, void *user) {
    (void)time_step;
    watch *w = user;
    snapshot s = w->shots[w->count++] = take_snapshot(world);
    cn_body body = s.bodies[(int)random_between(&w->seed, 1, s.count)];
    if (random_between(&w->seed, 0, 2) < 1)
        assert_done(cn_body_set_velocity(world, body, point(0, 3)));
}

// Each body has one event for several steps. A frame without steps has no events.
static void a_frame_has_one_event_for_each_body_that_moved_in_any_step(void **state) {
    (void)state;
    const float frames[] = {0.3f, 1, 2.5f, 4};
    for (int i = 0; i < 4; i++) {
        static watch w;
        w.seed = 7;
        cn_world *world = make_scene(true);
        assert_done(
            cn_world_set_callbacks(world, (cn_callbacks){.before_step = watch_step, .user = &w}));
        for (int k = 0; k < 200; k++) {
            w.count = 0;
            int steps = cn_world_advance(world, frames[i] * STEP);
            assert_int_equal(steps, w.count);
            int event_count = check_moves(world, w.shots, w.count);
            assert_true(steps > 0 || event_count == 0);
        }
        cn_world_destroy(world);
    }
}

static void a_body_that_falls_asleep_raises_one_more_event(void **state) {
    (void)state;
    cn_world *world = make_scene(true);
    cn_body box = add(world, (cn_body_def){.position = point(80, 0.6)}, box_of(0.5f));
    int asleep = 0, after = 0;
    for (int i = 0; i < 300; i++) {
        run(world, 1);
        cn_events events = cn_world_events(world);
        for (int k = 0; k < events.moved_count; k++) {
            if (events.moved[k].body.id != box.id) continue;
            after += asleep, asleep += events.moved[k].fell_asleep;
        }
    }
    assert_int_equal(asleep, 1);
    assert_int_equal(after, 0);
    cn_world_destroy(world);
}

static void a_body_moved_by_a_call_raises_an_event(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    assert_done(cn_world_set_move_events(world, true));
    const cn_motion_type types[] = {CN_STATIC, CN_KINEMATIC, CN_DYNAMIC};
    for (int i = 0; i < 3; i++) {
        cn_body body =
            add(world, (cn_body_def){.type = types[i], .position = point(5 * i, 0)}, box_of(1));
        run(world, 1);
        assert_int_equal(cn_world_events(world).moved_count, 0);
        assert_done(cn_body_set_pose(world, body, cn_pose_at(point(5 * i, 9), 1)));
        assert_int_equal(cn_world_events(world).moved_count, 0); // not yet
        run(world, 1);
        cn_events events = cn_world_events(world);
        assert_int_equal(events.moved_count, 1);
        assert_true(events.moved[0].body.id == body.id);
        assert_vector(events.moved[0].pose.position, 5 * i, 9);
        run(world, 1);
        assert_int_equal(cn_world_events(world).moved_count, 0);
    }
    cn_world_destroy(world);
}

// Calls after the step do not change its events.
static void events_have_the_pose_after_the_step(void **state) {
    (void)state;
    cn_world *world = make_world(10);
    assert_done(cn_world_set_move_events(world, true));
    cn_body a = add_ball(world, 0, 5), b = add_ball(world, 5, 5);
    run(world, 1);
    vec2s p = cn_body_position(world, a);
    assert_done(cn_body_set_pose(world, a, cn_pose_at(point(7, 7), 0)));
    assert_done(cn_body_destroy(world, b));
    cn_events events = cn_world_events(world);
    assert_int_equal(events.moved_count, 1); // a destroyed body is left out
    assert_true(events.moved[0].body.id == a.id);
    assert_vector(events.moved[0].pose.position, (double)p.x, (double)p.y);
    assert_done(cn_world_step(world, 0)); // no step, no events
    assert_int_equal(cn_world_events(world).moved_count, 0);
    cn_world_destroy(world);
}

static void move_events_do_not_change_the_world(void **state) {
    (void)state;
    cn_world *with = make_scene(true), *without = make_scene(false);
    for (int i = 0; i < 200; i++) {
        assert_true(cn_world_hash(with) == cn_world_hash(without));
        run(with, 1), run(without, 1);
        cn_events none = cn_world_events(without);
        assert_true(cn_world_events(with).moved_count > 0);
        assert_true(none.moved_count == 0 && none.moved == NULL);
    }
    assert_true(cn_world_counters(with).bytes > cn_world_counters(without).bytes);
    cn_world_destroy(with);
    cn_world_destroy(without);
}

static void move_events_can_be_switched(void **state) {
    (void)state;
    cn_world *world = make_scene(false);
    run(world, 5);
    (void)cn_world_events(world);
    size_t bytes = cn_world_counters(world).bytes;
    assert_false(cn_world_move_events(world));
    assert_done(cn_world_set_move_events(world, true));
    assert_true(cn_world_counters(world).bytes > bytes);
    assert_done(cn_world_set_move_events(world, false));
    assert_int_equal(cn_world_counters(world).bytes, bytes); // all memory is released
    assert_done(cn_world_set_move_events(world, true));
    assert_done(cn_world_set_move_events(world, true));
    assert_true(cn_world_move_events(world));
    assert_int_equal(cn_world_events(world).moved_count, 0); // none for earlier steps
    snapshot shots[2] = {take_snapshot(world)};
    run(world, 1);
    assert_true(check_moves(world, shots, 1) > 5);
    assert_done(cn_world_set_move_events(world, false));
    assert_int_equal(cn_world_events(world).moved_count, 0);
    cn_world_destroy(world);
    REFUSES(CN_ERROR_HANDLE, cn_world_set_move_events(NULL, true));
    REFUSES(CN_ERROR_HANDLE, cn_world_move_events(NULL));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exactly_the_bodies_that_moved_have_move_events),
        cmocka_unit_test(a_frame_has_one_event_for_each_body_that_moved_in_any_step),
        cmocka_unit_test(a_body_that_falls_asleep_raises_one_more_event),
        cmocka_unit_test(a_body_moved_by_a_call_raises_an_event),
        cmocka_unit_test(events_have_the_pose_after_the_step),
        cmocka_unit_test(move_events_do_not_change_the_world),
        cmocka_unit_test(move_events_can_be_switched),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
