/* dap_handles.c - the frames and variables that a client holds, by number; see dap.h. */
#include "reader/serve/dap.h"

void dap_forget(struct dap *d) { d->frames.count = d->handles.count = d->targets.count = 0; }

bool dap_frame_get(struct dap *d, int64_t id, struct dap_frame *out)
{
    if (id < 1 || (uint64_t)id > d->frames.count)
        return false;
    *out = d->frames.items[id - 1];
    return true;
}

int64_t dap_frame_id(struct dap *d, uint32_t thread, size_t frame)
{
    for (size_t i = 0; i < d->frames.count; i++)
        if (d->frames.items[i].thread == thread && d->frames.items[i].frame == frame)
            return (int64_t)i + 1;
    struct dap_frame *to = vec_push(&d->frames);
    if (to == NULL)
        return 0;
    *to = (struct dap_frame){ thread, frame };
    return (int64_t)d->frames.count;
}

int64_t dap_handle_of(struct dap *d, struct dap_handle handle)
{
    struct dap_handle *to = vec_push(&d->handles);
    if (to == NULL)
        return 0;
    *to = handle;
    return (int64_t)d->handles.count;
}

bool dap_handle_get(struct dap *d, int64_t id, struct dap_handle *out)
{
    if (id < 1 || (uint64_t)id > d->handles.count)
        return false;
    *out = d->handles.items[id - 1];
    return true;
}
