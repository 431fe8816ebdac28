/* expand.c - see formats/expand.h. */
#include "formats/expand.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "formats/derived.h"
#include "formats/files.h"
#include "formats/trace_files.h"
#include "logging/recording/store_copy.h"

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

static enum status write_store(struct expanding *x, const char *out_dir, struct error *err)
{
    struct store *from = NULL, *to = NULL;
    enum status st = store_open(x->source->trace_dir, false, &from, err);
    if (st == OK)
        st = store_open(out_dir, true, &to, err);
    if (st == OK)
        st = store_begin(from, err);
    if (st == OK)
        st = store_copy(&(struct store_copy){ from, to, x->source->trace_dir, expand_chunk, x, NULL, 0, NULL }, err);
    store_close(to);
    store_close(from);
    return st;
}

static void remove_directory(const char *dir)
{
    static const char *const files[] = { TRACE_DATA_FILE, TRACE_LOCK_FILE, TRACE_RESERVE_FILE };
    int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
    for (size_t i = 0; fd >= 0 && i < sizeof files / sizeof *files; i++)
        (void)unlinkat(fd, files[i], 0);
    if (fd >= 0)
        (void)close(fd);
    (void)rmdir(dir);
}

enum status expand_trace(const struct expand_source *source, const char *out_dir, struct error *err)
{
    struct expanding x = { source, chunk_encoder_new() };
    if (x.encoder == NULL)
        return error_memory(err, "%s", out_dir);
    if (!dir_make(AT_FDCWD, out_dir)) {
        chunk_encoder_free(x.encoder);
        return error_set(err, errno == EEXIST ? ERR_EXISTS : ERR_IO, "%s: %s", out_dir,
                         errno == EEXIST ? "exists already; a new directory is needed" : make_error_text(errno));
    }
    enum status st = write_store(&x, out_dir, err);
    if (st != OK)
        remove_directory(out_dir);
    chunk_encoder_free(x.encoder);
    return st;
}
