/* api/test_source.h - a JUnit test of one recorded call: Java source. */
#ifndef HINDSIGHT_API_TEST_SOURCE_H
#define HINDSIGHT_API_TEST_SOURCE_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A test that makes the receiver and the arguments as the call found them, as far as it read them, calls the method,
 * and compares the result, or the exception, and the fields that it wrote with what was recorded. */
struct hs_test_source {
    uint64_t seq;           /* METHOD_ENTRY of the call */
    uint32_t method_id;     /* its method */
    const char *class_name; /* of the test, without package */
    const char *package;    /* that of the method's class; "" if it has none */
    const char *source;     /* NULL: there is no test, see `why` */
    const char *why;        /* why there is none, a phrase; NULL */
    size_t doubt_count;     /* what may make the test fail although nothing has changed */
    const char *const *doubts;
};
struct hs_test_source_options {
    size_t size;            /* sizeof(struct hs_test_source_options) */
    uint64_t seq;           /* an event of the call: its METHOD_ENTRY, or any other one whose frame it is */
    unsigned junit;         /* 4 or 5 */
    const char *class_name; /* of the test; NULL: made of the names of class and method */
};
#define HS_TEST_SOURCE_OPTIONS_INIT                                                                                    \
    {                                                                                                                  \
        .size = sizeof(struct hs_test_source_options), .seq = HS_NO_SEQ, .junit = 5                                    \
    }
enum { HS_TEST_OBJECTS_MAX = 2000, HS_TEST_EVENTS_MAX = 1000000, HS_TEST_BYTES_MAX = 48000 };
/* One row. HS_ERR_NOT_FOUND: there is no such event, or it stands in no recorded call. */
HS_API int hs_test_sources_open(hs_trace *trace, const struct hs_test_source_options *options, hs_cursor **out,
                                struct hs_error *error);
HS_API int hs_test_source_next(hs_cursor *cursor, const struct hs_test_source **row, struct hs_error *error);

#ifdef __cplusplus
}
#endif

#endif
