/* dap_wire.c - arguments of requests; answers and events. See dap.h. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reader/command/cli.h"
#include "reader/serve/dap.h"

/* ---- arguments ---- */

const char *dap_text(const cJSON *object, const char *name)
{
    return cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, name));
}

static bool whole(const cJSON *item, int64_t *out)
{
    const double limit = 9007199254740992.0; /* 2^53 */
    if (!cJSON_IsNumber(item) || !(item->valuedouble >= -limit && item->valuedouble <= limit))
        return false;
    *out = (int64_t)item->valuedouble;
    return true;
}

int64_t dap_number(const cJSON *object, const char *name, int64_t absent)
{
    int64_t v = absent;
    (void)whole(cJSON_GetObjectItemCaseSensitive(object, name), &v);
    return v;
}

bool dap_u64(const cJSON *object, const char *name, uint64_t *out)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);
    int64_t v;
    if (cJSON_IsString(item))
        return cli_u64(item->valuestring, out);
    if (!whole(item, &v) || v < 0)
        return false;
    *out = (uint64_t)v;
    return true;
}

bool dap_fail(struct dap *d, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    (void)vsnprintf(d->failure, sizeof d->failure, fmt, ap);
    va_end(ap);
    return false;
}

/* ---- messages ---- */

static void send_message(struct dap *d, struct writer *w)
{
    if (w->bad)
        d->connection.broken = true;
    else
        connection_write(&d->connection, w->data, w->size);
    writer_free(w);
    *w = (struct writer){ 0 };
}

void dap_answer_with(struct dap *d, bool done)
{
    struct writer w = { 0 };
    struct json j;
    json_init(&j, json_to_writer, &w);
    json_object(&j);
    json_member_i64(&j, "seq", ++d->seq);
    json_member_text(&j, "type", "response");
    json_member_i64(&j, "request_seq", d->request_seq);
    json_member_bool(&j, "success", done);
    json_member_text(&j, "command", d->command);
    json_name(&j, "body");
    if (done && d->body.size > 0) {
        json_end(&d->json);
        json_raw(&j);
        write_bytes(&w, d->body.data, d->body.size);
    } else {
        json_object(&j);
    }
    if (!done) {
        json_name(&j, "error");
        json_object(&j);
        json_member_u64(&j, "id", 1);
        json_member_text(&j, "format", d->failure);
        json_member_bool(&j, "showUser", d->shown);
        json_end(&j);
    }
    if (!done || d->body.size == 0)
        json_end(&j);
    if (!done)
        json_member_text(&j, "message", d->failure);
    json_end(&j);
    send_message(d, &w);
    d->answered = true;
}

void dap_answer(struct dap *d)
{
    if (!d->answered)
        dap_answer_with(d, true);
}

struct json *dap_event_begin(struct dap *d, const char *event)
{
    struct json *j = &d->event_json;
    json_init(j, json_to_writer, &d->event);
    json_object(j);
    json_member_i64(j, "seq", ++d->seq);
    json_member_text(j, "type", "event");
    json_member_text(j, "event", event);
    json_name(j, "body");
    json_object(j);
    return j;
}

void dap_event_end(struct dap *d)
{
    json_end(&d->event_json);
    json_end(&d->event_json);
    send_message(d, &d->event);
}

void dap_output(struct dap *d, const char *category, const char *text)
{
    struct json *j = dap_event_begin(d, "output");
    json_member_text(j, "category", category);
    json_member_text(j, "output", text);
    dap_event_end(d);
}
