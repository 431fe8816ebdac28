/* heap.c - the last known values of fields and array elements, and whether they must still be there.
 *
 * A value is valid for the thread that saw it as long as nothing else can have written: no call of unknown code
 * (epoch_any; for private fields only calls that could reach reflection, epoch_hard) came in between, and, checked at
 * the end, no other thread ever accessed the object (for statics: no other thread wrote the field). Volatile fields are
 * not checked. The table has a fixed size: evicted entries only lose checks and never cause a false violation. */
#include "reader/fsck/heap.h"
#include "reader/fsck/objects.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "formats/jvm/arithmetic.h"

enum { KNOWN_VALUES = 1 << 19, CANDIDATES_MAX = 1 << 16 };

struct known_value {
    uint64_t key, value, epoch;
    uint32_t thread;
};

/* A read that differs; reported at the end unless another thread accessed the object or field. */
struct candidate {
    const struct code_event *site;
    const struct ffield *field; /* NULL: array */
    uint64_t object, seq, value, expected;
};

bool heap_init(struct fsck *f)
{
    f->known_values = calloc(KNOWN_VALUES, sizeof *f->known_values);
    return f->known_values != NULL;
}

static uint64_t mix(uint64_t a, uint64_t b)
{
    uint64_t h = (a * UINT64_C(0x9e3779b97f4a7c15)) ^ (b + UINT64_C(0x7f4a7c15)) * UINT64_C(0xd6e8feb86659fd93);
    h ^= h >> 32;
    h *= UINT64_C(0xd6e8feb86659fd93);
    return (h ^ h >> 29) | 1;
}

static struct known_value *known_value_at(struct fsck *f, uint64_t key)
{
    return &f->known_values[key >> 20 & (KNOWN_VALUES - 1)];
}

static uint64_t epoch_of(const struct fthread *t, const struct ffield *field)
{
    return field != NULL && field->is_private ? t->epoch_hard : t->epoch_any;
}

void heap_settle(struct fsck *f, uint32_t thread, struct fthread *t, bool completed)
{
    struct known_value *c = known_value_at(f, t->store.key);
    t->store.there = false;
    if (completed && !t->store.hidden)
        *c = (struct known_value){ t->store.key, t->store.value, epoch_of(t, t->store.field), thread };
    else if (c->key == t->store.key)
        c->key = 0;
}

static void store(struct fthread *t, struct fframe *fr, uint64_t key, const struct code_event *p, struct ffield *field,
                  uint64_t value)
{
    t->store.there = true;
    t->store.key = key;
    t->store.value = arithmetic_narrowed(p->kind, value);
    t->store.hidden = p->kind == KIND_VOID;
    t->store.field = field;
    t->store.frame = (uint32_t)(fr - t->frames.items);
    t->store.erased_by_entry = field != NULL && field->is_static;
}

/* Are both numbers of this kind a NaN? */
static bool both_nan(unsigned kind, uint64_t a, uint64_t b)
{
    return kind == KIND_FLOAT    ? isnan(as_float(a)) && isnan(as_float(b))
           : kind == KIND_DOUBLE ? isnan(as_double(a)) && isnan(as_double(b))
                                 : false;
}

static void load(struct fsck *f, uint32_t thread, struct fthread *t, const struct code_event *p,
                 const struct ffield *field, uint64_t object, uint64_t key, uint64_t value, uint64_t seq)
{
    struct known_value *c = known_value_at(f, key);
    uint64_t epoch = epoch_of(t, field);
    if (p->kind == KIND_VOID) /* redact= hides what it gives */
        return;
    if (c->key == key && c->thread == thread && c->epoch == epoch) {
        f->result->checked++;
        /* an element of a boolean[] has kind B; a boolean that Unsafe wrote is loaded with a sign or without */
        bool same = c->value == value || (field == NULL && p->kind == KIND_BYTE && (c->value & 1) == value) ||
                    (p->kind == KIND_BOOLEAN && (uint8_t)c->value == (uint8_t)value) ||
                    (f->derived && both_nan(p->kind, c->value, value));
        struct candidate *to = NULL;
        if (!same && f->candidates.count < CANDIDATES_MAX) {
            to = vec_push(&f->candidates);
            f->no_memory |= to == NULL;
        }
        if (to != NULL)
            *to = (struct candidate){ p, field, object, seq, value, c->value };
    }
    *c = (struct known_value){ key, value, epoch, thread };
}

static bool watched(struct ffield *field, uint64_t object)
{
    return field != NULL && !field->is_volatile && (field->is_static || (object != 0 && object != UINT64_MAX));
}

void heap_event(struct fsck *f, uint32_t thread, struct fthread *t, struct fframe *fr, const struct code_event *p,
                uint64_t value, uint64_t seq)
{
    struct ffield *field = facts_of(f, p)->field;
    uint64_t array_key = mix(fr->object, fr->index ^ UINT64_C(0x5555000000000000));
    switch (p->event) {
    case EVENT_GET_INSTANCE_FIELD:
    case EVENT_PUT_INSTANCE_FIELD:
    case EVENT_ARRAY_LOAD:
    case EVENT_ARRAY_STORE: fr->object = value; break;
    case EVENT_ARRAY_LOAD_INDEX:
    case EVENT_ARRAY_STORE_INDEX: fr->index = value; break;
    case EVENT_GET_INSTANCE_FIELD_RESULT:
        if (watched(field, fr->object))
            load(f, thread, t, p, field, fr->object, mix(field->key, fr->object), value, seq);
        break;
    case EVENT_GET_STATIC_FIELD:
        if (watched(field, 0))
            load(f, thread, t, p, field, 0, mix(field->key, 0), value, seq);
        break;
    case EVENT_PUT_INSTANCE_FIELD_VALUE:
        if (watched(field, fr->object))
            store(t, fr, mix(field->key, fr->object), p, field, value);
        break;
    case EVENT_PUT_STATIC_FIELD:
        if (watched(field, 0)) {
            field->many |= field->thread != UINT32_MAX && field->thread != thread;
            field->thread = thread;
            store(t, fr, mix(field->key, 0), p, field, value);
        }
        break;
    case EVENT_ARRAY_LOAD_RESULT:
        if (fr->object != 0)
            load(f, thread, t, p, NULL, fr->object, array_key, value, seq);
        break;
    case EVENT_ARRAY_STORE_VALUE:
        if (fr->object != 0)
            store(t, fr, array_key, p, NULL, value);
        break;
    default: break;
    }
}

void heap_finish(struct fsck *f)
{
    char text[256];
    for (size_t i = 0; i < f->candidates.count; i++) {
        const struct candidate *c = &f->candidates.items[i];
        if (f->left_out && f->trace->stream_count > 1)
            continue; /* another thread may have written */
        if (c->field != NULL && c->field->is_static ? c->field->many : object_shared(f, c->object))
            continue;
        code_event_text(c->site, text, sizeof text);
        fsck_report(f, c->field != NULL ? RULE_field : RULE_array, c->seq,
                    "%s: object %llu gives %lld, the last value known is %lld", text, (unsigned long long)c->object,
                    (long long)c->value, (long long)c->expected);
    }
}

void heap_done(struct fsck *f)
{
    vec_free(&f->candidates);
    free(f->known_values);
}
