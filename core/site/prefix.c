/*
 * prefix.c - names of a plugin's tables begin with its name and an underscore. That keeps plugins
 * apart only if no plugin's prefix begins another's: "shop" has the tables shop_*, so "shop-cart"
 * cannot have shop_cart_*. Checked when a plugin is enabled.
 */
#include "site/prefix.h"
#include "call/call.h"
#include "db/catalogue.h"
#include "db/own.h"
#include "module/module.h"
#include <string.h>

static bool
is_bundled(const char *name)
{
	const struct loaded *l = modules_find(name);

	return l != NULL && l->bundled;
}

/* Checks the names of all plugins that were ever enabled here, since their tables remain. */
static enum stet_status
check_plugins(struct stet_call *call, const char *name)
{
	const char *other = NULL;
	struct stet_rows rows;

	STET_TRY(stet_query(call, &rows,
	    "SELECT module FROM module_state WHERE installed_at IS NOT NULL", STET_NO_ARGS));
	while (other == NULL && stet_row(&rows)) {
		const char *module = stet_col_str(&rows, 0);

		if (strcmp(module, name) != 0 && !is_bundled(module) && own_overlap(name, module))
			other = stet_col_dup(&rows, 0);
	}
	STET_TRY(stet_rows_end(&rows));
	if (other == NULL)
		return STET_OK;
	return stet_fail(call, STET_CONFLICT, NULL,
	    "The plugin %s cannot be enabled beside the plugin %s, which this site has had: the names of"
	    " their tables would begin alike",
	    name, other);
}

/* Fails if a table with the plugin's prefix exists before its first migration: it belongs to
 * another plugin. */
static enum stet_status
check_tables(struct stet_call *call, const char *name)
{
	const char *other = NULL;
	struct stet_rows rows;
	bool has_run;

	/* Prefixes of collection tables (c_*), which may not exist yet, and of SQLite. */
	if (strcmp(name, "c") == 0 || strcmp(name, "sqlite") == 0)
		return stet_fail(call, STET_CONFLICT, NULL,
		    "The plugin %s cannot be enabled: tables of stet begin with \"%s_\"", name,
		    name);
	STET_TRY(
	    stet_query(call, &rows, "SELECT 1 FROM migration WHERE module = ?1", STET_ARGS(name)));
	has_run = stet_row(&rows);
	STET_TRY(stet_rows_end(&rows));
	if (has_run)
		return STET_OK;
	STET_TRY(db_tables_like(call, &rows, "%"));
	while (other == NULL && stet_row(&rows))
		if (own_name(name, stet_col_str(&rows, 0)))
			other = stet_col_dup(&rows, 0);
	STET_TRY(stet_rows_end(&rows));
	if (other == NULL)
		return STET_OK;
	return stet_fail(call, STET_CONFLICT, NULL,
	    "The plugin %s cannot be enabled: the table %s is not its own, and begins with its name",
	    name, other);
}

enum stet_status
prefix_check(struct stet_call *call, const struct loaded *l)
{
	if (l->bundled)
		return STET_OK;
	STET_TRY(check_plugins(call, l->m.name));
	return check_tables(call, l->m.name);
}
