/* What the demo adds to a scene for the ear and the eye: sounds, particles, bombs and the ball. */
#include "../../demo/sound/sounds.h"
#include "host.h"

#include <math.h>

enum { FRAME = MIXER_RATE / 60 };

// ---- the mixer

// Returns the largest sample of the next `pairs`.
static float peak_of(demo_mixer *mixer, int pairs) {
    float samples[2 * FRAME], peak = 0;
    for (int left = pairs; left > 0; left -= FRAME) {
        int count = left < FRAME ? left : FRAME;
        mixer_mix(mixer, samples, count);
        for (int i = 0; i < 2 * count; i++) peak = fmaxf(peak, fabsf(samples[i]));
    }
    return peak;
}

static void a_mixer_is_silent_until_a_sound_and_after_it(void **state) {
    (void)state;
    demo_mixer mixer;
    mixer_open(&mixer);
    assert_true(peak_of(&mixer, MIXER_RATE) == 0 && mixer_is_silent(&mixer));
    mixer_play(&mixer, &(mixer_sound){.modes = {{440, 1, 0.05f}}, .loudness = 0.8f});
    assert_false(mixer_is_silent(&mixer));
    assert_true(peak_of(&mixer, FRAME) > 0.2f);
    peak_of(&mixer, MIXER_RATE / 2);
    assert_true(mixer_is_silent(&mixer) && peak_of(&mixer, FRAME) == 0);
}

// Counts how often the left samples change their sign upwards: the periods of a tone.
static int periods_in(demo_mixer *mixer, int pairs) {
    float *samples = malloc(2 * (size_t)pairs * sizeof *samples);
    int periods = 0;
    assert_non_null(samples);
    mixer_mix(mixer, samples, pairs);
    for (int i = 1; i < pairs; i++) periods += samples[2 * i - 2] <= 0 && samples[2 * i] > 0;
    free(samples);
    return periods;
}

static void a_mode_has_its_frequency_and_dies_away_as_it_says(void **state) {
    (void)state;
    demo_mixer mixer;
    mixer_open(&mixer);
    const mixer_sound tone = {.modes = {{600, 0.005f, 0.1f}}, .loudness = 1, .pan = -1};
    mixer_play(&mixer, &tone);
    assert_in_range(periods_in(&mixer, MIXER_RATE / 10), 59, 61);
    mixer_open(&mixer);
    mixer_play(&mixer, &tone);
    float first = peak_of(&mixer, 100);
    peak_of(&mixer, MIXER_RATE / 10 - 100);
    float later = peak_of(&mixer, 100); // after the decay
    assert_true(fabsf(later / first - expf(-1)) < 0.02f);
}

static void a_sound_at_the_left_is_not_heard_at_the_right(void **state) {
    (void)state;
    demo_mixer mixer;
    float samples[2 * FRAME], left = 0, right = 0;
    mixer_open(&mixer);
    mixer_play(&mixer, &(mixer_sound){.modes = {{440, 1, 0.1f}}, .loudness = 1, .pan = -1});
    mixer_mix(&mixer, samples, FRAME);
    for (int i = 0; i < FRAME; i++) {
        left = fmaxf(left, fabsf(samples[2 * i]));
        right = fmaxf(right, fabsf(samples[2 * i + 1]));
    }
    assert_true(left > 0.3f && right < 1e-4f);
}

static void rubbing_ends_when_no_step_tells_of_it(void **state) {
    (void)state;
    demo_mixer mixer;
    mixer_open(&mixer);
    mixer_rub(&mixer, 0.3f, 800, 0);
    assert_true(peak_of(&mixer, FRAME) > 0.01f);
    peak_of(&mixer, MIXER_RATE / 2);
    assert_true(mixer_is_silent(&mixer));
}

static void many_loud_sounds_never_clip(void **state) {
    (void)state;
    demo_mixer mixer;
    mixer_open(&mixer);
    for (int i = 0; i < 3 * MIXER_VOICES; i++)
        mixer_play(&mixer, &(mixer_sound){.modes = {{100 + 10 * (float)i, 1, 0.2f}},
                                          .noise = {3000, 1, 0.1f},
                                          .loudness = 1});
    float peak = peak_of(&mixer, MIXER_RATE / 4);
    assert_true(peak > 0.5f && peak <= 1);
}

// ---- scenes

typedef struct {
    demo_stage stage;
    demo_show show;
} run;

static run *start(const char *name) {
    run *r = calloc(1, sizeof *r);
    float values[SCENE_MAX_PARAMETERS] = {0};
    assert_non_null(r);
    scene_default_values(scene_find(name), values);
    assert_true(stage_open(&r->stage, scene_find(name), values, &(cn_world_def){0}));
    show_open(&r->show);
    r->show.is_heard = true;
    r->stage.show = &r->show;
    return r;
}

static void stop(run *r) {
    stage_close(&r->stage);
    show_close(&r->show);
    free(r);
}

// Takes a step. Returns the peak of its sound.
static float step(run *r) {
    assert_true(stage_step(&r->stage));
    return peak_of(&r->show.mixer, FRAME);
}

