/* show.c - releases as replies: the list, and one with its changes and what stands against them. */
#include "releases.h"
#include <string.h>

const struct stet_member release_list_in[] = {
	{ "status", STET_STRING, STET_CHOICES("open", "scheduled", "published") },
	{ 0 },
};
/* clang-format off */
#define MEMBERS \
	{ "id", STET_STRING, STET_REQUIRED }, \
	{ "name", STET_STRING, STET_REQUIRED }, \
	{ "description", STET_STRING }, \
	{ "status", STET_STRING, STET_REQUIRED, STET_CHOICES("open", "scheduled", "published") }, \
	{ "createdAt", STET_TIME, STET_REQUIRED }, \
	{ "createdBy", STET_STRING, .about = "Id of a user" }, \
	{ "updatedAt", STET_TIME, STET_REQUIRED }, \
	{ "scheduledAt", STET_TIME }, \
	{ "scheduledBy", STET_STRING, .about = "The user whose rights it is published with" }, \
	{ "publishedAt", STET_TIME }, \
	{ "publishedBy", STET_STRING }, \
	{ "undoneAt", STET_TIME, .about = "When its last publication was undone" }, \
	{ "allowMissing", STET_BOOLEAN, STET_REQUIRED, \
	    .about = "It may refer to what is not public" }, \
	{ "error", STET_OBJECT, STET_STORED_JSON, .of = error_shape, \
	    .about = "Why it is not published although its time has come" }
/* clang-format on */
static const struct stet_member problem_shape[] = {
	{ "change", STET_STRING, STET_REQUIRED, .about = "Id of the change" },
	{ "type", STET_STRING, STET_REQUIRED },
	{ "title", STET_STRING },
	{ "code", STET_STRING, STET_REQUIRED },
	{ "message", STET_STRING, STET_REQUIRED },
	{ "issues", STET_ARRAY, .item = STET_OBJECT },
	{ 0 },
};
static const struct stet_member error_shape[] = {
	{ "code", STET_STRING, STET_REQUIRED },
	{ "message", STET_STRING, STET_REQUIRED },
	{ "at", STET_TIME, STET_REQUIRED },
	{ "problems", STET_ARRAY, .of = problem_shape },
	{ 0 },
};
static const struct stet_member row_shape[] = { MEMBERS, { 0 } };
static const struct stet_member listed[] = { MEMBERS,
	{ "changeCount", STET_INTEGER, STET_REQUIRED }, { 0 } };
const struct stet_member release_list_out[] = {
	{ "items", STET_ARRAY, STET_REQUIRED, .of = listed,
	    .about = "Last changed first: 1000 at most" },
	{ 0 },
};
const struct stet_member release_get_in[] = {
	{ "id", STET_STRING, .about = "Id or name; omitted: all" },
	{ 0 },
};
static const struct stet_member change_shape[] = {
	{ "id", STET_STRING, STET_REQUIRED },
	{ "type", STET_STRING, STET_REQUIRED, STET_CHOICES("item", "term", "menu", "settings") },
	{ "action", STET_STRING, STET_CHOICES("publish", "unpublish", "delete") },
	{ "collection", STET_STRING },
	{ "item", STET_STRING },
	{ "name", STET_STRING },
	{ "slug", STET_STRING },
	{ "locale", STET_STRING },
	{ "title", STET_STRING },
	{ "does", STET_STRING,
	    STET_CHOICES("publish", "update", "unpublish", "create", "delete", "nothing"),
	    .about = "What publishing it now would do" },
	{ "content", STET_OBJECT, .about = "What becomes of it" },
	{ "live", STET_ANY, .about = "What it is now; of an item its status and revisions" },
	{ "problem", STET_OBJECT, .of = problem_shape,
	    .about = "It was changed since it was added, or published; or it is gone" },
	{ "addedAt", STET_TIME, STET_REQUIRED },
	{ "addedBy", STET_STRING },
	{ 0 },
};
static const struct stet_member shown[] = { MEMBERS,
	{ "changes", STET_ARRAY, STET_REQUIRED, .of = change_shape,
	    .about = "In the order in which they are published" },
	{ 0 } };
const struct stet_member release_get_out[] = {
	{ "release", STET_OBJECT, STET_REQUIRED, .of = shown },
	{ 0 },
};
const struct stet_member release_any_out[] = {
	{ "release", STET_OBJECT, .of = shown },
	{ "items", STET_ARRAY, .of = listed, .about = "All, last changed first" },
	{ 0 },
};
const struct stet_member release_check_out[] = {
	{ "problems", STET_ARRAY, STET_REQUIRED, .of = problem_shape,
	    .about = "What stands against it" },
	{ 0 },
};

/* ---- the list ---- */

