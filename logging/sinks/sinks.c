/* sinks.c - the table of sinks. */
#include "logging/sinks/sink.h"

const struct sink *sink_of(enum format_id format)
{
    static const struct sink *const sinks[FORMAT_COUNT] = {
#define FORMAT(id, name, alias, stream, values, times, snapshots, groups, help) [FORMAT_##id] = &sink_##name,
#include "formats/formats.def"
#undef FORMAT
    };
    return sinks[format];
}
