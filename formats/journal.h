/* journal.h - the shared mapping that holds events before they are stored.
 *
 * `TRACE/journal` is mapped MAP_SHARED by the recorded JVM. Hooks write into it and nothing else, so a killed process
 * loses nothing: the pages belong to the file. The drain thread (logging/drain/drain.h), or `hindsight recover` after a
 * crash, reads it.
 *
 *     offset 0              struct journal_head
 *     JOURNAL_DESCS_AT      struct thread_desc [JOURNAL_DESCS_MAX]   one per platform thread, one per carrier's guest
 *     JOURNAL_BUFFERS_AT    buffers of JOURNAL_BUFFER_BYTES, each beginning with struct buffer_head
 *
 * All numbers are in the byte order of the machine (the file never leaves it). Addresses are those of the recorded
 * process; `base` turns them into offsets.
 *
 * A buffer is a sequence of 8-byte words. A record begins with a header word:
 *
 *     63            32 31             0
 *     +----------------+---------------+
 *     | stamp, low 32  |    data ID    |      [clock value] [number] [values...]
 *     +----------------+---------------+
 *
 * The clock value is there if the head has `timed` set, the number if it has `numbered` set. Then follows one word per
 * value of the data ID and of the data IDs joined to it (KIND_JOINED: consecutive data IDs, as of array, index and
 * value of a store, or of a line and what is loaded there; weaver/group.c). Data IDs from REC_FIRST up mark records of
 * the agent itself. The full 64-bit stamp follows from the one in the buffer head: stamps of one thread never go back
 * and consecutive ones are less than 2^32 apart (the ticker makes idle threads begin a new buffer).
 *
 * Ids of objects stand as their hashes (object_hash.h), in records of the agent too.
 *
 * The number is how many events the thread recorded before this one, wherever they are kept
 * (logging/aggregate/counters.h).
 *
 * Recording may stop and start again. Only events of the current period with a stamp below its end are kept
 * (journal_keeps_below). All events of a period are stored when it ends, so later records of an older period are left
 * out. */
#ifndef FORMATS_JOURNAL_H
#define FORMATS_JOURNAL_H

#include <stdint.h>

#include "formats/event.h"
#include "formats/object_hash.h"

#define JOURNAL_MAGIC UINT64_C(0x314c4e4a44534948) /* "HISDJNL1" */
enum {
    JOURNAL_VERSION = 9,
    JOURNAL_BUFFER_BYTES = 64 * 1024,
    JOURNAL_DESC_BYTES = 128,
    JOURNAL_DESCS_MAX = 64 * 1024,
    JOURNAL_DESCS_AT = 64 * 1024,
    JOURNAL_BUFFERS_AT = JOURNAL_DESCS_AT + JOURNAL_DESCS_MAX * JOURNAL_DESC_BYTES,
    JOURNAL_RECORD_EVENTS = 31,    /* most events in a record of the hook */
    JOURNAL_RECORD_VALUES = 4,     /* most values in it */
    JOURNAL_RECORD_MAX_BYTES = 64, /* a hook never writes a longer record; agents' records are split */
    MISSED_EXITS = 4096,           /* exits that the hook class keeps for later (weaver/plan_overflow.c) */
    LOOP_ROUNDS = 1 << 24,         /* that a loop counts in local variables at most (weaver/loops.c) */
    LOOP_MANY = 1024,              /* and, where others are around it, when it is left */
    /* of calls of which it is not known what they enter, one of so many is looked at (weaver/plan_direct.c). A prime:
     * each call of a loop has its turn */
    SITE_ASK = 4093,
};

/* The values of a record, in the order of its events. A struct, so that a copy takes them all. */
struct record_values {
    uint64_t at[JOURNAL_RECORD_VALUES];
};

