/* Draws the batches of a canvas, and translates events. */
#include "canvas_sdl.h"

#include <string.h>

// ---- drawing

static void clear(void *context, uint32_t color) {
    const canvas_sdl *sdl = context;
    SDL_SetRenderDrawColor(sdl->renderer, (Uint8)(color >> 24), (Uint8)(color >> 16),
                           (Uint8)(color >> 8), (Uint8)color);
    SDL_RenderClear(sdl->renderer);
}

static void draw(void *context, const canvas_batch *batch, bool has_texture) {
    const canvas_sdl *sdl = context;
    const canvas_vertex *v = batch->vertices;
    SDL_RenderGeometryRaw(sdl->renderer, has_texture ? sdl->font : NULL, &v->x, sizeof *v,
                          (const SDL_Color *)(const void *)v->color, sizeof *v, &v->u, sizeof *v,
                          batch->vertex_count, batch->indices, batch->index_count,
                          sizeof *batch->indices);
}

static void clip(void *context, const demo_area *area) {
    const canvas_sdl *sdl = context;
    SDL_Rect rect = {0, 0, 0, 0};
    if (area) rect = (SDL_Rect){(int)area->x, (int)area->y, (int)area->w, (int)area->h};
    SDL_RenderSetClipRect(sdl->renderer, area ? &rect : NULL);
}

static SDL_Texture *make_font(SDL_Renderer *renderer) {
    static uint8_t alphas[CANVAS_FONT_WIDTH * CANVAS_FONT_HEIGHT];
    static Uint32 pixels[CANVAS_FONT_WIDTH * CANVAS_FONT_HEIGHT];
    canvas_write_font(alphas);
    for (size_t i = 0; i < sizeof alphas; i++) pixels[i] = 0xFFFFFF00u | alphas[i];
    SDL_Texture *texture =
        SDL_CreateTexture(renderer, SDL_PIXELFORMAT_RGBA8888, SDL_TEXTUREACCESS_STATIC,
                          CANVAS_FONT_WIDTH, CANVAS_FONT_HEIGHT);
    if (!texture) return NULL;
    SDL_UpdateTexture(texture, NULL, pixels, CANVAS_FONT_WIDTH * (int)sizeof *pixels);
    SDL_SetTextureBlendMode(texture, SDL_BLENDMODE_BLEND);
    SDL_SetTextureScaleMode(texture, SDL_ScaleModeNearest);
    return texture;
}

bool canvas_sdl_open(canvas_sdl *sdl, demo_canvas *canvas, SDL_Renderer *renderer) {
    *sdl = (canvas_sdl){renderer, make_font(renderer)};
    SDL_SetRenderDrawBlendMode(renderer, SDL_BLENDMODE_BLEND);
    canvas_open(canvas, (canvas_backend){sdl, clear, draw, clip});
    return sdl->font != NULL;
}

void canvas_sdl_close(canvas_sdl *sdl, demo_canvas *canvas) {
    canvas_close(canvas);
    if (sdl->font) SDL_DestroyTexture(sdl->font);
    sdl->font = NULL;
}

// ---- events

static int key_from_sdl(SDL_Keycode key) {
    static const struct {
        SDL_Keycode sdl;
        int key;
    } keys[] = {
        {SDLK_LEFT, KEY_LEFT},      {SDLK_RIGHT, KEY_RIGHT},        {SDLK_UP, KEY_UP},
        {SDLK_DOWN, KEY_DOWN},      {SDLK_HOME, KEY_HOME},          {SDLK_END, KEY_END},
        {SDLK_PAGEUP, KEY_PAGE_UP}, {SDLK_PAGEDOWN, KEY_PAGE_DOWN}, {SDLK_KP_PLUS, '+'},
        {SDLK_KP_MINUS, '-'},       {SDLK_KP_ENTER, KEY_ENTER},
    };
    if (key >= SDLK_F1 && key <= SDLK_F12) return KEY_F1 + (int)(key - SDLK_F1);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (keys[i].sdl == key) return keys[i].key;
    return key > 0 && key < 128 ? (int)key : 0; // SDL names them by their characters, too
}

static bool translate_key(demo_event *event, const SDL_KeyboardEvent *sdl) {
    event->kind = sdl->type == SDL_KEYDOWN ? EVENT_KEY : EVENT_KEY_UP;
    event->key = key_from_sdl(sdl->keysym.sym);
    event->shift = sdl->keysym.mod & KMOD_SHIFT;
    event->ctrl = sdl->keysym.mod & KMOD_CTRL;
    event->repeats = sdl->repeat;
    return event->key != 0;
}

static bool translate_button(demo_event *event, const SDL_MouseButtonEvent *sdl, float scale) {
    event->kind = sdl->type == SDL_MOUSEBUTTONDOWN ? EVENT_PRESS : EVENT_RELEASE;
    event->point = (vec2s){{(float)sdl->x / scale, (float)sdl->y / scale}};
    event->button = sdl->button == SDL_BUTTON_LEFT    ? BUTTON_LEFT
                    : sdl->button == SDL_BUTTON_RIGHT ? BUTTON_RIGHT
                                                      : BUTTON_MIDDLE;
    event->clicks = sdl->clicks;
    return true;
}

