/*
 * notes.c - the notes of an item: threads, each with its replies, oldest first.
 *
 * A thread that is about a block of a Portable Text field names the field and the key of the block.
 * Texts change while threads stay, so the list says whether the newest values still have the block.
 */
#include "reviews.h"
#include <string.h>

#define MAY_BE_NULL (STET_REQUIRED | STET_NULLABLE)

static const struct stet_member mention_shape[] = {
	{ "id", STET_STRING, STET_REQUIRED },
	{ "name", STET_STRING, STET_REQUIRED },
	{ 0 },
};
/* clang-format off */
#define MEMBERS \
	{ "id", STET_STRING, STET_REQUIRED }, \
	{ "threadId", STET_STRING, MAY_BE_NULL, .about = "The note that it answers" }, \
	{ "body", STET_STRING, STET_REQUIRED, .about = SAFE_ABOUT }, \
	{ "mentions", STET_ARRAY, STET_REQUIRED, .of = mention_shape }, \
	{ "authorId", STET_STRING, MAY_BE_NULL }, \
	{ "authorName", STET_STRING, STET_REQUIRED }, \
	{ "version", STET_INTEGER, STET_REQUIRED, .about = "Of the item when it was written" }, \
	{ "revisionId", STET_STRING, MAY_BE_NULL, .about = "The newest one then" }, \
	{ "createdAt", STET_TIME, STET_REQUIRED }, \
	{ "editedAt", STET_TIME, MAY_BE_NULL }
/* clang-format on */
const struct stet_member note_shape[] = { MEMBERS, { 0 } };
const struct stet_member thread_shape[] = {
	MEMBERS,
	{ "field", STET_STRING, .about = "Of threads: the field that it is about" },
	{ "block", STET_STRING, .about = "_key of a block of the field" },
	{ "blockGone", STET_BOOLEAN, .about = "The newest text has no such block" },
	{ "resolvedAt", STET_TIME, .about = "Absent: it is open" },
	{ "resolvedBy", STET_STRING, .about = "Name of the user" },
	{ "replies", STET_ARRAY, .of = note_shape, .about = "Of threads, oldest first" },
	{ 0 },
};

#define COLUMNS                                                                               \
	"SELECT id, thread_id, body, mentions, author_id, author_name, version, revision_id," \
	" created_at, edited_at, field, block, resolved_at, resolved_by FROM note"
enum column {
	N_ID,
	N_THREAD,
	N_BODY,
	N_MENTIONS,
	N_AUTHOR,
	N_AUTHOR_NAME,
	N_VERSION,
	N_REVISION,
	N_CREATED,
	N_EDITED,
	N_FIELD,
	N_BLOCK,
	N_RESOLVED,
	N_RESOLVED_BY,
	N_COLUMNS
};

const struct stet_member notes_in[] = {
	{ "collection", STET_STRING, STET_REQUIRED, .about = "Slug of the collection" },
	{ "id", STET_STRING, STET_REQUIRED, .about = "Id or slug of the item" },
	{ "state", STET_STRING, STET_CHOICES("open", "resolved", "all"), .fallback = "\"open\"" },
	{ "block", STET_STRING, .about = "_key", STET_RANGE(1, 200) },
	{ "limit", STET_INTEGER, STET_RANGE(1, 100), .fallback = "50" },
	{ "cursor", STET_STRING, .about = "nextCursor of the page before", STET_RANGE(1, 2048) },
	{ 0 },
};
const struct stet_member notes_out[] = {
	{ "items", STET_ARRAY, STET_REQUIRED, .of = thread_shape, .about = "Oldest first" },
	{ "open", STET_INTEGER, STET_REQUIRED, .about = "Open threads of the item" },
	{ "nextCursor", STET_STRING, .about = "Absent on the last page" },
	{ 0 },
};

/* A note that is shown. */
struct shown {
	struct shown *next; /* the next reply of the thread */
	struct shown *first, **end; /* replies */
	const char *text[N_COLUMNS]; /* the column's text; NULL */
	int64_t version;
};

