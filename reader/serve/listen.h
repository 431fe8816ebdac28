/* listen.h - where the debug adapter gets its connections: standard input and output, or a port of this machine. */
#ifndef READER_SERVE_LISTEN_H
#define READER_SERVE_LISTEN_H

struct common;

/* One session. Returns the exit status. */
int serve_standard(const char *command);
/* Sessions on `[ADDR:]PORT`, each in a process of its own, until the process is ended. Prints one line with the address
 * and the token, which a file keeps (token_keep) unless `token_file` is NULL. */
int serve_listen(const struct common *common, const char *command, const char *address, const char *token_file);

#endif
