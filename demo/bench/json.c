/* A small JSON reader. It walks through the text once, by recursive descent, and names each value
 * by its path. It stores nothing: the caller picks the values it needs by their paths. */
#include "bench.h"

#include <string.h>

enum { PATH_SIZE = 256, VALUE_SIZE = 256, MAX_DEPTH = 16 };

typedef struct {
    const char *at;
    int line, depth;
    const char *problem;
    char path[PATH_SIZE];
    json_leaf *leaf;
    void *user;
} reader;

static bool report_error(reader *r, const char *problem) {
    if (!r->problem) r->problem = problem;
    return false;
}

static void skip_space(reader *r) {
    for (; *r->at && strchr(" \t\r\n", *r->at); r->at++) r->line += *r->at == '\n';
}

// Skips white space, and then a character if it comes next. Returns true if it did.
static bool take(reader *r, char c) {
    skip_space(r);
    if (*r->at != c) return false;
    r->at++;
    return true;
}

// Reads a string without its quotes. Resolves only the escapes \" and \\.
static bool read_string(reader *r, char value[VALUE_SIZE]) {
    if (!take(r, '"')) return report_error(r, "a string in quotes is missing");
    size_t length = 0;
    for (; *r->at != '"'; r->at++) {
        if (*r->at == '\\' && r->at[1]) r->at++;
        if (!*r->at || *r->at == '\n') return report_error(r, "a string does not end");
        if (length + 1 < VALUE_SIZE) value[length++] = *r->at;
    }
    value[length] = 0;
    r->at++;
    return true;
}

// Reads a number, true, false or null.
static bool read_word(reader *r, char value[VALUE_SIZE]) {
    size_t length = strcspn(r->at, " \t\r\n,]}");
    bool is_word = length > 0 && length < VALUE_SIZE && strchr("-0123456789tfn", *r->at);
    if (!is_word) return report_error(r, "a value is missing");
    memcpy(value, r->at, length);
    value[length] = 0;
    r->at += length;
    return true;
}

static bool read_value(reader *r);

// Reads a member of an object or an array, and adds its name to the path.
static bool read_member(reader *r, const char *name) {
    size_t length = strlen(r->path);
    snprintf(r->path + length, PATH_SIZE - length, "%s%s", length ? "." : "", name);
    bool done = read_value(r);
    r->path[length] = 0;
    return done;
}

static bool read_named(reader *r) {
    char name[VALUE_SIZE];
    if (!read_string(r, name)) return false;
    return take(r, ':') ? read_member(r, name) : report_error(r, "a colon is missing");
}

static bool read_members(reader *r, char end) {
    if (take(r, end)) return true;
    for (int i = 0;; i++) {
        char number[16];
        snprintf(number, sizeof number, "%d", i);
        if (!(end == '}' ? read_named(r) : read_member(r, number))) return false;
        if (take(r, end)) return true;
        if (!take(r, ',')) return report_error(r, "a comma or a closing bracket is missing");
    }
}

static bool read_group(reader *r, char end) {
    if (++r->depth > MAX_DEPTH) return report_error(r, "too many levels");
    bool done = read_members(r, end);
    r->depth--;
    return done;
}

static bool read_value(reader *r) {
    char value[VALUE_SIZE];
    if (take(r, '{')) return read_group(r, '}');
    if (take(r, '[')) return read_group(r, ']');
    if (!(*r->at == '"' ? read_string(r, value) : read_word(r, value))) return false;
    r->leaf(r->user, r->path, value);
    return true;
}

const char *json_read(const char *text, json_leaf *leaf, void *user, int *line) {
    reader r = {.at = text, .line = 1, .leaf = leaf, .user = user};
    if (read_value(&r)) {
        skip_space(&r);
        if (*r.at) report_error(&r, "there is text after the end");
    }
    *line = r.line;
    return r.problem;
}
