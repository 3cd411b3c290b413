"""A program for Cairn 0.1 in C, C++, JavaScript, TypeScript, Python or Lua: its tokens, the types of
its expressions, and the text that is written in its place. For rename_c.py and rename_scripts.py.

A variable has the type of its last declaration in the file before the place where it is used.
Parameters count as declarations; without an annotation, their type is unknown. A member of an object
of the program has a type if all values that the file gives to members of that name have one type.
There are no scopes, so some types stay unknown. Then the name is not changed.

The tokens stay where they are. A change only sets what is written for a token, so indices and types
remain valid. The tables have names in snake_case; JavaScript has them in camelCase.
"""
import re

C, JS, PYTHON, LUA = 'c', 'js', 'python', 'lua'
PRESETS = {kind: f'{kind}_joint' for kind in (
    'revolute', 'prismatic', 'weld', 'wheel', 'rope', 'spring', 'mouse', 'motor')}
HULLS = ('circle', 'capsule', 'segment', 'box', 'rounded_box', 'polygon', 'regular')


def table(text):
    """Makes {'Side': {'body': 'Body'}} of lines like 'Side: body=Body'."""
    result = {}
    for line in text.strip().splitlines():
        name, pairs = line.split(':')
        result.setdefault(name.strip(), {}).update(pair.split('=') for pair in pairs.split())
    return result


# What members are, and what calls of them return. [X] is a list, or something to iterate over.
RESULTS = table('''
    Module: World=World Replay=Replay load=World Bodies=Bodies Joints=Joints Batch=[World]
    Module: decompose=[Hull] slice=[Hull]
    Hull: at=Hull slice=[Hull]
    World: body=Body joint=Joint rollback=Rollback record=Recording load=World bodies=[Body]
    World: shapes=[Shape] joints=[Joint] events=Events states=[State] contacts=[Contact] at=[Side]
    World: overlap=[Side] overlap_bounds=[Side] cast_ray=Hit cast_ray_all=[Hit] cast_rays=[Hit]
    World: cast_hull=Hit nearest=Hit move_hull=Move compare=Difference
    Body: shape=Body add_shape=Shape chain=Chain add_chain=Chain tiles=Grid add_tiles=Grid world=World
    Body: shapes=[Shape] joints=[Joint] contacts=[Contact] ground=Hit mass=Mass
    Shape: body=Body chain=Chain hull=Hull overlaps=[Shape] world=World
    Joint: definition=JointDef a=Body b=Body x=Axis y=Axis angle=Axis world=World
    JointDef: x=Coordinate y=Coordinate angle=Coordinate a=Body b=Body
    Chain: segments=[Shape] body=Body world=World
    Grid: body=Body world=World
    Replay: world=World
    Rollback: world=World
    Events: begins=[Event] ends=[Event] hits=[Event] bodies=[Event] moved=[Event] broken=[Event]
    Events: sensor_begins=[Event] sensor_ends=[Event]
    Event: side=Side a=Side b=Side sensor=Side other=Side body=Body
    Contact: side=Side a=Side b=Side seen_from=Contact
    Hit: side=Side a=Side b=Side
    Move: ground=Side pushes=[Hit]
    Side: body=Body shape=Shape tiles=Grid
    State: body=Body''')
RESULTS['Module'] |= {hull: 'Hull' for hull in HULLS} | {preset: 'JointDef' for preset in PRESETS}
RESULTS['Module'] |= {'distance_joint': 'JointDef', 'filter_joint': 'JointDef'}
for word, kind in (('body', 'Body'), ('shape', 'Shape'), ('joint', 'Joint'), ('tiles', 'Grid'), ('grid', 'Grid')):
    RESULTS['World'] |= {f'{word}_{end}': kind for end in ('in_slot', 'in', 'at')}

# ------------------------------------------------------------------------------------------- tokens

