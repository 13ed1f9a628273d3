/*
 * preview.c - previews of a release. A link of it has a token; with that, a site reads what it
 * shows as it will be: the release is published within the call, as the user who made the link, the
 * reads run with the rights of the caller, and then all of it is undone. So they see the changes of
 * the release, and of other drafts no more than without the token. Anonymous callers may also read
 * the items that the release publishes, one by one, as those who may read the published content.
 */
#include "releases.h"
#include <stdint.h>
#include <stet/content.h>
#include <stet/users.h>
#include <string.h>
#include <time.h>

#define CALLS_MAX 20
#define LOOK_MS 2000 /* nothing is read after that: other writers wait for the preview */
#define LINK_COUNT 30 /* previews with one link ... */
#define LINK_SECONDS 60 /* ... in this time */
#define PREVIEW_MAX ((size_t)8 << 20) /* bytes of all results */
#define LEAST_ROLE 10 /* Subscriber: reads what is published */
#define SUBJECT "@release:"

const struct stet_member release_link_in[] = {
	{ "id", STET_STRING, STET_REQUIRED, .about = "Id of the release" },
	{ "expiresIn", STET_ANY,
	    .about = "Seconds, or a number and s, m, h, d or w; at most 30 days",
	    .fallback = "\"1h\"" },
	{ "path", STET_STRING, .about = "Path of the site's page of previews",
	    .pattern = "^/([^/\\\\]|(?![\\s\\S]))", .fallback = "\"/preview/\"",
	    STET_RANGE(1, 512) },
	{ 0 },
};
const struct stet_member release_link_out[] = {
	{ "id", STET_STRING, STET_REQUIRED },
	{ "url", STET_STRING, STET_REQUIRED, .about = "It is not answered again" },
	{ "token", STET_STRING, STET_REQUIRED, .about = "For POST /releases/preview" },
	{ "expiresAt", STET_INTEGER, STET_REQUIRED, .about = "Seconds since 1970" },
	{ 0 },
};
static const struct stet_member link_shape[] = {
	{ "id", STET_STRING, STET_REQUIRED },
	{ "createdAt", STET_TIME, STET_REQUIRED },
	{ "createdBy", STET_STRING, STET_REQUIRED | STET_NULLABLE, .about = "Id of a user" },
	{ "expiresAt", STET_TIME, STET_REQUIRED },
	{ 0 },
};
const struct stet_member release_links_out[] = {
	{ "items", STET_ARRAY, STET_REQUIRED, .of = link_shape,
	    .about = "Those that are open, the newest first" },
	{ 0 },
};
const struct stet_member release_unlink_in[] = {
	{ "id", STET_STRING, STET_REQUIRED, .about = "Id of the release" },
	{ "link", STET_STRING, STET_REQUIRED, .about = "Id of the link" },
	{ 0 },
};
static const struct stet_member one[] = {
	{ "op", STET_STRING, STET_REQUIRED, .about = "Name of an operation that reads",
	    STET_RANGE(1, 128) },
	{ "arguments", STET_OBJECT, .about = "What it takes" },
	{ 0 },
};
const struct stet_member release_preview_in[] = {
	{ "token", STET_STRING, STET_REQUIRED, .about = "Of a preview link of a release",
	    STET_RANGE(1, 1024) },
	{ "calls", STET_ARRAY, .of = one, .about = "What is read", STET_RANGE(0, CALLS_MAX) },
	{ 0 },
};
static const struct stet_member error_shape[] = {
	{ "code", STET_STRING, STET_REQUIRED },
	{ "message", STET_STRING, STET_REQUIRED },
	{ "details", STET_OBJECT },
	{ 0 },
};
static const struct stet_member result_shape[] = {
	{ "ok", STET_BOOLEAN, STET_REQUIRED },
	{ "data", STET_ANY, .about = "What the operation answers" },
	{ "error", STET_OBJECT, .of = error_shape },
	{ 0 },
};
static const struct stet_member change_shape[] = {
	{ "type", STET_STRING, STET_REQUIRED, STET_CHOICES("item", "term", "menu", "settings") },
	{ "collection", STET_STRING },
	{ "item", STET_STRING },
	{ "name", STET_STRING },
	{ "slug", STET_STRING },
	{ "locale", STET_STRING },
	{ "title", STET_STRING },
	{ "does", STET_STRING, STET_REQUIRED,
	    STET_CHOICES("publish", "update", "unpublish", "create", "delete", "nothing") },
	{ 0 },
};
const struct stet_member release_preview_out[] = {
	{ "name", STET_STRING, STET_REQUIRED, .about = "Of the release" },
	{ "status", STET_STRING, STET_REQUIRED, STET_CHOICES("open", "scheduled", "published") },
	{ "scheduledAt", STET_TIME },
	{ "changes", STET_ARRAY, STET_REQUIRED, .of = change_shape, .about = "What it changes" },
	{ "problems", STET_INTEGER, STET_REQUIRED,
	    .about = "How many stand against it: what they are about is shown as it is" },
	{ "results", STET_ARRAY, STET_REQUIRED, .of = result_shape,
	    .about = "One for each call, in the order of the calls" },
	{ 0 },
};

