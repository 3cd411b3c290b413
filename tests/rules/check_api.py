#!/usr/bin/env python3
"""Checks engine/bindings/api.json, the description of the API. Exits with 1 if anything is wrong,
with 77 (skipped) if there is no clang.

    check_api.py [--print] [ROOT]
    check_api.py --self-test

  1. The file is what describe.py makes from cairn.h now, and so are core/base/api_hash.h and
     cairn.def.
  2. It has every declaration of the header with all its parts. They are counted by another reader,
     which knows no clang: it splits the text at semicolons, braces and commas.
  3. A C program that is generated from it compiles after cairn.h. The program declares every
     function once more, and asserts each value, the type and offset of each field, and each size.
     The compiler of this machine ($CC and clang) takes cglm itself; clang also compiles the program
     for all targets of the description, with the stand-in for cglm.
  4. The header says for each function of a part that it belongs to the part ("Part: queries."):
     directly below the head of its section, or in the comment above it.
  5. The names follow the rules of "the rules of names" below: noun first, a getter for each setter,
     flags of one polarity, max_ and min_.

--print prints that program. The self-test describes small headers with declarations that are not
known, one in each. All must be refused, with the name of the declaration. It does the same with
names that break a rule.
"""
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

import house

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "engine" / "bindings"))
import describe  # (needs the path)
import header_reader
import kinds

SKIPPED = 77

# ---- the other reader

def strip(header):
    """The C declarations of a header: no comments, nothing for C++, no functions with a body, no
    substitute for cglm, no other preprocessor lines."""
    text = re.sub(r"/\*.*?\*/|//[^\n]*", " ", header, flags=re.DOTALL)
    text = re.sub(r"^#if(?:def __cplusplus\b| defined\(__cplusplus\)).*?^#endif", "", text,
                  flags=re.DOTALL | re.MULTILINE)
    text = re.sub(r"^#if __has_include.*?^#endif", "", text, flags=re.DOTALL | re.MULTILINE)
    text = re.sub(r"^static inline .*?^\}$", "", text, flags=re.DOTALL | re.MULTILINE)
    return re.sub(r"^#.*", "", text, flags=re.MULTILINE)


def split(text, sign):
    """Splits a text where a sign is outside of all brackets."""
    parts, depth = [""], 0
    for letter in text:
        depth += (letter in "({[") - (letter in ")}]")
        if letter == sign and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return [" ".join(part.split()) for part in parts if part.strip()]


def last_name(text):
    """The declared name: in the first brackets with a star, else the last name before brackets."""
    pointer = re.search(r"\(\* ?(\w+)\)", text)
    return pointer[1] if pointer else re.findall(r"\w+", re.split(r"[\[(=]", text)[0])[-1]


def count(header):
    """The names in a header: a list for each list of the description."""
    found = {key: [] for key in ("constants", "enums", "objects", "callbacks", "structs",
                                 "functions")}
    found["constants"] = re.findall(r"^#define (CN_\w+)", header, re.MULTILINE)
    for statement in split(strip(header), ";"):
        body = re.search(r"\{(.*)\}", statement)
        name = last_name(statement[body.end():] or "none") if body else last_name(statement)
        if statement.startswith("enum"):
            found["constants"] += [last_name(part) for part in split(body[1], ",")]
        elif statement.startswith("typedef enum"):
            parts = [last_name(part) for part in split(body[1], ",")]
            found["enums"].append((name, parts))
        elif statement.startswith("typedef struct") and body:
            fields = []
            for field in split(body[1], ";"):
                fields += [last_name(part) for part in split(field, ",")]
            found["structs"].append((name, fields))
            found["callbacks"] += [f"{name}.{n}" for n in re.findall(r"\(\*(\w+)\)", body[1])]
        elif statement.startswith("typedef struct"):
            found["objects"].append(name)
        elif statement.startswith("typedef"):
            found["callbacks"].append(name)
        else:
            name, inside = re.fullmatch(r"[^(]*?(\w+)\((.*)\)", statement).groups()
            parts = [last_name(part) for part in split(inside, ",") if part != "void"]
            found["functions"].append((name, parts))
            found["callbacks"] += [f"{name}.{n}" for n in re.findall(r"\(\*(\w+)\)", inside)]
    complete = {name for name, _ in found["structs"]}  # the others are only declared
    found["objects"] = [name for name in found["objects"] if name not in complete]
    return {key: sorted(names) for key, names in found.items()}


