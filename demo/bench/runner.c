/* See runner.h. */
#include "runner.h"

static const float dt = 1.0f / 60;

bool runner_report_error(const runner *r, const char *problem) {
    fprintf(stderr, "cairn-bench: scene %s: %s\n", r->scene->name, problem);
    return false;
}

// ---------------------------------------------------------------------------------- start and stop

static bool start_world(runner *r, const cn_world_def *options, const peer *which,
                        bench_result *out) {
    if (!which)
        return scene_start(&r->run, r->scene, *options) || runner_report_error(r, cn_error());
    const char *refusal;
    r->mirror = mirror_start(which, r->scene, *options, &refusal);
    if (!r->mirror) snprintf(out->refusal, sizeof out->refusal, "%s", refusal);
    return true;
}

bool runner_start(runner *r, const scene *subject, const cn_world_def *options, const peer *which,
                  bench_result *out) {
    *r = (runner){.scene = subject};
    snprintf(out->engine, sizeof out->engine, "%s", which ? which->name : "cairn");
    if (!start_world(r, options, which, out)) return false;
    if (out->refusal[0] || !subject->queries) return true;
    const cn_world *world = r->mirror ? mirror_source(r->mirror) : r->run.world;
    if (query_make(&r->batch, subject->queries, world)) return true;
    runner_stop(r);
    return runner_report_error(r, "memory is short, or there is no free space for its queries");
}

void runner_stop(runner *r) {
    query_free(&r->batch);
    if (r->mirror)
        mirror_stop(r->mirror);
    else
        scene_stop(&r->run);
}

// -------------------------------------------------------------------------------------------- work

static bool step(runner *r, int count) {
    for (int i = 0; i < count; i++) {
        if (r->mirror)
            mirror_step(r->mirror, dt);
        else if (!scene_step(&r->run, dt))
            return runner_report_error(r, cn_error());
    }
    r->steps += count;
    return true;
}

static void run_queries(runner *r) {
    query_result result =
        r->mirror ? mirror_run_queries(r->mirror, &r->batch) : query_run(r->run.world, &r->batch);
    r->total.count += result.count;
    r->total.sum += result.sum;
}

bool runner_prepare(runner *r) {
    const char *problem = r->mirror ? mirror_prepare(r->mirror) : NULL;
    if (problem) return runner_report_error(r, problem);
    return !r->scene->queries || step(r, 1);
}

bool runner_work(runner *r, int count) {
    if (!r->scene->queries) return step(r, count);
    run_queries(r);
    return true;
}

// ----------------------------------------------------------------------------------------- reading

static double mean_height(const cn_world *world) {
    double sum = 0;
    int count = 0;
    cn_body body = cn_world_next_body(world, (cn_body){0});
    for (; body.id; body = cn_world_next_body(world, body)) {
        if (cn_body_type(world, body) != CN_DYNAMIC) continue;
        sum += (double)cn_body_position(world, body).y;
        count++;
    }
    return count ? sum / count : 0;
}

static bench_counts count_cairn(const cn_world *world) {
    cn_counters c = cn_world_counters(world);
    return (bench_counts){
        .bodies = c.bodies,
        .shapes = c.shapes,
        .contacts = c.contacts,
        .touching = c.touching + c.sleeping_touching,
        .joints = c.joints,
        .lanes = c.lanes,
        .bytes = c.bytes,
        .hash = cn_world_hash(world),
        .mean_height = mean_height(world),
    };
}

static bench_counts count_peer(const mirror *m) {
    peer_counts c = mirror_count(m);
    return (bench_counts){.bodies = c.bodies,
                          .shapes = c.shapes,
                          .contacts = c.contacts,
                          .touching = c.touching,
                          .joints = c.joints,
                          .mean_height = c.height};
}

void runner_observe(const runner *r, int steps, bench_result *out) {
    if (r->mirror) {
        out->awake_sum += (uint64_t)mirror_count(r->mirror).awake * (uint64_t)steps;
        return;
    }
    const cn_world *world = r->run.world;
    out->awake_sum += (uint64_t)cn_world_counters(world).awake_bodies * (uint64_t)steps;
    out->profile = cn_world_profile(world);
    for (int i = 0; i < out->profile.count; i++)
        out->stages[i] += out->profile.seconds[i] * 1e3 * steps;
}

void runner_count(const runner *r, bench_result *out) {
    out->steps = r->steps;
    out->counts = r->mirror ? count_peer(r->mirror) : count_cairn(r->run.world);
    out->queries = r->scene->queries ? r->scene->queries->count : 0;
    out->total = r->total;
}
