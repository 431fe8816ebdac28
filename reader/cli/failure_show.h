/* failure_show.h - a test that failed as text (failure_page.c) and as JSON (failure_json.c). */
#ifndef READER_CLI_FAILURE_SHOW_H
#define READER_CLI_FAILURE_SHOW_H

#include "reader/cli/failure.h"
#include "reader/command/show.h"
#include "reader/command/thrown.h"

/* `rows`: so many of each part at most; `calls`: the questions to go on with are calls of tools of mcp, no commands. */
void failure_page(struct show *s, const struct failure *f, size_t rows, bool calls);
/* The page with as many rows of each part as it may have within so many bytes; false: some are left out. */
bool failure_page_within(struct show *s, const struct failure *f, size_t bytes, bool calls);
/* A line of JSON: answers/failure.def. */
void failure_json_row(struct show *s, const struct failure *f);

struct sources;
typedef VEC(char) failure_bytes;
/* The page as an HTML file, appended to `to`; false: out of memory. */
bool failure_html(struct show *s, const struct failure *f, struct sources *from, failure_bytes *to);
/* Annotations of a workflow of GitHub. */
void failure_github(struct show *s, const struct failure *f, struct sources *from);
/* Adds the page to the element <testcase> of this test, of several runs of one method that with this number from 1 on,
 * in a report of JUnit's XML: 1, 0 there is none that has not got
 * it already, -1 the report is not understood (`*why`) and stays as it is. */
int failure_junit_xml(struct show *s, const struct failure *f, size_t number, failure_bytes *report, const char **why);
/* Puts a file in its place when it is complete; false: errno. */
bool failure_file_write(const char *path, const failure_bytes *bytes);
/* Appends a whole file; false: errno. */
bool failure_file_read(const char *path, failure_bytes *out);

enum { FAILURE_NEXT_MAX = 8, FAILURE_NEXT_ROOM = 4200 };
struct failure_next {
    size_t count;
    char commands[FAILURE_NEXT_MAX][FAILURE_NEXT_ROOM];
    char room[FAILURE_NEXT_ROOM]; /* of the name of the trace, as a word for a shell */
};
/* Commands to go on, ready to paste into a shell, the most useful first; or calls of tools, where there are some. */
void failure_next(const struct show *s, const struct failure *f, bool calls, struct failure_next *out);
enum failure_question {
    FAILURE_SLICE,
    FAILURE_OPEN,
    FAILURE_WHY,
    FAILURE_THREADS,
    FAILURE_CONTROL,
    FAILURE_STATE,
    FAILURE_RACES,
    FAILURE_TREE
};
/* "... and 12 more steps: hindsight slice ..." */
void failure_more_text(struct show *s, size_t more, const char *what, enum failure_question q, uint64_t at, bool calls);
void failure_left_out_text(struct show *s, size_t count, size_t rows);
/* The class, method and line; with its source, if that is wanted. */
void failure_place_text(struct show *s, uint32_t method_id, struct spot spot, bool source);
/* failure_frames.c: the frames, those that recursion repeats once. */
void failure_frames_text(struct show *s, const struct failure *f, size_t rows, bool calls);
void failure_frames_member(struct show *s, const struct failure *f);
size_t failure_more_frames(const struct failure *f); /* that are left out of them */
/* `x` stays as it is as long as the row. */
struct thrown_row failure_swallowed_row(struct show *s, const struct failure_swallowed *x);
/* What the steps explain: "the actual value", "the exception". */
const char *failure_origin_of(const struct failure *f);

#endif
