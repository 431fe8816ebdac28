/* listen.h - where the debug adapter gets its connections: standard input and output, or a port of this machine. */
#ifndef READER_SERVE_LISTEN_H
#define READER_SERVE_LISTEN_H

#include "reader/command/cli.h"

/* One session. Returns the exit status. */
int serve_standard(struct context *context);
/* Sessions on `[ADDR:]PORT`, each in a process of its own, until the process is ended. Prints one line with the address
 * and the token, which a file keeps (token_keep) unless `token_file` is NULL. */
int serve_listen(const struct common *common, struct context *context, const char *address, const char *token_file);

#endif
