#!/usr/bin/env python3
"""Makes the generated parts of the Python binding from api.json.

    generate.py FOLDER [API]       default of API: ../api.json beside this script

It writes into the folder:

    _abi.py       ctypes: the enumerations, structs and functions of cairn.h
    _values.py    named tuples for results of C, typed dicts for definitions, free functions
    _calls.py     base classes of World, Body, Shape, ...: each property and method that needs no
                  more than its arguments converted, its error checked and its result converted
    _many.py      the same calls for many objects at once, with numpy arrays
    many.c        the loops behind _many.py

These files are made when a package is built and are not committed, so a package always agrees with
the header. The rest is written by hand in world.py, objects.py, saving.py and batch.py. All names are
those that api.json has for Python. tests/bindings/python/test_reach.py calls every function, and
test_names.py compares the names.
"""
import json
import pathlib
import re
import struct
import sys
import textwrap

HERE = pathlib.Path(__file__).resolve().parent
TARGET = "x86_64"  # layouts of this group: all 64-bit machines
CTYPES = {"float": "c_float", "double": "c_double", "int": "c_int", "int32_t": "c_int32",
          "uint8_t": "c_uint8", "uint32_t": "c_uint32", "uint64_t": "c_uint64",
          "size_t": "c_size_t"}
CODES = {"float": "f", "double": "d", "int": "i", "int32_t": "i", "uint8_t": "B", "uint32_t": "I",
         "uint64_t": "Q", "size_t": "Q"}
RANGES = {"int": (-2**31, 2**31 - 1), "int32_t": (-2**31, 2**31 - 1), "uint8_t": (0, 255),
          "uint32_t": (0, 2**32 - 1), "uint64_t": (0, 2**64 - 1), "size_t": (0, 2**64 - 1)}
OWNERS = {"cn_body": "Body", "cn_shape": "Shape", "cn_joint": "Joint", "cn_grid": "Grid",
          "cn_chain": "Chain"}
FINDERS = {"cn_body": "_body", "cn_shape": "_shape", "cn_joint": "_joint", "cn_grid": "_grid",
           "cn_chain": "_chain"}
PLURALS = {"cn_body": "Bodies", "cn_shape": "Shapes", "cn_joint": "Joints", "cn_grid": "Grids",
           "cn_chain": "Chains"}
# Definitions are filled from keyword arguments; the fields of these structs in them may be given
# directly.
PARTS = ("cn_material", "cn_filter", "cn_query")
DEFINITIONS = {"cn_world_def", "cn_body_def", "cn_shape_def", "cn_chain_def", "cn_grid_def",
               "cn_joint_def", "cn_query", "cn_explosion", "cn_move_def"}
# Fields that are arguments of their own.
GIVEN = {"cn_shape_def": ["hull"], "cn_chain_def": ["points"], "cn_explosion": ["position"],
         "cn_grid_def": ["solid", "tiles", "width", "height", "tile_size"]}
# Structs that the user never sees as values.
PLAIN = DEFINITIONS | {"vec2s", "cn_hull", "cn_outline", "cn_allocator", "cn_task_system",
                       "cn_callbacks", "cn_events", "cn_recording_sink", "cn_profile", "cn_drawing",
                       "cn_body_state", "cn_draw_vertex", "cn_ray"}
WITHOUT_DEFAULTS = {"cn_rotation", "cn_pose", "cn_bounds"}
# Functions that are written by hand, though their parameters are simple.
BY_HAND = {"cn_world_step", "cn_world_advance", "cn_world_compare", "cn_joint_definition",
           "cn_error_code", "cn_error_clear", "cn_world_explode"}
# Methods, not properties, though they have no arguments.
METHODS = {"cn_world_hash", "cn_pose_inverse", "cn_body_reset_mass"}
DEFAULTS = {("cn_body_ground", "up"): "(0, 1)", ("cn_body_ground", "max_slope"): "0.785",
            ("cn_hull_collide", "margin"): "0"}
MADE = '"""{} Made by generate.py: do not edit."""\n'


def class_name(name):
    if name == "vec2s":
        return "Vec2"
    return "".join(part.capitalize() for part in name.removeprefix("cn_").split("_"))


def offset(value):
    return value if isinstance(value, int) else value[TARGET]


def quote(text, indent):
    """A docstring, or nothing."""
    if not text:
        return ""
    lines = text.replace("\\", "\\\\").replace('"""', "'''").split("\n")
    body = ("\n" + indent).join(lines).replace("\n" + indent + "\n", "\n\n")
    end = '"""' if "\n" not in body and len(body) < 90 else f'\n{indent}"""'
    return f'{indent}"""{body}{end}\n'


