/* Takes steps at a fixed rate, and interpolates poses.
 *
 * Both pose lists are in slot order, so walking them together finds each body in both. A new body
 * has no earlier pose. It is drawn at its present pose. */
#include "stage.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The maximum number of steps in one frame, times the speed. A machine that is too slow shows slow
// motion.
enum { MAX_CATCH_UP = 4 };

static uint32_t slot_of(cn_body body) { return (uint32_t)(body.id & 0xFFFFFF); }

// ---- poses

static bool reserve_poses(stage_poses *poses, int count) {
    if (count <= poses->capacity) return true;
    size_t capacity = (size_t)count * 2;
    void *grown = realloc(poses->states, capacity * sizeof *poses->states);
    if (!grown) return false;
    poses->states = grown;
    poses->capacity = (int)capacity;
    return true;
}

static void read_poses(stage_poses *poses, const cn_world *world) {
    int count = cn_world_body_states(world, poses->states, poses->capacity, false);
    if (count > poses->capacity && reserve_poses(poses, count))
        count = cn_world_body_states(world, poses->states, poses->capacity, false);
    poses->count = count < poses->capacity ? count : poses->capacity;
}

static void swap_poses(stage_poses *a, stage_poses *b) {
    stage_poses kept = *a;
    *a = *b;
    *b = kept;
}

static cn_pose mix_poses(cn_pose a, cn_pose b, float fraction) {
    float c = a.rotation.c + (b.rotation.c - a.rotation.c) * fraction;
    float s = a.rotation.s + (b.rotation.s - a.rotation.s) * fraction;
    float length = sqrtf(c * c + s * s);
    if (length < 0.1f) return b; // about half a turn in one step: neither direction is shorter
    return (cn_pose){glms_vec2_lerp(a.position, b.position, fraction), {c / length, s / length}};
}

static void mix_pose_lists(stage_poses *drawn, const stage_poses *before, const stage_poses *now,
                           float fraction) {
    for (int i = 0, j = 0; i < now->count; i++) {
        cn_body_state state = now->states[i];
        while (j < before->count && slot_of(before->states[j].body) < slot_of(state.body)) j++;
        if (j < before->count && before->states[j].body.id == state.body.id)
            state.pose = mix_poses(before->states[j].pose, state.pose, fraction);
        drawn->states[i] = state;
    }
    drawn->count = now->count;
}

const stage_poses *stage_draw_poses(demo_stage *stage, bool exact) {
    if (exact || stage->paused || !reserve_poses(&stage->drawn, stage->now.count))
        return &stage->now;
    mix_pose_lists(&stage->drawn, &stage->before, &stage->now, stage->unstepped / STAGE_STEP);
    return &stage->drawn;
}

void stage_refresh(demo_stage *stage) {
    read_poses(&stage->now, stage->run.world);
    stage->before.count = 0;
}

void stage_tell(demo_stage *stage, const char *format, ...) {
    va_list values;
    va_start(values, format);
    vsnprintf(stage->notice, sizeof stage->notice, format, values);
    va_end(values);
    fprintf(stderr, "cairn-demo: %s\n", stage->notice);
}

// ---- start and stop

static void keep_error(demo_stage *stage) {
    snprintf(stage->error, sizeof stage->error, "%s", cn_error());
    stage->failed = stage->paused = true;
}

static bool start(demo_stage *stage, const scene *chosen) {
    if (!playback_is(chosen)) {
        if (!scene_start_with(&stage->run, chosen, stage->values, stage->options)) return false;
        history_open(&stage->history, &stage->run);
        return true;
    }
    stage->replay = playback_start(chosen, &stage->options);
    if (!stage->replay) return false;
    stage->run = (scene_run){.scene = chosen, .world = cn_replay_world(stage->replay)};
    return true;
}

static void stop(demo_stage *stage) {
    if (stage->recording) stage_end_recording(stage);
    history_close(&stage->history);
    if (stage->replay)
        cn_replay_destroy(stage->replay);
    else if (stage->run.world)
        scene_stop(&stage->run);
    stage->replay = NULL, stage->run = (scene_run){0};
}

// True if the stage has paused itself: there is no next step.
static bool has_ended(const demo_stage *stage) {
    return stage->failed || playback_has_ended(stage->replay);
}

bool stage_restart(demo_stage *stage, const scene *chosen) {
    return stage_restart_with(stage, chosen, NULL);
}

bool stage_restart_with(demo_stage *stage, const scene *chosen, const float *values) {
    stage->paused = stage->paused && !has_ended(stage);
    if (chosen != stage->run.scene) scene_default_values(chosen, stage->values);
    if (values) memcpy(stage->values, values, sizeof stage->values);
    stop(stage);
    stage->grab = (demo_grab){0};
    if (stage->show) show_reset(stage->show);
    stage->unstepped = 0;
    stage->failed = false;
    stage->before.count = stage->now.count = 0;
    if (!start(stage, chosen)) {
        keep_error(stage);
        stage->run.scene = chosen; // so that Restart tries it again
        return false;
    }
    stage_refresh(stage);
    return true;
}

