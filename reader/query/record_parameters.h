/* record_parameters.h - components of a record whose writes are not recorded (weave= without FIELD), from the
 * parameters of its constructor. */
#ifndef READER_RECORD_PARAMETERS_H
#define READER_RECORD_PARAMETERS_H

#include "reader/code/method.h"

/* The call of the constructor that made a record. */
struct record_maker {
    struct method *constructor; /* NULL: it is not known */
    struct hs_event entry;
};
/* `first` is the first event of the record. */
struct record_maker record_maker_of(hs_trace *t, const struct hs_event *first);
/* The METHOD_PARAM that the constructor stored into the component, unchanged. False: it is not known. */
bool record_parameter(hs_trace *t, const struct record_maker *m, const char *component, struct hs_event *out);

#endif
