/* why.c - the chain of causes of a value, back to its origin.
 *
 * There are two kinds of links, which alternate. Between events: from a load to the last store of that local, field or
 * element, from a parameter to the caller's argument, from the result of a call to the callee's exit. Through bytecode:
 * from a store, an argument or an exit to the event of the instruction that pushed the value on the operand stack:
 *
 *     PUT_INSTANCE_FIELD_VALUE <- iadd <- GET_INSTANCE_FIELD_RESULT <- PUT_INSTANCE_FIELD_VALUE <- iload <- LOCAL_LOAD
 *
 * An instruction without events (arithmetic, conversions) is replaced by its operands: the chain follows the first of
 * them that has an event, the explanation names them all. */
#include "reader/query/why.h"
#include "reader/query/creation.h"
#include "reader/query/handover.h"
#include "reader/query/writes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHAIN_DEFAULT = 1000 };

static const char *text_attr(const struct hs_dataid *d, const char *name)
{
    const char *s = attribute_text(d, name);
    return s != NULL ? s : "?";
}

/* ---- locals and parameters ---- */

/* The write of a local that replay knows, in the link's method; *position is NO_POSITION if there is none. */
static enum status find_local_write(struct why *w, uint16_t slot, uint64_t *position, struct error *err)
{
    const struct replay *state;
    *position = NO_POSITION;
    enum status st = frames_at(w->trace, why_position(w, &w->now), &state, err);
    if (st != OK)
        return st;
    const struct call_frame *top = replay_top(state);
    if (top == NULL || top->method != w->site->method_id || slot >= top->local_count)
        return OK;
    const struct local *l = &state->locals.items[top->first_local + slot];
    if (l->id != UINT32_MAX)
        *position = l->position;
    return OK;
}

static enum status from_local(struct why *w, const char *verb, struct error *err)
{
    struct hs_event e;
    uint64_t position;
    uint16_t slot = effects_get(w->trace, w->now.dataid)->slot;
    const char *own = attribute_text(w->site, "name");
    char name[120];
    if (own != NULL)
        (void)snprintf(name, sizeof name, "%s", own);
    else
        (void)snprintf(name, sizeof name, "#%u", slot);
    enum status st = find_local_write(w, slot, &position, err);
    if (st != OK)
        return st;
    if (position == NO_POSITION)
        return why_ends(w, "not recorded", "%s local %s, whose write is not recorded", verb, name);
    struct event_position at = { positions_stream(w->trace, w->now.thread), position };
    st = positions_event(w->trace, at, &e, err);
    if (st != OK)
        return st;
    st = why_number(w, &e, err);
    if (st != OK)
        return st;
    unsigned event = event_type(w->trace, e.dataid);
    bool same = w->site->event != EVENT_LOCAL_LOAD || e.value == w->now.value;
    if (!same || event == EVENT_LOCAL_LOAD)
        return why_ends(w, "not recorded", "%s local %s, which was last written unseen", verb, name);
    return why_goes_on(w, &e, "%s local %s, last written at seq %llu", verb, name, (unsigned long long)e.seq);
}

/* The position of the last event of the calling frame before this METHOD_ENTRY. ERR_NOT_FOUND: no frame is known. */
static enum status last_of_caller(struct why *w, uint64_t entry, struct event_position *out, struct error *err)
{
    const struct replay *state;
    *out = (struct event_position){ positions_stream(w->trace, w->now.thread), entry };
    enum status st = frames_at(w->trace, *out, &state, err);
    if (st != OK)
        return st;
    const struct call_frame *caller = replay_top(state);
    if (caller == NULL)
        return ERR_NOT_FOUND;
    out->position = caller->last;
    return OK;
}

