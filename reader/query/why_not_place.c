/* why_not_place.c - why a line or a method was not reached. */
#include <stdlib.h>
#include <string.h>

#include "reader/query/why_not.h"

/* Class.method, Class.method:LINE, Class:LINE */
static enum status read_place(struct asking *a, struct error *err)
{
    const char *place = a->options->place != NULL ? a->options->place : "", *colon = strrchr(place, ':');
    const char *paren = strchr(place, '(');
    size_t size = colon != NULL ? (size_t)(colon - place) : strlen(place);
    char *end = NULL;
    a->line = -1;
    if (colon != NULL) {
        const unsigned long line = strtoul(colon + 1, &end, 10);
        if (colon[1] < '0' || colon[1] > '9' || *end != '\0' || line > 65535)
            return error_set(err, ERR_USAGE, "'%s': a line is a number up to 65535", place);
        a->line = (int32_t)line;
    }
    const size_t names = paren != NULL && (size_t)(paren - place) < size ? (size_t)(paren - place) : size;
    size_t dot = names;
    while (dot > 0 && place[dot - 1] != '.')
        dot--;
    if (size == 0 || size >= sizeof a->class_glob || (colon == NULL && dot < 2) || dot == size)
        return error_set(err, ERR_USAGE, "'%s' is not Class.method, Class.method:LINE or Class:LINE", place);
    memcpy(a->class_glob, place, size);
    if (dot >= 2) {
        memcpy(a->method_glob, place + dot, size - dot);
        a->class_glob[dot - 1] = '\0';
    }
    return OK;
}

/* The first instruction of a line; NO_INSN: the method has none. */
static uint32_t insn_of_line(const struct method *m, int32_t line)
{
    uint32_t pc = UINT32_MAX;
    for (uint32_t i = 0; i < m->line_count; i++)
        if (m->lines[i].line == line && m->lines[i].pc < pc)
            pc = m->lines[i].pc;
    return pc != UINT32_MAX ? code_insn_at(&m->code, pc) : NO_INSN;
}

static enum status ask_methods(struct asking *a, const struct hs_class *c, bool with_method, size_t *found,
                               struct error *err)
{
    enum status st = OK;
    for (uint32_t i = 0; st == OK && i < c->method_count; i++) {
        const struct hs_method *row = c->methods[i];
        if (with_method && !hs_method_matches(a->method_glob, row->name, row->desc))
            continue;
        struct method *m = method_get(a->trace, row->method_id);
        const uint32_t insn = m == NULL ? NO_INSN : a->line < 0 ? 0 : insn_of_line(m, a->line);
        if (insn == NO_INSN || m->code.insns.count == 0)
            continue;
        ++*found;
        st = survey_method(a, m, insn, 0, err);
    }
    return st;
}

enum status ask_place(struct asking *a, struct error *err)
{
    const struct hs_class *c;
    size_t found = 0, classes = 0;
    enum status st = read_place(a, err);
    if (st != OK)
        return st;
    if (!tables_need_classes(a->trace))
        return state_memory(a->trace, err);
    for (int whole = 0; whole < 2 && classes == 0; whole++) { /* a.b.C:LINE has no method, though it has dots */
        if (whole == 1 && a->line >= 0 && a->method_glob[0] != '\0') {
            a->class_glob[strlen(a->class_glob)] = '.';
            a->method_glob[0] = '\0';
        }
        for (size_t i = 0; st == OK && (c = class_at(a->trace, i)) != NULL; i++) {
            if (c->dataid_count == 0 || !hs_class_matches(a->class_glob, c->name))
                continue;
            classes++;
            st = ask_methods(a, c, a->method_glob[0] != '\0', &found, err);
        }
    }
    if (st == OK && classes == 0)
        return ask_class(a, err);
    return st == OK && found == 0 ? error_set(err, ERR_NOT_FOUND, "no recorded code stands at '%s'", a->options->place)
                                  : st;
}
