/* stamp.h - the state of a database, as data (db/stamp.h). */
#ifndef CORE_CALL_STAMP_H
#define CORE_CALL_STAMP_H

#include <stdint.h>

/* The head of the log's index (SQLite's WalIndexHdr). */
struct stamp {
	uint32_t word[12];
};

#endif
