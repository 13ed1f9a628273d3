/* checkrow.c - validates a module's row of checks: its name, function and time. */
#include "module/checkrow.h"
#include <string.h>

#define CHECK_NAME_MAX 64

static bool
is_name(const char *name)
{
	size_t len = name != NULL ? strlen(name) : 0;

	return len > 0 && len <= CHECK_NAME_MAX && name[0] >= 'a' && name[0] <= 'z' &&
	       strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_-") == len;
}

const char *
checkrow_check(const struct stet_module *m, uint32_t i)
{
	struct stet_check row, other;

	stet_table_row(&m->checks, i, &row, sizeof(row));
	if (!is_name(row.name))
		return "a check of it has a bad name";
	if (row.run == NULL)
		return "a check of it has no function";
	if (row.seconds > STET_CHECK_SECONDS_MAX)
		return "a check of it takes too long";
	for (uint32_t k = 0; k < i; k++) {
		stet_table_row(&m->checks, k, &other, sizeof(other));
		if (strcmp(row.name, other.name) == 0)
			return "it has two checks of one name";
	}
	return NULL;
}
