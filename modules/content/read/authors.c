/* authors.c - lists the users who have items in a collection. */
#include "read/read.h"

const struct stet_member authors_in[] = {
	{ "collection", STET_STRING, STET_REQUIRED, .about = "Slug of the collection" },
	{ 0 },
};
static const struct stet_member author_shape[] = {
	{ "id", STET_STRING, STET_REQUIRED },
	{ "name", STET_STRING, STET_REQUIRED | STET_NULLABLE },
	{ "email", STET_STRING, STET_REQUIRED },
	{ "avatarUrl", STET_STRING, STET_REQUIRED | STET_NULLABLE },
	{ 0 },
};
const struct stet_member authors_out[] = {
	{ "items", STET_ARRAY, STET_REQUIRED, .of = author_shape },
	{ 0 },
};

/* Lists the authors by jumping from one to the next along the index of authors, so that ten authors
 * of a million items take ten look-ups. */
enum stet_status
content_authors(struct stet_call *call)
{
	struct stet_json *out = stet_reply(call);
	struct stet_sql *sql = stet_sql_new(call);
	const struct stet_collection *collection;
	const struct plan *plan;
	struct stet_rows rows;

	STET_TRY(plan_get(call, stet_arg(call, "collection"), &collection, &plan));
	stet_sql_add(sql, "WITH RECURSIVE a(id) AS (SELECT MIN(author_id) FROM ");
	stet_sql_ident(sql, STET_ITEM_TABLE, collection->slug);
	stet_sql_add(sql, " WHERE deleted_at IS NULL AND author_id > '' UNION ALL "
			  "SELECT (SELECT MIN(c.author_id) FROM ");
	stet_sql_ident(sql, STET_ITEM_TABLE, collection->slug);
	stet_sql_add(sql,
	    " AS c WHERE c.deleted_at IS NULL AND c.author_id > a.id) FROM a "
	    "WHERE a.id IS NOT NULL) "
	    "SELECT u.id, u.name, u.email, u.avatar_url FROM a JOIN users u ON u.id = a.id "
	    "ORDER BY COALESCE(u.name, u.email), u.id");
	STET_TRY(stet_sql_query(sql, &rows));
	stet_object(out, NULL);
	STET_TRY(stet_put_rows(out, "items", &rows, author_shape));
	stet_close(out);
	return STET_OK;
}
