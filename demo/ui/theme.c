/* The two themes: dark and light.
 *
 * The hull classes differ in hue but hardly in lightness, so that no class stands out. Static
 * bodies are grey with the hue of the background. The accent colour marks what the user selects or
 * moves. */
#include "theme.h"

const demo_theme theme_dark = {
    .background = 0x191C22FF,
    .grid = 0x21252DFF,
    .grid_axis = 0x2B313BFF,
    .static_fill = 0x39414EFF,
    .static_outline = 0x5A6576FF,
    .kinematic = 0x4A5A74FF,
    .kinematic_outline = 0x7F97BDFF,
    .class_fills =
        {
            [CLASS_CIRCLE] = 0x5FB3C8FF,
            [CLASS_CAPSULE] = 0x9A8FE0FF,
            [CLASS_SEGMENT] = 0xB9C2CFFF,
            [CLASS_BOX] = 0xE2B36BFF,
            [CLASS_ROUNDED_BOX] = 0x83BE80FF,
            [CLASS_POLYGON] = 0xE07F70FF,
            [CLASS_ROUNDED_POLYGON] = 0xD48FBCFF,
        },
    .outline = 0x14171CFF,
    .water = 0x3F9FE0FF,
    .syrup = 0xD99A2BFF,
    .grab = 0xFFD479FF,
    .force = 0xFF5CA8FF,
    .overlay_shade = 0,
    .panel = 0x20242CFF,
    .panel_edge = 0x323844FF,
    .widget = 0x2E343FFF,
    .widget_hot = 0x3A4250FF,
    .widget_held = 0x475164FF,
    .accent = 0x6FB7E9FF,
    .text = 0xDCE1E9FF,
    .text_dim = 0x8E98A8FF,
    .text_heading = 0x6FB7E9FF,
    .text_on_accent = 0x10151CFF,
    .text_error = 0xFF8A7AFF,
    .hull_a = 0x6FB7E9FF,
    .hull_b = 0xE9A46FFF,
    .gap = 0x8FD694FF,
    .overlap = 0xF0716BFF,
    .reference = 0xFFE08AFF,
    .incident = 0xF2A6D8FF,
    .white = 0xE8ECF2FF,
    .black = 0x0C0E12FF,
    .area_tint = 0,
};

const demo_theme theme_light = {
    .background = 0xF7F4EDFF,
    .grid = 0xECE8DFFF,
    .grid_axis = 0xDDD8CCFF,
    .static_fill = 0xCFCABDFF,
    .static_outline = 0x9C9686FF,
    .kinematic = 0xBECBDDFF,
    .kinematic_outline = 0x6E86A8FF,
    .class_fills =
        {
            [CLASS_CIRCLE] = 0x6DB7CBFF,
            [CLASS_CAPSULE] = 0xA79CE3FF,
            [CLASS_SEGMENT] = 0x5C6470FF,
            [CLASS_BOX] = 0xEBBE78FF,
            [CLASS_ROUNDED_BOX] = 0x8DC58AFF,
            [CLASS_POLYGON] = 0xE88D7EFF,
            [CLASS_ROUNDED_POLYGON] = 0xDB9CC5FF,
        },
    .outline = 0x3A3428FF,
    .water = 0x3C92CEFF,
    .syrup = 0xC98A1AFF,
    .grab = 0xC2571AFF,
    .force = 0xA8135CFF,
    .overlay_shade = 0.45f,
    .panel = 0xFDFBF6FF,
    .panel_edge = 0xD9D3C5FF,
    .widget = 0xECE7DBFF,
    .widget_hot = 0xE0DACBFF,
    .widget_held = 0xD2CBB9FF,
    .accent = 0x2F7CB3FF,
    .text = 0x2B2A27FF,
    .text_dim = 0x7B766BFF,
    .text_heading = 0x2F7CB3FF,
    .text_on_accent = 0xFFFFFFFF,
    .text_error = 0xB3261EFF,
    .hull_a = 0x2F7CB3FF,
    .hull_b = 0xC8742EFF,
    .gap = 0x3C8F46FF,
    .overlap = 0xC73B34FF,
    .reference = 0xAD8200FF,
    .incident = 0xA8438AFF,
    .white = 0xFFFFFFFF,
    .black = 0x14130FFF,
    .area_tint = 0.3f,
};

static uint32_t mix_channel(uint32_t a, uint32_t b, int shift, float fraction) {
    float from = (float)(a >> shift & 255), to = (float)(b >> shift & 255);
    return (uint32_t)(from + (to - from) * fraction + 0.5f) << shift;
}

uint32_t color_mix(uint32_t a, uint32_t b, float fraction) {
    return mix_channel(a, b, 24, fraction) | mix_channel(a, b, 16, fraction) |
           mix_channel(a, b, 8, fraction) | (a & 255);
}

uint32_t color_fade(uint32_t color, float alpha) {
    return (color & ~255u) | (uint32_t)((float)(color & 255) * alpha + 0.5f);
}
