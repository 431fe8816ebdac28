/* protocol.c - JSON-RPC 2.0 and the methods of the Model Context Protocol, in both of its eras:
 *
 *   handshake  up to 2025-11-25: `initialize` agrees on a version, then requests follow. Specification 2025-11-25,
 *              "Lifecycle" and "Tools"
 *   stateless  2026-07-28: there is no handshake; each request has its version and the client's abilities in `_meta`,
 *              and `server/discover` says what the server is. Results have resultType and the server's name in `_meta`
 *
 * A request with a version in `_meta` is of the second era. Nothing is kept between two messages. Notifications and
 * answers of the client are read and dropped: nothing is asked of it, and a call has ended when the next message is
 * read. */
#include <stdio.h>
#include <string.h>

#include "formats/nearest.h"
#include "reader/serve/mcp/mcp.h"

#define META(name) "io.modelcontextprotocol/" name

enum rpc_error {
    RPC_PARSE = -32700,
    RPC_REQUEST = -32600,
    RPC_METHOD = -32601,
    RPC_PARAMS = -32602,
    RPC_VERSION = -32022
};
enum era { HANDSHAKE = 1, STATELESS = 2, BOTH = HANDSHAKE | STATELESS };

static const char stateless_version[] = "2026-07-28";
/* The first one is offered to a client that asks for none of them. */
static const char *const handshake_versions[] = { "2025-11-25", "2025-06-18", "2024-11-05" };

static const char instructions[] =
    "A recording of a Java program: every call, value, write and exception that happened, to be asked about "
    "afterwards. Moments are `seq`, the number of an event; objects are ids that stay the same (Type#12). A red test: "
    "failure. Where a value came from, why something happened or not: why. What a call did: call. Values at a moment: "
    "evaluate. At each pass of a line: watch. A value, exception or event: find. Each answer has a budget of tokens "
    "and ends with questions that may come next. The prompt `debug` says how to go from a red test to its cause.";

/* What a method is given, and what it answers: the members of the result, or an error. */
struct request {
    struct mcp *mcp;
    const cJSON *params; /* NULL, or an object */
    enum era era;
    struct json *result;
    int code; /* of the error; 0: none */
    char message[512];
    const char *requested; /* RPC_VERSION */
};

static void fail(struct request *r, int code, const char *message)
{
    r->code = code;
    (void)snprintf(r->message, sizeof r->message, "%s", message);
}

static const char *text_of(const cJSON *object, const char *name)
{
    return cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, name));
}

/* ---- methods ---- */

static void implementation_member(struct json *j, const char *name)
{
    json_name(j, name);
    json_object(j);
    json_member_text(j, "name", "hindsight");
    json_member_text(j, "title", "Hindsight");
    json_member_text(j, "version", HINDSIGHT_VERSION);
    json_end(j);
}

static void capabilities_members(struct json *j)
{
    json_name(j, "capabilities");
    json_object(j);
    json_name(j, "tools");
    json_object(j);
    json_end(j);
    json_name(j, "prompts");
    json_object(j);
    json_end(j);
    json_name(j, "resources");
    json_object(j);
    json_end(j);
    json_end(j);
    json_member_text(j, "instructions", instructions);
}

/* The stateless era asks how long an answer may be kept: as long as the server runs it stays the same. */
static void cache_members(struct request *r)
{
    if (r->era != STATELESS)
        return;
    json_member_u64(r->result, "ttlMs", 3600000);
    json_member_text(r->result, "cacheScope", "private");
}

static void initialize(struct request *r)
{
    const char *wanted = text_of(r->params, "protocolVersion"), *version = handshake_versions[0];
    if (wanted == NULL) {
        fail(r, RPC_PARAMS, "initialize: protocolVersion is missing");
        return;
    }
    for (size_t i = 0; i < sizeof handshake_versions / sizeof *handshake_versions; i++)
        if (strcmp(handshake_versions[i], wanted) == 0)
            version = handshake_versions[i];
    json_member_text(r->result, "protocolVersion", version);
    capabilities_members(r->result);
    implementation_member(r->result, "serverInfo");
}

static void versions_member(struct json *j, const char *name)
{
    json_name(j, name);
    json_array(j);
    json_text(j, stateless_version);
    json_end(j);
}

static void discover(struct request *r)
{
    versions_member(r->result, "supportedVersions");
    capabilities_members(r->result);
    cache_members(r);
}

static void ping(struct request *r) { (void)r; }

