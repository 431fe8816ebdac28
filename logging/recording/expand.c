/* expand.c - see formats/expand.h. */
#include "formats/expand.h"

#include "formats/derived.h"
#include "logging/recording/copy_trace.h"

struct expanding {
    const struct expand_source *source;
    struct chunk_encoder *encoder;
};

static enum status expand_chunk(void *context, uint64_t key, const void *data, size_t size, struct chunk_info *info,
                                struct writer *out, struct error *err)
{
    struct expanding *x = context;
    struct chunk_columns columns;
    if (!derived_is(data, size)) {
        write_bytes(out, data, size);
        return out->bad ? error_memory(err, "%s", x->source->trace_dir) : OK;
    }
    enum status st = x->source->chunk(x->source->context, key, &columns, err);
    if (st != OK)
        return st;
    info->flags &= ~(uint64_t)CHUNK_IS_DERIVED;
    return chunk_encode(x->encoder, x->source->kinds, &columns, out, err);
}

/* States of threads are for derived chunks. */
static enum status expand_row(void *context, enum schema_db db, uint64_t key, const void *data, size_t size, bool *keep,
                              struct writer *out, struct error *err)
{
    (void)context, (void)key, (void)err;
    *keep = db != DB_STATE;
    write_bytes(out, data, size);
    return OK;
}

enum status expand_trace(const struct expand_source *source, const char *out_dir, struct error *err)
{
    struct expanding x = { source, chunk_encoder_new() };
    if (x.encoder == NULL)
        return error_memory(err, "%s", out_dir);
    enum status st = copy_trace(&(struct trace_copy){ .trace_dir = source->trace_dir,
                                                      .out_dir = out_dir,
                                                      .chunk = expand_chunk,
                                                      .row = expand_row,
                                                      .context = &x },
                                err);
    chunk_encoder_free(x.encoder);
    return st;
}
