"""Colours code: C, JavaScript, Python and Lua as HTML."""
import html
import re

WORDS = {
    "c": "bool char const continue break case default do double else enum extern float for if int "
         "long return short signed sizeof static struct switch typedef unsigned void while true "
         "false NULL size_t uint8_t uint16_t uint32_t uint64_t int32_t int64_t",
    "js": "async await break case catch class const continue default else export extends false for "
          "from function if import in instanceof let new null of return static super switch this "
          "throw true try typeof undefined using var while yield",
    "python": "and as assert break class continue def del elif else except False finally for from "
              "global if import in is lambda None nonlocal not or pass raise return True try while "
              "with yield",
    "lua": "and break do else elseif end false for function goto if in local nil not or repeat "
           "return then true until while",
    "sh": "", "text": ""}
WORDS["box2d"], WORDS["matter"] = WORDS["c"], WORDS["js"]  # code of other engines
COMMENTS = dict.fromkeys(("c", "js", "box2d", "matter"), r"/\*.*?\*/|//[^\n]*")
COMMENTS["lua"] = r"--[^\n]*"
STRING = r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|`(?:\\.|[^`\\])*`'
NUMBER = r"\b\d(?:[eEpP][+-]|[\w.])*"


def lexemes(language):
    comment = COMMENTS.get(language, r"\#[^\n]*")
    include = r"^[ \t]*\#\w+" if language == "c" else r"(?!)"
    return re.compile(f"(?P<comment>{comment})|(?P<string>{STRING})|(?P<word>{include})"
                      rf"|(?P<number>{NUMBER})|(?P<name>[A-Za-z_]\w*)", re.MULTILINE | re.DOTALL)


def highlight(code, language, link=lambda name: None):
    """The code as HTML. `link` gives the address of a name, or None."""
    if language == "text":
        return html.escape(code, quote=False)
    words = set(WORDS.get(language, "").split())
    out, end = [], 0
    for match in lexemes(language).finditer(code):
        out.append(html.escape(code[end:match.start()], quote=False))
        end = match.end()
        kind, text = match.lastgroup, html.escape(match[0], quote=False)
        if kind == "name":
            kind = "word" if match[0] in words else None
            address = link(match[0])
            if address:
                text = f'<a href="{address}">{text}</a>'
        out.append(f'<span class="{kind}">{text}</span>' if kind else text)
    return "".join(out) + html.escape(code[end:], quote=False)
