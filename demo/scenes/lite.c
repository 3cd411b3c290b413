/* Lite (demo/lessons/lite.c), an engine of 400 lines, on the left, and Cairn on the right. Both get
 * the same bodies, hinges and clicks. Each lesson about impulses has its own arrangement. */
#include "../lessons/lite.h"
#include "scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define STEP  (1.0f / 60) // s: the step of the demo
#define ASIDE 5.5f        // m: from the middle of the picture to that of each side

enum { PROBE_SWEEPS = 20 }; // of the plot of residuals

typedef struct {
    lite_world lite;
    cn_body twins[LITE_BODIES];       // in Cairn, in the order of the bodies of Lite
    float residuals[2][PROBE_SWEEPS]; // with a warm start, and without one
    int clicks;
} state;

enum { LESSON, SUBSTEPS, SWEEPS, WARM, RELAX };
static const scene_parameter parameters[] = {
    {"lesson", 11, 6, 11, true, ""},    // 11: everything together
    {"lite-steps", 4, 1, 16, true, ""}, // substeps of Lite
    {"sweeps", 1, 1, 40, true, ""},     {"warm-start", 1, 0, 1, true, ""},
    {"relax", 1, 0, 1, true, ""},       {.name = NULL},
};

// ---- the same bodies in both

typedef struct {
    cn_hull hull;
    cn_pose pose;  // from the middle of a side
    float density; // 0: static
    cn_material material;
} piece;

static const cn_material plain = {0};

// Returns the number of the body, or -1 if it could not be made.
static int add(scene_run *run, piece p) {
    state *s = run->memory;
    int index = lite_add_body(&s->lite, p.hull, p.pose, p.density);
    if (index < 0) return -1;
    lite_body *body = &s->lite.bodies[index];
    body->friction = p.material.friction > 0 ? p.material.friction : 0.6f;
    if (p.material.frictionless) body->friction = 0;
    body->restitution = p.material.restitution;
    cn_shape_def shape = {.hull = p.hull, .density = p.density, .material = p.material};
    cn_body_def def = {.type = p.density > 0 ? CN_DYNAMIC : CN_STATIC,
                       .position = {{p.pose.position.x + ASIDE, p.pose.position.y}},
                       .angle = cn_rotation_angle(p.pose.rotation),
                       .shapes = &shape,
                       .shape_count = 1};
    s->twins[index] = cn_body_create(run->world, &def);
    return s->twins[index].id ? index : -1;
}

static bool add_box(scene_run *run, float x, float y, float density) {
    return add(run, (piece){cn_box(0.5f, 0.5f), cn_pose_at((vec2s){{x, y}}, 0), density, plain}) >=
           0;
}

static bool add_ground(scene_run *run) {
    return add(run, (piece){cn_box(5, 0.5f), cn_pose_at((vec2s){{0, -0.5f}}, 0), 0, plain}) >= 0;
}

static bool add_hinge(scene_run *run, int a, int b, float x, float y) {
    state *s = run->memory;
    vec2s here = {{x, y}}, there = {{x + ASIDE, y}};
    cn_joint_def def = cn_revolute_joint(run->world, s->twins[a], s->twins[b], there);
    return lite_add_hinge(&s->lite, a, b, here) >= 0 && cn_joint_create(run->world, def).id;
}

// ---- the arrangements

// Three boxes and a ball, whose lowest points are at one height.
static bool arrange_bounces(scene_run *run) {
    bool ok = add_ground(run);
    for (int i = 0; i < 4 && ok; i++) {
        cn_hull hull = i == 3 ? cn_circle(0.5f) : cn_box(0.9f, 0.5f);
        cn_pose pose = cn_pose_at((vec2s){{2.4f * (float)i - 3.6f, 0}}, 0.2f * (float)(i + 1));
        pose.position.y = 4 - cn_hull_project(hull, pose, (vec2s){{0, 1}}).x;
        cn_material slippery = {.restitution = 0.5f, .frictionless = true};
        ok = add(run, (piece){hull, pose, 1, slippery}) >= 0;
    }
    return ok;
}

