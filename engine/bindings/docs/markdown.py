"""Markdown as HTML: the part of Markdown that the guides and lessons use.

Headings, paragraphs, lists, tables, fenced code, comments (left out), and in the text `code`,
**bold**, *italic*, links and pictures. Fenced blocks that follow each other directly, in other
languages, are variants of one piece of code and become tabs.
"""
import html
import re

from highlight import highlight

NAMES = {"c": "C", "js": "JavaScript", "python": "Python", "sh": "Shell", "text": "Output",
         "box2d": "Box2D", "matter": "matter.js"}
VARIANTS = ("c", "js", "python")
FENCE = re.compile(r"```(\w+)$")
ITEM = re.compile(r"(?P<bullet>[-*]|\d+\.) +")


def slug(title):
    """The anchor of a heading, as GitHub makes it."""
    return re.sub(r"[^\w\- ]", "", html.unescape(title).lower()).replace(" ", "-")


def tabs(variants):
    """Variants of one thing in several languages: pairs of language and HTML."""
    if len(variants) == 1:
        return f'<div class="code">{variants[0][1]}</div>\n'
    parts = [f'<div class="variant" data-language="{language}">'
             f'<span class="language">{NAMES[language]}</span>{body}</div>'
             for language, body in variants]
    return f'<div class="code tabs">{"".join(parts)}</div>\n'


class Markdown:
    """Converts texts. `link_name` gives the address of a name of the API or None, `link` changes
    addresses of links, and `picture` gives the HTML of a picture from its address and caption."""

    def __init__(self, link_name, link, picture):
        self.link_name, self.link, self.picture = link_name, link, picture
        self.headings = []  # (level, title, anchor) of the last text

    # -- text

    def inline(self, text):
        """The HTML of the text of a paragraph."""
        codes = []

        def keep(match):
            code = html.escape(match[1], quote=False)
            address = self.link_name(re.sub(r"\(\)$", "", match[1]))
            codes.append(f'<a href="{address}"><code>{code}</code></a>' if address
                         else f"<code>{code}</code>")
            return f"\0{len(codes) - 1}\0"
        text = re.sub(r"`([^`]+)`", keep, text)
        text = html.escape(text, quote=False)
        text = re.sub(r"!\[([^\]]*)\]\(([^)\s]+)\)", lambda m: self.picture(m[2], m[1]), text)
        text = re.sub(r"\[([^\]]+)\]\(([^)\s]+)\)",
                      lambda m: f'<a href="{html.escape(self.link(m[2]))}">{m[1]}</a>', text)
        text = re.sub(r"\*\*(.+?)\*\*", r"<strong>\1</strong>", text)
        text = re.sub(r"(?<![\w*])\*([^*\s][^*]*)\*(?![\w*])", r"<em>\1</em>", text)
        return re.sub("\0(\\d+)\0", lambda m: codes[int(m[1])], text)

    # -- blocks

    def convert(self, text):
        """The HTML of a text."""
        self.headings = []
        text = re.sub(r"^<!--.*?-->\n?", "", text, flags=re.MULTILINE | re.DOTALL)
        return self.blocks(text.split("\n"))

    def blocks(self, lines):
        out, i = [], 0
        while i < len(lines):
            line = lines[i]
            fence = FENCE.match(line)
            if not line.strip():
                i += 1
            elif fence:
                i, block = self.code(lines, i)
                out.append(block)
            elif line.startswith("#"):
                out.append(self.heading(line))
                i += 1
            elif line.startswith("|"):
                end = self.end(lines, i, lambda x: x.startswith("|"))
                out.append(self.table(lines[i:end]))
                i = end
            elif ITEM.match(line):
                end = self.end_of_list(lines, i)
                out.append(self.list(lines[i:end]))
                i = end
            else:
                end = self.end(lines, i, lambda x: x.strip() and not FENCE.match(x))
                body = self.inline(" ".join(x.strip() for x in lines[i:end]))
                out.append(body + "\n" if body.startswith("<figure") and body.endswith("figure>")
                           else f"<p>{body}</p>\n")
                i = end
        return "".join(out)

    @staticmethod
    def end(lines, start, belongs):
        return next((i for i in range(start, len(lines)) if not belongs(lines[i])), len(lines))

    def heading(self, line):
        level = len(line) - len(line.lstrip("#"))
        title = line.lstrip("#").strip()
        anchor, body = slug(title), self.inline(title)
        self.headings.append((level, re.sub(r"[`*]", "", title), anchor))
        link = f'<a class="anchor" href="#{anchor}">#</a>'
        return f'<h{level} id="{anchor}">{body} {link}</h{level}>\n'

    def code(self, lines, start):
        """Blocks of code that follow each other, as tabs."""
        variants, i = [], start
        while True:
            language = FENCE.match(lines[i])[1]
            if language in [name for name, _ in variants]:
                break
            end = lines.index("```", i + 1)
            code = "\n".join(lines[i + 1:end])
            variants.append((language, f"<pre><code>{highlight(code, language, self.link_name)}"
                                       "</code></pre>"))
            i = self.end(lines, end + 1, lambda x: not x.strip())
            if language not in VARIANTS or i == len(lines) or not FENCE.match(lines[i]) or \
                    FENCE.match(lines[i])[1] not in VARIANTS:
                break
        body = tabs(variants)
        if variants[0][0] == "text":
            body = body.replace('class="code"', 'class="code output"')
        return i, body

    def table(self, lines):
        rows = [[self.inline(cell.strip().replace("\\|", "|"))
                 for cell in re.split(r"(?<!\\)\|", line.strip().strip("|"))] for line in lines]
        right = [cell.strip().endswith(":") for cell in lines[1].strip().strip("|").split("|")]

        def row(cells, tag):
            heads = [f'<{tag} class="right">' if r else f"<{tag}>" for r in right]
            return "<tr>" + "".join(f"{h}{c}</{tag}>" for h, c in zip(heads, cells)) + "</tr>\n"
        body = "".join(row(cells, "td") for cells in rows[2:])
        return f'<div class="table"><table>\n<thead>{row(rows[0], "th")}</thead>\n' \
               f"<tbody>\n{body}</tbody></table></div>\n"

    def end_of_list(self, lines, start):
        i = start
        while i < len(lines):
            blank = not lines[i].strip()
            following = lines[i + 1] if i + 1 < len(lines) else ""
            if blank and not (following.startswith("  ") or ITEM.match(following)):
                break
            if not blank and not lines[i].startswith("  ") and not ITEM.match(lines[i]):
                break
            i += 1
        return i

    def list(self, lines):
        items = []
        for line in lines:
            match = ITEM.match(line)
            if match:
                items.append([line[match.end():]])
                width = match.end()
            else:
                items[-1].append(line[min(width, len(line) - len(line.lstrip())):])
        tag = "ol" if lines[0][0].isdigit() else "ul"
        bodies = []
        for item in items:
            body = self.blocks(item)
            if body.count("<p>") == 1 and body.startswith("<p>"):
                body = body.replace("<p>", "", 1).replace("</p>", "", 1)
            bodies.append(f"<li>{body.strip()}</li>\n")
        return f"<{tag}>\n{''.join(bodies)}</{tag}>\n"
