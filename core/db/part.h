/* part.h - what db/ keeps with a call. */
#ifndef CORE_DB_PART_H
#define CORE_DB_PART_H

#include "call/part.h"
#include "call/stamp.h"
#include <stdbool.h>
#include <stdint.h>

struct db;
struct ends;
struct stmt;

struct db_part {
	struct db *db; /* the connection of the current thread; NULL: none yet */
	struct stmt *open; /* open statements of this call (stmt.h) */
	struct ends *ends; /* of the transaction, while call->writing */
	int64_t changes; /* rows that the last statement changed */
	/* The call reads or writes the database of derived data (derived.c) on this connection;
	 * derived_over ends that with the call. NULL: it does not. */
	struct db *derived;
	void (*derived_over)(struct stet_call *);
	uint64_t derived_file;
	/* It writes it: now, or it sees until its end what will then be undone. */
	enum { DERIVING_NOT, DERIVING_NOW, DERIVING_KEPT } deriving;
	bool wrote; /* something has been changed, be it rolled back */
	bool again; /* a read has failed only because tables changed, or the connection was lost */
	int64_t begin_by; /* clock_monotonic: when its read must have begun; 0: as usual */
	int64_t read_deadline; /* clock_monotonic, while a read handler runs; 0: none */
	/* The state of the database that the call has seen. */
	enum { SEEN_NONE, SEEN_ONE, SEEN_MORE } seen;
	struct stamp stamp;
};

extern struct call_part db_part_id;

static inline struct db_part *
db_part(const struct stet_call *call)
{
	return call_part(call, &db_part_id);
}

#endif
