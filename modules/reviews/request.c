/*
 * request.c - the request for review of an item: what it is, and asking for one.
 *
 * An item has one present request (review.current); a new one takes the place of one that was
 * decided, which stays as history. No request changes what the public sees.
 */
#include "reviews.h"
#include <string.h>

#define MAY_BE_NULL (STET_REQUIRED | STET_NULLABLE)

const char *const review_states[] = { [REVIEW_OPEN] = "open",
	[REVIEW_APPROVED] = "approved",
	[REVIEW_RETURNED] = "returned",
	[REVIEW_WITHDRAWN] = "withdrawn",
	[REVIEW_PUBLISHED] = "published",
	NULL };

static const struct stet_member reviewer_shape[] = {
	{ "id", STET_STRING, STET_REQUIRED },
	{ "name", STET_STRING, STET_REQUIRED },
	{ 0 },
};
const struct stet_member review_shape[] = {
	{ "id", STET_STRING, STET_REQUIRED },
	{ "state", STET_STRING, STET_REQUIRED, .choices = review_states },
	{ "askedById", STET_STRING, MAY_BE_NULL },
	{ "askedByName", STET_STRING, STET_REQUIRED },
	{ "message", STET_STRING, MAY_BE_NULL, .about = SAFE_ABOUT },
	{ "reviewers", STET_ARRAY, STET_REQUIRED, .of = reviewer_shape,
	    .about = "Empty: anybody who may approve" },
	{ "version", STET_INTEGER, STET_REQUIRED, .about = "Of the item when it was asked" },
	{ "createdAt", STET_TIME, STET_REQUIRED },
	{ "decidedById", STET_STRING, MAY_BE_NULL },
	{ "decidedByName", STET_STRING, MAY_BE_NULL },
	{ "decidedAt", STET_TIME, MAY_BE_NULL },
	{ "decidedVersion", STET_INTEGER, MAY_BE_NULL, .about = "Of the item that was approved" },
	{ "answer", STET_STRING, MAY_BE_NULL, .about = SAFE_ABOUT },
	{ "changedSince", STET_BOOLEAN, STET_REQUIRED,
	    .about = "Approved, and the item has changed since" },
	{ 0 },
};
static const struct stet_member may_shape[] = {
	{ "ask", STET_BOOLEAN, STET_REQUIRED },
	{ "decide", STET_BOOLEAN, STET_REQUIRED },
	{ "withdraw", STET_BOOLEAN, STET_REQUIRED },
	{ 0 },
};
/* clang-format off */
#define ITEM \
	{ "collection", STET_STRING, STET_REQUIRED, .about = "Slug of the collection" }, \
	{ "id", STET_STRING, STET_REQUIRED, .about = "Id or slug of the item" }
/* clang-format on */
const struct stet_member review_in[] = { ITEM, { 0 } };
const struct stet_member review_out[] = {
	{ "review", STET_OBJECT, MAY_BE_NULL, .of = review_shape, .about = "The present request" },
	{ "version", STET_INTEGER, STET_REQUIRED, .about = "Of the item now" },
	{ "may", STET_OBJECT, STET_REQUIRED, .of = may_shape, .about = "What the caller may do" },
	{ 0 },
};
const struct stet_member review_ask_in[] = {
	ITEM,
	{ "message", STET_STRING, STET_NULLABLE, .about = "For the reviewers",
	    STET_RANGE(1, REVIEW_MESSAGE_MAX) },
	{ "reviewers", STET_ARRAY, STET_BOUNDED, .item = STET_STRING,
	    .about = "Ids of users who may approve; none: any of them",
	    STET_RANGE(0, REVIEW_REVIEWERS_MAX) },
	{ 0 },
};

/* ---- reading ---- */

enum column {
	R_ID,
	R_STATE,
	R_ASKER,
	R_ASKER_NAME,
	R_MESSAGE,
	R_REVIEWERS,
	R_VERSION,
	R_DECIDER,
	R_DECIDER_NAME,
	R_ANSWER,
	R_DECIDED,
	R_DECIDED_VERSION,
	R_CREATED
};

