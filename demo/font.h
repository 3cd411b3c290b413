/* The one typeface of the demo: DejaVu Sans at 13 pixels, printable ASCII, with soft edges. */
#ifndef DEMO_FONT_H
#define DEMO_FONT_H

enum {
    FONT_FIRST = ' ',
    FONT_LAST = '~',
    FONT_HEIGHT = 14,     // rows of a cell
    FONT_BASELINE = 11,   // rows above the baseline
    FONT_LINE = 18,       // from one line of text to the next
    FONT_MAX_ADVANCE = 16 // no glyph is wider
};

// A glyph's cell is one pixel wider than its advance on both sides, so that neighbours may overlap.
typedef struct {
    int advance;        // from this glyph's origin to the next one's, pixels
    const char *pixels; // see font.c
} font_glyph;

// The glyph of a character; that of '?' for one the font does not have.
const font_glyph *font_find(char character);
// The coverage of a pixel of the glyph's cell, 0..255.
unsigned char font_pixel(const font_glyph *glyph, int x, int y);
int font_text_width(const char *text);

#endif
