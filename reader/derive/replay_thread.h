/* replay_thread.h - executes the derived chunks of one thread and gives back all its events (formats/derived.h). */
#ifndef READER_DERIVE_REPLAY_THREAD_H
#define READER_DERIVE_REPLAY_THREAD_H

#include "formats/followers.h"
#include "reader/derive/program.h"

/* What is shared by all threads of a trace. */
struct replay_code {
    hs_trace *trace;
    const struct code_event *events; /* by data ID */
    struct derive_sites sites;
    struct program **programs; /* by method number + 1, as in derive_sites; NULL: not made yet, or recorded whole */
    uint32_t method_count;     /* of `programs` */
    bool (*need)(void *context, uint32_t id); /* fills in the row of a data ID; false: it cannot be read */
    void *context;
    const struct followers *followers;
};

struct replay_frame {
    const struct program *program; /* NULL: its events are recorded, or `unread` */
    uint32_t unread;               /* data ID of its method, whose program is made when it is needed; NO_ID */
    uint32_t registers;            /* of the program; 0: its events are recorded */
    uint32_t step;                 /* the next one: the program counter */
    uint32_t from_pc;              /* the pc that control came from, of the last branch */
    size_t base;                   /* of its registers */
};

/* Of all frames of a thread, 1 GB: as many words as the largest stack that -Xss gives. They are allocated as needed. */
enum { REPLAY_REGISTERS_MAX = 1 << 27 };

/* Zero is the begin of a thread. */
struct replay_thread {
    struct derive_thread state;
    VEC(struct replay_frame) frames; /* as many as state has */
    u64_vec registers;
};
void replay_thread_done(struct replay_thread *t);
void replay_thread_forget(struct replay_thread *t); /* as at its begin */
/* Where the registers of the frame above begin: it may overwrite what is only used inside an instruction. */
static inline size_t replay_frame_end(const struct replay_frame *f)
{
    return f->base + (f->registers > PROGRAM_SCRATCH ? f->registers - PROGRAM_SCRATCH : 0);
}
/* The program of the method of a data ID, whose row is filled in; NULL: it is recorded whole, or cannot be followed. */
const struct program *replay_program(const struct replay_code *code, uint32_t id);
/* Makes the program of the frame if it is `unread`. False: there is none that fits. */
bool replay_frame_read(const struct replay_code *code, struct replay_frame *f);

/* Gives the events of the next chunk of the thread, and fills in those that it holds. `ids` and `values` have room for
 * all. ERR_FORMAT: the chunk does
 * not fit the code and the chunks before it; the thread is then as at its begin. */
enum status replay_chunk(const struct replay_code *code, struct replay_thread *t, struct derived_chunk *c,
                         uint32_t *ids, uint64_t *values, struct error *err);

#endif
