/* bench_codec.c - how fast and how small is the chunk codec?
 *
 *     bench_codec [FILE]      FILE: packed little-endian tuples (u32 data ID, u8 kind letter, u64 value, u64 stamp)
 *
 * One JSON line per stream: events/s of encoding, of decoding all, of decoding data IDs only, each the median of
 * REPEATS with the spread (slowest, fastest), and bytes per event. Without FILE the streams are made here:
 *
 *     loop      matrix multiplication: locals, array elements, loop labels
 *     objects   a chained hash table that grows and is searched
 *     calls     a random program of 400 methods (calls, fields, branches, locals), interpreted: the nearest to a
 *               compiler
 *     sync      calls, with the stamp stepping by one at every method entry and exit
 *     random    random data IDs and values: the worst case */
#include "formats/chunk.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/utsname.h>
#include <time.h>

#include "formats/event.h"
#include "formats/vec.h"

enum { EVENTS = 4 * 1000 * 1000, REPEATS = 7, IDS_MAX = 1 << 24 };

struct stream {
    VEC(uint32_t) ids;
    VEC(uint64_t) values;
    VEC(uint64_t) stamps;
    VEC(uint8_t) kinds;
    uint64_t stamp;
};

static void *need(void *p)
{
    if (p == NULL) {
        (void)fputs("bench_codec: out of memory\n", stderr);
        exit(1);
    }
    return p;
}

static void emit(struct stream *s, uint32_t id, uint8_t kind, uint64_t v)
{
    while (s->kinds.count <= id)
        *(uint8_t *)need(vec_push(&s->kinds)) = KIND_VOID;
    s->kinds.items[id] = kind;
    *(uint32_t *)need(vec_push(&s->ids)) = id;
    *(uint64_t *)need(vec_push(&s->values)) = kind == KIND_VOID ? 0 : v;
    *(uint64_t *)need(vec_push(&s->stamps)) = s->stamp;
}

static uint64_t rng_state = 88172645463325252u;
static uint64_t rng(void)
{
    rng_state ^= rng_state << 13;
    rng_state ^= rng_state >> 7;
    rng_state ^= rng_state << 17;
    return rng_state;
}
static uint32_t below(uint32_t n) { return (uint32_t)((rng() >> 32) * n >> 32); }

/* ---- loop ---- */

static void make_loop(struct stream *s)
{
    enum { N = 64 };
    static double a[N][N], b[N][N];
    for (unsigned i = 0; i < N * N; i++) {
        a[i / N][i % N] = (double)below(1000) / 7;
        b[i / N][i % N] = (double)below(100);
    }
    while (s->ids.count < EVENTS) {
        for (uint64_t i = 0; i < N; i++)
            for (uint64_t j = 0; j < N; j++) {
                double sum = 0;
                for (uint64_t k = 0; k < N; k++) {
                    uint64_t bits[3];
                    double product = a[i][k] * b[k][j];
                    sum += product;
                    memcpy(&bits[0], &a[i][k], 8);
                    memcpy(&bits[1], &b[k][j], 8);
                    memcpy(&bits[2], &sum, 8);
                    emit(s, 10, KIND_PC, 0);
                    emit(s, 11, KIND_INT, k);
                    emit(s, 12, KIND_REF, 100 + i);
                    emit(s, 13, KIND_INT, k);
                    emit(s, 14, KIND_DOUBLE, bits[0]);
                    emit(s, 15, KIND_REF, 200 + k);
                    emit(s, 16, KIND_INT, j);
                    emit(s, 17, KIND_DOUBLE, bits[1]);
                    emit(s, 18, KIND_DOUBLE, bits[2]);
                    emit(s, 19, KIND_INT, k + 1);
                }
                emit(s, 20, KIND_REF, 300 + i);
                emit(s, 21, KIND_INT, j);
            }
    }
}

/* ---- objects ---- */

struct node {
    uint64_t id, key;
    struct node *next;
};

