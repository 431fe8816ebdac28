/* members.c - see members.h. */
#include "reader/query/members.h"

#include "formats/jvm/arithmetic.h"

void members_done(struct answer_members *m)
{
    vec_free(&m->members);
    vec_free(&m->types);
}

enum status members_add(struct answer_members *m, const char *name, uint64_t index, const struct hs_event *value,
                        struct error *err)
{
    struct found_member *to = vec_push(&m->members);
    if (to == NULL)
        return state_memory(m->trace, err);
    const char kind = name == NULL ? element_kind(m->trace, m->id, value->kind) : value->kind;
    *to = (struct found_member){ .made = { .name = name,
                                           .index = index,
                                           .kind = kind,
                                           .value = arithmetic_narrowed((unsigned char)kind, value->value) },
                                 .event = *value };
    return to->event.seq != UINT64_MAX ? OK : positions_number(m->trace, &to->event, err);
}

enum status members_add_default(struct answer_members *m, const char *name, uint64_t index, char kind,
                                const struct hs_event *made, struct error *err)
{
    struct hs_event e = *made;
    e.kind = kind;
    e.value = 0;
    enum status st = members_add(m, name, index, &e, err);
    if (st == OK) {
        m->members.items[m->members.count - 1].made.is_default = true;
        m->members.items[m->members.count - 1].event = *made;
    }
    return st;
}