class Generator:
    def __init__(self, api):
        self.api = api
        self.structs = {s["name"]: s for s in api["structs"]}
        self.enums = {e["name"]: e for e in api["enums"]}
        self.functions = {f["name"]: f for f in api["functions"]}
        self.comments = {name: group["comment"] for paragraph in api["paragraphs"]
                         for group in paragraph for name in group["names"]}

    def doc(self, entry):
        """The comment of an entry, else that of its group."""
        return entry.get("comment") or self.comments.get(entry["name"]) or ""

    def doc_of_pair(self, getter, setter):
        """The docstring of a property: the comments of its two functions, else that of their
        group."""
        own = [f["comment"] for f in (getter, setter) if f.get("comment")]
        return "\n\n".join(dict.fromkeys(own)) or self.doc(getter)

    def parts_of(self, name):
        """The fields of a definition whose own fields may be given directly."""
        return [f["name"] for f in self.structs[name]["fields"]
                if name in DEFINITIONS and f.get("type") in PARTS]

    @staticmethod
    def place(f):
        """The class that a function belongs to (None: the module) and its name there, from the
        names in the description; None, None: not in Python."""
        name = f["names"]["python"] or ""
        owner, _, short = name.rpartition(".")
        return owner or None, short or None

    # -- _abi.py

    def ctype(self, value):
        """The type in ctypes of a parameter, field or result."""
        kind = value["kind"]
        if kind in ("number", "count", "capacity", "flags", "total"):
            return CTYPES[value["type"]]
        if kind in ("bool", "success"):
            return "c_bool"
        if kind == "enum":
            return "c_int"
        if kind == "handle":
            return "c_uint64"
        if kind == "struct":
            return value["type"]
        if kind == "string":
            return "c_char_p"
        if kind == "pointer" and value["to"]["kind"] == "struct":
            return f"POINTER({value['to']['type']})"
        if kind == "array" and value["of"]["kind"] in ("struct", "number"):
            return f"POINTER({self.ctype(value['of'])})"
        if kind == "inline_array":
            return f"{self.ctype(value['of'])} * {value['length']}"
        return "None" if kind == "void" else "c_void_p"

    def parameter_ctype(self, value):
        """Arrays may be anything with an address: an array of ctypes, bytes or a number."""
        return "c_void_p" if value["kind"] == "array" else self.ctype(value)

    def converter(self, field):
        kind = field["kind"]
        if kind in ("number", "count", "flags"):
            return field["type"] in RANGES and "integer({}, {})".format(*RANGES[field["type"]])
        if kind == "bool":
            return "boolean"
        if kind == "enum":
            return f"member({class_name(field['type'])})"
        if kind == "handle":
            return f'handle("{OWNERS[field["type"]]}")'
        if kind == "struct":
            return f"struct({field['type']})"
        if kind == "array":
            count = field["count"] if field["count"].isidentifier() else None
            return f"array({self.ctype(field['of'])}, {count!r})"
        if kind == "inline_array" and field["of"]["kind"] == "struct":
            return f"InlineArray({field['of']['type']}, {field['length']}, {field.get('used')!r})"
        return None

    def write_struct(self, entry):
        name = entry["name"]
        lines = [f"class {name}(Struct):\n", "    _fields_ = [\n"]
        lines += [f'        ("{f["name"]}", {self.ctype(f)}),\n' for f in entry["fields"]]
        lines += ["    ]\n", f"    _names_ = frozenset(name for name, _ in _fields_)\n"]
        enters = [(f["name"], self.converter(f)) for f in entry["fields"]]
        enters = [f'        "{n}": {c},\n' for n, c in enters if c]
        if enters:
            lines += ["    _enter_ = {\n", *enters, "    }\n"]
        if self.parts_of(name):
            lines.append(f"    _parts_ = {tuple(self.parts_of(name))!r}\n")
        return "".join(lines)

    def write_enum(self, entry):
        names = [v["name"] for v in entry["values"]]
        split = [n.split("_") for n in names]
        prefix = 0
        while all(len(s) > prefix + 1 and s[prefix] == split[0][prefix] for s in split):
            prefix += 1
        base = "IntFlag" if entry["flags"] else "IntEnum"
        lines = [f"class {class_name(entry['name'])}({base}):\n",
                 quote(self.doc(entry), "    ")]
        for value, parts in zip(entry["values"], split):
            comment = " ".join(value.get("comment", "").split("\n"))
            lines.append(f"    {'_'.join(parts[prefix:])} = {value['value']}"
                         + (f"  # {comment}" if comment else "") + "\n")
        return "".join(lines)

    def callback_types(self):
        for entry in self.api["callbacks"]:
            kinds = [entry["returns"]] + entry["parameters"]
            if entry["returns"]["kind"] == "struct":
                continue  # ctypes has no such callbacks: see native.c
            types = ["c_void_p" if k["kind"] in ("pointer", "bytes") else self.ctype(k)
                     for k in kinds]
            yield f'    "{entry["name"]}": CFUNCTYPE({", ".join(types)}),\n'

    def public_names(self):
        """Enumerations and constants."""
        return [class_name(e["name"]) for e in self.api["enums"]] + \
            [c["name"].removeprefix("CN_") for c in self.api["constants"]]

    def write_all(self, names):
        text = ", ".join(f'"{name}"' for name in names)
        return "\n__all__ = [\n    " + "\n    ".join(textwrap.wrap(text, 92)) + "\n]\n"

    def abi(self):
        size = offset(self.structs["cn_world_def"]["size"])
        version = next(c["value"] for c in self.api["constants"] if c["name"] == "CN_VERSION")
        structs = [s for s in self.api["structs"] if not s.get("handle")]
        names = self.public_names() + [s["name"] for s in structs] + list(self.functions)
        parts = [MADE.format("The enumerations, structs and functions of cairn.h, for ctypes."),
                 "from ctypes import (CDLL, CFUNCTYPE, POINTER, c_bool, c_char_p, c_double, "
                 "c_float, c_int,\n                    c_int32, c_size_t, c_uint8, c_uint32, "
                 "c_uint64, c_void_p, sizeof)\n"
                 "from enum import IntEnum, IntFlag\n\n"
                 "from ._base import (CairnError, InlineArray, Struct, array, boolean, "
                 "check_library, find_library,\n                    handle, integer, member, struct)"
                 "\n\n"
                 + self.write_all(names + sorted(set(CTYPES.values())) + ["c_bool", "c_void_p",
                                                                          "sizeof"])
                 + "\nlib = CDLL(find_library())\n"
                 f"check_library(lib, {version}, 0x{self.api['hash']:08x})\n\n"]
        parts += [f"{c['name'].removeprefix('CN_')} = {c['value']}\n"
                  for c in self.api["constants"]]
        parts += ["\n\n" + self.write_enum(e) for e in self.api["enums"]]
        parts += ["\n\n" + self.write_struct(s) for s in structs]
        parts.append(f"\n\nif sizeof(cn_world_def) != {size}:\n"
                     "    raise ImportError('cairn2d is made for 64-bit machines')\n"
                     "\nCALLBACKS = {\n" + "".join(self.callback_types()) + "}\n\n\n"
                     "def _function(name, result, *parameters):\n"
                     "    function = getattr(lib, name)\n"
                     "    function.restype, function.argtypes = result, parameters\n"
                     "    return function\n\n\n")
        for f in self.api["functions"]:
            types = [self.ctype(f["returns"])] + [self.parameter_ctype(p) for p in f["parameters"]]
            line = f"{f['name']} = _function(\"{f['name']}\", {', '.join(types)})"
            parts.append("\n    ".join(textwrap.wrap(line, 96, break_long_words=False)) + "\n")
        parts.append(
            "\n\ndef raise_error():\n"
            '    """Raises the error of this thread, and clears it. A hint stays: it is that of a step '
            'in which\n    a callback makes this call. check_step() shows it after the step."""\n'
            "    kind = cn_error_code()\n"
            "    if kind == ErrorKind.HINT:\n"
            "        return\n"
            "    error = CairnError(ErrorKind(kind), cn_error().decode())\n"
            "    cn_error_clear()\n"
            "    raise error\n\n\n"
            "def check():\n"
            '    """To use after a call whose result does not say whether it failed."""\n'
            "    if cn_error_code():\n"
            "        raise_error()\n")
        return "".join(parts)

    # -- types for readers and type checkers

    def annotation(self, value, is_input):
        kind = value["kind"]
        if kind == "pointer":
            return self.annotation({**value["to"], "null": value.get("null")}, is_input)
        if kind in ("number", "count", "flags", "total"):
            return "float" if value["type"] in ("float", "double") else "int"
        if kind in ("bool", "success"):
            return "bool"
        if kind == "enum":
            return class_name(value["type"]) + (" | str" if is_input else "")
        if kind == "handle":
            null = not is_input or value.get("null")
            return OWNERS[value["type"]] + (" | None" if null else "")
        if kind == "struct":
            if value["type"] == "vec2s":
                return "Vector" if is_input else "Vec2"
            name = class_name(value["type"])
            if value["type"] in ("cn_allocator", "cn_task_system"):
                return "Any"  # (a struct of _abi.py)
            if is_input and name == "ShapeDef":
                return "Hull | Mapping[str, Any]"
            if is_input and value["type"] != "cn_hull":
                return f"{name} | Mapping[str, Any] | Sequence[Any]"
            return name
        if kind in ("array", "inline_array"):
            inner = self.annotation(value["of"], is_input)
            return f"Sequence[{inner}]" if is_input else f"tuple[{inner}, ...]"
        if kind == "callback":
            return "Callable[..., Any]"
        return "None" if kind == "void" else "Any"

    # -- _values.py

    def flatten(self, name):
        """The format (of the module struct) of a struct, and an expression that makes its named
        tuple from the values `v` that this format reads."""
        place, code, count = 0, "<", 0

        def walk(struct_name, base):
            nonlocal place, code, count
            entry, items, used = self.structs[struct_name], [], {}
            for field in entry["fields"]:
                at = base + offset(field["offset"])
                kind = field["kind"]
                if field["name"].endswith("user_data"):
                    continue
                if kind == "inline_array":
                    inner = field["of"]
                    size = offset(self.structs[inner["type"]]["size"])
                    values = [leaf(inner, at + i * size) for i in range(field["length"])]
                    items.append((field, f"({', '.join(values)},)"))
                    used[field["used"]] = len(items) - 1
                    continue
                expression = leaf(field, at)
                if field["name"] in used:
                    at_item, text = items[used[field["name"]]]
                    items[used[field["name"]]] = (at_item, f"{text}[:{expression}]")
                elif field["name"] in [f.get("used") for f in entry["fields"]]:
                    counts[field["name"]] = expression
                else:
                    items.append((field, expression))
            for field_name, expression in list(counts.items()):
                if field_name in used:
                    i = used[field_name]
                    items[i] = (items[i][0], f"{items[i][1]}[:{expression}]")
                    del counts[field_name]
            wanted = [text for field, text in items if not self.is_flag(struct_name, field)]
            return f"new({class_name(struct_name)}, ({', '.join(wanted)},))"

        def leaf(field, at):
            nonlocal place, code, count
            kind = field["kind"]
            if kind == "struct":
                return walk(field["type"], at)
            letter = {"bool": "?", "enum": "i", "handle": "Q"}.get(kind) or CODES[field["type"]]
            code += "x" * (at - place) + letter
            place = at + struct.calcsize("<" + letter)
            text = f"v[{count}]"
            count += 1
            if kind == "handle":
                return f"w.{FINDERS[field['type']]}({text})"
            if kind == "enum":
                return f"_{field['type']}[{text}]"
            return text

        counts = {}
        expression = walk(name, 0)
        code += "x" * (offset(self.structs[name]["size"]) - place)
        return re.sub(r"x{3,}", lambda m: f"{len(m[0])}x", code), expression

    def is_flag(self, struct_name, field):
        """True for `hit` and `found`. They say whether there is a result; if there is none, Python
        gets None."""
        return field["name"] in ("hit", "found") and field["kind"] == "bool"

    def flag_of(self, struct_name):
        names = [f["name"] for f in self.structs[struct_name]["fields"]
                 if self.is_flag(struct_name, f)]
        return names[0] if names else None

    def default(self, field):
        kind = field["kind"]
        if kind == "struct" and field["type"] in PLAIN | WITHOUT_DEFAULTS:
            return "Vec2(0.0, 0.0)" if field["type"] == "vec2s" else None
        if kind == "struct":
            return f"{class_name(field['type'])}()"
        return {"bool": "False", "handle": "None", "inline_array": "()",
                "enum": f"{class_name(field.get('type', ''))}(0)"}.get(
                    kind, "0.0" if field.get("type") in ("float", "double") else "0")

    def visible_fields(self, entry):
        used = [f.get("used") for f in entry["fields"]]
        return [f for f in entry["fields"] if not f["name"].endswith("user_data")
                and f["name"] not in used and not self.is_flag(entry["name"], f)]

    def write_tuple(self, entry):
        name = entry["name"]
        lines = ["@named\n", f"class {class_name(name)}(NamedTuple):\n",
                 quote(self.doc(entry) or f"See {name} in cairn.h.", "    ")]
        fields = self.visible_fields(entry)
        has_defaults = "in" in entry["used"] and name not in WITHOUT_DEFAULTS
        is_tail = has_defaults
        for field in fields:
            comment = " ".join(field.get("comment", "").split("\n"))
            default = self.default(field) if is_tail else None
            if default is None and is_tail and field is not fields[0]:
                default = "None  # type: ignore[assignment]"
            lines.append(f"    {field['name']}: {self.annotation(field, False)}"
                         + (f" = {default}" if default else "")
                         + (f"  # {comment}" if comment else "") + "\n")
        lines.append(self.methods_of(name))
        return "".join(lines)

    def methods_of(self, name):
        """Methods for the functions of the class of a struct: the struct is the first parameter, or
        the result."""
        parts = []
        for f in self.api["functions"]:
            owner, short = self.place(f)
            if owner != class_name(name) or not (self.is_simple(f) or self.has_vectors(f)):
                continue
            first = f["parameters"][0]
            first = first.get("to", first)
            if first.get("type") == name:
                parts.append(self.write_call(f, short, f["parameters"][:1], "value"))
            else:
                parts.append(self.write_call(f, short, decorator="    @staticmethod\n"))
        return "".join(parts)

    def free_functions(self):
        parts = []
        for f in self.api["functions"]:
            owner, short = self.place(f)
            if short and not owner and self.is_simple(f):
                parts.append("\n\n" + textwrap.dedent(self.write_call(f, short)).lstrip("\n"))
        return "".join(parts)

    def write_definition(self, entry):
        """A typed dict of the keyword arguments."""
        fields = []
        def add(struct_name):
            for field in self.structs[struct_name]["fields"]:
                if field["name"] in ["user", *GIVEN.get(struct_name, ())] or \
                        field["kind"] == "count":
                    continue
                fields.append(field)
                if field["name"] in self.parts_of(struct_name):
                    add(field["type"])
        add(entry["name"])
        lines = [f"class {class_name(entry['name'])}(TypedDict, total=False):\n",
                 quote(self.doc(entry) or f"The keyword arguments of {entry['name']}.", "    ")]
        for field in fields:
            comment = " ".join(field.get("comment", "").split("\n"))
            lines.append(f"    {field['name']}: {self.annotation(field, True)}"
                         + (f"  # {comment}" if comment else "") + "\n")
        if entry["name"] == "cn_body_def":
            lines.append("    data: Any  # any Python value; not part of the world\n")
        return "".join(lines)

    def values(self):
        tuples = [s for s in self.api["structs"] if s["name"] not in PLAIN and not s.get("handle")]
        parts = [MADE.format("The values of cairn.h: what calls return and take."),
                 "from __future__ import annotations\n\n"
                 "from ctypes import byref\n"
                 "from struct import Struct as Format\n"
                 "from typing import (TYPE_CHECKING, Any, Callable, Mapping, NamedTuple, Sequence, "
                 "TypedDict)\n\n"
                 "from ._abi import *\n"
                 "from ._abi import raise_error\n"
                 "from ._base import Vec2, Vector, handle, integer, member, named, new\n"
                 "from ._hull import HullBase, JointDef, collect_vectors\n"
                 + self.write_all(self.public_names() + ["Vec2", "Hull", "JointDef"]
                                  + [class_name(s["name"]) for s in tuples]
                                  + [class_name(n) for n in self.structs if n in DEFINITIONS
                                     and n != "cn_joint_def"]
                                  + re.findall(r"^def (\w+)", self.free_functions(), re.MULTILINE))
                 + "\n"
                 "if TYPE_CHECKING:\n"
                 "    from .objects import Body, Chain, Grid, Joint, Shape\n\n"]
        parts += [f"_{e['name']} = tuple({class_name(e['name'])})\n" for e in self.api["enums"]
                  if not e["flags"]]
        parts += ["\n\n" + self.write_tuple(s) for s in tuples]
        parts.append("\n\nclass Hull(HullBase):\n"
                     + quote(self.doc(self.structs["cn_hull"]), "    ")
                     + "    __slots__ = ()\n" + self.methods_of("cn_hull"))
        parts += ["\n\n" + self.write_definition(self.structs[s["name"]])
                  for s in self.api["structs"] if s["name"] in DEFINITIONS - {"cn_joint_def"}]
        parts.append(self.free_functions())
        parts.append("\n\n# ---- from C to Python: formats, and functions of a world and the values"
                     "\n\n"
                     "VEC2 = Format('<2f')\n")
        readers = []
        for entry in tuples:
            if "out" not in entry["used"]:
                continue
            code, expression = self.flatten(entry["name"])
            name = entry["name"].removeprefix("cn_")
            readers.append(f"    {entry['name']}: ({name.upper()}, read_{name}),\n")
            parts.append(f'\n{name.upper()} = Format("{code}")\n\n\n'
                         f"def read_{name}(w, v):\n"
                         + "    return " + "\n        ".join(
                             textwrap.wrap(expression, 88, break_long_words=False)) + "\n\n")
        parts.append("\nREADERS = {\n" + "".join(readers) + "}\n")
        return "".join(parts)

    # -- calls

    SIMPLE = {"number", "bool", "enum", "struct", "handle"}

    def is_simple(self, f):
        """Whether the call needs only its arguments and its result converted."""
        if f["name"] in BY_HAND:
            return False

        def fits(value):
            kind, name = value["kind"], value.get("type")
            if kind == "pointer":
                return value["to"]["kind"] == "struct" and not value.get("null") and \
                    value["to"]["type"] not in DEFINITIONS
            if kind not in self.SIMPLE or name == "cn_callbacks":
                return False
            return True
        returns = f["returns"]
        if "creates" in f or "destroys" in f or f["name"].endswith("_valid") or \
                "_next_" in f["name"] or f["effect"] in ("lends", "thread"):
            return False
        if returns["kind"] not in self.SIMPLE | {"void", "success"} or \
                returns.get("type") in ("cn_profile", "cn_events", "cn_callbacks"):
            return False
        return all(fits(p) for p in f["parameters"] if p["kind"] != "object")

    def has_vectors(self, f):
        """Whether the call is simple except that it writes an array of vectors."""
        written = [p for p in f["parameters"] if p["kind"] in ("out_array", "capacity")]
        simple = {**f, "returns": {"kind": "void"},
                  "parameters": [p for p in f["parameters"] if p not in written]}
        return len(written) == 2 and written[0]["of"].get("type") == "vec2s" and \
            self.is_simple(simple)

    def argument(self, p, world):
        kind, name = p["kind"], p["name"]
        if kind == "pointer":
            return f"byref({self.argument({**p['to'], 'name': name}, world)})"
        if kind == "struct":
            return f"vec2s(*{name})" if p["type"] == "vec2s" else \
                f"{p['type']}.make({name}, {world})"
        if kind == "handle":
            return f'handle("{OWNERS[p["type"]]}")({world}, {name})'
        if kind == "enum":
            return f"member({class_name(p['type'])})(None, {name})"
        if kind in ("number", "flags") and p["type"] in RANGES:
            return "integer({}, {})(None, {})".format(*RANGES[p["type"]], name)
        return name

    def result(self, f, world):
        """Lines that return `result` as a Python value."""
        value = f["returns"]
        kind, name = value["kind"], value.get("type")
        if kind == "handle":
            return [f"return {world}.{FINDERS[name]}(result)"]
        if kind == "enum":
            return [f"return {class_name(name)}(result)"]
        if kind != "struct":
            return ["return result"]
        if name == "vec2s":
            return ["return new(Vec2, (result.x, result.y))"]
        if name == "cn_hull":
            return ["return Hull(result)"]
        if name == "cn_joint_def":
            return [f"return JointDef({world}, result)"]
        short = name.removeprefix("cn_")
        lines = []
        if self.flag_of(name):
            lines = [f"if not result.{self.flag_of(name)}:", "    return None"]
        return lines + [f"return read_{short}({world}, {short.upper()}.unpack_from(result))"]

    def write_call(self, f, short, dropped=(), world=None, decorator="", text=None):
        """A function, or a method if `dropped` says which parameters are self. `world` is the
        expression of the world. None: the call has no world, or takes it from its first handle.
        "value": a method of a value."""
        is_value = world == "value"
        if world in (None, "value"):
            objects = [p["name"] for p in f["parameters"] if p["kind"] == "handle"]
            world = f"{objects[0]}.world" if objects else "None"
        has_self = is_value or world.startswith("self")
        has_vectors = f["returns"]["kind"] == "total"
        parameters = [p for p in f["parameters"] if p not in dropped and p["kind"] not in
                      ("object", "out_array", "capacity")]
        texts = ["self"] if has_self else []
        arguments = []
        for p in f["parameters"]:
            if p in parameters:
                default = DEFAULTS.get((f["name"], p["name"]))
                texts.append(f"{p['name']}: {self.annotation(p, True)}"
                             + (f" = {default}" if default else ""))
                arguments.append(self.argument(p, world))
            elif p["kind"] == "object":
                arguments.append(f"{world}._pointer")
            elif p["kind"] in ("out_array", "capacity"):
                arguments.append(p["name"])
            elif p["kind"] == "enum":
                arguments.append("self._axis")
            elif not is_value:
                arguments.append("self.joint._id" if world == "self.joint.world" else "self._id")
            else:
                made = f"{p.get('to', p)['type']}.make(self)"
                arguments.append(f"byref({made})" if p["kind"] == "pointer" else made)
        call = f"{f['name']}({', '.join(arguments)})"
        kind = f["returns"]["kind"]
        returns = "None" if kind == "success" else self.annotation(f["returns"], False)
        if has_vectors:
            returns = "list[Vec2]"
        if kind == "struct" and self.flag_of(f["returns"]["type"]):
            returns += " | None"
        if has_self and not parameters and returns != "None" and f["name"] not in METHODS:
            decorator = "    @property\n"
        lines = [f"\n{decorator}    def {short}({', '.join(texts)}) -> {returns}:\n",
                 quote(text or self.doc(f), "        ")]
        if has_vectors:
            return "".join(lines) + "        return collect_vectors(\n" \
                f"            lambda points, capacity: {call})\n"
        if kind == "success":
            lines.append(f"        if not {call}:\n            raise_error()\n")
        else:
            lines.append(f"        {'' if kind == 'void' else 'result = '}{call}\n"
                         "        if cn_error_code():\n            raise_error()\n")
        if kind not in ("success", "void"):
            lines += [f"        {line}\n" for line in self.result(f, world)]
        return "".join(lines)

    def calls_of(self, owner):
        return [f for f in self.api["functions"] if self.place(f)[0] == owner and self.is_simple(f)]

    def pair_up(self, calls):
        """The calls as (name, getter or method, setter). A setter of a property whose getter is not
        among them is left out: such properties are written by hand."""
        pairs = {}
        for f in calls:
            short = self.place(f)[1]
            is_setter = "_set_" in f["name"] and not short.startswith("set_")
            pairs.setdefault(short, [None, None])[is_setter] = f
        return [(short, f, setter) for short, (f, setter) in pairs.items() if f]

    def write_class(self, owner):
        """The class of simple calls on an object. The first parameters are the world, and the
        object with its axis, if it is a coordinate of a joint."""
        world = {"World": "self", "JointCoordinate": "self.joint.world"}.get(owner, "self.world")
        count = {"World": 1, "JointCoordinate": 3}.get(owner, 2)
        parts = [f"\n\nclass {owner}Calls:\n    __slots__ = ()\n"]
        if owner == "World":
            parts.append("    _pointer: int | None\n"
                         + "".join(f"    {finder}: Any\n" for finder in FINDERS.values()))
        else:
            parts.append({"JointCoordinate": "    joint: Joint\n    _axis: JointAxis\n"}.get(
                owner, "    world: World\n    _id: int\n"))
        for short, f, setter in self.pair_up(self.calls_of(owner)):
            own = f["parameters"][1:count]
            if not setter:
                parts.append(self.write_call(f, short, own, world))
                continue
            parts.append(self.write_call(f, short, own, world, text=self.doc_of_pair(f, setter)))
            value = setter["parameters"][-1]
            selves = {1: [], 2: ["self._id"], 3: ["self.joint._id", "self._axis"]}[count]
            arguments = [f"{world}._pointer", *selves,
                         self.argument({**value, "name": "value"}, world)]
            parts.append(f"\n    @{short}.setter\n"
                         f"    def {short}(self, value: {self.annotation(value, True)}) -> None:\n"
                         f"        if not {setter['name']}({', '.join(arguments)}):\n"
                         f"            raise_error()\n")
        return "".join(parts)

    def calls(self):
        classes = "".join(self.write_class(owner) for owner in
                          ["World", *OWNERS.values(), "JointCoordinate"])
        readers = ", ".join(sorted(set(re.findall(r"read_\w+|[A-Z_]+(?=\.unpack)", classes))))
        parts = [MADE.format("The calls on worlds and their objects that need no code by hand."),
                 "from __future__ import annotations\n\n"
                 "from typing import TYPE_CHECKING, Any, Mapping, Sequence\n\n"
                 "from ._abi import *\n"
                 "from ._abi import raise_error\n"
                 "from ._base import Vector, handle, integer, member, new\n"
                 "from ._values import *\n"
                 f"from ._values import byref, {readers}\n\n"
                 "if TYPE_CHECKING:\n"
                 "    from .objects import Body, Chain, Grid, Joint, Shape\n"
                 "    from .world import World\n"]
        return "".join(parts) + classes

    # -- many objects at once

    def many_list(self):
        """The calls on objects, with their classes. Those of a coordinate of a joint take the axis
        as an argument."""
        for owner in OWNERS:
            for f in self.calls_of(OWNERS[owner]):
                yield f, owner
            if owner == "cn_joint":
                for f in self.calls_of("JointCoordinate"):
                    yield f, owner

    def many_c(self):
        parts = ["/* Calls for many objects at once. Made by generate.py: do not edit.\n *\n"
                 " * Each function makes one call for each of `count` objects, whose arguments\n"
                 " * are arrays. The world of object i is table[cells[i]]. It stops at the first call\n"
                 " * that fails, and returns how many it made. */\n#include \"native.h\"\n"]
        for f, _ in self.many_list():
            world, *rest = f["parameters"]
            returns = f["returns"]
            heads = ["int count", "cn_world *const *table", "const intptr_t *cells"]
            arguments = ["table[cells[i]]"]
            for p in rest:
                inner = p.get("to", p)
                ctype = {"bool": "bool", "enum": inner.get("type")}.get(
                    inner["kind"], inner.get("type"))
                heads.append(f"const {ctype} *{p['name']}")
                arguments.append(("&" if p["kind"] == "pointer" else "") + f"{p['name']}[i]")
            call = f"{f['name']}({', '.join(arguments)})"
            if returns["kind"] == "success":
                body = f"        if (!{call}) return i;\n"
            else:
                ctype = "bool" if returns["kind"] == "bool" else returns["type"]
                heads.append(f"{ctype} *results")
                body = f"        results[i] = {call};\n        if (has_failed()) return i;\n"
            parts.append(f"\nCAIRN2D_API int many_{f['name']}(" + ", ".join(heads) + ") {\n"
                         "    for (int i = 0; i < count; i++) {\n" + body + "    }\n"
                         "    return count;\n}\n")
        return "".join(parts)

    def many(self):
        parts = [MADE.format("Calls for many objects at once, on numpy arrays."),
                 "from ._abi import *\n"
                 "from ._many_base import Group, Many, read_states\n"]
        listed = list(self.many_list())
        for owner, plural in PLURALS.items():
            parts.append(f"\n\nclass {plural}(Group):\n"
                         f'    """Many objects of the kind {OWNERS[owner]}, of one or several '
                         'worlds. Each property is an\n    array with a row for each object; each '
                         'argument may be one value or such an array."""\n'
                         f'    __slots__ = ()\n    kind = "{OWNERS[owner]}"\n')
            if owner == "cn_body":
                parts.append("    states = read_states\n")
            calls = [f for f, o in listed if o == owner]
            for short, f, setter in self.pair_up([f for f in calls if not self.has_axis(f)]):
                get, put = self.write_many(f), self.write_many(setter)
                if f["returns"]["kind"] == "success" or len(f["parameters"]) > 2:
                    parts.append(f"    {short} = {get}.method()\n")
                else:
                    parts.append(f"    {short} = {get}.property({put or ''})\n")
            for f in filter(self.has_axis, calls):
                short = f["name"].removeprefix("cn_joint_")
                parts.append(f"    {short} = {self.write_many(f)}.method()\n")
        return "".join(parts)

    @staticmethod
    def has_axis(f):
        return f["parameters"][2:3] != [] and f["parameters"][2].get("type") == "cn_joint_axis"

    def write_many(self, f):
        if not f:
            return None
        def kind_of(value):
            value = value.get("to", value)
            if value["kind"] in ("struct", "number"):
                return self.ctype(value)
            if value["kind"] == "handle":
                return f'"{OWNERS[value["type"]]}"'
            return {"bool": "c_bool", "success": "None",
                    "enum": class_name(value.get("type", ""))}[value["kind"]]
        kinds = [kind_of(f["returns"])] + [kind_of(p) for p in f["parameters"][2:]]
        return f'Many("many_{f["name"]}", {", ".join(kinds)})'


def main():
    folder = pathlib.Path(sys.argv[1])
    source = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else HERE.parent / "api.json"
    generator = Generator(json.loads(source.read_text(encoding="utf-8")))
    for name, text in (("_abi.py", generator.abi()), ("_values.py", generator.values()),
                       ("_calls.py", generator.calls()), ("_many.py", generator.many()),
                       ("many.c", generator.many_c())):
        (folder / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
