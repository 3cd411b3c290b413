/* The loops that exist once per SIMD width, as one table of function pointers. This file is
 * compiled once per instruction set. cn_kernels (model/simulation.h) says what each entry is.
 *
 * Wide kernels leave lanes empty if there are few constraints, so a table names narrower ones:
 * `few` is the number of constraints below which these are faster. CN_NO_1_LANE leaves out the
 * kernels of one lane, for small builds. */
#include "../../base/wide.h"
#include "step.h"

const cn_kernels CN_WIDE(cn_kernel_table) = {
    .lanes = CN_LANES,
#if !defined(CN_NO_1_LANE)
    .single = &cn_kernel_table_1,
#endif
#if CN_LANES == 16
    .few = 128,
    .narrower = &cn_kernel_table_8,
    .narrowest = &cn_kernel_table_4_avx512,
#elif CN_LANES == 8
    .few = 8,
    .narrowest = &cn_kernel_table_4_avx2,
#endif
#if CN_LANES == 16 || defined(CN_SUFFIX)
    .search = cn_tree_search_8, // a block of the tree has eight boxes
#else
    .search = CN_WIDE(cn_tree_search),
#endif
    .refresh = CN_WIDE(cn_refresh_contacts),
    .collide = CN_WIDE(cn_collide_contacts),
    .test = CN_WIDE(cn_test_pairs),
    .batch_bytes = CN_WIDE(cn_batch_bytes),
    .solve = CN_WIDE(cn_solve_batch),
    .move = CN_WIDE(cn_move_bodies),
};
