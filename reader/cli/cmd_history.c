/* cmd_history.c - `hindsight history WHAT` and `hindsight last-write WHAT --before SEQ`. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "formats/event.h"
#include "formats/status.h"
#include "reader/command/control.h"
#include "reader/command/names.h"
#include "reader/command/show.h"

struct args {
    struct common common;
    uint64_t from, to, before, at;
};
static const struct option_row history_options[] = {
    { "from", 0, "MOMENT", OPTION_MOMENT, offsetof(struct args, from), "first event that counts" },
    { "to", 0, "MOMENT", OPTION_MOMENT, offsetof(struct args, to), "last event that counts" },
    { 0 },
};
static const struct option_row last_options[] = {
    { "before", 0, "MOMENT", OPTION_MOMENT, offsetof(struct args, before),
      "before this event; a bound, as --to of other commands (default: in the whole trace)" },
    { "at", 0, "MOMENT", OPTION_MOMENT, offsetof(struct args, at), "just after this event, itself included" },
    { 0 },
};
#define WHAT                                                                                                           \
    "WHAT is a field as Class.field (of all objects, or static), ID.field (of one object) or ID.Class.field "          \
    "(where a subclass hides it); an array element as ID[index]; a local variable as Class.method:local; "             \
    "or a data ID. Type#ID may stand for ID.\n"
const struct usage usage_history = {
    .source = true,
    .about = WHAT "Prints every write, oldest first, with the object and index that were written. For a data ID it "
                  "prints all of its events.",
    .example = "hindsight history Main.main:i",
    .options = history_options,
};
const struct usage usage_last_write = {
    .source = true,
    .about = WHAT "Prints the last write before an event: the one that produced the value seen there.",
    .example = "hindsight last-write Main.main:i --before 40",
    .options = last_options,
};

/* What lies before event `resumed`, while recording was stopped. */
static void stop_text(struct out *o, uint64_t resumed)
{
    out_format(o, "%22srecording was stopped until event %llu: what was written then is not recorded\n", "",
               (unsigned long long)resumed);
}

static void print_write(struct show *show, const struct hs_write *w, const struct hs_handover *handed)
{
    struct out *o = show->out;
    show_event_text(show, w->event);
    if (w->left_out > 0)
        out_format(o, "%22snot known: a write may be among the %llu events of this call that are left out\n", "",
                   (unsigned long long)w->left_out);
    if (w->object == 0)
        return;
    out_colour(o, COLOUR_DIM);
    out_format(o, "%22sof ", "");
    show_value_text(show, 'L', w->object);
    if (w->has_index)
        out_format(o, "[%llu]", (unsigned long long)w->index);
    if (w->field != NULL) {
        out_char(o, '.');
        out_name(o, w->declaring);
        out_char(o, '.');
        out_name(o, w->field);
    }
    if (handed != NULL) {
        out_format(o, "\n%22shanded over since, at %llu, ", "", (unsigned long long)handed->seq);
        (void)show_handover_text(show, handed);
    }
    out_colour(o, COLOUR_NONE);
    out_char(o, '\n');
}

static void handed_member(struct show *s, const struct hs_handover *handed)
{
    if (handed != NULL)
        show_handover_json(s, handed);
    out_member_cut(s->out);
}

#define ROWS "reader/answers/written.def"
#define ROW  struct show *show, const struct hs_write *w, const struct hs_handover *handed, bool stopped
#include "reader/answers/row.h"

/* Does the word name a place, and no file? */
static bool is_place(const char *word)
{
    struct stat st;
    return strpbrk(word, ".[:") != NULL && stat(word, &st) != 0;
}

