/*
 * load.h - a mixed load of clients, of which it is known when each write was begun and
 * acknowledged, as places in the record (record.h); and what a site has lost of it after a cut.
 */
#ifndef T_POWER_LOAD_H
#define T_POWER_LOAD_H

#include "http/remote.h"
#include "reader.h"

struct load;

/* Prepare the site of a daemon that does not run: its plugin, a collection, a user. */
struct load *load_new(struct daemon *);
void load_free(struct load *);
/* Runs this many writes, by several clients at once, on a running daemon; adds marks to the
 * record. */
void load_run(struct load *, struct daemon *, const char *record, size_t writes, uint64_t seed);
/* Find the marks in the record. */
void load_place(struct load *, const struct reader *);
/* The place after the acknowledgement that a number chooses. */
size_t load_acknowledged(const struct load *, uint64_t number);
/* How many writes were acknowledged before a cut. */
size_t load_count(const struct load *, size_t cut);
/* How many things a running daemon has lost of what was acknowledged before a cut, or has half; the
 * first of them in why. */
size_t load_lost(struct load *, struct daemon *, size_t cut, char *why, size_t size);

#endif
