/* libfuzzer_class.c - libFuzzer changes inputs that have a class file as a class file (class_mutator.h). FUZZ_HEAD is
 * the number of bytes before it.
 *
 * Most changes of a class that is verified give one that is not, and it would have few that are: after some tries the
 * change is taken as it is, before only if our verifier takes it. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "test/fuzz/class_mutator.h"
#include "weaver/verify/verify.h"

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);

static size_t mutate(uint8_t *class, size_t size, size_t max_size, unsigned seed)
{
    enum { TRIES = 6 };
    uint8_t *before = malloc(size);
    size_t changed = 0;
    if (before == NULL)
        return 0;
    memcpy(before, class, size);
    const bool verified = verify_class(before, size, NULL) == OK;
    for (unsigned i = 0; i < TRIES; i++) {
        memcpy(class, before, size);
        changed = class_mutate(class, size, max_size, seed + i * 0x10001);
        if (changed > 0 && (!verified || verify_class(class, changed, NULL) == OK))
            break;
    }
    free(before);
    return changed;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    enum { HEAD = FUZZ_HEAD };
    if (size <= HEAD || seed % 16 == 0) /* bytes of any kind, also of the head */
        return LLVMFuzzerMutate(data, size, max_size);
    if (HEAD > 0 && seed % 16 == 1)
        data[seed / 16 % HEAD] = (uint8_t)(seed >> 8);
    size_t changed = mutate(data + HEAD, size - HEAD, max_size - HEAD, seed);
    return changed > 0 ? HEAD + changed : LLVMFuzzerMutate(data, size, max_size);
}
