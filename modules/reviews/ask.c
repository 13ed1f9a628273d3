/*
 * ask.c - asking for an approval: stores a call that was refused with PUBLISH_NEEDS_APPROVAL.
 *
 * Whether the call would be refused is found out by making it: in a savepoint, with the rights of
 * the program. What it is about is the item at its present version, which must still be the same
 * when somebody allows it.
 */
#include "approval.h"
#include <stdlib.h>
#include <stet/oauth.h>
#include <string.h>

const struct stet_member approval_ask_in[] = {
	{ "op", STET_STRING, STET_REQUIRED, .about = "The operation or tool that was refused",
	    STET_RANGE(1, 128) },
	{ "arguments", STET_OBJECT, .about = "What it takes" },
	{ "message", STET_STRING, .about = "Why, for the person who decides",
	    STET_RANGE(1, APPROVAL_MESSAGE_MAX) },
	{ 0 },
};

/* Fails unless the call is refused because it needs an approval. */
static enum stet_status
check_refused(struct stet_call *call, const char *op, const json_t *args)
{
	const struct stet_op_info *info = approval_op(call, op);
	enum stet_status status = STET_OK;
	const char *out;
	size_t len;

	if (stet_drafts_only(call))
		status = stet_invoke_alone(call, op, args, (size_t)8 << 20, &out, &len);
	if (status == STET_OK) /* what it wrote is undone with this call */
		return stet_fail(call, stet_code(call, "APPROVAL_NOT_NEEDED"), NULL,
		    "%.64s needs no approval: call it without asking", op);
	if (status != STET_PUBLISH_NEEDS_APPROVAL || info == NULL)
		return status;
	stet_error_clear(call);
	if (stet_op_open(call, info, NULL))
		return STET_OK; /* its handler has refused, so the arguments are right */
	/* Its gate has refused, before anybody has looked at the arguments. This checks them first,
	 * and is refused in the same way. */
	status = stet_invoke(call, op, args, &out, &len);
	if (status != STET_PUBLISH_NEEDS_APPROVAL)
		return status != STET_OK ? status : stet_fault(call, "%s was not refused again", op);
	stet_error_clear(call);
	return STET_OK;
}

static bool
takes(const struct stet_op_info *op, const char *name)
{
	for (const struct stet_member *m = op->op->in; m != NULL && m->name != NULL; m++)
		if (strcmp(m->name, name) == 0)
			return m->type == STET_STRING;
	return false;
}

/* Finds the item that the call is about, if it is about one, and names it by its id: a slug may be
 * another item's when the call runs. */
static enum stet_status
find_item(struct stet_call *call, struct approval *a, json_t *args, struct subject *s)
{
	const struct stet_op_info *op = approval_op(call, a->op);
	const char *collection = json_string_value(json_object_get(args, "collection"));
	const char *id = json_string_value(json_object_get(args, "id"));

	*s = (struct subject){ 0 };
	if (collection == NULL || id == NULL || !takes(op, "collection") || !takes(op, "id"))
		return STET_OK;
	STET_TRY(subject_named(call, collection, id, s));
	if (s->id == NULL)
		return stet_fail(call, STET_NOT_FOUND, NULL, "Content item not found: %.200s", id);
	a->collection = s->collection->slug;
	a->entry = s->id;
	a->version = s->version;
	json_object_set_new(args, "id", json_string(s->id));
	return STET_OK;
}

/* Sets what the program behind the token calls itself. */
static enum stet_status
find_client(struct stet_call *call, struct approval *a)
{
	const struct stet_oauth_1 *oauth = stet_service(call, STET_OAUTH_1);
	struct stet_rows rows;

	if (a->grant == NULL)
		return STET_OK;
	STET_TRY(stet_query(
	    call, &rows, "SELECT name FROM api_tokens WHERE id = ?1", STET_ARGS(a->grant)));
	if (stet_row(&rows))
		a->client = stet_col_dup(&rows, 0);
	STET_TRY(stet_rows_end(&rows));
	if (a->client == NULL && oauth != NULL)
		return oauth->client(call, a->grant, &a->client);
	return STET_OK;
}

