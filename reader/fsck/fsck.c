/* fsck.c - the door of the check: sets up what its files share, runs tables, code and events, and tells violations. */
#include "reader/fsck/fsck.h"
#include "reader/index/index.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name, *text;
} rules[] = {
#define RULE(name, text) { #name, text },
#include "reader/fsck/rules.def"
#undef RULE
};

const char *hs_fsck_rule(size_t position, const char **sentence)
{
    if (position >= RULE_COUNT)
        return NULL;
    if (sentence != NULL)
        *sentence = rules[position].text;
    return rules[position].name;
}

void fsck_tell(struct fsck *f, enum rule rule, uint64_t seq, const char *fmt, ...)
{
    char what[HS_ERROR_TEXT_MAX];
    va_list ap;
    va_start(ap, fmt);
    (void)vsnprintf(what, sizeof what, fmt, ap);
    va_end(ap);
    f->result->violations++;
    if (f->tell != NULL)
        f->tell(f->context, &(struct hs_violation){ rules[rule].name, seq, what });
}

/* Events may be missing, and frames begun before the recording, where the trace itself says so. */
static bool is_tolerant(const hs_trace *t)
{
    const char *lost = hs_info(t, "lost");
    return (lost != NULL && strcmp(lost, "0") != 0) || hs_info(t, "dropped") != NULL;
}

static uint64_t last_stamp(const hs_trace *t)
{
    const char *text = hs_info(t, "stamp");
    char *end = NULL;
    uint64_t stamp = text != NULL ? strtoull(text, &end, 10) : 0;
    return text != NULL && end != text && *end == '\0' ? stamp : UINT64_MAX;
}

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

static bool read_periods(struct fsck *f)
{
    for (size_t i = 0; i < f->trace->info.count; i++) {
        const struct info_pair *pair = &f->trace->info.items[i];
        if (strncmp(pair->key, "period.", 7) != 0)
            continue;
        uint32_t *slot = vec_push(&f->periods);
        if (slot == NULL)
            return false;
        *slot = (uint32_t)strtoul(pair->value, NULL, 10);
    }
    if (f->periods.count > 1)
        qsort(f->periods.items, f->periods.count, sizeof *f->periods.items, by_number);
    return true;
}

bool same_period(const struct fsck *f, uint32_t a, uint32_t b)
{
    uint32_t low = a < b ? a : b, high = a < b ? b : a;
    size_t from = 0, to = f->periods.count;
    while (from < to) { /* the first start after the lower one */
        size_t mid = from + (to - from) / 2;
        if (f->periods.items[mid] <= low)
            from = mid + 1;
        else
            to = mid;
    }
    return from == f->periods.count || f->periods.items[from] > high;
}

static void tell_damaged_row(void *context, const char *what) { fsck_tell(context, RULE_check, NO_SEQ, "%s", what); }

int hs_fsck(hs_trace *t, hs_violation_fn *tell, void *context, struct hs_fsck_result *out, struct hs_error *error)
{
    struct error err = { 0 };
    struct hs_fsck_result result = { 0 };
    struct fsck f = {
        .trace = t, .tell = tell, .context = context, .result = &result, .site_count = hs_dataid_count(t)
    };
    const char *end = hs_info(t, "end");
    f.clean = end != NULL && strcmp(end, "clean") == 0;
    f.tolerant = is_tolerant(t);
    f.last_stamp = last_stamp(t);
    enum status st = OK;
    if (!read_periods(&f) || !fclasses_init(&f) || !objects_init(&f) || !heap_init(&f))
        st = error_set(&err, ERR_MEMORY, "%s: out of memory", t->dir);
    if (st == OK)
        st = env_verify(&t->env, tell_damaged_row, &f, &result.checked, &err);
    if (st == OK)
        index_verify(t, tell_damaged_row, &f);
    if (st == OK)
        st = fsck_tables(&f, &err);
    if (st == OK) {
        fsck_code(&f);
        st = fsck_walk(&f, &err);
    }
    if (st == OK)
        heap_finish(&f);
    if (st == OK && hs_damage(t) != NULL && result.violations == 0)
        fsck_tell(&f, t->damage != NULL ? RULE_table : RULE_check, NO_SEQ, "%s", hs_damage(t));
    vec_free(&f.candidates);
    vec_free(&f.lives);
    vec_free(&f.periods);
    free(f.known_values);
    objects_check_done(&f);
    fclasses_done(&f);
    arena_done(&f.arena);
    if (st != OK)
        return give(error, &err);
    *out = result;
    return 0;
}
