#!/usr/bin/env python3
"""Describes the API: makes api.json from cairn.h. Recordings, fuzzers and bindings are generated
from it.

    describe.py [HEADER [OUTPUT]]      default: ../cairn.h and api.json beside this script

Without arguments it also writes the hash of the API for the core, ../core/base/api_hash.h, and
cairn.def, the list of functions that a DLL exports.
tests/rules/check_api.py checks that api.json is up to date and agrees with what compilers see.

Types, names, values and layouts come from clang's syntax tree, once for each target. This needs
only clang's own headers and a replacement for cglm's vec2s, so no target needs a C library.
Comments, sections and the names of callbacks' parameters come from the text of the header: see
header_reader.py. The rules in kinds.py find the kind of a pointer. The ANNOTATIONS below add the
facts that do not follow from types and rules. A declaration without a kind is an error, and so is
an annotation that is not used.

Static functions with a body are not described: they are for C and C++ only.

The file has these entries, the lists in the order of the header:

    hash        what cn_api_hash() returns: FNV-1a of everything that matters to compiled programs,
                so not of comments, annotations and the version
    targets     which targets have the same layouts. A size, align or offset is a number if it is
                the same on all targets, else an object with one number for each of these groups
    sections    name and comments that belong to no declaration, such as the example of the section
    paragraphs  of several declarations: see below
    constants   name and value
    enums       name and values; "flags" if values are bits to add up
    handles     the objects of a world: type, create, destroy; valid (a function that takes any
                handle without an error); parts: what is destroyed with it; destroyed_by: further
                functions that may destroy it
    objects     opaque structs, such as the world: the same properties
    callbacks   functions of the user: name (a typedef, STRUCT.FIELD or FUNCTION.PARAMETER),
                returns, parameters; may_call: what it may call: functions with these "effects" and
                these "functions", except those in "except"; threads: "any" if it may run on
                another thread than the call of Cairn that it belongs to, else "caller"
    structs     name, size, align, fields; "handle" if it is one; "used": "in" if the user passes it
                to functions, "out" if functions or callbacks give it to the user
    functions   name, effect, returns, parameters; creates, destroys: an object; part: the folder
                of engine/parts/ that it belongs to, unless it is of the core; names: what the
                bindings for JavaScript, Python and Lua call it: see below

Everything declared has a section and the comment that stands directly above it or behind it. If it
shares its paragraph (lines without an empty one between) with others, "paragraph" is the index of
the paragraph: groups of names, each with the comment that stands above the group. The first comment
of a paragraph may be about all of it.

The effect of a function is one of
    changes     takes a world, or another object, that is not const
    lends       the same, but the simulation does not change: the function only returns arrays of
                the world, keeps a state, or begins or ends a recording
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
                parameter or field beside it, or such names and numbers with +, - and *, in which a
                bool is 0 or 1
    out_array   the same, written. Exactly "count" values, or at most "capacity", and the function
                returns how many there are; with (NULL, 0) it only counts
    bytes  out_bytes    the same without a type. "from" names the function that must have made the
                bytes; they must be unchanged
    inline_array    "length" values "of" within a struct; the first "used" ones are filled
    count  capacity     a number: that of the arrays "of"
    total       the result of a function that writes the out_array "of": the number of all results
    string      ends with a zero
    callback    a pointer to a function: "callback" names it
    user        a pointer of the user: the callbacks "of" get it as their parameter of this kind
    context     a pointer that one function of a pair returns and that is passed to the other one
    memory      a block of "count" bytes
"null": true means that NULL or the null handle is allowed, "any": true any handle at all. "until"
says how long memory or a callback behind a pointer has to stay, or may be read:
    return      until the call returns; what it needs later, it copies
    replaced    until the same function sets another one, or the world is destroyed
    destroyed   until the world, or the object that the call is on or creates, is destroyed
    error       until the next call of this thread that fails
    events      until the next step or cn_world_events()
    change      until the next call that changes the world
    freed       until it is given back: an object by its destroy, memory by release(), and the
                context of a task by the end of the task
    forever     as long as the program runs

"names" has the name of a function in each language of LANGUAGES, or null where the language has no
such function. The words are those of C, so that whoever knows one language knows all:
    Class.word      cn_body_max_speed: "Body.maxSpeed" in JavaScript, "Body.max_speed" in Python and
                    Lua. The class is that of the object or value after which the function is named,
                    if the function takes one.
    Class.word      also for a setter of one value: getter and setter are one property.
                    "Body.setDamping", "Body.set_damping" if there is no such getter, or if they
                    take further arguments.
    Class.create_x  for cn_x_create(), in the class of its first objects: "Body.create_shape"; or
                    "World" if it needs no object: the constructor
    Class.plural    for cn_body_next_shape(): "Body.shapes", which can be iterated
    word            a function of the module: "regular_polygon", "regularPolygon"
In Python joint.x, joint.y and joint.angle are objects, so a function of a joint with an axis is a
member of "JointCoordinate". In Lua a word without a class is one of the module, also if it returns
a value of a class: "pose_at" is cairn.pose_at().
"""
import json
import pathlib
import re
import sys

