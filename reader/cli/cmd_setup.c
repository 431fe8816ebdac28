/* cmd_setup.c - `hindsight setup`: the lines that record the tests of a build (setups.def). Nothing is run and nothing
 * is written: what the project in the current folder is built with follows from the files in it, versions from the
 * names of the tools' libraries. */
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "reader/command/cli.h"

struct args {
    struct common common;
};
const struct usage usage_setup = {
    .about =
        "Prints the lines that record the tests of a project: those of its build, so that it records them by itself, "
        "or those of a CI job that keeps the trace of a test that failed as one file. They are for the project in "
        "the current folder, and have the paths and versions that are found here. Without any of them "
        "`hindsight record --tests -- mvn test` does the same.",
    .example = "hindsight setup maven",
    .choices = "maven gradle github gitlab jenkins",
};

struct setup {
    const char *name, *file, *begin, *end, *text;
};
static const struct setup setups[] = {
#define SETUP(name, file, begin, end, text) { #name, file, begin, end, text },
#include "reader/cli/setups.def"
#undef SETUP
};

/* A build tool: what shows that a project uses it, its wrapper, and where its version stands. */
struct tool {
    const char *name, *shown_by[2], *wrapper, *command, *arguments, *library;
};
static const struct tool tools[] = {
    { "Maven", { "pom.xml" }, "./mvnw", "mvn", "-B test", "maven-core-" },
    { "Gradle", { "build.gradle", "build.gradle.kts" }, "./gradlew", "gradle", "test", "gradle-core-" },
    { "Ant", { "build.xml" }, NULL, "ant", "test", NULL },
};
enum { TOOLS = sizeof tools / sizeof *tools, SETUPS = sizeof setups / sizeof *setups, VERSION_ROOM = 40 };

static bool is_here(const char *name) { return name != NULL && access(name, R_OK) == 0; }

static const struct tool *tool_of_project(const char *setup)
{
    for (size_t i = 0; i < TOOLS; i++)
        if (strncasecmp(setup, tools[i].name, strlen(tools[i].name)) == 0)
            return &tools[i];
    for (size_t i = 0; i < TOOLS; i++)
        if (is_here(tools[i].shown_by[0]) || is_here(tools[i].shown_by[1]))
            return &tools[i];
    return &tools[0];
}

/* The file of a command in PATH, links followed. */
static bool find_command(const char *name, char out[PATH_MAX])
{
    const char *path = getenv("PATH");
    while (path != NULL && *path != '\0') {
        char file[PATH_MAX];
        const int length = (int)strcspn(path, ":");
        if ((size_t)snprintf(file, sizeof file, "%.*s/%s", length, path, name) < sizeof file &&
            access(file, X_OK) == 0 && realpath(file, out) != NULL)
            return true;
        path += length + (path[length] == ':');
    }
    return false;
}

/* The version in the name of a library of the tool: LIBRARY1.2.3.jar, or what a link of such a name leads to. */
static bool library_version(const char *dir, const char *library, char out[VERSION_ROOM])
{
    DIR *d = opendir(dir);
    const size_t prefix = strlen(library);
    bool found = false;
    for (const struct dirent *e; !found && d != NULL && (e = readdir(d)) != NULL;) {
        char path[PATH_MAX], real[PATH_MAX];
        if (strncmp(e->d_name, library, prefix) != 0 || e->d_name[prefix] < '0' || e->d_name[prefix] > '9' ||
            (size_t)snprintf(path, sizeof path, "%s/%s", dir, e->d_name) >= sizeof path || realpath(path, real) == NULL)
            continue;
        const char *name = strstr(strrchr(real, '/'), "-core-");
        const size_t length = name != NULL ? strspn(name + 6, "0123456789.") : 0;
        if (length > 1 && length < VERSION_ROOM)
            found = snprintf(out, VERSION_ROOM, "%.*s", (int)length - 1, name + 6) > 0; /* without the dot of .jar */
    }
    if (d != NULL)
        (void)closedir(d);
    return found;
}

