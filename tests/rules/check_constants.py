#!/usr/bin/env python3
"""Counts the constants that decide how bodies move: in engine/core/dynamics/ and in the parts of
MOVING_PARTS. Exits with 1 if the count exceeds its ceiling.

    check_constants.py [ROOT]
    check_constants.py --self-test

A behaviour constant is a threshold, a fraction, a rate or a limit: with another value, bodies would
move differently. It should have a name, a unit, a reason, and a place in the table at the top of
its file. The script finds:

    named      #define NAME number; an enumerator = number; static const of a number type = number
    nameless   numbers in expressions: a fraction other than 0, 1 and 2, or an integer above 4 that
               is multiplied, divided, compared or passed to a function

NO_BEHAVIOUR and FORMULAS list the exceptions, each with its reason. Bits are recognised: an
enumeration of distinct powers of two, a value that is shifted, or a count of bits to shift by.

The two ceilings may only fall. Lower them after removing a constant. If a change needs one more,
its note says which phenomenon made the constant necessary.
"""
import collections
import fnmatch
import pathlib
import re
import sys
import tempfile

import c_source
import house

MOVING_PARTS = ("fields", "tiles")
FOLDERS = ("engine/core/dynamics", *(f"engine/parts/{part}" for part in MOVING_PARTS))
# Sources of these parts that move nothing: calls of the user, queries, saves and drawing.
NO_MOTION = re.compile(r"_calls\.c$|^(query|saved|draw)_")
CEILING, NAMELESS_CEILING = 80, 0  # of all behaviour constants, and of those without a name

# Names of constants that do not decide behaviour: the reason, and the names.
NO_BEHAVIOUR = (
    ("bits and shifts of a word", "CN_META_* CN_LINK_* CN_ROW_* MASK_BITS DYNAMIC_COLORS STATIC_COLORS"),
    ("marks and first indices", "TREE_KEY CLOSURE_KEY STATIC_A KINEMATIC_A CN_TILE_* CN_FIRST_SLOT CN_IN_USE CN_NO_STAGE CN_POLAR CN_SURFACE_*"),
    ("a full turn", "TURN"),
    ("the number of rows of a table", "MAX_ROWS MAX_OPTIONAL TREE_ROW_TYPES INERTIAS MOMENTA"),
    ("sizes of memory",
     "MAX_SLOTS ARRAYS CN_NEAR_GRIDS FIRST_CAPACITY FIRST_GRIDS DOUBLING_CAPACITY CN_ARENA_UNIT CN_MOVE_REPORT_SIZE CN_SLOT_GROUP COLORS ROOT_BLOCKS"),
    ("speed only: how much work is worth a lane, a worker or a batch",
     "CN_LANES CN_NARROWEST_BELOW MIN_GIANT_LANES MIN_DISTRIBUTED *_GRAIN *_ITEMS SINGLE_BLOCKS CN_DISTRIBUTED_GROUPS CHUNK_SIZE BATCH_* RANGES_PER_WORKER MAX_RANGES SECTION_SHIFT BLOCK GROUP_JOINTS CHUNK CN_SWEPT_WORDS SLOT_WORK"),
    ("speed only: whether fields search for bodies, or bodies for fields", "SEARCH_WORK LOOK_WORK"),
    ("speed only: when shapes of tiles are destroyed that no result depends on", "IDLE_STEPS"),
)

