#!/usr/bin/env python3
"""Writes C code for the fuzz targets from engine/bindings/api.json. For every function it writes a
call whose arguments are drawn from a stream of bytes (see draw.h).

    generate.py API.json OUTPUT.h

The output has, in this order:

    make_STRUCT()   draws a struct that users pass to functions, unless draw.h has a maker for it
    mix_STRUCT()    adds the fields of a struct, and the arrays that it points to, to a sum
    call_FUNCTION() draws arguments, calls the function, and returns the outcome
    calls[]         the table of all functions

The script fails if a function has parameters of a kind that it does not know."""
import json
import pathlib
import re
import sys

# Structs that draw.h makes, because the world refuses structs with random fields.
MADE_BY_HAND = {"vec2s", "cn_rotation", "cn_pose", "cn_hull", "cn_allocator", "cn_task_system",
                "cn_callbacks", "cn_coordinate", "cn_joint_def", "cn_tuning", "cn_world_def",
                "cn_capacity", "cn_pre_solve_result"}
# Fields that depend on lanes, threads, time and the allocator.
FIELDS_OF_THE_MACHINE = {
    "cn_counters": {"lanes", "bytes", "allocations", "batches", "colors"},
    "cn_capacity": {"bodies", "shapes", "static_shapes", "joints", "contacts"},
    "cn_profile": {"count", "names", "seconds", "total"}}
RESULTS_OF_THE_MACHINE = {"cn_world_threads"}
UNSIGNED = {"size_t", "uint8_t", "uint32_t", "uint64_t"}


class Api:
    def __init__(self, api):
        self.api = api
        self.structs = {s["name"]: s for s in api["structs"]}
        self.enums = {e["name"]: [v["value"] for v in e["values"]] for e in api["enums"]}
        self.handles = [h["type"] for h in api["handles"]]


def fail(text):
    sys.exit("generate.py: " + text)


# ---- drawing

def draw_enum(api, name, type_):
    values = api.enums[name]
    numbers = ", ".join(map(str, values))
    return f"({type_})draw_enum(f, (const int[]){{{numbers}}}, {len(values)})"


def draw_value(api, v):
    """An expression that draws a value of a kind that is not a pointer to an array."""
    kind = v["kind"]
    if kind == "bool":
        return "draw_bool(f)"
    if kind == "flags":
        return draw_enum(api, v["enum"], v["type"]).replace("draw_enum", "draw_flags")
    if kind == "enum":
        return draw_enum(api, v["type"], v["type"])
    if kind == "number":
        name = "float" if v["type"] in ("float", "double") else "int"
        name = "id" if v["type"] == "uint64_t" else name
        return f"({v['type']})draw_{name}(f)"
    if kind in ("count", "capacity"):
        return "draw_size(f)" if v["type"] == "size_t" else f"({v['type']})draw_{kind}(f)"
    if kind == "handle":
        return f"draw_{v['type']}(f)"
    if kind == "struct":
        return f"make_{v['type']}(f)"
    if kind == "user":
        return "user_of(f)"
    if kind == "object":
        return "draw_null(f, 0) ? NULL : given"
    if kind == "callback":
        name = re.sub(r"\W", "_", v["callback"])
        return f"draw_bool(f) ? answer_{name} : NULL"
    return None


def compute(expression, prefix):
    """The count of an array as a sum of 64 bits."""
    return re.sub(r"[a-z_]\w*", lambda m: f"(int64_t){prefix}{m[0]}", str(expression))


def element_type(v):
    return f"{v['type']} *" if v["kind"] == "object" else v["type"]


def is_array(v):
    return v["kind"] in ("array", "out_array", "bytes", "out_bytes")


def draw_array(api, v, prefix, name):
    """Lines that draw an array; its count is known."""
    kind = v["kind"]
    if kind == "bytes":
        tape = "f->tape" if v.get("from") == "cn_recording_begin" else "f->saved"
        return [f"{name} = draw_saved(f, &{tape}, &{prefix}{v['count']});"]
    if kind == "out_bytes":
        return [f"{name} = new_block(f, (int64_t){prefix}{v['capacity']}, 1);"]
    count = compute(v.get("count", v.get("capacity")), prefix)
    of = v["of"]
    lines = [f"{name} = new_block(f, {count}, sizeof({element_type(of)}));"]
    if kind == "array":
        one = (f"draw_bool(f)" if of["type"] == "uint8_t" else draw_value(api, of))
        target = f"(({element_type(of)} *){name})[i]"
        lines += [f"for (int64_t i = 0; {name} && i < {count}; i++)", f"    {target} = {one};"]
    return lines


