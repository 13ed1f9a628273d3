/* catalogue.c - questions about tables and indexes, in the words of the connection's engine. */
#include "db/catalogue.h"
#include "call/call.h"
#include "call/site.h"
#include "db/driver.h"
#include "db/part.h"
#include "db/rows.h"
#include "db/stmt.h"
#include <stet/sqlite.h>

/* Returns the driver of the call's connection, which is opened if necessary. */
static enum stet_status
driver_of(struct stet_call *call, const struct db_driver **driver)
{
	STET_TRY(rows_begin_read(call));
	*driver = db_part(call)->db->driver;
	return STET_OK;
}

bool
stet_on_sqlite(struct stet_call *call)
{
	const struct db_driver *driver = db_driver_of(call->site->db_place);

	return driver != NULL && *driver->scheme == '\0';
}

enum stet_status
stet_table_exists(struct stet_call *call, const char *table, bool *out)
{
	const struct db_driver *driver;
	struct stet_rows rows;

	STET_TRY(driver_of(call, &driver));
	STET_TRY(stet_query(call, &rows, driver->table_exists, STET_ARGS(table)));
	*out = stet_row(&rows);
	return stet_rows_end(&rows);
}

enum stet_status
db_tables_like(struct stet_call *call, struct stet_rows *rows, const char *pattern)
{
	const struct db_driver *driver;

	STET_TRY(driver_of(call, &driver));
	return stet_query(call, rows, driver->tables_like, STET_ARGS(pattern));
}

enum stet_status
stet_index_names(struct stet_call *call, struct stet_rows *rows, const char *pattern)
{
	const struct db_driver *driver;

	STET_TRY(driver_of(call, &driver));
	return stet_query(call, rows, driver->index_names, STET_ARGS(pattern));
}
