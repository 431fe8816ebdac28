/* answers.c - classes, methods, data IDs and events as answers have them: those of first weavings (weavings.c). */
#include "formats/map.h"
#include "reader/trace/loading.h"

bool weavings_find(hs_trace *t)
{
    struct error err;
    if (!tables_need_classes(t) || t->weavings_loaded)
        return t->weavings != NULL;
    t->weavings_loaded = true; /* also after a failure: not tried again */
    if (weavings_load(t, &err) != OK) {
        trace_damaged(t, &err);
        weavings_done(t);
    }
    return t->weavings != NULL;
}

static const struct method_weaving *weaving_of(hs_trace *t, uint32_t method_id)
{
    return weavings_known(t) ? map_get(&t->weavings->methods, (uint64_t)method_id + 1) : NULL;
}

uint32_t same_code(hs_trace *t, uint32_t method_id)
{
    const struct method_weaving *m = weaving_of(t, method_id);
    return m != NULL ? m->same_code : method_id;
}

uint32_t same_method(hs_trace *t, uint32_t method_id)
{
    const struct method_weaving *m = weaving_of(t, method_id);
    return m != NULL ? m->by_name : method_id;
}

size_t hs_class_count(hs_trace *t)
{
    const size_t count = class_rows(t);
    return count > 0 && weavings_known(t) ? t->weavings->shown_count : count;
}

int hs_classes_open(hs_trace *t, hs_cursor **out, struct hs_error *error)
{
    const size_t count = hs_class_count(t);
    const struct hs_class *shown = t->weavings != NULL ? t->weavings->shown : t->classes.items;
    if (cursor_over(ROW_class, shown, sizeof *shown, count, NULL, out, NULL) == 0)
        return 0;
    return give(error, &(struct error){ .status = ERR_MEMORY, .text = "out of memory" });
}

const struct hs_class *hs_class_get(hs_trace *t, uint32_t class_no)
{
    const struct hs_class *c = class_row(t, class_no);
    return c == NULL || !weavings_known(t) ? c : &t->classes.items[t->weavings->classes[c - t->classes.items]];
}

const struct hs_method *hs_method_get(hs_trace *t, uint32_t method_id)
{
    return method_row(t, same_code(t, method_id));
}

const struct hs_dataid *hs_dataid_get(hs_trace *t, uint32_t dataid)
{
    return same_place(t, dataid) == dataid ? dataid_row(t, dataid) : NULL;
}

const struct hs_dataid *dataid_or_none(hs_trace *t, uint32_t dataid)
{
    static const struct hs_dataid none = {
        .kind = 'V', .class_no = UINT32_MAX, .method_id = UINT32_MAX, .pc = UINT32_MAX, .line = -1, .table_line = -1
    };
    const struct hs_dataid *d = hs_dataid_get(t, dataid);
    return d != NULL ? d : &none;
}
