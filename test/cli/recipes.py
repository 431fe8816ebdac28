# recipes.py: follows the recipes of CONTRIBUTING.md in the tree that it is run in.
import re


def recipe(title):
    """The text of a recipe of CONTRIBUTING.md, one line per step."""
    steps = r"^\*\*%s\*\*.*?\n((?:\d\. .*\n(?:   .*\n)*)+)" % re.escape(title)
    m = re.search(steps, open("CONTRIBUTING.md").read(), re.M)
    return re.sub(r"\n   ", " ", m.group(1))


def edit(steps, path, *changes, named=None):
    """Changes a file, if the recipe names it: (what stands there, what stands there instead)."""
    assert "`%s`" % (named or path) in steps, "the recipe does not name %s" % (named or path)
    text = open(path).read()
    for old, new in changes:
        assert text.count(old) == 1, "%s has %d times: %s" % (path, text.count(old), old)
        text = text.replace(old, new)
    open(path, "w").write(text)


def create(steps, path, text, named):
    assert "`%s`" % named in steps, "the recipe does not name %s" % named
    open(path, "x").write(text)


steps = recipe("an event")
last = re.search(r"^EVENT\(.*\n(?: .*\n)*\Z", open("formats/events.def").read(), re.M).group(0)
limit = int(re.match(r"EVENT\( *(\d+),", last).group(1)) + 1
edit(
    steps,
    "formats/events.def",
    (
        last,
        last + 'EVENT(%d, OBJECT_TESTED, ONE(OBJECT), NONE, AFTER(instanceof), '
        'IMPLIED, NOWHERE, FROM_PATH, USE_NONE,\n      "after instanceof, whatever it found")\n' % limit
        + 'EVENT(%d, LOCAL_BEFORE, ONE(LOCAL), INTV, BEFORE(iinc), IMPLIED, IN_LOCAL, FROM_LOCAL("incremented:"), '
        'USE_READ_LOCAL,\n      "before iinc; the value so far")\n' % (limit + 1),
    ),
)
line = re.search(r'    \{ %d, "[A-Z_]+" \},\n' % (limit - 1), open("test/unit/test_event.c").read()).group(0)
edit(
    steps,
    "test/unit/test_event.c",
    (line, line + '    { %d, "OBJECT_TESTED" },\n    { %d, "LOCAL_BEFORE" },\n' % (limit, limit + 1)),
)
line = re.search(r'    HS_EVENT_[A-Z_]+ = %d\b.*\n' % (limit - 1), open("reader/api/catalogue.h").read()).group(0)
edit(
    steps,
    "reader/api/catalogue.h",
    (line, line + "    HS_EVENT_OBJECT_TESTED = %d,\n    HS_EVENT_LOCAL_BEFORE = %d,\n" % (limit, limit + 1)),
)
line = "    } else if ((op->flags & OP_JSR) && m->scan.returns != NULL) {\n"
edit(
    steps,
    "weaver/plan_local.c",
    (
        line,
        "    } else if (in->op == OPC_iinc) {\n"
        "        unsigned kind = look(m, in->local, in->pc, 'I', &a);\n"
        "        record_value(m, EVENT_LOCAL_BEFORE, in->pc, kind, in->local, false, &a);\n" + line,
    ),
    named="weaver/plan_<group>.c",
)
line = "        record_top(m, EVENT_OBJECT_INSTANCEOF_RESULT, in->pc, KIND_BOOLEAN, NULL);\n"
edit(
    steps,
    "weaver/plan_object.c",
    (line, line + "        record_void(m, EVENT_OBJECT_TESTED, in->pc, false, NULL);\n"),
    named="weaver/plan_<group>.c",
)
create(
    steps,
    "test/jvm/Tested.java",
    """// agent: weave=OBJECT
// expect: OBJECT_INSTANCEOF_RESULT Tested.main* value true
// next: OBJECT_TESTED Tested.main* value -
public class Tested { public static void main(String[] a) { Object o = a; System.out.println(o instanceof String[]); } }
""",
    named="test/jvm",
)

# its value is in a variable, and there is more on the stack: with derive=on it follows from the code
create(
    steps,
    "test/jvm/Counted.java",
    """// agent: weave=ALL
// expect: LOCAL_BEFORE Counted.sum(* value 100
// next: LOCAL_INCREMENT Counted.sum(* value 102
// expect: LOCAL_BEFORE Counted.sum(* value 102
// expect: METHOD_NORMAL_EXIT Counted.sum(* value 709
// agent: weave=ALL,derive=off
// expect: LOCAL_BEFORE Counted.sum(* value 100
// expect: LOCAL_BEFORE Counted.sum(* value 102
public class Counted {
    static int sum(int n, int other) { return 5 * (n += 2) + other + (n += 3) - (n - 105); }
    public static void main(String[] a) { System.out.println(sum(100, 94)); }
}
""",
    named="test/jvm",
)

