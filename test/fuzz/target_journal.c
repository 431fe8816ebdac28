/* target_journal.c - the journal of a dead recorder, recovered: le2 bytes of the pending rows (with INPUTS: of the
 * trace whose hooks record inputs) and they; u1 n, then n changes of head, descriptors and heads of buffers (u1 part,
 * u1 place, u1 which number); the rest is what the buffers hold, half each. The trace has the classes of a recording,
 * so that records of their data IDs are decoded. */
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "formats/journal.h"
#include "formats/recover.h"
#include "formats/schema.h"
#include "logging/store/store.h"
#include "test/fuzz/kept.h"

enum { DESCS = 2, BUFFERS = 2, PID_OF_NOBODY = 0x3fffffff, INPUTS = 1 << 15 };
static const uint64_t base = UINT64_C(0x7f0000000000);

struct image {
    struct journal_head head;
    struct thread_desc descs[DESCS];
    struct buffer_head buffers[BUFFERS];
};

static uint64_t buffer_at(unsigned i) { return JOURNAL_BUFFERS_AT + (uint64_t)i * JOURNAL_BUFFER_BYTES; }

static void make(struct image *image, size_t used)
{
    *image = (struct image){ .head = { .magic = JOURNAL_MAGIC,
                                       .version = JOURNAL_VERSION,
                                       .pid = PID_OF_NOBODY,
                                       .base = base,
                                       .buffer_count = BUFFERS,
                                       .desc_count = DESCS,
                                       .period_end = UINT64_MAX,
                                       .stamp = 1u << 20 } };
    for (unsigned i = 0; i < DESCS; i++) {
        image->descs[i] = (struct thread_desc){ .pos = base + buffer_at(i) + sizeof(struct buffer_head) + used,
                                                .thread = i,
                                                .buffer = i,
                                                .state = DESC_LIVE,
                                                .index = i,
                                                .sequence = 1u << 20 };
        image->buffers[i] = (struct buffer_head){ .state = i == 0 ? BUFFER_ACTIVE : BUFFER_FULL,
                                                  .desc = i,
                                                  .sequence = 1u << 20,
                                                  .first_stamp = 1u << 19,
                                                  .used = sizeof(struct buffer_head) + used,
                                                  .thread = i };
    }
}

/* A number of the image becomes a notable one. */
static void change(struct reader *in, struct image *image)
{
    static const uint64_t notable[] = { 0, 1, 2, 63, 64, 65, 4096, 65535, 65536, 65537, UINT32_MAX, UINT64_MAX, base };
    uint8_t *parts[] = { (uint8_t *)&image->head, (uint8_t *)image->descs, (uint8_t *)image->buffers };
    static const size_t sizes[] = { sizeof image->head, sizeof image->descs, sizeof image->buffers };
    unsigned part = read_u1(in) % 3, place = read_u1(in), which = read_u1(in);
    uint64_t value = notable[which % (sizeof notable / sizeof *notable)] + which / 64;
    memcpy(parts[part] + place * 4u % (sizes[part] - 4), &value, 4 + 4 * (which % 2));
}

static void write_file(const char *name, const void *bytes, size_t n, off_t at)
{
    char path[FUZZ_PATH_MAX + 16];
    (void)snprintf(path, sizeof path, "%s/%s", fuzz_folder(), name);
    int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    FUZZ_CHECK(fd >= 0 && pwrite(fd, bytes, n, at) == (ssize_t)n);
    (void)close(fd);
}

/* Is it stored how the recording ended? */
static bool has_end(const char *trace)
{
    struct store *store = NULL;
    struct error err = { 0 };
    const void *data;
    size_t size;
    bool has = store_open(trace, false, &store, &err) == OK && store_begin(store, &err) == OK &&
               store_get_text(store, DB_INFO, "end", &data, &size, &err) == OK;
    store_close(store);
    return has;
}

void fuzz_journal(const uint8_t *data, size_t size)
{
    static const uint8_t none[] = { 0 };
    struct reader in = reader_of(data, size);
    struct image image;
    struct recover_result result = { 0 };
    struct error err = { 0 };
    uint64_t run = TRACE_RUN_MAGIC;
    size_t pending = read_u1(&in);
    pending |= (size_t)read_u1(&in) << 8;
    const char *trace = kept_unfinished(pending & INPUTS ? KEPT_INPUTS : KEPT_OMNI);
    pending &= INPUTS - 1;
    pending = pending > in.size - in.at ? in.size - in.at : pending;
    write_file(TRACE_PENDING_FILE, in.data + in.at, pending, 0);
    (void)read_span(&in, pending);
    struct reader changes = in;
    unsigned count = read_u1(&in) % 16;
    (void)read_span(&in, count * 3 > in.size - in.at ? in.size - in.at : count * 3);
    size_t used = (in.size - in.at) / BUFFERS / 8 * 8;
    used = used > JOURNAL_BUFFER_BYTES / 2 ? JOURNAL_BUFFER_BYTES / 2 : used;
    make(&image, used);
    (void)read_u1(&changes);
    for (unsigned i = 0; i < count; i++)
        change(&changes, &image);
    write_file(TRACE_RUN_FILE, &run, sizeof run, 0);
    write_file(TRACE_JOURNAL_FILE, &image.head, sizeof image.head, 0);
    write_file(TRACE_JOURNAL_FILE, image.descs, sizeof image.descs, JOURNAL_DESCS_AT);
    for (unsigned i = 0; i < BUFFERS; i++) {
        write_file(TRACE_JOURNAL_FILE, &image.buffers[i], sizeof image.buffers[i], (off_t)buffer_at(i));
        write_file(TRACE_JOURNAL_FILE, in.data + in.at + i * used, used,
                   (off_t)(buffer_at(i) + sizeof image.buffers[i]));
    }
    write_file(TRACE_JOURNAL_FILE, none, 1, (off_t)buffer_at(BUFFERS) - 1);
    enum status s = recover_trace(trace, &result, &err);
    FUZZ_CHECK(s == OK || err.text[0] != '\0');
    FUZZ_CHECK(result.lost == 0 || result.note[0] != '\0');
    FUZZ_CHECK(s != OK || !result.needed || has_end(trace));
    FUZZ_CHECK(result.needed || count > 0);
    static const char *const questions[] = { "info @ --json", "print @ --json", "fsck @ --json" };
    fuzz_ask(questions, FUZZ_COUNT(questions), 0, trace);
}
