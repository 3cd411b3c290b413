/* Lanes: CN_LANES numbers that the code treats like one number.
 *
 * A wide source is compiled once per instruction set, with CN_LANES 1, 4, 8 or 16. CN_LANES is the
 * width of the registers, because GCC turns wider vectors into scalar code. For small islands there
 * is one more build with 4 lanes, which uses the instructions of the builds with 8 and 16 lanes.
 * One lane is a vector of one float, so the same source is also the scalar version. Lanes never
 * mix, so every width gives the same bits.
 *
 * A mask is a cn_intw whose lanes are all ones (true) or all zeros (false). Minimum and maximum are
 * `a < b ? a : b`. That is one instruction, and it is the order that the scalar code uses too.
 *
 * Records in memory are rows of four floats. cn_gather4w() reads one row per lane and transposes
 * the rows into four lane vectors x, y, z, w; cn_scatter4w() is its inverse:
 *
 *      row 0: x0 y0 z0 w0            x: x0 x1 x2 x3 ...
 *      row 1: x1 y1 z1 w1    <-->    y: y0 y1 y2 y3 ...
 *      ...                           z, w */
#ifndef CN_WIDE_H
#define CN_WIDE_H

#include "maths.h"

#ifndef CN_LANES
#error "CN_LANES must be 1, 4, 8 (that needs AVX2) or 16 (AVX-512)"
#endif

#if CN_LANES > 4
#include <immintrin.h>
#elif defined(__SSE2__)
#include <emmintrin.h> // compiled ten times as fast as immintrin.h
#endif

#if !defined(CN_INLINE)
#define CN_INLINE static inline __attribute__((always_inline))
#endif

// The name of something that exists once per build of the source. CN_WIDE(cn_solve) is cn_solve_8,
// or cn_solve_4_avx2 if CN_SUFFIX is 4_avx2.
#define CN_JOIN_(a, b) a##_##b
#define CN_JOIN(a, b)  CN_JOIN_(a, b)
#if defined(CN_SUFFIX)
#define CN_WIDE(name) CN_JOIN(name, CN_SUFFIX)
#else
#define CN_WIDE(name) CN_JOIN(name, CN_LANES)
#endif

#define CN_ALL_LANES ((1 << CN_LANES) - 1)
#define CN_SIGN_BIT  ((int32_t)0x80000000u)

typedef float cn_floatw __attribute__((vector_size(CN_LANES * 4)));
typedef int32_t cn_intw __attribute__((vector_size(CN_LANES * 4)));

// Picks lanes of a and b by index. GCC before version 12 has only the older builtin.
#if defined(__clang__) || __GNUC__ >= 12
#define CN_SHUFFLEW(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#else
#define CN_SHUFFLEW(a, b, ...) __builtin_shuffle(a, b, (cn_intw){__VA_ARGS__})
#endif

CN_INLINE cn_floatw cn_splatw(float x) { return x - (cn_floatw){0}; }
CN_INLINE cn_intw cn_splat_intw(int32_t x) { return x - (cn_intw){0}; }
CN_INLINE cn_intw cn_bitsw(cn_floatw x) { return (cn_intw)x; }
CN_INLINE cn_floatw cn_from_bitsw(cn_intw i) { return (cn_floatw)i; }

CN_INLINE cn_intw cn_select_intw(cn_intw mask, cn_intw yes, cn_intw no) {
    return (mask & yes) | (~mask & no);
}
CN_INLINE cn_floatw cn_selectw(cn_intw mask, cn_floatw yes, cn_floatw no) {
    return (cn_floatw)cn_select_intw(mask, (cn_intw)yes, (cn_intw)no);
}
CN_INLINE cn_floatw cn_keepw(cn_intw mask, cn_floatw x) { // x where the mask is true, else +0
    return (cn_floatw)(mask & (cn_intw)x);
}
CN_INLINE cn_floatw cn_absw(cn_floatw x) { return (cn_floatw)((cn_intw)x & 0x7fffffff); }
// Negates the lanes whose sign bit is set.
CN_INLINE cn_floatw cn_flip_signw(cn_floatw x, cn_intw sign_bits) {
    return (cn_floatw)((cn_intw)x ^ sign_bits);
}

