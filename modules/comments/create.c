/*
 * create.c - a reader writes a comment: validates it, limits its rate, moderates and stores it. A
 * comment with a honeypot field gets the usual reply, but is not stored.
 */
#include "comments.h"
#include <sodium.h>
#include <string.h>
#include <strings.h>

#define AGENT_MAX 200 /* bytes */
#define HASH_BYTES 16
#define PRIOR_MAX 100 /* the most earlier comments that are counted */

const struct stet_member create_in[] = {
	{ "collection", STET_STRING, STET_REQUIRED, .about = "Slug of the collection" },
	{ "contentId", STET_STRING, STET_REQUIRED, .about = "Id of the item" },
	{ "authorName", STET_STRING, .about = "Required of those who are not signed in",
	    STET_RANGE(0, COMMENT_NAME_MAX) },
	{ "authorEmail", STET_STRING, .about = "Required of those who are not signed in",
	    .pattern = STET_EMAIL, STET_RANGE(3, STET_EMAIL_MAX) },
	{ "body", STET_STRING, STET_REQUIRED, .about = "Plain text",
	    STET_RANGE(1, COMMENT_BODY_MAX) },
	{ "parentId", STET_STRING, .about = "The comment that this one answers",
	    STET_RANGE(1, 64) },
	{ "website_url", STET_STRING,
	    .about = "Hidden from people in a form; what fills it in is not one",
	    STET_RANGE(0, 2048) },
	{ 0 },
};
const struct stet_member create_out[] = {
	{ "id", STET_STRING, STET_REQUIRED },
	{ "status", STET_STRING, STET_REQUIRED, STET_CHOICES("approved", "pending") },
	{ "message", STET_STRING, STET_REQUIRED },
	{ 0 },
};

/* ---- the author ---- */

/* A keyed hash of the client's address: moderators can see that two comments came from one
 * address, but not from which. */
static enum stet_status
hash_address(struct stet_call *call, const char **out)
{
	const char *client = stet_client(call);
	unsigned char mac[STET_MAC_SIZE];
	char text[2 * HASH_BYTES + 1];

	*out = "";
	if (*client == '\0')
		return STET_OK;
	STET_TRY(stet_mac(call, "address", client, strlen(client), mac));
	*out = stet_strdup(call, sodium_bin2hex(text, sizeof(text), mac, HASH_BYTES));
	return STET_OK;
}

/* The header User-Agent, reduced to printable ASCII. */
static const char *
user_agent(struct stet_call *call)
{
	const char *said = stet_request_header(call, "user-agent");
	char *out;
	size_t n = 0;

	if (said == NULL)
		return "";
	out = stet_strndup(call, said, strnlen(said, AGENT_MAX));
	for (size_t i = 0; out[i] != '\0'; i++)
		if (out[i] >= ' ' && out[i] < 0x7f)
			out[n++] = out[i];
	out[n] = '\0';
	return out;
}

/* Sets the author: for users the account's name and address, for others the arguments. */
static void
take_author(struct stet_call *call, struct stet_comment *c)
{
	const struct stet_principal *p = stet_principal(call);
	const char *name = stet_arg(call, "authorName");

	if (p != NULL && *p->id != '\0') {
		c->author_user_id = p->id;
		c->author_email = p->email;
		c->author_name = p->name != NULL && *p->name != '\0' ? p->name : COMMENT_ANONYMOUS;
		return;
	}
	c->author_name = comment_clean(call, name != NULL ? name : "", false);
	c->author_email = stet_arg(call, "authorEmail");
	if (*c->author_name == '\0')
		stet_issue(call, "authorName", "is required");
	if (c->author_email == NULL)
		stet_issue(call, "authorEmail", "is required");
}

static enum stet_status
limit(struct stet_call *call, const struct stet_comment *c)
{
	int count = (int)json_integer_value(stet_setting(call, "limitCount"));
	int seconds = (int)json_integer_value(stet_setting(call, "limitSeconds"));

	STET_TRY(stet_limit(call, "comment_create", NULL, count, seconds));
	if (c->author_user_id == NULL)
		return STET_OK;
	return stet_limit(call, "comment_create", c->author_user_id, count, seconds);
}

/* ---- moderation ---- */

/* Counts approved earlier comments. A caller who is not signed in must not gain trust by typing
 * a user's address: comments written while signed in count only for that user. */
static enum stet_status
count_prior(struct stet_call *call, struct stet_comment *c)
{
	struct stet_rows rows;

	if (c->author_user_id != NULL)
		STET_TRY(stet_one(call, &rows, STET_FAULT,
		    "SELECT count(*) FROM (SELECT 1 FROM comment WHERE author_user_id = ?1"
		    " AND status = 'approved' LIMIT ?2) AS few",
		    STET_ARGS(c->author_user_id, PRIOR_MAX)));
	else
		STET_TRY(stet_one(call, &rows, STET_FAULT,
		    "SELECT count(*) FROM (SELECT 1 FROM comment WHERE author_email = lower(?1)"
		    " AND status = 'approved' AND author_user_id IS NULL LIMIT ?2) AS few",
		    STET_ARGS(c->author_email, PRIOR_MAX)));
	c->prior_approved = stet_col_int(&rows, 0);
	return stet_rows_end(&rows);
}

