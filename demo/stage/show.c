/* The effects of a step become particles and sounds at once, and are forgotten. */
#include "show.h"
#include "../sound/sounds.h"

void show_open(demo_show *show) {
    *show = (demo_show){.is_seen = true, .width = 20, .blasts = -1};
    effects_open(&show->effects);
    particles_open(&show->particles);
    mixer_open(&show->mixer);
}

void show_close(demo_show *show) { effects_close(&show->effects); }

void show_reset(demo_show *show) {
    effects_reset(&show->effects);
    particles_clear(&show->particles);
    show->blasts = -1;
}

static bool is_on(const demo_show *show) { return show->is_seen || show->is_heard; }

void show_blast(demo_show *show, vec2s point, float reach) {
    if (!is_on(show)) return;
    effects_add(
        &show->effects,
        &(demo_effect){.kind = EFFECT_BLAST, .point = point, .strength = reach, .power = 1e9f});
}

void show_begin_step(demo_show *show, const cn_world *world) {
    if (is_on(show)) effects_begin_step(&show->effects, world);
}

void show_end_step(demo_show *show, const scene_run *run, float dt) {
    if (!is_on(show)) {
        effects_reset(&show->effects); // what was missed is no hit later
        return;
    }
    effects_end_step(&show->effects, run->world, dt);
    if (show->blasts >= 0 && run->blast_count > show->blasts)
        show_blast(show, run->blast, run->blast_reach);
    show->blasts = run->blast_count;
    if (show->is_seen) {
        particles_emit(&show->particles, &show->effects);
        particles_step(&show->particles, cn_world_gravity(run->world), dt);
    }
    if (show->is_heard) sounds_play(&show->mixer, &show->effects, show->ear, show->width);
    effects_clear(&show->effects);
}
