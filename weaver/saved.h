/* saved.h - woven classes as bytes, to be used again in other runs and with other data IDs.
 *
 *     head (SAVED_HEAD_BYTES)   magic | WEAVER_HASH | le4 groups | le4 flags | le8 bytes behind the head
 *                               | key of the original | key of the woven class | XXH128 of what is behind the head
 *     behind it                 original | woven class | hook calls | class row | data ID rows | places of data IDs
 *
 * A saved class stands for weave_class: the same rows, and the same bytes as with config->relocatable. Its head says
 * for which weaver and which configuration, and it has the original, which the user compares: a key only finds it.
 * Anything else is refused, and the class is woven. A checksum does not protect against someone who may write the
 * file: the user checks whose file it is. */
#ifndef WEAVER_SAVED_H
#define WEAVER_SAVED_H

#include "weaver/weave.h"

enum { SAVED_KEY_BYTES = 16, SAVED_HEAD_BYTES = 104 };
#define SAVED_SUFFIX ".woven" /* of files that hold one saved class after the other */

struct saved_key {
    uint8_t bytes[SAVED_KEY_BYTES];
};
struct saved_head {
    group_set groups;
    uint32_t flags; /* the other members of weave_config that decide */
    uint64_t size;  /* behind the head */
    struct saved_key original, woven, checksum;
};

struct saved_key saved_key_of(const void *data, size_t size);
/* Under which name the class is kept for this configuration: hexadecimal digits. */
void saved_name(const struct weave_config *config, const void *original, size_t size,
                char out[2 * SAVED_KEY_BYTES + 1]);

/* A method lost groups, for which the constants of its data IDs took the room: woven without them it may keep them. */
bool saved_is_reduced(const struct weave_result *r);
/* Appends what weave_class made with config->relocatable. False: nothing was woven, or `w` is bad. */
bool saved_encode(const struct weave_config *config, const void *original, size_t size, const struct weave_result *r,
                  struct writer *w);
/* `data` has SAVED_HEAD_BYTES. ERR_FORMAT: it is no head, or from another weaver. */
enum status saved_head_decode(const void *data, struct saved_head *head, struct error *err);
/* True if this configuration gives the same classes, except for few_constants with `any_constants`. */
bool saved_fits(const struct saved_head *head, const struct weave_config *config, bool any_constants);

/* The saved class in `data`, with data IDs from config->first_dataid. `out` takes the memory of `data` in every case;
 * call weave_result_done. `original` and `woven`, as it was saved, point into it. */
enum status saved_decode(const struct weave_config *config, struct writer *data, struct weave_result *out,
                         struct text *original, struct text *woven, struct error *err);

#endif
