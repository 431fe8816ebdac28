/* effects.c - see code.h. */
#include "reader/code/code.h"

#include <stdlib.h>
#include <string.h>

#include "formats/jvm/classfile.h"

struct effects {
    struct effect *rows; /* by data ID */
    uint16_t *slots;     /* by method id */
    uint32_t method_count;
};

static const struct effect strange = { .op = EFFECT_STRANGE };

int64_t attribute_number(const struct hs_dataid *d, const char *name, int64_t absent)
{
    for (uint32_t i = 0; i < d->attr_count; i++)
        if (d->attrs[i]->type != HS_ATTR_TEXT && strcmp(d->attrs[i]->name, name) == 0)
            return d->attrs[i]->number;
    return absent;
}

const char *attribute_text(const struct hs_dataid *d, const char *name)
{
    for (uint32_t i = 0; i < d->attr_count; i++)
        if (d->attrs[i]->type == HS_ATTR_TEXT && strcmp(d->attrs[i]->name, name) == 0)
            return d->attrs[i]->text;
    return NULL;
}

uint32_t parameter_slot(const char *desc, bool instance, int64_t index)
{
    size_t size = strlen(desc), at = 1;
    uint32_t slot = instance ? 1 : 0;
    if (instance && index-- == 0)
        return 0;
    while (at < size && desc[at] != ')') {
        size_t n = descriptor_type_length(desc + at, size - at);
        if (n == 0)
            break;
        if (index-- == 0)
            return slot;
        slot += type_slots(desc[at]);
        at += n;
    }
    return UINT32_MAX;
}

static void effects_free(void *what)
{
    struct effects *f = what;
    free(f->rows);
    free(f->slots);
    free(f);
}

static struct effects *effects_of(const hs_trace *t) { return trace_attached(t, ATTACHED_EFFECTS); }

bool effects_ready(hs_trace *t)
{
    if (trace_attached(t, ATTACHED_EFFECTS) != NULL)
        return true;
    struct effects *f = calloc(1, sizeof *f);
    if (f == NULL) {
        trace_no_memory(t);
        return false;
    }
    uint64_t methods = 0;
    for (size_t i = 0; i < class_rows(t); i++) {
        const struct hs_class *c = class_at(t, i);
        if (c->dataid_count == 0 || c->method_count == 0)
            continue;
        uint64_t end = (uint64_t)c->methods[0]->method_id + c->method_count;
        if (end > methods)
            methods = end;
    }
    f->method_count = (uint32_t)methods;
    f->rows = calloc((size_t)t->kind_count + 1, sizeof *f->rows);
    f->slots = calloc(methods + 1, sizeof *f->slots);
    if (f->rows == NULL || f->slots == NULL) {
        effects_free(f);
        trace_no_memory(t);
        return false;
    }
    trace_attach(t, ATTACHED_EFFECTS, f, effects_free);
    return true;
}

static struct text text_of(const struct dataid_row *row, enum attr attr)
{
    for (unsigned i = 0; i < row->attr_count; i++)
        if (row->attrs[i].attr == attr)
            return row->attrs[i].text;
    return (struct text){ 0 };
}

static int64_t number_of(const struct dataid_row *row, enum attr attr)
{
    for (unsigned i = 0; i < row->attr_count; i++)
        if (row->attrs[i].attr == attr)
            return row->attrs[i].number;
    return -1;
}

static const struct {
    enum event_use use;
    enum effect_op op;
} frame_ops[] = {
    { USE_ENTER, EFFECT_ENTER }, { USE_LEAVE, EFFECT_LEAVE },   { USE_INITIALIZED, EFFECT_INITIALIZED },
    { USE_LOCK, EFFECT_LOCK },   { USE_UNLOCK, EFFECT_UNLOCK }, { USE_LEFT_OUT, EFFECT_LEFT_OUT },
};

static struct effect effect_of(hs_trace *t, const struct dataid_row *d, const struct hs_method *m)
{
    struct effect f = { .op = EFFECT_INSIDE, .event = (uint8_t)d->event, .method = m->method_id };
    int64_t slot = -1;
    if (d->event == EVENT_PUT_INSTANCE_FIELD || d->event == EVENT_GET_INSTANCE_FIELD)
        f.slot = (uint16_t)location_part_of_field(text_of(d, ATTR_name));
    if ((m->groups & GROUP_BIT(EXEC)) == 0) {
        f.op = EFFECT_STRANGE;
        return f;
    }
    for (size_t i = 0; i < sizeof frame_ops / sizeof *frame_ops; i++)
        if (event_has(d->event, frame_ops[i].use))
            f.op = (uint8_t)frame_ops[i].op;
    if (event_has(d->event, USE_PARAMETER)) {
        uint32_t at = parameter_slot(m->desc, (m->access & ACC_STATIC) == 0, number_of(d, ATTR_index));
        slot = at == UINT32_MAX ? -1 : (int64_t)at;
    } else if (event_has(d->event, USE_READ_LOCAL | USE_WRITE_LOCAL)) {
        slot = number_of(d, ATTR_varindex);
    }
    if (slot >= 0 && slot < UINT16_MAX && m->method_id < effects_of(t)->method_count) {
        f.op = event_has(d->event, USE_READ_LOCAL) ? EFFECT_READ : EFFECT_WRITE;
        f.slot = (uint16_t)slot;
        if (slot >= effects_of(t)->slots[m->method_id])
            effects_of(t)->slots[m->method_id] = (uint16_t)(slot + 1);
    }
    return f;
}

/* The class whose rows are read. */
struct reading {
    hs_trace *t;
    const struct hs_class *c;
};

static enum status read_row(void *context, uint32_t index, const struct dataid_row *row, struct error *err)
{
    const struct reading *r = context;
    (void)err;
    effects_of(r->t)->rows[r->c->first_dataid + index] = effect_of(r->t, row, r->c->methods[row->method]);
    return OK;
}

static void read_class(hs_trace *t, const struct hs_class *c)
{
    struct reading r = { t, c };
    struct error err;
    if (tables_skim(t, c, read_row, &r, &err) == OK)
        return;
    trace_damaged(t, &err);
    for (uint32_t i = 0; i < c->dataid_count && c->first_dataid + i < t->kind_count; i++)
        effects_of(t)->rows[c->first_dataid + i] = strange; /* none of a damaged class, as hs_dataid_get */
}

const struct effect *effects_get(hs_trace *t, uint32_t id)
{
    if (id >= t->kind_count || !effects_ready(t))
        return &strange;
    struct effect *f = &effects_of(t)->rows[id];
    if (f->op == EFFECT_UNREAD) {
        const struct hs_class *c = tables_class_of(t, id);
        if (c != NULL)
            read_class(t, c);
        if (f->op == EFFECT_UNREAD)
            *f = strange;
    }
    return f;
}

const struct effect *effects_known(hs_trace *t) { return effects_ready(t) ? effects_of(t)->rows : NULL; }

uint32_t effects_slots(hs_trace *t, uint32_t method_id)
{
    if (!effects_ready(t) || method_id >= effects_of(t)->method_count)
        return 0;
    return effects_of(t)->slots[method_id];
}