static void make_objects(struct stream *s)
{
    enum { BUCKETS = 4096 };
    static struct node *buckets[BUCKETS];
    struct node *nodes = need(calloc(EVENTS, sizeof *nodes));
    uint64_t made = 0, table = 1;
    while (s->ids.count < EVENTS) {
        uint64_t key = below(20000);
        emit(s, 30, KIND_REF, table);
        emit(s, 31, KIND_INT, key);
        emit(s, 32, KIND_INT, key % BUCKETS);
        struct node *n = buckets[key % BUCKETS];
        emit(s, 33, KIND_REF, n != NULL ? n->id : 0);
        for (; n != NULL && n->key != key; n = n->next) {
            emit(s, 34, KIND_REF, n->id);
            emit(s, 35, KIND_INT, n->key);
            emit(s, 36, KIND_REF, n->id);
            emit(s, 37, KIND_REF, n->next != NULL ? n->next->id : 0);
        }
        if (n != NULL) {
            emit(s, 34, KIND_REF, n->id);
            emit(s, 35, KIND_INT, n->key);
            emit(s, 40, KIND_BOOLEAN, 1);
            continue;
        }
        n = &nodes[made++];
        *n = (struct node){ made + 1, key, buckets[key % BUCKETS] };
        buckets[key % BUCKETS] = n;
        emit(s, 41, KIND_VOID, 0);
        emit(s, 42, KIND_REF, n->id);
        emit(s, 43, KIND_REF, n->id);
        emit(s, 44, KIND_INT, key);
        emit(s, 45, KIND_REF, n->id);
        emit(s, 46, KIND_REF, n->next != NULL ? n->next->id : 0);
        emit(s, 47, KIND_BOOLEAN, 0);
    }
    free(nodes);
}

/* ---- calls: an interpreted random program ---- */

enum op {
    OP_LOAD_REF,
    OP_LOAD_INT,
    OP_STORE_INT,
    OP_INC,
    OP_GET_REF,
    OP_GET_INT,
    OP_PUT_REF,
    OP_PUT_INT,
    OP_NEW,
    OP_CALL,
    OP_SKIP,
    OP_LOOP,
    OP_COUNT
};
enum { METHODS = 400, OPS_MAX = 48, LOCALS = 4, OBJECTS = 1 << 20, DEPTH_MAX = 24 };

struct insn {
    enum op op;
    uint32_t id, a, b;
};
struct method {
    uint32_t id, count;
    struct insn insns[OPS_MAX];
};
struct heap_object {
    uint64_t refs[2], ints[2];
};
struct machine {
    struct stream *s;
    struct method methods[METHODS];
    struct heap_object *heap; /* by id */
    uint64_t made;
    bool sync; /* entry and exit step the stamp */
};

static void program_new(struct machine *m)
{
    static const uint8_t weights[OP_COUNT] = { 10, 6, 4, 1, 6, 6, 2, 2, 1, 5, 6, 1 };
    uint32_t id = 100;
    for (uint32_t i = 0; i < METHODS; i++) {
        struct method *me = &m->methods[i];
        me->count = 8 + below(OPS_MAX - 8);
        me->id = id;
        id += 8;
        for (uint32_t k = 0; k < me->count; k++) {
            uint32_t pick = below(50), op = 0;
            for (uint32_t sum = weights[0]; pick >= sum; sum += weights[++op])
                ;
            me->insns[k] = (struct insn){ (enum op)op, id, (uint32_t)rng(), (uint32_t)rng() };
            id += 4;
        }
    }
}

static uint64_t new_object(struct machine *m)
{
    uint64_t id = ++m->made;
    m->heap[id % OBJECTS] = (struct heap_object){ { id, below((uint32_t)id) }, { below(256), id % 16 } };
    return id;
}

