/* mcp.h - `hindsight mcp`: the tools of the Model Context Protocol over a trace. cmd_mcp.c starts it.
 *
 *     line of JSON --protocol.c--> method --call.c--> a tool of tools.c --> rows of JSON --call.c--> answer
 *
 * protocol.c reads messages and answers the methods of both eras of the protocol; tools.c is the one table of tools,
 * from which schema.c writes the list that clients get, and by which call.c checks arguments (parameters.c) and runs
 * the tool: most are commands (context.h), so that a tool answers what the command prints with --json. rows.h makes
 * pages of rows. traces.h has the traces that were named at the start: no other file is ever opened for a message.
 *
 * What comes from a client is limited: lines of MESSAGE_BYTES_MAX, 50 rows a page, a deadline for each call. */
#ifndef READER_SERVE_MCP_MCP_H
#define READER_SERVE_MCP_MCP_H

#include <cjson/cJSON.h>

#include "formats/bytes.h"
#include "formats/json.h"
#include "reader/command/cli.h"
#include "reader/serve/mcp/rows.h"
#include "reader/serve/mcp/traces.h"

enum { MESSAGE_BYTES_MAX = 4 << 20, PAGE_ROWS = 50 };

struct mcp {
    struct traces traces;
    const char *source;  /* --source; NULL: not given */
    uint64_t timeout_ms; /* of one call */
};

struct call;
/* Writes the members of the answer to call->members; false: call->error says why not. */
typedef bool tool_fn(struct call *call);

struct tool {
    const char *name, *title, *about;
    const char *command; /* that answers; NULL: `run` does by itself */
    const char *options; /* parameters that are options of the command, with their text: names with blanks between */
    /* further parameters: the operands of the command, or those of `run`; offset is not used; one number at most */
    const struct option_row *parameters;
    const char *required; /* names with blanks between; NULL: none */
    const char *key;      /* of the member with the rows */
    bool single;          /* one object, not an array of rows */
    bool members;         /* pages are of the members of the object: --skip, and the number of all in "members" */
    bool any_trace;       /* runs without a trace if there are several and none is named */
    bool seeks;           /* rows are events: a cursor is the seq to go on from, not a number of rows */
    const char *answer;   /* what it answers: the rows, or without a key its members (answers/answers.def) */
    tool_fn *run;
};
extern const struct tool tools[]; /* ends with a row without a name */

struct call {
    struct mcp *mcp;
    const struct tool *tool;
    const cJSON *arguments; /* an object, or NULL; checked */
    struct host host;
    struct context context; /* of a tool that is no command */
    struct trace *trace;
    uint64_t skip;     /* rows of earlier pages */
    uint64_t seq;      /* of a tool that seeks: where the page begins; UINT64_MAX: at the beginning */
    uint64_t limit;    /* rows of a page */
    struct json *json; /* the answer; its object is open */
    uint64_t shown;    /* rows of the page */
    bool more;         /* there are more rows */
    uint64_t next_seq; /* of the first of them */
    struct writer error;
};

/* schema.c: the member "tools" of the answer to tools/list. */
void schema_tools(struct json *j);

/* parameters.c. The i-th parameter of a tool, first those of its command, then its own, then those that all have; NULL
 * behind the last. */
const struct option_row *tool_parameter(const struct tool *t, size_t i);
bool word_in(const char *words, const char *name); /* among words with blanks between; NULL: among none */

/* call.c: `result` gets the members of the result of tools/call. */
void call_tool(struct mcp *mcp, const struct tool *tool, const cJSON *arguments, struct json *result);
/* The value of an argument as text, "" for true, NULL if it is not given; valid as long as the arguments. */
const char *call_text(struct call *c, const char *name, char number[JSON_NUMBER_MAX]);
bool call_u64(struct call *c, const char *name, uint64_t *value); /* false: it is not given */
/* Ends the call with a message; false. */
bool call_fail(struct call *c, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Runs a command of the call's trace whose rows become the member `key`; `words` are its options and operand. */
bool call_command(struct call *c, const char *key, bool single, const char *const *words, size_t count);
/* A session for a tool that answers by itself: its rows go to session->out, and become the member `key`. */
bool call_begin_rows(struct call *c, struct session *s, struct rows *rows);
bool call_end_rows(struct call *c, struct session *s, struct rows *rows, bool ok);
/* The trace of an argument; NULL: call_fail was called. */
struct trace *call_trace(struct call *c, const char *argument);

/* The tools that are no commands. */
tool_fn tool_overview, tool_compare, tool_source;

/* protocol.c: answers one line; NULL in `answer` for notifications. `n` bytes, ended with NUL. */
void protocol_message(struct mcp *mcp, const char *line, size_t n, struct writer *answer);
/* The line was longer than MESSAGE_BYTES_MAX. */
void protocol_too_long(struct writer *answer);

#endif
