"""The converters of Markdown and of the header's comments."""
import unittest

import site_paths  # noqa: F401 (the path of the modules)

from blocks import find_programs
from comments import Comments
from highlight import highlight
from markdown import Markdown


def parser():
    return Markdown(lambda name: "n.html" if name == "cn_box" else None,
                    lambda link: link.replace(".md", ".html"),
                    lambda address, caption: f'<figure data-at="{address}">{caption}</figure>')


def convert(text):
    return parser().convert(text)


class Texts(unittest.TestCase):
    def test_links_lead_to_pages_of_the_site(self):
        self.assertEqual(convert("a < b, [here](there.md#a) and `x < y`"),
                         '<p>a &lt; b, <a href="there.html#a">here</a> and '
                         "<code>x &lt; y</code></p>\n")

    def test_names_of_the_api_are_links(self):
        self.assertIn('<a href="n.html"><code>cn_box()</code></a>', convert("Call `cn_box()`."))
        self.assertIn('<a href="n.html"><code>cn_box(x, y)</code></a>', convert("`cn_box(x, y)`"))
        self.assertNotIn("<a", convert("`cn_box(1, 1).count`"))
        self.assertIn('<a href="n.html">cn_box</a>', convert("```c\ncn_box(1, 1);\n```\n"))

    def test_blocks_in_several_languages_are_variants_of_one(self):
        text = convert("```c\nint i;\n```\n\n<!-- c\nassert(i);\n-->\n\n```python\ni = 0\n```\n\n"
                       "```text\n0\n```\n")
        self.assertEqual(text.count('class="code tabs"'), 1)
        self.assertEqual(text.count("data-language="), 2)
        self.assertEqual(text.count('class="code output"'), 1)

    def test_a_second_block_of_a_language_and_text_between_begin_a_new_piece(self):
        block = "```c\nint i;\n```\n"
        self.assertEqual(convert(block + block).count('<div class="code">'), 2)
        text = convert(f"{block}\nThe same:\n\n```js\nlet i;\n```\n")
        self.assertEqual(text.count('<div class="code">'), 2)

    def test_a_language_without_colours_is_shown(self):
        self.assertIn("find_package(cairn)", convert("```cmake\nfind_package(cairn)\n```\n"))

    def test_hidden_code_is_not_shown(self):
        self.assertEqual(convert("a\n\n<!-- c\nint hidden;\n\nint more;\n-->\n\nb\n"),
                         "<p>a</p>\n<p>b</p>\n")

    def test_a_picture_alone_is_no_paragraph(self):
        self.assertEqual(convert("![a *box*](scene:s?a=1&b=2)").strip(),
                         '<figure data-at="scene:s?a=1&b=2">a <em>box</em></figure>')

    def test_tables_can_scroll_and_their_numbers_stand_on_the_right(self):
        text = convert("| a | b |\n|---|--:|\n| c \\| d | 1 |\n")
        self.assertIn('<div class="table"><table>', text)
        self.assertIn('<td>c | d</td>\n<td class="right">1</td>', text)

    def test_headings_have_the_anchors_of_github(self):
        page = parser()
        text = page.convert("# Motor, and friction of `x_y`\n\n## A\n\n## A\n")
        self.assertIn('<h1 id="motor-and-friction-of-x_y">', text)
        self.assertIn('<h2 id="a-1">A <a class="anchor" href="#a-1">#</a></h2>', text)
        self.assertEqual(page.headings, [(1, "Motor, and friction of x_y",
                                          "motor-and-friction-of-x_y"),
                                         (2, "A", "a"), (2, "A", "a-1")])

    def test_the_first_paragraph_describes_the_page(self):
        page = parser()
        page.convert("# T\n\n![p](q)\n\n* item\n\n"
                     "The *first* `one`\nwith a [link](a.md).\n\nThen.\n")
        self.assertEqual(page.first, "The first one with a link.")


class Code(unittest.TestCase):
    def test_comments_strings_and_words_are_coloured(self):
        self.assertEqual(highlight('int s = "a//b"; // c', "c"),
                         '<span class="word">int</span> s = <span class="string">"a//b"</span>; '
                         '<span class="comment">// c</span>')

    def test_comments_of_lua(self):
        self.assertEqual(highlight("local a -- b", "lua"), '<span class="word">local</span> a '
                         '<span class="comment">-- b</span>')


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

    def test_a_range_up_to_a_name_is_no_field(self):
        self.assertEqual(self.convert("each i of 0..count-1"), "<p>each i of 0..count-1</p>\n")
        self.assertIn("<code>.count</code>", self.convert("at most .count of them"))

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
