/* get_message.c - see get_message.h. */
#include "reader/query/get_message.h"

#include "reader/query/past_heap.h"

/* The getMessage of the class or a superclass. */
static const struct hs_method *own_method(hs_trace *t, uint32_t id, const struct hs_class **of)
{
    const struct hs_type *type = hs_type_get(t, objects_class(t, id));
    const struct lineage *c = type != NULL ? lineage_of(t, type->name, type->loader) : NULL;
    bool missing;
    for (; c != NULL && c->known; c = lineage_super(t, c, &missing))
        for (uint32_t k = 0; c->woven && k < c->row->method_count; k++) {
            const struct hs_method *m = c->row->methods[k];
            if (strcmp(m->name, "getMessage") == 0 && strcmp(m->desc, "()Ljava/lang/String;") == 0) {
                *of = c->row;
                return m;
            }
        }
    return NULL;
}

/* Of the exception itself; of others it is not asked, whose messages may depend on this one. */
static bool detail_of(void *asks, uint32_t exception, const char **text)
{
    const struct get_message *g = asks;
    *text = g->detail;
    return exception == g->id;
}

bool get_message(const struct get_message *g, const char **out)
{
    struct get_message asks = *g;
    struct past_heap past = { .trace = g->trace, .seq = g->seq, .message = detail_of, .asks = &asks };
    const struct heap heap = past_heap(&past);
    const struct hs_class *of = NULL;
    const struct hs_method *method = own_method(g->trace, g->id, &of);
    struct machine *m = method != NULL ? machine_new(g->trace, &heap) : NULL;
    const struct jvalue self = { .kind = 'A', .bits = g->id };
    struct jvalue result;
    const char *text = NULL;
    *out = NULL;
    if (method != NULL && m == NULL)
        trace_no_memory(g->trace);
    enum outcome ended = m != NULL ? machine_invoke(m, of, method, &self, 1, &result) : OUTCOME_NOT_KNOWN;
    bool known = ended == OUTCOME_VALUE;
    if (known && result.bits != 0) {
        ended = machine_text(m, result, 'L', &text);
        *out = text != NULL ? trace_text_in(g->trace, g->to, (struct text){ text, strlen(text) }, false) : NULL;
        known = *out != NULL;
    }
    if (ended == OUTCOME_NO_MEMORY)
        trace_no_memory(g->trace);
    machine_free(m);
    past_heap_done(&past);
    return known;
}
