/* target_index.c - an index whose checks are right and whose contents are wrong: a byte chooses the queries, a byte the
 * trace; then changes: u1 which part of the first segment (block, section, keyframe; 255: the directory), u1 how, le2
 * where in it, u1 n, n bytes. (Wrong checks: target_data_file.c.) */
#include <string.h>

#include <xxhash.h>
#include <zstd.h>

#include "formats/vec.h"
#include "reader/index/sections.h"
#include "test/fuzz/kept.h"
#include "test/fuzz/questions.h"

enum { PART_MAX = 1 << 20, DIRECTORY = 255 };
enum how { REPLACE, CUT, INSERT, VARINT, HOWS };

/* What a segment consists of, inflated. */
struct contents {
    struct segment_head head;
    struct writer directory;
    VEC(struct writer) parts; /* in the order of their rows: keyframes, sections, blocks */
};

static struct writer read_all(const char *path)
{
    struct writer w = { 0 };
    uint8_t bytes[1 << 14];
    FILE *f = fopen(path, "rb");
    FUZZ_CHECK(f != NULL);
    for (size_t n; (n = fread(bytes, 1, sizeof bytes, f)) > 0;)
        write_bytes(&w, bytes, n);
    (void)fclose(f);
    return w;
}

static void inflate(struct writer *w, const uint8_t *bytes, uint32_t raw, uint32_t stored)
{
    if (raw == 0 || !writer_reserve(w, raw))
        return;
    if (raw == stored)
        memcpy(w->data, bytes, raw);
    else
        FUZZ_CHECK(ZSTD_decompress(w->data, raw, bytes, stored) == raw);
    w->size = raw;
}

static void add_part(struct contents *c, const uint8_t *body, uint64_t offset, uint32_t raw, uint32_t stored)
{
    struct writer *w = vec_push(&c->parts);
    FUZZ_CHECK(w != NULL && raw <= PART_MAX);
    *w = (struct writer){ 0 };
    inflate(w, body + offset, raw, stored);
}

enum { ROWS = KEYFRAME_ROWS + SECTIONS };
static struct section_row *row_of(struct segment_directory *d, size_t i)
{
    return i < KEYFRAME_ROWS ? &d->keyframe_rows[i] : &d->sections[i - KEYFRAME_ROWS];
}
static struct block_row *blocks_of(uint8_t *directory)
{
    return (struct block_row *)(void *)(directory + sizeof(struct segment_directory));
}
static size_t blocks_in(const struct segment_directory *d)
{
    size_t blocks = 0;
    for (unsigned i = 0; i < SETS; i++)
        blocks += d->blocks[i];
    return blocks;
}

/* False: the trace has no index, its events are too few. */
static bool take_apart(const char *trace, struct contents *c)
{
    char path[FUZZ_PATH_MAX + 16];
    (void)snprintf(path, sizeof path, "%s/index", trace);
    struct writer file = read_all(path);
    bool any = file.size > 8 + sizeof c->head;
    if (any) {
        memcpy(&c->head, file.data + 8, sizeof c->head);
        const uint8_t *body = file.data + 8 + sizeof c->head;
        inflate(&c->directory, body, c->head.directory_bytes, c->head.directory_stored);
        body += c->head.directory_stored;
        struct segment_directory d;
        memcpy(&d, c->directory.data, sizeof d);
        for (size_t i = 0; i < ROWS; i++) {
            const struct section_row *r = row_of(&d, i);
            add_part(c, body, r->offset, r->raw_bytes, r->stored_bytes);
        }
        for (size_t i = 0; i < blocks_in(&d); i++) {
            const struct block_row *r = &blocks_of(c->directory.data)[i];
            add_part(c, body, r->offset, r->raw_bytes, r->stored_bytes);
        }
    }
    writer_free(&file);
    return any;
}

static void change(struct writer *w, enum how how, size_t at, const uint8_t *bytes, size_t n)
{
    static const uint64_t notable[] = { 0, 1, 63, 64, 65, 1024, 4096, UINT32_MAX, UINT64_MAX, INT64_MAX };
    struct writer new = { 0 };
    at = w->size > 0 ? at % w->size : 0;
    write_bytes(&new, w->data, at);
    if (how == VARINT)
        write_varint(&new, notable[n > 0 ? bytes[0] % FUZZ_COUNT(notable) : 0]);
    else if (how != CUT)
        write_bytes(&new, bytes, n);
    size_t from = how == REPLACE ? at + n : how == VARINT ? at + 1 : how == INSERT ? at : w->size;
    if (from < w->size)
        write_bytes(&new, w->data + from, w->size - from);
    writer_free(w);
    *w = new;
}

