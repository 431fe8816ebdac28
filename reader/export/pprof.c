/* pprof.c - the format pprof: a profile.proto in a gzip file. A value of a sample is what its innermost call weighs;
 * the chosen weight is the default one.
 * Messages: https://github.com/google/pprof/blob/main/proto/profile.proto (field numbers) */
#include "reader/export/method_names.h"
#include "reader/export/profile.h"
#include "reader/export/protobuf.h"

#include <unistd.h>
#include <zlib.h>

enum {
    PROFILE_SAMPLE_TYPE = 1,
    PROFILE_SAMPLE = 2,
    PROFILE_LOCATION = 4,
    PROFILE_FUNCTION = 5,
    PROFILE_STRING_TABLE = 6,
    PROFILE_COMMENT = 13,
    PROFILE_DEFAULT_SAMPLE_TYPE = 14,
    VALUE_TYPE_TYPE = 1,
    VALUE_TYPE_UNIT = 2,
    SAMPLE_LOCATION_ID = 1,
    SAMPLE_VALUE = 2,
    LOCATION_ID = 1,
    LOCATION_LINE = 4,
    LINE_FUNCTION_ID = 1,
    LINE_LINE = 2,
    FUNCTION_ID = 1,
    FUNCTION_NAME = 2,
    FUNCTION_SYSTEM_NAME = 3,
    FUNCTION_FILENAME = 4,
    FUNCTION_START_LINE = 5,
};

struct pprof {
    struct export_job *job;
    struct profile profile;
    struct method_names names;
    struct protobuf messages;
    uint64_t strings; /* in the table */
    z_stream gzip;
};

/* Compresses the messages that are complete. */
static bool give(struct pprof *g, int flush)
{
    struct writer *w = &g->messages.bytes;
    uint8_t piece[1 << 14];
    if (w->bad || w->size > UINT32_MAX)
        return export_fail(g->job, "out of memory");
    g->gzip.next_in = w->data;
    g->gzip.avail_in = (unsigned)w->size;
    do {
        g->gzip.next_out = piece;
        g->gzip.avail_out = sizeof piece;
        (void)deflate(&g->gzip, flush);
        out_bytes(g->job->out, piece, sizeof piece - g->gzip.avail_out);
    } while (g->gzip.avail_out == 0);
    w->size = 0;
    return export_ok(g->job);
}

/* Adds a text to the table; its number. */
static uint64_t text(struct pprof *g, const char *s)
{
    protobuf_text(&g->messages, PROFILE_STRING_TABLE, s);
    return g->strings++;
}

static void sample_types(struct pprof *g)
{
    const struct profile *p = &g->profile;
    char note[PROFILE_NOTE_MAX];
    for (size_t w = 0; w < p->weight_count; w++) {
        const struct profile_weight_text *t = &profile_weight_texts[p->weights[w]];
        uint64_t type = text(g, t->option), unit = text(g, t->unit),
                 comment = text(g, profile_note(p, p->weights[w], note));
        protobuf_begin(&g->messages, PROFILE_SAMPLE_TYPE);
        protobuf_u64(&g->messages, VALUE_TYPE_TYPE, type);
        protobuf_u64(&g->messages, VALUE_TYPE_UNIT, unit);
        protobuf_end(&g->messages);
        protobuf_u64(&g->messages, PROFILE_COMMENT, comment);
        if (w == 0)
            protobuf_u64(&g->messages, PROFILE_DEFAULT_SAMPLE_TYPE, type);
    }
}

/* A method is a function and a location, both with this number. */
static void method(struct pprof *g, uint64_t number, const char *name, const char *file, int32_t line)
{
    struct protobuf *m = &g->messages;
    uint64_t name_text = text(g, name), file_text = text(g, file);
    protobuf_begin(m, PROFILE_FUNCTION);
    protobuf_u64(m, FUNCTION_ID, number);
    protobuf_u64(m, FUNCTION_NAME, name_text);
    protobuf_u64(m, FUNCTION_SYSTEM_NAME, name_text);
    protobuf_u64(m, FUNCTION_FILENAME, file_text);
    protobuf_i64(m, FUNCTION_START_LINE, line >= 0 ? line : 0);
    protobuf_end(m);
    protobuf_begin(m, PROFILE_LOCATION);
    protobuf_u64(m, LOCATION_ID, number);
    protobuf_begin(m, LOCATION_LINE);
    protobuf_u64(m, LINE_FUNCTION_ID, number);
    protobuf_i64(m, LINE_LINE, line >= 0 ? line : 0);
    protobuf_end(m);
    protobuf_end(m);
}

static void methods(struct pprof *g)
{
    const struct profile *p = &g->profile;
    for (size_t i = 0; i < p->methods.count && give(g, Z_NO_FLUSH); i++) {
        const struct profile_method *m = &p->methods.items[i];
        const struct hs_method *row = hs_method_get(g->job->trace, m->method_id);
        const struct hs_class *c = row != NULL ? hs_class_get(g->job->trace, row->class_no) : NULL;
        method(g, i + 1, method_name(&g->names, m->method_id), spot_file_name(c, m->spot), m->spot.line);
    }
    method(g, p->methods.count + 1, profile_outside, "", -1);
}

static void sample(struct pprof *g, const uint64_t *locations, size_t depth, const uint64_t *own)
{
    const struct profile *p = &g->profile;
    uint64_t values[PROFILE_WEIGHTS], any = 0;
    for (size_t w = 0; w < p->weight_count; w++)
        any |= values[w] = own[p->weights[w]];
    if (any == 0)
        return;
    protobuf_begin(&g->messages, PROFILE_SAMPLE);
    protobuf_packed(&g->messages, SAMPLE_LOCATION_ID, locations, depth);
    protobuf_packed(&g->messages, SAMPLE_VALUE, values, p->weight_count);
    protobuf_end(&g->messages);
}

static void samples(struct pprof *g)
{
    const struct profile *p = &g->profile;
    uint64_t path[PROFILE_DEPTH_MAX];
    for (uint32_t i = 0; i < p->nodes.count && give(g, Z_NO_FLUSH); i++) {
        size_t depth = 0; /* innermost first */
        for (uint32_t n = i; n != PROFILE_NONE; n = p->nodes.items[n].parent)
            path[depth++] = (uint64_t)p->nodes.items[n].method + 1;
        sample(g, path, depth, p->nodes.items[i].own);
    }
    sample(g, &(uint64_t){ p->methods.count + 1 }, 1, p->outside);
}

bool export_pprof(struct export_job *x)
{
    struct pprof g = { .job = x };
    if (x->options.output == NULL && isatty(STDOUT_FILENO))
        return export_wrong(x, "pprof is not for a terminal: -o FILE names a file");
    bool done = profile_read(&g.profile, x) && method_names_init(&g.names, x);
    if (done && deflateInit2(&g.gzip, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        done = export_fail(x, "out of memory");
    if (done) {
        (void)text(&g, ""); /* the first one is always empty */
        sample_types(&g);
        methods(&g);
        samples(&g);
        done = give(&g, Z_FINISH);
    }
    (void)deflateEnd(&g.gzip);
    protobuf_done(&g.messages);
    method_names_done(&g.names);
    profile_done(&g.profile);
    return done;
}
