/* The names that the examples in the comments of cairn.h take from the reader's program. */
#include <cairn.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

extern cn_world *world;
extern cn_body ground, crate, player, bomb, cave, wall, door, lamp, chassis, tyre, drum;
extern cn_joint small_gear, large_gear;
extern vec2s axle, mouse, hook, ring;
extern cn_pose pose;
extern float stick, speed_up, time_step;
extern bool jump_pressed;
extern FILE *file;
extern void *bytes;
extern size_t size;

typedef struct {
    float time, stick;
    cn_body player, lift;
    bool frozen;
} game;
extern game my_game;

bool is_running(void);
bool write_to_file(const void *bytes, size_t count, void *file);
float seconds_since_last_frame(void);
void draw_ball(vec2s position, float angle);
void draw_triangles(const cn_draw_vertex *vertices, int count);
void draw_lines(const cn_draw_vertex *vertices, int count);
void play_thud(vec2s point, float speed);
void play(cn_world *world);
bool write_to_file(const void *bytes, size_t size, void *user);