from header_reader import (TARGETS, Text, Unknown, compute, end_of, fail, find_clang, find_node,
                           hide_comments, normalise, parse, start_of)
from kinds import NUMBERS, VECTOR, Annotations, Kinds, Variable, add_uses, types_in

HERE = pathlib.Path(__file__).resolve().parent
HEADER, OUTPUT = HERE.parent / "cairn.h", HERE / "api.json"
HASH_HEADER = HERE.parent / "core/base/api_hash.h"
EXPORTS = HERE / "cairn.def"
FORMAT = 1  # of api.json: other numbers have other fields

# ---- ANNOTATIONS: facts that do not follow from types and rules

READS = {"effects": ["reads", "thread", "none"], "functions": [], "except": ["cn_world_save"]}
RECORDED = {"kind": "bytes", "count": "size", "from": "cn_recording_begin", "until": "return"}
SAVED = {"kind": "bytes", "count": "size", "from": "cn_world_save", "until": "return"}
NOTHING = {"effects": [], "functions": [], "except": []}
# Names are those of functions, structs and callbacks, or PLACE.NAME of their parameters and fields.
ANNOTATIONS = {
    # Pointers to one value that is written.
    "out": "cn_hull_clip.exact cn_hull_slice.in_front cn_body_locks.x cn_body_locks.y cn_body_locks.rotation "
           "cn_world_draw.drawing",
    # Pointers and handles that may be null, apart from callbacks and arrays to write.
    "null": "cn_world_destroy.world cn_rollback_destroy.rollback cn_replay_destroy.replay "
            "cn_hull_clip.exact cn_hull_slice.in_front cn_body_locks.x "
            "cn_body_locks.y cn_body_locks.rotation cn_world_move_hull.def "
            "*.query *.previous cn_query.ignore cn_ride.body cn_body_def.shapes cn_coupling.other cn_chain_def.materials "
            "cn_grid_def.solid cn_grid_def.tiles cn_grid_def.materials cn_world_load.callbacks "
            "cn_worlds_step.errors",
    # Counts of arrays that the rules do not find.
    "counts": {
        "cn_chain_def.materials": "count - 1 + closed",
        "cn_grid_def.solid": "width * height", "cn_grid_def.tiles": "width * height",
        "cn_grid_def.materials": "material_count", "cn_world_cast_rays.hits": "count",
        "cn_worlds_step.errors": "count",
        "cn_drawing.triangles": "triangle_vertices", "cn_drawing.lines": "line_vertices"},
    # How many values of an array within a struct are filled.
    "used": {
        "cn_hull.vertices": "count", "cn_manifold.points": "count", "cn_move.pushes": "push_count",
        "cn_move.sensors": "sensor_count",
        "cn_profile.names": "count", "cn_profile.seconds": "count"},
    # How long pointers stay valid that a function or struct returns, or must stay valid if it keeps
    # them.
    "until": {
        "cn_error": "error", "cn_error_set_hook": "replaced", "cn_callbacks": "replaced",
        "cn_allocator": "destroyed", "cn_task_system": "destroyed", "cn_events": "events",
        "cn_drawing": "change", "cn_profile": "forever", "cn_recording_sink": "replaced",
        "cn_replay_text": "change"},
    # Pointers to void, numbers and results whose kind does not follow from their type.
    "kinds": {
        "cn_allocator.allocate.returns": {"kind": "memory", "count": "size", "until": "freed"},
        "cn_allocator.release.block": {"kind": "memory", "count": "size", "until": "return"},
        "cn_task_system.start.returns": {"kind": "context", "until": "freed"},
        "cn_task_system.start.context": {"kind": "context", "until": "freed"},
        "cn_task_system.finish.handle": {"kind": "context", "until": "return"},
        "cn_task.context": {"kind": "context", "until": "return"},
        "cn_world_draw.flags": {"kind": "flags", "type": "uint32_t", "enum": "cn_draw_flags"},
        "cn_world_cast_rays.returns": {"kind": "success"},
        "cn_worlds_step.worlds": {
            "kind": "array", "of": {"kind": "object", "type": "cn_world", "const": False},
            "count": "count", "until": "return"},
        "cn_recording_cut.bytes": RECORDED,
        "cn_replay_create.bytes": {**RECORDED, "until": "destroyed"},
        "cn_replay_world.returns": {"kind": "object", "type": "cn_world", "until": "destroyed"},
        "cn_world_restore.bytes": SAVED, "cn_world_load.bytes": SAVED},
    # Effects of functions that do not follow from their objects.
    "lends": "cn_world_events cn_world_draw cn_recording_begin cn_recording_end cn_replay_world "
             "cn_replay_text cn_rollback_create cn_rollback_keep",
    "thread": "cn_error cn_error_code cn_error_clear cn_error_set_hook",
    # The objects that are destroyed with an object, and functions that may destroy an object: a
    # joint may break, and a chain ends with its last segment.
    "parts": {
        "cn_world": ["cn_body", "cn_shape", "cn_joint", "cn_chain", "cn_grid"],
        "cn_body": ["cn_shape", "cn_joint", "cn_chain", "cn_grid"], "cn_chain": ["cn_shape"]},
    "destroyed_by": {"cn_joint": ["cn_world_step", "cn_world_advance"],
                     "cn_chain": ["cn_shape_destroy"]},
    # The functions that a callback may call, and the callbacks that may run on any thread.
    "may_call": {
        "cn_error_set_hook.function":
            {"effects": [], "functions": ["cn_error", "cn_error_code"], "except": []},
        "cn_callbacks.filter": READS, "cn_callbacks.pre_solve": READS, "cn_query.accept": READS,
        "cn_callbacks.before_step":
            {"effects": ["changes", "lends", "reads", "thread", "none"], "functions": [],
             "except": ["cn_world_step", "cn_world_advance", "cn_world_restore",
                        "cn_world_destroy", "cn_rollback_rewind", "cn_recording_begin",
                        "cn_recording_end"]},
        "cn_recording_sink.write": NOTHING,
        "cn_allocator.allocate": NOTHING, "cn_allocator.release": NOTHING, "cn_task": NOTHING,
        "cn_task_system.start": NOTHING, "cn_task_system.finish": NOTHING},
    "any_thread": "cn_allocator.allocate cn_allocator.release cn_task cn_query.accept "
                  "cn_callbacks.filter cn_callbacks.pre_solve cn_recording_sink.write",
}

