#!/usr/bin/env python3
"""A lunar lander for learning agents, on a batch of Cairn's worlds.

    python3 lander.py              the built-in pilot flies 100 landings
    python3 lander.py --seed 7     prints one flight, step by step
    python3 lander.py --speed      steps per second of 256 landers

It has the interface of Gymnasium and the observations, actions and rewards of LunarLander-v3, and
needs numpy and cairn2d only. If Gymnasium is installed, import lander registers the environment
"cairn/LunarLander-v3", and both classes are environments of Gymnasium.

    env = LunarLander()                            # one lander
    observation, info = env.reset(seed=7)
    observation, reward, terminated, truncated, info = env.step(action)

    envs = LunarLanderVector(256)                  # many, in one call each; autoreset
    observations, infos = envs.reset(seed=7)       # (256, 8) float32

Actions: 0 nothing, 1 left engine (turns counter-clockwise), 2 main engine, 3 right engine; or, with
continuous=True, the power of the main engine and that of the side engines, both -1..1.

Observations:

    0, 1   position relative to the pad, in half widths and half heights of the picture
    2, 3   velocity                    4   angle, rad                5   angular velocity
    6, 7   1 if the leg touches the ground (right leg, left leg)

A flight ends on a crash (-100), when the lander rests (+100), and when it leaves the picture
(-100). Until then, the reward is the progress since the last step, less the fuel. A lander makes
progress if it gets nearer to the pad, slower or more upright, or if a leg touches the ground.

The same seed and actions give the same flight, bit for bit, alone or in a batch of any size, on any
machine. (With enable_wind this holds for machines whose C library computes the same sines.) All
random numbers are made from the seed and their index alone.

Two things differ from the Box2D version. The legs start in the position that their joints require,
so the first step does not move them there. The ground is a chain without seams.
"""
import argparse
import math
import time

import numpy as np

import cairn2d as cn

try:
    import gymnasium
    from gymnasium import spaces
    Env, VectorEnv = gymnasium.Env, gymnasium.vector.VectorEnv
except ImportError:
    gymnasium = spaces = None

    class Env:
        """What both classes need of Gymnasium's."""
        def reset(self, *, seed=None):
            pass
    VectorEnv = Env

FPS, SCALE = 50, 30.0
MAIN_POWER, SIDE_POWER, INITIAL_FORCE = 13.0, 0.6, 1000.0
WIDTH, HEIGHT = 600 / SCALE, 400 / SCALE  # of the picture, m
SHIP = [(-14, 17), (-17, 0), (-17, -10), (17, -10), (17, 0), (14, 17)]
LEG_AWAY, LEG_DOWN, LEG_WIDTH, LEG_HEIGHT, LEG_TORQUE = 20 / SCALE, 18 / SCALE, 2, 8, 40
SIDE_HEIGHT, SIDE_AWAY, MAIN_DOWN = 14 / SCALE, 12 / SCALE, 4 / SCALE
CHUNKS = 11  # points of the ground
PAD_HEIGHT = HEIGHT / 4
MAX_STEPS = 1000
FORCE, WIND, DISPERSION = 16, 18, 20  # indices of random numbers; the ground has those before


# ---- random numbers: each is a function of a seed and an index

INDICES = np.arange(WIND, dtype=np.uint64)
GOLDEN = np.array([0x9E3779B97F4A7C15], np.uint64)

def mix(x):
    """The last stage of SplitMix64, for numbers of uint64."""
    x = np.asarray(x, np.uint64)[None]  # (numpy warns of overflows of scalars, not of arrays)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return (x ^ (x >> np.uint64(31)))[0]


def uniform(seeds, index):
    """Numbers in 0..1; seeds and indices are arrays of uint64 that can be broadcast."""
    index = np.asarray(index, np.uint64)
    bits = mix(np.add(seeds, (index + np.uint64(1)) * GOLDEN))
    return (bits >> np.uint64(11)) * 2.0**-53


def spread(seed, count):
    """The seeds of the landers of a batch, from one seed."""
    return mix(np.uint64(seed) + GOLDEN * np.arange(1, count + 1, dtype=np.uint64))


# ---- worlds