def list_names(api):
    """The same from a description."""
    def pairs(key, inner):
        return [(e["name"], [part["name"] for part in e[inner]]) for e in api[key]]
    found = {
        "constants": [e["name"] for e in api["constants"]],
        "enums": pairs("enums", "values"),
        "objects": [e["type"] for e in api["objects"]],
        "callbacks": [e["name"] for e in api["callbacks"]],
        "structs": [pair for pair in pairs("structs", "fields") if pair[0] != kinds.VECTOR],
        "functions": pairs("functions", "parameters"),
    }
    return {key: sorted(names) for key, names in found.items()}


def compare_names(api, header):
    """Prints the counts, and the names that only one of the two readers found."""
    wrong = 0
    for key, names in count(header).items():
        described = list_names(api)[key]
        parts = [part for name in names if isinstance(name, tuple) for part in name[1]]
        print(f"{len(names)} {key}" + (f" with {len(parts)} parts" if parts else ""))
        for name in names:
            if name not in described:
                print(f"    in cairn.h only: {name}")
        for name in described:
            if name not in names:
                print(f"    in api.json only: {name}")
        wrong += names != described
    return wrong


# ---- parts

SECTION = re.compile(r"^// -{20,} .*$", re.MULTILINE)
PART = re.compile(r"\bPart: ([a-z]+)\.")
# A function, with the lines of comment above it.
FUNCTION = re.compile(r"(?P<comment>(?:^(?://| ?\*|/\*).*\n)*)"
                      r"^(?!//|/\*| |typedef|#|inline|static)[^\n;{(]*?\b(?P<name>cn_\w+)\(", re.MULTILINE)


def read_parts(header):
    """The part that the header names for each function; None: the core."""
    parts = {}
    header = re.sub(r"^#ifdef __cplusplus.*?^#endif", "", header, flags=re.DOTALL | re.MULTILINE)
    for section in SECTION.split(header):
        head = re.match(r"\s*// Part: ([a-z]+)\.\n\n", section)
        for found in FUNCTION.finditer(section):
            own = PART.search(found["comment"]) or head
            parts[found["name"]] = own and own[1]
    return parts


def compare_parts(api, header):
    """Prints the functions whose part the header does not name, or names wrongly. Returns their
    number."""
    named, wrong = read_parts(header), 0
    for function in api["functions"]:
        name, part = function["name"], function.get("part")
        if named.get(name, "nothing") != part:
            print(f"{name} belongs to {part or 'the core'}, but cairn.h says "
                  f"{named.get(name) or 'the core'}")
            wrong += 1
    return wrong


# ---- the rules of names

# A function begins with its noun: an object, a type of values, or one of these.
NOUNS = {
    "error": "the last error of the thread", "sensor": "a shape", "worlds": "many worlds",
    "recording": "what the world writes"}
# Functions that make a value have its name, without a verb.
MAKERS = set("circle capsule segment box rounded_box polygon regular_polygon vec version "
             "api_hash".split())
# cn_X_set_Y() has a getter cn_X_Y(), or these.
GETTERS = {
    "cn_body_set_damping": "cn_body_linear_damping cn_body_angular_damping",
    "cn_world_set_damping": "cn_world_linear_damping cn_world_angular_damping",
    "cn_joint_set_break": "cn_joint_break_force cn_joint_break_torque",
    "cn_joint_set_frames": "cn_joint_frame",
}
NO_GETTER = {
    "cn_body_set_target": "a movement that ends by itself, not a property",
    "cn_error_set_hook": "for a log or a breakpoint: nobody takes turns",
}
# max_ and min_ say the same as these.
OTHER_WORDS = re.compile(r"(^|_)(greatest|least|limit|maximum|minimum|most)(_|$)")
# A flag is named so that off is normal. These are the opposites of flags.
POSITIVE = re.compile(r"(^|_)(enabled?|awake|allow(ed|s)?)(_|$)")


