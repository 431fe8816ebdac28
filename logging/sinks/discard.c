/* discard.c - format discard: hooks run, nothing is kept, buffers are freed unread. */
#include "logging/sinks/sink.h"

const struct sink sink_discard = { .storage = &sink_storage_store };
