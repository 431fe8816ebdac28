/* test_expression_hostile.c - expressions too deep or too long are refused, not followed (reader/expression). */
#include <stdlib.h>

#include "expression_host.h"

static void deep_texts_are_refused(void **state)
{
    (void)state;
    static const char *const units[] = { "(", "!", "-", "(int) ", "a[", "a ? ", "f(", "1 == (" };
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        const size_t n = strlen(units[i]), times = 100000;
        char *text = malloc(n * times + 1), own[400];
        for (size_t k = 0; k < times; k++)
            memcpy(text + k * n, units[i], n);
        text[n * times] = '\0';
        describe(text, false, own);
        assert_non_null(strstr(own, "fewer parentheses"));
        free(text);
    }
    static const struct {
        const char *unit, *says;
    } chains[] = { { "1 +", "fewer operators" },
                   { "a.b.", "fewer operators" },
                   { "1 == ", "fewer operators" },
                   { "i == 7 && ", "unknown" },
                   { "i == 8 || ", "unknown" } };
    for (size_t i = 0; i < sizeof chains / sizeof *chains; i++) {
        const size_t n = strlen(chains[i].unit), times = 10000;
        char *text = malloc(n * times + 20), own[400];
        for (size_t k = 0; k < times; k++)
            memcpy(text + k * n, chains[i].unit, n);
        memcpy(text + n * times, "unknown", 8);
        describe(text, false, own);
        if (strstr(own, chains[i].says) == NULL)
            fail_msg("%s...: %s", chains[i].unit, own);
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(deep_texts_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
