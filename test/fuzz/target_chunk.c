/* target_chunk.c - the decoder of chunks: le2 n, n kind letters, a chunk. What decodes at once decodes to the same
 * column by column, and repacked. */
#include <string.h>

#include "formats/chunk.h"
#include "test/fuzz/fuzz.h"

enum { KINDS_MAX = 2048 };

static void same(const struct chunk_columns *a, const struct chunk_columns *b)
{
    FUZZ_CHECK(a->count == b->count && (a->times == NULL) == (b->times == NULL));
    FUZZ_CHECK(memcmp(a->ids, b->ids, a->count * sizeof *a->ids) == 0);
    FUZZ_CHECK(memcmp(a->values, b->values, a->count * sizeof *a->values) == 0);
    FUZZ_CHECK(memcmp(a->stamps, b->stamps, a->count * sizeof *a->stamps) == 0);
    FUZZ_CHECK(a->times == NULL || memcmp(a->times, b->times, a->count * sizeof *a->times) == 0);
}

void fuzz_chunk(const uint8_t *data, size_t size)
{
    struct reader in = reader_of(data, size);
    static const char letters[] = "VZBCSIJFDLP";
    uint8_t kinds[KINDS_MAX];
    uint32_t count = read_u1(&in);
    count = (count | (uint32_t)read_u1(&in) << 8) % KINDS_MAX;
    for (uint32_t i = 0; i < count; i++)
        kinds[i] = (uint8_t)letters[read_u1(&in) % (sizeof letters - 1)];
    if (in.bad)
        return;
    struct kind_table table = { kinds, count };
    size_t left = size - in.at;
    uint8_t *blob = fuzz_exact(data + in.at, left);
    struct chunk_decoder *whole = chunk_decoder_new(), *parts = chunk_decoder_new();
    FUZZ_CHECK(whole != NULL && parts != NULL);
    struct chunk_columns a, b, more;
    struct error err = { 0 };
    enum status s = chunk_decode(whole, table, blob, left, CHUNK_ALL, &a, &err);
    FUZZ_CHECK(s == OK || err.text[0] != '\0');
    if (s == OK) {
        FUZZ_CHECK(a.count <= CHUNK_EVENTS_MAX);
        FUZZ_CHECK(chunk_decode(parts, table, blob, left, CHUNK_IDS, &b, &err) == OK);
        FUZZ_CHECK(chunk_decode_more(parts, table, blob, left, CHUNK_ALL & ~CHUNK_IDS, &more, &err) == OK);
        more.ids = b.ids;
        same(&a, &more);
        const struct chunk_share *shares;
        uint32_t share_count;
        if (chunk_shares(parts, table, blob, left, &shares, &share_count, &err) == OK) {
            uint64_t events = 0;
            for (uint32_t i = 0; i < share_count; i++)
                events += shares[i].events;
            FUZZ_CHECK(events == a.count);
        }
        struct writer again = { 0 };
        FUZZ_CHECK(chunk_repack(blob, left, &again, &err) == OK);
        FUZZ_CHECK(chunk_decode(parts, table, again.data, again.size, CHUNK_ALL, &b, &err) == OK);
        same(&a, &b);
        writer_free(&again);
    }
    chunk_decoder_free(whole);
    chunk_decoder_free(parts);
    free(blob);
}
