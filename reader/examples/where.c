/* where.c - of which events, calls and objects is a condition true?   where TRACE CONDITION */
#include "reader/examples/example.h"

static int print_events(hs_trace *trace, hs_condition *condition, struct hs_error *error)
{
    struct hs_filter filter = HS_FILTER_ALL;
    const struct hs_event *event;
    hs_cursor *events;
    uint64_t unknown = 0;
    int more;
    filter.where = condition;
    if (hs_events_open(trace, &filter, &events, error) != 0)
        return -1;
    while ((more = hs_event_next(events, &event, error)) > 0)
        (void)printf("event %" PRIu64 "\n", event->seq);
    hs_cursor_close(events);
    if (more < 0 || hs_events_open(trace, NULL, &events, error) != 0)
        return -1;
    while ((more = hs_event_next(events, &event, error)) > 0)
        unknown += hs_condition_event(condition, trace, event) == HS_UNKNOWN;
    hs_cursor_close(events);
    (void)printf("unknown %" PRIu64 "\n", unknown);
    return more;
}

static int print_calls(hs_trace *trace, hs_condition *condition, struct hs_error *error)
{
    struct hs_tree_options options = HS_TREE_OPTIONS_INIT;
    const struct hs_call *call;
    hs_cursor *calls;
    int more;
    options.fold = HS_FOLD_NONE;
    if (hs_tree_open(trace, &options, &calls, error) != 0)
        return -1;
    while ((more = hs_call_next(calls, &call, error)) > 0)
        if (hs_condition_call(condition, trace, options.thread, call) == HS_TRUE)
            (void)printf("call %" PRIu64 "\n", call->seq);
    hs_cursor_close(calls);
    return more;
}

static int print_objects(hs_trace *trace, hs_condition *condition, struct hs_error *error)
{
    const struct hs_object *object;
    hs_cursor *objects;
    int more;
    if (hs_objects_open(trace, &objects, error) != 0)
        return -1;
    while ((more = hs_object_next(objects, &object, error)) > 0) {
        const uint32_t id = object->id;
        bool old = false;
        if (hs_condition_object(condition, trace, id, HS_NO_SEQ, &old) == HS_TRUE)
            (void)printf("object %" PRIu32 "%s\n", id, old ? " (may have changed)" : "");
    }
    hs_cursor_close(objects);
    return more;
}

static void print_names(hs_trace *trace, const hs_condition *condition)
{
    const struct hs_condition_name *name;
    for (uint32_t i = 0; (name = hs_condition_name_get(condition, i)) != NULL; i++) {
        uint32_t dataids = 0;
        for (uint32_t id = 0; id < hs_dataid_count(trace); id++)
            dataids += hs_event_may_have(trace, id, name->name);
        (void)printf("name %s: %s, in events of %" PRIu32 " data IDs\n", name->name, name->seen ? "seen" : "not seen",
                     dataids);
    }
}

int main(int argc, char **argv)
{
    struct hs_error error = HS_ERROR_INIT;
    hs_trace *trace = open_trace(argc, argv, 2, "where TRACE CONDITION");
    hs_condition *condition;
    if (hs_condition_parse(argv[2], &condition, &error) != 0)
        return fail(&error);
    int failed = print_events(trace, condition, &error);
    if (failed == 0)
        failed = print_calls(trace, condition, &error);
    if (failed == 0)
        failed = print_objects(trace, condition, &error);
    print_names(trace, condition);
    hs_condition_free(condition);
    hs_close(trace);
    return failed != 0 ? fail(&error) : 0;
}
