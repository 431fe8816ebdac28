/* cmd_lab.c - `hindsight lab FILE`: starts the laboratory (bench/lab/lab.py), installed under share/hindsight/lab.
 *
 * The options stand here for -h, the manual page and completion; lab.py parses them again. It gets this program and the
 * agent in HINDSIGHT and HINDSIGHT_AGENT. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "reader/command/cli.h"

struct args {
    struct common common;
    const char *output, *scratch;
    bool keep, report;
};
static const struct option_row options[] = {
    { "output", 'o', "DIR", OPTION_DIRECTORY, offsetof(struct args, output),
      "the results (default NAME.lab); runs that are there are not repeated" },
    { "scratch", 0, "DIR", OPTION_DIRECTORY, offsetof(struct args, scratch),
      "where programs run and traces stand meanwhile (default TMPDIR)" },
    { "keep", 0, NULL, OPTION_FLAG, offsetof(struct args, keep), "keep the directories of the runs with their traces" },
    { "report", 0, NULL, OPTION_FLAG, offsetof(struct args, report),
      "run nothing: write the results of the runs so far" },
    { 0 },
};
const struct usage usage_lab = {
    .about =
        "Runs an experiment on recordings: each program, JVM, format and group of FILE (TOML) in random order, the "
        "plain program beside. Writes slowdown with confidence intervals, sizes and memory as CSV, JSON, LaTeX and "
        "SVG (gnuplot). An interrupted experiment continues when it is started again. Needs python3 (3.11).",
    .example = "hindsight lab sizes.toml -o results",
    .options = options,
};

/* lab.py of the installation, or of the source tree that this program was built in. */
static const char *const lab_places[] = { "../share/hindsight/lab/lab.py", "../../../bench/lab/lab.py", NULL };

int cmd_lab(struct context *context)
{
    struct args a = { 0 };
    char lab[PATH_MAX], agent[PATH_MAX], self[PATH_MAX];
    int status = cli_parse(context, &a);
    if (status != PARSED)
        return status;
    if (a.common.argument_count != 1)
        return cli_fail(EXIT_USAGE, context, "expected the file of an experiment; see hindsight lab -h");
    if (!cli_find_beside(lab_places, lab))
        return cli_fail(EXIT_FAILED, context, "lab.py not found in ../share/hindsight/lab");
    if (!cli_find_agent(agent))
        return cli_fail(EXIT_FAILED, context, CLI_NO_AGENT);
    if (realpath("/proc/self/exe", self) == NULL || setenv("HINDSIGHT", self, 1) != 0 ||
        setenv("HINDSIGHT_AGENT", agent, 1) != 0)
        return cli_fail(EXIT_FAILED, context, "%s", strerror(errno));
    const char *words[16] = { "python3", lab };
    unsigned n = 2;
    if (a.output != NULL) {
        words[n++] = "--output";
        words[n++] = a.output;
    }
    if (a.scratch != NULL) {
        words[n++] = "--scratch";
        words[n++] = a.scratch;
    }
    if (a.keep)
        words[n++] = "--keep";
    if (a.report)
        words[n++] = "--report";
    if (a.common.json)
        words[n++] = "--json";
    words[n++] = "--";
    words[n++] = a.common.arguments[0];
    (void)execvp(words[0], (char **)(uintptr_t)words);
    return cli_fail(EXIT_FAILED, context, "python3: %s", strerror(errno));
}
