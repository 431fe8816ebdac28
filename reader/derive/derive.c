/* derive.c - derived chunks of an open trace: the state of each thread between two chunks, and the roles of its data
 * IDs.
 *
 * States are kept before each chunk of a thread, or every few, as long as they need little memory. From the state
 * before a chunk, or before one soon in front of it, the chunk is executed. */
#include "reader/derive/deriving.h"

#include "formats/search.h"
#include "reader/derive/stored_state.h"

/* A small state takes little of an index: it is kept before each chunk, a greater one before each eighth. One of a very
 * deep recursion is not: copies would take longer than to execute again what came since. */
enum { KEPT_EVERY = 8, KEPT_SMALL = 64 << 10, KEPT_BYTES = 256 << 20, KEPT_LARGEST = KEPT_BYTES / 8 };

/* Registers that are in use. */
static size_t register_count(const struct replay_thread *t)
{
    const struct replay_frame *top = t->frames.count > 0 ? &t->frames.items[t->frames.count - 1] : NULL;
    return top == NULL ? 0 : top->base + top->registers;
}

static size_t bytes_of(const struct replay_thread *t)
{
    return t->frames.count * sizeof *t->frames.items + register_count(t) * sizeof *t->registers.items +
           t->state.frames.count * sizeof *t->state.frames.items + sizeof *t;
}

/* Is the state before that chunk kept? */
static bool is_kept(const struct replay_thread *t, size_t chunk)
{
    size_t bytes = bytes_of(t);
    return bytes <= KEPT_SMALL || (chunk % KEPT_EVERY == 0 && bytes <= KEPT_LARGEST);
}

static void deriving_free(void *what)
{
    struct deriving *d = what;
    for (size_t s = 0; d->streams != NULL && s < d->trace->stream_count; s++) {
        for (size_t i = 0; i < d->streams[s].kept.count; i++)
            replay_thread_done(&d->streams[s].kept.items[i].state);
        vec_free(&d->streams[s].kept);
        replay_thread_done(&d->streams[s].state);
    }
    free(d->streams);
    free(d->sites);
    free(d->code.programs);
    free(d->ids);
    free(d->values);
    free(d->share_of);
    free(d->shares);
    followers_done(&d->followers);
    derived_chunk_done(&d->chunk);
    chunk_decoder_free(d->decoder);
    free(d);
}

static uint32_t method_count(hs_trace *t)
{
    uint32_t count = 0;
    for (size_t i = 0; i < class_rows(t); i++) {
        const struct hs_class *c = class_at(t, i);
        if (c->method_count > 0 && c->methods[0]->method_id + c->method_count > count)
            count = c->methods[0]->method_id + c->method_count;
    }
    return count;
}

/* Rows of all data IDs of the method of this one. */
static bool load_sites(void *context, uint32_t id)
{
    struct deriving *d = context;
    hs_trace *t = d->trace;
    const struct hs_dataid *row = dataid_row(t, id);
    const struct hs_class *c = tables_class_of(t, id);
    uint32_t first = id, end = id + 1;
    if (row == NULL || c == NULL || id - c->first_dataid >= c->dataid_count ||
        row->method_id + 1 >= d->code.method_count)
        return false;
    const bool followed = method_followed(t, row->method_id);
    dataid_siblings(t, c, &first, &end);
    for (uint32_t i = first; i < end && i < d->code.sites.count; i++) {
        const struct hs_dataid *next = i + 1 < end ? dataid_row(t, i + 1) : NULL;
        if ((row = dataid_row(t, i)) == NULL)
            return false;
        d->sites[i] = derive_site_row(&(struct derive_site){ .method = row->method_id,
                                                             .event = (unsigned)row->event,
                                                             .next = next != NULL ? (unsigned)next->event : 0,
                                                             .kind = (unsigned)row->kind,
                                                             .followed = followed });
    }
    return d->sites[id] != 0;
}

