/* compact.c - see formats/compact.h. */
#include "formats/compact.h"

#include "formats/derived.h"
#include "logging/recording/replace_trace.h"

static enum status repack(void *context, uint64_t key, const void *data, size_t size, struct chunk_info *info,
                          struct writer *out, struct error *err)
{
    (void)context;
    (void)key;
    (void)info;
    return derived_is(data, size) ? derived_chunk_repack(data, size, out, err) : chunk_repack(data, size, out, err);
}

enum status compact_trace(const char *trace_dir, compact_step_fn *step, struct compact_result *out, struct error *err)
{
    return replace_trace(
        &(struct trace_copy){
            .trace_dir = trace_dir, .chunk = repack, .small = true, .step = step, .phase = "compact" },
        false, out, err);
}

enum status compact_copy(const char *trace, const char *out_dir, compact_step_fn *step, void *context,
                         struct error *err)
{
    return copy_trace(&(struct trace_copy){ .trace_dir = trace,
                                            .out_dir = out_dir,
                                            .chunk = repack,
                                            .small = true,
                                            .step = step,
                                            .step_context = context,
                                            .phase = "pack" },
                      err);
}