# ---- NAMES in the bindings

# The languages, and their classes of values. All languages have a class for each kind of object.
# Other values are plain data there, and a function on them is one of the module.
LANGUAGES = {
    "js": {"cn_hull"},
    "python": None,  # all structs
    "lua": {"cn_hull", "cn_rotation", "cn_pose", "cn_bounds", "cn_sweep"}}
# What does not follow from the rules. One name: the words for all languages.
ERRORS = {"js": None, "python": None, "lua": None}  # a call that fails raises an error there
NAMES = {
    "cn_error": ERRORS, "cn_error_clear": ERRORS,
    # The error that is raised has its kind; in Lua an error is a text.
    "cn_error_code": {"js": None, "python": None},
    "cn_error_set_hook": {"js": None},  # the package uses the only hook itself
    # A sensor is a shape.
    "cn_sensor_shapes": "cn_shape.sensor_shapes",
    # A recording is no object in C: it belongs to the world, the verb comes first as in create_body.
    "cn_recording_begin": "cn_world.begin_recording",
    "cn_recording_end": "cn_world.end_recording",
    # Python has a class for many worlds.
    "cn_worlds_step": {"python": "Batch.step"},
}


class Names:
    """The rules of names: see above."""

    def __init__(self, api):
        self.functions = {f["name"]: f for f in api["functions"]}
        self.objects = {entry["type"] for entry in api["handles"] + api["objects"]}
        self.nouns = self.objects | {s["name"] for s in api["structs"]}

    def add(self, is_complete):
        """Adds the names to all functions."""
        for function in self.functions.values():
            function["names"] = {language: self.name(function, language) for language in LANGUAGES}
        for name in NAMES if is_complete else ():
            if name not in self.functions:
                fail(name, "has exceptional names, but is not declared")

    def name(self, function, language):
        exception = NAMES.get(function["name"], {})
        if isinstance(exception, dict) and language in exception:
            return exception[language]
        if isinstance(exception, str):
            return self.write(*exception.split("."), language)
        return self.write(*self.place(function, language), language)

    def place(self, function, language):
        """The class and the words of a function. A function of the module has no class, and the
        name of a class alone is its constructor."""
        name = function["name"]
        noun = max((n for n in self.nouns if name.startswith(n + "_")), key=len, default=None)
        words = name[len(noun) + 1:] if noun else ""
        own = [value.get("to", value).get("type") for value in function["parameters"]]
        if function.get("creates") == noun and noun and words == "create":
            owner = self.owner_of_parameters(own)
            return (owner, f"create_{noun[3:]}") if owner else (noun, None)
        is_member = noun in own[:1] or noun in self.objects and own[:2] == ["cn_world", noun]
        is_static = function["returns"].get("type") == noun and language != "lua"
        if not noun or not self.is_class(noun, language) or not (is_member or is_static):
            return None, name[3:]
        if words.startswith("next_"):
            return noun, plural(words.removeprefix("next_"))
        has_axis = language == "python" and own[2:3] == ["cn_joint_axis"]
        owner = "cn_joint_coordinate" if has_axis else noun
        given = len(own) - has_axis - (1 if own[:1] == [noun] else 2)
        if words.startswith("set_") and given == 1 and \
                self.has_getter(f"{noun}_{words[4:]}", len(own) - 1):
            words = words.removeprefix("set_")
        return owner, words

    def owner_of_parameters(self, types):
        """The class of the function that creates an object for a world, or for a body of it."""
        if types[:1] != ["cn_world"]:
            return None
        return types[1] if len(types) > 1 and types[1] in self.objects else "cn_world"

    def has_getter(self, name, count):
        getter = self.functions.get(name)
        return getter and len(getter["parameters"]) == count

    def is_class(self, noun, language):
        values = LANGUAGES[language]
        return noun in self.objects or values is None or noun in values

    @staticmethod
    def write(owner, words, language):
        if language == "js":
            words = words and re.sub(r"_(\w)", lambda m: m[1].upper(), words)
        if not owner:
            return words
        name = "".join(word.capitalize() for word in owner.removeprefix("cn_").split("_"))
        return f"{name}.{words}" if words else name


