/* Scalar maths that the whole engine shares, on cglm's vec2s.
 *
 * Every function here returns the same bits on every machine. The results of +, -, *, / and sqrtf
 * are defined exactly by IEEE 754. Sine, cosine and arc tangent are polynomials of our own, because
 * those of libm differ between platforms. A rotation is a unit vector (c, s), used like a complex
 * number. Minimum and maximum are written `a < b ? a : b` in one order everywhere, which is also
 * what the SIMD instructions do. */
#ifndef CN_MATHS_H
#define CN_MATHS_H

#include "base.h"

#include <math.h>

#define CN_PI 3.14159265358979323846f

#if !defined(cglm_types_struct_h) // without cglm: what cairn.h does not define
typedef union {
    float raw[3];
    struct {
        float x, y, z;
    };
} vec3s;
static inline vec2s glms_vec2_add(vec2s a, vec2s b) { return cn_vec(a.x + b.x, a.y + b.y); }
static inline vec2s glms_vec2_negate(vec2s v) { return cn_vec(-v.x, -v.y); }
static inline float glms_vec2_cross(vec2s a, vec2s b) { return a.x * b.y - a.y * b.x; }
static inline float glms_vec2_norm2(vec2s v) { return glms_vec2_dot(v, v); }
static inline bool glms_vec2_eqv(vec2s a, vec2s b) { return a.x == b.x && a.y == b.y; }
#endif

// A row of four floats in memory, for arithmetic on all four at once.
typedef float cn_float4 __attribute__((vector_size(16), may_alias));

static inline float cn_min(float a, float b) { return a < b ? a : b; }
static inline float cn_max(float a, float b) { return a > b ? a : b; }
static inline float cn_clamp(float x, float low, float high) {
    return cn_max(low, cn_min(x, high));
}
static inline float cn_abs(float x) { return x < 0 ? -x : x; }

static inline bool cn_finite(float x) { return x - x == 0; }

static inline float cn_cross(vec2s a, vec2s b) { return a.x * b.y - a.y * b.x; }
static inline vec2s cn_perp(vec2s v) { return cn_vec(-v.y, v.x); } // v turned by +90 degrees
static inline vec2s cn_min2(vec2s a, vec2s b) { return cn_vec(cn_min(a.x, b.x), cn_min(a.y, b.y)); }
static inline vec2s cn_max2(vec2s a, vec2s b) { return cn_vec(cn_max(a.x, b.x), cn_max(a.y, b.y)); }

// Velocity of the point at offset r from the centre of a body with angular velocity w: w x r.
static inline vec2s cn_spin(float w, vec2s r) { return cn_vec(-w * r.y, w * r.x); }

static inline vec2s cn_rotate(cn_rotation q, vec2s v) {
    return cn_vec(q.c * v.x - q.s * v.y, q.s * v.x + q.c * v.y);
}
static inline vec2s cn_unrotate(cn_rotation q, vec2s v) {
    return cn_vec(q.c * v.x + q.s * v.y, q.c * v.y - q.s * v.x);
}
static inline cn_rotation cn_combine(cn_rotation a, cn_rotation b) { // first b, then a
    return (cn_rotation){a.c * b.c - a.s * b.s, a.s * b.c + a.c * b.s};
}
// The result of a call that fails. A pose of zeros would be taken for one that is not turned.
static const cn_pose cn_no_pose = {.rotation = {NAN, NAN}};

static inline cn_rotation cn_renormalize(cn_rotation q) {
    float scale = 1.0f / sqrtf(q.c * q.c + q.s * q.s);
    return (cn_rotation){q.c * scale, q.s * scale};
}

// The pose that an argument or a field of a definition stands for: a rotation of all zeros stands
// for no rotation, so {0} is the identity.
static inline cn_pose cn_given_pose(cn_pose pose) {
    if (pose.rotation.c == 0 && pose.rotation.s == 0) pose.rotation = (cn_rotation){1, 0};
    return pose;
}

static inline vec2s cn_to_world(cn_pose pose, vec2s local) {
    return glms_vec2_add(pose.position, cn_rotate(pose.rotation, local));
}
static inline vec2s cn_to_local(cn_pose pose, vec2s world) {
    return cn_unrotate(pose.rotation, glms_vec2_sub(world, pose.position));
}
// Pose b is given in the frame of a. Returns it in world coordinates.
static inline cn_pose cn_compose(cn_pose a, cn_pose b) {
    return (cn_pose){cn_to_world(a, b.position), cn_combine(a.rotation, b.rotation)};
}

