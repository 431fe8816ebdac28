/* effects.h - frame effects: what an event of a data ID does to the frames of its thread. One small row per data ID,
 * read a class at a time. */
#ifndef READER_EFFECTS_H
#define READER_EFFECTS_H

#include "reader/trace/internal.h"

enum effect_op {
    EFFECT_UNREAD,      /* its class has not been asked for yet */
    EFFECT_STRANGE,     /* no such data ID, or of a method whose entries and exits are not recorded */
    EFFECT_INSIDE,      /* an event of the frame, nothing more */
    EFFECT_ENTER,       /* METHOD_ENTRY */
    EFFECT_LEAVE,       /* METHOD_NORMAL_EXIT, METHOD_EXCEPTIONAL_EXIT */
    EFFECT_INITIALIZED, /* METHOD_OBJECT_INITIALIZED: the receiver is known */
    EFFECT_WRITE,       /* METHOD_PARAM, LOCAL_STORE, LOCAL_INCREMENT: a local has a new value */
    EFFECT_READ,        /* LOCAL_LOAD: a local has this value */
    EFFECT_LOCK,        /* MONITOR_ENTER_RESULT: the frame holds the monitor */
    EFFECT_UNLOCK,      /* MONITOR_EXIT */
};

struct effect {
    uint8_t op; /* enum effect_op */
    uint8_t event;
    /* WRITE, READ; of PUT_INSTANCE_FIELD instead the field's part of a location key (location_key.h) */
    uint16_t slot;
    uint32_t method; /* method id */
};

/* Row of a data ID; never NULL, a STRANGE one if there is no such data ID. */
const struct effect *effects_get(hs_trace *t, uint32_t id);
/* Slots of locals that events of the method name: greatest slot + 1. */
uint32_t effects_slots(hs_trace *t, uint32_t method_id);
bool effects_ready(hs_trace *t); /* false: out of memory */
void effects_done(hs_trace *t);

/* Number or text of an attribute; `absent`, NULL if the data ID has none of that name. */
int64_t attribute_number(const struct hs_dataid *d, const char *name, int64_t absent);
const char *attribute_text(const struct hs_dataid *d, const char *name);
/* Slot of the first argument at position `index` (0 the receiver, if `instance`) of a descriptor; UINT32_MAX if none.
 */
uint32_t parameter_slot(const char *desc, bool instance, int64_t index);

#endif
