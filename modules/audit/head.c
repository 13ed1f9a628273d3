/*
 * head.c - the signed head of the log: number and hash of a recent record, sealed with the site's
 * key in a table of its own. If somebody deletes the newest records, the rest is a valid chain, but
 * the signed head names a record that is missing.
 *
 * A job signs the newest record once a minute, so writes need no further statement. It first tests
 * that the previous signed head is still in the log. If not, it signs nothing: a new head would
 * hide the loss. A backup has the log and its head in the same state.
 */
#include "audit.h"
#include <stdlib.h>
#include <stet/check.h>
#include <string.h>

#define EVERY 60000 /* milliseconds */
#define ROW "1"

const struct stet_sealed_column head_sealed = { "audit_head", "sealed", "id", "stet audit sign" };

/* ---- the row ---- */

static enum stet_status
store(struct stet_call *call, struct stet_tx *tx, const struct link *head)
{
	const char *text = stet_printf(call, "%lld:%s", (long long)head->seq, head->hash), *sealed;

	STET_TRY(stet_seal(call, tx, &head_sealed, ROW, text, strlen(text), &sealed));
	return stet_exec(
	    call, tx, "UPDATE audit_head SET sealed = ?1 WHERE id = 1", STET_ARGS(sealed));
}

enum stet_status
head_begin(struct stet_call *call, struct stet_tx *tx)
{
	struct link head;

	STET_TRY(stet_exec(
	    call, tx, "INSERT INTO audit_head (id, sealed) VALUES (1, NULL)", STET_NO_ARGS));
	STET_TRY(chain_head(call, &head));
	if (store(call, tx, &head) != STET_OK)
		stet_error_clear(call); /* a site without a key: the job signs once it has one */
	return STET_OK;
}

#define UNSIGNED (-1) /* as out->seq: no head was ever signed */
#define UNKNOWN (-2) /* as out->seq: no key, for example when an archive is verified without it */

/* Reads the signed head. *why says how it was tampered with; NULL: it is sound. */
static enum stet_status
load(struct stet_call *call, struct link *out, const char **why)
{
	const char *sealed = NULL, *text;
	enum stet_status status;
	struct stet_rows rows;
	bool found;

	*out = (struct link){ .seq = UNSIGNED };
	*why = NULL;
	STET_TRY(
	    stet_query(call, &rows, "SELECT sealed FROM audit_head WHERE id = 1", STET_NO_ARGS));
	if ((found = stet_row(&rows)))
		sealed = stet_col_dup(&rows, 0);
	STET_TRY(stet_rows_end(&rows));
	if (!found)
		*why = "its signed head is gone";
	if (sealed == NULL)
		return STET_OK;
	status = stet_unseal(call, &head_sealed, ROW, sealed, &text, NULL);
	if (status != STET_OK) {
		stet_error_clear(call);
		out->seq = UNKNOWN;
		if (status != STET_KEY_UNAVAILABLE)
			*why = "its signed head was not signed with the site's key";
		return STET_OK;
	}
	out->seq = strtoll(text, NULL, 10);
	if (strchr(text, ':') != NULL)
		memccpy(out->hash, strchr(text, ':') + 1, '\0', sizeof(out->hash) - 1);
	return STET_OK;
}

/* ---- judging ---- */

/* Reads the hash of the head's record. If retention has deleted it, reads the last deleted record
 * instead, since earlier hashes are gone. */
static enum stet_status
find(struct stet_call *call, const struct link *head, struct link *out)
{
	struct stet_rows rows;

	STET_TRY(chain_anchor(call, out));
	if (head->seq < out->seq) {
		*out = *head;
		return STET_OK;
	}
	if (head->seq == out->seq)
		return STET_OK;
	STET_TRY(stet_query(call, &rows, "SELECT seq, hash FROM audit_log WHERE seq = ?1",
	    STET_ARGS((int64_t)head->seq)));
	*out = (struct link){ .seq = UNSIGNED };
	if (stet_row(&rows))
		link_read(&rows, out);
	return stet_rows_end(&rows);
}