def list_variables(api):
    """Yields the place and the description of all parameters and fields."""
    for kind, inner in (("structs", "fields"), ("functions", "parameters"),
                        ("callbacks", "parameters")):
        for entry in api[kind]:
            for part in entry[inner]:
                yield f"{entry['name']}.{part['name']}", part


def find_wrong_nouns(api):
    nouns = {entry["type"] for entry in api["objects"]} | {s["name"] for s in api["structs"]}
    nouns |= {f"cn_{noun}" for noun in NOUNS}
    for function in api["functions"]:
        name, returns = function["name"], function["returns"].get("type")
        is_maker = name[3:] in MAKERS or returns == "cn_joint_def" and name.endswith("_joint")
        if not is_maker and not any(name == "cn_error" or name.startswith(n + "_") for n in nouns):
            yield name, "does not begin with the name of an object or of a type of values"


def find_wrong_setters(api):
    """Setters without getters, and flags that a definition calls otherwise."""
    names = {f["name"] for f in api["functions"]}
    fields = {s["name"]: {f["name"] for f in s["fields"]} for s in api["structs"]}
    for function in api["functions"]:
        name = function["name"]
        noun, is_setter, word = name.partition("_set_")
        if not is_setter:
            continue
        needed = GETTERS.get(name, f"{noun}_{word}").split()
        if name not in NO_GETTER and not names.issuperset(needed):
            yield name, f"has no getter {' '.join(needed)}"
        is_flag = function["parameters"][-1]["kind"] == "bool" and len(function["parameters"]) < 4
        if is_flag and word not in fields.get(noun + "_def", {word}):
            yield name, f"sets a flag that {noun}_def does not have"


def find_wrong_words(api):
    """Words that have a better one, and opposites of flags."""
    functions = [(f["name"], f["returns"]["kind"] == "bool" or
                  any(p["kind"] == "bool" for p in f["parameters"])) for f in api["functions"]]
    variables = [(place, part["kind"] == "bool") for place, part in list_variables(api)]
    flags = {place for place, is_flag in functions + variables if is_flag}
    for place, _ in functions + variables:
        word = place.rpartition(".")[2]
        if OTHER_WORDS.search(word):
            yield place, "should be named with max_ or min_"
    for place in sorted(flags):
        if POSITIVE.search(place.rpartition(".")[2]):
            yield place, "is a flag that is normally on"
        twin = re.sub(r"([._])no_", r"\1", place)
        if twin in flags - {place}:
            yield place, f"has a twin: {twin}"


def find_unused(api):
    """Exceptions from the rules that nothing needs."""
    names = {f["name"] for f in api["functions"]}
    places = {place for place, _ in list_variables(api)}
    for name in [*GETTERS, *NO_GETTER]:
        noun, _, word = name.partition("_set_")
        if name not in names | places or f"{noun}_{word}" in names:
            yield name, "is an exception that is not needed"


def compare_rules(api, is_complete=True):
    """Prints the names that break a rule. Returns their number."""
    found = [*find_wrong_nouns(api), *find_wrong_setters(api), *find_wrong_words(api)]
    found += find_unused(api) if is_complete else []
    for name, reason in found:
        print(f"{name} {reason}")
    return len(found)


# ---- the program

GROUPS = {  # how C knows the targets of a group of the description
    "x86_64": "UINTPTR_MAX > 0xffffffff", "i686": "defined __i386__",
    "wasm32": "defined __wasm32__",
}


def pick(value, group):
    return value[group] if isinstance(value, dict) else value


def list_sizes(api, group):
    """Yields the assertions about layouts that hold for a group of targets."""
    for struct in api["structs"]:
        name = struct["name"]
        yield f"sizeof({name}) == {pick(struct['size'], group)}"
        yield f"_Alignof({name}) == {pick(struct['align'], group)}"
        for field in struct["fields"]:
            yield f"offsetof({name}, {field['name']}) == {pick(field['offset'], group)}"


