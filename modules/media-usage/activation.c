/* activation.c - reads the state of the activation, and writes it as JSON. */
#include "media-usage.h"
#include <string.h>

const struct stet_member activation_out[] = {
	{ "state", STET_STRING, STET_REQUIRED, STET_CHOICES("expanded", "activating", "active") },
	{ "collectionCursor", STET_STRING, STET_REQUIRED | STET_NULLABLE,
	    .about = "The collection that was prepared last" },
	{ "attemptCount", STET_INTEGER, STET_REQUIRED },
	{ "drainConfirmedAt", STET_TIME, STET_REQUIRED | STET_NULLABLE },
	{ "lastAttemptedAt", STET_TIME, STET_REQUIRED | STET_NULLABLE },
	{ "lastErrorCode", STET_STRING, STET_REQUIRED | STET_NULLABLE },
	{ "leaseExpiresAt", STET_TIME, STET_REQUIRED | STET_NULLABLE },
	{ "activatedAt", STET_TIME, STET_REQUIRED | STET_NULLABLE },
	{ "updatedAt", STET_TIME, STET_REQUIRED | STET_NULLABLE },
	{ 0 },
};
enum stet_status
activation_read(struct stet_call *call, struct activation *a)
{
	struct stet_rows rows;

	STET_TRY(stet_one(call, &rows, STET_FAULT,
	    "SELECT state, collection_cursor, attempts, drain_confirmed_at, attempted_at, error, "
	    "lease_until, activated_at, updated_at FROM media_activation WHERE one = 1",
	    STET_NO_ARGS));
	*a = (struct activation){ .state = stet_col_dup(&rows, 0),
		.cursor = stet_col_dup(&rows, 1),
		.attempts = stet_col_int(&rows, 2),
		.drained = stet_col_dup(&rows, 3),
		.attempted = stet_col_dup(&rows, 4),
		.error = stet_col_dup(&rows, 5),
		.until = stet_col_dup(&rows, 6),
		.activated = stet_col_dup(&rows, 7),
		.updated = stet_col_dup(&rows, 8) };
	return stet_rows_end(&rows);
}

bool
activation_is(const struct activation *a, const char *state)
{
	return strcmp(a->state, state) == 0;
}

bool
activation_is_leased(struct stet_call *call, const struct activation *a)
{
	return a->until != NULL && strcmp(a->until, stet_time_text(call, stet_now(call))) > 0;
}

enum stet_status
activation_is_active(struct stet_call *call, bool *active)
{
	struct activation a;

	STET_TRY(activation_read(call, &a));
	*active = activation_is(&a, "active");
	return STET_OK;
}

void
activation_put(struct stet_json *out, const char *key, const struct activation *a)
{
	stet_object(out, key);
	stet_put_str(out, "state", a->state);
	stet_put_str(out, "collectionCursor", a->cursor);
	stet_put_int(out, "attemptCount", a->attempts);
	stet_put_str(out, "drainConfirmedAt", a->drained);
	stet_put_str(out, "lastAttemptedAt", a->attempted);
	stet_put_str(out, "lastErrorCode", a->error);
	stet_put_str(out, "leaseExpiresAt", a->until);
	stet_put_str(out, "activatedAt", a->activated);
	stet_put_str(out, "updatedAt", a->updated);
	stet_close(out);
}

enum stet_status
usage_activation(struct stet_call *call)
{
	struct activation a;

	STET_TRY(activation_read(call, &a));
	activation_put(stet_reply(call), NULL, &a);
	return STET_OK;
}
