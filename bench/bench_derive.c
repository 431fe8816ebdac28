/* bench_derive.c - what derived chunks make of a stored trace, and that they give back every event of it. Times are CPU
 * times of the thread.
 *
 *     bench_derive TRACE...      a line each: events, share stored, bytes per event, speed; exit 1 if one differs
 *     bench_derive -v TRACE      also the stored events by type
 *     bench_derive -i TRACE...   with the records of hooks that record inputs alone (SITE_INPUTS); of a trace that
 *                                has such records already, the only right way
 *     bench_derive -l TRACE...   also what a log of these records would cost (input_log.h)
 *
 * Each chunk of a plain trace is filtered as the recorder does (formats/derived.h), executed, and compared. */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "bench/input_log.h"
#include "formats/derive_write.h"
#include "formats/journal.h"
#include "reader/derive/derive.h"
#include "reader/derive/replay_thread.h"

struct figures {
    uint64_t events, stored, explicit_events, chunks, wrong;
    uint64_t methods, recorded; /* methods of woven classes; of those, not followed */
    uint64_t plain_bytes, bytes;
    uint64_t records;
    double put_s, end_s, replay_s; /* putting records, packing the chunk, executing it */
    uint64_t by_event[EVENT_LIMIT];
};

static unsigned reported;
static void report(const char *text)
{
    if (reported++ < 20)
        printf("%s\n", text);
}

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static uint32_t *make_sites(hs_trace *t, bool inputs, struct figures *out)
{
    const uint32_t count = hs_dataid_count(t);
    struct code_event *events = code_events(t);
    uint32_t *sites = calloc((size_t)count + 1, sizeof *sites);
    if (sites == NULL || events == NULL)
        return NULL;
    for (uint32_t id = 0; id < count; id++)
        (void)method_of_event(t, id);
    for (uint32_t id = 0; id < count; id++) {
        const struct code_event *p = &events[id];
        if (p->row == NULL)
            continue;
        const struct method *m = p->method;
        bool recorded = m == NULL || program_of(t, m) == NULL;
        bool inputs_alone = inputs && !recorded && (m->row->groups & DERIVE_GROUPS) == DERIVE_GROUPS;
        uint32_t end = id;
        while (end < count && events[end].row != NULL && events[end].row->method_id == p->row->method_id)
            end++;
        out->methods++;
        out->recorded += recorded;
        for (; id < end; id++) {
            const struct hs_dataid *row = events[id].row;
            unsigned next = id + 1 < end ? events[id + 1].row->event : 0;
            const char *type = attribute_text(row, "methodtype");
            const bool made = row->event == EVENT_METHOD_ENTRY
                                  ? m != NULL && m->is_constructor
                                  : row->event == EVENT_CALL && type != NULL && strcmp(type, "constructor") == 0;
            sites[id] = derive_site_row(&(struct derive_site){ row->method_id, row->event, next, (unsigned)row->kind,
                                                               !recorded, inputs_alone, made });
        }
        id--;
    }
    return sites;
}

/* The records of the hook that these events were. Returns how many there are. */
static uint32_t make_records(struct kind_table kinds, const struct chunk_columns *in, uint64_t *out, uint64_t **end)
{
    uint32_t records = 0;
    for (uint32_t i = 0; i < in->count; records++) {
        uint32_t id = in->ids[i], n = 0;
        *out++ = (uint64_t)(uint32_t)in->stamps[i] << 32 | id;
        do {
            if ((kinds.letters[id + n] & (uint8_t)~KIND_JOINED) != KIND_VOID) {
                bool reference = (kinds.letters[id + n] & (uint8_t)~KIND_JOINED) == KIND_REF;
                *out++ = reference ? object_hash((uint32_t)in->values[i]) : in->values[i];
            }
            i++;
            n++;
        } while (i < in->count && in->ids[i] == id + n && (kinds.letters[id + n] & KIND_JOINED) != 0 &&
                 n < JOURNAL_RECORD_EVENTS);
    }
    *end = out;
    return records;
}

