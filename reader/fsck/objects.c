/* objects.c - per object: its class, which threads accessed it, and whether its creation was recorded.
 * Some five bytes per id, in pages.
 *
 * An id is looked up in the object table when it is first seen. Types are compared by name, over the superclasses in
 * class rows; a class that is not recorded ends the comparison without a result. */
#include "reader/fsck/objects.h"

#include <stdlib.h>
#include <string.h>

enum {
    TOUCH_NONE = 0,
    TOUCH_MANY = 255,
    THREADS_TOLD_APART = 254,
    PAGE_LIMIT = 1 << (32 - OBJECT_PAGE_BITS),
    MEMO = 1 << 16
};

struct object_page {
    uint32_t class_id[OBJECT_PAGE_IDS];
    uint8_t touch[OBJECT_PAGE_IDS];
    uint8_t created[OBJECT_PAGE_IDS / 8]; /* bits */
};

/* Pairs of data ID and class that were checked successfully. */
struct type_memo {
    uint32_t id, class_id;
};

bool objects_init(struct fsck *f)
{
    f->pages = calloc(PAGE_LIMIT, sizeof *f->pages);
    f->memo = calloc(MEMO, sizeof *f->memo);
    return f->pages != NULL && f->memo != NULL;
}

void objects_check_done(struct fsck *f)
{
    for (uint32_t i = 0; i < f->page_count; i++)
        free(f->pages[i]);
    free(f->pages);
    free(f->memo);
}

static struct object_page *page_of(struct fsck *f, uint64_t id)
{
    if (id == 0 || id > UINT32_MAX)
        return NULL;
    uint32_t at = (uint32_t)(id >> OBJECT_PAGE_BITS);
    struct object_page **p = &f->pages[at];
    if (at >= f->page_count)
        f->page_count = at + 1;
    if (*p == NULL)
        *p = calloc(1, sizeof **p);
    if (*p == NULL)
        f->no_memory = true;
    return *p;
}

bool object_shared(struct fsck *f, uint64_t id)
{
    const struct object_page *p = page_of(f, id);
    return p == NULL || p->touch[id & (OBJECT_PAGE_IDS - 1)] == TOUCH_MANY;
}

uint32_t object_class(struct fsck *f, uint64_t id)
{
    const struct object_page *p = page_of(f, id);
    return p == NULL ? 0 : p->class_id[id & (OBJECT_PAGE_IDS - 1)];
}

bool object_is_error(struct fsck *f, uint64_t id)
{
    static const char *const errors[] = { "java.lang.StackOverflowError", "java.lang.OutOfMemoryError",
                                          "java.lang.InternalError", "java.lang.VirtualMachineError",
                                          "java.lang.ThreadDeath" };
    const struct hs_type *type = hs_type_get(f->trace, object_class(f, id));
    for (size_t i = 0; type != NULL && i < sizeof errors / sizeof *errors; i++)
        if (strcmp(type->name, errors[i]) == 0)
            return true;
    return type == NULL;
}

bool object_is_monitor_error(struct fsck *f, uint64_t id)
{
    const struct hs_type *type = hs_type_get(f->trace, object_class(f, id));
    return type == NULL || strcmp(type->name, "java.lang.IllegalMonitorStateException") == 0;
}

/* True if the type is the wanted one or a subtype, and also when that is not known. */
static bool type_fits(struct fsck *f, const char *name, const char *wanted, bool exact)
{
    if (strcmp(name, wanted) == 0)
        return true;
    if (exact)
        return false;
    const struct fclass *w = class_by_name(f, wanted, strlen(wanted));
    if (w == NULL || w->row->state != HS_CLASS_WOVEN || (w->row->access & ACC_INTERFACE))
        return true; /* not known, or an interface */
    for (int depth = 0; depth < SUPERCLASSES_MOST; depth++) {
        const struct fclass *c = class_by_name(f, name, strlen(name));
        if (c == NULL || c->row->super[0] == '\0')
            return true; /* not known */
        name = c->row->super;
        if (strcmp(name, wanted) == 0)
            return true;
        if (strcmp(name, "java.lang.Object") == 0)
            return false;
    }
    return true;
}

