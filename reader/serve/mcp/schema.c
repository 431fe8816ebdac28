/* schema.c - the list of tools for clients, written from their table: input and output schemas (JSON Schema
 * 2020-12). */
#include <string.h>

#include "reader/answers/answers.h"
#include "reader/serve/mcp/mcp.h"

/* Text that speaks of the options of a command: `--at` becomes `at`. */
static void about_member(struct json *j, const char *text)
{
    json_name(j, "description");
    json_text_begin(j);
    for (const char *at = text; *at != '\0';) {
        const char *dashes = strstr(at, "--");
        size_t n = dashes != NULL ? (size_t)(dashes - at) : strlen(at);
        json_text_part(j, at, n);
        at += n + (dashes != NULL ? 2 : 0);
    }
    json_text_end(j);
}

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
    about_member(j, o->help);
    switch (o->type) {
    case OPTION_FLAG: json_member_text(j, "type", "boolean"); break;
    case OPTION_U64:
        json_member_text(j, "type", "integer");
        json_member_u64(j, "minimum", strcmp(o->name, "limit") == 0 ? 1 : 0);
        if (strcmp(o->name, "limit") == 0)
            json_member_u64(j, "maximum", PAGE_ROWS);
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

static void typed(struct json *j, const char *name, const char *type, const char *about)
{
    json_name(j, name);
    json_object(j);
    if (type != NULL)
        json_member_text(j, "type", type);
    json_member_text(j, "description", about);
    json_end(j);
}

static void members_schema(struct json *j, const struct answer_rows *a)
{
    for (size_t i = 0; i < a->key_count; i++)
        if (a->keys[i].member)
            typed(j, a->keys[i].name, answer_json_type(&a->keys[i]), a->keys[i].meaning);
}

/* The rows: one object, or an array of them. */
static void rows_schema(struct json *j, const struct tool *t, const struct answer_rows *a)
{
    json_name(j, t->key);
    json_object(j);
    if (!t->single) {
        json_member_text(j, "type", "array");
        json_name(j, "items");
        json_object(j);
    }
    json_member_text(j, "type", "object");
    json_name(j, "properties");
    json_object(j);
    members_schema(j, a);
    json_end(j);
    json_name(j, "required");
    json_array(j);
    for (size_t i = 0; i < a->key_count; i++)
        if (answer_always(&a->keys[i]))
            json_text(j, a->keys[i].name);
    json_end(j);
    if (!t->single)
        json_end(j);
    json_end(j);
}

static void output_schema(struct json *j, const struct tool *t)
{
    json_name(j, "outputSchema");
    json_object(j);
    json_member_text(j, "type", "object");
    json_name(j, "properties");
    json_object(j);
    if (t->key != NULL)
        rows_schema(j, t, answer_find(t->answer));
    else
        members_schema(j, answer_find(t->answer));
    typed(j, "next", "string", "there are more rows: the `cursor` for them");
    typed(j, "notes", "array", "what has to be known about the answer: what is missing in it, and why");
    json_end(j);
    if (t->key != NULL)
        words_member(j, "required", t->key);
    json_end(j);
}

void schema_tools(struct json *j)
{
    json_name(j, "tools");
    json_array(j);
    for (const struct tool *t = tools; t->name != NULL; t++) {
        json_object(j);
        json_member_text(j, "name", t->name);
        json_member_text(j, "title", t->title);
        json_member_text(j, "description", t->about);
        input_schema(j, t);
        output_schema(j, t);
        json_name(j, "annotations");
        json_object(j);
        json_member_bool(j, "readOnlyHint", true);
        json_member_bool(j, "destructiveHint", false);
        json_member_bool(j, "idempotentHint", true);
        json_member_bool(j, "openWorldHint", false);
        json_end(j);
        json_end(j);
    }
    json_end(j);
}
