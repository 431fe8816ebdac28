/* api/catalogue.h - closed lists, whose numbers never change: types of events, groups, kinds of values. */
#ifndef HINDSIGHT_API_CATALOGUE_H
#define HINDSIGHT_API_CATALOGUE_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What happened: numbers of event types. `hindsight events` explains each. */
enum hs_event_type {
    HS_EVENT_METHOD_ENTRY = 1,
    HS_EVENT_METHOD_PARAM = 2,
    HS_EVENT_METHOD_NORMAL_EXIT = 3,
    HS_EVENT_METHOD_EXCEPTIONAL_EXIT = 4,
    HS_EVENT_METHOD_OBJECT_INITIALIZED = 5,
    HS_EVENT_METHOD_THROW = 6,
    HS_EVENT_CALL = 7,
    HS_EVENT_CALL_PARAM = 8,
    HS_EVENT_CALL_RETURN = 9,
    HS_EVENT_NEW_OBJECT = 10,
    HS_EVENT_NEW_OBJECT_CREATED = 11,
    HS_EVENT_INVOKE_DYNAMIC = 12,
    HS_EVENT_INVOKE_DYNAMIC_PARAM = 13,
    HS_EVENT_INVOKE_DYNAMIC_RESULT = 14,
    HS_EVENT_GET_INSTANCE_FIELD = 15,
    HS_EVENT_GET_INSTANCE_FIELD_RESULT = 16,
    HS_EVENT_GET_STATIC_FIELD = 17,
    HS_EVENT_PUT_INSTANCE_FIELD = 18,
    HS_EVENT_PUT_INSTANCE_FIELD_VALUE = 19,
    HS_EVENT_PUT_INSTANCE_FIELD_BEFORE_INITIALIZATION = 20,
    HS_EVENT_PUT_STATIC_FIELD = 21,
    HS_EVENT_ARRAY_LOAD = 22,
    HS_EVENT_ARRAY_LOAD_INDEX = 23,
    HS_EVENT_ARRAY_LOAD_RESULT = 24,
    HS_EVENT_ARRAY_STORE = 25,
    HS_EVENT_ARRAY_STORE_INDEX = 26,
    HS_EVENT_ARRAY_STORE_VALUE = 27,
    HS_EVENT_NEW_ARRAY = 28,
    HS_EVENT_NEW_ARRAY_RESULT = 29,
    HS_EVENT_MULTI_NEW_ARRAY = 30,
    HS_EVENT_MULTI_NEW_ARRAY_OWNER = 31,
    HS_EVENT_MULTI_NEW_ARRAY_ELEMENT = 32,
    HS_EVENT_ARRAY_LENGTH = 33,
    HS_EVENT_ARRAY_LENGTH_RESULT = 34,
    HS_EVENT_MONITOR_ENTER = 35,
    HS_EVENT_MONITOR_ENTER_RESULT = 36,
    HS_EVENT_MONITOR_EXIT = 37,
    HS_EVENT_OBJECT_CONSTANT_LOAD = 38,
    HS_EVENT_OBJECT_INSTANCEOF = 39,
    HS_EVENT_OBJECT_INSTANCEOF_RESULT = 40,
    HS_EVENT_LOCAL_LOAD = 41,
    HS_EVENT_LOCAL_STORE = 42,
    HS_EVENT_LOCAL_INCREMENT = 43,
    HS_EVENT_RET = 44,
    HS_EVENT_LABEL = 45,
    HS_EVENT_CATCH_LABEL = 46,
    HS_EVENT_CATCH = 47,
    HS_EVENT_LINE_NUMBER = 48,
    HS_EVENT_JUMP = 49,
    HS_EVENT_DIVIDE = 50,
    HS_EVENT_RESERVED = 51,
    HS_EVENT_EVENTS_LEFT_OUT = 52,
};

/* Groups of event types that are chosen with weave=; bit numbers of hs_method.groups. */
enum hs_group {
    HS_GROUP_EXEC = 0,   /* method entry and exit, object initialized, throw */
    HS_GROUP_CALL = 1,   /* calls, their results, object creation, invokedynamic */
    HS_GROUP_PARAM = 2,  /* parameters of methods (with EXEC) and arguments of calls (with CALL) */
    HS_GROUP_FIELD = 3,  /* reads and writes of fields */
    HS_GROUP_ARRAY = 4,  /* array loads, stores, creation, length */
    HS_GROUP_OBJECT = 5, /* constants that are objects, instanceof */
    HS_GROUP_SYNC = 6,   /* monitor enter and exit */
    HS_GROUP_LOCAL = 7,  /* loads, stores and increments of local variables */
    HS_GROUP_LABEL = 8,  /* control flow: starts of basic blocks and of exception handlers */
    HS_GROUP_LINE = 9,   /* entries of the line number table */
};

/* What the 64 bits of a value stand for: the letter of the descriptor where there is one. */
enum hs_kind {
    HS_KIND_VOID = 'V',    /* no value */
    HS_KIND_BOOLEAN = 'Z', /* 0 false, anything else true */
    HS_KIND_BYTE = 'B',    /* sign-extended to 64 bits */
    HS_KIND_CHAR = 'C',    /* UTF-16 code unit, zero-extended */
    HS_KIND_SHORT = 'S',   /* sign-extended to 64 bits */
    HS_KIND_INT = 'I',     /* sign-extended to 64 bits */
    HS_KIND_LONG = 'J',    /* as it is */
    HS_KIND_FLOAT = 'F',   /* raw IEEE 754 bits, zero-extended from 32 bits; NaN payloads survive */
    HS_KIND_DOUBLE = 'D',  /* raw IEEE 754 bits */
    HS_KIND_REF = 'L',     /* object id, 0 is null */
    HS_KIND_PC = 'P',      /* offset in the original Code attribute */
};

/* A value, as rows have them. */
struct hs_value {
    uint64_t bits;
    char kind; /* enum hs_kind */
};

/* "METHOD_ENTRY" of HS_EVENT_METHOD_ENTRY; NULL for a number that stands for no event type. */
HS_API const char *hs_event_name(unsigned event);
/* And back; 0: there is no such event type. */
HS_API unsigned hs_event_number(const char *name);

#ifdef __cplusplus
}
#endif

#endif