void
review_take(struct stet_rows *rows, struct review *r)
{
	size_t len;
	const char *reviewers = stet_col_text(rows, R_REVIEWERS, &len);

	*r = (struct review){ .id = stet_col_dup(rows, R_ID),
		.state = stet_col_dup(rows, R_STATE),
		.asker = stet_col_dup(rows, R_ASKER),
		.asker_name = stet_col_dup(rows, R_ASKER_NAME),
		.message = stet_col_dup(rows, R_MESSAGE),
		.reviewers = stet_json_stored(rows->call, reviewers, len),
		.version = stet_col_int(rows, R_VERSION),
		.decider = stet_col_dup(rows, R_DECIDER),
		.decider_name = stet_col_dup(rows, R_DECIDER_NAME),
		.answer = stet_col_dup(rows, R_ANSWER),
		.decided = stet_col_dup(rows, R_DECIDED),
		.decided_version = stet_col_int(rows, R_DECIDED_VERSION),
		.created = stet_col_dup(rows, R_CREATED) };
}

enum stet_status
review_current(struct stet_call *call, const char *collection, const char *id, struct review **out)
{
	struct stet_rows rows;

	*out = NULL;
	STET_TRY(stet_query(call, &rows,
	    "SELECT " REVIEW_COLUMNS " FROM review"
	    " WHERE collection = ?1 AND entry_id = ?2 AND is_current = 1",
	    STET_ARGS(collection, id)));
	if (stet_row(&rows)) {
		*out = stet_alloc(call, sizeof(**out));
		review_take(&rows, *out);
	}
	return stet_rows_end(&rows);
}

bool
review_may_ask(struct stet_call *call, const struct subject *s)
{
	struct writer w = writer_of(call);

	return stet_may(call, "reviews:ask") &&
	       (writer_is(&w, s->author) || stet_may(call, "content:edit_any"));
}

/* ---- JSON ---- */

void
review_put(struct stet_json *out, const struct review *r, int64_t version)
{
	bool approved = strcmp(r->state, review_states[REVIEW_APPROVED]) == 0;

	stet_put_str(out, "id", r->id);
	stet_put_str(out, "state", r->state);
	stet_put_str(out, "askedById", r->asker);
	stet_put_str(out, "askedByName", r->asker_name);
	stet_put_str(out, "message", r->message);
	stet_put_json(out, "reviewers", r->reviewers);
	stet_put_int(out, "version", r->version);
	stet_put_str(out, "createdAt", r->created);
	stet_put_str(out, "decidedById", r->decider);
	stet_put_str(out, "decidedByName", r->decider_name);
	stet_put_str(out, "decidedAt", r->decided);
	if (r->decided != NULL)
		stet_put_int(out, "decidedVersion", r->decided_version);
	else
		stet_put_null(out, "decidedVersion");
	stet_put_str(out, "answer", r->answer);
	stet_put_bool(out, "changedSince", approved && version != r->decided_version);
}

enum stet_status
review_answer(struct stet_call *call, const struct subject *s)
{
	struct stet_json *out = stet_reply(call);
	struct writer w = writer_of(call);
	struct review *r;
	bool open;

	STET_TRY(review_current(call, s->collection->slug, s->id, &r));
	open = r != NULL && strcmp(r->state, review_states[REVIEW_OPEN]) == 0;
	stet_object(out, NULL);
	if (r != NULL) {
		stet_object(out, "review");
		review_put(out, r, s->version);
		stet_close(out);
	} else
		stet_put_null(out, "review");
	stet_put_int(out, "version", s->version);
	stet_object(out, "may");
	stet_put_bool(out, "ask", !open && review_may_ask(call, s));
	stet_put_bool(out, "decide", open && stet_may(call, DECIDES));
	stet_put_bool(
	    out, "withdraw", open && (writer_is(&w, r->asker) || stet_may(call, DECIDES)));
	stet_close(out);
	stet_close(out);
	return STET_OK;
}

enum stet_status
review_get(struct stet_call *call)
{
	struct subject s;

	STET_TRY(subject_find(call, &s));
	return review_answer(call, &s);
}