TEXT = r'''"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*\''''
NAME = r'''|(?P<name>[A-Za-z_$][\w$]*) | (?P<number>\.?\d(?:[eE][+-]|[\w.])*)'''
MARK = r'''|(?P<mark>\?\.(?!\d)|->|=>|:=|\.\.\.?|[=!]==|&&|\|\||\?\?|\*\*|<<|>>|[=!<>+\-*/%&|^~]=|\+\+|.)'''
SLASHES = r'''(?P<comment>//[^\n]*|/\*.*?\*/)'''
PATTERNS = {
    C: SLASHES + f'|(?P<text>{TEXT})' + NAME + MARK,
    JS: SLASHES + f'|(?P<text>{TEXT})' + NAME + MARK,
    PYTHON: r'''(?P<comment>\#[^\n]*) | (?P<text>[rbfuRBFU]{0,2}(?:"""(?:\\.|.)*?"""|\'\'\'(?:\\.|.)*?\'\'\'|'''
            + TEXT + '))' + NAME + MARK,
    LUA: r'''(?P<comment>--\[(?P<eq1>=*)\[.*?\](?P=eq1)\]|--[^\n]*)
        | (?P<text>''' + TEXT + r'''|\[(?P<eq2>=*)\[.*?\](?P=eq2)\])''' + NAME + MARK}
PATTERNS = {k: re.compile(r'(?P<space>\s+)|' + p, re.X | re.S) for k, p in PATTERNS.items()}
REGEX = re.compile(r'/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n\[])+/\w*')
CLOSING = {'(': ')', '[': ']', '{': '}'}
KEYWORDS = {language: set(words.split()) for language, words in {
    C: 'if for while switch return else do case throw sizeof and or not co_return co_yield co_await',
    JS: 'if for while switch catch return typeof await of in case else do throw yield new delete void '
        'instanceof function',
    PYTHON: 'if for while return and or not in is else elif lambda assert yield with del await print raise',
    LUA: 'if while return and or not then do until elseif in else function'}.items()}


class Token:
    """A token: its text, and what is written for it: before + new + after."""
    __slots__ = ('kind', 'text', 'before', 'new', 'after')

    def __init__(self, kind, text):
        self.kind, self.text = kind, text
        self.before, self.new, self.after = '', text, ''


def cut(text, language):
    tokens, at, before = [], 0, None
    while at < len(text):
        starts_value = before is None or before.text in KEYWORDS[JS] or \
            before.kind == 'mark' and before.text not in ')]}'
        if language == JS and text[at] == '`':
            at = cut_template(text, at, tokens)
        elif language == JS and text[at] == '/' and text[at + 1:at + 2] not in '/*' and starts_value and \
                REGEX.match(text, at):
            tokens.append(Token('text', REGEX.match(text, at).group()))
            at += len(tokens[-1].text)
        else:
            found = PATTERNS[language].match(text, at)
            kind = next(k for k in ('space', 'comment', 'text', 'name', 'number', 'mark') if found[k])
            tokens.append(Token(kind, found.group()))
            at = found.end()
        if tokens[-1].kind not in ('space', 'comment'):
            before = tokens[-1]
    return tokens


def cut_template(text, at, tokens):
    """Cuts `text ${code} text` of JavaScript. The code becomes tokens in brackets. Returns the end."""
    start, at = at, at + 1
    while at < len(text) and text[at] != '`':
        if text.startswith('${', at):
            tokens += [Token('text', text[start:at + 1]), Token('mark', '{')]
            depth, inner, at = 1, at + 2, at + 2
            while at < len(text) and depth:
                depth += (text[at] == '{') - (text[at] == '}')
                at += 1
            tokens += cut(text[inner:at - 1], JS) + [Token('mark', '}')]
            start = at
        else:
            at += 2 if text[at] == '\\' else 1
    tokens.append(Token('text', text[start:at + 1]))
    return at + 1


def snake(name):
    return re.sub(r'(?<=[a-z0-9])([A-Z])', lambda m: '_' + m[1].lower(), name)


def camel(name):
    return re.sub(r'_(\w)', lambda m: m[1].upper(), name)


# ---------------------------------------------------------------------------------------- a program

