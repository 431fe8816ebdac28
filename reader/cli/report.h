/* report.h - the part of `hindsight report` that shows paths instead of times. */
#ifndef READER_CLI_REPORT_H
#define READER_CLI_REPORT_H

#include "reader/cli/cli.h"

struct path_choice {
    enum hs_path_kind kind;
    bool json;
    uint64_t limit;
    const char *class_glob, *method_glob;
    uint64_t from, to; /* seqs */
};
/* Shows the paths and closes the session; the exit status. */
int report_paths(struct session *s, const struct path_choice *choice);

#endif