def plural(noun):
    return noun[:-1] + "ies" if noun.endswith("y") else noun + "s"


def sort_structs(structs):
    """Puts each struct behind those that its fields are of or point to."""
    by_name, result = {s["name"]: s for s in structs}, {}

    def add(struct):
        if struct["name"] in result:
            return
        for field in struct["fields"]:
            for name in types_in(field):
                add(by_name[name])
        result[struct["name"]] = struct

    for struct in structs:
        add(struct)
    return list(result.values())


class Description:
    """Everything that is described."""

    def __init__(self, header):
        self.text = Text(header)
        self.header = header
        self.bytes = header.encode()
        self.constants, self.enums, self.structs, self.functions = [], [], [], []
        self.opaque, self.handles = [], []
        self.function_types = {}  # name: node
        self.annotations = Annotations(ANNOTATIONS)
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
                is_private = node.get("storageClass") == "static" and node.get("inline")
                if not is_private:
                    self.functions.append(node)
            else:
                fail(name or kind, f"a {kind} is not described")
        described = {record["id"] for record in pending + [
            entry["record"] for entry in self.enums + self.structs + self.opaque]}
        complete = {entry["name"] for entry in self.structs}  # others: declared before
        self.opaque = [entry for entry in self.opaque if entry["name"] not in complete]
        for record in records.values():
            if record["id"] not in described:
                fail(record.get("name"), "a struct, union or enumeration without a typedef")
        self.read_constants(pending)
        self.structs.insert(0, {"name": VECTOR, "node": None})
        self.kinds = Kinds(self.annotations, self.find_kinds(), self.function_types)

    def read_typedef(self, node, records, pending):
        name, ctype = node["name"], normalise(node["type"]["qualType"])
        if "(*" in ctype:
            fail(name, "a typedef of a pointer to a function; name the function type instead")
        if "(" in ctype:
            self.function_types[name] = node
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
            if not re.fullmatch(r"\s+(-?\w+|\([\w\s*+-]+\))\s*", match[2]):
                fail(match[1], "a macro that is no integer")
            line = self.text.line_of(match.start())
            found.append((len(self.header[:match.start()].encode()), match[1], line, line))
        self.constants = [{"name": name, "lines": lines} for _, name, *lines in sorted(found)]

    def find_kinds(self):
        """The kinds of all types that have a name. Handles are structs that end with an id."""
        kinds = {"bool": "bool", "void": "void", **dict.fromkeys(NUMBERS, "number")}
        kinds.update((e["name"], "enum") for e in self.enums)
        kinds.update((o["name"], "object") for o in self.opaque)
        for struct in self.structs:
            fields = [] if struct["name"] == VECTOR else self.fields_of(struct)
            parts = [(normalise(f["type"]["qualType"]), f["name"]) for f in fields]
            is_handle = (parts and parts[-1] == ("uint64_t", "id")
                         and all(ctype in self.handles for ctype, _ in parts[:-1]))
            if is_handle:
                self.handles.append(struct["name"])
            kinds[struct["name"]] = "handle" if is_handle else "struct"
        return kinds

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

    # -- results

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
            fields = self.kinds.variables(variables, "field")
            for field, node in zip(fields, nodes):
                field.update(self.describe_part(node, first, last))
            entry = self.entry(name, first, last)
            if name in self.handles:
                entry["handle"] = True
            entry["fields"] = fields
            result.append(entry)
        return sort_structs(result)

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
            entry["effect"] = self.kinds.effect(name, variables)
            returns = self.kinds.returns(name, ctype, variables)
            if returns["kind"] == "object" and returns["until"] == "freed" or \
                    returns["kind"] == "handle" and entry["effect"] == "changes":
                entry["creates"] = returns["type"]
            if name.endswith("_destroy"):
                entry["destroys"] = name[:-len("_destroy")]
            entry["returns"] = returns
            entry["parameters"] = self.kinds.variables(variables, "call")
            result.append(entry)
        return result

    def list_objects(self, names, functions):
        """Describes handles or opaque structs: what creates and destroys them."""
        result = []
        for name in names:
            creators = [f["name"] for f in functions if f.get("creates") == name]
            destroyers = [f["name"] for f in functions if f.get("destroys") == name]
            if not creators or len(destroyers) != 1:
                fail(name, f"is created by {creators} and destroyed by {destroyers}")
            valid = next((f["name"] for f in functions if f["name"] == name + "_valid"), None)
            entry = {"type": name, "create": creators, "destroy": destroyers[0]}
            if valid:
                entry["valid"] = valid
            for key in ("parts", "destroyed_by"):
                entry[key] = self.annotations.find(key, name) or []
            result.append(entry)
        return result

    def add_function_types(self):
        """Adds the function types to the callbacks."""
        for name, node in self.function_types.items():
            entry = self.entry(name, *self.lines(node))
            self.kinds.add_callback(name, self.source(node), node["type"]["qualType"], entry)

    def add_values(self, constants, enums):
        """Adds the values of constants."""
        entries = constants + [value for enum in enums for value in enum["values"]]
        values = compute(self.header, [e["name"] for e in entries], "x86_64")
        for entry in entries:
            entry["value"] = values[entry["name"]]
        for enum in enums:
            enum["flags"] = has_flags(enum["name"], [v["value"] for v in enum["values"]])

    def add_layouts(self, structs):
        """Adds sizes and offsets. Returns the groups of targets that have the same ones."""
        places = []  # entry, key, expression in C
        for struct in structs:
            name = struct["name"]
            places += [(struct, "size", f"sizeof({name})"), (struct, "align", f"_Alignof({name})")]
            places += [(field, "offset", f"__builtin_offsetof({name}, {field['name']})")
                       for field in struct["fields"]]
        layouts = {t: compute(self.header, [p[2] for p in places], t) for t in TARGETS}
        groups = {}
        for target in TARGETS:
            same = next((g for g in groups if layouts[g] == layouts[target]), target)
            groups.setdefault(same, []).append(target)
        for entry, key, expression in places:
            numbers = {group: layouts[group][expression] for group in groups}
            is_same = len(set(numbers.values())) == 1
            entry[key] = next(iter(numbers.values())) if is_same else numbers
        return groups

    def make(self, is_complete):
        """The whole description. All annotations must be used if the header is complete."""
        api = {"format": FORMAT, "hash": None, "targets": None, "sections": None,
               "paragraphs": None}
        api["constants"] = [self.entry(c["name"], *c["lines"]) for c in self.constants]
        api["enums"] = self.list_enums()
        structs = self.list_structs()
        self.add_function_types()
        functions = self.list_functions()
        if is_complete:
            add_parts(functions)
        api["handles"] = self.list_objects(self.handles, functions)
        api["objects"] = self.list_objects([o["name"] for o in self.opaque], functions)
        for described, entry in zip(api["objects"], self.opaque):
            text = self.entry(entry["name"], *self.lines(entry["node"]))
            described.update({key: text[key] for key in ("section", "comment") if key in text})
        api.update(callbacks=self.kinds.callbacks, structs=structs, functions=functions)
        add_uses(structs, functions, self.kinds.callbacks)
        Names(api).add(is_complete)
        self.add_values(api["constants"], api["enums"])
        api["targets"] = self.add_layouts(structs)
        api["paragraphs"] = self.text.list_paragraphs()
        api["sections"] = [{"name": name, "comments": self.text.rest(name)}
                           for _, name in self.text.sections]
        if is_complete:
            self.annotations.check()
            declared = set(self.kinds.kind_of) | {name for _, name, _ in self.text.declared}
            for name in re.findall(r'"(cn_\w+)"', json.dumps(ANNOTATIONS)):
                if name not in declared:
                    fail(name, "is in the annotations, but not declared")
        api["hash"] = compute_hash(api)
        return api