def make_template(gravity):
    """The bytes of a world with a lander, its legs and a moon without ground."""
    with cn.World(gravity=(0, gravity)) as world:
        world.create_body(type="static")
        ship = world.create_body(position=(WIDTH / 2, HEIGHT), shapes=[dict(
            hull=cn.polygon([(x / SCALE, y / SCALE) for x, y in SHIP]),
            density=5, friction=0.1, category=0x10, mask=1)])
        for side in (-1, 1):
            turn = cn.Rotation.of(-0.4 * side)
            anchor = cn.Vec2(side * LEG_AWAY, LEG_DOWN)
            turned = cn.Vec2(turn.c * anchor.x - turn.s * anchor.y,
                             turn.s * anchor.x + turn.c * anchor.y)
            leg = world.create_body(
                position=ship.position - turned, angle=-0.4 * side, shapes=[dict(
                    hull=cn.box(LEG_WIDTH / SCALE, LEG_HEIGHT / SCALE),
                    friction=0.2, category=0x20, mask=1)])
            lower, upper = (0.4, 0.9) if side < 0 else (-0.9, -0.4)
            hinge = cn.revolute_joint(ship, leg, ship.position)
            hinge.frame_a, hinge.frame_b = cn.Pose.at((0, 0), 0), cn.Pose.at(anchor, 0)
            world.create_joint(hinge, angle=dict(
                mode="limited", lower=lower, upper=upper, motor=True, motor_speed=0.3 * side,
                max_motor_force=LEG_TORQUE))
        return world.save()