struct journal_head {
    uint64_t magic;
    uint32_t version;
    uint32_t pid;
    uint64_t pid_start; /* start time of that process in clock ticks (/proc/PID/stat field 22): detects a reused pid */
    uint64_t base;      /* address of this head in the recorded process */
    uint32_t timed;     /* every event carries a clock value */
    uint32_t buffer_count; /* buffers that exist in the file */
    uint32_t desc_count;   /* descriptors ever used */
    uint32_t object_next;  /* next object id batch */
    uint32_t period;       /* number of the start of recording, from 0 */
    uint32_t first_dataid; /* of this period: what was woven before it is stale */
    uint64_t period_end;   /* events from this stamp on do not belong to it; UINT64_MAX while it lasts */
    uint64_t start_ns;     /* clock value of time 0 */
    uint32_t numbered;     /* records of events carry the event's number */
    uint32_t given_up;     /* a failure ended the recording before the program did */
    uint64_t lost;         /* events that are not in the trace because of that */
    uint64_t pending;      /* lower bound of the size of TRACE/pending: detects truncation */
    uint32_t counts_only;  /* records have no values: whatever its kind, an event has none */
    uint32_t stored;       /* recording is stopped, all events up to that are in the trace, and none was lost */
    uint8_t pad0[192 - 104];
    /* order (design.md 4): a counter that every event reads and releases increment. On a cache line of its own. */
    uint64_t stamp;
    uint8_t pad1[56];
    uint64_t many; /* not 0 once a second thread records: only then do releases increment the counter */
    uint8_t pad2[56];
};

/* What a hook reads and writes. One cache line for the hook, one for native code. */
struct thread_desc {
    uint64_t pos;   /* address where the next record goes: everything before it is committed */
    uint64_t limit; /* a record may begin below this address; 0 sends the next event into native code */
    uint32_t object_next, object_end; /* object ids that this thread may still assign: [next, end) */
    uint64_t guest;                   /* descriptor for virtual threads mounted on this carrier, 0 if none yet */
    uint64_t tid;   /* of a guest descriptor: Thread.threadId() of the virtual thread whose records follow */
    uint64_t owner; /* address of the agent's state of the thread; 0 for guests */
    /* table, by data ID, of the addresses of cells that the hook writes itself (logging/aggregate/counters.h), 0
     * none */
    uint64_t cells;
    uint64_t number;   /* events this thread recorded so far, when records are numbered */
    uint32_t thread;   /* trace's thread number of the records that follow */
    uint32_t buffer;   /* current buffer, NO_BUFFER if none */
    uint32_t site;     /* what the thread is about to enter or leave (weaver/plan_direct.c): enum site_mark */
    uint32_t index;    /* own position in the array */
    uint64_t sequence; /* buffers this descriptor has begun */
    uint64_t lost;     /* events lost for want of memory or disk */
    uint8_t busy;      /* not 0: hooks of this thread record nothing; bits of enum desc_busy */
    uint8_t is_guest;  /* of virtual threads: its records have no valid numbers */
    /* the thread may be in a loop that has `number` in a local variable (weaver/ring.c), of this period */
    uint8_t in_loop;
    uint8_t state;     /* enum desc_state */
    uint32_t period;   /* period in which its thread number and buffer were assigned */
    uint64_t table;    /* what `cells` is to be while the thread records; 0 none yet */
    uint64_t no_cells; /* a table without any */
    /* calls of this(...) and super(...) that have begun and not ended; counted by the hook where there are cells */
    uint32_t supers;
    uint32_t supers_left; /* how many of those ended with an exception, as the drain found */
};
enum desc_busy {
    BUSY_JDK = 1,    /* code of the JDK runs on behalf of the recorder */
    BUSY_PAUSED = 2, /* recording is stopped; code that was woven may still run */
};
/* thread_desc.site, else 1 + the data ID of a call of which is to be found out what it enters. */
enum site_mark {
    SITE_NONE = 0,
    SITE_DIRECT = -1,  /* a call that enters woven code without other code in between */
    SITE_LEAVING = -2, /* the exit of a method that was entered so */
};
enum desc_state { DESC_FREE, DESC_LIVE, DESC_ENDED };
#define NO_BUFFER UINT32_MAX
#define NO_DESC   UINT32_MAX