/* The CALL that entered the method: the last one of the calling frame, if it names this method. */
static enum status find_call(struct why *w, uint64_t entry, uint32_t method_id, struct hs_event *call,
                             struct error *err)
{
    enum { ARGUMENTS_MAX = 256 };
    struct event_position at;
    const struct hs_method *m = hs_method_get(w->trace, method_id);
    enum status st = last_of_caller(w, entry, &at, err);
    if (st != OK)
        return st;
    if (m == NULL)
        return ERR_NOT_FOUND;
    for (unsigned i = 0; i < ARGUMENTS_MAX; i++) {
        st = positions_event(w->trace, at, call, err);
        if (st != OK)
            return st;
        const struct hs_dataid *d = hs_dataid_get(w->trace, call->dataid);
        if (d->event == EVENT_CALL) {
            bool same = strcmp(text_attr(d, "name"), m->name) == 0 && strcmp(text_attr(d, "desc"), m->desc) == 0;
            return same ? OK : ERR_NOT_FOUND;
        }
        if (d->event != EVENT_CALL_PARAM || at.position == 0)
            return ERR_NOT_FOUND;
        at.position--;
    }
    return ERR_NOT_FOUND;
}

/* The position of the METHOD_ENTRY of the link's frame. */
static enum status find_entry(struct why *w, uint64_t *entry, struct error *err)
{
    const struct replay *state;
    if (w->site->event == EVENT_METHOD_ENTRY) {
        *entry = w->now.position;
        return OK;
    }
    enum status st = frames_at(w->trace, why_position(w, &w->now), &state, err);
    if (st != OK)
        return st;
    const struct call_frame *top = replay_top(state);
    *entry = top != NULL && top->method == w->site->method_id ? top->entry : NO_POSITION;
    return *entry != NO_POSITION ? OK : ERR_NOT_FOUND;
}

/* The INVOKE_DYNAMIC_RESULT that made a lambda. ERR_NOT_FOUND: it is not recorded. */
static enum status find_lambda(struct why *w, uint32_t lambda, struct hs_event *out, struct error *err)
{
    const unsigned event = EVENT_INVOKE_DYNAMIC_RESULT;
    struct hs_filter filter = HS_FILTER_ALL;
    struct walk walk;
    filter.object = lambda;
    filter.events = &event;
    filter.event_count = 1;
    walk_open_filter(&walk, w->trace, &filter);
    bool found = walk_next(&walk, out);
    enum status st = walk_close(&walk, err);
    if (st != OK)
        return st;
    return found ? OK : ERR_NOT_FOUND;
}

/* The call of a functional interface that entered the body of a lambda; its receiver is the lambda. */
static enum status find_lambda_call(struct why *w, uint64_t entry, struct hs_event *call, struct error *err)
{
    struct event_position at;
    enum status st = last_of_caller(w, entry, &at, err);
    if (st != OK)
        return st;
    for (;;) {
        st = positions_event(w->trace, at, call, err);
        if (st != OK)
            return st;
        if (event_type(w->trace, call->dataid) != EVENT_CALL_PARAM || at.position == 0)
            break;
        at.position--;
    }
    if (event_type(w->trace, call->dataid) != EVENT_CALL || call->kind != 'L' || call->value > UINT32_MAX)
        return ERR_NOT_FOUND;
    return OK;
}

/* How many INVOKE_DYNAMIC_PARAM come before the event. */
static int64_t count_dynamic_parameters(struct why *w, const struct hs_event *result)
{
    enum { PARAMETERS_MAX = 256 };
    struct hs_event e;
    int64_t n = 0;
    while (n < PARAMETERS_MAX) {
        if (event_beside(w->trace, result, -1 - n, &e, NULL) != OK)
            break;
        if (event_type(w->trace, e.dataid) != EVENT_INVOKE_DYNAMIC_PARAM)
            break;
        n++;
    }
    return n;
}

/* Argument `index` of the body of a lambda: first come the values captured when the lambda was made, then the arguments
 * of the call. */
static enum status lambda_argument(struct why *w, uint64_t entry, int64_t index, struct hs_event *out,
                                   struct error *err)
{
    struct hs_event call, made;
    enum status st = find_lambda_call(w, entry, &call, err);
    if (st != OK)
        return st;
    st = find_lambda(w, (uint32_t)call.value, &made, err);
    if (st != OK)
        return st;
    int64_t captured = count_dynamic_parameters(w, &made);
    if (index < captured)
        return event_beside(w->trace, &made, index - captured, out, err);
    st = event_beside(w->trace, &call, 1 + index - captured, out, err);
    if (st != OK)
        return st;
    return event_type(w->trace, out->dataid) == EVENT_CALL_PARAM ? OK : ERR_NOT_FOUND;
}

