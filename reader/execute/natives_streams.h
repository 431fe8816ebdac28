/* natives_streams.h - streams that run, for natives_streams.c and natives_ends.c. */
#ifndef READER_NATIVES_STREAMS_H
#define READER_NATIVES_STREAMS_H

#include "reader/execute/natives.h"

enum { STAGES_MAX = 32 };
enum stage_is {
    STAGE_SOURCE,
    STAGE_MAP,
    STAGE_FILTER,
    STAGE_LIMIT,
    STAGE_SKIP,
    STAGE_DISTINCT,
    STAGE_BOXED,
    STAGE_WIDER, /* asLongStream, asDoubleStream */
    STAGE_SORTED,
    STAGE_TAKE_WHILE,
    STAGE_DROP_WHILE,
    STAGE_FLAT
};

struct stream_run {
    struct machine *m;
    const struct made *source;
    struct stage {
        enum stage_is is;
        struct jvalue function;
        char from, to;
        uint64_t seen;
        VEC(struct jvalue) kept; /* of distinct; of flatMap those that come next, from `seen` on */
    } stages[STAGES_MAX];        /* the last one first */
    size_t count, next;
};
enum step { STEP_VALUE, STEP_LEFT_OUT, STEP_END, STEP_FAILED };

/* What is in the elements of the stream: A I J D. */
static inline char stream_kind(const struct made *stream) { return jvalue_kind(stream->element); }
bool is_stream(struct machine *m, struct jvalue v); /* false: ended */
/* A stream of these values (NULL: zeros). */
bool stream_source(struct machine *m, const struct jvalue *values, size_t count, char kind, struct jvalue *out);
bool stream_begin(struct stream_run *r, struct machine *m, struct jvalue stream);
void stream_end(struct stream_run *r);
/* The next value that passes all stages. */
enum step stream_next(struct stream_run *r, struct jvalue *out);
/* All of them, as a list of that type. */
bool stream_all(struct machine *m, struct jvalue stream, const char *type, enum made_is is, struct jvalue *out);
const char *stream_word(char kind); /* in names of methods */
/* Calls the one method of a functional interface that takes a value of a kind: test, apply, applyAsInt, ... */
bool stream_call(struct machine *m, struct jvalue function, struct jvalue v, char from, char to, bool tests,
                 struct jvalue *out);

#endif
