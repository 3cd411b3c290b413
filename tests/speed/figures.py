#!/usr/bin/env python3
"""Writes the benchmark's figures into the guide about benchmarks, and the plot speed.svg of this guide.

    figures.py SMALL.json SCENES.json QUERIES.json ROOMS.json

The first three files are output of `cairn-bench --peers --json`: the small worlds, other scenes,
and scenes of queries. The last file is output of `cairn-bench --rooms --json`. The table of steps
goes between the guide's lines "<!-- figures -->" and "<!-- end of figures -->". The table of
queries goes between "<!-- queries -->" and "<!-- end of queries -->", and the sentence about rooms
between "<!-- rooms -->" and "<!-- end of rooms -->". figures.sh runs all of this.
"""
import json
import math
import pathlib
import sys

DOCS = pathlib.Path(__file__).resolve().parents[2] / "engine" / "bindings" / "docs"
GUIDE, PLOT = DOCS / "guides" / "benchmarks.md", DOCS / "pictures" / "speed.svg"
NAMES = {"cairn": "Cairn", "box2d": "Box2D", "chipmunk": "Chipmunk"}
COLORS = {"cairn": "#c2410c", "box2d": "#2563eb", "chipmunk": "#64748b"}


def engine_of(result):
    return result["engine"].split()[0]


def by_scene(results):
    """Returns {scene: {engine: result}} in the order of the file."""
    scenes = {}
    for result in results:
        scenes.setdefault(result["scene"], {})[engine_of(result)] = result
    return scenes


# ------------------------------------------------------------------------------------------ table

def is_near(a, b, fraction, margin):
    return abs(a - b) <= fraction * abs(b) + margin


def is_same_work(result, cairn):
    """True if both did the same work, by the limits of cairn-bench.

    A different height shows in the other two numbers."""
    if "queries" in cairn:
        return (is_near(result["results"], cairn["results"], 0.01, 0)
                and is_near(result["distance"], cairn["distance"], 0.01, 0))
    return (is_near(result["touching"], cairn["touching"], 0.03, 2)
            and is_near(result["awake_sum"], cairn["awake_sum"], 0.02, 0))


def format_time(milliseconds):
    value, unit = (milliseconds, "ms") if milliseconds >= 0.1 else (1000 * milliseconds, "µs")
    decimals = max(0, 2 - math.floor(math.log10(value)))
    return f"{value:.{decimals}f} {unit}"


def format_peer(result, cairn):
    if not result:
        return "-"
    mark = "" if is_same_work(result, cairn) else " \\*"
    ratio = result["ms"]["mean"] / cairn["ms"]["mean"]
    return f"{format_time(result['ms']['mean'])} ({ratio:.{1 if ratio < 10 else 0}f}x){mark}"


def format_amount(result):
    if "queries" not in result:
        return str(result["bodies"])
    return f"{result['results'] / result['queries'] / result['steps']:.2f}"


def format_row(scene, engines, peers):
    cairn = engines["cairn"]
    cells = [f"`{scene}`", format_amount(cairn), format_time(cairn["ms"]["mean"])]
    return cells + [format_peer(engines.get(peer), cairn) for peer in peers]


def describe(results):
    first = results[0]
    return (f"Time of a step of 1/60 s, one thread, {first['cpu']}; Cairn {first['version']} "
            f"({first['compiler']}, {first['lanes']} lanes, {first['substeps']} substeps)")


def title(engine):
    name, version = engine.split()
    return f"{NAMES[name]} {version}"


def make_table(results, amount):
    scenes = by_scene(results)
    engines = {engine_of(r): r["engine"] for r in results if engine_of(r) != "cairn"}
    header = ["scene", amount, "Cairn"] + [title(e) for e in engines.values()]
    rows = [format_row(scene, found, engines) for scene, found in scenes.items()]
    lines = [header, ["---", "--:", "--:"] + ["--:"] * len(engines)] + rows
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


# ------------------------------------------------------------------------------------------ rooms

def round_down(number):
    return f"{number // 10 * 10:,}"


def describe_rooms(result):
    fit, least, most = (round_down(result[key]) for key in ("fit", "fit_least", "fit_most"))
    return (f"On {result['threads']} threads {fit} rooms of {result['awake'] // result['rooms']} awake bodies "
            f"run at 30 Hz\n({least} to {most} in {result['repeat']} runs of "
            f"`cairn-bench --rooms {result['rooms']} --threads {result['threads']}`).")


# ------------------------------------------------------------------------------------------- plot

