"""The converters of Markdown and of the header's comments."""
import unittest

import site_paths  # noqa: F401 (the path of the modules)

from blocks import find_programs
from comments import Comments
from highlight import highlight
from markdown import Markdown, slug


def convert(text):
    return Markdown(lambda name: "n.html" if name == "cn_box" else None, lambda link: link,
                    lambda address, caption: f"[{address}]").convert(text)


class Texts(unittest.TestCase):
    def test_a_paragraph_has_code_links_and_emphasis(self):
        self.assertEqual(convert("a < b, `x < y`, **bold** and [here](#there)"),
                         '<p>a &lt; b, <code>x &lt; y</code>, <strong>bold</strong> and '
                         '<a href="#there">here</a></p>\n')

    def test_names_of_the_api_are_links(self):
        self.assertIn('<a href="n.html"><code>cn_box()</code></a>', convert("Call `cn_box()`."))

    def test_blocks_in_several_languages_are_variants_of_one(self):
        text = convert("```c\nint i;\n```\n\n```python\ni = 0\n```\n\n```text\n0\n```\n")
        self.assertEqual(text.count('class="code tabs"'), 1)
        self.assertEqual(text.count("data-language="), 2)
        self.assertEqual(text.count('class="code output"'), 1)

    def test_hidden_code_is_not_shown(self):
        self.assertEqual(convert("a\n\n<!-- c\nint hidden;\n-->\n\nb\n"), "<p>a</p>\n<p>b</p>\n")

    def test_an_item_may_go_on_in_the_next_line(self):
        self.assertEqual(convert("* a\n  b\n* c\n"), "<ul>\n<li>a b</li>\n<li>c</li>\n</ul>\n")

    def test_numbers_in_a_table_stand_on_the_right(self):
        text = convert("| a | b |\n|---|--:|\n| c | 1 |\n")
        self.assertIn('<tr><td>c</td><td class="right">1</td></tr>', text)

    def test_anchors_are_those_of_github(self):
        self.assertEqual(slug("Motor, and friction of `x`"), "motor-and-friction-of-x")


class Code(unittest.TestCase):
    def test_comments_strings_and_words_are_coloured(self):
        self.assertEqual(highlight('int s = "a//b"; // c', "c"),
                         '<span class="word">int</span> s = <span class="string">"a//b"</span>; '
                         '<span class="comment">// c</span>')


class HeaderComments(unittest.TestCase):
    def convert(self, text):
        return Comments(lambda name: f"#{name}", lambda name: "s.html").convert(text)

    def test_a_column_of_terms_is_a_list_of_definitions(self):
        text = self.convert("density       Buoyancy.\nlinear_drag   The velocity\n"
                            "              decays.")
        self.assertEqual(text, "<dl>\n<dt>density</dt><dd>Buoyancy.</dd>\n"
                               "<dt><code>linear_drag</code></dt><dd>The velocity decays.</dd>\n"
                               "</dl>\n")

    def test_indented_lines_are_code(self):
        self.assertTrue(self.convert("Text:\n\n    int i = 0;\n").endswith("</code></pre>\n"))

    def test_names_and_sections_are_links(self):
        text = self.convert('See cn_box() and "limits".')
        self.assertIn('<a href="#cn_box"><code>cn_box()</code></a>', text)
        self.assertIn('<a href="s.html">limits</a>', text)


class Programs(unittest.TestCase):
    TEXT = ("<!-- c\nint a = 1;\n-->\n\n## One\n\n```c\nstatic int f(void) { return 2; }\n```\n\n"
            "```c\nprintf(\"%d\\n\", a + f());\n```\n\n```text\n3\n```\n\n## Two\n\n"
            "```c\nint main(void) { return 0; }\n```\n")

    def test_a_section_is_a_program_that_begins_like_the_page(self):
        one, two = find_programs(self.TEXT)
        self.assertEqual((one.title, one.output), ("One", "3\n"))
        source = one.source()
        places = [source.index(part) for part in ("static int f", "int main", "int a = 1", "a + f")]
        self.assertEqual(places, sorted(places))
        self.assertIsNone(two.output)
        self.assertNotIn("int a = 1", two.source())


if __name__ == "__main__":
    unittest.main()
