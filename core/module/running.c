/* running.c - keeps the list of running code of each thread. */
#include "module/running.h"
#include "base/activity.h"
#include "call/site.h"
#include "module/mark.h"
#include <stdio.h>

const char *const running_kind_name[] = { [RUNNING_OP] = "operation",
	[RUNNING_WRITE] = "a write of",
	[RUNNING_HOOK] = "hook",
	[RUNNING_JOB] = "job",
	[RUNNING_DUE] = "the due time of job",
	[RUNNING_MIGRATION] = "migration",
	[RUNNING_OPEN] = "open",
	[RUNNING_SERVICE] = "service" };

/* In static TLS, so that a signal handler can read it: other TLS may be allocated at first use. */
static _Thread_local struct running *innermost __attribute__((tls_model("initial-exec")));

/* Marks the plugin if its code runs for the first time on this site. */
static int
mark_first(const struct stet_call *call, const struct loaded *module, const struct running *r)
{
	char what[160];

	if (module == NULL || module->bundled || call->site == NULL ||
	    atomic_load_explicit(&call->site->called[module->index], memory_order_relaxed) ||
	    atomic_exchange(&call->site->called[module->index], true))
		return -1;
	(void)snprintf(what, sizeof(what), "%s%s%s", running_kind_name[r->kind],
	    r->name != NULL ? " " : "", r->name != NULL ? r->name : "");
	return mark_set(module->m.name, site_name(call->site), what);
}

void
running_enter(struct running *r, const struct stet_call *call, const struct loaded *module,
    enum running_kind kind, const char *name)
{
	*r = (struct running){ innermost, call, module, kind, name, -1 };
	r->mark = mark_first(call, module, r);
	innermost = r;
	activity_enter(running_kind_name[kind], module != NULL ? module->m.name : NULL, name,
	    call->site != NULL ? site_name(call->site) : NULL, call->id, call->deadline);
}

void
running_leave(struct running *r)
{
	activity_leave();
	innermost = r->outer;
	if (r->mark >= 0)
		mark_clear(r->mark);
}

const struct running *
running_here(void)
{
	return innermost;
}
