/* why.c - the chain back from a value to where it came from.
 *
 * Two kinds of steps alternate. Events: a load goes to the last store of that local, field or element; a parameter to
 * the caller's argument; the result of a call to the callee's exit. Bytecode: what a store, an argument or an exit took
 * from the operand stack was pushed by an instruction (bytecode.h), whose event is the next link:
 *
 *     PUT_INSTANCE_FIELD_VALUE  <- iadd <- GET_INSTANCE_FIELD_RESULT <- PUT_INSTANCE_FIELD_VALUE <- iload <- LOCAL_LOAD
 * <- ...
 *
 * An instruction without event of its own (arithmetic, conversions) hands on to its operands; the chain follows the
 * first that has an event, all are named. */
#include "reader/query/why.h"
#include "reader/query/creation.h"
#include "reader/query/handover.h"
#include "reader/query/writes.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHAIN_DEFAULT = 1000 };

/* ---- saying ---- */

enum status why_ends(struct why *w, const char *end, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    (void)vsnprintf(w->because, sizeof w->because, fmt, ap);
    va_end(ap);
    w->end = end;
    return OK;
}

enum status why_goes_on(struct why *w, const struct hs_event *next, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    (void)vsnprintf(w->because, sizeof w->because, fmt, ap);
    va_end(ap);
    w->next = *next;
    w->end = NULL;
    return OK;
}

enum status why_number(struct why *w, struct hs_event *e, struct error *err)
{
    return e->seq != UINT64_MAX ? OK : positions_number(w->trace, e, err);
}

static enum status beside(struct why *w, const struct hs_event *e, int64_t steps, struct hs_event *out,
                          struct error *err)
{
    return event_beside(w->trace, e, steps, out, err);
}

static const char *text_attr(const struct hs_dataid *d, const char *name)
{
    const char *s = attribute_text(d, name);
    return s != NULL ? s : "?";
}

/* ---- locals and parameters ---- */

static enum status from_local(struct why *w, const char *verb, struct error *err)
{
    const struct replay *state;
    struct hs_event e;
    uint16_t slot = effects_get(w->trace, w->now.dataid)->slot;
    const char *own = attribute_text(w->site, "name");
    char name[120];
    if (own != NULL)
        (void)snprintf(name, sizeof name, "%s", own);
    else
        (void)snprintf(name, sizeof name, "#%u", slot);
    enum status st = frames_at(w->trace, why_position(w, &w->now), &state, err);
    if (st != OK)
        return st;
    const struct call_frame *top = replay_top(state);
    const struct local *l = top != NULL && top->method == w->site->method_id && slot < top->local_count
                                ? &state->locals.items[top->first_local + slot]
                                : NULL;
    if (l == NULL || l->id == UINT32_MAX)
        return why_ends(w, "not recorded", "%s local %s, whose write is not recorded", verb, name);
    st = positions_event(w->trace, (struct event_position){ positions_stream(w->trace, w->now.thread), l->position },
                         &e, err);
    if (st == OK)
        st = why_number(w, &e, err);
    if (st != OK)
        return st;
    unsigned event = event_type(w->trace, e.dataid);
    bool same = w->site->event != EVENT_LOCAL_LOAD || e.value == w->now.value;
    if (!same || event == EVENT_LOCAL_LOAD)
        return why_ends(w, "not recorded", "%s local %s, which was last written unseen", verb, name);
    return why_goes_on(w, &e, "%s local %s, last written at seq %llu", verb, name, (unsigned long long)e.seq);
}

