#include "random_outlines.h"

const char *const outline_family_names[OUTLINE_FAMILIES] = {
    "star", "blob", "tour", "convex", "spiral", "comb", "stairs", "holes", "collinear", "tiny"};

static uint64_t state;

// splitmix64
static uint64_t next_random(void) {
    uint64_t z = state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}
static float random_between(float low, float high) {
    return low + (high - low) * (float)(next_random() >> 40) / 16777216.0f;
}
static int random_int(int low, int high) { // both included
    return low + (int)(next_random() % (uint64_t)(high - low + 1));
}

static void add_point(random_outlines *made, float x, float y) {
    made->points[made->point_count++] = cn_vec(x, y);
    made->outlines[made->count - 1].count++;
}
static void begin_outline(random_outlines *made) {
    made->outlines[made->count++] = (cn_outline){&made->points[made->point_count], 0};
}

// ---- about a centre

static void add_polar(random_outlines *made, vec2s center, float radius, float angle) {
    cn_rotation q = cn_rotation_of(angle);
    add_point(made, center.x + radius * q.c, center.y + radius * q.s);
}

static void add_star(random_outlines *made, vec2s center, float low, float high, int n) {
    begin_outline(made);
    for (int i = 0; i < n; i++) {
        float radius = random_between(low, high), part = random_between(0, 0.8f);
        add_polar(made, center, radius, 2 * CN_PI * ((float)i + part) / (float)n);
    }
}

static void add_blob(random_outlines *made, vec2s center, float size, int n) {
    float amplitude[5], phase[5];
    for (int k = 0; k < 5; k++)
        amplitude[k] = random_between(0, 0.15f), phase[k] = random_between(-3, 3);
    begin_outline(made);
    for (int i = 0; i < n; i++) {
        float angle = 2 * CN_PI * (float)i / (float)n, radius = 1;
        for (int k = 0; k < 5; k++)
            radius += amplitude[k] * cn_rotation_of((float)(k + 2) * angle + phase[k]).c;
        add_polar(made, center, size * radius, angle);
    }
}

static void make_star(random_outlines *made) {
    int n = random_int(4, 200);
    add_star(made, cn_vec(0, 0), random_between(0.05f, 0.9f), 1, n);
}

static void make_blob(random_outlines *made) {
    add_blob(made, cn_vec(0, 0), 0.7f, random_int(8, 200));
}

static void make_convex(random_outlines *made) {
    begin_outline(made);
    int n = random_int(3, 200);
    float height = random_between(0.05f, 1);
    for (int i = 0; i < n; i++) {
        cn_rotation q = cn_rotation_of(2 * CN_PI * ((float)i + random_between(0, 0.5f)) / (float)n);
        add_point(made, q.c, height * q.s);
    }
}

static void make_holes(random_outlines *made) {
    add_blob(made, cn_vec(0, 0), 1, random_int(20, 90));
    int places[16], holes = random_int(0, 10);
    for (int i = 0; i < 16; i++) places[i] = i;
    for (int i = 0; i < holes; i++) {
        int k = random_int(i, 15), place = places[k];
        places[k] = places[i];
        vec2s center = {{-0.15f + 0.1f * (float)(place % 4), -0.15f + 0.1f * (float)(place / 4)}};
        float size = random_between(0.01f, 0.045f), low = random_between(0.3f, 1);
        add_star(made, center, size * low, size, random_int(4, 10));
    }
}

// ---- arms

static void make_spiral(random_outlines *made) {
    int n = random_int(60, 95);
    float turns = random_between(0.5f, 4), width = random_between(0.2f, 0.8f) / (turns + 1);
    begin_outline(made);
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < n; i++) {
            float t = (float)(side ? n - 1 - i : i) / (float)(n - 1);
            float radius = (0.5f + turns * t) / (turns + 1) + (side ? width : 0) * 0.9f;
            add_polar(made, cn_vec(0, 0), radius, 2 * CN_PI * turns * t);
        }
}

static void make_comb(random_outlines *made) {
    int teeth = random_int(1, 48);
    float pitch = 1 / (float)teeth;
    begin_outline(made);
    add_point(made, 1, 1.1f), add_point(made, 0, 1.1f);
    for (int i = 0; i < teeth; i++) {
        float x = pitch * (float)i, top = random_between(0.7f, 1), end = random_between(0.3f, 0.5f);
        float bottom = random_between(0, 0.3f);
        add_point(made, x, random_between(0, 0.3f));
        add_point(made, x + pitch * end, bottom);
        if (i + 1 == teeth) break;
        add_point(made, x + pitch * 0.6f, top);
        add_point(made, x + pitch * random_between(0.7f, 0.9f), top);
    }
    add_point(made, 1, 0.9f);
}

