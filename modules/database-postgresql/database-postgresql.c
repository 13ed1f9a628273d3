/*
 * database-postgresql.c - a driver of databases: sites whose `database` begins with "postgresql:"
 * (core/adr/0085). Its functions are those of core/db/driver.h.
 */
#include "pgcare.h"
#include "pgcarry.h"
#include "pgcheck.h"
#include "pgcode.h"
#include "pgconn.h"
#include "pgfacts.h"
#include "pgindex.h"
#include "pgring.h"
#include "pgsite.h"
#include "pgstmt.h"
#include "pgtx.h"
#include <stet/driver.h>
#include <stet/module.h>

static const struct db_driver postgresql = {
	.scheme = "postgresql:",
	.shared = true,
	.gathers = true,
	.clock = PGSITE_NOW,

	.size = sizeof(struct pg_db),
	.open = pgconn_open,
	.close = pgcare_close,
	.alive = pgconn_alive,
	.message = pgcode_message,

	.get = pgstmt_get,
	.drop = pgstmt_drop,
	.send = pgstmt_send,
	.parameters = pgstmt_parameters,
	.row = pgstmt_row,
	.run = pgstmt_run,
	.put = pgstmt_put,
	.affected = pgstmt_affected,
	.keep = pgstmt_keep,

	.is_null = pgstmt_is_null,
	.integer = pgstmt_integer,
	.real = pgstmt_real,
	.text = pgstmt_text,
	.blob = pgstmt_blob,

	.begin = pgtx_begin,
	.begin_read = pgtx_begin_read,
	.commit = pgtx_commit,
	.rollback = pgtx_rollback,
	.savepoint = pgtx_savepoint,
	.release = pgtx_release,
	.rollback_to = pgtx_rollback_to,
	.in_transaction = pgtx_is_open,
	.written = pgtx_written,
	.alone = pgtx_alone,

	.state_read = pgconn_state,

	.common = pgconn_common,
	.locked = pgtx_locked,
	.renew = pgtx_renew,
	.shut = pgtx_shut,
	.ring = pgring_ring,
	.socket = pgring_socket,
	.heard = pgring_heard,

	.index_begin = pgindex_begin,
	.index_end = pgindex_end,

	.script = pgstmt_script,
	.texts = "SELECT jsonb_array_elements_text(CAST(CAST(",
	.texts_end = " AS text) AS jsonb))",
	/* The driver's own tables are none of the site. */
	.table_exists = "SELECT 1 FROM pg_catalog.pg_tables WHERE schemaname = current_schema()"
			" AND tablename = ?1",
	.tables_like = "SELECT tablename FROM pg_catalog.pg_tables"
		       " WHERE schemaname = current_schema() AND tablename LIKE ?1 ESCAPE '\\'"
		       " AND tablename NOT IN ('site_state', 'site_ddl')",
	.index_names = "SELECT indexname, tablename, indexdef FROM pg_catalog.pg_indexes"
		       " WHERE schemaname = current_schema() AND tablename LIKE ?1 ESCAPE '\\'"
		       " AND indexname NOT IN (SELECT conname FROM pg_catalog.pg_constraint)",

	.there = pgcheck_there,
	.check = pgcheck_all,
	.carrier = &pgcarry,
	.describe = pgfacts_describe,
	.tend = pgcare_tend,
	.rest = pgcare_rest,
};

static const struct stet_database_driver drivers[] = { { .name = "postgresql",
    .functions = &postgresql } };

STET_MODULE(database_postgresql) = { STET_MODULE_HEAD_AS("database-postgresql"), .version = "1",
	.summary = "Sites in a PostgreSQL database", .license = "MIT",
	.database_drivers = STET_TABLE(drivers) };
