/* class.c - weaving one class; see parts.h. */
#include "weaver/tool/parts.h"

#include <stdlib.h>
#include <string.h>

#include "weaver/weave.h"

/* Data IDs of classes woven here are those of no class that the agent has numbered: if such a class is run without
 * prewoven=, its events are lost and counted, and not taken for others. They start again in a run that has more. */
enum { FIRST_DATAID = 0x40000000, DATAIDS_MAX = 0x40000000 };

static void report_class(struct offline *o, struct text class_name, const char *reason)
{
    o->totals.differ++;
    o->incomplete(o->context, class_name, NULL, (struct text){ reason, strlen(reason) });
}

/* Reads and writes the class without weaving. */
static bool copy_class(struct offline *o, const char *name, const void *data, size_t size, struct writer *copy)
{
    struct error err = { 0 };
    if (weave_identity(data, size, copy, &err) != OK) {
        o->totals.failed++;
        return offline_fail(o, "%s: %s", name, err.text);
    }
    if (copy->size != size || memcmp(copy->data, data, size) != 0)
        report_class(o, (struct text){ name, strlen(name) }, "differs when read and written");
    return true;
}

static void count_methods(struct offline *o, const struct class_row *row)
{
    for (size_t i = 0; i < row->methods.count; i++) {
        const struct method_row *m = &row->methods.items[i];
        o->totals.methods += m->code_length > 0;
        if (m->reason.size == 0)
            continue;
        if (m->groups != 0)
            o->totals.methods_narrowed++;
        else
            o->totals.methods_given_up++;
        o->incomplete(o->context, row->name, m, m->reason);
    }
}

/* Does weaving the class again give the same bytes? A failure to do so is not compared: the first time would have
 * failed too. */
static bool same_again(const void *data, size_t size, const struct weave_config *config, const struct writer *first)
{
    struct weave_result again;
    bool same = true;
    if (weave_class(data, size, config, &again, NULL) == OK)
        same = again.bytes.size == first->size &&
               (first->size == 0 || memcmp(again.bytes.data, first->data, first->size) == 0);
    weave_result_done(&again);
    return same;
}

static bool weave_one(struct offline *o, const char *name, const void *data, size_t size, struct writer *woven)
{
    struct error err = { 0 };
    struct weave_result r;
    struct weave_config config = {
        .groups = o->groups,
        .relocatable = true,
        .hook_class = "java/lang/HindsightHook",
        .asked = o->saved != NULL, /* as the agent weaves */
        .first_dataid = FIRST_DATAID + (uint32_t)(o->totals.dataids % DATAIDS_MAX),
    };
    if (weave_class(data, size, &config, &r, &err) != OK) {
        o->totals.failed++;
        weave_result_done(&r);
        return offline_fail(o, "%s: %s", name, err.text);
    }
    o->totals.hooks += r.hook_calls;
    o->totals.dataids += r.row.dataid_count;
    count_methods(o, &r.row);
    if (o->twice && !same_again(data, size, &config, &r.bytes))
        report_class(o, (struct text){ name, strlen(name) }, "differs when woven twice");
    if (r.bytes.size > 0 && o->saved != NULL && !saved_file_add(o, &config, data, size, &r)) {
        weave_result_done(&r);
        return false;
    }
    if (r.bytes.size > 0) {
        *woven = r.bytes;
        r.bytes = (struct writer){ 0 };
    } else {
        write_bytes(woven, data, size);
    }
    o->totals.bytes_out += woven->size;
    weave_result_done(&r);
    return true;
}

bool offline_class(struct offline *o, const char *name, const void *data, size_t size, struct writer *woven)
{
    o->totals.classes++;
    o->totals.bytes_in += size;
    return o->identity ? copy_class(o, name, data, size, woven) : weave_one(o, name, data, size, woven);
}