steps = recipe("a command")
row = 'COMMAND(fsck, 1, NO_PAGE, PASS("always"), "[TRACE] [options]", "check that a trace is consistent")'
edit(
    steps,
    "reader/command/commands.def",
    (row, row + '\nCOMMAND(total, 1, ASKED(NULL), SCREEN, "[TRACE] [options]", "how many events a trace has")'),
)
edit(
    steps,
    "docs/commands.md",
    (
        "| `fsck` | proves a trace consistent |\n",
        "| `fsck` | proves a trace consistent |\n| `total` | how many events a trace has |\n",
    ),
    ("| `fsck` | pass always |\n", "| `fsck` | pass always |\n| `total` | screen |\n"),
)
create(
    steps,
    "reader/cli/cmd_total.c",
    """/* cmd_total.c - `hindsight total`. */
#include "reader/command/cli.h"

struct args {
    struct common common;
    bool twice;
};
static const struct option_row options[] = {
    { "twice", 't', NULL, OPTION_FLAG, offsetof(struct args, twice), "double the count" },
    { 0 },
};
const struct usage usage_total = {
    .about = "Counts the events of each thread.",
    .example = "hindsight total --json",
    .options = options,
};

#define ROWS "reader/answers/total.def"
#define ROW  const struct hs_thread *t, unsigned times
#include "reader/answers/row.h"

int cmd_total(struct context *context)
{
    struct args a = { 0 };
    struct session s;
    const struct hs_thread *t;
    hs_cursor *threads;
    int status = session_begin(&s, context, &a);
    if (status != PARSED)
        return status;
    if (hs_threads_open(s.trace, &threads, NULL) != 0)
        return session_fail(&s, "out of memory");
    if (!a.common.json)
        total_heading(&s.out);
    while (hs_thread_next(threads, &t, NULL) > 0)
        (a.common.json ? total_json : total_text)(&s.out, t, a.twice ? 2 : 1);
    hs_cursor_close(threads);
    return session_close(&s, EXIT_DONE);
}
""",
    named="reader/cli/cmd_<name>.c",
)

steps = recipe("an answer")
create(
    steps,
    "reader/answers/total.def",
    """/* total.def - events of each thread; `t` is a const struct hs_thread *, \
`times` what they are multiplied by. */
ANSWER(total, "total", UNIQUE, "how many events each thread has")
COLUMN(total, thread, INT, t->thread, "the trace's number of the thread")
COLUMN(total, name, TEXT, t->known ? t->name : NULL, "its name")
COLUMN(total, number, INT, t->events * times, "of its events")
SHOWN(total, "thread", 6, INT, t->thread)
SHOWN(total, "number", 12, INT, t->events * times)
LAST(total, "name", out_text(o, t->known ? t->name : "?"))
END(total)
""",
    named="reader/answers/<name>.def",
)
last = '#include "reader/answers/dataids.def"\n'
edit(steps, "reader/answers/tables.def", (last, last + '#include "reader/answers/total.def"\n'))
create(
    steps,
    "reader/tables/table_total.c",
    """/* table_total.c - the table `total`. */
#include "reader/tables/tables.h"

struct state {
    hs_cursor *threads;
};

#define ROWS "reader/answers/total.def"
#define ROW  const struct hs_thread *t, unsigned times
#include "reader/tables/put_row.h"

static bool start(struct rows *r)
{
    struct state *s = r->state;
    return hs_threads_open(r->from.trace, &s->threads, &r->error) == 0 || rows_fail(r, "out of memory");
}

static bool next(struct rows *r)
{
    struct state *s = r->state;
    const struct hs_thread *t;
    while (rows_room(r) && hs_thread_next(s->threads, &t, NULL) > 0)
        put_total(r, t, 1);
    return r->count > 0 && !rows_room(r);
}

static void end(struct rows *r) { hs_cursor_close(((struct state *)r->state)->threads); }

const struct table_source source_total = { sizeof(struct state), start, next, end };
""",
    named="reader/tables/table_<name>.c",
)
steps = recipe("a format")
row = re.search(r'FORMAT\(DISCARD,.*\n', open("formats/formats.def").read()).group(0)
edit(
    steps,
    "formats/formats.def",
    (row, row + 'FORMAT(TALLY, tally, "", false, false, false, true, GROUP_ALL, "a count for every thread")\n'),
)
edit(
    steps,
    "docs/agent-options.md",
    ("`discard`: hooks run, nothing is kept", "`discard`: hooks run, nothing is kept. `tally`: a count per thread"),
)
create(
    steps,
    "logging/sinks/tally.c",
    """/* tally.c - events by thread, and nothing else: the drain counts those of every format. */
#include "logging/aggregate/counts.h"
#include "logging/sinks/sink.h"

static enum status import_batch(struct sink_output *out, const struct sink_batch *b, struct error *err)
{
    (void)out, (void)b, (void)err;
    return OK;
}

const struct sink sink_tally = { .storage = &sink_storage_state, .import_batch = import_batch, .save = counts_save };
""",
    named="logging/sinks/<name>.c",
)
