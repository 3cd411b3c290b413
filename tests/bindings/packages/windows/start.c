// The entry of programs for Windows.
#include <stdlib.h>

int main(int argc, char **argv);
int _configure_narrow_argv(int mode);
int *__p___argc(void);
char ***__p___argv(void);

void mainCRTStartup(void) {
    _configure_narrow_argv(1);
    exit(main(*__p___argc(), *__p___argv()));
}
