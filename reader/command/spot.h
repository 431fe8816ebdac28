/* spot.h - a line of the source: the file and line of a place in the code, as in struct hs_dataid. */
#ifndef READER_COMMAND_SPOT_H
#define READER_COMMAND_SPOT_H

#include "reader/trace.h"

struct out;

struct spot {
    const char *file; /* NULL: the source file of its class */
    int32_t line;     /* -1: not known */
};
/* Of a struct hs_dataid, hs_place or hs_frame. */
#define SPOT_OF(place) ((struct spot){ (place)->file, (place)->line })

bool spot_equal(struct spot a, struct spot b);
/* The name of its file, without the folder, if that is not the source file of the class; else NULL. */
const char *spot_other_file(const struct hs_class *c, struct spot spot);
/* The name of its file, "" if it is not known. */
const char *spot_file_name(const struct hs_class *c, struct spot spot);
/* ":12", or ":Util.kt:12" of a line in another file than the source file of the class; nothing if it is not known. */
void out_spot(struct out *o, const struct hs_class *c, struct spot spot);
/* "file":..,"line":.. as far as they are known: the file where the class says in which of several its lines are. */
void out_member_spot(struct out *o, struct spot spot);

#endif