def list_facts(api):
    """Yields the assertions that hold everywhere: values, and types of fields."""
    for entry in api["constants"] + [value for enum in api["enums"] for value in enum["values"]]:
        yield f"{entry['name']} == {entry['value']}"
    for struct in api["structs"]:
        for field in struct["fields"]:
            ctype = kinds.c_type(field, api["callbacks"], "")
            if field["kind"] == "inline_array":
                element = kinds.c_type(field["of"], api["callbacks"])
                pointer = f"{element} (*)[{field['length']}]"
            elif "(*)" in ctype:
                pointer = ctype.replace("(*)", "(**)", 1)
            else:
                pointer = f"{ctype} *"
            place = f"&(({struct['name']} *)0)->{field['name']}"
            yield f"_Generic({place}, {pointer}: 1, default: 0)"


def generate(api):
    """The program as text."""
    lines = ["#include <cairn.h>", ""]
    for function in api["functions"]:
        types = [kinds.c_type(p, api["callbacks"]) for p in function["parameters"]]
        name = f"{function['name']}({', '.join(types) or 'void'})"
        lines.append(kinds.c_type(function["returns"], api["callbacks"], name) + ";")
    lines += [f'_Static_assert({fact}, "");' for fact in list_facts(api)]
    for group in api["targets"]:
        lines += ["", f"#if {GROUPS[group]}"]
        lines += [f'_Static_assert({fact}, "");' for fact in list_sizes(api, group)]
        lines.append("#endif")
    return "\n".join(lines + ["", "int main(void) { return 0; }", ""])


def find_cglm():
    """The options for cglm: none if compilers find it themselves."""
    if not shutil.which("pkg-config"):
        return []
    run = subprocess.run(["pkg-config", "--cflags", "cglm"], capture_output=True, text=True,
                         check=False)
    return shlex.split(run.stdout)


def list_commands(folder):
    """Yields names and commands that compile a C program."""
    for compiler in [shlex.split(os.environ.get("CC", "cc")), [header_reader.find_clang()]]:
        if shutil.which(compiler[0]):
            options = ["-std=c17", "-Wall", "-Werror", "-fsyntax-only", *find_cglm()]
            yield pathlib.Path(compiler[0]).name, compiler + options
    for target in header_reader.TARGETS:
        yield target, header_reader.command(folder, target, "-Wall", "-Werror")


def compile_everywhere(program, includes):
    """Compiles the program with a folder of cairn.h. Returns how often this failed."""
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "api.c"
        file.write_text(program, encoding="utf-8")
        for name, command in list_commands(folder):
            run = subprocess.run(command + [f"-I{includes}", str(file)],
                                 capture_output=True, text=True, check=False)
            print(f"{name}: {'fails' if run.returncode else 'compiles'}")
            if run.returncode:
                print(run.stderr[:4000])
            wrong += run.returncode != 0
    return wrong


def check(root, is_printing):
    header = (root / "engine/cairn.h").read_text(encoding="utf-8")
    file = root / "engine/bindings/api.json"
    text = file.read_text(encoding="utf-8")
    if is_printing:
        print(generate(json.loads(text)))
        return 0
    try:
        made = describe.describe(header)
    except header_reader.Unknown as error:
        print(f"describe.py cannot describe cairn.h: {error}")
        return 1
    if made != text:
        print("engine/bindings/api.json is not up to date: run engine/bindings/describe.py")
        return 1
    api = json.loads(text)
    if (root / "engine/core/base/api_hash.h").read_text(encoding="utf-8") != describe.write_hash(api):
        print("engine/core/base/api_hash.h is not up to date: run engine/bindings/describe.py")
        return 1
    if (root / "engine/bindings/cairn.def").read_text(encoding="utf-8") != describe.write_exports(api):
        print("engine/bindings/cairn.def is not up to date: run engine/bindings/describe.py")
        return 1
    program = generate(api)
    print(f"{program.count('_Static_assert')} assertions")
    wrong = compare_names(api, header) + compare_parts(api, header) + compare_rules(api)
    return int(wrong + compile_everywhere(program, root / "engine") > 0)