class Program:
    """A text in one language, with what is known about its names."""

    def __init__(self, text, language, results=None):
        self.language, self.tokens, self.notes = language, cut(text, language), []
        self.results = results or RESULTS
        self.aliases, self.imported, self.imports_all = set(), {}, False  # of the module
        # What names are: a type, None, or ('value' | 'item' | 'list' | 'result', last token of an
        # expression): its value, an item of it, a list of such values, one of its results.
        self.declared, self.members, self.functions, self.found = {}, {}, {}, {}
        self.find_brackets()

    # -- tokens

    def text(self, i):
        return self.tokens[i].text if 0 <= i < len(self.tokens) else ''

    def kind(self, i):
        return self.tokens[i].kind if 0 <= i < len(self.tokens) else ''

    def step(self, i, by=1):
        """Returns the next index in a direction that is no space and no comment."""
        i += by
        while 0 <= i < len(self.tokens) and self.tokens[i].kind in ('space', 'comment'):
            i += by
        return i

    def source(self, first, behind):
        return ''.join(t.text for t in self.tokens[max(first, 0):behind])

    def find_brackets(self):
        """Finds the partner of each bracket, and the bracket around each token."""
        self.partner, self.around, open_brackets = {}, [], []
        for i, t in enumerate(self.tokens):
            closes = t.kind == 'mark' and t.text in CLOSING.values() and open_brackets
            if closes:
                self.partner[i] = open_brackets.pop()
                self.partner[self.partner[i]] = i
            self.around.append(open_brackets[-1] if open_brackets else -1)
            if t.kind == 'mark' and t.text in CLOSING:
                open_brackets.append(i)

    def end_of(self, i):
        return self.partner.get(i, len(self.tokens) - 1)

    def start_of(self, i):
        return self.partner.get(i, 0)

    def opening(self, i):
        """Returns the index of the bracket around i, or -1."""
        return self.around[i] if 0 <= i < len(self.around) else -1

    def is_bracket(self, i, marks):
        return self.kind(i) == 'mark' and self.text(i) in marks

    def is_dot(self, i):
        if self.language == LUA and self.is_bracket(i, (':',)):
            return self.kind(self.step(i)) == 'name' and self.is_call(self.step(i))
        return self.is_bracket(i, ('.', '->') if self.language == C else ('.', '?.'))

    def is_call(self, i):
        """True if arguments follow the name at i."""
        after = self.step(i)
        return self.is_bracket(after, '(') or self.language == LUA and (
            self.is_bracket(after, '{') or self.kind(after) == 'text')

    def call_of(self, i):
        """The arguments of the call of the name at i: the indices of the brackets, or of one text."""
        after = self.step(i)
        return after, self.end_of(after) if self.text(after) in CLOSING else after

    def parts(self, opening, separators=(',',)):
        """The parts between brackets, as pairs of indices: first, and behind the last."""
        parts, first, end = [], opening + 1, self.end_of(opening)
        for j in range(opening + 1, end + 1):
            if j == end or self.opening(j) == opening and self.is_bracket(j, separators):
                parts.append((first, j))
                first = j + 1
        return [p for p in parts if any(t.kind not in ('space', 'comment') for t in self.tokens[p[0]:p[1]])]

    def arguments(self, i):
        """The arguments of the call of the name at i."""
        opening, end = self.call_of(i)
        return self.parts(opening) if self.text(opening) == '(' else [(opening, end + 1)]

    def core(self, part):
        return self.source(*part).strip()

    def margin(self, i):
        """Returns the width of the spaces before the line of i."""
        line = self.source(0, i + 1).rsplit('\n', 1)[-1]
        return len(line) - len(line.lstrip())

    def first_of(self, i):
        """Returns the index of the first token of the operand that ends at i."""
        while True:
            if self.language == JS and self.is_bracket(i, '!'):
                i = self.step(i, -1)
            while self.is_bracket(i, ')]}') or self.language == LUA and self.kind(i) == 'text':
                start = self.start_of(i) if self.kind(i) == 'mark' else i
                before = self.step(start, -1)
                if not self.is_operand(before) or self.text(i) == '}' and self.language != LUA:
                    return start
                i = before
            before = self.step(i, -1)
            if not self.is_dot(before) or self.language == C and self.is_bracket(self.step(before, -1), '{,'):
                return before if self.text(before) == 'new' else i
            i = self.step(before, -1)

    def is_operand(self, i):
        """True if a bracket behind i means a call or an index."""
        return self.kind(i) == 'name' and self.text(i) not in KEYWORDS[self.language] or self.is_bracket(i, ')]')

    def last_of(self, i):
        """Returns the index of the last token of the operand that begins at i."""
        while self.text(i) in ('await', 'new', '&') and self.language in (JS, C):
            i = self.step(i)
        last = self.end_of(i) if self.is_bracket(i, CLOSING) else i
        while True:
            after = self.step(last)
            is_same_line = self.language != PYTHON or '\n' not in self.source(last, after)
            if self.is_dot(after):
                last = self.step(after)
            elif self.is_bracket(after, '([') and is_same_line or self.language in (LUA, C) and \
                    self.is_bracket(after, '{') and self.kind(last) == 'name':
                last = self.end_of(after)
            elif self.language == LUA and self.kind(after) == 'text' and self.kind(last) == 'name' or \
                    self.language == JS and self.text(after) == '!' and self.text(after + 1) in ('.', ';', ')', ','):
                last = after
            else:
                return last

    def end_of_line(self, i):
        """Returns the index of the end of the line or statement of Python, outside of brackets."""
        around = self.opening(i)
        for j in range(i, len(self.tokens)):
            if j == self.partner.get(around) or self.opening(j) == around and (
                    self.is_bracket(j, ';') or self.kind(j) == 'comment' or
                    '\n' in self.text(j) and self.kind(j) == 'space'):
                return j
        return len(self.tokens)

    def end_of_expression(self, i):
        """Returns the index behind the expression that begins at i."""
        if self.language == PYTHON:
            return self.end_of_line(i)
        around, j = self.opening(i), i
        while j < len(self.tokens):
            if j == self.partner.get(around) or self.opening(j) == around and self.is_bracket(j, ',;'):
                return j
            if self.language == LUA and self.kind(j) == 'name' and not self.is_dot(self.step(j, -1)) and \
                    self.text(j) in ('end', 'else', 'elseif', 'until', 'local', 'return', 'then', 'do'):
                return j
            if self.is_bracket(j, CLOSING):
                j = self.end_of(j)
            elif self.language != C and '\n' in self.text(j) and self.kind(j) == 'space' and \
                    not self.goes_on(j):
                return j
            j += 1
        return j

    def goes_on(self, space):
        """True if an expression goes on behind the end of a line."""
        after, before = self.step(space), self.step(space, -1)
        words = ('+', '-', '*', '/', '?', ':', '&&', '||', '??', '..', '=>', 'and', 'or')
        return self.text(after) in words + ('.', '?.', 'as') or self.text(before) in words + ('=', 'not')

    # -- declarations, except those of C

    def declare(self, i, kind):
        self.declared.setdefault(self.text(i), []).append((i, kind))

    def add_member(self, name, kind):
        self.members.setdefault(name, set()).add(kind)

    def find_declarations(self):
        name = None  # of the function
        for i, t in enumerate(self.tokens):
            if t.kind == 'mark' and t.text in ('=', ':='):
                self.find_assignment(i)
            elif t.kind == 'mark' and t.text == ':' and self.language != LUA:
                self.find_colon(i)
            elif t.kind == 'name' and t.text == 'return':
                self.functions.setdefault(name, []).append(self.step(i))
            elif t.kind == 'name' and t.text in ('push', 'append') and self.is_call(i):
                base = self.step(self.step(i, -1), -1)  # bodies.push(value)
                self.bind(base, ('list', self.step(self.call_of(i)[1], -1)))
            elif t.kind == 'name' and t.text == 'as' and self.language == PYTHON:
                self.bind(self.step(i), ('value', self.step(i, -1)))  # with value as name
            elif t.kind == 'name' and t.text == 'for' and self.language != JS:
                self.find_loop(i)
            elif t.kind == 'name' and t.text == 'of' and self.language == JS:
                self.bind(self.step(i, -1), ('item', self.last_of(self.step(i))))
            if self.kind(i) in ('name', 'mark'):
                name = self.find_function(i) or name

    def find_assignment(self, equals):
        """Finds what is declared or assigned before the mark at `equals`. In Python and Lua there may be
        several targets and values."""
        if self.language == PYTHON and self.opening(equals) >= 0 and self.text(equals) == '=':
            return  # an argument
        targets, last = [self.step(equals, -1)], self.step(equals, -1)
        while self.language in (PYTHON, LUA) and not self.is_field(last):
            comma = self.step(self.first_of(last), -1)
            if self.text(comma) != ',':
                break
            last = self.step(comma, -1)
            targets.insert(0, last)
        values = [self.last_of(self.step(equals))]
        while len(targets) > 1 and self.text(self.step(values[-1])) == ',':
            values.append(self.last_of(self.step(self.step(values[-1]))))
        for n, target in enumerate(targets):
            is_pair = len(values) == len(targets)
            self.bind(target, ('value', values[n]) if is_pair else ('result', values[0], n))

    def is_field(self, i):
        """True for the name of a field in a table of Lua."""
        return self.language == LUA and self.text(self.opening(i)) == '{' and self.text(self.step(i, -1)) in '{,;'

    def bind(self, target, kind):
        """Declares the variable, member, item or names that end at `target`."""
        if self.is_bracket(target, ']}'):
            start = self.start_of(target)
            base = self.step(start, -1)
            if self.is_operand(base) and kind and self.text(base) not in ('const', 'let', 'var'):
                self.bind(base, ('list', kind[1]))  # bodies[i] = value
            else:  # const { a, b } = value
                for _, behind in self.parts(start):
                    self.declare(self.step(behind, -1), None)
        elif self.kind(target) == 'name' and (self.is_dot(self.step(target, -1)) or self.is_field(target)):
            self.add_member(self.text(target), kind)
        elif self.kind(target) == 'name':
            self.declare(target, kind)

    def find_colon(self, i):
        """name: Type, and name: value in an object of JavaScript."""
        name = self.step(i, -1)
        kind = self.annotation(name)
        if kind:
            self.declare(name, kind)
            self.add_member(self.text(name), kind)
        elif self.language == JS and self.text(self.opening(name)) == '{' and self.text(self.step(name, -1)) in '{,':
            self.add_member(self.text(name), ('value', self.last_of(self.step(i))))

    def find_function(self, i):
        """Declares the parameters of a function that begins at i. Returns its name, if it has one."""
        word, before, first = self.text(i), self.step(i, -1), i
        if word == 'lambda' and self.language == PYTHON:
            for j in range(i + 1, len(self.tokens)):
                if self.text(j) == ':':
                    return None
                if self.kind(j) == 'name':
                    self.declare(j, None)
        if word == {PYTHON: 'def'}.get(self.language, 'function'):
            opening = next((j for j in range(i, len(self.tokens)) if self.text(j) == '('), i)
        elif self.language == JS and word == '=>':
            opening = first = self.start_of(before) if self.text(before) == ')' else before
        elif self.language == JS and word == '{' and self.text(before) == ')':  # a method
            opening = self.start_of(before)
            if self.kind(self.step(opening, -1)) != 'name' or not self.is_operand(self.step(opening, -1)):
                return None
        else:
            return None
        names = [opening] if self.kind(opening) == 'name' else [self.step(p[0] - 1) for p in self.parts(opening)]
        names = [self.step(n) if self.text(n) in ('*', '**', '...', 'readonly', 'public', 'private') else n
                 for n in names]
        for n in names:
            if self.kind(n) == 'name':
                self.declare(n, self.annotation(n) or self.callback_type(first, len(names), n == names[0]))
        name = self.step(opening, -1)
        if word == '=>' or self.text(name) == 'function':  # name = function(), name: () =>
            name = self.step(first, -1)
            name = self.step(self.step(name, -1) if self.text(name) == 'async' else name, -1)
        if self.kind(name) != 'name':
            return None
        if word == '=>' and self.text(self.step(i)) != '{':
            self.functions.setdefault(self.text(name), []).append(self.step(i))
        return self.text(name)

    def callback_type(self, start, count, is_first):
        """The types of the parameters of callbacks: filter = function(a, b), bodies.map(body => ...)."""
        before = self.step(start, -1)
        word = snake(self.text(self.step(before, -1)))
        if self.language == JS and self.text(before) == '(' and is_first and \
                word in ('map', 'filter', 'for_each', 'find', 'some', 'every', 'flat_map'):
            return 'item', self.step(self.step(self.step(before, -1), -1), -1)
        if self.text(before) not in ('=', ':'):
            return None
        return {'filter': 'Shape' if count == 2 else None, 'pre_solve': 'Contact', 'accept': 'Side'}.get(word)

    def find_loop(self, i):
        """for name in values, with enumerate(), ipairs() and the like."""
        j = self.step(i)
        while self.kind(j) == 'name' and self.text(j) != 'in' or self.text(j) == ',':
            j = self.step(j)
        if self.text(j) != 'in':
            return
        name, last = self.step(j, -1), self.last_of(self.step(j))
        if self.text(self.step(j)) in ('ipairs', 'pairs', 'enumerate', 'list', 'reversed', 'sorted'):
            last = self.step(last, -1)
        self.declare(name, ('item', last))
        if self.opening(i) >= 0:  # [... for x in y]: the name stands before
            self.declared[self.text(name)].append((self.opening(i), ('item', last)))
            self.declared[self.text(name)].sort(key=lambda place: place[0])

    def annotation(self, i):
        """Returns the type that is written behind a name: body: Body, crate: cn.Body, list: Body[]."""
        j = self.step(i)
        if self.text(j) != ':' or self.language == LUA or self.kind(i) != 'name':
            return None
        found = re.match(r'[\'"]?((?:list|Iterable|Iterator|Sequence|Array)[\[<]|readonly )?(?:(\w+)\.)?(\w+)(\[\])?',
                         self.source(self.step(j), self.step(j) + 8))
        if not found or found[2] not in self.aliases and found[3] not in self.imported:
            return None
        kind = self.imported.get(found[3], found[3])
        kind = {'Tiles': 'Grid', 'WorldHit': 'Hit', 'Neighbor': 'Hit', 'BodyState': 'State'}.get(kind, kind)
        if kind not in self.results and kind not in ('Hull', 'Coordinate', 'Difference', 'Axis'):
            return None
        return f'[{kind}]' if found[1] or found[4] else kind

    # -- types

    def resolve(self, kind):
        """Returns the type for a value of `declared` or `members`."""
        if not isinstance(kind, tuple):
            return kind
        found = self.of_expression(kind[1])
        if kind[0] == 'result':  # one of several results of a call
            call = self.text(self.step(self.start_of(kind[1]), -1))
            if self.language == LUA and call == 'shape' and kind[2] == 1:
                return 'Shape'  # the call returned the body and the shape
            return found if kind[2] == 0 and found else self.of_result(call, kind[2])
        if kind[0] == 'list':
            return f'[{found}]' if found else None
        return self.item(found) if kind[0] == 'item' else found

    def item(self, kind):
        if self.language == C or kind in ('Bodies', 'Joints', None):
            return kind
        return kind[1:-1] if kind.startswith('[') else None

    def of_variable(self, name, at):
        places = self.declared.get(name, ())
        for _, kind in [p for p in reversed(places) if p[0] <= at] or places[:1]:
            found = self.resolve(kind)
            if found:
                return found
            if kind is None:
                break  # a parameter; but x = f(x) and x = null say nothing new
        return 'World' if name == 'world' and self.language != C else None

    def owner(self, i):
        """Returns the type of the object whose member is at i."""
        return self.of_expression(self.step(self.step(i, -1), -1))

    def member(self, owner, name, is_call):
        """Returns the type of a member of an object of Cairn."""
        if owner == 'Module' and name[:1].isupper() or self.language == C:
            return self.results.get(owner, {}).get(name)
        if owner == 'Joint' and self.language != PYTHON and name in ('x', 'y', 'angle', 'a', 'b'):
            return None
        found = self.results.get(owner, {}).get(snake(name))
        if not found and owner and self.language == LUA and is_call and re.match('set_|apply_|reset_', name):
            return owner  # calls without results return their object
        return found

    def of_expression(self, i):
        """Returns the type of the expression whose last token is at i, or None."""
        if i not in self.found:
            self.found[i] = None  # an expression that needs itself has no type
            self.found[i] = self.find_type(i)
        return self.found[i]

    def find_type(self, i):
        while self.language == JS and self.text(i) == '!':
            i = self.step(i, -1)
        is_call = False
        if self.is_bracket(i, ')]}') or self.language == LUA and self.kind(i) == 'text':
            start = self.start_of(i) if self.kind(i) == 'mark' else i
            before = self.step(start, -1)
            if self.text(i) == ']' and self.is_operand(before):
                return self.item(self.of_expression(before))
            if self.text(i) == ']':  # a list
                found = self.of_expression(self.last_of(self.step(start)))
                return f'[{found}]' if found else None
            if self.text(i) == ')' and not self.is_operand(before):
                return self.of_expression(self.step(i, -1))
            if self.kind(before) != 'name' or not self.is_operand(before):
                return None
            is_call, i = True, before
        if self.kind(i) != 'name':
            return None
        name = self.text(i)
        if self.is_dot(self.step(i, -1)):
            owner = self.owner(i)
            return self.member(owner, name, is_call) if owner else self.of_member(name, i, is_call)
        if name in self.imported or is_call and self.imports_all or self.language == C and is_call:
            return self.member('Module', self.imported.get(name, name), is_call)
        if is_call:
            return self.of_result(name)
        return 'Module' if name in self.aliases else self.of_variable(name, i)

    def of_result(self, name, place=-1):
        """Returns the type of the result of a function of the program, or of one of several results."""
        for first in self.functions.get(name, ()):
            last = self.last_of(first)
            for _ in range(place):
                last = self.last_of(self.step(self.step(last))) if self.text(self.step(last)) == ',' else first
            is_tuple = self.language == PYTHON and place < 0 and self.text(self.step(last)) == ','
            if not is_tuple and self.of_expression(last):
                return self.of_expression(last)
        return None

    def of_member(self, name, _, is_call):
        """Returns the type of a member of an object of the program."""
        if is_call:
            return 'World' if name == 'load' else self.of_result(name)
        kinds = {self.resolve(kind) for kind in self.members.get(name, ())} - {None}
        return kinds.pop() if len(kinds) == 1 else {'world': 'World', 'side': 'Side'}.get(name)

    # -- what is written

    def rendered(self, first, behind):
        return ''.join(t.before + t.new + t.after for t in self.tokens[first:behind])

    def value(self, part):
        return self.rendered(*part).strip()

    def write(self, i, text):
        self.tokens[i].new = text

    def blank(self, first, behind):
        for t in self.tokens[first:behind]:
            t.before = t.new = t.after = ''

    def put(self, part, text):
        """Writes text for an argument, and keeps the spaces around it."""
        first, last = self.step(part[0] - 1), self.step(part[1], -1)
        self.blank(first, last + 1)
        self.write(first, text)

    def note(self, i, why):
        self.notes.append((i, why))

    def run(self):
        """Changes the program, from its end. Returns the new text and [(line, why, code)]."""
        for i in range(len(self.tokens) - 1, -1, -1):
            getattr(self, f'change_{self.kind(i)}', lambda i: None)(i)
        self.finish()
        text = self.rendered(0, len(self.tokens))
        lines = text.split('\n')
        notes = sorted({(self.rendered(0, i).count('\n'), why) for i, why in self.notes})
        return text, [(line + 1, why, lines[line].strip()) for line, why in notes]

    def finish(self):
        """What is left to do after all changes."""
