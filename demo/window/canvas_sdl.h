/* canvas_sdl: a canvas that SDL draws, and the events that SDL reports. */
#ifndef DEMO_CANVAS_SDL_H
#define DEMO_CANVAS_SDL_H

#include "../ui/canvas.h"

#include <SDL.h>

typedef struct {
    SDL_Renderer *renderer; // not owned
    SDL_Texture *font;
} canvas_sdl;

// Fails, with SDL_GetError(), if the texture of glyphs cannot be made. `sdl` must stay where it is.
bool canvas_sdl_open(canvas_sdl *sdl, demo_canvas *canvas, SDL_Renderer *renderer);
void canvas_sdl_close(canvas_sdl *sdl, demo_canvas *canvas);

// Returns false for events that the demo does not use. `scale` is that of the canvas in pixels of
// the window.
bool event_from_sdl(demo_event *event, const SDL_Event *sdl, float scale);

#endif
