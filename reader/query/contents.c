/* contents.c - the contents of an object of the JDK at a moment, as trace.h gives them; see contents.h. */
#include "reader/query/contents.h"

#include <stdio.h>

#include "formats/mutf8.h"
#include "reader/query/state.h"

/* Two threads have changed it at once: in which order is not known. */
static bool overlaps(const struct contents_op *op, const struct contents_op *before)
{
    return before != NULL && before->thread != op->thread && op->from < before->seq && op->returned;
}

bool contents_changes(const struct contents_op *op)
{
    return op->effect > DO_IS_EMPTY && op->effect != DO_GET_AT && op->effect != DO_GET_KEY &&
           op->effect != DO_VALUE_SEEN && op->effect != DO_ATOMIC_SEEN && op->effect != DO_TEXT_RESULT &&
           op->effect != DO_TEXT_LENGTH && (op->effect < DO_VIEW_ITERATOR || op->effect > DO_VIEW_OTHER);
}

/* What a box holds never changes. */
static enum status replay_box(struct contents *c, struct error *err)
{
    struct hs_value v;
    if (!contents_box(c, c->id, &v))
        return OK;
    contents_start(c);
    struct held *h = vec_push(&c->items);
    if (h == NULL)
        return state_memory(c->t, err);
    *h = (struct held){ .value = v, .seq = HS_NO_SEQ };
    return OK;
}

static enum status replay_ops(struct contents *c, const op_vec *ops, struct error *err)
{
    const struct contents_op *last = NULL, *other = NULL; /* changes by the last thread, and by another one before */
    for (size_t i = 0; i < ops->count; i++) {
        const struct contents_op *op = &ops->items[i];
        if (c->effort->left == 0) {
            c->effort->limit = "came after more calls than are followed, on it and on what was copied into it";
            contents_lose(c, op, c->effort->limit);
            return OK;
        }
        c->effort->left--;
        if (contents_changes(op) && (overlaps(op, last) || overlaps(op, other)))
            contents_lose(c, op, "has changed it at the same time as another thread");
        else if (!contents_apply(c, op))
            return state_memory(c->t, err);
        if (contents_changes(op)) {
            other = last != NULL && last->thread != op->thread ? last : other;
            last = op;
        }
        if (c->step != NULL && !c->step(c->follower, c, op))
            return state_memory(c->t, err);
    }
    return OK;
}

static enum status replay(struct contents *c, struct error *err)
{
    op_vec ops = { 0 };
    c->class = contents_class_of(c->t, c->id);
    if (c->class == NULL)
        return error_set(err, ERR_NOT_FOUND, "%s: object %u is no collection", c->t->dir, c->id);
    if ((c->class->shapes & SHAPE_BOX) != 0)
        return replay_box(c, err);
    enum status st = contents_calls(c, &ops, err);
    c->order_unclear = true;
    for (size_t i = 0; i < ops.count && c->order_unclear; i++)
        c->order_unclear = !ops.items[i].makes;
    if (st == OK)
        st = replay_ops(c, &ops, err);
    vec_free(&ops);
    if (st == OK && c->known && c->array != 0)
        st = contents_read_array(c, err);
    return st;
}

static enum status replay_other(const struct contents *c, uint32_t id, uint64_t to, struct contents *out)
{
    *out = (struct contents){ .t = c->t,
                              .replay = replay_other,
                              .id = id,
                              .to = to,
                              .depth = c->depth + 1,
                              .effort = c->effort,
                              .calls_max = c->calls_max,
                              .lost = HS_NO_SEQ };
    return c->effort->left > 0 ? replay(out, NULL) : ERR_LIMIT;
}

enum status contents_replay(hs_trace *t, uint32_t id, uint64_t to, unsigned calls_max, struct contents_effort *effort,
                            struct contents *out, struct error *err)
{
    *effort = (struct contents_effort){ .left = 2 * (uint64_t)calls_max };
    *out = (struct contents){
        .t = t, .replay = replay_other, .id = id, .to = to, .effort = effort, .calls_max = calls_max, .lost = HS_NO_SEQ
    };
    return replay(out, err);
}

enum status contents_follow(hs_trace *t, uint32_t id, uint64_t to, struct contents_effort *effort,
                            contents_step_fn *step, void *follower, struct contents *out, struct error *err)
{
    *effort = (struct contents_effort){ .left = 2 * (uint64_t)CONTENTS_CALLS_MAX };
    *out = (struct contents){ .t = t,
                              .replay = replay_other,
                              .step = step,
                              .follower = follower,
                              .id = id,
                              .to = to,
                              .effort = effort,
                              .calls_max = CONTENTS_CALLS_MAX,
                              .lost = HS_NO_SEQ };
    return replay(out, err);
}

/* ---- the answer ---- */

static const struct hs_value *keep_value(struct arena *arena, struct hs_value v)
{
    struct hs_value *to = arena_get(arena, sizeof *to);
    if (to != NULL)
        *to = v;
    return to;
}

static const struct hs_value *keep_number(struct contents *c, struct arena *arena, struct hs_value v)
{
    struct hs_value number;
    return v.kind == HS_KIND_REF && v.bits != 0 && v.bits <= UINT32_MAX && contents_box(c, (uint32_t)v.bits, &number)
               ? keep_value(arena, number)
               : NULL;
}

