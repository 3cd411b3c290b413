#!/usr/bin/env python3
"""Makes cairn.lua, the binding for LuaJIT, from api.json and layer.lua.

    generate.py [API [OUTPUT]]      default: ../api.json and cairn.lua beside this script

layer.lua has what is written by hand: objects, conversions, callbacks, and the functions in BY_HAND.
All other functions of the API are generated. Their names are those of api.json. An unknown kind of
parameter is an error. cairn.lua is committed, because a game needs only this file and the library;
tests/bindings/lua/run.sh checks that it is up to date.
"""
import json
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent

# Written in layer.lua. Each of them must be called there.
BY_HAND = """
    cn_error cn_error_code cn_error_clear cn_error_set_hook
    cn_world_create cn_world_destroy cn_world_step cn_worlds_step cn_world_advance
    cn_world_callbacks cn_world_set_callbacks cn_world_load cn_world_events cn_world_poses cn_world_draw
    cn_body_create cn_shape_create cn_chain_create cn_grid_create cn_joint_create
    cn_rollback_create cn_rollback_destroy cn_recording_begin cn_recording_end cn_recording_cut
    cn_replay_create cn_replay_destroy cn_replay_world cn_replay_text cn_outline_decompose
""".split()
# The classes of objects. Some have a pointer, the others a handle in their world.
OF_ONE_POINTER = ("world", "rollback", "replay")
CLASSES = ("world", "body", "shape", "joint", "grid", "chain", "rollback", "replay")
KEYWORDS = {"end", "repeat", "function", "local", "in", "not", "and", "or", "then"}


class Unknown(Exception):
    """Something that the generator has no rule for."""


class Generator:
    """Writes Lua for an API."""

    def __init__(self, api):
        self.api = api
        self.structs = {s["name"]: s for s in api["structs"]}
        self.callbacks = {c["name"]: c for c in api["callbacks"]}

    # -- declarations

    def ctype(self, value, is_parameter=False):
        """The C type of a parameter, field or result."""
        kind = value["kind"]
        if kind in ("void", "bool"):
            return kind
        if kind == "success":
            return "bool"
        if kind == "handle" and is_parameter:
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

    def expected(self):
        version = next(c["value"] for c in self.api["constants"] if c["name"] == "CN_VERSION")
        return [f"local VERSION, API_HASH = {version}, 0x{self.api['hash']:08x}"]

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
        lengths, orders = [], []
        for struct in self.api["structs"]:
            lines.append(f"    {struct['name']} = {{")
            names = [f["name"] for f in struct["fields"] if f["kind"] != "count"]
            orders.append(f"    {struct['name']} = {{" + ", ".join(f'"{n}"' for n in names) + "},")
            for field in struct["fields"]:
                if field["kind"] == "count":
                    continue
                lines.append(f"        {key(field['name'])} = {self.describe(field)},")
                if field["kind"] == "array" and "in" in struct["used"] \
                        and not re.fullmatch(r"\w+", field["count"]):
                    lengths.append((struct, field))
            lines.append("    },")
        lines += ["}", "", "-- The same in their order.", "local field_names = {", *orders]
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

    @staticmethod
    def place(function):
        """Where a function belongs: a class, value or "", and its short name."""
        owner, _, short = function["names"]["lua"].rpartition(".")
        return owner.lower(), short

    def is_getter(self, function, owner):
        """True for what an object knows without further arguments."""
        taken, _ = self.receiver(owner)
        return (owner in CLASSES and function["effect"] == "reads"
                and len(function["parameters"]) == len(taken))

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
            return name, f'id_of("{ctype}", {name})'
        if kind == "object":
            return name, f'pointer_of("{ctype}", {name})'
        raise Unknown(f"a parameter {value}")

    @staticmethod
    def out_value(parameter, world):
        """The Lua value of an out parameter."""
        name, to = parameter["name"], parameter["to"]
        if to["kind"] == "handle":
            return f'object({world}, "{to["type"]}", {name}[0].id)'
        return f'ffi.new("{to["type"]}", {name}[0])' if to["kind"] == "struct" else f"{name}[0]"

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
            return f'object({world}, "{value["type"]}", result.id)'
        if kind == "struct":
            if any(f["kind"] == "callback" for f in self.structs[value["type"]]["fields"]):
                raise Unknown(f"a result with functions of the user, which layer.lua knows: {value}")
            if self.is_plain(value):
                return "result"
            return f'read("{value["type"]}", result, {world})'
        raise Unknown(f"a result {value}")

    @staticmethod
    def receiver(owner):
        """The C arguments for `self`, and its world in Lua."""
        if owner in OF_ONE_POINTER:
            return ["self.pointer"], "self" if owner == "world" else "self.world"
        if owner in CLASSES:
            return ["self.world.pointer", "self.id"], "self.world"
        return (["self"], "nil") if owner else ([], "nil")

    def iteration(self, function, owner, short):
        """The Lua definition of an iterator, for a function that returns the next object."""
        arguments, world = self.receiver(owner)
        call = f"C.{function['name']}({', '.join(arguments)}, id)"
        return [f"function {owner}_methods:{short}()",
                f'    return collect({world}, "{function["returns"]["type"]}", '
                f"function(id) return {call} end)", "end"]

    def function(self, function, owner, short):
        """The Lua definition of a function."""
        arguments, world = self.receiver(owner)
        parameters = function["parameters"][len(arguments):]
        names, outs, writes = [], [], None
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
        more = "".join(", " + self.out_value(p, world) for p in outs if p["kind"] == "out")
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
                elif owner in CLASSES and short != "destroy":
                    body.append("return self")
            else:
                body += [f"local result = {call}", *check,
                         f"return {self.result(returns, world)}{more}"]
        if self.is_getter(function, owner):
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
        """The Lua definition of what sets a property."""
        taken, _ = self.receiver(owner)
        _, argument = self.argument({**function["parameters"][-1], "name": "value"})
        return [f"function {owner}_set.{short}(self, value)",
                f"    C.{function['name']}({', '.join(taken)}, {argument})", "    check()", "end"]

    def functions(self):
        lines, groups = [], {}
        for function in self.api["functions"]:
            if function["name"] in BY_HAND or not function["names"]["lua"]:
                continue
            owner, short = self.place(function)
            define = self.function
            if "_next_" in function["name"]:
                define = self.iteration
            elif "_set_" in function["name"] and not short.startswith("set_"):
                define = self.setter
            part = comment(function) + define(function, owner, short)
            groups.setdefault(owner, []).append(part)
        for owner, parts in groups.items():
            lines += [f"-- ---- {owner or 'the module'}", "do"]
            for part in parts:
                lines += [""] + part
            lines += ["end", ""]
        return lines

    def write(self, layer):
        for name in BY_HAND:
            if f"C.{name}(" not in layer:
                raise Unknown(f"{name} is not called in layer.lua")
        parts = {"declarations": self.declarations, "expected": self.expected, "tables": self.tables,
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
