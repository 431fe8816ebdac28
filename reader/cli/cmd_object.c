/* cmd_object.c - `hindsight object ID`. */
#include <string.h>

#include "formats/event.h"
#include "reader/answers/write.h"
#include "reader/command/names.h"
#include "reader/command/show.h"
#include "reader/command/show_contents.h"
#include "reader/command/thrown.h"

struct args {
    struct common common;
    uint64_t at, skip;
};
static const struct option_row options[] = {
    { "at", 0, "MOMENT", OPTION_MOMENT, offsetof(struct args, at), "just after this event (default: at the end)" },
    { "skip", 0, "N", OPTION_U64, offsetof(struct args, skip), "leave out the first N fields or elements" },
    { 0 },
};
const struct usage usage_object = {
    .about =
        "ID is written as answers show it: 5, #5 or Type#5, where the type may be without its package.\nFields and "
        "elements are known from writes and reads in woven code; those that nothing can have written since the object "
        "was made have their default (not written yet); those that are not known are left out. "
        "handed is the last call that passed the object to code that is not woven, or the return to such code. A value "
        "known only from before that call (stale) may have been overwritten without an event. Of an object with many "
        "members --limit and --skip show a part; members (--json) is then the number of all, or more is "
        "true for a large array of which the rest was not looked at.\ncreated is the seq of "
        "the event that created the object; first and last are those of its first and last event.\nOf a "
        "collection, StringBuilder, Optional, Atomic... or box of the JDK, contents is what it held as the recorded "
        "calls "
        "show it. Where a call may have changed it unseen, it says since when that is not known; so of more than a "
        "million calls, and of subclasses.",
    .example = "hindsight object 3 --at 20 --json",
    .options = options,
};

static void line_of(struct show *s, const char *what, uint64_t seq, const struct hs_dataid *site)
{
    if (seq == HS_NO_SEQ)
        return;
    out_format(s->out, "%-8s %llu", what, (unsigned long long)seq);
    if (site != NULL) {
        out_text(s->out, "  ");
        show_place_text(s, site);
    }
    out_char(s->out, '\n');
}

/* When an exception was thrown and caught for the last time: one that is thrown again is not caught. */
struct way {
    uint64_t thrown, caught;
};

static bool find_way(struct session *s, uint32_t id, struct way *way, struct hs_error *error)
{
    unsigned events[EVENT_LIMIT];
    struct hs_filter filter = HS_FILTER_ALL;
    hs_cursor *c;
    const struct hs_event *e;
    int more;
    *way = (struct way){ HS_NO_SEQ, HS_NO_SEQ };
    filter.object = id;
    filter.events = events;
    filter.event_count = event_list(USE_EXCEPTION, events);
    if (hs_events_open(s->trace, &filter, &c, error) != 0)
        return false;
    while ((more = hs_event_next(c, &e, error)) > 0) {
        if (way->thrown == HS_NO_SEQ)
            way->thrown = e->seq;
        way->caught = hs_dataid_get(s->trace, e->dataid)->event == EVENT_CATCH ? e->seq : HS_NO_SEQ;
    }
    hs_cursor_close(c);
    if (more != 0)
        return false;
    return true;
}

static void exception_member(struct show *s, const struct hs_thrown *t, const struct way *way)
{
    if (t == NULL)
        return;
    struct json *j = &s->out->json;
    json_name(j, "exception");
    json_object(j);
    thrown_message_json(j, t);
    json_name(j, "cause");
    show_reference_json(s, t->cause);
    show_references_json(s, "suppressed", t->suppressed, t->suppressed_count);
    if (t->has_stack)
        show_frames_json(s, "stack", t);
    answers_seq(s->out, "thrown", way->thrown);
    answers_seq(s->out, "caught", way->caught);
    json_end(j);
}

