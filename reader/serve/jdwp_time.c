/* jdwp_time.c - the class hindsight.Time, by which any debugger moves backwards: `print hindsight.Time.back()`. And the
 * calls of other methods: nothing is executed, so that the answer is what a recorded call returned here. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reader/command/show_contents.h"
#include "reader/serve/jdwp.h"

enum { ARGUMENTS_MAX = 255, CAUSES_MAX = 100 };

static void put_long(struct writer *out, uint64_t value)
{
    write_u1(out, 'J');
    write_u8(out, value);
}

/* ---- who wrote it ---- */

/* The write that gave a local of the frame its value. It is the one at the variable's position in its thread: other
 * calls of the method write variables of the same name. */
static uint64_t write_of_local(struct jdwp *d, const struct hs_frame *f, const struct hs_variable *v)
{
    const struct hs_method *m = hs_method_get(d->trace, f->method_id);
    const struct hs_class *c = m != NULL ? hs_class_get(d->trace, m->class_no) : NULL;
    struct writer what = { 0 };
    uint64_t seq = HS_NO_SEQ;
    const struct hs_write *w;
    hs_cursor *writes;
    if (c == NULL)
        return seq;
    const char *parts[] = { c->name, ".", m->name, ":", v->name };
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        write_bytes(&what, parts[i], strlen(parts[i]));
    write_u1(&what, '\0');
    if (!what.bad && hs_history_open(d->trace, (const char *)what.data, &writes, NULL) == 0) {
        if (hs_cursor_seek(writes, nav_seq(d->nav) + 1, NULL) == 0)
            while (seq == HS_NO_SEQ && hs_write_previous(writes, &w, NULL) > 0)
                if (w->event->thread == f->thread && w->event->position <= v->position)
                    seq = w->event->seq;
        hs_cursor_close(writes);
    }
    writer_free(&what);
    return seq;
}

static const struct hs_variable *named(const struct hs_variable *const *v, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(v[i]->name, name) == 0)
            return v[i];
    return NULL;
}

/* A local or parameter of the frame, a field of its `this`, or a place as `hindsight history` takes it: the last write
 * up to the moment; HS_NO_SEQ: none is known. */
static uint64_t last_write(struct jdwp *d, uint32_t thread, const char *what)
{
    const struct hs_frame *const *frames;
    const struct hs_write *w;
    size_t count = 0;
    char text[1024];
    const struct hs_frame *f = nav_frames(d->nav, thread, &frames, &count, NULL) == OK && count > 0 ? frames[0] : NULL;
    const struct hs_variable *v = f != NULL ? named(f->locals, f->local_count, what) : NULL;
    if (f != NULL && v == NULL)
        v = named(f->parameters, f->parameter_count, what);
    if (v != NULL)
        return write_of_local(d, f, v);
    bool plain = strpbrk(what, ".[:") == NULL && strspn(what, "0123456789") == 0;
    if (f != NULL && f->has_this && plain) {
        int size = snprintf(text, sizeof text, "%llu.%s", (unsigned long long)f->self, what);
        if (size > 0 && (size_t)size < sizeof text)
            what = text;
    }
    return hs_last_write(d->trace, what, nav_seq(d->nav) + 1, &w, NULL) > 0 ? w->event->seq : HS_NO_SEQ;
}

static const struct hs_class *class_of_event(struct jdwp *d, const struct hs_event *e)
{
    const struct hs_dataid *x = hs_dataid_get(d->trace, e->dataid);
    return x != NULL ? hs_class_get(d->trace, x->class_no) : NULL;
}

/* The chain as lines of text: its events, and what each comes from. */
static void why(struct jdwp *d, uint64_t seq, struct writer *out)
{
    const struct hs_cause *c;
    struct hs_error error = HS_ERROR_INIT;
    hs_cursor *causes;
    if (seq == HS_NO_SEQ || hs_why_open(d->trace, seq, CAUSES_MAX, &causes, &error) != 0) {
        jdwp_put_made(d, out, seq == HS_NO_SEQ ? "not recorded" : error.text);
        return;
    }
    d->text.used = 0;
    for (bool first = true; hs_cause_next(causes, &c, NULL) > 0; first = false) {
        const struct hs_place *place;
        out_format(&d->text, "%sevent %llu", first ? "" : "\n", (unsigned long long)c->event->seq);
        if (hs_place_of(d->trace, c->event, &place, NULL) == 0 && place->line >= 0) {
            const char *file = spot_other_file(class_of_event(d, c->event), SPOT_OF(place));
            out_format(&d->text, " line %d%s%s", place->line, file != NULL ? " of " : "", file != NULL ? file : "");
        }
        out_text(&d->text, ": ");
        show_value_text(&d->show, c->event->kind, c->event->value);
        if (c->because != NULL) {
            out_text(&d->text, ", ");
            out_name(&d->text, c->because);
        }
        if (c->end != NULL) {
            out_text(&d->text, "; ends: ");
            out_name(&d->text, c->end);
        }
    }
    hs_cursor_close(causes);
    out_char(&d->text, '\0');
    jdwp_put_made(d, out, d->text.failed == 0 ? d->text.data : "(too long)");
}

