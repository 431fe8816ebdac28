/* class_pages.c - which pages of the object table have objects of a class, of a trace that has ended: the objects of a
 * type are found without unpacking the pages of others.
 *
 *     section  varint n | n times: varint class - the one before - 1 (first: class), varint runs
 *                         runs times: varint first page - end of the run before, varint pages - 1
 *
 * Class 0 are objects whose class a stored batch does not have. None at all: there are too many runs. */
#include <stdlib.h>

#include "formats/map.h"
#include "formats/schema.h"
#include "formats/search.h"
#include "reader/index/index.h"

enum { PAGES = (UINT32_MAX >> OBJECT_PAGE_BITS) + 1, RUNS_MAX = 1 << 20 };

struct page_run {
    uint32_t class_id, first, end;
};
struct last_run {
    uint64_t key; /* class + 1 */
    size_t run;   /* its last one in `runs` */
};
/* A walk over the fragments. */
struct page_scan {
    hs_trace *trace;
    VEC(struct page_run) runs;
    MAP(struct last_run) last;
    struct writer raw;
    u32_vec classes; /* of a fragment */
    uint32_t page;   /* of the one before */
};

static bool add_page(struct page_scan *s, uint32_t class_id, uint32_t page)
{
    const size_t known = s->last.count;
    struct last_run *last = map_put(&s->last, class_id + UINT64_C(1));
    if (last == NULL)
        return false;
    struct page_run *run = s->last.count == known ? &s->runs.items[last->run] : NULL;
    if (run != NULL && run->end >= page) {
        run->end = page + 1;
        return true;
    }
    last->run = s->runs.count;
    run = vec_push(&s->runs);
    if (run != NULL)
        *run = (struct page_run){ class_id, page, page + 1 };
    return run != NULL;
}

static enum status take_fragment(void *context, struct text key, struct text blob, struct error *err)
{
    struct page_scan *s = context;
    const uint64_t page = env_integer(key) >> 32;
    if (page >= PAGES)
        return error_set(err, ERR_FORMAT, "%s: objects: page %llu", s->trace->dir, (unsigned long long)page);
    enum status st = page != s->page ? progress_step(&s->trace->progress, err) : OK;
    s->page = (uint32_t)page;
    s->classes.count = 0;
    if (st == OK)
        st = objects_classes(blob.data, blob.size, &s->raw, &s->classes, err);
    for (size_t i = 0; st == OK && i < s->classes.count; i++)
        if (s->runs.count > RUNS_MAX || !add_page(s, s->classes.items[i], (uint32_t)page))
            st = ERR_LIMIT;
    return st;
}

static int by_class(const void *a, const void *b)
{
    const struct page_run *x = a, *y = b;
    return x->class_id != y->class_id ? (x->class_id > y->class_id) - (x->class_id < y->class_id)
                                      : (x->first > y->first) - (x->first < y->first);
}

static void encode(struct page_scan *s, struct writer *w)
{
    uint32_t next = 0;
    write_varint(w, s->last.count);
    if (s->runs.count > 0)
        qsort(s->runs.items, s->runs.count, sizeof *s->runs.items, by_class);
    for (size_t i = 0, end; i < s->runs.count; i = end) {
        const uint32_t class_id = s->runs.items[i].class_id;
        for (end = i; end < s->runs.count && s->runs.items[end].class_id == class_id; end++)
            ;
        write_varint(w, class_id - next);
        write_varint(w, end - i);
        next = class_id + 1;
        for (uint32_t page = 0; i < end; page = s->runs.items[i++].end) {
            write_varint(w, s->runs.items[i].first - page);
            write_varint(w, s->runs.items[i].end - s->runs.items[i].first - 1);
        }
    }
}

/* For the progress: pages up to the last one. */
static uint32_t page_count(hs_trace *t)
{
    struct text blob;
    struct error err;
    uint64_t page, key;
    LOWER_BOUND(page, (uint64_t)PAGES, (key = page << 32, env_at_least(&t->env, DB_OBJECT, &key, &blob, &err) == OK));
    return (uint32_t)page;
}