static void exception_text(struct show *s, const struct hs_thrown *t, const struct way *way)
{
    struct out *o = s->out;
    const char *missing = thrown_message_missing(t);
    if (t->message != NULL) {
        out_text(o, "message  ");
        out_quoted(o, t->message);
        out_char(o, '\n');
    } else if (missing != NULL) {
        out_format(o, "message  %s\n", missing);
    }
    if (t->cause != 0) {
        out_text(o, "cause    ");
        show_value_text(s, 'L', t->cause);
        out_char(o, '\n');
    }
    line_of(s, "thrown", way->thrown, NULL);
    line_of(s, "caught", way->caught, NULL);
    for (size_t i = 0; i < t->frame_count; i++) {
        const struct hs_stack_frame *f = t->frames[i];
        out_format(o, "  at %s.%s", f->class_name, f->method);
        if (f->line >= 0)
            out_format(o, ":%d", f->line);
        out_char(o, '\n');
    }
}

/* The fields or elements, and which of them are shown: from `first` to before `end`. */
struct members {
    const struct hs_member *const *items;
    size_t count, first, end;
    uint64_t total; /* of all that are known; UINT64_MAX: there may be more than were looked at */
};

/* `skip`: of the members of the state. */
static struct members members_of(const struct hs_object_state *st, uint64_t skip, const struct args *a)
{
    struct members m = { st->fields, st->field_count, 0, 0, st->field_count };
    if (st->field_count == 0)
        m = (struct members){ st->elements, st->element_count, 0, 0, st->element_count };
    if (st->field_count == 0 && (st->all_known || st->is_part))
        m.total = st->all_known ? st->length : UINT64_MAX;
    m.first = skip < m.count ? (size_t)skip : m.count;
    m.end = a->common.limit < m.count - m.first ? m.first + (size_t)a->common.limit : m.count;
    return m;
}

static void members_json(struct show *s, const char *name, const struct members *all)
{
    struct json *j = &s->out->json;
    const struct hs_member *const *m = all->items;
    json_name(j, name);
    json_object(j);
    for (size_t i = all->first; i < all->end; i++) {
        if (m[i]->name != NULL)
            json_name(j, m[i]->name);
        else
            json_name_u64(j, m[i]->index);
        show_value_json(s, m[i]->kind, m[i]->value);
    }
    json_end(j);
    if (all->total == UINT64_MAX && all->end > all->first)
        json_member_bool(j, "more", true);
    else if (all->total < UINT64_MAX && all->end - all->first < all->total)
        json_member_u64(j, "members", all->total);
}

/* The names of the members that `is_listed` picks. */
static void names_json(struct show *s, const char *key, const struct members *all,
                       bool (*is_listed)(const struct hs_member *m))
{
    struct json *j = &s->out->json;
    const struct hs_member *const *m = all->items;
    json_name(j, key);
    json_array(j);
    for (size_t i = all->first; i < all->end; i++) {
        char index[24];
        if (!is_listed(m[i]))
            continue;
        (void)snprintf(index, sizeof index, "%llu", (unsigned long long)m[i]->index);
        json_text(j, m[i]->name != NULL ? m[i]->name : index);
    }
    json_end(j);
}
static bool is_stale(const struct hs_member *m) { return m->stale; }
static bool is_unrecorded(const struct hs_member *m) { return m->unrecorded; }
static bool is_default(const struct hs_member *m) { return m->is_default; }

/* Was recording stopped while the object was there? */
static bool was_stopped(const struct hs_object_state *st) { return st->first != HS_NO_SEQ && st->resumed > st->first; }

/* The call that handed the object over, and the members whose values are known only from before it. */
static void handed_json(struct show *s, const struct hs_object_state *st, const struct members *all)
{
    if (st->handed == NULL)
        return;
    show_handover_json(s, st->handed);
    names_json(s, "stale", all, is_stale);
}

