/* reader_fixture.h - a small synthetic trace for the reader's tests, written through store.h and the encoders of
 * formats/.
 *
 * One woven class a.b.C with three methods and one data ID of every kind of value, one filtered class, one given up;
 * objects 2000.. (strings, a user object, one unknown). Events are given as a list in per-thread order and cut into
 * chunks. */
#ifndef TEST_READER_FIXTURE_H
#define TEST_READER_FIXTURE_H

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "formats/chunk.h"
#include "formats/objects.h"
#include "formats/rows.h"
#include "logging/store/store.h"
#include "reader/trace.h"

struct fake_event {
    uint32_t thread;
    uint64_t stamp;
    uint32_t id;
    uint64_t value;
};

/* Data IDs of the class, in order. */
enum {
    ID_ENTRY,
    ID_PARAM_INT,
    ID_PARAM_REF,
    ID_EXIT_VOID,
    ID_EXIT_DOUBLE,
    ID_LOAD_FLOAT,
    ID_INSTANCEOF,
    ID_LOCAL_LONG,
    ID_ENTRY_OTHER,
    ID_EXIT_OTHER,
    ID_THROW,
    ID_CATCH,
    ID_COUNT
};
enum {
    OBJECT_USER = 2000,
    OBJECT_LATIN1 = 2001,
    OBJECT_UTF16 = 2002,
    OBJECT_CUT = 2003,
    OBJECT_UNKNOWN = 2004,
    OBJECT_FAR = 900000,
    CLASS_STRING = 1,
    CLASS_USER = 2
};
static const char fixture_kinds[ID_COUNT + 1] = "VILVDFZJVLLL";
enum { FIXTURE_THREADS = 16 };

#define ok(call) fixture_ok((call), &err, #call)
static inline void fixture_ok(enum status st, const struct error *err, const char *what)
{
    if (st != OK)
        fail_msg("%s: %s: %s", what, status_text(st), err->text);
}

static inline void fixture_row(struct dataid_rows *rows, unsigned n, uint32_t method, enum event event, uint32_t pc,
                               int32_t line)
{
    struct dataid_row row = {
        .method = method, .event = event, .kind = (uint8_t)fixture_kinds[n], .pc = pc, .line = line
    };
    if (n == ID_PARAM_REF) {
        row.attrs[row.attr_count++] = (struct attr_value){ .attr = ATTR_type, .text = TEXT_OF("java.lang.String") };
        row.attrs[row.attr_count++] = (struct attr_value){ .attr = ATTR_index, .number = 1 };
    }
    if (n == ID_ENTRY_OTHER)
        row.attrs[row.attr_count++] = (struct attr_value){ .attr = ATTR_synchronized, .number = 1 };
    dataid_rows_add(rows, &row, row.attrs);
}

