/* cmd_alloc.c - `hindsight alloc`: who makes which objects, how many, what becomes of them. */
#include <string.h>

#include "reader/answers/plain.h"
#include "reader/command/names.h"
#include "reader/command/show.h"
#include "reader/command/spot.h"

struct args {
    struct common common;
    const char *by, *thread, *class_glob, *method_glob, *type;
    uint64_t from, to;
    bool tree, unread, grown, repeated, csv;
};
static const struct option_row options[] = {
    { "by", 0, "place|type", OPTION_CHOICE, offsetof(struct args, by),
      "one row for each place that makes objects, as without it, or for each type" },
    { "tree", 0, NULL, OPTION_FLAG, offsetof(struct args, tree),
      "the calls that lead to the places, with what is made below each" },
    { "unread", 0, NULL, OPTION_FLAG, offsetof(struct args, unread),
      "only rows with objects that nothing was read of" },
    { "grown", 0, NULL, OPTION_FLAG, offsetof(struct args, grown),
      "only rows with collections and maps that only grew" },
    { "repeated", 0, NULL, OPTION_FLAG, offsetof(struct args, repeated),
      "only rows with strings of the same text, or arrays with the same elements" },
    { "type", 0, "GLOB", OPTION_TEXT, offsetof(struct args, type),
      "objects of these types (a name without dots: of any package)" },
    { "thread", 't', "T", OPTION_TEXT, offsetof(struct args, thread), "made by this thread: number, name or glob" },
    { "class", 'c', "GLOB", OPTION_TEXT, offsetof(struct args, class_glob), "made in a class: a.b.*, or Foo" },
    { "method", 'm', "GLOB", OPTION_TEXT, offsetof(struct args, method_glob),
      "made in a method: get*, put(String, int), or with its descriptor" },
    { "from", 0, "MOMENT", OPTION_MOMENT, offsetof(struct args, from), "made at this event or later" },
    { "to", 0, "MOMENT", OPTION_MOMENT, offsetof(struct args, to), "made up to this event" },
    { "csv", 0, NULL, OPTION_FLAG, offsetof(struct args, csv), "comma-separated, with a heading" },
    { 0 },
};
const struct usage usage_alloc = {
    .about =
        "The objects that woven code made: with new, as arrays, by lambdas and string concatenation. Of each place how "
        "many, how many of them nothing was read of, the elements of arrays, for how many events an object was used "
        "(on average, and at most) and when the first one was made; the most objects first.\n"
        "Nothing was read of an object when no event reads a field, an element or the length, calls a method on it, "
        "locks it, tests it with instanceof, throws it, or gives it to code that is not woven. A collection or map of "
        "the "
        "JDK has grown when woven code added to it and removed nothing; what code that is not woven removed is not "
        "known. Strings are repeated when others of the row have their text, arrays when others have their length and "
        "their elements, put in the same order; those that code which is not woven got do not count, since it may have "
        "changed them. What code that is not woven makes is not known. It needs EXEC, CALL, PARAM, FIELD, ARRAY, SYNC "
        "and OBJECT.",
    .example = "hindsight alloc --tree --type 'String*'",
    .options = options,
};

/* Order  a.B.m:12; of the tree the method alone. */
enum { INDENT_MAX = 60 };
static void where_text(struct out *o, const struct hs_allocation *x, const struct hs_class *c,
                       const struct hs_method *m, const struct hs_dataid *d)
{
    for (uint32_t i = 0; i < x->depth && i < INDENT_MAX; i++)
        out_text(o, "  ");
    if (d != NULL) {
        out_colour(o, COLOUR_VALUE);
        out_name(o, x->type != NULL ? x->type : "?");
        out_colour(o, COLOUR_NONE);
        out_text(o, "  ");
    }
    out_colour(o, COLOUR_NAME);
    out_name(o, c->name);
    out_char(o, '.');
    out_name(o, m->name);
    if (d != NULL)
        out_spot(o, c, (struct spot){ d->file, d->line });
    out_colour(o, COLOUR_NONE);
}

#define ROWS "reader/answers/allocations.def"
#define ROW                                                                                                            \
    const struct hs_allocation *x, const struct hs_class *c, const struct hs_method *m, const struct hs_dataid *d,     \
        bool is_tree
#include "reader/answers/row.h"
#define ROWS "reader/answers/allocations.def"
#define ROW                                                                                                            \
    const struct hs_allocation *x, const struct hs_class *c, const struct hs_method *m, const struct hs_dataid *d,     \
        bool is_tree
#include "reader/answers/plain_row.h"

static bool is_asked_for(const struct args *a, const struct hs_allocation *x)
{
    return (!a->unread || x->unread > 0) && (!a->grown || x->grown > 0) && (!a->repeated || x->repeated > 0);
}