/* Argument `index` of a call. ERR_NOT_FOUND: it is not recorded. */
static enum status call_argument(struct why *w, const struct hs_event *call, int64_t index, struct hs_event *out,
                                 struct error *err)
{
    for (int64_t i = 1;; i++) {
        enum status st = event_beside(w->trace, call, i, out, err);
        if (st != OK)
            return st;
        const struct hs_dataid *d = hs_dataid_get(w->trace, out->dataid);
        if (d != NULL && d->event != EVENT_CALL_PARAM)
            return ERR_NOT_FOUND;
        if (d != NULL && attribute_number(d, "index", -1) == index)
            return OK;
    }
}

/* The event of the caller that has the link's parameter, or its receiver. ERR_NOT_FOUND: the caller is not woven. */
static enum status caller_argument(struct why *w, struct hs_event *out, struct error *err)
{
    uint64_t entry;
    struct hs_event call;
    int64_t index = attribute_number(w->site, "index", 0);
    const struct hs_method *m = hs_method_get(w->trace, w->site->method_id);
    enum status st = find_entry(w, &entry, err);
    if (st != OK)
        return st;
    st = find_call(w, entry, w->site->method_id, &call, err);
    if (w->site->event == EVENT_METHOD_ENTRY) {
        if (st == OK)
            *out = call;
        return st;
    }
    if (st == OK)
        st = call_argument(w, &call, index, out, err);
    if (st != ERR_NOT_FOUND || m == NULL || strncmp(m->name, "lambda$", 7) != 0)
        return st;
    return lambda_argument(w, entry, (m->access & ACC_STATIC) != 0 ? index : index - 1, out, err);
}

static enum status from_caller(struct why *w, struct error *err)
{
    struct hs_event e;
    const char *what = "this";
    if (w->site->event != EVENT_METHOD_ENTRY) {
        what = attribute_text(w->site, "name");
        if (what == NULL)
            what = "without name";
    }
    enum status st = caller_argument(w, &e, err);
    if (st == OK)
        st = why_number(w, &e, err);
    if (st != OK && st != ERR_NOT_FOUND)
        return st;
    if (st == OK && e.value == w->now.value)
        return why_goes_on(w, &e, "parameter %s, the caller's argument at seq %llu", what, (unsigned long long)e.seq);
    return why_ends(w, "parameter of unwoven caller",
                    "parameter %s of a method that was called by code that is not woven", what);
}

/* ---- results and exceptions ---- */

/* Is the event the exit of a method of this name that returned the link's value? */
static bool is_exit_of(struct why *w, const struct hs_event *e, const char *name)
{
    const struct hs_dataid *d = hs_dataid_get(w->trace, e->dataid);
    const struct hs_method *m = hs_method_get(w->trace, d->method_id);
    return d->event == EVENT_METHOD_NORMAL_EXIT && m != NULL && strcmp(m->name, name) == 0 && e->value == w->now.value;
}

static bool is_native(hs_trace *t, const char *class_name, const char *method)
{
    for (size_t i = 0; i < hs_class_count(t); i++) {
        const struct hs_class *c = class_at(t, i);
        if (strcmp(c->name, class_name) != 0)
            continue;
        for (uint32_t k = 0; k < c->method_count; k++)
            if (strcmp(c->methods[k]->name, method) == 0 && (c->methods[k]->access & ACC_NATIVE) != 0)
                return true;
    }
    return false;
}

static enum status from_callee(struct why *w, struct error *err)
{
    struct hs_event e;
    const struct hs_dataid *call = call_site(w->trace, w->site);
    const char *owner = call != NULL ? text_attr(call, "owner") : "?";
    const char *name = call != NULL ? text_attr(call, "name") : "?";
    enum status st = event_beside(w->trace, &w->now, -1, &e, err);
    if (st != OK && st != ERR_NOT_FOUND)
        return st;
    if (st == OK && is_exit_of(w, &e, name)) {
        st = why_number(w, &e, err);
        if (st != OK)
            return st;
        return why_goes_on(w, &e, "returned by %s.%s at seq %llu", owner, name, (unsigned long long)e.seq);
    }
    if (is_native(w->trace, owner, name))
        return why_ends(w, "native", "returned by %s.%s, which is native", owner, name);
    return why_ends(w, "code not woven", "returned by %s.%s, which is not woven", owner, name);
}

