/* app: runs the demo in a window or without one. */
#ifndef DEMO_APP_H
#define DEMO_APP_H

#include "options.h"

// Runs until the window is closed or the steps of --steps are done. Returns the exit code.
int app_run(const demo_options *options);
// Runs the steps without a window and prints one line. Returns the exit code.
int headless_run(const demo_options *options);

#endif