static int64_t
count_links(const char *body)
{
	int64_t n = 0;

	for (const char *p = body; *p != '\0'; p++) {
		bool scheme = strncmp(p, "://", 3) == 0;
		bool bare = strncasecmp(p, "www.", 4) == 0 && (p == body || p[-1] != '/');

		n += scheme || bare;
	}
	return n;
}

static void
judge(struct stet_call *call, const struct stet_collection *by, struct stet_comment *c)
{
	bool trusted = c->author_user_id != NULL && by->comments_auto_approve_users;
	bool known = strcmp(by->comments_moderation, "none") == 0 ||
		     (strcmp(by->comments_moderation, "first_time") == 0 && c->prior_approved > 0);

	if (!trusted && count_links(c->body) > json_integer_value(stet_setting(call, "linksHeld")))
		c->reason = "More links than linksHeld";
	c->status =
	    trusted || (known && c->reason == NULL) ? STET_COMMENT_APPROVED : STET_COMMENT_PENDING;
}

/* Hooks of plugins decide last. If a hook fails, the comment waits for a moderator. */
static enum stet_status
moderate_by_hooks(struct stet_call *call, struct stet_tx *tx, struct stet_comment *c)
{
	struct stet_comment before = *c;
	enum stet_status status = stet_run_comment_moderate(call, tx, c);

	if (status == STET_COMMENT_REJECTED)
		return status;
	if (status == STET_OK && (unsigned)c->status < STET_COMMENT_STATUSES)
		return STET_OK;
	stet_log(call, STET_ERROR, "comment_moderate failed: %s", stet_error_text(call));
	stet_error_clear(call);
	*c = before;
	c->status = STET_COMMENT_PENDING;
	c->reason = "Moderation failed";
	return STET_OK;
}

/* ---- storing ---- */

static enum stet_status
answer(struct stet_call *call, const struct stet_comment *c)
{
	struct stet_json *out = stet_reply(call);
	bool shown = c->status == STET_COMMENT_APPROVED;

	stet_object(out, NULL);
	stet_put_str(out, "id", c->id);
	stet_put_str(out, "status", shown ? "approved" : "pending");
	stet_put_str(out, "message", shown ? "Comment published" : "Comment submitted for review");
	stet_close(out);
	return STET_OK;
}

static enum stet_status
tell(struct stet_call *call, struct stet_tx *tx, const struct stet_comment *c)
{
	if (!stet_hooked(call, STET_AT_comment_after_create))
		return STET_OK;
	return stet_notify(call, tx, STET_AT_comment_after_create,
	    stet_json_own(call,
		json_pack("{ss ss ss ss? ss ss ss? ss ss}", "id", c->id, "collection",
		    c->collection, "contentId", c->entry_id, "parentId", c->parent_id, "authorName",
		    c->author_name, "authorEmail", c->author_email, "authorUserId",
		    c->author_user_id, "body", c->body, "status", comment_statuses[c->status])));
}

static enum stet_status
take_parent(struct stet_call *call, struct stet_comment *c)
{
	const char *id = stet_arg(call, "parentId");

	if (id == NULL)
		return STET_OK;
	STET_TRY(comment_thread(call, c, id, true, &c->parent_id));
	if (c->parent_id == NULL)
		return stet_fail(call, STET_VALIDATION_ERROR, "parentId",
		    "There is no such comment on this item");
	return STET_OK;
}

static enum stet_status
store(struct stet_call *call, struct stet_comment *c, const struct target *t)
{
	struct stet_tx *tx = stet_write_tx(call);

	c->collection = t->collection->slug;
	c->entry_id = t->id;
	STET_TRY(take_parent(call, c));
	STET_TRY(hash_address(call, &c->ip_hash));
	c->user_agent = user_agent(call);
	STET_TRY(count_prior(call, c));
	judge(call, t->collection, c);
	STET_TRY(moderate_by_hooks(call, tx, c));
	STET_TRY(comment_insert(call, tx, c, stet_time_text(call, stet_now(call))));
	return tell(call, tx, c);
}

enum stet_status
comment_create(struct stet_call *call)
{
	const char *trap = stet_arg(call, "website_url");
	struct stet_comment c = { .id = stet_id(call) };
	struct target t;

	c.body = comment_clean(call, stet_arg(call, "body"), true);
	if (*c.body == '\0')
		stet_issue(call, "body", "is required");
	take_author(call, &c);
	STET_TRY(stet_issues(call));
	STET_TRY(limit(call, &c));
	STET_TRY(target_find(call, &t));
	if (!t.open)
		return stet_fail(call, stet_code(call, "COMMENTS_CLOSED"), NULL,
		    "Comments on this item are closed");
	if (trap == NULL || *trap == '\0')
		STET_TRY(store(call, &c, &t));
	return answer(call, &c); /* a bot must not learn that it was recognised */
}
