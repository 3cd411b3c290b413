/* replay: the state of a replay, which replay.c and answers.c share. */
#ifndef CN_REPLAY_H
#define CN_REPLAY_H

#include "recording.h"

enum { CN_MAX_KEYFRAMES = 32 };

typedef struct {
    size_t at;
    int call, step;
    void *state;
    size_t size;
    // What a saved world does not contain.
    cn_callbacks callbacks;
    bool has_moves, profiles; // move events are on; profiling is on
    bool is_cut;
    cn_handle_map handles;
} cn_keyframe;

struct cn_replay {
    cn_recorder hooks; // first
    cn_memory memory;
    const unsigned char *bytes;
    cn_recording_size found;
    cn_world *world;

    cn_stream stream; // of the record that is read
    cn_handle_map handles;
    size_t at;         // the cursor
    int call, step;    // number that were played
    int outer;         // the present or last call outside of before_step
    bool failed;       // the data of a record are bad, or memory is short, or:
    const char *lacks; // a call needs this part, which is not built in; else NULL
    bool is_cut;       // some objects have other handles than the recorded ones, or are missing

    // The answers of a step, and the range of bytes with their records; 0: none were read.
    size_t answers_from, answers_end;
    CN_LIST(cn_answer) answers;
    size_t accepted_at; // the cursor when `accepted` was read; 0: none
    CN_LIST(cn_accepted) accepted;
    cn_body_marks marks; // scratch of a comparison

    cn_keyframe keyframes[CN_MAX_KEYFRAMES];
    int keyframe_count, distance;
    cn_desync desync;
    char text[CN_MAX_TEXT];
};

// The record at the cursor. Its kind is 0 at the end.
static inline cn_record cn_peek(const cn_replay *p) {
    cn_record record;
    return cn_read_record(p->bytes, p->found.end, p->at, &record) ? record : (cn_record){0};
}

// Returns a second stream, for a record that is read while the stream of the call is in use.
static inline cn_stream cn_side_stream(const cn_replay *p, const cn_record *record) {
    return (cn_stream){.reads = true, .from = p->bytes + record->data, .size = record->size};
}

// ---- the callbacks of a replay, which give the recorded answers (answers.c); `user` is the replay

bool cn_answer_filter(cn_world *world, cn_shape a, cn_shape b, void *user);
cn_pre_solve_result cn_answer_pre_solve(cn_world *world, const cn_contact *contact, void *user);
bool cn_answer_accept(const cn_world *world, cn_side side, void *user);

#endif
