/* loss_text.h - what was lost, in words. A header of this folder. */
#ifndef READER_QUERY_LOSS_TEXT_H
#define READER_QUERY_LOSS_TEXT_H

#include "formats/jvm/loss.h"

enum { LOSS_TEXT_ROOM = 96 };
/* "imul wrapped", "l2i lost 3 bits", ... */
void loss_text(unsigned op, const struct loss *loss, char out[LOSS_TEXT_ROOM]);
/* The exact result in decimal. */
void loss_exact_text(const struct loss *loss, char out[LOSS_TEXT_ROOM]);

#endif