static void stacks_at_rest_are_silent(void **state) {
    (void)state;
    run *r = start("stack");
    float peak = 0;
    for (int i = 0; i < 120; i++) peak = fmaxf(peak, step(r));
    assert_true(peak == 0 && particles_count(&r->show.particles) == 0);
    stop(r);
}

// Balls of several restitutions fall from one height: no contact, then a blow.
static void a_ball_is_silent_until_it_hits_the_ground(void **state) {
    (void)state;
    run *r = start("restitution");
    cn_world *world = r->stage.run.world;
    int first_touch = 0;
    float before = 0, at = 0;
    for (int i = 0; i < 100 && at == 0; i++) {
        float peak = step(r);
        if (!first_touch && cn_world_contacts(world, NULL, 0) > 0) first_touch = i;
        if (first_touch && i <= first_touch + 2) at = fmaxf(at, peak > 0.1f ? peak : 0);
        if (!first_touch) before = fmaxf(before, peak);
    }
    assert_true(first_touch > 10 && before == 0 && at > 0.1f);
    assert_true(particles_count(&r->show.particles) > 0);
    stop(r);
}

static float rub_of(const char *name, int steps) {
    run *r = start(name);
    for (int i = 0; i < steps; i++) step(r);
    float level = r->show.mixer.rub_level;
    stop(r);
    return level;
}

static void boxes_on_a_ramp_are_heard_as_they_slide(void **state) {
    (void)state;
    assert_true(rub_of("friction-ramp", 60) > 0.01f);
    assert_true(rub_of("pyramid", 60) == 0);
}

// The show of a scene changes no bit of its world.
static void a_show_does_not_change_the_world(void **state) {
    (void)state;
    static const char *const names[] = {"blast", "dominoes", "bridge", "tiles", "ragdolls"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        run *with = start(names[i]), *without = start(names[i]);
        without->stage.show = NULL;
        for (int k = 0; k < 150; k++)
            assert_true(stage_step(&with->stage) && stage_step(&without->stage));
        assert_true(cn_world_hash(with->stage.run.world) ==
                    cn_world_hash(without->stage.run.world));
        stop(with);
        stop(without);
    }
}

static int count_chips(const run *r) {
    int count = 0;
    for (int i = 0; i < PARTICLES_MAX; i++) {
        const particle *p = &r->show.particles.list[i];
        count += p->kind == PARTICLE_CHIP && p->age < p->life;
    }
    return count;
}

static void a_joint_that_breaks_throws_chips(void **state) {
    (void)state;
    run *r = start("bridge");
    const cn_world *world = r->stage.run.world;
    int joints = cn_world_counters(world).joints, steps = 0;
    for (; steps < 300 && cn_world_counters(world).joints == joints; steps++) {
        assert_int_equal(count_chips(r), 0);
        step(r);
    }
    assert_true(steps < 300 && count_chips(r) > 3);
    stop(r);
}

static demo_effect hit_of(float mass, float density) {
    return (demo_effect){.kind = EFFECT_HIT,
                         .strength = 6,
                         .mass = mass,
                         .density = density,
                         .size = sqrtf(mass / density),
                         .material = {.friction = 0.6f}};
}

static void large_bodies_sound_lower_and_metal_rings_longer(void **state) {
    (void)state;
    demo_effect small = hit_of(0.1f, 1), large = hit_of(10, 1), metal = hit_of(10, 10);
    mixer_sound a = sound_of(&small, 0), b = sound_of(&large, 0), c = sound_of(&metal, 0);
    assert_true(a.modes[0].frequency > 2 * b.modes[0].frequency);
    assert_true(c.modes[0].decay > 3 * a.modes[0].decay);
    small.strength = 1;
    assert_true(sound_of(&small, 0).loudness < a.loudness);
}

static void time_that_jumps_makes_no_sound(void **state) {
    (void)state;
    run *r = start("stack");
    for (int i = 0; i < 60; i++) step(r);
    assert_true(stage_go_to(&r->stage, 20));
    float peak = 0;
    for (int i = 0; i < 20; i++) peak = fmaxf(peak, step(r));
    assert_true(peak == 0);
    stop(r);
}

// ---- the toys of the program

static void click(host *h, vec2s world) {
    vec2s p = view_to_screen(&h->program.picture.view, world);
    demo_handle(&h->program, &(demo_event){.kind = EVENT_PRESS, .point = p});
    demo_handle(&h->program, &(demo_event){.kind = EVENT_RELEASE, .point = p});
}

static void turn_wheel(host *h, vec2s world, float notches) {
    vec2s p = view_to_screen(&h->program.picture.view, world);
    demo_handle(&h->program, &(demo_event){.kind = EVENT_MOVE, .point = p});
    demo_handle(&h->program, &(demo_event){.kind = EVENT_WHEEL, .point = p, .notches = notches});
}

// Returns how many bodies are more than 2 m from where they were.
static int count_moved(host *h, void (*act)(host *h)) {
    enum { MANY = 4000 };
    static cn_body_state before[MANY];
    cn_world *world = h->program.stage.run.world;
    int count = cn_world_body_states(world, before, MANY, false), moved = 0;
    act(h);
    for (int i = 0; i < 90; i++) demo_step(&h->program);
    for (int i = 0; i < count && i < MANY; i++)
        moved += glms_vec2_distance(cn_body_position(world, before[i].body),
                                    before[i].pose.position) > 2;
    return moved;
}

