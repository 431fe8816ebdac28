/* jdwp_time.c - the class hindsight.Time, by which any debugger moves backwards: `print hindsight.Time.back()`. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reader/serve/jdwp.h"

enum { CAUSES_MAX = 100 };

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

enum jdwp_error jdwp_call_time(struct jdwp *d, uint32_t thread, size_t number, struct reader *in, struct writer *out)
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
