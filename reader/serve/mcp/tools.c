/* tools.c - the table of tools; see mcp.h. */
#include "reader/serve/mcp/mcp.h"

static const struct option_row failure_parameters[] = {
    { "test", 0, NULL, OPTION_TEXT, 0,
      "Class, Class.method, the name that the framework shows, or a glob; default: the first test that failed" },
    { "suspects", 0, NULL, OPTION_FLAG, 0, "instead: what failing tests did more often than passing ones" },
    { "never", 0, NULL, OPTION_FLAG, 0, "of `suspects`: what every passing test did and no failing one" },
    { 0 },
};
static const struct option_row call_parameters[] = {
    { "at", 0, NULL, OPTION_U64, 0, "a seq: the call in which this event lies" },
    { "method", 0, NULL, OPTION_TEXT, 0, "instead: every call of Class.method, or Class.method(int, String)" },
    { "where", 0, NULL, OPTION_TEXT, 0,
      "of a method: only calls of which this is true as they end: args[0] > 3, result == null, exception != null" },
    { "sort", 0, "begin|end|duration|events|result|caller|thread", OPTION_CHOICE, 0, "of a method: by this column" },
    { "from", 0, NULL, OPTION_MOMENT, 0, "of a method: first moment" },
    { "to", 0, NULL, OPTION_MOMENT, 0, "of a method: last moment" },
    { 0 },
};
static const struct option_row why_parameters[] = {
    { "at", 0, NULL, OPTION_MOMENT, 0, "the seq of the event whose value is to be explained" },
    { "what", 0, NULL, OPTION_TEXT, 0,
      "instead: the last value of Class.field, ID.field, ID[index] or Class.method:local, before `at` if given" },
    { "control", 0, NULL, OPTION_FLAG, 0, "why it happened at all: the branches and calls that it stands under" },
    { "all", 0, NULL, OPTION_FLAG, 0, "follow every cause: a tree" },
    { "slice", 0, NULL, OPTION_FLAG, 0,
      "all moments that it depends on, by data, branches and calls, the nearest first" },
    { "choose", 0, NULL, OPTION_TEXT, 0, "follow another cause, as they are numbered in an answer: 1.2" },
    { "not", 0, NULL, OPTION_TEXT, 0,
      "why_not, instead: why this did not happen: a line or method (Class.method, Class:LINE), a write (Class.field, "
      "ID.field), an exception ('throw TYPE'), an element of a collection ('list.contains(x)', with `at`)" },
    { "in", 0, NULL, OPTION_U64, 0, "of `not`: only the call that this METHOD_ENTRY begins" },
    { "times", 0, NULL, OPTION_U64, 0, "of `not`: so often in a call, as a loop that ran too few times" },
    { "expect", 0, NULL, OPTION_TEXT, 0, "of `not`: the value that should have been written" },
    { 0 },
};
static const struct option_row evaluate_parameters[] = {
    { "at", 0, NULL, OPTION_MOMENT, 0, "the moment: just after this seq" },
    { "expression", 0, NULL, OPTION_TEXT, 0,
      "a Java expression: item.count + half(8); without it the stack with all variables" },
    { "frame", 0, NULL, OPTION_U64, 0, "of an expression: its scope; 0, the innermost frame" },
    { "object", 0, NULL, OPTION_OBJECT, 0, "instead: all fields or elements of an object: 5, #5 or Type#5" },
    { 0 },
};
static const struct option_row watch_parameters[] = {
    { "place", 0, NULL, OPTION_TEXT, 0,
      "Class.method, Class.method:line, or what is written: Class.field, ID.field, ID[index], Class.method:local" },
    { "text", 0, NULL, OPTION_TEXT, 0, "what to print there, with Java expressions in braces: 'adds {item.name}'" },
    { "where", 0, NULL, OPTION_TEXT, 0, "only when this Java expression is true" },
    { "exit", 0, NULL, OPTION_FLAG, 0, "as the method is left: result and exception are known" },
    { "changes", 0, NULL, OPTION_FLAG, 0, "only rows that differ from the one before" },
    { "thread", 0, NULL, OPTION_TEXT, 0, "only this thread" },
    { "from", 0, NULL, OPTION_MOMENT, 0, "first moment" },
    { "to", 0, NULL, OPTION_MOMENT, 0, "last moment" },
    { 0 },
};
static const struct option_row find_parameters[] = {
    { "value", 0, NULL, OPTION_TEXT, 0,
      "where this value lived, the newest first: 42, true, null, 'x', \"text\", Type#12; or a part of a string" },
    { "kind", 0, NULL, OPTION_TEXT, 0,
      "of a value: field, element, local, parameter, argument, result, constant, exception, output, read; or several" },
    { "exception", 0, NULL, OPTION_TEXT, 0, "instead: exceptions of this type or glob: * for all" },
    { "event", 0, NULL, OPTION_TEXT, 0, "instead: events of this type: METHOD_ENTRY, CALL, PUT_INSTANCE_FIELD_VALUE" },
    { "class", 0, NULL, OPTION_TEXT, 0, "in a class: a.b.*, or Foo" },
    { "method", 0, NULL, OPTION_TEXT, 0, "in a method: get*, put(String, int)" },
    { "thread", 0, NULL, OPTION_TEXT, 0, "of this thread: its number, name or a glob" },
    { "where", 0, NULL, OPTION_TEXT, 0, "a condition of events: value > 3 && line == 20" },
    { "from", 0, NULL, OPTION_U64, 0, "first event, by its seq" },
    { "to", 0, NULL, OPTION_U64, 0, "last event" },
    { 0 },
};
static const struct option_row sql_parameters[] = {
    { "query", 0, NULL, OPTION_TEXT, 0,
      "SQL of SQLite over"
#include "reader/answers/table_names.h"
      "; "
      "SELECT name FROM pragma_table_info('calls') lists columns" },
    { 0 },
};

