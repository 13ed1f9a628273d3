/* decide.c - ends a request for review: approves it, returns it to its author, or withdraws it.
 * What is approved is not published by that: publishing is an op of its own. */
#include "reviews.h"
#include <string.h>

/* clang-format off */
#define ITEM \
	{ "collection", STET_STRING, STET_REQUIRED, .about = "Slug of the collection" }, \
	{ "id", STET_STRING, STET_REQUIRED, .about = "Id or slug of the item" }
#define VERSION \
	{ "version", STET_INTEGER, \
	    .about = "The version that was read: refused with CONFLICT if there is a newer one" }
/* clang-format on */
const struct stet_member review_approve_in[] = {
	ITEM,
	VERSION,
	{ "message", STET_STRING, STET_NULLABLE, .about = "For the author",
	    STET_RANGE(1, REVIEW_MESSAGE_MAX) },
	{ 0 },
};
const struct stet_member review_return_in[] = {
	ITEM,
	{ "message", STET_STRING, STET_REQUIRED, .about = "What is to be changed",
	    STET_RANGE(1, REVIEW_MESSAGE_MAX) },
	{ 0 },
};
const struct stet_member review_withdraw_in[] = { ITEM, { 0 } };
const struct stet_member review_tool_in[] = {
	ITEM,
	{ "action", STET_STRING, STET_REQUIRED,
	    STET_CHOICES("ask", "approve", "return", "withdraw") },
	{ "message", STET_STRING, STET_RANGE(1, REVIEW_MESSAGE_MAX) },
	{ "reviewers", STET_ARRAY, STET_BOUNDED, .item = STET_STRING, .about = "Ids of users",
	    STET_RANGE(0, REVIEW_REVIEWERS_MAX) },
	{ "version", STET_INTEGER, .about = "That was read" },
	{ 0 },
};

static enum stet_status
find_open(struct stet_call *call, struct subject *s, struct review **r)
{
	STET_TRY(subject_find(call, s));
	STET_TRY(review_current(call, s->collection->slug, s->id, r));
	if (*r != NULL && strcmp((*r)->state, review_states[REVIEW_OPEN]) == 0)
		return STET_OK;
	return stet_fail(call, stet_code(call, "REVIEW_NOT_OPEN"), NULL, "%s%s",
	    *r == NULL ? "Nobody has asked for a review" : "The request is ",
	    *r == NULL ? "" : (*r)->state);
}

static enum stet_status
store(struct stet_call *call, const struct subject *s, struct review *r, enum review_state state)
{
	struct stet_tx *tx = stet_write_tx(call);
	struct writer w = writer_of(call);

	STET_TRY(stet_exec(call, tx,
	    "UPDATE review SET state = ?1, decided_by_id = ?2, decided_by_name = ?3, answer = ?4,"
	    " decided_at = ?5, decided_version = ?6 WHERE id = ?7",
	    STET_ARGS(review_states[state], w.id, w.name, r->answer,
		stet_time_text(call, stet_now(call)), s->version, r->id)));
	if (r->asker != NULL && !writer_is(&w, r->asker) && state != REVIEW_WITHDRAWN)
		STET_TRY(mails_send(call, tx, review_states[state], r->asker, s, w.name,
		    r->answer != NULL ? r->answer : ""));
	STET_TRY(review_tell(call, tx, s, review_states[state], r));
	return review_answer(call, s);
}

enum stet_status
review_approve(struct stet_call *call)
{
	const char *message = stet_arg(call, "message");
	struct subject s;
	struct review *r;

	STET_TRY(find_open(call, &s, &r));
	if (stet_has(call, "version") && stet_arg_int(call, "version") != s.version)
		return stet_fail(call, STET_CONFLICT, "version",
		    "The item has changed since it was read: it is at version %lld",
		    (long long)s.version);
	if (message != NULL)
		r->answer = text_clean(call, "message", message);
	STET_TRY(stet_issues(call));
	return store(call, &s, r, REVIEW_APPROVED);
}

enum stet_status
review_return(struct stet_call *call)
{
	struct subject s;
	struct review *r;

	STET_TRY(find_open(call, &s, &r));
	r->answer = text_clean(call, "message", stet_arg(call, "message"));
	STET_TRY(stet_issues(call));
	return store(call, &s, r, REVIEW_RETURNED);
}

enum stet_status
review_withdraw(struct stet_call *call)
{
	struct writer w = writer_of(call);
	struct subject s;
	struct review *r;

	STET_TRY(find_open(call, &s, &r));
	if (!writer_is(&w, r->asker) && !stet_may(call, DECIDES))
		return stet_fail(call, STET_FORBIDDEN, NULL,
		    "Only who has asked, or an editor, may withdraw a request");
	return store(call, &s, r, REVIEW_WITHDRAWN);
}

/* The tool for all of these. */
enum stet_status
review_tool(struct stet_call *call)
{
	const char *action = stet_arg(call, "action");

	if (strcmp(action, "ask") == 0)
		return review_ask(call);
	if (strcmp(action, "withdraw") == 0)
		return review_withdraw(call);
	if (stet_drafts_only(call))
		return stet_refuse_public(call);
	STET_TRY(stet_require(call, DECIDES));
	if (strcmp(action, "approve") == 0)
		return review_approve(call);
	if (stet_arg(call, "message") == NULL)
		stet_issue(call, "message", "is required to return");
	STET_TRY(stet_issues(call));
	return review_return(call);
}
