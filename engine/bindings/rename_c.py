"""The part of rename.py for C and C++: change(text, members) returns the new text and the lines that
a person has to look at.

A call is a name with its arguments, so calls inside of arguments are found, and a call may span
lines. A field is renamed only in a struct that has it: see rename_types.py for the types of variables.
In comments and texts only names are changed.
"""
import math
import re

from rename_types import C, KEYWORDS, PRESETS, Program, table

# The new names of functions, types and constants, by the word behind cn_ or CN_.
NAMES = table('''
    cn: joint_speed=joint_rate joint_set_speed=joint_set_motor_speed joint_get=joint_definition
    cn: joint_get_coupling=joint_coupling joint_set_enabled=joint_set_disabled
    cn: world_set_sleeping=world_set_no_sleep world_sleeping=world_no_sleep
    cn: body_set_enabled=body_set_disabled body_enabled=body_disabled
    cn: body_set_awake=body_set_asleep body_awake=body_asleep
    cn: body_set_speed_limit=body_set_max_speed body_speed_limit=body_max_speed
    cn: body_type=motion_type body_get_type=body_type touching=body_touches
    cn: body_apply_force=body_apply_force_at body_apply_center_force=body_apply_force
    cn: body_apply_impulse=body_apply_impulse_at body_apply_center_impulse=body_apply_impulse
    cn: body_mass=body_mass_data body_set_mass=body_set_mass_data hull_mass=hull_mass_data mass=mass_data
    cn: shape_set_touch_events=shape_set_no_touch_events shape_touch_events=shape_no_touch_events
    cn: shape_overlaps=sensor_shapes world_at=world_overlap_point world_bodies=world_body_states
    cn: world_body=world_body_in_slot world_shape=world_shape_in_slot
    cn: world_joint=world_joint_in_slot world_grid=world_grid_in_slot
    cn: collide=hull_collide distance=hull_distance overlap=hull_mtv clip=hull_clip slice=hull_slice
    cn: cast_hull=hull_cast time_of_impact=hull_time_of_impact outline_crossings=hull_crossings
    cn: decompose=outline_decompose regular=regular_polygon set_error_hook=error_set_hook
    cn: hull_side=which tiles=grid tiles_def=grid_def tiles_create=grid_create tiles_destroy=grid_destroy
    cn: tiles_valid=grid_valid tiles_body=grid_body tiles_width=grid_width tiles_height=grid_height
    cn: tiles_tile_size=grid_tile_size tiles_origin=grid_origin tiles_set=grid_set_solid
    cn: tiles_get=grid_solid tiles_set_tile=grid_set_tile tiles_get_tile=grid_tile
    cn: tiles_set_material=grid_set_material tiles_material=grid_material
    CN: HULL_A=A HULL_B=B PART_TILES=PART_GRIDS DRAW_TILES=DRAW_GRIDS''')
NAMES = {f'{prefix}_{old}': f'{prefix}_{new}' for prefix, names in NAMES.items() for old, new in names.items()}

# By new name: how many arguments the old call had, and what happens to which of them. (The number
# tells calls from the words of a comment, and from calls of 0.2.)
CALLS = {
    'hull_at': (2, 0, 'cn_hull'), 'hull_mass_data': (2, 0, 'cn_hull'), 'hull_bounds': (2, 0, 'cn_hull'),
    'hull_support': (2, 0, 'cn_hull'), 'hull_project': (3, 0, 'cn_hull'), 'hull_contains': (2, 0, 'cn_hull'),
    'hull_cast_ray': (3, 0, 'cn_hull'), 'hull_slice': (7, 0, 'cn_hull'), 'sweep_pose': (2, 0, 'cn_sweep'),
    'shape_set_hull': (3, 2, 'cn_hull'), 'world_cast_hull': (4, 1, 'cn_hull', 2, 'cn_sweep'),
    'world_overlap': (6, 1, 'cn_hull'), 'world_nearest': (5, 1, 'point'), 'world_move_hull': (5, 1, 'cn_hull'),
    'world_set_tuning': (2, 1, 'cn_tuning'), 'joint_create': (2, 1, 'cn_joint_def'),
    'joint_set_coordinate': (4, 3, 'cn_coordinate'), 'recording_begin': (2, 1, 'cn_recording_sink'),
    'joint_set_disabled': (3, 2, 'not'), 'world_set_no_sleep': (2, 1, 'not'), 'body_set_disabled': (3, 2, 'not'),
    'body_set_asleep': (3, 2, 'not'), 'shape_set_no_touch_events': (3, 2, 'not'), 'body_set_pose': (4, 2, 'pose'),
    'body_set_target': (5, 2, 'pose'), 'body_ground': (4, 3, 'slope')}
