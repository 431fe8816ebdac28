/* conditions.c - see conditions.h. */
#include "reader/command/conditions.h"

#include <stdio.h>
#include <string.h>

#include "formats/nearest.h"
#include "reader/command/names.h"
#include "reader/command/show.h"

int condition_parse(struct context *context, const char *text, hs_condition **out)
{
    struct hs_error error = HS_ERROR_INIT;
    *out = NULL;
    if (text == NULL || hs_condition_parse(text, out, &error) == 0)
        return PARSED;
    return cli_fail(error.code == HS_ERR_USAGE ? EXIT_USAGE : EXIT_FAILED, context, "--where: %s", error.text);
}

/* ---- names that nothing has ---- */

static void offer_words(struct nearest *n, const char *words)
{
    char word[32];
    for (size_t length; *words != '\0'; words += length + (words[length] == ' ')) {
        length = strcspn(words, " ");
        (void)snprintf(word, sizeof word, "%.*s", (int)length, words);
        nearest_offer(n, word);
    }
}

static void offer_locals(struct nearest *n, hs_trace *t)
{
    for (uint32_t id = 0; id < hs_dataid_count(t); id++) {
        const struct hs_dataid *d = hs_dataid_get(t, id);
        const char *name = d != NULL ? show_text_attr(d, "name") : NULL;
        if (name != NULL && show_text_attr(d, "owner") == NULL && hs_event_may_have(t, id, name))
            nearest_offer(n, name);
    }
}

/* "shipping (LOCAL_LOAD in a.b.Orders.total)" */
static void say_where(hs_trace *t, const char *name, const struct hs_dataid *d, char *out, size_t size)
{
    const struct hs_method *m = hs_method_get(t, d->method_id);
    const struct hs_class *c = hs_class_get(t, d->class_no);
    (void)snprintf(out, size, "%.100s (%s in %.150s.%.100s)", name, hs_event_name(d->event), c != NULL ? c->name : "?",
                   m != NULL ? m->name : "?");
}

/* Are there events with either name, and none with both? Then `first` are data IDs that have them. */
static bool are_apart(hs_trace *t, const char *const names[2], const struct hs_dataid *first[2])
{
    first[0] = first[1] = NULL;
    for (uint32_t id = 0; id < hs_dataid_count(t); id++) {
        const struct hs_dataid *d = hs_dataid_get(t, id);
        bool has[2] = { d != NULL && hs_event_may_have(t, id, names[0]),
                        d != NULL && hs_event_may_have(t, id, names[1]) };
        if (has[0] && has[1])
            return false;
        for (int i = 0; i < 2; i++)
            first[i] = has[i] && first[i] == NULL ? d : first[i];
    }
    return first[0] != NULL && first[1] != NULL;
}

bool condition_tell_apart(const hs_condition *condition, const struct session *s, int *status)
{
    const struct hs_condition_name *x, *y;
    const struct hs_dataid *first[2];
    char a[512], b[512];
    for (uint32_t i = 0; (x = hs_condition_name_get(condition, i)) != NULL; i++)
        for (uint32_t k = i + 1; (y = hs_condition_name_get(condition, k)) != NULL; k++) {
            if (x->joined != y->joined || strcmp(x->name, y->name) == 0 ||
                !are_apart(s->trace, (const char *const[]){ x->name, y->name }, first))
                continue;
            say_where(s->trace, x->name, first[0], a, sizeof a);
            say_where(s->trace, y->name, first[1], b, sizeof b);
            (void)cli_fail(EXIT_DONE, s->context,
                           "--where: no event has both %s and %s: an event has one value; use || for either, tree "
                           "--where for parameters of one call, objects --where for fields of one object",
                           a, b);
            *status = x->joined == 0 && hs_damage(s->trace) == NULL ? EXIT_FAILED : EXIT_DONE;
            return true;
        }
    return false;
}

/* Says that no row has the name; the exit status as of condition_tell_unknown. */
static int tell_unknown(const struct session *s, const char *name, const char *words, bool locals)
{
    uint64_t number;
    char text[NEAREST_TEXT_MAX];
    const char *dot = strrchr(name, '.');
    struct nearest n;
    nearest_init(&n, dot != NULL ? dot + 1 : name);
    offer_words(&n, words);
    if (locals)
        offer_locals(&n, s->trace);
    names_offer_fields(s->trace, &n); /* without the class, of which the condition may name another */
    /* an element or argument of a high number is no misspelt name, and in a damaged trace a missing name proves
     * nothing */
    const bool misspelt = !n.exact && name[0] != '[' && !(strncmp(name, "arg", 3) == 0 && cli_u64(name + 3, &number));
    const char *nearest = n.exact ? "" : nearest_text(&n, text);
    if (misspelt && *nearest == '\0')
        (void)cli_fail(EXIT_DONE, s->context, "--where: no row has '%s'; names are %s, and those of fields%s", name,
                       words, locals ? ", parameters and local variables" : "");
    else
        (void)cli_fail(EXIT_DONE, s->context, "--where: no row has '%s'%s", name, nearest);
    return misspelt && hs_damage(s->trace) == NULL ? EXIT_FAILED : EXIT_DONE;
}

int condition_tell_unknown(const hs_condition *condition, const struct session *s, const char *words, bool locals)
{
    const struct hs_condition_name *n;
    int status = EXIT_DONE;
    for (uint32_t i = 0; (n = hs_condition_name_get(condition, i)) != NULL; i++)
        if (n->asked && !n->seen && tell_unknown(s, n->name, words, locals) != EXIT_DONE)
            status = EXIT_FAILED;
    return status;
}

int condition_refuse_unknown(const hs_condition *condition, const struct session *s)
{
    const struct hs_condition_name *n;
    for (uint32_t i = 0; (n = hs_condition_name_get(condition, i)) != NULL; i++) {
        const uint32_t count = hs_dataid_count(s->trace);
        uint32_t id = 0;
        while (id < count && !hs_event_may_have(s->trace, id, n->name))
            id++;
        if (id == count && tell_unknown(s, n->name, WHERE_EVENT_WORDS, true) != EXIT_DONE)
            return EXIT_FAILED;
    }
    return PARSED;
}
