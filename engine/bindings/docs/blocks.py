"""The code blocks of a guide, and the programs that they make.

A guide shows code in fenced blocks (```c, ```js, ```python, ```lua). Its comments may hold
further code in the same languages that readers do not see, such as declarations and checks:

    <!-- c
    assert(count == 2);
    -->

Each section (a heading of level 2, to the next one) is one program in each language: the blocks
before the first heading of level 2, then the blocks of the section, in order. So names that the
beginning of a page declares are known in all of its sections.

In C, a block that begins with #include, static, typedef or enum stands before main(). All other
blocks are statements of main(). A block with a main() is a program of its own, and so is, in the
other languages, a section that imports something.

A ```text block that follows code is what its program prints, up to there and since the last ```text
block, in every language of the section.
"""
import re

BLOCK = re.compile(r"^(?P<indent> *)```(?P<fence>\w+)\n(?P<shown>.*?)^(?P=indent)```$"
                   r"|^<!-- (?P<comment>c|js|python|lua)\n(?P<hidden>.*?)^-->$"
                   r"|^## (?P<title>[^\n]*)$", re.MULTILINE | re.DOTALL)
LANGUAGES = ("c", "js", "python", "lua")
ALONE = re.compile(r"int main\(|^import |= require\(\"cairn\"\)", re.MULTILINE)
OUTSIDE = re.compile(r"\s*(//[^\n]*\n\s*)*(#|static\b|typedef\b|enum\b)")


def find_blocks(text, language):
    """The fenced blocks of a language in a Markdown text."""
    return [match["shown"] for match in BLOCK.finditer(text) if match["fence"] == language]


class Program:
    """The code of a section in one language."""

    def __init__(self, language, title, parts, output):
        self.language, self.title, self.output = language, title, output
        self.is_whole = language == "c" and any("int main(" in part for part in parts)
        self.parts = parts

    def source(self):
        if self.language != "c":
            return "\n".join(self.parts)
        if self.is_whole:
            return "\n".join(part for part in self.parts if OUTSIDE.match(part))
        outside = [part for part in self.parts if OUTSIDE.match(part)]
        inside = [part for part in self.parts if not OUTSIDE.match(part)]
        return PRELUDE + "\n".join(outside) + "\nint main(void) {\n" + "\n".join(inside) + "}\n"


# The beginning of every program in C. run() takes steps. If pictures are made, picture() begins a
# recording: see pictures.py.
PRELUDE = """#undef NDEBUG
#include <cairn.h>

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline void run(cn_world *world, double seconds) {
    for (int i = 0; i < (int)(seconds * 60 + 0.5); i++) assert(cn_world_step(world, 1.0f / 60));
}
static inline bool write_bytes(const void *bytes, size_t size, void *file) {
    return fwrite(bytes, 1, size, file) == size && fflush(file) == 0;
}
static inline void picture(cn_world *world, const char *name, int steps) {
    enum { MARKS = 16 };
    const char *folder = getenv("CAIRN_PICTURES");
    char path[1024];
    cn_body marks[MARKS];
    if (!folder) return;
    snprintf(path, sizeof path, "%s/%s.%d", folder, name, steps + 1);
    assert(cn_recording_begin(world, (cn_recording_sink){write_bytes, fopen(path, "wb")}));
    // The demo fits the view to the moment with the most bodies. Extra bodies make it this moment.
    for (int i = 0; i < MARKS; i++)
        marks[i] = cn_body_create(world, &(cn_body_def){
            .type = CN_KINEMATIC, .position = {{0, 1.2f + 1.2f * (float)(i % 2)}}});
    assert(cn_world_step(world, 1e-6f));
    for (int i = 0; i < MARKS; i++) assert(cn_body_destroy(world, marks[i]));
}

"""


def split(text):
    """The sections as (title, [(kind, code)]). The first has no title."""
    sections = [("", [])]
    for match in BLOCK.finditer(text):
        if match["title"] is not None:
            sections.append((match["title"], []))
        elif match["comment"]:
            sections[-1][1].append((match["comment"], match["hidden"]))
        else:
            indent = match["indent"]
            code = "".join(line.removeprefix(indent)
                           for line in match["shown"].splitlines(keepends=True))
            sections[-1][1].append((match["fence"], code))
    return sections


def find_programs(text):
    """The programs of a guide."""
    (_, beginning), *sections = split(text)
    shown_first = [kind for kind, _ in beginning]
    if not sections or "text" in shown_first:
        sections.insert(0, ("", []))
    for title, blocks in sections:
        for language in LANGUAGES:
            own = [code for kind, code in blocks if kind == language]
            if not own and not (title == "" and language in shown_first):
                continue
            before = [code for kind, code in beginning if kind == language]
            output = "".join(code for kind, code in beginning + blocks if kind == "text")
            if any(ALONE.search(code) for code in own):
                before = []
            yield Program(language, title, before + own, output or None)
