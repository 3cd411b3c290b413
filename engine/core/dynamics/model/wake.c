/* Sleeping islands wake.
 *
 * A call that wakes an island only sets its flag, so it cannot fail. The next step restores the
 * contacts and pairs of the island (pairs/pairs.c), adds its bodies to the plan (plan/plan.c) and
 * ends its sleep here.
 *
 * Unused entries of sleeping_islands form a list through next_free, and those that wake in the next
 * step one through next_requested. Links are 1 + the index; 0 ends a list. */
#include "model.h"

// ---- requests

void cn_wake_body(cn_simulation *sim, int body) {
    int island = sim->warm[body].island;
    sim->hot[body].sleep_time = 0;
    if (island >= 0) cn_wake_island(sim, island);
}

void cn_wake_island(cn_simulation *sim, int index) {
    cn_sleeping_island *island = &sim->sleeping_islands[index];
    if (island->wake_requested) return;
    island->wake_requested = true;
    island->next_requested = sim->requested_islands;
    sim->requested_islands = 1 + index;
}

void cn_find_requested_islands(cn_simulation *sim) {
    sim->requested_islands = 0;
    for (int i = 0; i < sim->sleeping_end; i++) {
        cn_sleeping_island *island = &sim->sleeping_islands[i];
        bool wakes = island->alive && island->wake_requested;
        island->wake_requested = false;
        if (wakes) cn_wake_island(sim, i);
    }
}

bool cn_body_is_awake(const cn_simulation *sim, int body) {
    if (sim->hot[body].flags & CN_BODY_AWAKE) return true;
    int island = sim->warm[body].island;
    return island >= 0 && sim->sleeping_islands[island].wake_requested;
}

void cn_wake_bounds(cn_simulation *sim, cn_bounds bounds) {
    if (!sim->sleeping_count) return;
    cn_tree_refit(&sim->moving_tree);
    CN_EACH_OVER(shape, &sim->moving_tree, bounds) cn_wake_body(sim, sim->links[shape].body);
}

void cn_wake_around(cn_simulation *sim, int body) {
    cn_wake_joined(sim, body);
    cn_tree *tree = cn_tree_of(sim, body);
    CN_EACH_SHAPE(shape, sim, body) {
        if (cn_tree_has(tree, shape)) cn_wake_bounds(sim, cn_tree_box(tree, shape));
    }
}

// ---- sleeping islands

int cn_add_sleeping_island(cn_simulation *sim, int contacts) {
    bool is_reused = sim->sleeping_free > 0;
    int index = is_reused ? sim->sleeping_free - 1 : sim->sleeping_end;
    if (!cn_reserve_body_links(sim) ||
        !cn_grow(&sim->memory, &sim->sleeping_islands, &sim->sleeping_capacity, index + 1))
        return -1;
    cn_sleeping_island *island = &sim->sleeping_islands[index];
    if (!cn_reserve(&sim->memory, &island->contacts, contacts)) return -1;
    island->first_body = -1;
    island->alive = true;
    if (is_reused)
        sim->sleeping_free = island->next_free;
    else
        sim->sleeping_end++;
    sim->sleeping_count++;
    return index;
}

static void remove_sleeping_island(cn_simulation *sim, int index) {
    cn_free_list(&sim->memory, &sim->sleeping_islands[index].contacts);
    sim->sleeping_islands[index] =
        (cn_sleeping_island){.first_body = -1, .next_free = sim->sleeping_free};
    sim->sleeping_free = index + 1;
    sim->sleeping_count--;
}

void cn_remove_from_sleeping_island(cn_simulation *sim, int body) {
    cn_sleeping_island *island = &sim->sleeping_islands[sim->warm[body].island];
    int next = sim->warm[body].next, previous = sim->body_links[body].previous;
    *(previous < 0 ? &island->first_body : &sim->warm[previous].next) = next;
    if (next >= 0) sim->body_links[next].previous = previous;
    island->body_count--;
    sim->warm[body].island = sim->warm[body].next = -1;
}

void cn_wake_islands(cn_simulation *sim) {
    for (int i = 0; i < sim->waking.count; i++) {
        int body = sim->sleeping_islands[sim->waking.items[i]].first_body;
        while (body >= 0) {
            int next = sim->warm[body].next;
            sim->hot[body].flags |= CN_BODY_AWAKE;
            sim->warm[body].island = sim->warm[body].next = -1;
            // The next step tests whether the boxes of its pairs still overlap.
            CN_EACH_SHAPE(s, sim, body) cn_mark_dirty(sim, s, CN_DIRTY_BOX);
            cn_push_body_event(sim, body, CN_BODY_WOKE);
            body = next;
        }
        remove_sleeping_island(sim, sim->waking.items[i]);
    }
    sim->waking.count = 0;
    sim->requested_islands = 0;
}