# Getters that return the opposite now.
OPPOSITES = {'cn_world_no_sleep', 'cn_body_disabled', 'cn_body_asleep', 'cn_shape_no_touch_events'}
# Calls whose zeros mean something else now.
LOOK = {'cn_shape_set_filter', 'cn_shape_set_material', 'cn_shape_set_medium', 'cn_grid_set_material'}

# Fields that have new names, by the type of the struct.
FIELDS = table('''
    cn_coordinate: speed=motor_speed motor_force=max_motor_force spring_force=max_spring_force
    cn_body_def: speed_limit=max_speed
    cn_world_def: profile=profiling
    cn_side: tiles=grid
    cn_difference: tiles=grid
    cn_body_state: awake=asleep''')
# The types of fields, and what functions return.
RESULTS = table('''
    cn_joint_def: x=cn_coordinate y=cn_coordinate angle=cn_coordinate
    cn_sensor_event: sensor=cn_side other=cn_side
    cn_move: ground=cn_side pushes=cn_push
    cn_explosion: query=cn_query
    cn_move_def: query=cn_query
    cn_events: begins=cn_touch_event ends=cn_touch_event hits=cn_hit_event
    cn_events: sensor_begins=cn_sensor_event sensor_ends=cn_sensor_event
    Module: cn_joint_get=cn_joint_def cn_world_cast_ray=cn_world_hit cn_world_cast_hull=cn_world_hit
    Module: cn_world_nearest=cn_neighbor cn_body_ground=cn_ground cn_world_move_hull=cn_move
    Module: cn_world_compare=cn_difference cn_world_events=cn_events cn_contact_seen_from=cn_contact
    Module: cn_chain_create=cn_chain''')
RESULTS |= {name: {'side': 'cn_side'} for name in ('cn_world_hit', 'cn_neighbor', 'cn_ground', 'cn_push')}
RESULTS |= {name: {'a': 'cn_side', 'b': 'cn_side'} for name in ('cn_contact', 'cn_touch_event', 'cn_hit_event')}
RESULTS['Module'] |= {f'cn_{joint}': 'cn_joint_def' for joint in [*PRESETS.values(), 'distance_joint', 'filter_joint']}
STRUCTS = set(FIELDS) | set(RESULTS) - {'Module'} | {
    'cn_query', 'cn_hull', 'cn_sweep', 'cn_tuning', 'cn_recording_sink', 'cn_chain', 'cn_callbacks'}
# Fields that tell an initializer of a coordinate whose type is not written.
RARE = {'motor', 'motor_force', 'spring_force', 'ratchet'}
COORDINATE = RARE | {'mode', 'lower', 'upper', 'hertz', 'damping_ratio', 'target', 'speed'}


def rename_words(text):
    return re.sub(r'\b(cn|CN)_\w+', lambda m: NAMES.get(m.group(), m.group()), text)