def make_struct(api, s):
    """Draws each field; those that say how long arrays are come first."""
    lines = [f"static {s['name']} make_{s['name']}(fuzz *f) {{", f"    {s['name']} v = {{0}};"]
    for field in s["fields"]:
        if is_array(field):
            continue
        kind, name = field["kind"], field["name"]
        if kind == "inline_array":
            one = draw_value(api, field["of"])
            lines.append(f"    for (int i = 0; i < {field['length']}; i++) v.{name}[i] = {one};")
            continue
        value = draw_value(api, field)
        if value is None:
            fail(f"no way to draw {s['name']}.{name}")
        sparse = "" if kind in ("count", "handle", "struct", "user") else "if (!draw_default(f)) "
        lines.append(f"    {sparse}v.{name} = {value};")
    for field in s["fields"]:
        if is_array(field):
            lines.append(f"    if (!draw_null(f, {int(field.get('null', False))})) {{")
            lines += ["        " + l for l in draw_array(api, field, "v.", "v." + field["name"])]
            lines.append("    }")
    return "\n".join(lines + ["    return v;", "}\n"])


# ---- mixing

def mix_value(api, v, expression):
    kind = v["kind"]
    if kind in ("bool", "success", "count", "total", "enum", "flags", "capacity"):
        return f"mix(o, (uint64_t){expression});"
    if kind == "number":
        name = "mix_number" if v["type"] in ("float", "double") else "mix"
        cast = "(double)" if name == "mix_number" else "(uint64_t)"
        return f"{name}(o, {cast}{expression});"
    if kind == "handle":
        return f"mix_{v['type']}(o, {expression});"
    if kind == "struct":
        return f"mix_{v['type']}(o, {expression});"
    return None


def mix_struct(api, s):
    lines = [f"static void mix_{s['name']}(outcome *o, {s['name']} v) {{", "    (void)o, (void)v;"]
    for field in s["fields"]:
        name = field["name"]
        if name in FIELDS_OF_THE_MACHINE.get(s["name"], ()) or \
                field["kind"] in ("string", "callback", "user"):
            continue
        if field["kind"] in ("array", "inline_array"):
            count = field.get("used") or field.get("count")
            count = f"v.{count}" if count else field["length"]
            mixed = mix_value(api, field["of"], f"v.{name}[i]")
            lines.append(f"    for (int i = 0; i < {count}; i++) {mixed}")
            continue
        mixed = mix_value(api, field, f"v.{name}")
        if mixed is None:
            fail(f"no way to mix {s['name']}.{name}")
        lines.append("    " + mixed)
    return "\n".join(lines + ["}\n"])


# ---- calls

def declare(api, p):
    """Lines that declare and draw a parameter, unless it is an array."""
    kind, name = p["kind"], p["name"]
    if kind == "object":
        given = "given" if p["type"] == "cn_world" else f"given_{p['type']}(f, given)"
        return [f"{p['type']} *{name} = draw_null(f, 0) ? NULL : {given};"]
    if kind == "pointer":
        type_ = p["to"]["type"]
        return [f"{type_} *{name} = NULL;",
                f"if (!draw_null(f, {int(p.get('null', False))})) {{",
                f"    {name} = new_block(f, 1, sizeof *{name});",
                f"    *{name} = {draw_value(api, p['to'])};", "}"]
    if kind == "out":
        type_ = p["to"].get("type", "bool")
        null = int(p.get("null", False))
        return [f"{type_} *{name} = draw_null(f, {null}) ? NULL : new_block(f, 1, sizeof *{name});"]
    if kind in ("array", "out_array"):
        return [f"{element_type(p['of'])} *{name} = NULL;"]
    if kind in ("bytes", "out_bytes"):
        return [f"void *{name} = NULL;"]
    if kind == "callback":
        return [f"bool is_{name} = draw_bool(f);"]
    type_ = p.get("type", "bool")
    if kind == "user":
        return [f"void *{name} = user_of(f);"]
    value = draw_value(api, p)
    if value is None:
        fail(f"no way to draw the parameter {name}")
    return [f"{type_} {name} = {value};"]


def argument(p):
    if p["kind"] == "callback":
        return f"is_{p['name']} ? answer_{re.sub(chr(92) + 'W', '_', p['callback'])} : NULL"
    return p["name"]


