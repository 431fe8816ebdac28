/* spot.c - see spot.h. */
#include "reader/command/spot.h"

#include <string.h>

#include "reader/command/out.h"

bool spot_equal(struct spot a, struct spot b)
{
    if (a.line != b.line || (a.file == NULL) != (b.file == NULL))
        return false;
    return a.file == NULL || strcmp(a.file, b.file) == 0;
}

const char *spot_other_file(const struct hs_class *c, struct spot spot)
{
    const char *slash = spot.file != NULL ? strrchr(spot.file, '/') : NULL;
    const char *name = slash != NULL ? slash + 1 : spot.file;
    return name != NULL && (c == NULL || strcmp(name, c->source_file) != 0) ? name : NULL;
}

const char *spot_file_name(const struct hs_class *c, struct spot spot)
{
    const char *other = spot_other_file(c, spot);
    return other != NULL ? other : c != NULL ? c->source_file : "";
}

void out_spot(struct out *o, const struct hs_class *c, struct spot spot)
{
    const char *file = spot_other_file(c, spot);
    if (spot.line < 0)
        return;
    if (file != NULL) {
        out_char(o, ':');
        out_name(o, file);
    }
    out_format(o, ":%d", spot.line);
}

void out_member_spot(struct out *o, struct spot spot)
{
    if (spot.line < 0)
        return;
    if (spot.file != NULL)
        out_member_name(o, "file", spot.file);
    json_member_i64(&o->json, "line", spot.line);
}
