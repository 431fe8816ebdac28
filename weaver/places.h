/* places.h - redact=: does it name a place of a method (redact.h)? */
#ifndef WEAVER_PLACES_H
#define WEAVER_PLACES_H

#include "weaver/scan.h"

/* The named variable of a slot; a field; the result of a call (a method, or a call site with its name); what this
 * method returns; elements of arrays in the order of iaload laload faload daload aaload baload caload saload; anything
 * of a type as in Java source. */
bool hides_local(const struct method_scan *s, unsigned slot, uint32_t pc);
bool hides_field(const struct method_scan *s, const struct member_ref *field);
bool hides_result(const struct method_scan *s, const struct insn *in, const struct member_ref *callee);
bool hides_return(const struct method_scan *s);
bool hides_element(const struct method_scan *s, unsigned offset);
bool hides_type(const struct method_scan *s, struct text type);

#endif
