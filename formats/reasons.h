/* reasons.h - reasons of rows (method_row.reason) that the weaver writes and the reader looks for. */
#ifndef FORMATS_REASONS_H
#define FORMATS_REASONS_H

#define REASON_FOLDED "trivial (fold=trivial)"

#endif
