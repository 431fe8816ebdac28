/* target_data_file.c - bytes of the files that are wrong: a byte chooses the queries, a byte the trace; then le4 place,
 * u1 n, n bytes, again and again. The highest bit of the place chooses the index instead of data.mdb. */
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "test/fuzz/kept.h"
#include "test/fuzz/questions.h"

static void copy(const char *from, const char *to, const char *name)
{
    static uint8_t bytes[1 << 16];
    char path[2][FUZZ_PATH_MAX + 16];
    (void)snprintf(path[0], sizeof path[0], "%s/%s", from, name);
    (void)snprintf(path[1], sizeof path[1], "%s/%s", to, name);
    int in = open(path[0], O_RDONLY | O_CLOEXEC), out = open(path[1], O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    FUZZ_CHECK(out >= 0);
    for (ssize_t n; in >= 0 && (n = read(in, bytes, sizeof bytes)) > 0;)
        FUZZ_CHECK(write(out, bytes, (size_t)n) == n);
    if (in >= 0)
        (void)close(in);
    (void)close(out);
}

static void overwrite(const char *name, uint32_t at, const uint8_t *bytes, size_t n)
{
    char path[FUZZ_PATH_MAX + 16];
    struct stat info;
    (void)snprintf(path, sizeof path, "%s/%s", fuzz_folder(), name);
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    FUZZ_CHECK(fd >= 0 && fstat(fd, &info) == 0);
    if (info.st_size > 0) {
        off_t place = (off_t)(at % (uint64_t)info.st_size);
        if ((off_t)n > info.st_size - place)
            n = (size_t)(info.st_size - place);
        FUZZ_CHECK(pwrite(fd, bytes, n, place) == (ssize_t)n);
    }
    (void)close(fd);
}

void fuzz_data_file(const uint8_t *data, size_t size)
{
    struct reader in = reader_of(data, size);
    unsigned first = read_u1(&in);
    const char *whole = kept_whole(read_u1(&in) % KEPT_CHOSEN);
    fuzz_clear();
    copy(whole, fuzz_folder(), "data.mdb");
    copy(whole, fuzz_folder(), "index");
    while (in.at < in.size && !in.bad) {
        uint32_t at = read_le4(&in);
        size_t n = read_u1(&in);
        const uint8_t *bytes = read_span(&in, n);
        if (bytes != NULL)
            overwrite(at >> 31 ? "index" : "data.mdb", at & INT32_MAX, bytes, n);
    }
    fuzz_ask(questions, FUZZ_COUNT(questions), first, fuzz_folder());
}