// ---- double precision, in which differences of float coordinates are nearly exact

typedef struct {
    double x, y;
} cn_vec2d;

static inline cn_vec2d cn_between(vec2s a, vec2s b) {
    return (cn_vec2d){(double)b.x - (double)a.x, (double)b.y - (double)a.y};
}
static inline cn_vec2d cn_widen(vec2s v) { return (cn_vec2d){(double)v.x, (double)v.y}; }
static inline vec2s cn_narrow(cn_vec2d v) { return cn_vec((float)v.x, (float)v.y); }
static inline double cn_dot2d(cn_vec2d a, cn_vec2d b) { return a.x * b.x + a.y * b.y; }
static inline double cn_cross2d(cn_vec2d a, cn_vec2d b) { return a.x * b.y - a.y * b.x; }
static inline cn_vec2d cn_add_scaled(cn_vec2d a, double t, cn_vec2d b) {
    return (cn_vec2d){a.x + t * b.x, a.y + t * b.y};
}
static inline cn_vec2d cn_minus2d(cn_vec2d a, cn_vec2d b) { return cn_add_scaled(a, -1, b); }
static inline cn_vec2d cn_scale2d(double t, cn_vec2d v) { return (cn_vec2d){t * v.x, t * v.y}; }
static inline double cn_length2d(cn_vec2d v) { return sqrt(cn_dot2d(v, v)); }
static inline cn_vec2d cn_unit2d(cn_vec2d v) { // zero stays zero
    double length = sqrt(cn_dot2d(v, v));
    return length > 0 ? (cn_vec2d){v.x / length, v.y / length} : (cn_vec2d){0, 0};
}
static inline double cn_min2d(double a, double b) { return a < b ? a : b; }
static inline double cn_max2d(double a, double b) { return a > b ? a : b; }
static inline cn_vec2d cn_rotate2d(cn_rotation q, cn_vec2d v) {
    double c = (double)q.c, s = (double)q.s;
    return (cn_vec2d){c * v.x - s * v.y, s * v.x + c * v.y};
}
// The unit vector to the right of a -> b; zero if a and b coincide.
static inline cn_vec2d cn_right_of(vec2s a, vec2s b) {
    cn_vec2d along = cn_between(a, b);
    return cn_unit2d((cn_vec2d){along.y, 0 - along.x});
}

// ---- symmetric matrices

// The elements of a symmetric matrix over x, y and angle.
enum { CN_XX, CN_XY, CN_YY, CN_XW, CN_YW, CN_WW, CN_ELEMENTS };

// ---- angles

// The unit vector at any finite angle. The error is at most 1e-9 for angles below 1e6. Whole
// quarter turns are removed first. Then Taylor series are evaluated in r, |r| <= pi/4.
static inline cn_vec2d cn_direction2d(double angle) {
    double turns = angle * 0.63661977236758134; // 2 / pi
    double quarter = floor(turns + 0.5), r = angle - quarter * 1.5707963267948966;
    r = r < -0.7854 ? -0.7854 : r > 0.7854 ? 0.7854 : r; // beyond 1e9 radians only rounding is left
    double q = r * r;
    double s = r * (1 - q / 6 * (1 - q / 20 * (1 - q / 42 * (1 - q / 72 * (1 - q / 110)))));
    double c = 1 - q / 2 * (1 - q / 12 * (1 - q / 30 * (1 - q / 56 * (1 - q / 90))));
    // Cosines of the angle plus 0, 1, 2 and 3 quarter turns.
    const double turned[] = {c, -s, -c, s};
    int quadrant = (int)(quarter - 4 * floor(quarter / 4));
    return (cn_vec2d){turned[quadrant], turned[(quadrant + 3) & 3]};
}

// Cosine and sine of any angle. Neither is finite if the angle is not finite.
static inline cn_rotation cn_rotation_full(float angle) {
    if (!cn_finite(angle)) return (cn_rotation){angle, angle};
    cn_vec2d u = cn_direction2d((double)angle);
    return (cn_rotation){(float)u.x, (float)u.y};
}

// Short series for angles below 1/4 radian. `square` is that of the angle. Floats, and floats in
// lanes.
#define CN_SMALL_SINE(angle, square)                                                               \
    ((angle) *                                                                                     \
     (1 - (square) * (1.0f / 6) * (1 - (square) * (1.0f / 20) * (1 - (square) * (1.0f / 42)))))
#define CN_SMALL_COSINE(square)                                                                    \
    (1 - (square)*0.5f * (1 - (square) * (1.0f / 12) * (1 - (square) * (1.0f / 30))))

