/* What each stage of the step and each pass of the solver does, in one sentence. The second column
 * has the names that the engine uses: those of step.c for the stages, and those of the functions of
 * solver.c and of the files that it includes for the passes. */
#include "solver_lab.h"

#include <string.h>

static const struct {
    const char *engine, *name, *sentence;
} words[] = {
    // stages
    {"create tile shapes", NULL, "Solid tiles near moving shapes get shapes."},
    {"find pairs", NULL,
     "Finds boxes that begin to overlap. Then tests which pairs of shapes begin to touch."},
    {"find edited shapes", NULL, "Lists the shapes that calls have changed, for the sensors."},
    {"find fields", NULL, "Finds the shapes in water, wind and other fields."},
    {"prepare contacts", NULL, "Gives slots to contacts that begin, and finds those that end."},
    {"plan islands", NULL,
     "Links bodies that touch into islands. Contacts of one colour share no moving body."},
    {"begin changes", NULL, "All memory is reserved. From here on the step changes the world."},
    {"update contacts", NULL, "Finds the normal, points and separations of each contact."},
    {"pre-solve", NULL, "Calls the user's pre_solve for contacts. This world has none."},
    {"apply fields", NULL, "Adds the forces of fields to those of the user."},
    {"solve islands", NULL,
     "All batches are solved: bodies have new velocities and displacements."},
    {"quarantine bodies", NULL, "Disables bodies whose motion is not finite or too fast."},
    {"find kinematic motions", NULL, "Kinematic bodies follow their velocities and targets."},
    {"continuous collision", NULL, "Fast bodies stop where they hit something on their paths."},
    {"move bodies", NULL, "Moves bodies, shapes and boxes by the displacements of the step."},
    {"update sensors", NULL, "Finds the shapes that overlap sensors."},
    {"sleep", NULL, "Islands that have been at rest for some time fall asleep."},
    {"refit trees", NULL, "Updates the trees of boxes for queries."},
    {"remove tile shapes", NULL, "Tiles with nothing near them lose their shapes."},
    {"remove broken joints", NULL, "Destroys the joints that broke."},
    // passes of the solver
    {"cn_load_bodies", "load bodies", "Copies velocities and masses to the states of the solver."},
    {"sim->substep_force", "forces of fields", "The forces of fields act on the velocities."},
    {"prepare", "prepare",
     "Computes lever arms, masses and separations, and adds the stored impulse to the warm start."},
    {"find_weights", "weights", "Finds the weight of each body."},
    {"find_load_limits", "limit loads",
     "Limits what contacts carry if bodies are pressed between walls."},
    {"integrate_velocities", "velocities",
     "v = damp v + h a. The warm start repeats what the constraints did in the substep before."},
    {"find_all_tree_contacts", "impacts: trees",
     "Finds the contacts of bodies in trees of joints."},
    {"time_bounces", "impacts: times", "Finds when the contacts bounce."},
    {"solve_impacts", "impacts", "The contact bounces or lands at its time in the substep."},
    {"solve_tree_impacts", "impacts of trees", "Impacts act on whole trees of joints."},
    {"solve_few_trees_and_end", "impacts of trees", "Impacts act on whole trees of joints."},
    {"end_sweep", "impacts: sweep ends", "Counts the impacts, and finds out whether more follow."},
    {"end_sweeps", "impacts end", "The sums of the impacts go to the contacts."},
    {"end_tree_impacts", "impacts of trees end", "The sums of the impacts go to the contacts."},
    {"end_impacts", "impacts: bodies", "The bodies get the velocities after their impacts."},
    {"solve", "solve",
     "The impulse stops the approach of the bodies. Its bias pushes an overlap apart."},
    {"cn_solve_trees", "trees of joints",
     "Joints that form trees are solved directly: up from the leaves, then down from the root."},
    {"cn_finish_trees", "trees again",
     "The impulses of the contacts act on whole trees: they are solved once more."},
    {"cn_clamp_velocities", "limit velocities", "Applies locked axes and speed limits."},
    {"integrate_positions", "positions", "d += h v: the displacements grow by the velocities."},
    {"store", "store", "Writes the impulse to the record of the contact, for the next warm start."},
    {"finish", "finish bodies", "Writes velocities and displacements to the bodies."},
};

static const char relax_sentence[] =
    "Solves again without bias, so that the push adds no speed. Friction acts here.";

solver_lab_words solver_lab_describe(const trace_place *place) {
    solver_lab_words found = {place->name, ""};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strcmp(words[i].engine, place->name) != 0) continue;
        found.sentence = words[i].sentence;
        if (words[i].name) found.name = words[i].name;
    }
    if (place->relaxes && strcmp(place->name, "solve") == 0)
        found = (solver_lab_words){"relax", relax_sentence};
    return found;
}

uint32_t solver_lab_color(const demo_theme *theme, int color) {
    const uint32_t colors[] = {theme->hull_a,
                               theme->hull_b,
                               theme->gap,
                               theme->incident,
                               theme->reference,
                               theme->overlap,
                               theme->class_fills[CLASS_CAPSULE],
                               theme->class_fills[CLASS_CIRCLE]};
    enum { COLORS = sizeof colors / sizeof *colors };
    return color < 0 ? theme->text_dim : colors[color % COLORS];
}
