/* facts.h - what the check expects of an event beside its place in the code */
#ifndef READER_FSCK_FACTS_H
#define READER_FSCK_FACTS_H

#include "reader/code/code.h"
#include "reader/fsck/members.h"

struct event_facts {
    bool known;
    bool exact_type;       /* `type` is the exact type, else a supertype */
    enum purity purity;    /* CALL, INVOKE_DYNAMIC */
    const char *type;      /* of a reference, as in Java source; NULL: any */
    struct ffield *field;  /* of field events; NULL: it is not certain which */
    struct callee *callee; /* CALL: calls.c */
};
bool facts_init(struct fsck *f);
void facts_done(struct fsck *f);
/* Of an event that has a row. */
struct event_facts *facts_of(struct fsck *f, const struct code_event *e);

#endif
