/* fleet_args.c - see fleet_args.h. */
#include "reader/cli/fleet_args.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "reader/command/interrupt.h"

int fleet_fail(struct context *context, const struct error *err)
{
    if (err->status == ERR_CANCELLED)
        return interrupt_status();
    return cli_fail(err->status == ERR_USAGE ? EXIT_USAGE : EXIT_FAILED, context, "%s", err->text);
}

uint64_t fleet_now_ns(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_REALTIME, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

struct unit {
    char letter; /* 0: none */
    uint64_t factor;
};
static const struct unit of_age[] = { { 's', 1 }, { 'm', 60 }, { 'h', 3600 }, { 'd', 86400 }, { 'w', 604800 }, { 0 } };
static const struct unit of_size[] = {
    { 0, 1 },
    { 'k', (uint64_t)1 << 10 },
    { 'M', (uint64_t)1 << 20 },
    { 'G', (uint64_t)1 << 30 },
    { 'T', (uint64_t)1 << 40 },
    { 0 },
};

/* A number with one of the units behind it, of at most 2^62. */
static bool read_amount(const char *text, const struct unit *units, uint64_t *out)
{
    char digits[24];
    size_t n = strspn(text, "0123456789");
    if (n == 0 || n >= sizeof digits)
        return false;
    (void)snprintf(digits, sizeof digits, "%.*s", (int)n, text);
    for (const struct unit *u = units; u->factor != 0; u++)
        if (text[n] == u->letter && (u->letter == '\0' || text[n + 1] == '\0'))
            return cli_u64(digits, out) && !__builtin_mul_overflow(*out, u->factor, out) && *out >> 62 == 0;
    return false;
}

bool fleet_age(const char *text, uint64_t *seconds) { return read_amount(text, of_age, seconds); }
bool fleet_size(const char *text, uint64_t *bytes) { return read_amount(text, of_size, bytes); }
