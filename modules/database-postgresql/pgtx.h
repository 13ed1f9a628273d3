/* pgtx.h - transactions. */
#ifndef PGTX_H
#define PGTX_H

#include "pgconn.h"

enum db_error pgtx_begin(struct db *, enum db_mode);
enum db_error pgtx_begin_read(struct db *, struct stamp *);
enum db_error pgtx_commit(struct db *);
enum db_error pgtx_rollback(struct db *);
enum db_error pgtx_savepoint(struct db *);
enum db_error pgtx_release(struct db *);
enum db_error pgtx_rollback_to(struct db *);
bool pgtx_is_open(const struct db *);
uint64_t pgtx_written(const struct db *);
bool pgtx_alone(struct db *);
bool pgtx_locked(struct db *, struct stamp *);
enum db_error pgtx_renew(struct db *);
enum db_error pgtx_shut(struct db *, int64_t ms);

#endif