static bool keep(struct contents *c, struct arena *arena, struct hs_contents *out)
{
    size_t n = contents_count(c);
    struct hs_entry *entries = arena_array(arena, n + 1, sizeof *entries);
    if (entries == NULL)
        return false;
    for (size_t i = 0; i < n; i++) {
        const struct held *h = &c->items.items[c->first + i];
        entries[i].seq = h->seq;
        entries[i].value = keep_value(arena, h->value);
        entries[i].value_number = keep_number(c, arena, h->value);
        if (out->shape == HS_CONTENTS_MAP) {
            entries[i].key = keep_value(arena, h->key);
            entries[i].key_number = keep_number(c, arena, h->key);
        }
        if (entries[i].value == NULL)
            return false;
    }
    out->entries = pointers_to(arena, entries, sizeof *entries, n);
    out->entry_count = n;
    return out->entries != NULL;
}

/* A NUL is C0 80, as in names. */
static bool keep_text(const struct contents *c, struct arena *arena, struct hs_contents *out)
{
    struct writer bytes = { 0 }, utf8 = { 0 };
    size_t zeros = 0, n = 0;
    for (size_t i = 0; i < c->text.count; i++) {
        write_u1(&bytes, (unsigned char)c->text.items[i]);
        write_u1(&bytes, (unsigned char)(c->text.items[i] >> 8));
        zeros += c->text.items[i] == 0;
    }
    utf16le_to_utf8(bytes.data, bytes.size, &utf8);
    char *text = utf8.bad || bytes.bad ? NULL : arena_chars(arena, utf8.size + zeros + 1);
    if (text != NULL) {
        for (size_t i = 0; i < utf8.size; i++) {
            if (utf8.data[i] == 0)
                text[n++] = (char)0xc0;
            text[n++] = (char)(utf8.data[i] == 0 ? 0x80 : utf8.data[i]);
        }
        text[n] = '\0';
        out->text = text;
        out->length = c->text.count;
    }
    writer_free(&bytes);
    writer_free(&utf8);
    return text != NULL;
}

static enum status make(struct contents *c, struct arena *arena, struct hs_contents *out, struct error *err)
{
    bool sorted = (c->class->shapes & SHAPE_SORTED) != 0 && contents_sort(c);
    *out = (struct hs_contents){ .id = c->id,
                                 .shape = (enum hs_contents_shape)c->class->as,
                                 .known = c->known,
                                 .ordered = c->known && (contents_ordered(c) || sorted || contents_count(c) < 2),
                                 .since = c->known ? HS_NO_SEQ : c->lost };
    if (!c->known) {
        size_t size = strlen(c->why) + 1;
        char *why = arena_chars(arena, size);
        if (why == NULL)
            return state_memory(c->t, err);
        memcpy(why, c->why, size);
        out->why = c->lost != HS_NO_SEQ ? why : NULL;
    }
    bool text = out->shape == HS_CONTENTS_TEXT;
    if ((!text || c->known) && !(text ? keep_text(c, arena, out) : keep(c, arena, out)))
        return state_memory(c->t, err);
    return OK;
}

/* Of a collection that is not replayed only its shape is known: of a class of the JDK without rows, or of a subclass,
 * whose methods may do anything. `*out` stays NULL if it is none, or the code of the class was recorded. */
static enum status not_followed(hs_trace *t, struct arena *arena, uint32_t id, const struct hs_contents **out,
                                struct error *err)
{
    const struct hs_object *o = hs_object_get(t, id);
    const struct hs_type *type = o != NULL ? hs_type_get(t, o->class_id) : NULL;
    const struct lineage *c = type != NULL ? lineage_of(t, type->name, type->loader) : NULL;
    const struct contents_class *k = o != NULL ? contents_class_unfollowed(o->type) : NULL;
    bool unknown, subclass = k == NULL;
    for (; k == NULL && c != NULL; c = lineage_super(t, c, &unknown)) {
        k = contents_class_named(c->name);
        k = k != NULL ? k : contents_class_unfollowed(c->name);
    }
    if (k == NULL || has_woven_class(t, k->type))
        return OK;
    char text[200];
    (void)snprintf(text, sizeof text,
                   subclass ? "its class extends %.100s, and what its own methods do is not known"
                            : "calls of %.100s are not followed",
                   k->type);
    struct hs_contents *contents = arena_get(arena, sizeof *contents);
    char *why = arena_chars(arena, strlen(text) + 1);
    if (contents == NULL || why == NULL)
        return state_memory(t, err);
    memcpy(why, text, strlen(text) + 1);
    *contents =
        (struct hs_contents){ .id = id, .shape = (enum hs_contents_shape)k->as, .since = HS_NO_SEQ, .why = why };
    *out = contents;
    return OK;
}

int hs_contents_at(hs_trace *trace, uint32_t id, uint64_t seq, const struct hs_contents **contents,
                   struct hs_error *error)
{
    struct phase phase PHASE_ENDS = trace_phase(trace, "contents");
    struct error err = { 0 };
    struct contents_effort effort;
    struct contents c;
    const struct contents_class *k = id != 0 ? contents_class_of(trace, id) : NULL;
    if (id == 0 || (k != NULL && has_woven_class(trace, k->type)))
        return 0;
    struct arena *arena = state_answer(trace, ANSWER_CONTENTS);
    struct hs_contents *out = arena != NULL ? arena_get(arena, sizeof *out) : NULL;
    if (out == NULL) {
        (void)state_memory(trace, &err);
        return give(error, &err);
    }
    if (k == NULL) {
        *contents = NULL;
        return not_followed(trace, arena, id, contents, &err) != OK ? give(error, &err) : *contents != NULL;
    }
    index_wish(trace);
    enum status st = contents_replay(trace, id, seq, CONTENTS_CALLS_MAX, &effort, &c, &err);
    if (st == OK)
        st = make(&c, arena, out, &err);
    contents_done(&c);
    if (st != OK)
        return give(error, &err);
    *contents = out;
    return 1;
}
