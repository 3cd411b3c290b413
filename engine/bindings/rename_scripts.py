"""The part of rename.py for JavaScript, TypeScript, Python and Lua: change(text, language) returns the
new text and the lines that a person has to look at.

What a name means follows from its receiver: `crate.enabled` is changed if `crate` is known to be a
body, because it was assigned from `world.body()` or a similar expression: see rename_types.py. Names
that only Cairn has are changed without a known receiver. Other names without one are printed, if
they may belong to Cairn. So are calls that have another form now, but are rare.
"""
import math
import re

from rename_types import JS, LUA, PRESETS, PYTHON, RESULTS, Program, camel, snake, table

# Members with new names, by class.
MEMBERS = table('''
    World: joint=create_joint at=overlap_point states=body_states rollback=create_rollback
    World: record=begin_recording body_in=body_in_slot shape_in=shape_in_slot joint_in=joint_in_slot
    World: grid_in=grid_in_slot tiles_in_slot=grid_in_slot body_at=body_in_slot shape_at=shape_in_slot
    World: joint_at=joint_in_slot tiles_at=grid_in_slot
    Body: add_shape=create_shape chain=create_chain add_chain=create_chain tiles=create_grid
    Body: add_tiles=create_grid apply_center_force=apply_force apply_center_impulse=apply_impulse
    Body: touching=touches speed_limit=max_speed mass=mass_data mass_into=mass_data_into
    Shape: overlaps=sensor_shapes
    Joints: speed=rate set_speed=set_motor_speed
    Joint: speed=rate set_speed=set_motor_speed get_coupling=coupling
    Axis: speed=motor_speed motor_force=max_motor_force spring_force=max_spring_force
    Coordinate: speed=motor_speed motor_force=max_motor_force spring_force=max_spring_force
    Grid: get=solid set=set_solid get_tile=tile get_tile_into=tile_into
    Hull: mass=mass_data mass_into=mass_data_into overlap=mtv outline_crossings=crossings cast_hull=cast
    Side: tiles=grid
    Difference: tiles=grid
    Replay: position=at''')
# Names that only Cairn has.
RARE = set('''apply_center_force apply_center_impulse speed_limit tiles_in_slot body_at shape_at joint_at tiles_at
    motor_force spring_force get_tile get_tile_into mass_into outline_crossings'''.split())
RARE = {name: next(kind for kind, members in MEMBERS.items() if name in members) for name in RARE}
# Calls and properties that are printed if the receiver is not known.
LOOK_AT_CALLS = set('''body joint shape chain rollback record touching overlaps set_enabled set_speed add_shape
    add_chain add_tiles'''.split())
LOOK_AT = set('tiles enabled awake sleeping touch_events states index'.split())
# Flags whose sense has changed: getters and setters.
FLIPS = {('World', 'sleeping'): 'no_sleep', ('Body', 'enabled'): 'disabled', ('Body', 'awake'): 'asleep',
         ('Joint', 'enabled'): 'disabled', ('Shape', 'touch_events'): 'no_touch_events',
         ('State', 'awake'): 'asleep'}
# Setters that are properties now.
PROPERTIES = {('World', 'set_profiling'): 'profiling', ('Joint', 'set_polar'): 'polar',
              ('Joint', 'set_collide_connected'): 'collide_connected', ('Axis', 'replace'): 'coordinate'}
# Members that have another form now. They are rare.
PRINTED = {('Bodies', 'enabled'): 'bodies.disabled now, with the opposite sense',
           ('Bodies', 'awake'): 'bodies.asleep now, with the opposite sense',
           ('Bodies', 'set_pose'): 'bodies.pose = now', ('Bodies', 'set_target'): 'takes poses now',
           ('Joint', 'frames'): 'joint.set_frames() and joint.frame() now',
           ('Joint', 'breaks_at'): 'joint.break_force, joint.break_torque and joint.set_break() now',
           ('Axis', 'get'): 'joint.angle.coordinate now',
           ('World', 'set_callbacks'): 'world.callbacks = now, and the shapes need .custom_filter or .pre_solve',
           ('Recording', 'end'): 'world.end_recording() now', ('World', 'step_all'): 'worlds_step() now'}

