/* beforecommit.c - what a module does once for all calls that share a transaction
 * (stet_before_commit). */
#include "base/arena.h"
#include "base/log.h"
#include "call/call.h"
#include "call/status.h"
#include "db/db.h"
#include "db/ends.h"
#include "db/part.h"
#include "db/rows.h"
#include "module/running.h"
#include "work/jobs.h"
#include <stdatomic.h>
#include <stdlib.h>

typedef enum stet_status (*commit_fn)(struct stet_call *, struct stet_tx *);

/* One function of a module in one transaction. */
struct task {
	struct end end;
	struct site *site;
	struct generation *gen; /* holds a reference */
	const struct loaded *owner;
	const char *name;
	commit_fn fn;
	struct ends *ends; /* of the transaction */
	struct stet_call *call; /* of fn, if something is to be done after the commit */
	bool ran, failed;
};

static enum stet_status
run(struct end *end, struct db *db)
{
	struct task *t = (struct task *)end;
	struct stet_call *call = call_own(t->site, t->gen);
	struct db_part *part = db_part(call);
	static struct log_gate gate;
	struct running running;
	enum stet_status status;

	t->ran = true;
	call->owner = t->owner;
	call->lane = STET_WRITE;
	part->db = db;
	call->writing = true;
	call->floor = db_floor(db);
	part->ends = t->ends;
	running_enter(&running, call, t->owner, RUNNING_WRITE, t->name);
	status = t->fn(call, &call->tx);
	running_leave(&running);
	rows_end_call(call);
	call->writing = false;
	call->floor = 0;
	part->ends = NULL;
	part->db = NULL;
	t->failed = status != STET_OK;
	if (t->failed)
		log_seldom(&gate, STET_ERROR, "%s: %s before a commit: %s%s%s", t->owner->m.name,
		    t->name, status_said(call, status), call->error.text != NULL ? ": " : "",
		    call->error.text != NULL ? call->error.text : "");
	if (t->failed || call->on_commit == NULL)
		call_free(call);
	else
		t->call = call;
	return status;
}

static void
over(struct end *end, bool committed)
{
	struct task *t = (struct task *)end;

	if (committed && t->failed)
		jobs_wake(t->site, t->owner);
	if (t->call != NULL) {
		if (committed)
			call_committed(t->call);
		call_free(t->call);
	}
	generation_put(t->gen);
	free(t);
}

/* Is the function on the list, and still to run? */
static bool
is_asked(const struct ends *ends, const struct loaded *owner, commit_fn fn)
{
	for (const struct end *end = ends->head; end != NULL; end = end->next) {
		const struct task *t = (const struct task *)end;

		if (t->owner == owner && t->fn == fn && !t->ran)
			return true;
	}
	return false;
}

enum stet_status
stet_before_commit(struct stet_call *call, struct stet_tx *tx, const char *name, commit_fn fn)
{
	struct task *t;

	if (db_part(call)->ends == NULL || tx != &call->tx)
		return stet_fault(call, "%s before a commit: there is no transaction", name);
	if (is_asked(db_part(call)->ends, call->owner, fn))
		return STET_OK;
	t = xcalloc(1, sizeof(*t));
	*t = (struct task){ .end = { .run = run, .over = over },
		.site = call->site,
		.gen = call->gen,
		.owner = call->owner,
		.name = name,
		.fn = fn,
		.ends = db_part(call)->ends };
	atomic_fetch_add(&call->gen->refs, 1);
	ends_add(db_part(call)->ends, &t->end);
	return STET_OK;
}
