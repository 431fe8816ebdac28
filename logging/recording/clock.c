/* clock.c - see clock.h. */
#include "logging/recording/clock.h"

#include "formats/bytes.h"

uint64_t clock_read(clockid_t id)
{
    struct timespec t;
    (void)clock_gettime(id, &t);
    return (uint64_t)t.tv_sec * UINT64_C(1000000000) + (uint64_t)t.tv_nsec;
}

void clock_init(struct clock *c)
{
    *c = (struct clock){ .start_ns = clock_read(CLOCK_MONOTONIC), .start_epoch_ns = clock_read(CLOCK_REALTIME) };
    c->read_ns = c->start_ns;
    (void)pthread_mutex_init(&c->mutex, NULL);
}

/* Under the mutex. */
static uint64_t now_ns(struct clock *c)
{
    uint64_t read = clock_read(CLOCK_MONOTONIC);
    c->behind_ns += read < c->read_ns ? c->read_ns - read : 0;
    c->read_ns = read;
    return read + c->behind_ns - c->start_ns;
}

uint64_t clock_now(struct clock *c)
{
    (void)pthread_mutex_lock(&c->mutex);
    uint64_t now = now_ns(c);
    (void)pthread_mutex_unlock(&c->mutex);
    return now;
}

void clock_add(struct clock *c, uint64_t stamp)
{
    (void)pthread_mutex_lock(&c->mutex);
    uint64_t now = now_ns(c);
    if (vec_reserve(&c->pairs, c->pairs.count + 2)) {
        c->pairs.items[c->pairs.count++] = stamp;
        c->pairs.items[c->pairs.count++] = now;
    }
    (void)pthread_mutex_unlock(&c->mutex);
}

enum status clock_store(struct clock *c, struct store *store, struct error *err)
{
    struct writer w = { 0 };
    (void)pthread_mutex_lock(&c->mutex);
    bool any = c->pairs.count > 0;
    uint64_t key = any ? c->pairs.items[0] : 0, stamp = key, ns = 0;
    for (size_t i = 0; i + 1 < c->pairs.count; i += 2) {
        write_varint(&w, c->pairs.items[i] - stamp);
        write_varint(&w, c->pairs.items[i + 1] - ns);
        stamp = c->pairs.items[i];
        ns = c->pairs.items[i + 1];
    }
    c->pairs.count = 0;
    (void)pthread_mutex_unlock(&c->mutex);
    enum status s = any ? store_put(store, DB_CLOCK, key, w.data, w.size, err) : OK;
    writer_free(&w);
    return s;
}
