/* chosen_events.c - see chosen_events.h. */
#include "reader/command/chosen_events.h"

int chosen_parse(struct chosen_events *f, struct context *context, const struct chosen_args *args)
{
    int status = PARSED;
    *f = (struct chosen_events){ .args = args };
    for (size_t i = 0; status == PARSED && i < args->events.count; i++)
        status = names_events(context, args->events.items[i], &f->events);
    if (status == PARSED && args->groups != NULL)
        status = names_groups(context, args->groups, &f->events);
    return status == PARSED ? condition_parse(context, args->where, &f->where) : status;
}

int chosen_resolve(struct chosen_events *f, struct session *s)
{
    const struct chosen_args *a = f->args;
    uint64_t from = a->from, to = a->to;
    uint32_t object = 0;
    f->trace = s->trace;
    int status = a->mark != NULL ? session_mark(s, a->mark, &from, &to) : names_range(s, from, to);
    if (status == PARSED)
        status = names_method(s, a->class_glob, a->method_glob);
    if (status == PARSED && a->object != NULL)
        status = names_object(s, "--object ", a->object, &object);
    for (size_t i = 0; status == PARSED && i < a->threads.count; i++)
        status = names_threads(s, a->threads.items[i], &f->threads);
    if (status == PARSED)
        status = condition_refuse_unknown(f->where, s);
    f->filter = (struct hs_filter){ .size = sizeof f->filter,
                                    .from = from,
                                    .to = to,
                                    .threads = a->threads.count > 0 ? f->threads.items : NULL,
                                    .thread_count = f->threads.count,
                                    .events = f->events.count > 0 ? f->events.items : NULL,
                                    .event_count = f->events.count,
                                    .class_glob = a->class_glob,
                                    .method_glob = a->method_glob,
                                    .object = object,
                                    .value = a->value,
                                    .text = a->text };
    f->all = from == 0 && to == UINT64_MAX && a->threads.count == 0 && f->events.count == 0 && a->class_glob == NULL &&
             a->method_glob == NULL && object == 0 && a->value == NULL && a->text == NULL && a->where == NULL;
    return status;
}

int chosen_open(const struct chosen_events *f, struct context *context, hs_cursor **cursor)
{
    struct hs_error error = HS_ERROR_INIT;
    struct hs_filter filter = f->filter;
    filter.where = f->where;
    if (hs_events_open(f->trace, &filter, cursor, &error) == 0)
        return PARSED;
    return cli_fail(error.code == HS_ERR_USAGE ? EXIT_USAGE : EXIT_FAILED, context, "%s", error.text);
}

bool chosen_thread(const struct hs_filter *f, uint32_t thread)
{
    for (size_t i = 0; f->threads != NULL && i < f->thread_count; i++)
        if (f->threads[i] == thread)
            return true;
    return f->threads == NULL;
}

void chosen_done(struct chosen_events *f)
{
    vec_free(&f->threads);
    hs_condition_free(f->where);
}
