#!/usr/bin/env python3
"""Describes the API: makes api.json from cairn.h. Recordings, fuzzers and bindings are generated
from it.

    describe.py [HEADER [OUTPUT]]      default: ../cairn.h and api.json beside this script

tests/check_api.py checks that api.json is up to date and agrees with what compilers see.

Types, names, values and layouts come from clang's syntax tree, once for each target. A stand-in for
cglm's vec2s and clang's own headers are enough, so no target needs a C library. Comments, sections
and the names of callbacks' parameters come from the text of the header. The rules at READING TYPES
say what a pointer is; the tables at ANNOTATIONS say what neither the types nor the rules tell. A
declaration that none of them covers is an error, and so is an annotation of nothing.

The file has these lists, in the order of the header:

    targets     which targets have the same layouts. A size, align or offset is a number if it is
                the same on all targets, else an object with one number for each of these groups
    sections    name and comments that belong to no declaration, such as the example of the section
    paragraphs  of several declarations: see below
    constants   name and value
    enums       name and values; "flags" if values are bits to add up
    handles     the objects of a world: type, create, destroy; valid (a function that takes any
                handle without an error); parts: what is destroyed with it; destroyed_by: further
                functions that may destroy it
    objects     what C knows by a pointer, such as the world: the same
    callbacks   functions of the user: name (a typedef, STRUCT.FIELD or FUNCTION.PARAMETER), returns,
                parameters; may_call: functions of these effects and names, except those; threads:
                "any" if it may run on another thread than the call that leads to it
    structs     name, size, align, fields; "handle" if it is one; "used": "in" if the user passes it
                to functions, "out" if functions or callbacks give it to the user
    functions   name, effect, returns, parameters; creates, destroys: an object

Everything declared has a section and the comment that stands directly above it or behind it. If it
shares its paragraph (lines without an empty one between) with others, "paragraph" is the index of
the paragraph: groups of names, each with the comment that stands above the group. The first comment
of a paragraph may be about all of it.

The effect of a function is one of
    changes     takes a world, or another object, that is not const
    lends       the same, but only to write arrays that the world keeps; the simulation stays as
                it is
    reads       takes a const world or object
    thread      reads or sets the error of the thread
    none        takes no object

Parameters, fields and results have a kind. "type" is the type in C without pointers and const.
    void  bool  number  enum  struct  handle
    success     a bool: false if the call failed
    flags       a number: a sum of values of "enum"
    object      a pointer to an opaque struct; the world is one of type cn_world. "const"
    pointer     to one value "to", which the function reads
    out         a pointer to one value "to", which the function writes
    array       a pointer to values "of", which are read; "count" says how many: the name of a
                parameter or field beside it, or a sum or product of such names
    out_array   the same, written. Exactly "count" values, or at most "capacity", and the function
                returns how many there are; with (NULL, 0) it only counts
    bytes  out_bytes    the same without a type
    fixed_array "length" values "of" within a struct, of which the first "used" are filled
    count  capacity     a number: that of the arrays "of"
    total       what a function returns that writes to the out_array "of": the number of all results
    string      ends with a zero
    callback    a pointer to a function: "callback" names it
    user        a pointer of the user, which the callbacks "of" get; or in a callback
    context     a pointer that one function of the user or the engine gives, for another one
    memory      a block of memory
"null": true means that NULL or the null handle is allowed, "any": true any handle at all. "until"
says how long memory or a callback behind a pointer has to stay, or may be read:
    return      until the call returns; what it needs later, it copies
    replaced    until the same function sets another one, or the world is destroyed
    destroyed   until the world is destroyed
    error       until the next call of this thread that fails
    events      until the next step or cn_world_events()
    change      until the next call that changes the world
    freed       until the user gives it back
    forever     as long as the program runs
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
HEADER, OUTPUT = HERE.parent / "cairn.h", HERE / "api.json"
FORMAT = 1  # of api.json: other numbers have other fields

# ---- ANNOTATIONS: what neither the types nor the rules say. Names are PLACE.NAME, with the function,
# struct or callback as the place; * stands for any place.

OUT = "cn_clip.exact cn_slice.in_front cn_body_locks.x cn_body_locks.y cn_body_locks.rotation " \
      "cn_world_draw.drawing"
NULL = "cn_world_destroy.world cn_clip.exact cn_slice.in_front cn_body_locks.x cn_body_locks.y " \
       "cn_body_locks.rotation cn_world_nearest.hull cn_world_move_hull.def *.query *.previous " \
       "cn_query.ignore cn_coupling.other cn_chain_def.materials cn_tiles_def.solid " \
       "cn_tiles_def.tiles cn_tiles_def.materials cn_set_error_hook.function"
COUNTS = {  # of arrays without a count that the rules find
    "cn_chain_def.materials": "count - 1 + closed",
    "cn_tiles_def.solid": "width * height",
    "cn_tiles_def.tiles": "width * height",
    "cn_tiles_def.materials": "material_count",
    "cn_world_cast_rays.hits": "count",
    "cn_drawing.triangles": "triangle_vertices",
    "cn_drawing.lines": "line_vertices",
}
USED = {  # of arrays within a struct
    "cn_hull.vertices": "count", "cn_manifold.points": "count", "cn_move.pushes": "push_count",
    "cn_profile.names": "count", "cn_profile.seconds": "count",
}
UNTIL = {  # of what a place gives, or keeps after the call
    "cn_error": "error", "cn_set_error_hook": "replaced", "cn_callbacks": "replaced",
    "cn_allocator": "destroyed", "cn_task_system": "destroyed", "cn_events": "events",
    "cn_drawing": "change", "cn_profile": "forever",
}
KINDS = {  # of a pointer to void, or a number, that is more than its type
    "cn_allocator.allocate.returns": {"kind": "memory", "count": "size", "until": "freed"},
    "cn_allocator.release.block": {"kind": "memory", "count": "size", "until": "return"},
    "cn_task_system.start.returns": {"kind": "context", "until": "freed"},
    "cn_task_system.start.context": {"kind": "context", "until": "freed"},
    "cn_task_system.finish.handle": {"kind": "context", "until": "return"},
    "cn_task.context": {"kind": "context", "until": "return"},
    "cn_world_draw.flags": {"kind": "flags", "type": "uint32_t", "enum": "cn_draw_flags"},
    "cn_world_cast_rays.returns": {"kind": "success"},
}
LENDS = "cn_world_events cn_world_draw"
THREAD = "cn_error cn_error_code cn_error_clear cn_set_error_hook"
PARTS = {  # what is destroyed with an object
    "cn_world": ["cn_body", "cn_shape", "cn_joint", "cn_chain", "cn_tiles"],
    "cn_body": ["cn_shape", "cn_joint", "cn_chain", "cn_tiles"],
    "cn_chain": ["cn_shape"],
}
DESTROYED_BY = {"cn_joint": ["cn_world_step", "cn_world_advance"]}  # a joint may break
READS = {"effects": ["reads", "thread", "none"], "functions": [], "except": []}
NOTHING = {"effects": [], "functions": [], "except": []}
MAY_CALL = {  # what a callback may call
    "cn_set_error_hook.function":
        {"effects": [], "functions": ["cn_error", "cn_error_code"], "except": []},
    "cn_callbacks.filter": READS, "cn_callbacks.pre_solve": READS, "cn_query.accept": READS,
    "cn_callbacks.before_step":
        {"effects": ["changes", "lends", "reads", "thread", "none"], "functions": [],
         "except": ["cn_world_step", "cn_world_advance", "cn_world_destroy"]},
    "cn_allocator.allocate": NOTHING, "cn_allocator.release": NOTHING, "cn_task": NOTHING,
    "cn_task_system.start": NOTHING, "cn_task_system.finish": NOTHING,
}
ANY_THREAD = "cn_allocator.allocate cn_allocator.release cn_task cn_query.accept"

# ---- clang

TARGETS = {"x86_64": "x86_64-linux-gnu", "aarch64": "aarch64-linux-gnu",
           "i686": "i686-linux-gnu", "wasm32": "wasm32-unknown-unknown"}
STAND_IN = {  # a part of cglm
    "cglm/struct/vec2.h":
        "typedef union vec2s { float raw[2]; struct { float x; float y; }; } vec2s;\n",
}
VECTOR = "vec2s"


class Unknown(Exception):
    """A declaration that cannot be described."""


def fail(place, reason):
    raise Unknown(f"{place}: {reason}")


def find_clang():
    return shutil.which("clang")


def command(folder, target, *options):
    """The command for a target without a C library, with the stand-in in this folder."""
    for name, text in STAND_IN.items():
        path = pathlib.Path(folder) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return [find_clang(), f"--target={TARGETS[target]}", "-ffreestanding", "-nostdlibinc",
            "-std=c17", f"-I{folder}", "-fsyntax-only", *options, "-x", "c"]


def parse(text, target):
    """The declarations of a C source itself, without those that it includes, as clang's tree."""
    with tempfile.TemporaryDirectory() as folder:
        options = command(folder, target, "-w", "-Xclang", "-ast-dump=json")
        run = subprocess.run(options + ["-"], input=text, capture_output=True, encoding="utf-8",
                             env={**os.environ, "CCACHE_DISABLE": "1"}, check=False)
        if run.returncode:
            fail("clang", run.stderr.replace(folder + "/", "").strip())
    return [d for d in json.loads(run.stdout)["inner"]
            if "offset" in place_of(d["loc"]) and "includedFrom" not in place_of(d["loc"])]


