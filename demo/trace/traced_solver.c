/* The solver of the engine, compiled a second time with one lane. This is not a second solver: the
 * lines are those of solver.c. Only the loops that distribute its work call the trace, which does
 * the same work block by block. With one lane, a block is one contact or joint.
 *
 * The functions of other files are those of the engine: trees, responses, the end of the bodies. */
#define CN_LANES         1
#define cn_batch_bytes_1 trace_batch_bytes
#define cn_solve_batch_1 trace_solve_batch
#include "hooks.h"

#define cn_solve_trees_1                trace_solve_trees
#define cn_finish_trees_1               trace_finish_trees
#define cn_run_pass(s, pass)            cn_run_colors(s, pass, 0, (s)->batch->colors.count)
#define cn_run_free_pass(s, pass, from) cn_run_colors(s, pass, from, (s)->batch->colors.count)

#define cn_run_colors(s, pass, first, end) trace_run_colors(s, pass, #pass, first, end)
#define cn_run_colors_then(s, pass, first, end, work)                                              \
    (trace_run_colors(s, pass, #pass, first, end), trace_run_work(s, work, #work))
#define cn_distribute_bodies(s, count, part)         trace_distribute(s, count, part, #part)
#define cn_distribute(worker, count, grain, part, s) trace_distribute(s, count, part, #part)
#include "../../engine/core/dynamics/solver/solver.c"

// ---- what the blocks have

static trace_impulses read_contact(const contact_block *c, cn_row_type type) {
    bool two = type != CN_ROW_ONE_POINT && c->nm2[0] > 0;
    return (trace_impulses){{c->ln1[0], two ? c->ln2[0] : 0}, c->lt[0]};
}

static trace_impulses read_joint(const cn_solver *s, cn_row_type type, int block) {
    const joint_block *c = &s->joints[block];
    const joint_rows *r = type == CN_ROW_POINT ? NULL : &s->rows[block];
    if (type == CN_ROW_AXES)
        return (trace_impulses){{r->rows[0].lock[0], r->rows[1].lock[0]}, r->rows[2].lock[0]};
    return (trace_impulses){{c->l.x[0], c->l.y[0]}, r ? r->rows[2].lock[0] : 0};
}

trace_impulses trace_read_block(const cn_solver *s, const cn_color *color, int block) {
    if (color->row_type == CN_ROW_COUPLING)
        return (trace_impulses){
            .normal = {s->sim->joints[lanes_of(s, block)->slot].coupling.impulse}};
    if (color->row_type >= CN_ROW_POINT) return read_joint(s, color->row_type, block);
    return read_contact(contact_block_of(s, block), color->row_type);
}

trace_impulses trace_read_impact(const cn_solver *s, int block) {
    const impact_row *row = &s->impacts.rows[block - s->batch->joint_blocks];
    if (row->substep != s->now.substep) return (trace_impulses){.friction = 0};
    return (trace_impulses){{row->p1[0], row->p2[0]}, row->pt[0]};
}
