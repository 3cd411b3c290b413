#!/usr/bin/env python3
"""Makes cairn.lua, the binding for LuaJIT, from api.json and layer.lua.

    generate.py [API [OUTPUT]]      default: ../api.json and cairn.lua beside this script

layer.lua has what is written by hand: objects, conversions, callbacks, and the functions in BY_HAND.
All other functions of the API are generated. An unknown kind of parameter is an error. cairn.lua is
committed, because a game needs only this file and the library; tests/bindings/lua/run.sh checks
that it is up to date.
"""
import json
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent

# Written in layer.lua. Each of them must be called there.
BY_HAND = """
    cn_error cn_error_code cn_error_clear cn_set_error_hook
    cn_world_create cn_world_destroy cn_world_step cn_worlds_step cn_world_advance
    cn_world_set_callbacks cn_world_load cn_world_events cn_world_poses cn_world_draw
    cn_body_create cn_shape_create cn_chain_create cn_tiles_create cn_joint_create
    cn_world_next_body cn_world_next_shape cn_world_next_joint
    cn_body_next_shape cn_body_next_joint cn_chain_next_segment
    cn_rollback_create cn_rollback_destroy cn_recording_begin cn_recording_end cn_recording_cut
    cn_replay_create cn_replay_destroy cn_replay_world cn_replay_text cn_decompose
""".split()
# Names in Lua that do not follow from those in C.
RENAMED = {
    "cn_world_body": "body_at", "cn_world_shape": "shape_at", "cn_world_joint": "joint_at",
    "cn_world_grid": "tiles_at", "cn_world_bodies": "states", "cn_joint_get": "definition",
    "cn_pose_at": "pose", "cn_rotation_of": "rotation"}
# Structs with methods, and the classes of objects.
VALUES = {"cn_rotation": "rotation", "cn_pose": "pose", "cn_bounds": "bounds", "cn_hull": "hull",
          "cn_sweep": "sweep"}
CLASSES = ("world", "body", "shape", "joint", "tiles", "chain", "rollback", "replay")
KEYWORDS = {"end", "repeat", "function", "local", "in", "not", "and", "or", "then"}


class Unknown(Exception):
    """Something that the generator has no rule for."""


