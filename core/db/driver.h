/*
 * driver.h - what the core needs of a database engine, as one table of functions (adr/0084). The
 * files of core/db above the drivers name no engine; each driver has a folder of its own, or is
 * brought by a module.
 *
 * A driver allocates connections and statements: structures of its own that begin with struct db
 * and struct stmt (stmt.h), whose members it fills where this is said. All functions of a
 * connection are called by the thread that uses it.
 */
#ifndef CORE_DB_DRIVER_H
#define CORE_DB_DRIVER_H

#include "db/ask.h"
#include "db/db.h"
#include "db/error.h"
#include <jansson.h>

struct buf;
struct db_carrier;
struct stamp;
struct stet_val;
struct stmt;

/* What all processes that use a database have in common beside its rows. */
struct db_common {
	int64_t generation; /* raised whenever modules or their settings change */
	/* Until then (`clock`) nobody may write but who has closed the site; 0: it is open. */
	int64_t closed;
};

struct db_driver {
	/* Begins the places of its databases, such as "postgresql:"; "" for paths of files. */
	const char *scheme;
	/* Processes on several machines may use the same database at the same time. */
	bool shared;
	/* A statement of many rows costs less than many statements (later.h), and what nobody waits
	 * for less than an answer (db_hopeful). */
	bool gathers;
	/* An expression of SQL: milliseconds since 1970 by the clock of the database, which all
	 * that use it have in common. */
	const char *clock;

	/* ---- the process; NULL: nothing to do ---- */

	void (*init)(void); /* once, before the first connection */
	/* The daemon's writers start and have ended: between the two, the driver may leave work to
	 * threads of its own. */
	void (*start)(void);
	void (*stop)(void);

	/* ---- connections ---- */

	size_t size; /* of its structure; db_open allocates it and sets driver, path and mode */
	/* A writer makes a database that is not there. On false, which it logs, `close` follows;
	 * db->damaged says that the file is none of the engine's. */
	bool (*open)(struct db *);
	void (*close)(struct db *); /* does not free the structure */
	void (*erase)(const char *place); /* removes a database, be it in use; NULL: cannot */
	bool (*alive)(struct db *); /* can be read, and is as a writer leaves it */
	/* NULL: nothing to do. */
	void (*release_memory)(struct db *);
	void (*set_cache)(struct db *, int kib);
	void (*overwrite)(struct db *, bool all);
	/* From now on, what was committed may be lost if the machine fails; what is left is whole.
	 */
	void (*relax)(struct db *);
	/* The last error of this connection in words, with the engine's code. Valid until the next
	 * call. */
	const char *(*message)(struct db *);

	/* ---- statements ---- */

	/* Prepares a statement, with `len` bytes of text, which it copies; fills sql, alters
	 * and writes, and sets the other members to 0. stmt.c caches it. Refuses what db->plugin,
	 * if set, may not do. */
	enum db_error (*get)(struct db *, const char *sql, size_t len, struct stmt **);
	void (*drop)(struct stmt *);
	/* Starts it with these values, which stay valid until `put`. */
	enum db_error (*send)(struct stmt *, const struct stet_val *, size_t n);
	int (*parameters)(const struct stmt *); /* how many values it takes */
	enum db_error (*row)(struct stmt *); /* DB_OK: there is one */
	/* Runs a change to its end with these values, which may go then. Rows that it returns are
	 * dropped. DB_OK, or its error. */
	enum db_error (*run)(struct stmt *, const struct stet_val *, size_t n);
	void (*put)(struct stmt *); /* ends its run */
	/* Rows that the last `run` changed. Asked for only where a call wants to know. */
	int64_t (*affected)(struct db *);
	/* Copies the row, whose columns can be read until the call ends. Fills driver and copied.
	 */
	struct stmt *(*keep)(struct stet_call *, struct stmt *);
	/* For tests: appends the plan of a statement, in indented lines. NULL: none. */
	void (*plan)(struct db *, const char *sql, struct buf *);

	/* ---- columns of a row, valid until the next one; `len` may be NULL ---- */

	bool (*is_null)(const struct stmt *, int column);
	int64_t (*integer)(const struct stmt *, int column);
	double (*real)(const struct stmt *, int column);
	const char *(*text)(const struct stmt *, int column, size_t *len);
	const void *(*blob)(const struct stmt *, int column, size_t *len);

	/* ---- transactions ---- */

