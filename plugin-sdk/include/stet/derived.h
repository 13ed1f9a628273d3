/*
 * derived.h - data that a module derives from a site's database and can make again: a search index.
 *
 * On SQLite it lies in the site's database, and changes in the transactions of the site. Other
 * engines may not have what it needs (FTS5), and each daemon would write the same. There it is
 * apart: in DATA/index.db, an SQLite file of this daemon, which the module brings up to date from
 * what it notes in the site's database. Statements about derived data go through the functions
 * here, which work on both. A file that is lost, damaged, or of another schema is made anew, empty.
 *
 * A call reads derived data in one transaction, and the site in another: the first may be older or
 * newer.
 */
#ifndef STET_DERIVED_H
#define STET_DERIVED_H

#include <stet/sql.h>

struct stet_derived;

/* In `open` of a module: derived data of this site is apart, or *out is NULL. `schema`, which has
 * to live as long as the module, makes the tables; a file that was made by another text is not
 * used. Only one module of a site can have derived data. */
STET_API STET_MUST enum stet_status stet_derived_open(
    struct stet_call *, const char *schema, struct stet_derived **out);
/* In `close`. */
STET_API void stet_derived_close(struct stet_derived *);
/* Returns true if derived data is apart. */
STET_API bool stet_derived_apart(struct stet_call *);

/* Like stet_query, stet_one, stet_sql_query and stet_table_exists, for derived data. */
STET_API STET_MUST enum stet_status stet_derived_query(
    struct stet_call *, struct stet_rows *, const char *sql, const struct stet_val *, size_t);
STET_API STET_MUST enum stet_status stet_derived_one(struct stet_call *, struct stet_rows *,
    enum stet_status none, const char *sql, const struct stet_val *, size_t);
STET_API STET_MUST enum stet_status stet_derived_sql_query(struct stet_sql *, struct stet_rows *);
STET_API STET_MUST enum stet_status stet_derived_table_exists(
    struct stet_call *, const char *table, bool *out);

/*
 * Runs fn in a transaction of derived data that is apart. stet_exec with its `tx` changes that, and
 * stet_query reads the site. Outside of the read lane, what fn reads of the site is at least as new
 * as all derived data that is committed. Other calls wait meanwhile: DECLINED, without an error, if
 * one has not begun to write after wait_ms (-1: however long it takes).
 *
 * In the write lane nothing is committed: the call sees what fn has written until it ends or calls
 * this again, and then all of that is undone, since its own changes of the site may be.
 */
STET_API STET_MUST enum stet_status stet_derived_write(struct stet_call *, int64_t wait_ms,
    enum stet_status (*fn)(struct stet_call *, struct stet_tx *, void *), void *arg);
/* The derived data does not show the state of the site's database: the response must not be kept
 * for others. */
STET_API void stet_derived_behind(struct stet_call *);
/* So many changes of the site's database are not shown by derived data that is apart: for metrics,
 * and for administrators. To be called whenever that is known. */
STET_API void stet_derived_lag(struct stet_call *, int64_t changes);

#endif
