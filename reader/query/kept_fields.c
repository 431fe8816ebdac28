/* kept_fields.c - see kept_fields.h: a table of a fixed size, in which an object may replace another one. */
#include "reader/query/kept_fields.h"

#include <stdlib.h>
#include <string.h>

enum { SLOTS = 1 << 12, FIELDS_MAX = 64 };

struct kept_table {
    struct kept_fields *slots[SLOTS];
};

void kept_fields_free(struct kept_fields *k)
{
    for (size_t i = 0; k != NULL && i < k->count; i++)
        free(k->items[i].name);
    free(k);
}

static void table_free(void *what)
{
    struct kept_table *table = what;
    for (size_t i = 0; i < SLOTS; i++)
        kept_fields_free(table->slots[i]);
    free(table);
}

static struct kept_fields **slot_of(hs_trace *t, uint32_t object)
{
    struct kept_table *table = trace_attached(t, ATTACHED_KEPT_FIELDS);
    if (table == NULL) {
        table = calloc(1, sizeof *table);
        if (table != NULL)
            trace_attach(t, ATTACHED_KEPT_FIELDS, table, table_free);
    }
    return table != NULL ? &table->slots[object % SLOTS] : NULL;
}

const struct kept_fields *kept_fields_get(hs_trace *t, uint32_t object)
{
    struct kept_fields **slot = slot_of(t, object);
    return slot != NULL && *slot != NULL && (*slot)->object == object ? *slot : NULL;
}

struct kept_fields *kept_fields_new(uint32_t object, uint64_t until, size_t count)
{
    struct kept_fields *k = count <= FIELDS_MAX ? calloc(1, sizeof *k + count * sizeof *k->items) : NULL;
    if (k != NULL) {
        k->object = object;
        k->until = until;
        k->count = count;
    }
    return k;
}

bool kept_fields_set(struct kept_fields *k, size_t i, const char *name, const struct hs_event *value)
{
    k->items[i] = (struct kept_field){ strdup(name), *value };
    return k->items[i].name != NULL;
}

void kept_fields_put(hs_trace *t, struct kept_fields *k)
{
    struct kept_fields **slot = slot_of(t, k->object);
    if (slot == NULL) {
        kept_fields_free(k);
        return;
    }
    kept_fields_free(*slot);
    *slot = k;
}
