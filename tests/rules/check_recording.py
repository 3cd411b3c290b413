#!/usr/bin/env python3
"""Checks that calls are recorded. Prints what is wrong; exits with 1 if anything is.

    check_recording.py [ROOT]
    check_recording.py --self-test

  1. The files that engine/bindings/recorded_calls.py writes are up to date.
  2. Each function that changes a world has one CN_RECORD() with its name, the world and its other
     parameters in their order, and before any other use of them that changes the world: at most
     checks stand before it.
  3. Each of these functions that creates an object has one CN_CREATED().
"""
import json
import pathlib
import re
import sys

import house

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "engine/bindings"))
import recorded_calls  # pylint: disable=wrong-import-position

# What may stand before CN_RECORD(): these statements change nothing that is hashed or saved.
HARMLESS = re.compile(r"\s*(?:const \w+ none = \{0\};|\w+ \w+;|cn_simulation \*sim = &world->sim;"
                      r"|int slot = cn_edit_\w+\(world, \w+, __func__\);"
                      r"|if \((?:[^;{}])*\)\s*return[^;{}]*(?:\{0\})?;)\s*")


def find_body(text, name):
    """The parameters and the statements of a function, or None."""
    match = re.search(r"^\w+ \*?" + name + r"\(([^;{]*?)\) \{\n(.*?)^\}", text,
                      re.MULTILINE | re.DOTALL)
    return match and ([p.split()[-1].lstrip("*") for p in match[1].split(",")], match[2])


def judge(call, text):
    """What is wrong with a function in the sources, or None."""
    found = find_body(text, call["name"])
    if not found:
        return "is not defined in the engine"
    names, body = found
    lines = re.findall(r"CN_RECORD\(" + call["name"] + r",\s*([^)]*)\);", body)
    if [[part.strip().lstrip("&") for part in line.split(",")] for line in lines] != [names]:
        return f"has no CN_RECORD() with {', '.join(names)}"
    before = body[:body.index("CN_RECORD")]
    while HARMLESS.match(before):
        before = before[HARMLESS.match(before).end():]
    if before.strip():
        return f"does something before CN_RECORD(): {before.strip()}"
    if ("creates" in call) != (body.count("CN_CREATED(") == 1):
        return "must have CN_CREATED() if it creates an object, and only then"
    return None


def check(root):
    wrong = 0
    api = json.loads((root / "engine/bindings/api.json").read_text(encoding="utf-8"))
    for name, text in recorded_calls.generate(api).items():
        if (root / "engine" / name).read_text(encoding="utf-8") != text:
            print(f"engine/{name} is not up to date: run engine/bindings/recorded_calls.py")
            wrong += 1
    text = "\n".join(path.read_text(encoding="utf-8")
                     for folder in ("core/world", "parts")
                     for path in sorted((root / "engine" / folder).rglob("*.c")))
    calls = recorded_calls.list_calls(api)
    for call in calls:
        reason = judge(call, text)
        if reason:
            print(f"{call['name']} {reason}")
            wrong += 1
    print(f"{len(calls)} calls, {wrong} mistakes")
    return int(wrong > 0)


GOOD = """bool cn_body_set_x(cn_world *world, cn_body body, float x) {
    CN_RECORD(cn_body_set_x, world, body, x);
    world->x = x;
}
"""
BAD = (("body, x);", "x, body);"), ("    CN_RECORD(cn_body_set_x, world, body, x);\n", ""),
       ("    CN_RECORD", "    world->y = 1;\n    CN_RECORD"), ("world->x = x", "CN_CREATED(x)"),
       ("cn_body_set_x(cn_world", "cn_body_set_y(cn_world"), ("cn_body_set_x, w", "cn_body_y, w"))


def self_test():
    call = {"name": "cn_body_set_x"}
    wrong = [] if judge(call, GOOD) is None else ["the good example"]
    wrong += [new for old, new in BAD if old not in GOOD or not judge(call, GOOD.replace(old, new))]
    wrong += [] if judge({**call, "creates": "cn_body"}, GOOD) else ["no CN_CREATED()"]
    print(f"{len(BAD) + 2} examples, wrong: {wrong}")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(self_test() if "--self-test" in sys.argv else check(house.find_root(sys.argv[1:])))
