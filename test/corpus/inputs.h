/* inputs.h - the class files of jars and folders, for tools of the tests. A failure ends the program with a message. */
#ifndef TEST_CORPUS_INPUTS_H
#define TEST_CORPUS_INPUTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct class_file {
    char *name; /* its path in the jar or folder */
    uint8_t *bytes;
    size_t size;
    bool verified; /* weave_corpus.c: our verifier takes the original */
};
struct class_files {
    struct class_file *items;
    size_t count, cap;
};

/* Adds those of a jar (not those in META-INF) or folder. */
void inputs_read(struct class_files *files, const char *path);
void inputs_done(struct class_files *files);

/* `p`, which is not NULL. */
void *inputs_checked(void *p);
void inputs_write(const char *path, const void *bytes, size_t size);

#endif
