/* class_fate.c - see class_fate.h. */
#include "logging/agent/class_fate.h"

#include <string.h>

bool class_is_ignored(const struct class_facts *f)
{
    return !f->ready || (!f->weaving && f->call == NO_CALL) || (!f->stores && f->call != CALL_ASKED);
}

struct class_decision class_decide(const struct class_facts *f)
{
    const bool chosen = f->output || f->chosen, wanted = f->weaving && chosen && f->never == NULL;
    struct class_decision d = { .call = f->call, .state = CLASS_FILTERED, .why = f->why_not };
    if (class_is_ignored(f))
        return d;
    if ((wanted || f->call == CALL_ASKED) && f->loader == LOADER_NOT_ASKED) {
        d.fate = FATE_ASK_LOADER;
        return d;
    }
    const bool refused = f->loader == LOADER_REFUSES;
    if (refused)
        d.call = NO_CALL;
    if (refused && wanted) {
        d.state = CLASS_GIVEN_UP;
        d.why = TEXT_OF("the JVM would ask its class loader for the hook class, and that loader cannot be changed");
    } else if (chosen && f->never != NULL) {
        d.why = (struct text){ f->never, strlen(f->never) };
    }
    /* A method that runs before recording begins would have an end, but no begin (Java agents in front of ours). */
    d.early = wanted && !refused && !f->started && !f->output;
    if (wanted && !refused && !d.early) {
        d.fate = f->seen == SEEN_AS_IT_IS ? FATE_KEPT : f->seen == SEEN_WOVEN ? FATE_WOVEN_AGAIN : FATE_WOVEN;
        return d;
    }
    d.fate = d.call != NO_CALL ? FATE_CALL_ADDED : FATE_SKIPPED;
    /* a loaded class has a row already, but for the reason */
    d.row = f->weaving && !d.early && (!f->redefined || d.state == CLASS_GIVEN_UP);
    return d;
}
