/*
 * approval.c - requests for approval as clients see them: one, and the list.
 *
 * The row of a request does not change when its grant ends, since grants end in many ways. So the
 * state that clients see is made when the row is read; a job writes it later (approvalend.c).
 */
#include "approval.h"
#include <stdlib.h>
#include <stet/oauth.h>
#include <string.h>

#define MAY_BE_NULL (STET_REQUIRED | STET_NULLABLE)

static const char *const states[] = { APPROVAL_OPEN, APPROVAL_ALLOWED, APPROVAL_REFUSED,
	APPROVAL_WITHDRAWN, APPROVAL_EXPIRED, NULL };
static const struct stet_member item_shape[] = {
	{ "title", STET_STRING, MAY_BE_NULL },
	{ "slug", STET_STRING, MAY_BE_NULL },
	{ "status", STET_STRING, STET_REQUIRED },
	{ "version", STET_INTEGER, STET_REQUIRED },
	{ 0 },
};
static const struct stet_member may_shape[] = {
	{ "decide", STET_BOOLEAN, STET_REQUIRED, .about = "Allow or refuse it" },
	{ "withdraw", STET_BOOLEAN, STET_REQUIRED },
	{ 0 },
};
static const struct stet_member approval_shape[] = {
	{ "id", STET_STRING, STET_REQUIRED },
	{ "state", STET_STRING, STET_REQUIRED, .choices = states },
	{ "op", STET_STRING, STET_REQUIRED, .about = "The operation that is asked for" },
	{ "title", STET_STRING, STET_REQUIRED, .about = "Of the operation" },
	{ "arguments", STET_ANY, STET_REQUIRED, .about = "Of the operation. " SAFE_ABOUT },
	{ "collection", STET_STRING, MAY_BE_NULL, .about = "null: it is not about one item" },
	{ "contentId", STET_STRING, MAY_BE_NULL },
	{ "version", STET_INTEGER, MAY_BE_NULL, .about = "Of the item when it was asked" },
	{ "item", STET_OBJECT, MAY_BE_NULL, .of = item_shape, .about = "The item now" },
	{ "stale", STET_BOOLEAN, STET_REQUIRED,
	    .about = "The item has changed since: it cannot be allowed any more" },
	{ "client", STET_STRING, MAY_BE_NULL, .about = "What the program calls itself" },
	{ "tokenId", STET_STRING, MAY_BE_NULL, .about = "Its token or grant" },
	{ "askedById", STET_STRING, STET_REQUIRED, .about = "The user it acts for" },
	{ "askedByName", STET_STRING, STET_REQUIRED },
	{ "message", STET_STRING, MAY_BE_NULL, .about = SAFE_ABOUT },
	{ "createdAt", STET_TIME, STET_REQUIRED },
	{ "endsAt", STET_TIME, STET_REQUIRED },
	{ "decidedById", STET_STRING, MAY_BE_NULL },
	{ "decidedByName", STET_STRING, MAY_BE_NULL },
	{ "decidedAt", STET_TIME, MAY_BE_NULL },
	{ "answer", STET_STRING, MAY_BE_NULL, .about = "What the person said to it" },
	{ "may", STET_OBJECT, STET_REQUIRED, .of = may_shape, .about = "What the caller may do" },
	{ 0 },
};
const struct stet_member approval_out[] = {
	{ "approval", STET_OBJECT, STET_REQUIRED, .of = approval_shape },
	{ 0 },
};
const struct stet_member approval_by_id[] = {
	{ "id", STET_STRING, STET_REQUIRED, .about = "Id of the request" },
	{ 0 },
};
const struct stet_member approvals_in[] = {
	{ "state", STET_STRING, .choices = states, .fallback = "\"open\"" },
	{ "limit", STET_INTEGER, STET_RANGE(1, 100), .fallback = "50" },
	{ "cursor", STET_STRING, .about = "nextCursor of the page before", STET_RANGE(1, 2048) },
	{ 0 },
};
const struct stet_member approvals_out[] = {
	{ "items", STET_ARRAY, STET_REQUIRED, .of = approval_shape, .about = "Newest first" },
	{ "nextCursor", STET_STRING, .about = "Absent on the last page" },
	{ 0 },
};

