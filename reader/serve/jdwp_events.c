/* jdwp_events.c - requests for events, and what resume does: the session moves until an event suspends.
 *
 * A request of a place becomes a breakpoint of the session; its modifiers are checked where that is hit (jdwp_pass).
 * Threads and classes are all there from the beginning: requests for their start, end, loading are accepted, and never
 * answered by an event. At the end of the recording the VM dies, unless a step was asked for, which ends there. */
#include <stdlib.h>
#include <string.h>

#include "reader/command/cli.h"
#include "reader/serve/jdwp.h"

enum { REQUESTS_MAX = 4096, MODIFIERS_MAX = 64, EXCLUDED_STEPS_MAX = 100000, NEIGHBOURS_MAX = 10000 };
enum {
    MODIFIER_COUNT = 1,
    MODIFIER_CONDITIONAL = 2,
    MODIFIER_THREAD = 3,
    MODIFIER_CLASS = 4,
    MODIFIER_MATCH = 5,
    MODIFIER_EXCLUDE = 6,
    MODIFIER_LOCATION = 7,
    MODIFIER_EXCEPTION = 8,
    MODIFIER_FIELD = 9,
    MODIFIER_STEP = 10,
    MODIFIER_INSTANCE = 11,
    MODIFIER_SOURCE = 12,
    MODIFIER_PLATFORM = 13,
};

/* ---- requests ---- */

static void request_free(struct jdwp *d, struct jdwp_request *r)
{
    if (r->nav_id != 0)
        nav_break_remove(d->nav, r->nav_id);
    for (size_t i = 0; i < r->modifiers.count; i++)
        free(r->modifiers.items[i].pattern);
    vec_free(&r->modifiers);
    free(r);
}

void jdwp_requests_done(struct jdwp *d)
{
    while (d->requests.count > 0)
        request_free(d, d->requests.items[--d->requests.count]);
    vec_free(&d->requests);
}

struct parsed {
    struct nav_break b;
    uint64_t field, exception;
};

static enum jdwp_error read_modifier(struct jdwp *d, struct reader *in, struct jdwp_request *r, struct parsed *p)
{
    struct jdwp_modifier *m = vec_push(&r->modifiers);
    const char *pattern;
    uint64_t object;
    if (m == NULL)
        return JDWP_OUT_OF_MEMORY;
    *m = (struct jdwp_modifier){ .kind = read_u1(in) };
    switch (m->kind) {
    case MODIFIER_COUNT: m->count = read_u4(in); return m->count > 0 ? JDWP_NONE : JDWP_ILLEGAL_ARGUMENT;
    case MODIFIER_CONDITIONAL: (void)read_u4(in); return JDWP_NONE;
    case MODIFIER_THREAD: return jdwp_thread(d, read_u8(in), &m->thread) ? JDWP_NONE : JDWP_INVALID_THREAD;
    case MODIFIER_CLASS:
        m->type = read_u8(in);
        return jdwp_type_of(d, m->type) != NULL ? JDWP_NONE : JDWP_INVALID_CLASS;
    case MODIFIER_MATCH:
    case MODIFIER_EXCLUDE:
    case MODIFIER_SOURCE:
        pattern = jdwp_read_text(d, in);
        m->pattern = pattern != NULL ? strdup(pattern) : NULL;
        return m->pattern != NULL ? JDWP_NONE : JDWP_INVALID_STRING;
    case MODIFIER_LOCATION:
        r->at.tag = read_u1(in);
        r->at.type = read_u8(in);
        r->at.method = read_u8(in);
        r->at.pc = read_u8(in);
        return jdwp_type_of(d, r->at.type) != NULL ? JDWP_NONE : JDWP_INVALID_CLASS;
    case MODIFIER_EXCEPTION:
        m->type = read_u8(in);
        p->b.caught = read_u1(in) != 0;
        p->b.uncaught = read_u1(in) != 0;
        return m->type == 0 || jdwp_type_of(d, m->type) != NULL ? JDWP_NONE : JDWP_INVALID_CLASS;
    case MODIFIER_FIELD:
        (void)read_u8(in);
        p->field = read_u8(in);
        return JDWP_NONE;
    case MODIFIER_STEP:
        object = read_u8(in);
        r->step_size = read_u4(in);
        r->step_depth = read_u4(in);
        return jdwp_thread(d, object, &r->step_thread) ? JDWP_NONE : JDWP_INVALID_THREAD;
    case MODIFIER_INSTANCE: m->object = read_u8(in); return JDWP_NONE;
    case MODIFIER_PLATFORM: return JDWP_NONE;
    default: return JDWP_ILLEGAL_ARGUMENT;
    }
}

