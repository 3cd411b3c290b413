"""The site is complete: every name of the API has an entry, every link leads somewhere, every page
is well-formed, and the signatures that it shows are those of cairn.h."""
import argparse
import html.parser
import json
import pathlib
import re
import shutil
import subprocess
import unittest
import urllib.parse

from site_paths import API, BUILD, DEMO, DOCS, LUA, PYTHON, ROOT, WEB, WEB_DEMO

import build
import playground_page
import reference
from compile import WARNINGS
from signatures import INSTEAD, read_signatures

HERE = pathlib.Path(__file__).resolve().parent
OUTPUT = BUILD / "site"
VOID = {"br", "hr", "img", "input", "link", "meta", "wbr"}
BLOCKS = {"p", "div", "ul", "ol", "dl", "table", "pre", "h1", "h2", "h3", "section", "figure"}
WITHOUT_BLOCKS = {"p", "h1", "h2", "h3", "dt", "span", "code", "a", "button"}


class Page(html.parser.HTMLParser):
    """The ids, links and files of a page, and its faults."""

    def __init__(self, path):
        super().__init__(convert_charrefs=True)
        self.open, self.faults = [], []
        self.ids, self.links, self.files = [], [], []
        self.feed(path.read_text("utf-8"))
        self.close()
        self.faults += [f"<{tag}> is not closed" for tag in self.open]
        self.faults += [f"the id {i} is there twice" for i in set(self.ids)
                        if self.ids.count(i) > 1]

    def fault(self, text):
        self.faults.append(f"line {self.getpos()[0]}: {text}")

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        if len(values) < len(attributes):
            self.fault(f"<{tag}> has an attribute twice")
        for outer in WITHOUT_BLOCKS & set(self.open) if tag in BLOCKS else ():
            self.fault(f"<{tag}> is in <{outer}>")
        if tag == "img" and "alt" not in values:
            self.fault("<img> has no alt")
        self.ids += [values["id"]] if "id" in values else []
        self.links += [values[n] for n in ("href", "data-live") if n in values and tag != "link"]
        self.files += [values["src"]] if "src" in values else []
        self.files += [values["href"]] if tag == "link" else []
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.fault(f"</{tag}> closes another element")


def text_of(markup):
    return html.unescape(re.sub(r"<[^>]*>", "", markup))


