/* check.c - a check of `stet doctor`: reports targets that are disabled, fail, or have too many
 * pending deliveries or ones that were given up. */
#include "webhooks.h"

struct tally {
	int64_t targets, bad;
};

/* Reports the problems of one target. */
static void
judge(struct stet_call *call, struct stet_rows *rows, struct tally *tally)
{
	const char *url = stet_col_str(rows, 0), *reason = stet_col_str(rows, 2);
	int64_t failures = stet_col_int(rows, 3), dead = stet_col_int(rows, 4),
		waiting = stet_col_int(rows, 5), retried = stet_col_int(rows, 6);
	bool enabled = stet_col_int(rows, 1) != 0, full = waiting >= WAITING_MAX;

	tally->targets++;
	if (full)
		stet_finding(call, STET_WARNING,
		    "Have the target mended, or drop what waits: \"stet webhook drop\".",
		    "%lld deliveries wait for %s: what happens now is not sent to it",
		    (long long)waiting, url);
	if (!enabled && reason != NULL)
		stet_finding(call, STET_WARNING,
		    "Have the target mended, then enable it again: what waits is sent then.",
		    "%s is disabled: %s", url, reason);
	else if (enabled && failures > 0)
		stet_finding(call, STET_WARNING,
		    "\"stet webhook deliveries\" says what it answered.",
		    "%s fails: the last %lld attempts did", url, (long long)failures);
	else if (enabled && retried > 0)
		stet_finding(call, STET_NOTE, "\"stet webhook deliveries\" says what it answered.",
		    "%s refuses some deliveries, and takes others: %lld are tried again", url,
		    (long long)retried);
	else if (dead == 0 && !full)
		return;
	tally->bad++;
	if (dead > 0)
		stet_finding(call, STET_NOTE, "\"stet webhook replay\" sends them again.",
		    "%lld deliveries to %s were given up", (long long)dead, url);
}

enum stet_status
check_targets(struct stet_call *call)
{
	struct tally tally = { 0 };
	struct stet_rows rows;

	STET_TRY(stet_query(call, &rows,
	    "SELECT w.url, w.enabled, w.disabled_reason, w.failures, (SELECT count(*) FROM"
	    " webhook_delivery d WHERE d.webhook_id = w.id AND d.state = 'dead' AND d.dropped = 0),"
	    " w.waiting,"
	    " (SELECT count(*) FROM webhook_delivery d WHERE d.webhook_id = w.id"
	    " AND d.attempts > 0 AND d.due_at IS NOT NULL)"
	    " FROM webhook w ORDER BY w.created_at, w.id",
	    STET_NO_ARGS));
	while (stet_row(&rows))
		judge(call, &rows, &tally);
	STET_TRY(stet_rows_end(&rows));
	if (tally.bad == 0 && tally.targets > 0)
		stet_finding(call, STET_FINE, NULL, "%lld, none fails", (long long)tally.targets);
	return STET_OK;
}
