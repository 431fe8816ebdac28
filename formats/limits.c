/* limits.c - see limits.h. */
#include "formats/limits.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

static uint64_t limit(int which)
{
    struct rlimit l;
    return getrlimit((__rlimit_resource_t)which, &l) == 0 && l.rlim_cur != RLIM_INFINITY ? (uint64_t)l.rlim_cur
                                                                                         : UINT64_MAX;
}

uint64_t limit_file_bytes(void) { return limit(RLIMIT_FSIZE); }

uint64_t limit_memory_bytes(void)
{
    uint64_t space = limit(RLIMIT_AS), data = limit(RLIMIT_DATA);
    return space < data ? space : data;
}

uint64_t limit_memory_part(uint64_t wanted, unsigned parts, uint64_t least)
{
    uint64_t all = limit_memory_bytes(), most = all == UINT64_MAX ? wanted : all / parts;
    if (most < least)
        most = least;
    return wanted < most ? wanted : most;
}

int limit_allocate(int fd, uint64_t at, uint64_t bytes)
{
    uint64_t most = limit_file_bytes();
    if (at > INT64_MAX - bytes || at + bytes > most)
        return EFBIG;
    return posix_fallocate(fd, (off_t)at, (off_t)bytes);
}

int limit_append(int fd, uint64_t at, uint64_t bytes)
{
    static uint8_t zeros[1 << 16];
    struct stat st;
    uint64_t most = limit_file_bytes(), done = 0;
    int e = at > INT64_MAX - bytes || at + bytes > most ? EFBIG : 0;
    while (done < bytes && e == 0) {
        const struct iovec part = { zeros, bytes - done < sizeof zeros ? (size_t)(bytes - done) : sizeof zeros };
        const ssize_t n = pwritev2(fd, &part, 1, -1, RWF_APPEND);
        if (n > 0)
            done += (uint64_t)n;
        else if (n == 0 || errno != EINTR)
            e = n == 0 ? ENOSPC : errno;
    }
    if (fstat(fd, &st) != 0)
        return errno;
    if ((uint64_t)st.st_size < at + done)
        return ESTALE;
    if (e == EOPNOTSUPP && done == 0) /* Linux before 4.16 */
        return limit_allocate(fd, at, bytes);
    if (e != 0 && done > 0 && ftruncate(fd, (off_t)at) != 0)
        return errno;
    return e;
}
