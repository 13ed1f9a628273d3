/*
 * allow.c - allows a request for approval, refuses it, or withdraws it.
 *
 * Allowing runs the call at once, in the same transaction, with the rights of the person who
 * allows it. So it is all or nothing: if the call fails, the request stays open.
 */
#include "approval.h"
#include <string.h>

const struct stet_member approval_decide_in[] = {
	{ "id", STET_STRING, STET_REQUIRED, .about = "Id of the request" },
	{ "message", STET_STRING, STET_NULLABLE, .about = "For the program that has asked",
	    STET_RANGE(1, APPROVAL_MESSAGE_MAX) },
	{ 0 },
};
const struct stet_member approval_allowed_out[] = {
	{ "id", STET_STRING, STET_REQUIRED, .about = "Of the request, which is allowed now" },
	{ "op", STET_STRING, STET_REQUIRED },
	{ "result", STET_ANY, STET_REQUIRED, .about = "What the operation answers" },
	{ 0 },
};

/* Finds an open request. */
static enum stet_status
find_open(struct stet_call *call, struct approval *a)
{
	const char *state;

	STET_TRY(approval_find(call, a));
	STET_TRY(approval_state(call, a, &state));
	if (strcmp(state, APPROVAL_OPEN) == 0)
		return STET_OK;
	return stet_fail(call, stet_code(call, "APPROVAL_NOT_OPEN"), NULL, "%s",
	    strcmp(state, APPROVAL_EXPIRED) == 0
		? "The request has expired: the program may ask again"
	    : strcmp(state, APPROVAL_WITHDRAWN) == 0
		? "The request is withdrawn: it was taken back, or what it was about or the "
		  "program's access has ended"
		: stet_printf(call, "The request is %s already", state));
}

static enum stet_status
check_decider(struct stet_call *call, const struct approval *a)
{
	if (stet_principal(call)->via == STET_VIA_TOKEN)
		return stet_fail(call, STET_FORBIDDEN, NULL,
		    "A person who is signed in decides on requests for approval, no program does");
	if (!approval_may_decide(call, a))
		return stet_fail(call, STET_FORBIDDEN, NULL,
		    "Only somebody who may do it without asking may decide on the request");
	return STET_OK;
}

/* Fails if the item has changed since the request. */
static enum stet_status
check_item(struct stet_call *call, const struct approval *a)
{
	struct subject s;

	if (a->entry == NULL)
		return STET_OK;
	STET_TRY(subject_named(call, a->collection, a->entry, &s));
	if (s.id == NULL)
		return stet_fail(call, STET_CONFLICT, NULL, "The item of the request is gone");
	if (s.version == a->version)
		return STET_OK;
	return stet_fail(call, STET_CONFLICT, NULL,
	    "The item has changed since the request: it was asked about version %lld, and it is at "
	    "version %lld. Refuse the request, or do it yourself",
	    (long long)a->version, (long long)s.version);
}

/* `message`: for the program that has asked; NULL: there is none. */
static enum stet_status
store(struct stet_call *call, struct approval *a, const char *state, const char *message)
{
	struct stet_tx *tx = stet_write_tx(call);
	struct writer w = writer_of(call);

	if (message != NULL)
		a->answer = text_clean(call, "message", message);
	STET_TRY(stet_issues(call));
	a->state = state;
	a->decider = w.id;
	a->decider_name = w.name;
	a->decided = stet_time_text(call, stet_now(call));
	return stet_exec(call, tx,
	    "UPDATE approval SET state = ?1, decided_by_id = ?2, decided_by_name = ?3, answer = ?4,"
	    " decided_at = ?5 WHERE id = ?6 AND state = 'open'",
	    STET_ARGS(state, w.id, w.name, a->answer, a->decided, a->id));
}

enum stet_status
approval_allow(struct stet_call *call)
{
	struct stet_json *out = stet_reply(call);
	const char *data;
	struct approval a;
	size_t len;

	STET_TRY(find_open(call, &a));
	STET_TRY(check_decider(call, &a));
	STET_TRY(check_item(call, &a));
	/* Before the call runs: a call that deletes the item would withdraw an open request. */
	STET_TRY(store(call, &a, APPROVAL_ALLOWED, stet_arg(call, "message")));
	STET_TRY(
	    stet_invoke_alone(call, a.op, stet_json_stored(call, a.arguments, strlen(a.arguments)),
		(size_t)8 << 20, &data, &len));
	stet_object(out, NULL);
	stet_put_str(out, "id", a.id);
	stet_put_str(out, "op", a.op);
	stet_put_raw(out, "result", data, len);
	stet_close(out);
	return STET_OK;
}

enum stet_status
approval_refuse(struct stet_call *call)
{
	struct approval a;

	STET_TRY(find_open(call, &a));
	STET_TRY(check_decider(call, &a));
	STET_TRY(store(call, &a, APPROVAL_REFUSED, stet_arg(call, "message")));
	return approval_answer(call, &a);
}

enum stet_status
approval_withdraw(struct stet_call *call)
{
	const struct stet_principal *p = stet_principal(call);
	struct approval a;

	STET_TRY(find_open(call, &a));
	if (strcmp(a.asker, p->id) != 0)
		return stet_fail(call, STET_FORBIDDEN, NULL,
		    "Only who has asked may withdraw a request; others refuse it");
	STET_TRY(store(call, &a, APPROVAL_WITHDRAWN, NULL));
	return approval_answer(call, &a);
}
