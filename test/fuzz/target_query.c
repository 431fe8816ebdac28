/* target_query.c - command lines: a byte chooses the trace, a byte the command, then words, one a line. Words with a
 * slash are left out, since options that name files would write or read anywhere. */
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "test/fuzz/kept.h"

/* Not sql: a question of SQLite may run for ever. */
static const char *const names[] = {
    "info",     "print",   "tree",   "object",  "locals",  "history", "last-write", "why",       "report",
    "features", "freq",    "latest", "objects", "strings", "threads", "exceptions", "deadlocks", "classes",
    "methods",  "dataids", "source", "events",  "diff",    "fsck",    "timeline",   "export",
};

void fuzz_query(const uint8_t *data, size_t size)
{
    enum { WORDS_MAX = 20 };
    struct reader in = reader_of(data, size);
    char *words[WORDS_MAX + 1], *texts[WORDS_MAX];
    int count = 0, texts_count = 0;
    char *trace = (char *)(uintptr_t)kept_whole(read_u1(&in) % KEPT_CHOSEN);
    words[count++] = (char *)(uintptr_t)names[read_u1(&in) % (sizeof names / sizeof *names)];
    words[count++] = trace;
    while (in.at < in.size && count < WORDS_MAX) {
        struct reader line = fuzz_part(&in, '\n');
        char *word = texts[texts_count++] = fuzz_text(&line);
        if (strcmp(word, "@") == 0)
            words[count++] = trace;
        else if (strchr(word, '/') == NULL && strcmp(word, "..") != 0)
            words[count++] = word;
    }
    words[count] = NULL;
    fuzz_clear();
    int here = open(".", O_PATH | O_CLOEXEC);
    FUZZ_CHECK(here >= 0 && chdir(fuzz_folder()) == 0); /* for what an option writes */
    (void)fuzz_command(count, words);
    FUZZ_CHECK(fchdir(here) == 0);
    (void)close(here);
    while (texts_count > 0)
        free(texts[--texts_count]);
}
