/*
 * items.c - the table term_item: a row for each item outside the trash and each of its terms, with
 * the status and the dates that lists of items are ordered by. So a list by a term reads its page
 * from an index, at any position among all items.
 *
 * The rows follow content_term and the items in the same transaction. While the module is off they
 * are not updated, until the job "recount" corrects them: so readers check the items too.
 */
#include "taxonomies.h"

#define INSERT                                                                           \
	"INSERT INTO term_item (collection, entry_group, term_group, item, item_status," \
	" created, published) SELECT a.collection, a.entry_group, a.term_group, i.id,"   \
	" i.status, i.created_at, i.published_at FROM content_term AS a CROSS JOIN "

static struct stet_sql *
begin(struct stet_call *call, const char *collection)
{
	struct stet_sql *sql = stet_sql_new(call);

	stet_sql_add(sql, INSERT);
	stet_sql_ident(sql, STET_ITEM_TABLE, collection);
	stet_sql_add(sql, " AS i WHERE i.translation_group = a.entry_group"
			  " AND " STET_UNINDEXED("i.deleted_at") " IS NULL AND a.collection = ");
	stet_sql_bind(sql, stet_val_str(collection));
	return sql;
}

enum stet_status
items_settle(
    struct stet_call *call, struct stet_tx *tx, const char *collection, const char *entry_group)
{
	struct stet_sql *sql = begin(call, collection);

	STET_TRY(
	    stet_exec(call, tx, "DELETE FROM term_item WHERE collection = ?1 AND entry_group = ?2",
		STET_ARGS(collection, entry_group)));
	stet_sql_add(sql, " AND a.entry_group = ");
	stet_sql_bind(sql, stet_val_str(entry_group));
	return stet_sql_exec(sql, tx);
}

enum stet_status
items_take(struct stet_call *call, struct stet_tx *tx, const char *collection,
    const char *entry_group, const char *term)
{
	return stet_exec(call, tx,
	    "DELETE FROM term_item WHERE collection = ?1 AND entry_group = ?2"
	    " AND term_group = ?3",
	    STET_ARGS(collection, entry_group, term));
}

enum stet_status
items_anew(struct stet_call *call, struct stet_tx *tx)
{
	json_t *slugs = stet_json_own(call, json_array()), *v;
	struct stet_rows rows;
	size_t i;

	STET_TRY(stet_exec(call, tx, "DELETE FROM term_item", STET_NO_ARGS));
	STET_TRY(stet_query(call, &rows, "SELECT slug FROM collection", STET_NO_ARGS));
	while (stet_row(&rows))
		json_array_append_new(slugs, json_string(stet_col_str(&rows, 0)));
	STET_TRY(stet_rows_end(&rows));
	json_array_foreach(slugs, i, v)
	{
		STET_TRY(stet_sql_exec(begin(call, json_string_value(v)), tx));
	}
	return STET_OK;
}
