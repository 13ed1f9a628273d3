/* requests.c - the requests for review of the site: those that wait for the caller, those that the
 * caller has made, and their numbers; and whether the caller gets mails. */
#include "reviews.h"
#include <string.h>

#define FEW "1000"

static const struct stet_member item_shape[] = {
	{ "id", STET_STRING, STET_REQUIRED },
	{ "title", STET_STRING, STET_REQUIRED | STET_NULLABLE },
	{ "slug", STET_STRING, STET_REQUIRED | STET_NULLABLE },
	{ "status", STET_STRING, STET_REQUIRED },
	{ "locale", STET_STRING, STET_REQUIRED },
	{ 0 },
};
static const struct stet_member request_shape[] = {
	{ "collection", STET_STRING, STET_REQUIRED },
	{ "contentId", STET_STRING, STET_REQUIRED },
	{ "item", STET_OBJECT, STET_REQUIRED | STET_NULLABLE, .of = item_shape,
	    .about = "null: it is in the trash, or gone" },
	{ "review", STET_OBJECT, STET_REQUIRED, .of = review_shape },
	{ 0 },
};
const struct stet_member requests_in[] = {
	{ "for", STET_STRING, STET_CHOICES("me", "asked", "all"), .fallback = "\"me\"",
	    .about = "me: I may decide" },
	{ "state", STET_STRING, .choices = review_states, .fallback = "\"open\"" },
	{ "limit", STET_INTEGER, STET_RANGE(1, 100), .fallback = "50" },
	{ "cursor", STET_STRING, .about = "nextCursor of the page before", STET_RANGE(1, 2048) },
	{ 0 },
};
const struct stet_member requests_out[] = {
	{ "items", STET_ARRAY, STET_REQUIRED, .of = request_shape, .about = "Newest first" },
	{ "nextCursor", STET_STRING, .about = "Absent on the last page" },
	{ 0 },
};
const struct stet_member counts_out[] = {
	{ "waiting", STET_INTEGER, STET_REQUIRED, .about = "For the caller; " FEW ": or more" },
	{ "returned", STET_INTEGER, STET_REQUIRED, .about = "To the caller" },
	{ "approved", STET_INTEGER, STET_REQUIRED, .about = "Of the caller, not yet published" },
	{ 0 },
};
const struct stet_member person_out[] = {
	{ "mail", STET_BOOLEAN, STET_REQUIRED, .about = "The caller gets mails" },
	{ 0 },
};
const struct stet_member person_in[] = { { "mail", STET_BOOLEAN, STET_REQUIRED }, { 0 } };

/* ---- what waits for a user ---- */

/* Appends the condition of requests that wait for the caller: by others, for anybody or with the
 * caller among the reviewers. */
static void
add_waiting(struct stet_call *call, struct stet_sql *sql)
{
	const char *me = stet_principal(call)->id;

	stet_sql_add(sql, " AND (asker_id IS NULL OR asker_id <> ");
	stet_sql_bind(sql, stet_val_str(me));
	stet_sql_add(sql, ") AND (reviewers = '[]' OR reviewers LIKE ");
	stet_sql_bind(sql, stet_val_str(stet_printf(call, "%%\"%s\"%%", me)));
	stet_sql_add(sql, stet_may(call, DECIDES) ? ")" : ") AND 1 = 0");
}

/* ---- the list ---- */

struct request {
	const char *collection, *entry;
	struct review review;
	const char *title, *slug, *status, *locale; /* status NULL: the item is in the trash */
	int64_t version;
};
enum { Q_COLLECTION = REVIEW_COLUMN_COUNT, Q_ENTRY, Q_CREATED = REVIEW_COLUMN_COUNT - 1 };

static struct stet_sql *
list_sql(struct stet_call *call)
{
	const char *whose = stet_arg(call, "for");
	struct stet_sql *sql = stet_sql_new(call);

	stet_sql_add(sql, "SELECT " REVIEW_COLUMNS ", collection, entry_id FROM review"
			  " WHERE is_current = 1 AND state = ");
	stet_sql_bind(sql, stet_val_str(stet_arg(call, "state")));
	if (strcmp(whose, "asked") == 0) {
		stet_sql_add(sql, " AND asker_id = ");
		stet_sql_bind(sql, stet_val_str(stet_principal(call)->id));
	} else if (strcmp(whose, "me") == 0)
		add_waiting(call, sql);
	return sql;
}

/* Reads the items of requests of one collection. */
static enum stet_status
read_items(struct stet_call *call, const char *slug, struct request *all, size_t count)
{
	const char **ids = stet_alloc(call, (count + 1) * sizeof(*ids));
	struct stet_sql *sql = stet_sql_new(call);
	const struct stet_collection *c;
	struct stet_rows rows;
	size_t n = 0;

	STET_TRY(subject_collection(call, slug, &c));
	if (c == NULL)
		return STET_OK;
	for (size_t i = 0; i < count; i++)
		if (strcmp(all[i].collection, slug) == 0)
			ids[n++] = all[i].entry;
	stet_sql_add(sql, "SELECT id, slug, status, locale, version, ");
	subject_title_column(sql, c);
	stet_sql_add(sql, " FROM ");
	stet_sql_ident(sql, STET_ITEM_TABLE, slug);
	stet_sql_add(sql, " WHERE " STET_UNINDEXED("deleted_at") " IS NULL AND id IN ");
	stet_sql_texts(sql, ids, n);
	STET_TRY(stet_sql_query(sql, &rows));
	while (stet_row(&rows))
		for (size_t i = 0; i < count; i++)
			if (strcmp(all[i].entry, stet_col_str(&rows, 0)) == 0) {
				all[i].slug = stet_col_dup(&rows, 1);
				all[i].status = stet_col_dup(&rows, 2);
				all[i].locale = stet_col_dup(&rows, 3);
				all[i].version = stet_col_int(&rows, 4);
				all[i].title = stet_col_dup(&rows, 5);
			}
	return stet_rows_end(&rows);
}

