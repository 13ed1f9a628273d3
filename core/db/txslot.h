/*
 * txslot.h - what modules cache with a write transaction (stet_tx_slot). A set of tables is a word
 * with a bit for the hash of each name: two names may share a bit, so a value may be forgotten
 * without need, but never kept for too long.
 */
#ifndef CORE_DB_TXSLOT_H
#define CORE_DB_TXSLOT_H

#include <stddef.h>
#include <stdint.h>

struct db;

#define TXSLOT_ALL UINT64_MAX

/* The bit of a table. Upper and lower case are the same. */
uint64_t txslot_bit(const char *table, size_t len);
/* These tables are being written, or (TXSLOT_ALL) a part of the transaction is undone. */
void txslot_wrote(struct db *, uint64_t tables);
/* A write transaction has begun: forgets all slots, unless they are as the last one has committed
 * them and nobody else has written since. */
void txslot_begin(struct db *);
/* Forgets all slots, and frees their memory. */
void txslot_end(struct db *);

#endif