static bool deriving_init(struct deriving *d, hs_trace *t)
{
    const uint32_t count = hs_dataid_count(t);
    d->trace = t;
    d->timed = trace_timed(t);
    d->every = 1;
    d->sites = calloc((size_t)count + 1, sizeof *d->sites);
    d->code = (struct replay_code){ .trace = t,
                                    .events = code_events(t),
                                    .sites = { d->sites, count },
                                    .method_count = method_count(t) + 2,
                                    .need = load_sites,
                                    .context = d,
                                    .followers = &d->followers };
    d->code.programs = calloc(d->code.method_count, sizeof(struct program *));
    d->decoder = chunk_decoder_new();
    d->streams = calloc(t->stream_count + 1, sizeof *d->streams);
    d->ids = malloc((CHUNK_EVENTS_MAX + CHUNK_ROOM) * sizeof *d->ids);
    d->values = malloc((CHUNK_EVENTS_MAX + CHUNK_ROOM) * sizeof *d->values);
    return d->code.events != NULL && d->sites != NULL && d->code.programs != NULL && d->decoder != NULL &&
           d->streams != NULL && d->ids != NULL && d->values != NULL;
}

struct deriving *deriving_of(hs_trace *t, struct error *err)
{
    struct deriving *d = trace_attached(t, ATTACHED_DERIVED);
    if (d != NULL)
        return d;
    d = calloc(1, sizeof *d);
    if (d == NULL || !tables_need_classes(t) || !deriving_init(d, t)) {
        if (d != NULL)
            deriving_free(d);
        (void)error_memory(err, "derived chunks of %s", t->dir);
        return NULL;
    }
    trace_attach(t, ATTACHED_DERIVED, d, deriving_free);
    return d;
}

/* Streams lie behind each other in hs_trace.chunks. */
size_t stream_of_chunk(const hs_trace *t, const struct chunk_ref *c, size_t *chunk)
{
    size_t s;
    LOWER_BOUND(s, t->stream_count, t->streams[s].chunks + t->streams[s].count <= c);
    if (s == t->stream_count || c < t->streams[s].chunks)
        return SIZE_MAX;
    *chunk = (size_t)(c - t->streams[s].chunks);
    return s;
}

/* ---- states between chunks ---- */

static bool copy_state(struct replay_thread *to, const struct replay_thread *from)
{
    size_t registers = register_count(from);
    if (!vec_reserve(&to->frames, from->frames.count) || !vec_reserve(&to->registers, registers) ||
        !vec_reserve(&to->state.frames, from->state.frames.count))
        return false;
    to->state.state = from->state.state;
    to->state.returned = from->state.returned;
    to->state.frames.count = from->state.frames.count;
    to->frames.count = from->frames.count;
    if (from->frames.count > 0)
        memcpy(to->frames.items, from->frames.items, from->frames.count * sizeof *to->frames.items);
    if (from->state.frames.count > 0)
        memcpy(to->state.frames.items, from->state.frames.items,
               from->state.frames.count * sizeof *to->state.frames.items);
    if (registers > 0)
        memcpy(to->registers.items, from->registers.items, registers * sizeof *to->registers.items);
    return true;
}

/* Drops every second kept state of all threads. */
static void thin_out(struct deriving *d)
{
    d->every *= 2;
    d->kept_bytes = 0;
    for (size_t s = 0; s < d->trace->stream_count; s++) {
        size_t left = 0;
        struct derived_stream *stream = &d->streams[s];
        for (size_t i = 0; i < stream->kept.count; i++) {
            struct kept_state *k = &stream->kept.items[i];
            if (k->chunk % d->every != 0) {
                replay_thread_done(&k->state);
                continue;
            }
            d->kept_bytes += bytes_of(&k->state);
            stream->kept.items[left++] = *k;
        }
        stream->kept.count = left;
    }
}