/* ---- asking ---- */

enum stet_status
review_tell(struct stet_call *call, struct stet_tx *tx, const struct subject *s, const char *state,
    const struct review *r)
{
	struct writer w = writer_of(call);

	STET_TRY(stet_note_within(call, tx, "review", s->collection->slug, s->id, state));
	if (!stet_hooked(call, STET_AT_review_after_change))
		return STET_OK;
	return stet_notify(call, tx, STET_AT_review_after_change,
	    stet_json_own(
		call, json_pack("{ss ss ss ss ss? ss? ss ss? ss? sI}", "id", r->id, "collection",
			  s->collection->slug, "contentId", s->id, "state", state, "askedById",
			  r->asker, "userId", w.id, "userName", w.name, "message", r->message,
			  "answer", r->answer, "version", (json_int_t)s->version)));
}

/* Puts the present request, if any, among the earlier ones, of which the newest are kept. */
static enum stet_status
replace(struct stet_call *call, struct stet_tx *tx, const struct subject *s)
{
	STET_TRY(stet_exec(call, tx,
	    "UPDATE review SET is_current = 0"
	    " WHERE collection = ?1 AND entry_id = ?2 AND is_current = 1",
	    STET_ARGS(s->collection->slug, s->id)));
	return stet_exec(call, tx,
	    "DELETE FROM review WHERE collection = ?1 AND entry_id = ?2 AND id < (SELECT MIN(id)"
	    " FROM (SELECT id FROM review WHERE collection = ?1 AND entry_id = ?2"
	    " ORDER BY id DESC LIMIT ?3) AS kept)",
	    STET_ARGS(s->collection->slug, s->id, REVIEW_KEPT - 1));
}

static enum stet_status
insert(struct stet_call *call, struct stet_tx *tx, const struct subject *s, const struct review *r)
{
	struct stet_json *reviewers = stet_json_new(call);

	stet_put_json(reviewers, NULL, r->reviewers);
	return stet_exec(call, tx,
	    "INSERT INTO review (id, collection, entry_id, state, is_current, asker_id, asker_name,"
	    " message, reviewers, version, created_at)"
	    " VALUES (?1, ?2, ?3, 'open', 1, ?4, ?5, ?6, ?7, ?8, ?9)",
	    STET_ARGS(r->id, s->collection->slug, s->id, r->asker, r->asker_name, r->message,
		stet_json_text(reviewers, NULL), s->version, r->created));
}

enum stet_status
review_ask(struct stet_call *call)
{
	const char *message = stet_arg(call, "message");
	struct stet_tx *tx = stet_write_tx(call);
	struct writer w = writer_of(call);
	struct review r = { .id = stet_id(call),
		.state = review_states[REVIEW_OPEN],
		.asker = w.id,
		.asker_name = w.name,
		.created = stet_time_text(call, stet_now(call)) },
		      *was;
	json_t *reviewers;
	struct subject s;

	STET_TRY(subject_find(call, &s));
	if (!review_may_ask(call, &s))
		return stet_fail(call, STET_FORBIDDEN, NULL,
		    "Only its author or an editor may ask for a review of an item");
	STET_TRY(review_current(call, s.collection->slug, s.id, &was));
	if (was != NULL && strcmp(was->state, review_states[REVIEW_OPEN]) == 0)
		return stet_fail(call, stet_code(call, "REVIEW_OPEN"), NULL,
		    "%s has asked for a review already", was->asker_name);
	if (message != NULL)
		r.message = text_clean(call, "message", message);
	STET_TRY(people_deciding(call, stet_arg_json(call, "reviewers"), &reviewers));
	r.reviewers = reviewers;
	STET_TRY(stet_issues(call));
	STET_TRY(replace(call, tx, &s));
	STET_TRY(insert(call, tx, &s, &r));
	STET_TRY(mails_reviewers(call, tx, &s, &r));
	STET_TRY(review_tell(call, tx, &s, r.state, &r));
	return review_answer(call, &s);
}
