/* job.h - one run of `hindsight weave`: what it was asked, what it counted, and how its inputs and outputs are walked.
 *
 * An output stands under its name when it is whole, or not at all: it is written under another name and renamed. Memory
 * is bounded by the largest class file that is taken, whatever a jar or a directory says of itself. */
#ifndef WEAVER_TOOL_JOB_H
#define WEAVER_TOOL_JOB_H

#include <stdbool.h>
#include <stddef.h>

#include "formats/bytes.h"
#include "formats/event.h"
#include "reader/cli/cli.h"

#define CLASS_BYTES_TEXT "64 MB"
enum { CLASS_BYTES_MAX = 64 << 20 }; /* of a class file that is read; more is no class file that a compiler made */

struct totals {
    unsigned long long classes, methods, hooks, dataids, bytes_in, bytes_out, failed, methods_narrowed,
        methods_given_up, differ;
};

struct job {
    struct out *out;
    group_set groups;
    bool identity, twice;
    struct totals t;
};

/* Weaves one class (cmd_weave.c); `woven` gets what to write, the original where nothing was woven. False: it is no
 * valid class, which was told. */
bool job_weave(struct job *j, const char *name, const void *data, size_t size, struct writer *woven);
bool is_class(const char *name);

/* 0 done, else the exit status after an error was told. `out` may be NULL: nothing is written. weave_path.c,
 * weave_jar.c */
int weave_path(struct job *j, const char *in, const char *out);
int weave_jar(struct job *j, const char *in, const char *out);

/* Writes a file whole or not at all. What is there and no regular file (a pipe) is written as it is. False with errno.
 */
bool write_file(const char *path, const void *data, size_t size);

#endif
