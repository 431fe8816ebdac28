/* parts.h - what the files of weaver/tool share; the public header is offline.h. */
#ifndef WEAVER_TOOL_PARTS_H
#define WEAVER_TOOL_PARTS_H

#include <stddef.h>

#include "formats/bytes.h"
#include "weaver/tool/offline.h"
#include "weaver/weave.h"

enum { CLASS_BYTES_MAX = 64 << 20 }; /* the largest class file that is read */
#define CLASS_TOO_LARGE "larger than 64 MB, the limit for a class file"

/* Reports an error. Always false, so that callers can write `return offline_fail(...)`. */
bool offline_fail(struct offline *o, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Says something that is no error. */
void offline_note(struct offline *o, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* saved_file.c: the file for prewoven=. It is made when there is a class to put into it. */
struct offline_saved {
    int fd;      /* -1: not made yet */
    bool failed; /* and this was reported */
    char path[4096 + 32], temporary[4096 + 48];
};
/* False: the path is too long. */
bool saved_file_init(struct offline_saved *s, const char *out, bool is_directory);
/* Appends a class. False: reported. */
bool saved_file_add(struct offline *o, const struct weave_config *config, const void *original, size_t size,
                    const struct weave_result *r);
/* Gives it its name, or removes it if the run failed. False: reported. */
bool saved_file_end(struct offline *o, bool keep);

/* Weaves one class; `woven` gets the bytes to write, those of the original if nothing was woven. False: it is not a
 * valid class file; this was reported under `name`. */
bool offline_class(struct offline *o, const char *name, const void *data, size_t size, struct writer *woven);

/* Does the name end in .class? */
bool is_class_name(const char *name);
/* Writes a file completely or not at all. An existing path that is not a regular file (a pipe) is written directly.
 * False with errno. */
bool write_whole_file(const char *path, const void *data, size_t size);

bool offline_file(struct offline *o, const char *in, const char *out);
bool offline_directory(struct offline *o, const char *in, const char *out);
bool offline_jar(struct offline *o, const char *in, const char *out);

#endif