static enum stet_status
check_room(struct stet_call *call, const struct approval *a)
{
	const char *now = stet_time_text(call, stet_now(call));
	struct stet_rows rows;
	int64_t own, all;

	STET_TRY(stet_query(call, &rows,
	    "SELECT coalesce(SUM(CASE WHEN asker_id = ?1 AND coalesce(grant_id, '') ="
	    " coalesce(?2, '') THEN 1 ELSE 0 END), 0), count(*) FROM approval"
	    " WHERE state = 'open' AND ends_at > ?3",
	    STET_ARGS(a->asker, a->grant, now)));
	(void)stet_row(&rows);
	own = stet_col_int(&rows, 0);
	all = stet_col_int(&rows, 1);
	STET_TRY(stet_rows_end(&rows));
	if (own < APPROVALS_OF_GRANT && all < APPROVALS_OPEN)
		return STET_OK;
	return stet_fail(call, stet_code(call, "APPROVALS_FULL"), NULL,
	    "There are %lld open requests for approval%s already: wait until some are decided",
	    (long long)(own < APPROVALS_OF_GRANT ? all : own),
	    own < APPROVALS_OF_GRANT ? "" : " of this program");
}

static enum stet_status
store(struct stet_call *call, struct stet_tx *tx, const struct approval *a, const struct subject *s)
{
	const char *who = a->client == NULL
			      ? a->asker_name
			      : stet_printf(call, "%s (%s)", a->client, a->asker_name);

	const struct stet_val row[] = { stet_val_str(a->id), stet_val_str(a->op),
		stet_val_str(a->arguments), stet_val_str(a->collection), stet_val_str(a->entry),
		stet_val_int(a->version), stet_val_str(a->grant), stet_val_str(a->client),
		stet_val_str(a->asker), stet_val_str(a->asker_name), stet_val_str(a->message),
		stet_val_str(a->created), stet_val_str(a->ends) };

	STET_TRY(stet_exec(call, tx,
	    "INSERT INTO approval (id, state, op, arguments, collection, entry_id, version,"
	    " grant_id, client, asker_id, asker_name, message, created_at, ends_at)"
	    " VALUES (?1, 'open', ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)",
	    row, sizeof(row) / sizeof(row[0])));
	return mails_approval(call, tx, s, approval_op(call, a->op)->op->title, who,
	    a->message != NULL ? a->message : "");
}

enum stet_status
approval_ask(struct stet_call *call)
{
	const struct stet_principal *p = stet_principal(call);
	const json_t *given = stet_arg_json(call, "arguments");
	const char *message = stet_arg(call, "message");
	json_t *args = stet_json_own(
	    call, given != NULL ? json_copy((json_t *)(uintptr_t)given) : json_object());
	struct writer w = writer_of(call);
	struct approval a = { .id = stet_id(call),
		.state = APPROVAL_OPEN,
		.op = stet_arg(call, "op"),
		.grant = p->token_id,
		.asker = w.id,
		.asker_name = w.name,
		.created = stet_time_text(call, stet_now(call)),
		.ends = stet_time_text(
		    call, stet_now(call) + INT64_C(86400000) * APPROVAL_DAYS) },
			same;
	struct subject s;
	bool found;
	char *text;

	STET_TRY(check_refused(call, a.op, args));
	if (message != NULL)
		a.message = text_clean(call, "message", message);
	STET_TRY(stet_issues(call));
	STET_TRY(find_item(call, &a, args, &s));
	text = json_dumps(args, JSON_COMPACT | JSON_SORT_KEYS);
	a.arguments = stet_strdup(call, text);
	free(text);
	if (strlen(a.arguments) > APPROVAL_ARGUMENTS_MAX)
		return stet_fail(call, STET_PAYLOAD_TOO_LARGE, "arguments",
		    "A request for approval holds at most %d bytes of arguments",
		    APPROVAL_ARGUMENTS_MAX);
	STET_TRY(approval_same(call, &a, &same, &found));
	if (found)
		return approval_answer(call, &same);
	STET_TRY(check_room(call, &a));
	STET_TRY(find_client(call, &a));
	STET_TRY(store(call, stet_write_tx(call), &a, &s));
	if (!stet_nested(call)) /* the answer of the tool server is no 201 */
		stet_created(call);
	return approval_answer(call, &a);
}
