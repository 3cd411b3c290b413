/* The answers that callbacks gave when a world was recorded. A replay gives them again.
 *
 * The answers of filter and pre_solve in a step come after the record of the call that steps, in
 * one record for each stage of the step. All of them are read when the first is asked for, and
 * sorted by pairs of shapes: a replay may ask in another order. The answers of accept() come in one
 * record after that of the query. */
#include "replay.h"

#include <limits.h>
#include <stdlib.h>

// ---- filter and pre_solve

// A filter answers for a pair in either order. The replay may have the two shapes in other slots
// than the recorded world, if calls were left out.
static void order_pair(cn_answer *answer) {
    uint64_t a = answer->a, b = answer->b;
    if (answer->is_pre_solve || a < b) return;
    answer->a = b, answer->b = a;
}

static void translate(const cn_replay *p, uint64_t *shape) {
    uint64_t actual = cn_find_handle(&p->handles, CN_HANDLE_SHAPE, *shape);
    if (actual) *shape = actual; // shapes of tiles are not in the map, because steps create them
}

static void read_answers(cn_replay *p, const cn_record *record) {
    cn_stream s = cn_side_stream(p, record);
    int count = 0, known = p->answers.count;
    cn_walk_int(&s, "", &count);
    if (s.failed || count < 0 || (size_t)count > s.size - s.at || known > INT_MAX - count ||
        !cn_reserve(&p->memory, &p->answers, known + count)) {
        p->failed = true;
        return;
    }
    for (int i = 0; i < count && !s.failed; i++) {
        cn_answer answer = {.order = known + i};
        cn_walk_answer(&s, &answer);
        translate(p, &answer.a);
        translate(p, &answer.b);
        order_pair(&answer);
        p->answers.items[p->answers.count++] = answer;
    }
    p->failed |= s.failed;
}

// Reads the answers up to the end of the next step, unless they were read already. If the step
// crashed when it was recorded, its answers are the last records.
static void find_answers(cn_replay *p) {
    if (p->answers_from && p->answers_from <= p->at && p->at <= p->answers_end) return;
    p->answers_from = p->at;
    p->answers.count = 0;
    cn_record r;
    size_t at = p->at;
    for (; cn_read_record(p->bytes, p->found.end, at, &r) && r.kind; at = r.next) {
        if (r.kind == CN_RECORD_STEP) break;
        if (r.kind == CN_RECORD_ANSWERS) read_answers(p, &r);
    }
    p->answers_end = at;
    if (p->answers.count)
        qsort(p->answers.items, (size_t)p->answers.count, sizeof(cn_answer), cn_compare_answers);
}

static bool is_pair_of(const cn_answer *x, const cn_answer *y) {
    return x->a == y->a && x->b == y->b && x->is_pre_solve == y->is_pre_solve;
}

// Returns the next answer for a pair, or the last one if all were used.
static cn_pre_solve_result answer_for(cn_replay *p, bool is_pre_solve, uint64_t a, uint64_t b) {
    find_answers(p);
    cn_answer wanted = {.a = a, .b = b, .order = -1, .is_pre_solve = is_pre_solve};
    order_pair(&wanted);
    int low = 0, high = p->answers.count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (cn_compare_answers(&p->answers.items[middle], &wanted) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == p->answers.count || !is_pair_of(&p->answers.items[low], &wanted))
        return (cn_pre_solve_result){0};
    while (p->answers.items[low].is_used && low + 1 < p->answers.count &&
           is_pair_of(&p->answers.items[low + 1], &wanted))
        low++;
    p->answers.items[low].is_used = true;
    return p->answers.items[low].result;
}

bool cn_answer_filter(cn_world *world, cn_shape a, cn_shape b, void *user) {
    (void)world;
    return !answer_for(user, false, a.id, b.id).disabled;
}

cn_pre_solve_result cn_answer_pre_solve(cn_world *world, const cn_contact *contact, void *user) {
    (void)world;
    return answer_for(user, true, contact->a.shape.id, contact->b.shape.id);
}

// ---- accept of queries

static int compare_accepted(const void *p, const void *q) {
    const cn_accepted *x = p, *y = q;
    if (x->shape != y->shape) return x->shape < y->shape ? -1 : 1;
    if (x->grid != y->grid) return x->grid < y->grid ? -1 : 1;
    return (x->tile > y->tile) - (x->tile < y->tile);
}

// Reads the answers in the record at the cursor, unless they were read already.
static void find_accepted(cn_replay *p) {
    if (p->accepted_at == p->at) return;
    p->accepted_at = p->at;
    p->accepted.count = 0;
    cn_record record = cn_peek(p);
    if (record.kind != CN_RECORD_ACCEPTED) return;
    cn_stream s = cn_side_stream(p, &record);
    int count = 0;
    cn_walk_int(&s, "", &count);
    if (s.failed || count < 0 || (size_t)count > s.size - s.at ||
        !cn_reserve(&p->memory, &p->accepted, count)) {
        p->failed = true;
        return;
    }
    for (int i = 0; i < count && !s.failed; i++) {
        cn_accepted *a = &p->accepted.items[p->accepted.count++];
        *a = (cn_accepted){0};
        cn_walk_accepted(&s, a);
        translate(p, &a->shape);
        a->grid = cn_find_handle(&p->handles, CN_HANDLE_GRID, a->grid);
    }
    p->failed |= s.failed;
    if (count)
        qsort(p->accepted.items, (size_t)p->accepted.count, sizeof(cn_accepted), compare_accepted);
}

// Gives the recorded answer. The record of the answers follows that of the call.
bool cn_answer_accept(const cn_world *world, cn_side side, void *user) {
    (void)world;
    cn_replay *p = user;
    find_accepted(p);
    const cn_accepted wanted = {side.shape.id, side.grid.id, side.tile, false};
    const cn_accepted *found = NULL;
    if (p->accepted.count)
        found = bsearch(&wanted, p->accepted.items, (size_t)p->accepted.count, sizeof wanted,
                        compare_accepted);
    return !found || found->accepted;
}
