/* archive.c - see archive.h. */
#include "reader/cli/archive.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

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

static const char *find_in_text(const char *p)
{
    static const char blanks[] = " \t\r\n\"'";
    const char *found = NULL;
    while (p != NULL && *p != '\0' && found == NULL) {
        p += strspn(p, blanks);
        const size_t n = strcspn(p, blanks);
        found = find(p, n);
        p += n;
    }
    return found;
}

/* The words of a file: java @FILE, -XX:VMOptionsFile=FILE. */
static const char *find_in_file(const char *word)
{
    static const char option[] = "-XX:VMOptionsFile=";
    char text[1 << 16];
    const char *path = word[0] == '@' ? word + 1 : word + sizeof option - 1;
    if (word[0] != '@' && strncmp(word, option, sizeof option - 1) != 0)
        return NULL;
    struct stat is; /* what is read from a pipe is gone */
    FILE *f = stat(path, &is) == 0 && S_ISREG(is.st_mode) ? fopen(path, "re") : NULL;
    const size_t size = f != NULL ? fread(text, 1, sizeof text - 1, f) : 0;
    text[size] = '\0';
    if (f != NULL)
        (void)fclose(f);
    return find_in_text(text);
}

const char *archive_option(char *const *words, int count)
{
    static const char *const variables[] = { "JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS" };
    const char *found = NULL;
    for (size_t i = 0; i < sizeof variables / sizeof *variables && found == NULL; i++)
        found = find_in_text(getenv(variables[i]));
    /* up to the class: what follows is for the program */
    for (int i = 1; i < count && found == NULL && (words[i][0] == '-' || words[i][0] == '@'); i++) {
        found = find(words[i], strlen(words[i]));
        found = found != NULL ? found : find_in_file(words[i]);
        i += takes_value(words[i]);
    }
    return found;
}