/* False: it is not known. */
static bool tool_version(const struct tool *t, char out[VERSION_ROOM])
{
    char command[PATH_MAX], dir[PATH_MAX + 16];
    if (t->library == NULL || !find_command(t->command, command))
        return false;
    for (unsigned i = 0; i < 2; i++) { /* TOOL/bin/command */
        char *slash = strrchr(command, '/');
        if (slash == NULL)
            return false;
        *slash = '\0';
    }
    (void)snprintf(dir, sizeof dir, "%s/lib", command);
    return library_version(dir, t->library, out);
}

/* With {agent} and {test} replaced. */
static void fill(struct writer *w, const char *text, const char *agent, const struct tool *t)
{
    static const char agent_mark[] = "{agent}", test_mark[] = "{test}";
    while (*text != '\0') {
        if (strncmp(text, agent_mark, sizeof agent_mark - 1) == 0) {
            const char *options[] = { "-agentpath:", agent, "=tests=on,quiet=true,format=omni,e=org.jacoco.,output=" };
            for (unsigned i = 0; i < sizeof options / sizeof *options; i++)
                write_bytes(w, options[i], strlen(options[i]));
            text += sizeof agent_mark - 1;
        } else if (strncmp(text, test_mark, sizeof test_mark - 1) == 0) {
            const char *command = is_here(t->wrapper) ? t->wrapper : t->command;
            write_bytes(w, command, strlen(command));
            write_u1(w, ' ');
            write_bytes(w, t->arguments, strlen(t->arguments));
            text += sizeof test_mark - 1;
        } else {
            write_u1(w, (unsigned char)*text++);
        }
    }
    write_u1(w, '\0');
}

#define ROWS "reader/answers/setups.def"
#define ROW                                                                                                            \
    const struct setup *setup, const struct tool *tool, const char *version, const char *agent, const char *lines
#include "reader/answers/row.h"

static const struct setup *find_setup(const char *name)
{
    if (strcmp(name, "gradle") == 0 && is_here("build.gradle.kts"))
        name = "gradle_kotlin";
    else if (strchr(name, '_') != NULL)
        return NULL;
    for (size_t i = 0; i < SETUPS; i++)
        if (strcmp(setups[i].name, name) == 0)
            return &setups[i];
    return NULL;
}

int cmd_setup(struct context *context)
{
    struct args a = { 0 };
    struct out o;
    struct writer lines = { 0 };
    char agent[PATH_MAX], version[VERSION_ROOM];
    int status = cli_parse(context, &a);
    if (status != PARSED)
        return status;
    const char *name = a.common.arguments[0];
    if (name == NULL)
        return cli_fail(EXIT_USAGE, context, "specify for what: maven, gradle, github, gitlab or jenkins");
    const struct setup *setup = find_setup(name);
    if (setup == NULL)
        return cli_fail(EXIT_USAGE, context, "unknown: '%s'; there are maven, gradle, github, gitlab and jenkins",
                        name);
    if (!cli_find_agent(agent))
        return cli_fail(EXIT_FAILED, context, CLI_NO_AGENT);
    if (strpbrk(agent, " ,'\"<>&$") != NULL)
        return cli_fail(EXIT_FAILED, context,
                        "%s: the path of the agent has a character that a build cannot take; put "
                        "it elsewhere, and name it by HINDSIGHT_AGENT",
                        agent);
    const struct tool *tool = tool_of_project(name);
    const bool known = tool_version(tool, version);
    fill(&lines, setup->text, agent, tool);
    if (lines.bad || !cli_out_init(&o, context, &a.common)) {
        writer_free(&lines);
        return cli_fail(EXIT_FAILED, context, "out of memory");
    }
    if (a.common.json) {
        setups_json(&o, setup, tool, known ? version : NULL, agent, (const char *)lines.data);
    } else {
        out_format(&o, "%s%s: %s%s%s, Hindsight " HS_VERSION "%s\n", setup->begin, setup->file, tool->name,
                   known ? " " : "", known ? version : "", setup->end);
        out_bytes(&o, lines.data, lines.size - 1);
    }
    writer_free(&lines);
    return cli_out_end(&o, context, EXIT_DONE);
}
