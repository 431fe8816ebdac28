/* cmd_exceptions.c - `hindsight exceptions`. */
#include <string.h>

#include "formats/event.h"
#include "formats/format.h"
#include "formats/map.h"
#include "formats/schema.h"
#include "formats/vec.h"
#include "reader/command/names.h"
#include "reader/command/show.h"
#include "reader/command/thrown.h"

struct args {
    struct common common;
    const char *type, *class_name;
    uint64_t from;
    bool swallowed, uncaught, each, stack;
};
static const struct option_row options[] = {
    { "type", 't', "GLOB", OPTION_TEXT, offsetof(struct args, type), "only exceptions of these types" },
    { "swallowed", 's', NULL, OPTION_FLAG, offsetof(struct args, swallowed),
      "only those that were caught and then never used" },
    { "class", 0, "GLOB", OPTION_TEXT, offsetof(struct args, class_name), "only those thrown in these classes" },
    { "uncaught", 0, NULL, OPTION_FLAG, offsetof(struct args, uncaught), "only those that ended their thread" },
    { "from", 0, "MOMENT", OPTION_MOMENT, offsetof(struct args, from), "only those thrown at this event or later" },
    { "each", 'e', NULL, OPTION_FLAG, offsetof(struct args, each),
      "as text: a line for each, also for equal ones (--json always has one for each)" },
    { "stack", 0, NULL, OPTION_FLAG, offsetof(struct args, stack),
      "as text: below each line the frames of its stack; with format=exceptions their variables, too" },
    { 0 },
};
const struct usage usage_exceptions = {
    .source = true,
    .about =
        "One row for each flight of an exception: an object that is thrown anew, as one that a field keeps or that the "
        "JVM has made once for all, has several; the frame that caught it and throws it again goes on with one. "
        "thrown is the first event that shows the exception in flight; caught is the CATCH that ended it (a "
        "finally block that rethrows does not). The text shows the method of that first event, the line in it that "
        "threw, and its thread. Exceptions thrown at one place with one message and the same fate share a row: times "
        "counts them; where they differ, exits is the smallest number, with a +, and the thread reads \"several "
        "threads\". One that left recorded code is followed by the method of the JDK or of another library that has "
        "got it, such as that of a thread pool, which keeps it for Future.get; or it is uncaught: it "
        "ended "
        "its thread. Needs events of the group EXEC. Messages and stack traces are "
        "present if the agent recorded them (exception=); the message of a NullPointerException that the JVM throws "
        "is computed when it is asked for, and never recorded.",
    .example = "hindsight exceptions --swallowed --json",
    .options = options,
};

/* Of the exception that the cursor returned last; of one that was caught nothing is read. */
static struct thrown_end end_of(hs_trace *t, const struct hs_exception *x, hs_cursor *from)
{
    const struct hs_throw_stack *stack = hs_exception_stack(from);
    if (stack != NULL)
        return thrown_end_of(stack);
    return x->caught != HS_NO_SEQ ? (struct thrown_end){ 0 } : thrown_end(t, x, hs_exception_held(from));
}

static void source_member(struct show *s, const struct thrown_row *row)
{
    if (row->class_name == NULL)
        return;
    show_source_member(s, row->class_no, row->spot);
    out_member_cut(s->out);
}

/* The frame of code that is not woven, if there is one. */
static void left_to_member(struct out *o, const struct hs_stack_frame *to)
{
    if (to->class_name == NULL)
        return;
    json_name(&o->json, "left_to");
    json_object(&o->json);
    out_member_name(o, "class", to->class_name);
    out_member_name(o, "method", to->method);
    if (to->line >= 0)
        json_member_i64(&o->json, "line", to->line);
    out_member_cut(o);
    json_end(&o->json);
}

enum { EXITS_SHOWN = 64 }; /* in `left`; `exits` counts all */

