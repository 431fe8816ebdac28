/* event.h - the closed lists of the trace: events, groups, value kinds, static attributes.
 *
 * Everything here is expanded from events.def, groups.def, kinds.def and attrs.def; nothing else in the project may
 * keep a list of its own. Numbers are on disk and permanent. */
#ifndef FORMATS_EVENT_H
#define FORMATS_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum group {
#define GROUP(bit, name, text) GROUP_##name = (bit),
#include "formats/groups.def"
#undef GROUP
    GROUP_COUNT
};

/* A set of groups: bit `1 << GROUP_X`. */
typedef uint32_t group_set;
#define GROUP_BIT(name) ((group_set)1 << GROUP_##name)
#define GROUP_ALL       (((group_set)1 << GROUP_COUNT) - 1)

enum event {
#define EVENT(no, name, ...) EVENT_##name = (no),
#include "formats/events.def"
#undef EVENT
};
/* Every event number is below EVENT_LIMIT: the last row has the greatest. */
enum {
#define EVENT(no, name, ...) EVENT_ROW_##name = (no),
#include "formats/events.def"
#undef EVENT
    EVENT_LIMIT
};

enum kind {
#define KIND(letter, name, hook, text) KIND_##name = (letter),
#include "formats/kinds.def"
#undef KIND
};

enum attr {
#define ATTR(no, name, type, text) ATTR_##name = (no),
#include "formats/attrs.def"
#undef ATTR
};
/* Every attribute number is below ATTR_LIMIT: the last row has the greatest. */
enum {
#define ATTR(no, name, type, text) ATTR_ROW_##name = (no),
#include "formats/attrs.def"
#undef ATTR
    ATTR_LIMIT
};
enum attr_type { ATTR_INT, ATTR_TEXT, ATTR_BOOL };

/* NULL for a number that is not in the table. The strings live for ever. */
const char *event_name(unsigned event);
const char *event_text(unsigned event);
const char *attr_name(unsigned attr);
const char *group_name(unsigned group);
const char *group_text(unsigned group);

/* The number of the event with that name, 0 if there is none. */
unsigned event_find(const char *name);

/* What queries use an event for: bits of the column `uses` in events.def. Of the events of one instruction the first
 * one has those of the access. */
enum event_use {
    USE_NONE = 0,
    USE_ENTER = 1 << 0,       /* a frame begins */
    USE_LEAVE = 1 << 1,       /* a frame ends */
    USE_INITIALIZED = 1 << 2, /* the receiver of a constructor is known from now on */
    USE_EXCEPTION = 1 << 3,   /* the value is an exception that is thrown, caught, or leaves the frame */
    USE_CREATE = 1 << 4,      /* the value is an object that was made here */
    USE_LOCK = 1 << 5,        /* the frame holds the monitor of the value */
    USE_UNLOCK = 1 << 6,
    USE_READ_FIELD = 1 << 7,
    USE_WRITE_FIELD = 1 << 8,
    USE_STATIC = 1 << 9, /* of a field: it is static */
    USE_EARLY = 1 << 10, /* of a write of a field: the object is not known yet */
    USE_READ_ELEMENT = 1 << 11,
    USE_WRITE_ELEMENT = 1 << 12,
    USE_READ_LENGTH = 1 << 13, /* of an array */
    USE_READ_LOCAL = 1 << 14,
    USE_WRITE_LOCAL = 1 << 15,
    USE_PARAMETER = 1 << 16,   /* of a local: its slot follows from the number of the parameter */
    USE_STATIC_ONLY = 1 << 17, /* a location without events */
    USE_LEFT_OUT = 1 << 18,    /* events are missing behind it: it stands at no instruction */
    USE_NAMED = 1 << 19,       /* the value is that of the field, variable or parameter that the event names */
};
extern const uint32_t event_use_bits[EVENT_LIMIT]; /* by event number */

/* Has the event one of these uses? */
static inline bool event_has(unsigned event, uint32_t uses)
{
    return event < EVENT_LIMIT && (event_use_bits[event] & uses) != 0;
}
/* The events that have one of these uses, rising; how many they are. */
size_t event_list(uint32_t uses, unsigned out[EVENT_LIMIT]);

/* Where the value of an event is when it is recorded: the column `operand` of events.def. */
enum event_operand {
    OPERAND_NOWHERE,
    OPERAND_ON_TOP,
    OPERAND_FIRST_POPPED,
    OPERAND_SECOND_POPPED,
    OPERAND_LAST_POPPED,
    OPERAND_AS_ARGUMENT,
    OPERAND_IN_LOCAL,
};
enum event_operand event_operand(unsigned event);

/* Is an event of this type woven when these groups are chosen? */
bool event_woven(unsigned event, group_set groups);

/* The groups that its condition names. Counts per group use event_first_group. */
group_set event_groups(unsigned event);
/* The group under which statistics count it. */
unsigned event_first_group(unsigned event);

/* Type of an attribute's value; ATTR_TEXT for unknown numbers. */
static inline enum attr_type attr_type_of(unsigned attr)
{
    switch (attr) {
#define ATTR(no, name, type, text)                                                                                     \
    case no:                                                                                                           \
        return ATTR_##type;
#include "formats/attrs.def"
#undef ATTR
    default: return ATTR_TEXT;
    }
}

/* Parses "EXEC+CALL" or "ALL" (any case). On failure `*bad` and `*bad_length` name the group that is unknown. */
bool group_set_parse(const char *text, group_set *out, const char **bad, int *bad_length);
/* "EXEC+CALL", cut to `size`; "" of none. Room for all of them: */
enum { GROUP_SET_TEXT_MAX = 64 };
void group_set_text(group_set set, char *out, size_t size);

/* Does an event of this kind carry a value? */
static inline bool kind_has_value(unsigned kind) { return kind != KIND_VOID; }
/* The computational type letter (I J F D L V) of a kind, 0 if unknown. */
static inline char kind_hook(unsigned kind)
{
    switch (kind) {
#define KIND(letter, name, hook, text)                                                                                 \
    case letter:                                                                                                       \
        return hook;
#include "formats/kinds.def"
#undef KIND
    default: return 0;
    }
}
/* True if the letter is a row of kinds.def. */
static inline bool kind_known(unsigned kind) { return kind_hook(kind) != 0; }

#endif
