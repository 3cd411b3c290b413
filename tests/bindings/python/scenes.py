"""The four scenes of tests/bindings/reach/scenes.c, built through Python objects. As a program it
prints the same lines as tests/bindings/reach/hashes.txt."""
import cairn2d as cn


def add(world, x, y, hull, **settings):
    return world.create_body(position=(x, y), shapes=[dict(hull=hull, density=1, friction=0.6)],
                             **settings)


def add_ground(world):
    add(world, 0, -1, cn.box(100, 1), type="static")


def make_pyramid(world):
    """820 boxes of 1 m: 40 in the lowest row."""
    add_ground(world)
    for row in range(40):
        for i in range(40 - row):
            add(world, i + row * 0.5 - 19.5, 0.5 + row, cn.box(0.5, 0.5))


def make_bin(world):
    """1000 circles, boxes, triangles and hexagons fall into a bin."""
    add_ground(world)
    for side in (-1, 1):
        add(world, side * 13, 20, cn.box(1, 20), type="static")
    hulls = [cn.circle(0.4), cn.box(0.4, 0.4), cn.regular_polygon(3, 0.5),
             cn.regular_polygon(6, 0.45)]
    for i in range(1000):
        row, column = divmod(i, 20)
        add(world, column * 1.1 - 10.45 + row % 2 * 0.3, 2 + row * 1.1, hulls[i % 4])


def make_stacks(world):
    """10 stacks of 10 boxes, 1.5 m apart."""
    ground = world.create_body(type="static")
    ground.create_shape(cn.segment((-1000, 0), (1000, 0)), friction=0.6)
    for i in range(100):
        add(world, i // 10 * 1.5, 0.25 + i % 10 * 0.5, cn.box(0.25, 0.25))


def make_net(world):
    """A net of 30 x 30 circles hangs from two static ones: 1740 hinges."""
    net = {}
    for y in range(30):
        for x in range(30):
            hangs = y > 0 or 0 < x < 29
            net[x, y] = add(world, x, -y, cn.circle(0.2), type="dynamic" if hangs else "static")
            if x > 0:
                world.create_joint(cn.revolute_joint(net[x - 1, y], net[x, y], (x - 0.5, -y)))
            if y > 0:
                world.create_joint(cn.revolute_joint(net[x, y - 1], net[x, y], (x, -y + 0.5)))


SCENES = {"pyramid40": (300, make_pyramid), "bin1000": (600, make_bin),
          "stacks100": (600, make_stacks), "net30": (300, make_net)}


def run(name):
    """The line of a scene: its name, the hash after 100 steps, the hash at the end."""
    steps, make = SCENES[name]
    hashes = []
    with cn.World(gravity=(0, -10), no_sleep=True) as world:
        make(world)
        for i in range(1, steps + 1):
            world.step(1 / 60)
            if i in (100, steps):
                hashes.append(f"{world.hash():016x}")
    return " ".join([name, *hashes])


if __name__ == "__main__":
    for scene in SCENES:
        print(run(scene))