// A box starts to slide if its friction is below the tangent of the slope: tan 20 degrees = 0.36.
static bool arrange_slopes(scene_run *run) {
    static const float frictions[] = {0.15f, 0.3f, 0.45f};
    bool ok = true;
    for (int i = 0; i < 3 && ok; i++) {
        cn_pose ramp = cn_pose_at((vec2s){{0, 8.5f - 3 * (float)i}}, -0.349f), box = ramp;
        box.position = cn_pose_point(ramp, (vec2s){{-3.6f, 0.6f}});
        cn_material material = {.friction = frictions[i]};
        ok = add(run, (piece){cn_box(5, 0.1f), ramp, 0, material}) >= 0 &&
             add(run, (piece){cn_box(0.5f, 0.5f), box, 1, material}) >= 0;
    }
    return ok;
}

static bool arrange_stack(scene_run *run) {
    bool ok = add_ground(run);
    for (int i = 0; i < 10 && ok; i++) ok = add_box(run, 0, 0.5f + (float)i, 1);
    return ok;
}

// A box of 100 kg on a box of 1 kg, and one of 20 kg on eight boxes of 1 kg.
static bool arrange_loads(scene_run *run) {
    bool ok = add_ground(run) && add_box(run, -2, 0.5f, 1) && add_box(run, -2, 1.5f, 100);
    for (int i = 0; i < 8 && ok; i++) ok = add_box(run, 1.5f, 0.5f + (float)i, 1);
    return ok && add_box(run, 1.5f, 8.5f, 20);
}

// A pendulum, and a chain of ten links with a heavy ball.
static bool arrange_hinges(scene_run *run) {
    cn_pose top = cn_pose_at((vec2s){{0, 9.5f}}, 0);
    int anchor = add(run, (piece){cn_box(3.5f, 0.2f), top, 0, plain}), before = anchor;
    cn_pose start = cn_pose_at((vec2s){{-1, 9.5f}}, 0);
    int bob = add(run, (piece){cn_box(1, 0.1f), start, 1, plain});
    bool ok = anchor >= 0 && bob >= 0 && add_hinge(run, anchor, bob, -2, 9.5f);
    for (int i = 0; i < 10 && ok; i++) {
        float x = 2, y = 9.5f - 0.6f * (float)i;
        cn_pose pose = cn_pose_at((vec2s){{x, y - 0.3f}}, 0);
        int link = add(run, (piece){cn_box(0.08f, 0.3f), pose, 1, plain});
        ok = link >= 0 && add_hinge(run, before, link, x, y), before = link;
    }
    cn_pose ball = cn_pose_at((vec2s){{2, 2.9f}}, 0);
    int heavy = ok ? add(run, (piece){cn_circle(0.6f), ball, 8, plain}) : -1;
    return heavy >= 0 && add_hinge(run, before, heavy, 2, 3.5f);
}

static bool arrange_everything(scene_run *run) {
    bool ok = add_ground(run);
    for (int i = 0; i < 8 && ok; i++) ok = add_box(run, -3.5f, 0.5f + (float)i, 1);
    for (int row = 0; row < 5 && ok; row++)
        for (int i = row; i < 5 && ok; i++)
            ok = add_box(run, 1.1f * ((float)i - 0.5f * (float)row) - 0.9f, 0.5f + (float)row, 1);
    for (int i = 0; i < 4 && ok; i++) {
        cn_pose pose = cn_pose_at((vec2s){{1.2f * (float)i - 0.6f, 8 + 0.5f * (float)i}}, 0);
        ok = add(run, (piece){cn_circle(0.4f), pose, 1, {.restitution = 0.3f}}) >= 0;
    }
    return ok;
}

static bool create(scene_run *run) {
    state *s = run->memory;
    bool (*const arrangements[])(scene_run *) = {arrange_bounces, arrange_slopes,
                                                 arrange_stack,   arrange_loads,
                                                 arrange_hinges,  arrange_everything};
    s->lite.gravity = (vec2s){{0, -10}};
    s->lite.substeps = (int)run->values[SUBSTEPS], s->lite.sweeps = (int)run->values[SWEEPS];
    s->lite.cold = run->values[WARM] == 0, s->lite.no_relax = run->values[RELAX] == 0;
    return arrangements[(int)run->values[LESSON] - 6](run);
}

// ---- the step

