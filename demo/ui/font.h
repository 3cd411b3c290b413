/* font: the demo's only typeface, DejaVu Sans at 13 pixels, printable ASCII, antialiased. */
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

// A glyph's cell extends one pixel beyond its advance on both sides, so neighbours may overlap.
typedef struct {
    int advance;        // pixels, from this glyph's origin to the next one's
    const char *pixels; // packed, see font.c
} font_glyph;

// Returns the glyph of a character, or that of '?' if the font does not have it.
const font_glyph *font_find(char character);
// Returns the coverage of a pixel of the glyph's cell, 0..255.
unsigned char font_pixel(const font_glyph *glyph, int x, int y);
int font_text_width(const char *text); // pixels

#endif
