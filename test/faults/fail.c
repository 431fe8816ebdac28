/* fail.c - a library for LD_PRELOAD in which one call fails: the FAIL_AT-th (from 1) of those that FAIL_WHAT names.
 *
 *     FAIL_WHAT   memory: malloc calloc realloc aligned_alloc; files: open write ftruncate mmap fsync rename and the
 *                 calls like them
 *     FAIL_FOR    only calls from code of libraries or programs with one of these words in their path (words with ':'
 *                 between); without it all
 *     FAIL_ALL    not empty: every call from the FAIL_AT-th on fails, as on a full disk
 *     FAIL_LOG    a file to which the process adds a line when it ends: how many calls there were; and the failed one,
 *                 with the place of its call in its library (addr2line)
 *     FAIL_PLACES not empty: behind it in this line, the numbers of the calls that were the first ones from their
 *                 place, which is where they are made, and from where that was called, DEPTH functions up
 *
 * What a call fails with is in the table below. */
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

#define PUBLIC __attribute__((visibility("default")))

enum what { MEMORY = 1, FILES };
static enum what chosen;
static unsigned long fail_at, calls;
static bool fail_all;
static const char *failed;        /* the function that failed first */
static const void *failed_caller; /* for addr2line */
static char for_words[256];
static __thread bool inside;

/* The places of calls: hashes of return addresses, and the number of the first call from each. */
enum { DEPTH = 5, OWN = 2 /* fails() and the function in its front */, SLOTS = 1 << 14, PLACES_MAX = SLOTS / 2 };
static bool keeps_places;
static uint64_t slots[SLOTS];
static unsigned long firsts[PLACES_MAX];
static unsigned place_count;
static char places_lock;

static void add_place(unsigned long number)
{
    void *frames[DEPTH + OWN];
    int n = backtrace(frames, DEPTH + OWN);
    uint64_t hash = 1;
    for (int i = OWN; i < n; i++)
        hash = (hash ^ (uintptr_t)frames[i]) * UINT64_C(0x9e3779b97f4a7c15);
    hash |= 1; /* 0 is a free slot */
    while (__atomic_test_and_set(&places_lock, __ATOMIC_ACQUIRE)) {
    }
    uint64_t at = hash >> 40;
    while (slots[at % SLOTS] != 0 && slots[at % SLOTS] != hash)
        at++;
    if (slots[at % SLOTS] == 0 && place_count < PLACES_MAX) {
        slots[at % SLOTS] = hash;
        firsts[place_count++] = number;
    }
    __atomic_clear(&places_lock, __ATOMIC_RELEASE);
}

__attribute__((constructor)) static void begin(void)
{
    const char *what = getenv("FAIL_WHAT"), *at = getenv("FAIL_AT"), *words = getenv("FAIL_FOR"),
               *all = getenv("FAIL_ALL"), *places = getenv("FAIL_PLACES");
    keeps_places = places != NULL && *places != '\0';
    if (words != NULL)
        (void)snprintf(for_words, sizeof for_words, "%s", words);
    fail_all = all != NULL && *all != '\0';
    fail_at = at != NULL ? strtoul(at, NULL, 10) : 0;
    chosen = what == NULL ? 0 : strcmp(what, "memory") == 0 ? MEMORY : FILES;
}

__attribute__((destructor)) static void end(void)
{
    const char *log = getenv("FAIL_LOG");
    inside = true;
    int fd = log != NULL ? open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600) : -1;
    Dl_info info = { 0 };
    (void)(failed_caller != NULL && dladdr(failed_caller, &info));
    FILE *out = fd >= 0 ? fdopen(fd, "w") : NULL;
    if (out == NULL)
        return;
    (void)fprintf(out, "%lu %s %#lx", calls, failed != NULL ? failed : "-",
                  (unsigned long)((const char *)failed_caller - (const char *)info.dli_fbase));
    for (unsigned i = 0; i < place_count; i++)
        (void)fprintf(out, " %lu", firsts[i]);
    (void)fprintf(out, "\n");
    (void)fclose(out);
}

/* Is the caller in one of the libraries that are meant? */
static bool is_meant(const void *caller)
{
    Dl_info info;
    if (for_words[0] == '\0')
        return true;
    if (dladdr(caller, &info) == 0 || info.dli_fname == NULL)
        return false;
    const char *word = for_words;
    while (*word != '\0') {
        size_t n = strcspn(word, ":");
        if (memmem(info.dli_fname, strlen(info.dli_fname), word, n) != NULL)
            return true;
        word += n + (word[n] == ':');
    }
    return false;
}

/* For a breakpoint: the call that fails. */
PUBLIC void fail_here(void);
PUBLIC __attribute__((noinline)) void fail_here(void) { __asm__ volatile(""); }

static bool fails(enum what what, const char *name, const void *caller)
{
    if (what != chosen || inside)
        return false;
    inside = true;
    bool now = false;
    if (is_meant(caller)) {
        unsigned long number = __atomic_add_fetch(&calls, 1, __ATOMIC_RELAXED);
        now = fail_at != 0 && (fail_all ? number >= fail_at : number == fail_at);
        if (now)
            fail_here();
        if (now && failed == NULL) {
            failed = name;
            failed_caller = caller;
        }
        if (keeps_places)
            add_place(number);
    }
    inside = false;
    return now;
}

#define REAL(type, name) ((type)(uintptr_t)dlsym(RTLD_NEXT, name))

