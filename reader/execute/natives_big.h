/* natives_big.h - what the files for BigInteger and BigDecimal share; see decimal.h. */
#ifndef READER_NATIVES_BIG_H
#define READER_NATIVES_BIG_H

#include "reader/execute/decimal.h"

bool big_made_number(struct machine *m, bool integer, const struct decimal *d, struct jvalue *out);
/* The precision and rounding mode of a MathContext. */
bool big_context(struct machine *m, struct jvalue v, int64_t *precision, const char **mode);

#endif
