/* edit.c - writing notes: threads, replies, changes of one's own, resolving and deleting. */
#include "reviews.h"
#include <string.h>

/* clang-format off */
#define ITEM \
	{ "collection", STET_STRING, STET_REQUIRED, .about = "Slug of the collection" }, \
	{ "id", STET_STRING, STET_REQUIRED, .about = "Id or slug of the item" }
#define BODY(flags_, about_) \
	{ "body", STET_STRING, flags_, .about = about_, STET_RANGE(1, NOTE_BODY_MAX) }
#define THREAD { "threadId", STET_STRING, .about = "The thread to answer", STET_RANGE(1, 64) }
#define PLACE \
	{ "field", STET_STRING, .about = "Of a new thread: the field that it is about", STET_RANGE(1, 63) }, \
	{ "block", STET_STRING, .about = "_key of a block of that field", STET_RANGE(1, 200) }
#define MENTIONS \
	{ "mentions", STET_ARRAY, STET_BOUNDED, .item = STET_STRING, \
	    .about = "Ids of users, besides @handle in the text", STET_RANGE(0, NOTE_MENTIONS_MAX) }
#define NOTE { "noteId", STET_STRING, STET_REQUIRED, .about = "Id of the note" }
/* clang-format on */
const struct stet_member note_create_in[] = { ITEM,
	BODY(STET_REQUIRED, "Plain text; @handle mentions a user"), THREAD, PLACE, MENTIONS,
	{ 0 } };
const struct stet_member note_update_in[] = { ITEM, NOTE, BODY(0, "Plain text, of one's own note"),
	MENTIONS, { "resolved", STET_BOOLEAN, .about = "Of a thread" }, { 0 } };
/* Short, for assistants. */
const struct stet_member note_write_in[] = {
	ITEM,
	{ "body", STET_STRING, STET_RANGE(1, NOTE_BODY_MAX) },
	{ "threadId", STET_STRING, .about = "To answer", STET_RANGE(1, 64) },
	{ "field", STET_STRING, STET_RANGE(1, 63) },
	{ "block", STET_STRING, .about = "_key in the field", STET_RANGE(1, 200) },
	{ "resolved", STET_BOOLEAN },
	{ 0 },
};
const struct stet_member note_by_id[] = { ITEM, NOTE, { 0 } };
const struct stet_member note_deleted_out[] = { { "deleted", STET_BOOLEAN, STET_REQUIRED }, { 0 } };

/* A stored note. */
struct note {
	const char *id, *thread, *author, *body; /* thread NULL: it begins one */
	const char *mentions; /* JSON */
	const char *told; /* JSON: ids of users who got a mail; NULL: those of `mentions` */
	bool resolved;
};

static enum stet_status
find(struct stet_call *call, const struct subject *s, const char *id, struct note *out)
{
	struct stet_rows rows;

	STET_TRY(stet_query(call, &rows,
	    "SELECT id, thread_id, author_id, body, mentions, told, resolved_at IS NOT NULL FROM note"
	    " WHERE id = ?1 AND collection = ?2 AND entry_id = ?3",
	    STET_ARGS(id, s->collection->slug, s->id)));
	*out = (struct note){ 0 };
	if (stet_row(&rows))
		*out = (struct note){ stet_col_dup(&rows, 0), stet_col_dup(&rows, 1),
			stet_col_dup(&rows, 2), stet_col_dup(&rows, 3), stet_col_dup(&rows, 4),
			stet_col_dup(&rows, 5), stet_col_int(&rows, 6) != 0 };
	STET_TRY(stet_rows_end(&rows));
	return out->id != NULL ? STET_OK
			       : stet_fail(call, STET_NOT_FOUND, NULL, "Note not found: %s", id);
}

/* ---- what happened ---- */

static const char *
json_text(struct stet_call *call, const json_t *value)
{
	struct stet_json *out = stet_json_new(call);

	stet_put_json(out, NULL, value);
	return stet_json_text(out, NULL);
}

