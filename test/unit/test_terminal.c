/* How much of a row fits a terminal: characters of one and two columns, colours, what is not UTF-8; and rows that are
 * longer than the buffer of the output. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "output.h"

static void counts_columns(void **unused)
{
    static const struct {
        const char *row;
        unsigned columns;
        size_t fits;
    } cases[] = {
        { "", 1, 0 },
        { "abc", 3, 3 },
        { "abcd", 3, 2 }, /* and an ellipsis */
        { "\xc3\xa9t\xc3\xa9", 3, 5 },
        { "\xc3\xa9t\xc3\xa9s", 3, 3 },
        { "\xe6\x97\xa5\xe6\x9c\xac", 4, 6 }, /* two columns each */
        { "\xe6\x97\xa5\xe6\x9c\xac", 3, 3 },
        { "\xe6\x97\xa5\xe6\x9c\xac", 2, 0 }, /* no half of a character */
        { "\033[36mabc\033[0m", 3, 12 },      /* colours take no room */
        { "\033[36mabcd\033[0m", 3, 7 },
        { "\xff\xff\xff\xff", 3, 2 },
        { "abc\xe6\x97", 4, 3 }, /* ends within a character */
        { "\033[3", 2, 1 },      /* no sequence */
    };
    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(terminal_fit(cases[i].row, strlen(cases[i].row), cases[i].columns), cases[i].fits);
}

static void cuts_rows_of_any_length(void **unused)
{
    static const size_t lengths[] = { 5, 9, 10, 11, 1 << 20, (1 << 20) - 3, 5 << 20 };
    int ends[2];
    char text[256] = "";
    struct out o;
    (void)unused;
    assert_int_equal(pipe(ends), 0);
    assert_true(init(&o, ends[1]));
    o.screen.columns = 10;
    o.cut = true;
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        for (size_t n = 0; n < lengths[i]; n += 5)
            out_bytes(&o, "abcde", lengths[i] - n < 5 ? lengths[i] - n : 5);
        out_char(&o, '\n');
    }
    assert_int_equal(out_flush(&o), 0);
    ssize_t n = read(ends[0], text, sizeof text - 1);
    assert_true(n > 0);
    assert_string_equal(text, "abcde\nabcdeabcd\nabcdeabcde\nabcdeabcd" ELLIPSIS "\nabcdeabcd" ELLIPSIS
                              "\nabcdeabcd" ELLIPSIS "\nabcdeabcd" ELLIPSIS "\n");
    o.fd = -1; /* no pager to wait for */
    out_done(&o);
    (void)close(ends[0]);
    (void)close(ends[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_columns),
        cmocka_unit_test(cuts_rows_of_any_length),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
