/* context.h - what a command is run with: its name, its command line, and who runs it.
 *
 * A command is `int cmd_<name>(struct context *)`. Run from a shell it has no host: it opens its trace itself and
 * writes on standard output and standard error. A server runs commands with a host, which takes what they write and
 * sets the time by which they must end, so that its answer is that of the command: in the same process with a trace
 * that stays open (mcp), or in a process of its own, so that a damaged trace can end an answer, not the server (view).
 * What asks the context: session_open and session_step (trace, deadline), cli_out_init (output) and cli_fail
 * (messages). */
#ifndef READER_COMMAND_CONTEXT_H
#define READER_COMMAND_CONTEXT_H

#include "formats/bytes.h"
#include "reader/command/out.h"

struct host {
    const char *program; /* commands run as children of the host, of this program; NULL: in this process */
    hs_trace *trace;     /* the caller's; not used with a program */
    out_sink_fn *sink;   /* standard output; ECANCELED: it has enough, and the command ends well */
    void *to;
    /* What was said on standard error: lines, without the names of program and command; of a child the end of it, as it
     * stands there. */
    struct writer messages;
    uint64_t deadline_ms; /* of host_now_ms */
    bool late;            /* a command was ended by the deadline */
    bool assistant;       /* the answer names questions to go on with as calls of tools of mcp */
};

struct context {
    const char *name; /* of the command, as it is typed */
    int argc;
    char **argv;       /* argv[0] is the name, argv[argc] is NULL */
    struct host *host; /* NULL: none */
};

enum { COMMAND_NOT_STARTED = -1 };
/* run.c. Runs the command that argv[0] names, which exists; `host` may be NULL. Returns its exit status, or, of a
 * child, COMMAND_NOT_STARTED with errno. */
int command_run(struct host *host, int argc, char **argv);
/* apart.c: command_run of a host with a program. */
int apart_run(struct host *h, int argc, char **argv);
/* Adds a message. */
void host_message(struct host *h, const char *text, size_t n);
bool host_is_late(struct host *h);
uint64_t host_now_ms(void);

#endif
