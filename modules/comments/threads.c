/*
 * threads.c - the public reads the approved comments of an item: threads, each with its first
 * replies.
 */
#include "comments.h"
#include <string.h>

#define ANSWERS_SHOWN "20" /* replies of a thread; further ones are a list of their own */

#define MEMBERS                                                            \
	{ "id", STET_STRING, STET_REQUIRED },                              \
	    { "parentId", STET_STRING, STET_REQUIRED | STET_NULLABLE,      \
		    .about = "The comment that it answers" },              \
	    { "authorName", STET_STRING, STET_REQUIRED },                  \
	    { "isRegisteredUser", STET_BOOLEAN, STET_REQUIRED },           \
	    { "body", STET_STRING, STET_REQUIRED, .about = "Plain text" }, \
	{                                                                  \
		"createdAt", STET_TIME, STET_REQUIRED                      \
	}
static const struct stet_member answer_shape[] = { MEMBERS, { 0 } };
static const struct stet_member thread_shape[] = {
	MEMBERS,
	{ "replyCount", STET_INTEGER, .about = "Of comments that begin a thread" },
	{ "replies", STET_ARRAY, .of = answer_shape,
	    .about = "The first " ANSWERS_SHOWN "; ask with parentId for all of them" },
	{ 0 },
};

const struct stet_member thread_list_in[] = {
	{ "collection", STET_STRING, STET_REQUIRED, .about = "Slug of the collection" },
	{ "contentId", STET_STRING, STET_REQUIRED, .about = "Id of the item" },
	{ "parentId", STET_STRING, .about = "The answers to this comment instead",
	    STET_RANGE(1, 64) },
	{ "includeTotal", STET_BOOLEAN, .about = "Count all approved comments of the item" },
	{ "limit", STET_INTEGER, .about = "Threads a page", STET_RANGE(1, 100), .fallback = "50" },
	{ "cursor", STET_STRING, .about = "nextCursor of the page before", STET_RANGE(1, 2048) },
	{ 0 },
};
const struct stet_member thread_list_out[] = {
	{ "items", STET_ARRAY, STET_REQUIRED, .of = thread_shape, .about = "Oldest first" },
	{ "open", STET_BOOLEAN, STET_REQUIRED, .about = "Takes comments" },
	{ "total", STET_INTEGER },
	{ "nextCursor", STET_STRING, .about = "Absent on the last page" },
	{ 0 },
};

enum column { T_ID, T_PARENT, T_NAME, T_USER, T_BODY, T_CREATED, T_COUNT };
#define COLUMNS "id, parent_id, author_name, author_user_id IS NOT NULL, body, created_at"

struct shown {
	struct shown *next; /* the next reply of the same thread */
	const char *id, *parent, *name, *body, *created;
	bool registered;
	struct shown *first, **end; /* replies */
	int64_t count;
};

static void
take(struct stet_rows *rows, struct shown *s)
{
	*s = (struct shown){ .id = stet_col_dup(rows, T_ID),
		.parent = stet_col_dup(rows, T_PARENT),
		.name = stet_col_dup(rows, T_NAME),
		.registered = stet_col_int(rows, T_USER) != 0,
		.body = stet_col_dup(rows, T_BODY),
		.created = stet_col_dup(rows, T_CREATED) };
	s->end = &s->first;
}

/* ---- read ---- */

static struct stet_sql *
threads_sql(struct stet_call *call, const struct target *t)
{
	struct stet_sql *sql = stet_sql_new(call);

	stet_sql_add(sql, "SELECT " COLUMNS " FROM comment WHERE collection = ");
	stet_sql_bind(sql, stet_val_str(t->collection->slug));
	stet_sql_add(sql, " AND entry_id = ");
	stet_sql_bind(sql, stet_val_str(t->id));
	stet_sql_add(sql, " AND status = 'approved' AND parent_id IS NULL");
	return sql;
}

/* Selects the public replies of a thread. */
static struct stet_sql *
answers_sql(struct stet_call *call, const struct target *t, const char *parent)
{
	struct stet_sql *sql = stet_sql_new(call);

	stet_sql_add(sql, "SELECT " COLUMNS " FROM comment WHERE parent_id = ");
	stet_sql_bind(sql, stet_val_str(parent));
	stet_sql_add(sql, " AND status = 'approved' AND EXISTS (SELECT 1 FROM comment AS t"
			  " WHERE t.status = 'approved' AND t.id = ");
	stet_sql_bind(sql, stet_val_str(parent));
	stet_sql_add(sql, " AND t.collection = ");
	stet_sql_bind(sql, stet_val_str(t->collection->slug));
	stet_sql_add(sql, " AND t.entry_id = ");
	stet_sql_bind(sql, stet_val_str(t->id));
	stet_sql_add(sql, ")");
	return sql;
}