struct checker {
    hs_trace *t;
    bool inputs;
    struct input_log *log; /* with inputs; NULL: none is wanted */
    uint8_t *letters;      /* with inputs: of the records */
    uint16_t *pcs;
    struct replay_code code;
    struct derive_encoder *encoder;
    struct chunk_decoder *decoder;
    struct derived_chunk chunk;
    struct writer blob;
    uint8_t *roles; /* all 0 */
    uint64_t *words;
    uint32_t *ids;
    uint64_t *values;
    struct figures *out;
};

/* Has the block that begins with this LABEL another record? */
static bool block_is_recorded(const struct derive_sites *sites, uint32_t label)
{
    for (uint32_t id = label + 1;
         id < sites->count && sites->rows[id] >> SITE_METHOD_SHIFT == sites->rows[label] >> SITE_METHOD_SHIFT; id++) {
        uint32_t role = sites->rows[id] & SITE_ROLE;
        if (role == SITE_BLOCK || role == SITE_CAUGHT || role == SITE_THROWN || role == SITE_BLOCK_END)
            return false;
        if ((sites->rows[id] & SITE_VALUELESS) == 0 && role != SITE_NEVER && role != SITE_EXPLICIT)
            return true;
    }
    return false;
}

/* The records of hooks that record inputs alone. A mark stands where the weaver puts one: before an entry that
 * interrupts the code; and at the end of the chunk, so that it has the same events. Those from number `whole` on are of
 * a record that goes on in the next chunk. */
static uint32_t make_inputs(struct checker *k, const struct chunk_columns *in, uint64_t **end, uint32_t *whole)
{
    const struct derive_sites *sites = &k->code.sites;
    uint64_t *out = k->words;
    uint32_t records = 0;
    for (uint32_t i = 0; i < in->count; i++) {
        uint32_t id = in->ids[i], row = sites->rows[id], role = row & SITE_ROLE, last = i > 0 ? in->ids[i - 1] : 0;
        uint64_t head = (uint64_t)(uint32_t)in->stamps[i] << 32 | id;
        bool marked = i + 1 == in->count || (sites->rows[in->ids[i + 1]] & SITE_ROLE) == SITE_ENTRY;
        if ((row & SITE_VALUELESS) != 0 && !marked && (role != SITE_BLOCK || block_is_recorded(sites, id)))
            continue;
        if (role == SITE_THROWN && (row & SITE_INPUTS) != 0 && i > 0) {
            *out++ = head;
            *out++ = (uint64_t)(-1 - (int64_t)(k->pcs[last] + ((sites->rows[last] & SITE_AFTER) != 0)));
        }
        if ((k->letters[id] & KIND_JOINED) == 0 || i == 0) {
            *end = out; /* of complete records, if this one is cut off */
            *whole = i;
            *out++ = head;
            records++;
        }
        const uint8_t letter = k->letters[id] & (uint8_t)~KIND_JOINED;
        if (letter != KIND_VOID)
            *out++ = letter == KIND_REF ? object_hash((uint32_t)in->values[i]) : in->values[i];
    }
    const uint32_t next = in->count > 0 ? in->ids[in->count - 1] + 1 : 0;
    if (next == 0 || next >= sites->count || (k->letters[next] & KIND_JOINED) == 0) {
        *end = out;
        *whole = in->count;
    }
    return records;
}

