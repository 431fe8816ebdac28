/* cause_by.h - the words for enum hs_cause_by in JSON. */
#ifndef READER_COMMAND_CAUSE_BY_H
#define READER_COMMAND_CAUSE_BY_H

#include "reader/trace.h"

/* NULL: by recorded events. */
static inline const char *by_name(enum hs_cause_by by)
{
    switch (by) {
    case HS_BY_EVENTS: return NULL;
    case HS_BY_IDENTITY: return "identity";
    case HS_BY_EQUAL: return "equal";
    case HS_BY_COMPUTED: return "computed";
    case HS_BY_CONTROL: return "control";
    }
    return NULL;
}

#endif
