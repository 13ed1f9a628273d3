/* driver.c - SQLite as a driver: its table. */
#include "db/driver.h"
#include "db/sqlite/checkpoint.h"
#include "db/sqlite/checkpointer.h"
#include "db/sqlite/dbcheck.h"
#include "db/sqlite/litecare.h"
#include "db/sqlite/litecarry.h"
#include "db/sqlite/litecode.h"
#include "db/sqlite/liteconn.h"
#include "db/sqlite/litefacts.h"
#include "db/sqlite/litestate.h"
#include "db/sqlite/litestmt.h"
#include "db/sqlite/litetx.h"

static const struct db_driver sqlite = {
	.scheme = "",
	.clock = "CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)",
	.init = liteconn_init,
	.start = checkpointer_start,
	.stop = checkpointer_stop,

	.size = sizeof(struct sqlite_db),
	.open = liteconn_open,
	.close = liteconn_close,
	.erase = liteconn_erase,
	.release_memory = liteconn_release_memory,
	.alive = liteconn_alive,
	.set_cache = liteconn_set_cache,
	.overwrite = liteconn_overwrite,
	.relax = liteconn_relax,
	.message = litecode_message,

	.get = litestmt_get,
	.drop = litestmt_drop,
	.send = litestmt_send,
	.parameters = litestmt_parameters,
	.row = litestmt_row,
	.run = litestmt_run,
	.put = litestmt_put,
	.affected = litestmt_affected,
	.keep = litestmt_keep,
	.plan = litestmt_plan,

	.is_null = litestmt_is_null,
	.integer = litestmt_integer,
	.real = litestmt_real,
	.text = litestmt_text,
	.blob = litestmt_blob,

	.begin = litetx_begin,
	.commit = litetx_commit,
	.rollback = litetx_rollback,
	.savepoint = litetx_savepoint,
	.release = litetx_release,
	.rollback_to = litetx_rollback_to,
	.in_transaction = litetx_is_open,
	.written = litetx_written,
	.alone = litetx_alone,

	.state_read = litestate_read,

	.script = litestmt_script,
	.table_exists = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?1",
	.tables_like = "SELECT name FROM sqlite_schema WHERE type = 'table'"
		       " AND name LIKE ?1 ESCAPE '\\'",
	.index_names = "SELECT name, tbl_name, sql FROM sqlite_schema WHERE type = 'index'"
		       " AND sql IS NOT NULL AND tbl_name LIKE ?1 ESCAPE '\\'",
	.texts = "SELECT value FROM json_each(",
	.texts_end = ")",

	.tend = litecare_tend,
	.rest = litecare_rest,
	.idle = litecare_idle,
	.settle = litecare_settle,
	.log_size = checkpoint_log_size,

	.there = dbcheck_there,
	.ask = dbcheck_texts,
	.check = dbcheck_all,
	.carrier = &litecarry,
	.describe = litefacts_describe,
};

DB_DRIVER_ADD(sqlite)
