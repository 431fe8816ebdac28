/* record_parameters.c - see record_parameters.h. A constructor as javac makes it ends with
 *
 *     aload_0  iload_1  putfield x   aload_0  iload_2  putfield y   return
 *
 * A component has the value that the parameter was called with if its only putfield stores the parameter, and nothing
 * stores into that slot: a compact constructor may. */
#include "reader/query/record_parameters.h"

#include <string.h>

#include "formats/jvm/classfile.h"
#include "reader/index/index.h"
#include "reader/query/state.h"

struct record_maker record_maker_of(hs_trace *t, const struct hs_event *first)
{
    struct record_maker m = { 0 };
    const struct hs_dataid *d = dataid_or_none(t, first->dataid);
    struct event_position at = { positions_stream(t, first->thread), first->position };
    const struct replay *state;
    if (d->event != EVENT_METHOD_OBJECT_INITIALIZED || frames_at(t, at, &state, NULL) != OK)
        return m;
    const struct call_frame *top = replay_top(state);
    if (top == NULL || top->entry == NO_POSITION)
        return m;
    at.position = top->entry;
    if (positions_event(t, at, &m.entry, NULL) == OK && dataid_or_none(t, m.entry.dataid)->method_id == d->method_id)
        m.constructor = method_get(t, d->method_id);
    return m;
}

/* The slot of the parameter that is stored into the component, and by nothing else; 0: there is none. */
static unsigned slot_of(const struct method *m, const char *component)
{
    const struct insn *in = m->code.insns.items;
    unsigned slot = 0;
    for (size_t i = 0; i < m->code.insns.count; i++) {
        struct member_ref ref;
        if (in[i].op != OPC_putfield || !cpool_member(&m->classfile->cp, (uint32_t)in[i].operand, &ref) ||
            !text_is(ref.name, component))
            continue;
        const bool plain = slot == 0 && i >= 2 && (op_table[in[i - 1].op].flags & OP_LOAD) != 0 &&
                           in[i - 1].local > 0 && in[i - 1].local < m->argument_slots && in[i - 2].op == OPC_aload_0;
        if (!plain)
            return 0;
        slot = in[i - 1].local;
    }
    for (size_t i = 0; i < m->code.insns.count && slot > 0; i++)
        if (((op_table[in[i].op].flags & OP_STORE) != 0 || in[i].op == OPC_iinc) && in[i].local == slot)
            return 0;
    return slot;
}

/* The number of the parameter in the slot, from 1. */
static int64_t number_of(const char *desc, unsigned slot)
{
    int64_t number = 1;
    unsigned at = 1;
    const char *p = desc + (*desc == '(');
    for (size_t n = 1; n > 0 && *p != ')' && at < slot; number++, p += n) {
        at += type_slots(*p);
        n = descriptor_type_length(p, strlen(p)); /* 0: of a damaged trace */
    }
    return number;
}

bool record_parameter(hs_trace *t, const struct record_maker *m, const char *component, struct hs_event *out)
{
    const unsigned slot = m->constructor != NULL ? slot_of(m->constructor, component) : 0;
    const int64_t number = slot > 0 ? number_of(m->constructor->row->desc, slot) : 0;
    for (int64_t i = 1; i <= number; i++) {
        if (event_beside(t, &m->entry, i, out, NULL) != OK)
            return false;
        const struct hs_dataid *d = dataid_or_none(t, out->dataid);
        if (d->event != EVENT_METHOD_PARAM || d->method_id != m->constructor->row->method_id)
            return false;
        if (attribute_number(d, "index", -1) == number)
            return true;
    }
    return false;
}
