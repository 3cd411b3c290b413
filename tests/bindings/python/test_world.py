"""Worlds and objects through Python: identity, errors, events, callbacks, memory."""
import copy
import ctypes
import gc
import math
import os
import pickle
import resource
import threading
import unittest
import warnings
import weakref

import cairn2d as cn
import scenes


def make_floor(world, **settings):
    return world.create_body(type="static", shapes=[dict(hull=cn.box(50, 1), **settings)])


def make_crate(world, **settings):
    return world.create_body(position=(0, 2), **settings, shapes=[
        dict(hull=cn.box(0.5, 0.5), hit_events=True)])


class Scenes(unittest.TestCase):
    def test_the_four_scenes_have_the_hashes_of_c(self):
        folder = os.path.join(os.path.dirname(__file__), os.pardir, "reach")
        with open(os.path.join(folder, "hashes.txt"), encoding="utf-8") as file:
            wanted = file.read().split("\n")[:-1]
        self.assertEqual([scenes.run(name) for name in scenes.SCENES], wanted)

    def test_the_crate_of_the_manual_rests_on_the_ground(self):
        with cn.World(gravity=(0, -10)) as world:
            make_floor(world)
            crate = world.create_body(position=(0, 10))
            crate.create_shape(cn.box(0.5, 0.5), density=2, friction=0.4)
            for _ in range(120):
                world.step(1 / 60)
            self.assertAlmostEqual(crate.position.y, 1.5, places=3)


