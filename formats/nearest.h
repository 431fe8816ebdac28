/* nearest.h - the names most like one that does not exist, for messages.
 *
 *     struct nearest n;
 *     char text[NEAREST_TEXT_MAX];
 *     nearest_init(&n, "Modle");
 *     nearest_offer_class(&n, "a.b.Model");           // for each name that there is
 *     error("no class is called 'Modle'%s", nearest_text(&n, text));   // "; the nearest: a.b.Model"
 *
 * Likeness is the edit distance (insert, delete, replace, swap two neighbours), upper and lower case being the same. A
 * name that differs in more than a third of its characters is not like it. */
#ifndef FORMATS_NEAREST_H
#define FORMATS_NEAREST_H

#include <stdbool.h>
#include <stddef.h>

enum { NEAREST_KEPT = 3, NEAREST_NAME_MAX = 120, NEAREST_TEXT_MAX = 400 };
struct nearest {
    const char *wanted;  /* borrowed */
    size_t length, most; /* of wanted; the greatest distance that is like it */
    bool exact;          /* one of the names is the wanted one */
    size_t count;
    struct {
        size_t distance;
        char name[NEAREST_NAME_MAX];
    } best[NEAREST_KEPT]; /* the most alike first; among equals the first offered */
};

void nearest_init(struct nearest *n, const char *wanted);
/* Offers a name; `shown` is what the message shows for it. */
void nearest_offer(struct nearest *n, const char *name);
void nearest_offer_as(struct nearest *n, const char *name, const char *shown);
/* A class, a.b.Outer$Inner: compared with its whole name, its name without package and its own name. */
void nearest_offer_class(struct nearest *n, const char *name);
/* "; the nearest: a, b", or "" if nothing is like it. Returns `out`. */
const char *nearest_text(const struct nearest *n, char out[NEAREST_TEXT_MAX]);

#endif