/* Opens the trace for a question about the word; PARSED, or the exit status. */
static int begin(struct session *s, struct context *context, const struct args *a, const char **word, struct show *show)
{
    const char *trace = cli_trace_and_word(&a->common, word);
    if (*word == NULL)
        return cli_fail(
            EXIT_USAGE, context,
            "WHAT is missing: Class.field, ID.field, ID.Class.field, ID[index], Class.method:local or a data ID");
    if (trace != NULL && is_place(trace) && !is_place(*word)) /* neither is a trace */
        return cli_fail(EXIT_FAILED, context, "%s: is no trace%s%s", *word,
                        control_is_pid(*word) ? "; hindsight status names that of a process that is recorded: " : "",
                        control_is_pid(*word) ? *word : "");
    int status = session_open_stream(s, context, &a->common, trace);
    if (status == PARSED && !show_init(show, s->trace, &s->out))
        return session_fail(s, "out of memory");
    return status;
}

/* What events the history of the place needs: writes of a local variable, an element or a field. */
static uint32_t uses_of(const char *what)
{
    if (strchr(what, ':') != NULL)
        return USE_WRITE_LOCAL;
    return strchr(what, '[') != NULL ? USE_WRITE_ELEMENT : USE_WRITE_FIELD;
}

/* The exit status of a question that was refused. */
static int refused(struct session *s, struct context *context, const char *word, const struct hs_error *error)
{
    char unwoven[NAMES_UNWOVEN_MAX];
    struct nearest n;
    char text[NEAREST_TEXT_MAX];
    if (error->code == HS_ERR_NOT_FOUND)
        return session_fail(s, "%s%s", error->text, names_unwoven_uses(s, uses_of(word), unwoven));
    if (error->code != HS_ERR_USAGE)
        return session_fail(s, "%s", error->text);
    nearest_init(&n, word);
    names_offer_fields(s->trace, &n); /* it may be a field without its class, or a variable without its method */
    names_offer_variables(s->trace, &n);
    (void)nearest_text(&n, text);
    (void)session_close(s, EXIT_USAGE);
    return cli_fail(EXIT_USAGE, context, "%s%s", error->text, text);
}

/* Says on standard error that the object was handed over from one event to another; false with `error` set. */
static bool note_handover(struct session *s, uint32_t object, uint64_t from, uint64_t to, struct hs_error *error)
{
    const struct hs_handover *h = NULL;
    int handed = object != 0 ? hs_handed_over(s->trace, object, from, to, &h, error) : 0;
    const struct hs_dataid *site = handed > 0 ? hs_dataid_get(s->trace, h->dataid) : NULL;
    const char *owner = site != NULL ? show_text_attr(site, "owner") : NULL,
               *name = site != NULL ? show_text_attr(site, "name") : NULL;
    if (site != NULL && owner != NULL && name != NULL)
        (void)cli_fail(
            EXIT_DONE, s->context,
            "note: object %u was handed to %s.%s at %llu, which is not woven: what that wrote is not recorded", object,
            owner, name, (unsigned long long)h->seq);
    else if (site != NULL)
        (void)cli_fail(EXIT_DONE, s->context,
                       "note: object %u was handed to code that is not woven at %llu: what that wrote is not recorded",
                       object, (unsigned long long)h->seq);
    return handed >= 0;
}

static bool began_late(const struct session *s) { return hs_info(s->trace, "begin") != NULL; }
static bool was_stopped(const struct session *s) { return hs_info(s->trace, "period.2") != NULL; }

/* Says on standard error that recording was stopped behind the last write. */
static bool note_stop(struct session *s, const char *word, uint64_t last, uint64_t to, struct hs_error *error)
{
    const struct hs_write *w;
    int found = was_stopped(s) ? hs_last_write(s->trace, word, to < UINT64_MAX ? to + 1 : to, &w, error) : 0;
    if (found > 0 && w->resumed > last)
        (void)cli_fail(EXIT_DONE, s->context,
                       "note: recording was stopped until event %llu: what was written then is not recorded",
                       (unsigned long long)w->resumed);
    return found >= 0;
}