class Objects(unittest.TestCase):
    def setUp(self):
        self.world = cn.World(gravity=(0, -10))
        self.floor, self.crate = make_floor(self.world), make_crate(self.world, data="mine")
        self.addCleanup(self.world.destroy)

    def test_there_is_one_python_object_for_each_body_and_shape(self):
        self.assertIs(list(self.world.bodies)[1], self.crate)
        self.assertIs(self.crate.shapes[0].body, self.crate)
        self.assertIs(self.world.overlap_point((0, 2))[0].shape, self.crate.shapes[0])
        self.assertEqual(self.world.cast_ray((0, 9), (0, -9)).side.body.data, "mine")

    def test_a_body_is_created_with_its_shapes(self):
        shapes = [dict(hull=cn.box(1, 0.5), density=3, data="deck"),
                  dict(hull=cn.circle(0.5), friction=0.25, category=4)]
        body = self.world.create_body(position=(4, 5), data="ship", shapes=shapes)
        deck, wheel = body.shapes
        self.assertEqual((body.data, deck.data, wheel.data), ("ship", "deck", None))
        self.assertEqual((deck.density, wheel.material.friction, wheel.filter.category), (3, 0.25, 4))
        shapes[1]["density"] = -1
        with self.assertRaisesRegex(cn.CairnError, "shape 1: the density is -1"):
            self.world.create_body(shapes=shapes)
        rotation = body.pose.rotation
        body.position = (6, 7)
        self.assertEqual((body.position, body.pose.rotation), ((6, 7), rotation))

    def test_events_and_contacts_name_the_objects(self):
        for _ in range(60):
            self.world.step(1 / 60)
            if hits := self.world.events.hits:
                break
        self.assertEqual({hits[0].a.body, hits[0].b.body}, {self.floor, self.crate})
        # It fell 0.5 m, less a margin.
        self.assertAlmostEqual(hits[0].approach_speed, math.sqrt(2 * 10 * 0.5), delta=0.2)
        contact, = self.crate.contacts()
        self.assertIs(contact.a.body, self.crate)
        self.assertAlmostEqual(contact.manifold.normal.y, -1, places=5)
        self.assertIs(self.crate.ground().side.body, self.floor)

    def test_an_end_event_has_the_destroyed_body_and_its_data(self):
        for _ in range(60):
            self.world.step(1 / 60)
        self.crate.destroy()
        self.crate = None
        for i in range(2000):  # (more objects than the registry keeps)
            self.world.create_body(position=(i, 90)).destroy()
        self.world.step(1 / 60)
        end, = self.world.events.ends
        self.assertIn("mine", (end.a.body.data, end.b.body.data))

    def test_restored_objects_are_the_python_objects_that_the_program_still_has(self):
        state = self.world.save()
        crate = self.crate
        crate.destroy()
        for _ in range(3):
            for i in range(1000):
                self.world.create_body(position=(i, 90)).destroy()
            self.world.step(1 / 60)
        self.world.restore(state)
        self.assertIs(list(self.world.bodies)[1], crate)
        self.assertTrue(crate.valid)

    def test_a_joint_is_driven_through_its_coordinates(self):
        hand = self.world.create_body(position=(1, 5), shapes=[cn.capsule((0, 0), (2, 0), 0.1)])
        joint = self.world.create_joint(cn.revolute_joint(self.floor, hand, (1, 5)),
                                        angle=dict(motor=True, max_motor_force=1e4))
        joint.angle.motor_speed = 2
        for _ in range(60):
            self.world.step(1 / 60)
        self.assertAlmostEqual(joint.angle.value, 2, delta=0.01)
        self.assertAlmostEqual(joint.angle.rate, 2, delta=0.01)
        joint.angle.set(motor=False, motor_speed=0, max_motor_force=0, hertz=5, damping_ratio=1)
        self.assertEqual(joint.angle.coordinate.hertz, 5)
        joint.angle = dict(mode="limited", lower=-1, upper=3)
        self.assertIs(joint.angle.mode, cn.CoordinateMode.LIMITED)

    def test_tiles_are_indexed_by_column_and_row(self):
        ground = self.world.create_body(type="static", position=(9, 0))
        tiles = ground.create_grid([[1, 1, 1], [0, 1, 0]], 1)
        self.assertEqual([tiles[x, 1] for x in range(3)], [False, True, False])
        tiles[1, 1] = False
        self.assertFalse(tiles[1, 1])
        self.assertEqual(self.world.overlap_point((9.5, 0.5))[-1].tile, 0)

    def test_a_character_walks_and_returns_what_it_pushes(self):
        hull, pose = cn.capsule((0, -0.4), (0, 0.4), 0.3), cn.Pose.at((-3, 1.8), 0)
        self.crate.pose = cn.Pose.at((0, 1.5), 0)
        for _ in range(60):
            move = self.world.move_hull(hull, pose, (5 / 60, -1 / 60), mass=80, ignore=None)
            pose = move.pose
        self.assertTrue(move.grounded)
        self.assertEqual([push.side.body for push in move.pushes], [self.crate])

    def test_a_hull_rides_its_ground_and_meets_sensors(self):
        lift = self.world.create_body(type="kinematic", position=(0, 20), velocity=(6, 3),
                                      shapes=[cn.box(1, 0.5)])
        coin = self.world.create_body(type="static", position=(0.55, 21))
        coin.create_shape(cn.circle(0.1), sensor=True)
        hull = cn.circle(0.3)
        move = self.world.move_hull(hull, cn.Pose.at((-0.5, 20.81), 0), (0, -0.01))
        self.assertEqual(move.ride.body, lift)
        self.assertEqual(len(move.sensors), 0)
        self.world.step(1 / 60)
        after = self.world.move_hull(hull, move.pose, (1, 0), ride=move.ride)
        self.assertAlmostEqual(after.pose.position.x, 0.6, 4)
        self.assertAlmostEqual(after.pose.position.y, move.pose.position.y + 0.05, 4)
        self.assertEqual([sensor.body for sensor in after.sensors], [coin])
        lift.destroy()
        self.assertFalse(self.world.move_hull(hull, after.pose, (0, 0)).grounded)

    def test_explosions_and_queries_take_the_settings_of_a_query(self):
        self.assertEqual(self.world.explode((0, 4), radius=5, impulse_per_length=3), 1)
        self.assertEqual(self.crate.velocity.x, 0)
        self.assertLess(self.crate.velocity.y, 0)
        self.assertEqual(self.world.explode((0, 4), radius=5, ignore=self.crate), 0)
        seen = []
        query = dict(accept=lambda side: seen.append(side.body))
        self.assertEqual(self.world.explode((0, 4), radius=5, query=query), 0)
        self.assertEqual(seen, [self.crate])
        self.assertEqual(self.world.overlap_point((0, 2), ignore=self.crate), [])
        self.assertEqual(self.world.overlap_point((0, 2), accept=lambda side: False), [])

    def test_vectors_are_tuples_that_can_be_added(self):
        x, y = self.crate.position + (1, 2)
        self.assertEqual((x, y), (1, 4))
        self.assertEqual(2 * cn.Vec2(1, 2) - (1, 1), cn.Vec2(1, 3))

    def test_what_stands_for_memory_of_c_is_not_copied(self):
        joint = cn.revolute_joint(self.floor, self.crate, (0, 1))
        rollback, recording = self.world.create_rollback(2), self.world.begin_recording()
        replay = cn.Replay(recording.data)
        for thing in (self.world, self.crate, self.crate.shapes[0], self.world.create_joint(joint),
                      rollback, recording, replay):
            for call in (copy.copy, copy.deepcopy, pickle.dumps):
                self.assertRaisesRegex(TypeError, "neither copied nor pickled", call, thing)
        self.world.end_recording()

    def test_values_are_copied(self):
        hull = cn.box(1, 2)
        self.assertEqual(pickle.loads(pickle.dumps(hull)), copy.deepcopy(hull))
        joint = cn.revolute_joint(self.floor, self.crate, (0, 1))
        for other in (copy.copy(joint), copy.deepcopy(joint)):
            other.angle = dict(motor=True, motor_speed=3)
            self.assertEqual((other.angle.motor_speed, joint.angle.motor_speed), (3, 0))
            self.assertIs(other.b, self.crate)

    def test_poses_have_a_row_for_each_slot(self):
        poses = self.world.poses()
        self.assertEqual(tuple(poses[self.crate.slot, k] for k in range(4)), (0, 2, 1, 0))
        self.assertEqual(len(self.world.body_states()), 2)
        floats = (ctypes.c_float * 40)()
        out = memoryview(floats).cast("B").cast("f", (10, 4))
        self.assertEqual((len(self.world.poses(out=out)), floats[4 * self.crate.slot + 1]), (2, 2))

    def test_an_array_that_the_poses_do_not_fit_is_refused(self):
        floats = memoryview((ctypes.c_float * 40)()).cast("B")
        for out in (floats, floats.cast("f"), floats.cast("f", (20, 2)), floats.cast("i", (10, 4)),
                    floats.toreadonly().cast("f", (10, 4)), floats.cast("f", (1, 10, 4))):
            self.assertRaisesRegex(ValueError, "float32", self.world.poses, out=out)

    def test_events_can_be_read_after_the_world_was_destroyed(self):
        while not (events := self.world.events).begins:
            self.world.step(1 / 60)
        self.world.destroy()
        begin, = events.begins
        self.assertEqual((begin.a.grid, begin.b.grid), (None, None))

    def test_a_drawing_has_triangles(self):
        self.assertEqual(len(self.world.draw("shapes").triangles) % 3, 0)


