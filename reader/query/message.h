/* message.h - what getMessage gave of an exception when it was thrown, where that is not the field of Throwable. */
#ifndef READER_MESSAGE_H
#define READER_MESSAGE_H

#include "formats/rows.h"
#include "reader/trace/open_trace.h"

/* Sets message (in `to`), message_computed and message_overridden of `out`, whose row is `row`, from what the trace
 * has. */
enum status message_complete(hs_trace *t, struct arena *to, const struct thrown_row *row, struct hs_thrown *out,
                             struct error *err);

#endif
