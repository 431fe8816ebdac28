/* libfuzzer.c - one target for libFuzzer (preset `fuzz`): FUZZ_TARGET is its name. */
#include "test/fuzz/fuzz.h"

#define CALL_OF(name) fuzz_##name
#define CALL(name)    CALL_OF(name)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    CALL(FUZZ_TARGET)(data, size);
    return 0;
}
