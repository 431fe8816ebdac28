/* info_parts.h - the part of `hindsight info` about recordings in parts: intervals, and snapshots of the state. */
#ifndef READER_CLI_INFO_PARTS_H
#define READER_CLI_INFO_PARTS_H

#include "reader/cli/cli.h"

/* Members `intervals` and `snapshots`, if there are any; at most `limit` of each are listed. -1 with
 * `error` filled. */
int info_parts_json(hs_trace *t, struct json *j, uint64_t limit, struct hs_error *error);
int info_parts_text(hs_trace *t, struct out *o, uint64_t limit, struct hs_error *error);

#endif