# ---- the self-test

BASE = """#include <cglm/struct/vec2.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
enum { CN_MAX = 4 };
typedef enum { CN_RED, CN_BLUE } cn_color;
typedef struct cn_world cn_world;
typedef struct { uint64_t id; } cn_body;
typedef struct cn_hull cn_hull; // its definition follows
typedef struct {
    const cn_hull *hulls;
    int hull_count;
    const uint8_t *bytes;
    int byte_count;
} cn_def;
typedef struct cn_hull { vec2s points[CN_MAX]; int count; } cn_hull;
cn_world *cn_world_create(const cn_def *def);
void cn_world_destroy(cn_world *world);
cn_body cn_body_create(cn_world *world, const cn_hull *hull);
bool cn_body_destroy(cn_world *world, cn_body body);
int cn_world_find(const cn_world *world, const vec2s *points, int count, cn_body *bodies,
                  int capacity);
size_t cn_world_save(const cn_world *world, void *bytes, size_t capacity);
bool cn_world_restore(cn_world *world, const void *bytes, size_t size);
"""
KNOWN = (  # what is described, with a part of it
    ("", '"size": {"x86_64": 32, "i686": 16, "wasm32": 16}'),
    ("typedef struct { bool a; uint64_t b; } cn_x;",
     '"offset": {"x86_64": 8, "i686": 4, "wasm32": 8}'),
    ("void cn_x(const int *p, int count);",
     '{"name": "p", "kind": "array", "of": {"kind": "number", "type": "int"}, "count": "count"'),
    ("", '"returns": {"kind": "total", "type": "size_t", "of": ["bytes"]}'),
    ("", '{"name": "size", "kind": "count", "type": "size_t", "of": ["bytes"]}'),
    ("\n// Above.\nvoid cn_x(void); // behind\n", '"comment": "Above.\\nbehind"'),
    ("\n// All.\nvoid cn_x(void);\n// One.\nvoid cn_y(void);\n",
     '"comment": "All.", "names": ["cn_x"]'),
    ("typedef struct {\n    int a; // one\n           // and on\n    int b;\n} cn_x;",
     '"comment": "one\\nand on"'),
    ("typedef enum { CN_A = 1, CN_B = 2, CN_C = 3 } cn_x;", '"flags": true'),
    ("#define CN_X (CN_MAX * 10 + 2)", '"value": 42'),
    ("static inline int cn_x(void) { return 1; }", '"functions": [{"name": "cn_world_create"'),
)
UNKNOWN = (  # what is refused, and the name in the error
    ("void cn_x(float *p);", "cn_x.p"),
    ("void cn_x(const float *p);", "cn_x.p"),
    ("void cn_x(float *p, int count);", "cn_x.p"),
    ("void cn_x(cn_hull *hull);", "cn_x.hull"),
    ("void cn_x(cn_body *bodies);", "cn_x.bodies"),
    ("void cn_x(const cn_hull *hulls);", "cn_x.hulls"),
    ("void cn_x(const vec2s *point);", "cn_x.point"),
    ("void cn_x(const cn_hull **hulls, int count);", "cn_x.hulls"),
    ("void cn_x(void *p);", "cn_x.p"),
    ("void cn_x(const void *bytes, int size);", "cn_x.bytes"),
    ("void cn_x(float m[3]);", "cn_x.m"),
    ("void cn_x(long n);", "cn_x.n"),
    ("void cn_x(int, int b);", "cn_x"),
    ("void cn_x(const char *format, ...);", "cn_x"),
    ("int cn_x(void) { return 1; }", "cn_x"),
    ("#define CN_X (CN_Y(1))", "CN_X"),
    ("int *cn_x(void);", "cn_x"),
    ("const char *cn_x(void);", "cn_x"),
    ("void cn_x(void (*f)(int n));", "cn_x.f"),
    ("void cn_x(void (*f)(int, ...));", "cn_x.f"),
    ("typedef void (*cn_x)(int n);", "cn_x"),
    ("typedef float cn_x;", "cn_x"),
    ("typedef struct { unsigned a : 3; } cn_x;", "cn_x.a"),
    ("typedef struct { int a; union { int b; float c; }; } cn_x;", "cn_x."),
    ("typedef struct { float *p; int n; } cn_x;", "cn_x.p"),
    ("typedef struct { const cn_hull *p; } cn_x;", "cn_x.p"),
    ("typedef struct { const char *p; char c; } cn_x;", "cn_x.c"),
    ("typedef struct { float m[2][2]; } cn_x;", "cn_x.m"),
    ("typedef struct { const float *p[2]; } cn_x;", "cn_x.p"),
    ("typedef struct { void (*f)(void); } cn_x;", "cn_x.f"),
    ("typedef struct { uint64_t id; } cn_x;", "cn_x"),  # a handle that nothing creates
    ("typedef struct cn_x cn_x;", "cn_x"),
    ("typedef union { int a; float b; } cn_x;", "cn_x"),
    ("typedef enum { CN_A = 1, CN_B = 2, CN_C = 5 } cn_x;", "cn_x"),
    ("struct cn_x { int a; };", "cn_x"),
    ("enum cn_x { CN_A };", "cn_x"),
    ("extern int cn_x;", "cn_x"),
    ("#define CN_X(a) (a)", "CN_X"),
    ("#define CN_X 0.5f", "CN_X"),
)