static void
take(struct stet_rows *rows, struct shown *s)
{
	*s = (struct shown){ 0 };
	for (int i = 0; i < N_COLUMNS; i++)
		if (i == N_VERSION)
			s->version = stet_col_int(rows, i);
		else
			s->text[i] = stet_col_dup(rows, i);
	s->end = &s->first;
}

/* ---- reading ---- */

static enum stet_status
read_replies(struct stet_call *call, struct shown *thread, size_t count)
{
	const char **ids = stet_alloc(call, (count + 1) * sizeof(*ids));
	struct stet_sql *sql = stet_sql_new(call);
	struct shown *reply;
	struct stet_rows rows;

	if (count == 0)
		return STET_OK;
	for (size_t i = 0; i < count; i++)
		ids[i] = thread[i].text[N_ID];
	stet_sql_add(sql, COLUMNS " WHERE thread_id IN ");
	stet_sql_texts(sql, ids, count);
	stet_sql_add(sql, " ORDER BY thread_id, created_at, id");
	STET_TRY(stet_sql_query(sql, &rows));
	while (stet_row(&rows)) {
		size_t i = 0;

		reply = stet_alloc(call, sizeof(*reply));
		take(&rows, reply);
		while (strcmp(ids[i], reply->text[N_THREAD]) != 0)
			i++;
		*thread[i].end = reply;
		thread[i].end = &reply->next;
	}
	return stet_rows_end(&rows);
}

/* ---- JSON ---- */

static void
put_members(struct stet_json *out, const struct shown *s)
{
	const char *mentions = s->text[N_MENTIONS];

	stet_put_str(out, "id", s->text[N_ID]);
	stet_put_str(out, "threadId", s->text[N_THREAD]);
	stet_put_str(out, "body", s->text[N_BODY]);
	stet_put_raw(out, "mentions", mentions, strlen(mentions));
	stet_put_str(out, "authorId", s->text[N_AUTHOR]);
	stet_put_str(out, "authorName", s->text[N_AUTHOR_NAME]);
	stet_put_int(out, "version", s->version);
	stet_put_str(out, "revisionId", s->text[N_REVISION]);
	stet_put_str(out, "createdAt", s->text[N_CREATED]);
	stet_put_str(out, "editedAt", s->text[N_EDITED]);
}

/* The newest values of the fields that threads are about, each read once. */
struct value {
	struct value *next;
	const struct stet_field *field;
	const json_t *value;
};
struct values {
	const struct subject *subject;
	struct value *first;
};

static enum stet_status
value_of(
    struct stet_call *call, struct values *v, const struct stet_field *field, const json_t **out)
{
	struct value *one = v->first;

	while (one != NULL && one->field != field)
		one = one->next;
	if (one == NULL) {
		one = stet_alloc(call, sizeof(*one));
		*one = (struct value){ .next = v->first, .field = field };
		STET_TRY(subject_value(call, v->subject, field, &one->value));
		v->first = one;
	}
	*out = one->value;
	return STET_OK;
}

/* Sets *out if the field, or the block of it, is not there any more. */
static enum stet_status
is_gone(struct stet_call *call, struct values *v, const struct shown *s, bool *out)
{
	const struct stet_field *field = stet_field(v->subject->collection, s->text[N_FIELD]);
	const json_t *value;

	*out = field == NULL;
	if (field == NULL || s->text[N_BLOCK] == NULL)
		return STET_OK;
	STET_TRY(value_of(call, v, field, &value));
	*out = !subject_has_block(value, s->text[N_BLOCK]);
	return STET_OK;
}

