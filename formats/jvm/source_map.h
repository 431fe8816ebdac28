/* source_map.h - SourceDebugExtension, JVMS 4.7.11: which line of which file a line of LineNumberTable stands for.
 *
 * Compilers write one (an SMAP, JSR-45) where code was not made from the SourceFile of its class: Kotlin for inlined
 * functions, JSP and other templates. Of its strata the default one is read, which its third line names:
 *
 *     SMAP
 *     Main.kt
 *     Kotlin             the default stratum
 *     *S Kotlin
 *     *F                 files: number and name, with + also a path
 *     + 1 Main.kt
 *     a/b/MainKt         (Kotlin writes a class)
 *     + 2 Util.kt
 *     a/b/util/UtilKt
 *     *L                 rows of lines: INPUT_LINE#FILE,REPEAT:OUTPUT_LINE,INCREMENT
 *     1#1,14:1           lines 1 to 14 are those of a/b/Main.kt
 *     4#2,3:15           lines 15 to 17 are lines 4 to 6 of a/b/util/Util.kt
 *     *E
 *
 * Where two rows have a line the first one counts, as in JDI. */
#ifndef FORMATS_JVM_SOURCE_MAP_H
#define FORMATS_JVM_SOURCE_MAP_H

#include "formats/rows.h"
#include "formats/status.h"
#include "formats/vec.h"

struct mapped_file {
    uint32_t number;
    struct text name;   /* Util.kt */
    struct text folder; /* a/b/util/, relative; data NULL: the row has no path */
};
/* Lines `first` to `last` of LineNumberTable: line `base` is line `line` of the file, of which each takes
 * `increment`. */
struct mapped_lines {
    uint32_t first, last, base, increment;
    uint32_t line;
    uint32_t file; /* position in `files` */
};
struct source_map {
    VEC(struct mapped_file) files;  /* by number */
    VEC(struct mapped_lines) lines; /* rising */
};

/* Reads the attribute, which the map borrows. A default stratum that is missing or "Java" gives a map without lines.
 * Free with source_map_done, also after a failure. ERR_FORMAT: it is malformed. */
enum status source_map_read(struct source_map *map, struct text attribute, struct error *err);
void source_map_done(struct source_map *map);
/* NULL: the map does not have the line. */
const struct mapped_lines *source_map_find(const struct source_map *map, uint32_t table_line);

#endif