static uint64_t show_rows(struct session *s, const struct args *a, hs_cursor *rows, struct plain_row *plain)
{
    const struct hs_allocation *x;
    uint64_t shown = 0;
    while (shown < a->common.limit && s->out.failed == 0 && hs_allocation_next(rows, &x, NULL) > 0) {
        const struct hs_method *m = hs_method_get(s->trace, x->method_id);
        const struct hs_class *c = m != NULL ? hs_class_get(s->trace, m->class_no) : NULL;
        const struct hs_dataid *d = x->dataid != HS_NO_DATAID ? hs_dataid_get(s->trace, x->dataid) : NULL;
        if (c == NULL || !is_asked_for(a, x))
            continue;
        if (a->common.json) {
            allocations_json(&s->out, x, c, m, d, a->tree);
        } else if (a->csv) {
            allocations_plain(plain, x, c, m, d, a->tree);
            plain_csv(&s->out, plain);
        } else {
            allocations_text(&s->out, x, c, m, d, a->tree);
        }
        shown++;
    }
    return shown;
}

/* What the answer does not have; the exit status. */
static int tell_missing(struct session *s, const struct args *a, const hs_cursor *rows, uint64_t shown)
{
    static const unsigned makes[] = { HS_EVENT_NEW_OBJECT_CREATED, HS_EVENT_NEW_ARRAY_RESULT };
    static const unsigned reads[] = { HS_EVENT_METHOD_ENTRY,       HS_EVENT_CALL,       HS_EVENT_CALL_PARAM,
                                      HS_EVENT_GET_INSTANCE_FIELD, HS_EVENT_ARRAY_LOAD, HS_EVENT_MONITOR_ENTER,
                                      HS_EVENT_OBJECT_INSTANCEOF };
    char why[NAMES_UNWOVEN_MAX];
    const char *reason = "";
    for (size_t i = 0; i < sizeof reads / sizeof *reads && *reason == '\0'; i++)
        reason = names_unwoven(s, &reads[i], 1, why);
    if (shown > 0 && *reason != '\0')
        (void)cli_fail(EXIT_DONE, s->context, "note: more objects may have been read than is known%s", reason);
    names_empty_of(s, shown, a->common.limit,
                   a->unread     ? "object that nothing was read of"
                   : a->grown    ? "collection that only grew"
                   : a->repeated ? "string or array that was made again"
                                 : "object that was made",
                   makes, sizeof makes / sizeof *makes);
    if (hs_allocations_cut(rows) == 0)
        return EXIT_DONE;
    (void)cli_fail(EXIT_DONE, s->context, "%s: incomplete: the tree has the first %d methods by their callers",
                   hs_dir(s->trace), HS_ALLOCATION_NODES_MAX);
    return EXIT_INCOMPLETE;
}

static int answer(struct session *s, const struct args *a, const struct hs_allocation_options *o)
{
    struct hs_error error = HS_ERROR_INIT;
    struct plain_row plain;
    hs_cursor *rows = NULL;
    if (hs_allocations_open(s->trace, o, &rows, &error) != 0)
        return session_refused(s, &error);
    if (!plain_init(&plain, s->trace)) {
        hs_cursor_close(rows);
        return session_fail(s, "out of memory");
    }
    if (a->csv) {
        allocations_plain_names(&plain);
        plain_csv_heading(&s->out, &plain);
    } else if (!a->common.json && hs_cursor_count(rows) > 0) {
        allocations_heading(&s->out);
    }
    const uint64_t shown = show_rows(s, a, rows, &plain);
    const int status = tell_missing(s, a, rows, shown);
    hs_cursor_close(rows);
    plain_done(&plain);
    return session_close(s, status);
}

int cmd_alloc(struct context *context)
{
    struct args a = { .to = UINT64_MAX };
    struct hs_allocation_options o = HS_ALLOCATION_OPTIONS_INIT;
    struct session s;
    u32_vec threads = { 0 };
    int status = cli_parse(context, &a);
    if (status != PARSED)
        return status;
    if (a.csv && a.common.json)
        return cli_fail(EXIT_USAGE, context, "--csv and --json: give one of them");
    if (a.by != NULL && a.tree)
        return cli_fail(EXIT_USAGE, context, "--by and --tree: give one of them");
    status = session_open_stream(&s, context, &a.common, a.common.arguments[0]);
    if (status != PARSED)
        return status;
    status = names_range_threads(&s, a.from, a.to, a.thread, &threads);
    if (status == PARSED)
        status = names_class(&s, a.class_glob);
    if (status == PARSED)
        status = names_method(&s, a.class_glob, a.method_glob);
    if (status == PARSED)
        status = names_type(&s, a.type);
    o.by = a.tree                                      ? HS_ALLOCATIONS_TREE
           : a.by != NULL && strcmp(a.by, "type") == 0 ? HS_ALLOCATIONS_TYPE
                                                       : HS_ALLOCATIONS_PLACE;
    o.from = a.from;
    o.to = a.to;
    o.threads = threads.count > 0 ? threads.items : NULL;
    o.thread_count = threads.count;
    o.class_glob = a.class_glob;
    o.method_glob = a.method_glob;
    o.type_glob = a.type;
    status = status == PARSED ? answer(&s, &a, &o) : session_close(&s, status);
    vec_free(&threads);
    return status;
}
