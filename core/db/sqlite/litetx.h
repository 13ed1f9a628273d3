/* litetx.h - transactions of SQLite. */
#ifndef CORE_DB_LITETX_H
#define CORE_DB_LITETX_H

#include "db/sqlite/liteconn.h"

enum db_error litetx_begin(struct db *, enum db_mode);
enum db_error litetx_commit(struct db *);
enum db_error litetx_rollback(struct db *);
enum db_error litetx_savepoint(struct db *);
enum db_error litetx_release(struct db *);
enum db_error litetx_rollback_to(struct db *);
bool litetx_is_open(const struct db *);
uint64_t litetx_written(const struct db *);
bool litetx_alone(struct db *);
/* Returns SQLite's data_version, which changes when another connection has committed: that of the
 * open transaction, or the current one. -1: it cannot be read. */
int64_t litetx_data_version(struct db *);

#endif
