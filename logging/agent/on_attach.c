/* on_attach.c - the agent loaded into a running JVM: the part after set-up, on a separate thread. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "formats/json.h"
#include "logging/agent/agent.h"

/* One line to the attaching process: JSON, as on the control socket. */
static void reply(const char *path, const char *key, const char *text)
{
    struct writer w = { 0 };
    struct json j;
    json_init(&j, json_to_writer, &w);
    json_object(&j);
    json_member_text(&j, key, text);
    json_end_line(&j);
    int fd = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
    if (fd >= 0) {
        if (write(fd, w.data, w.size) < 0)
            agent_say("%s", text);
        (void)close(fd);
    }
    writer_free(&w);
}

void attach_refuse(const char *options, const struct error *err)
{
    static const char word[] = "reply=";
    const char *at = options != NULL ? options : "";
    while (at != NULL && strncmp(at, word, strlen(word)) != 0)
        at = (at = strchr(at, ',')) != NULL ? at + 1 : NULL;
    char *path = at != NULL ? strndup(at + strlen(word), strcspn(at + strlen(word), ",")) : NULL;
    if (path != NULL)
        reply(path, "error", err->text);
    else
        agent_say("%s", err->text);
    free(path);
}

static bool begin(JNIEnv *env, struct error *err)
{
    if (!agent_define_hooks(env))
        return error_set(err, ERR_UNSUPPORTED, "the hook class cannot be defined in this JVM") == OK;
    agent_look_up(env, false);
    inputs_begin(env);
    throw_snapshots_begin(env);
    if (agent.options.output_recorded)
        loaded_classes_add_call(env, "java/io/FileOutputStream");
    return server_start_attached(env, err);
}

static void *run_attach(void *arg)
{
    struct error err = { 0 };
    JNIEnv *env = agent_attach(&err);
    (void)arg;
    if (env != NULL) {
        if (!begin(env, &err) && !agent.recorder.failed) {
            agent.recorder.failed = true;
            agent.recorder.error = err;
        }
        (void)agent_clear(env);
        if (!agent.options.control && agent.reweave_at != 0) { /* else the control thread does it */
            struct timespec delay = { .tv_sec = REWEAVE_DELAY_MS / 1000, .tv_nsec = REWEAVE_DELAY_MS % 1000 * 1000000 };
            (void)nanosleep(&delay, NULL);
            (void)period_reweave(env, "", &err);
        }
        (void)(*agent.vm)->DetachCurrentThread(agent.vm);
    }
    if (agent.options.reply[0] != '\0')
        reply(agent.options.reply, err.status != OK ? "error" : "trace",
              err.status != OK ? err.text : agent.recorder.dir);
    return NULL;
}

bool attach_begin(struct error *err)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, run_attach, NULL) != 0)
        return error_set(err, ERR_MEMORY, "a thread cannot be started") == OK;
    (void)pthread_setname_np(thread, "hindsight-begin");
    (void)pthread_detach(thread);
    return true;
}
