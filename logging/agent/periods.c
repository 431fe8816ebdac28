/* periods.c - a recording that begins and ends while the program runs.
 *
 * Starting weaves the classes that are loaded, stopping gives them their own bytes back, both by retransformation.
 * Frames that run meanwhile go on in the code they began with: it records nothing after a stop (the journal is paused
 * first, so that every thread's events end at one moment), and what it gives after the next start is left out as stale
 * (formats/journal.h). */
#include "logging/agent/agent.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "formats/json.h"

static void forget_unfinished(void)
{
    agent.reweave_at = 0;
    (void)pthread_mutex_lock(&agent.weave_mutex);
    unfinished_classes_end();
    (void)pthread_mutex_unlock(&agent.weave_mutex);
}

bool period_start(JNIEnv *env, const char *options, struct error *err)
{
    struct recorder *r = &agent.recorder;
    char groups[256];
    if (r->failed)
        return error_set(err, ERR_IO, "recording ended early: %s", r->error.text) == OK;
    if (agent.recording)
        return error_set(err, ERR_EXISTS, "it is recording already; stop it first") == OK;
    (void)pthread_mutex_lock(&agent.weave_mutex);
    enum status s = options_change(&agent.options, options, err);
    agent.woven = agent.filtered = agent.given_up = 0;
    unfinished_classes_begin();
    (void)pthread_mutex_unlock(&agent.weave_mutex);
    if (s == OK && !r->threads_run)
        s = recorder_start(r, err);
    if (s != OK)
        return false;
    options_groups(&agent.options, groups, sizeof groups);
    (void)pendinglog_put_info(&r->pending, "weave", groups);
    if (++agent.starts > 1) {
        char key[32], first[32];
        (void)snprintf(key, sizeof key, "period.%u", agent.starts);
        (void)snprintf(first, sizeof first, "%u", recorder_first_dataid(r));
        (void)pendinglog_put_info(&r->pending, key, first);
    }
    recorder_resume(r);
    agent.recording = agent.weaving = true;
    (void)classes_watch(true);
    agent_tell_virtual_ends(true);
    classes_weave_loaded(env);
    classes_weave_unfinished(env);
    agent.reweave_at = clock_now(&r->clock) + REWEAVE_DELAY_MS * UINT64_C(1000000);
    return true;
}

bool period_reweave(JNIEnv *env, const char *nothing, struct error *err)
{
    (void)nothing, (void)err;
    if (agent.recording && agent.reweave_at != 0)
        classes_weave_unfinished(env);
    forget_unfinished();
    return true;
}

bool period_stop(JNIEnv *env, const char *nothing, struct error *err)
{
    struct recorder *r = &agent.recorder;
    (void)nothing;
    if (!agent.recording)
        return error_set(err, ERR_NOT_FOUND, "it is not recording") == OK;
    journal_pause(&r->journal);
    agent.recording = agent.weaving = false;
    forget_unfinished();
    classes_restore(env);
    (void)classes_watch(false);
    agent_tell_virtual_ends(false);
    return recorder_pause(r) || error_set(err, ERR_IO, "recording ended early: %s", r->error.text) == OK;
}

/* One line to whoever attached: JSON, as on the control socket. */
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
    throw_snapshots_begin(env);
    if (!server_start(err))
        return false;
    return agent.options.start_off || period_start(env, "", err);
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
            (void)usleep(REWEAVE_DELAY_MS * 1000);
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