def make_ground(random):
    """The points of the ground from right to left, with the pad in the middle, from random numbers
    in 0..1."""
    heights = [number * (HEIGHT / 2) for number in random[:CHUNKS + 1]]
    heights[CHUNKS // 2 - 2:CHUNKS // 2 + 3] = [PAD_HEIGHT] * 5
    smooth = [0.33 * (heights[i - 1] + heights[i] + heights[i + 1]) for i in range(CHUNKS)]
    return [(WIDTH / (CHUNKS - 1) * i, smooth[i]) for i in reversed(range(CHUNKS))]


# ---- many landers

class LunarLanderVector(VectorEnv):
    """Many landers. A lander whose flight has ended begins a new one in the next step: that step
    ignores its action and gives the first observation and the reward 0 (the autoreset mode
    NEXT_STEP of Gymnasium)."""
    metadata = {"render_modes": ["rgb_array"], "render_fps": FPS}
    closed = True  # until there are landers

    def __init__(self, num_envs=1, *, continuous=False, gravity=-10.0, enable_wind=False,
                 wind_power=15.0, turbulence_power=1.5, render_mode=None,
                 max_episode_steps=MAX_STEPS, threads=None):
        if not -12 < gravity < 0:
            raise ValueError(f"the gravity is {gravity}; it must be between -12 and 0")
        self.num_envs, self.continuous, self.render_mode = num_envs, continuous, render_mode
        self.enable_wind, self.wind_power = enable_wind, wind_power
        self.turbulence_power, self.max_episode_steps = turbulence_power, max_episode_steps
        self.template = make_template(gravity)
        self.batch = cn.Batch(lambda seed: cn.World.load(self.template), num_envs, threads=threads)
        self.ships = cn.Bodies(world.body_in_slot(1) for world in self.batch)
        # The parts are the ships, the right legs and the left legs.
        self.parts = cn.Bodies(w.body_in_slot(slot) for slot in (1, 2, 3) for w in self.batch)
        self.moons = cn.Bodies(w.body_in_slot(0) for _ in range(3) for w in self.batch)
        self.motion, self.touches = self.ships.states(), np.zeros((3, num_envs), bool)
        self.start = self.motion[:1].copy()
        self.seeds = np.random.default_rng().integers(2**64, size=num_envs, dtype=np.uint64)
        self.steps = np.zeros(num_envs, np.int64)
        self.angles = np.zeros(num_envs)
        self.shaping = np.zeros(num_envs)
        self.is_new = np.ones(num_envs, bool)
        self.make_spaces()
        self.closed = False

    def make_spaces(self):
        if not spaces:
            return
        mode = gymnasium.vector.AutoresetMode.NEXT_STEP
        self.metadata = {**self.metadata, "autoreset_mode": mode}
        high = np.array([2.5, 2.5, 10, 10, 2 * math.pi, 10, 1, 1], np.float32)
        low = np.append(-high[:6], [0, 0]).astype(np.float32)
        self.single_observation_space = spaces.Box(low, high)
        self.single_action_space = spaces.Box(-1, 1, (2,), np.float32) if self.continuous else \
            spaces.Discrete(4)
        batch_space = gymnasium.vector.utils.batch_space
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)

    def reset(self, *, seed=None, options=None):
        """Begins a flight of every lander. `seed` is one number, from which the seeds of the
        landers follow, or a list with the seed of each. A lander without a seed (None, also in the
        list) gets its next seed; the first one differs from run to run."""
        following = mix(self.seeds + np.uint64(1))
        if seed is None:
            self.seeds = following
        elif np.ndim(seed) == 0:
            super().reset(seed=int(seed))
            self.seeds = spread(seed, self.num_envs)
        elif len(seed) == self.num_envs:
            self.seeds = np.array([f if s is None else s for s, f in zip(seed, following)],
                                  np.uint64)
        else:
            raise ValueError(f"{len(seed)} seeds for {self.num_envs} landers")
        for i in range(self.num_envs):
            self.begin(i)
        idle = np.zeros((self.num_envs, 2)) if self.continuous else np.zeros(self.num_envs, int)
        self.advance(idle)
        return self.observe()[0], {}

    def begin(self, i):
        """Puts a lander above new ground."""
        random = uniform(self.seeds[i], INDICES).tolist()
        self.batch[i].restore(self.template)
        self.moons[i].create_chain(make_ground(random), friction=0.1)
        self.ships[i].apply_force(
            [(number * 2 - 1) * INITIAL_FORCE for number in random[FORCE:FORCE + 2]])
        self.motion[i] = self.start[0]
        self.touches[:, i] = False
        self.steps[i], self.angles[i], self.shaping[i], self.is_new[i] = 0, 0, np.nan, False

    def step(self, actions):
        actions = np.array(actions)
        begun = self.is_new.copy()
        for i in np.flatnonzero(begun):
            self.seeds[i] = mix(self.seeds[i] + np.uint64(1))
            actions[i] = 0
            self.begin(i)
        main, side = self.advance(actions)
        observations, rewards = self.observe()
        rewards -= 0.3 * main + 0.03 * side
        crashed = self.touches[0] | (np.abs(observations[:, 0]) >= 1)
        rests = self.motion["asleep"] & ~crashed
        rewards[crashed], rewards[rests], rewards[begun] = -100, 100, 0
        terminated = (crashed | rests) & ~begun
        truncated = (self.steps > self.max_episode_steps) & ~terminated
        self.is_new = terminated | truncated
        return observations, rewards, terminated, truncated, {}

    def advance(self, actions):
        """Fires the engines and takes a step. Returns the power of the engines."""
        if self.enable_wind:
            self.blow()
        cosine, sine = self.motion["rotation"].astype(np.float64).T
        index = np.uint64(2) * self.steps.astype(np.uint64) + np.uint64(DISPERSION)
        random = uniform(self.seeds, np.stack([index, index + np.uint64(1)]))
        along, across = (random * 2 - 1) / SCALE
        if self.continuous:
            main = np.where(actions[:, 0] > 0, (np.clip(actions[:, 0], 0, 1) + 1) * 0.5, 0)
            side = np.abs(actions[:, 1])
            side, direction = np.where(side > 0.5, np.minimum(side, 1), 0), np.sign(actions[:, 1])
        else:
            main, side = (actions == 2) * 1.0, ((actions == 1) | (actions == 3)) * 1.0
            direction = actions - 2.0
        down = MAIN_DOWN + 2 * along
        self.fire(main * MAIN_POWER, sine * down - cosine * across,
                  -cosine * down - sine * across, 0, 0)
        reach = 3 * across + direction * SIDE_AWAY
        self.fire(side * SIDE_POWER, sine * along - cosine * reach,
                  -cosine * along - sine * reach, -sine * 17 / SCALE, cosine * SIDE_HEIGHT)
        self.batch.step(1 / FPS)
        self.steps += 1
        return main, side

    def fire(self, power, x, y, dx, dy):
        """Applies the impulse -power * (x, y) to each ship, at the point (x + dx, y + dy) from its
        position, in the axes of the world."""
        fires = np.flatnonzero(power > 0)
        if len(fires):
            impulses, points = np.empty((2, len(x), 2))
            impulses[:, 0], impulses[:, 1] = -x * power, -y * power
            points[:, 0], points[:, 1] = x + dx, y + dy
            points += self.motion["position"]
            self.ships[fires].apply_impulse_at(impulses[fires], points[fires])

    def blow(self):
        """Applies wind and turbulence to the landers whose legs do not touch the ground."""
        in_flight = ~(self.touches[1] | self.touches[2])
        start = uniform(self.seeds[:, None], np.array([WIND, WIND + 1], np.uint64)) * 19998 - 9999
        t = np.floor(start) + self.steps[:, None]
        gust = np.tanh(np.sin(0.02 * t) + np.sin(math.pi * 0.01 * t))[in_flight]
        force = np.stack([gust[:, 0] * self.wind_power, gust[:, 0] * 0], axis=1)
        self.ships[in_flight].apply_force(force)
        self.ships[in_flight].apply_torque(gust[:, 1] * self.turbulence_power)

    def observe(self):
        """The observations, and the rewards for progress since the last ones."""
        state = np.empty((self.num_envs, 8))
        self.motion = self.ships.states()
        self.touches = self.parts.touches(self.moons).reshape(3, self.num_envs)
        place, velocity = self.motion["position"], self.motion["velocity"]
        angles = self.motion["angle"]  # -pi..pi
        self.angles = angles + np.round((self.angles - angles) / (2 * math.pi)) * (2 * math.pi)
        state[:, 0] = (place[:, 0] - WIDTH / 2) / (WIDTH / 2)
        state[:, 1] = (place[:, 1] - (PAD_HEIGHT + LEG_DOWN)) / (HEIGHT / 2)
        state[:, 2] = velocity[:, 0] * (WIDTH / 2) / FPS
        state[:, 3] = velocity[:, 1] * (HEIGHT / 2) / FPS
        state[:, 4] = self.angles
        state[:, 5] = self.motion["angular_velocity"] * 20.0 / FPS
        state[:, 6] = self.touches[1]
        state[:, 7] = self.touches[2]
        squares = state * state
        shaping = (-100 * np.sqrt(squares[:, 0] + squares[:, 1])
                   - 100 * np.sqrt(squares[:, 2] + squares[:, 3])
                   - 100 * np.abs(state[:, 4]) + 10 * state[:, 6] + 10 * state[:, 7])
        rewards = np.where(np.isnan(self.shaping), 0, shaping - self.shaping)
        self.shaping = shaping
        return state.astype(np.float32), rewards

    def render(self):
        """Pictures of all landers, 400 x 600 x 3 bytes each."""
        return tuple(paint(world) for world in self.batch)

    def close(self, **_):
        if not self.closed:
            self.batch.destroy()
        self.closed = True


