/* Calls every function with NULL or a null handle for each of its pointers and handles. The call
 * succeeds, or fails with an error, as engine/bindings/api.json says. */
#include "../../support/recordings.h"

// Good arguments of all types.
typedef struct {
    cn_world *world;
    cn_body body;
    cn_shape shape;
    cn_joint joint;
    cn_chain chain;
    cn_grid tiles;
    cn_pose pose;
    vec2s points[3];
    uint8_t solid[1];
    cn_hull hull;
    cn_sweep sweep;
    cn_outline outline;
    cn_shape_def shape_def;
    cn_chain_def chain_def;
    cn_grid_def tiles_def;
    cn_joint_def joint_def;
    cn_tuning tuning;
    cn_explosion explosion;
    tape tape;
    cn_recording_sink sink;
    cn_replay *replay;              // of a recording without calls
    _Alignas(8) char results[1024]; // for one value of any type
} arguments;

typedef struct {
    void (*call)(arguments *x);
    const char *function, *parameter;
    bool is_allowed;
} null_call;

#include "null_calls.h"

enum { NULL_CALLS = sizeof null_calls / sizeof *null_calls };

static void make_arguments(arguments *x) {
    *x =
        (arguments){.world = make_world(0), .points = {{{0, 0}}, {{4, 0}}, {{4, 4}}}, .solid = {1}};
    x->pose = x->sweep.start = cn_pose_at(x->points[0], 0);
    x->hull = x->shape_def.hull = cn_box(1, 1);
    x->outline = (cn_outline){x->points, 3};
    x->chain_def = (cn_chain_def){.points = x->points, .count = 3};
    x->tiles_def = (cn_grid_def){.solid = x->solid, .width = 1, .height = 1, .tile_size = 1};
    x->tuning = cn_world_tuning(x->world);
    x->explosion = (cn_explosion){.radius = 1, .falloff = 1};
    cn_body ground = cn_body_create(x->world, &(cn_body_def){.type = CN_STATIC});
    x->body = cn_body_create(x->world, &(cn_body_def){0});
    x->shape = cn_shape_create(x->world, x->body, &x->shape_def);
    x->joint_def = (cn_joint_def){.a = ground, .b = x->body};
    x->joint = cn_joint_create(x->world, x->joint_def);
    x->chain = cn_chain_create(x->world, ground, &x->chain_def);
    x->tiles = cn_grid_create(x->world, ground, &x->tiles_def);
    assert_true(x->joint.id && x->chain.id && x->tiles.id);
    begin_tape(&x->tape, x->world);
    assert_done(cn_recording_end(x->world));
    x->sink = (cn_recording_sink){write_to_tape, &x->tape};
    x->replay = open_tape(&x->tape, (cn_world_def){0});
}

static bool names_function(const char *function) {
    size_t length = strlen(function);
    return strncmp(cn_error(), function, length) == 0 && cn_error()[length] == ':';
}

static void null_is_taken_or_refused_as_described(void **state) {
    (void)state;
    int wrong = 0;
    for (int i = 0; i < NULL_CALLS; i++) {
        const null_call *call = &null_calls[i];
        arguments x;
        make_arguments(&x);
        uint64_t hash = cn_world_hash(x.world);
        cn_error_clear();
        call->call(&x);
        bool is_refused = cn_error_code() == CN_ERROR_HANDLE;
        bool is_right = is_refused != call->is_allowed;
        if (is_refused)
            is_right &= names_function(call->function) && hash == cn_world_hash(x.world);
        if (!is_right)
            print_message("%s, %s: \"%s\"\n", call->function, call->parameter, cn_error());
        wrong += !is_right;
        cn_world_destroy(x.world);
        cn_replay_destroy(x.replay);
        free(x.tape.bytes);
    }
    print_message("%d calls, %d wrong\n", NULL_CALLS, wrong);
    assert_int_equal(wrong, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(null_is_taken_or_refused_as_described)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