static enum stet_status
put_thread(struct stet_call *call, struct stet_json *out, struct values *v, const struct shown *s)
{
	bool gone;

	stet_object(out, NULL);
	put_members(out, s);
	if (s->text[N_THREAD] == NULL) {
		if (s->text[N_FIELD] != NULL) {
			STET_TRY(is_gone(call, v, s, &gone));
			stet_put_str(out, "field", s->text[N_FIELD]);
			if (s->text[N_BLOCK] != NULL)
				stet_put_str(out, "block", s->text[N_BLOCK]);
			stet_put_bool(out, "blockGone", gone);
		}
		if (s->text[N_RESOLVED] != NULL) {
			stet_put_str(out, "resolvedAt", s->text[N_RESOLVED]);
			stet_put_str(out, "resolvedBy", s->text[N_RESOLVED_BY]);
		}
		stet_array(out, "replies");
		for (const struct shown *r = s->first; r != NULL; r = r->next) {
			stet_object(out, NULL);
			put_members(out, r);
			stet_close(out);
		}
		stet_close(out);
	}
	stet_close(out);
	return STET_OK;
}

/* ---- the list ---- */

static struct stet_sql *
list_sql(struct stet_call *call, const struct subject *s)
{
	const char *state = stet_arg(call, "state");
	struct stet_sql *sql = stet_sql_new(call);

	stet_sql_add(sql, COLUMNS " WHERE collection = ");
	stet_sql_bind(sql, stet_val_str(s->collection->slug));
	stet_sql_add(sql, " AND entry_id = ");
	stet_sql_bind(sql, stet_val_str(s->id));
	stet_sql_add(sql, " AND thread_id IS NULL");
	if (strcmp(state, "open") == 0)
		stet_sql_add(sql, " AND resolved_at IS NULL");
	else if (strcmp(state, "resolved") == 0)
		stet_sql_add(sql, " AND resolved_at IS NOT NULL");
	if (stet_arg(call, "block") != NULL) {
		stet_sql_add(sql, " AND block = ");
		stet_sql_bind(sql, stet_val_str(stet_arg(call, "block")));
	}
	return sql;
}

static enum stet_status
put_open(struct stet_call *call, const struct subject *s)
{
	struct stet_rows rows;

	STET_TRY(stet_one(call, &rows, STET_FAULT,
	    "SELECT count(*) FROM note WHERE collection = ?1 AND entry_id = ?2"
	    " AND thread_id IS NULL AND resolved_at IS NULL",
	    STET_ARGS(s->collection->slug, s->id)));
	stet_put_int(stet_reply(call), "open", stet_col_int(&rows, 0));
	return stet_rows_end(&rows);
}

enum stet_status
notes_list(struct stet_call *call)
{
	struct stet_page page = { .listing = "notes",
		.key = "created_at",
		.key_column = N_CREATED,
		.id_column = N_ID,
		.ascending = true };
	struct stet_json *out = stet_reply(call);
	struct values values = { 0 };
	struct subject s;
	struct stet_sql *sql;
	struct stet_rows rows;
	struct shown *thread;

	STET_TRY(subject_find(call, &s));
	values.subject = &s;
	sql = list_sql(call, &s);
	STET_TRY(stet_page_sql(call, &page, sql));
	STET_TRY(stet_sql_query(sql, &rows));
	thread = stet_alloc(call, (size_t)page.limit * sizeof(*thread));
	while (stet_page_row(&page, &rows))
		take(&rows, &thread[page.count - 1]);
	STET_TRY(stet_rows_end(&rows));
	STET_TRY(read_replies(call, thread, (size_t)page.count));
	stet_object(out, NULL);
	stet_array(out, "items");
	for (int64_t i = 0; i < page.count; i++)
		STET_TRY(put_thread(call, out, &values, &thread[i]));
	stet_close(out);
	STET_TRY(put_open(call, &s));
	stet_page_end(out, &page);
	stet_close(out);
	return STET_OK;
}

enum stet_status
note_answer(struct stet_call *call, const struct subject *s, const char *id)
{
	struct values values = { .subject = s };
	struct stet_rows rows;
	struct shown note;

	STET_TRY(stet_one(call, &rows, STET_NOT_FOUND, COLUMNS " WHERE id = ?1", STET_ARGS(id)));
	take(&rows, &note);
	STET_TRY(stet_rows_end(&rows));
	if (note.text[N_THREAD] == NULL)
		STET_TRY(read_replies(call, &note, 1));
	return put_thread(call, stet_reply(call), &values, &note);
}
