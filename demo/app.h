/* app: the demo in its window, and without one. */
#ifndef DEMO_APP_H
#define DEMO_APP_H

#include "options.h"

// Runs until the window is closed or the steps asked for are done. Returns the exit code.
int app_run(const demo_options *options);
// Runs the steps without a window, prints one line. Returns the exit code.
int headless_run(const demo_options *options);

#endif