// One instruction each. cn_mask_bitsw() returns one bit per lane, set where the mask is true.
#if CN_LANES == 16
#define CN_INTRINSIC(name) _mm512_##name
#elif CN_LANES == 8
#define CN_INTRINSIC(name) _mm256_##name
#elif CN_LANES == 4 && defined(__SSE2__)
#define CN_INTRINSIC(name) _mm_##name
#endif

#if defined(CN_INTRINSIC)
CN_INLINE cn_floatw cn_minw(cn_floatw a, cn_floatw b) { return CN_INTRINSIC(min_ps)(a, b); }
CN_INLINE cn_floatw cn_maxw(cn_floatw a, cn_floatw b) { return CN_INTRINSIC(max_ps)(a, b); }
CN_INLINE cn_floatw cn_sqrtw(cn_floatw a) { return CN_INTRINSIC(sqrt_ps)(a); }
#if CN_LANES == 16
CN_INLINE int cn_mask_bitsw(cn_intw mask) { return _mm512_movepi32_mask((__m512i)mask); }
#else
CN_INLINE int cn_mask_bitsw(cn_intw mask) { return CN_INTRINSIC(movemask_ps)((cn_floatw)mask); }
#endif
#else
CN_INLINE cn_floatw cn_minw(cn_floatw a, cn_floatw b) { return cn_selectw(a < b, a, b); }
CN_INLINE cn_floatw cn_maxw(cn_floatw a, cn_floatw b) { return cn_selectw(a > b, a, b); }
CN_INLINE cn_floatw cn_sqrtw(cn_floatw a) {
    for (int i = 0; i < CN_LANES; i++) a[i] = sqrtf(a[i]);
    return a;
}
CN_INLINE int cn_mask_bitsw(cn_intw mask) {
    int bits = 0;
    for (int i = 0; i < CN_LANES; i++) bits |= mask[i] & (1 << i);
    return bits;
}
#endif

// ---- vectors; a rotation is a vector of cosine (x) and sine (y)

typedef struct {
    cn_floatw x, y;
} cn_vec2w;

CN_INLINE cn_vec2w cn_add2w(cn_vec2w a, cn_vec2w b) { return (cn_vec2w){a.x + b.x, a.y + b.y}; }
CN_INLINE cn_vec2w cn_sub2w(cn_vec2w a, cn_vec2w b) { return (cn_vec2w){a.x - b.x, a.y - b.y}; }
CN_INLINE cn_vec2w cn_scale2w(cn_floatw s, cn_vec2w v) { return (cn_vec2w){s * v.x, s * v.y}; }
CN_INLINE cn_floatw cn_dot2w(cn_vec2w a, cn_vec2w b) { return a.x * b.x + a.y * b.y; }
CN_INLINE cn_floatw cn_cross2w(cn_vec2w a, cn_vec2w b) { return a.x * b.y - a.y * b.x; }
CN_INLINE cn_vec2w cn_rotatew(cn_vec2w q, cn_vec2w v) {
    return (cn_vec2w){q.x * v.x - q.y * v.y, q.y * v.x + q.x * v.y};
}
CN_INLINE cn_vec2w cn_unrotatew(cn_vec2w q, cn_vec2w v) {
    return (cn_vec2w){q.x * v.x + q.y * v.y, q.x * v.y - q.y * v.x};
}
CN_INLINE cn_vec2w cn_select2w(cn_intw mask, cn_vec2w yes, cn_vec2w no) {
    return (cn_vec2w){cn_selectw(mask, yes.x, no.x), cn_selectw(mask, yes.y, no.y)};
}
CN_INLINE cn_vec2w cn_flip_sign2w(cn_vec2w v, cn_intw sign_bits) {
    return (cn_vec2w){cn_flip_signw(v.x, sign_bits), cn_flip_signw(v.y, sign_bits)};
}

// ---- rows

typedef struct {
    cn_floatw x, y, z, w;
} cn_row4w;

#if CN_LANES == 1