/* ---- rows ---- */

#define COLUMNS                                                                           \
	"id, state, op, arguments, collection, entry_id, version, grant_id, client, asker_id," \
	" asker_name, message, ends_at, decided_by_id, decided_by_name, answer, decided_at,"   \
	" created_at"
enum column {
	A_ID,
	A_STATE,
	A_OP,
	A_ARGUMENTS,
	A_COLLECTION,
	A_ENTRY,
	A_VERSION,
	A_GRANT,
	A_CLIENT,
	A_ASKER,
	A_ASKER_NAME,
	A_MESSAGE,
	A_ENDS,
	A_DECIDER,
	A_DECIDER_NAME,
	A_ANSWER,
	A_DECIDED,
	A_CREATED
};

static void
take(struct stet_rows *rows, struct approval *a)
{
	*a = (struct approval){ .id = stet_col_dup(rows, A_ID),
		.state = stet_col_dup(rows, A_STATE),
		.op = stet_col_dup(rows, A_OP),
		.arguments = stet_col_dup(rows, A_ARGUMENTS),
		.collection = stet_col_dup(rows, A_COLLECTION),
		.entry = stet_col_dup(rows, A_ENTRY),
		.version = stet_col_int(rows, A_VERSION),
		.grant = stet_col_dup(rows, A_GRANT),
		.client = stet_col_dup(rows, A_CLIENT),
		.asker = stet_col_dup(rows, A_ASKER),
		.asker_name = stet_col_dup(rows, A_ASKER_NAME),
		.message = stet_col_dup(rows, A_MESSAGE),
		.created = stet_col_dup(rows, A_CREATED),
		.ends = stet_col_dup(rows, A_ENDS),
		.decider = stet_col_dup(rows, A_DECIDER),
		.decider_name = stet_col_dup(rows, A_DECIDER_NAME),
		.answer = stet_col_dup(rows, A_ANSWER),
		.decided = stet_col_dup(rows, A_DECIDED) };
}

enum stet_status
approval_same(
    struct stet_call *call, const struct approval *a, struct approval *out, bool *found)
{
	struct stet_rows rows;

	STET_TRY(stet_query(call, &rows,
	    "SELECT " COLUMNS " FROM approval WHERE asker_id = ?1 AND state = 'open'"
	    " AND coalesce(grant_id, '') = coalesce(?2, '') AND op = ?3 AND arguments = ?4"
	    " AND version = ?5 AND ends_at > ?6 LIMIT 1",
	    STET_ARGS(a->asker, a->grant, a->op, a->arguments, a->version,
		stet_time_text(call, stet_now(call)))));
	*found = stet_row(&rows);
	if (*found)
		take(&rows, out);
	return stet_rows_end(&rows);
}

/* ---- who sees it ---- */

/* Returns true if the caller is a person and not a program with a token: an approval by a token
 * would prove nothing. */
static bool
is_person(struct stet_call *call)
{
	return stet_principal(call)->via != STET_VIA_TOKEN;
}

static bool
is_own(struct stet_call *call, const struct approval *a)
{
	const struct stet_principal *p = stet_principal(call);

	if (a->asker == NULL || strcmp(a->asker, p->id) != 0)
		return false;
	if (is_person(call))
		return true;
	return p->token_id == NULL ? a->grant == NULL
				   : a->grant != NULL && strcmp(a->grant, p->token_id) == 0;
}

bool
approval_may_decide(struct stet_call *call, const struct approval *a)
{
	const struct stet_op_info *op = approval_op(call, a->op);

	return is_person(call) && (stet_may(call, DECIDES) || is_own(call, a)) && op != NULL &&
	       stet_op_open(call, op, NULL);
}

