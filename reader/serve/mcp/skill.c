/* skill.c - the text that teaches an assistant, in the forms that the protocol has for it. */
#include <string.h>

#include "reader/serve/mcp/mcp.h"

static const char prompt[] = "debug", title[] = "From a red test to its cause",
                  about[] = "How to find the cause of a failure of a Java program with this recording, in few calls.";

void skill_prompts(struct json *j)
{
    json_name(j, "prompts");
    json_array(j);
    json_object(j);
    json_member_text(j, "name", prompt);
    json_member_text(j, "title", title);
    json_member_text(j, "description", about);
    json_end(j);
    json_end(j);
}

bool skill_prompt(struct json *j, const char *name)
{
    if (strcmp(name, prompt) != 0)
        return false;
    json_member_text(j, "description", about);
    json_name(j, "messages");
    json_array(j);
    json_object(j);
    json_member_text(j, "role", "user");
    json_name(j, "content");
    json_object(j);
    json_member_text(j, "type", "text");
    json_member_text(j, "text", skill_text);
    json_end(j);
    json_end(j);
    json_end(j);
    return true;
}

void skill_resources(struct json *j)
{
    json_name(j, "resources");
    json_array(j);
    json_object(j);
    json_member_text(j, "uri", SKILL_URI);
    json_member_text(j, "name", "SKILL.md");
    json_member_text(j, "title", title);
    json_member_text(j, "description", about);
    json_member_text(j, "mimeType", "text/markdown");
    json_end(j);
    json_end(j);
}

bool skill_resource(struct json *j, const char *uri)
{
    if (strcmp(uri, SKILL_URI) != 0)
        return false;
    json_name(j, "contents");
    json_array(j);
    json_object(j);
    json_member_text(j, "uri", SKILL_URI);
    json_member_text(j, "mimeType", "text/markdown");
    json_member_text(j, "text", skill_text);
    json_end(j);
    json_end(j);
    return true;
}
