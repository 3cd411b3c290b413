/* Runs a fuzz target without libFuzzer: replays files, then makes random inputs from seeds.
 *
 *     PROGRAM [--seconds S] [--inputs N] [--seed S] [FILE|FOLDER]...
 *
 * Ends after N inputs or S seconds, whichever comes first. If a check fails for an input, the
 * program prints the seed or file of the input and ends. */
#include <dirent.h>
#include <inttypes.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

enum { LONGEST = 4096 };

static char current[1024]; // the file or seed of the running input
static uint64_t inputs;

static void run(const uint8_t *bytes, size_t size) {
    // The copy has exactly the size of the input, so the address sanitizer detects reads beyond it.
    uint8_t *copy = malloc(size ? size : 1);
    if (!copy) abort();
    memcpy(copy, bytes, size);
    LLVMFuzzerTestOneInput(copy, size);
    free(copy);
    inputs++;
}

static void replay_file(const char *path) {
    static uint8_t bytes[1 << 20];
    FILE *file = fopen(path, "rb");
    if (!file) {
        perror(path);
        exit(2);
    }
    size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    snprintf(current, sizeof current, "%s", path);
    run(bytes, size);
}

static void replay(const char *path) {
    DIR *folder = opendir(path);
    if (!folder) {
        replay_file(path);
        return;
    }
    for (struct dirent *entry; (entry = readdir(folder));) {
        char name[1024];
        if (entry->d_name[0] == '.') continue;
        snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
        replay_file(name);
    }
    closedir(folder);
}

static uint64_t scramble(uint64_t z) { // splitmix64
    z += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static void run_seed(uint64_t seed) {
    static uint8_t bytes[LONGEST];
    size_t size = 64 + scramble(seed) % (LONGEST - 64);
    for (size_t i = 0; i < size; i++) bytes[i] = (uint8_t)(scramble(seed * LONGEST + i) >> 32);
    snprintf(current, sizeof current, "--seed %" PRIu64 " --inputs 1", seed);
    run(bytes, size);
}

static void print_current(void) {
    if (current[0]) fprintf(stderr, "the input: %s\n", current);
}

static void end_by_signal(int number) {
    print_current();
    signal(number, SIG_DFL);
    raise(number);
}

int main(int argc, char **argv) {
    uint64_t seed = 1, most = UINT64_MAX;
    double seconds = -1;
    bool is_random = false;
    signal(SIGABRT, end_by_signal), signal(SIGSEGV, end_by_signal), signal(SIGFPE, end_by_signal);
    for (int i = 1; i < argc; i++) {
        if (strncmp(argv[i], "--", 2) != 0 || i + 1 == argc) {
            replay(argv[i]);
            continue;
        }
        const char *name = argv[i++];
        is_random = true;
        if (strcmp(name, "--seconds") == 0) seconds = strtod(argv[i], NULL);
        if (strcmp(name, "--inputs") == 0) most = strtoull(argv[i], NULL, 10);
        if (strcmp(name, "--seed") == 0) seed = strtoull(argv[i], NULL, 10);
    }
    uint64_t replayed = inputs;
    time_t end = time(NULL) + (time_t)(seconds > 0 ? seconds : 1e9);
    for (uint64_t i = 0; is_random && i < most && time(NULL) < end; i++) run_seed(seed + i);
    printf("%" PRIu64 " inputs replayed, %" PRIu64 " made\n", replayed, inputs - replayed);
    return 0;
}