/* Appends the condition of requests that the caller may see. */
static void
add_seen(struct stet_call *call, struct stet_sql *sql)
{
	const struct stet_principal *p = stet_principal(call);

	if (is_person(call) && stet_may(call, DECIDES))
		return;
	stet_sql_add(sql, " AND asker_id = ");
	stet_sql_bind(sql, stet_val_str(p->id));
	if (is_person(call))
		return;
	stet_sql_add(sql, " AND coalesce(grant_id, '') = ");
	stet_sql_bind(sql, stet_val_str(p->token_id != NULL ? p->token_id : ""));
}

enum stet_status
approval_find(struct stet_call *call, struct approval *out)
{
	struct stet_sql *sql = stet_sql_new(call);
	struct stet_rows rows;
	bool found;

	stet_sql_add(sql, "SELECT " COLUMNS " FROM approval WHERE id = ");
	stet_sql_bind(sql, stet_val_str(stet_arg(call, "id")));
	add_seen(call, sql);
	STET_TRY(stet_sql_query(sql, &rows));
	found = stet_row(&rows);
	if (found)
		take(&rows, out);
	STET_TRY(stet_rows_end(&rows));
	return found ? STET_OK
		     : stet_fail(call, STET_NOT_FOUND, NULL, "Request for approval not found");
}

/* ---- the state now ---- */

/* Sets *ended if the user is disabled or gone, or the token is. */
static enum stet_status
access_ended(struct stet_call *call, const struct approval *a, bool *ended)
{
	const struct stet_oauth_1 *oauth = stet_service(call, STET_OAUTH_1);
	struct stet_rows rows;
	const char *name = NULL;
	bool token;

	STET_TRY(stet_query(call, &rows,
	    "SELECT (SELECT count(*) FROM api_tokens WHERE id = ?2 AND user_id = ?1"
	    " AND (expires_at IS NULL OR expires_at > ?3)) FROM users"
	    " WHERE id = ?1 AND disabled = 0",
	    STET_ARGS(a->asker, a->grant, stet_time_text(call, stet_now(call)))));
	*ended = !stet_row(&rows);
	token = !*ended && (a->grant == NULL || stet_col_int(&rows, 0) != 0);
	STET_TRY(stet_rows_end(&rows));
	if (*ended || token)
		return STET_OK;
	if (oauth != NULL)
		STET_TRY(oauth->client(call, a->grant, &name));
	*ended = name == NULL;
	return STET_OK;
}

enum stet_status
approval_state(struct stet_call *call, const struct approval *a, const char **state)
{
	int64_t ends;
	bool ended;

	*state = a->state;
	if (strcmp(a->state, APPROVAL_OPEN) != 0)
		return STET_OK;
	if (stet_time_parse(a->ends, &ends) && ends <= stet_now(call)) {
		*state = APPROVAL_EXPIRED;
		return STET_OK;
	}
	STET_TRY(access_ended(call, a, &ended));
	if (ended)
		*state = APPROVAL_WITHDRAWN;
	return STET_OK;
}

/* ---- JSON ---- */

static int
by_name(const void *name, const void *info)
{
	return strcmp(name, (*(const struct stet_op_info *const *)info)->name);
}

const struct stet_op_info *
approval_op(struct stet_call *call, const char *name)
{
	const struct stet_op_info *const *all, *const *found;
	size_t count = stet_ops(call, &all);

	found = bsearch(name, all, count, sizeof(*all), by_name);
	return found != NULL ? *found : NULL;
}

static void
put_item(struct stet_json *out, const struct subject *s)
{
	if (s->id == NULL) {
		stet_put_null(out, "item");
		return;
	}
	stet_object(out, "item");
	stet_put_str(out, "title", s->title);
	stet_put_str(out, "slug", s->slug);
	stet_put_str(out, "status", s->status);
	stet_put_int(out, "version", s->version);
	stet_close(out);
}