/* Lists are short: no cursor is ever given out. */
static bool is_first_page(struct request *r)
{
    if (cJSON_GetObjectItemCaseSensitive(r->params, "cursor") == NULL)
        return true;
    fail(r, RPC_PARAMS, "there is one page only; no cursor was given out");
    return false;
}

static void list_tools(struct request *r)
{
    if (!is_first_page(r))
        return;
    schema_tools(r->mcp, r->result);
    cache_members(r);
}

static void list_prompts(struct request *r)
{
    if (!is_first_page(r))
        return;
    skill_prompts(r->result);
    cache_members(r);
}

static void get_prompt(struct request *r)
{
    const char *name = text_of(r->params, "name");
    if (name == NULL || !skill_prompt(r->result, name))
        fail(r, RPC_PARAMS, "prompts/get: there is one prompt, `debug`");
}

static void list_resources(struct request *r)
{
    if (!is_first_page(r))
        return;
    skill_resources(r->result);
    cache_members(r);
}

static void list_templates(struct request *r)
{
    json_name(r->result, "resourceTemplates");
    json_array(r->result);
    json_end(r->result);
    cache_members(r);
}

static void read_resource(struct request *r)
{
    const char *uri = text_of(r->params, "uri");
    if (uri == NULL || !skill_resource(r->result, uri))
        fail(r, RPC_PARAMS, "resources/read: there is one resource, " SKILL_URI);
    else
        cache_members(r);
}

static void call(struct request *r)
{
    const char *name = text_of(r->params, "name");
    const struct tool *tool = tools;
    struct nearest n;
    char text[NEAREST_TEXT_MAX];
    if (name == NULL) {
        fail(r, RPC_PARAMS, "tools/call: name is missing");
        return;
    }
    nearest_init(&n, name);
    for (; tool->name != NULL && (strcmp(tool->name, name) != 0 || !tool_is_served(r->mcp, tool)); tool++)
        if (tool_is_served(r->mcp, tool))
            nearest_offer(&n, tool->name);
    if (tool->name != NULL) {
        call_tool(r->mcp, tool, cJSON_GetObjectItemCaseSensitive(r->params, "arguments"), r->result);
        return;
    }
    r->code = RPC_PARAMS;
    (void)snprintf(r->message, sizeof r->message, "unknown tool '%.60s'%s; tools/list has them", name,
                   nearest_text(&n, text));
}

static const struct method {
    const char *name;
    enum era eras;
    void (*run)(struct request *r);
} methods[] = {
    { "initialize", HANDSHAKE, initialize },
    { "ping", HANDSHAKE, ping },
    { "server/discover", STATELESS, discover },
    { "tools/list", BOTH, list_tools },
    { "tools/call", BOTH, call },
    { "prompts/list", BOTH, list_prompts },
    { "prompts/get", BOTH, get_prompt },
    { "resources/list", BOTH, list_resources },
    { "resources/templates/list", BOTH, list_templates },
    { "resources/read", BOTH, read_resource },
};

/* ---- messages ---- */

/* Sets the era of a request; false with an error: what the stateless era needs is missing. */
static bool read_era(struct request *r)
{
    const cJSON *meta = cJSON_GetObjectItemCaseSensitive(r->params, "_meta");
    const cJSON *version = cJSON_GetObjectItemCaseSensitive(meta, META("protocolVersion"));
    r->era = version != NULL ? STATELESS : HANDSHAKE;
    if (version == NULL)
        return true;
    if (!cJSON_IsString(version)) {
        fail(r, RPC_PARAMS, "_meta: " META("protocolVersion") " is not a text");
    } else if (strcmp(version->valuestring, stateless_version) != 0) {
        r->code = RPC_VERSION;
        r->requested = version->valuestring;
        (void)snprintf(r->message, sizeof r->message, "unsupported protocol version %.60s", r->requested);
    } else if (!cJSON_IsObject(cJSON_GetObjectItemCaseSensitive(meta, META("clientCapabilities")))) {
        fail(r, RPC_PARAMS, "_meta: " META("clientCapabilities") " is missing or not an object");
    }
    return r->code == 0;
}

static void run(struct request *r, const char *name)
{
    if (r->params != NULL && !cJSON_IsObject(r->params)) {
        fail(r, RPC_PARAMS, "params: expects an object");
        return;
    }
    if (!read_era(r))
        return;
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
        if (strcmp(methods[i].name, name) == 0 && (methods[i].eras & r->era) != 0) {
            methods[i].run(r);
            return;
        }
    r->code = RPC_METHOD;
    (void)snprintf(r->message, sizeof r->message, "method not found: %.60s", name);
}

