/* derived.c - tables that modules make from others. */
#include "module/derived.h"
#include "base/buf.h"
#include "db/own.h"
#include "module/module.h"
#include <string.h>

#define TABLES_MAX 256

const char *
derived_flaw(const struct stet_module *m)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789_";
	size_t i = 0;

	for (; m->derived != NULL && m->derived[i] != NULL; i++)
		if (i == TABLES_MAX || m->derived[i][strspn(m->derived[i], letters)] != '\0' ||
		    !own_name(m->name, m->derived[i]))
			return "it names a derived table that is not its own";
	return NULL;
}

/* Who is there and does what now: nothing of that is true elsewhere, or later. */
static const char *const passing[] = { "site_node", "site_lease", "site_wake", "site_failure",
	"site_lack", "site_backup", "site_beacon" };

bool
derived_table(const char *name)
{
	for (size_t i = 0; i < sizeof(passing) / sizeof(passing[0]); i++)
		if (strcmp(passing[i], name) == 0)
			return true;
	for (size_t i = 0; i < modules_count(); i++) {
		const char *const *at = modules_at(i)->m.derived;

		for (; at != NULL && *at != NULL; at++)
			if (strcmp(*at, name) == 0)
				return true;
	}
	return false;
}

char *
derived_absence(void)
{
	struct buf sql = { 0 };

	for (size_t i = 0; i < modules_count(); i++) {
		const struct loaded *l = modules_at(i);

		if (l->m.derived == NULL || l->m.derived[0] == NULL)
			continue;
		/* All times are later than this one. */
		buf_printf(&sql, "%s'%s'",
		    sql.len > 0 ? ", "
				: "UPDATE module_state SET absences = absences + 1, missed_from ="
				  " '0000-01-01T00:00:00.000Z' WHERE module IN (",
		    l->m.name);
	}
	if (sql.len > 0)
		buf_char(&sql, ')');
	return sql.data;
}