/* Keeps the state in which the stream is, where one is due. */
static void keep_state(struct deriving *d, struct derived_stream *s)
{
    if (d->trace->branch || s->next % d->every != 0 ||
        (s->kept.count > 0 && s->kept.items[s->kept.count - 1].chunk >= s->next))
        return;
    if (!is_kept(&s->state, s->next))
        return;
    struct kept_state *k = vec_push(&s->kept);
    if (k == NULL)
        return;
    *k = (struct kept_state){ .chunk = s->next };
    if (!copy_state(&k->state, &s->state)) {
        replay_thread_done(&k->state);
        s->kept.count--;
        return;
    }
    d->kept_bytes += bytes_of(&k->state);
    if (d->kept_bytes > KEPT_BYTES)
        thin_out(d);
}

/* Moves the stream before the chunk, or before one in front of it, with the help of the index. False: the index has no
 * state behind `least`. */
static bool use_index(struct deriving *d, size_t stream, size_t chunk, size_t least)
{
    hs_trace *t = d->trace;
    struct derived_stream *s = &d->streams[stream];
    for (size_t at = chunk; at > least; at -= at % KEPT_EVERY != 0 ? 1 : KEPT_EVERY) {
        size_t size = 0;
        uint8_t *state = stored_states_find(t, &t->streams[stream].chunks[at], &size);
        bool known = state != NULL && stored_state_read(&d->code, &s->state, state, size);
        if (known || state != NULL)
            s->next = known ? at : 0; /* after a failure the thread is as at its begin */
        free(state);
        if (known)
            return true;
    }
    return false;
}

/* Moves the stream before the chunk, or before one in front of it. */
static bool rewind_stream(struct deriving *d, size_t stream, size_t chunk)
{
    struct derived_stream *s = &d->streams[stream];
    size_t i = s->kept.count;
    while (i > 0 && s->kept.items[i - 1].chunk > chunk)
        i--;
    size_t kept = i > 0 ? s->kept.items[i - 1].chunk : 0, current = s->next <= chunk ? s->next : 0;
    size_t nearest = kept > current ? kept : current;
    if (chunk > nearest && use_index(d, stream, chunk, nearest))
        return true;
    if (s->failed && s->next == chunk && chunk > 0 && use_index(d, stream, chunk, chunk - 1))
        return true;
    if (s->next <= chunk && (i == 0 || kept <= s->next))
        return true;
    if (i > 0) {
        s->next = s->kept.items[i - 1].chunk;
        return copy_state(&s->state, &s->kept.items[i - 1].state);
    }
    replay_thread_forget(&s->state);
    s->next = 0;
    return true;
}

/* ---- chunks ---- */

/* Reads the rows of DB_FOLLOWER up to that of the chunk, in a read transaction. */
static enum status need_followers(struct deriving *d, uint64_t chunk, struct error *err)
{
    struct env *env = &d->trace->env;
    enum status st = OK;
    for (uint64_t key = d->followers_upto; env->has[DB_FOLLOWER] && key <= chunk; key++) {
        struct text row;
        st = env_at_least(env, DB_FOLLOWER, &key, &row, err);
        if (st == ERR_NOT_FOUND || (st == OK && key > chunk))
            break;
        if (st == OK)
            st = followers_read(&d->followers, row.data, row.size, d->code.sites.count, err);
        if (st != OK)
            return st;
    }
    if (d->followers_upto <= chunk)
        d->followers_upto = chunk + 1;
    return OK;
}

static enum status fetch(struct deriving *d, const struct chunk_ref *c, struct error *err)
{
    hs_trace *t = d->trace;
    struct text blob;
    if (d->fetched == c)
        return OK;
    d->executed = d->fetched = NULL;
    enum status st = env_begin(&t->env, err);
    if (st != OK)
        return st;
    st = chunk_blob(t, c, &blob, err);
    if (st == OK)
        st = derived_chunk_read(&d->chunk, d->decoder, (struct kind_table){ t->kinds, t->kind_count }, blob.data,
                                blob.size, err);
    if (st == OK)
        st = need_followers(d, c->number, err);
    env_end(&t->env);
    if (st == OK && d->chunk.count != c->count)
        return error_set(err, ERR_FORMAT, "it has %u events, the directory says %u", d->chunk.count, c->count);
    if (st == OK)
        d->fetched = c;
    return st;
}

