/* throw_stack.c - format=exceptions: the stack at a throw (thrown.h), from the calls of THROW_CLASS before it
 * (logging/hook/java/lang/HindsightThrow.java). They are read from the throw back to the throw before it in its thread:
 *
 *     frame(class, method, file, line)  variable(name, value)*  redacted(name)*   ...   thrown(exception, caught, more)
 *
 * each as METHOD_ENTRY, METHOD_PARAM* and an exit. */
#include <string.h>

#include "formats/event.h"
#include "formats/mutf8.h"
#include "formats/schema.h"
#include "reader/code/code.h"
#include "reader/cursor/cursor.h"
#include "reader/query/thrown.h"

enum { EVENTS_MAX = 1 << 16, PARAMETERS = 4 }; /* a throw has fewer events: thrown_stacks.c of the agent */

/* One call of THROW_CLASS. */
struct noted {
    const char *method;
    struct hs_event values[PARAMETERS];
    size_t count;
};
typedef VEC(struct noted) noted_vec;

static const char *method_of(hs_trace *t, const struct hs_event *e, unsigned *event)
{
    const struct hs_dataid *d = hs_dataid_get(t, e->dataid);
    const struct hs_method *m = d != NULL ? hs_method_get(t, d->method_id) : NULL;
    const struct hs_class *c = m != NULL ? hs_class_get(t, m->class_no) : NULL;
    if (c == NULL || strcmp(c->name, THROW_CLASS) != 0)
        return NULL;
    *event = d->event;
    return m->name;
}

/* The calls, the last one first, from that of `thrown` on; false: out of memory, or `*damaged`. */
static bool read_calls(hs_trace *t, const struct hs_event *thrown, noted_vec *out, bool *damaged)
{
    struct error err = { 0 };
    struct hs_event e = *thrown, before;
    struct noted now = { 0 };
    unsigned event = 0;
    for (size_t n = 0; n < EVENTS_MAX && event_beside(t, &e, -1, &before, &err) == OK; n++, e = before) {
        const char *method = method_of(t, &before, &event);
        if (method == NULL)
            continue;
        if (event == EVENT_METHOD_EXCEPTIONAL_EXIT || (event == EVENT_METHOD_ENTRY && strcmp(method, "limited") == 0))
            return true;
        if (event == EVENT_METHOD_PARAM && now.count < PARAMETERS)
            now.values[now.count++] = before;
        if (event != EVENT_METHOD_ENTRY)
            continue;
        struct noted *to = vec_push(out);
        if (to == NULL)
            return false;
        now.method = method;
        *to = now;
        now.count = 0;
    }
    *damaged = err.status != OK && err.status != ERR_NOT_FOUND;
    if (*damaged)
        trace_damaged(t, &err);
    return !*damaged;
}

/* A parameter by its position; they were read from the last one on. */
static const struct hs_event *parameter(const struct noted *n, size_t at)
{
    return at < n->count ? &n->values[n->count - 1 - at] : NULL;
}

static const char *text_parameter(hs_trace *t, struct arena *to, const struct noted *n, size_t at)
{
    const struct hs_event *e = parameter(n, at);
    const struct hs_object *o =
        e != NULL && e->value != 0 && e->value <= UINT32_MAX ? hs_object_get(t, (uint32_t)e->value) : NULL;
    struct writer w = { 0 };
    if (o == NULL || !o->has_string)
        return "";
    (o->latin1 ? latin1_to_utf8 : utf16le_to_utf8)(o->data, o->data_bytes, &w);
    char *copy = !w.bad ? arena_chars(to, w.size + 1) : NULL;
    if (copy != NULL) {
        memcpy(copy, w.data, w.size);
        copy[w.size] = '\0';
    }
    writer_free(&w);
    return copy != NULL ? copy : "";
}

static int64_t number_parameter(const struct noted *n, size_t at, int64_t absent)
{
    const struct hs_event *e = parameter(n, at);
    return e != NULL ? (int32_t)e->value : absent;
}

