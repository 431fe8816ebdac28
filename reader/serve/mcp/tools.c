/* tools.c - the table of tools; see mcp.h. A tool that is a command takes that command's options with their help. */
#include "reader/serve/mcp/mcp.h"

static const struct option_row object_operand[] = {
    { "id", 0, NULL, OPTION_OBJECT, 0, "the object as answers show it: 5, #5 or Type#5" },
    { 0 },
};
static const struct option_row place_operand[] = {
    { "what", 0, NULL, OPTION_TEXT, 0,
      "a field as Class.field or ID.field (of one object), an array element as ID[index], a local variable as "
      "Class.method:name, or a data ID" },
    { 0 },
};
static const struct option_row moment_operand[] = {
    { "at", 0, NULL, OPTION_MOMENT, 0,
      "the moment: the seq of an event; also a text of the output, or a time (+3.5s, -2s). The frames are those just "
      "after it" },
    { 0 },
};
static const struct option_row event_operand[] = {
    { "at", 0, NULL, OPTION_MOMENT, 0, "the seq of the event whose value is to be explained" },
    { 0 },
};
static const struct option_row expression_operand[] = {
    { "expression", 0, NULL, OPTION_TEXT, 0, "a Java expression: item.count + half(8)" },
    { 0 },
};
static const struct option_row watch_operands[] = {
    { "place", 0, NULL, OPTION_TEXT, 0,
      "Class.method, Class.method:line, or what is written: Class.field, ID.field, ID[index], Class.method:local" },
    { "text", 0, NULL, OPTION_TEXT, 0, "what to print there, with Java expressions in braces: 'adds {item.name}'" },
    { 0 },
};
static const struct option_row test_operand[] = {
    { "test", 0, NULL, OPTION_TEXT, 0, "Class, Class.method, the name that the framework shows, or a glob" },
    { 0 },
};
static const struct option_row method_operand[] = {
    { "method", 0, NULL, OPTION_TEXT, 0, "Class.method, or Class.method(int, String)" },
    { 0 },
};
static const struct option_row code_operand[] = {
    { "place", 0, NULL, OPTION_TEXT, 0, "what was not reached: Class.method, Class.method:LINE or Class:LINE" },
    { 0 },
};
static const struct option_row compare_parameters[] = {
    { "a", 0, NULL, OPTION_U64, 0, "the first moment, a seq" },
    { "b", 0, NULL, OPTION_U64, 0, "the second moment, a seq; of `other`, if that is given" },
    { "object", 0, NULL, OPTION_OBJECT, 0, "compares this object at the two moments, not the frames" },
    { "other", 0, NULL, OPTION_TEXT, 0,
      "another trace by its name: without moments compares the calls of each method of the two runs" },
    { 0 },
};
static const struct option_row source_parameters[] = {
    { "class", 0, NULL, OPTION_TEXT, 0, "lines of this class: a.b.C, C, or a glob" },
    { "method", 0, NULL, OPTION_TEXT, 0, "only of this method: its name, put(String, int), or a glob" },
    { "at", 0, NULL, OPTION_U64, 0, "instead: the method of this event, with its line marked" },
    { 0 },
};