const struct tool tools[] = {
    { .name = "failure",
      .title = "Why a test failed",
      .about = "One page about a test that failed: expected and actual value, the statements by which the actual value "
               "came with their values and branches, objects that differ, exceptions that were swallowed, threads. The "
               "first thing to ask about a red test.",
      .parameters = failure_parameters,
      .forms = { { "suspects", "suspects", "test never", NULL }, { NULL, "failure", "budget", "test" } } },
    { .name = "call",
      .title = "The life of a call",
      .about = "What one call did, from its arguments to its result: each time that it came to a line, with the values "
               "written there and the calls made. With `method` every call of a method instead.",
      .parameters = call_parameters,
      .forms = { { "method", "calls", "where sort from to", "method" }, { "at", "calls", "open=at", NULL } },
      .next = { { "why", "{\"at\":$last}" },
                { "evaluate", "{\"at\":$last}" },
                { "why", "{\"at\":$at,\"control\":true}" } } },
    { .name = "why",
      .title = "Where a value comes from, why something happened or did not",
      .about = "The chain back from the value of an event to where it came from, the newest first. `control`: why it "
               "happened: branches and calls. `slice`: all that it depends on. `not`: why a line or a method was not "
               "reached.",
      .parameters = why_parameters,
      .forms = { { "not", "why-not", "in at times expect", "not" },
                 { "what", "last-write", "before=at", "what" },
                 { "slice", "slice", NULL, "at" },
                 { "at", "why", "choose control all", "at" } },
      .next = { { "call", "{\"at\":$last}" },
                { "why", "{\"at\":$at,\"control\":true}" },
                { "why", "{\"at\":$at,\"slice\":true}" },
                { "evaluate", "{\"at\":$last}" } },
      .run = tool_why },
    { .name = "evaluate",
      .title = "Values at a moment",
      .about = "A Java expression just after an event: variables, fields, elements, operators and calls, which are "
               "executed over the objects as they were. Without an expression the stack with parameters and variables; "
               "with `object` one object.",
      .parameters = evaluate_parameters,
      .required = "at",
      .forms = { { "expression", "eval", "at frame", "expression" },
                 { "object", "object", "at", "object" },
                 { "at", "locals", "at", NULL } },
      .next = { { "call", "{\"at\":$at}" }, { "why", "{\"at\":$at}" } } },
    { .name = "watch",
      .title = "What the program would have printed",
      .about = "A row each time that execution came to a place, with the values of expressions there, as if a print "
               "statement had stood there.",
      .parameters = watch_parameters,
      .required = "place",
      .forms = { { "place", "watch", "where exit thread from to changes", "place text" } },
      .next = { { "why", "{\"at\":$last}" }, { "call", "{\"at\":$last}" } } },
    { .name = "find",
      .title = "Find moments",
      .about = "Where a value lived, the newest first; or exceptions; or events by type, place, thread and condition.",
      .parameters = find_parameters,
      .forms = { { "value", "find", "kind thread class method where from to", "value" },
                 { "exception", "exceptions", "type=exception", NULL },
                 { NULL, "print", "event thread class method where from to", NULL } },
      .next = { { "why", "{\"at\":$first}" }, { "call", "{\"at\":$first}" }, { "evaluate", "{\"at\":$first}" } } },
    { .name = "sql",
      .title = "SQL over the trace",
      .about = "A query over the tables of the trace, for what no other tool counts or joins.",
      .parameters = sql_parameters,
      .required = "query",
      .forms = { { "query", "sql", NULL, "query" } } },
    { .name = "record",
      .title = "Run the program again and record it",
      .about = "Runs the command that the server was started with, records it, and opens the new trace: the next "
               "questions are about it. Answers with the end of the output, and with what was recorded.",
      .any_trace = true,
      .records = true,
      .next = { { "failure", "{}" }, { "overview", "{}" } },
      .run = tool_record },
    { .name = "overview",
      .title = "What the recording is",
      .about = "What was recorded: the program, how it ended, tests that failed, exceptions, methods with most calls, "
               "threads. Of several traces their names.",
      .any_trace = true,
      .next = { { "failure", "{}" }, { "find", "{\"exception\":\"*\"}" } },
      .run = tool_overview },
    { 0 },
};