/* The exit or throw of the same exception among the events just before. */
static enum status from_throw(struct why *w, struct error *err)
{
    enum { LOOK_BACK = 4 };
    struct hs_event e;
    for (int64_t i = 1; i <= LOOK_BACK; i++) {
        enum status st = event_beside(w->trace, &w->now, -i, &e, err);
        if (st == ERR_NOT_FOUND)
            break;
        if (st != OK)
            return st;
        unsigned event = event_type(w->trace, e.dataid);
        if (event != EVENT_METHOD_THROW && event != EVENT_METHOD_EXCEPTIONAL_EXIT)
            continue;
        if (e.value != w->now.value)
            continue;
        st = why_number(w, &e, err);
        if (st != OK)
            return st;
        return why_goes_on(w, &e, "thrown at seq %llu", (unsigned long long)e.seq);
    }
    return why_ends(w, "thrown by the JVM or by code not woven", "an exception that no woven code threw");
}

/* ---- fields and elements ---- */

/* The value read is not that of the last recorded write: unwoven code, to which the object was handed since, may have
 * written it. */
static enum status from_unwoven_write(struct why *w, const struct hs_event *write, uint64_t owner, const char *what,
                                      struct error *err)
{
    struct hs_handover handed = { .seq = HS_NO_SEQ };
    if (owner != 0 && owner <= UINT32_MAX) {
        enum status st = handover_last(w->trace, (uint32_t)owner, write->seq, w->now.seq, &handed, err);
        if (st != OK)
            return st;
    }
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

/* `st` and `write` are the result of a search for the last write of `what`. */
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
        return from_unwoven_write(w, write, owner, what, err);
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
    enum status st = instance ? event_beside(w->trace, &w->now, -1, &holder, err) : OK;
    if (st == ERR_NOT_FOUND)
        return why_ends(w, "not recorded", "field %s of an unknown object", f.name);
    if (st != OK)
        return st;
    if (instance)
        (void)snprintf(what, sizeof what, "field %.120s", f.name);
    else
        (void)snprintf(what, sizeof what, "field %.120s.%.60s", f.declaring, f.name);
    if (instance && holder.value > UINT32_MAX)
        return why_ends(w, "not recorded", "%s of an unknown object", what);
    st = last_field_write(w->trace, (uint32_t)holder.value, f, w->now.seq, &write, err);
    return from_write(w, st, &write, holder.value, what, err);
}

static enum status from_element(struct why *w, struct error *err)
{
    char what[64];
    struct hs_event array, index, write;
    enum status st = event_beside(w->trace, &w->now, -2, &array, err);
    if (st == OK)
        st = event_beside(w->trace, &w->now, -1, &index, err);
    if (st != OK && st != ERR_NOT_FOUND)
        return st;
    if (st == ERR_NOT_FOUND || array.value > UINT32_MAX)
        return why_ends(w, "not recorded", "an element of an unknown array");
    (void)snprintf(what, sizeof what, "element %lld of array %llu", (long long)index.value,
                   (unsigned long long)array.value);
    st = last_element_write(w->trace, (uint32_t)array.value, index.value, w->now.seq, &write, err);
    return from_write(w, st, &write, array.value, what, err);
}

/* The NEW_ARRAY with the length of the array whose arraylength this is. ERR_NOT_FOUND: newarray in woven code did not
 * create it. */
static enum status find_new_array(struct why *w, struct hs_event *out, struct error *err)
{
    struct hs_event array, made;
    enum status st = event_beside(w->trace, &w->now, -1, &array, err);
    if (st != OK)
        return st;
    if (array.value > UINT32_MAX)
        return ERR_NOT_FOUND;
    st = creation_of(w->trace, (uint32_t)array.value, &made, err);
    if (st != OK)
        return st;
    if (event_type(w->trace, made.dataid) != EVENT_NEW_ARRAY_RESULT)
        return ERR_NOT_FOUND;
    st = event_beside(w->trace, &made, -1, out, err);
    if (st != OK)
        return st;
    if (event_type(w->trace, out->dataid) != EVENT_NEW_ARRAY)
        return ERR_NOT_FOUND;
    return why_number(w, out, err);
}

