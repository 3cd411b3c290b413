"""Reads the header: as clang's tree for a target, and as text with comments."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

# ---- clang

TARGETS = {"x86_64": "x86_64-linux-gnu", "aarch64": "aarch64-linux-gnu",
           "i686": "i686-linux-gnu", "wasm32": "wasm32-unknown-unknown"}
STAND_IN = {  # a part of cglm
    "cglm/struct/vec2.h":
        "typedef union vec2s { float raw[2]; struct { float x; float y; }; } vec2s;\n",
}


class Unknown(Exception):
    """A declaration that cannot be described."""


def fail(place, reason):
    raise Unknown(f"{place}: {reason}")


def find_clang():
    return shutil.which("clang")


def command(folder, target, *options):
    """The command for a target without a C library, with the stand-in in this folder."""
    for name, text in STAND_IN.items():
        path = pathlib.Path(folder) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return [find_clang(), f"--target={TARGETS[target]}", "-ffreestanding", "-nostdlibinc",
            "-std=c17", f"-I{folder}", "-fsyntax-only", *options, "-x", "c"]


def parse(text, target):
    """The declarations of a C source itself, without those that it includes, as clang's tree."""
    with tempfile.TemporaryDirectory() as folder:
        options = command(folder, target, "-w", "-Xclang", "-ast-dump=json")
        run = subprocess.run(options + ["-"], input=text, capture_output=True, encoding="utf-8",
                             env={**os.environ, "CCACHE_DISABLE": "1"}, check=False)
        if run.returncode:
            fail("clang", run.stderr.replace(folder + "/", "").strip())
    return [d for d in json.loads(run.stdout)["inner"]
            if "offset" in place_of(d["loc"]) and "includedFrom" not in place_of(d["loc"])]


def place_of(location):
    return location.get("expansionLoc", location)


def start_of(node):
    return place_of(node["range"]["begin"])["offset"]


def end_of(node):
    place = place_of(node["range"]["end"])
    return place["offset"] + place["tokLen"]


def find_node(node, kind):
    """The first node of a kind below this one, or None."""
    for inner in node.get("inner", []):
        found = inner if inner.get("kind") == kind else find_node(inner, kind)
        if found:
            return found
    return None


def compute(header, expressions, target):
    """The values of constant expressions after the header."""
    probe = "".join(f"enum {{ probe_{i} = {e} }};\n" for i, e in enumerate(expressions))
    values = {}
    for node in parse(header + probe, target):
        if node["kind"] == "EnumDecl" and start_of(node) >= len(header.encode()):
            item = node["inner"][0]
            values[item["name"]] = int(find_node(item, "ConstantExpr")["value"])
    return {e: values[f"probe_{i}"] for i, e in enumerate(expressions)}


def hide_comments(text):
    """The text with blanks instead of comments."""
    def blank(match):
        return re.sub(r"[^\n]", " ", match[0])
    return re.sub(r"/\*.*?\*/|//[^\n]*", blank, text, flags=re.DOTALL)


def normalise(ctype):
    """A type as this script writes it, whatever the version of clang."""
    ctype = re.sub(r"\b_Bool\b", "bool", ctype)
    ctype = re.sub(r"\b(struct|enum|union) ", "", ctype)
    ctype = re.sub(r"\s+", " ", ctype).strip()
    for pattern, new in ((r" ?\* ?", " *"), (r"\* \*", "**"), (r"\( \*", "(*"), (r" ?\[", "[")):
        ctype = re.sub(pattern, new, ctype)
    return ctype


def split_arguments(text):
    """Splits a list of parameters at its commas."""
    parts, depth = [""], 0
    for sign in text:
        depth += (sign in "([") - (sign in ")]")
        if sign == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += sign
    return [part.strip() for part in parts if part.strip() not in ("", "void")]


# ---- the text of the header: sections, paragraphs, comments

class Comment:
    """A comment, or several lines of them that belong together."""

    def __init__(self, line, column, text, is_trailing):
        self.first, self.column, self.is_trailing = line, column, is_trailing
        self.last = line + text.count("\n")
        self.lines = strip(text)
        self.is_used = False

    def text(self):
        return "\n".join(self.lines).strip("\n")


