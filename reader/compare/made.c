/* made.c - see diff.h. What a compiler writes by itself, and another version of it, or for another version of class
 * files, does not: accessors of private members (access$012, up to class files of Java 10) and constructors with one
 * parameter more for the same purpose, $values() of enums, the tables of switches over enums, null checks, and how
 * texts are joined. It matters only where classes of one name have class files of different versions. */
#include <string.h>

#include "reader/compare/diff.h"

enum { ACCESS_STATIC = 0x0008, ACCESS_SYNTHETIC = 0x1000, MAJOR_JAVA_8 = 52 };

static uint64_t key_of(const char *owner, const char *name, const char *desc)
{
    uint64_t hash = map_hash(owner, strlen(owner));
    hash = diff_mix(hash, map_hash(name, strlen(name)));
    return diff_mix(hash, map_hash(desc, strlen(desc)));
}

void diff_note_versions(struct diff *d, uint32_t a, uint32_t b)
{
    d->recompiled |= a != b;
    d->joined |= a != b && (a <= MAJOR_JAVA_8 || b <= MAJOR_JAVA_8); /* by invokedynamic since Java 9 */
}

static enum diff_made made_by_compiler(const struct hs_method *m, const struct hs_class *c)
{
    const bool synthetic = (m->access & ACCESS_SYNTHETIC) != 0;
    if ((c->access & ACCESS_SYNTHETIC) != 0 && strcmp(m->name, "<clinit>") == 0)
        return DIFF_MADE_WHOLE;
    if (!synthetic || strncmp(m->name, "lambda$", 7) == 0)
        return DIFF_MADE_NOT;
    if (strcmp(m->name, "<init>") == 0)
        return DIFF_MADE_CONSTRUCTOR;
    return (m->access & ACCESS_STATIC) != 0 ? DIFF_MADE_BETWEEN : DIFF_MADE_NOT;
}

bool diff_find_made(struct diff *d)
{
    for (size_t i = 0; d->recompiled && i < d->methods.count; i++) {
        struct diff_method *m = &d->methods.items[i];
        const int side = m->rows[0] == NULL;
        const struct hs_class *c = hs_class_get(d->sides[side].trace, m->rows[side]->class_no);
        if (c == NULL || m->rows[!side] != NULL)
            continue;
        m->made = made_by_compiler(m->rows[side], c);
        if (m->made == DIFF_MADE_NOT)
            continue;
        struct diff_method_id *to =
            map_put(&d->sides[side].made, key_of(c->name, m->rows[side]->name, m->rows[side]->desc));
        if (to == NULL)
            return false;
        to->method = (uint32_t)i;
    }
    return true;
}

bool diff_is_implicit(const struct diff *d, const struct hs_class *c, const struct hs_method *m)
{
    return d->recompiled && c != NULL && strcmp(c->super, "java.lang.Enum") == 0 &&
           ((strcmp(m->name, "values") == 0 && strncmp(m->desc, "()", 2) == 0) ||
            (strcmp(m->name, "valueOf") == 0 && strncmp(m->desc, "(Ljava/lang/String;)", 20) == 0));
}

static const char *text_of(const struct hs_dataid *row, const char *name)
{
    const struct hs_attr *a = diff_attribute(row, name);
    return a != NULL && a->type == HS_ATTR_TEXT ? a->text : "";
}

/* The CALL of the instruction of a CALL_PARAM, CALL_RETURN or NEW_OBJECT_CREATED. NULL: there is none. */
static const struct hs_dataid *call_of(hs_trace *t, const struct hs_dataid *row)
{
    const struct hs_dataid *at = row;
    while (at != NULL && at->event != HS_EVENT_CALL && at->dataid > 0 && at->method_id == row->method_id &&
           at->pc == row->pc)
        at = hs_dataid_get(t, at->dataid - 1);
    return at != NULL && at->event == HS_EVENT_CALL && at->method_id == row->method_id && at->pc == row->pc ? at : NULL;
}

static bool is_null_check(const struct hs_dataid *call)
{
    return strcmp(text_of(call, "desc"), "()Ljava/lang/Class;") == 0 ||
           (strcmp(text_of(call, "name"), "requireNonNull") == 0 &&
            strcmp(text_of(call, "owner"), "java.util.Objects") == 0);
}

/* The number of parameters. */
static int64_t count_parameters(const char *desc)
{
    int64_t count = 0;
    for (const char *p = desc + 1; *p != '\0' && *p != ')'; p++, count++) {
        p += strspn(p, "[");
        if (*p == 'L')
            p = strchr(p, ';');
        if (p == NULL)
            break;
    }
    return count;
}

static bool is_last(const struct hs_dataid *param, const char *desc)
{
    const struct hs_attr *index = diff_attribute(param, "index");
    return index != NULL && index->number == count_parameters(desc); /* the receiver is 0 */
}

bool diff_leaves_out(const struct diff *d, int side, const struct hs_dataid *row)
{
    hs_trace *t = d->sides[side].trace;
    const char *builder = "java.lang.StringBuilder";
    if (d->joined && (row->event == HS_EVENT_OBJECT_CONSTANT_LOAD || row->event == HS_EVENT_NEW_OBJECT))
        return strcmp(text_of(row, "type"), row->event == HS_EVENT_NEW_OBJECT ? builder : "java.lang.String") == 0;
    if (row->event == HS_EVENT_INVOKE_DYNAMIC || row->event == HS_EVENT_INVOKE_DYNAMIC_PARAM ||
        row->event == HS_EVENT_INVOKE_DYNAMIC_RESULT) {
        while (row != NULL && row->event == HS_EVENT_INVOKE_DYNAMIC_PARAM && row->dataid > 0)
            row = hs_dataid_get(t, row->dataid - 1);
        return d->joined && row != NULL && strcmp(text_of(row, "name"), "makeConcatWithConstants") == 0;
    }
    if (row->event != HS_EVENT_CALL && row->event != HS_EVENT_CALL_PARAM && row->event != HS_EVENT_CALL_RETURN &&
        row->event != HS_EVENT_NEW_OBJECT_CREATED)
        return false;
    const struct hs_dataid *call = call_of(t, row);
    if (call == NULL)
        return false;
    const char *owner = text_of(call, "owner"), *desc = text_of(call, "desc");
    if ((d->joined && strcmp(owner, builder) == 0) || is_null_check(call))
        return true;
    const struct diff_method_id *made = map_get(&d->sides[side].made, key_of(owner, text_of(call, "name"), desc));
    if (made == NULL)
        return false;
    if (d->methods.items[made->method].made == DIFF_MADE_CONSTRUCTOR)
        return row->event == HS_EVENT_CALL_PARAM && is_last(row, desc);
    return true;
}
