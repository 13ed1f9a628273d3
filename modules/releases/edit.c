/* edit.c - creates and deletes releases, renames them, adds and removes changes. */
#include "releases.h"
#include <string.h>

/* clang-format off */
#define CHANGE(required_) \
	{ "type", STET_STRING, required_, STET_CHOICES("item", "term", "menu", "settings") }, \
	{ "action", STET_STRING, STET_CHOICES("publish", "unpublish", "delete"), \
	    .about = "Default publish; delete is for terms" }, \
	{ "collection", STET_STRING, STET_RANGE(1, 63) }, \
	{ "item", STET_STRING, .about = "Id", STET_RANGE(1, 255) }, \
	{ "name", STET_STRING, .about = "Of menu or taxonomy", STET_RANGE(1, 63) }, \
	{ "slug", STET_STRING, STET_RANGE(1, 200) }, \
	{ "locale", STET_STRING, STET_RANGE(1, 63) }, \
	{ "content", STET_OBJECT, \
	    .about = "As menu_set_items, taxonomy_update_term, settings_update take it" }
#define DESCRIPTION \
	{ "description", STET_STRING, STET_RANGE(0, 2000) }
#define ADD \
	{ "add", STET_ARRAY, .of = change_in, STET_RANGE(0, CHANGES_MAX), \
	    .about = "Replaces changes of the same subject" }
/* What a change of a release may set; `id` of the release stands before it. */
#define CHANGES \
	{ "name", STET_STRING, .about = "Name of the release", .pattern = NAME_PATTERN, \
	    STET_RANGE(1, 200) }, \
	DESCRIPTION, ADD, \
	{ "remove", STET_ARRAY, .item = STET_STRING, STET_RANGE(0, CHANGES_MAX), \
	    .about = "Ids of changes" }
/* clang-format on */
#define NAME_PATTERN "^(?=.*\\S)[^\\x00-\\x1f\\x7f]+(?![\\s\\S])"

static const struct stet_member change_in[] = { CHANGE(STET_REQUIRED), { 0 } };
const struct stet_member release_create_in[] = {
	{ "name", STET_STRING, STET_REQUIRED, .about = "Name of the release",
	    .pattern = NAME_PATTERN, STET_RANGE(1, 200) },
	DESCRIPTION,
	ADD,
	{ 0 },
};
const struct stet_member release_put_in[] = {
	{ "id", STET_STRING, STET_REQUIRED, .about = "Id of the release" },
	CHANGES,
	{ 0 },
};
const struct stet_member release_save_in[] = {
	{ "id", STET_STRING, .about = "Omitted: a new release" },
	CHANGES,
	{ 0 },
};
const struct stet_member release_by_id[] = {
	{ "id", STET_STRING, STET_REQUIRED, .about = "Id of the release" },
	{ 0 },
};
const struct stet_member release_deleted_out[] = { { "deleted", STET_BOOLEAN, STET_REQUIRED },
	{ 0 } };

/* ---- changes ---- */

static struct change
read_change(const json_t *in)
{
	struct change c = { .action = text_of(in, "action"),
		.collection = text_of(in, "collection"),
		.item = text_of(in, "item"),
		.name = text_of(in, "name"),
		.slug = text_of(in, "slug"),
		.locale = text_of(in, "locale"),
		.content = json_object_get(in, "content") };

	while (c.kind < SETTINGS && strcmp(kind_names[c.kind], text_of(in, "type")) != 0)
		c.kind++;
	if (c.kind != ITEM) {
		c.collection = c.item = NULL;
		if (c.kind != TERM || !change_deletes(&c))
			c.action = NULL;
	} else if (c.action == NULL)
		c.action = "publish";
	if (c.kind != TERM)
		c.slug = NULL;
	if (c.kind == SETTINGS || c.kind == ITEM)
		c.name = c.locale = NULL;
	return c;
}

/* Fails unless the caller could make such a change without a release. */
static enum stet_status
may_make(struct stet_call *call, const struct change *c)
{
	const struct kind_row *kind = kinds[c->kind];

	for (size_t i = 0; i < sizeof(kind->ops) / sizeof(kind->ops[0]); i++)
		if (kind->ops[i] != NULL)
			STET_TRY(may_ask(call, kind->ops[i]));
	return STET_OK;
}

/* A change that somebody else has added is replaced, with its mark, by those who may remove it. */
static enum stet_status
may_replace(struct stet_call *call, const struct release *r, const struct change *c)
{
	const char *by, *me = caller(call);
	bool there;

	STET_TRY(change_there(call, r, c, &there, &by));
	if (!there || (me != NULL && by != NULL && strcmp(by, me) == 0))
		return STET_OK;
	return release_mine(call, r);
}

static enum stet_status
add_checked(struct stet_call *call, const struct release *r, struct change *c)
{
	const json_t *state;

	STET_TRY(kinds[c->kind]->state(call, c, &state));
	if (kind_lost(c, state, false))
		return stet_fail(
		    call, STET_NOT_FOUND, NULL, "There is no such %s", kind_names[c->kind]);
	if (c->kind == ITEM) {
		c->item = text_of(state, "id"); /* it may have been named by its slug */
		STET_TRY(stet_require_owned(
		    call, "content:edit_own", "content:edit_any", text_of(state, "authorId")));
	}
	if (c->kind == MENU && state == NULL && text_of(c->content, "label") == NULL)
		return stet_fail(call, STET_VALIDATION_ERROR, "content.label",
		    "is required: the menu %s is new", c->name);
	STET_TRY(may_replace(call, r, c));
	c->base = kind_mark(call, c, state);
	return change_store(call, stet_write_tx(call), r, c);
}