static void left_member(struct show *s, const struct thrown_row *row)
{
    const struct hs_exception *x = row->x;
    struct json *j = &s->out->json;
    const struct hs_event *e;
    json_name(j, "left");
    json_array(j);
    for (size_t i = 0; row->stack == NULL && i < x->exit_count && i < EXITS_SHOWN; i++) {
        json_object(j);
        json_member_u64(j, "seq", x->exits[i]);
        if (hs_event_at(s->trace, x->exits[i], &e, NULL) == 0)
            show_spot_members(s, hs_dataid_get(s->trace, e->dataid), thrown_spot(s->trace, e), true);
        json_end(j);
    }
    json_end(j);
}

#define ROWS "reader/answers/exceptions.def"
#define ROW  struct show *show, const struct thrown_row *row
#include "reader/answers/row.h"

/* ---- text: equal ones once ---- */

struct row {
    struct hs_exception first; /* without its exits */
    uint32_t dataid, thread;   /* of the event `thrown` */
    uint32_t caught_dataid;    /* UINT32_MAX: none */
    struct thrown_end end;
    struct spot spot; /* that threw */
    const struct hs_throw_stack *stack;
    bool threads; /* those joined are of several threads */
    bool exits;   /* they have left different numbers of methods: the least is shown */
    uint64_t times;
    uint64_t alike; /* hs_exception_alike */
};
struct key {
    uint64_t hash;
    size_t row; /* position + 1 */
};
struct rows {
    VEC(struct row) list;
    MAP(struct key) by_hash;
};

static bool same_text(const char *a, const char *b) { return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0); }

static bool same_end(struct thrown_end a, struct thrown_end b)
{
    return a.uncaught == b.uncaught && a.cut == b.cut && same_text(a.to.class_name, b.to.class_name) &&
           same_text(a.to.method, b.to.method);
}

/* The first frame of a stack; NULL: none. */
static const struct hs_throw_frame *top(const struct row *r)
{
    return r->stack != NULL && r->stack->frame_count > 0 ? r->stack->frames[0] : NULL;
}

static bool same_top(const struct row *a, const struct row *b)
{
    const struct hs_throw_frame *x = top(a), *y = top(b);
    return x == y || (x != NULL && y != NULL && x->line == y->line && same_text(x->class_name, y->class_name) &&
                      same_text(x->method, y->method));
}

/* Of one kind, thrown at one place, and with one fate: threads, and the numbers of methods left, may differ. */
static bool equal(const struct row *a, const struct row *b)
{
    return a->alike == b->alike && a->dataid == b->dataid && spot_equal(a->spot, b->spot) &&
           a->first.swallowed == b->first.swallowed && a->caught_dataid == b->caught_dataid &&
           same_end(a->end, b->end) && same_top(a, b);
}

/* The place in the list of the one that is equal to it; NULL: out of memory. */
static struct key *find_row(struct rows *rows, const struct row *new)
{
    uint64_t hash = new->alike ^ ((uint64_t) new->dataid + 1) << 20;
    struct key *k;
    for (hash = hash != 0 ? hash : 1; (k = map_put(&rows->by_hash, hash)) != NULL; hash = map_next_hash(hash))
        if (k->row == 0 || equal(&rows->list.items[k->row - 1], new))
            return k;
    return NULL;
}

/* Its stack and end are in the memory of the cursor. */
static struct row make_row(const struct show *s, hs_cursor *from, const struct hs_exception_group *g)
{
    const struct hs_exception *x = g->first;
    struct row new = { .first = *x,
                       .times = g->times,
                       .threads = g->threads,
                       .exits = g->exits,
                       .alike = g->alike,
                       .dataid = x->first->dataid,
                       .thread = x->first->thread,
                       .spot = thrown_spot(s->trace, x->first),
                       .stack = hs_exception_stack(from),
                       .caught_dataid = x->caught_dataid };
    new.end = end_of(s->trace, x, from);
    new.first.left = thrown_left(new.stack, x->left);
    new.first.exits = NULL;
    new.first.first = NULL;
    return new;
}

/* A row that is kept: its stack and end in memory that is. */
static void keep_contents(const struct show *s, const struct hs_exception *x, struct row *r)
{
    if (r->stack != NULL) {
        r->stack = hs_throw_stack_get(s->trace, x->first);
        r->end = r->stack != NULL ? thrown_end_of(r->stack) : (struct thrown_end){ 0 };
    } else if (r->end.to.class_name != NULL)
        r->end = thrown_end(s->trace, x, hs_thrown_get(s->trace, x->id));
}