/* The CALL that entered a frame: the latest event of the frame below, if it is a call of this name and descriptor. */
static enum status call_of(struct why *w, uint64_t entry, uint32_t method_id, struct hs_event *call, struct error *err)
{
    enum { ARGUMENTS_MAX = 256 };
    const struct replay *state;
    struct event_position at = { positions_stream(w->trace, w->now.thread), entry };
    const struct hs_method *m = hs_method_get(w->trace, method_id);
    enum status st = frames_at(w->trace, at, &state, err);
    if (st != OK)
        return st;
    const struct call_frame *caller = replay_top(state);
    if (caller == NULL || m == NULL)
        return ERR_NOT_FOUND;
    at.position = caller->last;
    for (unsigned i = 0; i < ARGUMENTS_MAX; i++) {
        st = positions_event(w->trace, at, call, err);
        if (st != OK)
            return st;
        const struct hs_dataid *d = hs_dataid_get(w->trace, call->dataid);
        if (d->event == EVENT_CALL)
            return strcmp(text_attr(d, "name"), m->name) == 0 && strcmp(text_attr(d, "desc"), m->desc) == 0
                       ? OK
                       : ERR_NOT_FOUND;
        if (d->event != EVENT_CALL_PARAM || at.position == 0)
            return ERR_NOT_FOUND;
        at.position--;
    }
    return ERR_NOT_FOUND;
}

static enum status frame_entry(struct why *w, uint64_t *entry, struct error *err)
{
    const struct replay *state;
    struct event_position at = why_position(w, &w->now);
    enum status st;
    if (w->site->event == EVENT_METHOD_ENTRY) {
        *entry = w->now.position;
        return OK;
    }
    if ((st = frames_at(w->trace, at, &state, err)) != OK)
        return st;
    const struct call_frame *top = replay_top(state);
    *entry = top != NULL && top->method == w->site->method_id ? top->entry : NO_POSITION;
    return *entry != NO_POSITION ? OK : ERR_NOT_FOUND;
}

/* The body of a lambda: what was captured when the lambda was made comes first, then the arguments of the call. */
static enum status lambda_argument(struct why *w, uint64_t entry, int64_t index, struct hs_event *out,
                                   struct error *err)
{
    enum { CAPTURED_MAX = 256 };
    const struct replay *state;
    struct hs_event call, e;
    struct event_position at = { positions_stream(w->trace, w->now.thread), entry };
    enum status st = frames_at(w->trace, at, &state, err);
    const struct call_frame *caller = st == OK ? replay_top(state) : NULL;
    if (caller == NULL)
        return st == OK ? ERR_NOT_FOUND : st;
    at.position = caller->last;
    while ((st = positions_event(w->trace, at, &call, err)) == OK &&
           event_type(w->trace, call.dataid) == EVENT_CALL_PARAM && at.position > 0)
        at.position--;
    if (st != OK || event_type(w->trace, call.dataid) != EVENT_CALL || call.kind != 'L' || call.value > UINT32_MAX)
        return st == OK ? ERR_NOT_FOUND : st;
    struct hs_write made = { 0 };
    hs_cursor *c;
    struct hs_error why;
    struct hs_filter filter = HS_FILTER_ALL;
    unsigned event = EVENT_INVOKE_DYNAMIC_RESULT;
    const struct hs_event *found;
    filter.object = (uint32_t)call.value;
    filter.events = &event;
    filter.event_count = 1;
    if (hs_cursor_open(w->trace, &filter, &c, &why) != 0)
        return state_take(&why, err);
    int more = hs_cursor_next(c, &found, &why);
    if (more > 0)
        made.event = *found;
    hs_cursor_close(c);
    if (more <= 0)
        return more == 0 ? ERR_NOT_FOUND : state_take(&why, err);
    int64_t captured = 0;
    while (captured < CAPTURED_MAX && (st = beside(w, &made.event, -1 - captured, &e, err)) == OK &&
           event_type(w->trace, e.dataid) == EVENT_INVOKE_DYNAMIC_PARAM)
        captured++;
    if (index < captured)
        return beside(w, &made.event, index - captured, out, err);
    st = beside(w, &call, 1 + index - captured, out, err);
    return st == OK && event_type(w->trace, out->dataid) != EVENT_CALL_PARAM ? ERR_NOT_FOUND : st;
}