// A click on either side adds a box or a circle on both.
static bool control(scene_run *run) {
    state *s = run->memory;
    if (!run->input.clicked || s->lite.body_count == LITE_BODIES) return true;
    vec2s place = run->input.mouse;
    place.x += place.x < 0 ? ASIDE : -ASIDE;
    cn_hull hull = s->clicks++ % 2 ? cn_circle(0.4f) : cn_box(0.5f, 0.4f);
    return add(run, (piece){hull, cn_pose_at(place, 0), 1, plain}) >= 0;
}

// Steps a copy, to see how fast the sweeps of the last substep approach the solution.
static bool find_residuals(const lite_world *lite, bool cold, float *residuals) {
    lite_world *copy = malloc(sizeof *copy); // large for a stack
    if (!copy) return false;
    *copy = *lite;
    copy->sweeps = PROBE_SWEEPS, copy->cold = cold;
    lite_step(copy, STEP);
    memcpy(residuals, copy->residuals, PROBE_SWEEPS * sizeof *residuals);
    free(copy);
    return true;
}

static bool before_step(scene_run *run) {
    state *s = run->memory;
    bool ok = true;
    for (int cold = 0; cold < 2 && ok && run->values[LESSON] == 8; cold++)
        ok = find_residuals(&s->lite, cold, s->residuals[cold]);
    lite_step(&s->lite, STEP);
    return ok;
}

// ---- the picture

static vec2s left(vec2s p) { return (vec2s){{p.x - ASIDE, p.y}}; }

static void draw_lite(const state *s, sketch *sk) {
    for (int i = 0; i < s->lite.body_count; i++) {
        const lite_body *b = &s->lite.bodies[i];
        cn_pose pose = lite_pose(b);
        pose.position = left(pose.position);
        sketch_ink ink = b->inverse_mass > 0 ? INK_BLUE : INK_DIM;
        sketch_hull(sk, &b->hull, pose, (sketch_pen){ink, 0.35f, 1.5f});
    }
}

// The force at a contact point on the body above, and what the picture needs for it.
typedef struct {
    vec2s point, normal; // from the body below to the one above
    float along, across; // N: along the normal, and along (normal.y, -normal.x)
    float friction;
} contact_force;

static void draw_force(sketch *sk, int lesson, contact_force f) {
    static const float newtons[] = {200, 4, 100, 400, 100, 50}; // of an arrow of 1 m, by lesson
    float metre = 1 / newtons[lesson - 6];
    if (f.normal.y < 0) f.normal = glms_vec2_scale(f.normal, -1); // the body below is the second
    vec2s n = f.normal, t = {{n.y, -n.x}};
    vec2s tip = glms_vec2_muladds(n, f.along * metre, f.point);
    if (lesson == 7) // the cone of friction
        for (int side = -1; side <= 1; side += 2) {
            float width = (float)side * f.friction * f.along * metre;
            sketch_dashes(sk, f.point, glms_vec2_muladds(t, width, tip),
                          (sketch_pen){INK_GREEN, 1, 1.5f});
        }
    tip = glms_vec2_muladds(t, f.across * metre, tip);
    if (f.along > 0) sketch_arrow(sk, f.point, tip, (sketch_pen){INK_ORANGE, 1, 2.5f});
    sketch_dot(sk, f.point, (sketch_pen){INK_YELLOW, 1, 2.5f});
}

static void draw_arm(sketch *sk, vec2s point, vec2s center) {
    sketch_dashes(sk, point, center, (sketch_pen){INK_TEXT, 1, 1.5f});
}

static void draw_forces_of_lite(const scene_run *run, sketch *sk, int lesson) {
    const lite_world *lite = &((const state *)run->memory)->lite;
    for (int i = 0; i < lite->contact_count; i++) {
        const lite_contact *c = &lite->contacts[i];
        for (int k = 0; k < c->count; k++) {
            const lite_point *p = &c->points[k];
            contact_force f = {left(p->place), c->n, 60 * p->along, 60 * p->across, c->friction};
            draw_force(sk, lesson, f);
            if (lesson == 6) draw_arm(sk, f.point, left(lite->bodies[c->b].position));
        }
    }
}

