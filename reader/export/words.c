/* words.c - see words.h. */
#include "reader/export/words.h"

bool words_init(struct words *w, hs_trace *trace)
{
    *w = (struct words){ 0 };
    return out_init_memory(&w->out) && show_init(&w->show, trace, &w->out);
}

void words_done(struct words *w)
{
    show_done(&w->show);
    out_done(&w->out);
}

static void begin(struct words *w)
{
    w->out.used = 0;
    w->out.failed = 0;
}

static const char *end(struct words *w)
{
    out_char(&w->out, '\0');
    return w->out.failed == 0 ? w->out.data : "...";
}

static void value(struct words *w, struct call_value value)
{
    const struct hs_object *o = value.kind == HS_KIND_REF && value.bits != 0 && value.bits <= UINT32_MAX
                                    ? hs_object_get(w->show.trace, (uint32_t)value.bits)
                                    : NULL;
    if (o == NULL || !o->has_string) {
        show_value_text(&w->show, value.kind, value.bits);
        return;
    }
    if (out_quoted_string(&w->out, o, UINT64_MAX) || o->cut)
        out_text(&w->out, "...");
    out_char(&w->out, '#');
    out_u64(&w->out, value.bits);
}

const char *words_value(struct words *w, struct call_value v) { return words_values(w, &v, 1); }

const char *words_values(struct words *w, const struct call_value *values, size_t count)
{
    begin(w);
    for (size_t i = 0; i < count; i++) {
        out_text(&w->out, i > 0 ? ", " : "");
        value(w, values[i]);
    }
    return end(w);
}

const char *words_method(struct words *w, uint32_t method_id)
{
    const struct hs_method *m = hs_method_get(w->show.trace, method_id);
    const struct hs_class *c = m != NULL ? hs_class_get(w->show.trace, m->class_no) : NULL;
    begin(w);
    out_name(&w->out, c != NULL ? c->name : "?");
    out_char(&w->out, '.');
    out_name(&w->out, m != NULL ? m->name : "?");
    return end(w);
}

const char *words_member(struct words *w, const struct hs_dataid *d)
{
    const char *owner = show_text_attr(d, "owner"), *name = show_text_attr(d, "name");
    begin(w);
    if (name != NULL && owner != NULL) {
        out_name(&w->out, owner);
        out_char(&w->out, '.');
    }
    out_name(&w->out, name != NULL ? name : "");
    return end(w);
}

uint64_t double_bits(struct call_value value)
{
    uint32_t low = (uint32_t)value.bits;
    uint64_t bits = value.bits;
    float single;
    if (value.kind == HS_KIND_FLOAT) {
        memcpy(&single, &low, sizeof single);
        double wide = (double)single;
        memcpy(&bits, &wide, sizeof bits);
    }
    return bits;
}
