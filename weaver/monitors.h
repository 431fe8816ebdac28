/* monitors.h - methods whose locks are structured.
 *
 * A JVM may enforce that a method has unlocked all that it locked when it is left (JVMS 2.11.10, structured locking).
 * HotSpot throws IllegalMonitorStateException there, at the return itself, when its event has been recorded, or in the
 * place of the exception that leaves the method. Compilers of Java never write such code. */
#ifndef WEAVER_MONITORS_H
#define WEAVER_MONITORS_H

#include "weaver/scan.h"

/* On each way through the method as many monitors are left as were entered, and no more, whichever they are. False also
 * if there is no memory. */
bool monitors_balanced(const struct method_scan *s);

#endif
