/* why_unrecorded.c - what was loaded was last written in a part of the recording that had ended before the load: see
 * periods.h. */
#include "reader/query/why.h"

#include <stdio.h>

enum status why_from_old_write(struct why *w, const struct hs_event *write, const char *what)
{
    enum status st = why_goes_on(w, write, "%s, the last write that was recorded is at seq %llu; %s", what,
                                 (unsigned long long)write->seq, why_gap(w, write));
    why_prefer(w, write, HS_BY_EQUAL);
    return st;
}

enum status why_from_unrecorded(struct why *w, const struct hs_event *write, uint64_t owner, const char *what,
                                struct error *err)
{
    char how[TEXT_MAX / 2];
    uint64_t since;
    enum status st = recorded_since(w->trace, &w->now, &since, err);
    if (st != OK)
        return st;
    if (since == 0)
        (void)snprintf(how, sizeof how, "%s, which no woven code wrote since the recording began", what);
    else
        (void)snprintf(how, sizeof how, "%s, which no woven code wrote since recording went on at seq %llu", what,
                       (unsigned long long)since);
    if (owner != 0 && owner <= UINT32_MAX && since < w->now.seq) {
        st = why_from_handover(w, (uint32_t)owner, since, how, err);
        if (st != ERR_NOT_FOUND)
            return st;
    }
    if (write == NULL)
        return why_ends(w, "not recorded", "%s, no write of it was recorded; %s", what, why_gap(w, NULL));
    return why_ends(w, "not recorded", "%s, the last write that was recorded (seq %llu) has another value; %s", what,
                    (unsigned long long)write->seq, why_gap(w, write));
}
