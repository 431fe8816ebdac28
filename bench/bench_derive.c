/* bench_derive.c - what derived chunks would make of a stored trace: coverage, bytes, speed; and that they give back
 * every event.   bench_derive TRACE */
#include <stdio.h>

#include "reader/derive/derive_check.h"

static unsigned reported;
static void report(const char *text)
{
    if (reported++ < 20)
        printf("%s\n", text);
}

int main(int argc, char **argv)
{
    struct hs_error error;
    struct error err = { 0 };
    struct derive_figures f;
    hs_trace *t = NULL;
    if (argc != 2 || hs_open(argv[1], HS_OPEN_READONLY, NULL, &t, &error) != 0) {
        fprintf(stderr, "usage: bench_derive TRACE\n");
        return 2;
    }
    if (derive_check_trace(t, &f, report, &err) != OK)
        fprintf(stderr, "%s\n", err.text);
    printf("events %llu, held %.4f, listed %.5f, chunks %llu, wrong %llu\n", (unsigned long long)f.events,
           (double)f.held / (double)f.events, (double)f.listed / (double)f.events, (unsigned long long)f.chunks,
           (unsigned long long)f.wrong);
    printf("methods %llu, recorded whole %llu\n", (unsigned long long)f.methods, (unsigned long long)f.recorded);
    printf("bytes per event %.4f, plain %.4f\n", (double)f.bytes / (double)f.events,
           (double)f.plain_bytes / (double)f.events);
    printf("encode %.1f M/s, replay %.1f M/s\n", (double)f.events / f.encode_s / 1e6,
           (double)f.events / f.replay_s / 1e6);
    hs_close(t);
    return f.wrong > 0;
}
