/* secrets.h - the texts and numbers that `redact` and `pack --redact` remove. */
#ifndef READER_CLI_SECRETS_H
#define READER_CLI_SECRETS_H

#include "formats/redact_trace.h"
#include "reader/command/cli.h"

typedef VEC(struct secret) secret_vec;

/* Those of an option; "-" stands for the lines of standard input. PARSED, or the exit status after the error was
 * reported: one that is too short, or none at all. */
int secrets_collect(struct context *context, const char *option, const struct texts *given, secret_vec *out);
void secrets_free(secret_vec *v);
/* Writes the trace without them into the new directory. PARSED, or the exit status after the session was closed. */
int secrets_remove(struct session *s, const secret_vec *v, const char *out_dir, struct redact_result *result);

#endif
