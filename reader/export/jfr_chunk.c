/* jfr_chunk.c - see jfr_chunk.h. */
#include "reader/export/jfr_chunk.h"

#include "reader/command/cli.h"

enum {
    HEADER_BYTES = 68,
    CHUNK_BYTES = 16 << 20, /* of events and constants */
    FRAMES_MAX = 64,        /* of a stack trace, as the JDK by itself; deeper ones are marked as truncated */
    FLAGS = 3               /* numbers are varints; the chunk is complete */
};
#define TICKS_PER_SECOND UINT64_C(1000000000)

void jfr_chunk_init(struct jfr_chunk *k, hs_trace *trace)
{
    const char *started = hs_info(trace, "started");
    *k = (struct jfr_chunk){ .trace = trace };
    if (started == NULL || !cli_u64(started, &k->epoch_ns))
        k->epoch_ns = 0;
}

void jfr_chunk_done(struct jfr_chunk *k)
{
    struct writer *writers[] = { &k->events, &k->symbols.bytes, &k->stacks.bytes, &k->event, &k->constant };
    for (size_t i = 0; i < sizeof writers / sizeof *writers; i++)
        writer_free(writers[i]);
    map_free(&k->symbols.known);
    map_free(&k->stacks.known);
    map_free(&k->threads);
    map_free(&k->methods);
    map_free(&k->classes);
}

bool jfr_chunk_full(const struct jfr_chunk *k)
{
    return k->events.size + k->symbols.bytes.size + k->stacks.bytes.size > CHUNK_BYTES;
}

/* ---- constants ---- */

/* The number of the constant in k->constant; 0: out of memory. */
static uint32_t number_of(struct jfr_chunk *k, struct jfr_pool *pool)
{
    const struct writer *w = &k->constant;
    uint64_t hash = map_hash(w->data, w->size);
    struct jfr_constant *c = NULL;
    k->failed |= w->bad || pool->bytes.bad;
    if (k->failed) /* the constant was not written whole */
        return 0;
    while ((c = map_get(&pool->known, hash)) != NULL &&
           (c->size != w->size || memcmp(pool->bytes.data + c->at, w->data, w->size) != 0))
        hash = map_next_hash(hash);
    if (c == NULL && (c = map_put(&pool->known, hash)) != NULL) {
        c->number = ++pool->count;
        jfr_varint(&pool->bytes, c->number);
        c->at = (uint32_t)pool->bytes.size; /* CHUNK_BYTES bounds it */
        c->size = (uint32_t)w->size;
        write_bytes(&pool->bytes, w->data, w->size);
    }
    k->failed |= c == NULL || pool->bytes.bad;
    return c != NULL ? c->number : 0;
}

static uint32_t symbol(struct jfr_chunk *k, const char *s)
{
    k->constant.size = 0;
    jfr_write_text(&k->constant, s);
    return number_of(k, &k->symbols);
}

/* The number of a constant that has one in the trace; 0: out of memory. */
static uint64_t named(struct jfr_chunk *k, jfr_names *names, uint32_t id)
{
    const uint64_t number = (uint64_t)id + 1;
    if (map_put(names, number) != NULL)
        return number;
    k->failed = true;
    return 0;
}

void jfr_thread(struct jfr_chunk *k, uint32_t thread) { jfr_number(k, named(k, &k->threads, thread)); }
void jfr_no_thread(struct jfr_chunk *k) { jfr_number(k, 0); }
void jfr_method(struct jfr_chunk *k, uint32_t method_id) { jfr_number(k, named(k, &k->methods, method_id)); }

void jfr_stack(struct jfr_chunk *k, const struct open_call *calls, size_t count)
{
    struct writer *w = &k->constant;
    const size_t shown = count < FRAMES_MAX ? count : FRAMES_MAX;
    w->size = 0;
    write_u1(w, count > shown);
    jfr_varint(w, shown);
    for (size_t i = 0; i < shown; i++) {
        const struct open_call *call = &calls[count - 1 - i];
        const struct hs_dataid *d = call->dataid != UINT32_MAX ? hs_dataid_get(k->trace, call->dataid) : NULL;
        jfr_varint(w, named(k, &k->methods, call->method_id));
        jfr_varint(w, d != NULL && d->line > 0 ? (uint64_t)d->line : 0);
        jfr_varint(w, d != NULL ? d->pc : 0);
        jfr_varint(w, JFR_FRAME_TYPE_JAVA);
    }
    jfr_number(k, number_of(k, &k->stacks));
}

/* ---- events ---- */

void jfr_number(struct jfr_chunk *k, uint64_t v) { jfr_varint(&k->event, v); }
void jfr_text(struct jfr_chunk *k, const char *s) { jfr_write_text(&k->event, s); }

void jfr_event_begin(struct jfr_chunk *k, enum jfr_type type, uint64_t time_ns)
{
    k->event.size = 0;
    jfr_varint(&k->event, type);
    jfr_varint(&k->event, time_ns);
}

void jfr_event_end(struct jfr_chunk *k, uint64_t end_ns)
{
    jfr_write_event(&k->events, &k->event);
    if (end_ns > k->end_ns)
        k->end_ns = end_ns;
}

/* ---- the chunk ---- */