static bool
is_first_of_collection(const struct request *all, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (strcmp(all[k].collection, all[i].collection) == 0)
			return false;
	return true;
}

static void
put(struct stet_json *out, const struct request *r)
{
	stet_object(out, NULL);
	stet_put_str(out, "collection", r->collection);
	stet_put_str(out, "contentId", r->entry);
	if (r->status != NULL) {
		stet_object(out, "item");
		stet_put_str(out, "id", r->entry);
		stet_put_str(out, "title", r->title);
		stet_put_str(out, "slug", r->slug);
		stet_put_str(out, "status", r->status);
		stet_put_str(out, "locale", r->locale);
		stet_close(out);
	} else
		stet_put_null(out, "item");
	stet_object(out, "review");
	review_put(out, &r->review, r->version);
	stet_close(out);
	stet_close(out);
}

enum stet_status
requests_list(struct stet_call *call)
{
	struct stet_page page = {
		.listing = "reviews", .key = "created_at", .key_column = Q_CREATED, .id_column = 0
	};
	struct stet_json *out = stet_reply(call);
	struct stet_sql *sql = list_sql(call);
	struct request *all;
	struct stet_rows rows;
	size_t count;

	STET_TRY(stet_page_sql(call, &page, sql));
	STET_TRY(stet_sql_query(sql, &rows));
	all = stet_alloc(call, (size_t)page.limit * sizeof(*all));
	while (stet_page_row(&page, &rows)) {
		struct request *r = &all[page.count - 1];

		review_take(&rows, &r->review);
		r->collection = stet_col_dup(&rows, Q_COLLECTION);
		r->entry = stet_col_dup(&rows, Q_ENTRY);
	}
	STET_TRY(stet_rows_end(&rows));
	count = (size_t)page.count;
	for (size_t i = 0; i < count; i++)
		if (is_first_of_collection(all, i))
			STET_TRY(read_items(call, all[i].collection, all, count));
	stet_object(out, NULL);
	stet_array(out, "items");
	for (size_t i = 0; i < count; i++)
		put(out, &all[i]);
	stet_close(out);
	stet_page_end(out, &page);
	stet_close(out);
	return STET_OK;
}

/* ---- numbers ---- */

enum stet_status
requests_count(struct stet_call *call)
{
	const char *me = stet_principal(call)->id;
	struct stet_sql *sql = stet_sql_new(call);
	struct stet_rows rows;

	stet_sql_add(sql, "SELECT (SELECT count(*) FROM (SELECT 1 FROM review"
			  " WHERE is_current = 1 AND state = 'open'");
	add_waiting(call, sql);
	stet_sql_add(sql, " LIMIT " FEW ") AS few)");
	for (int i = 0; i < 2; i++) {
		stet_sql_add(sql, ", (SELECT count(*) FROM (SELECT 1 FROM review"
				  " WHERE is_current = 1 AND state = ");
		stet_sql_add(sql, i == 0 ? "'returned'" : "'approved'");
		stet_sql_add(sql, " AND asker_id = ");
		stet_sql_bind(sql, stet_val_str(me));
		stet_sql_add(sql, " LIMIT " FEW ") AS few)");
	}
	STET_TRY(stet_sql_one(sql, &rows, STET_FAULT));
	stet_put_row(stet_reply(call), &rows, counts_out);
	return stet_rows_end(&rows);
}

/* ---- the caller ---- */

static enum stet_status
put_person(struct stet_call *call, bool mail)
{
	struct stet_json *out = stet_reply(call);

	stet_object(out, NULL);
	stet_put_bool(out, "mail", mail);
	stet_close(out);
	return STET_OK;
}

enum stet_status
person_get(struct stet_call *call)
{
	struct stet_rows rows;
	bool mail;

	STET_TRY(stet_query(call, &rows, "SELECT mail FROM review_person WHERE user_id = ?1",
	    STET_ARGS(stet_principal(call)->id)));
	mail = !stet_row(&rows) || stet_col_int(&rows, 0) != 0;
	STET_TRY(stet_rows_end(&rows));
	return put_person(call, mail);
}

enum stet_status
person_put(struct stet_call *call)
{
	bool mail = stet_arg_bool(call, "mail");

	STET_TRY(stet_exec(call, stet_write_tx(call),
	    "INSERT INTO review_person (user_id, mail) VALUES (?1, ?2)"
	    " ON CONFLICT (user_id) DO UPDATE SET mail = excluded.mail",
	    STET_ARGS(stet_principal(call)->id, mail)));
	return put_person(call, mail);
}