# ---- the hash of the API

HASHED = {"constants", "enums", "callbacks", "structs", "functions", "name", "kind", "type", "value",
          "values", "fields", "size", "align", "offset", "to", "of", "const", "count", "length",
          "returns", "parameters", "x86_64", "i686", "wasm32"}


def keep_hashed(entry):
    """The parts of a description that compiled programs and bindings depend on."""
    if isinstance(entry, list):
        return [keep_hashed(item) for item in entry]
    if not isinstance(entry, dict):
        return entry
    return {key: keep_hashed(value) for key, value in entry.items() if key in HASHED}


def compute_hash(api):
    """FNV-1a of the canonical text of the API. The version is not in it."""
    kept = keep_hashed(api)
    kept["constants"] = [c for c in kept["constants"] if not c["name"].startswith("CN_VERSION")]
    number = 0x811c9dc5
    for byte in json.dumps(kept, sort_keys=True).encode():
        number = (number ^ byte) * 0x01000193 % 2 ** 32
    return number


def write_hash(api):
    """The header for the core."""
    return ("// The hash of the API. Made by engine/bindings/describe.py: do not edit.\n"
            "#ifndef CN_API_HASH_H\n#define CN_API_HASH_H\n\n"
            f"#define CN_API_HASH 0x{api['hash']:08x}u\n\n#endif\n")


