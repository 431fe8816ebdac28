/* target_weaver.h - what an input of the weaver's target stands for, also for replay.c, which writes the classes. */
#ifndef TEST_FUZZ_TARGET_WEAVER_H
#define TEST_FUZZ_TARGET_WEAVER_H

#include "weaver/weave.h"

enum { WEAVER_INPUT_HEAD = 3 }; /* bytes before the class file */

/* Weaves the class as the head of the input says. `size` is at least WEAVER_INPUT_HEAD. */
enum status weaver_input(const uint8_t *data, size_t size, struct weave_result *out, struct error *err);

#endif
