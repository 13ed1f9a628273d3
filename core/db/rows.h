/* rows.h - queries and changes of calls. */
#ifndef CORE_DB_ROWS_H
#define CORE_DB_ROWS_H

#include "db/db.h"

/* Sets the time in milliseconds from which statements are logged as slow; 0: none. */
void rows_log_slow(int64_t ms);
/* Closes the statements that this call has left open. */
void rows_end_statements(struct stet_call *);
/* The same, and ends the read transaction that the call began. */
void rows_end_call(struct stet_call *);
/* Begins the read transaction of the call if it has none. */
enum stet_status rows_begin_read(struct stet_call *);

/* stet_query and stet_one on another connection (derived.c); NULL: that of the call. */
STET_MUST enum stet_status rows_query(struct stet_call *, struct db *, struct stet_rows *,
    const char *sql, const struct stet_val *, size_t);
STET_MUST enum stet_status rows_one(struct stet_call *, struct db *, struct stet_rows *,
    enum stet_status none, const char *sql, const struct stet_val *, size_t);
/* Closes the statements of this connection that the call has left open. */
void rows_end_of(struct stet_call *, const struct db *);

/* Returns true if names count as free without a question: db_hopeful. */
bool rows_hopeful(const struct stet_call *);
/* One was not, so the transaction is lost, and its jobs run again. */
bool rows_hoped_in_vain(const struct stet_call *);
/* Returns the plugin whose code runs in the call, which may change only its own tables; NULL:
 * none. */
const char *rows_plugin(const struct stet_call *);

#endif
