/* watch_place.h - what the text of a place means: data IDs, or a location that is written. */
#ifndef READER_SESSION_WATCH_PLACE_H
#define READER_SESSION_WATCH_PLACE_H

#include "reader/session/nav.h"

struct watch_place {
    enum hs_watch_place kind; /* never ANY */
    u32_vec ids;              /* rising; of WRITE none: the text is its location */
};
/* ERR_USAGE, ERR_NOT_FOUND: a sentence, with `near` what is called nearly so, for which all names are compared.
 * watch_place_done in any case. */
enum status watch_place_find(struct nav *nav, enum hs_watch_place kind, const char *text, bool near,
                             struct watch_place *out, struct error *err);
void watch_place_done(struct watch_place *p);

#endif