static uint64_t run(struct machine *m, uint32_t number, uint64_t self, uint64_t ref, uint64_t num, unsigned depth)
{
    struct method *me = &m->methods[number];
    struct stream *s = m->s;
    uint64_t refs[LOCALS] = { self, ref, self, ref }, ints[LOCALS] = { num, 0, 1, num };
    uint32_t loops = 0;
    s->stamp += m->sync;
    emit(s, me->id, KIND_REF, self);
    emit(s, me->id + 1, KIND_REF, ref);
    emit(s, me->id + 2, KIND_INT, num);
    for (uint32_t k = 0; k < me->count && s->ids.count < EVENTS; k++) {
        struct insn *in = &me->insns[k];
        uint64_t *r = &refs[in->a % LOCALS], *n = &ints[in->b % LOCALS];
        struct heap_object *o = &m->heap[*r % OBJECTS];
        uint32_t f = in->b & 1;
        switch (in->op) {
        case OP_LOAD_REF: emit(s, in->id, KIND_REF, *r); break;
        case OP_LOAD_INT: emit(s, in->id, KIND_INT, *n); break;
        case OP_STORE_INT: emit(s, in->id, KIND_INT, *n = ints[in->a % LOCALS] + (in->a & 7)); break;
        case OP_INC: emit(s, in->id, KIND_INT, ++*n); break;
        case OP_GET_REF:
            emit(s, in->id, KIND_REF, *r);
            emit(s, in->id + 1, KIND_REF, o->refs[f]);
            refs[in->b % LOCALS] = o->refs[f];
            break;
        case OP_GET_INT:
            emit(s, in->id, KIND_REF, *r);
            emit(s, in->id + 1, KIND_INT, *n = o->ints[f]);
            break;
        case OP_PUT_REF:
            emit(s, in->id, KIND_REF, *r);
            emit(s, in->id + 1, KIND_REF, o->refs[f] = refs[in->b % LOCALS]);
            break;
        case OP_PUT_INT:
            emit(s, in->id, KIND_REF, *r);
            emit(s, in->id + 1, KIND_INT, o->ints[f] = *n);
            break;
        case OP_NEW:
            emit(s, in->id, KIND_VOID, 0);
            emit(s, in->id + 1, KIND_REF, *r = new_object(m));
            break;
        case OP_CALL:
            if (depth >= DEPTH_MAX)
                break;
            emit(s, in->id, KIND_REF, *r);
            emit(s, in->id + 1, KIND_REF, refs[1]);
            emit(s, in->id + 2, KIND_INT, *n);
            *r = run(m, (in->a >> 8) % METHODS, *r, refs[1], *n, depth + 1 + below(8));
            emit(s, in->id + 3, KIND_REF, *r);
            break;
        case OP_SKIP:
            if ((*n + below(16) * (in->b >> 8 & 1)) % 16 < 4)
                k += in->a >> 8 & 3;
            emit(s, in->id, KIND_PC, k);
            break;
        case OP_LOOP:
            if (k >= 6 && loops++ < 12)
                k -= 6;
            emit(s, in->id, KIND_PC, in->id);
            break;
        case OP_COUNT: break;
        }
    }
    s->stamp += m->sync;
    emit(s, me->id + 3, KIND_REF, refs[2]);
    return refs[2];
}

static void make_program(struct stream *s, bool sync)
{
    struct machine *m = need(calloc(1, sizeof *m));
    m->heap = need(calloc(OBJECTS, sizeof *m->heap));
    m->s = s;
    m->sync = sync;
    rng_state = 88172645463325252u;
    program_new(m);
    new_object(m);
    while (s->ids.count < EVENTS)
        run(m, below(METHODS), 1, 1, below(8), 0);
    free(m->heap);
    free(m);
}
static void make_calls(struct stream *s) { make_program(s, false); }
static void make_sync(struct stream *s) { make_program(s, true); }

static void make_random(struct stream *s)
{
    while (s->ids.count < EVENTS)
        emit(s, below(100000), KIND_LONG, rng());
}

/* ---- measuring ---- */

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t); /* of this one thread: others may want the machine */
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

struct blobs {
    VEC(size_t) ends;
    struct writer bytes;
};

static void check(enum status s, const struct error *err)
{
    if (s != OK) {
        (void)fprintf(stderr, "bench_codec: %s\n", err->text);
        exit(1);
    }
}

static double encode_all(struct chunk_encoder *e, const struct stream *s, struct blobs *out)
{
    struct error err;
    struct kind_table kinds = { s->kinds.items, (uint32_t)s->kinds.count };
    out->ends.count = 0;
    out->bytes.size = 0;
    double start = now();
    for (size_t at = 0; at < s->ids.count; at += CHUNK_EVENTS_MAX) {
        size_t n = s->ids.count - at < CHUNK_EVENTS_MAX ? s->ids.count - at : CHUNK_EVENTS_MAX;
        struct chunk_columns in = { (uint32_t)n, s->ids.items + at, s->values.items + at, s->stamps.items + at, NULL };
        check(chunk_encode(e, kinds, &in, &out->bytes, &err), &err);
        *(size_t *)need(vec_push(&out->ends)) = out->bytes.size;
    }
    return (double)s->ids.count / (now() - start);
}

