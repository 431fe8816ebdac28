/* facts.h - what an event of a data ID means for the frames of its thread: one small row per data ID, a class at a
 * time. */
#ifndef READER_FACTS_H
#define READER_FACTS_H

#include "reader/trace/internal.h"

enum fact_op {
    FACT_UNREAD,      /* its class has not been asked for yet */
    FACT_STRANGE,     /* no such data ID, or of a method whose entries and exits are not recorded */
    FACT_INSIDE,      /* an event of the frame, nothing more */
    FACT_ENTER,       /* METHOD_ENTRY */
    FACT_LEAVE,       /* METHOD_NORMAL_EXIT, METHOD_EXCEPTIONAL_EXIT */
    FACT_INITIALIZED, /* METHOD_OBJECT_INITIALIZED: the receiver is known */
    FACT_WRITE,       /* METHOD_PARAM, LOCAL_STORE, LOCAL_INCREMENT: a local has a new value */
    FACT_READ,        /* LOCAL_LOAD: a local has this value */
    FACT_LOCK,        /* MONITOR_ENTER_RESULT: the frame holds the monitor */
    FACT_UNLOCK,      /* MONITOR_EXIT */
};

struct fact {
    uint8_t op; /* enum fact_op */
    uint8_t event;
    /* WRITE, READ; of an event PUT_INSTANCE_FIELD instead what stands for the field in a place (index.h) */
    uint16_t slot;
    uint32_t method; /* method id */
};

/* Row of a data ID; never NULL, a STRANGE one if there is no such data ID. */
const struct fact *facts_get(hs_trace *t, uint32_t id);
/* Slots of locals that events of the method name: greatest slot + 1. */
uint32_t facts_slots(hs_trace *t, uint32_t method_id);
bool facts_ready(hs_trace *t); /* false: out of memory */
void facts_done(hs_trace *t);

/* Number or text of an attribute; `absent`, NULL if the data ID has none of that name. */
int64_t facts_number(const struct hs_dataid *d, const char *name, int64_t absent);
const char *facts_text(const struct hs_dataid *d, const char *name);
/* Slot of the first argument at position `index` (0 the receiver, if `instance`) of a descriptor; UINT32_MAX if none.
 */
uint32_t facts_parameter_slot(const char *desc, bool instance, int64_t index);

#endif
