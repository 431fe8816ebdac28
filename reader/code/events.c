/* events.c - places the data IDs of a method at its instructions: see method.h.
 *
 * The event type determines on which side of the instruction an event is (column `stands` of events.def): one before it
 * is recorded even if the instruction throws. The rows of a method are in the order of its code, so filling the lists
 * is one pass over them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "reader/code/code.h"

static const struct event_stand stands[EVENT_LIMIT] = {
#define AT(side_, first, last)                AT_INSN, .side = (side_), .low = OPC_##first, .high = OPC_##last
#define BEFORE_RANGE(first, last)             AT(SIDE_BEFORE, first, last)
#define AFTER_RANGE(first, last)              AT(SIDE_AFTER, first, last)
#define BEFORE(op)                            AT(SIDE_BEFORE, op, op)
#define AFTER(op)                             AT(SIDE_AFTER, op, op)
#define ANYWHERE                              AT_INSN
#define EVENT(no, name, cond, value, at, ...) [no] = { .where = at },
#include "formats/events.def"
#undef EVENT
};

const struct event_stand *event_stand(unsigned event) { return &stands[event < EVENT_LIMIT ? event : 0]; }

static void events_free(void *what) { free(what); }

struct code_event *code_events(hs_trace *t)
{
    struct code_event *events = trace_attached(t, ATTACHED_CODE_EVENTS);
    if (events != NULL)
        return events;
    events = calloc((size_t)hs_dataid_count(t) + 1, sizeof *events);
    if (events == NULL) {
        trace_no_memory(t);
        return NULL;
    }
    trace_attach(t, ATTACHED_CODE_EVENTS, events, events_free);
    return events;
}

void code_event_text(const struct code_event *e, char *out, size_t size)
{
    const struct method *m = e->method;
    const char *name = event_name(e->event);
    if (m == NULL || e->row == NULL)
        (void)snprintf(out, size, "%s", name != NULL ? name : "?");
    else
        (void)snprintf(out, size, "%s.%s pc %u %s", m->owner->name, m->row->name, e->row->pc,
                       name != NULL ? name : "?");
}

/* The event's side at that opcode; -1: the opcode has no such event. */
static int side_of(const struct event_stand *s, unsigned op)
{
    if (s->where != AT_INSN || (s->high != 0 && (op < s->low || op > s->high)))
        return -1;
    return (int)s->side;
}

/* Where the value is when the event is recorded. Those of parameters and arguments are set by parameter_slots and
 * argument_slots. */
static void place_value(const struct method *m, struct code_event *e)
{
    const struct method_insn *i = e->insn < m->count ? &m->insns[e->insn] : NULL;
    const uint32_t own = type_slots((char)e->kind);
    e->slots = 0;
    e->in_local = false;
    switch (event_operand(e->event)) {
    case OPERAND_ON_TOP: e->slots = (uint16_t)own; break;
    case OPERAND_FIRST_POPPED: e->slots = own > 0 && i != NULL ? (uint16_t)i->in->pops : 0; break;
    case OPERAND_SECOND_POPPED: e->slots = own > 0 && i != NULL ? (uint16_t)(i->in->pops - 1) : 0; break;
    case OPERAND_IN_LOCAL:
        e->in_local = true;
        if (i != NULL)
            e->local = i->in->local;
        break;
    case OPERAND_NOWHERE:
    case OPERAND_LAST_POPPED:
    case OPERAND_AS_ARGUMENT: break;
    }
}

/* Finds the instruction of an event; false: the code gives no such event. */
static bool find_insn(const struct method *m, struct code_event *e)
{
    const struct event_stand *stand = event_stand(e->event);
    int side = SIDE_BEFORE;
    if (stand->where == AT_ENTRY) {
        e->insn = m->count;
        side = e->row->pc == 0 ? SIDE_BEFORE : -1;
    } else if (stand->where == AT_EXIT) {
        e->insn = m->count + 1;
        side = e->row->pc == m->code.length ? SIDE_BEFORE : -1;
    } else {
        e->insn = code_insn_at(&m->code, e->row->pc);
        side = e->insn != NO_INSN ? side_of(stand, m->code.insns.items[e->insn].op) : -1;
    }
    if (side < 0)
        e->fault = "the code gives no such event there";
    else if (!event_woven(e->row->event, m->row->groups) && !event_has(e->event, USE_STATIC_ONLY))
        e->fault = "its group is not woven into the method";
    e->side = (uint8_t)side;
    return e->fault == NULL;
}

/* Its events are in the lists of instructions. */
static bool is_listed(const struct code_event *e)
{
    return e->method != NULL && !event_has(e->event, USE_STATIC_ONLY | USE_LEFT_OUT);
}

/* Slots of the parameters, by the descriptor: the event of one that redact= names has no kind. */
static void parameter_slots(struct method *m, struct code_event *events)
{
    uint16_t slot = !m->is_static;
    const char *desc = m->row->desc;
    size_t at = 1, size = strlen(desc);
    for (uint32_t k = 0; k < m->id_count; k++) {
        struct code_event *e = &events[k];
        if (e->event != EVENT_METHOD_PARAM)
            continue;
        e->local = slot;
        size_t n = at < size && desc[at] != ')' ? descriptor_type_length(desc + at, size - at) : 0;
        slot = (uint16_t)(slot + (n > 0 ? type_slots(desc[at]) : 0));
        at += n;
    }
}