def place_of(location):
    return location.get("expansionLoc", location)


def start_of(node):
    return place_of(node["range"]["begin"])["offset"]


def end_of(node):
    place = place_of(node["range"]["end"])
    return place["offset"] + place["tokLen"]


def find_node(node, kind):
    """The first node of a kind below this one, or None."""
    for inner in node.get("inner", []):
        found = inner if inner.get("kind") == kind else find_node(inner, kind)
        if found:
            return found
    return None


def compute(header, expressions, target):
    """The values of constant expressions after the header."""
    probe = "".join(f"enum {{ probe_{i} = {e} }};\n" for i, e in enumerate(expressions))
    values = {}
    for node in parse(header + probe, target):
        if node["kind"] == "EnumDecl" and start_of(node) >= len(header.encode()):
            item = node["inner"][0]
            values[item["name"]] = int(find_node(item, "ConstantExpr")["value"])
    return {e: values[f"probe_{i}"] for i, e in enumerate(expressions)}


# ---- the text of the header: sections, paragraphs, comments

class Comment:
    """A comment, or several lines of them that belong together."""

    def __init__(self, start, line, column, text, is_trailing):
        self.start, self.first, self.column = start, line, column
        self.is_trailing = is_trailing
        self.last = line + text.count("\n")
        self.lines = strip(text)
        self.is_used = False

    def text(self):
        return "\n".join(self.lines).strip("\n")


