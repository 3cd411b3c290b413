"""The lunar lander of demo/gym. The environment variable LANDER_LOOP names the program made from
lander_loop.c. Needs numpy."""
import math
import os
import pathlib
import re
import subprocess
import sys
import unittest

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "demo" / "gym"))
import lander


def fly(seed, steps=150, env=None):
    """Observations and rewards of one lander with a fixed series of actions."""
    env = env or lander.LunarLander()
    observation, _ = env.reset(seed=seed)
    seen, ended = [observation], False
    for i in range(steps):
        observation, reward, ended, _, _ = env.step(i * 7 % 4)
        seen.append(np.append(observation, reward))
        if ended:
            break
    return b"".join(row.tobytes() for row in seen)


class Flights(unittest.TestCase):
    def test_the_pilot_lands_from_most_seeds(self):
        total, landed, _ = lander.land(np.arange(100))
        self.assertGreater(landed.sum(), 80)
        self.assertGreater(np.median(total), 200)  # (the published bar of a solved task)

    def test_the_same_seed_gives_the_same_flight_bit_for_bit(self):
        for seed in range(5):
            first = fly(seed)
            self.assertEqual(fly(seed), first)
        env = lander.LunarLander()
        self.assertNotEqual(fly(1, env=env), fly(2, env=env))
        self.assertEqual(fly(4, env=env), first)

    def test_without_a_seed_every_flight_is_another_one(self):
        envs = lander.LunarLanderVector(3)
        other = lander.LunarLanderVector(3)
        first = [env.reset()[0] for env in (envs, other)] + [envs.reset()[0]]
        rows = {row.tobytes() for observations in first for row in observations}
        self.assertEqual(len(rows), 9)

    def test_each_lander_may_have_a_seed_of_its_own(self):
        envs, env = lander.LunarLanderVector(3), lander.LunarLander()
        observations, _ = envs.reset(seed=[4, None, 5])
        for i, seed in ((0, 4), (2, 5)):
            np.testing.assert_array_equal(observations[i], env.reset(seed=seed)[0])
        self.assertRaises(ValueError, envs.reset, seed=[4, 5])

    def test_a_lander_flies_alone_as_in_a_batch(self):
        _, _, alone = lander.land([7])
        for threads in (1, 3):
            _, _, together = lander.land([3, 7, 5, 11], threads=threads)
            self.assertEqual(together[1], alone[0])

    def test_a_plain_loop_in_c_ends_with_the_same_hash(self):
        text = subprocess.run([os.environ["LANDER_LOOP"], "32", "400"], check=True,
                              capture_output=True, text=True).stdout
        _, _, hashes = lander.measure(32, 400)
        self.assertEqual(f"{hashes:016x}", re.search(r"hash (\w+)", text)[1])


