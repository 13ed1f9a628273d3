/*
 * count.c - keeps the number of items that have a term, so that showing it does not take
 * counting.
 *
 * The items of a translation group count as one: once in each locale in which one of them is
 * published and not in the trash, and once in total (locale ""). Each assignment stores the locales
 * in which it was counted. So a change of an item changes counts only by the difference, and a term
 * with a million items is read as fast as one with none.
 */
#include "taxonomies.h"
#include <string.h>

enum stet_status
count_shown(
    struct stet_call *call, const char *collection, const char *entry_group, const char **out)
{
	struct stet_sql *sql = stet_sql_new(call);
	struct stet_rows rows;

	/* STET_UNINDEXED makes SQLite use the index of the group, which selects fewer rows. */
	stet_sql_add(sql, "SELECT DISTINCT locale FROM ");
	stet_sql_ident(sql, STET_ITEM_TABLE, collection);
	stet_sql_add(sql, " WHERE " STET_UNINDEXED("deleted_at") " IS NULL AND " STET_UNINDEXED(
			      "status") " = 'published'"
					" AND translation_group = ");
	stet_sql_bind(sql, stet_val_str(entry_group));
	stet_sql_add(sql, " ORDER BY locale");
	STET_TRY(stet_sql_query(sql, &rows));
	*out = "";
	while (stet_row(&rows))
		*out = stet_printf(
		    call, "%s%s%s", *out, **out != '\0' ? " " : "", stet_col_str(&rows, 0));
	return stet_rows_end(&rows);
}

static enum stet_status
add(struct stet_call *call, struct stet_tx *tx, const char *term, const char *collection,
    const char *locale, int n)
{
	return stet_exec(call, tx,
	    "INSERT INTO term_count (term_group, locale, collection, n) VALUES (?1, ?2, ?3, ?4)"
	    " ON CONFLICT (term_group, locale, collection)"
	    " DO UPDATE SET n = term_count.n + excluded.n",
	    STET_ARGS(term, locale, collection, n));
}

static bool
has_word(const char *words, const char *word, size_t len)
{
	for (; *words != '\0'; words += strspn(words, " ")) {
		size_t n = strcspn(words, " ");

		if (n == len && memcmp(words, word, len) == 0)
			return true;
		words += n;
	}
	return false;
}

/* Adds n to the counts of the locales in `words` that are not in `but`. */
static enum stet_status
add_missing(struct stet_call *call, struct stet_tx *tx, const char *term, const char *collection,
    const char *words, const char *but, int n)
{
	for (; *words != '\0'; words += strspn(words, " ")) {
		size_t len = strcspn(words, " ");

		if (!has_word(but, words, len))
			STET_TRY(
			    add(call, tx, term, collection, stet_strndup(call, words, len), n));
		words += len;
	}
	return STET_OK;
}

enum stet_status
count_change(struct stet_call *call, struct stet_tx *tx, const char *term, const char *collection,
    const char *was, const char *now)
{
	int any = (*now != '\0') - (*was != '\0');

	STET_TRY(add_missing(call, tx, term, collection, was, now, -1));
	STET_TRY(add_missing(call, tx, term, collection, now, was, 1));
	return any != 0 ? add(call, tx, term, collection, "", any) : STET_OK;
}

enum stet_status
count_settle(struct stet_call *call, struct stet_tx *tx, const char *collection,
    const char *entry_group, const char *term, const char *was, const char *now)
{
	STET_TRY(count_change(call, tx, term, collection, was, now));
	return stet_exec(call, tx,
	    "UPDATE content_term SET shown = ?4 WHERE collection = ?1 AND entry_group = ?2"
	    " AND term_group = ?3",
	    STET_ARGS(collection, entry_group, term, now));
}

struct counted {
	const char *term, *was;
};

/* Reads in which locales the group of this item is counted. */
static enum stet_status
read_counted(struct stet_call *call, const char *collection, const char *id, const char **group,
    struct counted **out, size_t *count, bool *settled)
{
	struct stet_sql *sql = stet_sql_new(call);
	struct stet_rows rows;
	size_t room = 0;

	stet_sql_add(sql,
	    "SELECT a.entry_group, a.term_group, a.shown, CASE WHEN i.deleted_at IS NULL THEN"
	    " CASE WHEN k.item_status = i.status AND k.created = i.created_at"
	    " AND COALESCE(k.published, '') = COALESCE(i.published_at, '') THEN 1 ELSE 0 END"
	    " ELSE CASE WHEN k.item IS NULL THEN 1 ELSE 0 END END FROM ");
	stet_sql_ident(sql, STET_ITEM_TABLE, collection);
	stet_sql_add(sql, " AS i CROSS JOIN content_term AS a LEFT JOIN term_item AS k"
			  " ON k.collection = a.collection AND k.entry_group = a.entry_group"
			  " AND k.term_group = a.term_group AND k.item = i.id WHERE i.id = ");
	stet_sql_bind(sql, stet_val_str(id));
	stet_sql_add(sql, " AND a.entry_group = i.translation_group AND a.collection = ");
	stet_sql_bind(sql, stet_val_str(collection));
	STET_TRY(stet_sql_query(sql, &rows));
	*count = 0;
	while (stet_row(&rows)) {
		if (*count == room) {
			struct counted *more =
			    stet_alloc(call, (room = 2 * room + 16) * sizeof(*more));

			if (*count > 0)
				memcpy(more, *out, *count * sizeof(*more));
			*out = more;
			*group = stet_col_dup(&rows, 0);
		}
		*settled = *settled && stet_col_int(&rows, 3) != 0;
		(*out)[(*count)++] =
		    (struct counted){ stet_col_dup(&rows, 1), stet_col_dup(&rows, 2) };
	}
	return stet_rows_end(&rows);
}