class Errors(unittest.TestCase):
    def setUp(self):
        self.world = cn.World(gravity=(0, -10))
        self.floor, self.crate = make_floor(self.world), make_crate(self.world)
        self.addCleanup(self.world.destroy)
        self.state = self.world.save()

    def tearDown(self):
        if self.world._pointer:
            self.assertEqual(self.world.save(), self.state, "the world has changed")

    def assert_fails(self, kind, text, call, *arguments, **settings):
        with self.assertRaisesRegex(cn.CairnError, text) as caught:
            call(*arguments, **settings)
        self.assertIs(caught.exception.kind, kind)

    def test_numbers_that_are_not_finite_are_refused(self):
        self.assert_fails(cn.ErrorKind.NUMBER, "cn_body_set_velocity.*nan",
                          setattr, self.crate, "velocity", (math.nan, 0))
        self.assert_fails(cn.ErrorKind.NUMBER, "cn_body_create", self.world.create_body,
                          position=(math.inf, 0))
        self.assert_fails(cn.ErrorKind.RANGE, "cn_world_step", self.world.step, 2)
        self.assert_fails(cn.ErrorKind.NUMBER, "cn_circle", cn.circle, math.nan)

    def test_a_hull_that_cannot_be_made_is_an_error_at_once(self):
        self.assert_fails(cn.ErrorKind.SHAPE, "cn_polygon", cn.polygon, [(0, 0), (1, 1), (2, 2)])

    def test_a_destroyed_object_is_refused(self):
        shape = self.crate.create_shape(cn.circle(1))
        shape.destroy()
        self.state = self.world.save()
        self.assertFalse(shape.valid)
        self.assert_fails(cn.ErrorKind.HANDLE, "cn_shape_bounds", lambda: shape.bounds)
        self.assert_fails(cn.ErrorKind.HANDLE, "cn_shape_destroy", shape.destroy)

    def test_an_object_of_another_world_is_refused(self):
        with cn.World() as other:
            stranger = other.create_body()
            self.assert_fails(cn.ErrorKind.HANDLE, "another world", self.crate.touches, stranger)
            self.assert_fails(cn.ErrorKind.HANDLE, "another world", self.world.overlap_point,
                              (0, 0), ignore=stranger)
            self.assert_fails(cn.ErrorKind.HANDLE, "another world", cn.revolute_joint,
                              self.crate, stranger, (0, 0))
            self.assert_fails(cn.ErrorKind.HANDLE, "another world", self.world.create_joint,
                              cn.weld_joint(stranger, other.create_body(), (0, 0)))

    def test_an_object_of_another_kind_is_refused(self):
        shape = self.crate.shapes[0]
        self.assertEqual(shape._id, self.crate._id)  # (bodies and shapes count for themselves)
        for call in (lambda: self.crate.touches(shape),
                     lambda: self.world.overlap_point((0, 0), ignore=shape),
                     lambda: cn.revolute_joint(self.floor, shape, (0, 1)),
                     lambda: self.crate.touches(7)):
            self.assertRaisesRegex(TypeError, "is no Body", call)

    def test_a_destroyed_world_is_refused(self):
        rollback = self.world.create_rollback(4)
        self.world.destroy()
        self.world.destroy()
        self.assert_fails(cn.ErrorKind.HANDLE, "NULL", self.world.step)
        self.assert_fails(cn.ErrorKind.HANDLE, "NULL", lambda: self.crate.position)
        self.assert_fails(cn.ErrorKind.HANDLE, "destroyed", rollback.keep, 0)
        self.assertFalse(self.crate.valid)
        self.assertEqual(repr(self.world), "World(destroyed)")

    def test_damaged_bytes_are_refused(self):
        self.assert_fails(cn.ErrorKind.DATA, "cn_world_restore", self.world.restore,
                          self.state[:-1])
        self.assert_fails(cn.ErrorKind.DATA, "cn_world_load", cn.World.load, b"")
        self.assert_fails(cn.ErrorKind.DATA, "cn_replay_create", cn.Replay, b"none")

    def test_wrong_names_and_types_are_errors_of_python(self):
        for error, call in (
                (TypeError, lambda: self.world.create_body(positon=(0, 0))),
                (TypeError, lambda: self.world.create_body(position=(0, 0, 0))),
                (TypeError, lambda: self.world.create_body(angle="left")),
                (ValueError, lambda: self.world.create_body(type="dynamo")),
                (OverflowError, lambda: self.world.body_in_slot(2**40)),
                (OverflowError, lambda: cn.World(substeps=2**32 + 4))):
            self.assertRaises(error, call)

    def test_an_error_is_reported_to_the_hook_and_does_not_stay(self):
        seen = []
        cn.error_set_hook(lambda kind, text: seen.append((kind, text)))
        self.addCleanup(cn.error_set_hook, None)
        self.assert_fails(cn.ErrorKind.RANGE, "cn_world_step", self.world.step, 2)
        self.assertIs(seen[0][0], cn.ErrorKind.RANGE)
        self.assertEqual(self.crate.angle, 0)  # (0 may mean an error; there is none)

    def test_an_error_hook_that_was_replaced_is_forgotten(self):
        class Hook:
            def __call__(self, kind, text):
                pass
        hook = Hook()
        gone = weakref.ref(hook)
        cn.error_set_hook(hook)
        self.addCleanup(cn.error_set_hook, None)
        del hook
        gc.collect()
        self.assertIsNotNone(gone())
        other = threading.Thread(target=cn.error_set_hook, args=(None,))
        other.start()
        other.join()
        gc.collect()
        self.assertIsNotNone(gone(), "each thread has its own hook")
        cn.error_set_hook(None)
        gc.collect()
        self.assertIsNone(gone())


