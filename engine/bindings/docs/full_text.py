"""The index of the full-text search: theme/finder.js finds entries in it, in the browser.

    entries    [title, address, kind, text] of each page, of its sections, and of each name of the
               API
    words      word: numbers of the entries that have it, in increasing order. Each number is
               4 * (difference to the number before it) + weight. The weight is 0 for one
               occurrence, 1 for two or three, 2 for more, and 3 if the word is in the title.
    synonyms   what users type: words of Cairn that mean the same, see synonyms.txt
    stop       words that say nothing
"""
import collections
import html
import json
import pathlib
import re

SYNONYMS = pathlib.Path(__file__).with_name("synonyms.txt")
TITLE = 3
SECTION = re.compile(r'^<h2 id="(?P<anchor>[^"]*)">', re.MULTILINE)
STOP = set("a an and are as at be but by can do does each for from has have if in into is it its "
           "my not of on one or per so such than that the them then there they this to too was "
           "which with you your cn int float const return void".split())


def words_of(text):
    """The words of a text in lower case. A name such as cn_cast_ray or castRay is several words."""
    text = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", text).lower()
    return [w for w in re.findall(r"[a-z0-9]+", text) if len(w) > 1 and w not in STOP]


def text_of(body):
    """The text of HTML without blocks of code."""
    body = re.sub(r"<pre\b.*?</pre>|<svg\b.*?</svg>", " ", body, flags=re.DOTALL)
    return html.unescape(re.sub(r"<[^>]*>", " ", body))


def sections_of(body):
    """The parts of a page as (anchor, text). The first part has no anchor."""
    starts = [(m["anchor"], m.start()) for m in SECTION.finditer(body)]
    places = [("", 0), *starts]
    ends = [start for _, start in starts] + [len(body)]
    for (anchor, start), end in zip(places, ends):
        yield anchor, text_of(body[start:end])


def read_synonyms():
    """The pairs of synonyms.txt: {"raycast": ["ray"], ...}."""
    pairs = {}
    for line in SYNONYMS.read_text("utf-8").splitlines():
        typed, colon, meant = line.partition(":")
        if not colon or line.startswith("#"):
            continue
        for word in typed.split(","):
            pairs[word.strip()] = meant.split()
    return pairs


class Index:
    def __init__(self):
        self.entries = []
        self.words = collections.defaultdict(list)

    def add(self, title, address, kind, shown, text):
        """Adds an entry. `shown` stands below its title in the results."""
        number = len(self.entries)
        self.entries.append([title, address, kind, shown])
        counts = collections.Counter(words_of(text))
        in_title = set(words_of(title))
        for word in in_title | set(counts):
            count = counts[word]
            weight = TITLE if word in in_title else 0 if count < 2 else 1 if count < 4 else 2
            self.words[word].append((number, weight))

    def add_page(self, title, address, kind, description, body, headings):
        """Adds a page and its sections."""
        titles = {anchor: text for level, text, anchor in headings if level == 2}
        for anchor, text in sections_of(body):
            if not anchor:
                self.add(title, address, kind, description, text)
            elif not re.search(r"\.[ch]$", titles.get(anchor, ".c")):  # not the code of a lesson
                self.add(titles[anchor], f"{address}#{anchor}", kind, title, text)

    def script(self):
        """The file that the pages load."""
        words = {word: pack(found) for word, found in sorted(self.words.items())}
        index = {"entries": self.entries, "words": words, "synonyms": read_synonyms(),
                 "stop": sorted(STOP)}
        text = json.dumps(index, ensure_ascii=False, separators=(",", ":"))
        return f"const SEARCH = {text};\n"


def pack(found):
    before, packed = 0, []
    for number, weight in found:
        packed.append(4 * (number - before) + weight)
        before = number
    return packed
