/* host.h - commands that run inside of a server (mcp): the server gives the trace, which stays open, and takes what
 * they write on standard output and standard error.
 *
 * A command is run as from the command line, by its row of commands.def, so that an answer of a server is that of the
 * command. While one runs, `host` is not NULL: session_open takes its trace, cli_out_init its sink, cli_fail adds to
 * its messages, and long work ends at its deadline. It is one for the process, as commands have no other argument than
 * their command line. */
#ifndef READER_COMMAND_HOST_H
#define READER_COMMAND_HOST_H

#include "formats/bytes.h"
#include "reader/command/out.h"

struct host {
    hs_trace *trace;   /* the caller's */
    out_sink_fn *sink; /* standard output; ECANCELED: it has enough, and the command ends well */
    void *to;
    struct writer messages; /* what was said on standard error: lines, without the names of program and command */
    uint64_t deadline_ms;   /* of host_now_ms */
    bool late;              /* a command was ended by the deadline */
};
extern struct host *host;

/* Runs a command; returns its exit status. argv[0] is its name, argv[argc] is NULL. */
int host_run(struct host *h, int argc, char **argv);
/* Adds a message. */
void host_message(struct host *h, const char *text, size_t n);
bool host_is_late(struct host *h);
uint64_t host_now_ms(void);

#endif
