/* version.c - version of the library, sizes of public structs, and compile-time checks that the lists of trace.h equal
 * those of formats/. */
#include "reader/trace.h"

#include <string.h>

#include "formats/event.h"
#include "formats/status.h"

const char *hs_version(void) { return HS_VERSION; }
unsigned hs_version_number(void) { return HS_VERSION_NUMBER; }

size_t hs_sizeof(const char *struct_name)
{
    static const struct {
        const char *name;
        size_t size;
    } structs[] = {
#define PUBLIC_STRUCT(name) { #name, sizeof(struct name) },
#include "reader/trace/public_structs.def"
#undef PUBLIC_STRUCT
    };
    for (size_t i = 0; i < sizeof structs / sizeof *structs; i++)
        if (strcmp(structs[i].name, struct_name) == 0)
            return structs[i].size;
    return 0;
}

/* A row of a .def file without its constant in trace.h, or with another number, does not compile. */
#define EVENT(no, name, ...) _Static_assert(HS_EVENT_##name == (no), "trace.h: HS_EVENT_" #name);
#include "formats/events.def"
#undef EVENT
#define GROUP(bit, name, text) _Static_assert(HS_GROUP_##name == (bit), "trace.h: HS_GROUP_" #name);
#include "formats/groups.def"
#undef GROUP
#define KIND(letter, name, hook, text) _Static_assert(HS_KIND_##name == (letter), "trace.h: HS_KIND_" #name);
#include "formats/kinds.def"
#undef KIND
#define HS_ERR_CANCELLED   HS_CANCELLED /* not an error, so its public name has no ERR_ */
#define STATUS(name, text) _Static_assert((int)HS_##name == (int)(name), "trace.h: HS_" #name);
#include "formats/status.def"
#undef STATUS
#undef HS_ERR_CANCELLED