static enum stet_status
judge(struct stet_call *call, struct link *head, const char **why)
{
	struct link there;

	STET_TRY(load(call, head, why));
	if (*why != NULL || head->seq < 0)
		return STET_OK;
	STET_TRY(find(call, head, &there));
	if (there.seq != head->seq)
		*why = stet_printf(
		    call, "record %lld, the newest that was signed, is gone", (long long)head->seq);
	else if (strcmp(there.hash, head->hash) != 0)
		*why = stet_printf(
		    call, "record %lld is not the one that was signed", (long long)head->seq);
	return STET_OK;
}

enum stet_status
head_judge(struct stet_call *call, const char **why)
{
	struct link head;

	STET_TRY(judge(call, &head, why));
	if (*why == NULL && head.seq == UNSIGNED)
		*why = "no head of it was ever signed";
	return STET_OK;
}

enum stet_status
head_check(struct stet_call *call)
{
	const char *why;

	STET_TRY(head_judge(call, &why));
	if (why != NULL)
		stet_finding(call, STET_TROUBLE,
		    "Compare with a backup, and find out who can write to the database.",
		    "the audit log is not as it was: %s", why);
	else
		stet_finding(
		    call, STET_FINE, NULL, "the audit log has the records that were signed");
	return STET_OK;
}

/* ---- signing ---- */

static enum stet_status
sign(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	const struct record first = { .op = SIGNED_ANEW, .module = "audit" };
	const char **why = arg;
	struct link was, head;

	STET_TRY(judge(call, &was, why));
	if (*why != NULL || was.seq == UNKNOWN)
		return STET_OK;
	if (was.seq == UNSIGNED)
		STET_TRY(chain_append(call, tx, &first));
	STET_TRY(chain_head(call, &head));
	return head.seq > was.seq ? store(call, tx, &head) : STET_OK;
}

const struct stet_member head_in[] = { { 0 } };
const struct stet_member head_out[] = {
	{ "head", STET_STRING, STET_REQUIRED,
	    .about = "Number and hash of the record that is signed" },
	{ 0 },
};

/* For an administrator who knows why the signed head is missing: a lost key, a repaired database.
 * This operation is recorded. */
enum stet_status
head_sign(struct stet_call *call)
{
	struct stet_tx *tx = stet_write_tx(call);
	struct stet_json *out = stet_reply(call);
	struct link head;

	STET_TRY(stet_exec(call, tx, "DELETE FROM audit_head", STET_NO_ARGS));
	STET_TRY(stet_exec(
	    call, tx, "INSERT INTO audit_head (id, sealed) VALUES (1, NULL)", STET_NO_ARGS));
	STET_TRY(chain_head(call, &head));
	STET_TRY(store(call, tx, &head));
	stet_object(out, NULL);
	stet_put_str(out, "head", stet_printf(call, "%lld:%s", (long long)head.seq, head.hash));
	stet_close(out);
	return STET_OK;
}

int64_t
head_due(struct stet_call *call)
{
	struct audit_state *s = stet_state(call);
	int64_t now = stet_now(call), due = s->head_due;

	/* If the clock was set back, do not wait for the old time. */
	return due > now + EVERY ? now : due > now ? due : now;
}

enum stet_status
head_run(struct stet_call *call)
{
	struct audit_state *s = stet_state(call);
	const char *why = NULL;
	struct link was, head;

	s->head_due = stet_now(call) + EVERY;
	STET_TRY(judge(call, &was, &why));
	STET_TRY(chain_head(call, &head));
	/* Writes nothing if there is no new record. */
	if (why == NULL && (was.seq == UNSIGNED || (was.seq != UNKNOWN && head.seq > was.seq)))
		STET_TRY(stet_write_lane(call, sign, &why));
	if (why != NULL && !s->head_told)
		stet_log(call, STET_ERROR, "the audit log is not as it was: %s", why);
	s->head_told = why != NULL;
	return STET_OK;
}
