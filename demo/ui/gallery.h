/* gallery: all scenes as small pictures, by groups, with a search. The benchmarks are on a page of
 * their own, because many of them look alike. The pictures are made by running the scenes for a
 * moment. */
#ifndef DEMO_GALLERY_H
#define DEMO_GALLERY_H

#include "panel.h"
#include "../stage/picture.h"

enum { GALLERY_MAX_SCENES = 256, GALLERY_MAX_SEARCH = 32 };

// What a scene looks like, as triangles.
typedef struct {
    canvas_batch triangles;
    bool is_made;
} gallery_picture;

typedef struct {
    bool open;
    bool has_benchmarks;             // shows them instead of the scenes; a search looks at both
    char search[GALLERY_MAX_SEARCH]; // lower case
    float scroll;
    gallery_picture pictures[GALLERY_MAX_SCENES]; // in the order of the lists
    bool is_complete;                             // no picture of the found scenes is missing
    const demo_theme *theme;                      // that they are made in
} demo_gallery;

void gallery_open(demo_gallery *gallery);
void gallery_close(demo_gallery *gallery);
void gallery_free(demo_gallery *gallery);
// Text is searched for; Backspace takes it back. Returns false for other events.
bool gallery_handle(demo_gallery *gallery, const demo_event *event);
// Makes one more picture, if one is missing.
void gallery_work(demo_gallery *gallery, const demo_theme *theme);
// Draws the gallery over the whole window. Returns the scene that was clicked, or NULL.
const scene *gallery_draw(demo_gallery *gallery, demo_canvas *canvas, const demo_theme *theme,
                          panel_mouse *mouse, float width, float height);
// Returns the scene that fits the search best, or the first one of several, or NULL.
const scene *gallery_first(const demo_gallery *gallery);
// True if the gallery shows the scene of a group, with its search and on its page.
bool gallery_shows(const demo_gallery *gallery, const scene_group *group, const scene *s);

// True if the words of the search are in the title or the name of the scene, or begin words of its
// caption.
bool gallery_finds(const char *search, const scene *s);

#endif
