/* busy_packages.c - see busy_packages.h. Packages have as few of their components as distinguish two of them, from
 * two on: org.lib. for org.lib.util.X, if there is another beginning. */
#include "reader/cli/busy_packages.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "formats/commas.h"
#include "formats/schema.h"
#include "formats/vec.h"

enum { COUNT_MS = 2000, SHOWN = 3, LEAST_PERCENT = 5, COMPONENTS = 2, COMPONENTS_MAX = 8 };

struct busy {
    const char *name; /* of a class, whose first `length` bytes are the package with its last dot */
    size_t length;
    uint64_t events;
};
typedef VEC(struct busy) busy_vec;

static uint64_t now_ms(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

static int until(void *context, uint64_t done, uint64_t total, const char *phase)
{
    (void)done, (void)total, (void)phase;
    return now_ms() > *(const uint64_t *)context;
}

/* Events by data ID; *whole: all are counted. */
static uint64_t *count_events(hs_trace *t, bool *whole)
{
    uint64_t *counts = calloc((size_t)hs_dataid_count(t) + 1, sizeof *counts), end = now_ms() + COUNT_MS;
    struct hs_error error = HS_ERROR_INIT;
    if (counts == NULL)
        return NULL;
    hs_set_progress(t, until, &end);
    *whole = hs_count_dataids(t, counts, NULL, &error) == 0;
    hs_set_progress(t, NULL, NULL);
    return counts;
}

/* The woven classes with their events. */
static void list_classes(hs_trace *t, const uint64_t *counts, busy_vec *classes)
{
    hs_cursor *rows;
    const struct hs_class *c;
    if (hs_classes_open(t, &rows, NULL) != 0)
        return;
    while (hs_class_next(rows, &c, NULL) > 0) {
        struct busy b = { 0 };
        for (uint32_t i = 0; i < c->dataid_count; i++)
            b.events += counts[c->first_dataid + i];
        const bool own = strcmp(c->name, OUTPUT_CLASS) == 0; /* no option e= names it */
        struct busy *slot = b.events > 0 && !own ? vec_push(classes) : NULL;
        if (slot != NULL)
            *slot = (struct busy){ c->name, 0, b.events };
    }
    hs_cursor_close(rows);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct busy *)a)->name, ((const struct busy *)b)->name);
}

static int by_events(const void *a, const void *b)
{
    uint64_t x = ((const struct busy *)a)->events, y = ((const struct busy *)b)->events;
    return x < y ? 1 : -(x > y);
}

/* The first so many components of the package. */
static size_t beginning(const char *name, unsigned components)
{
    size_t n = 0;
    for (const char *dot; components > 0 && (dot = strchr(name + n, '.')) != NULL; components--)
        n = (size_t)(dot - name) + 1;
    return n;
}

/* Would e=PACKAGE leave its classes out? The longest prefix decides, so not those that an option i= in `options` names
 * more closely (docs/agent-options.md). */
static bool can_be_left_out(const struct busy *p, const char *options)
{
    for (const char *at = options; at != NULL; at = strchr(at, ',') != NULL ? strchr(at, ',') + 1 : NULL) {
        bool within = strncmp(at, "i=", 2) == 0;
        for (size_t i = 0; within && i < p->length; i++)
            within = at[2 + i] == p->name[i] || (at[2 + i] == '/' && p->name[i] == '.');
        if (within)
            return false;
    }
    return true;
}

/* The packages of the sorted classes; false: no memory. */
static bool group(const busy_vec *classes, unsigned components, busy_vec *packages)
{
    packages->count = 0;
    for (size_t i = 0; i < classes->count; i++) {
        const struct busy *c = &classes->items[i];
        size_t n = beginning(c->name, components);
        struct busy *last = packages->count > 0 ? &packages->items[packages->count - 1] : NULL;
        if (last == NULL || last->length != n || memcmp(last->name, c->name, n) != 0) {
            last = vec_push(packages);
            if (last == NULL)
                return false;
            *last = (struct busy){ c->name, n, 0 };
        }
        last->events += c->events;
    }
    return true;
}

void busy_packages(hs_trace *t, char *out, size_t size)
{
    bool whole = false;
    uint64_t *counts = count_events(t, &whole), sum = 0;
    const char *options = hs_info(t, "options");
    busy_vec classes = { 0 }, packages = { 0 };
    out[0] = '\0';
    if (counts != NULL)
        list_classes(t, counts, &classes);
    if (classes.count > 1)
        qsort(classes.items, classes.count, sizeof *classes.items, by_name);
    unsigned components = COMPONENTS;
    while (group(&classes, components, &packages) && packages.count == 1 && components < COMPONENTS_MAX)
        components++;
    for (size_t i = 0; i < packages.count; i++)
        sum += packages.items[i].events;
    if (packages.count > 1)
        qsort(packages.items, packages.count, sizeof *packages.items, by_events);
    for (size_t i = 0, shown = 0; packages.count > 1 && i < packages.count && shown < SHOWN; i++) {
        const struct busy *p = &packages.items[i];
        unsigned percent = (unsigned)(100.0 * (double)p->events / (double)sum);
        char number[COMMAS_MAX], first[COMMAS_MAX + 16] = "";
        size_t n = strlen(out);
        if (p->length == 0 || percent < LEAST_PERCENT)
            continue;
        if (!whole)
            (void)snprintf(first, sizeof first, "first %s ", with_commas(number, sizeof number, sum));
        if (shown++ == 0)
            n += (size_t)snprintf(out, size, "hindsight: %u %% of the %sevents are of ", percent, first);
        else
            n += (size_t)snprintf(out + n, size - n, ", %u %% of ", percent);
        if (n < size)
            n += (size_t)snprintf(out + n, size - n, "%.*s", (int)p->length, p->name);
        if (n < size && can_be_left_out(p, options))
            (void)snprintf(out + n, size - n, " (without: --option e=%.*s)", (int)p->length, p->name);
    }
    vec_free(&classes);
    vec_free(&packages);
    free(counts);
}
