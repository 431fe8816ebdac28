/* callgrind.c - the format callgrind: what each method took itself, and what the calls that it made took.
 *
 *     events: Nanoseconds Calls
 *     fl=(1) Sampler.java
 *     fn=(1) Sampler.loop(int)
 *     70 1200 1                      its first line, and its own weights
 *     cfl=(1)
 *     cfn=(2) Sampler.echo(int)
 *     calls=5 66
 *     70 900 5                       what these calls took, with all that they called
 *
 * Format: https://valgrind.org/docs/manual/cl-format.html */
#include "reader/export/method_names.h"
#include "reader/export/profile_edges.h"

static const char *const events[PROFILE_WEIGHTS] = {
    [PROFILE_CALLS] = "Calls", [PROFILE_TIME] = "Nanoseconds", [PROFILE_EVENTS] = "Events"
};

/* ---- output ---- */

static void write_weights(struct out *o, const struct profile *p, const uint64_t *weights)
{
    for (size_t w = 0; w < p->weight_count; w++)
        out_format(o, " %llu", (unsigned long long)weights[p->weights[w]]);
    out_char(o, '\n');
}

/* `fl=` and `fn=`, or with the prefix `c` those of a callee. */
static void place(struct export_job *x, const struct profile *p, struct method_names *names, const char *prefix,
                  uint32_t method)
{
    uint32_t id = p->methods.items[method].method_id;
    const struct hs_method *m = hs_method_get(x->trace, id);
    const struct hs_class *c = m != NULL ? hs_class_get(x->trace, m->class_no) : NULL;
    const char *file = spot_file_name(c, p->methods.items[method].spot);
    out_format(x->out, "%sfl=%s\n", prefix, file[0] != '\0' ? file : "???");
    out_format(x->out, "%sfn=(%u) %s\n", prefix, method + 1, method_name(names, id));
}

static unsigned line_of(const struct profile *p, uint32_t method)
{
    int32_t line = p->methods.items[method].spot.line;
    return line >= 0 ? (unsigned)line : 0;
}

static void write_methods(struct export_job *x, const struct profile *p, const struct profile_edges *e,
                          struct method_names *names)
{
    struct out *o = x->out;
    size_t next = 0;
    for (uint32_t i = 0; i < p->methods.count && export_ok(x); i++) {
        out_char(o, '\n');
        place(x, p, names, "", i);
        out_format(o, "%u", line_of(p, i));
        write_weights(o, p, e->own[i]);
        for (; next < e->list.count && e->list.items[next].caller == i; next++) {
            const struct profile_edge *edge = &e->list.items[next];
            place(x, p, names, "c", edge->callee);
            out_format(o, "calls=%llu %u\n", (unsigned long long)edge->calls, line_of(p, edge->callee));
            out_format(o, "%u", line_of(p, i));
            write_weights(o, p, edge->inclusive);
        }
    }
}

static void write_head(struct export_job *x, const struct profile *p)
{
    struct out *o = x->out;
    uint64_t sums[PROFILE_WEIGHTS] = { 0 };
    char note[PROFILE_NOTE_MAX];
    for (unsigned w = 0; w < PROFILE_WEIGHTS; w++)
        for (size_t i = 0; i < p->nodes.count; i++)
            sums[w] += p->nodes.items[i].own[w];
    out_line(o, "# callgrind format");
    out_line(o, "version: 1");
    out_line(o, "creator: hindsight " HS_VERSION);
    out_format(o, "cmd: %s\n", hs_dir(x->trace));
    for (size_t w = 0; w < p->weight_count; w++)
        out_format(o, "desc: %s: %s\n", events[p->weights[w]], profile_note(p, p->weights[w], note));
    out_line(o, "positions: line");
    out_text(o, "events:");
    for (size_t w = 0; w < p->weight_count; w++)
        out_format(o, " %s", events[p->weights[w]]);
    out_format(o, "\nsummary:");
    write_weights(o, p, sums);
}

bool export_callgrind(struct export_job *x)
{
    struct profile p;
    struct method_names names = { 0 };
    struct profile_edges e = { 0 };
    bool done = profile_read(&p, x);
    if (done)
        done = (profile_edges_init(&e, &p) && method_names_init(&names, x)) || export_fail(x, "out of memory");
    if (done) {
        write_head(x, &p);
        write_methods(x, &p, &e, &names);
    }
    method_names_done(&names);
    profile_edges_done(&e);
    profile_done(&p);
    return done;
}
