/* mutf8.h - the text encodings of the JVM, to UTF-8.
 *
 * Names in class files are Modified UTF-8 (JVMS 4.4.7): U+0000 is c0 80, characters above U+FFFF are two surrogates of
 * three bytes each. Strings are recorded as the JVM holds them, Latin-1 or UTF-16. An unpaired surrogate, which Java
 * allows anywhere, becomes its three bytes ed a0..bf xx (WTF-8), so that nothing is lost; JSON shows it as \udXXX.
 *
 * All append to `out`; out of memory sets its `bad`. */
#ifndef FORMATS_MUTF8_H
#define FORMATS_MUTF8_H

#include <stdbool.h>
#include <stddef.h>

#include "formats/bytes.h"

/* Is it the same in UTF-8 and Modified UTF-8 because it holds ASCII only (no NUL)? */
bool mutf8_is_ascii(const void *s, size_t n);
/* False if a sequence is malformed; U+FFFD replaces it. */
bool mutf8_to_utf8(const void *s, size_t n, struct writer *out);
/* Is it that text? Appends nothing; false also without memory. */
bool mutf8_is(const void *s, size_t n, const char *utf8);
void latin1_to_utf8(const void *s, size_t n, struct writer *out);
/* `n` bytes, little-endian. An odd last byte becomes U+FFFD. */
void utf16le_to_utf8(const void *s, size_t n, struct writer *out);
/* Of a name or text of the reader, WTF-8 in which U+0000 has two bytes. False if U+FFFD replaces a lone surrogate or
 * what is malformed. */
bool names_to_utf8(const void *s, size_t n, struct writer *out);
/* Is it UTF-8 without lone surrogates and without ASCII controls? */
bool utf8_is_text(const void *s, size_t n);
/* One character of more than one byte in UTF-8 or WTF-8; its length, 0 if malformed. */
size_t utf8_char(const uint8_t *s, size_t n, uint32_t *c);

#endif
