/* archive.c - see archive.h. */
#include "reader/cli/archive.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* One that ends in '=' has a value behind it. (Modes of the AOT cache do take agents.) */
static const char *const making[] = {
    "-Xshare:dump",
    "-XX:+DumpSharedSpaces",
    "-XX:ArchiveClassesAtExit=",
    "-XX:+RecordDynamicDumpInfo",
    "-XX:+AutoCreateSharedArchive",
};

/* Options of the launcher whose value is the next word. */
static const char *const with_value[] = {
    "-cp",
    "-classpath",
    "--class-path",
    "-p",
    "--module-path",
    "--add-modules",
    "--add-reads",
    "--add-exports",
    "--add-opens",
    "--patch-module",
    "--limit-modules",
    "--upgrade-module-path",
    "--source",
    "--enable-native-access",
};

static const char *find(const char *word, size_t size)
{
    for (size_t i = 0; i < sizeof making / sizeof *making; i++) {
        const size_t n = strlen(making[i]);
        if (size >= n && memcmp(word, making[i], n) == 0 && (size == n || making[i][n - 1] == '='))
            return making[i];
    }
    return NULL;
}

static bool takes_value(const char *word)
{
    for (size_t i = 0; i < sizeof with_value / sizeof *with_value; i++)
        if (strcmp(word, with_value[i]) == 0)
            return true;
    return false;
}

static const char *find_in_variable(const char *name)
{
    static const char blanks[] = " \t\r\n\"'";
    const char *p = getenv(name), *found = NULL;
    while (p != NULL && *p != '\0' && found == NULL) {
        p += strspn(p, blanks);
        const size_t n = strcspn(p, blanks);
        found = find(p, n);
        p += n;
    }
    return found;
}

const char *archive_option(char *const *words, int count)
{
    static const char *const variables[] = { "JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS" };
    const char *found = NULL;
    for (size_t i = 0; i < sizeof variables / sizeof *variables && found == NULL; i++)
        found = find_in_variable(variables[i]);
    /* up to the class: what follows is for the program */
    for (int i = 1; i < count && found == NULL && (words[i][0] == '-' || words[i][0] == '@'); i++) {
        found = find(words[i], strlen(words[i]));
        i += takes_value(words[i]);
    }
    return found;
}
