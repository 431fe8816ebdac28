/* info_parts.h - the parts of a recording in `hindsight info`: starts, intervals, and snapshots of the state. */
#ifndef READER_CLI_INFO_PARTS_H
#define READER_CLI_INFO_PARTS_H

#include "reader/command/cli.h"

/* Members `intervals` and `snapshots`, if there are any; at most `limit` of each are listed. */
void info_intervals_json(hs_trace *t, struct json *j, hs_cursor *intervals, uint64_t limit);
void info_snapshots_json(hs_trace *t, struct json *j, hs_cursor *snapshots, uint64_t limit);
void info_parts_text(hs_trace *t, struct out *o, hs_cursor *intervals, hs_cursor *snapshots, uint64_t limit);

/* `weave` or `period` (formats/info_keys.def) of the Nth start of recording, from 1 on; NULL: there is no such row. If
 * recording was started once there is none at all. */
const char *info_start(const hs_trace *t, const char *name, unsigned n);
/* What each start wove, if there were several. */
void info_starts_json(const hs_trace *t, struct json *j);
void info_starts_text(const hs_trace *t, struct out *o);

#endif
