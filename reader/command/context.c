/* context.c - see context.h. */
#include "reader/command/context.h"

#include <time.h>

/* Of one message, which may repeat what it was given; of all, of which the first ones are kept. */
enum { MESSAGE_MAX = 2000, MESSAGES_MAX = 1 << 16 };

void host_message(struct host *h, const char *text, size_t n)
{
    bool cut = n > MESSAGE_MAX;
    if (cut)
        n = MESSAGE_MAX;
    while (cut && n > 0 && ((unsigned char)text[n] & 0xc0) == 0x80) /* not in the middle of a character */
        n--;
    if (h->messages.size + n > MESSAGES_MAX)
        return;
    write_bytes(&h->messages, text, n);
    write_bytes(&h->messages, cut ? "...\n" : "\n", cut ? 4 : 1);
}

uint64_t host_now_ms(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

bool host_is_late(struct host *h)
{
    h->late = h->late || host_now_ms() >= h->deadline_ms;
    return h->late;
}
