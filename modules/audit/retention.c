/*
 * retention.c - the job that deletes the oldest records, and stores the hash of the last deleted
 * one as the anchor of the rest, so that the chain stays verifiable.
 */
#include "audit.h"
#include <string.h>

#define EVERY 3600000 /* milliseconds */
#define PART 1000 /* records in one transaction, so that other writes need not wait long */
#define DAY 86400000

/* The limits of the settings; 0: no limit. */
struct limits {
	const char *since; /* delete records before this time */
	int64_t records; /* keep this many records */
};

static struct limits
limits_of(struct stet_call *call)
{
	int64_t days = json_integer_value(stet_setting(call, RETENTION_DAYS));

	return (struct limits){
		.since = days > 0 ? stet_time_text(call, stet_now(call) - days * DAY) : "",
		.records = json_integer_value(stet_setting(call, RETENTION_RECORDS)),
	};
}

/* The end of the deletion. Records are deleted from the oldest on, up to the first one that stays.
 */
struct cut {
	struct link at; /* the last record to delete */
	int count; /* at most PART */
};

static enum stet_status
find_cut(struct stet_call *call, struct cut *cut)
{
	const struct limits limits = limits_of(call);
	struct link head, anchor;
	struct stet_rows rows;
	int64_t beyond = 0;

	*cut = (struct cut){ 0 };
	STET_TRY(chain_head(call, &head));
	STET_TRY(chain_anchor(call, &anchor));
	if (limits.records > 0 && head.seq - anchor.seq > limits.records)
		beyond =
		    head.seq + 1 - limits.records; /* the record about the deletion is one more */
	STET_TRY(stet_query(call, &rows,
	    "SELECT seq, hash, created_at FROM audit_log ORDER BY seq LIMIT ?1", STET_ARGS(PART)));
	while (stet_row(&rows)) {
		if (stet_col_int(&rows, 0) > beyond &&
		    strcmp(stet_col_str(&rows, 2), limits.since) >= 0)
			break;
		link_read(&rows, &cut->at);
		cut->count++;
	}
	return stet_rows_end(&rows);
}

static enum stet_status
prune(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	struct record r = { .op = PRUNED, .module = "audit" };
	struct cut *cut = arg;

	STET_TRY(find_cut(call, cut));
	if (cut->count == 0)
		return STET_OK;
	STET_TRY(
	    stet_exec(call, tx, "DELETE FROM audit_log WHERE seq <= ?1", STET_ARGS(cut->at.seq)));
	STET_TRY(stet_exec(call, tx, "UPDATE audit_anchor SET seq = ?1, hash = ?2 WHERE id = 1",
	    STET_ARGS(cut->at.seq, (const char *)cut->at.hash)));
	r.subject = stet_printf(call, "%lld", (long long)cut->at.seq);
	r.result = cut->at.hash;
	return chain_append(call, tx, &r);
}

/* Deletes a part in one transaction, which leaves a valid chain. */
static enum stet_status
prune_part(struct stet_call *call, void *arg)
{
	return stet_write_lane(call, prune, arg);
}

static enum stet_status
look(struct stet_call *call, bool *found)
{
	struct cut cut = { 0 };

	STET_TRY(find_cut(call, &cut));
	*found = cut.count > 0;
	return STET_OK;
}

int64_t
retention_due(struct stet_call *call)
{
	struct audit_state *s = stet_state(call);

	return stet_cleaning_due(call, &s->due, EVERY, look);
}

enum stet_status
retention_run(struct stet_call *call)
{
	struct audit_state *s = stet_state(call);
	struct cut cut;

	do
		STET_TRY(stet_scope(call, prune_part, &cut));
	while (cut.count == PART);
	s->due = stet_now(call) + EVERY;
	return STET_OK;
}
