/* source.h - lines of the program's source, for --source PATH:PATH.
 *
 * A path is a directory, or a jar or zip (-sources.jar, src.zip of a JDK), that holds files as packages do:
 * com/acme/Cart.java, in src.zip below the name of a module. A file that is not there is found by its name, if no other
 * file below the paths has it, since Kotlin leaves out folders that all packages have; and it declares no other
 * package. Which file a class comes from is recorded (SourceFile, SourceDebugExtension). Names are those of the
 * recorded program: they never lead out of a path.
 *
 * `file` is that of a struct spot: NULL for the source file of the class. */
#ifndef READER_COMMAND_SOURCE_H
#define READER_COMMAND_SOURCE_H

#include "reader/command/context.h"
#include "reader/command/spot.h"

struct sources;

/* PARSED, or the exit status after the error was reported. `context` is borrowed. */
int sources_open(struct context *context, const char *paths, struct sources **out);
/* The paths were not asked for: that a file is missing is not reported. */
void sources_guessed(struct sources *s);
/* The text of a line, without blanks at both ends, borrowed until the next call; NULL: there is none. The first file
 * that is missing is reported on standard error. `sources` is a struct sources. */
const char *sources_line(void *sources, const struct hs_class *c, struct spot spot);
/* A whole file, `*size` bytes, borrowed until the next call; NULL: there is none. */
const char *sources_text(struct sources *s, const struct hs_class *c, const char *file, size_t *size);
/* Where that file is, borrowed until the next call; NULL: there is none, or it stands in an archive. */
const char *sources_path(struct sources *s, const struct hs_class *c, const char *file);
/* com/acme/Cart.java of com.acme.Cart$Item; false: the names of the trace make no such name. */
enum { SOURCE_NAME_MAX = 4096 };
bool sources_name(const struct hs_class *c, const char *file, char name[SOURCE_NAME_MAX]);
void sources_close(struct sources *s); /* NULL is allowed */

#endif