static enum stet_status
put_list(struct stet_call *call, const char *status)
{
	struct stet_sql *sql = stet_sql_new(call);
	struct stet_json *out = stet_reply(call);
	struct stet_rows rows;

	stet_sql_add(sql,
	    "SELECT " RELEASE_COLUMNS
	    ", (SELECT count(*) FROM release_change AS c WHERE c.release_id = release.id)"
	    " FROM release");
	if (status != NULL) {
		stet_sql_add(sql, " WHERE status = ");
		stet_sql_bind(sql, stet_val_str(status));
	}
	stet_sql_add(sql, " ORDER BY updated_at DESC, id DESC LIMIT ");
	stet_sql_bind(sql, stet_val_int(LISTED_MAX));
	STET_TRY(stet_sql_query(sql, &rows));
	stet_object(out, NULL);
	STET_TRY(stet_put_rows(out, "items", &rows, listed));
	stet_close(out);
	return STET_OK;
}

enum stet_status
release_list(struct stet_call *call)
{
	return put_list(call, stet_arg(call, "status"));
}

/* ---- one ---- */

/* Finds the present state of the subject of a change. *known is false if the caller may not see
 * it. */
static enum stet_status
look(struct stet_call *call, const struct change *c, const json_t **state, bool *known)
{
	enum stet_status status;

	*state = NULL;
	*known = stet_may(call, kinds[c->kind]->reads);
	if (!*known)
		return STET_OK;
	status = kinds[c->kind]->state(call, c, state);
	if (status == STET_OK || stet_status_http(status) != 403)
		return status;
	stet_error_clear(call); /* the scopes of a token do not suffice */
	*known = false;
	return STET_OK;
}

static void
put_problem(struct stet_json *out, const struct change *c, const char *title, const char *code,
    const char *message)
{
	stet_object(out, "problem");
	stet_put_str(out, "change", c->id);
	stet_put_str(out, "type", kind_names[c->kind]);
	if (title != NULL)
		stet_put_str(out, "title", title);
	stet_put_str(out, "code", code);
	stet_put_str(out, "message", message);
	stet_close(out);
}

static void
put_state(struct stet_call *call, struct stet_json *out, const struct release *r,
    const struct change *c, const json_t *state)
{
	const char *title = state != NULL ? kind_title(call, c, state) : NULL;
	const json_t *mark = kind_mark(call, c, state);
	const bool published = release_is(r, "published");

	if (title != NULL)
		stet_put_str(out, "title", title);
	stet_put_str(out, "does", published ? "nothing" : kind_does(c, state));
	if (c->content != NULL)
		stet_put_json(out, "content", c->content);
	stet_put_json(out, "live", state);
	if (kind_lost(c, state, published))
		put_problem(out, c, title, "NOT_FOUND", "It is gone");
	else if (!json_equal(mark, published ? c->after : c->base))
		put_problem(out, c, title, "CONFLICT",
		    published ? "It was changed since it was published"
			      : "It was changed since it was added");
}

static enum stet_status
put_change(
    struct stet_call *call, struct stet_json *out, const struct release *r, const struct change *c)
{
	const struct {
		const char *name, *value;
	} texts[] = { { "id", c->id }, { "type", kind_names[c->kind] }, { "action", c->action },
		{ "collection", c->collection }, { "item", c->item }, { "name", c->name },
		{ "slug", c->slug }, { "locale", c->locale }, { "addedBy", c->added_by },
		{ "addedAt", c->added_at } };
	const json_t *state;
	bool known;

	STET_TRY(look(call, c, &state, &known));
	stet_object(out, NULL);
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		if (texts[i].value != NULL)
			stet_put_str(out, texts[i].name, texts[i].value);
	if (known)
		put_state(call, out, r, c, state);
	stet_close(out);
	return STET_OK;
}

enum stet_status
release_reply(struct stet_call *call, const char *id)
{
	struct stet_json *out = stet_reply(call);
	struct changes changes;
	struct release r;
	struct stet_rows rows;

	STET_TRY(release_find(call, id, &r));
	STET_TRY(changes_read(call, &r, &changes));
	STET_TRY(stet_one(call, &rows, STET_FAULT,
	    "SELECT " RELEASE_COLUMNS " FROM release WHERE id = ?1", STET_ARGS(r.id)));
	stet_object(out, NULL);
	stet_object(out, "release");
	stet_put_columns(out, &rows, 0, row_shape, R_COLUMNS);
	STET_TRY(stet_rows_end(&rows));
	stet_array(out, "changes");
	for (size_t i = 0; i < changes.count; i++)
		STET_TRY(put_change(call, out, &r, &changes.change[i]));
	stet_close(out);
	stet_close(out);
	stet_close(out);
	return STET_OK;
}

enum stet_status
release_read(struct stet_call *call)
{
	return release_reply(call, stet_arg(call, "id"));
}

enum stet_status
release_get(struct stet_call *call)
{
	const char *id = stet_arg(call, "id");

	return id != NULL ? release_reply(call, id) : put_list(call, NULL);
}