const struct tool tools[] = {
    { .name = "overview",
      .title = "What the recording is",
      .about = "What was recorded: the program, how it ended, counts of events, threads, methods with most calls, the "
               "first exceptions. The first thing to ask.",
      .any_trace = true,
      .answer = "overview",
      .run = tool_overview },
    { .name = "find_events",
      .title = "Find events",
      .about = "Events in their order that satisfy all conditions given: by type, place, thread, value, object, text.",
      .command = "print",
      .options = "from to thread event group class method object value text where mark",
      .key = "events",
      .seeks = true,
      .answer = "events" },
    { .name = "call_tree",
      .title = "Calls as a tree",
      .about = "Calls with their arguments and results, as a tree in the order of time; repeated calls are folded. "
               "`around` gives those near a moment.",
      .command = "tree",
      .options = "thread depth from to around class method where fold mark",
      .key = "calls",
      .answer = "calls" },
    { .name = "frame_at",
      .title = "Stack and variables at a moment",
      .about = "The call stack just after an event, innermost frame first, with parameters and local variables.",
      .command = "locals",
      .parameters = moment_operand,
      .required = "at",
      .key = "frames",
      .answer = "frames" },
    { .name = "evaluate",
      .title = "The value of an expression at a moment",
      .about =
          "A Java expression just after an event, in a frame of its thread: variables, fields, elements, operators "
          "and calls, which are executed over the objects as they were. What was not recorded is named.",
      .command = "eval",
      .options = "at frame",
      .parameters = expression_operand,
      .required = "expression at",
      .key = "answer",
      .single = true,
      .answer = "evaluations" },
    { .name = "watch",
      .title = "What the program would have printed",
      .about = "A row each time that execution came to a place, with the values of expressions there, as if a print "
               "statement had stood there.",
      .command = "watch",
      .options = "where entry exit write thread from to changes distinct",
      .parameters = watch_operands,
      .required = "place text",
      .key = "rows",
      .answer = "watched" },
    { .name = "method_calls",
      .title = "Every call of a method",
      .about = "The calls of a method with arguments, result or exception, time, caller and thread.",
      .command = "calls",
      .options = "where sort slowest thread from to",
      .parameters = method_operand,
      .required = "method",
      .key = "calls",
      .answer = "called" },
    { .name = "object_at",
      .title = "An object at a moment",
      .about = "Fields or elements of an object at a moment (without `at`: at the end), its life, its text.",
      .command = "object",
      .options = "at",
      .parameters = object_operand,
      .required = "id",
      .key = "object",
      .single = true,
      .members = true,
      .answer = "object" },
    { .name = "last_write",
      .title = "Who wrote this",
      .about = "The last write of a field, array element or local variable before a moment (without one: of all).",
      .command = "last-write",
      .options = "before at",
      .parameters = place_operand,
      .required = "what",
      .key = "write",
      .single = true,
      .answer = "written" },
    { .name = "why",
      .title = "Where a value comes from",
      .about =
          "The chain back from the value of an event to where it came from, newest first: loads, writes, arguments, "
          "results. Where a value has several causes, `choose` follows another one. `control`: why it happened at all, "
          "the branches and calls that it stands under; `under`: each moment with its branch.",
      .command = "why",
      .options = "choose control under",
      .parameters = event_operand,
      .required = "at",
      .key = "causes",
      .answer = "causes" },
    { .name = "slice",
      .title = "All that a moment depends on",
      .about =
          "All moments that an event depends on, by data, branches and calls, the nearest first; with `thin` values "
          "alone. With `forward` what came of its value: reads, branches that it decided, output.",
      .command = "slice",
      .options = "thin control forward to",
      .parameters = event_operand,
      .required = "at",
      .key = "moments",
      .answer = "slice" },
    { .name = "why_not",
      .title = "Why something did not run",
      .about =
          "Why a line or a method was not reached: for its calls, those alike together, the nearest branch that went "
          "another way, with the condition that held, the one that is needed and the values; an exception; callers "
          "that did not come to the call.",
      .command = "why-not",
      .options = "in at",
      .parameters = code_operand,
      .required = "place",
      .key = "reasons",
      .answer = "absences" },
    { .name = "overflows",
      .title = "Arithmetic that wrapped",
      .about = "Arithmetic that did not give the exact result: int and long that wrapped, conversions that lost bits, "
               "saturated or rounded, by instruction with count, first and last time, operands and result; with `each` "
               "each time, the newest first.",
      .command = "overflows",
      .options = "where each thread class method from to",
      .key = "overflows",
      .answer = "overflows" },
    { .name = "allocations",
      .title = "Objects that were made",
      .about =
          "Who makes which objects: by place (or type) how many, of how many nothing was read, elements of arrays, "
          "for how many events they were used; with `tree` the calls that lead to the places.",
      .command = "alloc",
      .options = "by tree unread type thread class method from to",
      .key = "allocations",
      .answer = "allocations" },
    { .name = "exceptions",
      .title = "Exceptions",
      .about = "Exceptions with message, stack, where they were thrown and caught, and whether they were swallowed.",
      .command = "exceptions",
      .options = "type swallowed",
      .key = "exceptions",
      .answer = "exceptions" },
    { .name = "failure",
      .title = "Why a test failed",
      .about = "One page about a test that failed (without `test` the first one): expected and actual value, the lines "
               "by which the actual value came with their values and branches, exceptions that were swallowed.",
      .command = "failure",
      .parameters = test_operand,
      .key = "failure",
      .single = true,
      .answer = "failure" },
    { .name = "tests",
      .title = "Tests that ran",
      .about = "The tests that JUnit or TestNG ran: status, time, exception, the events between which they ran.",
      .command = "tests",
      .options = "status test",
      .key = "tests",
      .answer = "tests" },
    { .name = "suspects",
      .title = "What sets failing tests apart",
      .about =
          "Branches, values, exceptions and methods that failing tests of the recording had more often than passing "
          "ones, the most suspicious first, each with its counts and the first moment in a failing test.",
      .command = "suspects",
      .options = "test class",
      .key = "suspects",
      .answer = "suspects" },
    { .name = "compare",
      .title = "What differs",
      .about = "What differs between two moments: variables of the frames that both have, or the members of an object; "
               "or between two recordings: how often each method was called, and the first call that differs.",
      .parameters = compare_parameters,
      .key = "differences",
      .answer = "differences",
      .run = tool_compare },
    { .name = "source",
      .title = "Source with what ran",
      .about = "Lines of a class or method, how often each ran, and their text if sources were given.",
      .parameters = source_parameters,
      .key = "lines",
      .answer = "lines",
      .run = tool_source },
    { 0 },
};