# ---- one lander

class LunarLander(Env):
    """One lander: a batch of one, without autoreset."""
    metadata = LunarLanderVector.metadata

    def __init__(self, render_mode=None, **settings):
        # (Gymnasium wraps the environment to limit the steps of a flight.)
        self.many = LunarLanderVector(1, render_mode=render_mode, max_episode_steps=math.inf,
                                      threads=1, **settings)
        self.render_mode = render_mode
        if spaces:
            self.observation_space = self.many.single_observation_space
            self.action_space = self.many.single_action_space

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        observations, info = self.many.reset(seed=None if seed is None else [seed])
        return observations[0], info

    def step(self, action):
        if self.many.is_new[0]:
            raise RuntimeError("the flight has ended: call reset()")
        observations, rewards, terminated, truncated, info = self.many.step([action])
        return observations[0], float(rewards[0]), bool(terminated[0]), bool(truncated[0]), info

    def render(self):
        return self.many.render()[0]

    def close(self):
        self.many.close()


def paint(world):
    """A picture of a world: its drawing for debugging, as rows of red, green and blue."""
    drawing = world.draw("shapes")
    picture = np.zeros((round(HEIGHT * SCALE), round(WIDTH * SCALE), 3), np.uint8)
    lines = drawing.lines["position"].reshape(-1, 2, 2)
    colors = drawing.lines["color"].reshape(-1, 2)[:, 0]
    for (a, b), color in zip(lines * SCALE, colors):
        count = int(np.abs(b - a).max()) + 2
        x, y = (a + np.linspace(0, 1, count)[:, None] * (b - a)).astype(int).T
        y = picture.shape[0] - 1 - y
        seen = (x >= 0) & (x < picture.shape[1]) & (y >= 0) & (y < picture.shape[0])
        picture[y[seen], x[seen]] = [(int(color) >> shift) & 255 for shift in (24, 16, 8)]
    for triangle, color in zip(drawing.triangles["position"].reshape(-1, 3, 2) * SCALE,
                               drawing.triangles["color"].reshape(-1, 3)[:, 0]):
        fill_triangle(picture, triangle, [(int(color) >> shift) & 255 for shift in (24, 16, 8)])
    return picture


