/* fuzz.c - see fuzz.h. */
#include "test/fuzz/fuzz.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <unistd.h>

#include <cjson/cJSON.h>

#include "reader/command/cli.h"

uint8_t *fuzz_exact(const void *data, size_t size)
{
    uint8_t *copy = malloc(size > 0 ? size : 1);
    FUZZ_CHECK(copy != NULL);
    if (size > 0)
        memcpy(copy, data, size);
    return copy;
}

struct reader fuzz_part(struct reader *in, uint8_t stop)
{
    const uint8_t *from = in->data + in->at;
    size_t left = in->size - in->at;
    const uint8_t *end = left > 0 ? memchr(from, stop, left) : NULL;
    size_t n = end != NULL ? (size_t)(end - from) : left;
    in->at += n + (end != NULL);
    return reader_of(from, n);
}

char *fuzz_text(struct reader *in)
{
    size_t n = in->size - in->at;
    char *text = malloc(n + 1);
    FUZZ_CHECK(text != NULL);
    if (n > 0)
        memcpy(text, in->data + in->at, n);
    for (size_t i = 0; i < n; i++)
        if (text[i] == '\0')
            text[i] = ' ';
    text[n] = '\0';
    in->at = in->size;
    return text;
}

void fuzz_check_line(const void *text, size_t size)
{
    char *copy = (char *)fuzz_exact(text, size);
    FUZZ_CHECK(memchr(copy, '\n', size) == copy + size - 1);
    /* Strings of Java may have half a pair of surrogates, which JSON can hold and cJSON refuses. */
    for (size_t i = 0; i + 2 < size; i += copy[i] == '\\' ? 2 : 1)
        if (copy[i] == '\\' && copy[i + 1] == 'u' && (copy[i + 2] | 0x20) == 'd')
            copy[i + 2] = '4';
    cJSON *json = cJSON_ParseWithLength(copy, size);
    FUZZ_CHECK(json != NULL);
    cJSON_Delete(json);
    free(copy);
}

/* ---- scratch folders ---- */

static void empty(const char *path)
{
    DIR *d = opendir(path);
    for (struct dirent *e; d != NULL && (e = readdir(d)) != NULL;)
        (void)unlinkat(dirfd(d), e->d_name, 0);
    if (d != NULL)
        (void)closedir(d);
}

void fuzz_make_folder(char path[FUZZ_PATH_MAX])
{
    (void)snprintf(path, FUZZ_PATH_MAX, "%s/hindsight-fuzz-XXXXXX",
                   access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
    FUZZ_CHECK(mkdtemp(path) != NULL);
}

void fuzz_remove_folder(const char *path)
{
    empty(path);
    (void)rmdir(path);
}

static char folder[FUZZ_PATH_MAX];

static void remove_own(void) { fuzz_remove_folder(folder); }
void fuzz_clear(void) { empty(fuzz_folder()); }

const char *fuzz_folder(void)
{
    if (folder[0] == '\0') {
        fuzz_make_folder(folder);
        (void)atexit(remove_own);
    }
    return folder;
}

/* ---- commands ---- */

/* Not standard error, where sanitizers report; libFuzzer has -close_fd_mask for it. */
void fuzz_silent(bool on)
{
    static int out = -1;
    (void)fflush(stdout);
    (void)signal(SIGINT, SIG_IGN); /* so that commands do not take SIGALRM (interrupt.c), which counts the seconds */
    if (on) {
        int none = open("/dev/null", O_WRONLY | O_CLOEXEC);
        out = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
        FUZZ_CHECK(none >= 0 && out >= 0);
        (void)dup2(none, STDOUT_FILENO);
        (void)close(none);
        return;
    }
    (void)dup2(out, STDOUT_FILENO);
    (void)close(out);
}

int fuzz_command(int argc, char **argv)
{
    commands = command_table;
    FUZZ_CHECK(command_find(argv[0]) != NULL);
    fuzz_silent(true);
    int status = command_run(NULL, argc, argv);
    fuzz_silent(false);
    FUZZ_CHECK(status >= EXIT_DONE && status <= EXIT_INCOMPLETE);
    return status;
}

void fuzz_ask(const char *const *lines, size_t count, unsigned first, const char *trace)
{
    enum { WORDS_MAX = 16, ASKED = 3 };
    for (size_t i = 0; i < ASKED; i++) {
        char line[512], *words[WORDS_MAX + 1], *save = NULL;
        int n = 0;
        (void)snprintf(line, sizeof line, "%s", lines[(first + i) % count]);
        for (char *w = strtok_r(line, " ", &save); w != NULL && n < WORDS_MAX; w = strtok_r(NULL, " ", &save))
            words[n++] = strcmp(w, "@") == 0 ? (char *)(uintptr_t)trace : w;
        words[n] = NULL;
        (void)fuzz_command(n, words);
    }
}

/* Inputs can ask for programs to be started (launch of dap, commands of view): none is. The linker puts these in the
 * place of posix_spawn and posix_spawnp (CMakeLists.txt). */
#define NO_PROGRAM(name)                                                                                               \
    int __wrap_##name(pid_t *pid, const char *path, const posix_spawn_file_actions_t *actions,                         \
                      const posix_spawnattr_t *attributes, char *const argv[], char *const envp[]);                    \
    int __wrap_##name(pid_t *pid, const char *path, const posix_spawn_file_actions_t *actions,                         \
                      const posix_spawnattr_t *attributes, char *const argv[], char *const envp[])                     \
    {                                                                                                                  \
        (void)pid, (void)path, (void)actions, (void)attributes, (void)argv, (void)envp;                                \
        return EAGAIN;                                                                                                 \
    }
NO_PROGRAM(posix_spawn)
NO_PROGRAM(posix_spawnp)
