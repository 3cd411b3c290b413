/* Lanes: CN_LANES numbers that are computed with as if they were one.
 *
 * A wide source is compiled once per instruction set, with CN_LANES 1, 4 or 8 (the width of the
 * registers: GCC turns wider vectors into scalar code). With one lane a cn_floatw is a plain float, so
 * the same source is also the scalar version. Lanes never mix, so every width gives the same bits.
 *
 * A mask is a cn_intw whose lanes are all ones (true) or all zeros (false). Minimum and maximum are
 * `a < b ? a : b`, which is one instruction and the order that the scalar code has too.
 *
 * Records in memory are rows of four floats. cn_gather4w() reads one row per lane and transposes them
 * into four lane vectors x, y, z, w; cn_scatter4w() is its inverse:
 *
 *      row 0: x0 y0 z0 w0            x: x0 x1 x2 x3 ...
 *      row 1: x1 y1 z1 w1    <-->    y: y0 y1 y2 y3 ...
 *      ...                           z, w
 */
#ifndef CN_WIDE_H
#define CN_WIDE_H

#include "base.h"

#include <math.h>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

#ifndef CN_LANES
#error "CN_LANES must be 1, 4 or 8"
#endif

#define CN_INLINE static inline __attribute__((always_inline))

// The name of something that exists once per width: CN_WIDE(cn_solve) is cn_solve_8.
#define CN_JOIN_(a, b) a##_##b
#define CN_JOIN(a, b)  CN_JOIN_(a, b)
#define CN_WIDE(name)  CN_JOIN(name, CN_LANES)

#define CN_ALL_LANES ((1 << CN_LANES) - 1)
#define CN_SIGN_BIT  ((int32_t)0x80000000u)

// A row of four floats in memory, whatever the lanes.
typedef float cn_float4 __attribute__((vector_size(16), may_alias));

#if CN_LANES == 1

typedef float cn_floatw;
typedef int32_t cn_intw;
CN_INLINE cn_floatw cn_splatw(float x) { return x; }
CN_INLINE cn_intw cn_splat_intw(int32_t x) { return x; }
CN_INLINE cn_intw cn_bitsw(cn_floatw x) { int32_t i; memcpy(&i, &x, 4); return i; }
CN_INLINE cn_floatw cn_from_bitsw(cn_intw i) { float x; memcpy(&x, &i, 4); return x; }
CN_INLINE cn_intw cn_lessw(cn_floatw a, cn_floatw b) { return -(a < b); }
CN_INLINE cn_intw cn_less_equalw(cn_floatw a, cn_floatw b) { return -(a <= b); }
CN_INLINE cn_intw cn_equalw(cn_floatw a, cn_floatw b) { return -(a == b); }
CN_INLINE cn_intw cn_equal_intw(cn_intw a, cn_intw b) { return -(a == b); }
CN_INLINE cn_intw cn_less_intw(cn_intw a, cn_intw b) { return -(a < b); }
CN_INLINE cn_floatw cn_minw(cn_floatw a, cn_floatw b) { return a < b ? a : b; }
CN_INLINE cn_floatw cn_maxw(cn_floatw a, cn_floatw b) { return a > b ? a : b; }
CN_INLINE cn_floatw cn_sqrtw(cn_floatw a) { return sqrtf(a); }
CN_INLINE float cn_lanew(cn_floatw a, int lane) { (void)lane; return a; }
CN_INLINE int32_t cn_lane_intw(cn_intw a, int lane) { (void)lane; return a; }

#else