struct buffer_head {
    uint32_t state;       /* enum buffer_state */
    uint32_t desc;        /* descriptor that writes it */
    uint64_t sequence;    /* position among the buffers of that descriptor, from 1 */
    uint64_t first_stamp; /* the shared counter, 64 bits, when the buffer was begun */
    /* bytes from the start of the buffer; valid when FULL (an ACTIVE one ends at its desc's pos) */
    uint64_t used;
    uint32_t thread; /* thread number at its start (a REC_SWITCH changes it) */
    uint32_t period; /* when it was begun */
    /* of that period: events of lower data IDs come from frames that still run older woven code, and are left out */
    uint32_t first_dataid;
    uint32_t guest;     /* its descriptor is a guest's */
    uint64_t waited_ns; /* by its thread, for this buffer: before its first event */
    uint32_t pad[2];
};
enum buffer_state { BUFFER_FREE, BUFFER_ACTIVE, BUFFER_FULL };

/* A place in the records of a descriptor: the sequence of a buffer, and how many of its bytes lie before it. */
static inline uint64_t journal_position(uint64_t sequence, uint64_t used) { return sequence << 16 | used / 8; }

/* Events of this buffer with this stamp or a later one are left out. Records of the agent are always kept. */
static inline uint64_t journal_keeps_below(const struct journal_head *h, const struct buffer_head *b)
{
    return b->period == __atomic_load_n(&h->period, __ATOMIC_ACQUIRE)
               ? __atomic_load_n(&h->period_end, __ATOMIC_ACQUIRE)
               : 0;
}

/* Records of the agent: the data ID field holds one of these. */
#define REC_FIRST UINT32_C(0xffffff00)
enum {
    REC_OBJECT = 1, /* word: id | id of its class object << 32 */
    /* word: id | bytes << 32; word: class id; word: length in UTF-16 units << 8 | enum string_flag; payload, padded to
       8 */
    REC_STRING = 2,
    /* word: thread number of the records that follow in this descriptor's stream | descriptor << 32; word: the position
       up to which that one must be read before them (journal_position): the thread recorded there so far. NO_DESC:
       they follow nothing that is elsewhere */
    REC_SWITCH = 3,
    REC_LOST = 4,   /* word: events lost here */
    REC_THROWN = 5, /* as REC_STRING, without length: a piece of a thrown_row (rows.h) */
    REC_CUT = 6,    /* word: data ID | events << 32: of that one and those behind it, without values */
};
enum { SWITCH_WORDS = 3 };
enum string_flag {
    STRING_LATIN1 = 1, /* payload is ISO 8859-1, else UTF-16 of the machine's byte order */
    STRING_MORE = 2,   /* the next such record of this thread continues it */
    STRING_CUT = 4,    /* the content is longer than what was kept */
    STRING_FIRST = 8,  /* first piece; without it the beginning is lost when the piece before is not there */
    STRING_VALUE = 16, /* no string: the copy of an object that is shown by what it stands for (values.def) */
};

/* Set in a kind letter (kinds.def) when the data ID's value is in the record of the data ID before it. */
#define KIND_JOINED 0x80u

/* The full stamp for its low half: the first one at or after the last. */
static inline uint64_t journal_full_stamp(uint64_t last, uint32_t low)
{
    uint64_t full = (last & ~UINT64_C(0xffffffff)) | low;
    return full < last ? full + (UINT64_C(1) << 32) : full;
}

/* The value that this word of a record stands for, of a data ID with that kind letter. */
static inline uint64_t journal_value(uint8_t letter, uint64_t word)
{
    return (letter & (uint8_t)~KIND_JOINED) == KIND_REF ? object_id(word) : word;
}

_Static_assert(sizeof(struct thread_desc) == JOURNAL_DESC_BYTES, "hooks know this size");
_Static_assert(sizeof(struct buffer_head) == 64, "one cache line");
_Static_assert(sizeof(struct journal_head) == 320, "layout");

#endif