def read_results(api, function):
    """Lines that add all that the function wrote to the outcome."""
    lines = []
    for p in function["parameters"]:
        name = p["name"]
        if p["kind"] == "out":
            to = p["to"] if p["to"]["kind"] != "bool" else {"kind": "bool"}
            lines.append(f"if ({name} && !o->failed) {mix_value(api, to, '*' + name)}")
        if p["kind"] == "out_array":
            total = f"total_of((int64_t)result, (int64_t){p['capacity']})" if "capacity" in p else \
                f"(result ? (int64_t){p['count']} : 0)"
            mixed = mix_value(api, p["of"], f"{name}[i]")
            lines.append(f"for (int64_t i = 0; {name} && !o->failed && i < {total}; i++) {mixed}")
        if p["kind"] == "out_bytes":
            lines.append(f"keep_saved(f, o, {name}, result, {p['capacity']});")
    return lines


def call_function(api, function):
    parameters, returns = function["parameters"], function["returns"]
    lines = [f"static void call_{function['name']}(fuzz *f, cn_world *given, outcome *o) {{",
             "    (void)f, (void)given;"]
    body = []
    # The world comes first, then what says how long arrays are.
    # An object that the target still needs is not destroyed.
    for p in parameters:
        is_destroyed = p["kind"] == "object" and function.get("destroys") == p["type"]
        is_kept = is_destroyed and p["type"] != "cn_world"
        body += [f"{p['type']} *{p['name']} = NULL;"] if is_kept else declare(api, p)
    for p in parameters:
        if is_array(p):
            body += [f"if (!draw_null(f, {int(p.get('null', False))})) {{"]
            body += ["    " + l for l in draw_array(api, p, "", p["name"])] + ["}"]
    call = f"{function['name']}({', '.join(map(argument, parameters))})"
    kind = returns["kind"]
    body.append("begin_call(o);")
    if kind == "void":
        body += [call + ";", "end_call(o);"]
    else:
        type_ = {"object": f"{returns.get('type')} *", "string": "const char *", "bool": "bool ",
                 "success": "bool "}.get(kind) or returns["type"] + " "
        body.append(f"{type_}result = {call};")
        if kind == "success":
            body.append("end_call_with(o, result);")
        elif kind in ("handle", "object") and "creates" in function:
            body.append(f"end_call_with(o, {'result.id != 0' if kind == 'handle' else 'result'});")
        else:
            body.append("end_call(o);")
        if kind == "object" and "creates" in function:
            body.append(f"try_{returns['type']}(f, o, result);")
        elif kind == "object":
            body.append("mix(o, result != NULL);")
        elif kind == "string":
            body.append("mix(o, (uint64_t)result[0]);")
        elif function["name"] in RESULTS_OF_THE_MACHINE:
            body.append("(void)result;")
        else:
            body.append(mix_value(api, returns, "result"))
        if kind == "handle" and "creates" in function:
            body.append(f"o->created = CREATED_{returns['type']}, o->id = result.id;")
    body += read_results(api, function)
    return "\n".join(lines + ["    " + l for l in body] + ["}\n"])


def may_call(api, function, callback):
    allowed = next(c for c in api.api["callbacks"] if c["name"] == callback)["may_call"]
    named = function["name"] in allowed["functions"] or function["effect"] in allowed["effects"]
    return named and function["name"] not in allowed["except"]


def row(api, function):
    reads = may_call(api, function, "cn_callbacks.filter")
    edits = may_call(api, function, "cn_callbacks.before_step")
    flags = [str(x).lower() for x in (reads, edits)]
    return (f"    {{call_{function['name']}, \"{function['name']}\", \"{function['section']}\", "
            f"EFFECT_{function['effect']}, {', '.join(flags)}}},\n")


def order_structs(api, used, made):
    """Structs such that each stands behind those that it contains."""
    ordered = []

    def visit(s):
        if s["name"] in ordered or s["name"] in made or used not in s["used"]:
            return
        for field in s["fields"]:
            inner = field.get("of")
            for v in (field, inner if isinstance(inner, dict) else None):
                if v and v["kind"] == "struct":
                    visit(api.structs[v["type"]])
        ordered.append(s["name"])

    for s in api.api["structs"]:
        visit(s)
    return [api.structs[n] for n in ordered]


def main():
    source, output = map(pathlib.Path, sys.argv[1:])
    api = Api(json.loads(source.read_text(encoding="utf-8")))
    makers = order_structs(api, "in", MADE_BY_HAND | set(api.handles))
    parts = [make_struct(api, s) for s in makers]
    parts += [mix_struct(api, s) for s in order_structs(api, "out", set())]
    parts += [call_function(api, f) for f in api.api["functions"]]
    rows = "".join(row(api, f) for f in api.api["functions"])
    parts.append("static const api_call calls[] = {\n" + rows + "};\n")
    output.write_text("\n".join(parts), encoding="utf-8")


if __name__ == "__main__":
    main()