/* Counts the exceptions with those that are equal to them; false: out of memory. */
static bool add_row(const struct show *s, hs_cursor *from, struct rows *rows, const struct hs_exception_group *g)
{
    const struct row new = make_row(s, from, g);
    struct row *to;
    struct key *k = find_row(rows, &new);
    if (k == NULL)
        return false;
    if (k->row != 0) {
        to = &rows->list.items[k->row - 1];
        to->times += new.times;
        to->threads |= new.threads || to->thread != new.thread;
        to->exits |= new.exits || to->first.left != new.first.left;
        if (new.first.left < to->first.left)
            to->first.left = new.first.left;
        return true;
    }
    to = vec_push(&rows->list);
    if (to == NULL)
        return false;
    *to = new;
    keep_contents(s, g->first, to);
    k->row = rows->list.count;
    return true;
}

/* " at " and the place that threw. */
static void at_text(struct show *s, const struct row *r, const struct hs_dataid *d)
{
    struct out *o = s->out;
    out_text(o, " at ");
    if (top(r) == NULL) {
        show_spot_text(s, d, r->spot);
        return;
    }
    out_class(o, top(r)->class_name);
    out_char(o, '.');
    out_name(o, top(r)->method);
    if (top(r)->line >= 0)
        out_format(o, ":%d", top(r)->line);
}

static void place_text(struct show *s, const struct row *r)
{
    const struct hs_dataid *d = hs_dataid_get(s->trace, r->dataid);
    const struct hs_thread *t = hs_thread_get(s->trace, r->thread);
    struct out *o = s->out;
    if (d == NULL)
        return;
    at_text(s, r, d);
    if (r->threads) {
        out_text(o, ", several threads");
        return;
    }
    out_format(o, ", thread %u", r->thread);
    if (t != NULL && t->known) {
        out_char(o, ' ');
        out_name(o, t->name);
    }
}

/* What became of it, in brackets; "" where nothing is to be said. */
static void end_text(struct out *o, const struct row *r, const struct hs_thrown *t)
{
    out_text(o, r->first.swallowed ? " (swallowed)" : r->end.uncaught ? " (uncaught)" : "");
    if (r->end.cut)
        out_format(o, " (where it went is not known: its stack has %zu of the methods)", t->frame_count);
    if (r->end.to.class_name != NULL) {
        out_text(o, " (left to ");
        out_class(o, r->end.to.class_name);
        out_char(o, '.');
        out_name(o, r->end.to.method);
        out_char(o, ')');
    }
}

static void message_text(struct show *s, const struct hs_thrown *t)
{
    struct out *o = s->out;
    const char *missing = thrown_message_missing(t), *colon = out_narrow(o) ? "" : ": ";
    if (t != NULL && t->message != NULL) {
        out_text(o, colon);
        out_quoted(o, t->message);
    }
    if (missing != NULL)
        out_format(o, "%smessage %s", colon, missing);
    if (t != NULL && t->cause != 0) {
        out_text(o, " caused by ");
        show_value_text(s, 'L', t->cause);
    }
}

