/* target_exports.c - rows that are wrong in a trace whose pages, checks and sums are right: some exports, from
 * the one on that the first byte chooses. */
#include "test/fuzz/kept.h"

static const char *const exports[] = {
    "export @ --to jsonl",
    "export @ --to jsonl --table exceptions",
    "export @ --to csv --table calls",
    "export @ --to csv --table objects",
    "export @ --to csv --table locks",
    "export @ --to parquet --table events",
    "export @ --to parquet --table strings",
    "export @ --to jfr",
    "export @ --to hprof",
    "export @ --to perfetto",
    "export @ --to chrome",
    "export @ --to speedscope",
    "export @ --to collapsed",
    "export @ --to pprof",
    "export @ --to callgrind",
    "export @ --to mermaid",
    "export @ --to plantuml",
    "export @ --to dot",
    "export @ --to mse",
    "export @ --to xml",
    "export @ --to jmtrace",
    "export @ --to timers",
};

void fuzz_exports(const uint8_t *data, size_t size)
{
    struct reader in = reader_of(data, size);
    unsigned first = read_u1(&in);
    fuzz_ask(exports, FUZZ_COUNT(exports), first, kept_changed(&in));
}
