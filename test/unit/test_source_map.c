/* test_source_map.c - formats/jvm/source_map.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#include "formats/jvm/source_map.h"

#define HEAD "SMAP\nMain.java\nKotlin\n"

static enum status read_map(struct source_map *m, const char *text)
{
    return source_map_read(m, (struct text){ text, strlen(text) }, NULL);
}

/* "folder|name:line" of a line of the table, "-" if the map does not have it. */
static void expect(const struct source_map *m, uint32_t table_line, const char *want)
{
    char got[200] = "-";
    const struct mapped_lines *l = source_map_find(m, table_line);
    if (l != NULL) {
        const struct mapped_file *f = &m->files.items[l->file];
        (void)snprintf(got, sizeof got, "%.*s|%.*s:%u", (int)f->folder.size, f->folder.data, (int)f->name.size,
                       f->name.data, l->line + (table_line - l->base) / l->increment);
    }
    assert_string_equal(got, want);
}

static void the_default_stratum_is_read(void **state)
{
    (void)state;
    struct source_map m;
    assert_int_equal(read_map(&m, HEAD "*S KotlinDebug\n*F\n+ 1 Wrong.kt\nWrong\n*L\n1#1,90:1\n"
                                       "*S Kotlin\n*F\n+ 1 Main.kt\na/b/MainKt\n+ 2 Util.kt\na/b/util/UtilKt\n"
                                       "*L\n1#1,14:1\n4#2,3:15\n*E\n"),
                     OK);
    expect(&m, 0, "-");
    expect(&m, 1, "a/b/|Main.kt:1");
    expect(&m, 14, "a/b/|Main.kt:14");
    expect(&m, 15, "a/b/util/|Util.kt:4");
    expect(&m, 17, "a/b/util/|Util.kt:6");
    expect(&m, 18, "-");
    source_map_done(&m);
}

static void rows_may_leave_out_what_they_share(void **state)
{
    (void)state;
    struct source_map m;
    assert_int_equal(read_map(&m, HEAD "*S Kotlin\r\n*F\r\n7 plain.jsp\r\n+ 3 page.jsp\r\n/web/page.jsp\r\n*L\r\n"
                                       "1#3:10,2\r\n5,2:20,3\r\n9#7:30\r\n*E\r\n"),
                     OK);
    expect(&m, 10, "web/|page.jsp:1");
    expect(&m, 11, "web/|page.jsp:1");
    expect(&m, 12, "-");
    expect(&m, 22, "web/|page.jsp:5"); /* of the file of the row before */
    expect(&m, 25, "web/|page.jsp:6");
    expect(&m, 26, "-");
    expect(&m, 30, "|plain.jsp:9");
    source_map_done(&m);
}

static void the_first_row_of_a_line_counts(void **state)
{
    (void)state;
    struct source_map m;
    assert_int_equal(read_map(&m, HEAD "*S Kotlin\n*F\n1 A\n*L\n1#1,3:10\n50#1,9:8\n*E\n"), OK);
    expect(&m, 8, "|A:50");
    expect(&m, 10, "|A:1");
    expect(&m, 12, "|A:3");
    expect(&m, 13, "|A:55");
    source_map_done(&m);
}

static void no_map_where_there_is_none(void **state)
{
    (void)state;
    struct source_map m;
    assert_int_equal(read_map(&m, "SMAP\nA.java\nJava\n*S Java\n*F\n1 A\n*L\n1#1,9:1\n*E\n"), OK);
    expect(&m, 1, "-");
    source_map_done(&m);
    assert_int_equal(read_map(&m, HEAD "*S Other\n*F\n1 A\n*L\n1#1,9:1\n*E\n"), OK);
    expect(&m, 1, "-");
    source_map_done(&m);
    /* a map inside of a map is for who made it */
    assert_int_equal(read_map(&m, HEAD "*O Kotlin\n*S Kotlin\n*F\n1 A\n*L\n1#1,9:1\n*E\n*C Kotlin\n"), OK);
    expect(&m, 1, "-");
    source_map_done(&m);
}

static void what_is_malformed_is_refused(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "",
        "SMAP",
        "SMAX\nA\nKotlin\n",
        HEAD "*S Kotlin\n*F\nx A\n*L\n1#1:1\n",
        HEAD "*S Kotlin\n*F\n1 A\n*L\n1#1\n",
        HEAD "*S Kotlin\n*F\n1 A\n*L\n1#1:1x\n",
        HEAD "*S Kotlin\n*F\n1 A\n*L\n1#2:1\n",
        HEAD "*S Kotlin\n*F\n+ 1 A\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct source_map m;
        assert_int_equal(read_map(&m, texts[i]), ERR_FORMAT);
        source_map_done(&m);
    }
}

/* 200,000 rows for all lines, and numbers that no class file can have, cost no more than the text. */
static void huge_numbers_and_many_rows_are_bounded(void **state)
{
    (void)state;
    struct writer w = { 0 };
    struct source_map m;
    static const char head[] = HEAD "*S Kotlin\n*F\n1 A\n*L\n", row[] = "1#1,99999999999:1,99999999999\n0#1,0:0,0\n";
    write_bytes(&w, head, sizeof head - 1);
    for (unsigned i = 0; i < 100000; i++)
        write_bytes(&w, row, sizeof row - 1);
    assert_false(w.bad);
    assert_int_equal(source_map_read(&m, (struct text){ (const char *)w.data, w.size }, NULL), OK);
    assert_true(m.lines.count <= 65536);
    expect(&m, 65535, "|A:1");
    expect(&m, 0, "-");
    source_map_done(&m);
    writer_free(&w);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_default_stratum_is_read),    cmocka_unit_test(rows_may_leave_out_what_they_share),
        cmocka_unit_test(the_first_row_of_a_line_counts), cmocka_unit_test(no_map_where_there_is_none),
        cmocka_unit_test(what_is_malformed_is_refused),   cmocka_unit_test(huge_numbers_and_many_rows_are_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
