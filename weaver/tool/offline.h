/* offline.h - weaves class files, directories and jars without a JVM: the library behind `hindsight weave`.
 *
 * An output file appears under its name complete or not at all: it is written under a temporary name and renamed. At
 * most one class is in memory, and a class file may have CLASS_BYTES_MAX bytes, whatever a jar or a directory claims.
 * Beside a jar OUT is written OUT.woven, in a directory OUT hindsight.woven: what option prewoven= of the agent needs
 * of each class (weaver/saved.h). Errors and incomplete classes are reported through callbacks; the run continues with
 * the next input. */
#ifndef WEAVER_TOOL_OFFLINE_H
#define WEAVER_TOOL_OFFLINE_H

#include <stdbool.h>

#include "formats/event.h"
#include "formats/rows.h"

struct offline_totals {
    unsigned long long classes, methods, hooks, dataids, bytes_in, bytes_out;
    unsigned long long failed;           /* classes that could not be read or woven */
    unsigned long long methods_narrowed; /* without some of the groups */
    unsigned long long methods_given_up; /* without any hook */
    unsigned long long differ;           /* classes that failed the comparison of `identity` or `twice` */
};

struct offline {
    group_set groups;
    bool identity; /* do not weave: read and write each class, and compare */
    bool twice;    /* weave each class twice, and compare */
    /* A class or method that has not all of its hooks, or that differs. `method` is NULL for a whole class. */
    void (*incomplete)(void *context, struct text class_name, const struct method_row *method, struct text reason);
    /* One input or output that failed: "PATH: why". */
    void (*failed)(void *context, const char *message);
    /* What the user should know of an output that is as it should be. */
    void (*note)(void *context, const char *message);
    void *context;
    struct offline_saved *saved;  /* used by weaver/tool alone */
    struct offline_totals totals; /* zero before the run */
};

/* Weaves the class file, directory or jar `in`. The result is written to `out`, of the same kind; NULL: not written.
 * False: something failed and was reported. */
bool offline_weave(struct offline *o, const char *in, const char *out);

#endif