static enum status check_chunk(struct checker *k, const struct chunk_ref *c, struct derive_thread *writing,
                               struct replay_thread *reading, struct error *err)
{
    struct chunk_columns in;
    struct kind_table kinds = { k->t->kinds, k->t->kind_count };
    char text[1024];
    enum status st = trace_decode(k->t, k->t->decoder, c, CHUNK_IDS | CHUNK_VALUES | CHUNK_STAMPS, &in, err);
    if (st != OK)
        return st;
    uint64_t *end = k->words;
    if (k->inputs)
        kinds.letters = k->letters;
    uint32_t whole = in.count;
    k->out->records += k->inputs ? make_inputs(k, &in, &end, &whole) : make_records(kinds, &in, k->words, &end);
    if (k->log != NULL)
        log_chunk(k->log, kinds.letters, kinds.count, k->words, end, now_s);
    k->blob.size = 0;
    double a = now_s();
    derive_begin(k->encoder, writing, false, &(struct derive_tables){ k->code.sites, kinds, k->roles, k->pcs, false });
    uint64_t stamp = in.stamps[0];
    for (const uint64_t *p = k->words; p != NULL && p < end;) {
        stamp += (uint32_t)((uint32_t)(*p >> 32) - (uint32_t)stamp);
        p = derive_put_record(k->encoder, (uint32_t)*p, stamp, p + 1, end);
        if (p != NULL)
            p = derive_put_records(k->encoder, 0, UINT64_MAX, p, end);
    }
    for (uint32_t i = whole; i < in.count; i++)
        (void)derive_put(k->encoder, in.ids[i], in.stamps[i], in.values + i, in.count - i);
    double b = now_s();
    st = derive_end(k->encoder, &k->blob, err);
    if (st != OK)
        return st;
    k->out->put_s += b - a;
    k->out->end_s += now_s() - b;
    b = now_s();
    st = derived_chunk_read(&k->chunk, k->decoder, kinds, k->blob.data, k->blob.size, err);
    if (st != OK)
        return st;
    st = replay_chunk(&k->code, reading, &k->chunk, k->ids, k->values, err);
    k->out->replay_s += now_s() - b;
    uint32_t i = 0;
    while (i < in.count && k->ids[i] == in.ids[i] && k->values[i] == in.values[i])
        i++;
    if (st != OK || i < in.count) {
        char site[200] = "?", got[200] = "?", before[200] = "?";
        if (i < in.count)
            code_event_text(&k->code.events[in.ids[i]], site, sizeof site);
        if (i < in.count && k->ids[i] < k->code.sites.count)
            code_event_text(&k->code.events[k->ids[i]], got, sizeof got);
        if (i > 0)
            code_event_text(&k->code.events[in.ids[i - 1]], before, sizeof before);
        (void)snprintf(text, sizeof text, "chunk %llu event %u: %s = %lld, replayed %s = %lld; before %s; %s",
                       (unsigned long long)c->number, i, site, i < in.count ? (long long)in.values[i] : 0, got,
                       (long long)k->values[i < in.count ? i : 0], before, st != OK ? err->text : "");
        report(text);
        k->out->wrong++;
        derive_forget(writing);
        derive_forget(&reading->state);
        reading->frames.count = 0;
    }
    k->out->events += in.count;
    k->out->stored += k->chunk.stored;
    for (uint32_t n = 0; n < k->chunk.stored; n++)
        k->out->by_event[k->code.events[k->chunk.ids[n]].event]++;
    k->out->explicit_events += k->chunk.explicit_events.count;
    k->out->chunks++;
    k->out->plain_bytes += c->bytes;
    k->out->bytes += k->blob.size;
    return OK;
}

/* Kinds of the records of hooks that record inputs alone: a call shares its record with its arguments, and an entry
 * with its parameters, as far as they fit. */
static void make_letters(struct checker *k, const uint32_t *sites, uint32_t count)
{
    for (uint32_t i = 0, values = 0; i < count; i++) {
        const bool valueless = (sites[i] & SITE_VALUELESS) != 0 || i >= k->t->kind_count;
        const uint32_t role = sites[i] & SITE_ROLE;
        k->letters[i] = valueless ? KIND_VOID : k->t->kinds[i] & (uint8_t)~KIND_JOINED;
        const bool valued = k->letters[i] != KIND_VOID;
        if ((role == SITE_PARAMETER || role == SITE_ARGUMENT) && values + valued <= JOURNAL_RECORD_VALUES) {
            k->letters[i] |= KIND_JOINED;
            values += valued;
        } else {
            values = valued;
        }
    }
}

