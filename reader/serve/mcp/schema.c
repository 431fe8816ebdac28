/* schema.c - the list of tools for clients, written from their table: input schemas (JSON Schema 2020-12). Answers are
 * texts, which have none. */
#include <string.h>

#include "reader/serve/mcp/mcp.h"

static void choices_member(struct json *j, const char *choices)
{
    json_name(j, "enum");
    json_array(j);
    for (const char *at = choices; *at != '\0';) {
        size_t n = strcspn(at, "|");
        json_text_n(j, at, n);
        at += n + (at[n] == '|');
    }
    json_end(j);
}

static void parameter_schema(struct json *j, const struct option_row *o)
{
    json_name(j, o->name);
    json_object(j);
    json_member_text(j, "description", o->help);
    switch (o->type) {
    case OPTION_FLAG: json_member_text(j, "type", "boolean"); break;
    case OPTION_U64:
        json_member_text(j, "type", "integer");
        json_member_u64(j, "minimum", strcmp(o->name, "budget") == 0 ? BUDGET_MIN : 0);
        if (strcmp(o->name, "budget") == 0)
            json_member_u64(j, "maximum", BUDGET_MAX);
        break;
    case OPTION_MOMENT:
        json_name(j, "type");
        json_array(j);
        json_text(j, "integer");
        json_text(j, "string");
        json_end(j);
        break;
    case OPTION_CHOICE:
        json_member_text(j, "type", "string");
        choices_member(j, o->argument);
        break;
    case OPTION_TEXT:
    case OPTION_TEXTS:
    case OPTION_EVENT:
    case OPTION_EVENTS:
    case OPTION_GROUPS:
    case OPTION_FORMAT:
    case OPTION_OBJECT:
    case OPTION_FILE:
    case OPTION_DIRECTORY: json_member_text(j, "type", "string"); break;
    }
    json_end(j);
}

/* "name":["a","b"] */
static void words_member(struct json *j, const char *name, const char *words)
{
    json_name(j, name);
    json_array(j);
    for (const char *w = words; w != NULL && *w != '\0'; w += strspn(w, " ")) {
        size_t n = strcspn(w, " ");
        json_text_n(j, w, n);
        w += n;
    }
    json_end(j);
}

static void input_schema(struct json *j, const struct tool *t)
{
    const struct option_row *o;
    json_name(j, "inputSchema");
    json_object(j);
    json_member_text(j, "type", "object");
    json_name(j, "properties");
    json_object(j);
    for (size_t i = 0; (o = tool_parameter(t, i)) != NULL; i++)
        parameter_schema(j, o);
    json_end(j);
    if (t->required != NULL)
        words_member(j, "required", t->required);
    json_member_bool(j, "additionalProperties", false);
    json_end(j);
}

void schema_tools(const struct mcp *mcp, struct json *j)
{
    json_name(j, "tools");
    json_array(j);
    for (const struct tool *t = tools; t->name != NULL; t++) {
        if (!tool_is_served(mcp, t))
            continue;
        json_object(j);
        json_member_text(j, "name", t->name);
        json_member_text(j, "title", t->title);
        json_member_text(j, "description", t->about);
        input_schema(j, t);
        json_name(j, "annotations");
        json_object(j);
        json_member_bool(j, "readOnlyHint", !t->records);
        json_member_bool(j, "destructiveHint", false);
        json_member_bool(j, "idempotentHint", !t->records);
        json_member_bool(j, "openWorldHint", false);
        json_end(j);
        json_end(j);
    }
    json_end(j);
}
