/* tools.c - the table of tools; see mcp.h. A tool that is a command takes that command's options with their help. */
#include "reader/serve/mcp/mcp.h"

/* clang-format off */
#define EVENT_FIELDS                                                                                                   \
    { "seq", "integer", true, "the moment: number of the event, rising" },                                             \
    { "thread", "integer", true, "number of its thread" },                                                             \
    { "dataid", "integer", true, "the place in the code, and what happens there" },                                    \
    { "event", "string", true, "what happened: METHOD_ENTRY, PUT_INSTANCE_FIELD_VALUE, CALL_RETURN, ..." },            \
    { "class", "string", false, "class of the code" },                                                                 \
    { "method", "string", false, "method of the code" },                                                               \
    { "desc", "string", false, "its descriptor" },                                                                     \
    { "file", "string", false, "file of the line, where its class names one" },                                        \
    { "line", "integer", false, "line of the source" },                                                                \
    { "value", NULL, false, "the value; of a reference null or its id, type and string" },                             \
    { "attr", "object", false, "more of the instruction: owner, name, index, ..." },                                   \
    { "source", "string", false, "text of the line, if sources were given" }

static const struct field event_fields[] = { EVENT_FIELDS, { 0 } };
static const struct field write_fields[] = {
    EVENT_FIELDS,
    { "object", NULL, false, "the object written" },
    { "index", "integer", false, "the element written" },
    { "declaring", "string", false, "the class that declares the field" },
    { "handed", "object", false, "a later call that gave the object to code that is not recorded" },
    { "resumed", "integer", false, "recording was stopped since, and went on here" },
    { 0 },
};
static const struct field cause_fields[] = {
    EVENT_FIELDS,
    { "because", "string", true, "where its value comes from" },
    { "by", "string", false, "how the next moment was found, if not from events: identity, equal, computed" },
    { "operands", "array", false, "seqs of the operands of a computed value" },
    { "branch", "integer", false, "number of this moment among those with several causes, for choose" },
    { "choices", "array", false, "the causes to choose from" },
    { "end", "string", false, "why the chain ends here" },
    { 0 },
};
/* clang-format on */
static const struct field call_fields[] = {
    { "depth", "integer", true, "0 is the outermost call" },
    { "seq", "integer", true, "of its entry" },
    { "thread", "integer", true, "number of the thread" },
    { "class", "string", false, "class of the method" },
    { "method", "string", false, "name of the method" },
    { "desc", "string", false, "its descriptor" },
    { "file", "string", false, "file of the line, where its class names one" },
    { "line", "integer", false, "where it begins" },
    { "this", NULL, false, "the receiver" },
    { "arguments", "array", true, "the values passed" },
    { "result", NULL, false, "the value returned" },
    { "exception", NULL, false, "it was left by this exception" },
    { "calls", "integer", false, "calls that it made directly" },
    { "times", "integer", false, "it was made this often in a row; the rest is that of the first" },
    { "repeats", "array", false, "this and the next calls were made so often in this order" },
    { "source", "string", false, "text of the line, if sources were given" },
    { 0 },
};
static const struct field frame_fields[] = {
    { "depth", "integer", true, "0 is the innermost frame" },
    { "class", "string", false, "class of the method" },
    { "method", "string", false, "name of the method" },
    { "desc", "string", false, "its descriptor" },
    { "file", "string", false, "file of the line, where its class names one" },
    { "line", "integer", false, "the line reached" },
    { "pc", "integer", true, "the instruction reached" },
    { "this", NULL, false, "the receiver" },
    { "parameters", "object", true, "values as they were passed, by name" },
    { "locals", "object", true, "local variables, by name" },
    { "monitors", "array", false, "monitors that the frame holds" },
    { "entered", "integer", false, "seq of its entry" },
    { "source", "string", false, "text of the line, if sources were given" },
    { 0 },
};
static const struct field object_fields[] = {
    { "id", "integer", true, "the object" },
    { "type", "string", false, "its type" },
    { "created", "integer", false, "seq of its creation" },
    { "first", "integer", false, "seq of its first event" },
    { "last", "integer", false, "seq of its last event" },
    { "string", "string", false, "content of a string" },
    { "length", "integer", false, "of a string or an array" },
    { "fields", "object", false, "values by Declaring.Class.name; unknown ones are absent" },
    { "elements", "object", false, "values of an array by index; unknown ones are absent" },
    { "defaults", "array", false, "members that nothing has written: they have their default" },
    { "members", "integer", false, "how many fields or elements there are, if not all are shown" },
    { "more", "boolean", false, "there may be more elements, which were not looked at" },
    { "contents", "object", false,
      "what a collection, StringBuilder, Optional, Atomic... or box of the JDK held, from the calls on it; or since "
      "when "
      "and why that is not known" },
    { "handed", "object", false, "the last call that gave it to code that is not recorded" },
    { "stale", "array", false, "members known only from before that call" },
    { "resumed", "integer", false, "recording was stopped while the object was there, and went on here" },
    { "unrecorded", "array", false, "members known only from before that stop" },
    { "exception", "object", false, "message, cause, stack, where it was thrown and caught" },
    { "allocated", "object", false, "where it was created" },
    { 0 },
};
static const struct field exception_fields[] = {
    { "id", "integer", true, "the exception" },
    { "type", "string", false, "its type" },
    { "message", NULL, false, "its message" },
    { "cause", NULL, false, "its cause" },
    { "thrown", "integer", true, "seq of the throw" },
    { "caught", "integer", false, "seq of the catch; absent: not caught in recorded code" },
    { "swallowed", "boolean", true, "caught and then never used" },
    { "frames", "array", false, "its stack" },
    { 0 },
};
static const struct field overview_fields[] = {
    { "info", "object", false, "format, JVM, command, how it ended, events by group and type, what was not recorded" },
    { "threads", "array", false, "threads with their last events and stacks" },
    { "methods", "array", false, "methods with most calls: calls, times, exceptions" },
    { "exceptions", "array", false, "the first three exceptions" },
    { "traces", "array", false, "names of the traces, if there are several and none was named" },
    { 0 },
};
static const struct field difference_fields[] = {
    { "kind", "string", true,
      "frame, line, this, parameter, local, field, element, contents (of a collection, text or box of the JDK); of two "
      "traces calls, first_difference" },
    { "name", "string", false, "of the variable, field or element; of contents the key, index or element" },
    { "depth", "integer", false, "of the frame, 0 is the outermost" },
    { "class", "string", false, "class of the method" },
    { "method", "string", false, "name of the method" },
    { "desc", "string", false, "its descriptor" },
    { "a", NULL, false, "on the first side; absent: not there, or not known; of contents also a phrase" },
    { "b", NULL, false, "on the second side; absent: not there, or not known" },
    { 0 },
};
static const struct field line_fields[] = {
    { "class", "string", true, "the class" },
    { "file", "string", false, "file of the line, where its class names one" },
    { "line", "integer", true, "number of the line" },
    { "source", "string", false, "its text, if sources were given" },
    { "times", "integer", false, "events of the most frequent place of the line: 0, it did not run; absent: no code" },
    { "methods", "array", false, "names of the methods with code in the line" },
    { "here", "boolean", false, "the line of the moment asked for" },
    { 0 },
};

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
    { "at", 0, NULL, OPTION_U64, 0, "the moment: the seq of an event; the frames are those just after it" },
    { 0 },
};
static const struct option_row event_operand[] = {
    { "at", 0, NULL, OPTION_U64, 0, "the seq of the event whose value is to be explained" },
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
      .fields = overview_fields,
      .run = tool_overview },
    { .name = "find_events",
      .title = "Find events",
      .about = "Events in their order that satisfy all conditions given: by type, place, thread, value, object, text.",
      .command = "print",
      .options = "from to thread event group class method object value text where mark",
      .key = "events",
      .seeks = true,
      .fields = event_fields },
    { .name = "call_tree",
      .title = "Calls as a tree",
      .about = "Calls with their arguments and results, as a tree in the order of time; repeated calls are folded. "
               "`around` gives those near a moment.",
      .command = "tree",
      .options = "thread depth from to around class method where fold mark",
      .key = "calls",
      .fields = call_fields },
    { .name = "frame_at",
      .title = "Stack and variables at a moment",
      .about = "The call stack just after an event, innermost frame first, with parameters and local variables.",
      .command = "locals",
      .parameters = moment_operand,
      .required = "at",
      .key = "frames",
      .fields = frame_fields },
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
      .fields = object_fields },
    { .name = "last_write",
      .title = "Who wrote this",
      .about = "The last write of a field, array element or local variable before a moment (without one: of all).",
      .command = "last-write",
      .options = "before at",
      .parameters = place_operand,
      .required = "what",
      .key = "write",
      .single = true,
      .fields = write_fields },
    { .name = "why",
      .title = "Where a value comes from",
      .about =
          "The chain back from the value of an event to where it came from, newest first: loads, writes, arguments, "
          "results. Where a value has several causes, `choose` follows another one.",
      .command = "why",
      .options = "choose",
      .parameters = event_operand,
      .required = "at",
      .key = "causes",
      .fields = cause_fields },
    { .name = "exceptions",
      .title = "Exceptions",
      .about = "Exceptions with message, stack, where they were thrown and caught, and whether they were swallowed.",
      .command = "exceptions",
      .options = "type swallowed",
      .key = "exceptions",
      .fields = exception_fields },
    { .name = "compare",
      .title = "What differs",
      .about = "What differs between two moments: variables of the frames that both have, or the members of an object; "
               "or between two recordings: how often each method was called, and the first call that differs.",
      .parameters = compare_parameters,
      .key = "differences",
      .fields = difference_fields,
      .run = tool_compare },
    { .name = "source",
      .title = "Source with what ran",
      .about = "Lines of a class or method, how often each ran, and their text if sources were given.",
      .parameters = source_parameters,
      .key = "lines",
      .fields = line_fields,
      .run = tool_source },
    { 0 },
};