/* ---- calls ---- */

/* Moves, and gives the moment. */
static enum jdwp_error move(struct jdwp *d, uint32_t thread, size_t number, uint64_t to, struct writer *out)
{
    struct nav_stop stop;
    enum status st;
    enum nav_direction direction = number == OWN_FORWARD ? NAV_FORWARD : NAV_BACKWARD;
    d->time = TIME_STOPS;
    if (number == OWN_GO)
        st = nav_go(d->nav, to, NULL);
    else if (number == OWN_RUN_BACK)
        st = nav_run(d->nav, NAV_BACKWARD, &stop, NULL);
    else
        st = nav_step(d->nav, thread, NAV_OVER, NAV_LINE, direction, &stop, NULL);
    d->time = TIME_RUNS;
    jdwp_moved(d);
    if (st != OK)
        return number == OWN_GO ? JDWP_ILLEGAL_ARGUMENT : JDWP_INTERNAL;
    put_long(out, nav_seq(d->nav));
    return JDWP_NONE;
}

static enum jdwp_error call_time(struct jdwp *d, uint32_t thread, size_t number, struct reader *in, struct writer *out)
{
    uint32_t count = read_u4(in);
    bool takes = number == OWN_GO || number == OWN_LAST_WRITE || number == OWN_WHY;
    uint64_t argument = 0;
    char tag = '\0';
    if (count != takes || (takes && !jdwp_read_value(in, &argument, &tag)))
        return JDWP_ILLEGAL_ARGUMENT;
    if (number == OWN_NOW)
        put_long(out, nav_seq(d->nav));
    else if (number == OWN_LAST_WRITE || number == OWN_WHY) {
        struct writer what = { 0 };
        bool is_text = jdwp_string(d, argument, &what);
        write_u1(&what, '\0');
        is_text &= !what.bad;
        uint64_t seq = is_text ? last_write(d, thread, (const char *)what.data) : HS_NO_SEQ;
        writer_free(&what);
        if (!is_text)
            return JDWP_INVALID_STRING;
        if (number == OWN_WHY)
            why(d, seq, out);
        else
            put_long(out, seq);
    } else
        return move(d, thread, number, argument, out);
    return JDWP_NONE;
}

static const struct hs_method *method_of(struct jdwp *d, uint64_t method)
{
    return method - 1 < UINT32_MAX ? hs_method_get(d->trace, (uint32_t)(method - 1)) : NULL;
}

/* What a recorded call with the arguments of the packet returned; else not known. */
static enum jdwp_error call_recorded(struct jdwp *d, uint32_t thread, struct nav_call call, struct reader *in,
                                     struct writer *out)
{
    struct expression_value arguments[ARGUMENTS_MAX], v = { 0 };
    uint32_t count = read_u4(in);
    char tag;
    if (count > ARGUMENTS_MAX)
        return JDWP_ILLEGAL_ARGUMENT;
    for (uint32_t i = 0; i < count; i++) {
        struct expression_value *a = &arguments[i];
        uint64_t bits = 0;
        if (!jdwp_read_value(in, &bits, &tag))
            return JDWP_ILLEGAL_ARGUMENT;
        bool number = strchr("ZBCSIJFD", tag) != NULL, made = !number && bits >> 32 == SPACE_TEXT;
        *a = (struct expression_value){ .known = number || made || bits >> 32 == SPACE_OBJECT,
                                        .kind = number ? tag : 'L',
                                        .bits = tag == 'B'   ? (uint64_t)(int8_t)bits
                                                : tag == 'S' ? (uint64_t)(int16_t)bits
                                                : tag == 'I' ? (uint64_t)(int32_t)bits
                                                             : bits };
        if (made) {
            a->kind = EXPRESSION_TEXT;
            a->known = (uint32_t)bits - 1 < d->made.count;
            a->text = a->known ? d->made.items[(uint32_t)bits - 1] : "";
        }
    }
    call.arguments = arguments;
    call.count = count;
    if (nav_called(d->nav, thread, &call, &v, NULL) != OK)
        v.known = false;
    jdwp_put_value(d, out, &v);
    return JDWP_NONE;
}