static enum status scan(struct page_scan *s, struct error *err)
{
    hs_trace *t = s->trace;
    enum status st = env_begin(&t->env, err);
    if (st != OK)
        return st;
    struct phase phase PHASE_ENDS = phase_begin(&t->progress, "objects", page_count(t));
    st = env_each(&t->env, DB_OBJECT, take_fragment, s, err);
    env_end(&t->env);
    return st;
}

enum status class_pages_keep(hs_trace *t, struct error *err)
{
    struct page_scan s = { .trace = t, .page = UINT32_MAX };
    struct writer w = { 0 };
    if (!index_whole_wanted(t, SECTION_CLASS_PAGES))
        return OK;
    const enum status st = scan(&s, err);
    if (st == OK)
        encode(&s, &w);
    if (st == ERR_LIMIT || !index_whole_small(t, w.size)) {
        w.size = 0;
        write_varint(&w, 0);
    }
    if (st == OK || st == ERR_LIMIT)
        index_keep_whole(t, SECTION_CLASS_PAGES, &w);
    writer_free(&w);
    writer_free(&s.raw);
    vec_free(&s.runs);
    vec_free(&s.classes);
    map_free(&s.last);
    return st == ERR_CANCELLED ? st : OK; /* whoever reads a damaged page says so */
}

/* ---- reading ---- */

/* Pages `first` to `end`. False: out of memory. */
static bool set_pages(u64_vec *pages, uint64_t first, uint64_t end)
{
    while (pages->count * 64 < end) {
        uint64_t *word = vec_push(pages);
        if (word == NULL)
            return false;
        *word = 0;
    }
    for (uint64_t at = first, next; at < end; at = next) {
        next = (at | 63) + 1 < end ? (at | 63) + 1 : end;
        pages->items[at / 64] |= UINT64_MAX >> (64 - (next - at)) << at % 64;
    }
    return true;
}

/* The pages of one class, of which they are if `wanted`. False: the section is damaged, or out of memory. */
static bool decode_runs(struct reader *r, bool wanted, u64_vec *pages)
{
    uint64_t end = 0;
    for (uint64_t runs = read_varint(r); runs > 0 && !r->bad; runs--) {
        const uint64_t between = read_varint(r), more = read_varint(r);
        if (r->bad || between > PAGES || more > PAGES || end + between + more >= PAGES)
            return false;
        const uint64_t first = end + between;
        end = first + more + 1;
        if (wanted && !set_pages(pages, first, end))
            return false;
    }
    return !r->bad;
}

/* False as well if there is nothing in it. */
static bool decode(struct reader *r, const u32_vec *classes, u64_vec *pages)
{
    const struct object_search of = { .classes = classes->items, .class_count = classes->count };
    const uint64_t n = read_varint(r);
    uint64_t next = 0;
    bool whole = n > 0 && vec_push(pages) != NULL; /* of classes that no page has there is a word, too */
    if (whole)
        pages->items[0] = 0;
    for (uint64_t i = 0; i < n && whole; i++) {
        const uint64_t class_id = next + read_varint(r);
        whole = !r->bad && class_id <= UINT32_MAX && decode_runs(r, objects_is_class(&of, class_id), pages);
        next = class_id + 1;
    }
    return whole;
}

int class_pages_open(hs_trace *t, u32_vec *classes, hs_cursor **out, struct hs_error *error)
{
    struct error err = { 0 };
    u64_vec pages = { 0 };
    size_t size;
    const enum status st = t->no_index ? OK : class_pages_keep(t, &err);
    uint8_t *data = st == OK ? index_section(t, SEGMENT_WHOLE(SECTION_CLASS_PAGES), SECTION_CLASS_PAGES, &size) : NULL;
    struct reader r = reader_of(data, data != NULL ? size : 0);
    if (data == NULL || !decode(&r, classes, &pages))
        vec_free(&pages);
    free(data);
    const int result = st == OK ? objects_open_classes(t, classes, &pages, out, error) : give(error, &err);
    vec_free(&pages);
    return result;
}
