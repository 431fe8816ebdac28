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

#include "reader/cli/setup_pom.h"
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
    const char *name, *shown_by[2], *wrapper, *command, *arguments, *library, *of_debian;
};
static const struct tool tools[] = {
    { "Maven", { "pom.xml" }, "./mvnw", "mvn", "-B test", "maven-core-", "maven3-core-" },
    { "Gradle", { "build.gradle", "build.gradle.kts" }, "./gradlew", "gradle", "test", "gradle-core-", NULL },
    { "Ant", { "build.xml" }, NULL, "ant", "test", NULL, NULL },
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

/* The version in a name like LIBRARY1.2.3.jar. */
static bool version_in(const char *name, const char *library, char out[VERSION_ROOM])
{
    const size_t prefix = strlen(library);
    const size_t length = strncmp(name, library, prefix) == 0 ? strspn(name + prefix, "0123456789.") : 0;
    return length > 1 && length < VERSION_ROOM && strcmp(name + prefix + length, "jar") == 0 &&
           snprintf(out, VERSION_ROOM, "%.*s", (int)length - 1, name + prefix) > 0; /* without the dot of .jar */
}

/* The version in the name of a library in `dir`. */
static bool library_version(const char *dir, const char *library, char out[VERSION_ROOM])
{
    DIR *d = opendir(dir);
    bool found = false;
    for (const struct dirent *e; !found && d != NULL && (e = readdir(d)) != NULL;)
        found = version_in(e->d_name, library, out);
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
    /* Debian has maven-core-3.x.jar there, and the version in its folder of libraries */
    return library_version(dir, t->library, out) || (t->of_debian != NULL && strncmp(command, "/usr/share/", 11) == 0 &&
                                                     library_version("/usr/share/java", t->of_debian, out));
}

static void add(struct writer *w, const char *text) { write_bytes(w, text, strlen(text)); }

/* What stands in the place of {mark}. */
static void fill_mark(struct writer *w, const char *mark, const char *agent, const struct tool *t,
                      const struct setup_pom *pom)
{
    if (strncmp(mark, "{agent}", 7) == 0) {
        add(w, "-agentpath:");
        add(w, agent);
        add(w, "=tests=on,quiet=true,format=omni,e=org.jacoco.,output=");
    } else if (strncmp(mark, "{test}", 6) == 0) {
        add(w, is_here(t->wrapper) ? t->wrapper : t->command);
        add(w, " ");
        add(w, t->arguments);
    } else if (strncmp(mark, "{words}", 7) == 0) { /* Surefire takes one argLine: the project's own is part of ours */
        if (pom->words != NULL)
            write_bytes(w, pom->words, pom->length);
        else
            add(w, "@{argLine}");
    } else if (pom->words == NULL && !pom->property) { /* without it @{argLine} stays as it is, and no JVM starts */
        add(w, "  <!-- leave these properties out if a parent of the project sets argLine -->\n"
               "  <properties><argLine></argLine></properties>\n");
    }
}

static void fill(struct writer *w, const char *text, const char *agent, const struct tool *t,
                 const struct setup_pom *pom)
{
    static const char *const marks[] = { "{agent}", "{test}", "{words}", "{properties}" };
    while (*text != '\0') {
        size_t i = 0;
        while (i < sizeof marks / sizeof *marks && strncmp(text, marks[i], strlen(marks[i])) != 0)
            i++;
        if (i < sizeof marks / sizeof *marks) {
            fill_mark(w, marks[i], agent, t, pom);
            text += strlen(marks[i]);
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
    struct setup_pom pom;
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
    setup_pom_read(&pom);
    fill(&lines, setup->text, agent, tool, &pom);
    vec_free(&pom.bytes);
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
