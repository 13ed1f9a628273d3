/* resume.c - the job that records how long the module was off and recorded nothing. */
#include "audit.h"

int64_t
resume_due(struct stet_call *call)
{
	struct stet_absence absence;

	if (stet_absence(call, &absence) == STET_OK)
		return absence.open ? stet_now(call) : -1;
	stet_log(call, STET_ERROR, "audit: %s", stet_error_text(call));
	return -1;
}

static enum stet_status
record(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	struct record r = { .op = RESUMED, .module = "audit", .subject = "audit" };
	struct stet_json *names = stet_json_new(call);
	struct stet_absence absence;

	(void)arg;
	STET_TRY(stet_absence(call, &absence));
	if (!absence.open)
		return STET_OK;
	stet_object(names, NULL);
	stet_put_str(names, "from", absence.from);
	stet_put_str(names, "until", absence.until);
	stet_close(names);
	r.names = stet_json_text(names, NULL);
	STET_TRY(chain_append(call, tx, &r));
	return stet_absence_over(call, tx, absence.number);
}

enum stet_status
resume_run(struct stet_call *call)
{
	return stet_write_lane(call, record, NULL);
}
