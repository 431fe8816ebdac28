/* selogger_counts.c - what the format selogger has of each data ID (selogger.h): eventfreq.txt, trace.json and
 * recentdata.txt. The last events are those of hs_latest_open: what format=latest kept, or the last 32 of a stream. */
#include <stdio.h>
#include <string.h>

#include "formats/jvm/primitive.h"
#include "reader/command/show.h"
#include "reader/export/selogger.h"

struct counts {
    struct selogger *s;
    struct show show;
    uint64_t *counts;
    u32_vec ids;       /* data IDs that occurred */
    hs_cursor *latest; /* NULL: without values */
    size_t most;       /* events that any of them has kept */
    size_t rows;       /* of trace.json, so far */
};

static const char *value_type(const struct hs_dataid *d)
{
    const struct primitive *p = primitive_of_letter(d->kind == HS_KIND_PC ? HS_KIND_INT : d->kind);
    if (p != NULL || d->kind == HS_KIND_VOID)
        return p != NULL ? p->name : "void";
    return "java.lang.Object";
}

static const struct hs_object *object_of(hs_trace *t, uint64_t id)
{
    return id <= UINT32_MAX ? hs_object_get(t, (uint32_t)id) : NULL;
}

/* ---- trace.json ---- */

static void json_reference(struct counts *c, uint64_t id)
{
    struct out *o = c->show.out;
    const struct hs_object *object = object_of(c->show.trace, id);
    char digits[24];
    if (id == 0) {
        json_null(&o->json);
        return;
    }
    (void)snprintf(digits, sizeof digits, "%llu", (unsigned long long)id);
    json_object(&o->json);
    json_member_text(&o->json, "id", digits);
    if (object != NULL && object->type != NULL)
        json_member_text(&o->json, "type", object->type);
    if (object != NULL && object->has_string)
        out_member_string(o, "str", object);
    json_end(&o->json);
}

/* One of the arrays value, seqnum, thread; the cursor stands before the events. */
enum array { VALUES, SEQNUMS, THREADS };
static bool json_events(struct counts *c, uint32_t dataid, enum array array, struct hs_error *error)
{
    static const char *const names[] = { "value", "seqnum", "thread" };
    struct json *j = &c->show.out->json;
    const struct hs_event *e;
    const char kind = hs_dataid_get(c->show.trace, dataid)->kind; /* SELogger has 0 and 1 for elements of a boolean[] */
    size_t recorded;
    int more;
    if (hs_latest_select(c->latest, dataid, &recorded, error) != 0)
        return export_failed(c->s->job, error);
    json_name(j, names[array]);
    json_array(j);
    while ((more = hs_event_next(c->latest, &e, error)) > 0)
        switch (array) {
        case VALUES:
            if (e->kind == HS_KIND_REF)
                json_reference(c, e->value);
            else
                show_value_json(&c->show, kind, e->value);
            break;
        case SEQNUMS: json_u64(j, e->seq); break;
        case THREADS: json_u64(j, e->thread); break;
        }
    json_end(j);
    return more == 0 || export_failed(c->s->job, error);
}

