/* selogger.c - the format selogger: the directory that SELogger 0.6 leaves, for the tools that read it (selogger.h).
 *
 * Which files there are depends on what the trace holds:
 *
 *     every trace              classes.txt methods.txt dataids.txt eventfreq.txt trace.json
 *     omni, latest             LOG$Types.txt LOG$ObjectTypes00001.txt LOG$String00001.txt LOG$Exceptions00001.txt
 *                              recentdata.txt (json=false of SELogger), and the last values in trace.json
 *     omni                     log-00001.slg, ...
 *
 * A record of log-*.slg has 16 bytes, big-endian, and its number is the number of the event:
 *
 *     | data ID 4 | thread 4 | value 8 |     a reference by its object id, float and double by their bits
 *
 * A file has 10,000,000 of them: SELogger's reader takes a file into one buffer of that size. With a filter only the
 * events that pass are written, and nothing that is counted over the whole trace. */
#include "reader/export/selogger.h"

#include <stdio.h>

#include "formats/format.h"
#include "formats/search.h"

enum { EVENTS_OF_A_FILE = 10000000, RECORD_BYTES = 16 };

struct stream {
    struct export_job *job;
    unsigned files;
    uint32_t left; /* records that the file takes */
};

static bool put_record(struct stream *s, uint32_t dataid, const struct hs_event *e)
{
    char name[32];
    unsigned char bytes[RECORD_BYTES];
    uint64_t value = e->kind == HS_KIND_VOID ? 0 : e->value;
    if (e->kind == HS_KIND_FLOAT)
        value = (uint64_t)(int64_t)(int32_t)(uint32_t)value; /* an int that was made a long */
    if (s->left == 0) {
        (void)snprintf(name, sizeof name, "log-%05u.slg", ++s->files);
        if (!export_file_open(s->job, name))
            return false;
        s->left = EVENTS_OF_A_FILE;
    }
    for (int i = 0; i < 4; i++) {
        bytes[i] = (unsigned char)(dataid >> (24 - 8 * i));
        bytes[4 + i] = (unsigned char)(e->thread >> (24 - 8 * i));
    }
    for (int i = 0; i < 8; i++)
        bytes[8 + i] = (unsigned char)(value >> (56 - 8 * i));
    out_bytes(s->job->out, bytes, sizeof bytes);
    s->left--;
    return true;
}

static bool put_stream(struct selogger *s)
{
    struct stream stream = { .job = s->job };
    const struct hs_event *e;
    if (!export_events_open(s->job))
        return false;
    while (export_event_next(s->job, &e)) {
        const struct hs_dataid *d = hs_dataid_get(s->job->trace, e->dataid);
        if (d != NULL && d->event == HS_EVENT_EVENTS_LEFT_OUT)
            continue;
        if (d != NULL && d->event == HS_EVENT_METHOD_EXCEPTIONAL_EXIT &&
            !put_record(&stream, selogger_catch(s, e->dataid), e))
            return false;
        if (!put_record(&stream, e->dataid, e))
            return false;
    }
    return export_ok(s->job);
}

bool export_selogger(struct export_job *x)
{
    struct selogger s = { .job = x };
    const struct format *format = format_of_trace(hs_info(x->trace, "format"));
    const bool whole = x->filter->all && x->limit == UINT64_MAX;
    if (!format->stream && !whole)
        return export_wrong(x, "format=%s has no stream of events to select from", format->name);
    bool done = selogger_tables(&s) && (!format->values || selogger_objects(&s)) &&
                (!whole || selogger_counts(&s, format->values)) && (!format->stream || put_stream(&s));
    vec_free(&s.classes);
    vec_free(&s.exits);
    return done;
}
