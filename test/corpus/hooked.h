/* hooked.h - a class woven so that its hooks record inputs alone has the same data IDs as one with all hooks, and a
 * hook for each event that does not follow from the code. */
#ifndef TEST_CORPUS_HOOKED_H
#define TEST_CORPUS_HOOKED_H

#include <stdbool.h>

#include "weaver/weave.h"

struct hooked_result {
    unsigned long long methods, events, hooked; /* of methods that record inputs alone */
    char why[ERROR_TEXT_MAX];                   /* what is not so */
};

/* Adds to the counts. False: it is not so. `plain` and `inputs` are the class woven with all groups, the latter with
 * weave_config.inputs. */
bool hooked_compare(const struct weave_result *plain, const struct weave_result *inputs, uint32_t first_dataid,
                    struct hooked_result *out);

#endif
