/* exclusive.c - see exclusive.h. */
#include "site/exclusive.h"
#include "base/words.h"
#include "call/call.h"
#include "call/site.h"
#include "db/common.h"
#include "db/writer.h"

#define CLOSED_MS 30000

static enum stet_status
shut(struct stet_call *call, struct stet_tx *tx, void *ms)
{
	return common_shut(call, tx, *(const int64_t *)ms);
}

static bool
set(struct site *site, int64_t ms, char **why)
{
	struct stet_call *call = call_new();
	struct write_job job = { .call = call, .run = shut, .arg = &ms };
	bool good;

	call_enter(call, site);
	good = writer_run(site->writer, &job) == STET_OK;
	if (!good && why != NULL)
		*why = words_format("the site cannot be closed for others: %s",
		    call->error.text != NULL ? call->error.text : "the log says why");
	call_free(call);
	return good;
}

bool
exclusive_begin(struct site *site, char **why)
{
	*why = NULL;
	if (!site->shared)
		return true;
	if (!set(site, CLOSED_MS, why))
		return false;
	atomic_store(&site->closer, true);
	return true;
}

void
exclusive_end(struct site *site)
{
	if (atomic_load(&site->closer))
		(void)set(site, 0, NULL);
	atomic_store(&site->closer, false);
}
