/* deriver.c - see deriver.h. */
#include "logging/sinks/deriver.h"

bool deriver_init(struct deriver *d)
{
    *d = (struct deriver){ .encoder = derive_encoder_new() };
    return d->encoder != NULL;
}

void deriver_done(struct deriver *d)
{
    derive_encoder_free(d->encoder);
    for (size_t i = 0; i < d->threads.count; i++)
        vec_free(&d->threads.items[i].state.frames);
    vec_free(&d->threads);
    d->encoder = NULL;
}

void deriver_gap(struct deriver *d, uint32_t thread)
{
    if (thread < d->threads.count)
        d->threads.items[thread].follows = false;
}

bool deriver_begin(struct deriver *d, uint32_t thread, uint32_t period, struct kind_table kinds, const uint8_t *roles)
{
    if (!vec_extend(&d->threads, (size_t)thread + 1))
        return false;
    struct derived_thread *t = &d->threads.items[thread];
    bool fresh = !t->follows || t->period != period;
    t->follows = true;
    t->period = period;
    derive_begin(d->encoder, &t->state, fresh, &(struct derive_tables){ d->news, kinds, roles });
    return true;
}