static enum stet_status
tell(struct stet_call *call, struct stet_tx *tx, const struct subject *s, const char *change,
    const struct note *n, const json_t *mentions)
{
	struct writer w = writer_of(call);

	STET_TRY(stet_note_within(call, tx, "note", s->collection->slug, s->id, change));
	if (!stet_hooked(call, STET_AT_note_after_change))
		return STET_OK;
	return stet_notify(call, tx, STET_AT_note_after_change,
	    stet_json_own(call, json_pack("{ss ss ss ss? ss ss? ss ss sO}", "id", n->id,
				    "collection", s->collection->slug, "contentId", s->id,
				    "threadId", n->thread, "change", change, "userId", w.id,
				    "userName", w.name, "body", n->body, "mentions", mentions)));
}

/* Returns the ids of users who got a mail about the note. */
static json_t *
told_of(struct stet_call *call, const struct note *n)
{
	json_t *all, *mentions;

	if (n->told != NULL)
		return stet_json_stored(call, n->told, strlen(n->told));
	all = stet_json_own(call, json_array());
	mentions = stet_json_stored(call, n->mentions, strlen(n->mentions));
	for (size_t i = 0; i < json_array_size(mentions); i++)
		(void)json_array_append(all, json_object_get(json_array_get(mentions, i), "id"));
	return all;
}

/* Sends mails to users whom the text mentions, to each once for a note, and sets n->told. */
static enum stet_status
tell_mentioned(struct stet_call *call, struct stet_tx *tx, const struct subject *s, struct note *n,
    const json_t *mentions)
{
	json_t *told = told_of(call, n);
	struct writer w = writer_of(call);

	for (size_t i = 0; i < json_array_size(mentions); i++) {
		json_t *id = json_object_get(json_array_get(mentions, i), "id");
		bool known = writer_is(&w, json_string_value(id));

		for (size_t k = 0; !known && k < json_array_size(told); k++)
			known = json_equal(json_array_get(told, k), id);
		if (known)
			continue;
		(void)json_array_append(told, id);
		STET_TRY(
		    mails_send(call, tx, MAIL_MENTION, json_string_value(id), s, w.name, n->body));
	}
	n->told = json_text(call, told);
	return STET_OK;
}

/* ---- new notes ---- */

/* Checks the field and the block that a new thread is about. */
static enum stet_status
check_place(struct stet_call *call, const struct subject *s)
{
	const char *name = stet_arg(call, "field"), *block = stet_arg(call, "block");
	const struct stet_field *field;
	const json_t *value;

	if (name == NULL && block != NULL)
		stet_issue(call, "field", "is required with block");
	if (name == NULL)
		return STET_OK;
	field = stet_field(s->collection, name);
	if (field == NULL) {
		stet_issue(call, "field", "is no field of the collection");
		return STET_OK;
	}
	if (block == NULL)
		return STET_OK;
	if (field->type->holds != STET_HOLDS_BLOCKS) {
		stet_issue(call, "block", "The field has no blocks");
		return STET_OK;
	}
	STET_TRY(subject_value(call, s, field, &value));
	if (!subject_has_block(value, block))
		stet_issue(call, "block", "The newest text has no block with this key");
	return STET_OK;
}

/* Checks the thread that a reply is for; *out NULL: the note begins one. */
static enum stet_status
check_thread(struct stet_call *call, const struct subject *s, const char **out)
{
	const char *id = stet_arg(call, "threadId");
	struct note thread;

	*out = NULL;
	if (id == NULL)
		return STET_OK;
	if (stet_arg(call, "field") != NULL || stet_arg(call, "block") != NULL)
		stet_issue(call, "threadId", "A reply has the place of its thread");
	STET_TRY(find(call, s, id, &thread));
	*out = thread.thread != NULL ? thread.thread : thread.id;
	return STET_OK;
}

static enum stet_status
check_room(struct stet_call *call, const struct subject *s, const char *thread)
{
	const int most = thread != NULL ? NOTE_REPLIES_MAX : NOTE_THREADS_MAX;
	struct stet_rows rows;
	int64_t count;

	if (thread != NULL)
		STET_TRY(stet_one(call, &rows, STET_FAULT,
		    "SELECT count(*) FROM note WHERE thread_id = ?1", STET_ARGS(thread)));
	else
		STET_TRY(stet_one(call, &rows, STET_FAULT,
		    "SELECT count(*) FROM note WHERE collection = ?1 AND entry_id = ?2"
		    " AND thread_id IS NULL",
		    STET_ARGS(s->collection->slug, s->id)));
	count = stet_col_int(&rows, 0);
	STET_TRY(stet_rows_end(&rows));
	if (count >= most)
		return stet_fail(call, stet_code(call, "NOTES_FULL"), NULL,
		    thread != NULL ? "The thread has %d replies: begin another"
				   : "The item has %d threads: delete some first",
		    most);
	return STET_OK;
}