def write_exports(api):
    """The list of functions for the linkers of Windows."""
    return "\n".join(["; Made by describe.py: do not edit.", "EXPORTS",
                      *(f"    {function['name']}" for function in api["functions"]), ""])


def add_parts(functions):
    """Adds to each function the part of the engine that it belongs to: where it is defined. Those
    of the core have none."""
    parts = {}
    for path in sorted((HEADER.parent / "parts").glob("*/*.c")):
        for name in re.findall(r"^[a-z].*?\b(cn_\w+)\([^;]*?\) \{", path.read_text(encoding="utf-8"),
                               re.MULTILINE):
            parts[name] = path.parent.name
    for function in functions:
        if function["name"] in parts:
            function["part"] = parts[function["name"]]


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


# ---- writing

ORDER = ("name", "kind", "type", "section", "part", "comment", "paragraph", "value", "handle", "flags",
         "used", "size", "align", "offset")


def order(entry):
    """The description with its keys in one order, so that short ones come first."""
    if isinstance(entry, list):
        return [order(item) for item in entry]
    if not isinstance(entry, dict):
        return entry
    first = [key for key in ORDER if key in entry]
    return {key: order(entry[key]) for key in first + [k for k in entry if k not in first]}


def write(value, indent=0):
    """The value as JSON. A list or object that fits on one line is written on one line."""
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
    if len(sys.argv) == 1:
        HASH_HEADER.write_text(write_hash(json.loads(text)), encoding="utf-8")
        EXPORTS.write_text(write_exports(json.loads(text)), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
