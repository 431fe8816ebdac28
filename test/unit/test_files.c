/* Files and directories of a trace are made for their owner alone, and never outside the place they are meant for. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "formats/files.h"

static char base[64];
static int dir;

static int make_base(void **state)
{
    (void)state;
    (void)snprintf(base, sizeof base, "/tmp/hindsight-files.XXXXXX");
    dir = mkdtemp(base) != NULL ? open(base, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    return dir >= 0 ? 0 : -1;
}

static int remove_base(void **state)
{
    char command[128];
    (void)state;
    (void)snprintf(command, sizeof command, "rm -rf %s", base);
    return close(dir) + system(command);
}

static mode_t mode_of(const char *name)
{
    struct stat st;
    return fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) == 0 ? st.st_mode & 07777 : 0xffff;
}

static void modes_do_not_depend_on_the_umask(void **state)
{
    static const mode_t masks[] = { 0, 022, 077, 0277, 0777 };
    (void)state;
    for (size_t i = 0; i < sizeof masks / sizeof *masks; i++) {
        mode_t before = umask(masks[i]);
        int fd = file_make(dir, "file", O_RDWR | O_EXCL), below = file_make_below(dir, "a/b/file", 8, O_WRONLY);
        (void)umask(before);
        assert_true(fd >= 0 && below >= 0);
        assert_int_equal(mode_of("file"), 0600);
        assert_int_equal(mode_of("a"), 0700);
        assert_int_equal(mode_of("a/b"), 0700);
        assert_int_equal(mode_of("a/b/file"), 0600);
        (void)close(fd);
        (void)close(below);
        assert_int_equal(unlinkat(dir, "file", 0) | unlinkat(dir, "a/b/file", 0) | unlinkat(dir, "a/b", AT_REMOVEDIR) |
                             unlinkat(dir, "a", AT_REMOVEDIR),
                         0);
    }
}

static void what_exists_keeps_its_mode_and_links_are_not_followed(void **state)
{
    (void)state;
    int fd = file_make(dir, "shared", O_RDWR);
    assert_int_equal(fchmod(fd, 0640), 0);
    (void)close(fd);
    assert_int_equal(file_make(dir, "shared", O_RDWR | O_EXCL), -1);
    (void)close(fd = file_make(dir, "shared", O_RDWR));
    assert_true(fd >= 0);
    assert_int_equal(mode_of("shared"), 0640);
    assert_int_equal(
        symlinkat("shared", dir, "link") | symlinkat("nowhere", dir, "dangling") | symlinkat(".", dir, "here"), 0);
    assert_int_equal(file_make(dir, "link", O_RDWR), -1);
    assert_int_equal(file_make(dir, "dangling", O_RDWR), -1);
    assert_int_equal(faccessat(dir, "nowhere", F_OK, 0), -1);
    assert_int_equal(file_make_below(dir, "here/file", 9, O_WRONLY), -1);
    assert_false(file_touch(base, "link", 0, 0));
    assert_true(file_touch(base, "shared", 0, 0));
    assert_false(file_touch(base, "shared", O_EXCL, 0));
}

static void only_a_file_of_one_name_is_emptied(void **state)
{
    struct stat st;
    (void)state;
    int fd = file_make(dir, "full", O_RDWR);
    assert_true(file_write(fd, "precious", 8));
    (void)close(fd);
    assert_int_equal(linkat(dir, "full", dir, "hard", 0), 0);
    errno = 0;
    assert_int_equal(file_make(dir, "hard", O_WRONLY | O_TRUNC), -1);
    assert_int_equal(errno, EACCES);
    assert_int_equal(fstatat(dir, "full", &st, 0), 0);
    assert_int_equal(st.st_size, 8);
    assert_int_equal(unlinkat(dir, "hard", 0), 0);
    fd = file_make(dir, "full", O_WRONLY | O_TRUNC);
    assert_true(fd >= 0 && fstat(fd, &st) == 0);
    assert_int_equal(st.st_size, 0);
    (void)close(fd);
}

static void names_that_lead_elsewhere_are_refused(void **state)
{
    static const char *const wrong[] = { "",       "/",    "/etc/x", "..",   ".",  "../x",
                                         "a/../x", "a/..", "a/.",    "a//x", "a/", "./x" };
    char name[400];
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        errno = 0;
        assert_int_equal(file_make_below(dir, wrong[i], strlen(wrong[i]), O_WRONLY), -1);
        assert_int_equal(errno, EINVAL);
    }
    assert_int_equal(file_make_below(dir, "a\0/x", 4, O_WRONLY), -1);
    memset(name, 'n', sizeof name);
    assert_int_equal(file_make_below(dir, name, sizeof name, O_WRONLY), -1);
    assert_int_equal(mode_of("a"), 0xffff); /* nothing was made on the way */
    int fd = file_make_below(dir, "...x", 4, O_WRONLY);
    assert_true(fd >= 0);
    (void)close(fd);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(modes_do_not_depend_on_the_umask),
        cmocka_unit_test(what_exists_keeps_its_mode_and_links_are_not_followed),
        cmocka_unit_test(only_a_file_of_one_name_is_emptied),
        cmocka_unit_test(names_that_lead_elsewhere_are_refused),
    };
    return cmocka_run_group_tests(tests, make_base, remove_base);
}
