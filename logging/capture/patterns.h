/* patterns.h - the patterns of logstart= and logend=: which events begin and end a capture window.
 *
 *     Class#method#desc#EVENT;EVENT       com/acme/Cart#add.*##METHOD_ENTRY
 *
 * Class, method and descriptor are regular expressions (PCRE2, whose syntax is that of Java for all that names need)
 * that must match the whole internal name, method name or descriptor; '.' also matches the '/' of an internal name. The
 * events are names of events.def, and METHOD_EXIT, which stands for METHOD_NORMAL_EXIT and METHOD_EXCEPTIONAL_EXIT. An
 * empty part, or one that is left out at the end, matches everything. The language is SELogger's. */
#ifndef LOGGING_PATTERNS_H
#define LOGGING_PATTERNS_H

#include <stdbool.h>
#include <stdint.h>

#include "formats/event.h"
#include "formats/rows.h"
#include "formats/status.h"
#include "formats/windows.h" /* PATTERN_SYNTAX */

struct pattern; /* a list of patterns: it matches what any of them matches */

/* Parses `text` and adds it to `*p` (NULL: empty). On failure `err` says what is wrong with the text, and `*p` is
 * unchanged. */
enum status pattern_add(struct pattern **p, const char *text, struct error *err);
void pattern_free(struct pattern *p);

/* The events of this method that match, a bit for each number; 0 also for NULL. Any thread. */
uint64_t pattern_events(const struct pattern *p, struct text class_name, struct text method, struct text desc);
/* All events that it names, whatever the method. */
uint64_t pattern_named(const struct pattern *p);

#endif