/* With little room the message, which may be long, has a line of its own. */
static void text(struct show *s, const struct row *r, const struct hs_thrown *t, bool stack)
{
    const struct hs_exception *x = &r->first;
    const struct hs_dataid *d = hs_dataid_get(s->trace, r->dataid);
    const char *type = x->type;
    struct out *o = s->out;
    const bool narrow = out_narrow(o);
    out_format(o, "%*llu ", narrow ? 10 : 12, (unsigned long long)x->thrown);
    if (!narrow && x->caught != HS_NO_SEQ)
        out_format(o, "%12llu ", (unsigned long long)x->caught);
    else if (!narrow)
        out_format(o, "%12s ", "-");
    if (!narrow)
        out_format(o, "%6llu%s", (unsigned long long)x->left, r->exits ? "+" : " ");
    out_format(o, "%6llu  ", (unsigned long long)r->times);
    out_colour(o, COLOUR_NAME);
    out_class(o, type != NULL ? type : "?");
    out_colour(o, COLOUR_NONE);
    out_format(o, "#%u", x->id);
    if (narrow) {
        if (d != NULL)
            at_text(s, r, d);
        if (d != NULL && r->stack == NULL)
            show_source_text(s, d->class_no, r->spot);
        out_format(o, "\n%18s", "");
        end_text(o, r, t);
        out_char(o, ' ');
        message_text(s, t);
    } else {
        message_text(s, t);
        place_text(s, r);
        end_text(o, r, t);
    }
    if (d != NULL && !narrow && r->stack == NULL)
        show_source_text(s, d->class_no, r->spot);
    out_char(o, '\n');
    if (stack)
        thrown_stack_text(s, r->stack, t);
}

static void head(struct out *o)
{
    if (out_narrow(o))
        out_format(o, "%10s %6s  %s\n", "thrown", "times", "exception");
    else
        out_format(o, "%12s %12s %6s %6s  %s\n", "thrown", "caught", "exits", "times", "exception");
}

/* The rows, `limit` at most; returns how many were shown. */
static uint64_t show_rows(struct show *s, const struct rows *rows, uint64_t limit, bool stack)
{
    uint64_t shown = 0;
    for (; shown < rows->list.count && shown < limit && s->out->failed == 0; shown++)
        text(s, &rows->list.items[shown], hs_thrown_get(s->trace, rows->list.items[shown].first.id), stack);
    return shown;
}

/* Recorded with format=exceptions: the classes that threw are in no table. */
static bool with_stacks(const struct session *s)
{
    const struct format *format = format_of_trace(hs_info(s->trace, "format"));
    return format->id == FORMAT_EXCEPTIONS;
}

/* Seconds in which throws of a thread were left out. */
static void note_limited(struct session *s)
{
    const unsigned entry = EVENT_METHOD_ENTRY;
    const struct hs_filter filter = { .size = sizeof filter,
                                      .to = UINT64_MAX,
                                      .events = &entry,
                                      .event_count = 1,
                                      .class_glob = THROW_CLASS,
                                      .method_glob = "limited" };
    struct hs_error error = HS_ERROR_INIT;
    const struct hs_event *e;
    hs_cursor *cursor;
    uint64_t times = 0;
    if (!with_stacks(s) || hs_events_open(s->trace, &filter, &cursor, &error) != 0)
        return;
    while (hs_event_next(cursor, &e, &error) > 0)
        times++;
    hs_cursor_close(cursor);
    if (times > 0)
        (void)cli_fail(
            EXIT_DONE, s->context,
            "note: in %llu seconds of a thread exceptions are missing, since recording them would have taken "
            "more than 1 %% of the time",
            (unsigned long long)times);
}

/* A use that no event shows is none, as far as is known. */
static void note_unseen_uses(struct session *s)
{
    const group_set uses =
        GROUP_BIT(EXEC) | GROUP_BIT(CALL) | GROUP_BIT(PARAM) | GROUP_BIT(FIELD) | GROUP_BIT(ARRAY) | GROUP_BIT(OBJECT);
    const char *weave = hs_info(s->trace, "weave"), *bad;
    char text[GROUP_SET_TEXT_MAX];
    group_set woven = 0;
    int length;
    if (weave == NULL || !group_set_parse(weave, &woven, &bad, &length) || (uses & ~woven) == 0)
        return;
    group_set_text(uses & ~woven, text, sizeof text);
    (void)cli_fail(EXIT_DONE, s->context,
                   "note: %s was not woven (weave=%.100s): what is said to be swallowed may be used by what these "
                   "groups show",
                   text, weave);
}

/* Of a time from a moment on each is looked at. */
static bool is_grouped(const struct args *a) { return !a->common.json && !a->each && a->from == 0; }

