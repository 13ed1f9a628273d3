/* columnrow.c - validates a module's rows about columns of its tables: the names must be
 * identifiers. */
#include "module/columnrow.h"

static bool
is_name(const char *name)
{
	return name != NULL && stet_is_name(name);
}

const char *
columnrow_check_file(const struct stet_module *m, uint32_t i)
{
	struct stet_file_column row;

	stet_table_row(&m->files, i, &row, sizeof(row));
	if (!is_name(row.table) || !is_name(row.key) || (row.size != NULL && !is_name(row.size)) ||
	    (row.sha256 != NULL && !is_name(row.sha256)))
		return "a column of its files has no table, or a bad name";
	return NULL;
}

const char *
columnrow_check_sealed(const struct stet_module *m, uint32_t i)
{
	struct stet_sealed_column row;

	stet_table_row(&m->sealed, i, &row, sizeof(row));
	if (!is_name(row.table) || !is_name(row.column) || !is_name(row.key))
		return "a sealed column of it lacks a name, or has a bad one";
	return NULL;
}