class Mistakes(unittest.TestCase):
    def setUp(self):
        self.world = cn.World(gravity=(0, -10))
        self.floor, self.crate = make_floor(self.world), make_crate(self.world)
        self.addCleanup(self.world.destroy)

    def test_an_unknown_field_is_an_error_that_names_the_nearest_one(self):
        world, shape = self.world, self.crate.shapes[0]
        joint = world.create_joint(cn.revolute_joint(self.floor, self.crate, (0, 1)))
        definition = joint.definition
        state = world.hash()
        for text, call in (
                ("BodyDef has no field 'postion': did you mean 'position'?",
                 lambda: world.create_body(postion=(0, 0))),
                ("ShapeDef has no field 'frction': did you mean 'friction'?",
                 lambda: self.floor.create_shape(cn.box(1, 1), frction=1)),
                ("Material has no field 'frction': did you mean 'friction'?",
                 lambda: self.floor.create_shape(cn.box(1, 1), material={"frction": 1})),
                ("Material has no field 'frction'", lambda: cn.Material(frction=1)),
                ("Material has no field 'frction'", lambda: shape.material._replace(frction=1)),
                ("Medium has no field 'fow': did you mean 'flow'?",
                 lambda: setattr(shape, "medium", {"fow": (1, 0)})),
                ("Filter has no field 'catgory'", lambda: setattr(shape, "filter", {"catgory": 1})),
                ("ChainDef has no field 'close': did you mean 'closed'?",
                 lambda: self.floor.create_chain([(9, 0), (0, 0)], close=True)),
                ("GridDef has no field 'orgin'",
                 lambda: self.floor.create_grid([[1]], 1, orgin=(0, 0))),
                ("Query has no field 'sensor': did you mean 'sensors'?",
                 lambda: world.cast_ray((0, 9), (0, -9), sensor=True)),
                ("Explosion has no field 'raduis': did you mean 'radius'?",
                 lambda: world.explode((0, 0), raduis=1)),
                ("Explosion has no field 'sensor': did you mean 'sensors'?",
                 lambda: world.explode((0, 0), sensor=True)),
                ("Coordinate has no field 'moter': did you mean 'motor'?",
                 lambda: world.create_joint(definition, angle={"moter": True})),
                ("Coordinate has no field 'moter'", lambda: joint.x.set(moter=True)),
                ("JointDef has no field 'poler': did you mean 'polar'?",
                 lambda: world.create_joint(definition, poler=True)),
                ("WorldDef has no field 'gravty'", lambda: cn.World(gravty=(0, -10)))):
            with self.assertRaises(TypeError) as raised:
                call()
            self.assertIn(text, str(raised.exception))
        self.assertEqual(world.hash(), state)

    def test_an_object_takes_no_new_attributes(self):
        world, crate = self.world, self.crate
        joint = world.create_joint(cn.revolute_joint(self.floor, crate, (0, 1)))
        objects = [world, crate, crate.shapes[0], joint, joint.x, joint.definition, world.events,
                   self.floor.create_chain([(9, 0), (0, 0)]), self.floor.create_grid([[1]], 1),
                   world.create_rollback(2), cn.box(1, 1), crate.position, crate.pose,
                   crate.shapes[0].filter]
        for thing in objects:
            with self.assertRaises(AttributeError, msg=repr(thing)):
                thing.postion = (0, 0)
        with self.assertRaises(AttributeError):
            crate.position.x = 5
        self.assertRaisesRegex(AttributeError, "did you mean 'hits'", lambda: world.events.hit)
        self.assertRaisesRegex(AttributeError, "'polar'", lambda: joint.definition.poler)

    def test_a_frame_in_milliseconds_is_a_warning(self):
        with self.assertWarnsRegex(RuntimeWarning, "milliseconds?") as warned:
            self.assertEqual(self.world.advance(16.7), 8)
        self.assertEqual(warned.filename, __file__)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            self.assertEqual(self.world.advance(16.7), 8)
        self.assertEqual(self.world.counters.steps, 16)

    def test_a_hint_of_a_step_is_no_error_of_calls_in_callbacks(self):
        world, read = self.world, []
        world.filter = lambda a, b: True  # (no shape has custom_filter)
        world.before_step = lambda dt: read.append((world.gravity, self.crate.position))
        with self.assertWarnsRegex(RuntimeWarning, "custom_filter") as warned:
            world.advance(0.06)
        self.assertEqual((len(read), warned.filename), (3, __file__))

    def test_objects_and_structs_have_texts(self):
        world, crate = self.world, self.crate
        shape = crate.shapes[0]
        joint = world.create_joint(cn.weld_joint(self.floor, crate, (0, 1)))
        chain = self.floor.create_chain([(9, 0), (0, 0)])
        tiles = self.floor.create_grid([[1, 1]], 1)
        rollback = world.create_rollback(4)
        self.assertEqual(repr(rollback), "Rollback(empty)")
        rollback.keep(3)
        crate.position = (1.2, 3.4)
        for thing, text in (
                (crate, "Body(1, dynamic, at (1.2, 3.4))"), (shape, "Shape(1, of body 1)"),
                (joint, "Joint(0, of bodies 0 and 1)"), (chain, "Chain(0, of body 0)"),
                (tiles, "Grid(0, 2 x 1, of body 0)"), (rollback, "Rollback(3 to 3)"),
                (world, "World(2 bodies, 3 shapes, 1 joints, step 0)"),
                (joint.angle, "JointCoordinate(angle of Joint(0, of bodies 0 and 1))"),
                (cn.box(1, 2), "Hull((-1, -2), (1, -2), (1, 2), (-1, 2); radius 0)"),
                (world.events, "Events(none)"), (crate.position, "Vec2(x=1.2, y=3.4)"),
                (cn.Filter(1, 2, 3), "Filter(category=1, mask=2, group=3)"),
                (crate.pose, "Pose(position=(1.2, 3.4), rotation=Rotation(c=1, s=0))")):
            self.assertEqual(repr(thing), text)
        with world.begin_recording() as recording:
            self.assertRegex(repr(recording), r"^Recording\(on, of World\(2 bodies, ")
            world.step(1 / 60)
        self.assertRegex(repr(recording), r"^Recording\(ended, ")
        replay = cn.Replay(recording.data)
        self.assertRegex(repr(replay), r"^Replay\(call 0 of \d+, step 0 of 1\)$")
        replay.destroy()
        self.assertEqual(repr(replay), "Replay(destroyed)")
        self.assertIn("friction=0.6, ", repr(shape.material))
        self.assertIn("body=Body(0, static, at (0, 0))", repr(world.cast_ray((0, 9), (0, -9))))
        self.assertIn("a=Body(0, static, at (0, 0)), b=Body(1, ", repr(joint.definition))
        chain.destroy()
        joint.destroy()
        self.assertEqual((repr(chain), repr(joint)), ("Chain(0, stale)", "Joint(0, stale)"))
        world.destroy()
        self.assertEqual(repr([crate, shape, tiles, chain, rollback]),
                         "[Body(1, stale), Shape(1, stale), Grid(0, stale), Chain(0, stale), "
                         "Rollback(destroyed)]")