static inline void fixture_classes(struct store *s)
{
    struct error err = { 0 };
    struct dataid_rows rows = { 0 };
    struct writer w = { 0 };
    fixture_row(&rows, ID_ENTRY, 0, EVENT_METHOD_ENTRY, 0, 7);
    fixture_row(&rows, ID_PARAM_INT, 0, EVENT_METHOD_PARAM, 0, 7);
    fixture_row(&rows, ID_PARAM_REF, 0, EVENT_METHOD_PARAM, 0, 7);
    fixture_row(&rows, ID_EXIT_VOID, 0, EVENT_METHOD_NORMAL_EXIT, 40, 9);
    fixture_row(&rows, ID_EXIT_DOUBLE, 1, EVENT_METHOD_NORMAL_EXIT, 12, -1);
    fixture_row(&rows, ID_LOAD_FLOAT, 1, EVENT_LOCAL_LOAD, 3, -1);
    fixture_row(&rows, ID_INSTANCEOF, 1, EVENT_OBJECT_INSTANCEOF_RESULT, 5, -1);
    fixture_row(&rows, ID_LOCAL_LONG, 1, EVENT_LOCAL_STORE, 6, -1);
    fixture_row(&rows, ID_ENTRY_OTHER, 2, EVENT_METHOD_ENTRY, 0, 20);
    fixture_row(&rows, ID_EXIT_OTHER, 2, EVENT_METHOD_NORMAL_EXIT, 8, 21);
    fixture_row(&rows, ID_THROW, 2, EVENT_METHOD_THROW, 9, 22);
    fixture_row(&rows, ID_CATCH, 2, EVENT_CATCH, 10, 23);
    dataid_rows_encode(&rows, &w);
    ok(store_put(s, DB_DATAID, 3, w.data, w.size, &err));
    ok(store_put(s, DB_KIND, 0, rows.kinds.data, rows.kinds.size, &err));
    dataid_rows_done(&rows);

    struct class_row c = { .class_no = 3,
                           .state = CLASS_WOVEN,
                           .name = TEXT_OF("a/b/C"),
                           .super = TEXT_OF("java/lang/Object"),
                           .loader = TEXT_OF("app"),
                           .major = 61,
                           .hash = 77,
                           .size = 1000,
                           .dataid_count = ID_COUNT,
                           .first_method = 100 };
    static const struct method_row methods[] = {
        { .name = TEXT_OF("m"),
          .desc = TEXT_OF("(ILjava/lang/String;)V"),
          .access = 1,
          .groups = 1,
          .reason = TEXT_OF("") },
        { .name = TEXT_OF("calc"), .desc = TEXT_OF("()D"), .access = 9, .groups = 0, .reason = TEXT_OF("65536 bytes") },
        { .name = TEXT_OF("other"), .desc = TEXT_OF("()Ljava/lang/Object;"), .groups = 1, .reason = TEXT_OF("") },
    };
    for (unsigned i = 0; i < 3; i++)
        *vec_push(&c.methods) = methods[i];
    w.size = 0;
    class_row_encode(&c, &w);
    ok(store_put(s, DB_CLASS, 3, w.data, w.size, &err));
    class_row_done(&c);
    struct class_row others[] = {
        { .class_no = 1,
          .state = CLASS_FILTERED,
          .name = TEXT_OF("java/util/ArrayList"),
          .loader = TEXT_OF("boot"),
          .reason = TEXT_OF("excluded: java/") },
        { .class_no = 2,
          .state = CLASS_GIVEN_UP,
          .name = TEXT_OF("x/Odd"),
          .loader = TEXT_OF("app"),
          .reason = TEXT_OF("malformed") },
    };
    for (unsigned i = 0; i < 2; i++) {
        w.size = 0;
        class_row_encode(&others[i], &w);
        ok(store_put(s, DB_CLASS, others[i].class_no, w.data, w.size, &err));
    }
    writer_free(&w);
}

static inline void fixture_type(struct store *s, uint32_t id, const char *name)
{
    struct error err = { 0 };
    struct writer w = { 0 };
    struct type_row row = { .id = id, .name = { name, strlen(name) } };
    type_row_encode(&row, &w);
    ok(store_put(s, DB_TYPE, id, w.data, w.size, &err));
    writer_free(&w);
}

static inline void fixture_objects(struct store *s)
{
    struct error err = { 0 };
    struct writer w = { 0 };
    static const char utf16[] = { 0x3d, (char)0xd8, 0x00, (char)0xde, 'x', 0, 0x00, (char)0xd8, 0, 0 };
    struct object_entry first[] = {
        { .id = OBJECT_USER, .class_id = CLASS_USER },
        { .id = OBJECT_LATIN1,
          .class_id = CLASS_STRING,
          .has_string = true,
          .latin1 = true,
          .length = 7,
          .bytes = { "a\"\n\xe9\x01z/", 7 } },
        { .id = OBJECT_CUT,
          .class_id = CLASS_STRING,
          .has_string = true,
          .latin1 = true,
          .cut = true,
          .length = 5000,
          .bytes = { "begin", 5 } },
    };
    struct object_entry second[] = { { .id = OBJECT_UTF16,
                                       .class_id = CLASS_STRING,
                                       .has_string = true,
                                       .length = 5,
                                       .bytes = { utf16, sizeof utf16 } } };
    struct object_entry far[] = { { .id = OBJECT_FAR, .class_id = CLASS_USER } };
    ok(objects_encode(first, 3, &w, &err));
    ok(store_put(s, DB_OBJECT, object_key(OBJECT_USER, 0), w.data, w.size, &err));
    w.size = 0;
    ok(objects_encode(second, 1, &w, &err));
    ok(store_put(s, DB_OBJECT, object_key(OBJECT_USER, 7), w.data, w.size, &err));
    w.size = 0;
    ok(objects_encode(far, 1, &w, &err));
    ok(store_put(s, DB_OBJECT, object_key(OBJECT_FAR, 0), w.data, w.size, &err));
    writer_free(&w);
    fixture_type(s, CLASS_STRING, "java.lang.String");
    fixture_type(s, CLASS_USER, "a.b.C$$Lambda$14/0x0000000800c03000");
}

