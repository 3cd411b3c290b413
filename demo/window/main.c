/* cairn-demo: shows the scenes of Cairn in a window, or runs one scene without a window. Exit
 * codes: 0 success, 1 failure, 2 wrong arguments. */
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
