/* suspects.c - what did the last of these runs do that the others did not?   suspects PASSED ... FAILED */
#include "reader/examples/example.h"

enum { RUNS_MAX = 64 };

int main(int argc, char **argv)
{
    struct hs_error error = HS_ERROR_INIT;
    struct hs_suspect_options options = HS_SUSPECT_OPTIONS_INIT;
    struct hs_suspect_run runs[RUNS_MAX];
    const struct hs_suspect *row;
    hs_cursor *rows;
    int more = -1;
    for (int i = 1; i < argc && i <= RUNS_MAX; i++) {
        hs_trace *trace = open_trace(argc - i + 1, argv + i - 1, 1, "suspects PASSED ... FAILED");
        runs[options.count++] = (struct hs_suspect_run){ trace, 0, UINT64_MAX, UINT32_MAX, i == argc - 1 };
    }
    options.runs = runs;
    if (hs_suspects_open(&options, &rows, &error) == 0) {
        while ((more = hs_suspect_next(rows, &row, &error)) > 0) {
            (void)printf("%.2f %s ", row->ochiai, hs_suspect_kind_name(row->kind));
            print_name(row->method);
            (void)printf(":%d ", (int)row->line);
            print_name(row->what != NULL ? row->what : "");
            (void)printf(" %" PRIu64 "\n", row->seq);
        }
        hs_cursor_close(rows);
    }
    for (size_t i = 0; i < options.count; i++)
        hs_close(runs[i].trace);
    return more < 0 ? fail(&error) : 0;
}
