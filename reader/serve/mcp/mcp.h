/* mcp.h - `hindsight mcp`: the tools of the Model Context Protocol over a trace. cmd_mcp.c starts it.
 *
 *     line of JSON --protocol.c--> method --call.c--> a tool of tools.c --> text of a command --page.c--> answer
 *
 * There are few tools, each of which answers a whole question as the text that commands print, within a budget of
 * tokens (page.h). protocol.c reads messages and answers the methods of both eras of the protocol; tools.c is the one
 * table of tools, from which schema.c writes the list that clients get, and by which call.c checks arguments and
 * chooses the command (context.h). skill.c has the text that teaches an assistant. traces.h has the traces that were
 * named at the start, and those that the tool `record` made: no other file is ever opened for a message.
 *
 * What comes from a client is limited: lines of MESSAGE_BYTES_MAX, answers of BUDGET_MAX tokens, a deadline for each
 * call. */
#ifndef READER_SERVE_MCP_MCP_H
#define READER_SERVE_MCP_MCP_H

#include <cjson/cJSON.h>

#include "formats/bytes.h"
#include "formats/json.h"
#include "reader/command/cli.h"
#include "reader/serve/mcp/page.h"
#include "reader/serve/mcp/traces.h"

enum { MESSAGE_BYTES_MAX = 4 << 20, BUDGET_DEFAULT = 1500, BUDGET_MIN = 500, BUDGET_MAX = 20000 };
enum { TOOL_FORMS_MAX = 6, TOOL_NEXT_MAX = 4 };

struct mcp {
    struct traces traces;
    const char *source;  /* --source; NULL: not given */
    const char *record;  /* --record: the words behind `hindsight record`; NULL: there is no tool of this name */
    uint64_t timeout_ms; /* of one call */
};

struct call;
/* Writes the text of the answer to call->page; false: call->error says why not. */
typedef bool tool_fn(struct call *call);

/* A command that a tool asks. */
struct tool_form {
    const char *when;     /* the argument that chooses it; NULL: any call that no form before it takes */
    const char *command;  /* NULL: it ends the list */
    const char *options;  /* options that are given if the argument of the name is, or `option=argument`; words with
                             blanks between. With a leading dash: it is always given, without an argument */
    const char *operands; /* arguments that are operands, in their order */
};
/* A question that may come next. `$at` stands for an argument, `$first` and `$last` for the first and last seq of the
 * answer; without one of them it is left out. */
struct tool_next {
    const char *tool, *arguments;
};
struct tool {
    const char *name, *title, *about;
    const struct option_row *parameters; /* offset is not used */
    const char *required;                /* names with blanks between; NULL: none */
    struct tool_form forms[TOOL_FORMS_MAX];
    struct tool_next next[TOOL_NEXT_MAX];
    bool any_trace; /* runs without a trace if there are several and none is named */
    bool records;   /* it is not read-only */
    tool_fn *run;   /* NULL: by the forms */
};
extern const struct tool tools[]; /* ends with a row without a name */

struct call {
    struct mcp *mcp;
    const struct tool *tool;
    const cJSON *arguments; /* an object, or NULL; checked */
    const struct tool_form *form;
    struct host host;
    struct trace *trace;
    uint64_t budget;  /* tokens */
    uint64_t skip;    /* lines of earlier pages */
    struct page page; /* its text: the answer */
    struct writer error;
};

/* schema.c: the member "tools" of the answer to tools/list. */
void schema_tools(const struct mcp *mcp, struct json *j);

/* parameters.c. The i-th parameter of a tool, first its own, then those that all have; NULL behind the last. */
const struct option_row *tool_parameter(const struct tool *t, size_t i);
const struct option_row *tool_find_parameter(const struct tool *t, const char *name);
bool word_in(const char *words, const char *name); /* among words with blanks between; NULL: among none */
/* Only a server with a command to record has the tools that record. */
bool tool_is_served(const struct mcp *mcp, const struct tool *t);

/* call.c: `result` gets the members of the result of tools/call. */
void call_tool(struct mcp *mcp, const struct tool *tool, const cJSON *arguments, struct json *result);
/* The value of an argument as text, "" for true, NULL if it is not given; valid as long as the arguments. */
const char *call_text(struct call *c, const char *name, char number[JSON_NUMBER_MAX]);
/* Ends the call with a message; false. */
bool call_fail(struct call *c, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Runs a command of the call's trace; its text goes to the page. */
bool call_command(struct call *c, struct page *page, const char *const *words, size_t count);
/* Runs the command of call->form with the arguments of the call. */
bool call_form(struct call *c, struct page *page);

/* The tools that are not by their forms alone. */
tool_fn tool_overview, tool_why, tool_record;

/* skill.c: the text that teaches an assistant (docs/assistants/SKILL.md), as a prompt and as a resource. The members of
 * the results of prompts/list, prompts/get, resources/list, resources/read; false: there is no other one. */
#define SKILL_URI "hindsight://skill"
void skill_prompts(struct json *j);
bool skill_prompt(struct json *j, const char *name);
void skill_resources(struct json *j);
bool skill_resource(struct json *j, const char *uri);
extern const char skill_text[]; /* made by the build (cmake/EmbedText.cmake) */

/* protocol.c: answers one line; NULL in `answer` for notifications. `n` bytes, ended with NUL. */
void protocol_message(struct mcp *mcp, const char *line, size_t n, struct writer *answer);
/* The line was longer than MESSAGE_BYTES_MAX. */
void protocol_too_long(struct writer *answer);

#endif
