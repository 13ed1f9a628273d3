/* includerow.c - validates a module's row of includes: its name and how it is read. */
#include "module/includerow.h"
#include <string.h>

#define INCLUDE_NAME_MAX 32
#define LETTERS "abcdefghijklmnopqrstuvwxyz"

/* A small letter, then letters, digits, "_" and "-". */
static bool
is_good(const char *name)
{
	size_t len = strspn(name, LETTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-");

	return *name != '\0' && strchr(LETTERS, *name) != NULL && name[len] == '\0' &&
	       len <= INCLUDE_NAME_MAX;
}

const char *
includerow_check(const struct stet_module *m, uint32_t i)
{
	struct stet_include row, other;

	stet_table_row(&m->includes, i, &row, sizeof(row));
	if (row.name == NULL || !is_good(row.name))
		return "an include of it has a bad name";
	if (row.read == NULL || row.about == NULL)
		return "an include of it lacks read or about";
	for (uint32_t k = 0; k < i; k++) {
		stet_table_row(&m->includes, k, &other, sizeof(other));
		if (strcmp(other.name, row.name) == 0)
			return "it has two includes of one name";
	}
	return NULL;
}
