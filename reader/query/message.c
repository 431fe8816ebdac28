/* message.c - see message.h.
 *
 * A NullPointerException of the JVM has no message until it is asked for: null_message.c computes it for the
 * instruction that threw. Of a class that overrides getMessage the field says nothing. */
#include "reader/query/message.h"

#include <string.h>

#include "reader/query/get_message.h"
#include "reader/query/null_message.h"
#include "reader/query/place.h"

/* The first event that shows the exception on its way; false: there is none. */
static bool first_event(hs_trace *t, uint32_t id, struct hs_event *out)
{
    unsigned events[EVENT_LIMIT];
    struct hs_filter filter = HS_FILTER_ALL;
    struct walk walk;
    const struct hs_event *e;
    filter.object = id;
    filter.events = events;
    filter.event_count = event_list(USE_EXCEPTION, events);
    walk_open_filter(&walk, t, &filter);
    const bool found = walk_step(&walk, &e);
    if (found)
        *out = *e;
    return walk_close(&walk, NULL) == OK && found;
}

/* ---- NullPointerException ---- */

enum receiver { RECEIVER_UNKNOWN, RECEIVER_NULL, RECEIVER_THERE };

/* The receiver of the call at `pc` of the method of `e`, by the events right before that. */
static enum receiver receiver_at(hs_trace *t, const struct hs_event *e, uint32_t pc)
{
    enum { LOOK_BACK = 260 }; /* more than a call has arguments */
    const uint32_t method = dataid_or_none(t, e->dataid)->method_id;
    struct hs_event before;
    for (int64_t i = 1; i < LOOK_BACK && event_beside(t, e, -i, &before, NULL) == OK; i++) {
        const struct hs_dataid *d = dataid_or_none(t, before.dataid);
        if (d->event == EVENT_CATCH_LABEL && i == 1)
            continue;
        if (d->method_id != method || d->pc != pc)
            return RECEIVER_UNKNOWN;
        if (d->event == EVENT_CALL)
            return before.kind != KIND_REF ? RECEIVER_UNKNOWN : before.value == 0 ? RECEIVER_NULL : RECEIVER_THERE;
    }
    return RECEIVER_UNKNOWN;
}

static bool is_top_frame(hs_trace *t, const struct thrown_row *row, uint32_t method_id)
{
    const struct hs_method *m = hs_method_get(t, method_id);
    const struct hs_class *c = m != NULL ? hs_class_get(t, m->class_no) : NULL;
    return c != NULL && row->frames.count > 0 && text_is(row->frames.items[0].method, m->name) &&
           text_is(row->frames.items[0].class_name, c->name);
}

/* Does the method make exceptions of this kind itself? */
static bool makes_one(const struct method *c)
{
    struct text name;
    for (size_t i = 0; i < c->code.insns.count; i++)
        if (c->code.insns.items[i].op == OPC_new &&
            cpool_class(&c->classfile->cp, (uint32_t)c->code.insns.items[i].operand, &name) &&
            text_is(name, "java/lang/NullPointerException"))
            return true;
    return false;
}

/* Is the innermost frame that of woven code which makes no such exceptions itself? */
static bool is_of_woven(hs_trace *t, const struct thrown_row *row)
{
    const struct thrown_frame *f = row->frames.count > 0 ? &row->frames.items[0] : NULL;
    for (size_t i = 0; f != NULL && i < class_rows(t); i++) {
        const struct hs_class *c = class_at(t, i);
        if (c->dataid_count == 0 || !text_is(f->class_name, c->name))
            continue;
        for (uint32_t k = 0; k < c->method_count; k++) {
            const struct method *code =
                text_is(f->method, c->methods[k]->name) ? method_get(t, c->methods[k]->method_id) : NULL;
            if (code != NULL && !makes_one(code))
                return true;
        }
    }
    return false;
}

/* It has no message of its own. Sets message_computed if the JVM threw it in woven code. */
static enum status null_pointer(hs_trace *t, struct arena *to, const struct thrown_row *row, struct hs_thrown *out,
                                struct error *err)
{
    struct hs_event e;
    struct hs_place place;
    if (!first_event(t, out->id, &e) || event_type(t, e.dataid) == EVENT_METHOD_THROW)
        return OK;
    const uint32_t method = dataid_or_none(t, e.dataid)->method_id;
    struct method *c = method_get(t, method);
    const bool top = is_top_frame(t, row, method);
    if (row->has_stack && !top)
        out->message_computed = is_of_woven(t, row);
    if (c == NULL || (row->has_stack && !top))
        return OK;
    enum status st = place_of_throw(t, &e, &place, err);
    if (st != OK)
        return st;
    const struct insn *in = code_at(&c->code, place.pc);
    if (place.unsure || in == NULL || null_operand(c, in) < 0) {
        out->message_computed = top && !makes_one(c);
        return OK;
    }
    if ((op_table[in->op].flags & OP_INVOKE) != 0) { /* what it calls may have thrown */
        const enum receiver receiver = receiver_at(t, &e, place.pc);
        if (receiver == RECEIVER_THERE || (receiver == RECEIVER_UNKNOWN && (!top || makes_one(c))))
            return OK;
    }
    struct writer text = { 0 };
    out->message_computed = null_message(t, c, place.pc, &text);
    write_u1(&text, '\0');
    if (!text.bad && out->message_computed)
        out->message = trace_text_in(t, to, (struct text){ (const char *)text.data, text.size - 1 }, false);
    st = text.bad || (out->message_computed && out->message == NULL) ? state_memory(t, err) : OK;
    writer_free(&text);
    return st;
}

enum status message_complete(hs_trace *t, struct arena *to, const struct thrown_row *row, struct hs_thrown *out,
                             struct error *err)
{
    const struct hs_type *type = hs_type_get(t, objects_class(t, out->id));
    if (type == NULL || type->name == NULL || row->message_redacted)
        return OK;
    if (row->message_overridden) {
        struct hs_event e;
        const struct get_message g = { .trace = t,
                                       .id = out->id,
                                       .seq = first_event(t, out->id, &e) ? e.seq : HS_NO_SEQ,
                                       .detail = out->detail,
                                       .to = to };
        out->message_overridden = !get_message(&g, &out->message);
        return OK;
    }
    return !row->has_message && strcmp(type->name, "java.lang.NullPointerException") == 0
               ? null_pointer(t, to, row, out, err)
               : OK;
}
