/*
 * filter.c - filters lists of items by byline: makes an SQL condition.
 *
 * The condition selects what replies show. A credit counts only if the byline has a row in the
 * item's locale. An item with any credit, shown or not, does not get the byline of its author.
 */
#include "bylines.h"
#include <string.h>

#define IDS_MAX 25
#define TEXT_MAX 2000 /* characters */

struct stet_byline_filter {
	bool none, inferred;
	size_t count;
	const char *group[IDS_MAX];
};

/* ---- reading ---- */

static bool
is_listed(const struct stet_byline_filter *f, const char *id)
{
	for (size_t i = 0; i < f->count; i++)
		if (strcmp(f->group[i], id) == 0)
			return true;
	return false;
}

/* Splits ids at commas; keeps each once. */
static bool
split(struct stet_call *call, const char *text, struct stet_byline_filter *f)
{
	for (;; text++) {
		size_t len = strcspn(text, ",");
		const char *id = stet_strndup(call, text, len);

		if (len == 0 || (f->count == IDS_MAX && !is_listed(f, id)))
			return false;
		if (!is_listed(f, id))
			f->group[f->count++] = id;
		text += len;
		if (*text == '\0')
			return true;
	}
}

static void
put_groups(struct stet_sql *sql, const struct stet_byline_filter *f)
{
	for (size_t i = 0; i < f->count; i++) {
		stet_sql_add(sql, i > 0 ? ", " : " IN (");
		stet_sql_bind(sql, stet_val_str(f->group[i]));
	}
	stet_sql_add(sql, ")");
}

/* Replaces the id of a row by its group. An id that is neither a row nor a group matches no
 * item. */
static enum stet_status
find_groups(struct stet_call *call, struct stet_byline_filter *f)
{
	struct stet_sql *sql = stet_sql_new(call);
	struct stet_rows rows;

	stet_sql_add(sql, "SELECT id, translation_group FROM byline WHERE id");
	put_groups(sql, f);
	STET_TRY(stet_sql_query(sql, &rows));
	while (stet_row(&rows))
		for (size_t i = 0; i < f->count; i++)
			if (strcmp(f->group[i], stet_col_str(&rows, 0)) == 0)
				f->group[i] = stet_col_dup(&rows, 1);
	return stet_rows_end(&rows);
}

enum stet_status
filter_read(struct stet_call *call, const char *path, const char *text, bool inferred,
    struct stet_byline_filter **out)
{
	struct stet_byline_filter *f = stet_alloc(call, sizeof(*f));

	*out = f;
	f->inferred = inferred;
	f->none = strcmp(text, "none") == 0;
	if (f->none)
		return STET_OK;
	if (stet_utf8_length(text) > TEXT_MAX || !split(call, text, f)) {
		stet_issue(call, path,
		    "must be \"none\", or up to %d ids of bylines, separated by commas", IDS_MAX);
		return STET_OK;
	}
	return find_groups(call, f);
}

/* ---- SQL ---- */

static void
put_column(struct stet_sql *sql, const char *before, const char *collection, const char *column)
{
	stet_sql_add(sql, before);
	stet_sql_ident(sql, STET_ITEM_TABLE, collection);
	stet_sql_add(sql, column);
}

/* " EXISTS (SELECT … FROM content_byline …": the item has a credit; left open for more
 * conditions. */
static void
put_credit(struct stet_sql *sql, const char *collection)
{
	stet_sql_add(sql, " WHERE c.collection = ");
	stet_sql_bind(sql, stet_val_str(collection));
	put_column(sql, " AND c.entry_id = ", collection, ".id");
}

static void
put_explicit(struct stet_sql *sql, const struct stet_byline_filter *f, const char *collection)
{
	stet_sql_add(sql, "EXISTS (SELECT 1 FROM content_byline AS c JOIN byline AS b"
			  " ON b.translation_group = c.byline_group");
	put_column(sql, " AND b.locale = ", collection, ".locale");
	put_credit(sql, collection);
	if (!f->none) {
		stet_sql_add(sql, " AND c.byline_group");
		put_groups(sql, f);
	}
	stet_sql_add(sql, ")");
}

static void
put_inferred(struct stet_sql *sql, const struct stet_byline_filter *f, const char *collection)
{
	stet_sql_add(sql, " OR (EXISTS (SELECT 1 FROM byline AS b");
	put_column(sql, " WHERE b.user_id = ", collection, ".author_id");
	put_column(sql, " AND b.locale = ", collection, ".locale");
	if (!f->none) {
		stet_sql_add(sql, " AND b.translation_group");
		put_groups(sql, f);
	}
	stet_sql_add(sql, ") AND NOT EXISTS (SELECT 1 FROM content_byline AS c");
	put_credit(sql, collection);
	stet_sql_add(sql, "))");
}

void
filter_put(struct stet_sql *sql, const struct stet_byline_filter *f, const char *collection)
{
	stet_sql_add(sql, f->none ? " AND NOT (" : " AND (");
	put_explicit(sql, f, collection);
	if (f->inferred)
		put_inferred(sql, f, collection);
	stet_sql_add(sql, ")");
}

bool
filter_ids(struct stet_sql *sql, const struct stet_byline_filter *f, const char *collection)
{
	if (f->none)
		return false;
	stet_sql_add(sql, "SELECT c.entry_id FROM content_byline AS c WHERE c.byline_group");
	put_groups(sql, f);
	stet_sql_add(sql, " AND c.collection = ");
	stet_sql_bind(sql, stet_val_str(collection));
	if (!f->inferred)
		return true;
	put_column(sql, " UNION ALL SELECT i.id FROM ", collection, " AS i");
	stet_sql_add(sql, " WHERE i.deleted_at IS NULL AND i.author_id IN"
			  " (SELECT b.user_id FROM byline AS b WHERE b.translation_group");
	put_groups(sql, f);
	stet_sql_add(sql, ")");
	return true;
}

/* ---- avatars ---- */

void
avatars(struct stet_sql *sql)
{
	stet_sql_add(sql,
	    "SELECT avatar_media_id AS media_id, id, display_name AS name FROM byline "
	    "WHERE avatar_media_id IS NOT NULL");
}