class Callbacks(unittest.TestCase):
    def setUp(self):
        self.world = cn.World(gravity=(0, -10))
        self.floor = make_floor(self.world, custom_filter=True, pre_solve=True)
        self.crate = make_crate(self.world)
        self.addCleanup(self.world.destroy)

    def fall(self, steps=90):
        for _ in range(steps):
            self.world.step(1 / 60)
        return self.crate.position.y

    def test_a_filter_lets_a_crate_fall_through_the_floor(self):
        seen = set()
        self.world.filter = lambda a, b: seen.add(frozenset((a.body, b.body)))
        self.assertLess(self.fall(), 0)
        self.assertEqual(seen, {frozenset((self.floor, self.crate))})

    def test_pre_solve_changes_or_disables_a_contact(self):
        self.world.pre_solve = lambda contact: cn.PreSolveResult(
            changed=True, friction=0.5, restitution=0, surface_speed=3)
        self.assertAlmostEqual(self.fall(), 1.5, places=2)
        self.assertGreater(abs(self.crate.velocity.x), 1)
        self.world.pre_solve = lambda contact: False
        self.assertLess(self.fall(), 0)

    def test_a_wrong_answer_of_pre_solve_is_raised_after_the_step(self):
        self.world.pre_solve = lambda contact: cn.PreSolveResult(changed=True, restitution=7)
        with self.assertRaisesRegex(cn.CairnError, "restitution"):
            self.fall()

    def test_a_callback_about_no_shape_is_a_warning(self):
        for shape in self.world.shapes:
            shape.custom_filter = False
        self.world.filter = lambda a, b: False
        with self.assertWarnsRegex(RuntimeWarning, "no shape has .custom_filter"):
            self.world.step(1 / 60)
        self.assertGreater(self.fall(), 1)

    def test_before_step_runs_in_each_step_of_advance(self):
        times = []
        def push(time_step):
            times.append(time_step)
            self.crate.apply_force((5, 0))
        self.world.before_step = push
        self.assertEqual(self.world.advance(3.5 / 60), 3)
        self.assertEqual(len(times), 3)
        self.assertGreater(self.crate.velocity.x, 0)

    def test_an_exception_in_a_callback_is_raised_after_the_step(self):
        class Mine(Exception):
            pass
        def fail(*_):
            raise Mine("stop")
        for name, call in (("filter", lambda: self.fall()), ("pre_solve", lambda: self.fall()),
                           ("before_step", lambda: self.world.advance(1 / 60))):
            steps = self.world.counters.steps
            setattr(self.world, name, fail)
            self.assertRaises(Mine, call)
            self.assertGreater(self.world.counters.steps, steps, f"{name}: no step was taken")
            setattr(self.world, name, None)
            self.crate.position = (0, 2)
        self.fall(1)

    def test_an_exception_in_accept_is_raised_after_the_query(self):
        self.assertRaises(ZeroDivisionError, self.world.overlap_point, (0, 2),
                          accept=lambda side: 1 / 0)
        self.assertEqual(len(self.world.overlap_point((0, 2))), 1)

    def test_a_callback_may_not_change_or_destroy_the_world(self):
        def change(*_):
            self.crate.velocity = (1, 0)
        self.world.pre_solve = change
        with self.assertRaises(cn.CairnError) as caught:
            self.fall()
        self.assertIs(caught.exception.kind, cn.ErrorKind.STATE)
        self.world.callbacks = dict(before_step=lambda dt: self.world.destroy())
        with self.assertRaisesRegex(cn.CairnError, "destroyed while"):
            self.world.advance(1 / 60)
        self.assertTrue(self.crate.valid)

    def test_a_callback_that_cannot_be_replaced_stays(self):
        calls = []
        def first(a, b):
            calls.append(a)
            self.world.filter = lambda a, b: False
        self.world.filter = first
        with self.assertRaises(cn.CairnError) as caught:
            self.fall()
        self.assertIs(caught.exception.kind, cn.ErrorKind.STATE)
        self.assertIs(self.world.filter, first)
        gc.collect()
        self.crate.position = (0, 5)
        count = len(calls)
        self.assertRaises(cn.CairnError, self.fall)
        self.assertGreater(len(calls), count)

    def test_a_callback_may_replace_itself(self):
        def first(dt):
            self.world.before_step = None
            gc.collect()
        self.world.before_step = first
        self.world.advance(2.5 / 60)
        self.assertIsNone(self.world.before_step)

    def test_callbacks_run_with_many_threads(self):
        with cn.World(gravity=(0, -10), threads=4) as world:
            scenes.make_pyramid(world)
            for shape in world.shapes:
                shape.pre_solve = True
            seen = []
            world.pre_solve = seen.append
            for _ in range(3):
                world.step(1 / 60)
            self.assertGreater(len(seen), 1000)