/* Those that nothing has written. */
static void defaults_json(struct show *s, const struct members *all)
{
    bool some = false;
    for (size_t i = all->first; i < all->end; i++)
        some |= all->items[i]->is_default;
    if (some)
        names_json(s, "defaults", all, is_default);
}

/* The last time that recording was stopped. */
static void stop_json(struct show *s, const struct hs_object_state *st, const struct members *all)
{
    if (!was_stopped(st))
        return;
    json_member_u64(&s->out->json, "resumed", st->resumed);
    names_json(s, "unrecorded", all, is_unrecorded);
}

static bool is_array(const struct hs_object_state *st, const struct hs_object *object)
{
    const bool typed = object != NULL && object->type != NULL;
    return typed ? strchr(object->type, '[') != NULL : st->element_count > 0;
}

static bool is_string(const struct hs_object *object) { return object != NULL && object->has_string; }

static uint64_t length_of(const struct hs_object_state *st, const struct hs_object *object)
{
    return is_string(object) ? object->length : st->has_length ? st->length : HS_NO_SEQ;
}

static void allocated_member(struct show *s, const struct hs_object_state *st)
{
    const struct hs_dataid *site = st->created != HS_NO_SEQ ? hs_dataid_get(s->trace, st->created_dataid) : NULL;
    if (site == NULL)
        return;
    json_name(&s->out->json, "allocated");
    json_object(&s->out->json);
    show_dataid_members(s, site);
    json_end(&s->out->json);
}

#define ROWS "reader/answers/object.def"
#define ROW                                                                                                            \
    struct show *show, const struct hs_object_state *st, const struct hs_object *object, const struct way *way,        \
        const struct members *all, const struct contents_page *page
#include "reader/answers/row.h"

static void json(struct show *s, const struct hs_object_state *st, const struct way *way, const struct members *all,
                 const struct contents_page *page)
{
    object_json(s->out, s, st, hs_object_get(s->trace, st->id), way, all, page);
}

/* Elements side by side that nothing has written are one line: the index of the last of them. */
static size_t last_default(const struct members *all, size_t i)
{
    const struct hs_member *const *m = all->items;
    while (m[i]->is_default && m[i]->name == NULL && i + 1 < all->end && m[i + 1]->is_default &&
           m[i + 1]->index == m[i]->index + 1)
        i++;
    return i;
}

static void members_text(struct show *s, const struct members *all)
{
    struct out *o = s->out;
    const struct hs_member *const *m = all->items;
    for (size_t i = all->first; i < all->end; i++) {
        const size_t last = last_default(all, i);
        if (m[i]->name != NULL)
            out_format(o, "  %-40s ", m[i]->name);
        else if (last == i)
            out_format(o, "  [%llu] ", (unsigned long long)m[i]->index);
        else
            out_format(o, "  [%llu..%llu] ", (unsigned long long)m[i]->index, (unsigned long long)m[last]->index);
        out_colour(o, COLOUR_VALUE);
        show_value_text(s, m[i]->kind, m[i]->value);
        out_colour(o, COLOUR_DIM);
        if (m[i]->is_default)
            out_text(o, "  not written yet");
        else
            out_format(o, "  %s at %llu", hs_event_name(hs_dataid_get(s->trace, m[i]->event->dataid)->event),
                       (unsigned long long)m[i]->event->seq);
        if (m[i]->unrecorded)
            out_text(o, ", before recording was stopped");
        else if (m[i]->stale)
            out_text(o, ", before it was handed over");
        out_colour(o, COLOUR_NONE);
        out_char(o, '\n');
        i = last;
    }
}

