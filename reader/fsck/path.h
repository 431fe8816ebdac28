/* path.h - executes the original code of a frame from its last event to the next one. */
#ifndef READER_FSCK_PATH_H
#define READER_FSCK_PATH_H

#include "reader/fsck/frames.h"

/* Moves the frame to the event; a violation if its code cannot give that. */
void path_follow(struct now *n, struct fframe *fr);

#endif