static void
put_text(struct stet_json *out, const struct approval *a, const char *state)
{
	stet_put_str(out, "id", a->id);
	stet_put_str(out, "state", state);
	stet_put_str(out, "op", a->op);
	stet_put_raw(out, "arguments", a->arguments, strlen(a->arguments));
	stet_put_str(out, "collection", a->collection);
	stet_put_str(out, "contentId", a->entry);
	stet_put_str(out, "client", a->client);
	stet_put_str(out, "tokenId", a->grant);
	stet_put_str(out, "askedById", a->asker);
	stet_put_str(out, "askedByName", a->asker_name);
	stet_put_str(out, "message", a->message);
	stet_put_str(out, "createdAt", a->created);
	stet_put_str(out, "endsAt", a->ends);
	stet_put_str(out, "decidedById", a->decider);
	stet_put_str(out, "decidedByName", a->decider_name);
	stet_put_str(out, "decidedAt", a->decided);
	stet_put_str(out, "answer", a->answer);
}

/* Writes the members of a request into the open object. */
static enum stet_status
put(struct stet_call *call, struct stet_json *out, const struct approval *a, const char *state)
{
	const struct stet_op_info *op = approval_op(call, a->op);
	bool open = strcmp(state, APPROVAL_OPEN) == 0;
	struct subject s = { 0 };

	if (a->entry != NULL)
		STET_TRY(subject_named(call, a->collection, a->entry, &s));
	put_text(out, a, state);
	stet_put_str(out, "title", op != NULL ? op->op->title : a->op);
	if (a->entry != NULL)
		stet_put_int(out, "version", a->version);
	else
		stet_put_null(out, "version");
	put_item(out, &s);
	stet_put_bool(
	    out, "stale", open && a->entry != NULL && (s.id == NULL || s.version != a->version));
	stet_object(out, "may");
	stet_put_bool(out, "decide", open && approval_may_decide(call, a));
	stet_put_bool(out, "withdraw", open && is_own(call, a));
	stet_close(out);
	return STET_OK;
}

enum stet_status
approval_answer(struct stet_call *call, const struct approval *a)
{
	struct stet_json *out = stet_reply(call);
	const char *state;

	STET_TRY(approval_state(call, a, &state));
	stet_object(out, NULL);
	stet_object(out, "approval");
	STET_TRY(put(call, out, a, state));
	stet_close(out);
	stet_close(out);
	return STET_OK;
}

enum stet_status
approval_get(struct stet_call *call)
{
	struct approval a;

	STET_TRY(approval_find(call, &a));
	return approval_answer(call, &a);
}

enum stet_status
approval_list(struct stet_call *call)
{
	struct stet_page page = {
		.listing = "approvals", .key = "created_at", .key_column = A_CREATED, .id_column = A_ID
	};
	const char *asked = stet_arg(call, "state"), *state;
	struct stet_json *out = stet_reply(call);
	struct stet_sql *sql = stet_sql_new(call);
	struct approval *all;
	struct stet_rows rows;

	stet_sql_add(sql, "SELECT " COLUMNS " FROM approval WHERE state = ");
	stet_sql_bind(sql, stet_val_str(asked));
	add_seen(call, sql);
	STET_TRY(stet_page_sql(call, &page, sql));
	STET_TRY(stet_sql_query(sql, &rows));
	all = stet_alloc(call, (size_t)page.limit * sizeof(*all));
	while (stet_page_row(&page, &rows))
		take(&rows, &all[page.count - 1]);
	STET_TRY(stet_rows_end(&rows));
	stet_object(out, NULL);
	stet_array(out, "items");
	for (size_t i = 0; i < (size_t)page.count; i++) {
		STET_TRY(approval_state(call, &all[i], &state));
		/* An editor sees what an editor may do; what has ended meanwhile is not open. */
		if (strcmp(state, asked) != 0 ||
		    (!is_own(call, &all[i]) && !approval_may_decide(call, &all[i])))
			continue;
		stet_object(out, NULL);
		STET_TRY(put(call, out, &all[i], state));
		stet_close(out);
	}
	stet_close(out);
	stet_page_end(out, &page);
	stet_close(out);
	return STET_OK;
}