WIDTH, HEIGHT = 640, 400
LEFT, RIGHT, TOP, BOTTOM = 70, 140, 24, 52


class Scale:
    """A logarithmic axis: maps values to pixels."""
    def __init__(self, values, first, last):
        self.low = math.floor(math.log10(min(values)))
        self.high = math.ceil(math.log10(max(values)))
        self.first, self.last = first, last

    def __call__(self, value):
        fraction = (math.log10(value) - self.low) / (self.high - self.low)
        return self.first + fraction * (self.last - self.first)

    def ticks(self):
        return [10.0 ** power for power in range(self.low, self.high + 1)]


def text(x, y, content, anchor="middle", extra=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{extra}>{content}</text>'


def line(x1, y1, x2, y2, color):
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{color}"/>'


def draw_axes(x, y):
    for tick in x.ticks():
        yield line(x(tick), y.first, x(tick), y.last, "#e5e7eb")
        yield text(x(tick), y.first + 20, f"{tick:g}")
    for tick in y.ticks():
        yield line(x.first, y(tick), x.last, y(tick), "#e5e7eb")
        yield text(x.first - 8, y(tick) + 4, f"{tick:g}", "end")
    middle = (y.first + y.last) / 2
    yield text((x.first + x.last) / 2, HEIGHT - 10, "boxes, in stacks of ten")
    yield text(18, middle, "microseconds a step", extra=f' transform="rotate(-90 18 {middle:.1f})"')


def draw_curve(engine, points, x, y):
    color = COLORS[engine.split()[0]]
    path = " ".join(f"{x(n):.1f},{y(t):.1f}" for n, t in points)
    yield f'<polyline points="{path}" fill="none" stroke="{color}" stroke-width="2.5"/>'
    for n, t in points:
        yield f'<circle cx="{x(n):.1f}" cy="{y(t):.1f}" r="3.5" fill="{color}"/>'


def spread(places, gap):
    """Moves labels apart so that none overlap, from the bottom of the picture upwards."""
    for i in range(1, len(places)):
        places[i] = min(places[i], places[i - 1] - gap)
    return places


def draw_names(curves, x, y):
    ordered = sorted(curves.items(), key=lambda curve: curve[1][-1][1])
    places = spread([y(points[-1][1]) + 4 for _, points in ordered], 16)
    for (engine, _), place in zip(ordered, places):
        name = engine.split()[0]
        yield text(x.last + 10, place, NAMES[name] if name == "cairn" else title(engine), "start",
                   f' fill="{COLORS[name]}" font-weight="bold"')


def draw_plot(results):
    curves = {}
    for r in results:
        curves.setdefault(r["engine"], []).append((r["bodies"] - 1, 1000 * r["ms"]["mean"]))
    points = [p for curve in curves.values() for p in curve]
    x = Scale([n for n, _ in points], LEFT, WIDTH - RIGHT)
    y = Scale([t for _, t in points], HEIGHT - BOTTOM, TOP)
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
             'font-family="sans-serif" font-size="13" fill="#374151">',
             f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>', *draw_axes(x, y)]
    for engine, curve in curves.items():
        parts += draw_curve(engine, curve, x, y)
    return "\n".join(parts + [*draw_names(curves, x, y), "</svg>", ""])


# ------------------------------------------------------------------------------------------- files

def replace_between(content, first, last, inner):
    if content.count(first) != 1 or content.count(last) != 1:
        sys.exit(f"figures: {GUIDE.name} must have one line {first} and one line {last}")
    before, rest = content.split(first)
    return f"{before}{first}\n{inner}\n{last}{rest.split(last)[1]}"


def read_results(path):
    return json.loads(pathlib.Path(path).read_text(encoding="utf-8"))


def main():
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    small, scenes, queries, rooms = map(read_results, sys.argv[1:])
    shown = [r for r in small if r["scene"] in ("small-1", "small-10", "small-100", "small-1000")]
    content = replace_between(GUIDE.read_text(encoding="utf-8"),
                              "<!-- figures -->", "<!-- end of figures -->",
                              f"{describe(shown)}:\n\n{make_table(shown + scenes, 'bodies')}")
    content = replace_between(content, "<!-- queries -->", "<!-- end of queries -->",
                              make_table(queries, "results"))
    content = replace_between(content, "<!-- rooms -->", "<!-- end of rooms -->", describe_rooms(rooms[0]))
    GUIDE.write_text(content, encoding="utf-8")
    PLOT.write_text(draw_plot(small), encoding="utf-8")
    print(f"written: {GUIDE}, {PLOT}")


if __name__ == "__main__":
    main()