/* WRAP(result type, name, what, errno, value of failure, (parameters), (arguments)) */
#define WRAP(result, name, what, number, value, parameters, arguments)                                                 \
    PUBLIC result name parameters;                                                                                     \
    PUBLIC result name parameters                                                                                      \
    {                                                                                                                  \
        static result(*real) parameters;                                                                               \
        if (real == NULL)                                                                                              \
            real = REAL(result(*) parameters, #name);                                                                  \
        if (fails(what, #name, __builtin_return_address(0))) {                                                         \
            errno = number;                                                                                            \
            return value;                                                                                              \
        }                                                                                                              \
        return real arguments;                                                                                         \
    }

/* dlsym itself may call calloc before ours knows the real one. */
static char early[4096];
static size_t early_used;
static void *early_memory(size_t size)
{
    size_t at = early_used;
    early_used += (size + 15) & ~(size_t)15;
    return early_used <= sizeof early ? early + at : NULL;
}

PUBLIC void *calloc(size_t count, size_t size)
{
    static void *(*real)(size_t, size_t);
    static bool looking;
    if (real == NULL && looking)
        return early_memory(count * size);
    if (real == NULL) {
        looking = true;
        real = REAL(void *(*)(size_t, size_t), "calloc");
    }
    if (fails(MEMORY, "calloc", __builtin_return_address(0))) {
        errno = ENOMEM;
        return NULL;
    }
    return real(count, size);
}

WRAP(void *, malloc, MEMORY, ENOMEM, NULL, (size_t size), (size))
WRAP(void *, realloc, MEMORY, ENOMEM, NULL, (void *p, size_t size), (p, size))
WRAP(void *, aligned_alloc, MEMORY, ENOMEM, NULL, (size_t alignment, size_t size), (alignment, size))

WRAP(ssize_t, write, FILES, ENOSPC, -1, (int fd, const void *p, size_t n), (fd, p, n))
WRAP(ssize_t, pwrite, FILES, ENOSPC, -1, (int fd, const void *p, size_t n, off_t at), (fd, p, n, at))
WRAP(ssize_t, pwrite64, FILES, ENOSPC, -1, (int fd, const void *p, size_t n, off64_t at), (fd, p, n, at))
WRAP(ssize_t, writev, FILES, EIO, -1, (int fd, const struct iovec *v, int n), (fd, v, n))
WRAP(ssize_t, pwritev, FILES, EIO, -1, (int fd, const struct iovec *v, int n, off_t at), (fd, v, n, at))
WRAP(ssize_t, pread, FILES, EIO, -1, (int fd, void *p, size_t n, off_t at), (fd, p, n, at))
WRAP(ssize_t, pread64, FILES, EIO, -1, (int fd, void *p, size_t n, off64_t at), (fd, p, n, at))
WRAP(int, ftruncate, FILES, ENOSPC, -1, (int fd, off_t size), (fd, size))
WRAP(int, ftruncate64, FILES, ENOSPC, -1, (int fd, off64_t size), (fd, size))
WRAP(int, posix_fallocate, FILES, ENOSPC, ENOSPC, (int fd, off_t at, off_t size), (fd, at, size))
WRAP(int, posix_fallocate64, FILES, ENOSPC, ENOSPC, (int fd, off64_t at, off64_t size), (fd, at, size))
WRAP(int, fallocate, FILES, ENOSPC, -1, (int fd, int mode, off_t at, off_t size), (fd, mode, at, size))
WRAP(int, fsync, FILES, EIO, -1, (int fd), (fd))
WRAP(int, fdatasync, FILES, EIO, -1, (int fd), (fd))
WRAP(int, rename, FILES, EACCES, -1, (const char *from, const char *to), (from, to))
WRAP(int, renameat, FILES, EACCES, -1, (int a, const char *from, int b, const char *to), (a, from, b, to))
WRAP(int, mkdirat, FILES, ENOSPC, -1, (int fd, const char *path, mode_t mode), (fd, path, mode))
WRAP(void *, mmap, FILES, ENOMEM, MAP_FAILED, (void *p, size_t n, int prot, int flags, int fd, off_t at),
     (p, n, prot, flags, fd, at))
WRAP(void *, mmap64, FILES, ENOMEM, MAP_FAILED, (void *p, size_t n, int prot, int flags, int fd, off64_t at),
     (p, n, prot, flags, fd, at))

/* With a mode behind the flags where a file is made. */
#define WRAP_OPEN(name, parameters, arguments)                                                                         \
    PUBLIC int name parameters;                                                                                        \
    PUBLIC int name parameters                                                                                         \
    {                                                                                                                  \
        static int(*real) parameters;                                                                                  \
        va_list ap;                                                                                                    \
        va_start(ap, flags);                                                                                           \
        mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(ap, mode_t) : 0;                                          \
        va_end(ap);                                                                                                    \
        if (real == NULL)                                                                                              \
            real = REAL(int(*) parameters, #name);                                                                     \
        if (fails(FILES, #name, __builtin_return_address(0))) {                                                        \
            errno = EMFILE;                                                                                            \
            return -1;                                                                                                 \
        }                                                                                                              \
        return real arguments;                                                                                         \
    }
WRAP_OPEN(open, (const char *path, int flags, ...), (path, flags, mode))
WRAP_OPEN(open64, (const char *path, int flags, ...), (path, flags, mode))
WRAP_OPEN(openat, (int fd, const char *path, int flags, ...), (fd, path, flags, mode))
WRAP_OPEN(openat64, (int fd, const char *path, int flags, ...), (fd, path, flags, mode))