static void id_member(struct json *j, const cJSON *id)
{
    json_name(j, "id");
    if (cJSON_IsString(id))
        json_text(j, id->valuestring);
    else if (cJSON_IsNumber(id))
        json_i64(j, (int64_t)id->valuedouble);
    else
        json_null(j);
}

static bool is_id(const cJSON *id)
{
    return cJSON_IsString(id) ||
           (cJSON_IsNumber(id) && id->valuedouble > -9007199254740992.0 && id->valuedouble < 9007199254740992.0 &&
            id->valuedouble == (double)(int64_t)id->valuedouble);
}

static void begin(struct json *j, struct writer *answer, const cJSON *id)
{
    json_init(j, json_to_writer, answer);
    json_object(j);
    json_member_text(j, "jsonrpc", "2.0");
    id_member(j, id);
}

static void error_answer(struct writer *answer, const cJSON *id, const struct request *r)
{
    struct json j;
    begin(&j, answer, id);
    json_name(&j, "error");
    json_object(&j);
    json_member_i64(&j, "code", r->code);
    json_member_text(&j, "message", r->message);
    if (r->requested != NULL) {
        json_name(&j, "data");
        json_object(&j);
        versions_member(&j, "supported");
        json_member_text(&j, "requested", r->requested);
        json_end(&j);
    }
    json_end(&j);
    json_end_line(&j);
}

static void refuse(struct writer *answer, int code, const char *message)
{
    struct request r = { 0 };
    fail(&r, code, message);
    error_answer(answer, NULL, &r);
}

static void answer_request(struct mcp *mcp, const cJSON *message, const cJSON *id, const char *method,
                           struct writer *answer)
{
    struct writer members = { 0 };
    struct json result, j;
    struct request r = { .mcp = mcp, .params = cJSON_GetObjectItemCaseSensitive(message, "params"), .result = &result };
    json_init(&result, json_to_writer, &members);
    json_object(&result);
    run(&r, method);
    if (r.era == STATELESS && r.code == 0) {
        json_member_text(&result, "resultType", "complete");
        json_name(&result, "_meta");
        json_object(&result);
        implementation_member(&result, META("serverInfo"));
        json_end(&result);
    }
    if (r.code == 0)
        json_end(&result);
    if (members.bad)
        fail(&r, -32603, "out of memory");
    if (r.code != 0) {
        error_answer(answer, id, &r);
    } else {
        begin(&j, answer, id);
        json_name(&j, "result");
        json_raw(&j);
        write_bytes(answer, members.data, members.size);
        json_end_line(&j);
    }
    writer_free(&members);
}

void protocol_message(struct mcp *mcp, const char *line, size_t n, struct writer *answer)
{
    if (strlen(line) != n || strstr(line, "\\u0000") != NULL) {
        refuse(answer, RPC_PARSE, "a message has no character U+0000");
        return;
    }
    const char *end = NULL;
    cJSON *message = cJSON_ParseWithOpts(line, &end, true);
    const cJSON *id = cJSON_GetObjectItemCaseSensitive(message, "id");
    const cJSON *method = cJSON_GetObjectItemCaseSensitive(message, "method");
    const char *version = text_of(message, "jsonrpc");
    if (message == NULL)
        refuse(answer, RPC_PARSE, "the line is not a JSON document");
    else if (cJSON_IsArray(message))
        refuse(answer, RPC_REQUEST, "expects one message a line: the protocol has no batches");
    else if (!cJSON_IsObject(message) || version == NULL || strcmp(version, "2.0") != 0)
        refuse(answer, RPC_REQUEST, "expects a JSON-RPC 2.0 message");
    else if (method == NULL && (cJSON_HasObjectItem(message, "result") || cJSON_HasObjectItem(message, "error")))
        ; /* an answer: nothing was asked */
    else if (!cJSON_IsString(method))
        refuse(answer, RPC_REQUEST, "method is missing or not a text");
    else if (id != NULL && !is_id(id))
        refuse(answer, RPC_REQUEST, "id: expects a text or a whole number below 2^53");
    else if (id != NULL)
        answer_request(mcp, message, id, method->valuestring, answer);
    cJSON_Delete(message);
}

void protocol_too_long(struct writer *answer)
{
    char text[80];
    (void)snprintf(text, sizeof text, "a message has at most %d bytes", MESSAGE_BYTES_MAX);
    refuse(answer, RPC_REQUEST, text);
}