static enum stet_status
add(struct stet_call *call, const struct release *r, size_t i, const json_t *in)
{
	const char *path = stet_printf(call, "add[%zu]", i);
	struct change c = read_change(in);
	enum stet_status status = may_make(call, &c);

	if (status == STET_OK) {
		kinds[c.kind]->check(call, path, &c);
		STET_TRY(stet_issues(call));
		status = add_checked(call, r, &c);
	}
	if (status != STET_OK && stet_status_http(status) < 500)
		stet_error_within(call, path, path);
	return status;
}

static enum stet_status
add_changes(struct stet_call *call, const struct release *r)
{
	json_t *added = (json_t *)(uintptr_t)stet_arg_json(call, "add"), *one;
	size_t i;

	json_array_foreach(added, i, one) STET_TRY(add(call, r, i, one));
	return changes_count(call, r);
}

static enum stet_status
remove_changes(struct stet_call *call, const struct release *r)
{
	json_t *removed = (json_t *)(uintptr_t)stet_arg_json(call, "remove"), *one;
	size_t i;

	json_array_foreach(removed, i, one)
	{
		STET_TRY(stet_exec(call, stet_write_tx(call),
		    "DELETE FROM release_change WHERE release_id = ?1 AND id = ?2",
		    STET_ARGS(r->id, json_string_value(one))));
		if (stet_changes(call) == 0)
			stet_issue(call, stet_printf(call, "remove[%zu]", i),
			    "is no change of this release");
	}
	return stet_issues(call);
}

/* ---- releases ---- */

static enum stet_status
taken(struct stet_call *call, enum stet_status status, const char *name)
{
	return status != STET_CONFLICT ? status
				       : stet_fail(call, STET_CONFLICT, "name",
					     "There is a release of this name: %s", name);
}

/* A name must not be taken for an id. */
static enum stet_status
check_name(struct stet_call *call, const char *name)
{
	if (name != NULL && stet_is_id(name))
		stet_issue(call, "name", "must not have the form of an id");
	return stet_issues(call);
}

static enum stet_status
check_releases(struct stet_call *call)
{
	struct stet_rows rows;
	int64_t n;

	STET_TRY(stet_one(call, &rows, STET_FAULT,
	    "SELECT count(*) FROM release WHERE status IN ('open', 'scheduled')", STET_NO_ARGS));
	n = stet_col_int(&rows, 0);
	STET_TRY(stet_rows_end(&rows));
	return n < RELEASES_MAX
		   ? STET_OK
		   : stet_fail(call, STET_CONFLICT, NULL,
			 "There are %d releases that are not published: delete some of them",
			 RELEASES_MAX);
}

enum stet_status
release_create(struct stet_call *call)
{
	struct release r = {
		.id = stet_id(call), .name = stet_arg(call, "name"), .status = "open"
	};
	const char *now = stet_time_text(call, stet_now(call));

	if (r.name == NULL) /* of the tool, which may name it or not */
		stet_issue(call, "name", "is required for a new release");
	STET_TRY(check_name(call, r.name));
	STET_TRY(check_releases(call));
	STET_TRY(taken(call,
	    stet_exec(call, stet_write_tx(call),
		"INSERT INTO release (id, name, description, status, created_at, created_by,"
		" updated_at, allow_missing) VALUES (?1, ?2, ?3, 'open', ?4, ?5, ?4, 0)",
		STET_ARGS(r.id, r.name, stet_arg(call, "description"), now, caller(call))),
	    r.name));
	STET_TRY(add_changes(call, &r));
	return release_reply(call, r.id);
}

static bool
changes_contents(struct stet_call *call)
{
	return json_array_size(stet_arg_json(call, "add")) > 0 ||
	       json_array_size(stet_arg_json(call, "remove")) > 0;
}

enum stet_status
release_put(struct stet_call *call)
{
	const char *name, *description = stet_arg(call, "description");
	struct release r;

	STET_TRY(release_find(call, stet_arg(call, "id"), &r));
	if (!release_is(&r, "open") && changes_contents(call))
		return stet_fail(call, STET_CONFLICT, NULL,
		    release_is(&r, "scheduled")
			? "The release is scheduled: cancel that, then change it"
			: "The release is published: undo that, then change it");
	if (stet_has(call, "name") || description != NULL ||
	    json_array_size(stet_arg_json(call, "remove")) > 0)
		STET_TRY(release_mine(call, &r));
	name = stet_has(call, "name") ? stet_arg(call, "name") : r.name;
	STET_TRY(check_name(call, name));
	STET_TRY(taken(call,
	    stet_exec(call, stet_write_tx(call),
		"UPDATE release SET name = ?2, description = COALESCE(?3, description),"
		" updated_at = ?4 WHERE id = ?1",
		STET_ARGS(r.id, name, description, stet_time_text(call, stet_now(call)))),
	    name));
	STET_TRY(remove_changes(call, &r));
	STET_TRY(add_changes(call, &r));
	return release_reply(call, r.id);
}

enum stet_status
release_save(struct stet_call *call)
{
	return stet_has(call, "id") ? release_put(call) : release_create(call);
}

enum stet_status
release_delete(struct stet_call *call)
{
	struct stet_json *out = stet_reply(call);
	struct release r;

	STET_TRY(release_find(call, stet_arg(call, "id"), &r));
	STET_TRY(release_mine(call, &r));
	STET_TRY(stet_exec(
	    call, stet_write_tx(call), "DELETE FROM release WHERE id = ?1", STET_ARGS(r.id)));
	if (release_is(&r, "scheduled"))
		stet_job_wake(call, RELEASE_JOB);
	stet_object(out, NULL);
	stet_put_bool(out, "deleted", true);
	stet_close(out);
	return STET_OK;
}
