/* strip.h - woven code minus what was inserted is the original, instruction by instruction. */
#ifndef TEST_CORPUS_STRIP_H
#define TEST_CORPUS_STRIP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "formats/status.h"

struct strip_result {
    unsigned long long methods, instructions, inserted; /* methods whose code differs; of them */
    char why[ERROR_TEXT_MAX];                           /* what is not so */
};

/* Adds to the counts. False: the woven class is not the original and inserted code. */
bool strip_compare(const void *original, size_t original_size, const void *woven, size_t woven_size,
                   struct strip_result *out);

#endif