static void text(struct show *s, const struct hs_object_state *st, const struct way *way, const struct members *all,
                 const struct contents_page *page)
{
    struct out *o = s->out;
    out_colour(o, COLOUR_NAME);
    show_value_text(s, 'L', st->id);
    out_colour(o, COLOUR_NONE);
    if (st->has_length)
        out_format(o, "  length %llu", (unsigned long long)st->length);
    out_char(o, '\n');
    line_of(s, "created", st->created, hs_dataid_get(s->trace, st->created_dataid));
    line_of(s, "first", st->first, NULL);
    line_of(s, "last", st->last, NULL);
    if (st->handed != NULL) {
        out_format(o, "handed   %llu  ", (unsigned long long)st->handed->seq);
        (void)show_handover_text(s, st->handed);
        out_char(o, '\n');
    }
    if (was_stopped(st))
        out_format(o, "stopped  until %llu: what was written then is not recorded\n", (unsigned long long)st->resumed);
    const struct hs_thrown *thrown = hs_thrown_get(s->trace, st->id);
    if (thrown != NULL)
        exception_text(s, thrown, way);
    members_text(s, all);
    if (st->left_out > 0)
        out_format(o, "  (%zu more are not known: %llu events of a call that may have written them are left out)\n",
                   st->left_out, (unsigned long long)st->left_out_count);
    if (page->contents != NULL)
        show_contents_text(s, page);
}

int cmd_object(struct context *context)
{
    struct args a = { .at = HS_NO_SEQ };
    struct session s;
    struct show show;
    struct hs_error error = HS_ERROR_INIT;
    const struct hs_object_state *state;
    const char *word;
    uint32_t id = 0;
    size_t type_length;
    int status = cli_parse(context, &a);
    if (status != PARSED)
        return status;
    const char *trace = cli_trace_and_word(&a.common, &word);
    if (trace != NULL && word != NULL && cli_object(trace, &id, &type_length) && !cli_object(word, &id, &type_length))
        return cli_fail(EXIT_USAGE, context, "'%s' is no trace; hindsight history %s.%s asks for a field", word, trace,
                        word);
    if (word == NULL || !cli_object(word, &id, &type_length))
        return cli_fail(EXIT_USAGE, context, "specify " CLI_OBJECT_FORMS);
    if ((status = session_open_stream(&s, context, &a.common, trace)) != PARSED)
        return status;
    status = names_moment(&s, a.at);
    if (status == PARSED)
        status = names_typed_object(&s, "", word, &id);
    if (status != PARSED)
        return session_close(&s, status);
    struct way way = { HS_NO_SEQ, HS_NO_SEQ };
    if (hs_thrown_get(s.trace, id) != NULL && !find_way(&s, id, &way, &error))
        return session_fail(&s, "%s", error.text);
    uint64_t skip = a.skip, most = a.skip < UINT64_MAX - a.common.limit ? a.skip + a.common.limit : UINT64_MAX;
    int failed = skip > 0 ? hs_object_part_at(s.trace, id, a.at, 0, 0, &state, &error) : 0;
    if (failed == 0 && skip > 0 && state->all_known) { /* the number of an element is its index */
        skip = 0;
        most = a.common.limit;
    }
    if (failed != 0 || hs_object_part_at(s.trace, id, a.at, a.skip - skip, most, &state, &error) != 0)
        return session_fail(&s, "%s", error.text);
    if (!show_init(&show, s.trace, &s.out))
        return session_fail(&s, "out of memory");
    show.at = a.at != HS_NO_SEQ ? a.at : HS_NO_SEQ - 1; /* at the end */
    if (state->first != HS_NO_SEQ && a.at < state->first)
        (void)cli_fail(EXIT_DONE, context, "object %u was not there yet at %llu: its first event is %llu", id,
                       (unsigned long long)a.at, (unsigned long long)state->first);
    struct members members = members_of(state, skip, &a);
    struct contents_page page = { .first = a.skip, .limit = a.common.limit };
    if (hs_contents_at(s.trace, id, a.at, &page.contents, &error) < 0) {
        show_done(&show);
        return session_fail(&s, "%s", error.text);
    }
    (a.common.json ? json : text)(&show, state, &way, &members, &page);
    show_done(&show);
    return session_close(&s, EXIT_DONE);
}