static enum status from_caller(struct why *w, struct error *err)
{
    uint64_t entry;
    struct hs_event call, e;
    bool self = w->site->event == EVENT_METHOD_ENTRY;
    int64_t index = attribute_number(w->site, "index", 0);
    const char *own = attribute_text(w->site, "name");
    const char *what = self ? "this" : own != NULL ? own : "without name";
    const struct hs_method *m = hs_method_get(w->trace, w->site->method_id);
    enum status st = frame_entry(w, &entry, err);
    if (st == OK)
        st = call_of(w, entry, w->site->method_id, &call, err);
    if (st == OK && self)
        e = call;
    for (int64_t i = 1; st == OK && !self; i++) {
        st = beside(w, &call, i, &e, err);
        const struct hs_dataid *d = st == OK ? hs_dataid_get(w->trace, e.dataid) : NULL;
        if (d != NULL && d->event != EVENT_CALL_PARAM)
            st = ERR_NOT_FOUND;
        if (d != NULL && attribute_number(d, "index", -1) == index)
            break;
    }
    if (st == ERR_NOT_FOUND && !self && m != NULL && strncmp(m->name, "lambda$", 7) == 0 &&
        (st = frame_entry(w, &entry, err)) == OK)
        st = lambda_argument(w, entry, (m->access & ACC_STATIC) != 0 ? index : index - 1, &e, err);
    if (st == OK)
        st = why_number(w, &e, err);
    if (st == OK && e.value == w->now.value)
        return why_goes_on(w, &e, "parameter %s, the caller's argument at seq %llu", what, (unsigned long long)e.seq);
    if (st != OK && st != ERR_NOT_FOUND)
        return st;
    return why_ends(w, "parameter of unwoven caller",
                    "parameter %s of a method that was called by code that is not woven", what);
}

/* ---- results and exceptions ---- */

static enum status from_callee(struct why *w, struct error *err)
{
    struct hs_event e;
    const struct hs_dataid *call = call_site(w->trace, w->site);
    enum status st = beside(w, &w->now, -1, &e, err);
    const char *owner = call != NULL ? text_attr(call, "owner") : "?",
               *name = call != NULL ? text_attr(call, "name") : "?";
    if (st == OK) {
        const struct hs_dataid *d = hs_dataid_get(w->trace, e.dataid);
        const struct hs_method *m = hs_method_get(w->trace, d->method_id);
        if (d->event == EVENT_METHOD_NORMAL_EXIT && m != NULL && strcmp(m->name, name) == 0 &&
            e.value == w->now.value) {
            st = why_number(w, &e, err);
            return st != OK
                       ? st
                       : why_goes_on(w, &e, "returned by %s.%s at seq %llu", owner, name, (unsigned long long)e.seq);
        }
    } else if (st != ERR_NOT_FOUND) {
        return st;
    }
    for (size_t i = 0; i < hs_class_count(w->trace); i++) {
        const struct hs_class *c = hs_class_at(w->trace, i);
        for (uint32_t k = 0; strcmp(c->name, owner) == 0 && k < c->method_count; k++)
            if (strcmp(c->methods[k].name, name) == 0 && (c->methods[k].access & ACC_NATIVE) != 0)
                return why_ends(w, "native", "returned by %s.%s, which is native", owner, name);
    }
    return why_ends(w, "code not woven", "returned by %s.%s, which is not woven", owner, name);
}

/* The exception on its way: the latest exit or throw of the same object just before. */
static enum status from_throw(struct why *w, struct error *err)
{
    enum { LOOK_BACK = 4 };
    struct hs_event e;
    for (int64_t i = 1; i <= LOOK_BACK; i++) {
        enum status st = beside(w, &w->now, -i, &e, err);
        if (st == ERR_NOT_FOUND)
            break;
        if (st != OK)
            return st;
        unsigned event = event_type(w->trace, e.dataid);
        if ((event == EVENT_METHOD_THROW || event == EVENT_METHOD_EXCEPTIONAL_EXIT) && e.value == w->now.value) {
            st = why_number(w, &e, err);
            return st != OK ? st : why_goes_on(w, &e, "thrown at seq %llu", (unsigned long long)e.seq);
        }
    }
    return why_ends(w, "thrown by the JVM or by code not woven", "an exception that no woven code threw");
}

/* ---- fields and elements ---- */

