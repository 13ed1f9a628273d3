/*
 * hook.c - runs hook chains: enters the module of each hook, measures the time, and turns failures
 * into errors that the caller may see.
 */
#include "module/hook.h"
#include "base/clock.h"
#include "base/log.h"
#include "call/call.h"
#include "call/error.h"
#include "call/metrics.h"
#include "call/owner.h"
#include "call/site.h"
#include "call/status.h"
#include "db/rows.h"
#include "module/running.h"
#include <string.h>

#define SLOW_US 50000

/* State to restore after a hook. */
struct frame {
	struct running running;
	const struct loaded *owner;
	__typeof__(((struct stet_call *)0)->error) error;
	int64_t begun; /* clock_monotonic_us */
};

static const char *const point_name[STET_HOOK_POINTS] = {
#define STET_HOOK(name, phase, params, args) #name,
#include <stet/hooks.def>
#undef STET_HOOK
};

static void
enter(struct frame *frame, struct stet_call *call, const struct link *link, enum stet_hook_point at)
{
	frame->owner = call->owner;
	frame->error = call->error;
	frame->begun = clock_monotonic_us();
	running_enter(&frame->running, call, link->owner, RUNNING_HOOK, point_name[at]);
	call->owner = link->owner;
	owner_mark_foreign(call, link->owner);
}

static void
leave(struct stet_call *call, struct frame *frame, const struct link *link, enum stet_hook_point at)
{
	int64_t took = clock_monotonic_us() - frame->begun;

	call->owner = frame->owner;
	running_leave(&frame->running);
	if (took <= SLOW_US)
		return;
	metrics_label(FAMILY_SLOW_HOOKS, link->owner->m.name, point_name[at]);
	log_line(STET_WARN, "%s [%s] %s of module %s took %lld ms", site_name(call->site), call->id,
	    point_name[at], link->owner->m.name, (long long)(took / 1000));
}

/* Clears an error that the hook itself has handled. */
static void
forget(struct stet_call *call, const struct frame *frame)
{
	if (call->error.status == frame->error.status &&
	    call->error.issues_tail == frame->error.issues_tail)
		return;
	call->error = frame->error;
	if (call->error.issues != NULL)
		*call->error.issues_tail = NULL;
}

/* Returns the status that the module running the chain gets for a failed hook. If a hook rejects,
 * the editor may read its text. Other failures of a plugin's hook go to the log. A full disk and a
 * database that is away keep their status. */
static enum stet_status
visible_status(struct stet_call *call, const struct frame *frame, const struct link *link,
    enum stet_hook_point at, enum stet_status status)
{
	static struct log_gate away;
	bool said = call->error.status == status &&
		    (call->error.text != NULL || call->error.issues != NULL);

	if (link->owner == frame->owner || status == STET_INSUFFICIENT_STORAGE)
		return status;
	if (status == STET_CONFLICT && rows_hoped_in_vain(call)) /* which only shows here */
		return status;
	if (status_is_verdict(status)) {
		if (!said)
			return stet_fail(call, status, NULL, "%s", stet_status_text(status));
		return status;
	}
	if (status == STET_UNAVAILABLE) { /* such as of the database, which hits all calls alike */
		log_seldom(&away, STET_WARN, "%s: %s of module %s failed: %s",
		    site_name(call->site), point_name[at], link->owner->m.name,
		    status_said(call, status));
		return status;
	}
	log_line(STET_ERROR, "%s [%s] %s of module %s failed: %s%s%s", site_name(call->site),
	    call->id, point_name[at], link->owner->m.name, status_said(call, status),
	    said ? ": " : "", said && call->error.text != NULL ? call->error.text : "");
	for (const struct call_issue *i = call->error.issues; i != NULL; i = i->next)
		log_line(STET_ERROR, "%s [%s] %s: %s", site_name(call->site), call->id, i->path,
		    i->message);
	memset(&call->error, 0, sizeof(call->error));
	status = call->gen->hook_failed;
	return stet_fail(call, status, NULL, "%s", stet_status_text(status));
}

bool
stet_hooked(struct stet_call *call, enum stet_hook_point at)
{
	return call->gen->chain[at].count > 0;
}

const char *
hook_point_name(enum stet_hook_point at)
{
	return point_name[at];
}

/* Runs each hook of a chain as its module; `judged` handles its status. */
#define RUNS_CHAIN(name_, params_, args_, judged_, end_)                        \
	enum stet_status stet_run_##name_ params_                               \
	{                                                                       \
		const struct chain *chain = &call->gen->chain[STET_AT_##name_]; \
                                                                                \
		for (size_t i = 0; i < chain->count; i++) {                     \
			const struct link *link = &chain->link[i];              \
			struct frame frame;                                     \
			enum stet_status status;                                \
                                                                                \
			enter(&frame, call, link, STET_AT_##name_);             \
			status = link->fn.name_ args_;                          \
			leave(call, &frame, link, STET_AT_##name_);             \
			judged_(STET_AT_##name_)                                \
		}                                                               \
		return end_;                                                    \
	}

/* RESOLVE: the first hook that does not decline gives the answer. */
#define ANSWERS(at_)                                      \
	if (status == STET_DECLINED || status == STET_OK) \
		forget(call, &frame);                     \
	if (status == STET_OK)                            \
		return status;                            \
	if (status != STET_DECLINED)                      \
		return error_judge(call, status, link->owner, true, point_name[at_]);
#define RUNS_RESOLVE(name_, params_, args_) \
	RUNS_CHAIN(name_, params_, args_, ANSWERS, STET_DECLINED)

/* The first error ends the chain. */
#define ERRS(at_)                                                       \
	if (status != STET_OK)                                          \
		return visible_status(call, &frame, link, at_, status); \
	forget(call, &frame);
#define RUNS_VETO(name_, params_, args_) RUNS_CHAIN(name_, params_, args_, ERRS, STET_OK)
#define RUNS_FILTER(name_, params_, args_) RUNS_VETO(name_, params_, args_)
#define RUNS_NOTIFY(name_, params_, args_)
#define STET_HOOK(name, phase, params, args) RUNS_##phase(name, params, args)
#include <stet/hooks.def>
#undef STET_HOOK

/* Only NOTIFY hooks are delivered by the outbox, one at a time. */
#define TELLS_RESOLVE(name_, args_)
#define TELLS_FILTER(name_, args_)
#define TELLS_VETO(name_, args_)
#define TELLS_NOTIFY(name_, args_)             \
	case STET_AT_##name_:                  \
		status = link->fn.name_ args_; \
		break;

enum stet_status
hook_tell(
    struct stet_call *call, enum stet_hook_point at, const struct link *link, const json_t *payload)
{
	enum stet_status status = STET_OK;
	struct frame frame;

	enter(&frame, call, link, at);
	switch (at) {
#define STET_HOOK(name, phase, params, args) TELLS_##phase(name, args)
#include <stet/hooks.def>
#undef STET_HOOK
	default:
		stet_assert(!"only NOTIFY points are told");
	}
	leave(call, &frame, link, at);
	return status;
}
