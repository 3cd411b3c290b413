#!/usr/bin/env python3
"""Writes calls of every function of cairn.h to a file, for test_null_calls.c: a call with NULL or a
null handle for each parameter that is a pointer or a handle. All other arguments are good.

    null_calls.py api.json OUTPUT

The description says what each parameter is, and whether it may be null. The file has one function
for each call, and the table null_calls with what should happen.
"""
import json
import pathlib
import sys

# Good arguments: fields of the struct `arguments` in test_null_calls.c, by type or by kind.
BY_TYPE = {
    "cn_world": "x->world", "cn_body": "x->body", "cn_shape": "x->shape", "cn_joint": "x->joint",
    "cn_chain": "x->chain", "cn_grid": "x->tiles", "cn_hull": "&x->hull", "cn_sweep": "&x->sweep",
    "cn_shape_def": "&x->shape_def", "cn_chain_def": "&x->chain_def",
    "cn_grid_def": "&x->tiles_def", "cn_joint_def": "&x->joint_def", "cn_tuning": "&x->tuning",
    "cn_outline": "&x->outline", "cn_explosion": "&x->explosion",
    "cn_replay": "x->replay", "cn_recording_sink": "&x->sink",
}
BY_KIND = {
    "number": "1", "count": "1", "capacity": "1", "flags": "1", "enum": "1", "bool": "true",
    "out": "(void *)x->results", "out_array": "(void *)x->results", "callback": "NULL",
    "out_bytes": "(void *)x->results", "bytes": "x->solid", "user": "NULL",
}
BY_STRUCT = {"cn_pose": "x->pose", "vec2s": "x->points[2]", "cn_hull": "x->hull",
             "cn_sweep": "x->sweep", "cn_joint_def": "x->joint_def", "cn_tuning": "x->tuning"}
POINTERS = ("object", "pointer", "array", "out", "out_array", "callback", "string", "bytes",
            "out_bytes")


def good(parameter):
    """A good argument."""
    kind = parameter["kind"]
    if kind in BY_KIND:
        return BY_KIND[kind]
    if kind == "struct":
        return BY_STRUCT.get(parameter["type"], f"({parameter['type']}){{0}}")
    value = parameter.get("to") or parameter.get("of") or parameter
    if kind == "array" and value["kind"] == "object":
        return "&" + BY_TYPE[value["type"]]
    if value["type"] == "vec2s":
        return "x->points"
    return BY_TYPE.get(value["type"], f"&({value['type']}){{0}}")


def null(parameter):
    is_handle = parameter["kind"] == "handle"
    return f"({parameter['type']}){{0}}" if is_handle else "NULL"


def list_calls(function):
    """Yields the name of a parameter, the arguments of a call, and whether they are allowed."""
    parameters = function["parameters"]
    takes_any = any("any" in p for p in parameters)
    for i, parameter in enumerate(parameters):
        is_handle = parameter["kind"] == "handle"
        if not is_handle and (parameter["kind"] not in POINTERS or takes_any):
            continue
        arguments = [null(p) if p is parameter else good(p) for p in parameters]
        is_counted = "capacity" in parameter
        is_allowed = "any" in parameter or "null" in parameter and not is_counted
        yield parameter["name"], arguments, is_allowed
        if is_counted:
            names = [p["name"] for p in parameters]
            arguments[names.index(parameter["capacity"])] = "0"
            yield parameter["name"] + ", no capacity", arguments, True


def main():
    source, output = map(pathlib.Path, sys.argv[1:])
    functions, rows = [], []
    for function in json.loads(source.read_text(encoding="utf-8"))["functions"]:
        for name, arguments, is_allowed in list_calls(function):
            call = f"call_{len(rows)}"
            functions.append(f"static void {call}(arguments *x) {{\n    (void)x;\n"
                             f"    (void){function['name']}({', '.join(arguments)});\n}}\n")
            allowed = "true" if is_allowed else "false"
            rows.append(f"    {{{call}, \"{function['name']}\", \"{name}\", {allowed}}},\n")
    table = "static const null_call null_calls[] = {\n" + "".join(rows) + "};\n"
    output.write_text("".join(functions) + table, encoding="utf-8")


if __name__ == "__main__":
    main()
