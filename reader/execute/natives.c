/* natives.c - which method of the JDK a call is; see natives.h and natives.def. */
#include "reader/execute/natives.h"

bool invoke_native(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    static const struct {
        enum nature nature;
        const char *owner, *name, *desc;
        bool (*function)(struct machine *m, const struct invocation *i, struct jvalue *out);
    } rows[] = {
#define NATIVE(nature, owner, name, desc, function) { nature, owner, name, desc, function },
#include "reader/execute/natives.def"
#undef NATIVE
    };
    const enum nature nature = i->is_static ? NATURE_STATIC : nature_of(m, i->given[0]);
    for (size_t k = 0; m->ended == OUTCOME_VALUE && k < sizeof rows / sizeof *rows; k++)
        if ((rows[k].nature == nature || (rows[k].nature == NATURE_ANY && !i->is_static)) &&
            text_is(i->ref.name, rows[k].name) && (rows[k].desc == NULL || text_is(i->ref.desc, rows[k].desc)) &&
            (rows[k].owner == NULL || text_is_class(i->ref.owner, rows[k].owner)))
            return rows[k].function(m, i, out);
    const char *type = i->is_static ? NULL : machine_type(m, i->given[0].bits);
    const char *owner = type != NULL ? type : keep_text(m, i->ref.owner, true);
    return end_not_known(m, "%s.%.*s is not woven", owner != NULL ? owner : "?", (int)i->ref.name.size,
                         i->ref.name.data);
}