static double decode_all(struct chunk_decoder *d, const struct stream *s, const struct blobs *in, unsigned want)
{
    struct error err;
    struct kind_table kinds = { s->kinds.items, (uint32_t)s->kinds.count };
    struct chunk_columns got;
    double start = now();
    size_t from = 0, at = 0;
    bool same = true;
    for (size_t i = 0; i < in->ends.count; from = in->ends.items[i++], at += got.count) {
        check(chunk_decode(d, kinds, in->bytes.data + from, in->ends.items[i] - from, want, &got, &err), &err);
        same &= got.ids[got.count - 1] == s->ids.items[at + got.count - 1];
        if ((want & CHUNK_VALUES) != 0)
            same &= got.values[got.count - 1] == s->values.items[at + got.count - 1];
    }
    double rate = (double)s->ids.count / (now() - start);
    if (!same || at != s->ids.count) {
        (void)fputs("bench_codec: decoding gave other events\n", stderr);
        exit(1);
    }
    return rate;
}

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void print_rates(const char *name, double *rates)
{
    qsort(rates, REPEATS, sizeof *rates, compare_doubles);
    printf(",\"%s_events_per_s\":%.0f,\"%s_spread\":[%.0f,%.0f]", name, rates[REPEATS / 2], name, rates[0],
           rates[REPEATS - 1]);
}

static void measure(const char *name, const struct stream *s)
{
    struct chunk_encoder *e = need(chunk_encoder_new());
    struct chunk_decoder *d = need(chunk_decoder_new());
    struct blobs blobs = { 0 };
    double encode[REPEATS], decode[REPEATS], ids[REPEATS];
    struct utsname machine = { 0 };
    (void)uname(&machine);
    for (int i = 0; i < REPEATS; i++) {
        encode[i] = encode_all(e, s, &blobs);
        decode[i] = decode_all(d, s, &blobs, CHUNK_ALL);
        ids[i] = decode_all(d, s, &blobs, CHUNK_IDS);
    }
    const char *commit = getenv("HINDSIGHT_COMMIT");
    printf("{\"bench\":\"codec\",\"stream\":\"%s\",\"machine\":\"%s %s\",\"compiler\":\"%s\",\"commit\":\"%s\","
           "\"events\":%zu,\"bytes_per_event\":%.4f",
           name, machine.nodename, machine.machine, __VERSION__, commit != NULL ? commit : "", s->ids.count,
           (double)blobs.bytes.size / (double)s->ids.count);
    print_rates("encode", encode);
    print_rates("decode", decode);
    print_rates("ids", ids);
    printf("}\n");
    chunk_encoder_free(e);
    chunk_decoder_free(d);
    writer_free(&blobs.bytes);
    vec_free(&blobs.ends);
}

static void stream_done(struct stream *s)
{
    vec_free(&s->ids);
    vec_free(&s->values);
    vec_free(&s->stamps);
    vec_free(&s->kinds);
}

static bool stream_load(struct stream *s, const char *path)
{
    FILE *f = fopen(path, "rb");
    if (f == NULL) {
        perror(path);
        return false;
    }
    uint8_t b[21];
    while (fread(b, sizeof b, 1, f) == 1) {
        struct reader r = reader_of(b, sizeof b);
        uint32_t id = read_le4(&r);
        uint8_t kind = read_u1(&r);
        uint64_t value = read_le8(&r);
        s->stamp = read_le8(&r);
        if (id >= IDS_MAX || !kind_known(kind)) {
            (void)fprintf(stderr, "bench_codec: %s: not a file of events\n", path);
            (void)fclose(f);
            return false;
        }
        emit(s, id, kind, value);
    }
    (void)fclose(f);
    return s->ids.count != 0;
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*make)(struct stream *s);
    } streams[] = { { "loop", make_loop },
                    { "objects", make_objects },
                    { "calls", make_calls },
                    { "sync", make_sync },
                    { "random", make_random } };
    if (argc > 1) {
        struct stream s = { 0 };
        if (!stream_load(&s, argv[1]))
            return 1;
        measure(argv[1], &s);
        stream_done(&s);
        return 0;
    }
    for (size_t i = 0; i < sizeof streams / sizeof streams[0]; i++) {
        struct stream s = { 0 };
        streams[i].make(&s);
        measure(streams[i].name, &s);
        stream_done(&s);
    }
    return 0;
}
