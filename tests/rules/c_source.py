"""Reads C sources: as tokens, with macros expanded, and cut into definitions and declarations.

It understands as much C as the engine uses. It reads all branches of an #if.
"""
import collections
import re

import house

# ---- tokens

LEXEME = re.compile(
    r"""(?P<comment>/\*.*?\*/|//[^\n]*)
      | (?P<blank>\\\n|[ \t\f\r]+)
      | (?P<newline>\n)
      | (?P<string>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')
      | (?P<name>[A-Za-z_]\w*)
      | (?P<number>\.?\d(?:[eEpP][+-]|[\w.])*)
      | (?P<sign>->|\#\#|\.\.\.|(?:<<|>>|[-+*/%&|^<>=!])=|\+\+|--|&&|\|\||<<|>>|.)""",
    re.VERBOSE | re.DOTALL)
Token = collections.namedtuple("Token", "kind text line")


def read_lexemes(text):
    """Yields everything that a C source consists of as tokens, including comments and blanks."""
    line = 1
    for match in LEXEME.finditer(text):
        yield Token(match.lastgroup, match[0], line)
        line += match[0].count("\n")


def read_lines(text):
    """Yields the logical lines of a C source as lists of tokens, without comments."""
    line = []
    for token in read_lexemes(text):
        if token.kind == "newline":
            if line:
                yield line
            line = []
        elif token.kind not in ("comment", "blank"):
            line.append(token)
    if line:
        yield line


def end_of_group(tokens, start):
    """The index behind the bracket that closes the one at start."""
    depth = 0
    for i in range(start, len(tokens)):
        depth += (tokens[i].text in ("(", "[", "{")) - (tokens[i].text in (")", "]", "}"))
        if depth == 0:
            return i + 1
    raise ValueError(f"line {tokens[start].line}: {tokens[start].text} is not closed")


# ---- macros

class Macro:
    """A macro, made from the tokens after #define. Without arguments `parameters` is None."""

    def __init__(self, tokens, takes_brackets):
        self.parameters, self.body = None, tokens[1:]
        if takes_brackets:
            end = end_of_group(tokens, 1)
            names = [t.text for t in tokens[2:end - 1] if t.text != ","]
            self.is_open = names[-1:] == ["..."]
            self.parameters = names[:-1] + ["__VA_ARGS__"] if self.is_open else names
            self.body = tokens[end:]

    def split(self, tokens):
        """The arguments that stand between brackets, one for each parameter."""
        parts, depth = [[]], 0
        for token in tokens:
            depth += (token.text in ("(", "[", "{")) - (token.text in (")", "]", "}"))
            is_last = self.is_open and len(parts) == len(self.parameters)
            if token.text == "," and depth == 0 and not is_last:
                parts.append([])
            else:
                parts[-1].append(token)
        return parts + [[]] * (len(self.parameters) - len(parts))

    def replace(self, arguments, expanded):
        """The body with arguments in place of parameters: as written next to ##, else expanded.
        (#x is left out.)"""
        values = dict(zip(self.parameters, zip(arguments, expanded)))
        out, texts = [], [t.text for t in self.body] + [""]
        for i, token in enumerate(self.body):
            before, after = texts[i - 1] if i else "", texts[i + 1]
            if token.text in ("##", "#") or before == "#":
                continue
            pasted = "##" in (before, after)
            new = list(values[token.text][0 if pasted else 1]) if token.text in values else [token]
            if before == "##" and out and new:
                left = out.pop()
                new[0] = Token(left.kind, left.text + new[0].text, left.line)
            out += new
        return out


def find_macros(text):
    """The macros that a source defines, by name. The longest of several definitions counts."""
    macros = {}
    for line in read_lines(text):
        if [t.text for t in line[:2]] != ["#", "define"] or len(line) < 3:
            continue
        name = line[2].text
        opens = re.search(rf"#[ \t]*define[ \t]+{name}\(", text) is not None
        macro = Macro(line[2:], opens)
        if name not in macros or len(macro.body) > len(macros[name].body):
            macros[name] = macro
    return macros


