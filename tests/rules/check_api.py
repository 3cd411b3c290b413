#!/usr/bin/env python3
"""Checks engine/bindings/api.json, the description of the API. Exits with 1 if anything is wrong,
with 77 (skipped) if there is no clang.

    check_api.py [--print] [ROOT]
    check_api.py --self-test

  1. The file is what describe.py makes from cairn.h now.
  2. It has every declaration of the header with all its parts. They are counted by another reader,
     which knows no clang: it splits the text at semicolons, braces and commas.
  3. A C program that is generated from it compiles after cairn.h. The program declares every
     function once more, and asserts each value, the type and offset of each field, and each size.
     The compiler of this machine ($CC and clang) takes cglm itself; clang also compiles the program
     for all targets of the description, with the stand-in for cglm.
  4. The header says for each function of a part that it belongs to the part ("Part: queries."):
     directly below the head of its section, or in the comment above it.

--print prints that program. The self-test describes small headers with declarations that are not
known, one in each. All must be refused, with the name of the declaration.
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
    """The C declarations of a header: no comments, nothing for C++, no other preprocessor lines."""
    text = re.sub(r"/\*.*?\*/|//[^\n]*", " ", header, flags=re.DOTALL)
    text = re.sub(r"^#ifdef __cplusplus.*?^#endif", "", text, flags=re.DOTALL | re.MULTILINE)
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
                      r"^(?!//|/\*| |typedef|#|inline)[^\n;{(]*?\b(?P<name>cn_\w+)\(", re.MULTILINE)


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
    program = generate(api)
    print(f"{program.count('_Static_assert')} assertions")
    wrong = compare_names(api, header) + compare_parts(api, header)
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
typedef struct { vec2s points[CN_MAX]; int count; } cn_hull;
typedef struct {
    const cn_hull *hulls;
    int hull_count;
    const uint8_t *bytes;
    int byte_count;
} cn_def;
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
    ("static inline int cn_x(void) { return 1; }", "cn_x"),
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


def self_test():
    wrong = 0
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
    print(f"{len(KNOWN)} known and {len(UNKNOWN)} unknown declarations, {len(WRONG)} mistakes: "
          f"{wrong} wrong results")
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