int cmd_history(struct context *context)
{
    struct args a = { .to = UINT64_MAX };
    struct session s;
    struct show show;
    struct hs_error error = HS_ERROR_INIT;
    hs_cursor *h = NULL;
    const struct hs_write *w;
    const char *word;
    uint64_t shown = 0, last = 0;
    int status = cli_parse(context, &a);
    if (status == PARSED)
        status = begin(&s, context, &a, &word, &show);
    if (status != PARSED)
        return status;
    if ((status = names_range(&s, a.from, a.to)) != PARSED) {
        show_done(&show);
        return session_close(&s, status);
    }
    uint64_t resumed = a.from;
    int more = hs_history_open(s.trace, word, &h, &error) == 0 && hs_cursor_seek(h, a.from, &error) == 0 ? 1 : -1;
    while (more > 0 && shown < a.common.limit && s.out.failed == 0)
        if ((more = hs_write_next(h, &w, &error)) > 0) {
            if (w->event->seq > a.to)
                break;
            if (shown++ == 0 && !a.common.json)
                show_event_heading(&show);
            bool stopped = w->resumed > resumed; /* since the write before */
            if (a.common.json) {
                written_json(&s.out, &show, w, NULL, stopped);
            } else {
                if (stopped)
                    stop_text(&s.out, w->resumed);
                print_write(&show, w, NULL);
            }
            resumed = stopped ? w->resumed : resumed;
            last = w->event->seq;
        }
    bool all = shown < a.common.limit || shown == 0;
    if (more >= 0 && shown > 0 && all && !note_stop(&s, word, last, a.to, &error))
        more = -1;
    if (more >= 0 && all && !note_handover(&s, hs_history_object(h), shown > 0 ? last : a.from, a.to, &error))
        more = -1;
    hs_cursor_close(h);
    show_done(&show);
    if (more < 0)
        return refused(&s, context, word, &error);
    names_empty_without(&s, shown, a.common.limit,
                        a.from > 0 || a.to < UINT64_MAX ? "write of it in this range" : "write of it", uses_of(word));
    return session_close(&s, EXIT_DONE);
}

int cmd_last_write(struct context *context)
{
    struct args a = { .before = UINT64_MAX, .at = UINT64_MAX };
    struct session s;
    struct show show;
    struct hs_error error = HS_ERROR_INIT;
    const struct hs_write *w;
    const char *word;
    int status = cli_parse(context, &a);
    if (status == PARSED)
        status = begin(&s, context, &a, &word, &show);
    if (status != PARSED)
        return status;
    if ((status = names_moment(&s, a.at)) != PARSED) {
        show_done(&show);
        return session_close(&s, status);
    }
    uint64_t before = a.at < UINT64_MAX && a.at < a.before ? a.at + 1 : a.before;
    const struct hs_handover *handed = NULL;
    int found = hs_last_write(s.trace, word, before, &w, &error);
    if (found > 0 && w->object != 0 && w->object <= UINT32_MAX &&
        hs_handed_over(s.trace, (uint32_t)w->object, w->event->seq, before < UINT64_MAX ? before - 1 : before, &handed,
                       &error) < 0)
        found = -1;
    if (found > 0) {
        bool stopped = w->resumed > w->event->seq;
        if (a.common.json)
            written_json(&s.out, &show, w, handed, stopped);
        else
            print_write(&show, w, handed);
        if (stopped && !a.common.json)
            stop_text(&s.out, w->resumed);
    }
    show_done(&show);
    hs_cursor *h = NULL;
    if (found == 0) {
        if (hs_history_open(s.trace, word, &h, &error) != 0 ||
            !note_handover(&s, hs_history_object(h), 0, before < UINT64_MAX && before > 0 ? before - 1 : before,
                           &error))
            found = -1;
        hs_cursor_close(h);
    }
    if (found < 0)
        return refused(&s, context, word, &error);
    if (found > 0)
        return session_close(&s, EXIT_DONE);
    char moment[64] = "", unwoven[NAMES_UNWOVEN_MAX];
    if (before < UINT64_MAX)
        (void)snprintf(moment, sizeof moment, " before event %llu", (unsigned long long)before);
    (void)cli_fail(EXIT_DONE, context, "%s: empty: no woven code wrote %s%s%s%s", hs_dir(s.trace), word, moment,
                   was_stopped(&s) || began_late(&s) ? " while it was recorded" : "",
                   names_unwoven_uses(&s, uses_of(word), unwoven));
    return session_close(&s, EXIT_DONE); /* says so if events are missing */
}