/* Makes the breakpoint of the session that a request stands for. */
static enum jdwp_error add_break(struct jdwp *d, struct jdwp_request *r, struct parsed *p)
{
    struct writer what = { 0 };
    struct error err = { 0 };
    enum jdwp_error error = JDWP_NONE;
    p->b.thread = UINT32_MAX;
    switch (r->event) {
    case EVENT_BREAKPOINT: {
        const struct jdwp_type *t = jdwp_type_of(d, r->at.type);
        const struct hs_method *m =
            r->at.method - 1 < UINT32_MAX ? hs_method_get(d->trace, (uint32_t)(r->at.method - 1)) : NULL;
        if (t == NULL || m == NULL)
            return t == NULL ? JDWP_INVALID_CLASS : JDWP_INVALID_METHODID;
        p->b.classes = t->name;
        p->b.line = jdwp_line_of(d, &r->at);
        p->b.kind = p->b.line < 0 ? NAV_BREAK_METHOD : jdwp_begins_line(d, m, r->at.pc) ? NAV_BREAK_LINE : NAV_BREAK_PC;
        p->b.method_id = m->method_id;
        p->b.pc = r->at.pc < UINT32_MAX ? (uint32_t)r->at.pc : UINT32_MAX;
        if (p->b.line < 0)
            p->b.methods = m->name;
        break;
    }
    case EVENT_EXCEPTION: p->b.kind = NAV_BREAK_EXCEPTION; break;
    case EVENT_FIELD_ACCESS:
    case EVENT_FIELD_MODIFICATION: {
        uint64_t type;
        const struct nav_declared *f = jdwp_field(d, p->field, &type);
        if (f == NULL)
            return JDWP_INVALID_FIELDID;
        const char *name = jdwp_type_of(d, type)->name;
        p->b.kind = r->event == EVENT_FIELD_ACCESS ? NAV_BREAK_READ : NAV_BREAK_WRITE;
        write_bytes(&what, name, strlen(name));
        write_u1(&what, '.');
        write_bytes(&what, f->name, strlen(f->name) + 1);
        p->b.what = (const char *)what.data;
        break;
    }
    case EVENT_ENTRY: p->b.kind = NAV_BREAK_METHOD; break;
    case EVENT_EXIT:
    case EVENT_EXIT_WITH_VALUE: p->b.kind = NAV_BREAK_RETURN; break;
    default: return JDWP_NONE; /* without a place */
    }
    for (size_t i = 0; p->b.kind != NAV_BREAK_EXCEPTION && i < r->modifiers.count; i++)
        if (r->modifiers.items[i].kind == MODIFIER_MATCH && p->b.classes == NULL)
            p->b.classes = r->modifiers.items[i].pattern;
    if (what.bad)
        error = JDWP_OUT_OF_MEMORY;
    else {
        /* what was never reached has no place: the request is accepted and never hit */
        enum status st = nav_break_add(d->nav, &p->b, &r->nav_id, NULL, &err);
        if (st != OK && st != ERR_NOT_FOUND)
            error = st == ERR_MEMORY ? JDWP_OUT_OF_MEMORY : JDWP_INTERNAL;
    }
    writer_free(&what);
    return error;
}

static bool known_event(unsigned event)
{
    static const uint8_t events[] = {
        EVENT_SINGLE_STEP,   EVENT_BREAKPOINT,      EVENT_EXCEPTION,    EVENT_THREAD_START,       EVENT_THREAD_END,
        EVENT_CLASS_PREPARE, EVENT_CLASS_UNLOAD,    EVENT_FIELD_ACCESS, EVENT_FIELD_MODIFICATION, EVENT_ENTRY,
        EVENT_EXIT,          EVENT_EXIT_WITH_VALUE, EVENT_VM_DEATH,
    };
    return memchr(events, (int)event, sizeof events) != NULL;
}

