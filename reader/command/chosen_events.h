/* chosen_events.h - which events: the options that `print` and `export` share, and the events that pass them.
 *
 * A command embeds struct chosen_args in its struct of arguments and puts CHOSEN_OPTIONS(args, member)
 * among its options. */
#ifndef READER_COMMAND_CHOSEN_EVENTS_H
#define READER_COMMAND_CHOSEN_EVENTS_H

#include "reader/command/cli.h"
#include "reader/command/conditions.h"
#include "reader/command/names.h"

/* Set to CHOSEN_ARGS before the command line is parsed. */
struct chosen_args {
    uint64_t from, to;
    struct texts threads, events;
    const char *groups, *object, *class_glob, *method_glob, *value, *text, *mark, *where;
};
#define CHOSEN_ARGS                                                                                                    \
    {                                                                                                                  \
        .to = UINT64_MAX                                                                                               \
    }
/* clang-format off */
#define CHOSEN_OPTIONS(args, member)                                                                             \
    { "from", 0, "MOMENT", OPTION_MOMENT, offsetof(struct args, member.from),                                          \
      "first event, by its seq" },                                                                                     \
    { "to", 0, "MOMENT", OPTION_MOMENT, offsetof(struct args, member.to),                                              \
      "last event" },                                                                                                  \
    CHOSEN_OPTIONS_BUT_RANGE(args, member)
/* For a command whose --to means something else. */
#define CHOSEN_OPTIONS_BUT_RANGE(args, member)                                                                   \
    { "mark", 0, "NAME", OPTION_TEXT, offsetof(struct args, member.mark),                                              \
      "inside this mark; NAME#2 is the second one of that name" },                                                     \
    { "thread", 't', "T", OPTION_TEXTS, offsetof(struct args, member.threads),                                         \
      "of this thread (number, name or glob: pool-*), repeatable" },                                                   \
    { "event", 'e', "E,E", OPTION_EVENTS, offsetof(struct args, member.events),                                        \
      "of these event types, repeatable; upper or lower case, and globs: call*" },                                     \
    { "events", 0, "E,E", OPTION_EVENTS, offsetof(struct args, member.events), "the same as --event" },                \
    { "group", 'g', "G+G", OPTION_GROUPS, offsetof(struct args, member.groups),                                        \
      "of the event types of these groups" },                                                                          \
    { "class", 'c', "GLOB", OPTION_TEXT, offsetof(struct args, member.class_glob), "in a class: a.b.*, or Foo" },      \
    { "method", 'm', "GLOB", OPTION_TEXT, offsetof(struct args, member.method_glob),                                   \
      "in a method: get*, put(String, int), or with its descriptor" },                                                 \
    { "object", 0, "ID", OPTION_OBJECT, offsetof(struct args, member.object),                                          \
      "the value is this object: 5, #5 or Type#5" },                                                                   \
    { "value", 0, "V", OPTION_TEXT, offsetof(struct args, member.value),                                               \
      "the value is V, as print shows it: 42, 0x2a, -1.5, NaN, true (not 1), null, 'x', \"text\", "                    \
      "\"text\"#12, Type#12" },                                                                                        \
    { "where", 'w', "CONDITION", OPTION_TEXT, offsetof(struct args, member.where), WHERE_EVENT_NAMES },                \
    { "text", 0, "TEXT", OPTION_TEXT, offsetof(struct args, member.text), "the value is a string that contains TEXT" }
/* clang-format on */

struct chosen_events {
    hs_trace *trace;
    const struct chosen_args *args;
    struct event_choice events; /* none chosen means all */
    u32_vec threads;            /* none: all */
    hs_condition *where;
    struct hs_filter filter; /* what the options say, as hs_events_open takes it; without `where` */
    bool all;                /* no option was given: every event passes */
};
/* Checks what needs no trace. PARSED, or the exit status after the error was reported. In both cases
 * chosen_done ends it. */
int chosen_parse(struct chosen_events *f, struct context *context, const struct chosen_args *args);
/* Resolves the names in the open trace. PARSED, or the exit status; the caller closes the session. */
int chosen_resolve(struct chosen_events *f, struct session *s);
/* A cursor over the events that pass. PARSED, or the exit status after the error was reported. */
int chosen_open(const struct chosen_events *f, struct context *context, hs_cursor **cursor);
/* Does the filter choose events of this thread? */
bool chosen_thread(const struct hs_filter *f, uint32_t thread);
void chosen_done(struct chosen_events *f);

#endif
