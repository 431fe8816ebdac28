/* fuzz.h - what every fuzz target has, and the helpers they share.
 *
 * A target is a function of bytes, fuzz_<name>, in target_<name>.c with a row in targets.def. libFuzzer calls it with
 * inputs that it makes (libfuzzer.c, preset `fuzz`), and replay.c with those that are kept in corpus/<name>, in every
 * build. It must not remember anything from one call to the next, must free what it takes, and says what is wrong by
 * FUZZ_CHECK; crashes, leaks and wrong memory are found by the sanitizers, hangs by the seconds of the row. */
#ifndef TEST_FUZZ_H
#define TEST_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "formats/bytes.h"

#define TARGET(name, seconds, input) void fuzz_##name(const uint8_t *data, size_t size);
#include "test/fuzz/targets.def"
#undef TARGET

#define FUZZ_CHECK(condition)                                                                                          \
    ((condition) ? (void)0 : ((void)fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition), abort()))

#define FUZZ_COUNT(list) (sizeof(list) / sizeof *(list))

/* A copy that ends where its bytes end, so that reading past it is seen; never NULL. Free it. */
uint8_t *fuzz_exact(const void *data, size_t size);
/* The bytes up to `stop`, which is taken and not part of them; all that is left without one. */
struct reader fuzz_part(struct reader *in, uint8_t stop);
/* What is left, ended with NUL and without NUL inside. Free it. */
char *fuzz_text(struct reader *in);

/* An answer is one line of JSON. */
void fuzz_check_line(const void *text, size_t size);

/* A new folder, in memory where there is /dev/shm. */
enum { FUZZ_PATH_MAX = 64 };
void fuzz_make_folder(char path[FUZZ_PATH_MAX]);
void fuzz_remove_folder(const char *path); /* and the files in it */
/* A scratch folder of this process, in memory; it exists empty at the first call and is removed at the end. */
const char *fuzz_folder(void);
/* Removes the files in it. */
void fuzz_clear(void);

/* From now on standard output is thrown away, or no longer. */
void fuzz_silent(bool on);
/* Runs a command with its output thrown away. Returns the exit status, checked to be one of those that are documented.
 * argv[argc] is NULL. */
int fuzz_command(int argc, char **argv);
/* Runs three lines, from `first` modulo `count` on, with the trace in the place of `@`; words are divided by blanks. */
void fuzz_ask(const char *const *lines, size_t count, unsigned first, const char *trace);

#endif