# Numbers in expressions that do not decide behaviour: the reason, and a regular expression of the
# tokens around the number. @ marks the number.
FORMULAS = (
    ("series of sine, cosine, exponential and decay",
     r"1 - \w+ / @|\* \( 1\.0f / @|1 - q \* (\( )?@0\.5f"),
    ("the ranges in which these series hold, and the reduction to them",
     r"@0\.785f|@0\.79f|\( angle \) < @0\.25f|doublings \+\+ \) x \*= @0\.5f"
     r"|x > @0\.25f ; doublings|@700|/ @4096|i < @12 ; i \+\+ \) lost \*= 2 - lost"),
    ("quarter turns, by an exact split of pi / 2",
     r"@12582912\.0f|@0\.63661977f|@1\.5703125f|@4\.8382680e-4f"),
    ("a full turn", r"@6\.283185307179586"),
    ("half of a size, a step or a sum",
     r"@0\.5f \* (\w+ -> )?(constants \. )?(size|h)\b|half = cn_splatw \( @0\.5f|dn \+= @0\.5f"
     r"|glms_vec2_sub \( [^;]* \) , @0\.5f \)"),
    ("the middle of a chord or axis, and the second moment of a chord",
     r"from , @0\.5 , along|square / @12|vertices \[ 0 \] , @0\.5 , axis"),
    ("the leapfrog method: with it, oscillations have their frequency up to the fourth order",
     r"dt \* l -> dt / @12|inverse_mass / @12"),
    ("a middle, or rounding", r"\+ @0\.5f \)|@0\.5f \+ lead|lead = @0\.5f"),
    ("a mark that is stored as a number", r"< - @0\.5f"),
    ("hashes", r"@0x|@16777619u|@2166136261u"),
    ("gaps of a shell sort", r"gap \* @5 / 11|gap \* 5 / @11"),
    ("bits of a word, bytes of a row, bits of an id",
     r"[/*] @64|@16 \* (\( size_t|i\b)|reference < @8"),
    ("a tile and its neighbours", r"i < @9"),
    ("numbers of parallel arrays", r"7 , @8 , 5 , 2|7 , 8 , @5 , 2|\{ @7 , 8 , 5 , 2"),
    ("speed only: the items that a worker takes at a time, and which lists are short",
     r"cn_(share|run|run_loop|distribute) \( [^;]* , @\d+ , \w+ ,|count / @8"),
)
OPERATORS = {"*", "/", "<", ">", "<=", ">=", "==", "!="}
PLAIN = {0, 1, 2}
Constant = collections.namedtuple("Constant", "line name value")


def value_of(number):
    digits = number.rstrip("uUlL") if number[:2] in ("0x", "0X") else number.rstrip("fFuUlL")
    return float(int(digits, 16)) if number[:2] in ("0x", "0X") else float(digits)


def has_fraction(number):
    return number[:2] not in ("0x", "0X") and re.search(r"[.eE]", number) is not None


def texts_of(tokens):
    return [t.text for t in tokens]


def split_at_commas(tokens):
    parts, depth = [[]], 0
    for token in tokens:
        depth += (token.text in ("(", "[", "{")) - (token.text in (")", "]", "}"))
        if token.text == "," and depth == 0:
            parts.append([])
        else:
            parts[-1].append(token)
    return [part for part in parts if part]


def is_flag_set(values):
    """True for three or more distinct powers of two."""
    powers = {int(v) for v in values if v > 0 and v == int(v) and int(v) & (int(v) - 1) == 0}
    return len(powers) == len(values) >= 3


def find_in_macro(line):
    """Yields the constant if the line is a #define of a number."""
    value = line[3:]
    if line[1].text == "define" and value and all(t.kind in ("number", "sign") for t in value):
        if value[0].text != "(" or value[-1].text == ")":
            if "<<" not in texts_of(value) and any(t.kind == "number" for t in value):
                yield Constant(line[2].line, line[2].text, " ".join(texts_of(value)))


def find_in_enumeration(tokens):
    """The numbers of an enumeration, unless they are flags."""
    found = []
    for item in split_at_commas(tokens):
        value = item[2:]
        if len(value) in (1, 2) and value[-1].kind == "number":
            found.append(Constant(item[0].line, item[0].text, "".join(texts_of(value))))
    is_set = is_flag_set([value_of(constant.value.lstrip("-")) for constant in found])
    return [] if is_set else found


def find_nameless(tokens, i):
    """Yields the constant if the number at token i is one."""
    number = tokens[i].text
    before, after = tokens[i - 1].text, tokens[i + 1].text
    is_argument = "," in (before, after) and before in ("(", ",") and after in (",", ")")
    if has_fraction(number):
        counts = value_of(number) not in PLAIN
    else:
        counts = value_of(number) > 4 and (before in OPERATORS or after in OPERATORS or is_argument)
    context = texts_of(tokens[max(0, i - 24):i]) + ["@" + number] + texts_of(tokens[i + 1:i + 12])
    if counts and not any(re.search(pattern, " ".join(context)) for _, pattern in FORMULAS):
        yield Constant(tokens[i].line, None, " ".join(texts_of(tokens[max(0, i - 6):i + 7])))