COMMAND_OF(event_set)
{
    struct parsed p = { 0 };
    struct jdwp_request *r = calloc(1, sizeof *r);
    if (r == NULL)
        return JDWP_OUT_OF_MEMORY;
    r->event = read_u1(in);
    r->policy = read_u1(in);
    uint32_t count = read_u4(in);
    enum jdwp_error error = !known_event(r->event)              ? JDWP_NOT_IMPLEMENTED
                            : d->requests.count >= REQUESTS_MAX ? JDWP_OUT_OF_MEMORY
                            : count > MODIFIERS_MAX             ? JDWP_ILLEGAL_ARGUMENT
                                                                : JDWP_NONE;
    for (uint32_t i = 0; error == JDWP_NONE && i < count; i++) {
        error = read_modifier(d, in, r, &p);
        if (error == JDWP_NONE && in->bad)
            error = JDWP_ILLEGAL_ARGUMENT;
    }
    if (error == JDWP_NONE)
        error = add_break(d, r, &p);
    struct jdwp_request **to = error == JDWP_NONE ? vec_push(&d->requests) : NULL;
    if (to == NULL) {
        request_free(d, r);
        return error != JDWP_NONE ? error : JDWP_OUT_OF_MEMORY;
    }
    *to = r;
    r->id = ++d->last_request;
    write_u4(out, r->id);
    return JDWP_NONE;
}

static void remove_at(struct jdwp *d, size_t i)
{
    request_free(d, d->requests.items[i]);
    memmove(&d->requests.items[i], &d->requests.items[i + 1], (d->requests.count - i - 1) * sizeof *d->requests.items);
    d->requests.count--;
}

COMMAND_OF(event_clear)
{
    unsigned event = read_u1(in);
    uint32_t id = read_u4(in);
    (void)out;
    for (size_t i = d->requests.count; i-- > 0;)
        if (d->requests.items[i]->id == id && d->requests.items[i]->event == event)
            remove_at(d, i);
    return JDWP_NONE;
}

COMMAND_OF(event_clear_all)
{
    (void)in;
    (void)out;
    for (size_t i = d->requests.count; i-- > 0;)
        if (d->requests.items[i]->event == EVENT_BREAKPOINT)
            remove_at(d, i);
    return JDWP_NONE;
}

/* ---- does an event pass the modifiers ---- */

/* "java.*", "*Exception", or a name. */
static bool matches(const char *pattern, const char *name)
{
    size_t size = strlen(pattern), length = strlen(name);
    if (size > 0 && pattern[0] == '*')
        return length >= size - 1 && strcmp(name + length - (size - 1), pattern + 1) == 0;
    if (size > 0 && pattern[size - 1] == '*')
        return strncmp(name, pattern, size - 1) == 0;
    return strcmp(name, pattern) == 0;
}

static const struct hs_event *moment(struct jdwp *d, const struct hs_dataid **site)
{
    const struct hs_event *e;
    if (hs_event_at(d->trace, nav_seq(d->nav), &e, NULL) != 0)
        return NULL;
    *site = hs_dataid_get(d->trace, e->dataid);
    return *site != NULL ? e : NULL;
}

static uint64_t exception_at(struct jdwp *d)
{
    const struct hs_dataid *site;
    const struct hs_event *e = moment(d, &site);
    return e != NULL && e->kind == HS_KIND_REF ? (uint32_t)e->value : 0;
}

