/* target_control.c - the control socket, the agent's end: what a client sends, in pieces of u1 n, n bytes. Every answer
 * is one line of JSON. The agent is no library to link with: the file is included, and its JVM is not there. */
#include "test/fuzz/fuzz.h"

#include "logging/agent/server.c"

struct agent agent;
JNIEnv *agent_attach(struct error *err)
{
    (void)error_set(err, ERR_IO, "no JVM");
    return NULL;
}
bool agent_clear(JNIEnv *env) { return env == NULL; }
bool period_start(JNIEnv *env, const char *options, struct error *err)
{
    (void)env, (void)options, (void)err;
    return false;
}
bool period_stop(JNIEnv *env, const char *options, struct error *err) { return period_start(env, options, err); }
bool period_reweave(JNIEnv *env, const char *options, struct error *err) { return period_start(env, options, err); }

void fuzz_control(const uint8_t *data, size_t size)
{
    struct reader in = reader_of(data, size);
    static char text[CONTROL_LINE_MAX * 4];
    int ends[2];
    FUZZ_CHECK(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0);
    agent.recorder.journal.ended = true; /* there is no recording: marks are refused */
    agent.recorder.dir = (char *)(uintptr_t) "trace";
    agent.options.format = FORMAT_OMNI;
    struct client *c = &clients[0];
    enter(ends[0]);
    FUZZ_CHECK(c->fd == ends[0] && c->allowed);
    while (in.at < in.size && c->fd != 0) {
        size_t n = read_u1(&in);
        n = n > in.size - in.at ? in.size - in.at : n;
        const uint8_t *bytes = read_span(&in, n);
        if (n > 0)
            FUZZ_CHECK(send(ends[1], bytes, n, 0) == (ssize_t)n);
        if (n > 0)
            serve(c);
    }
    if (c->fd != 0)
        leave(c);
    size_t have = 0;
    for (ssize_t n; have < sizeof text && (n = recv(ends[1], text + have, sizeof text - have, MSG_DONTWAIT)) > 0;)
        have += (size_t)n;
    if (have > 0)
        fuzz_check_line(text, have);
    (void)close(ends[1]);
}