static void pool(struct writer *w, enum jfr_type type, size_t count)
{
    jfr_varint(w, type);
    jfr_varint(w, count);
}

static void threads(struct jfr_chunk *k, struct writer *w)
{
    pool(w, JFR_TYPE_THREAD, k->threads.count);
    for (size_t i = 0; i < k->threads.cap; i++) {
        const uint64_t key = k->threads.slots[i].number;
        const struct hs_thread *t = key != 0 ? hs_thread_get(k->trace, (uint32_t)(key - 1)) : NULL;
        if (key == 0)
            continue;
        jfr_varint(w, key);
        jfr_write_text(w, t != NULL ? t->name : NULL);
        jfr_varint(w, 0);
        jfr_write_text(w, t != NULL ? t->name : NULL);
        jfr_varint(w, t != NULL ? t->tid : 0);
    }
}

/* Methods, then the classes that they name, then the symbols of both. */
static void methods(struct jfr_chunk *k, struct writer *w)
{
    pool(w, JFR_TYPE_METHOD, k->methods.count);
    for (size_t i = 0; i < k->methods.cap; i++) {
        const uint64_t key = k->methods.slots[i].number;
        const struct hs_method *m = key != 0 ? hs_method_get(k->trace, (uint32_t)(key - 1)) : NULL;
        if (key == 0)
            continue;
        jfr_varint(w, key);
        jfr_varint(w, m != NULL ? named(k, &k->classes, m->class_no) : 0);
        jfr_varint(w, symbol(k, m != NULL ? m->name : "?"));
        jfr_varint(w, symbol(k, m != NULL ? m->desc : "()V"));
        jfr_varint(w, m != NULL ? m->access : 0);
        write_u1(w, 0);
    }
    pool(w, JFR_TYPE_CLASS, k->classes.count);
    for (size_t i = 0; i < k->classes.cap; i++) {
        const uint64_t key = k->classes.slots[i].number;
        const struct hs_class *c = key != 0 ? hs_class_get(k->trace, (uint32_t)(key - 1)) : NULL;
        if (key == 0)
            continue;
        jfr_varint(w, key);
        jfr_varint(w, symbol(k, c != NULL ? c->name : "?"));
        jfr_varint(w, c != NULL ? c->access : 0);
    }
}

static void checkpoint(struct jfr_chunk *k, struct writer *to)
{
    struct writer w = { 0 };
    jfr_varint(&w, JFR_TYPE_CHECKPOINT);
    jfr_varint(&w, k->begin_ns);
    jfr_varint(&w, 0); /* duration */
    jfr_varint(&w, 0); /* no other checkpoint before it */
    write_u1(&w, 0);
    jfr_varint(&w, 7); /* pools */
    threads(k, &w);
    methods(k, &w);
    pool(&w, JFR_TYPE_SYMBOL, k->symbols.count);
    write_bytes(&w, k->symbols.bytes.data, k->symbols.bytes.size);
    pool(&w, JFR_TYPE_STACK_TRACE, k->stacks.count);
    write_bytes(&w, k->stacks.bytes.data, k->stacks.bytes.size);
    pool(&w, JFR_TYPE_FRAME_TYPE, 1);
    jfr_varint(&w, JFR_FRAME_TYPE_JAVA);
    jfr_write_text(&w, "Interpreted");
    pool(&w, JFR_TYPE_THREAD_STATE, 1);
    jfr_varint(&w, JFR_STATE_RUNNABLE);
    jfr_write_text(&w, "STATE_RUNNABLE");
    jfr_write_event(to, &w);
    writer_free(&w);
}

static void header(struct writer *w, const struct jfr_chunk *k, size_t size, size_t constants, size_t metadata)
{
    write_bytes(w, "FLR", 4);
    write_u2(w, 2);
    write_u2(w, 1);
    write_u8(w, size);
    write_u8(w, constants);
    write_u8(w, metadata);
    write_u8(w, k->epoch_ns + k->begin_ns);
    write_u8(w, k->end_ns - k->begin_ns);
    write_u8(w, k->begin_ns);
    write_u8(w, TICKS_PER_SECOND);
    write_u4(w, FLAGS);
}

bool jfr_chunk_write(struct jfr_chunk *k, struct out *out)
{
    struct writer first = { 0 };
    const size_t metadata = HEADER_BYTES + k->events.size;
    jfr_write_metadata(&k->events, k->begin_ns);
    const size_t constants = HEADER_BYTES + k->events.size;
    checkpoint(k, &k->events);
    header(&first, k, HEADER_BYTES + k->events.size, constants, metadata);
    const bool whole = !k->failed && !k->events.bad && !k->event.bad && !first.bad;
    if (whole) {
        out_bytes(out, first.data, first.size);
        out_bytes(out, k->events.data, k->events.size);
    }
    writer_free(&first);
    k->begin_ns = k->end_ns;
    k->events.size = k->symbols.bytes.size = k->stacks.bytes.size = 0;
    k->symbols.count = k->stacks.count = 0;
    map_clear(&k->symbols.known);
    map_clear(&k->stacks.known);
    map_clear(&k->threads);
    map_clear(&k->methods);
    map_clear(&k->classes);
    return whole;
}
