/* growth.h - which collections and maps of the JDK only grow, while the events of a trace pass in order. Calls of the
 * iterators and views of one count as its own. */
#ifndef READER_GROWTH_H
#define READER_GROWTH_H

#include "formats/map.h"
#include "reader/code/code.h"

struct growth {
    MAP(struct grown {
        uint64_t id;
        uint64_t added; /* calls that added to it */
        uint32_t of;    /* it is an iterator or view of this one; 0: of none */
        bool shrank;
    })
    objects;
    bool *others; /* by data ID: it is no call of a class of java.util */
};
/* Of one thread; zero at first. */
struct growth_thread {
    uint32_t shown; /* the last call gives an iterator or view of this object; 0 */
};
bool growth_init(struct growth *g, hs_trace *t);
void growth_done(struct growth *g);
/* Applies the next event, whose value is an object. False: out of memory. */
bool growth_step(hs_trace *t, struct growth *g, struct growth_thread *thread, const struct hs_event *e, unsigned event);
/* The calls that added to the object; 0: none did, or one removed something. */
uint64_t growth_of(const struct growth *g, uint32_t id);

#endif
