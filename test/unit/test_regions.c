/* test_regions.c - logging/journal/regions.h: tables that grow in one file. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "formats/limits.h"
#include "logging/journal/regions.h"

static const uint64_t room[] = { 1 << 20, 1 << 20 };
static struct error err;

/* A file that is cut off in the middle of a piece: the piece is dropped, and one that is added then is zero. */
static void nothing_is_left_of_a_piece_that_was_cut(void **state)
{
    char path[] = "/tmp/hindsight-regions-XXXXXX";
    struct regions r;
    (void)state;
    assert_non_null(mkdtemp(path));
    char file[sizeof path + 8];
    (void)snprintf(file, sizeof file, "%s/state", path);
    assert_int_equal(regions_create(&r, file, room, 2, &err), OK);
    assert_int_equal(regions_provide(&r, 0, 1, "a table", &err), OK);
    uint64_t whole = r.file_bytes;
    assert_int_equal(regions_provide(&r, 1, 1, "a table", &err), OK);
    memset(r.at[1], 0x5a, 1000);
    regions_close(&r);
    assert_int_equal(truncate(file, (off_t)whole + 500), 0);

    assert_int_equal(regions_open(&r, file, true, room, 2, &err), OK);
    assert_true(r.cut);
    assert_int_equal(r.ready[1], 0);
    assert_int_equal(regions_provide(&r, 1, 1000, "a table", &err), OK);
    for (unsigned i = 0; i < 1000; i++)
        assert_int_equal(r.at[1][i], 0);
    regions_close(&r);
    assert_int_equal(unlink(file), 0);
    assert_int_equal(rmdir(path), 0);
}

/* Zeros do not come in place of what somebody has cut off, whatever the file had when its size was looked at last. */
static void what_was_cut_does_not_come_back_as_zeros(void **state)
{
    char path[] = "/tmp/hindsight-limits-XXXXXX", text[] = "some text", found[sizeof text] = { 0 };
    const int fd = mkstemp(path);
    struct stat st;
    (void)state;
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, sizeof text), sizeof text);
    assert_int_equal(limit_append(fd, sizeof text, 200000), 0);
    assert_int_equal(fstat(fd, &st), 0);
    assert_int_equal(st.st_size, sizeof text + 200000);
    assert_int_equal(pread(fd, found, sizeof found, 0), sizeof found);
    assert_string_equal(found, text);

    assert_int_equal(ftruncate(fd, 3), 0);
    assert_int_equal(limit_append(fd, sizeof text + 200000, 500), ESTALE);
    assert_int_equal(fstat(fd, &st), 0);
    assert_true(st.st_size < (off_t)sizeof text + 200000);
    assert_int_equal(close(fd), 0);
    assert_int_equal(unlink(path), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(nothing_is_left_of_a_piece_that_was_cut),
                                        cmocka_unit_test(what_was_cut_does_not_come_back_as_zeros) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
