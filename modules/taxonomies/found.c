/* found.c - finds terms by id for other modules, each in the nearest locale. */
#include "taxonomies.h"
#include <string.h>

/* Selects all rows of the terms, each with the id by which the caller named it. */
static void
put_query(struct stet_sql *sql, const struct stet_val *ids, size_t count)
{
	stet_sql_add(sql,
	    "SELECT t.translation_group, t.taxonomy, t.slug, t.label, t.locale FROM term AS t"
	    " WHERE t.translation_group IN ");
	stet_sql_list(sql, ids, count);
	stet_sql_add(sql, TERM_LIVES);
	stet_sql_add(sql,
	    " UNION ALL SELECT o.id, t.taxonomy, t.slug, t.label, t.locale FROM term AS o"
	    " CROSS JOIN term AS t WHERE t.translation_group = o.translation_group AND o.id IN ");
	stet_sql_list(sql, ids, count);
	stet_sql_add(sql, TERM_LIVES);
}

static int
distance(struct stet_call *call, const char *locale, const char *wanted)
{
	if (strcmp(locale, wanted) == 0)
		return 0;
	return strcmp(locale, stet_locales(call)[0]) == 0 ? 1 : 2;
}

/* Keeps the row with the nearest locale; of equally near rows the one with the lowest locale. */
static void
take(struct stet_rows *rows, const char *wanted, struct stet_term_found *f)
{
	const char *locale = stet_col_str(rows, 4);

	if (f->locale != NULL) {
		int now = distance(rows->call, locale, wanted),
		    was = distance(rows->call, f->locale, wanted);

		if (now > was || (now == was && strcmp(locale, f->locale) >= 0))
			return;
	}
	*f = (struct stet_term_found){ stet_col_dup(rows, 1), stet_col_dup(rows, 2),
		stet_col_dup(rows, 3), stet_col_dup(rows, 4) };
}

static enum stet_status
read_some(struct stet_call *call, const char *const *ids, size_t count, const char *locale,
    struct stet_term_found *found)
{
	struct stet_sql *sql = stet_sql_new(call);
	struct stet_val v[LIST_MAX];
	struct stet_rows rows;

	for (size_t i = 0; i < count; i++)
		v[i] = stet_val_str(ids[i]);
	put_query(sql, v, count);
	STET_TRY(stet_sql_query(sql, &rows));
	while (stet_row(&rows))
		for (size_t i = 0; i < count; i++)
			if (strcmp(ids[i], stet_col_str(&rows, 0)) == 0)
				take(&rows, locale, &found[i]);
	return stet_rows_end(&rows);
}

enum stet_status
terms_found(struct stet_call *call, const char *const *ids, size_t count, const char *locale,
    struct stet_table *out)
{
	struct stet_term_found *found = stet_alloc(call, (count + 1) * sizeof(*found));

	*out = (struct stet_table){ found, (uint32_t)count, sizeof(*found) };
	for (size_t i = 0; i < count; i += LIST_MAX)
		STET_TRY(read_some(
		    call, ids + i, count - i < LIST_MAX ? count - i : LIST_MAX, locale, found + i));
	return STET_OK;
}

enum stet_status
terms_by_slug(struct stet_call *call, const char *taxonomy, const char *slug, const char *locale,
    const char **id, const char **group)
{
	struct stet_rows rows;

	*id = *group = NULL;
	STET_TRY(stet_query(call, &rows,
	    "SELECT t.id, t.translation_group FROM term AS t WHERE t.taxonomy = ?1 AND t.slug = ?2"
	    " AND t.locale = ?3" TERM_LIVES,
	    STET_ARGS(taxonomy, slug, locale)));
	if (stet_row(&rows)) {
		*id = stet_col_dup(&rows, 0);
		*group = stet_col_dup(&rows, 1);
	}
	return stet_rows_end(&rows);
}
