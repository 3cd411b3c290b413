#!/usr/bin/env python3
"""Builds the documentation of Cairn: static pages that need no server and load no files of other
sites.

    build.py OUTPUT [--demo cairn-demo] [--web-demo FOLDER] [--web FOLDER] [--python FOLDER]
             [--lua libcairn.so]

    --demo      the program of the demo: makes the pictures of the scenes
    --web-demo  the built demo for browsers (index.html, ...): pictures of scenes start it
    --web       the built JavaScript package: the reference shows how it names each function
    --python    the folder of the built Python package `cairn2d`: the same for Python
    --lua       the shared library: the same for Lua

Guides are in guides/ (GUIDES below is their order), the reference is made from api.json, and the
lessons come from demo/lessons. Code of the guides is tested: see blocks.py.
"""
import argparse
import html
import json
import pathlib
import re
import shutil
import string
import subprocess
import sys
import zlib

import counts
import full_text
import playground_page
import reference
from comments import Comments
from highlight import highlight
from markdown import NAMES, Markdown, slug
from signatures import read_signatures, shorten

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
LESSONS = ROOT / "demo" / "lessons"
GUIDES = ["first-steps", "faq", "recipes", "joints", "characters", "queries", "tiles", "fields",
          "snapshots", "tuning", "love", "agents", "step", "solver-lab", "determinism", "exactness",
          "benchmarks", "testing", "peers", "from-box2d", "from-matter", "reading"]
PLAYGROUND = "Write JavaScript on the left, and see its world on the right."
LIVE = re.compile(r"scene:(?P<scene>[\w-]+)(?:\?(?P<settings>.*))?")
SHOT = re.compile(r"^shot (\S+) (\S+) \d+(.*)$", re.MULTILINE)  # see demo/lessons/pictures.sh
LESSON = re.compile(r"(\d+_\w+|lite)\.(md|c)")