static void put_frame(hs_trace *t, struct arena *to, const struct noted *n, size_t at, int64_t caught,
                      struct hs_throw_frame *f)
{
    const int32_t line = (int32_t)number_parameter(n, 3, -1);
    *f = (struct hs_throw_frame){ .class_name = text_parameter(t, to, n, 0),
                                  .method = text_parameter(t, to, n, 1),
                                  .file = text_parameter(t, to, n, 2),
                                  .line = line < 0 ? -1 : line,
                                  .native = line == -2,
                                  .caught = (int64_t)at == caught };
}

static void put_variable(hs_trace *t, struct arena *to, const struct noted *n, struct hs_throw_variable *v)
{
    const struct hs_event *value = parameter(n, 1);
    *v = (struct hs_throw_variable){ .name = text_parameter(t, to, n, 0), .redacted = value == NULL };
    if (value == NULL)
        return;
    v->kind = value->kind;
    v->value = value->value;
}

/* The native code of reflection, whose caller gets an InvocationTargetException. JVMTI takes for the handler of the
 * first exception the next one that fits, also behind such a frame. */
static bool hands_on_another(const struct hs_throw_frame *f)
{
    return f->native && strstr(f->class_name, ".reflect.") != NULL;
}

/* `calls`: the last one, of `thrown`, is the first. */
static struct hs_throw_stack *make_stack(hs_trace *t, struct arena *to, const noted_vec *calls)
{
    struct hs_throw_stack *s = arena_get(to, sizeof *s);
    struct hs_throw_frame *frames = arena_array(to, calls->count, sizeof *frames), *f = NULL;
    struct hs_throw_variable *variables = arena_array(to, calls->count, sizeof *variables);
    size_t frame_count = 0, variable_count = 0;
    const int64_t more = number_parameter(&calls->items[0], 2, 0);
    if (s == NULL || frames == NULL || variables == NULL)
        return NULL;
    *s = (struct hs_throw_stack){ .caught = number_parameter(&calls->items[0], 1, -1),
                                  .more = more > 0 ? (uint64_t)more : 0 };
    const struct hs_throw_variable *const *list = pointers_to(to, variables, sizeof *variables, calls->count);
    for (size_t i = calls->count; list != NULL && i-- > 1;) {
        const struct noted *n = &calls->items[i];
        if (strcmp(n->method, "frame") == 0) {
            f = &frames[frame_count];
            put_frame(t, to, n, frame_count++, s->caught, f);
            f->variables = list + variable_count;
        } else if (f != NULL) {
            put_variable(t, to, n, &variables[variable_count++]);
            f->variable_count++;
        }
    }
    for (size_t i = 1; s->caught >= 0 && i < frame_count && i < (uint64_t)s->caught; i++)
        if (hands_on_another(&frames[i])) {
            if ((uint64_t)s->caught < frame_count)
                frames[s->caught].caught = false;
            s->caught = -1;
        }
    s->frame_count = frame_count;
    s->frames = pointers_to(to, frames, sizeof *frames, frame_count);
    return list != NULL && s->frames != NULL ? s : NULL;
}

const struct hs_throw_stack *throw_stack_read(hs_trace *t, const struct hs_event *thrown, struct arena *to)
{
    unsigned event = 0;
    noted_vec calls = { 0 };
    if (method_of(t, thrown, &event) == NULL || event != EVENT_METHOD_THROW)
        return NULL;
    bool damaged = false;
    const bool read = read_calls(t, thrown, &calls, &damaged);
    const bool known = calls.count > 0 && strcmp(calls.items[0].method, "thrown") == 0;
    struct hs_throw_stack *s = read && known ? make_stack(t, to, &calls) : NULL;
    if (s == NULL && !damaged && (!read || known))
        trace_no_memory(t);
    vec_free(&calls);
    return s;
}

const struct hs_throw_stack *hs_throw_stack_get(hs_trace *t, const struct hs_event *thrown)
{
    return throw_stack_read(t, thrown, &t->arena);
}