class Saving(unittest.TestCase):
    def setUp(self):
        self.world = cn.World(gravity=(0, -10), no_sleep=True)
        scenes.make_stacks(self.world)
        self.addCleanup(self.world.destroy)

    def steps(self, count=20):
        for _ in range(count):
            self.world.step(1 / 60)
        return self.world.hash()

    def test_a_restored_world_goes_on_in_the_same_way(self):
        state = self.world.save()
        self.assertIsInstance(state, bytes)
        wanted = self.steps()
        self.world.restore(state)
        self.assertEqual(self.steps(), wanted)
        with cn.World.load(state, threads=2) as other:
            for _ in range(20):
                other.step(1 / 60)
            self.assertEqual(other.hash(), wanted)
            self.assertIsNone(other.compare(self.world))
            other.gravity = (0, 0)
            self.assertIs(other.compare(self.world).part, cn.StatePart.SETTINGS)

    def test_a_loaded_world_with_its_callbacks_goes_on_in_the_same_way(self):
        """Some boxes of the floor join to one surface, and the callbacks are about the others."""
        for name, answer in (("filter", lambda a, b: True), ("pre_solve", lambda contact: None)):
            with cn.World(gravity=(0, -10)) as world:
                for i in range(10):
                    asks = i % 3 == 1
                    world.create_body(type="static", position=(i, -0.5), shapes=[
                        dict(hull=cn.box(0.5, 0.5), custom_filter=asks, pre_solve=asks)])
                    world.create_body(position=(i, 1 + i % 3), velocity=(3 - i, 0),
                                      shapes=[cn.box(0.2, 0.2)])
                setattr(world, name, answer)
                for step in range(10):
                    for _ in range(7):
                        world.step(1 / 60)
                    with cn.World.load(world.save(), **{name: answer}) as other:
                        self.assertIs(getattr(other, name), answer)
                        state = world.save()
                        for _ in range(30):
                            world.step(1 / 60)
                            other.step(1 / 60)
                        self.assertEqual(other.hash(), world.hash(), f"{name}, save {step}")
                    world.restore(state)

    def test_callbacks_given_to_load_can_be_replaced(self):
        for shape in self.world.shapes:
            shape.pre_solve = True
        state, asked = self.world.save(), []
        with cn.World.load(state, before_step=asked.append) as other:
            other.advance(1 / 30)
            self.assertEqual(len(asked), 2)
            other.before_step = None
            other.advance(1 / 30)
            self.assertEqual(len(asked), 2)
            self.assertIsNone(other.filter)
        with cn.World.load(state, pre_solve=lambda contact: 1 / 0) as other:
            self.assertRaises(ZeroDivisionError, lambda: [other.step() for _ in range(200)])
        self.assertRaises(cn.CairnError, cn.World.load, b"", filter=print)

    def test_bytes_may_come_in_other_objects(self):
        state, wanted = self.world.save(), self.world.hash()
        with self.world.begin_recording() as recording:
            self.steps(1)
        for kind in (bytearray, memoryview):
            self.world.restore(kind(state))
            with cn.World.load(kind(state)) as other:
                self.assertEqual((self.world.hash(), other.hash()), (wanted, wanted))
            with cn.Replay(kind(recording.data)) as replay:
                kept = [True] * replay.at.calls
            self.assertEqual(cn.recording_cut(kind(recording.data), kept), recording.data)
        self.assertRaises(TypeError, self.world.restore, "text")

    def test_rollback_rewinds_steps(self):
        with self.world.create_rollback(30) as rollback:
            self.assertIsNone(rollback.newest)
            hashes = []
            for i in range(20):
                rollback.keep(i)
                hashes.append(self.world.hash())
                self.world.step(1 / 60)
            rollback.rewind(5)
            self.assertEqual(self.world.hash(), hashes[5])
            self.assertEqual((rollback.oldest, rollback.newest), (0, 19))
            self.assertRaisesRegex(cn.CairnError, "kept", rollback.rewind, 25)

    def test_a_file_that_fails_ends_the_recording_with_its_exception(self):
        class Full:
            def write(self, data):
                raise OSError("full")
        self.assertRaisesRegex(OSError, "full", self.world.begin_recording, Full())
        self.steps(1)

    def test_a_recording_is_replayed(self):
        with self.world.begin_recording() as recording:
            wanted = self.steps()
        with cn.Replay(recording.data) as replay:
            positions = list(replay)
            self.assertEqual(replay.world.hash(), wanted)
            self.assertIsNone(replay.desync)
            self.assertEqual(positions[-1].step, 20)
            world = replay.world
        self.assertRaises(cn.CairnError, world.hash)