/* Puts the thread into the state that was stored for this chunk, if what came before was dropped. */
static enum status take_given(struct deriving *d, struct derived_stream *s, const struct chunk_ref *c,
                              struct error *err)
{
    struct env *env = &d->trace->env;
    struct text row;
    struct writer state = { 0 };
    if (!env->has[DB_STATE])
        return OK;
    enum status st = env_begin(env, err);
    if (st != OK)
        return st;
    st = env_get(env, DB_STATE, c->number, &row, err);
    if (st == OK)
        write_bytes(&state, row.data, row.size);
    env_end(env);
    if (st == OK && (state.bad || !stored_state_read(&d->code, &s->state, state.data, state.size)))
        st = state.bad ? error_memory(err, "chunk %llu", (unsigned long long)c->number)
                       : error_set(err, ERR_FORMAT, "the state of its thread is malformed");
    writer_free(&state);
    return st == ERR_NOT_FOUND ? OK : st;
}

/* Executes the next chunk of the stream. After an error the thread is as at its begin, and the stream goes on. */
static enum status replay_next(struct deriving *d, size_t stream, uint32_t *ids, uint64_t *values, struct error *err)
{
    struct derived_stream *s = &d->streams[stream];
    const struct chunk_ref *c = &d->trace->streams[stream].chunks[s->next];
    enum status st = OK;
    keep_state(d, s);
    s->next++;
    s->failed = false;
    d->trace->decoded++;
    if (c->derived)
        st = take_given(d, s, c, err);
    if (st == OK && c->derived)
        st = fetch(d, c, err);
    d->fetched = NULL; /* its events are pulled once */
    if (st == OK && c->derived)
        st = replay_chunk(&d->code, &s->state, &d->chunk, ids, values, err);
    if (st == OK && c->derived) {
        d->executed = c;
        return OK;
    }
    replay_thread_forget(&s->state);
    s->failed = st != OK;
    return st;
}

static void spread_stamps(const struct derived_chunk *c, uint64_t *stamps)
{
    uint64_t stamp = 0;
    size_t k = 0;
    for (uint32_t i = 0; i < c->count; i++) {
        if (k < c->stamp_events.count && c->stamp_events.items[k] == i)
            stamp = c->stamps.items[k++];
        stamps[i] = stamp;
    }
}

/* What runs between two records is spread evenly over the time between them. */
static void spread_times(const struct derived_chunk *c, uint64_t *times)
{
    uint64_t sum = 0, time = 0;
    uint32_t i = 0;
    for (size_t k = 0; k < c->time_events.count && i < c->count; k++) {
        const uint64_t word = c->times.items[k] - sum, before = time, from = i, first = c->time_events.items[k];
        sum = c->times.items[k];
        time += word >> DERIVED_SPAN_BITS;
        const uint64_t step = k > 0 && first > from ? (time - before) / (first - from + 1) : 0;
        for (; i < first; i++)
            times[i] = k > 0 ? before + step * (i - from + 1) : time;
        for (uint64_t behind = word & ((1u << DERIVED_SPAN_BITS) - 1); i <= first + behind && i < c->count; i++)
            times[i] = time;
    }
    for (; i < c->count; i++)
        times[i] = time;
}

enum status deriving_execute(struct deriving *d, const struct chunk_ref *c, uint32_t *ids, uint64_t *values,
                             struct error *err)
{
    size_t chunk = 0, stream = stream_of_chunk(d->trace, c, &chunk);
    struct error passed;
    if (stream == SIZE_MAX)
        return error_set(err, ERR_FORMAT, "it is not in the directory");
    if (!rewind_stream(d, stream, chunk))
        return error_memory(err, "chunk %llu", (unsigned long long)c->number);
    while (d->streams[stream].next < chunk)
        (void)replay_next(d, stream, d->ids, d->values, &passed);
    return replay_next(d, stream, ids, values, err);
}

bool deriving_seed(struct deriving *d, const struct chunk_ref *c, const void *state, size_t size)
{
    size_t chunk = 0, stream = stream_of_chunk(d->trace, c, &chunk);
    if (stream == SIZE_MAX)
        return false;
    struct derived_stream *s = &d->streams[stream];
    replay_thread_forget(&s->state);
    s->next = chunk;
    s->failed = size > 0 && !stored_state_read(&d->code, &s->state, state, size);
    return !s->failed;
}

