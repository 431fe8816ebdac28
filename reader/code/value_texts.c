/* value_texts.c - see value_texts.h. Numbers come from a trace, which may be damaged: none is trusted. */
#include "reader/code/value_texts.h"

#include "reader/code/types.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void value_format(struct writer *w, const char *fmt, ...)
{
    char text[512];
    va_list ap;
    va_start(ap, fmt);
    int n = vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    if (n > 0)
        write_bytes(w, text, (size_t)n < sizeof text ? (size_t)n : sizeof text - 1);
}

/* ---- big numbers ---- */

void value_big_integer(struct writer *w, int64_t signum, const uint8_t *magnitude, size_t count)
{
    enum { BASE = 1000000000, DIGITS = 9 };
    uint32_t *words = calloc(count + 1, sizeof *words), *parts = calloc(count * 32 / 29 + 2, sizeof *parts);
    size_t part_count = 0, first = 0;
    if (words == NULL || parts == NULL) {
        w->bad = true;
        goto out;
    }
    for (size_t i = 0; i < count; i++)
        words[i] = le4(magnitude + 4 * i);
    for (;;) { /* divides by BASE: what is left over are the last digits */
        while (first < count && words[first] == 0)
            first++;
        if (first == count)
            break;
        uint64_t rest = 0;
        for (size_t i = first; i < count; i++) {
            uint64_t at = rest << 32 | words[i];
            words[i] = (uint32_t)(at / BASE);
            rest = at % BASE;
        }
        parts[part_count++] = (uint32_t)rest;
    }
    if (part_count == 0)
        value_format(w, "0");
    else
        value_format(w, "%s%u", signum < 0 ? "-" : "", parts[part_count - 1]);
    for (size_t i = part_count; i-- > 1;)
        value_format(w, "%0*u", DIGITS, parts[i - 1]);
out:
    free(words);
    free(parts);
}

/* BigDecimal.toString: without an exponent if the scale is not negative and the number not below 10^-6. */
void value_big_decimal(struct writer *w, const char *digits, int64_t scale)
{
    if (*digits == '-')
        write_u1(w, (uint8_t)*digits++);
    int64_t count = (int64_t)strlen(digits), exponent = count - 1 - scale;
    if (scale == 0) {
        write_bytes(w, digits, (size_t)count);
    } else if (scale > 0 && exponent >= -6) {
        int64_t whole = count - scale;
        if (whole > 0)
            write_bytes(w, digits, (size_t)whole);
        else
            value_format(w, "0");
        value_format(w, ".");
        for (int64_t i = whole; i < 0; i++)
            value_format(w, "0");
        whole = whole > 0 ? whole : 0;
        write_bytes(w, digits + whole, (size_t)(count - whole));
    } else {
        write_bytes(w, digits, 1);
        if (count > 1) {
            value_format(w, ".");
            write_bytes(w, digits + 1, (size_t)count - 1);
        }
        if (exponent != 0)
            value_format(w, "E%+lld", (long long)exponent);
    }
}

void value_uuid(struct writer *w, uint64_t high, uint64_t low)
{
    value_format(w, "%08llx-%04llx-%04llx-%04llx-%012llx", (unsigned long long)(high >> 32),
                 (unsigned long long)(high >> 16 & 0xffff), (unsigned long long)(high & 0xffff),
                 (unsigned long long)(low >> 48), (unsigned long long)(low & 0xffffffffffff));
}

/* ---- dates and times ---- */

static void put_year(struct writer *w, int64_t year)
{
    if (year >= 0)
        value_format(w, year > 9999 ? "+%lld" : "%04lld", (long long)year);
    else
        value_format(w, "%05lld", (long long)year);
}

void value_date(struct writer *w, int64_t year, int64_t month, int64_t day)
{
    put_year(w, year);
    value_format(w, "-%02lld-%02lld", (long long)month, (long long)day);
}

void value_year_month(struct writer *w, int64_t year, int64_t month)
{
    put_year(w, year);
    value_format(w, "-%02lld", (long long)month);
}

