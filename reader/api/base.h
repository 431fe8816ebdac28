/* api/base.h - what every header of the library needs: handles, errors, cursors. The rules for results, ownership and
 * threads stand in trace.h. */
#ifndef HINDSIGHT_API_BASE_H
#define HINDSIGHT_API_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define HS_API __attribute__((visibility("default")))
#else
#define HS_API
#endif

typedef struct hs_trace hs_trace;
typedef struct hs_cursor hs_cursor;
typedef struct hs_condition hs_condition;

/* A value that is not there: a time, and the seq of an event. */
#define HS_NO_TIME UINT64_MAX
#define HS_NO_SEQ  UINT64_MAX

/* The version of the library that is running, as HS_VERSION; it may be newer than this header. */
HS_API const char *hs_version(void);
HS_API unsigned hs_version_number(void);
/* Size that the running library gives a struct of these headers ("hs_event"), 0 if it has no such struct: for bindings
 * that write the structs down a second time. */
HS_API size_t hs_sizeof(const char *struct_name);

/* ---- errors ---- */

enum hs_status {
    HS_OK = 0,
    HS_ERR_MEMORY = 1,       /* out of memory */
    HS_ERR_IO = 2,           /* the system could not read or write a file */
    HS_ERR_FORMAT = 3,       /* the trace is damaged, or no trace */
    HS_ERR_LIMIT = 4,        /* larger than the format allows */
    HS_ERR_NOT_FOUND = 5,    /* the trace does not have what was requested */
    HS_ERR_EXISTS = 6,       /* it exists already */
    HS_ERR_USAGE = 7,        /* wrong argument */
    HS_ERR_STORE = 8,        /* LMDB failed */
    HS_ERR_FULL = 9,         /* the trace cannot grow any more */
    HS_ERR_UNSUPPORTED = 10, /* a trace of another version */
    HS_CANCELLED = 11        /* the progress callback requested to stop (hs_set_progress) */
};
/* What a status means, in a few words; never NULL. */
HS_API const char *hs_status_text(int status);

enum { HS_ERROR_TEXT_MAX = 512 };
/* A struct with another size than those that the library knows is left untouched. */
struct hs_error {
    size_t size;                  /* sizeof(struct hs_error) */
    enum hs_status code;          /* of the last failure that was given this struct */
    char text[HS_ERROR_TEXT_MAX]; /* one sentence: what, where, why; no newline at its end */
};
#define HS_ERROR_INIT                                                                                                  \
    {                                                                                                                  \
        .size = sizeof(struct hs_error)                                                                                \
    }

/* ---- cursors ---- */

/* Ends a cursor; NULL is allowed. */
HS_API void hs_cursor_close(hs_cursor *cursor);
/* Puts a cursor before its first row at or behind a position: the seq of events, writes and exceptions, the id of
 * objects and lives, the number of the row from 0 on in lists whose rows are kept. HS_ERR_USAGE: this cursor only goes
 * forward. */
HS_API int hs_cursor_seek(hs_cursor *cursor, uint64_t position, struct hs_error *error);
/* Rows in a list whose rows are kept; UINT64_MAX for other cursors, which find their rows as they go. */
HS_API uint64_t hs_cursor_count(const hs_cursor *cursor);

#ifdef __cplusplus
}
#endif

#endif
