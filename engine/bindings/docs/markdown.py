"""Markdown as HTML: markdown-it-py reads CommonMark with tables. This module adds:

    headings        have the anchors that GitHub gives them
    links, pictures go where the site has them
    names           of the API in `code` are links
    fenced blocks   that follow each other directly, in other languages, are variants of one piece
                    of code and become tabs; they are coloured by highlight.py
    comments        are left out: the tests read them, see blocks.py
"""
import html
import itertools
import re

try:
    from markdown_it import MarkdownIt
except ImportError as error:
    raise SystemExit("the documentation needs markdown-it-py: install the Debian package "
                     "python3-markdown-it, or use pip") from error

from highlight import highlight

NAMES = {"c": "C", "js": "JavaScript", "python": "Python", "lua": "Lua", "sh": "Shell",
         "text": "Output", "box2d": "Box2D", "matter": "matter.js"}
VARIANTS = ("c", "js", "python", "lua")


def slug(title):
    """The anchor of a heading, as GitHub makes it."""
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


def tabs(variants):
    """Variants of one thing in several languages: pairs of language and HTML."""
    if len(variants) == 1:
        return f'<div class="code">{variants[0][1]}</div>\n'
    parts = [f'<div class="variant" data-language="{language}">'
             f'<span class="language">{NAMES[language]}</span>{body}</div>'
             for language, body in variants]
    return f'<div class="code tabs">{"".join(parts)}</div>\n'


def text_of(inline):
    """The text of a heading or paragraph without marks."""
    return "".join(" " if t.type == "softbreak" else t.content for t in inline.children)


def is_comment(token):
    return token.type.startswith("html_") and token.content.lstrip().startswith("<!--")


def is_variant(token, group):
    """True if a block of code is a further variant of the blocks before it."""
    languages = [t.info for t in group]
    return token.type == "fence" and token.info in VARIANTS and \
        set(languages) <= set(VARIANTS) - {token.info}


class Markdown:
    """Converts texts. `link_name` gives the address of a name of the API or None, `link` changes
    addresses of links, and `picture` gives the HTML of a picture from its address and caption."""

    def __init__(self, link_name, link, picture):
        self.link_name, self.link, self.picture = link_name, link, picture
        self.headings = []  # (level, title, anchor) of the last text
        self.first = ""  # its first paragraph, without marks
        self.parser = MarkdownIt("commonmark", {"xhtmlOut": False}).enable("table")
        self.parser.core.ruler.push("arrange", self.arrange)
        self.parser.renderer.rules.update(
            heading_close=self.heading_close, fence=self.fence, code_block=self.code_block,
            code_inline=self.code_inline, image=self.image,
            table_open=lambda *_: '<div class="table"><table>\n',
            table_close=lambda *_: "</table></div>\n")

    def convert(self, text):
        """The HTML of a text."""
        self.headings, self.first = [], ""
        return self.parser.render(text)

    # -- tokens, before they are written

    def arrange(self, state):
        """Changes the tokens of a text."""
        tokens = [t for t in state.tokens if not is_comment(t)]
        for opening, inline in zip(tokens, tokens[1:]):
            if opening.type == "heading_open":
                self.add_heading(opening, inline)
            elif opening.type in ("th_open", "td_open"):
                if "right" in str(opening.attrs.pop("style", "")):
                    opening.attrs["class"] = "right"
        for opening, inline, closing in zip(tokens, tokens[1:], tokens[2:]):
            if opening.type == "paragraph_open":
                self.arrange_paragraph(opening, inline, closing)
        for inline in (t for t in tokens if t.type == "inline"):
            inline.children = [t for t in inline.children if not is_comment(t)]
            for token in inline.children:
                if token.type == "link_open":
                    token.attrs["href"] = self.link(token.attrs["href"])
        state.tokens = self.group_code(tokens)

    def add_heading(self, opening, inline):
        title = text_of(inline)
        used = {anchor for *_, anchor in self.headings}
        names = itertools.chain([slug(title)], (f"{slug(title)}-{i}" for i in itertools.count(1)))
        opening.attrs["id"] = next(name for name in names if name not in used)
        self.headings.append((int(opening.tag[1]), title, opening.attrs["id"]))

    def arrange_paragraph(self, opening, inline, closing):
        """A paragraph of pictures is only these pictures."""
        if all(t.type in ("image", "softbreak") for t in inline.children):
            opening.hidden = closing.hidden = True
        elif not self.first and opening.level == 0:
            self.first = text_of(inline)

    @staticmethod
    def group_code(tokens):
        """The tokens with one token for the variants of a piece of code: meta has them."""
        kept, group = [], []
        for token in tokens:
            if group and is_variant(token, group):
                group.append(token)
                continue
            group = [token] if token.type == "fence" else []
            if group:
                token.meta["variants"] = group
            kept.append(token)
        return kept

    # -- HTML

    def heading_close(self, tokens, i, options, env):
        anchor = tokens[i - 2].attrs["id"]
        return f' <a class="anchor" href="#{anchor}">#</a></{tokens[i].tag}>\n'

    def fence(self, tokens, i, options, env):
        variants = [(t.info, self.code(t)) for t in tokens[i].meta["variants"]]
        body = tabs(variants)
        if variants[0][0] == "text":
            return body.replace('class="code"', 'class="code output"')
        return body

    @staticmethod
    def code_block(tokens, i, options, env):
        """Indented lines, such as a formula."""
        return tabs([("text", f"<pre><code>{html.escape(tokens[i].content.rstrip(), quote=False)}"
                              "</code></pre>")])

    def code(self, token):
        code = highlight(token.content.removesuffix("\n"), token.info, self.link_name)
        return f"<pre><code>{code}</code></pre>"

    def code_inline(self, tokens, i, options, env):
        text = tokens[i].content
        name, code = re.sub(r"\(.*\)$", "", text), html.escape(text, quote=False)
        address = self.link_name(name)
        return f'<a href="{address}"><code>{code}</code></a>' if address else f"<code>{code}</code>"

    def image(self, tokens, i, options, env):
        caption = self.parser.renderer.renderInline(tokens[i].children, options, env)
        return self.picture(tokens[i].attrs["src"], caption)