static void make_stairs(random_outlines *made) {
    int n = random_int(1, 48);
    begin_outline(made);
    add_point(made, 0, 0);
    add_point(made, 1, 0);
    float x = 1, step = 1 / (float)n;
    for (int i = 0; i < n; i++) {
        float y = 0.1f + 0.05f * (float)random_int(0, 18);
        add_point(made, x, y);
        x = i + 1 < n ? x - step : 0;
        add_point(made, x, y);
    }
}

// ---- tours

static bool cross(vec2s a, vec2s b, vec2s c, vec2s d) {
    double abc = cn_cross2d(cn_between(a, b), cn_between(a, c));
    double abd = cn_cross2d(cn_between(a, b), cn_between(a, d));
    double cda = cn_cross2d(cn_between(c, d), cn_between(c, a));
    double cdb = cn_cross2d(cn_between(c, d), cn_between(c, b));
    return abc * abd <= 0 && cda * cdb <= 0;
}

// Replaces pairs of edges that cross by pairs that do not, which makes the tour shorter. Returns
// true if it found any.
static bool untangle_once(vec2s *p, int n) {
    bool changed = false;
    for (int i = 0; i < n; i++)
        for (int k = i + 2; k < n; k++) {
            if (i == 0 && k == n - 1) continue;
            if (!cross(p[i], p[i + 1], p[k], p[(k + 1) % n])) continue;
            for (int a = i + 1, b = k; a < b; a++, b--) {
                vec2s swap = p[a];
                p[a] = p[b];
                p[b] = swap;
            }
            changed = true;
        }
    return changed;
}

static void make_tour(random_outlines *made) {
    int n = random_int(0, 9) == 0 ? random_int(60, 200) : random_int(4, 60);
    begin_outline(made);
    for (int i = 0; i < n; i++) {
        float x = random_between(-1, 1);
        add_point(made, x, random_between(-1, 1));
    }
    while (untangle_once(made->points, n)) {}
}

// ---- nearly degenerate

// Makes a star with further points on its edges.
static void refine_star(random_outlines *made, int n, int more, float first, float last) {
    random_outlines star = {0};
    add_star(&star, cn_vec(0, 0), 0.4f, 1, n);
    begin_outline(made);
    for (int i = 0; i < n; i++) {
        vec2s a = star.points[i], e = glms_vec2_sub(star.points[(i + 1) % n], a);
        add_point(made, a.x, a.y);
        for (int k = 1; k <= more; k++) {
            float t = first + (last - first) * (float)k / (float)more;
            add_point(made, a.x + t * e.x, a.y + t * e.y);
        }
    }
}

static void make_collinear(random_outlines *made) {
    int n = random_int(3, 20);
    refine_star(made, n, random_int(1, 200 / n - 1), 0, 0.95f);
}

static void make_tiny(random_outlines *made) {
    int n = random_int(3, 100);
    float size = random_between(1e-6f, 1e-2f);
    random_outlines star = {0};
    add_star(&star, cn_vec(0, 0), 0.4f, 1, n);
    begin_outline(made);
    for (int i = 0; i < n; i++) {
        vec2s a = star.points[i], b = star.points[(i + 1) % n], e = glms_vec2_sub(b, a);
        add_point(made, a.x + size * e.x, a.y + size * e.y);
        add_point(made, b.x - size * e.x, b.y - size * e.y);
    }
}

void make_random_outlines(random_outlines *made, outline_family family, uint64_t seed) {
    static void (*const makers[OUTLINE_FAMILIES])(random_outlines *) = {
        make_star, make_blob,   make_tour,  make_convex,    make_spiral,
        make_comb, make_stairs, make_holes, make_collinear, make_tiny};
    state = seed * OUTLINE_FAMILIES + (uint64_t)family;
    next_random();
    made->count = made->point_count = 0;
    makers[family](made);
}

void place_outlines(random_outlines *made, float scale, float angle, vec2s offset) {
    cn_pose pose = cn_pose_at(offset, angle);
    for (int i = 0; i < made->point_count; i++)
        made->points[i] = cn_pose_point(pose, glms_vec2_scale(made->points[i], scale));
}

void reverse_outline(random_outlines *made, int i) {
    vec2s *p = &made->points[made->outlines[i].points - made->points];
    for (int a = 0, b = made->outlines[i].count - 1; a < b; a++, b--) {
        vec2s swap = p[a];
        p[a] = p[b];
        p[b] = swap;
    }
}