static enum stet_status
insert(struct stet_call *call, struct stet_tx *tx, const struct subject *s, const struct note *n)
{
	const char *at = stet_time_text(call, stet_now(call));
	struct writer w = writer_of(call);
	const struct stet_val values[] = { stet_val_str(n->id), stet_val_str(s->collection->slug),
		stet_val_str(s->id), stet_val_str(n->thread), stet_val_str(stet_arg(call, "field")),
		stet_val_str(stet_arg(call, "block")), stet_val_str(w.id), stet_val_str(w.name),
		stet_val_str(n->body), stet_val_str(n->mentions), stet_val_int(s->version),
		stet_val_str(s->revision), stet_val_str(at), stet_val_str(n->told) };

	return stet_exec(call, tx,
	    "INSERT INTO note (id, collection, entry_id, thread_id, field, block, author_id,"
	    " author_name, body, mentions, version, revision_id, created_at, told)"
	    " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)",
	    values, sizeof(values) / sizeof(values[0]));
}

static enum stet_status
set_resolved(struct stet_call *call, struct stet_tx *tx, const char *thread, bool resolved)
{
	struct writer w = writer_of(call);

	if (!resolved)
		return stet_exec(call, tx,
		    "UPDATE note SET resolved_at = NULL, resolved_by = NULL WHERE id = ?1",
		    STET_ARGS(thread));
	return stet_exec(call, tx,
	    "UPDATE note SET resolved_at = ?1, resolved_by = ?2 WHERE id = ?3",
	    STET_ARGS(stet_time_text(call, stet_now(call)), w.name, thread));
}

/* Stores a note; a reply opens its thread again. `given`: ids of mentioned users, or NULL. */
static enum stet_status
add(struct stet_call *call, struct subject *s, const json_t *given, struct note *n)
{
	struct stet_tx *tx = stet_write_tx(call);
	json_t *mentions;

	n->id = stet_id(call);
	STET_TRY(subject_revision(call, s));
	n->body = text_clean(call, "body", stet_arg(call, "body"));
	STET_TRY(check_place(call, s));
	STET_TRY(check_thread(call, s, &n->thread));
	STET_TRY(people_mentioned(call, n->body, given, &mentions));
	STET_TRY(stet_issues(call));
	STET_TRY(check_room(call, s, n->thread));
	n->mentions = json_text(call, mentions);
	n->told = "[]";
	STET_TRY(tell_mentioned(call, tx, s, n, mentions));
	STET_TRY(insert(call, tx, s, n));
	if (n->thread != NULL)
		STET_TRY(set_resolved(call, tx, n->thread, false));
	return tell(call, tx, s, "create", n, mentions);
}

enum stet_status
note_create(struct stet_call *call)
{
	struct note n = { 0 };
	struct subject s;

	STET_TRY(subject_find(call, &s));
	STET_TRY(add(call, &s, stet_arg_json(call, "mentions"), &n));
	return note_answer(call, &s, n.id);
}

/* ---- changes ---- */

/* Changes the text. */
static enum stet_status
rewrite(struct stet_call *call, const struct subject *s, struct note *n)
{
	struct stet_tx *tx = stet_write_tx(call);
	json_t *mentions;
	struct writer w = writer_of(call);

	if (!writer_is(&w, n->author))
		return stet_fail(
		    call, STET_FORBIDDEN, NULL, "Only its author may change the text of a note");
	n->body = text_clean(call, "body", stet_arg(call, "body"));
	STET_TRY(people_mentioned(call, n->body, stet_arg_json(call, "mentions"), &mentions));
	STET_TRY(stet_issues(call));
	STET_TRY(tell_mentioned(call, tx, s, n, mentions));
	STET_TRY(stet_exec(call, tx,
	    "UPDATE note SET body = ?1, mentions = ?2, told = ?3, edited_at = ?4 WHERE id = ?5",
	    STET_ARGS(n->body, json_text(call, mentions), n->told,
		stet_time_text(call, stet_now(call)), n->id)));
	return tell(call, tx, s, "update", n, mentions);
}

