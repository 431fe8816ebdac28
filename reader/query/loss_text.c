/* loss_text.c - see loss_text.h. */
#include "reader/query/loss_text.h"

#include <stdio.h>

#include "reader/trace.h"

static const struct {
    const char *name, *text;
} losses[] = {
    [LOSS_WRAPPED] = { "wrapped", "wrapped" },         [LOSS_BITS] = { "bits", NULL },
    [LOSS_SATURATED] = { "saturated", "saturated" },   [LOSS_ROUNDED] = { "rounded", "rounded" },
    [LOSS_INFINITE] = { "infinite", "gave infinity" }, [LOSS_NAN] = { "nan", "made 0 of NaN" },
};

const char *hs_loss_name(enum hs_loss loss)
{
    return (size_t)loss < sizeof losses / sizeof *losses ? losses[loss].name : NULL;
}

void loss_text(unsigned op, const struct loss *loss, char out[LOSS_TEXT_ROOM])
{
    const char *name = op_table[op].name;
    if (loss->kind == LOSS_BITS)
        (void)snprintf(out, LOSS_TEXT_ROOM, "%s lost %u bit%s", name, loss->bits, loss->bits != 1 ? "s" : "");
    else
        (void)snprintf(out, LOSS_TEXT_ROOM, "%s %s", name, losses[loss->kind].text);
}

void loss_exact_text(const struct loss *loss, char out[LOSS_TEXT_ROOM])
{
    char digits[LOSS_TEXT_ROOM];
    size_t at = sizeof digits - 1;
    unsigned __int128 left = loss->exact < 0 ? 0 - (unsigned __int128)loss->exact : (unsigned __int128)loss->exact;
    digits[at] = '\0';
    do
        digits[--at] = (char)('0' + (int)(left % 10));
    while ((left /= 10) != 0);
    if (loss->exact < 0)
        digits[--at] = '-';
    (void)snprintf(out, LOSS_TEXT_ROOM, "%s", digits + at);
}
