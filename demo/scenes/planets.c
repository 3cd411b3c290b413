/* Fields with attraction, in a world without gravity. The planet on the left has a ring of stones,
 * comets on ellipses, and a tether that always points at the planet. The planet on the right turns,
 * and crates lie on it. Its moon is a kinematic body with its own field and two satellites. */
#include "scene.h"

enum {
    STONES = 90,
    LINKS = 9,
    COMETS = 3,
    SATELLITES = 2,
    TRAILS = 5,
    POINTS = 160,
    STEPS_BETWEEN = 3
};

typedef struct {
    vec2s center;
    float radius, reach; // m, of the ground and of the field
    float attraction;    // m^3/s^2
} planet;

static const planet ringed = {{{-10, 0}}, 2.2f, 12, 60};
static const planet settled = {{{12.5f, 0}}, 2, 9.5f, 40};
static const planet moon = {{{0, 0}}, 0.4f, 2, 6};
static const float moon_distance = 7, seconds = 1.0f / 60; // of a step
static const float pi = 3.14159265f;

enum { PLANETS = 1, OTHERS = 2, GHOSTS = 4 }; // categories; comets collide only with planets

typedef struct {
    cn_body moon, trailed[TRAILS];
    vec2s points[TRAILS][POINTS]; // their latest positions: ring buffers
    int count;                    // of the positions recorded so far of each
} state;

static vec2s at_angle(vec2s center, float radius, float angle) {
    cn_rotation r = cn_rotation_of(angle);
    return (vec2s){{center.x + radius * r.c, center.y + radius * r.s}};
}

static cn_body add_planet(cn_world *world, const planet *p, float spin) {
    cn_body_def def = {.type = CN_KINEMATIC, .position = p->center, .angular_velocity = spin};
    cn_body body = cn_body_create(world, &def);
    cn_shape_def ground = {.hull = cn_circle(p->radius), .filter = {.category = PLANETS}};
    cn_shape_def field = {
        .hull = cn_circle(p->reach), .sensor = true, .medium = {.attraction = p->attraction}};
    bool made = cn_shape_create(world, body, &ground).id && cn_shape_create(world, body, &field).id;
    return made ? body : (cn_body){0};
}

// Returns the speed at the nearest point of an orbit, at the distance r. The farthest point is at
// the distance `far`.
static float speed_of_orbit(const planet *p, float r, float far) {
    return sqrtf(p->attraction * 2 * far / (r * (r + far)));
}

// Adds a body at the nearest point of its orbit.
static cn_body add_in_orbit(cn_world *world, const planet *p, float r, float far, float angle) {
    cn_rotation out = cn_rotation_of(angle);
    float speed = speed_of_orbit(p, r, far);
    return cn_body_create(world, &(cn_body_def){.position = at_angle(p->center, r, angle),
                                                .angle = angle,
                                                .velocity = {{-speed * out.s, speed * out.c}},
                                                .angular_velocity = speed / r});
}

static bool add_hull(cn_world *world, cn_body body, cn_hull hull, uint64_t category) {
    uint64_t mask = category == GHOSTS ? PLANETS : PLANETS | OTHERS;
    cn_shape_def def = {.hull = hull, .filter = {.category = category, .mask = mask}};
    return cn_shape_create(world, body, &def).id;
}

// ---- the planet with the ring

// Adds three circles of stones, which do not touch.
static bool add_ring(cn_world *world) {
    scene_random random = {5};
    bool made = true;
    for (int i = 0; i < STONES && made; i++) {
        float r = 4.3f + 0.6f * (float)(i % 3) + scene_random_range(&random, -0.05f, 0.05f);
        float size = scene_random_range(&random, 0.1f, 0.2f);
        float angle = 2 * pi * (float)i / STONES;
        cn_body stone = add_in_orbit(world, &ringed, r, r, angle);
        made =
            add_hull(world, stone, i % 2 ? cn_circle(size) : cn_regular_polygon(5, size), OTHERS);
    }
    return made;
}

// Returns the angular velocity w at which a tether of equal links stays upright: the sum of r w^2
// over the links is equal to the sum of attraction / r^2.
static float rate_of_tether(float bottom, float length) {
    float pull = 0, arms = 0; // of all links
    for (int i = 0; i < LINKS; i++) {
        float r = bottom + length * ((float)i + 0.5f);
        pull += ringed.attraction / (r * r);
        arms += r;
    }
    return sqrtf(pull / arms);
}

static bool add_tether(cn_world *world) {
    const float bottom = 6.6f, length = 0.5f, rate = rate_of_tether(bottom, length);
    cn_hull hull = cn_capsule((vec2s){{-0.25f, 0}}, (vec2s){{0.25f, 0}}, 0.12f);
    cn_body last = {0};
    bool made = true;
    for (int i = 0; i < LINKS && made; i++) {
        float r = bottom + length * ((float)i + 0.5f);
        cn_body link =
            cn_body_create(world, &(cn_body_def){.position = at_angle(ringed.center, r, 0),
                                                 .velocity = {{0, rate * r}},
                                                 .angular_velocity = rate});
        made = add_hull(world, link, hull, OTHERS);
        vec2s end = at_angle(ringed.center, r - 0.5f * length, 0);
        if (i > 0) {
            cn_joint_def hinge = cn_revolute_joint(world, last, link, end);
            made = made && cn_joint_create(world, hinge).id;
        }
        last = link;
    }
    return made;
}