static void check_type(struct fsck *f, const struct code_event *p, uint32_t class_id, uint64_t value, uint64_t seq)
{
    const struct event_facts *facts = facts_of(f, p);
    uint32_t id = p->row->dataid;
    struct type_memo *memo = &f->memo[(id * 2654435761u ^ class_id * 40503u) & (MEMO - 1)];
    const struct hs_type *type;
    char text[256];
    if (memo->id == id + 1 && memo->class_id == class_id)
        return;
    type = hs_type_get(f->trace, class_id);
    if (type != NULL && !type_fits(f, type->name, facts->type, facts->exact_type)) {
        code_event_text(p, text, sizeof text);
        fsck_report(f, RULE_type, seq, "%s: object %llu is of type %s, not %s", text, (unsigned long long)value,
                    type->name, facts->type);
        return;
    }
    *memo = (struct type_memo){ id + 1, class_id };
}

/* Objects of a value class (JEP 401) have no identity: equal ones are one object. */
static bool is_value_class(struct fsck *f, const char *name)
{
    enum { FIRST_MAJOR = 72, PREVIEW_MINOR = 65535, ACC_IDENTITY = 0x0020 };
    const struct fclass *c = class_by_name(f, name, strlen(name));
    return c != NULL && c->cf != NULL && c->cf->major >= FIRST_MAJOR && c->cf->minor == PREVIEW_MINOR &&
           (c->cf->access & (ACC_IDENTITY | ACC_INTERFACE)) == 0;
}

static void check_created(struct fsck *f, const struct code_event *p, struct object_page *page, uint64_t value,
                          uint64_t seq)
{
    uint32_t slot = value & (OBJECT_PAGE_IDS - 1);
    uint8_t bit = (uint8_t)(1u << slot % 8);
    char text[256];
    if (p->event != EVENT_NEW_OBJECT_CREATED && p->event != EVENT_NEW_ARRAY_RESULT && p->event != EVENT_MULTI_NEW_ARRAY)
        return;
    if ((page->created[slot / 8] & bit) != 0 && !is_value_class(f, facts_of(f, p)->type)) {
        code_event_text(p, text, sizeof text);
        fsck_report(f, RULE_instance, seq, "%s: object %llu was created before", text, (unsigned long long)value);
    }
    page->created[slot / 8] |= bit;
}

void reference_check(struct fsck *f, const struct code_event *p, uint32_t thread, uint64_t value, uint64_t seq)
{
    char text[256];
    if (value == 0)
        return;
    if (value == UINT64_MAX && p->event == EVENT_METHOD_EXCEPTIONAL_EXIT)
        return; /* the exception is not known (logging/drain/super_calls.h) */
    struct object_page *page = page_of(f, value);
    if (page == NULL) {
        code_event_text(p, text, sizeof text);
        if (!f->no_memory)
            fsck_report(f, RULE_reference, seq, "%s: %llu is no object id", text, (unsigned long long)value);
        return;
    }
    uint32_t slot = value & (OBJECT_PAGE_IDS - 1);
    uint8_t mine = (uint8_t)(thread % THREADS_TOLD_APART + 1), *touch = &page->touch[slot];
    if (*touch == TOUCH_NONE) {
        const struct hs_object *o = hs_object_get(f->trace, (uint32_t)value);
        code_event_text(p, text, sizeof text);
        if (o == NULL && hs_info(f->trace, "dropped") == NULL) /* else it was shown by nothing for a while */
            fsck_report(f, RULE_reference, seq, "%s: object %llu is not in the object table", text,
                        (unsigned long long)value);
        else if (o != NULL && o->class_id == 0)
            fsck_report(f, RULE_reference, seq, "%s: object %llu has no type", text, (unsigned long long)value);
        page->class_id[slot] = o != NULL ? o->class_id : 0;
        *touch = mine;
    } else if (*touch != mine) {
        *touch = TOUCH_MANY;
    }
    f->result->checked++;
    check_created(f, p, page, value, seq);
    if (facts_of(f, p)->type != NULL && page->class_id[slot] != 0)
        check_type(f, p, page->class_id[slot], value, seq);
}
