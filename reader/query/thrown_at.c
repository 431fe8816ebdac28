/* thrown_at.c - hs_place_of and hs_thrown_at: place.h. */
#include "reader/query/place.h"
#include "reader/query/state.h"

typedef enum status place_fn(hs_trace *t, const struct hs_event *e, struct hs_place *out, struct error *err);

static int give_place(hs_trace *t, const struct hs_event *event, place_fn *find_place, const struct hs_place **out,
                      struct hs_error *error)
{
    struct error err = { 0 };
    struct last_answers *last = state_last(t);
    if (last == NULL)
        (void)state_memory(t, &err);
    if (last == NULL || find_place(t, event, &last->place, &err) != OK)
        return give(error, &err);
    *out = &last->place;
    return 0;
}

int hs_place_of(hs_trace *t, const struct hs_event *event, const struct hs_place **out, struct hs_error *error)
{
    return give_place(t, event, place_of, out, error);
}

int hs_thrown_at(hs_trace *t, const struct hs_event *event, const struct hs_place **out, struct hs_error *error)
{
    return give_place(t, event, place_of_throw, out, error);
}
