/* topics.c - see topics.h. */
#include "reader/command/topics.h"

#include <stdio.h>
#include <string.h>

#include "formats/event.h"
#include "formats/windows.h"
#include "reader/command/conditions.h"

enum { TEXT_MAX = 2048 };

static void paragraph(const struct page *p, const char *text) { p->paragraph(p->context, text); }
static void item(const struct page *p, const char *term, const char *text) { p->item(p->context, term, text); }

/* ---- the agent ---- */

static const char format_names[] = ""
#define FORMAT(id, name, ...) "|" #name
#include "formats/formats.def"
#undef FORMAT
    ;
#define FORMAT_CHOICE (format_names + 1)

static void option(const struct page *p, const char *name, const char *argument, const char *preset, const char *help)
{
    char term[TEXT_MAX], text[TEXT_MAX];
    (void)snprintf(term, sizeof term, "%s=%s", name, argument);
    (void)snprintf(text, sizeof text, "%s%s%s%s", help, *preset != '\0' ? " (default " : "", preset,
                   *preset != '\0' ? ")" : "");
    item(p, term, text);
}

static void topic_options(const struct page *p)
{
    paragraph(p,
              "Options of the agent are KEY=VALUE, joined by commas: java -agentpath:.../libhindsight.so=output=trace,"
              "format=omni -jar app.jar. hindsight record passes on those of --option KEY=VALUE. A wrong one stops "
              "the JVM before the program runs, with one line that says what is accepted.");
#define OPTION(name, type, argument, preset, help) option(p, #name, argument, preset, help);
#include "formats/options.def"
#undef OPTION
}

static void topic_formats(const struct page *p)
{
    paragraph(p, "The option format= of the agent, and --format of hindsight record, choose what is kept. The agent's "
                 "default is latest, that of hindsight record omni. Only omni has a stream of events, which most "
                 "commands read.");
#define FORMAT(id, name, alias, stream, values, times, snapshots, groups, help) item(p, #name, help);
#include "formats/formats.def"
#undef FORMAT
}

static void topic_groups(const struct page *p)
{
    paragraph(p, "The option weave= of the agent, and --weave of hindsight record, choose which groups of events are "
                 "recorded, joined by +. The default is ALL. hindsight events lists each event with what it means.");
    for (unsigned g = 0; g < GROUP_COUNT; g++) {
        char text[TEXT_MAX];
        int n = snprintf(text, sizeof text, "%s:", group_text(g));
        for (unsigned e = 1; e < EVENT_LIMIT; e++)
            if (event_name(e) != NULL && !event_has(e, USE_STATIC_ONLY) && (event_groups(e) >> g & 1) != 0)
                n += snprintf(text + n, sizeof text - (size_t)n, " %s", event_name(e));
        if (text[n - 1] == ':')
            text[n - 1] = '\0';
        item(p, group_name(g), text);
    }
}

/* ---- traces ---- */

static void topic_format(const struct page *p)
{
    paragraph(p,
              "A trace is a directory. Directories of a trace have mode 0700 and files 0600, whatever the umask. The "
              "manual page hindsight-format(5) specifies every row and byte.");
    item(p, "data.mdb, lock.mdb", "what was recorded: an LMDB environment");
    item(p, "journal, pending, state, intervals",
         "what is being recorded, or what a crash left; every command recovers it first");
    item(p, "control", "the socket of a recording, for hindsight status, mark and others");
    item(p, "run", "which run made the trace");
    item(p, "index", "makes answers fast; derived from the rest, and may be deleted at any time");
}

/* ---- questions ---- */

static void topic_places(const struct page *p)
{
    paragraph(p, "What answers show can be given to other commands. hindsight history and hindsight last-write take:");
    item(p, "Class.field", "a field that the class declares or inherits: of every object, or static");
    item(p, "ID.field", "of one object: the field that its class means by the name");
    item(p, "ID.Class.field", "the one that a superclass declares, where a subclass has another of the same name");
    item(p, "ID[index]", "an array element");
    item(p, "Class.method:local, Class.method:#slot", "a local variable");
    item(p, "a number", "a data ID: every event of it");
    paragraph(p, "Objects, classes and methods have these names in every command:");
    item(p, "5, #5, Type#5", "an object, by its id");
    item(p, "a.b.Outer$Inner, Outer$Inner, Outer.Inner, Inner",
         "a class: in full, without its package, or by its own name if it is nested; also as a glob: a.b.*");
    item(p, "get*, get(), put(String, int)", "a method: its name or a glob, or with the types of its parameters");
}

static void topic_moments(const struct page *p)
{
    paragraph(p, "Options whose argument is MOMENT, as --at, --from and --to, take these forms; hindsight at shows "
                 "what one means:");
    item(p, "4711", "the seq of an event, which is in every answer");
    item(p, "+3.5s, -2s", "so long after the start of the recording, or before its end; units h, m, s, ms, us, ns");
    item(p, "12:03:04.512, 2026-11-28T12:03:04",
         "a time in the time zone of this machine; with a date and a Z at its end in UTC: the last event up to then");
    item(p, "any other text, \"text\"",
         "the call that wrote a line with this text (hindsight output); of several the first one is taken, and a note "
         "lists them. In double quotes also a text that looks like one of the forms above");
}

static void topic_conditions(const struct page *p)
{
    paragraph(p, "hindsight print, tree and objects have --where CONDITION; -h after them lists the names that it may "
                 "use.");
    paragraph(p, WHERE_HELP);
    p->example(p->context, "hindsight print --where 'value > 100 && thread == main'");
}

static void topic_exit_codes(const struct page *p)
{
    item(p, "0", "done; also if the answer is empty, which standard error says");
    item(p, "1",
         "failed; also when a class, method, type, thread, object or mark that was named is not in the trace. "
         "hindsight fsck: there are violations");
    item(p, "2", "wrong usage");
    item(p, "3", "answered, but the trace is incomplete; standard error says how");
    item(p, "130", "ended by Ctrl-C");
    paragraph(p, "hindsight record exits with the status of the command that it runs.");
}

static void topic_environment(const struct page *p)
{
    paragraph(p,
              "On a terminal, long answers go to a pager, rows are cut at the width of the screen, and a command that "
              "runs for more than a second shows on standard error how far it is.");
    item(p, "HINDSIGHT_PAGER, PAGER",
         "the command of the pager, in this order; without either, less -FRX. Empty or cat: none. It is not started "
         "for what fits the screen");
    item(p, "NO_COLOR", "if it is not empty, text has no colours, unless --color says so");
    item(p, "COLUMNS, LINES", "the size of the screen. COLUMNS=0: rows are not cut");
    item(p, "HINDSIGHT_PROGRESS_DELAY", "seconds until progress is shown, instead of 1");
    item(p, "HINDSIGHT_AGENT",
         "the agent library that hindsight record and hindsight attach use, instead of the installed one");
}

const struct topic topics[] = {
#define TOPIC(name, typed, summary) { typed, summary, topic_##name },
#include "reader/command/topics.def"
#undef TOPIC
    { 0 },
};

const struct topic *topic_find(const char *name)
{
    for (const struct topic *t = topics; t->name != NULL; t++)
        if (strcmp(t->name, name) == 0)
            return t;
    return NULL;
}