static inline void fixture_info(struct store *s, const char *key, const char *value)
{
    struct error err = { 0 };
    ok(store_put_text(s, DB_INFO, key, strlen(key), value, strlen(value), &err));
}

static inline void fixture_thread(struct store *s, uint32_t thread, const char *name)
{
    struct error err = { 0 };
    struct writer w = { 0 };
    struct thread_row row = { .thread = thread,
                              .tid = thread + 10,
                              .name = { name, strlen(name) },
                              .group = TEXT_OF("main"),
                              .end_stamp = UINT64_MAX,
                              .start_ns = 5,
                              .end_ns = UINT64_MAX };
    thread_row_encode(&row, &w);
    ok(store_put(s, DB_THREAD, thread, w.data, w.size, &err));
    writer_free(&w);
}

/* The events of one thread in one chunk. */
static inline void fixture_chunk(struct store *s, uint64_t number, const struct fake_event *const *e, uint32_t count)
{
    struct error err = { 0 };
    struct writer blob = { 0 }, row = { 0 };
    struct chunk_encoder *encoder = chunk_encoder_new();
    uint32_t *ids = calloc(count, sizeof *ids);
    uint64_t *values = calloc(count, sizeof *values), *stamps = calloc(count, sizeof *stamps);
    for (uint32_t i = 0; i < count; i++) {
        ids[i] = e[i]->id;
        values[i] = e[i]->value;
        stamps[i] = e[i]->stamp;
    }
    struct chunk_columns columns = { .count = count, .ids = ids, .values = values, .stamps = stamps };
    ok(chunk_encode(encoder, (struct kind_table){ (const uint8_t *)fixture_kinds, ID_COUNT }, &columns, &blob, &err));
    struct chunk_info info = { .thread = e[0]->thread,
                               .count = count,
                               .first_stamp = stamps[0],
                               .last_stamp = stamps[count - 1],
                               .bytes = (uint32_t)blob.size };
    chunk_info_encode(&info, &row);
    ok(store_put(s, DB_CHUNK, number, blob.data, blob.size, &err));
    ok(store_put(s, DB_CHUNKDIR, number, row.data, row.size, &err));
    chunk_encoder_free(encoder);
    writer_free(&blob);
    writer_free(&row);
    free(ids);
    free(values);
    free(stamps);
}

/* Writes a trace into a new directory, whose name the caller frees. `cut` gives the events of the next chunk. */
static inline char *fixture_write(const struct fake_event *events, size_t count, uint32_t (*cut)(void))
{
    struct error err = { 0 };
    struct store *s;
    char *dir = strdup("reader-XXXXXX");
    assert_non_null(mkdtemp(dir));
    ok(store_open(dir, true, &s, &err));
    ok(store_begin(s, &err));
    fixture_info(s, "version", SCHEMA_VERSION);
    fixture_info(s, "format", "omni");
    fixture_info(s, "weave", "EXEC+PARAM+LOCAL+OBJECT");
    fixture_info(s, "started", "1763670000000000000");
    fixture_info(s, "end", "clean");
    fixture_info(s, "lost", "0");
    fixture_classes(s);
    fixture_objects(s);
    fixture_thread(s, 0, "main");
    fixture_thread(s, 1, "worker");
    const struct fake_event **mine = calloc(count + 1, sizeof *mine);
    uint64_t number = 0;
    for (uint32_t thread = 0; thread < FIXTURE_THREADS; thread++) {
        size_t n = 0;
        for (size_t i = 0; i < count; i++)
            if (events[i].thread == thread)
                mine[n++] = &events[i];
        for (size_t at = 0; at < n;) {
            uint32_t take = cut();
            if (take > n - at)
                take = (uint32_t)(n - at);
            fixture_chunk(s, number++, mine + at, take);
            at += take;
        }
    }
    free(mine);
    ok(store_commit(s, &err));
    store_close(s);
    return dir;
}

static inline void fixture_remove(char *dir)
{
    char path[256];
    (void)snprintf(path, sizeof path, "%s/data.mdb", dir);
    (void)unlink(path);
    (void)snprintf(path, sizeof path, "%s/lock.mdb", dir);
    (void)unlink(path);
    (void)rmdir(dir);
    free(dir);
}

/* A generator that gives the same numbers on every machine. */
static uint64_t fixture_seed = 1;
static inline uint32_t fixture_random(uint32_t below)
{
    fixture_seed = fixture_seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(fixture_seed >> 33) % below;
}

#endif