bool deriving_is_before(const struct deriving *d, const struct chunk_ref *c)
{
    size_t chunk = 0, stream = stream_of_chunk(d->trace, c, &chunk);
    return stream != SIZE_MAX && d->streams[stream].next == chunk && !d->streams[stream].failed;
}

enum status derived_decode(hs_trace *t, struct chunk_decoder *decoder, const struct chunk_ref *c, unsigned want,
                           bool more, struct chunk_columns *out, struct error *err)
{
    struct deriving *d = deriving_of(t, err);
    if (d == NULL)
        return ERR_MEMORY;
    struct chunk_columns columns = chunk_decoder_lend(decoder, c->number, more);
    if (columns.ids == NULL)
        return ERR_NOT_FOUND;
    if (!more) {
        bool replay = (want & (CHUNK_IDS | CHUNK_VALUES)) != 0;
        enum status st = replay ? deriving_execute(d, c, columns.ids, columns.values, err) : fetch(d, c, err);
        if (st != OK)
            return st;
        spread_stamps(&d->chunk, columns.stamps);
        if (d->timed)
            spread_times(&d->chunk, columns.times);
    }
    *out = (struct chunk_columns){ .count = c->count,
                                   .ids = (want & CHUNK_IDS) != 0 ? columns.ids : NULL,
                                   .values = (want & CHUNK_VALUES) != 0 ? columns.values : NULL,
                                   .stamps = (want & CHUNK_STAMPS) != 0 ? columns.stamps : NULL,
                                   .times = (want & CHUNK_TIMES) != 0 && d->timed ? columns.times : NULL };
    return OK;
}

enum status derived_stamps(hs_trace *t, const struct chunk_ref *c, struct stamp_changes *out, struct error *err)
{
    struct deriving *d = deriving_of(t, err);
    enum status st = d != NULL ? fetch(d, c, err) : ERR_MEMORY;
    if (st == OK)
        *out = (struct stamp_changes){ d->chunk.stamp_events.items, d->chunk.stamps.items, d->chunk.stamps.count };
    return st;
}

/* ---- the index ---- */

/* The state before the chunk. NULL with `err` set: no memory. */
static const struct replay_thread *state_before(hs_trace *t, const struct chunk_ref *c, size_t *chunk,
                                                struct error *err)
{
    const size_t stream = stream_of_chunk(t, c, chunk);
    struct deriving *d = deriving_of(t, err);
    struct error passed;
    if (d == NULL || stream == SIZE_MAX || !rewind_stream(d, stream, *chunk)) {
        (void)error_memory(err, "chunk %llu", (unsigned long long)c->number);
        return NULL;
    }
    while (d->streams[stream].next < *chunk)
        (void)replay_next(d, stream, d->ids, d->values, &passed);
    return &d->streams[stream].state;
}

enum status derive_state_before(hs_trace *t, const struct chunk_ref *c, struct writer *out, struct error *err)
{
    size_t chunk = 0;
    const struct replay_thread *state = state_before(t, c, &chunk, err);
    if (state == NULL)
        return ERR_MEMORY;
    stored_state_write(state, out);
    return OK;
}

/* Appends the state before the chunk, where one is due. */
static void write_state(hs_trace *t, const struct chunk_ref *c, struct writer *w)
{
    struct error err;
    size_t chunk = 0;
    const struct replay_thread *state = state_before(t, c, &chunk, &err);
    if (state != NULL && chunk > 0 && is_kept(state, chunk))
        stored_state_write(state, w);
}

bool states_add(hs_trace *t, const struct chunk_ref *c, struct writer *states)
{
    struct writer state = { 0 };
    if (!c->derived)
        return true;
    write_state(t, c, &state);
    stored_states_add(c, &state, states);
    const bool ok = !state.bad && !states->bad;
    writer_free(&state);
    return ok;
}
