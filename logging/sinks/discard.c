/* discard.c - hooks run, nothing is kept: buffers are emptied unread. */
#include "logging/sinks/sink.h"

const struct sink sink_discard = { .storage = &sink_storage_store };