class Generator:
    """Writes Lua for an API."""

    def __init__(self, api):
        self.api = api
        self.structs = {s["name"]: s for s in api["structs"]}
        self.by_name = {f["name"]: f for f in api["functions"]}
        self.callbacks = {c["name"]: c for c in api["callbacks"]}

    # -- declarations

    def ctype(self, value, is_parameter=False):
        """The C type of a parameter, field or result."""
        kind = value["kind"]
        if kind in ("void", "bool"):
            return kind
        if kind == "success":
            return "bool"
        if kind == "handle" and is_parameter and value["type"] != "cn_chain":
            return "uint64_t"  # it is passed in the same way, and LuaJIT compiles such calls
        if kind in ("number", "enum", "struct", "handle", "flags", "count", "capacity", "total"):
            return value["type"]
        if kind == "object":
            return ("const " if value.get("const") else "") + value["type"] + " *"
        if kind == "pointer":
            return f"const {self.ctype(value['to'])} *"
        if kind == "out":
            return self.ctype(value["to"]) + " *"
        if kind in ("array", "out_array"):
            of = self.ctype(value["of"])
            if of.endswith("*"):
                return of + "const *"
            return ("const " if kind == "array" else "") + of + " *"
        if kind == "string":
            return "const char *"
        if kind == "bytes":
            return "const void *"
        if kind in ("out_bytes", "callback", "user"):
            return "void *"
        raise Unknown(f"a {kind}: {value}")

    def field(self, value):
        if value["kind"] == "inline_array":
            return f"{self.ctype(value['of'])} {value['name']}[{value['length']}];"
        return join(self.ctype(value), value["name"]) + ";"

    def declarations(self):
        lines = []
        for enum in self.api["enums"]:
            values = ", ".join(f"{v['name']} = {v['value']}" for v in enum["values"])
            lines.append(f"typedef enum {{ {values} }} {enum['name']};")
        for entry in self.api["objects"]:
            lines.append(f"typedef struct {entry['type']} {entry['type']};")
        for struct in self.api["structs"]:
            fields = " ".join(self.field(f) for f in struct["fields"])
            lines.append(f"typedef struct {{ {fields} }} {struct['name']};")
        for function in self.api["functions"]:
            parameters = ", ".join(join(self.ctype(p, True), p["name"])
                                   for p in function["parameters"]) or "void"
            lines.append(join(self.ctype(function["returns"]), function["name"]) + f"({parameters});")
        return ["ffi.cdef[["] + lines + ["]]"]

    # -- tables

    def is_plain(self, value):
        """True for numbers, and structs and arrays of them."""
        if value["kind"] == "struct":
            return all(self.is_plain(f) for f in self.structs[value["type"]]["fields"])
        if value["kind"] == "inline_array":
            return self.is_plain(value["of"])
        return value["kind"] in ("number", "bool")

    def describe(self, value):
        """The Lua table that describes a field."""
        parts = [f'kind = "{value["kind"]}"']
        ctype = value.get("callback") or value.get("type")
        if ctype:
            parts.append(f'type = "{ctype}"')
        if "of" in value and isinstance(value["of"], dict):
            parts.append("of = " + self.describe(value["of"]))
        if value["kind"] == "array" and re.fullmatch(r"\w+", value["count"]):
            parts.append(f'counter = "{value["count"]}"')
        for key in ("length", "used"):
            if key in value:
                parts.append(f"{key} = {json.dumps(value[key])}")
        return "{" + ", ".join(parts) + "}"

    def tables(self):
        lines = ["-- The values of each enumeration by name, and their names by value."]
        lines.append("local enums = {")
        for enum in self.api["enums"]:
            names = [v["name"] for v in enum["values"]]
            start = len(common_words(names))
            short = [n[start:].lower() for n in names]
            pairs = [f"{key(n)} = {v['value']}" for n, v in zip(short, enum["values"])]
            pairs += [f'[{v["value"]}] = "{n}"' for n, v in zip(short, enum["values"])]
            quoted = ", ".join(f'"{n}"' for n in short)
            lines += [f"    {enum['name']} = {{{', '.join(pairs)},", f"        names = {{{quoted}}}}},"]
        lines += ["}", "", "-- The fields of each struct. Counts of arrays follow from the arrays.",
                  "local structs = {"]
        lengths = []
        for struct in self.api["structs"]:
            lines.append(f"    {struct['name']} = {{")
            for field in struct["fields"]:
                if field["kind"] == "count":
                    continue
                lines.append(f"        {key(field['name'])} = {self.describe(field)},")
                if field["kind"] == "array" and "in" in struct["used"] \
                        and not re.fullmatch(r"\w+", field["count"]):
                    lengths.append((struct, field))
            lines.append("    },")
        lines += ["}", "", "-- How many values an array of a struct needs.", "local lengths = {"]
        for name in dict.fromkeys(s["name"] for s, _ in lengths):
            lines.append(f"    {name} = {{")
            for struct, field in lengths:
                if struct["name"] == name:
                    lines.append(f"        {key(field['name'])} = function(s) return "
                                 f"{self.expression(struct, field['count'])} end,")
            lines.append("    },")
        plain = [s["name"] for s in self.api["structs"] if "handle" not in s
                 and self.is_plain({"kind": "struct", "type": s["name"]})]
        lines += ["}", "", "-- Structs of numbers: they stay structs of C.", "local plain = {"]
        lines += [f"    {name} = true," for name in plain] + ["}"]
        lines += ["", "--- Constants: cairn.MAX_VERTICES is CN_MAX_VERTICES."]
        lines += [f"cairn.{c['name'][3:]} = {c['value']}" for c in self.api["constants"]]
        return lines

    @staticmethod
    def expression(struct, count):
        kinds = {f["name"]: f["kind"] for f in struct["fields"]}
        return re.sub(r"[a-z_]+", lambda m: f"(s.{m[0]} and 1 or 0)" if kinds[m[0]] == "bool"
                      else f"s.{m[0]}", count)

    # -- functions

    def place(self, function):
        """Where a function belongs: a class, value or "", and its short name."""
        name, parameters = function["name"], function["parameters"]
        first = parameters[0] if parameters else {"kind": ""}
        second = parameters[1] if len(parameters) > 1 else {"kind": ""}
        owner = ""
        if first["kind"] == "object":
            owner = first["type"][3:]
            if second["kind"] == "handle":
                kind = second["type"][3:]
                if name.startswith(f"cn_{kind}_") or name == "cn_touching":
                    owner = kind
                elif not name.startswith("cn_world_"):
                    owner = ""  # joint presets
        else:
            ctype = (first.get("to") or first).get("type")
            if ctype in VALUES and function["effect"] == "none":
                owner = VALUES[ctype]
        short = name[3:]
        if owner and short.startswith(owner + "_"):
            short = short[len(owner) + 1:]
        if owner == "" and function["returns"].get("type") == "cn_joint_def":
            short = short[:-len("_joint")]
        return owner, RENAMED.get(name, short)

    def setter_of(self, owner, short):
        """The function that sets one value which the getter `short` returns."""
        name = f"cn_{owner}_set_" + short.removeprefix("get_")
        function = self.by_name.get(name)
        count = 1 if owner in ("world", "rollback", "replay") else 2
        return function if function and len(function["parameters"]) == count + 1 else None

    def find_query(self, value):
        """True if the value contains an accept()."""
        value = value.get("to", value)
        if value["kind"] == "callback":
            return value["callback"] == "cn_query.accept"
        return value["kind"] == "struct" and any(
            self.find_query(f) for f in self.structs[value["type"]]["fields"])

    def argument(self, value):
        """The Lua parameter and the C argument."""
        kind, name = value["kind"], value["name"]
        name = name + "_" if name in KEYWORDS else name
        ctype = value.get("type")
        if kind in ("number", "bool"):
            return name, name
        if kind == "enum":
            return name, f'enum("{ctype}", {name})'
        if kind in ("struct", "pointer"):
            ctype = value["to"]["type"] if kind == "pointer" else ctype
            made = f"vec({name})" if ctype == "vec2s" else f'make("{ctype}", {name})'
            return name, f"{name} and {made} or nil" if value.get("null") else made
        if kind == "handle":
            if ctype == "cn_chain":
                return name, f"{name}.handle"
            return name, f'id_of("{ctype}", {name})'
        if kind == "object":
            return name, f'pointer_of("{ctype}", {name})'
        raise Unknown(f"a parameter {value}")

    def result(self, value, world):
        """The Lua value of the C value `result`."""
        kind = value["kind"]
        if kind in ("number", "bool"):
            return "tonumber(result)" if value.get("type") == "size_t" else "result"
        if kind == "enum":
            return f"enums.{value['type']}[tonumber(result)]"
        if kind == "string":
            return "ffi.string(result)"
        if kind == "handle":
            if value["type"] == "cn_chain":
                return f"chain_object({world}, result)"
            return f'object({world}, "{value["type"]}", result.id)'
        if kind == "struct":
            if self.is_plain(value):
                return "result"
            return f'read("{value["type"]}", result, {world})'
        raise Unknown(f"a result {value}")

    def function(self, function, owner, short, is_getter):
        """The Lua definition of a function."""
        parameters = list(function["parameters"])
        taken, world = [], "nil"
        if owner in ("world", "rollback", "replay"):
            parameters.pop(0)
            taken, world = ["self.pointer"], "self" if owner == "world" else "self.world"
        elif owner in CLASSES:
            del parameters[:2]
            taken = ["self.world.pointer", "self.handle" if owner == "chain" else "self.id"]
            world = "self.world"
        elif owner:
            parameters.pop(0)
            taken = ["self"]
        names, arguments, outs, writes = [], list(taken), [], None
        for p in parameters:
            kind = p["kind"]
            if kind == "object" and owner == "":
                world = next(q["name"] for q in function["parameters"] if q["kind"] == "handle") \
                    + ".world"
                arguments.append(f"{world}.pointer")
            elif kind == "out":
                outs.append(p)
                arguments.append(p["name"])
            elif kind == "array":
                names.append(p["name"])
                arguments += [f"{p['name']}_values", f"{p['name']}_count"]
                outs.append(p)
            elif kind == "bytes":
                names.append(p["name"])
                arguments += [p["name"], f"#{p['name']}"]
            elif kind == "count":
                pass
            elif kind in ("out_array", "out_bytes"):
                writes = p
                arguments.append("values")
            elif kind == "capacity":
                arguments.append("capacity")
            else:
                name, argument = self.argument(p)
                names.append(name)
                arguments.append(argument)
                if kind == "handle" and owner == "" and world == "nil":
                    world = f"{name}.world"
        body = []
        has_query = any(self.find_query(p) for p in parameters)
        if has_query:
            body.append("begin_query(self)")
        for p in outs:
            if p["kind"] == "out":
                body.append(f'local {p["name"]} = ffi.new("{self.ctype(p["to"])}[1]")')
            else:
                body.append(f"local {p['name']}_values, {p['name']}_count = "
                            f"array({self.describe(p['of'])}, {p['name']})")
        returns = function["returns"]
        check = ["forget_accepts()", "check_callbacks()"] if has_query else ["check()"]
        if any(p["kind"] == "array" for p in outs):
            check.insert(0, "kept = {}")
        more = "".join(f", {p['name']}[0]" if p["to"]["kind"] != "struct"
                       else f", ffi.new(\"{p['to']['type']}\", {p['name']}[0])"
                       for p in outs if p["kind"] == "out")
        if writes and returns["kind"] == "total":
            # Arguments are converted once.
            for i, argument in enumerate(arguments):
                if "(" in argument:
                    body.append(f"local argument{i} = {argument}")
                    arguments[i] = f"argument{i}"
            call = f"C.{function['name']}({', '.join(arguments)})"
            if writes["kind"] == "out_bytes":
                body.append("local result = read_bytes(function(values, capacity)")
            else:
                body.append(f"local result = list({self.describe(writes['of'])}, {world}, "
                            "function(values, capacity)")
            body += [f"    return {call}", "end)", *check, f"return result{more}"]
        elif writes:  # as many results as values of an array
            count = f"{writes['count']}"
            source = next(p for p in outs if p["kind"] == "array")
            assert source["count"] == count
            ctype = writes["of"]["type"]
            body.append(f'local values = ffi.new("{ctype}[?]", {source["name"]}_count)')
            body += [f"C.{function['name']}({', '.join(arguments)})", *check, "local result = {}",
                     f"for i = 1, {source['name']}_count do",
                     f'    result[i] = read("{ctype}", values[i - 1], {world})', "end",
                     "return result"]
        else:
            call = f"C.{function['name']}({', '.join(arguments)})"
            if returns["kind"] in ("success", "void"):
                body += [call, *check]
                if more:
                    body.append("return " + more[2:])
                elif owner in CLASSES and not short.startswith("destroy"):
                    body.append("return self")
            else:
                body += [f"local result = {call}", *check,
                         f"return {self.result(returns, world)}{more}"]
        if is_getter:
            head = f"function {owner}_get.{short}(self)"
        elif owner:
            head = f"function {owner}_methods:{short}({', '.join(names)})"
        else:
            head = f"function cairn.{short}({', '.join(names)})"
        lines = [head] + ["    " + line for line in body] + ["end"]
        if has_query:
            target = f"{owner}_methods.{short}"
            lines[0] = f"{target} = calls_back(function({', '.join(['self'] + names)})"
            lines[-1] = "end)"
        return lines

    def setter(self, function, owner, short):
        value = function["parameters"][-1]
        _, argument = self.argument({**value, "name": "value"})
        taken = "self.pointer" if owner == "world" else "self.world.pointer, self.id"
        return [f"function {owner}_set.{short}(self, value)",
                f"    C.{function['name']}({taken}, {argument})", "    check()", "end"]

    def functions(self):
        lines, setters = [], set()
        groups = {}
        for function in self.api["functions"]:
            name = function["name"]
            if name in BY_HAND:
                continue
            owner, short = self.place(function)
            receivers = 1 if owner in ("world", "rollback", "replay") else 2
            is_getter = (owner in CLASSES and function["effect"] == "reads"
                         and len(function["parameters"]) == receivers)
            setter = self.setter_of(owner, short) if is_getter else None
            if is_getter:
                short = short.removeprefix("get_")
            part = comment(function) + self.function(function, owner, short, is_getter)
            if setter:
                setters.add(setter["name"])
                part += comment(setter) + self.setter(setter, owner, short)
            groups.setdefault(owner, []).append((name, part))
        for owner, parts in groups.items():
            lines += [f"-- ---- {owner or 'the module'}", "do"]
            for name, part in parts:
                if name not in setters:
                    lines += [""] + part
            lines += ["end", ""]
        return lines

    def write(self, layer):
        for name in BY_HAND:
            if f"C.{name}(" not in layer:
                raise Unknown(f"{name} is not called in layer.lua")
        parts = {"declarations": self.declarations, "tables": self.tables,
                 "functions": self.functions}
        return re.sub(r"^--@(\w+)$", lambda m: "\n".join(parts[m[1]]()), layer, flags=re.MULTILINE)


def join(ctype, name):
    return ctype + name if ctype.endswith("*") else f"{ctype} {name}"


def key(name):
    return f'["{name}"]' if name in KEYWORDS else name


def common_words(names):
    """The longest start of all names that ends with an underscore."""
    start = names[0]
    while not all(n.startswith(start) for n in names):
        start = start[:-1]
    return start[:start.rindex("_") + 1]


def comment(function):
    text = function.get("comment", "")
    return ["--- " + line if line else "---" for line in text.splitlines()]


def main():
    names = [pathlib.Path(n) for n in sys.argv[1:]]
    names += [HERE.parent / "api.json", HERE / "cairn.lua"][len(names):]
    api = json.loads(names[0].read_text(encoding="utf-8"))
    try:
        text = Generator(api).write((HERE / "layer.lua").read_text(encoding="utf-8"))
    except Unknown as error:
        print(f"generate.py: {error}", file=sys.stderr)
        return 1
    names[1].write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