CN_INLINE cn_row4w cn_gather4w(const void *base, const uint32_t *offset) {
    cn_float4 row = *(const cn_float4 *)((const char *)base + offset[0]);
    return (cn_row4w){{row[0]}, {row[1]}, {row[2]}, {row[3]}};
}
CN_INLINE void cn_scatter4w(void *base, const uint32_t *offset, cn_row4w r) {
    *(cn_float4 *)((char *)base + offset[0]) = (cn_float4){r.x[0], r.y[0], r.z[0], r.w[0]};
}

#else

// One vector holds row k, and with more than 4 lanes also rows k + 4, k + 8 and so on.
#if CN_LANES == 4
#define CN_INTERLEAVE_(a, b, i) CN_SHUFFLEW(a, b, i, i + 4, i + 1, i + 5)
#define CN_PAIRS_(a, b, i)      CN_SHUFFLEW(a, b, i, i + 1, i + 4, i + 5)
CN_INLINE cn_floatw cn_load_roww(const char *base, const uint32_t *offset) {
    return *(const cn_float4 *)(base + offset[0]);
}
CN_INLINE void cn_store_roww(char *base, const uint32_t *offset, cn_floatw row) {
    *(cn_float4 *)(base + offset[0]) = row;
}
#elif CN_LANES == 8
#define CN_INTERLEAVE_(a, b, i)                                                                    \
    CN_SHUFFLEW(a, b, i, i + 8, i + 1, i + 9, i + 4, i + 12, i + 5, i + 13)
#define CN_PAIRS_(a, b, i) CN_SHUFFLEW(a, b, i, i + 1, i + 8, i + 9, i + 4, i + 5, i + 12, i + 13)
CN_INLINE cn_floatw cn_load_roww(const char *base, const uint32_t *offset) {
    __m256 low = _mm256_castps128_ps256(*(const cn_float4 *)(base + offset[0]));
    return _mm256_insertf128_ps(low, *(const cn_float4 *)(base + offset[4]), 1);
}
CN_INLINE void cn_store_roww(char *base, const uint32_t *offset, cn_floatw row) {
    *(cn_float4 *)(base + offset[0]) = (cn_float4)_mm256_castps256_ps128(row);
    *(cn_float4 *)(base + offset[4]) = (cn_float4)_mm256_extractf128_ps(row, 1);
}
#else
#define CN_INTERLEAVE_(a, b, i)                                                                    \
    CN_SHUFFLEW(a, b, i, i + 16, i + 1, i + 17, i + 4, i + 20, i + 5, i + 21, i + 8, i + 24,       \
                i + 9, i + 25, i + 12, i + 28, i + 13, i + 29)
#define CN_PAIRS_(a, b, i)                                                                         \
    CN_SHUFFLEW(a, b, i, i + 1, i + 16, i + 17, i + 4, i + 5, i + 20, i + 21, i + 8, i + 9,        \
                i + 24, i + 25, i + 12, i + 13, i + 28, i + 29)
CN_INLINE cn_floatw cn_load_roww(const char *base, const uint32_t *offset) {
    __m256 low = _mm256_castps128_ps256(*(const cn_float4 *)(base + offset[0]));
    __m256 high = _mm256_castps128_ps256(*(const cn_float4 *)(base + offset[8]));
    low = _mm256_insertf128_ps(low, *(const cn_float4 *)(base + offset[4]), 1);
    high = _mm256_insertf128_ps(high, *(const cn_float4 *)(base + offset[12]), 1);
    return _mm512_insertf32x8(_mm512_castps256_ps512(low), high, 1);
}
CN_INLINE void cn_store_roww(char *base, const uint32_t *offset, cn_floatw row) {
    *(cn_float4 *)(base + offset[0]) = (cn_float4)_mm512_castps512_ps128(row);
    *(cn_float4 *)(base + offset[4]) = (cn_float4)_mm512_extractf32x4_ps(row, 1);
    *(cn_float4 *)(base + offset[8]) = (cn_float4)_mm512_extractf32x4_ps(row, 2);
    *(cn_float4 *)(base + offset[12]) = (cn_float4)_mm512_extractf32x4_ps(row, 3);
}
#endif

