/* place.h - the instruction at which a frame stands.
 *
 * The data ID of METHOD_EXCEPTIONAL_EXIT stands behind the code of its method, whatever threw. The instruction that
 * threw is one of those that control can have reached from the latest event of the frame (code_throwers). If there are
 * several, what is known of the exception decides:
 *
 *     the callee     that it left just before
 *     its stack      the line of this frame, and the method that it had called
 *     its type       an ArithmeticException is thrown by a division or by a call
 *     the handlers   that would have caught it
 *
 * A frame that called another one stands at the call, also if its calls have no events. */
#ifndef READER_PLACE_H
#define READER_PLACE_H

#include "reader/cursor/cursor.h"
#include "reader/index/index.h"

/* Where an event stands: METHOD_EXCEPTIONAL_EXIT at the instruction that threw, any other at that of its data ID. */
enum status place_of(hs_trace *t, const struct hs_event *e, struct hs_place *out, struct error *err);

/* Of METHOD_THROW, METHOD_EXCEPTIONAL_EXIT and CATCH: the instruction of its method that threw. */
enum status place_of_throw(hs_trace *t, const struct hs_event *e, struct hs_place *out, struct error *err);

/* Of the frame number `depth` of a stack, outermost first, which has called frame `depth` + 1; `way` is the
 * METHOD_EXCEPTIONAL_EXIT that happens now, NULL: none does. */
enum status place_of_call(hs_trace *t, const struct replay *state, size_t depth, const struct hs_event *way,
                          struct hs_place *out, struct error *err);

/* The instruction at a pc of the method. */
void place_of_pc(hs_trace *t, const struct method *m, uint32_t pc, struct hs_place *out);

#endif