/* ---- links ---- */

static const char *
subject_of(struct stet_call *call, const struct release *r)
{
	return stet_printf(call, SUBJECT "%s", r->id);
}

/* Returns in *out whether publishing the release would change anything. */
static enum stet_status
changes_left(struct stet_call *call, const struct release *r, bool *out)
{
	struct stet_rows rows;

	STET_TRY(stet_query(call, &rows,
	    "SELECT 1 FROM release_change WHERE release_id = ?1 LIMIT 1", STET_ARGS(r->id)));
	*out = stet_row(&rows) && !release_is(r, "published");
	return stet_rows_end(&rows);
}

/* Whoever has the link sees what the changes do. So it is made by a user who could make them. */
static enum stet_status
check_maker(struct stet_call *call, const struct release *r)
{
	const struct stet_users_1 *users = stet_service(call, STET_USERS_1);
	const json_t *problems;
	json_t *problem;
	bool applies;
	size_t i;
	int role = 0;

	if (caller(call) != NULL)
		STET_TRY(users->role(call, caller(call), &role));
	if (role == 0)
		return stet_fail(call, STET_FORBIDDEN, NULL,
		    "Only a user can make such a link: it shows what that user could publish");
	STET_TRY(changes_left(call, r, &applies));
	if (!applies)
		return STET_OK;
	STET_TRY(publish_try(call, r, true, NULL, NULL, &problems));
	json_array_foreach((json_t *)(uintptr_t)problems, i, problem)
	{
		const char *code = text_of(problem, "code");

		if (strcmp(code, "FORBIDDEN") == 0 || strcmp(code, "INSUFFICIENT_SCOPE") == 0)
			return stet_fail(call, STET_FORBIDDEN, NULL,
			    "You could not publish all of this release: %s",
			    text_of(problem, "message"));
	}
	return STET_OK;
}

enum stet_status
release_link(struct stet_call *call)
{
	const struct stet_content_1 *content = stet_service(call, STET_CONTENT_1);
	struct release r;

	STET_TRY(release_find(call, stet_arg(call, "id"), &r));
	STET_TRY(check_maker(call, &r));
	return content->link_make(call, subject_of(call, &r), stet_arg(call, "path"));
}

enum stet_status
release_links(struct stet_call *call)
{
	const struct stet_content_1 *content = stet_service(call, STET_CONTENT_1);
	struct release r;

	STET_TRY(release_find(call, stet_arg(call, "id"), &r));
	return content->link_list(call, subject_of(call, &r));
}

enum stet_status
release_unlink(struct stet_call *call)
{
	const struct stet_content_1 *content = stet_service(call, STET_CONTENT_1);
	struct release r;

	STET_TRY(release_find(call, stet_arg(call, "id"), &r));
	return content->link_withdraw(call, subject_of(call, &r), stet_arg(call, "link"));
}

/* ---- reading with a token ---- */

struct preview {
	const struct stet_principal *reader; /* NULL: anonymous */
	struct stet_json *changes, *results; /* arrays */
	const char *maker;
	const struct changes *changed;
	const json_t *calls; /* what is read; may be NULL */
	size_t left; /* bytes that are left for results */
	int64_t end; /* of the time for them, as clock_ms */
};