class Site:
    def __init__(self, options):
        self.options, self.output = options, options.output
        self.api = reference.Api(json.loads((HERE.parent / "api.json").read_text("utf-8")))
        sections = set(self.api.sections())
        self.comments = Comments(self.api.address, lambda name: reference.page_of(name)
                                 if name in sections else None)
        self.markdown = Markdown(self.api.address, self.link, self.picture)
        self.template = string.Template((HERE / "theme" / "page.html").read_text("utf-8"))
        self.pages = {}  # address: (title, description, body, headings)
        self.search = full_text.Index()
        self.pictures = {}  # scene and settings: file
        self.shots = {file: (scene, "&".join(settings.split())) for file, scene, settings
                      in SHOT.findall((LESSONS / "pictures.sh").read_text("utf-8"))}

    # -- links and pictures

    @staticmethod
    def link(address):
        """The address of a page of the site for a link of a guide or lesson."""
        if re.match(r"\w+:", address) or address.startswith("#"):
            return address
        path, _, anchor = address.partition("#")
        if path.startswith("reference/"):
            path = reference.page_of(path.removeprefix("reference/").removesuffix(".md"))
        elif LESSON.fullmatch(path):
            anchor = anchor or ("the-program" if path.endswith(".c") else "")
            path = f"lesson-{pathlib.PurePath(path).stem}.html"
        elif path.endswith((".c", ".h")):  # of a lesson, on the same page
            path, anchor = "", slug(path)
        elif path.endswith(".md"):
            path = path.removesuffix(".md") + ".html"
        return path + (f"#{anchor}" if anchor else "")

    def picture(self, address, caption):
        """A figure: a file of pictures/ or of the lessons, or a scene of the demo."""
        live = LIVE.fullmatch(address)
        if live:
            scene, settings = live["scene"], live["settings"] or ""
            file = self.scene_picture(scene, settings)
        else:
            scene, settings = self.shots.get(address, (None, ""))
            file = self.copy_picture(address)
        if not scene or not self.options.web_demo:
            return self.figure(file, caption) if file else ""
        # A live scene begins with its first step, except for the solver lab.
        parameters = "".join(f"&{s}" for s in settings.split("&") if s and
                             ("lab=" in settings or not s.startswith("steps=")))
        target = html.escape(f"demo/index.html#scene={scene}{parameters}")
        image = f'<img src="{file}" alt="{plain(caption)}" loading="lazy">' if file else \
            f'<img src="icon.svg" alt="{plain(caption)}">'
        return f'<figure class="live" data-live="{target}"><button type="button">{image}</button>' \
               f'<figcaption>{caption} <a href="{target}">Open</a></figcaption></figure>'

    @staticmethod
    def figure(file, caption):
        return f'<figure><img src="{file}" alt="{plain(caption)}" loading="lazy">' \
               f"<figcaption>{caption}</figcaption></figure>"

    def copy_picture(self, address):
        source = LESSONS / address
        if not source.exists():
            source = HERE / "pictures" / address
        name = f"pictures/{source.name}"
        shutil.copyfile(source, self.output / name)
        return name

    def scene_picture(self, scene, settings):
        """The picture of a scene: after some steps (steps=60), with overlays of the demo
        (overlay=contacts,mass), at a place of the solver lab (lab=300), and with parameters of the
        scene."""
        if not self.options.demo:
            return None
        key = f"{scene}-{zlib.crc32(settings.encode()):08x}" if settings else scene
        name = f"pictures/{key}.png"
        if not (self.output / name).exists():
            values = dict(s.split("=") for s in settings.split("&") if s)
            command = [self.options.demo, scene, "--headless", "--size", "780x488", "--light",
                       "--steps", values.pop("steps", "60"), "--screenshot", self.output / name]
            if "overlay" in values:
                command += ["--overlay", values.pop("overlay")]
            if "lab" in values:
                command += ["--lab", values.pop("lab")]
            for item in values.items():
                command += ["--set", "=".join(item)]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        return name

    # -- pages

    def add(self, address, kind, title, body, headings=(), description=""):
        self.pages[address] = (title, description or title, body, list(headings))
        if kind == "Reference":
            self.search.add(title, address, kind, description, "")
        else:
            self.search.add_page(title, address, kind, description, body, headings)

    def add_guide(self, name):
        text = (HERE / "guides" / f"{name}.md").read_text("utf-8")
        body = self.markdown.convert(text)
        if name == "testing":
            body = body.replace("<p>COUNTS</p>", counts.table())
        self.add_text(f"{name}.html", "Guide", body)

    def add_text(self, address, kind, body):
        headings = self.markdown.headings
        title = headings[0][1]
        description = re.split(r"(?<=\.)\s", self.markdown.first)[0]
        self.add(address, kind, title, body, headings[1:], description)

    @staticmethod
    def programs(path, text):
        """The program of a lesson, and the other files that its page links to, with titles."""
        own = path.with_suffix(".c")
        found = [("The program", own)] if own.exists() else []
        linked = re.findall(r"\]\(([\w/]+\.[ch])\)", text)
        return found + [(name, LESSONS / name) for name in dict.fromkeys(linked)
                        if name != own.name]

    def add_lesson(self, path):
        text = path.read_text("utf-8")
        body = self.markdown.convert(text)
        if self.options.web and path.stem in playground_page.names():
            body += f'<p><a href="playground.html#example={path.stem}">Run this lesson in ' \
                    "JavaScript</a>, and change it, in the playground.</p>\n"
        for title, program in self.programs(path, text):
            code = highlight(program.read_text("utf-8"), "c", self.api.address)
            body += f'<h2 id="{slug(title)}">{title}</h2>\n' \
                    f'<div class="code"><pre><code>{code}</code></pre></div>\n'
            self.markdown.headings.append((2, title, slug(title)))
        name = "lessons" if path.stem == "README" else f"lesson-{path.stem}"
        if name == "lessons":
            body += self.picture("scene:sat-lab?steps=1&explain=1", "The SAT lab of the demo.")
            body += self.picture("scene:lite?steps=70", "The scene lite of the demo.")
        self.add_text(f"{name}.html", "Lesson", body)

    def add_reference(self):
        given = {"js": self.options.web, "python": self.options.python, "lua": self.options.lua}
        bindings = {language: read_signatures(language, place, self.api)
                    for language, place in given.items() if place}
        pages = reference.Reference(self.api, self.comments, bindings)
        for name, body in pages.sections():
            title = name[0].upper() + name[1:]
            names = re.findall(r'<section class="entry" id="(\w+)"', body)
            address = reference.page_of(name)
            self.add(address, "Reference", title, f'<h1 id="top">{title}</h1>\n{body}',
                     [(2, n, n) for n in names], f"Reference: {title}")
        for name, address, first, text in reference.search_entries(self.api):
            self.search.add(name, address, "Reference", first, text)
        self.add_names(bindings)
        missing = [f"{function} in {language}" for language, lines in bindings.items()
                   for function in self.api.functions if function not in lines]
        if missing:
            print(f"build.py: there is no {', '.join(missing)}", file=sys.stderr)

    def add_names(self, bindings):
        """A table of all functions in all languages."""
        text = (HERE / "guides" / "names.md").read_text("utf-8")
        body = self.markdown.convert(text)
        heads = "".join(f"<th>{NAMES[language]}</th>" for language in ["c", *bindings])
        rows = ""
        for function in self.api.functions:
            cells = [f'<a href="{self.api.address(function)}"><code>{function}</code></a>']
            for language, lines in bindings.items():
                cells.append("<br>".join(f"<code>{highlight(short, language)}</code>" for short in
                                         dict.fromkeys(map(shorten, lines.get(function, [])))))
            rows += "<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>\n"
        table = f'<div class="table"><table class="fields">\n<thead><tr>{heads}</tr></thead>\n' \
                f"<tbody>\n{rows}</tbody></table></div>"
        self.add_text("names.html", "Reference", body.replace("<p>TABLE</p>", table))

    def add_playground(self):
        if not self.options.web:
            return
        body = playground_page.write(self.options.web / "package", self.output)
        self.add("playground.html", "Guide", "Playground", body, description=PLAYGROUND)
        for example in playground_page.examples():
            self.search.add(example["title"], f"playground.html#example={example['name']}",
                            "Playground", "Example", re.sub(r"(?m)^(?!//).*", "", example["code"]))

    def add_index(self):
        text = (HERE / "guides" / "index.md").read_text("utf-8")
        body = self.markdown.convert(text)
        cards = ""
        for name in [*GUIDES, "playground"]:
            if f"{name}.html" not in self.pages:
                continue
            title, description, *_ = self.pages[f"{name}.html"]
            cards += f'<li><a href="{name}.html"><strong>{html.escape(title)}</strong>' \
                     f"<span>{html.escape(description)}</span></a></li>\n"
        body = body.replace("<p>GUIDES</p>", f'<ul class="cards">\n{cards}</ul>')
        self.add("index.html", "Guide", "Cairn", body, self.markdown.headings[1:],
                 "A 2D rigid-body physics engine for games, tools and teaching.")

    # -- output

    def contents(self, here):
        def item(address):
            mark = ' aria-current="page"' if address == here else ""
            title = html.escape(self.pages[address][0])
            return f'<li><a href="{address}"{mark}>{title}</a></li>\n'
        lessons = [a for a in self.pages if a.startswith("lesson-")]
        guides = [f"{g}.html" for g in [*GUIDES, "playground"] if f"{g}.html" in self.pages]
        parts = [("Guides", guides), ("Lessons", ["lessons.html", *lessons]),
                 ("Reference", ["names.html", *map(reference.page_of, self.api.sections())])]
        return "".join(f"<h2>{title}</h2>\n<ul>\n{''.join(map(item, addresses))}</ul>\n"
                       for title, addresses in parts)

    def write(self, address):
        title, description, body, headings = self.pages[address]
        links = "".join(f'<a href="#{anchor}">{html.escape(text).replace("_", "_<wbr>")}</a>\n'
                        for level, text, anchor in headings if level == 2)
        version = ".".join(str(self.api.entries[f"CN_VERSION_{p}"][1]["value"])
                           for p in ("MAJOR", "MINOR", "PATCH"))
        page = self.template.substitute(
            title=html.escape(title if title == "Cairn" else f"{title} · Cairn"),
            description=html.escape(description), contents=self.contents(address), body=body,
            headings=links, footer=f"Cairn {version}. Licence: MIT.")
        (self.output / address).write_text(page, encoding="utf-8")

    def build(self):
        self.output.mkdir(parents=True, exist_ok=True)
        (self.output / "pictures").mkdir(exist_ok=True)
        for name in ("icon.svg", "style.css", "head.js", "finder.js", "site.js"):
            shutil.copyfile(HERE / "theme" / name, self.output / name)
        if self.options.web_demo:
            (self.output / "demo").mkdir(exist_ok=True)
            for path in self.options.web_demo.iterdir():
                if path.is_file():
                    shutil.copyfile(path, self.output / "demo" / path.name)
        for name in GUIDES:
            self.add_guide(name)
        for path in sorted(LESSONS.glob("*.md"), key=lesson_number):
            self.add_lesson(path)
        self.add_playground()
        self.add_reference()
        self.add_index()
        for address in self.pages:
            self.write(address)
        (self.output / "search.js").write_text(self.search.script(), encoding="utf-8")


def lesson_number(path):
    """The number of a lesson. The page without a number is the last one."""
    number = path.stem.partition("_")[0]
    return int(number) if number.isdigit() else 1000


def plain(caption):
    """A caption without tags, for an attribute."""
    return re.sub(r"<[^>]*>", "", caption).replace('"', "&quot;")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("output", type=pathlib.Path)
    for name in ("--demo", "--web-demo", "--web", "--python", "--lua"):
        parser.add_argument(name, type=pathlib.Path)
    Site(parser.parse_args()).build()


if __name__ == "__main__":
    main()
