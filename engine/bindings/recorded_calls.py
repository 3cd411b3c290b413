#!/usr/bin/env python3
"""Writes the C code that records and replays calls, from api.json.

    recorded_calls.py [FOLDER]      default: the folder engine/ of this script

It makes two files:

    core/world/recorded_calls.h    a table with a function for each call that changes a world
    parts/recording/calls.c        the functions of this table, which write calls to a recording, and
                                   functions that read calls from a recording and make them

Both are committed, so a build needs no Python. tests/rules/check_recording.py checks that they are
up to date, and that each of these calls is recorded.

A recording contains the index of each call in a list, and the hash of the API (describe.py). A
recording with another hash was made by another version of the API.
"""
import json
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
# Functions that take steps.
NEEDED = "snapshot"  # the part that recordings need
STEPS = ("cn_world_step", "cn_world_advance")
# Not recorded: destroying the world ends the recording.
UNRECORDED = ("cn_world_destroy",)
NUMBERS = {"float": "float", "int": "int", "int32_t": "int", "uint8_t": "byte",
           "uint32_t": "word", "uint64_t": "long"}
KINDS = {"cn_body": "BODY", "cn_shape": "SHAPE", "cn_joint": "JOINT", "cn_grid": "GRID",
         "cn_chain": "CHAIN"}
HEADER = """/* The calls that change a world. Made by engine/bindings/recorded_calls.py: do not edit. */
"""


def list_calls(api):
    """The functions that change a world, in the order of the header."""
    return [f for f in api["functions"] if f["effect"] == "changes" and
            f["parameters"][0].get("type") == "cn_world"]


def break_call(line):
    """The lines of a declaration or call: broken behind commas where it is too long."""
    lines, call = [], re.search(r"[\w)]\(", line)
    while len(line) > 100:
        end = line.rindex(", ", 0, 101) + 1
        lines.append(line[:end])
        line = " " * call.end() + line[end + 1:]
    return lines + [line]


def wrap(line):
    """The same for any line, as clang-format does it. A result that is assigned from a call stands on
    a line of its own if the call then has fewer lines, or would have more than two."""
    lines = break_call(line)
    if len(lines) > 1 and " = " in line:
        target, call = line.split(" = ", 1)
        below = break_call(" " * 8 + call)
        if len(lines) > 2 or len(below) < len(lines):
            lines = [target + " =", *below]
    return lines