class Layout(unittest.TestCase):
    def test_structs_have_the_layout_that_the_description_says(self):
        import json
        from cairn2d import _abi
        from test_reach import API
        def number(value):
            return value if isinstance(value, int) else value["x86_64"]
        structs = json.loads(API.read_text(encoding="utf-8"))["structs"]
        tested = 0
        for struct in structs:
            kind = getattr(_abi, struct["name"], ctypes.c_uint64)
            self.assertEqual(ctypes.sizeof(kind), number(struct["size"]), struct["name"])
            for field in struct["fields"] if kind is not ctypes.c_uint64 else ():
                self.assertEqual(getattr(kind, field["name"]).offset, number(field["offset"]),
                                 f"{struct['name']}.{field['name']}")
                tested += 1
        self.assertGreater(tested, 300)


class Memory(unittest.TestCase):
    def measure(self):
        """The memory of the process in bytes."""
        gc.collect()
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * resource.getpagesize()

    def assert_constant(self, call, count):
        for _ in range(count // 5):
            call()
        before = self.measure()
        for _ in range(count):
            call()
        grown = self.measure() - before
        self.assertLess(grown, 2e6, f"{grown} bytes more after {count} times")

    def test_10000_worlds_made_and_destroyed_leave_no_memory(self):
        def make():
            with cn.World(gravity=(0, -10)) as world:
                make_floor(world, custom_filter=True)
                make_crate(world).data = world
                world.callbacks = dict(filter=lambda a, b: world is None,
                                       before_step=lambda dt: None)
                world.step(1 / 60)
        self.assert_constant(make, 10000)

    def test_worlds_that_are_not_destroyed_are_collected(self):
        def forget():
            world = cn.World()
            make_crate(world).data = world
            world.filter = lambda a, b: world is None
        def make():
            forget()
            gc.collect(1)
        self.assert_constant(make, 2000)

    def test_bodies_made_and_destroyed_leave_no_memory(self):
        world = cn.World()
        def make():
            make_crate(world).destroy()
            world.step(1 / 60)
        self.assert_constant(make, 20000)
        world.destroy()

    def test_reads_leave_no_memory(self):
        world = cn.World(gravity=(0, -10))
        make_floor(world), make_crate(world)
        def read():
            world.step(1 / 60)
            world.poses(), world.body_states(), world.events.begins, world.contacts(), world.save()
            world.draw("all")
        self.assert_constant(read, 5000)
        world.destroy()


if __name__ == "__main__":
    unittest.main()