// The rotation of one step, whose angle is usually small. Below 1/4 radian it uses short series in
// single precision. Larger angles use the full-range function, so no angular velocity needs a
// clamp.
static inline cn_rotation cn_rotation_of_step(float angle) {
    if (!(cn_abs(angle) < 0.25f)) return cn_rotation_full(angle);
    return (cn_rotation){CN_SMALL_COSINE(angle * angle), CN_SMALL_SINE(angle, angle * angle)};
}

// Angle of (x, y) in -pi..pi; 0 for the zero vector. Error below 1e-6 (Abramowitz and Stegun
// 4.4.49).
static inline float cn_atan2(float y, float x) {
    double ax = x < 0 ? -(double)x : (double)x, ay = y < 0 ? -(double)y : (double)y;
    double high = ax > ay ? ax : ay, low = ax > ay ? ay : ax;
    if (high == 0) return 0;
    double t = low / high, q = t * t, a = 0;
    static const double terms[8] = {-0.3333314528, 0.1999355085, -0.1420889944, 0.1065626393,
                                    -0.0752896400, 0.0429096138, -0.0161657367, 0.0028662257};
    for (int i = 7; i >= 0; i--) a = terms[i] + q * a;
    a = t * (1 + q * a);
    if (ay > ax) a = 1.5707963267948966 - a;
    if (x < 0) a = 3.14159265358979323846 - a;
    return (float)(y < 0 ? -a : a);
}

// The same with an error below 1e-15. Halves the angle twice, by tan(a/2) = t / (1 + sqrt(1 +
// t^2)). Then evaluates a Taylor series in t, t <= tan(pi/16).
static inline double cn_angle2d(cn_vec2d v) {
    double ax = fabs(v.x), ay = fabs(v.y), high = ax > ay ? ax : ay, low = ax > ay ? ay : ax;
    if (high == 0) return 0;
    double t = low / high, a = 0;
    for (int i = 0; i < 2; i++) t = t / (1 + sqrt(1 + t * t));
    for (int i = 10; i >= 0; i--) a = 1.0 / (2 * i + 1) - t * t * a;
    a *= 4 * t;
    if (ay > ax) a = 1.5707963267948966 - a;
    if (v.x < 0) a = 3.14159265358979323846 - a;
    return v.y < 0 ? -a : a;
}

// ---- decay

// Exponential decay from 0 to x = damping * h. The effect of a force is damped while the force
// acts, so its impulse is multiplied by the mean.
typedef struct {
    float end;  // e^-x
    float mean; // of e^-x over 0..x: (1 - e^-x) / x
} cn_decay;

// For x >= 0: a series up to x = 1/4, which is then doubled as often as needed.
static inline cn_decay cn_decay_of(float x) {
    int doublings = 0;
    if (x == 0) return (cn_decay){1, 1}; // most bodies have no damping
    for (; x > 0.25f; doublings++) x *= 0.5f;
    float mean = 1 - x / 2 * (1 - x / 3 * (1 - x / 4 * (1 - x / 5 * (1 - x / 6))));
    cn_decay d = {1 - x * mean, mean};
    for (; doublings > 0; doublings--) d = (cn_decay){d.end * d.end, d.mean * (1 + d.end) / 2};
    return d;
}

// Returns x / (1 - e^-x) - 1 for x >= 0: by how much an implicit step must divide, so that its
// decay is exact. Half of x for small x, x - 1 for large ones.
static inline double cn_implicit_decay(double x) {
    double q = x * x;
    if (x < 0.5) return x * (1.0 / 2 + x * (1.0 / 12 - q * (1.0 / 720 - q * (1.0 / 30240))));
    return 1 / (double)cn_decay_of((float)x).mean - 1;
}

// ---- checks (maths.c): each is false, with the error recorded, if it does not pass

// True if low <= value <= high. The error of a value that is not finite is CN_ERROR_NUMBER, of any
// other value CN_ERROR_RANGE.
bool cn_require(const char *what, float value, float low, float high);
static inline bool cn_require_finite(const char *what, float value) {
    return cn_require(what, value, -FLT_MAX, FLT_MAX);
}
// True if both coordinates are in -limit..limit.
bool cn_require2(const char *what, vec2s value, float limit);
// True if the square of the position is finite, and the rotation has unit length or is all zeros:
// see cn_given_pose().
bool cn_require_pose(cn_pose pose);
// True if the caller's array can take `capacity` results. The array may be NULL if that is 0.
bool cn_require_capacity(const void *array, int capacity);

#endif