class Writer:
    """Writes C for the values of an API."""

    def __init__(self, api):
        self.structs = {s["name"]: s for s in api["structs"]}
        self.calls = [f for f in list_calls(api) if f["name"] not in UNRECORDED]
        self.written, self.lines = set(), []

    # -- values

    def has_callback(self, entry):
        inner = entry.get("to", entry)
        if inner["kind"] == "callback":
            return True
        return inner["kind"] == "struct" and any(
            self.has_callback(f) for f in self.structs[inner["type"]]["fields"])

    def walk(self, entry, place, name):
        """A statement that reads or writes a value, which is at the address `place`."""
        kind, ctype = entry["kind"], entry.get("type")
        if kind in ("number", "count"):
            return f"cn_walk_{NUMBERS[ctype]}(s, {name}, {place});"
        if kind in ("enum", "bool"):
            to = f"({ctype})" if kind == "enum" else ""
            value = place[1:] if place[0] == "&" else "*" + place
            given = f"(int){value}" if kind == "enum" else value
            return f"{value} = {to}cn_walk_{kind}(s, {name}, {given});"
        if kind == "handle" and ctype in KINDS:
            value = place[1:] + "." if place[0] == "&" else place + "->"
            return f"cn_walk_handle(s, {name}, CN_HANDLE_{KINDS[ctype]}, &{value}id);"
        if kind in ("struct", "handle"):
            self.struct(ctype)
            return f"walk_{ctype}(s, {name}, {place});"
        raise ValueError(f"{name}: a {kind} cannot be recorded")

    def field(self, field):
        """The lines for a field of a struct."""
        name, kind = field["name"], field["kind"]
        value = f"v->{name}"
        if kind == "user":
            return [f"    if (s->reads) {value} = s->user;"]
        if kind == "callback":
            return [f"    if (!cn_walk_bool(s, \"{name}\", {value} != NULL))",
                    f"        {value} = NULL;",
                    f"    else if (s->reads)",
                    f"        {value} = s->callbacks.{name};"]
        if kind == "inline_array":
            item = self.walk(field["of"], f"&{value}[i]", f'"{name}"')
            return [f"    for (int i = 0; i < {field['length']}; i++) {item}"]
        if kind == "array":
            count = re.sub(r"[a-z_]+", lambda m: f"(int64_t)v->{m[0]}", field["count"])
            ctype = field["of"]["type"]
            item = self.walk(field["of"], "&item", '""')
            return [f"    {value} = cn_walk_items(s, \"{name}\", {value}, {count}, "
                    f"sizeof *{value}, &count);",
                    "    for (int i = 0; i < count; i++) {",
                    f"        {ctype} item = {value}[i]; // not written to when a call is recorded",
                    f"        {item}",
                    f"        if (s->reads) (({ctype} *){value})[i] = item;",
                    "    }",
                    f"    if ({value}) cn_walk_close(s);"]
        return ["    " + self.walk(field, "&" + value, f'"{name}"')]

    def struct(self, name):
        """Writes the function for a struct, after those for its fields."""
        if name in self.written:
            return
        self.written.add(name)
        fields = self.structs[name]["fields"]
        lines = [f"static void walk_{name}(cn_stream *s, const char *name, {name} *v) {{",
                 "    cn_walk_open(s, name);"]
        if any(f["kind"] == "array" for f in fields):
            lines.insert(1, "    int count;")
        for field in sorted(fields, key=lambda f: f["kind"] == "array"):  # counts come first
            lines += self.field(field)
        self.lines += lines + ["    cn_walk_close(s);", "}", ""]

    # -- calls

    @staticmethod
    def c_type(parameter):
        return "bool" if parameter["kind"] == "bool" else parameter["type"]

    def declare(self, parameter):
        """The declaration of a parameter. A struct with callbacks is passed by its address."""
        kind, name = parameter["kind"], parameter["name"]
        star = "*" if self.has_callback(parameter) else ""
        if kind == "object":
            return f"cn_world *{name}"
        if kind == "pointer":
            return f"const {parameter['to']['type']} *{star}{name}"
        if kind == "bytes":
            return f"const void *{name}"
        return f"{self.c_type(parameter)} {star}{name}"

    def call(self, index, call):
        """Writes the two functions of a call."""
        walks, locals_, made, given, wraps = [], [], [], [], []
        for p in call["parameters"][1:]:
            name, kind = p["name"], p["kind"]
            text, star = f'"{name}"', "*" if self.has_callback(p) else ""
            if kind == "pointer":
                ctype = p["to"]["type"]
                walks += [f"    has_{name} = cn_walk_given(s, {text}, has_{name});",
                          f"    if (has_{name}) " + self.walk(p["to"], f"&{name}_value", text)]
                locals_ += [f"    {ctype} {name}_value = {{0}};", f"    bool has_{name} = false;"]
                given += [f"    bool has_{name} = {star}{name};", f"    {ctype} {name}_value = {{0}};",
                          f"    if (has_{name}) {name}_value = *{star}{name};"]
                made.append(f"has_{name} ? &{name}_value : NULL")
            elif kind == "bytes":
                walks.append(f"    {name} = cn_walk_bytes(s, {text}, {name}, &{p['count']});")
                locals_.append(f"    const void *{name} = NULL;")
                made.append(name)
            elif kind == "count":
                locals_.append(f"    {self.c_type(p)} {name} = 0;")
                made.append(name)
            else:
                ctype = self.c_type(p)
                is_struct = kind in ("struct", "handle")
                walks.append("    " + self.walk(p, "&" + name + ("_value" if star else ""), text))
                if star:
                    given.append(f"    {ctype} {name}_value = *{name};")
                name += "_value" if star else ""
                zero = "false" if kind == "bool" else "{0}" if is_struct else "0"
                locals_.append(f"    {ctype} {name} = {zero};")
                made.append(name)
            if star:
                wraps.append(f"    cn_wrap_{p['name']}(world, {p['name']});")
        name = call["name"]
        parameters = ", ".join(self.declare(p) for p in call["parameters"])
        self.lines += [f"static void write_{name}({parameters}) {{",
                       f"    cn_stream *s = cn_begin_call(world, {index});",
                       "    if (!s) return;", *given, *walks, "    cn_end_call(world);", *wraps, "}",
                       "", f"static void play_{name}(cn_stream *s, cn_world *world) {{",
                       *locals_, *walks, "    if (!cn_may_call(s)) return;"]
        made = f"{name}({', '.join(['world'] + made)})"
        creates = call.get("creates")
        if creates:
            kind = KINDS[creates]
            made = f"    cn_end_create(s, CN_HANDLE_{kind}, {made}.id);"
        elif any(p["kind"] == "bytes" for p in call["parameters"]):
            made = f"    if ({made}) cn_end_restore(s);"
        else:
            made = f"    {made};"
        if call.get("part", NEEDED) == NEEDED:
            self.lines.append(made)
        else:  # the part may be missing in this build
            self.lines += [f"#if CN_HAS_{call['part'].upper()}", made, "#else",
                           f'    (void)world, cn_require_part("{call["part"]}");', "#endif"]
        self.lines += ["}", ""]

    # -- files

    def table(self, api):
        """The header with the table."""
        lines = [HEADER + "#ifndef CN_RECORDED_CALLS_H", "#define CN_RECORDED_CALLS_H", "",
                 '#include "../../cairn.h"', "", "typedef struct {"]
        for call in list_calls(api):
            types = ", ".join(self.declare(p) for p in call["parameters"])
            lines.append(f"    void (*{call['name']})({types});")
        lines += ["} cn_recorded_calls;", "", "#endif", ""]
        return "\n".join(part for text in lines for line in text.split("\n")
                         for part in wrap(line))

    def source(self):
        """The functions."""
        self.lines = [HEADER + '#include "recording.h"', ""]
        for index, call in enumerate(self.calls):
            self.call(index, call)
        self.lines += ["const cn_recorded_calls cn_writing_calls = {",
                       "    .cn_world_destroy = cn_end_with_world,"]
        self.lines += [f"    .{c['name']} = write_{c['name']}," for c in self.calls]
        self.lines += ["};", "", "const cn_played_call cn_played_calls[] = {"]
        for call in self.calls:
            name, steps = call["name"], "true" if call["name"] in STEPS else "false"
            self.lines.append(f'    {{"{name}", play_{name}, {steps}}},')
        self.lines += ["};", "", f"const int cn_played_call_count = {len(self.calls)};",
                       ""]
        return "\n".join(part for text in self.lines for line in text.split("\n")
                         for part in wrap(line))


def generate(api):
    """The files: their names in engine/, and their text."""
    return {"core/world/recorded_calls.h": Writer(api).table(api),
            "parts/recording/calls.c": Writer(api).source()}


def main():
    folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else HERE.parent
    api = json.loads((HERE / "api.json").read_text(encoding="utf-8"))
    for name, text in generate(api).items():
        (folder / name).write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
