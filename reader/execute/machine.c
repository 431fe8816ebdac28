/* machine.c - the machine as a whole; see execute.h. */
#include "formats/mutf8.h"
#include "reader/execute/natives.h"

struct machine *machine_new(hs_trace *t, const struct heap *heap)
{
    struct machine *m = calloc(1, sizeof *m);
    struct jvalue *values = m != NULL ? calloc(VALUES_MAX, sizeof *values) : NULL;
    if (values == NULL) {
        free(m);
        return NULL;
    }
    *m = (struct machine){ .trace = t, .heap = *heap, .values = values, .invoke = invoke };
    return m;
}

void machine_free(struct machine *m)
{
    if (m == NULL)
        return;
    vec_free(&m->made);
    vec_free(&m->reasons);
    vec_free(&m->names);
    map_free(&m->written);
    map_free(&m->fields);
    arena_done(&m->arena);
    free(m->values);
    free(m);
}

const char *machine_why(const struct machine *m) { return m->why != NULL ? m->why : ""; }

/* Every question begins anew, over what was made and written so far. */
static void begin(struct machine *m)
{
    m->ended = OUTCOME_VALUE;
    m->why = NULL;
    m->steps = m->calls = m->used = 0;
}

static enum outcome text_of(struct machine *m, struct jvalue v, char letter, const char **out)
{
    units_vec units = { 0 };
    struct writer w = { 0 };
    *out = NULL;
    if (append_text(m, &units, v, letter)) {
        utf16le_to_utf8(units.items, 2 * units.count, &w);
        char *copy = w.bad ? NULL : arena_chars(&m->arena, w.size + 1);
        if (copy == NULL)
            (void)end_memory(m);
        else {
            if (w.size > 0)
                memcpy(copy, w.data, w.size);
            copy[w.size] = '\0';
            *out = copy;
        }
        writer_free(&w);
    }
    vec_free(&units);
    return m->ended;
}

/* How it ended; of an exception its text as the reason. */
static enum outcome finish(struct machine *m, struct jvalue *result)
{
    if (m->ended == OUTCOME_VALUE && result->unknown)
        (void)end_not_known(m, "%s", m->reasons.items[result->bits]);
    if (m->ended != OUTCOME_THROWN)
        return m->ended;
    *result = m->thrown;
    const char *text;
    m->ended = OUTCOME_VALUE;
    const char *type = machine_type(m, result->bits);
    m->why = text_of(m, *result, 'L', &text) == OUTCOME_VALUE ? text : type != NULL ? type : "an exception";
    return m->ended = OUTCOME_THROWN;
}

enum outcome machine_invoke(struct machine *m, const struct hs_class *of, const struct hs_method *method,
                            const struct jvalue *arguments, unsigned count, struct jvalue *result)
{
    begin(m);
    *result = (struct jvalue){ .kind = 'V' };
    (void)invoke_method(m, of, method, arguments, count, result);
    return finish(m, result);
}

enum outcome machine_call(struct machine *m, const struct machine_call *call, struct jvalue *result, char *letter)
{
    begin(m);
    *result = (struct jvalue){ .kind = 'V' };
    *letter = 'V';
    (void)resolve_and_call(m, call, result, letter);
    if (strcmp(call->name, "<init>") == 0)
        *letter = 'L';
    return finish(m, result);
}

bool machine_string(struct machine *m, const char *utf8, struct jvalue *out)
{
    begin(m);
    return make_text(m, utf8, strlen(utf8), out);
}

enum outcome machine_text(struct machine *m, struct jvalue v, char letter, const char **out)
{
    begin(m);
    (void)text_of(m, v, letter, out);
    struct jvalue thrown;
    return m->ended == OUTCOME_VALUE ? m->ended : finish(m, &thrown);
}