class Site(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        shutil.rmtree(OUTPUT, ignore_errors=True)
        build.Site(argparse.Namespace(output=OUTPUT, demo=DEMO, web_demo=WEB_DEMO, web=WEB,
                                      python=PYTHON, lua=LUA)).build()
        cls.pages = {path.name: Page(path) for path in OUTPUT.glob("*.html")}
        cls.api = reference.Api(json.loads(API.read_text("utf-8")))

    def test_pages_are_well_formed(self):
        self.assertGreater(len(self.pages), 40)
        for name, page in self.pages.items():
            with self.subTest(page=name):
                self.assertEqual(page.faults, [])

    def anchors(self, page):
        """What may stand behind the # of an address. The playground has links to its examples."""
        examples = playground_page.names() if page == "playground.html" else []
        return self.pages[page].ids + [f"example={name}" for name in examples]

    def test_links_lead_somewhere(self):
        count = 0
        for name, page in self.pages.items():
            for link in page.links:
                with self.subTest(page=name, link=link):
                    path, _, anchor = urllib.parse.unquote(link).partition("#")
                    if path.startswith("demo/"):
                        self.assertTrue((OUTPUT / path).exists())
                        continue
                    self.assertIn(path or name, self.pages)
                    if anchor:
                        self.assertIn(anchor, self.anchors(path or name))
                count += 1
        self.assertGreater(count, 1000)

    def test_files_are_there_and_nothing_comes_from_elsewhere(self):
        for name, page in self.pages.items():
            for file in page.files:
                with self.subTest(page=name, file=file):
                    self.assertTrue((OUTPUT / file).is_file())
        names = {"style.css", "site.js", "finder.js", "head.js", "playground.js"}
        for file in (path for path in OUTPUT.iterdir() if path.name in names):
            self.assertNotRegex(file.read_text("utf-8"), r"https?://|@import|url\(")

    def test_every_page_is_reached_from_the_contents(self):
        for name in self.pages:
            self.assertIn(name, self.pages["index.html"].links)

    def test_every_name_has_an_entry(self):
        for name in [*self.api.entries, *self.api.owners]:
            with self.subTest(name=name):
                page, _, anchor = (self.api.address(name) or "").partition("#")
                self.assertIn(anchor, self.pages[page].ids)
                self.assertEqual(anchor, name)
                self.assertIn(f'id="{name}"', (OUTPUT / page).read_text("utf-8"))

    def test_the_facts_below_a_comment_are_true_sentences(self):
        facts = {}
        for page in self.pages:
            for name, body in re.findall(r'<section class="entry" id="(\w+)">(.*?)</section>',
                                         (OUTPUT / page).read_text("utf-8"), re.DOTALL):
                found = re.search(r'<p class="facts">(.*?)</p>', body)
                facts[name] = text_of(found[1]) if found else ""
        self.assertEqual(facts["cn_replay_world"], "Does not change the simulation. The result is "
                         "valid until the object that owns it is destroyed. Part: recording.")
        self.assertIn("bytes must stay valid until the result is destroyed.",
                      facts["cn_replay_create"])
        self.assertIn("function must stay valid until another one is set.",
                      facts["cn_error_set_hook"])
        self.assertIn("valid until the next call on the same object.", facts["cn_replay_text"])
        self.assertIn("Changes the world.", facts["cn_world_step"])
        for name in ("cn_world_destroy", "cn_rollback_destroy", "cn_replay_seek"):
            self.assertNotIn("Changes the world.", facts[name])

    def test_every_comment_is_shown(self):
        """Compared without blanks, quotes, backquotes and the hyphens of lists."""
        def squeeze(text):
            return re.sub(r'\s|["`]', "", re.sub(r"^ *- ", "", text, flags=re.MULTILINE))
        shown = {name: squeeze(text_of((OUTPUT / name).read_text("utf-8"))) for name in self.pages}
        comments = [(s["name"], c) for s in self.api.api["sections"] for c in s["comments"]]
        for name, (_, entry) in self.api.entries.items():
            inner = entry.get("fields", []) + entry.get("values", [])
            comments += [(entry.get("section"), e["comment"]) for e in [entry, *inner]
                         if e.get("comment")]
        for paragraph in self.api.api["paragraphs"]:
            for group in paragraph:
                comments.append((self.api.section_of(group["names"][0]), group["comment"]))
        self.assertGreater(len(comments), 400)
        for section, comment in comments:
            with self.subTest(comment=comment):
                found = squeeze(comment) in shown[reference.page_of(section)]
                self.assertTrue(found, "the page of the section does not have this comment")

    def test_the_search_finds_every_name(self):
        text = (OUTPUT / "search.js").read_text("utf-8")
        index = json.loads(text.removeprefix("const SEARCH = ").rstrip().removesuffix(";"))
        names = {entry[0] for entry in index["entries"]}
        self.assertEqual([n for n in self.api.functions if n not in names], [])
        for name, address, kind, words in index["entries"]:
            page, _, anchor = address.partition("#")
            self.assertIn(anchor or "search", self.anchors(page))

    @unittest.skipUnless(shutil.which("node"), "node is not installed")
    def test_the_words_of_users_find_their_pages(self):
        lines = (HERE / "searches.txt").read_text("utf-8").splitlines()
        wanted = [line.split(": ") for line in lines if not line.startswith("#")]
        self.assertGreater(len(wanted), 40)
        done = subprocess.run(["node", HERE / "searches.mjs", OUTPUT, *(w for w, _ in wanted)],
                              capture_output=True, text=True, check=True)
        for (words, places), line in zip(wanted, done.stdout.splitlines(), strict=True):
            first = [a for address in line.split()[:2] for a in (address, address.split("#")[0])]
            with self.subTest(words=words, found=first):
                self.assertTrue(set(places.split()) & set(first))

    def test_synonyms_mean_words_that_the_pages_have(self):
        words = json.loads((OUTPUT / "search.js").read_text("utf-8")[len("const SEARCH = "):-2])
        for typed, meant in words["synonyms"].items():
            for word in meant:
                with self.subTest(typed=typed, word=word):
                    self.assertIn(word, words["words"])

    def test_signatures_are_those_of_the_header(self):
        """C allows a function to be declared again, if nothing differs."""
        shown = []
        for page in self.pages:
            for section in re.findall(r'<section class="entry" id="(\w+)">(.*?)</section>',
                                      (OUTPUT / page).read_text("utf-8"), re.DOTALL):
                code = re.search(r"<pre><code>(.*?)</code></pre>", section[1], re.DOTALL)
                if section[0] in self.api.functions:
                    shown.append(text_of(code[1]))
        self.assertEqual(len(shown), len(self.api.functions))
        source = "#include <cairn.h>\n" + "\n".join(shown) + "\n"
        done = subprocess.run(["cc", "-std=c17", *WARNINGS, "-fsyntax-only", f"-I{ROOT / 'engine'}",
                               "-xc", "-"], input=source, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)

    @unittest.skipUnless(WEB, "CAIRN_WEB is not set: the JavaScript package is not built")
    def test_every_function_is_shown_in_javascript(self):
        self.check_signatures("js", WEB)

    @unittest.skipUnless(PYTHON, "CAIRN_PYTHON is not set: the Python package is not built")
    def test_every_function_is_shown_in_python(self):
        self.check_signatures("python", PYTHON)

    @unittest.skipUnless(LUA, "CAIRN_LUA is not set: there is no library for LuaJIT")
    def test_every_function_is_shown_in_lua(self):
        self.check_signatures("lua", LUA)

    def check_signatures(self, language, place):
        """Each function has a line, and it is the one of its name."""
        lines = read_signatures(language, place, self.api)
        self.assertEqual([f for f in self.api.functions if not lines.get(f)], [])
        for name in self.api.functions:
            word = self.api.entries[name][1]["names"][language]
            self.assertEqual(word is None, name in INSTEAD[language], name)
            for line in lines[name] if word else ():
                with self.subTest(function=name, line=line):
                    self.assertRegex(line, rf"^(\w+[ .:])*{word.rpartition('.')[2]}\b")

    @unittest.skipUnless(WEB, "CAIRN_WEB is not set: the JavaScript package is not built")
    def test_the_examples_of_the_playground_run(self):
        done = subprocess.run(["node", HERE / "playground.mjs", DOCS / "playground",
                               WEB / "package"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    @unittest.skipUnless(shutil.which("node"), "node is not installed")
    def test_scripts_parse(self):
        for file in OUTPUT.glob("*.js"):
            subprocess.run(["node", "--check", file], check=True)


if __name__ == "__main__":
    unittest.main()
