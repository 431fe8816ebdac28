/* dap.c - the requests of a connection, one after the other; see dap.h. */
#include "reader/serve/dap.h"

#include <stdlib.h>
#include <string.h>

#include "reader/command/cli.h"

/* ---- requests ---- */

static const struct {
    const char *name;
    bool needs_trace, shown;
    dap_request_fn *run;
} requests[] = {
#define REQUEST(name, needs_trace, shown) { #name, needs_trace, shown, dap_##name },
#include "reader/serve/requests.def"
#undef REQUEST
};
enum { REQUESTS = sizeof requests / sizeof *requests };

/* Writes members of the body, an object that is open. */
static bool run(struct dap *d, size_t n, const cJSON *arguments)
{
    if (requests[n].needs_trace && d->nav == NULL)
        return dap_fail(d, "%s: no trace is open; send launch with `trace` first", requests[n].name);
    d->shown = requests[n].shown;
    return requests[n].run(d, arguments);
}

static void handle(struct dap *d, const char *message, size_t size)
{
    cJSON *json = cJSON_ParseWithLength(message, size);
    const char *command = dap_text(json, "command");
    static const cJSON none = { .type = cJSON_Object };
    const cJSON *arguments = cJSON_GetObjectItemCaseSensitive(json, "arguments");
    size_t n = 0;
    bool done = false;
    d->command = command != NULL ? command : "";
    d->began_ms = dap_now_ms();
    d->request_seq = dap_number(json, "seq", 0);
    d->shown = true;
    d->answered = d->cancelled = false;
    d->body = (struct writer){ 0 };
    json_init(&d->json, json_to_writer, &d->body);
    json_object(&d->json);
    while (command != NULL && n < REQUESTS && strcmp(requests[n].name, command) != 0)
        n++;
    if (json == NULL)
        (void)dap_fail(d, "the message is not JSON");
    else if (command == NULL)
        (void)dap_fail(d, "the message is no request: it has no command");
    else if (n == REQUESTS)
        (void)dap_fail(d, "%.100s: there is no such request", command);
    else
        done = run(d, n, cJSON_IsObject(arguments) ? arguments : &none);
    dap_end_progress(d);
    if (!d->answered)
        dap_answer_with(d, done && !d->body.bad);
    else if (!done)
        dap_output(d, "stderr", d->failure);
    writer_free(&d->body);
    d->body = (struct writer){ 0 };
    if (done && command != NULL && (strcmp(command, "launch") == 0 || strcmp(command, "attach") == 0)) {
        (void)dap_event_begin(d, "initialized");
        dap_event_end(d);
    }
    if (done && command != NULL && d->entry_reason != NULL && strcmp(command, "configurationDone") == 0) {
        dap_stopped(d, d->entry_reason, NULL);
        d->entry_reason = NULL;
    }
    if (d->ended && d->trace != NULL) {
        (void)dap_event_begin(d, "terminated");
        dap_event_end(d);
    }
    cJSON_Delete(json);
}

static char *next_message(struct dap *d, size_t *size)
{
    if (d->queue_at < d->queue.count) {
        char *message = d->queue.items[d->queue_at++];
        *size = strlen(message);
        return message;
    }
    while (d->queue.count > 0)
        free(d->queue.items[--d->queue.count]);
    d->queue_at = 0;
    return connection_read(&d->connection, size);
}

int dap_serve(struct connection *connection, struct context *context)
{
    struct dap d = { .context = context, .connection = *connection };
    char *message;
    size_t size;
    int status = EXIT_DONE;
    while (!d.ended && !d.connection.broken && (message = next_message(&d, &size)) != NULL)
        handle(&d, message, size);
    if (d.connection.bad != NULL)
        status = cli_fail(EXIT_FAILED, context, "the connection is given up: %s", d.connection.bad);
    dap_close_trace(&d);
    while (d.queue.count > 0)
        free(d.queue.items[--d.queue.count]);
    vec_free(&d.queue);
    *connection = d.connection;
    return status;
}

bool dap_initialize(struct dap *d, const cJSON *arguments)
{
    static const char *const can[] = {
        "supportsConfigurationDoneRequest",
        "supportsFunctionBreakpoints",
        "supportsConditionalBreakpoints",
        "supportsHitConditionalBreakpoints",
        "supportsEvaluateForHovers",
        "supportsStepBack",
        "supportsRestartFrame",
        "supportsGotoTargetsRequest",
        "supportsCompletionsRequest",
        "supportsRestartRequest",

        "supportsExceptionFilterOptions",
        "supportsExceptionInfoRequest",
        "supportsDelayedStackTraceLoading",
        "supportsLoadedSourcesRequest",
        "supportsLogPoints",
        "supportsTerminateRequest",
        "supportsDataBreakpoints",
        "supportsCancelRequest",
        "supportsBreakpointLocationsRequest",
        "supportsSteppingGranularity",
    };
    static const struct {
        const char *filter, *label, *description;
    } filters[] = {
        { "uncaught", "Uncaught exceptions", "thrown, and not caught in recorded code" },
        { "caught", "Caught exceptions", "thrown, and caught in recorded code" },
    };
    struct json *j = &d->json;
    cJSON *lines = cJSON_GetObjectItemCaseSensitive(arguments, "linesStartAt1"),
          *columns = cJSON_GetObjectItemCaseSensitive(arguments, "columnsStartAt1");
    d->lines_from_0 = cJSON_IsFalse(lines);
    d->columns_from_0 = cJSON_IsFalse(columns);
    d->progress.wanted = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(arguments, "supportsProgressReporting"));
    for (size_t i = 0; i < sizeof can / sizeof *can; i++)
        json_member_bool(j, can[i], true);
    json_name(j, "completionTriggerCharacters");
    json_array(j);
    json_text(j, ".");
    json_end(j);
    json_name(j, "exceptionBreakpointFilters");
    json_array(j);
    for (size_t i = 0; i < sizeof filters / sizeof *filters; i++) {
        json_object(j);
        json_member_text(j, "filter", filters[i].filter);
        json_member_text(j, "label", filters[i].label);
        json_member_text(j, "description", filters[i].description);
        json_member_bool(j, "default", i == 0);
        json_member_bool(j, "supportsCondition", true);
        json_member_text(j, "conditionDescription", "the class of the exception, a name or a pattern: java.io.*");
        json_end(j);
    }
    json_end(j);
    return true;
}

bool dap_disconnect(struct dap *d, const cJSON *arguments)
{
    (void)arguments;
    return d->ended = true;
}

bool dap_terminate(struct dap *d, const cJSON *arguments) { return dap_disconnect(d, arguments); }

/* A request that runs sees the cancellation when it asks for messages (dap_moves.c). */
bool dap_cancel(struct dap *d, const cJSON *arguments)
{
    (void)arguments;
    d->cancelled = true;
    return true;
}
