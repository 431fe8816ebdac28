/* class_mutator.h - changes a class file so that most of it stays valid: the parser takes it and much of it is
 * verified.
 *
 * Bytes changed at random nearly always give a class that the reader refuses at once. Here the class is parsed, one or
 * a few of its parts are changed (class_mutator.c lists them), and it is written again. */
#ifndef TEST_FUZZ_CLASS_MUTATOR_H
#define TEST_FUZZ_CLASS_MUTATOR_H

#include <stddef.h>
#include <stdint.h>

/* Changes the class of `size` bytes in `data`, which has room for `max_size`. Returns the new size; 0: it is no class,
 * or has grown too large, and `data` is as it was. */
size_t class_mutate(uint8_t *data, size_t size, size_t max_size, unsigned seed);

#endif
