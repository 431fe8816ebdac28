/* format.c - the rows of formats.def and look-ups over them. */
#include "formats/format.h"

#include <string.h>

static const struct format formats[FORMAT_COUNT] = {
#define FORMAT(id_, name_, alias_, stream_, values_, times_, snapshots_, groups_, help_)                               \
    [FORMAT_##id_] = { FORMAT_##id_, #name_, alias_, help_, stream_, values_, times_, snapshots_, groups_ },
#include "formats/formats.def"
#undef FORMAT
};

const struct format *format_get(enum format_id id) { return &formats[id]; }

const struct format *format_find(const char *name)
{
    for (size_t i = 0; i < FORMAT_COUNT; i++) {
        const struct format *f = &formats[i];
        if (strcmp(name, f->name) == 0 || (f->alias[0] != '\0' && strcmp(name, f->alias) == 0))
            return f;
    }
    return NULL;
}

const struct format *format_of_trace(const char *name)
{
    static const struct format unknown = { .id = FORMAT_COUNT, .name = "", .alias = "", .help = "" };
    if (name == NULL)
        return &formats[FORMAT_OMNI];
    const struct format *f = format_find(name);
    return f != NULL ? f : &unknown;
}