	enum db_error (*begin)(struct db *, enum db_mode);
	/* Begins to read, and tells the state that the transaction shows. NULL: reading the state
	 * before `begin` costs less. */
	enum db_error (*begin_read)(struct db *, struct stamp *);
	enum db_error (*commit)(struct db *);
	enum db_error (*rollback)(struct db *);
	enum db_error (*savepoint)(struct db *); /* one level */
	enum db_error (*release)(struct db *);
	enum db_error (*rollback_to)(struct db *);
	bool (*in_transaction)(const struct db *); /* false also after the engine rolled back */
	uint64_t (*written)(const struct db *); /* see db_written */
	/* A write transaction has just begun: nobody else has written since this connection has
	 * committed the last one. False where the engine cannot tell. */
	bool (*alone)(struct db *);

	/* ---- the state of the database ---- */

	bool (*state_read)(struct db *, struct stamp *); /* see stamp_read */

	/* ---- databases that several processes use (`shared`); NULL: others ---- */

	/* What they have in common, as a state shows it. */
	void (*common)(const struct stamp *, struct db_common *);
	/* A write transaction has just begun: the state that it has found. */
	bool (*locked)(struct db *, struct stamp *);
	/* In a write transaction: raises `generation`; closes the site for so many milliseconds,
	 * or opens it (0). */
	enum db_error (*renew)(struct db *);
	enum db_error (*shut)(struct db *, int64_t ms);
	/* Of connections in mode DB_ASIDE: tells others with such a connection that something was
	 * committed; the descriptor on which it arrives that one of them has told this, -1 if the
	 * connection is lost; takes what has arrived. Returns true if somebody has told this, or
	 * may have. A process may miss some, and has to ask for the state now and then. */
	enum db_error (*ring)(struct db *);
	int (*socket)(struct db *);
	bool (*heard)(struct db *);

	/* Makes an index while others read and write its table; NULL: the engine makes it in a
	 * transaction. On a connection in mode DB_ASIDE that serves nothing else: begins to drop
	 * what has the name, which is quoted, and to run the statement. Tells whether that is over,
	 * and how it ended. */
	enum db_error (*index_begin)(struct db *, const char *name, const char *sql);
	enum db_error (*index_end)(struct db *, bool *over);

	/* ---- the catalogue ---- */

	/* Runs several statements. On error *why is set, which the caller frees. */
	enum db_error (*script)(struct db *, const char *sql, char **why);
	/* Queries. One row for a table of the name ?1; the names of tables that are LIKE ?1; name,
	 * table and the statement that makes it of each index of tables LIKE ?1 that a statement
	 * has made. A backslash escapes wildcards. */
	const char *table_exists, *tables_like, *index_names;
	/* Before and after a parameter, which is a JSON array of texts: a query of one column that
	 * returns them. */
	const char *texts, *texts_end;

	/* ---- upkeep of connections that write; NULL: nothing to do ---- */

	void (*tend)(struct db *); /* after a batch */
	/* The site has been idle: finishes what waits. False: work goes on; ask again later. */
	bool (*rest)(struct db *);
	void (*idle)(struct db *); /* the same, at once and in this thread */
	/* The last write is done: leaves the database as one file. */
	void (*settle)(struct db *);
	uint64_t (*log_size)(const char *place); /* bytes that `settle` would move; 0: none */

	/* ---- a database that is not open (ask.h) ---- */

	enum db_there (*there)(const char *place);
	bool (*ask)(const char *place, const char *sql, int columns,
	    void (*fn)(void *arg, const char *const *column), void *arg,
	    char **why); /* as db_ask; NULL: on a connection */
	/* Looks for damage, as `stet verify` does: adds texts to lists of damage, of rows that
	 * refer to none, and of what else is to be said. */
	void (*check)(const char *place, json_t *damage, json_t *references, json_t *notes);

	/* ---- copies of whole databases (carry.h); NULL: it makes none ---- */

	const struct db_carrier *carrier;
	/* ---- what administrators ask; NULL: nothing to say ---- */

	/* See db_describe. */
	json_t *(*describe)(const char *place, char **why);
};

#define DB_DRIVERS_MAX 4

/* Adds a driver, which lives as long as the process. Main thread only, before a site of its scheme
 * is opened and before db_start. Its `init` is called by db_global_init, unless that was before.
 * Returns false if there are DB_DRIVERS_MAX already. */
bool db_driver_add(const struct db_driver *);
/* Returns the driver with the longest scheme that begins the place; NULL: there is none. */
const struct db_driver *db_driver_of(const char *place);
/* Returns the drivers one after the other, then NULL. */
const struct db_driver *db_driver_at(size_t);

#define DB_DRIVER_ADD(driver)                                       \
	__attribute__((constructor)) static void driver##_add(void) \
	{                                                           \
		(void)db_driver_add(&(driver));                     \
	}

#endif
