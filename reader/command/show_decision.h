/* show_decision.h - a branch that went one way, as text and as JSON. */
#ifndef READER_COMMAND_SHOW_DECISION_H
#define READER_COMMAND_SHOW_DECISION_H

#include "reader/command/show.h"

/* Order.add:36: count > max, since 120 > 100 */
void show_decision_text(struct show *s, const struct hs_decision *d);
/* The values alone, "120 > 100"; nothing if they are not known, or say no more than the condition. */
void show_decided_text(struct show *s, const char *begin, const struct hs_decision *d);
/* {"seq":..,"class":..,"line":..,"condition":..,"values":[..]} as member `name`; nothing if it is NULL. */
void show_decision_member(struct show *s, const char *name, const struct hs_decision *d);

#endif
