/* write.c - see write.h. */
#include "reader/answers/write.h"

#include "formats/event.h"
#include "reader/command/cli.h"
#include "reader/command/thrown.h"

void answers_seq(struct out *o, const char *key, uint64_t seq)
{
    if (seq != UINT64_MAX)
        json_member_u64(&o->json, key, seq);
}

void answers_line(struct out *o, const char *key, int line)
{
    if (line >= 0)
        json_member_i64(&o->json, key, line);
}

void answers_maybe(struct out *o, const char *key, int known)
{
    if (known >= 0)
        json_member_bool(&o->json, key, known != 0);
}

void answers_true(struct out *o, const char *key, bool v)
{
    if (v)
        json_member_bool(&o->json, key, true);
}

void answers_name(struct out *o, const char *key, const char *name)
{
    if (name != NULL)
        out_member_name(o, key, name);
}

void answers_text(struct out *o, const char *key, const char *text)
{
    if (text != NULL)
        json_member_text(&o->json, key, text);
}

void answers_hash(struct out *o, const char *key, uint64_t hash)
{
    if (hash != 0)
        out_member_hash(o, key, hash);
}

void answers_groups(struct out *o, const char *key, uint32_t groups)
{
    char text[GROUP_SET_TEXT_MAX];
    group_set_text(groups, text, sizeof text);
    json_member_text(&o->json, key, text);
}

void answers_reference(struct show *show, const char *key, uint64_t id)
{
    if (id == 0)
        return;
    json_name(&show->out->json, key);
    show_reference_json(show, id);
}

void answers_event(struct show *show, const char *key, const struct hs_event *e)
{
    json_name(&show->out->json, key);
    show_event_json(show, e);
}

void answers_message(struct out *o, const struct hs_thrown *known)
{
    if (known != NULL)
        thrown_message_json(&o->json, known);
}

uint64_t answers_number(const hs_trace *t, const char *name)
{
    const char *text = hs_info(t, name);
    uint64_t number;
    return text != NULL && cli_u64(text, &number) ? number : UINT64_MAX;
}

void answers_heading(struct out *o, const char *heading, int width)
{
    out_padded(o, heading, -width);
    out_char(o, ' ');
}

void answers_shown_seq(struct out *o, int width, uint64_t seq)
{
    if (seq != UINT64_MAX)
        out_format(o, "%*llu ", width, (unsigned long long)seq);
    else
        out_format(o, "%*s ", width, "-");
}

void answers_shown_text(struct out *o, int width, const char *text)
{
    out_padded(o, text, -width);
    out_char(o, ' ');
}