def strip(text):
    """The lines of a comment without what makes it a comment."""
    if text.startswith("//"):
        return [re.sub("^// ?", "", text).rstrip()]
    lines = re.sub(r"^/\*|\*/$", "", text).split("\n")
    return [re.sub(r"^ \* ?", "", line).rstrip() if i else line[1:].rstrip()
            for i, line in enumerate(lines)]


class Text:
    """The header as text: what stands where."""

    def __init__(self, header):
        self.header = header
        self.lines = header.split("\n")
        self.starts = [0]
        for line in self.lines:
            self.starts.append(self.starts[-1] + len(line) + 1)
        self.comments = []
        pattern = r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"'
        for match in re.finditer(pattern, header, re.DOTALL):
            if match[0][0] != '"':
                self.add(match.start(), match[0])
        self.covered = {i for c in self.comments for i in range(c.first, c.last + 1)}
        self.declared = []
        self.sections = [(0, "introduction")]
        for i, line in enumerate(self.lines):
            match = re.fullmatch(r"// -{20,} (\S.*)", line)
            if match:
                self.sections.append((i, match[1]))

    def add(self, start, text):
        line = self.line_of(start)
        column = start - self.starts[line]
        is_trailing = self.lines[line][:column].strip() != ""
        last = self.comments[-1] if self.comments else None
        follows = last and last.last == line - 1 and last.column == column and not is_trailing
        if follows and text.startswith("//") and self.lines[last.last][column:].startswith("//"):
            last.last = line
            last.lines += strip(text)
        else:
            self.comments.append(Comment(start, line, column, text, is_trailing))

    def line_of(self, offset):
        low, high = 0, len(self.lines)
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if self.starts[middle] <= offset else (low, middle)
        return low

    def section_of(self, line):
        return [name for start, name in self.sections if start <= line][-1]

    def above(self, line):
        """The comment that ends on the line above."""
        return next((c for c in self.comments if c.last == line - 1 and not c.is_trailing), None)

    def behind(self, line):
        """The comment behind the code of a line."""
        return next((c for c in self.comments if c.first == line and c.is_trailing), None)

    def top_of(self, line):
        """The first line of the paragraph that a line is in."""
        while line > 0 and (self.lines[line - 1].strip() or line - 1 in self.covered):
            line -= 1
        return line

    def comment(self, first, last):
        """The comments above and behind a declaration, as one text."""
        found = [c for c in (self.above(first), self.behind(last)) if c]
        for comment in found:
            comment.is_used = True
        return "\n".join(c.text() for c in found)

    def describe(self, name, first, last):
        """The entries about text of a declaration at file level."""
        result = {"section": self.section_of(first)}
        text = self.comment(first, last)
        if text:
            result["comment"] = text
        self.declared.append((first, name, result))
        return result

    def list_paragraphs(self):
        """The paragraphs of several declarations. Each declaration gets the number of its own."""
        places = {}
        for first, name, entry in sorted(self.declared, key=lambda d: d[0]):
            places.setdefault(self.top_of(first), []).append((first, name, entry))
        result = []
        for top, declared in places.items():
            if len(declared) == 1:
                continue
            groups = []
            for first, name, entry in declared:
                comments = [c for c in self.comments if top <= c.first and c.last < first
                            and not c.is_trailing and c.column == 0]
                comment = comments[-1].text() if comments else ""
                if not groups or groups[-1]["comment"] != comment:
                    groups.append({"comment": comment, "names": []})
                groups[-1]["names"].append(name)
                entry["paragraph"] = len(result)
            result.append(groups)
        return result


# ---- READING TYPES

NUMBERS = ("float", "double", "int", "size_t", "int8_t", "uint8_t", "int16_t", "uint16_t",
           "int32_t", "uint32_t", "int64_t", "uint64_t")


def normalise(ctype):
    """A type as this script writes it, whatever the version of clang."""
    ctype = re.sub(r"\b_Bool\b", "bool", ctype)
    ctype = re.sub(r"\b(struct|enum|union) ", "", ctype)
    ctype = re.sub(r"\s+", " ", ctype).strip()
    for pattern, new in ((r" ?\* ?", " *"), (r"\* \*", "**"), (r"\( \*", "(*"), (r" ?\[", "[")):
        ctype = re.sub(pattern, new, ctype)
    return ctype


def split_arguments(text):
    """Splits a list of parameters at its commas."""
    parts, depth = [""], 0
    for sign in text:
        depth += (sign in "([") - (sign in ")]")
        if sign == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += sign
    return [part.strip() for part in parts if part.strip() not in ("", "void")]


def is_plural(name):
    return name.endswith("s") and not name.endswith("ss")


def matches(names, place, name):
    listed = names.split()
    return f"{place}.{name}" in listed or f"*.{name}" in listed