/* Count modifiers come in their order: one that follows a modifier that does not pass counts nothing. */
static bool passes(struct jdwp *d, struct jdwp_request *r, uint32_t thread)
{
    struct jdwp_location at;
    const struct hs_frame *top = jdwp_top(d, thread, &at);
    const struct jdwp_type *t = jdwp_type_of(d, at.type);
    if (r->expired || (r->event == EVENT_BREAKPOINT && at.method != r->at.method))
        return false;
    for (size_t i = 0; i < r->modifiers.count; i++) {
        struct jdwp_modifier *m = &r->modifiers.items[i];
        bool pass = true;
        if (m->kind == MODIFIER_THREAD)
            pass = m->thread == thread;
        else if (m->kind == MODIFIER_CLASS)
            pass = jdwp_is_a(d, at.type, m->type);
        else if (m->kind == MODIFIER_MATCH)
            pass = t != NULL && matches(m->pattern, t->name);
        else if (m->kind == MODIFIER_EXCLUDE)
            pass = t == NULL || !matches(m->pattern, t->name);
        else if (m->kind == MODIFIER_EXCEPTION)
            pass = m->type == 0 || jdwp_type_is(d, m->type, "java.lang.Throwable") ||
                   jdwp_is_a(d, jdwp_type_of_object(d, exception_at(d)), m->type);
        else if (m->kind == MODIFIER_INSTANCE)
            pass = (top != NULL && top->has_this ? top->self : 0) == m->object;
        else if (m->kind == MODIFIER_COUNT && m->count > 1) {
            m->count--;
            pass = false;
        } else if (m->kind == MODIFIER_COUNT)
            r->expired = true;
        if (!pass)
            return false;
    }
    return true;
}

/* ---- sending ---- */

static void put_catch(struct jdwp *d, uint64_t thrown, struct writer *out)
{
    struct jdwp_location at = { .tag = TYPE_CLASS };
    const struct hs_exception *x;
    const struct hs_event *e;
    hs_cursor *rows;
    if (hs_exceptions_open_from(d->trace, thrown, &rows, NULL) == 0) {
        while (hs_exception_next(rows, &x, NULL) > 0 && x->thrown <= thrown)
            if (x->thrown == thrown && x->caught != HS_NO_SEQ && hs_event_at(d->trace, x->caught, &e, NULL) == 0) {
                const struct hs_dataid *site = hs_dataid_get(d->trace, e->dataid);
                if (site != NULL)
                    at = jdwp_place(d, site->method_id, site->pc);
            }
        hs_cursor_close(rows);
    }
    jdwp_put_location(out, &at);
}

/* Reads or writes: the field, its object, and what is written. */
static void put_access(struct jdwp *d, const struct hs_event *e, const struct hs_dataid *site, bool write,
                       struct writer *out)
{
    struct expression_value v = { .known = e->kind != HS_KIND_VOID, .kind = e->kind, .bits = e->value };
    const struct hs_event *before;
    uint64_t object = 0, type = 0, field = 0;
    const char *name = NULL, *declaring = hs_field_declaring(d->trace, e->dataid);
    for (uint32_t i = 0; i < site->attr_count; i++)
        if (strcmp(site->attrs[i]->name, "name") == 0 && site->attrs[i]->type == HS_ATTR_TEXT)
            name = site->attrs[i]->text;
    const struct hs_class *c = hs_class_get(d->trace, site->class_no);
    if (declaring != NULL)
        type = jdwp_type_named(d, declaring, c != NULL ? c->loader_id : 0);
    struct jdwp_type *t = jdwp_type_of(d, type);
    for (size_t i = 0; t != NULL && name != NULL && jdwp_read_fields(d, t) && i < t->field_count; i++)
        if (strcmp(t->fields[i].name, name) == 0)
            field = (uint64_t)(uint32_t)type << 32 | (i + 1);
    /* the event with the value is joined to the one with the object, which lies just before it in its thread */
    if (site->event == HS_EVENT_PUT_INSTANCE_FIELD_VALUE || site->event == HS_EVENT_GET_INSTANCE_FIELD_RESULT) {
        uint64_t seq = e->seq;
        uint32_t thread = e->thread;
        for (unsigned n = 0; n < NEIGHBOURS_MAX && seq-- > 0 && hs_event_at(d->trace, seq, &before, NULL) == 0; n++)
            if (before->thread == thread) {
                object = before->kind == HS_KIND_REF ? (uint32_t)before->value : 0;
                break;
            }
    }
    write_u1(out, t != NULL ? t->tag : TYPE_CLASS);
    write_u8(out, type);
    write_u8(out, field);
    jdwp_put_object(d, out, object);
    if (write)
        jdwp_put_value(d, out, &v);
}