# Functions of the module.
FUNCTIONS = {'regular': 'regular_polygon', 'decompose': 'outline_decompose', **PRESETS}
TYPES = {'Tiles': 'Grid', 'Mass': 'MassData', 'BodyType': 'MotionType', 'HullSide': 'Which'}
MODULE = {
    JS: {**FUNCTIONS, **TYPES, 'filter': 'filter_joint', 'cut_recording': 'recording_cut', 'TilesDef': 'GridDef',
         'MassLike': 'MassDataLike', 'hull_side_values': 'which_values', 'body_type_values': 'motion_type_values'},
    PYTHON: {**FUNCTIONS, **TYPES, 'cut_recording': 'recording_cut', 'set_error_hook': 'error_set_hook'},
    LUA: {**FUNCTIONS, 'distance': 'distance_joint', 'filter': 'filter_joint', 'load': 'world_load',
          'step': 'worlds_step', 'pose': 'pose_at', 'rotation': 'rotation_of',
          'set_error_hook': 'error_set_hook', 'error_kind': 'error_code'}}
# Functions of the module that are methods of their first argument now.
METHODS = {'collide': 'collide', 'distance': 'distance', 'distance_into': 'distance_into',
           'overlap': 'mtv', 'overlap_into': 'mtv_into', 'clip': 'clip', 'slice': 'slice',
           'cast_hull': 'cast', 'time_of_impact': 'time_of_impact', 'outline_crossings': 'crossings'}
METHODS = {JS: METHODS, PYTHON: {**METHODS, 'bounds_crossings': 'crossings'}, LUA: {}}

# The position of the query among the arguments.
QUERIES = {'cast_ray': 2, 'cast_ray_all': 2, 'cast_rays': 1, 'cast_hull': 2, 'overlap': 2, 'overlap_bounds': 1,
           'at': 1, 'nearest': 3}
COORDINATE = {'mode', 'lower', 'upper', 'hertz', 'damping_ratio', 'target', 'motor', 'speed', 'motor_force',
              'spring_force', 'ratchet'}
NULLS = ('null', 'undefined', 'None', 'nil')


