/* info_redact.h - what `hindsight info` says of redact=: how much was left out, what was stored before, and at which
 * places, and which globs matched nothing. */
#ifndef READER_CLI_INFO_REDACT_H
#define READER_CLI_INFO_REDACT_H

#include "reader/command/cli.h"

/* They write nothing if the recording had no redact=. */
void info_late_places_json(hs_trace *t, struct json *j);
void info_unmatched_json(hs_trace *t, struct json *j);
void info_redact_text(hs_trace *t, struct out *o);

#endif