/* Rows and checks that belong to the parts as they are now, none of them packed. */
static void put_together(struct contents *c, struct writer *out)
{
    uint8_t *directory = c->directory.data;
    uint64_t offset = 0;
    struct segment_directory d;
    memcpy(&d, directory, sizeof d);
    for (size_t i = 0; i < c->parts.count; i++) {
        const struct writer *w = &c->parts.items[i];
        const uint32_t size = (uint32_t)w->size, check = XXH32(w->data, w->size, 0);
        if (i < ROWS) {
            *row_of(&d, i) = (struct section_row){ size, size, check, 0, offset };
        } else {
            struct block_row *r = &blocks_of(directory)[i - ROWS];
            *r = (struct block_row){ r->first_id, size, size, check, offset };
        }
        offset += size;
    }
    memcpy(directory, &d, sizeof d);
    c->head.directory_bytes = c->head.directory_stored = (uint32_t)c->directory.size;
    c->head.body_bytes = c->directory.size + offset;
    write_bytes(out, INDEX_MAGIC, 8);
    write_bytes(out, &c->head, sizeof c->head);
    write_bytes(out, directory, c->directory.size);
    for (size_t i = 0; i < c->parts.count; i++)
        write_bytes(out, c->parts.items[i].data, c->parts.items[i].size);
}

/* Bytes of the directory change last, and its hash with them. */
static void seal(struct contents *c, struct writer *out, struct writer *places)
{
    uint8_t *directory = out->data + 8 + sizeof c->head;
    for (size_t i = 0; i + 3 <= places->size; i += 3)
        directory[be2(places->data + i) % c->head.directory_bytes] = places->data[i + 2];
    c->head.directory_hash = XXH64(directory, c->head.directory_bytes, 0);
    memcpy(out->data + 8, &c->head, sizeof c->head);
}

static void write_all(const char *name, const struct writer *w)
{
    char path[FUZZ_PATH_MAX + 16];
    (void)snprintf(path, sizeof path, "%s/%s", fuzz_folder(), name);
    FILE *f = fopen(path, "wb");
    FUZZ_CHECK(f != NULL && !w->bad && fwrite(w->data, 1, w->size, f) == w->size && fclose(f) == 0);
}

/* Is the index that was put together used? */
static void check_used(void)
{
    hs_trace *t = NULL;
    FUZZ_CHECK(hs_open(fuzz_folder(), HS_OPEN_READONLY, NULL, &t, NULL) == 0);
    const struct hs_index_info *info = hs_index_info(t);
    FUZZ_CHECK(info->kept && info->indexed == info->chunks && info->chunks > 0);
    hs_close(t);
}

void fuzz_index(const uint8_t *data, size_t size)
{
    struct reader in = reader_of(data, size);
    struct contents c = { 0 };
    struct writer out = { 0 }, places = { 0 };
    char path[FUZZ_PATH_MAX + 16];
    unsigned first = read_u1(&in);
    const char *whole = kept_whole(read_u1(&in) % KEPT_WITH_INDEX);
    FUZZ_CHECK(take_apart(whole, &c));
    while (in.at < in.size && !in.bad) {
        unsigned part = read_u1(&in), how = read_u1(&in) % HOWS;
        unsigned at = read_u1(&in);
        at |= (unsigned)read_u1(&in) << 8;
        size_t n = read_u1(&in);
        const uint8_t *bytes = read_span(&in, n);
        if (bytes != NULL && part != DIRECTORY) {
            change(&c.parts.items[part % c.parts.count], how, at, bytes, n);
        } else if (bytes != NULL && n > 0) {
            write_u2(&places, at);
            write_u1(&places, bytes[0]);
        }
    }
    put_together(&c, &out);
    seal(&c, &out, &places);
    fuzz_clear();
    (void)snprintf(path, sizeof path, "%s/data.mdb", whole);
    struct writer rows = read_all(path);
    write_all("data.mdb", &rows);
    write_all("index", &out);
    if (size <= 2) /* nothing is changed */
        check_used();
    fuzz_ask(questions, FUZZ_COUNT(questions), first, fuzz_folder());
    for (size_t i = 0; i < c.parts.count; i++)
        writer_free(&c.parts.items[i]);
    vec_free(&c.parts);
    writer_free(&c.directory);
    writer_free(&rows);
    writer_free(&out);
    writer_free(&places);
}