typedef float cn_floatw __attribute__((vector_size(CN_LANES * 4)));
typedef int32_t cn_intw __attribute__((vector_size(CN_LANES * 4)));
CN_INLINE cn_floatw cn_splatw(float x) { return x - (cn_floatw){0}; }
CN_INLINE cn_intw cn_splat_intw(int32_t x) { return x - (cn_intw){0}; }
CN_INLINE cn_intw cn_bitsw(cn_floatw x) { return (cn_intw)x; }
CN_INLINE cn_floatw cn_from_bitsw(cn_intw i) { return (cn_floatw)i; }
CN_INLINE cn_intw cn_lessw(cn_floatw a, cn_floatw b) { return a < b; }
CN_INLINE cn_intw cn_less_equalw(cn_floatw a, cn_floatw b) { return a <= b; }
CN_INLINE cn_intw cn_equalw(cn_floatw a, cn_floatw b) { return a == b; }
CN_INLINE cn_intw cn_equal_intw(cn_intw a, cn_intw b) { return a == b; }
CN_INLINE cn_intw cn_less_intw(cn_intw a, cn_intw b) { return a < b; }
#if CN_LANES == 4 && defined(__SSE2__)
CN_INLINE cn_floatw cn_minw(cn_floatw a, cn_floatw b) {
    return (cn_floatw)_mm_min_ps((__m128)a, (__m128)b);
}
CN_INLINE cn_floatw cn_maxw(cn_floatw a, cn_floatw b) {
    return (cn_floatw)_mm_max_ps((__m128)a, (__m128)b);
}
#elif CN_LANES == 8 && defined(__AVX__)
CN_INLINE cn_floatw cn_minw(cn_floatw a, cn_floatw b) {
    return (cn_floatw)_mm256_min_ps((__m256)a, (__m256)b);
}
CN_INLINE cn_floatw cn_maxw(cn_floatw a, cn_floatw b) {
    return (cn_floatw)_mm256_max_ps((__m256)a, (__m256)b);
}
#else
CN_INLINE cn_floatw cn_minw(cn_floatw a, cn_floatw b) {
    cn_floatw r;
    for (int i = 0; i < CN_LANES; i++) r[i] = a[i] < b[i] ? a[i] : b[i];
    return r;
}
CN_INLINE cn_floatw cn_maxw(cn_floatw a, cn_floatw b) {
    cn_floatw r;
    for (int i = 0; i < CN_LANES; i++) r[i] = a[i] > b[i] ? a[i] : b[i];
    return r;
}
#endif
#if CN_LANES == 4
CN_INLINE cn_floatw cn_sqrtw(cn_floatw a) {
    return (cn_floatw){sqrtf(a[0]), sqrtf(a[1]), sqrtf(a[2]), sqrtf(a[3])};
}
#else
CN_INLINE cn_floatw cn_sqrtw(cn_floatw a) {
    return (cn_floatw){sqrtf(a[0]), sqrtf(a[1]), sqrtf(a[2]), sqrtf(a[3]),
                       sqrtf(a[4]), sqrtf(a[5]), sqrtf(a[6]), sqrtf(a[7])};
}
#endif
CN_INLINE float cn_lanew(cn_floatw a, int lane) { return a[lane]; }
CN_INLINE int32_t cn_lane_intw(cn_intw a, int lane) { return a[lane]; }

#endif

CN_INLINE cn_intw cn_greaterw(cn_floatw a, cn_floatw b) { return cn_lessw(b, a); }
CN_INLINE cn_intw cn_greater_equalw(cn_floatw a, cn_floatw b) { return cn_less_equalw(b, a); }

CN_INLINE cn_intw cn_select_intw(cn_intw mask, cn_intw yes, cn_intw no) {
    return (mask & yes) | (~mask & no);
}
CN_INLINE cn_floatw cn_selectw(cn_intw mask, cn_floatw yes, cn_floatw no) {
    return cn_from_bitsw(cn_select_intw(mask, cn_bitsw(yes), cn_bitsw(no)));
}
CN_INLINE cn_floatw cn_keepw(cn_intw mask, cn_floatw x) { // x where true, else +0
    return cn_from_bitsw(mask & cn_bitsw(x));
}
CN_INLINE cn_floatw cn_absw(cn_floatw x) {
    return cn_from_bitsw(cn_bitsw(x) & cn_splat_intw(0x7fffffff));
}
CN_INLINE cn_floatw cn_flip_signw(cn_floatw x, cn_intw sign_bits) { // negate where the sign bit is set
    return cn_from_bitsw(cn_bitsw(x) ^ sign_bits);
}

// One bit per lane: where the mask is true.
CN_INLINE int cn_mask_bitsw(cn_intw mask) {
#if CN_LANES == 1
    return mask & 1;
#elif CN_LANES == 4 && defined(__SSE2__)
    return _mm_movemask_ps((__m128)mask);
#elif CN_LANES == 8 && defined(__AVX__)
    return _mm256_movemask_ps((__m256)mask);
#else
    int bits = 0;
    for (int i = 0; i < CN_LANES; i++) bits |= mask[i] & (1 << i);
    return bits;
#endif
}

// ---- rows

typedef struct {
    cn_floatw x, y, z, w;
} cn_row4w;

#if CN_LANES == 1