def fill_triangle(picture, corners, color):
    height, width = picture.shape[:2]
    lower = np.clip(np.floor(corners.min(axis=0)).astype(int), 0, (width, height))
    upper = np.clip(np.ceil(corners.max(axis=0)).astype(int) + 1, 0, (width, height))
    x, y = np.meshgrid(np.arange(lower[0], upper[0]) + 0.5, np.arange(lower[1], upper[1]) + 0.5)
    sides = [(b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0])
             for a, b in zip(corners, np.roll(corners, -1, axis=0))]
    inside = np.all([s >= 0 for s in sides], axis=0) | np.all([s <= 0 for s in sides], axis=0)
    rows, columns = np.nonzero(inside)
    picture[height - 1 - lower[1] - rows, lower[0] + columns] = color


# ---- the pilot

def fly(observations):
    """The actions of the pilot that comes with LunarLander, for many landers."""
    x, y, vx, vy, angle, turn, right, left = np.asarray(observations, np.float64).T
    angle_wanted = np.minimum(np.maximum(x * 0.5 + vx, -0.4), 0.4)
    turn_wanted = (angle_wanted - angle) * 0.5 - turn
    rise_wanted = (0.55 * np.abs(x) - y) * 0.5 - vy * 0.5
    stands = (right > 0) | (left > 0)
    turn_wanted[stands], rise_wanted[stands] = 0, -vy[stands] * 0.5
    actions = np.where(turn_wanted < -0.05, 3, turn_wanted > 0.05)
    return np.where((rise_wanted > np.abs(turn_wanted)) & (rise_wanted > 0.05), 2, actions)


def land(seeds, **settings):
    """The pilot flies from each seed. Returns the sum of rewards of each flight, whether it came to
    rest, and the hash of each world at its end."""
    count = len(seeds)
    envs = LunarLanderVector(count, **settings)
    observations, _ = envs.reset(seed=seeds)
    total, landed, ended = np.zeros(count), np.zeros(count, bool), np.zeros(count, bool)
    hashes = [0] * count
    while not ended.all():
        observations, rewards, terminated, truncated, _ = envs.step(fly(observations))
        total += np.where(ended, 0, rewards)
        for i in np.flatnonzero((terminated | truncated) & ~ended):
            hashes[i], landed[i] = envs.batch[i].hash(), terminated[i] and rewards[i] == 100
        ended |= terminated | truncated
    envs.close()
    return total, landed, hashes


def measure(count, steps, threads=None):
    """World-steps per second with the pilot, new flights included; the same per second of processor
    time; and a sum over the last hashes of the worlds. lander_loop.c prints the same."""
    envs = LunarLanderVector(count, threads=threads)
    observations, _ = envs.reset(seed=1)
    start, start_of_work = time.perf_counter(), time.process_time()
    for _ in range(steps):
        observations = envs.step(fly(observations))[0]
    seconds, work = time.perf_counter() - start, time.process_time() - start_of_work
    hashes = sum(envs.batch.hashes()) % 2**64
    envs.close()
    return count * steps / seconds, count * steps / work, hashes


def print_flight(seed):
    env = LunarLander()
    observation, _ = env.reset(seed=seed)
    total, ended, step = 0.0, False, 0
    while not ended:
        observation, reward, ended, _, _ = env.step(int(fly(observation[None])[0]))
        total, step = total + reward, step + 1
        print(step, *(f"{value:7.3f}" for value in observation), f"{total:8.2f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seed", type=int, help="print the flight of a seed")
    parser.add_argument("--speed", action="store_true", help="measure steps per second")
    parser.add_argument("--landers", type=int, default=256)
    parser.add_argument("--steps", type=int, default=1000)
    parser.add_argument("--threads", type=int)
    arguments = parser.parse_args()
    if arguments.seed is not None:
        return print_flight(arguments.seed)
    if arguments.speed:
        return print("{:.0f} steps per second, {:.0f} per second of work, hash {:016x}".format(
            *measure(arguments.landers, arguments.steps, arguments.threads)))
    total, landed, _ = land(np.arange(100))
    print(f"{landed.sum()} of 100 land; rewards {total.mean():.0f} on average, "
          f"{np.median(total):.0f} in the median")


if gymnasium:
    gymnasium.register("cairn/LunarLander-v3", entry_point=LunarLander,
                       vector_entry_point=LunarLanderVector, max_episode_steps=MAX_STEPS,
                       reward_threshold=200)

if __name__ == "__main__":
    main()