static void draw_forces_of_cairn(const scene_run *run, sketch *sk, int lesson) {
    cn_contact contacts[LITE_CONTACTS];
    int count = cn_world_contacts(run->world, contacts, LITE_CONTACTS);
    for (int i = 0; i < count && i < LITE_CONTACTS; i++) {
        const cn_manifold *m = &contacts[i].manifold;
        for (int k = 0; k < m->count; k++) {
            const cn_manifold_point *p = &m->points[k];
            draw_force(sk, lesson,
                       (contact_force){p->point, m->normal, 60 * p->normal_impulse,
                                       60 * p->tangent_impulse, contacts[i].friction});
            if (lesson == 6) draw_arm(sk, p->point, cn_body_center(run->world, contacts[i].b.body));
        }
    }
}

// The greatest distance of a body of Lite from its twin, in metres.
static float find_difference(const scene_run *run) {
    const state *s = run->memory;
    float greatest = 0;
    for (int i = 0; i < s->lite.body_count; i++) {
        if (!cn_body_valid(run->world, s->twins[i])) continue;
        vec2s there = cn_body_position(run->world, s->twins[i]);
        there.x -= ASIDE;
        greatest = fmaxf(greatest, glms_vec2_distance(s->lite.bodies[i].position, there));
    }
    return greatest;
}

// A decade of the residual is 1 m high, from 0.00001 m/s to 1 m/s.
static vec2s plot_point(int sweep, float residual) {
    float decades = log10f(fmaxf(residual, 1e-5f)) + 5;
    return (vec2s){{0.3f * (float)sweep - 2.9f, decades + 3.5f}};
}

static void draw_plot(const state *s, sketch *sk) {
    vec2s corner = plot_point(0, 0), right = plot_point(PROBE_SWEEPS, 0), top = plot_point(0, 1);
    sketch_line(sk, corner, right, (sketch_pen){INK_DIM, 1, 1.5f});
    sketch_line(sk, corner, top, (sketch_pen){INK_DIM, 1, 1.5f});
    for (int i = -4; i <= 0; i++) {
        float value = powf(10, (float)i);
        sketch_dashes(sk, plot_point(0, value), plot_point(PROBE_SWEEPS, value),
                      (sketch_pen){INK_FAINT, 1, 1});
    }
    static const sketch_ink inks[] = {INK_GREEN, INK_RED};
    for (int cold = 0; cold < 2; cold++)
        for (int i = 1; i < PROBE_SWEEPS; i++) {
            const float *r = s->residuals[cold];
            sketch_line(sk, plot_point(i - 1, r[i - 1]), plot_point(i, r[i]),
                        (sketch_pen){inks[cold], 1, 2.5f});
        }
    sketch_label(sk, (vec2s){{0, 9.1f}}, INK_TEXT, "residual, 1 m/s to 0.00001 m/s");
    sketch_label(sk, (vec2s){{0, 3.0f}}, INK_TEXT, "20 sweeps");
}

static void draw(const scene_run *run, sketch *sk) {
    const state *s = run->memory;
    int lesson = (int)run->values[LESSON];
    sketch_dashes(sk, (vec2s){{0, -1}}, (vec2s){{0, 2.5f}}, (sketch_pen){INK_FAINT, 1, 1});
    draw_lite(s, sk);
    draw_forces_of_lite(run, sk, lesson);
    draw_forces_of_cairn(run, sk, lesson);
    if (lesson == 8) draw_plot(s, sk);
    sketch_label(sk, (vec2s){{-ASIDE, -1.6f}}, INK_BLUE, "Lite");
    sketch_label(sk, (vec2s){{ASIDE, -1.6f}}, INK_TEXT, "Cairn");
    sketch_note(sk, INK_TEXT, "greatest difference of the two: %.1f mm",
                1000 * (double)find_difference(run));
    if (lesson != 10) sketch_note(sk, INK_ORANGE, "the force on the upper body");
    if (lesson == 7) sketch_note(sk, INK_GREEN, "the cone of friction");
    if (lesson == 8) sketch_note(sk, INK_GREEN, "residual of each sweep");
    if (lesson == 8) sketch_note(sk, INK_RED, "the same without a warm start");
}

const scene scene_lite = {
    .name = "lite",
    .title = "Lite and Cairn",
    .caption =
        "Left: an engine of 400 lines to read. Right: Cairn, with the same bodies and clicks.",
    .view = {0, 4.4f, 14.5f},
    .width = 22,
    .gravity = {{0, -10}},
    .parameters = parameters,
    .create = create,
    .control = control,
    .before_step = before_step,
    .draw = draw,
    .memory_size = sizeof(state),
};
