/* cn_sort_keys(): radix sort of 64-bit keys. */
#include "tree_model.h"

static void keys_are_sorted_as_numbers(void **state) {
    (void)state;
    enum { MOST = 2000 };
    static uint64_t keys[MOST], spare[MOST];
    for (int count = 0; count <= MOST; count += count < 30 ? 1 : 1970)
        for (int shift = 0; shift < 64; shift += 9) {
            uint64_t random = 14, sum = 0;
            for (int i = 0; i < count; i++) sum += keys[i] = next_random(&random) >> shift;
            cn_sort_keys(keys, spare, count, 0);
            for (int i = 0; i < count; i++) sum -= keys[i];
            for (int i = 1; i < count; i++) assert_true(keys[i - 1] <= keys[i]);
            assert_true(sum == 0);
        }
}

static void keys_equal_in_the_high_half_keep_their_order(void **state) {
    (void)state;
    enum { MOST = 1000 };
    static uint64_t keys[MOST], spare[MOST];
    uint64_t random = 15;
    for (int count = 20; count <= MOST; count *= 7) {
        for (int i = 0; i < count; i++)
            keys[i] = (uint64_t)below(&random, 5) * 77777 << 32 | (uint32_t)(count - i);
        cn_sort_keys(keys, spare, count, 32);
        for (int i = 1; i < count; i++) {
            uint64_t high = keys[i] >> 32, before = keys[i - 1] >> 32;
            bool keeps_order = (uint32_t)keys[i - 1] > (uint32_t)keys[i];
            assert_true(before < high || (before == high && keeps_order));
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_are_sorted_as_numbers),
        cmocka_unit_test(keys_equal_in_the_high_half_keep_their_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