/* Another value than the last write's: whoever the object was handed to since may have written it. */
static enum status from_unseen(struct why *w, const struct hs_event *write, uint64_t owner, const char *what,
                               struct error *err)
{
    struct hs_handover handed = { .seq = HS_NO_SEQ };
    enum status st = owner != 0 && owner <= UINT32_MAX
                         ? handover_last(w->trace, (uint32_t)owner, write->seq, w->now.seq, &handed, err)
                         : OK;
    if (st != OK)
        return st;
    const struct hs_dataid *call = handed.seq != HS_NO_SEQ ? hs_dataid_get(w->trace, handed.dataid) : NULL;
    if (call == NULL || call->event != EVENT_CALL)
        return why_ends(w, "code not woven",
                        "%s, written by code that is not woven: the last write seen (seq %llu) has another value", what,
                        (unsigned long long)write->seq);
    return why_ends(
        w, "code not woven",
        "%s, written by code that is not woven: the last write seen (seq %llu) has another value, and at seq %llu it "
        "was handed to %s.%s",
        what, (unsigned long long)write->seq, (unsigned long long)handed.seq, text_attr(call, "owner"),
        text_attr(call, "name"));
}

/* What the last write says about the value read. */
static enum status from_write(struct why *w, enum status st, const struct hs_event *write, uint64_t owner,
                              const char *what, struct error *err)
{
    struct hs_event made;
    if (st != OK && st != ERR_NOT_FOUND)
        return st;
    if (st == OK && write->value == w->now.value)
        return why_goes_on(w, write, "%s, last written at seq %llu%s", what, (unsigned long long)write->seq,
                           write->thread != w->now.thread ? " by another thread" : "");
    if (st == OK)
        return from_unseen(w, write, owner, what, err);
    if (w->now.value == 0 && owner != 0 && owner <= UINT32_MAX) {
        st = creation_of(w->trace, (uint32_t)owner, &made, err);
        if (st == OK)
            return why_ends(w, "default value", "%s, not written since the object was made at seq %llu", what,
                            (unsigned long long)made.seq);
        if (st != ERR_NOT_FOUND)
            return st;
    }
    return why_ends(w, w->now.value == 0 ? "default value or code not woven" : "code not woven",
                    "%s, which no woven code wrote before", what);
}

static enum status from_field(struct why *w, struct error *err)
{
    char what[200];
    struct hs_event holder = { 0 }, write;
    bool instance = w->site->event == EVENT_GET_INSTANCE_FIELD_RESULT;
    struct field f = sites_field(w->trace, w->now.dataid);
    enum status st = instance ? beside(w, &w->now, -1, &holder, err) : OK;
    if (st != OK)
        return st == ERR_NOT_FOUND ? why_ends(w, "not recorded", "field %s of an unknown object", f.name) : st;
    (void)snprintf(what, sizeof what, "field %.120s%s%.60s", instance ? f.name : f.declaring, instance ? "" : ".",
                   instance ? "" : f.name);
    if (instance && holder.value > UINT32_MAX)
        return why_ends(w, "not recorded", "%s of an unknown object", what);
    st = last_field_write(w->trace, (uint32_t)holder.value, f, w->now.seq, &write, err);
    return from_write(w, st, &write, holder.value, what, err);
}

static enum status from_element(struct why *w, struct error *err)
{
    char what[64];
    struct hs_event array, index, write;
    enum status st = beside(w, &w->now, -2, &array, err);
    if (st == OK)
        st = beside(w, &w->now, -1, &index, err);
    if (st != OK || array.value > UINT32_MAX)
        return st == OK || st == ERR_NOT_FOUND ? why_ends(w, "not recorded", "an element of an unknown array") : st;
    (void)snprintf(what, sizeof what, "element %lld of array %llu", (long long)index.value,
                   (unsigned long long)array.value);
    st = last_element_write(w->trace, (uint32_t)array.value, index.value, w->now.seq, &write, err);
    return from_write(w, st, &write, array.value, what, err);
}