WRONG = (  # mistakes in the description of BASE, which all compilers must find
    ('"x86_64": 24', '"x86_64": 20', {"x86_64", "aarch64"}),
    ('"wasm32": 12', '"wasm32": 16', {"wasm32"}),
    ('"type": "int"', '"type": "uint32_t"', set(header_reader.TARGETS)),
    ('"kind": "out_array"', '"kind": "array"', set(header_reader.TARGETS)),
    ('"value": 4', '"value": 5', set(header_reader.TARGETS)),
)


MISNAMED = (  # names that break a rule, and what is found
    ("bool cn_destroy_body(cn_world *world, cn_body body);", ["cn_destroy_body"]),
    ("void cn_step(cn_world *world);", ["cn_step"]),
    ("bool cn_body_set_mass(cn_world *world, cn_body body, float mass);", ["cn_body_set_mass"]),
    ("bool cn_body_set_mass(cn_world *world, cn_body body, float mass);\n"
     "float cn_body_get_mass(const cn_world *world, cn_body body);", ["cn_body_set_mass"]),
    ("float cn_body_speed_limit(const cn_world *world, cn_body body);", ["cn_body_speed_limit"]),
    ("float cn_body_mass(const cn_world *world, cn_body body, float greatest_mass);",
     ["cn_body_mass.greatest_mass"]),
    ("typedef struct { float least_mass; int mode_limited; } cn_x;", ["cn_x.least_mass"]),
    ("bool cn_body_awake(const cn_world *world, cn_body body);", ["cn_body_awake"]),
    ("bool cn_body_set_enabled(cn_world *world, cn_body body, bool enabled);\n"
     "bool cn_body_enabled(const cn_world *world, cn_body body);",
     ["cn_body_enabled", "cn_body_set_enabled", "cn_body_set_enabled.enabled"]),
    ("typedef struct { bool sleep_allowed; int awake_bodies; } cn_x;", ["cn_x.sleep_allowed"]),
    ("typedef struct { bool no_events, events; } cn_x;", ["cn_x.no_events"]),
    ("bool cn_body_no_events(const cn_world *world, cn_body body);\n"
     "bool cn_body_events(const cn_world *world, cn_body body);", ["cn_body_no_events"]),
    ("typedef struct { bool no_sleep; } cn_body_def;\n"
     "bool cn_body_set_sleepless(cn_world *world, cn_body body, bool sleepless);\n"
     "bool cn_body_sleepless(const cn_world *world, cn_body body);", ["cn_body_set_sleepless"]),
    # These are right.
    ("cn_hull cn_circle(float radius);\nint cn_worlds_step(int n);\n"
     "bool cn_body_set_damping(cn_world *world, cn_body body, float linear, float angular);\n"
     "float cn_body_linear_damping(const cn_world *world, cn_body body);\n"
     "float cn_body_angular_damping(const cn_world *world, cn_body body);", []),
    ("bool cn_body_set_damping(cn_world *world, cn_body body, float linear, float angular);\n"
     "float cn_body_linear_damping(const cn_world *world, cn_body body);", ["cn_body_set_damping"]),
)

