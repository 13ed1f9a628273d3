/* sqliterow.c - a module's rows of extensions of SQLite: checked, and added to connections. */
#include "module/sqliterow.h"
#include "base/log.h"
#include "db/sqlite/extension.h"

const char *
sqliterow_check(const struct stet_module *m, uint32_t i)
{
	struct stet_sqlite_extension row;

	stet_table_row(&m->sqlite_extensions, i, &row, sizeof(row));
	return row.open == NULL ? "an extension of SQLite of it lacks open" : NULL;
}

void
sqliterow_add(const struct stet_module *m)
{
	const struct stet_sqlite_extension *row = m->sqlite_extensions.row;

	for (uint32_t i = 0; i < m->sqlite_extensions.count; i++)
		if (!extension_add(&row[i]))
			log_line(STET_ERROR, "module %s: there are %d extensions of SQLite already",
			    m->name, STET_SQLITE_EXTENSIONS_MAX);
}