static enum status check_trace(hs_trace *t, bool inputs, struct input_log *log, struct figures *out, struct error *err)
{
    const uint32_t count = hs_dataid_count(t);
    struct checker k = { .t = t, .out = out, .inputs = inputs, .log = log };
    *out = (struct figures){ 0 };
    uint32_t *sites = make_sites(t, inputs, out);
    if (sites == NULL)
        return error_memory(err, "%s", t->dir);
    uint32_t methods = 0;
    for (uint32_t i = 0; i < count; i++)
        if (sites[i] >> SITE_METHOD_SHIFT >= methods)
            methods = (sites[i] >> SITE_METHOD_SHIFT) + 1;
    k.code = (struct replay_code){
        t, code_events(t), { sites, count }, calloc(methods, sizeof(struct program *)), methods, NULL, NULL, NULL
    };
    k.encoder = derive_encoder_new();
    k.code.followers = derive_followers(k.encoder);
    k.decoder = chunk_decoder_new();
    k.ids = malloc(CHUNK_EVENTS_MAX * sizeof *k.ids);
    k.values = malloc(CHUNK_EVENTS_MAX * sizeof *k.values);
    k.letters = calloc((size_t)count + 1, 1);
    k.pcs = calloc((size_t)count + 1, sizeof *k.pcs);
    for (uint32_t i = 0; i < count; i++) {
        k.pcs[i] = k.code.events[i].row != NULL ? (uint16_t)k.code.events[i].row->pc : 0;
    }
    make_letters(&k, sites, count);
    k.words = malloc(4 * CHUNK_EVENTS_MAX * sizeof *k.words);
    k.roles = calloc((size_t)count + 1, 1);
    enum status st = OK;
    for (size_t s = 0; s < t->stream_count && st == OK; s++) {
        struct derive_thread writing = { 0 };
        struct replay_thread reading = { 0 };
        for (size_t c = 0; c < t->streams[s].count && st == OK; c++)
            st = check_chunk(&k, &t->streams[s].chunks[c], &writing, &reading, err);
        vec_free(&writing.frames);
        replay_thread_done(&reading);
    }
    derive_encoder_free(k.encoder);
    chunk_decoder_free(k.decoder);
    derived_chunk_done(&k.chunk);
    writer_free(&k.blob);
    free(k.words);
    free(k.letters);
    free(k.pcs);
    free(k.roles);
    free(k.ids);
    free(k.values);
    free(k.code.programs);
    free(sites);
    return st;
}

static int one(const char *dir, char option)
{
    struct hs_error error = HS_ERROR_INIT;
    struct error err = { 0 };
    struct figures f;
    struct input_log log;
    const bool verbose = option == 'v', logged = option == 'l', inputs = option == 'i' || logged;
    hs_trace *t = NULL;
    if (hs_open(dir, HS_OPEN_READONLY, NULL, &t, &error) != 0) {
        fprintf(stderr, "bench_derive: %s\n", error.text);
        return 2;
    }
    if (logged && !log_init(&log))
        return 2;
    enum status st = check_trace(t, inputs, logged ? &log : NULL, &f, &err);
    hs_close(t);
    if (st != OK) {
        fprintf(stderr, "bench_derive: %s: %s\n", dir, err.text);
        return 2;
    }
    double n = f.events > 0 ? (double)f.events : 1;
    printf("%-28s events %llu, stored %.4f, explicit %.5f, wrong chunks %llu of %llu, "
           "methods recorded whole %llu of %llu, "
           "bytes %.4f (plain %.4f), %.2f events a record; ns per event: put %.2f, end %.2f, replay %.2f\n",
           dir, (unsigned long long)f.events, (double)f.stored / n, (double)f.explicit_events / n,
           (unsigned long long)f.wrong, (unsigned long long)f.chunks, (unsigned long long)f.recorded,
           (unsigned long long)f.methods, (double)f.bytes / n, (double)f.plain_bytes / n, n / (double)(f.records + 1),
           f.put_s / n * 1e9, f.end_s / n * 1e9, f.replay_s / n * 1e9);
    for (unsigned e = 0; verbose && e < EVENT_LIMIT; e++)
        if (f.by_event[e] > 0)
            printf("    %.4f %s\n", (double)f.by_event[e] / n, event_name(e));
    if (logged) {
        log_print(&log, (double)(f.records + 1), n);
        f.wrong += log.wrong;
        log_done(&log);
    }
    return f.wrong > 0;
}

int main(int argc, char **argv)
{
    int status = 0;
    const char option = argc > 1 && argv[1][0] == '-' && strchr("vil", argv[1][1]) != NULL ? argv[1][1] : '\0';
    if (argc < 2 + (option != '\0')) {
        fprintf(stderr, "usage: bench_derive [-v|-i|-l] TRACE...\n");
        return 2;
    }
    for (int i = 1 + (option != '\0'); i < argc; i++) {
        int s = one(argv[i], option);
        status = s > status ? s : status;
    }
    return status;
}