CN_INLINE cn_row4w cn_gather4w(const void *base, const uint32_t *offset) {
    float f[4];
    memcpy(f, (const char *)base + offset[0], 16);
    return (cn_row4w){f[0], f[1], f[2], f[3]};
}
CN_INLINE void cn_scatter4w(void *base, const uint32_t *offset, cn_row4w r) {
    memcpy((char *)base + offset[0], &r, 16);
}

#else

#if CN_LANES == 4
#define CN_ROW_(k) (*(const cn_float4 *)((const char *)base + offset[k]))
#define CN_INTERLEAVE_LOW_(a, b)  __builtin_shufflevector(a, b, 0, 4, 1, 5)
#define CN_INTERLEAVE_HIGH_(a, b) __builtin_shufflevector(a, b, 2, 6, 3, 7)
#define CN_PAIRS_LOW_(a, b)       __builtin_shufflevector(a, b, 0, 1, 4, 5)
#define CN_PAIRS_HIGH_(a, b)      __builtin_shufflevector(a, b, 2, 3, 6, 7)
#define CN_PUT_(k, r)             (*(cn_float4 *)((char *)base + offset[k]) = (r))
#else
#define CN_ROW_(k)                                                                             \
    __builtin_shufflevector(*(const cn_float4 *)((const char *)base + offset[k]),              \
                            *(const cn_float4 *)((const char *)base + offset[(k) + 4]), 0, 1, 2, 3, 4, \
                            5, 6, 7)
#define CN_INTERLEAVE_LOW_(a, b)  __builtin_shufflevector(a, b, 0, 8, 1, 9, 4, 12, 5, 13)
#define CN_INTERLEAVE_HIGH_(a, b) __builtin_shufflevector(a, b, 2, 10, 3, 11, 6, 14, 7, 15)
#define CN_PAIRS_LOW_(a, b)       __builtin_shufflevector(a, b, 0, 1, 8, 9, 4, 5, 12, 13)
#define CN_PAIRS_HIGH_(a, b)      __builtin_shufflevector(a, b, 2, 3, 10, 11, 6, 7, 14, 15)
#if defined(__AVX__)
#define CN_LOW_HALF_(r)  ((cn_float4)_mm256_castps256_ps128((__m256)(r)))
#define CN_HIGH_HALF_(r) ((cn_float4)_mm256_extractf128_ps((__m256)(r), 1))
#else
#define CN_LOW_HALF_(r)  __builtin_shufflevector(r, r, 0, 1, 2, 3)
#define CN_HIGH_HALF_(r) __builtin_shufflevector(r, r, 4, 5, 6, 7)
#endif
#define CN_PUT_(k, r)                                                       \
    (*(cn_float4 *)((char *)base + offset[k]) = CN_LOW_HALF_(r),            \
     *(cn_float4 *)((char *)base + offset[(k) + 4]) = CN_HIGH_HALF_(r))
#endif

// Offsets are in bytes from base; every row must be 16-byte aligned.
CN_INLINE cn_row4w cn_gather4w(const void *base, const uint32_t *offset) {
    cn_floatw r0 = CN_ROW_(0), r1 = CN_ROW_(1), r2 = CN_ROW_(2), r3 = CN_ROW_(3);
    cn_floatw a = CN_INTERLEAVE_LOW_(r0, r1), b = CN_INTERLEAVE_HIGH_(r0, r1);
    cn_floatw c = CN_INTERLEAVE_LOW_(r2, r3), d = CN_INTERLEAVE_HIGH_(r2, r3);
    return (cn_row4w){CN_PAIRS_LOW_(a, c), CN_PAIRS_HIGH_(a, c), CN_PAIRS_LOW_(b, d),
                      CN_PAIRS_HIGH_(b, d)};
}
CN_INLINE void cn_scatter4w(void *base, const uint32_t *offset, cn_row4w r) {
    cn_floatw a = CN_INTERLEAVE_LOW_(r.x, r.y), b = CN_INTERLEAVE_HIGH_(r.x, r.y);
    cn_floatw c = CN_INTERLEAVE_LOW_(r.z, r.w), d = CN_INTERLEAVE_HIGH_(r.z, r.w);
    CN_PUT_(0, CN_PAIRS_LOW_(a, c));
    CN_PUT_(1, CN_PAIRS_HIGH_(a, c));
    CN_PUT_(2, CN_PAIRS_LOW_(b, d));
    CN_PUT_(3, CN_PAIRS_HIGH_(b, d));
}

#endif

#endif
