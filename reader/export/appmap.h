/* appmap.h - the format appmap in three parts: calls (appmap.c), the tree of packages, classes and functions that they
 * belong to (appmap_classes.c), and which calls are requests (appmap_requests.c). Format:
 * https://github.com/getappmap/appmap (README: AppMap data specification). */
#ifndef READER_EXPORT_APPMAP_H
#define READER_EXPORT_APPMAP_H

#include "formats/json.h"
#include "formats/map.h"
#include "formats/vec.h"
#include "reader/trace.h"

/* ---- functions ---- */

/* A method that was called. Its name, path, line and whether it is static are how events find it. */
struct appmap_function {
    const struct hs_class *class;
    const struct hs_method *method;
    char *path;   /* of its source, package/File.java */
    int32_t line; /* of its METHOD_ENTRY, -1 unknown */
    bool is_static;
    bool twin; /* another one has the same name, path and line: it stands in the tree without them */
};
struct appmap_position {
    uint64_t key; /* method id + 1 */
    size_t position;
};
struct appmap_functions {
    hs_trace *trace;
    VEC(struct appmap_function) list;
    MAP(struct appmap_position) find;
};
/* The function of a method, added when it is new; until the next call. NULL: the trace does not have it, or memory is
 * out, which `*room` then says. */
const struct appmap_function *appmap_function(struct appmap_functions *f, uint32_t method_id, bool *room);
/* Writes the member "classMap". Changes the order of the list: call no other function but appmap_functions_done. */
void appmap_class_map(struct appmap_functions *f, struct json *j);
void appmap_functions_done(struct appmap_functions *f);

/* ---- requests ---- */

/* A call of the method of --per: the events of its thread from its METHOD_ENTRY to its exit. */
struct appmap_request {
    uint32_t thread, method_id;
    uint64_t from, to;
};
struct appmap_requests {
    VEC(struct appmap_request) list; /* by `from` */
    bool more;                       /* there are others behind them */
    /* ---- while they are found ---- */
    char *class_glob; /* until the dot before the method */
    const char *method_glob;
    bool any_class;
    MAP(struct appmap_position) open; /* the latest request of each thread: its position in the list */
    size_t open_count;
};
struct export_job;
/* The first `most` requests. False: it failed. appmap_requests_done in any case. */
bool appmap_requests_read(struct export_job *x, uint64_t most, struct appmap_requests *r);
void appmap_requests_done(struct appmap_requests *r);

#endif
