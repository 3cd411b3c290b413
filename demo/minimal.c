/* A world in a window, with the mouse to drag bodies: what to copy first into a game. */
#include <SDL.h>
#include <cairn.h>

static const float scale = 40; // pixels per metre; the origin is at (400, 560)

static SDL_FPoint to_screen(vec2s p) { return (SDL_FPoint){400 + p.x * scale, 560 - p.y * scale}; }

static vec2s mouse_in_world(void) {
    int x, y;
    SDL_GetMouseState(&x, &y);
    return (vec2s){{((float)x - 400) / scale, (560 - (float)y) / scale}};
}

static void add_box(cn_world *world, cn_motion_type type, float x, float y, cn_hull hull) {
    const cn_shape_def shape = {.hull = hull};
    cn_body_create(
        world,
        &(cn_body_def){.type = type, .position = {{x, y}}, .shapes = &shape, .shape_count = 1});
}

// Ties the body under the mouse to the ground, which is the first body.
static cn_joint grab(cn_world *world) {
    cn_side side;
    if (!cn_world_overlap_point(world, mouse_in_world(), NULL, &side, 1)) return (cn_joint){0};
    if (cn_body_type(world, side.body) != CN_DYNAMIC) return (cn_joint){0};
    cn_body ground = cn_world_body_in_slot(world, 0);
    cn_joint_def def = cn_mouse_joint(world, ground, side.body, mouse_in_world());
    return cn_joint_create(world, def);
}

static void drag(cn_world *world, cn_joint mouse) {
    if (!cn_joint_valid(world, mouse)) return;
    cn_pose ground = cn_body_pose(world, cn_world_body_in_slot(world, 0));
    cn_pose target = {cn_pose_local_point(ground, mouse_in_world()), {1, 0}};
    cn_joint_set_frames(world, mouse, target, cn_joint_definition(world, mouse).frame_b);
}

static void draw(SDL_Renderer *renderer, cn_world *world) {
    cn_drawing drawing;
    SDL_SetRenderDrawColor(renderer, 25, 28, 34, 255);
    SDL_RenderClear(renderer);
    if (!cn_world_draw(world, CN_DRAW_SHAPES, &drawing)) return;
    for (int i = 0; i < drawing.triangle_vertices; i += 3) {
        SDL_Vertex corners[3] = {0};
        for (int k = 0; k < 3; k++) {
            uint32_t c = drawing.triangles[i + k].color; // 0xRRGGBBAA
            corners[k].position = to_screen(drawing.triangles[i + k].position);
            corners[k].color =
                (SDL_Color){(Uint8)(c >> 24), (Uint8)(c >> 16), (Uint8)(c >> 8), 255};
        }
        SDL_RenderGeometry(renderer, NULL, corners, 3, NULL, 0);
    }
    SDL_RenderPresent(renderer);
}

int main(int argument_count, char **arguments) {
    (void)argument_count, (void)arguments;
    SDL_Init(SDL_INIT_VIDEO);
    SDL_Window *window =
        SDL_CreateWindow("Cairn", SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED, 800, 600, 0);
    SDL_Renderer *renderer = SDL_CreateRenderer(window, -1, SDL_RENDERER_PRESENTVSYNC);
    cn_world *world = cn_world_create(&(cn_world_def){.gravity = {{0, -10}}});
    add_box(world, CN_STATIC, 0, -0.5f, cn_box(9, 0.5f));
    for (int i = 0; i < 20; i++)
        add_box(world, CN_DYNAMIC, (float)(i % 5) - 2, 0.5f + (float)(i / 5), cn_box(0.45f, 0.5f));
    cn_joint mouse = {0};
    for (Uint32 before = SDL_GetTicks(), now; !SDL_QuitRequested(); before = now) {
        now = SDL_GetTicks();
        bool held = SDL_GetMouseState(NULL, NULL) & SDL_BUTTON_LMASK;
        if (held && !mouse.id) mouse = grab(world);
        if (!held && mouse.id) cn_joint_destroy(world, mouse), mouse.id = 0;
        drag(world, mouse);
        cn_world_advance(world, (float)(now - before) / 1000);
        draw(renderer, world);
    }
    cn_world_destroy(world);
    SDL_Quit();
}
