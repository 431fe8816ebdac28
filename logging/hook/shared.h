/* shared.h - what the Java hook and native code agree on, beside the layout of the journal (formats/journal.h). The
 * table is formats/hook.def; the constants of the Java source are made from it and from this header by generate.c. */
#ifndef LOGGING_HOOK_SHARED_H
#define LOGGING_HOOK_SHARED_H

#include <stddef.h>
#include <stdint.h>

/* What HindsightHook.setting(int) asks for. */
enum hook_setting {
#define SETTING(name, meaning) SETTING_##name,
#include "formats/hook.def"
};

/* Added to a descriptor's address for HindsightHook.room: a record of the agent, also while recording is stopped. */
enum { FOR_AGENT = 1 };

/* What the hook of one thread counts of one data ID (logging/aggregate/counters.h). The hook knows count, events, and
 * that entries begin behind the struct. */
struct counter {
    uint64_t count;    /* records of the hook */
    uint64_t events;   /* in each record: those of `id` and of the data IDs joined to it */
    uint64_t taken[3]; /* records that were imported: now, before, transaction (state.h) */
    uint32_t id;
    uint32_t thread;
    uint32_t words;      /* of an entry: a power of two, so the last may be unused; 0: nothing but the count is kept */
    uint32_t room;       /* entries: a power of two; 0: the counter is not in use */
    uint64_t ring_taken; /* entries before this one are in the drain's rings */
};
enum {
    COUNTER_BYTES = 64,
    COUNTER_IDS = 1 << 22, /* greater data IDs get no counter: a table of them must have an end */
};
_Static_assert(sizeof(struct counter) == COUNTER_BYTES && offsetof(struct counter, count) == 0, "hooks know this");

/* Of the record that begins with a data ID: how many events it holds (0: it is a mark), and what it says of this(...)
 * and super(...). */
enum record_shape { RECORD_EVENTS = 7, RECORD_SUPER = 8, RECORD_SUPER_DONE = 16 };

#endif
