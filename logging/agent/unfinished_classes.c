/* unfinished_classes.c - classes that were just being defined when recording began.
 *
 * A class that is parsed before the class hook is enabled, and not loaded yet when the loaded ones are woven, would not
 * be woven. So the loaded classes are checked again, at once and a second later, and compared by name with those woven
 * since: a name that is loaded more often than it was woven is woven now. (A name may stand for several classes, of
 * several loaders: then all of them are woven once more, into what they are: woven_before.c.) */
#include "logging/agent/agent.h"

#include <stdlib.h>
#include <string.h>

typedef VEC(char *) name_vec;

/* Under weave_mutex. */
static struct {
    bool wanted;
    name_vec names; /* of the classes woven in this period */
} woven;

static int by_name(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

static void note(struct text name)
{
    char **slot = woven.wanted ? vec_push(&woven.names) : NULL;
    if (slot != NULL && (*slot = strndup(name.data, name.size)) == NULL)
        woven.names.count--;
}

void unfinished_classes_note(struct text name) { note(name); }

void unfinished_classes_begin(void)
{
    unfinished_classes_end();
    woven.wanted = true;
}

void unfinished_classes_end(void)
{
    for (size_t i = 0; i < woven.names.count; i++)
        free(woven.names.items[i]);
    vec_free(&woven.names);
    woven.wanted = false;
}

void unfinished_classes_choose(struct unfinished_class *loaded, size_t count)
{
    size_t at = 0, known;
    if (!woven.wanted)
        return;
    if (woven.names.count > 1)
        qsort(woven.names.items, woven.names.count, sizeof *woven.names.items, by_name);
    known = woven.names.count;
    if (count > 1)
        qsort(loaded, count, sizeof *loaded, by_name); /* the name is the first member */
    for (size_t i = 0, next; i < count; i = next) {
        size_t times = 0;
        for (next = i + 1; next < count && strcmp(loaded[next].name, loaded[i].name) == 0; next++) {
        }
        while (at < known && strcmp(woven.names.items[at], loaded[i].name) < 0)
            at++;
        while (at < known && strcmp(woven.names.items[at], loaded[i].name) == 0) {
            at++;
            times++;
        }
        for (size_t k = i; k < next; k++)
            loaded[k].chosen = next - i > times;
        for (; times < next - i; times++)
            note((struct text){ loaded[i].name, strlen(loaded[i].name) });
    }
}