static enum status from_length(struct why *w, struct error *err)
{
    struct hs_event array, made, length;
    enum status st = beside(w, &w->now, -1, &array, err);
    if (st == OK && array.value <= UINT32_MAX &&
        (st = creation_of(w->trace, (uint32_t)array.value, &made, err)) == OK &&
        event_type(w->trace, made.dataid) == EVENT_NEW_ARRAY_RESULT &&
        (st = beside(w, &made, -1, &length, err)) == OK && event_type(w->trace, length.dataid) == EVENT_NEW_ARRAY &&
        (st = why_number(w, &length, err)) == OK)
        return why_goes_on(w, &length, "the length given when the array was made at seq %llu",
                           (unsigned long long)length.seq);
    if (st != OK && st != ERR_NOT_FOUND)
        return st;
    return why_ends(w, "code not woven", "the length of an array that was not made by newarray in woven code");
}

/* ---- invokedynamic ---- */

static enum status from_dynamic(struct why *w, struct error *err)
{
    enum { PARAMETERS_MAX = 256 };
    struct hs_event e, first = { 0 };
    int64_t n = 0;
    const char *name = text_attr(w->site, "name"), *bootstrap = text_attr(w->site, "bootstrap_name");
    while (n < PARAMETERS_MAX && beside(w, &w->now, -1 - n, &e, err) == OK &&
           event_type(w->trace, e.dataid) == EVENT_INVOKE_DYNAMIC_PARAM) {
        first = e;
        n++;
    }
    if (strstr(name, "makeConcat") == NULL && strstr(bootstrap, "makeConcat") == NULL)
        return strstr(bootstrap, "etafactory") != NULL
                   ? why_ends(w, "new object", "a lambda or method reference made by invokedynamic")
                   : why_ends(w, "invokedynamic", "computed by invokedynamic %s", name);
    if (n == 0)
        return why_ends(w, "string concatenation", "a string joined by invokedynamic from parts that are not recorded");
    for (int64_t i = n; i > 0; i--) {
        enum status st = beside(w, &w->now, -i, &e, err);
        if (st == OK)
            st = why_number(w, &e, err);
        if (st != OK)
            return st;
        if (i == n)
            first = e;
        if (w->operand_count < OPERANDS_MAX)
            w->operands[w->operand_count++] = e.seq;
    }
    return why_goes_on(w, &first, "a string joined from %lld parts, the first at seq %llu", (long long)n,
                       (unsigned long long)first.seq);
}

/* ---- one link ---- */

/* Slots of the arguments behind argument `index` (0 the receiver, where there is one) of a descriptor. */
static uint32_t argument_depth(const char *desc, int64_t index, bool receiver_first)
{
    size_t size = strlen(desc), at = 1;
    uint32_t depth = 0;
    int64_t i = receiver_first ? 1 : 0;
    for (; at < size && desc[at] != ')'; i++) {
        size_t n = descriptor_type_length(desc + at, size - at);
        if (n == 0)
            break;
        if (i > index)
            depth += type_slots(desc[at]);
        at += n;
    }
    return depth;
}

/* The call instruction at the link's pc: its descriptor, and whether it has a receiver. */
static bool call_shape(struct why *w, const char **desc, bool *receiver_first)
{
    struct code *code = codes_get(w->trace, w->site->method_id);
    struct insn in;
    struct member_ref m;
    struct text name, d;
    uint32_t bootstrap;
    if (code == NULL || !insn_decode(code->bytes, code->length, w->site->pc, &in))
        return false;
    *receiver_first = in.op != OPC_invokestatic && in.op != OPC_invokedynamic;
    if (in.op == OPC_invokedynamic) {
        if (!cpool_dynamic(&code->classfile->cp, (uint32_t)in.operand, &bootstrap, &name, &d))
            return false;
    } else if (!cpool_member(&code->classfile->cp, (uint32_t)in.operand, &m)) {
        return false;
    } else {
        d = m.desc;
    }
    char *copy = arena_chars(w->arena, d.size + 1);
    if (copy == NULL)
        return false;
    memcpy(copy, d.data, d.size);
    copy[d.size] = '\0';
    *desc = copy;
    return true;
}

