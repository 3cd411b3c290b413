"""The pages of the reference: one for each section of cairn.h, made from api.json."""
import html
import re

from highlight import highlight
from markdown import tabs

WIDTH = 92  # columns of code
PART = r"Part: [a-z]+\."  # how a comment says that a section or function belongs to a part
EFFECTS = {
    "lends": "Does not change the simulation.", "reads": "Only reads.",
    "thread": "Concerns only the calling thread.", "none": "Needs no world."}
# How long memory of the user has to stay, and how long a result is valid: see describe.py.
STAYS = {
    "return": None, "replaced": "until another one is set",
    "destroyed": "until the result is destroyed"}
VALID = {
    "freed": None, "destroyed": "until the object that owns it is destroyed",
    "error": "until the next call of this thread that fails",
    "events": "until the next step or cn_world_events()",
    "change": "until the next call on the same object",
    "forever": "as long as the program runs"}


def page_of(section):
    return f"reference-{section.lower().replace(' ', '-').replace('+', 'p')}.html"


class Api:
    """api.json, by name."""

    def __init__(self, api):
        self.api = api
        self.entries = {}  # name: (what it is, entry)
        for kind in ("constants", "enums", "structs", "functions"):
            for entry in api[kind]:
                # (vec2s is in no section: it is cglm's)
                self.entries[entry["name"]] = (kind, {"section": "basics", **entry})
        for entry in api["objects"]:
            self.entries[entry["type"]] = ("objects", entry)
        for entry in api["callbacks"]:
            if "." not in entry["name"]:
                self.entries[entry["name"]] = ("callbacks", {"section": "worlds", **entry})
        self.callbacks = {entry["name"]: entry for entry in api["callbacks"]}
        self.owners = {v["name"]: e for e in api["enums"] for v in e["values"]}
        self.functions = [f["name"] for f in api["functions"]]

    def sections(self):
        return [section["name"] for section in self.api["sections"]]

    def section_of(self, name):
        kind, entry = self.entries[name]
        return entry.get("section")

    def address(self, name):
        """Where a name is documented, or None."""
        if name in self.owners:
            return f"{page_of(self.owners[name]['section'])}#{name}"
        if name in self.entries and self.section_of(name):
            return f"{page_of(self.section_of(name))}#{name}"
        return None

    # -- C

    def c_type(self, value):
        """The type in C, in front of the name."""
        kind = value["kind"]
        if kind in ("pointer", "out"):
            inner = value["to"]
            const = "const " if kind == "pointer" else ""
            return f"{const}{self.c_type(inner).rstrip()} *"
        if kind == "array" and value["of"]["kind"] == "object":
            return f"{value['of']['type']} *const *"
        if kind in ("array", "out_array", "inline_array"):
            const = "const " if kind == "array" else ""
            inner = self.c_type(value["of"])
            return f"{const}{inner}" if kind == "inline_array" else f"{const}{inner.rstrip()} *"
        if kind in ("bytes", "out_bytes"):
            return "const void *" if kind == "bytes" else "void *"
        if kind == "object":
            return ("const " if value.get("const") else "") + value["type"] + " *"
        if kind == "string":
            return "const char *"
        if kind in ("user", "context", "memory"):
            return "void *"
        if kind in ("void", "bool"):
            return kind + " "
        if kind == "success":
            return "bool "
        return value["type"] + " "

    def c_variable(self, value):
        """A parameter or field in C."""
        if value["kind"] == "callback":
            name = value["callback"]
            if name in self.entries:
                return f"{name} *{value['name']}"
            called = self.callbacks[name]
            parameters = ", ".join(map(self.c_variable, called["parameters"]))
            return f"{self.c_type(called['returns'])}(*{value['name']})({parameters})"
        suffix = f"[{value['length']}]" if value["kind"] == "inline_array" else ""
        return self.c_type(value) + value["name"] + suffix

    def c_function(self, f):
        parameters = [self.c_variable(p) for p in f["parameters"]] or ["void"]
        head = f"{self.c_type(f['returns'])}{f['name']}("
        line = head + ", ".join(parameters) + ");"
        if len(line) <= WIDTH:
            return line
        return head + ",\n    ".join(["\n    " + parameters[0], *parameters[1:]]) + ");"


