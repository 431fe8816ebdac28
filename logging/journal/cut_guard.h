/* cut_guard.h - mapped files of a recording that somebody else makes shorter while it is recorded.
 *
 * An access behind the new end of such a file raises SIGBUS, which would end the program. The handler here puts a page
 * of memory in the place of that one, notes that the file was cut, and lets the access go on: the recording ends, the
 * program does not. The page holds zeros, or what its owner fills in where hooks follow addresses in it. LMDB would
 * take zeros for pages: a thread that is inside of LMDB leaves it by a jump to the function that has entered it. Other
 * faults go to the handler that was there before, that of the JVM.
 *
 * Areas and escapes may be added and removed on any thread, while no other thread adds or removes. */
#ifndef LOGGING_CUT_GUARD_H
#define LOGGING_CUT_GUARD_H

#include <pthread.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Installs the handler, once for the process. Without it areas are not guarded. */
void cut_guard_install(void);

struct cut_area {
    void *base;
    size_t bytes;
    bool *cut; /* becomes true when the file behind the mapping was cut */
    /* Fills a page of zeros that comes to that offset of the area. Called in a signal handler: it only writes. May be
     * NULL. */
    void (*fill)(void *context, uint8_t *page, size_t page_bytes, size_t offset);
    void *context;
    /* where true, a thread with an active escape takes that instead: it must hold no lock while it uses the area. May
     * be NULL. */
    const bool *leave;
};

/* What `area` points to must live until cut_guard_remove. When there are too many areas, this one is not guarded. */
void cut_guard_add(const struct cut_area *area);
void cut_guard_remove(const void *base);

/* Where the thread that has set `active` goes on when it reads what is not in a file any more, outside of all areas or
 * in one with `leave`. */
struct cut_escape {
    sigjmp_buf to;
    pthread_t thread;
    volatile bool active;
    bool cut; /* that has happened outside of all areas */
};
void cut_guard_add_escape(struct cut_escape *e);
void cut_guard_remove_escape(const struct cut_escape *e);

#endif
