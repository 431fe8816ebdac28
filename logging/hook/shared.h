/* shared.h - definitions that the Java hook and native code share, in addition to the layout of the journal
 * (formats/journal.h). The table is formats/hook.def; generate.c makes the constants of the Java source from it and
 * this header. */
#ifndef LOGGING_HOOK_SHARED_H
#define LOGGING_HOOK_SHARED_H

#include <stddef.h>
#include <stdint.h>

/* Arguments of HindsightHook.setting(int). */
enum hook_setting {
#define SETTING(name, meaning) SETTING_##name,
#include "formats/hook.def"
};

/* Added to a descriptor's address for HindsightHook.room: a record of the agent, also while recording is stopped. */
enum { FOR_AGENT = 1 };

/* The counter of one data ID in one thread (logging/aggregate/counters.h). The Java hook uses `position`, `ring`,
 * `bytes`, `events` and the entries. */
struct counter {
    uint64_t position;   /* records of the hook; of those with entries the bytes that all of them took */
    uint64_t ring;       /* address of the entries in the recorded process: `bytes` divides it; 0: there are none */
    uint64_t taken[3];   /* records imported so far: a state row of now, before, transaction (state.h) */
    uint64_t ring_taken; /* entries before this one are in the drain's rings */
    uint32_t id;
    uint32_t thread;
    uint32_t bytes;  /* of all entries, a power of two; 1 if there are none; 0: the counter is not in use */
    uint16_t words;  /* of an entry: a power of two, so the last may be unused; 0: there are none */
    uint16_t events; /* in each record: those of `id` and of the data IDs joined to it */
};
enum {
    COUNTER_BYTES = 64,
    COUNTER_IDS = 1 << 22, /* greater data IDs get no counter: this bounds the size of the tables */
};
_Static_assert(sizeof(struct counter) == COUNTER_BYTES && offsetof(struct counter, position) == 0, "hooks know this");

/* Of the record that begins with a data ID: the number of its events (0: it is a mark), and its role for calls of
 * this(...) and super(...). */
enum record_shape { RECORD_EVENTS = 31, RECORD_SUPER = 32, RECORD_SUPER_DONE = 64 };

#endif