/* .123, .123456 or .123456789 */
static void put_nanos(struct writer *w, int64_t nano)
{
    if (nano % 1000000 == 0)
        value_format(w, ".%03lld", (long long)(nano / 1000000));
    else if (nano % 1000 == 0)
        value_format(w, ".%06lld", (long long)(nano / 1000));
    else
        value_format(w, ".%09lld", (long long)nano);
}

void value_time(struct writer *w, int64_t hour, int64_t minute, int64_t second, int64_t nano)
{
    value_format(w, "%02lld:%02lld", (long long)hour, (long long)minute);
    if (second > 0 || nano > 0)
        value_format(w, ":%02lld", (long long)second);
    if (nano > 0)
        put_nanos(w, nano);
}

/* By days since 1970-01-01 in the proleptic Gregorian calendar. */
void value_instant(struct writer *w, int64_t seconds, int64_t nanos)
{
    enum { DAY = 86400, ERA_DAYS = 146097, DAYS_TO_1970 = 719468 };
    int64_t days = seconds / DAY, rest = seconds % DAY;
    days -= rest < 0;
    rest += rest < 0 ? DAY : 0;
    days += DAYS_TO_1970; /* since 0000-03-01 */
    int64_t era = (days >= 0 ? days : days - (ERA_DAYS - 1)) / ERA_DAYS, day = days - era * ERA_DAYS;
    int64_t year = (day - day / 1460 + day / 36524 - day / 146096) / 365;
    day -= 365 * year + year / 4 - year / 100;
    int64_t march = (5 * day + 2) / 153;
    int64_t month = march < 10 ? march + 3 : march - 9;
    value_date(w, era * 400 + year + (month <= 2), month, day - (153 * march + 2) / 5 + 1);
    value_format(w, "T%02lld:%02lld:%02lld", (long long)(rest / 3600), (long long)(rest / 60 % 60),
                 (long long)(rest % 60));
    if (nanos > 0)
        put_nanos(w, nanos);
    value_format(w, "Z");
}

/* Duration.toString: PT8H6M12.345S */
void value_duration(struct writer *w, int64_t seconds, int64_t nanos)
{
    int64_t whole = seconds + (seconds < 0 && nanos > 0), hours = whole / 3600;
    int minutes = (int)(whole % 3600 / 60), rest = (int)(whole % 60);
    if (seconds == 0 && nanos == 0) {
        value_format(w, "PT0S");
        return;
    }
    value_format(w, "PT");
    if (hours != 0)
        value_format(w, "%lldH", (long long)hours);
    if (minutes != 0)
        value_format(w, "%dM", minutes);
    if (rest == 0 && nanos == 0) /* there are hours or minutes */
        return;
    if (seconds < 0 && nanos > 0 && rest == 0)
        value_format(w, "-0");
    else
        value_format(w, "%d", rest);
    if (nanos > 0) {
        char digits[16];
        int n = snprintf(digits, sizeof digits, "%09lld", (long long)(seconds < 0 ? 1000000000 - nanos : nanos));
        while (n > 1 && digits[n - 1] == '0')
            n--;
        value_format(w, ".%.*s", n, digits);
    }
    value_format(w, "S");
}

void value_period(struct writer *w, int64_t years, int64_t months, int64_t days)
{
    const struct {
        int64_t n;
        char unit;
    } parts[] = { { years, 'Y' }, { months, 'M' }, { days, 'D' } };
    value_format(w, "P");
    for (int i = 0; i < 3; i++)
        if (parts[i].n != 0 || (i == 2 && years == 0 && months == 0))
            value_format(w, "%lld%c", (long long)parts[i].n, parts[i].unit);
}

/* ZoneOffset.toString: Z, +02:00, -00:30:15 */
void value_offset(struct writer *w, int64_t seconds)
{
    long long s = llabs(seconds % 1000000);
    if (seconds == 0) {
        value_format(w, "Z");
        return;
    }
    value_format(w, "%c%02lld:%02lld", seconds < 0 ? '-' : '+', s / 3600, s / 60 % 60);
    if (s % 60 != 0)
        value_format(w, ":%02lld", s % 60);
}
