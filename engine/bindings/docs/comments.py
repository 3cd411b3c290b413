"""Comments of cairn.h as HTML. They are plain text:

    paragraphs, separated by empty lines
    code, drawings and tables, indented by 4 columns
    "- " or "  - " in front of the items of a list
    terms with their meanings in a second column, after two or more blanks
    names of the API, with () behind functions, and names of sections in quotes: links
"""
import html
import re

from highlight import highlight

NAME = re.compile(r"`(\w+)`|\b(cn_\w+|CN_[A-Z0-9_]*[A-Z0-9])(\(\)|(?:\.[a-z]\w*)+)?(?!\w|\.\.\.)"
                  r"|&quot;([\w +]+)&quot;|(?<![\w/.])((?:tuning)?\.[a-z_]{3,})\b")
TERM = re.compile(r"(?P<term>\S(?:.*?\S)?)(?P<gap> {2,})(?P<meaning>\S.*)")


class Comments:
    """Converts comments. `link` gives the address of a name of the API, and `section` that of a
    section, or None."""

    def __init__(self, link, section):
        self.link, self.section = link, section

    def inline(self, text):
        def replace(match):
            quoted, name, rest, section, field = match.groups()
            if quoted or field:
                return f"<code>{quoted or field}</code>"
            if section:
                address = self.section(section)
                return f'<a href="{address}">{section}</a>' if address else match[0]
            address, code = self.link(name), f"<code>{name}{rest or ''}</code>"
            return f'<a href="{address}">{code}</a>' if address else code
        return NAME.sub(replace, html.escape(text))

    def convert(self, comment):
        """The HTML of a comment."""
        paragraphs = re.split(r"\n[ \t]*\n", comment.strip("\n"))
        out, i = [], 0
        while i < len(paragraphs):
            block = paragraphs[i].split("\n")
            i += 1
            if all(line.startswith("    ") for line in block):
                while i < len(paragraphs) and paragraphs[i].startswith("    "):
                    block += [""] + paragraphs[i].split("\n")
                    i += 1
                out.append(self.indented([line[4:] for line in block]))
            else:
                out.append(self.paragraph(block))
        return "".join(out)

    def indented(self, lines):
        """A table of terms, or code."""
        text = "\n".join(lines)
        terms = self.terms(lines)
        if terms and not re.search(r"[;{}]|//", text) and len(terms) > 1:
            return self.definitions(terms)
        is_code = re.search(r"[;{}=]", text)
        return f"<pre><code>{highlight(text, 'c' if is_code else 'text', self.link)}</code></pre>\n"

    def paragraph(self, lines):
        indent = min(len(line) - len(line.lstrip()) for line in lines)
        lines = [line[indent:] for line in lines]
        if lines[0].startswith("- "):
            return self.list(lines)
        first = next((i for i, line in enumerate(lines) if self.is_term(lines, i)), None)
        if first is not None and (first == 0 or indent == 0):
            terms = self.terms(lines[first:])
            if terms and (len(terms) > 1 or indent or first == 0):
                before = f"<p>{self.inline(' '.join(lines[:first]))}</p>\n" if first else ""
                return before + self.definitions(terms)
        return f"<p>{self.inline(' '.join(lines))}</p>\n"

    @staticmethod
    def is_term(lines, i):
        """True if a line begins a term: the next line continues its second column, or has a term,
        too."""
        match = TERM.fullmatch(lines[i])
        if not match or match.start("meaning") > 20:
            return False
        column = match.start("meaning")
        following = lines[i + 1] if i + 1 < len(lines) else " " * column
        return following[:column].strip() == "" or following[column - 2:column] == "  "

    def terms(self, lines):
        """Pairs of terms and meanings, or None if the lines are something else."""
        column, terms = None, []
        for line in lines:
            match = TERM.fullmatch(line)
            if match and (column is None or match.start("meaning") == column):
                column = match.start("meaning")
                terms.append([match["term"], match["meaning"]])
            elif column and line.startswith(" " * column) and terms:
                terms[-1][1] += " " + line.strip()
            else:
                return None
        return terms

    def definitions(self, terms):
        def head(term):
            is_name = "_" in term and "CN_" not in term
            return f"<code>{term}</code>" if is_name else self.inline(term)
        rows = "".join(f"<dt>{head(term)}</dt><dd>{self.inline(meaning)}</dd>\n"
                       for term, meaning in terms)
        return f"<dl>\n{rows}</dl>\n"

    def list(self, lines):
        items = []
        for line in lines:
            if line.startswith("- "):
                items.append(line[2:])
            else:
                items[-1] += " " + line.strip()
        return "<ul>\n" + "".join(f"<li>{self.inline(item)}</li>\n" for item in items) + "</ul>\n"