COMMAND_OF(invoke_static)
{
    uint64_t type = read_u8(in), thread_id = read_u8(in), method = read_u8(in);
    uint32_t thread;
    if (jdwp_type_of(d, type) == NULL)
        return JDWP_INVALID_CLASS;
    if (!jdwp_thread(d, thread_id, &thread))
        return JDWP_INVALID_THREAD;
    const struct hs_method *m = method_of(d, method);
    const struct hs_class *c = m != NULL ? hs_class_get(d->trace, m->class_no) : NULL;
    bool time = jdwp_type_is(d, type, "hindsight.Time");
    if (time ? method < METHOD_OWN || method - METHOD_OWN >= OWN_TEXT : c == NULL)
        return JDWP_INVALID_METHODID;
    enum jdwp_error error =
        time ? call_time(d, thread, method - METHOD_OWN, in, out)
             : call_recorded(d, thread, (struct nav_call){ .owner = c->name, .name = m->name }, in, out);
    if (error == JDWP_NONE)
        jdwp_put_object(d, out, 0);
    return error;
}

/* Is what the object held at the moment known? Then what its toString returned at another one is not asked for. */
static bool value_is_contents(struct jdwp *d, uint64_t object)
{
    const struct hs_contents *c;
    return object >> 32 == SPACE_OBJECT && hs_contents_at(d->trace, (uint32_t)object, nav_seq(d->nav), &c, NULL) > 0 &&
           c->known;
}

/* What a method returned for this object here; toString: what a collection of the JDK held, or if nothing is known, its
 * type and id. */
COMMAND_OF(invoke_object)
{
    uint64_t object = read_u8(in), thread_id = read_u8(in);
    uint32_t thread;
    char text[600];
    (void)read_u8(in);
    uint64_t method = read_u8(in);
    struct reader arguments = *in;
    uint32_t count = read_u4(in);
    const struct hs_method *m = method_of(d, method);
    const char *name = m != NULL ? m->name : method == METHOD_OWN + OWN_TEXT ? "toString" : NULL;
    struct arena arena = { 0 };
    struct expression_value v = { 0 };
    if (object == 0 || object >> 32 > SPACE_UNKNOWN)
        return JDWP_INVALID_OBJECT;
    if (!jdwp_thread(d, thread_id, &thread))
        return JDWP_INVALID_THREAD;
    if (name == NULL)
        return JDWP_INVALID_METHODID;
    if (count > 0) {
        struct nav_call call = { .object = object >> 32 == SPACE_OBJECT ? (uint32_t)object : 0, .name = name };
        call.owner = call.object == 0 ? "" : NULL; /* of another space: there is no such call */
        enum jdwp_error error = call_recorded(d, thread, call, &arguments, out);
        if (error == JDWP_NONE)
            jdwp_put_object(d, out, 0);
        return error;
    }
    int size = snprintf(text, sizeof text, "#%u.%s()", (unsigned)object, name);
    bool asked = object >> 32 == SPACE_OBJECT && size > 0 && (size_t)size < sizeof text &&
                 nav_evaluate(d->nav, thread, 0, text, &arena, &v, NULL) == OK;
    if (!asked || (strcmp(name, "toString") == 0 && m == NULL && value_is_contents(d, object)))
        v.known = false;
    if (v.known || strcmp(name, "toString") != 0)
        jdwp_put_value(d, out, &v);
    else if (object >> 32 == SPACE_OBJECT) {
        const struct hs_contents *c;
        d->text.used = 0;
        bool held = hs_contents_at(d->trace, (uint32_t)object, nav_seq(d->nav), &c, NULL) > 0;
        if (!held || !c->known)
            show_value_text(&d->show, HS_KIND_REF, object);
        if (held) {
            out_text(&d->text, c->known ? "" : " ");
            show_contents_line(&d->show, c);
        }
        out_char(&d->text, '\0');
        jdwp_put_made(d, out, d->text.failed == 0 ? d->text.data : "(too long)");
    } else
        jdwp_put_made(d, out, object >> 32 == SPACE_UNKNOWN ? "not recorded" : "an object of the debugger");
    arena_done(&arena);
    jdwp_put_object(d, out, 0);
    return JDWP_NONE;
}