static void set_off_a_bomb(host *h) {
    press_key(h, 'k');
    click(h, (vec2s){{0, 1.5f}});
}

static void set_off_a_weak_bomb(host *h) {
    press_key(h, 'k');
    turn_wheel(h, (vec2s){{0, 1.5f}}, -20);
    click(h, (vec2s){{0, 1.5f}});
}

static void throw_a_ball(host *h) { press_key(h, '9'); }

static void a_bomb_blows_up_a_pyramid_and_the_wheel_makes_it_weaker(void **state) {
    (void)state;
    host *strong = open_scene("pyramid", 0), *weak = open_scene("pyramid", 0);
    assert_true(count_moved(strong, set_off_a_bomb) >= 20);
    assert_int_equal(count_moved(weak, set_off_a_weak_bomb), 0);
    close_scene(strong);
    close_scene(weak);
}

static void a_bomb_flashes_and_is_heard(void **state) {
    (void)state;
    host *h = open_scene("pyramid", 0);
    set_off_a_bomb(h);
    demo_step(&h->program);
    assert_true(particles_count(&h->program.show.particles) > 20);
    assert_true(peak_of(&h->program.show.mixer, FRAME) > 0.2f);
    close_scene(h);
}

static void one_key_throws_a_ball_into_the_pyramid(void **state) {
    (void)state;
    host *h = open_scene("pyramid", 0);
    int bodies = cn_world_counters(h->program.stage.run.world).bodies;
    assert_true(count_moved(h, throw_a_ball) >= 20);
    assert_int_equal(cn_world_counters(h->program.stage.run.world).bodies, bodies + 1);
    close_scene(h);
}

static void the_tool_throws_a_ball_that_passes_where_the_user_clicks(void **state) {
    (void)state;
    host *h = open_scene("restitution", 0);
    vec2s goal = view_to_world(&h->program.picture.view, (vec2s){{500, 60}});
    tools_choose(&h->program.tools, &tool_ball);
    click(h, goal);
    cn_world *world = h->program.stage.run.world;
    cn_body ball = {0};
    for (cn_body b = {0}; (b = cn_world_next_body(world, b)).id;) ball = b;
    float nearest = 1e9f;
    for (int i = 0; i < 60; i++) {
        demo_step(&h->program);
        nearest = fminf(nearest, glms_vec2_distance(cn_body_position(world, ball), goal));
    }
    assert_true(nearest < 0.5f);
    close_scene(h);
}

static void the_wheel_zooms_unless_a_bomb_is_in_hand(void **state) {
    (void)state;
    host *h = open_scene("pyramid", 0);
    float scale = h->program.picture.view.scale;
    press_key(h, 'k');
    turn_wheel(h, (vec2s){{0, 5}}, 1);
    assert_true(h->program.picture.view.scale == scale);
    press_key(h, 'g');
    turn_wheel(h, (vec2s){{0, 5}}, 1);
    assert_true(h->program.picture.view.scale > scale);
    close_scene(h);
}

static void keys_turn_sound_and_dust_off(void **state) {
    (void)state;
    host *h = open_scene("pyramid", 0);
    press_key(h, KEY_F1 + 7);
    press_key(h, KEY_F1 + 6);
    set_off_a_bomb(h);
    demo_step(&h->program);
    assert_int_equal(particles_count(&h->program.show.particles), 0);
    assert_true(mixer_is_silent(&h->program.show.mixer));
    close_scene(h);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mixer_is_silent_until_a_sound_and_after_it),
        cmocka_unit_test(a_mode_has_its_frequency_and_dies_away_as_it_says),
        cmocka_unit_test(a_sound_at_the_left_is_not_heard_at_the_right),
        cmocka_unit_test(rubbing_ends_when_no_step_tells_of_it),
        cmocka_unit_test(many_loud_sounds_never_clip),
        cmocka_unit_test(stacks_at_rest_are_silent),
        cmocka_unit_test(a_ball_is_silent_until_it_hits_the_ground),
        cmocka_unit_test(boxes_on_a_ramp_are_heard_as_they_slide),
        cmocka_unit_test(a_show_does_not_change_the_world),
        cmocka_unit_test(a_joint_that_breaks_throws_chips),
        cmocka_unit_test(large_bodies_sound_lower_and_metal_rings_longer),
        cmocka_unit_test(time_that_jumps_makes_no_sound),
        cmocka_unit_test(a_bomb_blows_up_a_pyramid_and_the_wheel_makes_it_weaker),
        cmocka_unit_test(a_bomb_flashes_and_is_heard),
        cmocka_unit_test(one_key_throws_a_ball_into_the_pyramid),
        cmocka_unit_test(the_tool_throws_a_ball_that_passes_where_the_user_clicks),
        cmocka_unit_test(the_wheel_zooms_unless_a_bomb_is_in_hand),
        cmocka_unit_test(keys_turn_sound_and_dust_off),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
