"""Many worlds at once, and many objects at once. Needs numpy."""
import json
import unittest

import numpy as np

import cairn2d as cn
from cairn2d import _abi
from test_reach import API


def make_world(seed):
    """A floor and two crates that fall."""
    world = cn.World(gravity=(0, -10))
    world.create_body(type="static", shapes=[dict(hull=cn.box(50, 1), custom_filter=True,
                                                  pre_solve=True)])
    crates = [world.create_body(position=(x, 3 + 0.1 * seed), shapes=[cn.box(0.5, 0.5)])
              for x in (-2, 2)]
    return world, *crates


class Batches(unittest.TestCase):
    def test_a_batch_has_the_hashes_of_worlds_stepped_one_by_one(self):
        wanted = []
        for seed in range(20):
            world, *_ = make_world(seed)
            for _ in range(100):
                world.step(1 / 50)
            wanted.append(world.hash())
        for threads in (1, 3):
            with cn.Batch(make_world, 20, threads=threads) as batch:
                for _ in range(100):
                    batch.step(1 / 50)
                self.assertEqual(batch.hashes(), wanted)

    def test_poses_have_a_row_for_each_world_and_slot(self):
        with cn.Batch(make_world, seeds=range(5)) as batch:
            batch[3].create_body(position=(7, 9))
            poses = batch.poses()
            self.assertEqual((poses.shape, poses.dtype), ((5, 4, 4), np.float32))
            for i, world in enumerate(batch):
                np.testing.assert_array_equal(poses[i, :len(world.poses())], world.poses())
            np.testing.assert_array_equal(poses[0, 3], 0)
            out = np.empty((5, 4, 4), np.float32)
            self.assertIs(batch.poses(out=out).base, out)
            fixed = out.copy()
            fixed.flags.writeable = False
            for wrong in (out.astype(float), out[:4], out[:, :, :2], out[::-1], fixed):
                self.assertRaises(ValueError, batch.poses, out=wrong)

    def test_worlds_that_cannot_be_stepped_are_reported_and_the_others_are_stepped(self):
        with cn.Batch(make_world, 4) as batch:
            batch[2].destroy()
            with self.assertRaisesRegex(cn.BatchError, "world 2: .*NULL") as caught:
                batch.step(1 / 50)
            self.assertEqual(caught.exception.failures, {2: cn.ErrorKind.HANDLE})
            self.assertEqual([batch[i].counters.steps for i in (0, 1, 3)], [1, 1, 1])
            batch.reset(2, 7)
            batch.step(1 / 50)
            self.assertEqual(batch[2].counters.steps, 1)
            self.assertRaisesRegex(cn.BatchError, "world 0: the dt", batch.step, 2)

    def test_reset_counts_from_the_end_like_a_list(self):
        with cn.Batch(make_world, 3) as batch:
            world = batch[2]
            batch.reset(-1, 7)
            self.assertIsNot(batch[2], world)
            batch.step(1 / 50)
            self.assertEqual([w.counters.steps for w in batch], [1, 1, 1])
            self.assertRaises(IndexError, batch.reset, 3, 7)

    def test_a_world_that_cannot_be_made_leaves_the_old_one(self):
        with cn.Batch(lambda seed: make_world(10 // seed), seeds=[1, 2]) as batch:
            self.assertRaises(ZeroDivisionError, batch.reset, 1, 0)
            batch.step(1 / 50)

    def test_callbacks_run_and_their_exceptions_are_raised_after_the_step(self):
        with cn.Batch(make_world, 4) as batch:
            seen = []
            batch[1].filter = lambda a, b: bool(seen.append(a)) or True
            batch[3].pre_solve = lambda contact: 1 / 0
            with self.assertRaises(ZeroDivisionError):
                for _ in range(100):
                    batch.step(1 / 50)
            self.assertTrue(seen)
            self.assertEqual(len({world.counters.steps for world in batch}), 1)
            batch[3].pre_solve = None
            batch.step(1 / 50)

    def test_a_callback_cannot_destroy_a_world_of_the_batch(self):
        with cn.Batch(make_world, 2) as batch:
            batch[0].filter = lambda a, b: batch[1].destroy()
            with self.assertRaisesRegex(cn.CairnError, "destroyed while"):
                for _ in range(100):
                    batch.step(1 / 50)


class Groups(unittest.TestCase):
    def setUp(self):
        self.batch = cn.Batch(make_world, 6)
        self.left = cn.Bodies(made[1] for made in self.batch.made)
        self.addCleanup(self.batch.destroy)

    def test_properties_are_arrays_with_a_row_for_each_object(self):
        self.left.velocity = [(i, 1) for i in range(6)]
        np.testing.assert_array_equal(self.left.velocity, [(i, 1) for i in range(6)])
        self.left.angular_velocity = 2
        np.testing.assert_array_equal(self.left.angular_velocity, np.full(6, 2, np.float32))
        np.testing.assert_array_equal(self.left.position, [b.position for b in self.left])
        self.left.type = "kinematic"
        self.assertIs(self.left[4].type, cn.MotionType.KINEMATIC)

    def test_a_mask_takes_a_part_of_a_group(self):
        high = self.left[self.left.position[:, 1] > 3.35]
        self.assertEqual(len(high), 2)
        high.apply_impulse((0, 5))
        np.testing.assert_array_equal(self.left.velocity[:, 1], [0, 0, 0, 0, 5, 5])
        self.left[:2].apply_impulse_at([(1, 0), (2, 0)], self.left[:2].center)
        np.testing.assert_array_equal(self.left.velocity[:2, 0], [1, 2])

    def test_objects_of_two_groups_meet_pair_by_pair(self):
        floors = cn.Bodies(world.body_in_slot(0) for world in self.batch)
        for _ in range(50):
            self.batch.step(1 / 50)
        self.assertTrue(self.left.touches(floors).all())
        self.assertTrue(self.left.ground((0, 1), 0.785)["found"].all())
        self.assertRaisesRegex(ValueError, "same worlds", self.left[:3].touches, floors[3:])
        self.assertRaisesRegex(ValueError, "same worlds", self.left[:3].touches, floors[0])
        self.assertTrue(self.left[:1].touches(floors[0]).all())

    def test_a_group_has_objects_of_one_kind(self):
        shapes = cn.Shapes(body.shapes[0] for body in self.left)
        self.assertRaisesRegex(TypeError, "is no Body", cn.Bodies, shapes)
        self.assertRaisesRegex(TypeError, "is no Body", self.left.touches, shapes)
        self.assertRaisesRegex(TypeError, "is no Body", self.left[:1].touches, shapes[0])
        with self.assertRaisesRegex(TypeError, "is no Body"):
            self.left[0] = shapes[0]

    def test_states_are_the_motions_of_all_bodies(self):
        self.batch.step(1 / 50)
        states = self.left.states()
        for name in ("position", "velocity", "angle", "angular_velocity", "asleep"):
            np.testing.assert_array_equal(states[name], getattr(self.left, name))

    def test_an_object_that_does_not_exist_is_an_error_that_names_it(self):
        self.left[3].destroy()
        self.assertRaisesRegex(cn.CairnError, "object 3 of the group: cn_body_velocity",
                               lambda: self.left.velocity)
        self.batch[1].destroy()
        self.assertRaisesRegex(cn.CairnError, "object 1 of the group.*NULL",
                               lambda: self.left.velocity)
        self.left[1] = self.batch.reset(1, 5)[1]
        self.left[3] = self.batch.reset(3, 5)[1]
        self.assertEqual(self.left.velocity.shape, (6, 2))

    def test_joints_and_shapes_have_groups_too(self):
        joints = cn.Joints(w.create_joint(cn.revolute_joint(a, b, (0, 3)), angle=dict(
            motor=True, max_motor_force=9)) for w, a, b in self.batch.made)
        joints.set_motor_speed(cn.JointAxis.ANGLE, np.arange(6))
        self.assertEqual([j.angle.motor_speed for j in joints], list(range(6)))
        joints.set_motor_speed("angle", 3)
        np.testing.assert_array_equal(joints.value("angle"), np.zeros(6))
        shapes = cn.Shapes(body.shapes[0] for body in self.left)
        shapes.material = cn.Material(friction=0.25)
        np.testing.assert_array_equal(shapes.material["friction"], np.full(6, 0.25))
        shapes.material = dict(friction=0.75)
        np.testing.assert_array_equal(shapes.material["friction"], np.full(6, 0.75))
        shapes.hull = [cn.circle(1 + i) for i in range(6)]
        np.testing.assert_array_equal(shapes.hull["radius"], np.arange(1, 7))
        self.assertRaises(ValueError, setattr, shapes, "hull", [cn.circle(1)] * 5)
        shapes.hull = cn.circle(2)
        np.testing.assert_allclose(shapes.bounds["upper"] - shapes.bounds["lower"], 4, rtol=1e-6)

    def test_each_function_of_one_object_has_one_for_a_group(self):
        """Except those with arrays, callbacks and definitions of other objects."""
        wanted = {f["name"] for f in json.loads(API.read_text(encoding="utf-8"))["functions"]
                  if len(f["parameters"]) >= 2 and f["parameters"][0].get("type") == "cn_world"
                  and f["parameters"][1].get("type") in (
                      "cn_body", "cn_shape", "cn_joint", "cn_grid", "cn_chain")
                  and all(p["kind"] in ("object", "handle", "struct", "number", "bool", "enum")
                          for p in f["parameters"])
                  and f["returns"]["kind"] in ("success", "struct", "number", "bool", "enum")
                  and "_joint_def" not in f["returns"].get("type", "")
                  and not f["name"].endswith(("_destroy", "_valid"))}
        self.assertGreater(len(wanted), 70)
        self.assertEqual({f for f in wanted if not hasattr(_abi.lib, "many_" + f)}, set())


class Arrays(unittest.TestCase):
    def setUp(self):
        self.world = make_world(0)[0]
        self.addCleanup(self.world.destroy)

    def test_states_and_events_are_structured_arrays(self):
        for _ in range(60):
            self.world.step(1 / 60)
            if self.world.events.begins:
                break
        states = self.world.body_states()
        self.assertEqual(states["position"][:, 1].argmin(), 0)
        self.assertEqual(self.world.find(cn.Body, states["body"][1]).slot, 1)
        begins = self.world.events.array("begins")
        self.assertEqual(len(begins), 2)
        self.assertIn(self.world.find(cn.Body, begins["a"]["body"][0]).slot, (0, 1, 2))

    def test_poses_can_be_read_into_an_array(self):
        out = np.empty((10, 4), np.float32)
        self.assertIs(self.world.poses(out=out).base, out)
        np.testing.assert_array_equal(self.world.poses()[:, 2:], [(1, 0)] * 3)

    def test_many_rays_give_an_array_of_hits(self):
        hits = self.world.cast_rays([(x, 9, 0, -20) for x in (-2, 0, 99)])
        np.testing.assert_array_equal(hits["hit"], [True, True, False])
        self.assertAlmostEqual(hits["point"][0, 1], 3.5, places=5)


if __name__ == "__main__":
    unittest.main()
