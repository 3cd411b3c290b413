/* cairn-demo: shows the scenes of Cairn in a window, or runs one without. Exit code 0: all went
 * well, 1: something failed, 2: the arguments make no sense. */
#include "app.h"

#define SDL_MAIN_HANDLED
#include <SDL.h>

int main(int argument_count, char **arguments) {
    demo_options options;
    if (!options_parse(&options, argument_count, arguments)) return 2;
    if (options.help) {
        options_print_help();
        return 0;
    }
    if (options.list) {
        options_print_scenes();
        return 0;
    }
    SDL_SetMainReady();
    return options.headless ? headless_run(&options) : app_run(&options);
}