/* Returns true for a new item that nobody can have given terms. */
static enum stet_status
is_untagged(struct stet_call *call, const struct stet_collection *collection, const char *id,
    const char *change, bool *out)
{
	const struct stet_content_1 *content = stet_service(call, STET_CONTENT_1);
	const struct stet_item_row *row = NULL;

	if (content != NULL && strcmp(change, "create") == 0)
		STET_TRY(content->row(call, collection, id, &row));
	*out = row != NULL && row->untagged;
	return STET_OK;
}

enum stet_status
count_follow(struct stet_call *call, struct stet_tx *tx, const struct stet_collection *collection,
    const char *id, const char *change, int64_t version)
{
	static const char *const moves[] = { "create", "update", "publish", "unpublish", "schedule",
		"unschedule", "delete", "restore", NULL };
	const char *group = NULL, *now;
	struct counted *counted = NULL;
	bool changed = false, settled = true, untagged;
	size_t count, i = 0;

	(void)version;
	while (moves[i] != NULL && strcmp(moves[i], change) != 0)
		i++;
	if (moves[i] == NULL)
		return STET_OK;
	STET_TRY(is_untagged(call, collection, id, change, &untagged));
	if (untagged || untagged_is(call, collection->slug, id))
		return STET_OK;
	STET_TRY(read_counted(call, collection->slug, id, &group, &counted, &count, &settled));
	if (count == 0)
		return STET_OK;
	if (!settled)
		STET_TRY(items_settle(call, tx, collection->slug, group));
	STET_TRY(count_shown(call, collection->slug, group, &now));
	for (i = 0; i < count; i++) {
		changed = changed || strcmp(counted[i].was, now) != 0;
		STET_TRY(
		    count_change(call, tx, counted[i].term, collection->slug, counted[i].was, now));
	}
	if (!changed)
		return STET_OK;
	return stet_exec(call, tx,
	    "UPDATE content_term SET shown = ?3 WHERE collection = ?1 AND entry_group = ?2",
	    STET_ARGS(collection->slug, group, now));
}

/* Counts all assignments again, after an import replaced them. */
enum stet_status
count_anew(struct stet_call *call, struct stet_tx *tx)
{
	json_t *all = stet_json_own(call, json_array()), *a;
	struct stet_rows rows;
	size_t i;

	STET_TRY(items_anew(call, tx));
	STET_TRY(stet_exec(call, tx, "DELETE FROM term_count", STET_NO_ARGS));
	STET_TRY(stet_query(call, &rows,
	    "SELECT collection, entry_group, term_group FROM content_term", STET_NO_ARGS));
	while (stet_row(&rows))
		json_array_append_new(all, json_pack("[s, s, s]", stet_col_str(&rows, 0),
					       stet_col_str(&rows, 1), stet_col_str(&rows, 2)));
	STET_TRY(stet_rows_end(&rows));
	json_array_foreach(all, i, a)
	{
		const char *collection = json_string_value(json_array_get(a, 0)),
			   *group = json_string_value(json_array_get(a, 1)),
			   *term = json_string_value(json_array_get(a, 2)), *now;

		STET_TRY(count_shown(call, collection, group, &now));
		STET_TRY(count_settle(call, tx, collection, group, term, "", now));
	}
	return STET_OK;
}

/* The collections whose items are counted for this caller. */
static enum stet_status
choose_collections(struct stet_call *call, const struct taxonomy *t, const json_t **out)
{
	const json_t *slug;
	json_t *some;
	size_t i;

	*out = t->collections;
	if (stet_may(call, "taxonomies:read"))
		return STET_OK;
	*out = some = stet_json_own(call, json_array());
	json_array_foreach(t->collections, i, slug)
	{
		bool shown;

		STET_TRY(is_shown(call, json_string_value(slug), &shown));
		if (shown)
			json_array_append_new(some, json_string(json_string_value(slug)));
	}
	return STET_OK;
}

enum stet_status
count_add(
    struct stet_call *call, struct stet_sql *sql, const struct taxonomy *t, const char *locale)
{
	const json_t *collections;

	STET_TRY(choose_collections(call, t, &collections));
	stet_sql_add(sql, ", (SELECT COALESCE(SUM(c.n), 0) FROM term_count AS c"
			  " WHERE c.term_group = t.translation_group AND c.locale = ");
	stet_sql_bind(sql, stet_val_str(locale != NULL ? locale : ""));
	stet_sql_add(sql, " AND c.collection IN ");
	add_texts(call, sql, collections, 0);
	stet_sql_add(sql, ")");
	return STET_OK;
}

/* ---- for importers ---- */

enum stet_status
count_assigned(struct stet_call *call, const char *collection, const char *const *ids, size_t count,
    int64_t *n)
{
	struct stet_sql *sql = stet_sql_new(call);
	struct stet_rows rows;

	stet_sql_add(sql, "SELECT count(*) FROM ");
	stet_sql_ident(sql, STET_ITEM_TABLE, collection);
	/* CROSS JOIN: SQLite keeps the order, and so finds the few items first. */
	stet_sql_add(sql, " AS i CROSS JOIN content_term AS a"
			  " WHERE a.entry_group = i.translation_group AND a.collection = ");
	stet_sql_bind(sql, stet_val_str(collection));
	stet_sql_add(sql, " AND i.id IN ");
	stet_sql_texts(sql, ids, count);
	STET_TRY(stet_sql_one(sql, &rows, STET_FAULT));
	*n = stet_col_int(&rows, 0);
	return stet_rows_end(&rows);
}
