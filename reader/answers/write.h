/* write.h - what row.h writes for each type of types.def. Without a text a column is `-`. */
#ifndef READER_ANSWERS_WRITE_H
#define READER_ANSWERS_WRITE_H

#include "reader/answers/answers.h"
#include "reader/command/show.h"

#define JSON_INT(key, v)      json_member_u64(&o->json, key, (uint64_t)(v))
#define JSON_SEQ(key, v)      write_seq(o, key, v)
#define JSON_LINE(key, v)     write_line(o, key, v)
#define JSON_BOOL(key, v)     json_member_bool(&o->json, key, v)
#define JSON_MAYBE(key, v)    write_maybe(o, key, v)
#define JSON_IF_TRUE(key, v)  write_true(o, key, v)
#define JSON_NAME(key, v)     write_name(o, key, v)
#define JSON_TEXT(key, v)     write_text(o, key, v)
#define JSON_ROW_NAME(key, v) write_name(o, key, v)
#define JSON_HASH(key, v)     write_hash(o, key, v)
#define JSON_STRING(key, v)   out_member_string(o, key, v)
#define JSON_GROUPS(key, v)   write_groups(o, key, v)
#define JSON_ARRAY(key, v)    v
#define JSON_OBJECT(key, v)   v
#define JSON_ANY(key, v)      v
#define JSON_PLACE(key, v)    show_dataid_members(show, v)
#define JSON_EVENT(key, v)
#define JSON_KIND(key, v)    json_member_text(&o->json, key, (char[]){ v, '\0' })
#define JSON_MESSAGE(key, v) write_message(o, v)
#define JSON_REDACTED(key, v)
#define JSON_OF_INT(key, v)
#define JSON_OF_NAME(key, v)
#define JSON_OF_TEXT(key, v)
#define JSON_OF_BOOL(key, v)
#define JSON_OF_DOUBLE(key, v)
#define JSON_OF_JSON(key, v)

#define SHOWN_INT(o, width, v)  out_format(o, "%*llu ", width, (unsigned long long)(v))
#define SHOWN_SEQ(o, width, v)  write_shown_seq(o, width, v)
#define SHOWN_TEXT(o, width, v) write_shown_text(o, width, v)

void write_seq(struct out *o, const char *key, uint64_t seq);
void write_line(struct out *o, const char *key, int line);
void write_maybe(struct out *o, const char *key, int known);
void write_true(struct out *o, const char *key, bool v);
void write_name(struct out *o, const char *key, const char *name);
void write_text(struct out *o, const char *key, const char *text);
void write_hash(struct out *o, const char *key, uint64_t hash);
void write_groups(struct out *o, const char *key, uint32_t groups);

void write_message(struct out *o, const struct hs_thrown *known);

void write_heading(struct out *o, const char *heading, int width);
void write_shown_seq(struct out *o, int width, uint64_t seq);
void write_shown_text(struct out *o, int width, const char *text);

#endif
