/* parquet_encode.h - the encodings of Parquet's pages.
 * https://parquet.apache.org/docs/file-format/data-pages/encodings/ */
#ifndef READER_EXPORT_PARQUET_ENCODE_H
#define READER_EXPORT_PARQUET_ENCODE_H

#include "formats/bytes.h"

/* Definition levels of an optional column: 1 where a value is present; with their length in front. */
void encode_levels(struct writer *w, const uint8_t *present, size_t rows, bool all);
/* DELTA_BINARY_PACKED. Differences wrap around, so any 64-bit integers will do. */
void encode_deltas(struct writer *w, const int64_t *values, size_t n);
/* RLE_DICTIONARY: the width in front. Whole bytes are taken for an index, which zstd compresses better than bits. */
void encode_indexes(struct writer *w, const uint32_t *indexes, size_t n, uint32_t count);
/* PLAIN booleans: bits, the lowest first. */
void encode_bits(struct writer *w, const int64_t *values, size_t n);

#endif