static bool add_comets(cn_world *world, state *s) {
    static const float orbits[COMETS][3] = {{3.1f, 11, 1.2f}, {3.4f, 9, 3.5f}, {6.2f, 10, 5.4f}};
    bool made = true;
    for (int i = 0; i < COMETS && made; i++) {
        const float *orbit = orbits[i];
        s->trailed[i] = add_in_orbit(world, &ringed, orbit[0], orbit[1], orbit[2]);
        made = add_hull(world, s->trailed[i], cn_circle(0.22f), GHOSTS);
    }
    return made;
}

// ---- the planet with the moon

static bool add_crates(cn_world *world) {
    static const int counts[] = {20, 24, 28}; // of three circles
    bool made = true;
    for (int row = 0; row < 3; row++)
        for (int i = 0; i < counts[row] && made; i++) {
            float angle = 2 * pi * (float)i / (float)counts[row];
            vec2s place = at_angle(settled.center, 2.6f + 0.9f * (float)row, angle);
            cn_body_def def = {.position = place, .angle = angle};
            cn_body crate = cn_body_create(world, &def);
            float half = 0.2f + 0.05f * (float)((i + row) % 3);
            made = add_hull(world, crate, cn_box(half, half), OTHERS);
        }
    return made;
}

static float rate_of_moon(void) {
    return speed_of_orbit(&settled, moon_distance, moon_distance) / moon_distance;
}

static vec2s locate_moon(int step) {
    float angle = 2 + rate_of_moon() * seconds * (float)step;
    return at_angle(settled.center, moon_distance, angle);
}

static bool add_moon(cn_world *world, state *s) {
    planet here = moon;
    here.center = locate_moon(0);
    vec2s out = glms_vec2_sub(here.center, settled.center);
    vec2s velocity = glms_vec2_scale((vec2s){{-out.y, out.x}}, rate_of_moon());
    s->moon = add_planet(world, &here, 0);
    bool made = s->moon.id;
    for (int i = 0; i < SATELLITES && made; i++) {
        float r = 0.7f + 0.25f * (float)i;
        cn_body body = add_in_orbit(world, &here, r, r, 3 * (float)i);
        vec2s own = cn_body_velocity(world, body);
        made = add_hull(world, body, cn_circle(0.11f), OTHERS) &&
               cn_body_set_velocity(world, body, glms_vec2_add(own, velocity));
        s->trailed[COMETS + i] = body;
    }
    return made;
}

static bool create(scene_run *run) {
    cn_world *world = run->world;
    state *s = run->memory;
    return add_planet(world, &ringed, 0.1f).id && add_planet(world, &settled, 0.2f).id &&
           add_ring(world) && add_tether(world) && add_comets(world, s) && add_crates(world) &&
           add_moon(world, s);
}

static bool before_step(scene_run *run) {
    cn_world *world = run->world;
    int step = run->step;
    state *s = run->memory;
    for (int i = 0; i < TRAILS && step % STEPS_BETWEEN == 0; i++)
        s->points[i][s->count % POINTS] = cn_body_center(world, s->trailed[i]);
    if (step % STEPS_BETWEEN == 0) s->count++;
    return cn_body_set_target(world, s->moon, cn_pose_at(locate_moon(step + 1), 0), seconds);
}

// ---- the picture

// Draws a line through the last points. It fades out towards the oldest one.
static void draw_trail(sketch *s, const vec2s *points, int count, sketch_ink ink, vec2s now) {
    int shown = count < POINTS ? count : POINTS;
    for (int i = 1; i <= shown; i++) {
        vec2s point = points[(count - i) % POINTS];
        float alpha = 0.7f * (1 - (float)i / POINTS);
        sketch_line(s, now, point, (sketch_pen){ink, alpha, 1.5f});
        now = point;
    }
}

static void draw(const scene_run *run, sketch *s) {
    static const sketch_ink inks[TRAILS] = {INK_BLUE, INK_GREEN, INK_PINK, INK_ORANGE, INK_YELLOW};
    const state *m = run->memory;
    for (int i = 0; i < TRAILS; i++)
        draw_trail(s, m->points[i], m->count, inks[i], cn_body_center(run->world, m->trailed[i]));
}

const scene scene_planets = {
    .name = "planets",
    .title = "Planets",
    .caption = "Fields of attraction keep stones and comets in orbit, and crates on the ground.",
    .view = {0.2f, 0, 24.8f},
    .width = 45,
    .steps = 900,
    .create = create,
    .before_step = before_step,
    .draw = draw,
    .memory_size = sizeof(state),
};