def strip(text):
    """The lines of a comment without its slashes and stars."""
    if text.startswith("//"):
        return [re.sub("^// ?", "", text).rstrip()]
    lines = re.sub(r"^/\*|\*/$", "", text).split("\n")
    return [re.sub(r"^ \* ?", "", line).rstrip() if i else line[1:].rstrip()
            for i, line in enumerate(lines)]


class Text:
    """The header as text: its sections and comments."""

    def __init__(self, header):
        self.header = header
        self.lines = header.split("\n")
        self.starts = [0]
        for line in self.lines:
            self.starts.append(self.starts[-1] + len(line) + 1)
        self.comments = []
        pattern = r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"'
        for match in re.finditer(pattern, header, re.DOTALL):
            if match[0][0] != '"':
                self.add(match.start(), match[0])
        self.covered = {i for c in self.comments for i in range(c.first, c.last + 1)}
        self.declared = []
        self.sections = [(0, "introduction")]
        for i, line in enumerate(self.lines):
            match = re.fullmatch(r"// -{20,} (\S.*)", line)
            if match:
                self.sections.append((i, match[1]))

    def add(self, start, text):
        line = self.line_of(start)
        column = start - self.starts[line]
        is_trailing = self.lines[line][:column].strip() != ""
        last = self.comments[-1] if self.comments else None
        follows = last and last.last == line - 1 and last.column == column and not is_trailing
        if follows and text.startswith("//") and self.lines[last.last][column:].startswith("//"):
            last.last = line
            last.lines += strip(text)
        else:
            self.comments.append(Comment(line, column, text, is_trailing))

    def line_of(self, offset):
        low, high = 0, len(self.lines)
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if self.starts[middle] <= offset else (low, middle)
        return low

    def section_of(self, line):
        return [name for start, name in self.sections if start <= line][-1]

    def above(self, line):
        """The comment that ends on the line above."""
        return next((c for c in self.comments if c.last == line - 1 and not c.is_trailing), None)

    def behind(self, line):
        """The comment behind the code of a line."""
        return next((c for c in self.comments if c.first == line and c.is_trailing), None)

    def top_of(self, line):
        """The first line of the paragraph that a line is in."""
        while line > 0 and (self.lines[line - 1].strip() or line - 1 in self.covered):
            line -= 1
        return line

    def comment(self, first, last):
        """The comments above and behind a declaration, as one text."""
        found = [c for c in (self.above(first), self.behind(last)) if c]
        for comment in found:
            comment.is_used = True
        return "\n".join(c.text() for c in found)

    def describe(self, name, first, last):
        """The section and the comment of a declaration at file level."""
        result = {"section": self.section_of(first)}
        text = self.comment(first, last)
        if text:
            result["comment"] = text
        self.declared.append((first, name, result))
        return result

    def rest(self, section):
        """The comments of a section that belong to no declaration."""
        return [c.text() for c in self.comments
                if not c.is_used and not c.is_trailing and c.column == 0
                and not re.fullmatch("-{20,}.*", c.text()) and self.section_of(c.first) == section]

    def list_paragraphs(self):
        """The paragraphs of several declarations. Each declaration gets the number of its own."""
        places = {}
        for first, name, entry in sorted(self.declared, key=lambda d: d[0]):
            places.setdefault(self.top_of(first), []).append((first, name, entry))
        result = []
        for top, declared in places.items():
            if len(declared) == 1:
                continue
            groups = []
            for first, name, entry in declared:
                comments = [c for c in self.comments if top <= c.first and c.last < first
                            and not c.is_trailing and c.column == 0]
                comment = comments[-1].text() if comments else ""
                if not groups or groups[-1]["comment"] != comment:
                    groups.append({"comment": comment, "names": []})
                groups[-1]["names"].append(name)
                for c in comments:
                    c.is_used = True
                entry["paragraph"] = len(result)
            result.append(groups)
        return result
