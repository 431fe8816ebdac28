/* escape.h - how a format of text writes the characters that mean something in it. Control characters and the like are
 * visible already (formats/visible.h): texts come from functions of out.h or show.h. */
#ifndef READER_EXPORT_ESCAPE_H
#define READER_EXPORT_ESCAPE_H

#include "reader/command/out.h"

enum escape_code { ESCAPE_HEX, ESCAPE_DECIMAL };
struct escape {
    const char *special; /* ASCII: written as `before`, the code, `after` */
    const char *before;
    enum escape_code code; /* four digits; a number */
    const char *after;
    const char *backslashed; /* ASCII: written with a backslash in front; NULL: none */
};
void out_escaped(struct out *o, const char *text, const struct escape *how);

#endif