/* One event of a composite: its kind, request, and what its kind has. */
static void put_event(struct jdwp *d, const struct jdwp_request *r, struct writer *out)
{
    struct jdwp_location at;
    const struct hs_place *place;
    const struct hs_dataid *site = NULL;
    uint32_t thread = r->event == EVENT_SINGLE_STEP ? r->step_thread : nav_thread(d->nav);
    const struct hs_event *event = moment(d, &site);
    (void)jdwp_top(d, thread, &at);
    if (r->event == EVENT_EXCEPTION && event != NULL && site != NULL &&
        hs_thrown_at(d->trace, event, &place, NULL) == 0)
        at = jdwp_place(d, site->method_id, place->pc); /* also where the moment is at its handler */
    write_u1(out, r->event);
    write_u4(out, r->id);
    write_u8(out, jdwp_id(SPACE_THREAD, thread + 1));
    jdwp_put_location(out, &at);
    if (event == NULL)
        return;
    struct hs_event e = *event;
    if (r->event == EVENT_EXCEPTION) {
        jdwp_put_object(d, out, e.kind == HS_KIND_REF ? (uint32_t)e.value : 0);
        put_catch(d, e.seq, out);
    } else if (r->event == EVENT_FIELD_ACCESS || r->event == EVENT_FIELD_MODIFICATION) {
        if (r->event == EVENT_FIELD_MODIFICATION)
            d->written = e.seq;
        put_access(d, &e, site, r->event == EVENT_FIELD_MODIFICATION, out);
    } else if (r->event == EVENT_EXIT_WITH_VALUE)
        jdwp_put_value(d, out, &(struct expression_value){ .known = true, .kind = e.kind, .bits = e.value });
}

static struct jdwp_request *request_of(struct jdwp *d, uint32_t id)
{
    for (size_t i = 0; i < d->requests.count; i++)
        if (d->requests.items[i]->id == id)
            return d->requests.items[i];
    return NULL;
}

/* The events of these requests; suspends as the strictest of them says. */
static void send_events(struct jdwp *d, const u32_vec *ids)
{
    struct writer w = { 0 }, rows = { 0 };
    unsigned policy = SUSPEND_NONE;
    uint32_t count = 0;
    for (size_t i = 0; i < ids->count; i++) {
        const struct jdwp_request *r = request_of(d, ids->items[i]);
        if (r == NULL)
            continue;
        if (r->policy > policy)
            policy = r->policy;
        put_event(d, r, &rows);
        count++;
    }
    if (policy == SUSPEND_ALL)
        d->suspends++;
    if (policy == SUSPEND_THREAD && vec_extend(&d->thread_suspends, (size_t)nav_thread(d->nav) + 1))
        d->thread_suspends.items[nav_thread(d->nav)]++;
    if (policy != SUSPEND_NONE)
        d->run = false;
    write_u1(&w, policy);
    write_u4(&w, count);
    write_bytes(&w, rows.data, rows.size);
    w.bad |= rows.bad;
    writer_free(&rows);
    if (count > 0)
        jdwp_send_events(d, &w);
    writer_free(&w);
}

/* An event of the VM itself, which no request asked for. */
static void send_own(struct jdwp *d, unsigned event, unsigned policy, bool with_thread)
{
    struct writer w = { 0 };
    write_u1(&w, policy);
    write_u4(&w, 1);
    write_u1(&w, event);
    write_u4(&w, 0);
    if (with_thread)
        write_u8(&w, jdwp_id(SPACE_THREAD, nav_thread(d->nav) + 1));
    jdwp_send_events(d, &w);
}

void jdwp_start_event(struct jdwp *d) { send_own(d, EVENT_VM_START, SUSPEND_ALL, true); }

