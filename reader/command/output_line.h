/* output_line.h - lines of what the program wrote, as text and as JSON. */
#ifndef READER_COMMAND_OUTPUT_LINE_H
#define READER_COMMAND_OUTPUT_LINE_H

#include "reader/command/show.h"

const char *output_stream_name(enum hs_stream stream); /* stdout, stderr */
/* class, method, file and line of the call, and its source if there is any; nothing if no recorded code was running. */
void output_place_members(struct show *s, const struct hs_output_part *p, bool source);
/* "Shop.main:12" of the call, or "-" */
void output_place_text(struct show *s, const struct hs_output_part *p);
/* Does the text of the line contain this? NULL: yes. */
bool output_has(const struct hs_output_line *x, const char *text);

#endif
