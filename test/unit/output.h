/* output.h - the output of the command (reader/command/out.h) with what it needs, for tests that look inside. */
#ifndef TEST_UNIT_OUTPUT_H
#define TEST_UNIT_OUTPUT_H

#include "reader/command/interrupt.c"
#include "reader/command/out.c"
#include "reader/command/pager.c"
#include "reader/command/progress_line.c"
#include "reader/command/spot.c"
#include "reader/command/terminal.c"

#endif
