/* pgtx.h - transactions. */
#ifndef PGTX_H
#define PGTX_H

#include "pgconn.h"

enum db_error pgtx_begin(struct db *, enum db_mode);
enum db_error pgtx_commit(struct db *);
enum db_error pgtx_rollback(struct db *);
enum db_error pgtx_savepoint(struct db *);
enum db_error pgtx_release(struct db *);
enum db_error pgtx_rollback_to(struct db *);
/* The connection was lost. If it was in a read transaction of which nothing was read, begins that
 * again on a new one, and returns true. */
bool pgtx_restart(struct pg_db *);
bool pgtx_is_open(const struct db *);
uint64_t pgtx_written(const struct db *);

#endif