/* Slots of the value that the instruction at the link's pc stores into a field or array. */
static uint32_t stored_slots(struct why *w)
{
    struct code *code = codes_get(w->trace, w->site->method_id);
    struct insn in;
    struct member_ref m;
    if (code == NULL || !insn_decode(code->bytes, code->length, w->site->pc, &in))
        return 1;
    if (in.op == OPC_lastore || in.op == OPC_dastore)
        return 2;
    if (in.op == OPC_putfield && cpool_member(&code->classfile->cp, (uint32_t)in.operand, &m) && m.desc.size > 0)
        return type_slots(m.desc.data[0]);
    return 1;
}

static enum status from_argument(struct why *w, bool receiver_wanted, struct error *err)
{
    const char *desc;
    bool receiver_first;
    if (!call_shape(w, &desc, &receiver_first))
        return why_ends(w, "no bytecode", "an argument; the trace has no class file of this method");
    int64_t index = receiver_wanted ? 0 : attribute_number(w->site, "index", 0);
    return why_from_stack(w, argument_depth(desc, index, receiver_first),
                          receiver_wanted ? "receiver of the call" : "argument of the call", err);
}

static enum status explain(struct why *w, struct error *err)
{
    switch ((int)w->site->event) {
    case EVENT_METHOD_ENTRY:
    case EVENT_METHOD_PARAM: return from_caller(w, err);
    case EVENT_METHOD_NORMAL_EXIT: return why_from_stack(w, 0, "returned", err);
    case EVENT_METHOD_EXCEPTIONAL_EXIT:
    case EVENT_CATCH: return from_throw(w, err);
    case EVENT_METHOD_THROW: return why_from_stack(w, 0, "thrown", err);
    case EVENT_CALL: return from_argument(w, true, err);
    case EVENT_CALL_PARAM:
    case EVENT_INVOKE_DYNAMIC_PARAM: return from_argument(w, false, err);
    case EVENT_CALL_RETURN: return from_callee(w, err);
    case EVENT_INVOKE_DYNAMIC_RESULT: return from_dynamic(w, err);
    case EVENT_GET_INSTANCE_FIELD_RESULT:
    case EVENT_GET_STATIC_FIELD: return from_field(w, err);
    case EVENT_ARRAY_LOAD_RESULT: return from_element(w, err);
    case EVENT_ARRAY_LENGTH_RESULT: return from_length(w, err);
    case EVENT_LOCAL_LOAD: return from_local(w, "read from", err);
    case EVENT_LOCAL_INCREMENT: return from_local(w, "incremented:", err);
    case EVENT_LOCAL_STORE: return why_from_stack(w, 0, "stored", err);
    case EVENT_PUT_INSTANCE_FIELD_VALUE:
    case EVENT_PUT_INSTANCE_FIELD_BEFORE_INITIALIZATION:
    case EVENT_PUT_STATIC_FIELD:
    case EVENT_ARRAY_STORE_VALUE: return why_from_stack(w, 0, "stored", err);
    case EVENT_PUT_INSTANCE_FIELD: return why_from_stack(w, stored_slots(w), "object of the store", err);
    case EVENT_ARRAY_STORE_INDEX: return why_from_stack(w, stored_slots(w), "index of the store", err);
    case EVENT_ARRAY_STORE: return why_from_stack(w, stored_slots(w) + 1, "array of the store", err);
    case EVENT_ARRAY_LOAD: return why_from_stack(w, 1, "array of the load", err);
    case EVENT_ARRAY_LOAD_INDEX: return why_from_stack(w, 0, "index of the load", err);
    case EVENT_GET_INSTANCE_FIELD: return why_from_stack(w, 0, "object of the load", err);
    case EVENT_NEW_ARRAY: return why_from_stack(w, 0, "length of the new array", err);
    case EVENT_ARRAY_LENGTH: return why_from_stack(w, 0, "array", err);
    case EVENT_MONITOR_ENTER:
    case EVENT_MONITOR_ENTER_RESULT:
    case EVENT_MONITOR_EXIT: return why_from_stack(w, 0, "monitor", err);
    case EVENT_OBJECT_INSTANCEOF:
    case EVENT_OBJECT_INSTANCEOF_RESULT: return why_from_stack(w, 0, "object of instanceof", err);
    case EVENT_OBJECT_CONSTANT_LOAD: return why_ends(w, "constant", "a constant of the class file");
    case EVENT_NEW_OBJECT_CREATED:
    case EVENT_METHOD_OBJECT_INITIALIZED: return why_ends(w, "new object", "the object was made here");
    case EVENT_NEW_ARRAY_RESULT:
    case EVENT_MULTI_NEW_ARRAY:
    case EVENT_MULTI_NEW_ARRAY_OWNER:
    case EVENT_MULTI_NEW_ARRAY_ELEMENT: return why_ends(w, "new array", "the array was made here");
    default: return why_ends(w, "control flow", "the path that was taken");
    }
}