class Changes(Program):
    def __init__(self, text, language):
        super().__init__(text, language)
        self.of_cairn = bool(re.search('cairn', text, re.I))
        self.added, self.listed, self.list = set(), set(), -1  # names to import, and lists of imports
        self.find_imports()
        self.find_declarations()
        self.find_queries()

    # -- imports

    def find_imports(self):
        """Finds the names of the module, and the names that are imported from it."""
        text = ''.join(' ' if t.kind == 'comment' else t.text for t in self.tokens)
        package = r'["\'][^"\']*cairn(?:2d)?(?:[./][^"\']*)?["\']'
        pattern = {JS: r'\*\s*as\s+(\w+)\s+from\s*' + package + r'|(\w+)\s*=\s*(?:await\s+import|require)\s*\(\s*' + package,
                   PYTHON: r'\bimport\s+cairn2d\s+as\s+(\w+)',
                   LUA: r'(\w+)\s*=\s*require\s*\(?\s*["\']cairn["\']'}[self.language]
        self.named = {next(filter(None, m.groups())) for m in re.finditer(pattern, text)}
        if re.search(r'\bimport\s+cairn2d\s*$', text, re.M):
            self.named.add('cairn2d')
        self.aliases = self.named | {JS: {'cairn2d', 'cairn'}, PYTHON: {'cairn2d', 'cn'}, LUA: {'cairn'}}[self.language]
        for i, t in enumerate(self.tokens):
            if self.language == PYTHON and t.text == 'from' and self.text(self.step(i)) == 'cairn2d':
                first, end = self.step(self.step(self.step(i))), self.end_of_line(i)
                self.imports_all |= self.text(first) == '*'
            elif self.language == JS and self.is_bracket(i, '{') and self.is_list_of_cairn(i):
                first, end = i + 1, self.end_of(i)
            else:
                continue
            names = [k for k in range(first, end) if self.kind(k) == 'name' and self.text(k) != 'type']
            for k in names:
                if self.text(self.step(k, -1)) not in ('as', ':'):
                    after = self.step(k)
                    self.imported[self.text(self.step(after) if self.text(after) in ('as', ':') else k)] = self.text(k)
            self.listed |= set(names) - {k for k in names if self.text(k) == 'as'}
            self.list = names[0] if names and self.list < 0 else self.list

    def is_list_of_cairn(self, opening):
        """True for import { World } from "cairn2d", and for const { World, box } = anything."""
        after = self.step(self.end_of(opening))
        names = self.source(opening, after)
        if self.text(after) == 'from':
            return 'cairn' in self.text(self.step(after))
        words = set(re.findall(r'\w+', names))
        return self.text(after) == '=' and '=' not in names and (
            bool(re.match(r'=\s*(await\s+import\s*\(\s*["\'][^"\']*cairn|cairn2d\s*;)', self.source(after, after + 12)))
            or 'World' in words and (self.of_cairn or len({snake(w) for w in words} & set(RESULTS['Module'])) > 0))

    def is_imported(self, i):
        """True for a name of the module that no variable hides."""
        places = [at for at, _ in self.declared.get(self.text(i), ()) if at not in self.listed and at <= i]
        return (self.text(i) in self.imported or self.imports_all) and not places

    def module(self, name):
        """Returns a function of the module as the program can call it."""
        name = self.word(name)
        if self.named or not self.imported and not self.imports_all:
            default = {JS: 'cairn' if 'cairn.' in self.source(0, len(self.tokens)) else '', PYTHON: 'cn', LUA: 'cairn'}
            prefix = min(self.named, default=default[self.language])
            return f'{prefix}.{name}' if prefix else name
        if not self.imports_all and name not in self.imported.values():
            self.added.add(name)
        return name

    def change_import(self, i):
        comma, name = self.step(i), self.key(i)
        if self.text(self.step(i, -1)) in ('as', ':'):
            return
        if name in METHODS[self.language] and self.text(comma) not in ('as', ':'):
            if self.text(comma) == ',':
                self.blank(i, comma + (1 if '\n' in self.text(comma + 1) else 2))
            else:
                self.blank(self.step(i, -1) if self.text(self.step(i, -1)) == ',' else i, i + 1)
        elif name in MODULE[self.language]:
            self.write(i, self.word(MODULE[self.language][name]))

    def finish(self):
        if self.added and self.list >= 0:
            self.tokens[self.list].before = ''.join(f'{n}, ' for n in sorted(self.added)) + self.tokens[self.list].before
        elif self.added:
            self.note(0, 'imports are missing: ' + ', '.join(sorted(self.added)))

    # -- names

    def word(self, name):
        """Returns a name as the language writes it."""
        return camel(name) if self.language == JS and name[:1].islower() else name

    def key(self, i):
        """Returns the name at i as the tables have it."""
        name = self.text(i).strip('"\'')
        return snake(name) if name[:1].islower() else name

    def change_name(self, i):
        if i in self.listed:
            self.change_import(i)
        elif self.is_dot(self.step(i, -1)):
            self.change_member(i)
        elif self.is_key(i):
            self.change_key(i)
        elif self.is_imported(i):
            self.change_function(i, self.imported.get(self.text(i), self.text(i)))

    def change_comment(self, i):
        """Changes the rare names in a comment."""
        def new(found):
            name = snake(found.group())
            return self.word(MEMBERS[RARE[name]][name]) if name in RARE else found.group()
        self.write(i, re.sub(r'\b[a-z]\w+\b', new, self.text(i)))

    def change_text(self, i):
        before, after, opening = self.step(i, -1), self.step(i), self.opening(i)
        bare = self.text(i).strip('"\'')
        if bare == 'awake' and self.of_cairn:
            self.note(i, 'states have asleep now')
        elif bare == 'tiles' and (self.text(self.step(opening, -1)) == 'draw' or
                                  self.text(before) in ('==', '===', '!=', '!==', '~=') and
                                  self.text(self.step(before, -1)) == 'part'):
            self.write(i, self.text(i).replace('tiles', 'grids'))
        elif self.language == PYTHON and self.text(after) == ':' and self.text(opening) == '{':
            self.change_key(i)

    # -- fields

    def is_key(self, i):
        """True for the name of a field or keyword argument."""
        after, opening = self.step(i), self.text(self.opening(i))
        if self.text(self.step(i, -1)) not in ('{', ',', '(', ';'):
            return False
        return (opening, self.text(after)) == {JS: ('{', ':'), PYTHON: ('(', '='), LUA: ('{', '=')}[self.language]

    def keys(self, opening):
        """Returns the keys in brackets: {name: index}."""
        firsts = [self.step(first - 1) for first, _ in self.parts(opening, ',;')]
        return {self.key(k): k for k in firsts if self.kind(k) in ('name', 'text')}

    def place(self, opening):
        """Returns the name of the call, and the index of the argument, for brackets that are an argument
        of a call or, in Python and Lua, all arguments."""
        before, around = self.step(opening, -1), self.opening(opening)
        if self.kind(before) == 'name' and (self.text(opening) == '(' or self.language == LUA):
            return before, 0
        if self.text(around) == '(' and self.kind(self.step(around, -1)) == 'name':
            for n, (first, _) in enumerate(self.parts(around)):
                if self.step(first - 1) == opening:
                    return self.step(around, -1), n
        return -1, 0

    def key_of(self, opening):
        """Returns the name of the field whose value begins with the bracket."""
        before = self.step(opening, -1)
        if self.text(before) in ('dict', 'Coordinate', 'Query', 'Filter'):
            before = self.step(self.first_of(before), -1)
        return self.key(self.step(before, -1)) if self.text(before) in (':', '=') else None

    def find_queries(self):
        """Finds the names of variables that are passed as queries."""
        self.query_names = {'query'}
        for i, t in enumerate(self.tokens):
            if t.kind == 'name' and snake(t.text) in QUERIES and self.is_call(i) and self.owner(i) == 'World':
                parts = self.arguments(i)[QUERIES[snake(t.text)]:]
                if parts and re.fullmatch(r'\w+', self.core(parts[0])):
                    self.query_names.add(self.core(parts[0]))

    def is_query(self, opening):
        call, index = self.place(opening)
        if self.key(call) in QUERIES if call >= 0 else False:
            return self.owner(call) == 'World' and (self.language == PYTHON or index == QUERIES[self.key(call)])
        return self.key_of(opening) in self.query_names

    def is_coordinate(self, opening):
        """True if the brackets are a coordinate of a joint: by their keys, or within joint(...)."""
        keys = self.keys(opening)
        motor = self.text(self.step(self.step(keys['motor']))).lower() if 'motor' in keys else ''
        if keys.keys() <= COORDINATE and (motor in ('true', 'false') or 'mode' in keys or
                                          keys.keys() & {'motor_force', 'spring_force', 'ratchet'}):
            return True
        call = self.place(opening)[0]
        if call >= 0 and (self.key(call) in ('set_coordinate', 'Coordinate') or
                          self.key(call) in ('set', 'replace') and self.owner(call) == 'Axis'):
            return True
        while self.opening(opening) >= 0 and self.key_of(opening) in ('x', 'y', 'angle'):
            opening = self.opening(opening)
            if self.key(max(self.place(opening)[0], 0)) == 'joint':
                return True
        return False

    def change_key(self, i):
        name, opening, new = self.key(i), self.opening(i), None
        if name in ('speed', 'motor_force', 'spring_force') and (name in RARE or self.is_coordinate(opening)):
            new = MEMBERS['Coordinate'][name]
        elif name == 'speed_limit':
            new = 'max_speed'
        elif name == 'profile' and self.text(self.place(opening)[0]) in ('World', 'load', 'Replay'):
            new = 'profiling'
        elif name == 'least_cosine':
            new, first = 'max_slope', self.step(self.step(i))
            self.put((first, next(p[1] for p in self.parts(opening) if p[0] <= i < p[1])), self.slope(first, opening))
        elif name == 'filter' and self.kind(i) == 'name' and self.is_query(opening):
            self.flatten(i)
        if new:
            self.write(i, self.text(i).replace(self.text(i).strip('"\''), self.word(new)))

    def flatten(self, i):
        """filter: { mask: 2 } in a query becomes mask: 2."""
        brace = self.step(self.step(i))
        while self.language == PYTHON and (self.kind(brace) == 'name' or self.is_dot(brace)):
            brace = self.step(brace)  # dict(mask=2), cn.Filter(mask=2)
        if not self.is_bracket(brace, '({'):
            return self.note(i, 'a query has category, mask and group itself now')
        end = self.end_of(brace)
        self.blank(i, self.step(brace))
        self.blank(self.step(end, -1) + 1, end + 1)

    def slope(self, first, opening):
        """Returns the angle for the cosine that is the argument from `first`."""
        text = self.value((first, next(p[1] for p in self.parts(opening) if p[0] <= first < p[1])))
        try:
            return f'{min(math.acos(float(text)), 3.14159):.6g}'
        except ValueError:
            if self.language == PYTHON and not re.search(r'^import math', self.source(0, len(self.tokens)), re.M):
                self.note(first, 'needs: import math')
            return ('Math' if self.language == JS else 'math') + f'.acos({text})'

    # -- functions of the module

    def change_function(self, i, name):
        name, dot = snake(name) if name[:1].islower() else name, self.step(i, -1)
        if name in METHODS[self.language] and self.is_call(i):
            parts = self.arguments(i)
            if len(parts) > 1:
                hull = self.value(parts[0])
                if not re.fullmatch(r'[\w$.]+(\([^()]*\))?|[\w$.]+\[[^\[\]]*\]', hull):
                    hull = f'({hull})'
                self.blank(parts[0][0], self.step(parts[0][1]))
                self.blank(self.first_of(i) if self.is_dot(dot) else i, i)
                self.write(i, f'{hull}.{self.word(METHODS[self.language][name])}')
        elif name in MODULE[self.language] and (snake(self.text(i)) in (name, snake(name)) or self.is_dot(dot)):
            self.write(i, self.word(MODULE[self.language][name]))

    # -- members

    def change_member(self, i):
        name, owner, before = self.key(i), self.owner(i), self.step(self.step(i, -1), -1)
        if owner == 'Module':
            return self.change_function(i, self.text(i))
        if owner in (None, 'World') and name == 'filter' and self.text(before) in self.query_names:
            if self.is_dot(self.step(i)):
                return self.blank(i, self.step(i) + 1)  # query.filter.mask
            return self.note(i, 'a query has category, mask and group itself now')
        owner = owner or self.guess(i, name)
        if (owner, name) in PRINTED:
            return self.note(i, PRINTED[owner, name])
        if owner == 'Bodies':
            owner = 'Body'
        change_it = getattr(self, f'member_{owner}_{name}'.lower(), None)
        setter = name.startswith('set_') and FLIPS.get((owner, name[4:]))
        if owner is None:
            return self.look(i, name)
        if change_it and change_it(i):
            return None
        if (owner, name) in FLIPS and not self.is_call(i):
            return self.flip(i, FLIPS[owner, name])
        if self.is_call(i) and (setter or (owner, name) in PROPERTIES):
            return self.assign(i, setter or PROPERTIES[owner, name], self.negated if setter else str)
        new = MEMBERS.get(owner, {}).get(name, name)
        if self.language != LUA and name == 'index' and owner in ('Body', 'Shape', 'Joint', 'Grid'):
            new = 'slot'
        if new != name:
            self.write(i, self.word(new))
        return None

    def guess(self, i, name):
        """Returns the owner of a member whose receiver is not known, if only Cairn has such a member."""
        count = len(self.arguments(i)) if self.is_call(i) else -1
        before, after = self.text(self.step(self.step(i, -1), -1)), self.step(i)
        if name in RARE:
            return RARE[name]
        if self.of_cairn and (name, count) in (('apply_force', 2), ('apply_impulse', 2), ('set_pose', 2),
                                               ('set_target', 3), ('ground', 2)):
            return 'Body'
        if name == 'index' and count < 0:  # poses[4 * body.index], world.bodyInSlot(body.index)
            call = snake(self.text(self.step(self.opening(i), -1)))
            return 'Body' if 'poses' in call or re.fullmatch(r'(body|shape|joint|grid|tiles)_in(_slot)?', call) else None
        if name == 'mass' and count < 0 and self.is_dot(after) and self.text(self.step(after)) == 'mass':
            return 'Body'
        if name == 'tiles' and count < 0 and before in ('a', 'b', 'side', 'sensor', 'other', 'ground'):
            return 'Side'
        return 'Coordinate' if name == 'speed' and count < 0 and before == 'angle' else None

    def look(self, i, name):
        names = LOOK_AT_CALLS if self.is_call(i) else LOOK_AT - ({'index'} if self.language == LUA else set())
        if self.of_cairn and name in names:
            self.note(i, f'is this {self.text(i)} of Cairn?')

    # Changes of one member, named by its class. They return True if nothing is left to do.

    def member_world_body(self, i):
        """world.body(def).shape(hull, def): the shapes become a field of the definition."""
        opening, end = self.call_of(i)
        shapes = []  # (dot, name, end) of the calls of shape()
        dot = self.step(end)
        while self.is_dot(dot) and self.text(self.step(dot)) == 'shape' and self.is_call(self.step(dot)):
            shapes.append((dot, self.step(dot), self.call_of(self.step(dot))[1]))
            dot = self.step(shapes[-1][2])
        self.write(i, self.word('create_body'))
        if not shapes or self.language == LUA and self.split_statement(i, shapes):
            return True
        list_text = ', '.join(self.shape_text(self.arguments(name)) for _, name, _ in shapes)
        list_text = {JS: f'shapes: [{list_text}]', PYTHON: f'shapes=[{list_text}]',
                     LUA: f'shapes = {{{list_text}}}'}[self.language]
        space = ' '
        if '\n' in self.source(end, shapes[0][1]):  # keep the line short
            space = '\n' + ' ' * (self.margin(i) + (2 if self.language == JS else 4))
        for dot, _, stop in shapes:
            self.blank(self.step(dot, -1) + 1, stop + 1)
        parts = self.arguments(i)
        brace = self.step(parts[0][0] - 1) if parts else -1
        if not parts:
            around = {JS: '{{ {} }}', PYTHON: '{}', LUA: '{{{}}}'}[self.language]
            self.tokens[opening].after = around.format(list_text)
            if self.language == LUA:
                self.write(opening, ''), self.write(end, '')
        elif self.language == JS and self.text(brace) != '{':
            self.tokens[brace].before = '{ ...' + self.tokens[brace].before
            self.tokens[self.step(parts[0][1], -1)].after += f', {list_text} }}'
        else:
            last = self.step(end if self.language == PYTHON else self.end_of(brace), -1)
            comma = {',': space, '{': ''}.get(self.text(last), ',' + space)
            self.tokens[last].after += comma + list_text
        return True

    def shape_text(self, parts):
        """Returns the text of a shape in a list, from the arguments of shape()."""
        hull, *rest = map(self.value, parts)
        if not rest:
            return hull
        if self.language == PYTHON:
            return f'dict(hull={hull}, ' + ', '.join(rest) + ')'
        if not rest[0].startswith('{'):
            return f'{{ ...{rest[0]}, hull: {hull} }}'
        fields = rest[0][1:-1].strip()
        if self.language == LUA:
            return f'{{hull = {hull}, {fields}}}'
        return f'{{ hull, {fields} }}' if hull == 'hull' else f'{{ hull: {hull}, {fields} }}'

    def split_statement(self, i, shapes):
        """local body, shape = world:body{...}:shape(...) of Lua becomes two statements. So does a call
        whose tables are not written in place. Returns false if a list of shapes can be made."""
        equals = self.step(self.first_of(i), -1)
        names, j = [], self.step(equals, -1)  # (first, behind) of what is assigned
        while self.text(equals) == '=' and self.kind(j) == 'name':
            names.insert(0, (self.first_of(j), j + 1))
            comma = self.step(names[0][0], -1)
            if self.text(comma) != ',':
                break
            j = self.step(comma, -1)
        tables = self.arguments(i)[:1] + [p for _, name, _ in shapes for p in self.arguments(name)[1:2]]
        is_plain = all(self.text(self.step(first - 1)) == '{' for first, _ in tables)
        if is_plain and len(names) < 2:
            return False
        if len(names) not in (1, 2):
            self.note(i, 'the shapes need a place: shapes = {...}, or create_shape() afterwards')
            return True
        local = 'local ' if self.text(self.step(names[0][0], -1)) == 'local' else ''
        body, shape = self.rendered(*names[0]), ''
        if len(names) == 2:
            shape = local + self.rendered(*names[1]) + ' = '
            self.blank(names[0][1], names[1][1])
        for n, (dot, name, _) in enumerate(shapes):
            self.blank(self.step(dot, -1) + 1, name + 1)
            self.write(dot, '\n' + ' ' * self.margin(names[0][0]) + (shape if n == len(shapes) - 1 else '') +
                       f'{body}:create_shape')
        return True

    def member_body_shape(self, i):
        """crate.shape(a).shape(b): the call returns the shape now, so the second gets its receiver."""
        if not self.is_call(i):
            return True
        root, start, end = self.step(self.step(i, -1), -1), self.first_of(i), self.call_of(i)[1]
        is_first = True
        while self.is_bracket(root, ')}'):
            name = self.step(self.start_of(root), -1)
            if self.key(name) == 'body' and self.owner(name) == 'World':
                return True  # done there
            if self.key(name) != 'shape':
                break
            is_first, root = False, self.step(self.step(name, -1), -1)
        self.write(i, self.word('create_shape'))
        last = end
        while self.is_dot(self.step(last)) and self.is_call(self.step(self.step(last))):
            last = self.call_of(self.step(self.step(last)))[1]
        receiver, dot, before = self.source(start, root + 1), self.step(i, -1), self.step(start, -1)
        if self.is_statement(start, last):
            if not is_first:
                self.blank(self.step(dot, -1) + 1, dot)
                self.write(dot, (';' if self.language == JS else '') + '\n' + ' ' * self.margin(start) + receiver +
                           self.text(dot))
            return True
        second = self.step(before, -1)
        first = self.step(self.step(second, -1), -1)
        if self.language == LUA and self.text(before) == '=' and self.text(self.step(second, -1)) == ',' and \
                self.text(first) in ('_', receiver):
            self.blank(first, second)  # local _, shape = crate:shape(...)
        elif last == end or self.text(self.step(self.step(end))) != 'shape':
            self.note(i, 'this is the shape now, not the body')
        return True

    def is_statement(self, start, last):
        """True if the tokens are a whole statement."""
        before, after = self.step(start, -1), self.step(last)
        words = ('then', 'do', 'else', 'end', 'repeat') if self.language == LUA else ('else', 'do')
        marks = {JS: ('=>', ')'), PYTHON: (':',), LUA: (')',)}[self.language]
        opens = self.text(before) in (';', '{', '}', '') + words + marks or '\n' in self.source(before, start) and \
            self.text(before) not in ('=', '(', ',', '[', '.', '+', '&&', '||', '?', ':')
        closes = self.text(after) in (';', '}', '') + words or '\n' in self.source(last + 1, after) or \
            self.kind(after) == 'comment' or self.text(before) == '=>' and self.text(after) in (')', ',')
        return bool(opens and closes) and (self.language != PYTHON or self.opening(start) < 0)

    def member_body_apply_force(self, i):
        at = self.text(i) + self.word('x_at')[1:]
        if not self.is_call(i):
            self.note(i, f'with a point it is {at} now')
        elif len(self.arguments(i)) == 2:
            self.write(i, at)
        return True

    member_body_apply_impulse = member_body_apply_force

    def member_body_mass(self, i):
        """crate.mass.mass becomes crate.mass."""
        after = self.step(i)
        field = self.step(after)
        is_mass = self.is_dot(after) and self.text(field) == 'mass' and not self.is_call(i)
        if is_mass:
            self.blank(i + 1, field + 1)
        return is_mass

    def pose(self, position, angle):
        """Returns the text of a pose."""
        place, turn = self.value(position), self.value(angle)
        whole = re.fullmatch(r'(.+)\.position', place)
        pair = re.fullmatch(r'\{([^{},=]+),\s*([^{},=]+)\}', place)
        if whole and turn == f'{whole[1]}.angle':
            return f'{whole[1]}.pose'
        if self.language == JS:
            return f'{{ position: {place} }}' if turn == '0' else f'{{ position: {place}, angle: {turn} }}'
        if self.language == LUA and pair:
            return f'{{{pair[1].strip()}, {pair[2].strip()}' + ('}' if turn == '0' else f', {turn}}}')
        return self.module('Pose' if self.language == PYTHON else 'pose_at') + ('.at' * (self.language == PYTHON)) + \
            f'({place}, {turn})'

    def member_body_set_pose(self, i):
        (opening, end), parts = self.call_of(i), self.arguments(i) if self.is_call(i) else ()
        if len(parts) != 2 or self.keys(opening).keys() & {'position', 'angle'} and self.language == PYTHON or \
                self.language != JS and not self.is_statement(self.first_of(i), end):
            self.note(i, 'body.pose = now')
            return True
        text = self.pose(*parts)
        self.blank(opening, end + 1)
        self.set_property(i, 'pose', text)
        return True

    def member_body_set_target(self, i):
        parts = self.arguments(i) if self.is_call(i) else ()
        if len(parts) == 3 and '=' not in self.core(parts[0])[:9]:
            self.put((parts[0][0], parts[1][1]), self.pose(parts[0], parts[1]))
        elif self.language == PYTHON and self.is_call(i):
            self.note(i, 'set_target() takes a pose now')
        return True

    def member_body_ground(self, i):
        parts = self.arguments(i) if self.is_call(i) else ()
        if len(parts) == 2 and not re.match(r'\w+\s*=', self.core(parts[1])):
            self.put(parts[1], self.slope(self.step(parts[1][0] - 1), self.call_of(i)[0]))
        return True

    def member_world_nearest(self, i):
        parts = self.arguments(i) if self.is_call(i) else ()
        if parts and self.core(parts[0]) in NULLS:
            self.put(parts[0], self.module('circle') + '(0)')
        return True

    def member_world_filter(self, i):
        """world.filter = f stays, but the shapes need a flag."""
        value = self.step(self.step(i))
        if self.text(self.step(i)) == '=' and self.text(value) not in NULLS:
            self.note(i, 'is called only for shapes with ' + self.word('custom_filter') + ' or ' +
                      self.word('pre_solve') + ' now')
        return True

    member_world_pre_solve = member_world_filter

    # -- flags whose sense has changed, and properties

    def negated(self, text):
        no = '!' if self.language == JS else 'not '
        true, false = ('True', 'False') if self.language == PYTHON else ('true', 'false')
        if text in (true, false):
            return false if text == true else true
        inner = re.fullmatch(r'(?:!|not\s)\s*([\w.$:]+(?:\([^()]*\))?)', text)
        if inner:
            return inner[1]
        return no + text if re.fullmatch(r'[\w.$:]+(\([^()]*\))?', text) else f'{no}({text})'

    def assign(self, i, new, convert):
        """set_enabled(x) becomes disabled = not x."""
        (opening, end), parts = self.call_of(i), self.arguments(i)
        if len(parts) != 1 or self.language != JS and not self.is_statement(self.first_of(i), end):
            return self.note(i, f'is the property {self.word(new)} now')
        text = convert(self.value(parts[0]))
        self.blank(opening, end + 1)
        return self.set_property(i, new, text)

    def set_property(self, i, name, text):
        dot = self.step(i, -1)
        self.write(dot, self.text(dot).replace(':', '.'))
        self.write(i, f'{self.word(name)} = {text}')

    def flip(self, i, new):
        """body.enabled becomes not body.disabled, or the value that is assigned is negated."""
        equals, first = self.step(i), self.step(self.step(i))
        self.write(i, self.word(new))
        is_changed = self.text(equals) in ('|=', '&=') or self.text(equals + 1) == '=' and self.text(equals) in ('&&', '||')
        if self.is_target(i) or is_changed:
            self.note(i, 'the flag has the opposite sense now')
        elif self.text(equals) == '=' and not (self.language == PYTHON and self.opening(i) >= 0):
            part = (first, self.end_of_expression(first))
            self.put(part, self.negated(self.value(part)))
        else:
            self.negate(i)

    def is_target(self, i):
        """True if the member at i is one of several targets of an assignment."""
        if self.language == JS or self.opening(i) >= 0 and (self.language == PYTHON or self.text(self.opening(i)) == '{'):
            return False
        last = i
        while self.text(self.step(last)) == ',':
            last = self.last_of(self.step(self.step(last)))
        several = last != i or self.text(self.step(self.first_of(i), -1)) == ','
        return several and self.text(self.step(last)) == '='

    def negate(self, i):
        """Writes the opposite of the operand that ends at i."""
        start, after = self.first_of(i), self.step(i)
        before, first = self.step(start, -1), self.tokens[start]
        if self.is_bracket(before, '!'):
            self.write(before, '')
        elif self.text(before) == 'not':
            self.blank(before, start)
        elif self.language != PYTHON:
            first.before = ('!' if self.language == JS else 'not ') + first.before
        else:  # `not` binds less than other operators
            is_safe = self.text(before) in ('if', 'while', 'and', 'or', 'return', 'assert', '=', '+=', '(', '[', ',', 'elif',
                                            'lambda', ':', 'else', 'yield', '') and (
                self.text(after) in (':', 'and', 'or', ')', ']', ',', '', 'else', 'if', 'for', '}') or
                '\n' in self.source(i + 1, after))
            first.before = ('not ' if is_safe else '(not ') + first.before
            self.tokens[i].after += '' if is_safe else ')'


def change(text, language):
    return Changes(text, language).run()


def change_blocks(blocks, language):
    """Changes blocks of code that belong together, as those of a guide: a name from one of them is
    known in the next. Returns the new texts and [(block, line, why, code)]."""
    mark = {JS: '\n//-- next block\n', PYTHON: '\n#-- next block\n', LUA: '\n---- next block\n'}[language]
    text, found = change(mark.join(blocks), language)
    changed, notes = text.split(mark), []
    for line, why, code in found:
        n = 0
        while line > changed[n].count('\n') + 2:
            line, n = line - changed[n].count('\n') - 2, n + 1
        notes.append((n, line, why, code))
    return changed, notes


def change_html(text):
    """Changes the scripts of a page."""
    notes, parts = [], re.split(r'(?is)(<script\b[^>]*>)(.*?)(</script>)', text)
    for k in range(2, len(parts), 4):
        line = ''.join(parts[:k]).count('\n')
        parts[k], more = change(parts[k], JS)
        notes += [(line + n, why, code) for n, why, code in more]
    return ''.join(parts), notes