static bool json_row(struct counts *c, const struct hs_dataid *d, struct hs_error *error)
{
    struct json *j = &c->show.out->json;
    const struct hs_class *k;
    const struct hs_method *m;
    char hash[16 + 1];
    size_t recorded;
    if (!selogger_place(c->show.trace, d, &k, &m))
        return true;
    (void)snprintf(hash, sizeof hash, "%016llx", (unsigned long long)m->hash);
    out_text(c->show.out, c->rows++ > 0 ? "," : "");
    out_bytes(c->show.out, "\n", 1);
    json_object(j);
    json_member_text(j, "loadedFrom", k->source);
    json_name(j, "filename");
    json_text_begin(j);
    for (const char *p = k->name; *p != '\0'; p += *p != '\0') {
        size_t n = strcspn(p, ".");
        json_text_part(j, p, n);
        p += n;
        if (*p == '.')
            json_text_part(j, "/", 1);
    }
    json_text_end(j);
    json_member_text(j, "cname", k->name);
    json_member_text(j, "mname", m->name);
    json_member_text(j, "mdesc", m->desc);
    json_name(j, "mhash");
    json_text_n(j, hash, 8);
    json_member_i64(j, "line", d->table_line); /* as SELogger: its files have no column for another file */
    json_member_u64(j, "inst", d->pc);
    json_member_text(j, "event", hs_event_name(d->event));
    show_attrs_member(&c->show, d);
    json_member_text(j, "valuetype", value_type(d));
    json_member_u64(j, "freq", c->counts[d->dataid]);
    if (c->latest != NULL) {
        if (hs_latest_select(c->latest, d->dataid, &recorded, error) != 0)
            return export_failed(c->s->job, error);
        json_member_u64(j, "record", recorded);
        if ((d->kind != HS_KIND_VOID && !json_events(c, d->dataid, VALUES, error)) ||
            !json_events(c, d->dataid, SEQNUMS, error) || !json_events(c, d->dataid, THREADS, error))
            return false;
    }
    json_end(j);
    return export_ok(c->s->job);
}

/* ---- recentdata.txt ---- */

void selogger_value(struct out *o, hs_trace *t, const struct hs_event *e, bool content)
{
    const struct hs_object *object;
    switch (e->kind) {
    case HS_KIND_REF: break;
    case HS_KIND_FLOAT: out_float(o, (uint32_t)e->value); return;
    case HS_KIND_DOUBLE: out_double(o, e->value); return;
    case HS_KIND_BOOLEAN: out_text(o, e->value != 0 ? "true" : "false"); return;
    default: out_i64(o, (int64_t)e->value); return; /* 0 without a value */
    }
    if (e->value == 0) {
        out_text(o, "null");
        return;
    }
    object = object_of(t, e->value);
    const bool string = content && object != NULL && object->has_string;
    if (string)
        out_char(o, '"');
    selogger_text(o, object != NULL && object->type != NULL ? object->type : "?");
    out_format(o, "@%llx", (unsigned long long)e->value);
    if (string) {
        out_char(o, ':');
        out_string_content(o, object);
        out_char(o, '"');
    }
}

static bool text_row(struct counts *c, const struct hs_dataid *d, struct hs_error *error)
{
    struct out *o = c->show.out;
    const struct hs_class *k;
    const struct hs_method *m;
    const struct hs_event *e;
    size_t recorded;
    int more;
    if (!selogger_place(c->show.trace, d, &k, &m))
        return true;
    if (hs_latest_select(c->latest, d->dataid, &recorded, error) != 0)
        return export_failed(c->s->job, error);
    selogger_text(o, k->source);
    out_char(o, ',');
    selogger_internal(o, k->name);
    out_char(o, ',');
    selogger_text(o, k->name);
    out_char(o, ',');
    selogger_text(o, m->name);
    out_char(o, ',');
    selogger_text(o, m->desc);
    out_format(o, ",%08llx,%d,%u,", (unsigned long long)(m->hash >> 32), d->table_line, d->pc);
    selogger_attributes(o, d);
    out_format(o, ",%s,%s,%llu,%zu", hs_event_name(d->event), value_type(d), (unsigned long long)c->counts[d->dataid],
               recorded);
    while ((more = hs_event_next(c->latest, &e, error)) > 0) {
        struct hs_event own = *e;
        own.kind = d->kind;
        out_char(o, ',');
        selogger_value(o, c->show.trace, &own, true);
        out_format(o, ",%llu,%u", (unsigned long long)e->seq, e->thread);
    }
    for (size_t i = recorded; i < c->most; i++)
        out_bytes(o, ",,,", 3);
    out_char(o, '\n');
    return more == 0 ? export_ok(c->s->job) : export_failed(c->s->job, error);
}

/* ---- the files ---- */

