/* periods.c - starts and stops recording while the program runs.
 *
 * Starting weaves the loaded classes, stopping restores their original bytecode, both by retransformation; classes
 * whose methods run at a stop keep the woven code, with hooks that do nothing (idle_hooks.c). The journal is paused
 * first, so that every thread's events end at one moment. Frames that run at the next start continue with the code they
 * began with: their events are left out as stale (formats/journal.h). */
#include "logging/agent/agent.h"

#include <stdio.h>

#include "logging/agent/compile_policy.h"

static void forget_unfinished(void)
{
    agent.reweave_at = 0;
    (void)pthread_mutex_lock(&agent.weave_mutex);
    unfinished_classes_end();
    (void)pthread_mutex_unlock(&agent.weave_mutex);
}

/* What a start weaves, as rows of the info database. `weave` is what any start has woven: the groups whose events may
 * be there. */
static void put_groups(void)
{
    struct pendinglog *p = &agent.recorder.pending;
    char key[32], text[256];
    if (++agent.starts == 1) /* with the JVM: agent.c has counted that start */
        (void)pendinglog_put_info(p, "begin", "late");
    if (agent.starts == 2) {
        options_groups(agent.groups, text, sizeof text);
        (void)pendinglog_put_info(p, "weave.1", text);
    }
    if (agent.starts > 1) {
        (void)snprintf(key, sizeof key, "period.%u", agent.starts);
        (void)snprintf(text, sizeof text, "%u", recorder_first_dataid(&agent.recorder));
        (void)pendinglog_put_info(p, key, text);
        (void)snprintf(key, sizeof key, "weave.%u", agent.starts);
        options_groups(agent.options.groups, text, sizeof text);
        (void)pendinglog_put_info(p, key, text);
    }
    agent.groups |= agent.options.groups;
    options_groups(agent.groups, text, sizeof text);
    (void)pendinglog_put_info(p, "weave", text);
}

bool period_start(JNIEnv *env, const char *options, struct error *err)
{
    struct recorder *r = &agent.recorder;
    if (r->failed)
        return error_set(err, ERR_IO, "recording ended early: %s", r->error.text) == OK;
    if (agent.recording)
        return error_set(err, ERR_EXISTS, "it is recording already; stop it first") == OK;
    (void)pthread_mutex_lock(&agent.weave_mutex);
    enum status s = options_change(&agent.options, options, err);
    agent.woven = agent.filtered = agent.given_up = 0;
    unfinished_classes_begin();
    woven_before_forget();
    (void)pthread_mutex_unlock(&agent.weave_mutex);
    if (s == OK && !r->threads_run)
        s = recorder_start(r, err);
    if (s != OK)
        return false;
    put_groups();
    inputs_look_again(env);
    recorder_resume(r);
    (void)classes_watch(true);
    if (!idle_hooks_use(false)) {
        (void)classes_watch(false);
        return error_set(err, ERR_UNSUPPORTED, "the JVM refused to enable the hooks again") == OK;
    }
    recorder_resume(r);
    agent.recording = agent.weaving = true;
    if (!thrown_stacks_on())
        compile_policy_relax();
    virtual_threads_report_ends(true);
    loaded_classes_weave(env);
    loaded_classes_weave_unfinished(env);
    if (agent.inputs && own_properties_possible(env, NULL)) /* as the constants of loaded classes show */
        inputs_end(env, "a class of Properties of the program may be called by the JVM");
    agent.reweave_at = clock_now(&r->clock) + REWEAVE_DELAY_MS * UINT64_C(1000000);
    return true;
}

bool period_reweave(JNIEnv *env, const char *nothing, struct error *err)
{
    (void)nothing, (void)err;
    if (agent.recording && agent.reweave_at != 0)
        loaded_classes_weave_unfinished(env);
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
    compile_policy_restore();
    forget_unfinished();
    loaded_classes_restore(env);
    (void)classes_watch(false);
    virtual_threads_report_ends(false);
    return recorder_pause(r) || error_set(err, ERR_IO, "recording ended early: %s", r->error.text) == OK;
}