class Variable:
    """A parameter or field: its place, its name, its type, and its text if it has one."""

    def __init__(self, place, name, ctype, text=""):
        self.place, self.name, self.type, self.text = place, name, normalise(ctype), text
        self.path = f"{place}.{name}"


class Description:
    """Everything that is described."""

    def __init__(self, header):
        self.text = Text(header)
        self.header = header
        self.bytes = header.encode()
        self.constants, self.enums, self.structs, self.functions = [], [], [], []
        self.callbacks, self.opaque, self.names = [], [], {}
        self.tasks = {}  # function types: their signatures
        self.applied = set()  # annotations
        self.read(parse(header, "x86_64"))

    # -- declarations

    def offset(self, place):
        """An offset of clang, in bytes, as one in characters."""
        return len(self.bytes[:place].decode())

    def source(self, node):
        return self.header[self.offset(start_of(node)):self.offset(end_of(node))]

    def lines(self, node):
        """The first and the last line of a declaration."""
        return (self.text.line_of(self.offset(start_of(node))),
                self.text.line_of(self.offset(end_of(node)) - 1))

    def read(self, nodes):
        """Reads all declarations in the order of the header."""
        records, pending = {}, []
        for node in nodes:
            kind, name = node["kind"], node.get("name", "")
            if kind in ("RecordDecl", "EnumDecl"):
                records[node["id"]] = node
                if kind == "EnumDecl" and not name:
                    pending.append(node)
            elif kind == "TypedefDecl":
                self.read_typedef(node, list(records.values()), pending)
            elif kind == "FunctionDecl":
                self.functions.append(node)
            else:
                fail(name or kind, f"a {kind} is not described")
        described = pending + [entry["record"] for entry in
                               self.enums + self.structs + self.opaque]
        for record in records.values():
            if record not in described:
                fail(record.get("name"), "a struct, union or enumeration without a typedef")
        self.read_constants(pending)
        self.structs.insert(0, {"name": VECTOR, "node": None})
        self.find_handles()

    def read_typedef(self, node, records, pending):
        name, ctype = node["name"], normalise(node["type"]["qualType"])
        if "(*" in ctype:
            fail(name, "a typedef of a pointer to a function; name the function type instead")
        if "(" in ctype:
            self.tasks[name] = node
            return
        inside = [r for r in records if start_of(node) < start_of(r) and end_of(r) <= end_of(node)]
        if len(inside) != 1:
            fail(name, f"an unknown typedef, of {ctype}")
        record = inside[0]
        if record["kind"] == "EnumDecl":
            if record in pending:
                pending.remove(record)
            self.enums.append({"name": name, "node": node, "record": record})
        elif record.get("tagUsed") != "struct":
            fail(name, f"a {record.get('tagUsed')}; only structs are described")
        elif record.get("completeDefinition"):
            self.structs.append({"name": name, "node": node, "record": record})
        else:
            self.opaque.append({"name": name, "node": node, "record": record})

    def read_constants(self, enumerations):
        """Constants: enumerations without a name, and macros."""
        found = []
        for node in enumerations:
            for item in node["inner"]:
                if item["kind"] == "EnumConstantDecl":
                    found.append((start_of(item), item["name"], *self.lines(node)))
        code = hide_comments(self.header)
        for match in re.finditer(r"^[ \t]*#[ \t]*define[ \t]+(CN_\w+)(.*)", code, re.MULTILINE):
            if not re.fullmatch(r"\s+-?\w+\s*", match[2]):
                fail(match[1], "a macro that is no integer")
            line = self.text.line_of(match.start())
            found.append((len(self.header[:match.start()].encode()), match[1], line, line))
        self.constants = [{"name": name, "lines": lines} for _, name, *lines in sorted(found)]

    def find_handles(self):
        self.handles = []
        self.kind_of = {"bool": "bool", "void": "void", **dict.fromkeys(NUMBERS, "number")}
        self.kind_of.update((e["name"], "enum") for e in self.enums)
        self.kind_of.update((o["name"], "object") for o in self.opaque)
        for struct in self.structs:
            name = struct["name"]
            fields = [] if name == VECTOR else self.fields_of(struct)
            types = [normalise(f["type"]["qualType"]) for f in fields]
            is_handle = (bool(fields) and fields[-1]["name"] == "id" and types[-1] == "uint64_t"
                         and all(t in self.handles for t in types[:-1]))
            if is_handle:
                self.handles.append(name)
            self.kind_of[name] = "handle" if is_handle else "struct"

    @staticmethod
    def fields_of(struct):
        name, fields = struct["name"], []
        for node in struct["record"].get("inner", []):
            field = f"{name}.{node.get('name', '')}"
            if node["kind"] != "FieldDecl":
                if node["kind"] in ("RecordDecl", "IndirectFieldDecl"):
                    fail(field, "a struct or union within a struct")
                continue
            if node.get("isBitfield"):
                fail(field, "a bit-field")
            if not node.get("name"):
                fail(field, "a field without a name")
            fields.append(node)
        return fields

    # -- types

    def value(self, path, ctype):
        """Describes a type that is no pointer."""
        ctype = re.sub(r"^const ", "", ctype)
        kind = self.kind_of.get(ctype)
        if kind in (None, "object"):
            fail(path, f"unknown type {ctype}")
        return {"kind": kind} if kind in ("void", "bool") else {"kind": kind, "type": ctype}

    def annotated(self, table, path):
        """The annotation of a path in a table, or None."""
        if path in table:
            self.applied.add(path)
            return table[path]
        return None

    def listed(self, names, variable):
        if not matches(names, variable.place, variable.name):
            return False
        self.applied |= {variable.path, f"*.{variable.name}"}
        return True

    def until(self, variable, default):
        for place in (variable.place, variable.place.split(".")[0]):
            if place in UNTIL:
                self.applied.add(place)
                return UNTIL[place]
        return default

    def signature(self, place, text, ctype):
        """Describes a function type: its text has the names, and its type in clang must agree."""
        match = re.fullmatch(r"(?:typedef )?([^(]*?)(?:\(\*\s*\w+\)|\b\w+)\s*\((?!\*)(.*)\)",
                             hide_comments(text), re.DOTALL)
        if not match:
            fail(place, f"cannot read {text!r}")
        variables = []
        for part in split_arguments(match[2]):
            parameter = re.fullmatch(r"(.*?)(\w+)", part, re.DOTALL)
            if not parameter or not parameter[1].strip() or "(" in part:
                fail(place, f"a parameter without a name, or with an unknown type: {part!r}")
            variables.append(Variable(place, parameter[2], parameter[1]))
        ctype = normalise(ctype)
        inner = re.fullmatch(r"(.*?) ?(?:\(\*\))? ?\((.*)\)", ctype)
        types = [normalise(t) for t in split_arguments(inner[2])]
        if "..." in types:
            fail(place, "a variable number of arguments")
        if types != [v.type for v in variables] or normalise(inner[1]) != normalise(match[1]):
            fail(place, f"{text!r} and {ctype!r} differ")
        result = self.returns(place, normalise(match[1]), variables)
        return {"returns": result, "parameters": self.variables(variables, "callback")}

    def returns(self, place, ctype, variables):
        """Describes what a function returns."""
        annotation = self.annotated(KINDS, f"{place}.returns")
        if annotation:
            return dict(annotation)
        variable = Variable(place, "returns", ctype)
        base, stars = re.fullmatch(r"(.*?) ?(\**)", ctype).groups()
        if not stars:
            result = self.value(variable.path, ctype)
            arrays = [v.name for v in variables
                      if v.type.endswith("*") and self.find_size(v, variables, "capacity")]
            if arrays and result.get("type") in ("int", "size_t"):
                return {"kind": "total", "type": result["type"], "of": arrays}
            is_success = result["kind"] == "bool" and self.effect(place, variables) != "reads" \
                and "." not in place and any(self.is_object(v, False) for v in variables)
            return {"kind": "success"} if is_success else result
        if stars == "*" and self.kind_of.get(base) == "object":
            return {"kind": "object", "type": base, "until": "freed"}
        if ctype == "const char *":
            until = self.until(variable, None) or fail(place, "a string that is valid for how long?")
            return {"kind": "string", "until": until}
        return fail(place, f"returns an unknown pointer, {ctype}")

    @staticmethod
    def find_size(variable, variables, wanted):
        """The name of the count or capacity (which is wanted) that belongs to a pointer, or None."""
        is_bytes = variable.type in ("void *", "const void *")
        number = "size_t" if is_bytes else "int"
        name = "size" if is_bytes and wanted == "count" else wanted
        after = variables[variables.index(variable) + 1:][:1]
        if after and (after[0].name, after[0].type) == (name, number):
            return name
        names = {v.name for v in variables if v.type == "int"}
        for name in (f"{variable.name}_{wanted}", f"{singular(variable.name)}_{wanted}"):
            if name in names and not is_bytes:
                return name
        return None

    def variables(self, variables, role):
        """Describes parameters or fields; role: call, callback or field."""
        result = [{"name": v.name, **self.variable(v, variables, role)} for v in variables]
        by_name = {entry["name"]: entry for entry in result}
        for entry in result:
            for key in ("count", "capacity"):
                size = by_name.get(entry.get(key))
                if size is None or entry["kind"] in ("count", "capacity"):
                    continue
                if size["kind"] == "number":
                    size["kind"] = key
                    size["of"] = []
                if size["kind"] == key:
                    size["of"].append(entry["name"])
        if role != "callback":
            self.find_users(result)
        return result

    @staticmethod
    def find_users(entries):
        """A user pointer goes to the callbacks beside it."""
        callbacks = [e["name"] for e in entries if e["kind"] == "callback"]
        for entry in entries:
            if entry["kind"] == "user" and callbacks:
                entry["of"] = callbacks

    def variable(self, variable, variables, role):
        """Describes a parameter or field."""
        ctype, path = variable.type, variable.path
        annotation = self.annotated(KINDS, path)
        if annotation:
            return dict(annotation)
        match = re.fullmatch(r"(.*)\[(\d+)\]", ctype)
        if match:
            return self.fixed_array(variable, match[1], int(match[2]), role)
        if "(" in ctype:
            return self.callback(variable)
        base, stars = re.fullmatch(r"(.*?) ?(\**)", ctype).groups()
        if not stars:
            return self.plain(variable, role)
        if len(stars) > 1 or "*" in base:
            fail(path, f"an unknown pointer, {ctype}")
        is_const = base.startswith("const ")
        base = base.replace("const ", "")
        return self.pointer(variable, variables, base, is_const, role)

    def plain(self, variable, role):
        result = self.value(variable.path, variable.type)
        if result["kind"] == "handle":
            if self.listed(NULL, variable):
                result["null"] = True
            if role == "call" and variable.place.endswith("_valid"):
                result["any"] = True
        return result

    def fixed_array(self, variable, base, length, role):
        if role != "field" or "[" in base:
            fail(variable.path, f"an unknown array, {variable.type}")
        if base == "const char *":
            until = self.until(variable, None) or fail(variable.path, "strings for how long?")
            element = {"kind": "string", "until": until}
        elif "*" in base:
            fail(variable.path, f"an array of unknown pointers, {variable.type}")
        else:
            element = self.value(variable.path, base)
        result = {"kind": "fixed_array", "of": element, "length": length}
        used = self.annotated(USED, variable.path)
        return {**result, "used": used} if used else result

    def callback(self, variable):
        """Describes a pointer to a function."""
        if not re.match(r"[^(]*\(\*\)", variable.type):
            fail(variable.path, f"an unknown type, {variable.type}")
        self.add_callback(variable.path, variable.text, variable.type)
        return {"kind": "callback", "callback": variable.path, "null": True,
                "until": self.until(variable, "return")}

    def add_callback(self, path, text, ctype):
        entry = {"name": path}
        entry.update(self.signature(path, text, ctype))
        entry["may_call"] = self.annotated(MAY_CALL, path) or \
            fail(path, "which functions may this callback call? (MAY_CALL)")
        entry["threads"] = "any" if path in ANY_THREAD.split() else "caller"
        self.applied.add(path)
        self.callbacks.append(entry)

    def pointer(self, variable, variables, base, is_const, role):
        """Describes a pointer that is neither a result nor in an array nor a function."""
        path = variable.path
        until = "return" if role == "callback" else self.until(variable, "return")
        null = {"null": True} if self.listed(NULL, variable) else {}
        annotation = self.annotated(COUNTS, path)
        count = annotation or self.find_size(variable, variables, "count")
        capacity = self.find_size(variable, variables, "capacity")
        if self.kind_of.get(base) == "object":
            return {"kind": "object", "type": base, "const": is_const, **null}
        if base in self.tasks:
            return {"kind": "callback", "callback": base, "until": "freed"}
        if base == "char" and is_const:
            return {"kind": "string", **null, "until": until}
        if base == "void":
            if count and is_const:
                return {"kind": "bytes", "count": count, **null, "until": until}
            if capacity and not is_const:
                return {"kind": "out_bytes", "capacity": capacity, "null": True, "until": until}
            if variable.name == "user" and not is_const:
                life = {} if role == "callback" else {"until": until}
                return {"kind": "user", "null": True, **life}
            fail(path, "an unknown pointer to void")
        value = self.value(path, base)
        if count and is_const:
            return {"kind": "array", "of": value, "count": count, **null, "until": until}
        if role == "field":
            fail(path, f"an unknown pointer, {variable.type}; or its count is missing")
        if annotation and not is_const:
            return {"kind": "out_array", "of": value, "count": count, **null, "until": until}
        if capacity and not is_const:
            return {"kind": "out_array", "of": value, "capacity": capacity, "null": True,
                    "until": until}
        if self.listed(OUT, variable) and not is_const:
            return {"kind": "out", "to": value, **null, "until": until}
        if is_const and value["kind"] == "struct" and base != VECTOR:
            if not is_plural(variable.name) or variable.name == base[len("cn_"):]:
                return {"kind": "pointer", "to": value, **null, "until": until}
            fail(path, f"{variable.type}: its name is a plural, but there is no count")
        return fail(path, f"an unknown pointer, {variable.type}")

    # -- results

    def list_constants(self):
        return [self.entry(c["name"], *c["lines"]) for c in self.constants]

    def entry(self, name, first, last):
        entry = self.text.describe(name, first, last)
        entry["name"] = name
        return entry

    def list_enums(self):
        result = []
        for enum in self.enums:
            first, last = self.lines(enum["node"])
            values = []
            for item in enum["record"]["inner"]:
                if item["kind"] == "EnumConstantDecl":
                    values.append({"name": item["name"], **self.describe_part(item, first, last)})
            entry = self.entry(enum["name"], first, last)
            entry["values"] = values
            result.append(entry)
        return result

    def describe_part(self, node, first, last):
        """The comment of a field or enumerator of a declaration with these lines."""
        start, end = self.lines(node)
        comment = "" if first == last else self.text.comment(start, end)
        return {"comment": comment} if comment else {}

    def list_structs(self):
        result = []
        for struct in self.structs:
            name = struct["name"]
            if struct["node"] is None:
                number = {"kind": "number", "type": "float"}
                result.append({"name": name, "comment": "A vector. It is a union of cglm.",
                               "fields": [{"name": n, **number} for n in "xy"]})
                continue
            first, last = self.lines(struct["node"])
            nodes = self.fields_of(struct)
            variables = [Variable(name, n["name"], n["type"]["qualType"], self.source(n))
                         for n in nodes]
            fields = self.variables(variables, "field")
            for field, node in zip(fields, nodes):
                field.update(self.describe_part(node, first, last))
            entry = self.entry(name, first, last)
            if name in self.handles:
                entry["handle"] = True
            entry["fields"] = fields
            result.append(entry)
        return result

    def list_functions(self):
        result = []
        for node in self.functions:
            name = node["name"]
            if node.get("variadic"):
                fail(name, "a variable number of arguments")
            if find_node(node, "CompoundStmt"):
                fail(name, "a function with a body")
            if any(entry["name"] == name for entry in result):
                fail(name, "declared twice")
            variables = []
            for parameter in node.get("inner", []):
                if parameter["kind"] == "ParmVarDecl":
                    if "name" not in parameter:
                        fail(name, "a parameter without a name")
                    variables.append(Variable(name, parameter["name"],
                                              parameter["type"]["qualType"],
                                              self.source(parameter)))
            ctype = normalise(re.sub(r" ?\(.*", "", node["type"]["qualType"]))
            entry = self.entry(name, *self.lines(node))
            entry["effect"] = self.effect(name, variables)
            returns = self.returns(name, ctype, variables)
            if returns["kind"] == "object" or \
                    returns["kind"] == "handle" and entry["effect"] == "changes":
                entry["creates"] = returns["type"]
            if name.endswith("_destroy"):
                entry["destroys"] = name[:-len("_destroy")]
            entry["returns"] = returns
            entry["parameters"] = self.variables(variables, "call")
            result.append(entry)
        return result

    def is_object(self, variable, is_const):
        """True for a pointer to an opaque struct that is const or not."""
        match = re.fullmatch(r"(const )?(\w+) \*", variable.type)
        return match and self.kind_of.get(match[2]) == "object" and bool(match[1]) == is_const

    def effect(self, name, variables):
        if name in LENDS.split() + THREAD.split():
            self.applied.add(name)
            return "lends" if name in LENDS.split() else "thread"
        if any(self.is_object(v, False) for v in variables):
            return "changes"
        return "reads" if any(self.is_object(v, True) for v in variables) else "none"

    def list_objects(self, names, functions):
        """Describes handles or opaque structs: who creates and destroys them."""
        result = []
        for name in names:
            makers = [f["name"] for f in functions if f.get("creates") == name]
            enders = [f["name"] for f in functions if f.get("destroys") == name]
            if not makers or len(enders) != 1:
                fail(name, f"is created by {makers} and destroyed by {enders}")
            valid = next((f["name"] for f in functions if f["name"] == name + "_valid"), None)
            entry = {"type": name, "create": makers, "destroy": enders[0]}
            if valid:
                entry["valid"] = valid
            entry["parts"] = self.annotated(PARTS, name) or []
            entry["destroyed_by"] = self.annotated(DESTROYED_BY, name) or []
            result.append(entry)
        return result

    def list_tasks(self):
        for name, node in self.tasks.items():
            self.add_callback(name, self.source(node), node["type"]["qualType"])
            entry = self.entry(name, *self.lines(node))
            entry.update(self.callbacks.pop())
            self.callbacks.append(entry)

    def add_values(self, constants, enums, structs):
        """Adds the values of constants, and sizes and offsets."""
        names = [c["name"] for c in constants] + [v["name"] for e in enums for v in e["values"]]
        values = compute(self.header, names, "x86_64")
        for entry in constants + [v for e in enums for v in e["values"]]:
            entry["value"] = values[entry["name"]]
        for enum in enums:
            enum["flags"] = has_flags(enum["name"], [v["value"] for v in enum["values"]])
        places = []
        for struct in structs:
            name = struct["name"]
            places += [(struct, "size", f"sizeof({name})"), (struct, "align", f"_Alignof({name})")]
            places += [(field, "offset", f"__builtin_offsetof({name}, {field['name']})")
                       for field in struct["fields"]]
        sizes = {t: compute(self.header, [p[2] for p in places], t) for t in TARGETS}
        groups = {}
        for target in TARGETS:
            same = next((g for g in groups if sizes[g] == sizes[target]), target)
            groups.setdefault(same, []).append(target)
        for entry, key, expression in places:
            numbers = {group: sizes[group][expression] for group in groups}
            same = len(set(numbers.values())) == 1
            entry[key] = next(iter(numbers.values())) if same else numbers
        return groups

    def make(self, is_complete):
        """The whole description. All annotations must be of use if the header is complete."""
        structs = self.list_structs()
        self.list_tasks()
        functions = self.list_functions()
        constants, enums = self.list_constants(), self.list_enums()
        groups = self.add_values(constants, enums, structs)
        add_uses(structs, functions, self.callbacks)
        handles = self.list_objects(self.handles, functions)
        objects = self.list_objects([o["name"] for o in self.opaque], functions)
        for entry in self.opaque:
            described = next(o for o in objects if o["type"] == entry["name"])
            described.update(self.text.describe(entry["name"], *self.lines(entry["node"])))
        sections = [{"name": name, "comments": self.rest(name)}
                    for _, name in self.text.sections]
        paragraphs = self.text.list_paragraphs()
        if is_complete:
            self.check_annotations()
        return {"format": FORMAT, "targets": groups, "sections": sections,
                "paragraphs": paragraphs, "constants": constants, "enums": enums, "handles": handles, "objects": objects,
                "callbacks": self.callbacks, "structs": structs, "functions": functions}

    def rest(self, section):
        """The comments of a section that belong to no declaration."""
        return [c.text() for c in self.text.comments
                if not c.is_used and not c.is_trailing and c.column == 0
                and not re.fullmatch("-{20,}.*", c.text())
                and self.text.section_of(c.first) == section]

    def check_annotations(self):
        """An annotation that was not needed is an error."""
        names = " ".join((OUT, NULL, LENDS, THREAD, ANY_THREAD)).split()
        for table in (COUNTS, USED, UNTIL, KINDS, PARTS, DESTROYED_BY, MAY_CALL):
            names += table
        for name in names:
            if name not in self.applied:
                fail(name, "an annotation of nothing")


