/*
 * index.h - indexes of large tables, which are made while others read and write these. A CREATE
 * INDEX in the write lane holds up all writers of the site for as long as it takes. That is how
 * SQLite makes indexes; other engines can do it beside the writers.
 *
 * Until the index is there, no statement may rely on it, and a UNIQUE one keeps nobody from writing
 * a value twice. So a module notes in rows which indexes are being made, and a job of it makes
 * them: what was interrupted is begun anew, whatever was left of it.
 */
#ifndef STET_INDEX_H
#define STET_INDEX_H

#include <stet/sql.h>

struct stet_index;

/* Returns true if the engine of the site makes indexes beside its writers. */
STET_API bool stet_index_apart(struct stet_call *);
/* Begins to drop what has this name (as stet_sql_ident writes it), and to run the statement
 * afterwards, "CREATE INDEX CONCURRENTLY name ...". For jobs, where stet_index_apart is true. */
STET_API STET_MUST enum stet_status stet_index_begin(
    struct stet_call *, const char *name, const char *sql, struct stet_index **out);
/* Returns DECLINED, without an error, while it goes on: ask again later. Otherwise *at is NULL
 * then. CONFLICT: rows share a key of a UNIQUE index. UNAVAILABLE and REQUEST_TIMEOUT: it was
 * interrupted, so begin again; a change of the table's definition interrupts it, too. */
STET_API STET_MUST enum stet_status stet_index_end(struct stet_call *, struct stet_index **at);
/* Gives it up; NULL: nothing. */
STET_API void stet_index_drop(struct stet_index *);

#endif