/* Rows are ordered by the id of their thread, so those of one thread are together. */
static enum stet_status
read_answers(struct stet_call *call, struct shown *thread, size_t count)
{
	json_t *ids = stet_json_own(call, json_array());
	struct stet_sql *sql = stet_sql_new(call);
	struct shown *of = NULL, *answer;
	struct stet_rows rows;

	for (size_t i = 0; i < count; i++)
		(void)json_array_append_new(ids, json_string(thread[i].id));
	stet_sql_add(sql,
	    "SELECT id, parent_id, author_name, registered, body, created_at, n FROM (SELECT id,"
	    " parent_id, author_name, author_user_id IS NOT NULL AS registered, body, created_at,"
	    " row_number() OVER (PARTITION BY parent_id ORDER BY created_at, id) AS k,"
	    " count(*) OVER (PARTITION BY parent_id) AS n FROM comment"
	    " WHERE status = 'approved' AND parent_id");
	comment_in(sql, ids);
	stet_sql_add(sql, ") AS ranked WHERE k <= " ANSWERS_SHOWN " ORDER BY parent_id, k");
	STET_TRY(stet_sql_query(sql, &rows));
	while (stet_row(&rows)) {
		answer = stet_alloc(call, sizeof(*answer));
		take(&rows, answer);
		for (size_t i = 0; of == NULL || strcmp(of->id, answer->parent) != 0; i++)
			of = &thread[i];
		of->count = stet_col_int(&rows, T_COUNT);
		*of->end = answer;
		of->end = &answer->next;
	}
	return stet_rows_end(&rows);
}

/* ---- JSON ---- */

static void
put_members(struct stet_json *out, const struct shown *s)
{
	stet_put_str(out, "id", s->id);
	stet_put_str(out, "parentId", s->parent);
	stet_put_str(out, "authorName", s->name);
	stet_put_bool(out, "isRegisteredUser", s->registered);
	stet_put_str(out, "body", s->body);
	stet_put_str(out, "createdAt", s->created);
}

static void
put_thread(struct stet_json *out, const struct shown *s)
{
	stet_object(out, NULL);
	put_members(out, s);
	if (s->parent == NULL) {
		stet_put_int(out, "replyCount", s->count);
		stet_array(out, "replies");
		for (const struct shown *a = s->first; a != NULL; a = a->next) {
			stet_object(out, NULL);
			put_members(out, a);
			stet_close(out);
		}
		stet_close(out);
	}
	stet_close(out);
}

static enum stet_status
put_total(struct stet_call *call, const struct target *t)
{
	struct stet_rows rows;

	STET_TRY(stet_one(call, &rows, STET_FAULT,
	    "SELECT count(*) FROM comment WHERE collection = ?1 AND entry_id = ?2"
	    " AND status = 'approved'",
	    STET_ARGS(t->collection->slug, t->id)));
	stet_put_int(stet_reply(call), "total", stet_col_int(&rows, 0));
	return stet_rows_end(&rows);
}

enum stet_status
thread_list(struct stet_call *call)
{
	const char *parent = stet_arg(call, "parentId");
	struct stet_page page = { .listing = parent != NULL ? "comment answers" : "comments",
		.key = "created_at",
		.key_column = T_CREATED,
		.id_column = T_ID,
		.ascending = true };
	struct stet_json *out = stet_reply(call);
	struct stet_sql *sql;
	struct stet_rows rows;
	struct shown *item;
	struct target t;

	STET_TRY(target_find(call, &t));
	sql = parent != NULL ? answers_sql(call, &t, parent) : threads_sql(call, &t);
	STET_TRY(stet_page_sql(call, &page, sql));
	STET_TRY(stet_sql_query(sql, &rows));
	item = stet_alloc(call, (size_t)page.limit * sizeof(*item));
	while (stet_page_row(&page, &rows))
		take(&rows, &item[page.count - 1]);
	STET_TRY(stet_rows_end(&rows));
	if (parent == NULL && page.count > 0)
		STET_TRY(read_answers(call, item, (size_t)page.count));
	stet_object(out, NULL);
	stet_array(out, "items");
	for (int64_t i = 0; i < page.count; i++)
		put_thread(out, &item[i]);
	stet_close(out);
	stet_put_bool(out, "open", t.open);
	if (stet_arg_bool(call, "includeTotal"))
		STET_TRY(put_total(call, &t));
	stet_page_end(out, &page);
	stet_close(out);
	return STET_OK;
}