static bool put_frequencies(struct counts *c)
{
    struct export_job *x = c->s->job;
    if (!export_file_open(x, "eventfreq.txt"))
        return false;
    for (size_t i = 0; i < c->ids.count; i++)
        out_format(x->out, "%u,%llu\n", c->ids.items[i], (unsigned long long)c->counts[c->ids.items[i]]);
    for (size_t i = 0; i < c->s->exits.count; i++)
        if (c->counts[c->s->exits.items[i]] > 0)
            out_format(x->out, "%u,%llu\n", selogger_catch(c->s, c->s->exits.items[i]),
                       (unsigned long long)c->counts[c->s->exits.items[i]]);
    return export_ok(x);
}

static bool put_rows(struct counts *c, bool (*row)(struct counts *, const struct hs_dataid *, struct hs_error *))
{
    struct hs_error error = HS_ERROR_INIT;
    for (size_t i = 0; i < c->ids.count; i++) {
        const struct hs_dataid *d = hs_dataid_get(c->show.trace, c->ids.items[i]);
        if (d != NULL && !row(c, d, &error))
            return false;
    }
    return export_ok(c->s->job);
}

static bool put_json(struct counts *c)
{
    struct export_job *x = c->s->job;
    if (!export_file_open(x, "trace.json"))
        return false;
    c->show.out = x->out;
    out_format(x->out, "{ \"format\":\"%s\", \"events\": [", c->latest != NULL ? "nearomni" : "freq");
    bool done = put_rows(c, json_row);
    out_bytes(x->out, "\n]}\n", 4);
    return done;
}

static bool put_text(struct counts *c)
{
    struct export_job *x = c->s->job;
    if (!export_file_open(x, "recentdata.txt"))
        return false;
    c->show.out = x->out;
    out_text(x->out, "loadedFrom,filename,cname,mname,mdesc,mhash,line,inst,attr,event,valuetype,freq,record");
    for (size_t i = 1; i <= c->most; i++)
        out_format(x->out, ",value%zu,seqnum%zu,thread%zu", i, i, i);
    out_char(x->out, '\n');
    return put_rows(c, text_row);
}

static bool load(struct counts *c, bool values, struct hs_error *error)
{
    struct export_job *x = c->s->job;
    const uint32_t n = hs_dataid_count(x->trace);
    size_t recorded;
    if ((c->counts = calloc((size_t)n + 1, sizeof *c->counts)) == NULL)
        return export_fail(x, "out of memory");
    if (hs_count_dataids(x->trace, c->counts, NULL, error) != 0)
        return export_failed(x, error);
    for (uint32_t i = 0; i < n; i++) {
        const struct hs_dataid *d = c->counts[i] > 0 ? hs_dataid_get(x->trace, i) : NULL;
        if (d != NULL && d->event == HS_EVENT_EVENTS_LEFT_OUT)
            c->counts[i] = 0; /* SELogger has no such event */
        uint32_t *id = c->counts[i] > 0 ? vec_push(&c->ids) : NULL;
        if (id != NULL)
            *id = i;
        else if (c->counts[i] > 0)
            return export_fail(x, "out of memory");
    }
    if (!values)
        return true;
    if (hs_latest_open(x->trace, &c->latest, error) != 0 ||
        hs_latest_read(c->latest, c->ids.items, c->ids.count, true, error) != 0)
        return export_failed(x, error);
    for (size_t i = 0; i < c->ids.count; i++) {
        if (hs_latest_select(c->latest, c->ids.items[i], &recorded, error) != 0)
            return export_failed(x, error);
        c->most = recorded > c->most ? recorded : c->most;
    }
    return true;
}

bool selogger_counts(struct selogger *s, bool values)
{
    struct hs_error error = HS_ERROR_INIT;
    struct counts c = { .s = s };
    if (!show_init(&c.show, s->job->trace, s->job->out))
        return export_fail(s->job, "out of memory");
    bool done = load(&c, values, &error) && put_frequencies(&c) && put_json(&c) && (!values || put_text(&c));
    hs_cursor_close(c.latest);
    show_done(&c.show);
    free(c.counts);
    vec_free(&c.ids);
    return done;
}
