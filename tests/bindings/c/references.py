#!/usr/bin/env python3
"""Writes a C++ program that calls every function of the header once. Everything that a function
reads through a pointer to one value (definitions, hulls, queries, ...) is passed by reference.

    references.py API.JSON OUTPUT.CPP

The program does not compile if an overload is missing. It fails if a call says that an argument is
NULL or null.
"""
import json
import pathlib
import sys

PROGRAM = """#include "cairn.h"

#include <cstdio>
#include <cstring>
#include <vector>

static vec2s at(float x, float y) {
    vec2s v{};
    v.x = x, v.y = y;
    return v;
}

static bool append(const void *bytes, size_t size, void *user) {
    auto *tape = static_cast<std::vector<char> *>(user);
    auto *begin = static_cast<const char *>(bytes);
    tape->insert(tape->end(), begin, begin + size);
    return true;
}

// Good arguments of all types.
struct arguments {
    cn_world *world = cn_world_create(cn_world_def{});
    cn_body ground{}, body{};
    cn_shape shape{};
    cn_joint joint{};
    cn_chain chain{};
    cn_grid grid{};
    cn_pose pose = cn_pose_at(at(0, 0), 0);
    vec2s points[3] = {at(0, 0), at(4, 0), at(4, 4)};
    uint8_t solid[1] = {1};
    cn_hull hull = cn_box(1, 1);
    cn_sweep sweep{};
    cn_outline outline{points, 3};
    cn_shape_def shape_def{};
    cn_chain_def chain_def{};
    cn_grid_def grid_def{};
    cn_joint_def joint_def{};
    cn_explosion explosion{};
    std::vector<char> saved, tape;
    cn_recording_sink sink{append, &tape};
    cn_rollback *rollback{};
    cn_replay *replay{}; // of a recording without calls
    alignas(16) char results[8192]; // for some values of any type

    arguments() {
        sweep.start = pose;
        shape_def.hull = hull;
        chain_def.points = points, chain_def.count = 3;
        grid_def.solid = solid, grid_def.width = grid_def.height = 1, grid_def.tile_size = 1;
        explosion.radius = 1, explosion.falloff = 1;
        cn_body_def still{};
        still.type = CN_STATIC;
        ground = cn_body_create(world, still);
        body = cn_body_create(world, cn_body_def{});
        shape = cn_shape_create(world, body, shape_def);
        joint_def.a = ground, joint_def.b = body;
        joint = cn_joint_create(world, joint_def);
        chain = cn_chain_create(world, ground, chain_def);
        grid = cn_grid_create(world, ground, grid_def);
        rollback = cn_rollback_create(world, 2);
        cn_recording_begin(world, sink);
        cn_recording_end(world);
        replay = cn_replay_create(cn_world_def{}, tape.data(), tape.size());
        saved.resize(cn_world_save(world, CN_SAVE_ALL, nullptr, 0));
        cn_world_save(world, CN_SAVE_ALL, saved.data(), saved.size());
    }
    ~arguments() {
        cn_replay_destroy(replay);
        cn_rollback_destroy(rollback);
        cn_world_destroy(world);
    }
};

static int wrong = 0;

static void check(const char *name) {
    if (!std::strstr(cn_error(), "NULL") && !std::strstr(cn_error(), "null")) return;
    std::printf("%s: %s\\n", name, cn_error());
    wrong++;
}

"""

BY_TYPE = {
    "cn_world": "x.world", "cn_body": "x.body", "cn_shape": "x.shape", "cn_joint": "x.joint",
    "cn_chain": "x.chain", "cn_grid": "x.grid", "cn_hull": "x.hull", "cn_sweep": "x.sweep",
    "cn_shape_def": "x.shape_def", "cn_chain_def": "x.chain_def", "cn_grid_def": "x.grid_def",
    "cn_joint_def": "x.joint_def", "cn_outline": "x.outline", "cn_explosion": "x.explosion",
    "cn_replay": "x.replay", "cn_rollback": "x.rollback", "cn_recording_sink": "x.sink",
    "cn_pose": "x.pose", "vec2s": "x.points[2]"}
BYTES = {"cn_world_restore": "saved", "cn_world_load": "saved"}


def argument(function, parameter):
    kind, kind_of = parameter["kind"], parameter.get("to") or parameter.get("of")
    kind_of = kind_of if isinstance(kind_of, dict) else parameter
    name = kind_of.get("type")
    if parameter["name"] == "previous":
        return f"{name}{{}}"
    if kind in ("number", "flags"):
        return "1"
    if kind in ("count", "capacity"):
        is_size = name == "size_t" and parameter["name"] == "size"
        return f"x.{BYTES.get(function['name'], 'tape')}.size()" if is_size else "1"
    if kind == "bool":
        return "true"
    if kind == "enum":
        return f"{name}(1)"
    if kind in ("user", "callback"):
        return "nullptr"
    if kind == "bytes":
        return f"x.{BYTES.get(function['name'], 'tape')}.data()"
    if kind in ("out_bytes", "out", "out_array"):
        target = {"bool": "bool"}.get(kind_of["kind"], name or "void")
        return f"reinterpret_cast<{target} *>(x.results)"
    if kind == "array" and name == "cn_world":
        return "&x.world"
    if kind == "array":
        return {"vec2s": "x.points", "uint8_t": "x.solid"}.get(
            name, f"&{BY_TYPE[name]}" if name in BY_TYPE else f"std::vector<{name}>(1).data()")
    return BY_TYPE.get(name, f"{name}{{}}")  # handles, structs, objects, and pointers: by reference


def main():
    source, output = map(pathlib.Path, sys.argv[1:])
    functions = json.loads(source.read_text(encoding="utf-8"))["functions"]
    text = [PROGRAM]
    for f in functions:
        call = f"{f['name']}({', '.join(argument(f, p) for p in f['parameters'])})"
        noun, _, verb = f["name"].rpartition("_")
        if f["returns"]["kind"] == "object" and verb in ("create", "load"):
            call = f"{noun}_destroy({call})"
        if f["parameters"][:1] and f["parameters"][0]["kind"] == "object" and verb == "destroy" and \
                len(f["parameters"]) == 1:
            call += f", {BY_TYPE[noun]} = nullptr"
        text.append(f"static void call_{f['name']}(arguments &x) {{\n"
                    f"    (void)x, (void)({call});\n}}\n")
    text.append("\nint main() {\n")
    for f in functions:
        text.append("    {\n        arguments x;\n        cn_error_clear();\n"
                    f"        call_{f['name']}(x);\n        check(\"{f['name']}\");\n    }}\n")
    text.append(f'    std::printf("{len(functions)} functions, %d wrong\\n", wrong);\n'
                '    return wrong > 0;\n}\n')
    output.write_text("".join(text), encoding="utf-8")


if __name__ == "__main__":
    main()
