/*
 * fallback.c - the argument localeFallback: of each translation group, a list shows the item in the
 * wanted locale, or else in the first of the site's locales that the group has. Only items that the
 * list's status allows count, so a draft hides no item from readers without drafts.
 */
#include "read/read.h"
#include <string.h>

void
fallback_filter(struct stet_call *call, const char *locale, const char *status, struct filter *f)
{
	const char *const *locales = stet_locales(call);
	size_t count = 0;
	struct cond *c;

	while (locales[count] != NULL)
		count++;
	c = filter_new(call, f, "", "id", COND_FALLBACK, count + 2);
	c->value[0] = stet_val_str(status);
	c->value[1] = stet_val_str(locale);
	c->count = 2;
	for (size_t i = 0; i < count; i++)
		if (strcmp(locales[i], locale) != 0)
			c->value[c->count++] = stet_val_str(locales[i]);
}

/* Adds "(CASE x.locale WHEN ?1 THEN 0 … ELSE 9 END, x.locale)": the rank of a locale. */
static void
put_place(struct stet_sql *sql, struct stet_call *call, const struct cond *c, const char *prefix,
    const char *table)
{
	stet_sql_add(sql, "(CASE ");
	stet_sql_ident(sql, prefix, table);
	stet_sql_add(sql, ".locale");
	for (size_t i = 1; i < c->count; i++) {
		stet_sql_add(sql, " WHEN ");
		stet_sql_bind(sql, c->value[i]);
		stet_sql_add(sql, stet_printf(call, " THEN %zu", i));
	}
	stet_sql_add(sql, stet_printf(call, " ELSE %zu END, ", c->count));
	stet_sql_ident(sql, prefix, table);
	stet_sql_add(sql, ".locale)");
}

void
fallback_put(
    struct stet_sql *sql, struct stet_call *call, const struct cond *c, const char *collection)
{
	stet_sql_add(sql, " AND NOT EXISTS (SELECT 1 FROM ");
	stet_sql_ident(sql, STET_ITEM_TABLE, collection);
	stet_sql_add(sql, " AS nearer WHERE nearer.translation_group = ");
	stet_sql_ident(sql, STET_ITEM_TABLE, collection);
	stet_sql_add(sql, ".translation_group AND " STET_UNINDEXED("nearer.deleted_at") " IS NULL");
	if (c->value[0].type != STET_V_NULL) {
		stet_sql_add(sql, " AND " STET_UNINDEXED("nearer.status") " = ");
		stet_sql_bind(sql, c->value[0]);
	}
	stet_sql_add(sql, " AND ");
	put_place(sql, call, c, "", "nearer");
	stet_sql_add(sql, " < ");
	put_place(sql, call, c, STET_ITEM_TABLE, collection);
	stet_sql_add(sql, ")");
}
