/* class_names.c - hs_class_matches and hs_method_matches: the one rule by which all of the reader compares a name from
 * a command line or a caller with a name of the trace.
 *
 *     typed                  is a.b.Outer$Inner
 *     a.b.Outer$Inner        as traces have it; also with slashes
 *     a.b.Outer.Inner        as in Java source
 *     Outer$Inner            without its package
 *     Outer.Inner
 *     Inner                  the own name of a nested class; of a local class, Outer$1Inner, too
 *     a.b.*  Out*  *Inner    globs (fnmatch), compared with each of these forms
 *
 * A method is typed by its name, as name(String, int) with parameters as in Java source, or with its descriptor.
 *
 * A name with a dot is not compared with the forms without package, unless it is Outer.Inner. [] of an array type
 * stands for itself, in globs too. */
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/bytes.h"
#include "formats/jvm/classfile.h"
#include "reader/trace.h"

/* A name as it was typed, ready for comparing. */
struct typed {
    char small[256], *text; /* `small`, or allocated */
    bool glob;
    bool dotted; /* has a dot, and no dollar sign: may be of the form Outer.Inner */
    bool whole;  /* has a dot: it is not compared with names without package */
};

/* A copy of `name` in `small`, or allocated. `room`: bytes that it may need at most. NULL: out of memory. */
static char *room_for(char *small, size_t size, size_t room) { return room <= size ? small : malloc(room); }

static bool typed_init(struct typed *t, const char *typed)
{
    t->text = room_for(t->small, sizeof t->small, 2 * strlen(typed) + 1);
    if (t->text == NULL)
        return false;
    t->glob = false;
    for (const char *p = typed; *p != '\0'; p++)
        t->glob |= *p == '*' || *p == '?' || (*p == '[' && p[1] != ']');
    char *to = t->text;
    for (const char *p = typed; *p != '\0'; p++) {
        if (t->glob && p[0] == '[' && p[1] == ']') {
            memcpy(to, "[[]", 3); /* fnmatch: the character [ */
            to += 3;
        } else {
            *to++ = *p == '/' ? '.' : *p;
        }
    }
    *to = '\0';
    t->whole = strchr(t->text, '.') != NULL;
    t->dotted = t->whole && strchr(t->text, '$') == NULL;
    return true;
}

static void typed_done(struct typed *t)
{
    if (t->text != t->small)
        free(t->text);
}

static bool is(const struct typed *t, const char *name)
{
    return t->glob ? fnmatch(t->text, name, FNM_NOESCAPE) == 0 : strcmp(t->text, name) == 0;
}

/* Own names of nested classes in `name`, which begins behind the package. */
static bool is_nested(const struct typed *t, const char *name)
{
    const char *dollar = strchr(name, '$');
    for (; dollar != NULL; dollar = strchr(dollar + 1, '$')) {
        const char *own = dollar + 1 + strspn(dollar + 1, "0123456789");
        if (*own != '\0' && is(t, own))
            return true;
    }
    return false;
}

/* Nested names as in Java source: with dots for dollar signs. */
static bool is_source_form(const struct typed *t, const char *name)
{
    char small[256], *dots = room_for(small, sizeof small, strlen(name) + 1);
    if (dots == NULL)
        return false;
    memcpy(dots, name, strlen(name) + 1);
    size_t package = 0;
    for (size_t i = 0; name[i] != '\0'; i++) {
        if (name[i] == '.')
            package = i + 1;
        if (name[i] == '$')
            dots[i] = '.';
    }
    bool found = is(t, dots) || is(t, dots + package);
    for (size_t i = package; !found && name[i] != '\0'; i++)
        found = name[i] == '$' && is(t, dots + i + 1);
    if (dots != small)
        free(dots);
    return found;
}

bool hs_class_matches(const char *glob, const char *class_name)
{
    struct typed t;
    if (glob == NULL || strcmp(glob, class_name) == 0)
        return true;
    if (!typed_init(&t, glob))
        return false;
    const char *dot = strrchr(class_name, '.'), *name = dot != NULL ? dot + 1 : class_name;
    bool found = is(&t, class_name);
    if (!found && !t.whole)
        found = (dot != NULL && is(&t, name)) || is_nested(&t, name);
    if (!found && t.dotted && strchr(class_name, '$') != NULL)
        found = is_source_form(&t, class_name);
    typed_done(&t);
    return found;
}

/* Are the parameters of the descriptor those of `typed`, "String, int)" as in Java source? Types match as classes
 * do. */
static bool parameters_match(const char *typed, const char *desc)
{
    struct writer type = { 0 };
    char *copy = strdup(typed), *glob = copy;
    bool same = copy != NULL && *desc == '(';
    desc += same;
    while (same) {
        glob += strspn(glob, " ,");
        size_t n = strcspn(glob, ",)"), end = n;
        if (n == 0) /* of both, the list ends here */
            break;
        while (end > 0 && glob[end - 1] == ' ')
            end--;
        bool last = glob[n] == ')';
        glob[end] = '\0';
        type.size = 0;
        size_t used = descriptor_to_source(desc, strlen(desc), &type);
        write_u1(&type, '\0');
        same = used > 0 && !type.bad && hs_class_matches(glob, (const char *)type.data);
        desc += used;
        glob += n + !last;
        if (last)
            break;
    }
    same = same && *desc == ')';
    writer_free(&type);
    free(copy);
    return same;
}

/* name(String, int), as in Java source: the parameters are everything that distinguishes methods there. */
static bool matches_source_form(const char *glob, const char *name, const char *desc)
{
    const char *open = strchr(glob, '(');
    if (glob[strlen(glob) - 1] != ')')
        return false;
    char *name_glob = strndup(glob, (size_t)(open - glob));
    bool found = name_glob != NULL && fnmatch(name_glob, name, FNM_NOESCAPE) == 0 && parameters_match(open + 1, desc);
    free(name_glob);
    return found;
}

bool hs_method_matches(const char *glob, const char *name, const char *desc)
{
    if (glob == NULL || strchr(glob, '(') == NULL)
        return glob == NULL || strcmp(glob, name) == 0 || fnmatch(glob, name, FNM_NOESCAPE) == 0;
    size_t size = strlen(name) + strlen(desc) + 1;
    char *both = malloc(size);
    if (both == NULL)
        return false;
    (void)snprintf(both, size, "%s%s", name, desc);
    bool found =
        strcmp(glob, both) == 0 || fnmatch(glob, both, FNM_NOESCAPE) == 0 || matches_source_form(glob, name, desc);
    free(both);
    return found;
}
