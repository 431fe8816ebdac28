/* format.h - the formats of a recording and what each of them keeps: the rows of formats.def. */
#ifndef FORMATS_FORMAT_H
#define FORMATS_FORMAT_H

#include <stdbool.h>
#include <stddef.h>

#include "formats/event.h"

enum format_id {
#define FORMAT(id, name, alias, stream, values, times, snapshots, groups, help) FORMAT_##id,
#include "formats/formats.def"
#undef FORMAT
    FORMAT_COUNT
};

struct format {
    enum format_id id;
    const char *name, *alias, *help;
    bool stream, values, times, snapshots;
    group_set groups;
};

const struct format *format_get(enum format_id id);
/* By name or alias; NULL if there is none. */
const struct format *format_find(const char *name);
/* By the key `format` of a trace's info. Never NULL: without the key (NULL) it is a stream, and an unknown name gives a
 * row that keeps nothing. */
const struct format *format_of_trace(const char *name);
/* Nothing is kept of its events. */
static inline bool format_keeps_nothing(const struct format *f) { return !f->stream && !f->snapshots; }
/* The last values of every data ID are kept, as a state. */
static inline bool format_keeps_last_values(const struct format *f) { return f->values && f->snapshots; }

#endif