// Transposes four rows to x, y, z, w. It is its own inverse.
CN_INLINE cn_row4w cn_transpose4w(cn_row4w r) {
    cn_floatw a = CN_INTERLEAVE_(r.x, r.y, 0), b = CN_INTERLEAVE_(r.x, r.y, 2);
    cn_floatw c = CN_INTERLEAVE_(r.z, r.w, 0), d = CN_INTERLEAVE_(r.z, r.w, 2);
    return (cn_row4w){CN_PAIRS_(a, c, 0), CN_PAIRS_(a, c, 2), CN_PAIRS_(b, d, 0),
                      CN_PAIRS_(b, d, 2)};
}

// Offsets are in bytes from base. Every row must be aligned to 16 bytes.
CN_INLINE cn_row4w cn_gather4w(const void *base, const uint32_t *offset) {
    return cn_transpose4w((cn_row4w){cn_load_roww(base, offset), cn_load_roww(base, offset + 1),
                                     cn_load_roww(base, offset + 2),
                                     cn_load_roww(base, offset + 3)});
}
CN_INLINE void cn_scatter4w(void *base, const uint32_t *offset, cn_row4w r) {
    cn_row4w rows = cn_transpose4w(r);
    cn_store_roww(base, offset, rows.x);
    cn_store_roww(base, offset + 1, rows.y);
    cn_store_roww(base, offset + 2, rows.z);
    cn_store_roww(base, offset + 3, rows.w);
}

#endif

// Writes only the rows of the lanes whose bit is set. The memory of the other rows is not touched.
CN_INLINE void cn_scatter_some4w(void *base, const uint32_t *offset, cn_row4w r, int lanes) {
    if (lanes == CN_ALL_LANES) {
        cn_scatter4w(base, offset, r);
        return;
    }
    float rows[4][CN_LANES];
    memcpy(rows, &r, sizeof rows);
    CN_EACH_LANE(k, lanes) {
        float row[4] = {rows[0][k], rows[1][k], rows[2][k], rows[3][k]};
        memcpy((char *)base + offset[k], row, sizeof row);
    }
}

// Returns lane k of a wide row.
CN_INLINE cn_float4 cn_lane_of(cn_row4w r, int k) {
    return (cn_float4){r.x[k], r.y[k], r.z[k], r.w[k]};
}

// Gathers or scatters four members of a struct, which must stand in a row. `rows` points to the
// first struct: CN_GATHER_ROW(sim->hot, offset, x, y, c, s) reads x to `x`, y to `y`, c to `z` and
// s to `w`.
#define CN_GATHER_ROW(rows, offset, x, y, z, w)                                                    \
    (CN_CHECK_ROW_(rows, x, y, z, w),                                                              \
     cn_gather4w((const char *)(rows) + CN_PLACE_(rows, x), offset))
#define CN_SCATTER_ROW(rows, offset, value, x, y, z, w)                                            \
    (CN_CHECK_ROW_(rows, x, y, z, w),                                                              \
     cn_scatter4w((char *)(rows) + CN_PLACE_(rows, x), offset, value))
#define CN_SCATTER_SOME_ROWS(rows, offset, value, lanes, x, y, z, w)                               \
    (CN_CHECK_ROW_(rows, x, y, z, w),                                                              \
     cn_scatter_some4w((char *)(rows) + CN_PLACE_(rows, x), offset, value, lanes))
#define CN_CHECK_ROW_(rows, x, y, z, w)                                                            \
    ((void)sizeof(struct {                                                                         \
        char unused;                                                                               \
        static_assert(CN_PLACE_(rows, x) % 16 == 0 &&                                              \
                          CN_PLACE_(rows, y) == CN_PLACE_(rows, x) + 4 &&                          \
                          CN_PLACE_(rows, z) == CN_PLACE_(rows, x) + 8 &&                          \
                          CN_PLACE_(rows, w) == CN_PLACE_(rows, x) + 12,                           \
                      "the four members do not stand in a row");                                   \
    }))
#define CN_PLACE_(rows, member) offsetof(__typeof__(*(rows)), member)

#endif