class Changes(Program):
    def __init__(self, text, members):
        """`members` gets the types of the members of structs in this file. Those of all files of the
        program are needed for the changes, so it must be made for all before one is changed."""
        super().__init__(text, C, RESULTS)
        self.members, self.pointers = members, {}
        for i, t in enumerate(self.tokens):
            if t.text in STRUCTS:
                self.find_declaration(i)
            elif t.text in ('auto', '__auto_type'):
                self.find_auto(i)

    # -- types

    def find_declaration(self, i):
        """Declares the variables, parameters or members behind the type at i."""
        j, is_template = self.step(i), self.text(self.step(i, -1)) == '<'  # std::vector<type> name
        while is_template and self.text(j) in ('*', 'const', '>'):
            j = self.step(j)
        while True:
            is_pointer = False
            while self.text(j) in ('*', 'const', '&'):
                is_pointer |= self.text(j) == '*'
                j = self.step(j)
            after = self.step(j)
            if self.kind(j) != 'name' or self.text(after) == '(' and not is_template:
                return
            self.declare(j, self.text(i))
            self.pointers.setdefault(self.text(j), []).append((j, is_pointer or self.text(after) == '['))
            if self.text(self.opening(i)) == '{' and self.is_struct(self.opening(i)):
                self.add_member(self.text(j), self.text(i))
            end = self.end_of_expression(j)  # the next name of the same declaration
            j = self.step(end)
            if self.text(end) != ',' or self.text(j).startswith(('cn_', 'const')):
                return

    def is_struct(self, brace):
        before = self.step(brace, -1)
        return {self.text(before), self.text(self.step(before, -1))} & {'struct', 'union', 'class'}

    def find_auto(self, i):
        """auto name = value, and for (auto &name : values)."""
        j = self.step(i)
        while self.text(j) in ('*', 'const', '&', '&&'):
            j = self.step(j)
        if self.kind(j) == 'name' and self.text(self.step(j)) in ('=', ':'):
            value = self.step(self.step(j))
            self.declare(j, ('value', self.last_of(value)))
            self.pointers.setdefault(self.text(j), []).append((j, self.text(value) == '&'))

    def of_variable(self, name, at):
        return name if name in STRUCTS else super().of_variable(name, at)

    def find_type(self, i):
        if self.is_bracket(i, '}'):  # type{...} and (type){...}
            return self.of_initializer(self.start_of(i))
        return super().find_type(i)

    def of_member(self, name, i, is_call):
        kinds = self.members.get(name, ())
        return None if is_call else self.of_variable(name, i) or (min(kinds) if len(kinds) == 1 else None)

    def owner(self, i):
        """Returns the type of the struct whose field is at i, also for .field in an initializer."""
        dot = self.step(i, -1)
        if self.text(self.step(dot, -1)) in ('{', ',', ''):
            return self.of_initializer(self.opening(dot))
        return super().owner(i)

    def of_initializer(self, brace):
        before = self.step(brace, -1)
        if self.text(brace) != '{':
            return None
        if self.text(before) == ')':  # (type){ or (type[]){
            return next((t.text for t in self.tokens[self.start_of(before):before] if t.text in STRUCTS), None)
        if self.text(before) in ('{', ','):  # an item of an array
            return self.of_initializer(self.opening(brace)) or self.guess(brace)
        return self.of_expression(self.step(before, -1) if self.text(before) == '=' else before)

    def guess(self, brace):
        """Returns the type of an initializer whose fields no other struct has."""
        tokens = [j for j in range(brace, self.end_of(brace)) if self.opening(j) == brace]
        words = {self.text(self.step(j)) for j in tokens if self.text(j) == '.' and
                 self.text(self.step(j, -1)) in ('{', ',')}
        modes = {self.text(j) for j in tokens} & {'CN_FREE', 'CN_LIMITED', 'CN_LOCKED'}
        if words <= COORDINATE and (words & RARE or 'mode' in words and modes):
            return 'cn_coordinate'
        return 'cn_body_def' if 'speed_limit' in words else None

    # -- changes

    def change_comment(self, i):
        self.write(i, rename_words(self.text(i)))

    change_text = change_comment

    def change_name(self, i):
        name = NAMES.get(self.text(i), self.text(i))
        self.write(i, name)
        dot = self.step(i, -1)
        if self.is_dot(dot):
            self.change_field(i, self.text(i))
        elif self.text(self.step(self.opening(i), -1)) == 'offsetof' and self.text(dot) == ',':
            self.write(i, FIELDS.get(self.text(self.step(dot, -1)), {}).get(name, name))
        elif name.startswith('cn_') and self.is_call(i) and not self.is_declared(i):
            self.change_call(i, name)

    def is_declared(self, i):
        """True in the declaration of a function."""
        before = self.step(i, -1)
        return self.kind(before) == 'name' and self.text(before) not in KEYWORDS[C] or \
            self.text(before) == '*' and self.text(self.step(before, -1)) in STRUCTS

    def change_field(self, i, name):
        is_known = name in ('filter', 'pre_solve', 'body') or any(name in fields for fields in FIELDS.values())
        owner = self.owner(i) if is_known else None
        if name in FIELDS.get(owner, ()):
            self.write(i, FIELDS[owner][name])
            if owner == 'cn_body_state':
                self.negate(i)
        elif (owner, name) == ('cn_query', 'filter'):
            self.flatten(i)
        elif (owner, name) == ('cn_chain', 'body'):
            self.note(i, 'cn_chain_body(world, chain) now')
        elif owner == 'cn_callbacks' and name in ('filter', 'pre_solve') and self.text(self.step(i)) == '=':
            self.note(i, 'is called only for shapes with .custom_filter or .pre_solve now')

    def negate(self, i):
        """Writes the opposite of the operand that ends at i."""
        first = self.first_of(i)
        before = self.step(first, -1)
        if self.text(before) == '!':
            self.write(before, '')
        else:
            self.tokens[first].before = '!' + self.tokens[first].before

    def flatten(self, i):
        """.filter = {.mask = 2} in a query becomes .mask = 2, and query.filter.mask becomes query.mask."""
        dot, after = self.step(i, -1), self.step(i)
        brace = self.step(after)
        if self.text(brace) == '(':
            brace = self.step(self.end_of(brace))
        if self.is_dot(after):
            self.blank(i, after + 1)
        elif self.text(after) == '=' and self.text(brace) == '{' and self.text(self.step(dot, -1)) in ('{', ','):
            self.blank(dot, brace + 1)
            self.write(self.end_of(brace), '')
        else:
            self.note(i, 'a query has .category, .mask and .group itself now')

    def change_call(self, i, name):
        parts = self.arguments(i)
        count, *changes = CALLS.get(name[3:], (-1,))
        if name in LOOK:
            self.note(i, 'zero is the default now')
        elif name in OPPOSITES and parts:
            self.negate(i)
        elif name == 'cn_body_mass_data':
            dot = self.step(self.call_of(i)[1])
            if self.text(dot) == '.' and self.text(self.step(dot)) == 'mass':
                self.write(i, 'cn_body_mass')
                self.blank(dot, self.step(dot) + 1)
        for place, change_to in zip(changes[::2], changes[1::2]) if len(parts) == count else ():
            part = parts[place]
            if change_to == 'not':
                self.put(part, opposite(self.value(part)))
            elif change_to == 'slope':
                self.put(part, slope(self.value(part)))
            elif change_to == 'pose':
                self.put(part, pose(self.value(part), self.value(parts[place + 1])))
                self.blank(part[1], self.step(parts[place + 1][1], -1) + 1)
            else:
                self.pass_value(part, change_to)

    def pass_value(self, part, kind):
        """Passes a struct by value that was passed by pointer."""
        marks = [j for j in range(*part) if self.opening(j) == self.opening(part[0]) and self.kind(j) == 'mark']
        question = next((j for j in marks if self.text(j) == '?'), None)
        colon = next((j for j in marks if self.text(j) == ':'), None)
        if question and colon:
            self.pass_value((question + 1, colon), kind)
            self.pass_value((colon + 1, part[1]), kind)
            return
        text = self.value(part)
        places = [pointer for at, pointer in self.pointers.get(text, ()) if at <= part[0]]
        plus = re.fullmatch(r'([\w.>-]+) \+ (\w+)', text)
        if text in ('NULL', 'nullptr'):
            zero = f'({kind}){{0}}' if text == 'NULL' else f'{kind}{{}}'
            text = 'cn_circle(0)' if kind == 'point' else zero
        elif text.startswith('&'):
            text = text[1:]
            if text.startswith('(') and text.endswith(')') and '{' not in text:
                text = text[1:-1]
        elif plus:
            text = f'{plus[1]}[{plus[2]}]'
        elif not (places and not places[-1] or re.match(r'cn_\w+\(|\(|\*', text) or text.endswith('}')):
            text = '*' + text  # (a variable that is no pointer was passed by reference in C++)
        self.put(part, text)


def opposite(text):
    if text in ('true', 'false'):
        return 'false' if text == 'true' else 'true'
    if re.fullmatch(r'!\s*[\w.>()\[\]-]+', text):
        return text[1:].strip()
    return '!' + text if re.fullmatch(r'[\w.]+(\([^()]*\))?', text) else f'!({text})'


def slope(text):
    number = re.fullmatch(r'-?[\d.]+f?', text)
    if not number or abs(float(text.rstrip('f'))) > 1:
        return f'acosf({text})'
    angle = f'{min(math.acos(float(text.rstrip("f"))), 3.14159):.6g}'
    return angle + 'f' if '.' in angle else angle


def pose(position, angle):
    whole = re.fullmatch(r'(.+)\.position', position)
    if whole and angle == f'cn_rotation_angle({whole[1]}.rotation)':
        return whole[1]
    return f'cn_pose_at({position}, {angle})'


def change(text, members):
    return Changes(text, members).run()