static void argument_slots(struct method *m, struct code_event *events)
{
    uint32_t insn = NO_INSN, left = 0;
    for (uint32_t k = 0; k < m->id_count; k++) {
        struct code_event *e = &events[k];
        if (e->method == NULL || (e->event != EVENT_CALL_PARAM && e->event != EVENT_INVOKE_DYNAMIC_PARAM))
            continue;
        if (e->insn != insn) {
            const struct method_insn *i = &m->insns[e->insn];
            bool receiver = i->in->op != OPC_invokestatic && i->in->op != OPC_invokedynamic;
            insn = e->insn;
            left = (uint32_t)(i->in->pops - receiver);
        }
        const char *type = attribute_text(e->row, "type"); /* also of one without a value, as redact= hides it */
        uint32_t own = type != NULL && (strcmp(type, "long") == 0 || strcmp(type, "double") == 0) ? 2 : 1;
        e->slots = e->kind != KIND_VOID ? (uint16_t)left : 0;
        left = left >= own ? left - own : 0;
    }
}

/* Fills the lists of all instructions; false: no memory. */
static bool fill_lists(hs_trace *t, struct method *m, struct code_event *events)
{
    uint32_t total = 0;
    m->ids = arena_array(&t->arena, (size_t)m->id_count + 1, sizeof *m->ids);
    if (m->ids == NULL)
        return false;
    for (uint32_t k = 0; k < m->id_count; k++) {
        struct code_event *e = &events[k];
        if (!is_listed(e))
            continue;
        struct method_insn *i = &m->insns[e->insn];
        e->at = e->side == SIDE_BEFORE ? i->before++ : i->after++;
    }
    for (uint32_t i = 0; i < m->count + 2; i++) {
        m->insns[i].first = total;
        total += (uint32_t)m->insns[i].before + m->insns[i].after;
    }
    for (uint32_t k = 0; k < m->id_count; k++) {
        struct code_event *e = &events[k];
        if (!is_listed(e))
            continue;
        const struct method_insn *i = &m->insns[e->insn];
        m->ids[i->first + (e->side == SIDE_BEFORE ? 0 : i->before) + e->at] = m->first_id + k;
        if (e->event == EVENT_METHOD_EXCEPTIONAL_EXIT)
            m->exit_id = m->first_id + k;
        m->has_multi |= e->event == EVENT_MULTI_NEW_ARRAY;
        place_value(m, e);
    }
    parameter_slots(m, events);
    argument_slots(m, events);
    return true;
}

/* Room for the instructions with what the code says of each; false: it cannot be followed, or no memory. */
static bool read_insns(hs_trace *t, struct method *m)
{
    struct error err;
    m->count = (uint32_t)m->code.insns.count;
    if (m->argument_slots > m->code.max_locals || m->code.length != m->row->code_length ||
        XXH64(m->code.bytes, m->code.length, 0) != m->row->hash)
        return false;
    for (uint32_t n = 0; n < m->count; n++)
        if (m->code.insns.items[n].pops < 0)
            return false;
    m->insns = arena_array(&t->arena, (size_t)m->count + 2, sizeof *m->insns);
    const enum status st = m->insns != NULL ? code_depths(&m->code, &err) : ERR_MEMORY;
    if (st == ERR_MEMORY)
        trace_no_memory(t);
    if (st != OK)
        return false;
    for (uint32_t n = 0; n < m->count; n++) {
        const struct insn *in = &m->code.insns.items[n];
        m->insns[n].in = in;
        m->insns[n].depth = m->code.depths[n];
        m->insns[n].covered = (m->code.flags[in->pc] & PC_GUARDED) != 0;
    }
    return true;
}

/* Places the events from `first`, which are all that the method has. */
static void place_events(hs_trace *t, struct method *m, struct code_event *events, uint32_t first, uint32_t end)
{
    bool placed = true;
    if (m->id_count > 0) {
        m->fault = "its data IDs are not together";
        return;
    }
    m->first_id = first;
    m->id_count = end - first;
    if (!read_insns(t, m)) {
        m->fault = "its code is not that of its row";
        return;
    }
    for (uint32_t i = first; i < end; i++) {
        events[i].method = find_insn(m, &events[i]) ? m : NULL;
        placed = placed && events[i].method != NULL;
    }
    if (!fill_lists(t, m, events + first)) {
        trace_no_memory(t);
        placed = false;
    }
    m->followed = placed && (m->row->groups & GROUP_BIT(EXEC)) != 0;
}

static void read_event(hs_trace *t, struct code_event *e, uint32_t id)
{
    e->row = dataid_row(t, id);
    e->loaded = true;
    if (e->row != NULL) {
        e->event = (uint8_t)e->row->event;
        e->kind = (uint8_t)e->row->kind;
    }
}

struct method *method_of_event(hs_trace *t, uint32_t id)
{
    struct code_event *events = trace_attached(t, ATTACHED_CODE_EVENTS);
    if (events[id].loaded)
        return events[id].method;
    const struct hs_dataid *row = dataid_row(t, id);
    const struct hs_class *c = row != NULL ? class_row(t, row->class_no) : NULL;
    uint32_t first = id, end = id + 1;
    if (c != NULL)
        dataid_siblings(t, c, &first, &end);
    for (uint32_t i = first; i < end; i++)
        read_event(t, &events[i], i);
    struct method *m = c != NULL ? method_of_row(t, method_row(t, row->method_id)) : NULL;
    if (m != NULL)
        place_events(t, m, events, first, end);
    return events[id].method;
}