static enum status from_length(struct why *w, struct error *err)
{
    struct hs_event length;
    enum status st = find_new_array(w, &length, err);
    if (st == OK)
        return why_goes_on(w, &length, "the length given when the array was made at seq %llu",
                           (unsigned long long)length.seq);
    if (st != ERR_NOT_FOUND)
        return st;
    return why_ends(w, "code not woven", "the length of an array that was not made by newarray in woven code");
}

/* ---- invokedynamic ---- */

/* A string concatenation: the chain goes on at the first part. */
static enum status from_parts(struct why *w, struct error *err)
{
    struct hs_event e, first = { 0 };
    int64_t n = count_dynamic_parameters(w, &w->now);
    if (n == 0)
        return why_ends(w, "string concatenation", "a string joined by invokedynamic from parts that are not recorded");
    for (int64_t i = n; i > 0; i--) {
        enum status st = event_beside(w->trace, &w->now, -i, &e, err);
        if (st != OK)
            return st;
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

static enum status from_dynamic(struct why *w, struct error *err)
{
    const char *name = text_attr(w->site, "name"), *bootstrap = text_attr(w->site, "bootstrap_name");
    if (strstr(name, "makeConcat") != NULL || strstr(bootstrap, "makeConcat") != NULL)
        return from_parts(w, err);
    if (strstr(bootstrap, "etafactory") != NULL) /* metafactory, altMetafactory */
        return why_ends(w, "new object", "a lambda or method reference made by invokedynamic");
    return why_ends(w, "invokedynamic", "computed by invokedynamic %s", name);
}

/* ---- one link ---- */

/* Slots of the arguments after argument `index` (0 the receiver, where there is one) of a descriptor. */
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

/* `receiver_wanted`: the value is the receiver of the call, else the argument with the site's index. */
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

/* ---- where the value of an event comes from: the column `origin` of events.def ---- */

enum origin {
    FROM_PATH, /* the control flow: no value was computed */
    FROM_CALLER,
    FROM_THROW,
    FROM_RECEIVER,
    FROM_ARGUMENT,
    FROM_CALLEE,
    FROM_DYNAMIC,
    FROM_FIELD,
    FROM_ELEMENT,
    FROM_LENGTH,
    FROM_LOCAL,
    FROM_STACK,
    FROM_CONSTANT,
    FROM_NEW_OBJECT,
    FROM_NEW_ARRAY,
};
/* What lies above an operand on the stack. */
enum above { TOP, INDEX, STORED, STORED_INDEX };

static const struct {
    enum origin origin;
    enum above above;
    const char *because;
} origins[EVENT_LIMIT] = {
#define FROM_LOCAL(text)                                       FROM_LOCAL, .because = (text)
#define FROM_STACK(above_, text)                               FROM_STACK, .above = (above_), .because = (text)
#define EVENT(no, name, cond, value, stands, from, uses, text) [no] = { .origin = from },
#include "formats/events.def"
#undef EVENT
};

/* Slots of the stack above an operand. */
static uint32_t slots_above(struct why *w, enum above above)
{
    switch (above) {
    case TOP: return 0;
    case INDEX: return 1;
    case STORED: return stored_slots(w);
    case STORED_INDEX: return stored_slots(w) + 1;
    }
    return 0;
}

/* Explains any link, by the type of its event. */
static enum status explain_event(struct why *w, struct error *err)
{
    unsigned event = w->site->event < EVENT_LIMIT ? w->site->event : 0;
    const char *because = origins[event].because;
    switch (origins[event].origin) {
    case FROM_CALLER: return from_caller(w, err);
    case FROM_THROW: return from_throw(w, err);
    case FROM_RECEIVER: return from_argument(w, true, err);
    case FROM_ARGUMENT: return from_argument(w, false, err);
    case FROM_CALLEE: return from_callee(w, err);
    case FROM_DYNAMIC: return from_dynamic(w, err);
    case FROM_FIELD: return from_field(w, err);
    case FROM_ELEMENT: return from_element(w, err);
    case FROM_LENGTH: return from_length(w, err);
    case FROM_LOCAL: return from_local(w, because, err);
    case FROM_STACK: return why_from_stack(w, slots_above(w, origins[event].above), because, err);
    case FROM_CONSTANT: return why_ends(w, "constant", "a constant of the class file");
    case FROM_NEW_OBJECT: return why_ends(w, "new object", "the object was made here");
    case FROM_NEW_ARRAY: return why_ends(w, "new array", "the array was made here");
    case FROM_PATH: break;
    }
    return why_ends(w, "control flow", "the path that was taken");
}

/* ---- the chain ---- */

static const char *keep_text(struct why *w, const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = arena_chars(w->arena, size);
    if (copy != NULL)
        memcpy(copy, text, size);
    return copy;
}

/* False: out of memory. */
static bool keep_link(struct why *w, struct hs_cause *to)
{
    struct hs_event *event = arena_get(w->arena, sizeof *event);
    if (event == NULL)
        return false;
    *event = w->now;
    *to = (struct hs_cause){ .event = event, .because = keep_text(w, w->because), .end = w->end };
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

/* Explains w->now. */
static enum status explain_link(struct why *w, struct error *err)
{
    w->site = hs_dataid_get(w->trace, w->now.dataid);
    w->operand_count = 0;
    w->end = NULL;
    if (w->site == NULL)
        return why_ends(w, "not known", "a data ID that the trace does not explain");
    enum status st = explain_event(w, err);
    if (st != OK || w->end != NULL)
        return st;
    return why_number(w, &w->next, err);
}

/* All links from w->now on, at most `max`. */
static enum status make_chain(struct why *w, size_t max, struct hs_cause **out, size_t *count, struct error *err)
{
    VEC(struct hs_cause) chain = { 0 };
    enum status st;
    for (;; w->now = w->next) {
        struct hs_cause *to = vec_push(&chain);
        if (to == NULL) {
            st = state_memory(w->trace, err);
            goto out;
        }
        st = explain_link(w, err);
        if (st != OK)
            goto out;
        if (w->end == NULL && chain.count >= max)
            w->end = "chain cut";
        if (!keep_link(w, to)) {
            st = state_memory(w->trace, err);
            goto out;
        }
        if (w->end != NULL)
            break;
    }
    struct hs_cause *made = arena_array(w->arena, chain.count, sizeof *made);
    if (made == NULL) {
        st = state_memory(w->trace, err);
        goto out;
    }
    memcpy(made, chain.items, chain.count * sizeof *made);
    *out = made;
    *count = chain.count;
out:
    vec_free(&chain);
    return st;
}

static enum status why_chain(hs_trace *t, uint64_t seq, size_t max, struct arena *arena, struct hs_cause **out,
                             size_t *count, struct error *err)
{
    struct why w = { .trace = t, .arena = arena };
    index_wish(t);
    enum status st = event_at(t, seq, &w.now, err);
    if (st != OK)
        return st;
    if (w.now.kind == KIND_VOID)
        return error_set(err, ERR_USAGE, "event %llu (%s) has no value: name an event that has one",
                         (unsigned long long)seq, hs_event_name(event_type(t, w.now.dataid)));
    st = make_chain(&w, max > 0 ? max : CHAIN_DEFAULT, out, count, err);
    if (st != ERR_NOT_FOUND)
        return st;
    err->status = ERR_FORMAT; /* an event of the global order could not be read */
    return ERR_FORMAT;
}

int hs_why_open(hs_trace *trace, uint64_t seq, size_t max, hs_cursor **out, struct hs_error *error)
{
    struct phase phase PHASE_ENDS = trace_phase(trace, "why");
    struct error err = { .status = ERR_MEMORY, .text = "out of memory" };
    struct hs_cause *causes = NULL;
    size_t count = 0;
    struct list_answer *answer = list_answer_new();
    if (answer == NULL || why_chain(trace, seq, max, &answer->arena, &causes, &count, &err) != OK) {
        list_answer_free(answer);
        return give(error, &err);
    }
    return cursor_over(ROW_cause, causes, sizeof *causes, count, answer, out, error);
}
