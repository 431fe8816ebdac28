/* target_dap.c - the debug adapter: a byte chooses the trace, a byte the framing: even: each line is a message, and
 * gets its Content-Length; odd: the bytes as they are. @ in a line stands for the path of the trace. */
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "reader/serve/dap.h"
#include "test/fuzz/kept.h"

static void put(int fd, const void *bytes, size_t n) { FUZZ_CHECK(n == 0 || write(fd, bytes, n) == (ssize_t)n); }

static void put_message(int fd, const char *line, const char *trace)
{
    struct writer w = { 0 };
    char head[64];
    for (const char *p = line; *p != '\0'; p++)
        write_bytes(&w, *p == '@' ? trace : p, *p == '@' ? strlen(trace) : 1);
    put(fd, head, (size_t)snprintf(head, sizeof head, "Content-Length: %zu\r\n\r\n", w.size));
    put(fd, w.data, w.size);
    writer_free(&w);
}

void fuzz_dap(const uint8_t *data, size_t size)
{
    struct reader in = reader_of(data, size);
    const char *trace = kept_whole(read_u1(&in) % KEPT_CHOSEN);
    bool raw = read_u1(&in) % 2 != 0;
    struct connection c;
    int from = memfd_create("in", MFD_CLOEXEC), to = open("/dev/null", O_WRONLY | O_CLOEXEC);
    FUZZ_CHECK(from >= 0 && to >= 0);
    if (raw && !in.bad)
        put(from, in.data + in.at, in.size - in.at);
    while (!raw && in.at < in.size) {
        struct reader part = fuzz_part(&in, '\n');
        char *line = fuzz_text(&part);
        put_message(from, line, trace);
        free(line);
    }
    FUZZ_CHECK(lseek(from, 0, SEEK_SET) == 0);
    connection_init(&c, from, to);
    fuzz_silent(true);
    (void)dap_serve(&c, &(struct context){ .name = "dap" });
    fuzz_silent(false);
    connection_done(&c);
    (void)close(from);
    (void)close(to);
}