def has_flags(name, values):
    """False for values that count from 0, true for bits and sums of bits."""
    if values == list(range(len(values))):
        return False
    bits = 0
    for value in values:
        if value <= 0 or value & (value - 1) and value & ~bits:
            fail(name, "its values neither count from 0 nor are they bits")
        bits |= value
    return True


def singular(name):
    return name[:-3] + "y" if name.endswith("ies") else name.rstrip("s")


def hide_comments(text):
    """The text with blanks instead of comments."""
    def blank(match):
        return re.sub(r"[^\n]", " ", match[0])
    return re.sub(r"/\*.*?\*/|//[^\n]*", blank, text, flags=re.DOTALL)


def types_in(entry):
    """The structs that a parameter, field or result contains or points to."""
    for part in (entry, entry.get("to", {}), entry.get("of", {})):
        if isinstance(part, dict) and part.get("kind") in ("struct", "handle"):
            yield part["type"]


def add_uses(structs, functions, callbacks):
    """Adds to each struct whether the user passes it or gets it."""
    by_name = {s["name"]: s for s in structs}
    uses = {name: set() for name in by_name}

    def use(entry, role):
        for name in types_in(entry):
            if role not in uses[name]:
                uses[name].add(role)
                for field in by_name[name]["fields"]:
                    use(field, role)

    for signatures, given, taken in ((functions, "in", "out"), (callbacks, "out", "in")):
        for signature in signatures:
            use(signature["returns"], taken)
            for parameter in signature["parameters"]:
                is_out = parameter["kind"] in ("out", "out_array")
                use(parameter, taken if is_out else given)
    for struct in structs:
        struct["used"] = sorted(uses[struct["name"]])