static void
put_change(
    struct stet_call *call, struct stet_json *out, const struct change *c, const json_t *state)
{
	const struct {
		const char *name, *value;
	} texts[] = { { "type", kind_names[c->kind] }, { "collection", c->collection },
		{ "item", c->item }, { "name", c->name }, { "slug", c->slug },
		{ "locale", c->locale }, { "title", kind_title(call, c, state) },
		{ "does", kind_does(c, state) } };

	stet_object(out, NULL);
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		if (texts[i].value != NULL)
			stet_put_str(out, texts[i].name, texts[i].value);
	stet_close(out);
}

/* Returns true if the release publishes the item that content_read is asked for. */
static bool
is_published_by(const struct changes *changes, const char *collection, const char *item)
{
	if (collection == NULL || item == NULL)
		return false;
	for (size_t i = 0; i < changes->count; i++) {
		const struct change *c = &changes->change[i];

		if (c->kind == ITEM && strcmp(c->action, "publish") == 0 &&
		    strcmp(c->collection, collection) == 0 && strcmp(c->item, item) == 0)
			return true;
	}
	return false;
}

/* Sets who reads: the caller; or, if it is anonymous and asks for an item that the release
 * publishes, somebody with the least rights, who reads what is published, and no draft. Of the
 * arguments, those that name the item are left: others could lead to other items. */
static enum stet_status
set_reader(struct stet_call *call, const struct preview *p, const char *op, const json_t **args)
{
	const char *collection = text_of(*args, "collection"), *id = text_of(*args, "id");
	struct stet_principal guest;

	if (p->reader != NULL || strcmp(op, "content_read") != 0 ||
	    !is_published_by(p->changed, collection, id)) {
		stet_principal_set(call, p->reader);
		return STET_OK;
	}
	*args = stet_json_own(call, json_pack("{s:s, s:s}", "collection", collection, "id", id));
	STET_TRY(act_as(call, p->maker));
	guest = *stet_principal(call);
	guest.role = LEAST_ROLE;
	stet_principal_set(call, &guest);
	return STET_OK;
}

/* Fails for an op that is not a read: the preview would undo what it writes, but not what it tells
 * others. */
static enum stet_status
read_one(
    struct stet_call *call, struct preview *p, const json_t *asked, const char **data, size_t *len)
{
	const char *op = text_of(asked, "op");
	const json_t *args = json_object_get(asked, "arguments");
	const struct stet_op_info *info;

	if (args == NULL)
		args = stet_json_own(call, json_object());
	STET_TRY(set_reader(call, p, op, &args));
	STET_TRY(op_find(call, op, &info));
	if (info->op->lane != STET_READ || stet_op_lane(call, info, args) != STET_READ)
		return stet_fail(
		    call, STET_INVALID_INPUT, NULL, "A preview only reads, unlike %s", op);
	return stet_invoke_alone(call, op, args, p->left, data, len);
}

static int64_t
clock_ms(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * INT64_C(1000) + now.tv_nsec / 1000000;
}

static enum stet_status
put_result(struct stet_call *call, struct preview *p, const json_t *asked)
{
	const char *data = NULL;
	size_t len = 0;
	const bool late = clock_ms() >= p->end;
	enum stet_status status = late ? stet_fail(call, STET_UNAVAILABLE, NULL,
					     "The preview took too long for this read")
				       : read_one(call, p, asked, &data, &len);

	if (status != STET_OK && stet_status_http(status) >= 500 && !late)
		return status;
	stet_object(p->results, NULL);
	stet_put_bool(p->results, "ok", status == STET_OK);
	if (status == STET_OK) {
		stet_put_raw(p->results, "data", data, len);
		p->left -= len;
	} else {
		stet_put_json(p->results, "error", problems_error(call));
	}
	stet_close(p->results);
	return STET_OK;
}

/* Writes what the release changes, as its maker, and reads what is asked for, as the caller. */
static enum stet_status
look(struct stet_call *call, const struct changes *changes, const json_t *const *state, void *arg)
{
	struct preview *p = arg;
	json_t *asked;
	size_t i;

	for (i = 0; i < changes->count; i++)
		put_change(call, p->changes, &changes->change[i], state[i]);
	stet_principal_set(call, p->reader);
	p->changed = changes;
	p->end = clock_ms() + LOOK_MS;
	json_array_foreach((json_t *)(uintptr_t)p->calls, i, asked)
	    STET_TRY(put_result(call, p, asked));
	return act_as(call, p->maker);
}

