/* chunk_columns.c - memory of the columns of a chunk, see chunk.h. */
#include <stdlib.h>

#include "formats/chunk.h"

bool chunk_columns_init(struct chunk_columns *c, bool timed)
{
    const size_t room = CHUNK_EVENTS_MAX + CHUNK_ROOM;
    *c = (struct chunk_columns){ .ids = malloc(room * sizeof *c->ids),
                                 .values = malloc(room * sizeof *c->values),
                                 .stamps = malloc(room * sizeof *c->stamps),
                                 .times = timed ? malloc(room * sizeof *c->times) : NULL };
    return c->ids != NULL && c->values != NULL && c->stamps != NULL && (c->times != NULL || !timed);
}

void chunk_columns_free(struct chunk_columns *c)
{
    free(c->ids);
    free(c->values);
    free(c->stamps);
    free(c->times);
    *c = (struct chunk_columns){ 0 };
}
