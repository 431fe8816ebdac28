/* output.h - the output of the command (reader/cli/out.h) with what it needs, for tests that look inside. */
#ifndef TEST_UNIT_OUTPUT_H
#define TEST_UNIT_OUTPUT_H

#include "reader/cli/interrupt.c"
#include "reader/cli/out.c"
#include "reader/cli/pager.c"
#include "reader/cli/progress_line.c"
#include "reader/cli/spot.c"
#include "reader/cli/terminal.c"

#endif
