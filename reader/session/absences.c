/* absences.c - hs_absences_open: an element of a collection is evaluated where the thread stands; the questions
 * themselves are below reader/query.
 *
 *     orders.contains(order)    collection "orders", element "order" */
#include <stdio.h>
#include <string.h>

#include "reader/query/absences.h"
#include "reader/trace/open_trace.h"

/* The parts of the question, as texts. */
struct parts {
    const char *name; /* behind the last dot of what is called */
    char *collection, *element;
};

/* The parenthesis that the last character closes; NULL: there is none. */
static const char *opening(const char *text, size_t n)
{
    const char *open[64];
    size_t depth = 0;
    char quote = 0;
    for (const char *p = text; p < text + n; p++) {
        if (quote != 0) {
            p += *p == '\\' && p + 1 < text + n;
            quote = *p == quote && p[-1] != '\\' ? 0 : quote;
        } else if (*p == '"' || *p == '\'') {
            quote = *p;
        } else if (*p == '(') {
            if (depth == sizeof open / sizeof *open)
                return NULL;
            open[depth++] = p;
        } else if (*p == ')') {
            if (depth == 0)
                return NULL;
            depth--;
            if (p == text + n - 1)
                return open[depth];
        }
    }
    return NULL;
}

static char *cut(struct arena *arena, const char *from, const char *to)
{
    char *out = arena_chars(arena, (size_t)(to - from) + 1);
    if (out != NULL) {
        memcpy(out, from, (size_t)(to - from));
        out[to - from] = '\0';
    }
    return out;
}

/* False: it is no such question. */
static bool part(const char *text, struct arena *arena, struct parts *out)
{
    static const char *const names[] = { ".contains", ".containsKey", ".containsValue" };
    const size_t n = text != NULL ? strlen(text) : 0;
    const char *open = n > 0 && text[n - 1] == ')' ? opening(text, n) : NULL;
    for (size_t i = 0; open != NULL && i < sizeof names / sizeof *names; i++) {
        const size_t size = strlen(names[i]);
        if ((size_t)(open - text) <= size || memcmp(open - size, names[i], size) != 0)
            continue;
        *out = (struct parts){ names[i] + 1, cut(arena, text, open - size), cut(arena, open + 1, text + n - 1) };
        return true;
    }
    return false;
}

/* ---- values ---- */

struct asker {
    hs_trace *trace;
    const struct parts *parts;
    uint64_t at;
};

static enum expression_answer equals(void *context, uint32_t object)
{
    const struct asker *a = context;
    const struct hs_evaluation *v;
    char text[1200];
    const int n = snprintf(text, sizeof text, "(%s).equals(#%u)", a->parts->element, (unsigned)object);
    if (n < 0 || (size_t)n >= sizeof text || hs_evaluate(a->trace, a->at, 0, text, &v, NULL) != 0 ||
        v->not_recorded != NULL || v->throws != NULL)
        return EXPRESSION_NOT_KNOWN;
    return v->bits != 0 ? EXPRESSION_YES : EXPRESSION_NO;
}

static bool hash(void *context, uint32_t object, uint64_t at, int32_t *out)
{
    const struct asker *a = context;
    const struct hs_evaluation *v;
    char text[32];
    (void)snprintf(text, sizeof text, "#%u.hashCode()", (unsigned)object);
    if (hs_evaluate(a->trace, at, 0, text, &v, NULL) != 0 || v->not_recorded != NULL || v->throws != NULL)
        return false;
    *out = (int32_t)v->bits;
    return true;
}

/* Its value, which has to be known. */
static enum status value_of(const struct asker *a, const char *text, const struct hs_evaluation **out,
                            struct error *err)
{
    struct hs_error error = HS_ERROR_INIT;
    if (hs_evaluate(a->trace, a->at, 0, text, out, &error) != 0)
        return error_set(err, (enum status)error.code, "%s", error.text);
    if ((*out)->throws != NULL)
        return error_set(err, ERR_NOT_FOUND, "'%s' throws %s", text, (*out)->throws);
    if ((*out)->not_recorded != NULL)
        return error_set(err, ERR_NOT_FOUND, "'%s' was not recorded: %s", text, (*out)->not_recorded);
    return OK;
}

static enum status evaluate(const struct asker *a, struct arena *arena, struct absent_member *out, struct error *err)
{
    const struct hs_evaluation *v;
    enum status st = value_of(a, a->parts->collection, &v, err);
    if (st != OK)
        return st;
    if (v->kind != HS_KIND_REF || v->text != NULL || v->bits - 1 >= UINT32_MAX)
        return error_set(err, ERR_USAGE, "'%s' is no collection", a->parts->collection);
    out->collection = (uint32_t)v->bits;
    st = value_of(a, a->parts->element, &v, err);
    if (st != OK)
        return st;
    out->element = (struct hs_value){ v->bits, v->kind };
    if (v->text != NULL && (out->text = cut(arena, v->text, v->text + strlen(v->text))) == NULL)
        return error_memory(err, "%s", a->trace->dir);
    return OK;
}

int hs_absences_open(hs_trace *trace, const struct hs_absence_options *options, hs_cursor **out, struct hs_error *error)
{
    struct arena arena = { 0 };
    struct parts parts;
    struct error err = { 0 };
    const bool sized = options != NULL && options->size == sizeof *options;
    if (!sized || !part(options->place, &arena, &parts)) {
        arena_done(&arena);
        return absences_open(trace, options, NULL, out, error);
    }
    struct asker asker = { trace, &parts, options->at };
    if (asker.at >= trace->events)
        asker.at = trace->events > 0 ? trace->events - 1 : 0;
    struct absent_member member = { .at = asker.at, .equals = equals, .hash = hash, .context = &asker };
    member.of_values = strcmp(parts.name, "containsValue") == 0;
    enum status st = parts.collection != NULL && parts.element != NULL ? evaluate(&asker, &arena, &member, &err)
                                                                       : error_memory(&err, "%s", trace->dir);
    const int status = st == OK ? absences_open(trace, options, &member, out, error) : give(error, &err);
    arena_done(&arena);
    return status;
}
