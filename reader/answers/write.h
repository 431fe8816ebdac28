/* write.h - what row.h writes for each type of types.def. Without a text a column is `-`. */
#ifndef READER_ANSWERS_WRITE_H
#define READER_ANSWERS_WRITE_H

#include "reader/answers/answers.h"
#include "reader/command/show.h"

#define JSON_INT(key, v)         json_member_u64(&o->json, key, (uint64_t)(v))
#define JSON_SEQ(key, v)         answers_seq(o, key, v)
#define JSON_COUNT(key, v)       answers_seq(o, key, (v) > 0 ? (v) : UINT64_MAX)
#define JSON_LINE(key, v)        answers_line(o, key, v)
#define JSON_BOOL(key, v)        json_member_bool(&o->json, key, v)
#define JSON_MAYBE(key, v)       answers_maybe(o, key, v)
#define JSON_IF_TRUE(key, v)     answers_true(o, key, v)
#define JSON_NAME(key, v)        answers_name(o, key, v)
#define JSON_TEXT(key, v)        answers_text(o, key, v)
#define JSON_ROW_NAME(key, v)    answers_name(o, key, v)
#define JSON_HASH(key, v)        answers_hash(o, key, v)
#define JSON_STRING(key, v)      out_member_string(o, key, v)
#define JSON_GROUPS(key, v)      answers_groups(o, key, v)
#define JSON_ARRAY(key, v)       v
#define JSON_REFERENCE(key, v)   answers_reference(show, key, v)
#define JSON_WHOLE_EVENT(key, v) answers_event(show, key, v)
#define JSON_OBJECT(key, v)      v
#define JSON_ANY(key, v)         v
#define JSON_PLACE(key, v)       show_dataid_members(show, v)
#define JSON_EVENT(key, v)
#define JSON_KIND(key, v)    json_member_text(&o->json, key, (char[]){ v, '\0' })
#define JSON_MESSAGE(key, v) answers_message(o, v)
#define JSON_REDACTED(key, v)
#define JSON_OF_INT(key, v)
#define JSON_OF_NAME(key, v)
#define JSON_OF_TEXT(key, v)
#define JSON_OF_BOOL(key, v)
#define JSON_OF_DOUBLE(key, v)
#define JSON_OF_JSON(key, v)

#define SHOWN_INT(o, width, v)  out_format(o, "%*llu ", width, (unsigned long long)(v))
#define SHOWN_SEQ(o, width, v)  answers_shown_seq(o, width, v)
#define SHOWN_TEXT(o, width, v) answers_shown_text(o, width, v)

void answers_seq(struct out *o, const char *key, uint64_t seq);
void answers_line(struct out *o, const char *key, int line);
void answers_maybe(struct out *o, const char *key, int known);
void answers_true(struct out *o, const char *key, bool v);
void answers_name(struct out *o, const char *key, const char *name);
void answers_text(struct out *o, const char *key, const char *text);
void answers_hash(struct out *o, const char *key, uint64_t hash);
void answers_groups(struct out *o, const char *key, uint32_t groups);

void answers_reference(struct show *show, const char *key, uint64_t id);
void answers_event(struct show *show, const char *key, const struct hs_event *e);
void answers_message(struct out *o, const struct hs_thrown *known);

/* A number that the recorder has stored (formats/info_keys.def); UINT64_MAX: there is none. */
uint64_t answers_number(const hs_trace *t, const char *name);

void answers_heading(struct out *o, const char *heading, int width);
void answers_shown_seq(struct out *o, int width, uint64_t seq);
void answers_shown_text(struct out *o, int width, const char *text);

#endif
