/* Shared by the tests of refused calls: a call must fail, must say why, and must change nothing.
 *
 * REFUSES() provokes another error first, so the error that it finds afterwards is the error of the
 * call. The error hook must have been called once, with this error.
 * REFUSES() takes any call whose result type has a zero value, which the call must return. The
 * world that must not change is `unchanged_world`. The call may get another world, or none. */
#ifndef TESTS_REFUSE_H
#define TESTS_REFUSE_H

#include "physics.h"

#define ZERO_TEST(type, name, expression)                                                          \
    static inline bool is_zero_##name(type v) { return expression; }

ZERO_TEST(bool, bool, !v)
ZERO_TEST(int, int, v == 0)
ZERO_TEST(uint64_t, id, v == 0)
ZERO_TEST(float, float, v == 0)
ZERO_TEST(vec2s, vector, v.x == 0 && v.y == 0)
ZERO_TEST(cn_body, body, v.id == 0)
ZERO_TEST(cn_shape, shape, v.id == 0)
ZERO_TEST(cn_joint, joint, v.id == 0)
ZERO_TEST(cn_grid, tiles, v.id == 0)
ZERO_TEST(cn_chain, chain, v.id == 0)
ZERO_TEST(cn_tile, tile, !v.solid && v.form == CN_TILE_SQUARE && v.material == 0 && !v.one_way)
ZERO_TEST(cn_joint_def, joint_def, v.a.id == 0 && v.b.id == 0 && v.frame_a.rotation.c == 0)
ZERO_TEST(cn_coupling, coupling, v.other.id == 0 && v.ratio == 0)
ZERO_TEST(cn_motion_type, type, v == CN_DYNAMIC)
// A pose of zeros would be taken for one that is not turned.
ZERO_TEST(cn_pose, pose, is_zero_vector(v.position) && isnan(v.rotation.c) && isnan(v.rotation.s))
ZERO_TEST(cn_bounds, bounds, is_zero_vector(v.lower) && is_zero_vector(v.upper))
ZERO_TEST(cn_mass_data, mass, v.mass == 0 && v.inertia == 0 && is_zero_vector(v.center))
ZERO_TEST(cn_hull, hull, v.count == 0 && v.radius == 0)
ZERO_TEST(cn_material, material, v.friction == 0 && v.restitution == 0 && !v.frictionless)
ZERO_TEST(cn_filter, filter, v.category == 0 && v.mask == 0 && v.group == 0)
ZERO_TEST(cn_medium, medium, v.density == 0 && v.floor == 0 && is_zero_vector(v.flow))
ZERO_TEST(cn_ray_hit, ray_hit, !v.hit && v.fraction == 0)
ZERO_TEST(cn_world *, world, v == NULL)
ZERO_TEST(cn_tuning, tuning, v.slop == 0 && v.sleep_time == 0)
ZERO_TEST(cn_events, events, !v.begins && !v.begin_count && !v.ends && !v.hits && !v.bodies)
ZERO_TEST(cn_contact, contact, !v.a.body.id && !v.b.body.id && !v.manifold.count)
ZERO_TEST(cn_ground, ground, !v.found && !v.side.body.id && is_zero_vector(v.normal))
ZERO_TEST(cn_energy, energy, v.kinetic == 0 && v.potential == 0)
ZERO_TEST(cn_counters, counters, v.bytes == 0 && v.lanes == 0)
ZERO_TEST(cn_profile, profile, v.count == 0 && v.total == 0)

#define IS_ZERO(call)                                                                              \
    _Generic((call), bool: is_zero_bool, int: is_zero_int, uint64_t: is_zero_id,                   \
        float: is_zero_float, vec2s: is_zero_vector, cn_body: is_zero_body,                        \
        cn_shape: is_zero_shape, cn_joint: is_zero_joint, cn_grid: is_zero_tiles,                 \
        cn_tile: is_zero_tile, cn_chain: is_zero_chain,                                            \
        cn_joint_def: is_zero_joint_def, cn_coupling: is_zero_coupling,                            \
        cn_motion_type: is_zero_type, cn_pose: is_zero_pose,                                         \
        cn_bounds: is_zero_bounds, cn_mass_data: is_zero_mass, cn_hull: is_zero_hull,                   \
        cn_material: is_zero_material, cn_filter: is_zero_filter, cn_medium: is_zero_medium,       \
        cn_ray_hit: is_zero_ray_hit,                                                               \
        cn_contact: is_zero_contact, cn_ground: is_zero_ground,                                    \
        cn_world *: is_zero_world, cn_tuning: is_zero_tuning, cn_events: is_zero_events,           \
        cn_energy: is_zero_energy, cn_counters: is_zero_counters,                                  \
        cn_profile: is_zero_profile)(call)

// The world that no refused call may change, or NULL.
static cn_world *unchanged_world;

typedef struct {
    uint64_t hash;
    cn_error_kind other;
} before_call;

// Calls of the error hook since prepare_refusal().
static struct {
    int count;
    cn_error_kind kind;
    char text[1024];
} hook_calls;

static inline void record_error(cn_error_kind kind, const char *text, void *user) {
    (void)user;
    hook_calls.count++;
    hook_calls.kind = kind;
    strncpy(hook_calls.text, text, sizeof hook_calls.text - 1);
}

// True if the hook was called once, with the current error.
static inline bool hook_called_once(void) {
    return hook_calls.count == 1 && hook_calls.kind == cn_error_code() &&
           strcmp(hook_calls.text, cn_error()) == 0;
}

// Leaves an error of another kind than the call should give.
static inline before_call prepare_refusal(cn_error_kind expected) {
    if (expected == CN_ERROR_RANGE)
        cn_circle(NAN);
    else
        cn_circle(-1);
    cn_error_set_hook(record_error, NULL);
    hook_calls.count = 0;
    return (before_call){unchanged_world ? cn_world_hash(unchanged_world) : 0, cn_error_code()};
}

// True if the message begins with the name of the call, the text before its first parenthesis.
static inline bool names_function(const char *message, const char *call) {
    size_t length = strcspn(call, "(");
    return strncmp(message, call, length) == 0 && message[length] == ':';
}

// True if the message has a number, or a word that says that there is none.
static inline bool has_reason(const char *message) {
    const char *words[] = {"NULL", "null", "nan", "inf", "not kept"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strstr(message, words[i])) return true;
    return strpbrk(message, "0123456789") != NULL;
}

static inline void check_refusal(before_call before, bool zero, cn_error_kind expected,
                                 const char *call, const char *file, int line) {
    const char *wrong = !zero                               ? "gave a result"
                        : cn_error_code() != expected       ? "recorded another kind of error"
                        : !has_reason(cn_error())           ? "gave no numbers"
                        : !names_function(cn_error(), call) ? "is not named"
                        : !hook_called_once()               ? "did not call the hook once"
                        : unchanged_world && cn_world_hash(unchanged_world) != before.hash
                            ? "changed the world"
                            : NULL;
    if (!wrong) return;
    print_error("%s %s: kind %d, expected %d: \"%s\"\n", call, wrong, (int)cn_error_code(),
                (int)expected, cn_error());
    _fail(file, line);
}

#define REFUSES(expected, call)                                                                    \
    do {                                                                                           \
        before_call before_ = prepare_refusal(expected);                                           \
        bool zero_ = IS_ZERO(call);                                                                \
        check_refusal(before_, zero_, expected, #call, __FILE__, __LINE__);                        \
    } while (0)

#endif
