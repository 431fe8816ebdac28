/* wanted.h - a value to search for, as users type it: in the forms of `hindsight print`, and in similar ones. One text
 * may mean values of several kinds (7: an int or a double; t: the character or true).
 *
 *     42  -7  0x2a        integers; hexadecimal ones also as the bits of a negative value (0xffffffff is the int -1)
 *     1.5  NaN  -Infinity floats and doubles; an integer is one too
 *     true  false  t  f   booleans
 *     null                the null reference
 *     'x'  x  '\n'  'x' (120)      characters, which print shows with their code
 *     "text"  "begin"...  strings: the whole one, or how it begins; escapes as in JSON
 *     "text"#12           that very string
 *     Type#12  #12        an object; what print shows behind it may follow
 *     110.00  2026-01-02  HALF_UP  RoundingMode.HALF_UP    an object by what it stands for, as print shows it; a number
 *                         is also that in a box */
#ifndef READER_WANTED_H
#define READER_WANTED_H

#include "reader/expression/expression.h"
#include "reader/index/index.h"

struct wanted {
    bool integer, bits, real, boolean, null, character, string, object; /* what it may be */
    struct shown_value shown;                                           /* as it was read; owned */
    uint16_t unit;                                                      /* character */
    bool truth;                                                         /* boolean */
    struct writer units; /* string: its UTF-16 units, little-endian; owned */
    const char *text;    /* what an object stands for; NULL: none is meant by that */
};

/* ERR_USAGE, with the accepted forms, if the text has none of them. The text must live as long as `w`. */
enum status wanted_parse(struct wanted *w, const char *text, struct error *err);
void wanted_done(struct wanted *w);
/* The bits of an integer of this kind. */
static inline uint64_t wanted_mask(uint8_t kind)
{
    switch (kind) {
    case KIND_BYTE: return UINT8_MAX;
    case KIND_SHORT:
    case KIND_CHAR: return UINT16_MAX;
    case KIND_LONG: return UINT64_MAX;
    default: return UINT32_MAX;
    }
}
/* Can a value of this kind (a letter's KIND_*) be it? */
bool wanted_possible(const struct wanted *w, uint8_t kind);
/* Can one of these values of a segment be it? Of references it is known only whether one is null: the text of an object
 * may be `stood_for` in a segment. */
bool wanted_among(const struct wanted *w, uint8_t kind, const struct segment_values *values);
/* Can an object be it that stands for one of these: numbers of a kind, or (KIND_REF) texts of these forms? */
bool wanted_stood_for(const struct wanted *w, uint8_t kind, const struct segment_values *values);
bool wanted_is(const struct wanted *w, hs_trace *t, uint8_t kind, uint64_t value);

#endif