class Rules(unittest.TestCase):
    def test_observations_are_those_that_were_published(self):
        env = lander.LunarLander()
        observation, info = env.reset(seed=3)
        self.assertEqual((observation.shape, observation.dtype, info), ((8,), np.float32, {}))
        ship = env.many.ships[0]
        self.assertAlmostEqual(observation[0], ship.position.x / 10 - 1, places=5)
        self.assertAlmostEqual(observation[1], (ship.position.y - 10 / 3 - 0.6) / (20 / 3), places=5)
        self.assertAlmostEqual(observation[2], ship.velocity.x * 10 / 50, places=5)
        self.assertAlmostEqual(observation[3], ship.velocity.y * (20 / 3) / 50, places=5)
        self.assertAlmostEqual(observation[4], ship.angle, places=5)
        self.assertAlmostEqual(observation[5], ship.angular_velocity * 20 / 50, places=5)

    def test_a_fall_ends_in_a_crash(self):
        env = lander.LunarLander()
        env.reset(seed=1)
        for _ in range(300):
            _, reward, terminated, truncated, _ = env.step(0)
            if terminated:
                break
        self.assertEqual((reward, truncated), (-100, False))
        self.assertRaises(RuntimeError, env.step, 0)

    def test_engines_push_and_turn_the_lander(self):
        change = {}
        for action in range(4):
            env = lander.LunarLander()
            env.reset(seed=5)
            ship = env.many.ships[0]
            velocity, turn = ship.velocity, ship.angular_velocity
            env.step(action)
            change[action] = (*(ship.velocity - velocity), ship.angular_velocity - turn)
        idle, left, main, right = (change[action] for action in range(4))
        self.assertGreater(main[1], idle[1] + 0.1)  # the main engine lifts
        self.assertTrue(left[0] < idle[0] < right[0])  # as published: 1 pushes to the left
        self.assertTrue(left[2] > idle[2] > right[2])  # and turns counter-clockwise

    def test_the_reward_is_the_progress_less_the_fuel(self):
        env = lander.LunarLander()
        observation, _ = env.reset(seed=5)
        def shaping(s):
            s = s.astype(float)
            return (-100 * math.hypot(s[0], s[1]) - 100 * math.hypot(s[2], s[3])
                    - 100 * abs(s[4]) + 10 * s[6] + 10 * s[7])
        for action, fuel in ((0, 0), (2, 0.3), (1, 0.03), (3, 0.03)):
            new, reward, *_ = env.step(action)
            self.assertAlmostEqual(reward, shaping(new) - shaping(observation) - fuel, places=3)
            observation = new

    def test_continuous_actions_and_wind(self):
        envs = lander.LunarLanderVector(2, continuous=True, enable_wind=True)
        envs.reset(seed=1)
        calm = lander.LunarLanderVector(2, continuous=True)
        calm.reset(seed=1)
        for _ in range(20):
            windy = envs.step([[0.5, 0], [0, -1]])[0]
            still = calm.step([[0.5, 0], [0, -1]])[0]
        self.assertTrue((windy != still).any(axis=1).all())
        self.assertGreater(still[0, 3], still[1, 3])
        self.assertGreater(abs(still[1, 4]), abs(still[0, 4]))

    def test_ended_flights_begin_anew_in_the_next_step(self):
        envs = lander.LunarLanderVector(3)
        envs.reset(seed=2)
        ends = np.zeros(3, int)
        was = np.zeros(3, bool)
        for _ in range(600):
            observations, rewards, terminated, truncated, _ = envs.step(np.zeros(3, int))
            np.testing.assert_array_equal(rewards[was], 0)
            self.assertTrue((observations[was, 1] > 1.3).all())  # up in the sky again
            was = terminated | truncated
            ends += was
        self.assertTrue((ends >= 3).all())

    def test_a_flight_without_end_is_truncated(self):
        envs = lander.LunarLanderVector(1, max_episode_steps=20)
        envs.reset(seed=2)
        ended = [envs.step([0])[3][0] for _ in range(20)]
        self.assertEqual(ended, [False] * 19 + [True])

    def test_a_picture_shows_the_lander_and_the_ground(self):
        env = lander.LunarLander(render_mode="rgb_array")
        env.reset(seed=1)
        env.step(2), env.step(0)
        for _ in range(60):
            env.step(0)
        picture = env.render()
        self.assertEqual((picture.shape, picture.dtype), ((400, 600, 3), np.uint8))
        x, y = env.many.ships[0].position
        self.assertTrue(picture[400 - round(y * 30), round(x * 30)].any())
        self.assertTrue(picture[300:].any() and not picture[:5, :5].any())


class Gymnasium(unittest.TestCase):
    def test_it_registers_itself_if_gymnasium_is_there(self):
        try:
            import gymnasium
        except ImportError:
            gymnasium = None
        script = FAKE + "import lander; env = lander.LunarLander(); env.reset(seed=1)\n" \
            "assert isinstance(env, gymnasium.Env) and env._np_random_seed == 1\n" \
            "envs = lander.LunarLanderVector(2); envs.reset(seed=3)\n" \
            "assert envs._np_random_seed == 3; envs.close(); assert envs.closed; envs.close()\n" \
            "print(env.observation_space, env.action_space)\n"
        if gymnasium:
            script = script.replace(FAKE, "import gymnasium\n") + \
                "made = gymnasium.make('cairn/LunarLander-v3')\nmade.reset(seed=1)\n" \
                "from gymnasium.utils.env_checker import check_env\ncheck_env(made.unwrapped)\n"
        result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True,
                                cwd=pathlib.Path(lander.__file__).parent)
        self.assertEqual(result.returncode, 0, result.stderr)
        if not gymnasium:
            self.assertIn("cairn/LunarLander-v3", result.stdout)
            self.assertIn("Discrete (4,)", result.stdout)


# The part of Gymnasium that the lander uses, where it is not installed: names and signatures.
FAKE = '''
import sys, types
gymnasium, vector = types.ModuleType("gymnasium"), types.ModuleType("gymnasium.vector")
spaces, utils = types.ModuleType("gymnasium.spaces"), types.ModuleType("gymnasium.vector.utils")
def reset(self, *, seed=None, options=None):
    self._np_random_seed = seed
gymnasium.Env = type("Env", (), {"reset": reset})
vector.VectorEnv = type("VectorEnv", (), {"reset": reset, "closed": False})
vector.AutoresetMode = type("AutoresetMode", (), {"NEXT_STEP": "NextStep"})
spaces.Box = lambda low, high, shape=None, dtype=None: ("Box", low, high, shape)
spaces.Discrete = lambda n: f"Discrete {n,}"
utils.batch_space = lambda space, n: (space, n)
gymnasium.register = lambda id, **rest: print(id, rest)
gymnasium.vector, gymnasium.spaces, vector.utils = vector, spaces, utils
for name, module in (("", gymnasium), (".vector", vector), (".spaces", spaces),
                     (".vector.utils", utils)):
    sys.modules["gymnasium" + name] = module
'''

if __name__ == "__main__":
    unittest.main()