static const char *keep_text(struct why *w, const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = arena_chars(w->arena, size);
    if (copy != NULL)
        memcpy(copy, text, size);
    return copy;
}

static bool keep_link(struct why *w, struct hs_cause *to)
{
    *to = (struct hs_cause){ .event = w->now, .because = keep_text(w, w->because), .end = w->end };
    if (w->operand_count > 1) {
        uint64_t *operands = arena_array(w->arena, w->operand_count, sizeof *operands);
        if (operands == NULL)
            return false;
        memcpy(operands, w->operands, w->operand_count * sizeof *operands);
        to->operands = operands;
        to->operand_count = w->operand_count;
    }
    return to->because != NULL;
}

static enum status follow(struct why *w, size_t max, struct hs_cause **out, size_t *count, struct error *err)
{
    VEC(struct hs_cause) chain = { 0 };
    enum status st = OK;
    while (st == OK) {
        struct hs_cause *to = vec_push(&chain);
        w->site = hs_dataid_get(w->trace, w->now.dataid);
        w->operand_count = 0;
        w->end = NULL;
        if (to == NULL)
            st = state_memory(w->trace, err);
        else if (w->site == NULL)
            st = why_ends(w, "not known", "a data ID that the trace does not explain");
        else
            st = explain(w, err);
        if (st == OK && w->end == NULL)
            st = why_number(w, &w->next, err);
        if (st == OK && w->end == NULL && chain.count >= max)
            w->end = "chain cut";
        if (st == OK && !keep_link(w, to))
            st = state_memory(w->trace, err);
        if (st != OK || w->end != NULL)
            break;
        w->now = w->next;
    }
    if (st == OK && (*out = arena_array(w->arena, chain.count, sizeof **out)) == NULL)
        st = state_memory(w->trace, err);
    if (st == OK) {
        memcpy(*out, chain.items, chain.count * sizeof **out);
        *count = chain.count;
    }
    vec_free(&chain);
    return st;
}

int hs_why(hs_trace *trace, uint64_t seq, size_t max, const struct hs_cause **causes, size_t *count,
           struct hs_error *error)
{
    struct error err = { 0 };
    struct hs_cause *out;
    struct why w = { .trace = trace, .arena = state_answer(trace, ANSWER_WHY) };
    if (w.arena == NULL) {
        (void)state_memory(trace, &err);
        return give(error, &err);
    }
    index_wish(trace);
    if (hs_event_at(trace, seq, &w.now, error) != 0)
        return -1;
    if (w.now.kind == 'V') {
        (void)error_set(&err, ERR_USAGE, "event %llu (%s) has no value to ask about", (unsigned long long)seq,
                        hs_event_name(event_type(trace, w.now.dataid)));
        return give(error, &err);
    }
    enum status st = follow(&w, max > 0 ? max : CHAIN_DEFAULT, &out, count, &err);
    if (st == ERR_NOT_FOUND)
        err.status = ERR_FORMAT; /* an event that the order knows was not there */
    if (st != OK)
        return give(error, &err);
    *causes = out;
    return 0;
}
