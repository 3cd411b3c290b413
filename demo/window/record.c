/* ffmpeg makes films. It reads raw pictures from a pipe. stb_image_write makes PNG files. */
#define _POSIX_C_SOURCE 200809L // popen
#include "record.h"

#include <ctype.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define STB_IMAGE_WRITE_IMPLEMENTATION
#if defined(DEMO_STB_FOLDER)
#include <stb/stb_image_write.h>
#else
#include <stb_image_write.h>
#endif

#if defined(_WIN32)
#include <direct.h>
#define make_directory(path) _mkdir(path)
#define popen                _popen
#define pclose               _pclose
#define PIPE_MODE            "wb"
#define NULL_DEVICE          "NUL"
#else
#define make_directory(path) mkdir(path, 0777)
#define PIPE_MODE            "w"
#define NULL_DEVICE          "/dev/null"
#endif

enum { MAX_PATH_LENGTH = 4096 };

static bool report_error(const char *what, const char *path, const char *why) {
    fprintf(stderr, "cairn-demo: %s '%s': %s\n", what, path, why);
    return false;
}

// ---- paths

bool record_has_ending(const char *path, const char *ending) {
    size_t length = strlen(path), n = strlen(ending);
    if (length <= n) return false;
    for (size_t i = 0; i < n; i++)
        if (tolower((unsigned char)path[length - n + i]) != ending[i]) return false;
    return true;
}

static bool is_directory(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

record_format record_format_of(const char *path) {
    if (!*path) return RECORD_UNKNOWN;
    if (is_directory(path)) return RECORD_DIRECTORY;
    if (record_has_ending(path, ".gif")) return RECORD_GIF;
    if (record_has_ending(path, ".mp4")) return RECORD_MP4;
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    return strchr(name, '.') ? RECORD_UNKNOWN : RECORD_DIRECTORY;
}

// Appends the path to a shell command as one quoted word. Fails if it does not fit.
static bool append_quoted(char *command, size_t size, const char *path) {
    size_t n = strlen(command);
    if (n + 4 * strlen(path) + 8 > size) return false;
#if defined(_WIN32)
    snprintf(command + n, size - n, "\"%s\"", path);
#else
    command[n++] = '\'';
    for (; *path; path++) {
        if (*path == '\'') {
            memcpy(command + n, "'\\''", 4);
            n += 4;
        } else {
            command[n++] = *path;
        }
    }
    command[n++] = '\'';
    command[n] = 0;
#endif
    return true;
}

// ---- films

static bool has_ffmpeg(void) { return system("ffmpeg -version >" NULL_DEVICE " 2>&1") == 0; }

static const char *film_filter(record_format format) {
    if (format == RECORD_MP4)
        return "-vf \"pad=ceil(iw/2)*2:ceil(ih/2)*2\" -c:v libx264 -crf 20 -pix_fmt yuv420p "
               "-movflags +faststart";
    return "-filter_complex \"split[a][b];[a]palettegen=max_colors=160:stats_mode=diff[p];"
           "[b][p]paletteuse=dither=none:diff_mode=rectangle\"";
}

static bool open_film(demo_record *record) {
    char command[4096];
    if (!has_ffmpeg())
        return report_error("cannot record", record->path,
                            "the program ffmpeg was not found; install it, or name a directory to "
                            "write numbered PNG files");
    int rate = record->format == RECORD_GIF ? 30 : 60;
    snprintf(command, sizeof command,
             "ffmpeg -loglevel error -y -f rawvideo -pix_fmt rgba -s %dx%d -r %d -i - %s ",
             record->width, record->height, rate, film_filter(record->format));
    char target[1024];
    int length = snprintf(target, sizeof target, "file:%s", record->path);
    if (length >= (int)sizeof target || !append_quoted(command, sizeof command, target))
        return report_error("cannot record", record->path, "the path is too long");
#if defined(SIGPIPE)
    signal(SIGPIPE, SIG_IGN); // if ffmpeg exits early, fwrite() fails instead
#endif
    record->pipe = popen(command, PIPE_MODE);
    return record->pipe || report_error("cannot record", record->path, strerror(errno));
}

static bool open_directory(const demo_record *record) {
    if (is_directory(record->path) || make_directory(record->path) == 0) return true;
    return report_error("cannot make the directory", record->path, strerror(errno));
}

bool record_open(demo_record *record, const char *path, int width, int height) {
    *record = (demo_record){
        .format = record_format_of(path), .path = path, .width = width, .height = height};
    return record->format == RECORD_DIRECTORY ? open_directory(record) : open_film(record);
}

bool record_wants_frame(demo_record *record) {
    int step = record->steps++;
    return record->format != RECORD_GIF || step % 2 == 0;
}

// Writes the path of a frame, counted from 1. Fails if it is too long.
static bool name_frame(const demo_record *record, int number, char path[MAX_PATH_LENGTH]) {
    return snprintf(path, MAX_PATH_LENGTH, "%s/frame-%05d.png", record->path, number) <
           MAX_PATH_LENGTH;
}

static bool write_numbered(demo_record *record, const unsigned char *rgba) {
    char path[MAX_PATH_LENGTH];
    if (!name_frame(record, record->frames + 1, path))
        return report_error("cannot record", record->path, "the path is too long");
    return record_png(path, rgba, record->width, record->height);
}

// Removes the frames after the last one. They are from an earlier, longer recording.
static void remove_old_frames(const demo_record *record) {
    char path[MAX_PATH_LENGTH];
    for (int i = record->frames + 1; name_frame(record, i, path) && remove(path) == 0; i++) {}
}

bool record_frame(demo_record *record, const unsigned char *rgba) {
    bool written;
    if (record->format == RECORD_DIRECTORY) {
        written = write_numbered(record, rgba);
    } else {
        size_t size = (size_t)record->width * (size_t)record->height * 4;
        written = fwrite(rgba, 1, size, record->pipe) == size ||
                  report_error("cannot record", record->path, "ffmpeg stopped");
    }
    record->frames += written;
    return written;
}

bool record_close(demo_record *record) {
    FILE *pipe = record->pipe;
    record->pipe = NULL;
    if (record->format == RECORD_DIRECTORY) remove_old_frames(record);
    if (pipe && pclose(pipe) != 0)
        return report_error("cannot record", record->path, "ffmpeg failed, see its message above");
    return true;
}

bool record_png(const char *path, const unsigned char *rgba, int width, int height) {
    if (stbi_write_png(path, width, height, 4, rgba, 4 * width)) return true;
    return report_error("cannot write", path, errno ? strerror(errno) : "out of memory");
}