/* Called where breakpoints are hit. What does not suspend is sent here, and passed. */
bool jdwp_pass(void *jdwp, const struct nav_stop *stop)
{
    struct jdwp *d = jdwp;
    const struct hs_dataid *site;
    const struct hs_event *e = moment(d, &site);
    bool suspends = false;
    if (d->time == TIME_PASSES)
        return true;
    bool returned = e != NULL && site->event == HS_EVENT_METHOD_NORMAL_EXIT;
    d->hit.count = 0;
    for (size_t i = 0; i < d->requests.count; i++) {
        struct jdwp_request *r = d->requests.items[i];
        bool hit = false;
        for (size_t k = 0; r->nav_id != 0 && k < stop->hit_count; k++)
            hit |= stop->hits[k] == r->nav_id;
        if (!hit || ((r->event == EVENT_EXIT || r->event == EVENT_EXIT_WITH_VALUE) && !returned))
            continue;
        if (d->time == TIME_STOPS) /* backwards nothing is counted, and only breakpoints stop */
            suspends |= r->event == EVENT_BREAKPOINT || r->event == EVENT_EXCEPTION || r->event >= EVENT_FIELD_ACCESS;
        else if (passes(d, r, stop->thread)) {
            uint32_t *to = vec_push(&d->hit);
            if (to != NULL)
                *to = r->id;
            suspends |= r->policy != SUSPEND_NONE;
        }
    }
    if (!suspends && d->hit.count > 0 && d->time == TIME_RUNS)
        send_events(d, &d->hit);
    return !suspends;
}

/* ---- resume ---- */

static struct jdwp_request *step_request(struct jdwp *d)
{
    for (size_t i = d->requests.count; i-- > 0;)
        if (d->requests.items[i]->event == EVENT_SINGLE_STEP && !d->requests.items[i]->expired)
            return d->requests.items[i];
    return NULL;
}

static bool excluded(struct jdwp *d, const struct jdwp_request *r)
{
    struct jdwp_location at;
    (void)jdwp_top(d, r->step_thread, &at);
    const struct jdwp_type *t = jdwp_type_of(d, at.type);
    for (size_t i = 0; i < r->modifiers.count; i++) {
        const struct jdwp_modifier *m = &r->modifiers.items[i];
        if (t != NULL && ((m->kind == MODIFIER_EXCLUDE && matches(m->pattern, t->name)) ||
                          (m->kind == MODIFIER_MATCH && !matches(m->pattern, t->name))))
            return true;
    }
    return false;
}

static enum status step(struct jdwp *d, struct jdwp_request *r, struct nav_stop *stop, struct error *err)
{
    static const enum nav_step depths[] = { NAV_IN, NAV_OVER, NAV_OUT };
    enum nav_step how = depths[r->step_depth < 3 ? r->step_depth : 1];
    enum nav_unit unit = r->step_size == 0 ? NAV_EVENT : NAV_LINE;
    enum status st;
    unsigned n = 0;
    do
        st = nav_step(d->nav, r->step_thread, how, unit, NAV_FORWARD, stop, err);
    while (st == OK && stop->reason == NAV_STEPPED && how == NAV_IN && excluded(d, r) && ++n < EXCLUDED_STEPS_MAX);
    return st;
}

void jdwp_resume(struct jdwp *d)
{
    struct nav_stop stop = { 0 };
    struct error err = { 0 };
    struct jdwp_request *r = step_request(d);
    d->hit.count = 0;
    jdwp_moved(d);
    enum status st = r != NULL ? step(d, r, &stop, &err) : nav_run(d->nav, NAV_FORWARD, &stop, &err);
    if (st != OK) {
        (void)cli_fail(EXIT_FAILED, d->context, "the session is ended: %s", err.text);
        d->ended = true;
        return;
    }
    if (stop.reason == NAV_CANCELLED)
        return;
    if (stop.reason == NAV_HIT) {
        if (r != NULL) /* a step ends where a breakpoint stops it */
            for (size_t i = 0; i < r->modifiers.count; i++)
                r->expired |= r->modifiers.items[i].kind == MODIFIER_COUNT;
        send_events(d, &d->hit);
        return;
    }
    if (r != NULL) {
        u32_vec one = { 0 };
        uint32_t *to = vec_push(&one);
        for (size_t i = 0; i < r->modifiers.count; i++)
            r->expired |= r->modifiers.items[i].kind == MODIFIER_COUNT;
        if (to != NULL)
            *to = r->id;
        send_events(d, &one);
        vec_free(&one);
        return;
    }
    send_own(d, EVENT_VM_DEATH, SUSPEND_NONE, false);
    d->ended = true;
}
