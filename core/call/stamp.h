/*
 * stamp.h - the state of a database, as data. Two equal stamps mean that nothing was committed
 * between them (db/stamp.h).
 */
#ifndef CORE_CALL_STAMP_H
#define CORE_CALL_STAMP_H

#include <stdint.h>

/* The head of the index of the WAL (SQLite's WalIndexHdr). */
struct stamp {
	uint32_t word[12];
};

#endif