class Reference:
    """Makes pages. `comments` converts comments; `bindings` has the lines of each
    function in other languages, by language."""

    def __init__(self, api, comments, bindings):
        self.api, self.comments, self.bindings = api, comments, bindings
        self.paragraphs = api.api["paragraphs"]

    def sections(self):
        """Pairs of section and HTML, in the order of the header."""
        return [(s["name"], self.section(s)) for s in self.api.api["sections"]]

    def section(self, section):
        entries = self.in_order(section["name"])
        parts = [self.section_comment(c) for c in section["comments"]]
        parts.append(self.contents(entries))
        done = set()
        for kind, entry in entries:
            name = entry.get("name", entry.get("type"))
            if name in done:
                continue
            group = self.group(entry)
            parts.append(self.group_html(entry, group, done) if group
                         else self.entry_html(kind, entry))
            done.add(name)
        return "".join(parts)

    def section_comment(self, comment):
        is_part = re.fullmatch(PART, comment)
        return f'<p class="facts">{comment}</p>\n' if is_part else self.comments.convert(comment)

    def in_order(self, section):
        """The declarations of a section, in the order of the header, but types before functions."""
        found = [pair for pair in self.api.entries.values() if pair[1].get("section") == section]
        return [pair for kind in ("constants", "objects", "enums", "callbacks", "structs",
                                  "functions")
                for pair in found if pair[0] == kind]

    def contents(self, entries):
        names = [entry["name"] for kind, entry in entries if kind == "functions"]
        if len(names) < 2:
            return ""
        links = " ".join(f'<a href="#{name}">{name}</a>' for name in names)
        return f'<p class="names">{links}</p>\n'

    # -- paragraphs of several functions

    def group(self, entry):
        """The groups of functions of the paragraph of a function, or None if it has no
        paragraph."""
        index = entry.get("paragraph")
        if index is None or entry["name"] not in self.api.functions:
            return None
        groups = [{"comment": g["comment"],
                   "names": [n for n in g["names"] if n in self.api.functions]}
                  for g in self.paragraphs[index]]
        return [g for g in groups if g["names"]]

    def group_html(self, entry, groups, done):
        """Functions that share comments, one block for each comment."""
        parts = []
        for g in groups:
            entries = [self.api.entries[n][1] for n in g["names"] if n not in done]
            if not entries:
                continue
            done.update(e["name"] for e in entries)
            comment = self.comments.convert(g["comment"]) if g["comment"] else ""
            if len(entries) == 1:
                own = entries[0].get("comment")
                if own and own != g["comment"]:
                    comment += self.comments.convert(own)
                parts.append(self.function_html(entries[0], comment))
                continue
            about_first = re.match(r"\w+s\b(?! are\b)", g["comment"])  # "Returns", not "Return"
            bodies = []
            for e in entries:
                own = e.get("comment")
                text = self.comments.convert(own) if own and own != g["comment"] else ""
                if e is entries[0] and about_first:
                    text = comment + text
                bodies.append(self.function_html(e, text))
            parts.append(f'<div class="group">{"" if about_first else comment}{"".join(bodies)}'
                         "</div>\n")
        return "".join(parts)

    # -- single entries

    def entry_html(self, kind, entry):
        comment = self.comments.convert(entry["comment"]) if entry.get("comment") else ""
        if kind == "functions":
            return self.function_html(entry, comment)
        body = getattr(self, kind)(entry)
        name = entry.get("name", entry.get("type"))
        return self.block(name, "", comment + body)

    @staticmethod
    def block(name, comment, body):
        return f'<section class="entry" id="{name}"><h3>{name} <a class="anchor" href="#{name}">#' \
               f"</a></h3>\n{body}{comment}</section>\n"

    def code(self, text):
        return f"<pre><code>{highlight(text, 'c', self.api.address)}</code></pre>"

    def constants(self, entry):
        return self.code(f"{entry['name']} = {entry['value']}")

    def objects(self, entry):
        name = entry["type"]
        creators = ", ".join(self.name(n) for n in entry["create"])
        return self.code(f"typedef struct {name} {name};") + \
            f"<p>Created by {creators}, destroyed by {self.name(entry['destroy'])}.</p>\n"

    def callbacks(self, entry):
        parameters = ", ".join(map(self.api.c_variable, entry["parameters"]))
        return self.code(f"typedef {self.api.c_type(entry['returns'])}{entry['name']}"
                         f"({parameters});")

    def enums(self, entry):
        rows = "".join(f'<tr id="{v["name"]}"><td><code>{v["name"]}</code></td>'
                       f'<td class="right">{v["value"]}</td>'
                       f'<td>{self.comments.inline(self.joined(v))}</td></tr>\n'
                       for v in entry["values"])
        flags = "<p>Add values to combine them.</p>\n" if entry["flags"] else ""
        return f'{flags}<div class="table"><table class="fields">\n{rows}</table></div>\n'

    def structs(self, entry):
        rows = "".join(f"<tr><td><code>{self.field(f)}</code></td>"
                       f"<td>{self.comments.inline(self.joined(f))}</td></tr>\n"
                       for f in entry["fields"])
        handle = next((h for h in self.api.api["handles"] if h["type"] == entry["name"]), None)
        text = ""
        if handle:
            creators = ", ".join(self.name(n) for n in handle["create"])
            text = f"<p>A handle. Created by {creators}, " \
                   f"destroyed by {self.name(handle['destroy'])}"
            text += f", tested by {self.name(handle['valid'])}" if "valid" in handle else ""
            text += ".</p>\n"
        return f'{text}<div class="table"><table class="fields">\n{rows}</table></div>\n'

    @staticmethod
    def joined(entry):
        return " ".join(entry.get("comment", "").split())

    def field(self, field):
        return highlight(self.api.c_variable(field), "c", self.api.address)

    def name(self, name):
        return f'<a href="{self.api.address(name)}"><code>{name}</code></a>'

    def function_html(self, f, comment):
        signature = highlight(self.api.c_function(f), "c", self.other(f))
        variants = [("c", f"<pre><code>{signature}</code></pre>")]
        for language, lines in self.bindings.items():
            if f["name"] in lines:
                code = highlight("\n".join(lines[f["name"]]), language)
                variants.append((language, f"<pre><code>{code}</code></pre>"))
        facts = self.facts(f, has_part=re.search(PART, comment))
        return self.block(f["name"], comment + facts, tabs(variants))

    def other(self, f):
        """Links of a signature: all names except that of the function itself."""
        return lambda name: None if name == f["name"] else self.api.address(name)

    @staticmethod
    def effect(f):
        """What the function does to the world, or None if its comment says it."""
        values = [p["of"] if p["kind"] == "array" else p for p in f["parameters"]]
        worlds = [v for v in values if v.get("type") == "cn_world"]
        if f["effect"] != "changes":
            return EFFECTS[f["effect"]]
        return "Changes the world." if worlds and f.get("destroys") != "cn_world" else None

    def facts(self, f, has_part):
        """Facts of api.json that are not in the comment, as a line of small text."""
        facts = [self.effect(f)]
        for p in f["parameters"]:
            name = f"<code>{p['name']}</code>"
            if p["kind"] in ("array", "bytes") and not p.get("null"):
                facts.append(f"{name} has <code>{html.escape(p['count'])}</code> values."
                             if p["kind"] == "array" else "")
            if p["kind"] in ("pointer", "out", "handle", "object", "array", "callback") and \
                    p.get("null"):
                facts.append(f"{name} may be {'null' if p['kind'] == 'handle' else 'NULL'}.")
            until = STAYS[p["until"]] if "until" in p else None
            if until:
                facts.append(f"{name} must stay valid {until}.")
        until = VALID[f["returns"]["until"]] if "until" in f["returns"] else None
        if until:
            facts.append(f"The result is valid {self.comments.inline(until)}.")
        if "part" in f and not has_part:
            facts.append(f"Part: {f['part']}.")
        text = " ".join(filter(None, facts))
        return f'<p class="facts">{text}</p>\n' if text else ""


def search_entries(api):
    """The name, the address, the first sentence and the whole text of each declaration, for the
    search box."""
    for name, (kind, entry) in api.entries.items():
        if not api.address(name):
            continue
        comment = entry.get("comment") or next(
            (g["comment"] for p in api.api["paragraphs"] for g in p if name in g["names"]), "")
        first = re.split(r"(?<=[.:])\s", " ".join(comment.split()))[0]
        inner = entry.get("fields", []) + entry.get("values", [])
        text = [comment, *(f"{e['name']} {e.get('comment') or ''}" for e in inner)]
        yield name, api.address(name), first[:120], " ".join(text)
