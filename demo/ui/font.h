/* font: the demo's typefaces, DejaVu Sans and DejaVu Sans Mono at 13 pixels, antialiased: printable
 * ASCII, and two signs for units. Texts are UTF-8. */
#ifndef DEMO_FONT_H
#define DEMO_FONT_H

// The signs for units, as UTF-8.
#define FONT_TEXT_MICRO   "\xC2\xB5"
#define FONT_TEXT_SQUARED "\xC2\xB2"

enum {
    FONT_FIRST = ' ',
    FONT_LAST = '~',
    FONT_PRINTABLE = FONT_LAST - FONT_FIRST + 1,
    FONT_MICRO = 0xB5,   // the code of the micro sign
    FONT_SQUARED = 0xB2, // the code of the superscript 2
    FONT_MONO = 0x100,   // is added to the code of a character for its monospaced glyph
    FONT_GLYPHS = 2 * FONT_PRINTABLE + 2,
    FONT_HEIGHT = 14,      // rows of a cell
    FONT_BASELINE = 11,    // rows above the baseline
    FONT_LINE = 18,        // from one line of text to the next
    FONT_MAX_ADVANCE = 16, // no glyph is wider
    FONT_LINE_BYTES = 256  // of a line of text
};

// A glyph's cell extends one pixel beyond its advance on both sides, so neighbours may overlap.
typedef struct {
    int advance;        // pixels, from this glyph's origin to the next one's
    const char *pixels; // packed, see font.c
} font_glyph;

// Returns the code of the next character of a text, and moves on.
int font_next(const char **text);
// Return the glyph of a code, and its index. A code that the font does not have counts as '?'.
const font_glyph *font_find(int code);
int font_index(int code);
int font_code(int index); // the reverse
// Returns the coverage of a pixel of the glyph's cell, 0..255.
unsigned char font_pixel(const font_glyph *glyph, int x, int y);
int font_text_width(const char *text); // pixels
// Returns the length of the words that fit into the width and into FONT_LINE_BYTES with their zero.
// Takes at least one word.
int font_line_length(const char *text, float width);

#endif
