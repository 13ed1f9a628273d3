/*
 * verify.c - verifies the whole chain in one read: finds records that were changed, removed or
 * moved.
 */
#include "audit.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PROBLEMS_MAX 20 /* problems that are listed */

const struct stet_member verify_in[] = {
	{ "pin", STET_STRING,
	    .about = "A head that was noted before, NUMBER:HASH: it must still be in the chain",
	    .pattern = "^[0-9]{1,18}:[0-9a-f]{64}$" },
	{ 0 },
};
const struct stet_member verify_out[] = {
	{ "problems", STET_ARRAY, STET_REQUIRED, .item = STET_STRING,
	    .about = "What is not as it was written; the first of them" },
	{ "records", STET_INTEGER, STET_REQUIRED },
	{ "first", STET_TIME, .about = "Time of the oldest record" },
	{ "last", STET_TIME, .about = "Time of the newest record" },
	{ "pruned", STET_INTEGER, STET_REQUIRED, .about = "Records that retention took away" },
	{ "head", STET_STRING, STET_REQUIRED,
	    .about =
		"Note it elsewhere, and give it as pin later: a chain that was cut short or made "
		"anew does not hold it" },
	{ 0 },
};

struct walk {
	struct stet_call *call;
	json_t *problem; /* an array of texts */
	struct link anchor, last, pin; /* pin: noted earlier by the caller; pin.seq 0: none */
	int64_t records;
	const char *first_time, *last_time;
	bool pinned, pruned; /* seen so far: the pinned link; the record about the deletion before
				the anchor */
};

static void __attribute__((format(printf, 2, 3))) problem(struct walk *w, const char *fmt, ...)
{
	va_list ap;
	char text[256];

	if (json_array_size(w->problem) == PROBLEMS_MAX)
		return;
	va_start(ap, fmt);
	(void)vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	json_array_append_new(w->problem, json_string(text));
}

static struct stet_val
value_of(struct stet_rows *rows, int column)
{
	const char *text;
	size_t len;

	if (column == R_SEQ)
		return stet_val_int(stet_col_int(rows, column));
	if ((text = stet_col_text(rows, column, &len)) == NULL)
		return stet_val_null();
	return stet_val_strn(text, len);
}

static void
check_pin(struct walk *w, const struct link *at)
{
	if (w->pin.seq == 0 || at->seq != w->pin.seq)
		return;
	w->pinned = true;
	if (strcmp(at->hash, w->pin.hash) != 0)
		problem(w, "record %lld is not the one that was pinned", (long long)at->seq);
}

/* Retention writes a record that says up to which record it deleted: compares that with the
 * anchor. */
static void
check_pruned(struct walk *w, const struct stet_val value[R_HASH])
{
	if (value[R_OP].u.s != NULL && strcmp(value[R_OP].u.s, PRUNED) == 0 &&
	    value[R_SUBJECT].u.s != NULL && value[R_RESULT].u.s != NULL &&
	    strtoll(value[R_SUBJECT].u.s, NULL, 10) == w->anchor.seq &&
	    strcmp(value[R_RESULT].u.s, w->anchor.hash) == 0)
		w->pruned = true;
}

static void
check_record(struct walk *w, struct stet_rows *rows)
{
	struct stet_val value[R_HASH];
	struct link now = { 0 };
	char hash[HASH_SIZE];
	const char *stored;

	for (int i = 0; i < R_HASH; i++)
		value[i] = value_of(rows, i);
	now.seq = value[R_SEQ].u.i;
	stored = stet_col_str(rows, R_HASH);
	if (stored != NULL)
		memccpy(now.hash, stored, '\0', sizeof(now.hash) - 1);
	chain_hash(w->last.hash, value, hash);
	if (now.seq != w->last.seq + 1)
		problem(w, "records %lld to %lld are gone", (long long)w->last.seq + 1,
		    (long long)now.seq - 1);
	else if (strcmp(hash, now.hash) != 0)
		problem(
		    w, "record %lld is not as it was written, or not where", (long long)now.seq);
	check_pin(w, &now);
	check_pruned(w, value);
	w->last = now;
}

static enum stet_status
check_records(struct walk *w)
{
	struct stet_rows rows;

	STET_TRY(stet_query(w->call, &rows,
	    "SELECT " RECORD_COLUMNS ", hash FROM audit_log ORDER BY seq", STET_NO_ARGS));
	while (stet_row(&rows)) {
		check_record(w, &rows);
		if (w->records++ == 0)
			w->first_time = stet_col_dup(&rows, R_TIME);
	}
	return stet_rows_end(&rows);
}

static enum stet_status
last_time(struct walk *w)
{
	struct stet_rows rows;

	STET_TRY(stet_query(w->call, &rows, "SELECT created_at FROM audit_log WHERE seq = ?1",
	    STET_ARGS(w->last.seq)));
	if (stet_row(&rows))
		w->last_time = stet_col_dup(&rows, 0);
	return stet_rows_end(&rows);
}

static void
read_pin(struct walk *w, const char *text)
{
	if (text == NULL)
		return;
	w->pin.seq = strtoll(text, NULL, 10);
	memccpy(w->pin.hash, strchr(text, ':') + 1, '\0', sizeof(w->pin.hash));
	check_pin(w, &w->anchor);
}

static enum stet_status
check(struct stet_call *call, struct walk *w)
{
	const char *why;

	*w = (struct walk){ .call = call, .problem = stet_json_own(call, json_array()) };
	STET_TRY(chain_anchor(call, &w->anchor));
	w->last = w->anchor;
	read_pin(w, stet_arg(call, "pin"));
	STET_TRY(check_records(w));
	STET_TRY(last_time(w));
	if (w->anchor.seq > 0 && !w->pruned)
		problem(w, "no record says that the %lld before the first were pruned",
		    (long long)w->anchor.seq);
	STET_TRY(head_judge(call, &why));
	if (why != NULL)
		problem(w, "%s", why);
	if (w->pin.seq > 0 && !w->pinned)
		problem(w, "record %lld, which was pinned, is %s", (long long)w->pin.seq,
		    w->pin.seq < w->anchor.seq ? "older than what is kept" : "gone");
	return STET_OK;
}

static void
put_report(struct stet_call *call, const struct walk *w)
{
	struct stet_json *out = stet_reply(call);

	stet_object(out, NULL);
	stet_put_json(out, "problems", w->problem);
	stet_put_int(out, "records", w->records);
	if (w->first_time != NULL)
		stet_put_str(out, "first", w->first_time);
	if (w->last_time != NULL)
		stet_put_str(out, "last", w->last_time);
	stet_put_int(out, "pruned", w->anchor.seq);
	stet_put_str(
	    out, "head", stet_printf(call, "%lld:%s", (long long)w->last.seq, w->last.hash));
	stet_close(out);
}

enum stet_status
audit_verify(struct stet_call *call)
{
	struct walk w;

	STET_TRY(check(call, &w));
	put_report(call, &w);
	return STET_OK;
}

enum stet_status
audit_prove(struct stet_call *call)
{
	struct walk w;
	json_t *text;
	size_t i;

	STET_TRY(check(call, &w));
	json_array_foreach(w.problem, i, text) stet_issue(call, "", "%s", json_string_value(text));
	if (json_array_size(w.problem) > 0)
		return stet_fail(call, stet_code(call, "AUDIT_BROKEN"), NULL,
		    "The audit log is not as it was written");
	put_report(call, &w);
	return STET_OK;
}
