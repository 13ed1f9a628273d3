/*
 * follow.c - what happens to notes and requests when their item changes.
 *
 * A publication ends the present request; an item in the trash waits for no decision. Most changes
 * of most sites concern no request, so the number of those that may end is kept for the
 * transaction.
 */
#include "approval.h"
#include <string.h>

#define PENDING "is_current = 1 AND state IN ('open', 'approved')"

/* Sets *out to true if any request of the table is pending. Asks once a transaction, until the
 * table is written. */
static enum stet_status
any_in(struct stet_call *call, const char *table, const char *sql, bool *out)
{
	void **slot = stet_tx_slot(call, sql, table);
	struct stet_rows rows;

	if (slot != NULL && *slot != NULL) {
		*out = *(bool *)*slot;
		return STET_OK;
	}
	STET_TRY(stet_query(call, &rows, sql, STET_NO_ARGS));
	*out = stet_row(&rows);
	STET_TRY(stet_rows_end(&rows));
	if (slot != NULL) {
		*slot = stet_tx_alloc(call, sizeof(bool));
		*(bool *)*slot = *out;
	}
	return STET_OK;
}

static enum stet_status
any_pending(struct stet_call *call, bool *out)
{
	static const char sql[] = "SELECT 1 FROM review WHERE " PENDING " LIMIT 1";

	return any_in(call, "review", sql, out);
}

/* Withdraws the open requests for approval about an item. */
static enum stet_status
withdraw_approvals(
    struct stet_call *call, struct stet_tx *tx, const char *collection, const char *id)
{
	static const char sql[] = "SELECT 1 FROM approval WHERE state = 'open' LIMIT 1";
	bool open;

	STET_TRY(any_in(call, "approval", sql, &open));
	return open ? approvals_withdraw(call, tx, collection, id) : STET_OK;
}

/* Tells the asker that the item is published. */
static enum stet_status
tell(struct stet_call *call, struct stet_tx *tx, const struct stet_collection *collection,
    const char *id, int64_t version, const struct review *r, enum review_state state)
{
	struct subject s = { .collection = collection, .id = id, .version = version };
	struct writer w = writer_of(call);

	if (state == REVIEW_PUBLISHED && r->asker != NULL && !writer_is(&w, r->asker)) {
		STET_TRY(subject_read(call, &s)); /* for its title */
		STET_TRY(mails_send(
		    call, tx, review_states[REVIEW_PUBLISHED], r->asker, &s, w.name, ""));
	}
	return review_tell(call, tx, &s, review_states[state], r);
}

static enum stet_status
end(struct stet_call *call, struct stet_tx *tx, const struct stet_collection *collection,
    const char *id, int64_t version, enum review_state state)
{
	struct writer w = writer_of(call);
	struct review *r;

	STET_TRY(review_current(call, collection->slug, id, &r));
	if (r == NULL || (strcmp(r->state, review_states[REVIEW_OPEN]) != 0 &&
			     strcmp(r->state, review_states[REVIEW_APPROVED]) != 0))
		return STET_OK;
	STET_TRY(stet_exec(call, tx,
	    "UPDATE review SET state = ?1, decided_by_id = ?2, decided_by_name = ?3,"
	    " decided_at = ?4, decided_version = ?5 WHERE id = ?6",
	    STET_ARGS(review_states[state], w.id, w.name, stet_time_text(call, stet_now(call)),
		version, r->id)));
	return tell(call, tx, collection, id, version, r, state);
}

enum stet_status
follow_entry(struct stet_call *call, struct stet_tx *tx, const struct stet_collection *collection,
    const char *id, const char *change, int64_t version)
{
	const bool published = strcmp(change, "publish") == 0;
	bool pending;

	if (!published && strcmp(change, "delete") != 0)
		return STET_OK;
	if (!published)
		STET_TRY(withdraw_approvals(call, tx, collection->slug, id));
	STET_TRY(any_pending(call, &pending));
	if (!pending)
		return STET_OK;
	return end(
	    call, tx, collection, id, version, published ? REVIEW_PUBLISHED : REVIEW_WITHDRAWN);
}

static enum stet_status
delete_of(struct stet_call *call, struct stet_tx *tx, const char *collection, const char *id)
{
	STET_TRY(withdraw_approvals(call, tx, collection, id));
	STET_TRY(stet_exec(call, tx, "DELETE FROM note WHERE collection = ?1 AND entry_id = ?2",
	    STET_ARGS(collection, id)));
	return stet_exec(call, tx, "DELETE FROM review WHERE collection = ?1 AND entry_id = ?2",
	    STET_ARGS(collection, id));
}

enum stet_status
follow_purge(struct stet_call *call, struct stet_tx *tx, struct stet_entry *entry)
{
	return delete_of(call, tx, stet_entry_collection(entry)->slug, stet_entry_id(entry));
}

enum stet_status
follow_schema(struct stet_call *call, struct stet_tx *tx, const char *change,
    const char *collection, const char *field)
{
	if (field != NULL || strcmp(change, "delete") != 0)
		return STET_OK;
	STET_TRY(approvals_withdraw(call, tx, collection, NULL));
	STET_TRY(
	    stet_exec(call, tx, "DELETE FROM note WHERE collection = ?1", STET_ARGS(collection)));
	return stet_exec(
	    call, tx, "DELETE FROM review WHERE collection = ?1", STET_ARGS(collection));
}