static enum stet_status
resolve(struct stet_call *call, const struct subject *s, const struct note *n)
{
	struct stet_tx *tx = stet_write_tx(call);
	bool resolved = stet_arg_bool(call, "resolved");

	if (n->thread != NULL) {
		stet_issue(call, "resolved", "Only a thread can be resolved, and this is a reply");
		return stet_issues(call);
	}
	if (resolved == n->resolved)
		return STET_OK;
	STET_TRY(set_resolved(call, tx, n->id, resolved));
	return tell(call, tx, s, resolved ? "resolve" : "reopen", n,
	    stet_json_stored(call, n->mentions, strlen(n->mentions)));
}

enum stet_status
note_update(struct stet_call *call)
{
	struct subject s;
	struct note n;

	STET_TRY(subject_find(call, &s));
	STET_TRY(find(call, &s, stet_arg(call, "noteId"), &n));
	if (stet_arg(call, "body") == NULL && stet_has(call, "mentions"))
		stet_issue(call, "mentions", "needs body");
	STET_TRY(stet_issues(call));
	if (stet_arg(call, "body") != NULL)
		STET_TRY(rewrite(call, &s, &n));
	if (stet_has(call, "resolved"))
		STET_TRY(resolve(call, &s, &n));
	return note_answer(call, &s, n.id);
}

/* The tool: a new thread, a reply, or resolving a thread. */
enum stet_status
note_write(struct stet_call *call)
{
	const char *thread = stet_arg(call, "threadId");
	struct note n = { 0 };
	struct subject s;

	STET_TRY(subject_find(call, &s));
	if (stet_arg(call, "body") == NULL && (thread == NULL || !stet_has(call, "resolved")))
		stet_issue(call, "body", "is required, unless a thread is resolved or opened");
	STET_TRY(stet_issues(call));
	if (stet_arg(call, "body") != NULL)
		STET_TRY(add(call, &s, NULL, &n));
	if (stet_has(call, "resolved")) {
		if (thread == NULL || n.thread != NULL)
			thread = n.thread != NULL ? n.thread : n.id;
		STET_TRY(find(call, &s, thread, &n));
		STET_TRY(resolve(call, &s, &n));
	}
	return note_answer(call, &s, n.id);
}

/* ---- deleting ---- */

/* A user deletes own notes, but not a thread in which others have answered. */
static enum stet_status
check_delete(struct stet_call *call, const struct note *n)
{
	struct writer w = writer_of(call);
	struct stet_rows rows;
	bool answered;

	if (stet_may(call, "reviews:moderate"))
		return STET_OK;
	if (!writer_is(&w, n->author))
		return stet_fail(
		    call, STET_FORBIDDEN, NULL, "Only its author or an editor may delete a note");
	STET_TRY(stet_query(call, &rows,
	    "SELECT 1 FROM note WHERE thread_id = ?1"
	    " AND (author_id IS NULL OR author_id <> ?2) LIMIT 1",
	    STET_ARGS(n->id, w.id)));
	answered = stet_row(&rows);
	STET_TRY(stet_rows_end(&rows));
	return answered ? stet_fail(call, STET_CONFLICT, NULL,
			      "Others have answered: resolve the thread instead")
			: STET_OK;
}

enum stet_status
note_delete(struct stet_call *call)
{
	struct stet_tx *tx = stet_write_tx(call);
	struct stet_json *out = stet_reply(call);
	struct subject s;
	struct note n;

	STET_TRY(subject_find(call, &s));
	STET_TRY(find(call, &s, stet_arg(call, "noteId"), &n));
	STET_TRY(check_delete(call, &n));
	STET_TRY(stet_exec(call, tx, "DELETE FROM note WHERE thread_id = ?1", STET_ARGS(n.id)));
	STET_TRY(stet_exec(call, tx, "DELETE FROM note WHERE id = ?1", STET_ARGS(n.id)));
	STET_TRY(tell(
	    call, tx, &s, "delete", &n, stet_json_stored(call, n.mentions, strlen(n.mentions))));
	stet_object(out, NULL);
	stet_put_bool(out, "deleted", true);
	stet_close(out);
	return STET_OK;
}