def expand(tokens, macros, hidden=frozenset()):
    """The tokens with all macros replaced. Tokens from a macro have the line of the macro's use."""
    out, i = [], 0
    while i < len(tokens):
        token = tokens[i]
        macro = macros.get(token.text) if token.text not in hidden else None
        i += 1
        opens = i < len(tokens) and tokens[i].text == "("
        if macro is None or (macro.parameters is not None and not opens):
            out.append(token)
            continue
        body = macro.body
        if macro.parameters is not None:
            end = end_of_group(tokens, i)
            arguments = macro.split(tokens[i + 1:end - 1])
            body = macro.replace(arguments, [expand(a, macros, hidden) for a in arguments])
            i = end
        body = [t._replace(line=token.line) for t in body]
        out += expand(body, macros, hidden | {token.text})
    return out


# ---- definitions and declarations

class Definition:
    """A function, or a variable with an initialiser (a table): its place and its tokens."""

    def __init__(self, source, name, body, is_table):
        self.file, self.folder, self.name = source.path, source.folder, name
        self.line, self.body, self.is_table = body[0].line, body, is_table
        self.is_private = body[0].text == "static" and source.path.suffix == ".c"


def name_before(statement):
    """The name in front of the brackets that end a declaration of a function."""
    depth = 0
    for i in range(len(statement) - 1, 0, -1):
        depth += (statement[i].text == ")") - (statement[i].text == "(")
        if depth == 0:
            return statement[i - 1].text
    return None


def place_of_initialiser(statement):
    """The index of the = in a definition with an initialiser, -1 if there is none."""
    depth = 0
    for i, token in enumerate(statement):
        depth += (token.text in ("(", "[", "{")) - (token.text in (")", "]", "}"))
        if token.text == "=" and depth == 0:
            return i
    return -1


def name_of_variable(statement):
    """The variable that a declaration names: `table` in `void (*const table[ROWS])(void)`."""
    name = None
    i = 0
    while i < len(statement):
        text, end = statement[i].text, i + 1
        if text == "(" and statement[i + 1].text == "*":
            return name_of_variable(statement[i + 1:end_of_group(statement, i) - 1])
        if text in ("[", "{"):
            end = end_of_group(statement, i)
        elif statement[i].kind == "name":
            name = text
        i = end
    return name


class Source:
    """A file: its macros, includes and tokens. parse() adds its definitions and declarations."""

    def __init__(self, root, path):
        self.path, self.folder = path, house.layer(path)
        text = (root / path).read_text(encoding="utf-8")
        self.macros = find_macros(text)
        self.includes = []
        for name in re.findall(r'^[ \t]*#[ \t]*include[ \t]*"([^"]+)"', text, re.MULTILINE):
            self.includes.append(house.resolve(root, path, name))
        lines = [line for line in read_lines(text) if line[0].text != "#"]
        self.tokens = [token for line in lines for token in line]
        self.definitions, self.declared = {}, {}

    def parse(self, tokens, function_types):
        """Reads the expanded tokens of the file. Adds to the names of function types."""
        statement, i = [], 0
        while i < len(tokens):
            text = tokens[i].text
            end = i + 1
            if text in ("__attribute__", "static_assert", "_Static_assert"):
                end = end_of_group(tokens, i + 1)
            elif text == "{" and [t.kind for t in statement] == ["name", "string"]:  # extern "C"
                statement = []
            elif text == "{":
                end = end_of_group(tokens, i)
                is_function = statement[-1].text == ")"
                statement += tokens[i:end]
                if is_function:
                    self.define(name_before(statement[:i - end]), statement, False)
                    statement = []
            elif text == ";":
                self.take_statement(statement, function_types)
                statement = []
            else:
                statement.append(tokens[i])
            i = end

    def define(self, name, body, is_table):
        self.definitions[name] = Definition(self, name, body, is_table)

    def take_statement(self, statement, function_types):
        texts = [t.text for t in statement]
        start = place_of_initialiser(statement)
        if start > 0:
            self.define(name_of_variable(statement[:start]), statement, True)
        elif texts[:1] == ["typedef"]:
            if texts[-1] == ")":
                function_types.add(name_before(statement))
        elif texts[-1:] == [")"]:
            self.declared[name_before(statement)] = statement[0].line
        elif texts and (texts[0] == "extern" or texts[0] in function_types):
            self.declared.update({t.text: t.line for t in statement[1:]})
