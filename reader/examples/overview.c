/* overview.c - what is in a trace? Read without changing anything in its directory.   overview TRACE [CLASS-GLOB] */
#include "reader/examples/example.h"

static int print_counts(hs_trace *trace, struct hs_error *error)
{
    uint64_t total = 0;
    uint32_t used = 0, lambdas = 0;
    uint64_t *counts = calloc((size_t)hs_dataid_count(trace) + 1, sizeof *counts);
    if (counts == NULL || hs_count_dataids(trace, counts, NULL, error) != 0) {
        free(counts);
        return -1;
    }
    for (uint32_t i = 0; i < hs_dataid_count(trace); i++) {
        total += counts[i];
        used += counts[i] > 0;
        lambdas += hs_lambda_body(trace, i) != NULL;
    }
    (void)printf("%" PRIu64 " events at %" PRIu32 " of %" PRIu32 " locations\n", total, used, hs_dataid_count(trace));
    (void)printf("%" PRIu32 " locations make lambdas\n", lambdas);
    free(counts);
    return 0;
}

static int print_classes(hs_trace *trace, const char *glob, struct hs_error *error)
{
    hs_cursor *classes;
    const struct hs_class *c;
    if (hs_classes_open(trace, &classes, error) != 0)
        return -1;
    while (hs_class_next(classes, &c, NULL) > 0) {
        uint32_t getters = 0;
        if (!hs_class_matches(glob, c->name))
            continue;
        for (uint32_t i = 0; i < c->method_count; i++)
            getters += hs_method_matches("get*", c->methods[i]->name, c->methods[i]->desc);
        print_name(c->name);
        (void)printf(": %" PRIu32 " methods, %" PRIu32 " getters", c->method_count, getters);
        if (hs_class_object(trace, c) != 0)
            (void)printf(", is object %" PRIu32, hs_class_object(trace, c));
        (void)printf("\n");
    }
    hs_cursor_close(classes);
    return 0;
}

static int print_types(hs_trace *trace, struct hs_error *error)
{
    hs_cursor *types;
    const struct hs_type *type;
    size_t arrays = 0;
    if (hs_types_open(trace, &types, error) != 0)
        return -1;
    while (hs_type_next(types, &type, NULL) > 0)
        arrays += hs_class_matches("*[]", type->name);
    hs_cursor_close(types);
    (void)printf("%zu types, %zu of arrays\n", hs_type_count(trace), arrays);
    return 0;
}

/* The last event, by a step back from the end. */
static int print_end(hs_trace *trace, struct hs_error *error)
{
    hs_cursor *events;
    const struct hs_event *e;
    if (hs_events_open(trace, NULL, &events, error) != 0)
        return -1;
    int more = hs_cursor_seek(events, HS_NO_SEQ, error) == 0 ? hs_event_previous(events, &e, error) : -1;
    if (more > 0) {
        uint64_t ns = e->time_ns != HS_NO_TIME ? e->time_ns : hs_clock_ns(trace, e->stamp);
        (void)printf("the last event is %" PRIu64, e->seq);
        if (ns != HS_NO_TIME)
            (void)printf(" at %.3f s", (double)ns / 1e9);
        (void)printf("\n");
    }
    hs_cursor_close(events);
    return more < 0 ? -1 : 0;
}

static void print_storage(hs_trace *trace)
{
    const char *kind;
    uint64_t bytes;
    for (size_t i = 0; hs_storage(trace, i, &kind, &bytes); i++)
        (void)printf("%12" PRIu64 " bytes of %s\n", bytes, kind);
}

static int print_all(hs_trace *trace, const char *glob, struct hs_error *error)
{
    const char *format = hs_info(trace, "format");
    const struct hs_index_info *index = hs_index_info(trace);
    print_name(hs_dir(trace));
    (void)printf(": format %s, %" PRIu64 " bytes, %zu threads, %zu classes, index of %" PRIu64 " of %" PRIu64
                 " chunks\n",
                 format != NULL ? format : "?", hs_disk_bytes(trace), hs_thread_count(trace), hs_class_count(trace),
                 index->indexed, index->chunks);
    print_storage(trace);
    if (print_counts(trace, error) != 0)
        return -1;
    if (print_classes(trace, glob, error) != 0)
        return -1;
    if (print_types(trace, error) != 0)
        return -1;
    return hs_event_count(trace) > 0 ? print_end(trace, error) : 0;
}

int main(int argc, char **argv)
{
    struct hs_error error = HS_ERROR_INIT;
    struct hs_open_options options = HS_OPEN_OPTIONS_INIT;
    hs_trace *trace;
    options.no_index = true; /* questions read all chunks instead */
    if (argc < 2) {
        (void)fprintf(stderr, "usage: overview TRACE [CLASS-GLOB]\n");
        return 2;
    }
    (void)printf("hindsight-reader %s%s\n", hs_version(),
                 hs_version_number() == HS_VERSION_NUMBER ? "" : ", other than its header");
    if (hs_sizeof("hs_event") < sizeof(struct hs_event))
        return 2;
    if (hs_open(argv[1], HS_OPEN_READONLY, &options, &trace, &error) != 0) {
        (void)fprintf(stderr, "%s: %s\n", hs_status_text((int)error.code), error.text);
        return 1;
    }
    int failed = print_all(trace, argc > 2 ? argv[2] : NULL, &error);
    for (uint64_t seq = hs_next_start(trace, 0); seq != HS_NO_SEQ; seq = hs_next_start(trace, seq))
        (void)printf("started again at %" PRIu64 "\n", seq);
    if (hs_damage(trace) != NULL)
        (void)printf("damaged: %s\n", hs_damage(trace));
    hs_close(trace);
    return failed != 0 ? fail(&error) : 0;
}