/* Does the exception satisfy all options? */
static bool wanted(const struct show *s, const struct args *a, hs_cursor *from, const struct hs_exception *x)
{
    if ((a->type != NULL && (x->type == NULL || !hs_class_matches(a->type, x->type))) ||
        (a->swallowed && !x->swallowed) || x->thrown < a->from)
        return false;
    if (!a->uncaught && a->class_name == NULL)
        return true;
    const struct hs_throw_stack *stack = hs_exception_stack(from);
    if (a->uncaught && !end_of(s->trace, x, from).uncaught)
        return false;
    if (a->class_name == NULL)
        return true;
    if (stack != NULL && stack->frame_count > 0)
        return hs_class_matches(a->class_name, stack->frames[0]->class_name);
    const struct hs_dataid *d = hs_dataid_get(s->trace, x->first->dataid);
    const struct hs_class *c = d != NULL ? hs_class_get(s->trace, d->class_no) : NULL;
    return c != NULL && hs_class_matches(a->class_name, c->name);
}

/* The next flight, or group of flights. */
static int next_group(const struct args *a, hs_cursor *cursor, struct hs_exception_group *g, struct hs_error *error)
{
    const struct hs_exception_group *group;
    const struct hs_exception *x;
    int more = is_grouped(a) ? hs_exception_group_next(cursor, &group, error) : hs_exception_next(cursor, &x, error);
    if (more > 0)
        *g = is_grouped(a) ? *group : (struct hs_exception_group){ .first = x, .times = 1 };
    if (more > 0 && !is_grouped(a) && !a->each)
        g->alike = hs_exception_alike(cursor);
    return more;
}

int cmd_exceptions(struct context *context)
{
    struct args a = { 0 };
    struct session s;
    struct show show;
    struct hs_error error = HS_ERROR_INIT;
    hs_cursor *cursor;
    struct hs_exception_group g;
    struct rows rows = { 0 };
    bool swallowed = false;
    int more = 0, status = session_begin_stream(&s, context, &a);
    if (status != PARSED)
        return status;
    if ((status = names_type(&s, a.type)) != PARSED ||
        (!with_stacks(&s) && (status = names_class(&s, a.class_name)) != PARSED))
        return session_close(&s, status);
    if (!show_init(&show, s.trace, &s.out))
        return session_fail(&s, "out of memory");
    if ((is_grouped(&a) ? hs_exception_groups_open(s.trace, &cursor, &error)
                        : hs_exceptions_open_from(s.trace, a.from, &cursor, &error)) != 0)
        return session_fail(&s, "%s", error.text);
    uint64_t left = a.common.limit;
    bool room = true;
    if (!a.common.json)
        head(&s.out);
    while (room && left > 0 && s.out.failed == 0 && (more = next_group(&a, cursor, &g, &error)) > 0) {
        if (!wanted(&show, &a, cursor, g.first))
            continue;
        swallowed |= g.first->swallowed;
        if (!a.common.json && !a.each) { /* the limit is one of lines: later ones may be equal */
            room = add_row(&show, cursor, &rows, &g);
            continue;
        }
        if (a.common.json) {
            const struct thrown_row row = thrown_row(s.trace, cursor, g.first, THROWN_ALL);
            exceptions_json(&s.out, &show, &row);
        } else {
            const struct row row = make_row(&show, cursor, &g);
            text(&show, &row, hs_exception_held(cursor), a.stack);
        }
        left--;
    }
    left -= show_rows(&show, &rows, left, a.stack);
    vec_free(&rows.list);
    map_free(&rows.by_hash);
    hs_cursor_close(cursor);
    show_done(&show);
    if (!room)
        return session_fail(&s, "out of memory");
    if (more >= 0 && swallowed)
        note_unseen_uses(&s);
    if (more >= 0)
        note_limited(&s);
    if (more >= 0)
        names_empty_without(&s, a.common.limit - left, a.common.limit,
                            a.type != NULL || a.class_name != NULL || a.from > 0 || a.swallowed || a.uncaught
                                ? "exception that satisfies every option"
                                : "exception",
                            USE_EXCEPTION);
    return more < 0 ? session_fail(&s, "%s", error.text) : session_close(&s, EXIT_DONE);
}
