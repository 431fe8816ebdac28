/* cut_guard.c - see cut_guard.h. The handler calls nothing but mmap, mremap, sigprocmask, sigaction and siglongjmp. */
#include "logging/journal/cut_guard.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { AREAS_MAX = 64, ESCAPES_MAX = 8, KERNEL_MASK_BYTES = 8 };

static struct cut_area areas[AREAS_MAX]; /* base NULL: free. It is written last, and cleared first */
static struct cut_escape *escapes[ESCAPES_MAX];
static struct sigaction before;
static size_t page_bytes;
static bool busy; /* one thread at a time puts pages */

/* Is there memory at that address by now? The kernel reads the mask before it refuses the number of the operation. */
static bool readable(uintptr_t at)
{
    const int none = -1;
    return syscall(SYS_rt_sigprocmask, none, at & ~(uintptr_t)(KERNEL_MASK_BYTES - 1), NULL, KERNEL_MASK_BYTES) != -1 ||
           errno != EFAULT;
}

/* The page is complete before it comes into its place, since other threads use it at once. */
static bool put_page(const struct cut_area *a, uintptr_t at)
{
    const uintptr_t place = at & ~(uintptr_t)(page_bytes - 1);
    void *page = mmap(NULL, page_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED)
        return false;
    if (a->fill != NULL)
        a->fill(a->context, page, page_bytes, place - (uintptr_t)a->base);
    return mremap(page, page_bytes, page_bytes, MREMAP_MAYMOVE | MREMAP_FIXED, (void *)place) != MAP_FAILED;
}

static bool mend(const struct cut_area *a, uintptr_t at)
{
    const int error = errno; /* of the program */
    while (__atomic_exchange_n(&busy, true, __ATOMIC_ACQUIRE))
        (void)sched_yield();
    const bool done = readable(at) || put_page(a, at);
    __atomic_store_n(&busy, false, __ATOMIC_RELEASE);
    errno = error;
    return done;
}

static void pass_on(int number, siginfo_t *info, void *context)
{
    if (before.sa_flags & SA_SIGINFO) {
        before.sa_sigaction(number, info, context);
    } else if (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN) {
        before.sa_handler(number);
    } else { /* the access is made again, and ends the process as it would without this handler */
        struct sigaction standard = { .sa_handler = SIG_DFL };
        (void)sigaction(number, &standard, NULL);
    }
}

/* Returns if this thread has no active escape. */
static void leave(bool outside)
{
    for (unsigned i = 0; i < ESCAPES_MAX; i++) {
        struct cut_escape *e = __atomic_load_n(&escapes[i], __ATOMIC_ACQUIRE);
        if (e != NULL && e->active && pthread_equal(e->thread, pthread_self())) {
            e->active = false;
            e->cut |= outside;
            siglongjmp(e->to, 1);
        }
    }
}

static void handle(int number, siginfo_t *info, void *context)
{
    uintptr_t at = (uintptr_t)info->si_addr;
    for (struct cut_area *a = areas; info->si_code == BUS_ADRERR && a < areas + AREAS_MAX; a++) {
        uintptr_t base = (uintptr_t)__atomic_load_n(&a->base, __ATOMIC_ACQUIRE);
        if (base == 0 || at < base || at - base >= a->bytes)
            continue;
        __atomic_store_n(a->cut, true, __ATOMIC_RELEASE);
        if (a->leave != NULL && *a->leave)
            leave(false);
        if (mend(a, at))
            return;
    }
    if (info->si_code == BUS_ADRERR)
        leave(true);
    pass_on(number, info, context);
}

void cut_guard_install(void)
{
    static bool installed;
    struct sigaction ours = { .sa_sigaction = handle, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART };
    if (installed)
        return;
    page_bytes = (size_t)sysconf(_SC_PAGESIZE);
    (void)sigemptyset(&ours.sa_mask);
    installed = sigaction(SIGBUS, NULL, &before) == 0 && sigaction(SIGBUS, &ours, NULL) == 0;
}

void cut_guard_add(const struct cut_area *area)
{
    for (struct cut_area *a = areas; a < areas + AREAS_MAX; a++) {
        if (a->base != NULL)
            continue;
        *a = *area;
        a->base = NULL;
        __atomic_store_n(&a->base, area->base, __ATOMIC_RELEASE);
        return;
    }
}

void cut_guard_remove(const void *base)
{
    for (struct cut_area *a = areas; a < areas + AREAS_MAX; a++)
        if (a->base == base)
            __atomic_store_n(&a->base, NULL, __ATOMIC_RELEASE);
}

void cut_guard_add_escape(struct cut_escape *e)
{
    for (unsigned i = 0; i < ESCAPES_MAX; i++)
        if (escapes[i] == NULL) {
            __atomic_store_n(&escapes[i], e, __ATOMIC_RELEASE);
            return;
        }
}

void cut_guard_remove_escape(const struct cut_escape *e)
{
    for (unsigned i = 0; i < ESCAPES_MAX; i++)
        if (escapes[i] == e)
            __atomic_store_n(&escapes[i], NULL, __ATOMIC_RELEASE);
}
