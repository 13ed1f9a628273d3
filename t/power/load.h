/*
 * load.h - a mixed load of several clients. For each write it is known when it was begun and when
 * it was acknowledged, as places in the record (record.h). Checks what a site has lost after a cut.
 */
#ifndef T_POWER_LOAD_H
#define T_POWER_LOAD_H

#include "http/remote.h"
#include "reader.h"

struct load;

/* Prepares the site of a stopped daemon: its plugin, a collection, a user. */
struct load *load_new(struct daemon *);
void load_free(struct load *);
/* Runs this many writes, by several clients at once, on a running daemon; adds marks to the
 * record. */
void load_run(struct load *, struct daemon *, const char *record, size_t writes, uint64_t seed);
/* Finds the marks in the record. */
void load_place(struct load *, const struct reader *);
/* Returns the place in the record after the acknowledgement with this number. */
size_t load_acknowledged(const struct load *, uint64_t number);
/* Returns how many writes were acknowledged before a cut. */
size_t load_count(const struct load *, size_t cut);
/* Returns how many things with a write acknowledged before a cut a running daemon has lost, or has
 * in part. The first of them is described in `why`. */
size_t load_lost(struct load *, struct daemon *, size_t cut, char *why, size_t size);

#endif