# ---- C

def c_type(entry, callbacks, name=""):
    """The declaration, in C, of a name with the type of a parameter, field or result."""
    kind, base = entry["kind"], entry.get("type", "")
    if kind == "callback":
        if "." not in entry["callback"]:
            return f"{entry['callback']} *{name}"
        callback = next(c for c in callbacks if c["name"] == entry["callback"])
        types = ", ".join(c_type(p, callbacks) for p in callback["parameters"]) or "void"
        return c_type(callback["returns"], callbacks, f"(*{name})({types})")
    if kind == "fixed_array":
        return c_type(entry["of"], callbacks, f"{name}[{entry['length']}]")
    if kind in ("pointer", "array"):
        return "const " + c_type(entry.get("to") or entry["of"], callbacks, f"*{name}")
    if kind in ("out", "out_array"):
        return c_type(entry.get("to") or entry["of"], callbacks, f"*{name}")
    if kind == "object":
        return f"{'const ' if entry.get('const') else ''}{base} *{name}"
    plain = {"success": "bool", "bool": "bool", "void": "void", "string": "const char *",
             "bytes": "const void *", "out_bytes": "void *", "user": "void *",
             "context": "void *", "memory": "void *"}
    return f"{plain.get(kind, base)} {name}".replace("* ", "*").rstrip()


