/* get_message.h - executes the getMessage that a woven class has, over the fields that the trace has. */
#ifndef READER_GET_MESSAGE_H
#define READER_GET_MESSAGE_H

#include "reader/trace/open_trace.h"

struct get_message {
    hs_trace *trace;
    uint32_t id;        /* of the exception */
    uint64_t seq;       /* the moment whose fields count */
    const char *detail; /* what getMessage of Throwable gives; NULL: null */
    struct arena *to;   /* where the text goes */
};
/* True: getMessage gives `*out`; NULL is null. False: it does something that is not known
 * here, or reads what the trace does not have. */
bool get_message(const struct get_message *g, const char **out);

#endif