static bool translate_wheel(demo_event *event, const SDL_MouseWheelEvent *sdl, float scale) {
    int x, y;
    SDL_GetMouseState(&x, &y);
    event->kind = EVENT_WHEEL;
    event->point = (vec2s){{(float)x / scale, (float)y / scale}};
    event->notches = sdl->preciseY;
    event->shift = SDL_GetModState() & KMOD_SHIFT;
    event->ctrl = SDL_GetModState() & KMOD_CTRL;
    return true;
}

// The buttons of a game controller stand for keys.
static bool translate_pad(demo_event *event, const SDL_ControllerButtonEvent *sdl) {
    static const struct {
        uint8_t button;
        int key;
    } buttons[] = {
        {SDL_CONTROLLER_BUTTON_DPAD_LEFT, KEY_LEFT},
        {SDL_CONTROLLER_BUTTON_DPAD_RIGHT, KEY_RIGHT},
        {SDL_CONTROLLER_BUTTON_DPAD_UP, KEY_UP},
        {SDL_CONTROLLER_BUTTON_DPAD_DOWN, KEY_DOWN},
        {SDL_CONTROLLER_BUTTON_A, ' '},
        {SDL_CONTROLLER_BUTTON_START, 'p'},
        {SDL_CONTROLLER_BUTTON_BACK, 'r'},
        {SDL_CONTROLLER_BUTTON_B, KEY_BACKSPACE},
        {SDL_CONTROLLER_BUTTON_LEFTSHOULDER, KEY_PAGE_UP},
        {SDL_CONTROLLER_BUTTON_RIGHTSHOULDER, KEY_PAGE_DOWN},
    };
    event->kind = sdl->type == SDL_CONTROLLERBUTTONDOWN ? EVENT_KEY : EVENT_KEY_UP;
    for (size_t i = 0; i < sizeof buttons / sizeof *buttons; i++)
        if (buttons[i].button == sdl->button) event->key = buttons[i].key;
    return event->key != 0;
}

// The left stick stands for the arrow keys: down beyond half of its way, up again before. If it
// jumps from one side to the other, the first key goes up now, and the same event comes again.
static bool translate_stick(demo_event *event, const SDL_Event *whole) {
    const SDL_ControllerAxisEvent *sdl = &whole->caxis;
    enum { HALF = 16384 };
    static int held[2]; // -1, 0 or 1, of both axes
    static const int keys[2][2] = {{KEY_LEFT, KEY_RIGHT}, {KEY_UP, KEY_DOWN}};
    int axis = sdl->axis == SDL_CONTROLLER_AXIS_LEFTX ? 0 : 1;
    if (sdl->axis != SDL_CONTROLLER_AXIS_LEFTX && sdl->axis != SDL_CONTROLLER_AXIS_LEFTY)
        return false;
    int now = sdl->value > HALF ? 1 : sdl->value < -HALF ? -1 : 0;
    if (now == held[axis]) return false;
    if (now == -held[axis]) {
        SDL_Event again = *whole;
        SDL_PushEvent(&again);
        now = 0;
    }
    event->kind = now ? EVENT_KEY : EVENT_KEY_UP;
    event->key = keys[axis][(now ? now : held[axis]) > 0];
    held[axis] = now;
    return true;
}

bool event_from_sdl(demo_event *event, const SDL_Event *sdl, float scale) {
    *event = (demo_event){0};
    switch (sdl->type) {
    case SDL_QUIT: event->kind = EVENT_QUIT; return true;
    case SDL_KEYDOWN:
    case SDL_KEYUP: return translate_key(event, &sdl->key);
    case SDL_MOUSEBUTTONDOWN:
    case SDL_MOUSEBUTTONUP: return translate_button(event, &sdl->button, scale);
    case SDL_MOUSEWHEEL: return translate_wheel(event, &sdl->wheel, scale);
    case SDL_MOUSEMOTION:
        event->kind = EVENT_MOVE;
        event->point = (vec2s){{(float)sdl->motion.x / scale, (float)sdl->motion.y / scale}};
        return true;
    case SDL_WINDOWEVENT:
        event->kind = EVENT_LEAVE;
        return sdl->window.event == SDL_WINDOWEVENT_LEAVE;
    case SDL_CONTROLLERBUTTONDOWN:
    case SDL_CONTROLLERBUTTONUP: return translate_pad(event, &sdl->cbutton);
    case SDL_CONTROLLERAXISMOTION: return translate_stick(event, sdl);
    case SDL_TEXTINPUT: event->kind = EVENT_TEXT, event->text = sdl->text.text; return true;
    case SDL_DROPFILE: event->kind = EVENT_DROP, event->text = sdl->drop.file; return true;
    default: return false;
    }
}
