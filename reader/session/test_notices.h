/* test_notices.h - what test frameworks reported to their listeners, in the order of the calls. */
#ifndef READER_SESSION_TEST_NOTICES_H
#define READER_SESSION_TEST_NOTICES_H

#include "reader/trace/open_trace.h"

enum framework {
#define TEST_FRAMEWORK(id, name) id,
#define TEST_CALL(...)
#define TEST_OUTCOME(word, what)
#include "reader/session/test_frameworks.def"
};

/* What a call reports: a status that ends the test, or one of these. */
enum { BEGINS = 100, THROWS, ENDS, STATUS_SO_FAR };
#define SO_FAR(status) (STATUS_SO_FAR + (status))

/* A call. Texts lie in the arena of the caller; NULL: null, or not known. */
struct notice {
    enum framework framework;
    int what;
    uint64_t seq;
    uint32_t thread, exception;
    const char *key, *name, *class_name, *method, *reason;
    bool leaf;
};
typedef VEC(struct notice) notice_vec;
/* Appends all calls. */
enum status test_notices_read(hs_trace *t, struct arena *arena, notice_vec *out, struct error *err);

#endif