# Parts in a header, and what they are.
PARTS = """
// --------------------------------------------------------------------------------------- bodies

bool cn_a(void);
// Does this. Part: water.
bool cn_b(void);
// ---------------------------------------------------------------------------------------- fields

// Part: fields.

/* What it does. */
int cn_c(int n, // of these
         int m);

/* And this.
 * Part: water. */
const char *cn_d(void);
"""
NAMED = {"cn_a": None, "cn_b": "water", "cn_c": "fields", "cn_d": "water"}


def find_failures(program):
    """The targets for which a program with BASE as cairn.h does not compile."""
    with tempfile.TemporaryDirectory() as folder:
        house.write_tree(pathlib.Path(folder), {"cairn.h": BASE, "api.c": program})
        return {target for target in header_reader.TARGETS if subprocess.run(
            header_reader.command(folder, target) + [f"{folder}/api.c"],
            stderr=subprocess.DEVNULL, check=False).returncode}


def count_missed():
    """How many of the mistakes are not found, where they should."""
    text, missed = describe.describe(BASE, is_complete=False), 0
    for old, new, targets in (("", "", set()),) + WRONG:
        found = find_failures(generate(json.loads(text.replace(old, new))))
        if found != targets or old not in text:
            print(f"{old!r} -> {new!r} fails for {sorted(found)}, not {sorted(targets)}")
            missed += 1
    return missed


def count_misnamed():
    """How often other names than those that break a rule are found."""
    wrong = 0
    for text, names in MISNAMED:
        api = json.loads(describe.describe(BASE + text + "\n", is_complete=False))
        found = [*find_wrong_nouns(api), *find_wrong_setters(api), *find_wrong_words(api)]
        if sorted(name for name, _ in found) != names:
            print(f"{text!r}: found {found}, not {names}")
            wrong += 1
    unused = {name for name, _ in find_unused({"functions": [], "structs": [], "callbacks": []})}
    return wrong + (unused != {*GETTERS, *NO_GETTER})


def self_test():
    wrong = count_misnamed()
    for text, part in KNOWN:
        try:
            made = describe.describe(BASE + text + "\n", is_complete=False)
            if part in json.dumps(json.loads(made)):
                continue
            print(f"known, but not as expected: {text!r}: {part}")
        except header_reader.Unknown as error:
            print(f"refused: {text!r}: {error}")
        wrong += 1
    for text, name in UNKNOWN:
        try:
            describe.describe(BASE + text + "\n", is_complete=False)
            print(f"not refused: {text!r}")
        except header_reader.Unknown as error:
            if str(error).startswith(name if name.endswith(".") else f"{name}:"):
                continue
            print(f"refused for another reason: {text!r}: {error}")
        wrong += 1
    try:
        describe.describe(BASE)
        print("not refused: annotations of nothing")
        wrong += 1
    except header_reader.Unknown:
        pass
    wrong += count_missed()
    wrong += house.compare(read_parts(PARTS).items(), NAMED.items())
    swapped = {"functions": [{"name": name, "part": "air"} for name in NAMED]}
    wrong += compare_parts(swapped, PARTS) != len(NAMED)
    print(f"{len(KNOWN)} known and {len(UNKNOWN)} unknown declarations, {len(WRONG)} mistakes, "
          f"{len(MISNAMED)} names: {wrong} wrong results")
    return int(wrong > 0)


def main():
    if not header_reader.find_clang():
        print("skipped: there is no clang")
        return SKIPPED
    if "--self-test" in sys.argv:
        return self_test()
    return check(house.find_root(sys.argv[1:]), "--print" in sys.argv)


if __name__ == "__main__":
    sys.exit(main())