def find_constants(text):
    """Yields the constants of a file."""
    tokens = []
    for line in c_source.read_lines(text):
        if line[0].text == "#":
            yield from find_in_macro(line)
        else:
            tokens += line
    i = 0
    while i < len(tokens):
        token, end = tokens[i], i + 1
        if token.text in ("static_assert", "case"):
            end = c_source.end_of_group(tokens, end) if token.text == "static_assert" else end + 1
        elif token.text == "enum":
            start = next(k for k in range(i, len(tokens)) if tokens[k].text in "{;()")
            if tokens[start].text == "{":
                end = c_source.end_of_group(tokens, start)
                yield from find_in_enumeration(tokens[start + 1:end - 1])
        elif texts_of(tokens[i:i + 2]) == ["static", "const"] and is_number(tokens[i + 2:i + 5]):
            end = next(k for k in range(i, len(tokens)) if tokens[k].text == ";")
            if any(t.kind == "number" for t in tokens[i + 5:end]):
                value = " ".join(texts_of(tokens[i + 5:end]))
                yield Constant(token.line, tokens[i + 3].text, value)
        elif token.kind == "number":
            yield from find_nameless(tokens, i)
        i = end


def is_number(tokens):
    """True for what follows `static const` of a number: float NAME =."""
    kind, _, sign = texts_of(tokens) if len(tokens) == 3 else ("", "", "")
    return kind in ("float", "double", "int") and sign == "="


def find_shifts(text):
    """The names of numbers of bits by which something is shifted."""
    return set(re.findall(r"(?:<<|>>) *(\w+)", text))


def is_behaviour(constant):
    names = [name for _, listed in NO_BEHAVIOUR for name in listed.split()]
    name = constant.name
    return name is None or not any(fnmatch.fnmatchcase(name, pattern) for pattern in names)


def count(root):
    """The behaviour constants of each file that has any."""
    texts = {}
    for path in house.find_sources(root, *FOLDERS):
        if NO_MOTION.search(path.name):
            continue
        file = path.relative_to("engine").as_posix()
        texts[file] = (root / path).read_text(encoding="utf-8")
    shifts = set().union(*map(find_shifts, texts.values()))
    files = {}
    for file, text in texts.items():
        found = [c for c in find_constants(text) if is_behaviour(c) and c.name not in shifts]
        if found:
            files[file] = found
    return files


def self_test():
    text = """#define HALF_LIFE 0.25f // s
        #define GUARD_H
        #define FLAG (1u << 31)
        enum { A = 1, B = 2, C = 4, D = 8 }; // 0.3f
        enum { ROUNDS = 6, NEXT, CN_META_X = 7, SHIFT = 12 };
        static const float rate = 30.0f;
        static_assert(sizeof(row) == 64, "");
        float f(float x) { return x > 0.3f ? 2 * x : g(x, 7, 1.0f) + 1 - x / 6; }
        int g(int i) { return i + 9 < 12 * i && i << 5 >> SHIFT; }
        """
    expected = ["HALF_LIFE", "ROUNDS", "rate", "line 8", "line 8", "line 9", "line 9"]
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder).resolve()
        house.write_tree(root, {"engine/core/dynamics/step/a.c": text, "engine/core/base/b.c": text})
        found = count(root)
    names = [c.name or f"line {c.line}" for c in found.get("core/dynamics/step/a.c", [])]
    print(f"found {names}, expected {expected}")
    return int(sorted(names) != sorted(expected) or len(found) != 1)


def main():
    if "--self-test" in sys.argv:
        return self_test()
    files = count(house.find_root(sys.argv[1:]))
    for file, found in files.items():
        named = [c.name for c in found if c.name]
        print(f"{file:36} {len(found):3}  {' '.join(named)}")
    nameless = [(file, c) for file, found in files.items() for c in found if not c.name]
    print("\nnameless:")
    for file, c in nameless:
        print(f"engine/{file}:{c.line}: {c.value}")
    code = 0
    total = sum(map(len, files.values()))
    for what, number, ceiling in (("constants", total, CEILING),
                                  ("nameless constants", len(nameless), NAMELESS_CEILING)):
        advice = ": lower it" if number < ceiling else ": too many" if number > ceiling else ""
        print(f"{number} {what}, the ceiling is {ceiling}{advice}")
        code |= number > ceiling
    return code


if __name__ == "__main__":
    sys.exit(main())
