/* speedscope.c - the format speedscope: one sampled profile per weight, the chosen one first. A sample is a stack.
 * Schema: https://www.speedscope.app/file-format-schema.json */
#include "reader/export/method_names.h"
#include "reader/export/profile.h"

static void frames(struct export_job *x, const struct profile *p, struct method_names *names)
{
    struct json *j = &x->out->json;
    json_name(j, "shared");
    json_object(j);
    json_name(j, "frames");
    json_array(j);
    for (size_t i = 0; i < p->methods.count; i++) {
        const struct profile_method *m = &p->methods.items[i];
        const struct hs_method *method = hs_method_get(x->trace, m->method_id);
        const struct hs_class *c = method != NULL ? hs_class_get(x->trace, method->class_no) : NULL;
        json_object(j);
        json_member_text(j, "name", method_name(names, m->method_id));
        const char *file = spot_file_name(c, m->spot);
        if (file[0] != '\0')
            json_member_text(j, "file", file);
        if (m->spot.line >= 0)
            json_member_i64(j, "line", m->spot.line);
        json_end(j);
    }
    json_object(j);
    json_member_text(j, "name", profile_outside);
    json_end(j);
    json_end(j);
    json_end(j);
}

static void sample(struct json *j, const struct profile *p, uint32_t node)
{
    uint32_t path[PROFILE_DEPTH_MAX];
    size_t depth = 0;
    for (; node != PROFILE_NONE; node = p->nodes.items[node].parent)
        path[depth++] = p->nodes.items[node].method;
    json_array(j);
    while (depth-- > 0)
        json_u64(j, path[depth]);
    json_end(j);
}

static void profile(struct export_job *x, const struct profile *p, enum profile_weight weight)
{
    struct json *j = &x->out->json;
    const char *unit = weight == PROFILE_TIME ? "nanoseconds" : "none";
    char note[PROFILE_NOTE_MAX];
    uint64_t sum = p->outside[weight];
    json_object(j);
    json_member_text(j, "type", "sampled");
    json_member_text(j, "name", profile_note(p, weight, note));
    json_member_text(j, "unit", unit);
    json_member_u64(j, "startValue", 0);
    for (size_t i = 0; i < p->nodes.count; i++)
        sum += p->nodes.items[i].own[weight];
    json_member_u64(j, "endValue", sum);
    json_name(j, "samples");
    json_array(j);
    for (uint32_t i = 0; i < p->nodes.count && export_ok(x); i++)
        if (p->nodes.items[i].own[weight] > 0)
            sample(j, p, i);
    if (p->outside[weight] > 0) {
        json_array(j);
        json_u64(j, p->methods.count);
        json_end(j);
    }
    json_end(j);
    json_name(j, "weights");
    json_array(j);
    for (size_t i = 0; i < p->nodes.count; i++)
        if (p->nodes.items[i].own[weight] > 0)
            json_u64(j, p->nodes.items[i].own[weight]);
    if (p->outside[weight] > 0)
        json_u64(j, p->outside[weight]);
    json_end(j);
    json_end(j);
}

bool export_speedscope(struct export_job *x)
{
    struct profile p;
    struct method_names names = { 0 };
    struct json *j = &x->out->json;
    bool done = profile_read(&p, x) && method_names_init(&names, x);
    if (done) {
        json_object(j);
        json_member_text(j, "$schema", "https://www.speedscope.app/file-format-schema.json");
        json_member_text(j, "exporter", "hindsight " HS_VERSION);
        json_member_text(j, "name", hs_dir(x->trace));
        json_member_u64(j, "activeProfileIndex", 0);
        frames(x, &p, &names);
        json_name(j, "profiles");
        json_array(j);
        for (size_t i = 0; i < p.weight_count; i++)
            profile(x, &p, p.weights[i]);
        json_end(j);
        json_end_line(j);
    }
    method_names_done(&names);
    profile_done(&p);
    return done;
}