/* Nothing is left to be applied: what the changes are about is shown as it is. */
static enum stet_status
look_as_it_is(struct stet_call *call, const struct release *r, struct preview *p)
{
	struct changes changes;
	const json_t **state;

	STET_TRY(changes_read(call, r, &changes));
	state = stet_alloc(call, (changes.count + 1) * sizeof(json_t *));
	for (size_t i = 0; i < changes.count; i++)
		STET_TRY(kinds[changes.change[i].kind]->state(call, &changes.change[i], &state[i]));
	return look(call, &changes, state, p);
}

static enum stet_status
show(struct stet_call *call, const struct release *r, struct preview *p, int64_t *problems)
{
	const json_t *found = NULL;
	bool applies;

	STET_TRY(act_as(call, p->maker));
	STET_TRY(stet_require(call, "releases:manage"));
	STET_TRY(changes_left(call, r, &applies));
	if (!applies)
		STET_TRY(look_as_it_is(call, r, p));
	else
		STET_TRY(publish_try(call, r, false, look, p, &found));
	*problems = (int64_t)json_array_size(found);
	return STET_OK;
}

static void
reply(struct stet_call *call, const struct release *r, const struct preview *p, int64_t problems)
{
	struct stet_json *out = stet_reply(call);
	const char *text;
	size_t len;

	stet_object(out, NULL);
	stet_put_str(out, "name", r->name);
	stet_put_str(out, "status", r->status);
	if (r->scheduled_at != NULL)
		stet_put_str(out, "scheduledAt", r->scheduled_at);
	text = stet_json_text(p->changes, &len);
	stet_put_raw(out, "changes", text, len);
	stet_put_int(out, "problems", problems);
	text = stet_json_text(p->results, &len);
	stet_put_raw(out, "results", text, len);
	stet_close(out);
	stet_header(call, "X-Robots-Tag", "noindex");
	stet_header(call, "Cache-Control", "private, no-store");
}

/* Finds the release of the token, and the user who made it. Each link has its own rate limit. */
static enum stet_status
check_token(struct stet_call *call, const char *token, const char **release, const char **maker)
{
	const struct stet_content_1 *content = stet_service(call, STET_CONTENT_1);
	const char *subject = NULL;
	enum stet_status status = content->preview_check(call, token, &subject, maker);

	if (status != STET_OK && status != STET_UNAUTHORIZED)
		return status;
	if (status != STET_OK || *maker == NULL ||
	    strncmp(subject, SUBJECT, strlen(SUBJECT)) != 0) {
		stet_error_clear(call);
		return stet_fail(
		    call, STET_NOT_FOUND, "token", "The preview link is not valid any more");
	}
	*release = subject + strlen(SUBJECT);
	/* The MAC at the end is the link's own. */
	return stet_limit(
	    call, "release-preview", strrchr(token, '.') + 1, LINK_COUNT, LINK_SECONDS);
}

enum stet_status
release_preview(struct stet_call *call)
{
	const struct stet_principal *now = stet_principal(call);
	struct stet_principal reader = { 0 };
	struct preview p = { .changes = stet_json_new(call),
		.results = stet_json_new(call),
		.calls = stet_arg_json(call, "calls"),
		.left = PREVIEW_MAX };
	const char *id = NULL;
	enum stet_status status;
	struct release r;
	int64_t problems;

	if (now != NULL) {
		reader = *now;
		p.reader = &reader;
	}
	STET_TRY(check_token(call, stet_arg(call, "token"), &id, &p.maker));
	STET_TRY(release_find(call, id, &r));
	stet_array(p.changes, NULL);
	stet_array(p.results, NULL);
	status = show(call, &r, &p, &problems);
	stet_principal_set(call, p.reader);
	STET_TRY(status);
	stet_close(p.changes);
	stet_close(p.results);
	reply(call, &r, &p, problems);
	return STET_OK;
}
