/* hooked.c - see hooked.h. The weaver is not asked where it put hooks: the woven code is read, and the constants before
 * calls of the hook class are their data IDs. */
#include "test/corpus/hooked.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/derived.h"
#include "formats/journal.h"
#include "formats/jvm/classfile.h"
#include "formats/jvm/code.h"

/* Never recorded, or by the hook of the event before. */
static bool has_no_hook(unsigned event)
{
    return event == EVENT_JUMP || event == EVENT_DIVIDE || event == EVENT_RESERVED || event == EVENT_EVENTS_LEFT_OUT ||
           event == EVENT_MULTI_NEW_ARRAY_OWNER || event == EVENT_MULTI_NEW_ARRAY_ELEMENT;
}

struct woven {
    const struct weave_result *r;
    struct classfile cf;
    uint32_t first;
    uint8_t *hooked; /* by data ID of the class */
    char *why;
};

static unsigned event_of(const struct woven *w, uint32_t i) { return dataid_rows_place(&w->r->dataids, i) & 0xffu; }
static uint32_t method_of(const struct woven *w, uint32_t i) { return dataid_rows_place(&w->r->dataids, i) >> 8; }

/* The number that the instruction loads; false: none. */
static bool loads_int(const struct woven *w, const struct code *c, const struct insn *in, uint32_t *value)
{
    const uint8_t *p = c->bytes + in->pc;
    if (in->op >= OPC_iconst_0 && in->op <= OPC_iconst_5)
        *value = (uint32_t)(in->op - OPC_iconst_0);
    else if (in->op == OPC_bipush)
        *value = p[1];
    else if (in->op == OPC_sipush)
        *value = be2(p + 1);
    else if ((in->op == OPC_ldc || in->op == OPC_ldc_w) &&
             cpool_tag(&w->cf.cp, (uint32_t)in->operand) == CONSTANT_Integer)
        *value = be4(cpool_entry(&w->cf.cp, (uint32_t)in->operand) + 1);
    else
        return false;
    return true;
}

/* Marks the data IDs of the record that a hook writes. */
static bool mark_record(struct woven *w, const struct code *c, size_t i)
{
    uint32_t id = 0;
    size_t k = i > 0 ? i - 1 : 0;
    if (c->insns.items[k].op == OPC_i2c && k > 0)
        k--;
    if (!loads_int(w, c, &c->insns.items[k], &id) || id < w->first || id - w->first >= w->r->dataids.count) {
        (void)snprintf(w->why, ERROR_TEXT_MAX, "pc %u: a hook without a data ID of the class", c->insns.items[i].pc);
        return false;
    }
    for (id -= w->first; id < w->r->dataids.count; id++) {
        w->hooked[id] = 1;
        if (id + 1 >= w->r->dataids.count || !(w->r->dataids.kinds.data[id + 1] & KIND_JOINED))
            break;
    }
    return true;
}

static bool mark_method(struct woven *w, const struct attribute *a)
{
    struct code c = { 0 };
    struct error err = { 0 };
    bool ok = code_read(&c, a->data, a->length, &err) == OK;
    for (size_t i = 0; ok && i < c.insns.count; i++) {
        const struct insn *in = &c.insns.items[i];
        struct member_ref ref;
        static const char hook[] = "java/lang/HindsightHook", last[] = "I)V";
        if (in->op == OPC_invokestatic && cpool_member(&w->cf.cp, (uint32_t)in->operand, &ref) &&
            text_is(ref.owner, hook) && ref.desc.size >= sizeof last &&
            memcmp(ref.desc.data + ref.desc.size - (sizeof last - 1), last, sizeof last - 1) == 0)
            ok = mark_record(w, &c, i);
    }
    code_done(&c);
    return ok;
}

/* Has each event that does not follow a hook, and each block one of its events? */
static bool all_hooked(struct woven *w, struct hooked_result *out)
{
    const struct dataid_rows *d = &w->r->dataids;
    bool needed = false, found = false;
    uint32_t label = 0;
    for (uint32_t i = 0; i <= d->count; i++) {
        bool inputs = i < d->count && w->r->row.methods.items[method_of(w, i)].inputs;
        unsigned e = i < d->count ? event_of(w, i) : EVENT_LABEL;
        bool begins =
            i == d->count || e == EVENT_LABEL || e == EVENT_CATCH_LABEL || method_of(w, i) != method_of(w, i - (i > 0));
        if (begins && needed && !found) {
            (void)snprintf(w->why, ERROR_TEXT_MAX, "the block at pc %u has no hook", dataid_rows_pc(d, label));
            return false;
        }
        if (begins) {
            needed = inputs && e == EVENT_LABEL;
            found = false;
            label = i;
        }
        if (!inputs)
            continue;
        out->events++;
        out->hooked += w->hooked[i];
        found |= w->hooked[i] != 0;
        if (!w->hooked[i] && !derive_event_valueless(e) && !has_no_hook(e)) {
            (void)snprintf(w->why, ERROR_TEXT_MAX, "%s at pc %u has no hook", event_name(e), dataid_rows_pc(d, i));
            return false;
        }
    }
    return true;
}

bool hooked_compare(const struct weave_result *plain, const struct weave_result *inputs, uint32_t first_dataid,
                    struct hooked_result *out)
{
    struct error err = { 0 };
    const struct dataid_rows *a = &plain->dataids, *b = &inputs->dataids;
    bool reduced = false, any = false;
    for (size_t i = 0; i < inputs->row.methods.count; i++) {
        out->methods += inputs->row.methods.items[i].inputs;
        any |= inputs->row.methods.items[i].inputs;
        reduced |= plain->row.methods.items[i].groups != inputs->row.methods.items[i].groups;
    }
    if (!reduced && (a->count != b->count || a->places.size != b->places.size ||
                     memcmp(a->places.data, b->places.data, a->places.size) != 0)) {
        (void)snprintf(out->why, sizeof out->why, "it has other data IDs");
        return false;
    }
    if (!any)
        return true;
    struct woven w = { .r = inputs, .first = first_dataid, .hooked = calloc(b->count + 1, 1), .why = out->why };
    bool ok = w.hooked != NULL && classfile_read(&w.cf, inputs->bytes.data, inputs->bytes.size, &err) == OK;
    for (size_t i = 0; ok && i < w.cf.methods.count; i++) {
        const struct member *m = &w.cf.methods.items[i];
        const struct attribute *code = classfile_attribute(&w.cf, m->first_attribute, m->attribute_count, "Code");
        if (code != NULL && inputs->row.methods.items[i].inputs)
            ok = mark_method(&w, code);
    }
    ok = ok && all_hooked(&w, out);
    classfile_done(&w.cf);
    free(w.hooked);
    return ok;
}
