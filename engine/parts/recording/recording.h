/* recording: writes the calls on a world to a stream of bytes, and replays them.
 *
 *   calls.c      writes and makes each call; generated from bindings/api.json
 *   stream.c     numbers, structs and arrays in the bytes of a record
 *   handles.c    finds the handle in the replay for a recorded handle
 *   recorder.c   cn_recording_begin(): writes records as the world reports calls and steps
 *   comparison.c which bodies a step record lists, and how a replay is compared with them
 *   records.c    finds and checks the records in the bytes of a recording; cuts recordings
 *   replay.c     cn_replay: makes the calls, compares hashes, seeks
 *   answers.c    the callbacks of a replay: give the recorded answers
 *
 * A recording is a header and records:
 *
 *     header   "CNRC" | format | cn_api_hash()
 *     record   kind (a byte) | size of the data (a varint) | checksum (two bytes) | data
 *
 *     start         which callbacks are set, and the saved world
 *     call          index of the function in the list of calls, arguments
 *     created       the handles that the call created
 *     accepted      the answers of query.accept in the call
 *     before step   before_step begins; the calls that it makes follow
 *     prepared      before_step has ended
 *     answers       the answers of filter and pre_solve in a stage of a step
 *     step          short hashes of the bodies that changed; sometimes the hash of the world
 *     end           the recording was ended: the hash of the world and of each body
 *
 * A call is written before it is made, and answers before the next stage of the step. So a call
 * that crashes is the last one of its recording, and a replay of this call gets the answers.
 *
 * A recording contains the handles of the recorded world. The handles of a replay may be different,
 * because calls may have been left out of the recording. So a replay has a table from recorded
 * handles to its own. If an object does not exist in the replay, calls with its handle are
 * skipped. */
#ifndef CN_RECORDING_H
#define CN_RECORDING_H

#include "../parts.h"
#include "../snapshot/snapshot.h"

// ---- handles (handles.c)

typedef enum {
    CN_HANDLE_BODY,
    CN_HANDLE_SHAPE,
    CN_HANDLE_JOINT,
    CN_HANDLE_GRID,
    CN_HANDLE_CHAIN,
    CN_HANDLE_KINDS
} cn_handle_kind;

typedef struct {
    uint64_t recorded, actual; // actual: in the replay. 0: no handle
} cn_handle_pair;

// A hash table for each kind.
typedef struct {
    struct {
        cn_handle_pair *items;
        int count, capacity; // a power of two, or 0
    } tables[CN_HANDLE_KINDS];
} cn_handle_map;

// Sets the handle in the replay for a recorded one. Returns false if memory is short.
bool cn_map_handle(cn_memory *memory, cn_handle_map *map, cn_handle_kind kind, uint64_t recorded,
                   uint64_t actual);
uint64_t cn_find_handle(const cn_handle_map *map, cn_handle_kind kind, uint64_t recorded); // or 0
// Clears the map, and maps the handle of each object of the world to itself.
bool cn_map_world(cn_memory *memory, cn_handle_map *map, const cn_world *world);
bool cn_copy_handles(cn_memory *memory, cn_handle_map *to, const cn_handle_map *from);
void cn_free_handles(cn_memory *memory, cn_handle_map *map);

// ---- streams (stream.c)

enum { CN_MAX_TEXT = 8000, CN_MAX_BLOCKS = 8, CN_HEADER_ROOM = 16 };

// The data of one record. The same functions write and read them.
typedef struct {
    cn_memory *memory;
    bool reads;
    bool failed; // the bytes are bad, or memory is short

    CN_LIST(unsigned char) written; // starts with CN_HEADER_ROOM bytes for the header

    const unsigned char *from; // when reading
    size_t at, size;           // bytes of `from`: read so far; all
    struct {
        void *items;
        size_t size;
    } blocks[CN_MAX_BLOCKS]; // arrays that were read, until cn_free_blocks()
    int block_count;
    const cn_handle_map *handles; // of a replay
    bool is_unknown;              // a recorded handle has no object in the replay
    bool creates;                 // the played call creates an object, unless it fails
    cn_handle_kind created_kind;  // kind of this object
    uint64_t created;             // its handle; 0: the call failed
    bool restored;                // the call has restored the world
    // The functions that a replay uses as callbacks.
    struct {
        bool (*filter)(cn_world *world, cn_shape a, cn_shape b, void *user);
        cn_pre_solve_result (*pre_solve)(cn_world *world, const cn_contact *contact, void *user);
        void (*before_step)(cn_world *world, float time_step, void *user);
        bool (*accept)(const cn_world *world, cn_side side, void *user);
    } callbacks;
    void *user;

    char *text; // CN_MAX_TEXT bytes for the arguments as text; then no call is made. NULL: no text
    int text_length, depth;
} cn_stream;

void cn_start_writing(cn_stream *s);
void cn_free_blocks(cn_stream *s);

void cn_walk_byte(cn_stream *s, const char *name, uint8_t *value);
void cn_walk_word(cn_stream *s, const char *name, uint32_t *value);
void cn_walk_long(cn_stream *s, const char *name, uint64_t *value);
void cn_walk_int(cn_stream *s, const char *name, int *value);
void cn_walk_float(cn_stream *s, const char *name, float *value);
int cn_walk_enum(cn_stream *s, const char *name, int value);
bool cn_walk_bool(cn_stream *s, const char *name, bool value);
void cn_walk_handle(cn_stream *s, const char *name, cn_handle_kind kind, uint64_t *id);
void cn_walk_short_hash(cn_stream *s, uint16_t *hash);          // two bytes
uint64_t cn_walk_id(cn_stream *s, uint64_t id);                 // a handle as it was recorded
bool cn_walk_given(cn_stream *s, const char *name, bool given); // a pointer that may be NULL
// Begins a struct: its fields follow, then cn_walk_close().
void cn_walk_open(cn_stream *s, const char *name);
void cn_walk_close(cn_stream *s);
// Begins an array: its items follow, then cn_walk_close(). Returns `items`, or when reading, memory
// for the items. If it returns NULL, there is no array. `number` receives the number of items.
const void *cn_walk_items(cn_stream *s, const char *name, const void *items, int64_t count,
                          size_t size, int *number);