# ---- writing

ORDER = ("name", "kind", "type", "section", "comment", "paragraph", "value", "handle", "flags", "used",
         "size", "align", "offset")


def order(entry):
    """The description with its keys in one order, so that short ones come first."""
    if isinstance(entry, list):
        return [order(item) for item in entry]
    if not isinstance(entry, dict):
        return entry
    first = [key for key in ORDER if key in entry]
    return {key: order(entry[key]) for key in first + [k for k in entry if k not in first]}


def write(value, indent=0):
    """JSON with what fits on a line on one line."""
    flat = json.dumps(value, ensure_ascii=False)
    if indent + len(flat) <= 100 or not isinstance(value, (dict, list)) or not value:
        return flat
    inner = " " * (indent + 1)
    if isinstance(value, list):
        parts, ends = [write(item, indent + 1) for item in value], "[]"
    else:
        parts, ends = [f"{json.dumps(key)}: {write(item, indent + 1)}"
                       for key, item in value.items()], "{}"
    lines = (",\n" + inner).join(parts)
    return f"{ends[0]}\n{inner}{lines}\n{' ' * indent}{ends[1]}"


def describe(header, is_complete=True):
    """The text of api.json for the text of a header."""
    return write(order(Description(header).make(is_complete))) + "\n"


def main():
    names = [pathlib.Path(name) for name in sys.argv[1:]] + [HEADER, OUTPUT][len(sys.argv) - 1:]
    if not find_clang():
        print("describe.py needs clang", file=sys.stderr)
        return 77
    try:
        text = describe(names[0].read_text(encoding="utf-8"))
    except Unknown as error:
        print(f"describe.py: {error}", file=sys.stderr)
        return 1
    names[1].write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
