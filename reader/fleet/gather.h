/* gather.h - the tables of all runs in one database, of which a question sees one set of runs from begin to end.
 *
 *     tables/PART/catalogue.db, runs/ID/catalogue.db, as far as they are new -> rows_NAME of a cache of this user
 *         -> the views runs, builds, calls ...
 *
 * The cache is $XDG_CACHE_HOME/hindsight/fleet-HASH.db, one for each fleet; a catalogue is read again when its size or
 * time has changed. Where there can be none, or others hold it for long, the database is in memory. */
#ifndef READER_FLEET_GATHER_H
#define READER_FLEET_GATHER_H

#include <sqlite3.h>

#include "reader/command/cli.h"
#include "reader/fleet/place.h"

struct gathered {
    sqlite3 *db;
    oddities odd; /* runs that cannot be read, and what is none */
};
/* Names what is bad on standard error. gather_close in any case. */
enum status gather_open(struct gathered *g, struct context *context, struct place *p, struct error *err);
void gather_close(struct gathered *g);
/* What distinguishes two catalogues of one run: size and time. */
enum { STAMP_CHARS = 64 };
void stamp_of(const struct stored_run *run, char out[STAMP_CHARS]);
/* The runs that the views do not have, as a later push of the same recording by the same user is there. In the order
 * of their names. */
enum status gather_replaced(const struct gathered *g, run_ids *out, struct error *err);

#endif
