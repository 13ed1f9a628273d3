/*
 * carry.h - copies a whole database into a new one, whatever the engines of the two: the tables
 * that modules have made, with all rows, in one snapshot. What an engine needs for this is a table
 * of functions, too (db_driver.carrier). They work on connections of their own, since they read and
 * write in ways that statements of calls do not.
 *
 * Tables that an engine derives from others (full-text tables) are left out: modules make them
 * again.
 */
#ifndef CORE_DB_CARRY_H
#define CORE_DB_CARRY_H

#include "base/pace.h"
#include <stet/sql.h>

struct carry_table {
	char *name;
	char **column; /* in the engine's order */
	size_t columns;
};
struct carry_tables {
	struct carry_table *table;
	size_t count;
};
/* Adds a table, or a column to the last one. */
void carry_add_table(struct carry_tables *, const char *name);
void carry_add_column(struct carry_tables *, const char *name);
void carry_free_tables(struct carry_tables *);

/* One of the two databases. The structures of engines begin with it. */
struct carry_end {
	const struct db_carrier *carrier;
	char *place;
	bool replace; /* see struct carry */
	char *why; /* the first error in words; NULL: none */
	char *kept; /* see struct carry */
};

/* Functions return false after an error, with end->why set by carry_fail. */
struct db_carrier {
	size_t size; /* of its structure, which is zeroed; the members above are set */
	bool (*open)(struct carry_end *); /* to read: shows one snapshot until `close` */
	bool (*make)(struct carry_end *); /* to write: nothing may be there yet */
	/* Undoes all that was made and not kept. */
	void (*close)(struct carry_end *);

	/* Calls the function with each statement that makes a table or an index, as a module would
	 * write it, and after those that it refers to. */
	bool (*definitions)(struct carry_end *, bool (*)(void *, const char *sql), void *);
	bool (*tables)(struct carry_end *, struct carry_tables *);
	/* Begins to read rows; each row has so many values, valid until the next one. *more false:
	 * there are no more. */
	bool (*read)(struct carry_end *, const struct carry_table *);
	bool (*row)(struct carry_end *, struct stet_val *, bool *more);
	bool (*count)(struct carry_end *, const struct carry_table *, uint64_t *rows);

	bool (*define)(struct carry_end *, const char *sql);
	/* All tables are defined. Puts off what would slow down the writing of rows. */
	bool (*defined)(struct carry_end *);
	/* Begins to write rows, writes one, and ends a table. */
	bool (*write)(struct carry_end *, const struct carry_table *);
	bool (*put)(struct carry_end *, const struct stet_val *);
	bool (*wrote)(struct carry_end *);
	/* Runs a statement that changes rows. */
	bool (*change)(struct carry_end *, const char *sql);
	/* Makes up for what was put off: all but the last step is done then. */
	bool (*finish)(struct carry_end *);
	bool (*keep)(struct carry_end *); /* the last step */
};

/* Notes the first error of a database. Returns false. */
bool carry_fail(struct carry_end *, const char *fmt, ...) STET_FMT(2, 3);

struct carry {
	const char *from, *to; /* places, as db_open takes them */
	/* What is there already is kept under another name: a schema of PostgreSQL. A file must not
	 * be there. */
	bool replace;
	bool (*leave)(const char *table); /* whose rows are not copied; NULL: none */
	/* A statement that changes the copy after rows were compared; NULL: none. carry_free frees
	 * it. */
	char *change;
	struct pace pace;
	/* May be NULL. */
	void (*progress)(void *arg, const char *what, uint64_t done, uint64_t all);
	void *arg;
	/* Results. */
	uint64_t tables, rows;
	char *kept; /* the other name; NULL: nothing was there */
	struct carry_end *made; /* the new database */
};
/* Copies all, and compares the number and the digests of rows. Returns false with *why, to be
 * freed.
 */
bool carry_begin(struct carry *, char **why);
/* Lets others see the new database. Returns false with *why, to be freed, if it cannot be kept. */
bool carry_keep(struct carry *, char **why);
/* Both. */
bool carry_run(struct carry *, char **why);
/* Leaves nothing of a new database that was not kept. */
void carry_free(struct carry *);

#endif
