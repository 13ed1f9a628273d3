/* slug.c - the slugs that items get here. */
#include "item/slug.h"
#include "read/text.h"
#include "state/map.h"

static enum stet_status
find_existing(struct stet_call *call, const char *collection, const char *slug, const char *locale,
    const char **id)
{
	struct stet_sql *sql = stet_sql_new(call);
	struct stet_rows rows;

	stet_sql_add(sql, "SELECT id FROM ");
	stet_sql_ident(sql, STET_ITEM_TABLE, collection);
	stet_sql_add(sql, " WHERE slug = ");
	stet_sql_bind(sql, stet_val_str(slug));
	stet_sql_add(sql, " AND locale = ");
	stet_sql_bind(sql, stet_val_str(locale));
	STET_TRY(stet_sql_query(sql, &rows));
	*id = stet_row(&rows) ? stet_col_dup(&rows, 0) : NULL;
	return stet_rows_end(&rows);
}

/*
 * Two items of an export may have one slug (pages below different parents). The second one gets a
 * number, the same in each run, so that a repeated import finds its item again.
 */
enum stet_status
slug_claim(struct stet_call *call, struct stet_tx *tx, const struct run *run,
    const struct import_item *entry, const char **slug)
{
	const char *base = *slug, *known;
	const char *place =
	    stet_printf(call, "%s" MAP_SEP "%s" MAP_SEP, entry->collection, entry->locale);
	const char *key = stet_printf(call, "%s%s", place, base);
	long long n;

	STET_TRY(map_get(call, run, MAP_SLUG, key, &known));
	if (known == NULL)
		return map_put(call, tx, run, MAP_SLUG, key, "1");
	for (n = json_integer_value(map_json(call, known)) + 1; known != NULL; n++) {
		*slug = stet_printf(call, "%s-%lld", base, n);
		STET_TRY(
		    map_get(call, run, MAP_SLUG, stet_printf(call, "%s%s", place, *slug), &known));
	}
	STET_TRY(map_put(call, tx, run, MAP_SLUG, stet_printf(call, "%s%s", place, *slug), "1"));
	return map_put(call, tx, run, MAP_SLUG, key, stet_printf(call, "%lld", n - 1));
}

enum stet_status
slug_free(struct stet_call *call, const struct import_item *entry, const char **slug)
{
	struct stet_sql *rows = stet_sql_new(call);

	stet_sql_ident(rows, STET_ITEM_TABLE, entry->collection);
	stet_sql_add(rows, " WHERE locale = ?2 AND slug = ");
	return stet_free_name(call, *slug, 2, stet_sql_text(rows), STET_ARGS(entry->locale), slug);
}

enum stet_status
slug_choose(struct stet_call *call, struct stet_tx *tx, const struct run *run,
    const struct import_item *entry, const char **slug, const char **id)
{
	*id = NULL;
	*slug = text_cut(call, *slug, SLUG_LENGTH);
	if (!run->skip_existing)
		return slug_free(call, entry, slug);
	STET_TRY(slug_claim(call, tx, run, entry, slug));
	return find_existing(call, entry->collection, *slug, entry->locale, id);
}