const void *cn_walk_bytes(cn_stream *s, const char *name, const void *bytes, size_t *size);
void cn_add_text(cn_stream *s, const char *format, ...);

// ---- writing calls (recorder.c)

extern const cn_recorded_calls cn_writing_calls; // calls.c

// Returns the stream for the arguments of a call; NULL if the call is not recorded.
cn_stream *cn_begin_call(cn_world *world, int number);
void cn_end_call(cn_world *world);
void cn_end_with_world(cn_world *world);
// Replace callbacks by functions that call them and record the answers.
void cn_wrap_callbacks(cn_world *world, cn_callbacks *callbacks);
void cn_wrap_explosion(cn_world *world, const cn_explosion **explosion);

// ---- making calls (calls.c, replay.c)

typedef struct {
    const char *name;
    void (*play)(cn_stream *s, cn_world *world);
    bool steps; // it takes steps
} cn_played_call;

extern const cn_played_call cn_played_calls[];
extern const int cn_played_call_count;

bool cn_may_call(cn_stream *s); // true if all arguments were read and the call should be made
void cn_end_create(cn_stream *s, cn_handle_kind kind, uint64_t id);
void cn_end_restore(cn_stream *s);

// ---- records (records.c)

typedef enum {
    CN_RECORD_START = 1,
    CN_RECORD_CALL,
    CN_RECORD_CREATED,
    CN_RECORD_ACCEPTED,
    CN_RECORD_BEFORE_STEP,
    CN_RECORD_PREPARED,
    CN_RECORD_ANSWERS,
    CN_RECORD_STEP,
    CN_RECORD_END,
    CN_RECORD_KINDS
} cn_record_kind;

enum { CN_FORMAT = 5, CN_FILE_HEADER = 16 };
enum { CN_HAS_FILTER = 1, CN_HAS_PRE_SOLVE = 2, CN_HAS_BEFORE_STEP = 4 }; // in a start record

typedef struct {
    cn_record_kind kind; // 0: no record, the bytes end here
    size_t data, size;   // position and size of the data
    size_t next;         // position of the next record
} cn_record;

void cn_write_file_header(unsigned char header[CN_FILE_HEADER]);
// Writes the header of a record in front of its data. Returns where the header begins.
unsigned char *cn_write_record_header(unsigned char *data, cn_record_kind kind, size_t size);
// Reads the header of a record. If the bytes are cut off there, the kind is 0. Returns false if the
// bytes are damaged.
bool cn_read_record(const unsigned char *bytes, size_t size, size_t at, cn_record *record);

typedef struct {
    int calls, steps; // number of all, with the calls of before_step
    bool complete;    // it has an end record
    size_t end;       // end of the last complete record
} cn_recording_size;

// Checks the headers and checksums of all records of a recording, not their data.
bool cn_check_recording(const unsigned char *bytes, size_t size, cn_recording_size *found);

// ---- answers of callbacks

typedef struct {
    uint64_t a, b; // shapes
    int order;     // index of this answer among all of the step
    bool is_pre_solve;
    cn_pre_solve_result result; // for a filter: disabled if the shapes do not collide
    bool is_used;               // in a replay: the answer was given
} cn_answer;

typedef struct {
    uint64_t shape, grid;
    int tile;
    bool accepted;
} cn_accepted;

void cn_walk_answer(cn_stream *s, cn_answer *answer);
void cn_walk_accepted(cn_stream *s, cn_accepted *accepted);
int cn_compare_answers(const void *a, const void *b); // by pair, then in their order

static inline uint8_t cn_callback_flags(const cn_callbacks *c) {
    return (uint8_t)((c->filter ? CN_HAS_FILTER : 0) | (c->pre_solve ? CN_HAS_PRE_SOLVE : 0) |
                     (c->before_step ? CN_HAS_BEFORE_STEP : 0));
}

// ---- comparisons (comparison.c)

enum { CN_COMPARES = 1, CN_COMPARES_ALL = 2 }; // flags. None: a cut left out calls before

// The bodies of the next comparison: bits by slot.
typedef struct {
    uint64_t *moving, *whole; // bodies to compare by their motion; by all their data
    int words;
    int first, end; // the words that have marks are in this range
} cn_body_marks;

// Reserves memory for the slots of this many bodies. Returns false if memory is short.
bool cn_reserve_marks(cn_memory *memory, cn_body_marks *marks, int bodies);
void cn_free_marks(cn_memory *memory, cn_body_marks *marks);
void cn_mark_whole(cn_body_marks *marks, int body); // all its data will be compared

// Writes the data of a comparison, and removes all marks. Returns the number of bodies in it. If
// `whole_bytes` is not NULL, the comparison is a whole one, and it receives the size of the state.
int cn_write_comparison(cn_stream *s, const cn_world *world, cn_body_marks *marks,
                        size_t *whole_bytes);
// Reads the data, and compares the world of a replay with them. `desync` receives what differs,
// without the position. Returns false if the data are bad.
bool cn_compare(cn_stream *s, const cn_world *world, cn_body_marks *marks, cn_desync *desync);

#endif
