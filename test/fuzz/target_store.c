/* target_store.c - rows that are wrong in a trace whose pages, checks and sums are right: some queries, from the
 * one on that the first byte chooses. */
#include "test/fuzz/kept.h"
#include "test/fuzz/questions.h"

void fuzz_store(const uint8_t *data, size_t size)
{
    struct reader in = reader_of(data, size);
    unsigned first = read_u1(&in);
    fuzz_ask(questions, FUZZ_COUNT(questions), first, kept_changed(&in));
}