bool stage_open(demo_stage *stage, const scene *chosen, const float *values,
                const cn_world_def *options) {
    *stage = (demo_stage){.options = *options, .speed = 1, .run.scene = chosen};
    memcpy(stage->values, values, sizeof stage->values);
    return stage_restart(stage, chosen);
}

void stage_close(demo_stage *stage) {
    stop(stage);
    free(stage->before.states);
    free(stage->now.states);
    free(stage->drawn.states);
    *stage = (demo_stage){0};
}

// ---- recording

bool stage_record(demo_stage *stage, const char *path) {
    if (stage->replay || !stage->run.world) {
        fputs("cairn-demo: there is no scene to record\n", stderr);
        return false;
    }
    stage->recording = playback_record(stage->run.world, path);
    if (stage->recording) fprintf(stderr, "cairn-demo: recording to %s\n", path);
    snprintf(stage->recording_path, sizeof stage->recording_path, "%s", path);
    return stage->recording;
}

bool stage_end_recording(demo_stage *stage) {
    bool done = cn_recording_end(stage->run.world);
    done = fclose(stage->recording) == 0 && done;
    stage->recording = NULL;
    if (done)
        stage_tell(stage, "Recorded to %s. Drop this file on the window to play it.",
                   stage->recording_path);
    else
        stage_tell(stage, "The recording %s is not complete.", stage->recording_path);
    return done;
}

// ---- time

// Returns false at the end of a recording, or if it fails.
static bool play_step(demo_stage *stage) {
    playback_result result = playback_step(stage->replay, stage->error, sizeof stage->error);
    if (result != PLAYBACK_STEPPED) stage->paused = true;
    stage->failed = result == PLAYBACK_FAILED;
    stage->run.step = cn_replay_at(stage->replay).step;
    return result == PLAYBACK_STEPPED;
}

// The scene does its part, as far as it can: the user may have erased bodies or joints of it.
static bool act(scene_run *run) {
    cn_error_clear();
    return scene_act(run) || cn_error_code() == CN_ERROR_HANDLE;
}

bool stage_begin_step(demo_stage *stage) {
    if (stage->failed || stage->replay) return false;
    if (stage->show) show_begin_step(stage->show, stage->run.world);
    grab_pull(&stage->grab, stage->run.world, STAGE_STEP);
    if (act(&stage->run)) return true;
    keep_error(stage);
    return false;
}

// The world has taken a step.
static void show_step(demo_stage *stage) {
    if (stage->show) show_end_step(stage->show, &stage->run, STAGE_STEP);
    swap_poses(&stage->before, &stage->now);
    read_poses(&stage->now, stage->run.world);
}

bool stage_end_step(demo_stage *stage) {
    if (!scene_advance(&stage->run, STAGE_STEP)) {
        keep_error(stage);
        return false;
    }
    history_keep(&stage->history, &stage->run);
    show_step(stage);
    return true;
}

bool stage_step(demo_stage *stage) {
    if (stage->failed) return false;
    if (!stage->replay) return stage_begin_step(stage) && stage_end_step(stage);
    if (stage->show) show_begin_step(stage->show, stage->run.world);
    if (!play_step(stage)) return false;
    show_step(stage);
    return true;
}

void stage_range(const demo_stage *stage, int *first, int *last) {
    int oldest = history_oldest(&stage->history);
    *first = stage->replay ? 0 : oldest < 0 ? stage->run.step : oldest;
    *last = stage->run.step;
    if (stage->replay) *last = cn_replay_at(stage->replay).steps;
    if (stage->history.states && cn_rollback_newest(stage->history.states) > *last)
        *last = cn_rollback_newest(stage->history.states);
}

bool stage_go_to(demo_stage *stage, int step) {
    bool done = stage->replay ? cn_replay_seek(stage->replay, step)
                              : history_go_to(&stage->history, &stage->run, step);
    if (!done) return false;
    if (stage->replay) stage->run.step = cn_replay_at(stage->replay).step;
    grab_end(&stage->grab);
    if (stage->show) show_reset(stage->show);
    stage->failed = false;
    stage->unstepped = 0;
    stage_refresh(stage);
    return true;
}

void stage_advance(demo_stage *stage, float seconds) {
    if (stage->paused) return;
    int most = (int)(MAX_CATCH_UP * fmaxf(stage->speed, 1));
    stage->unstepped += seconds * stage->speed;
    for (int i = 0; i < most && stage->unstepped >= STAGE_STEP; i++) {
        if (!stage_step(stage)) return;
        stage->unstepped -= STAGE_STEP;
    }
    stage->unstepped = fminf(stage->unstepped, STAGE_STEP);
}
