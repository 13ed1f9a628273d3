/*
 * running.h - which code of a module a thread runs now: an op, a hook, a job, a migration. Frames
 * lie on the C stack and are linked, the innermost first, since handlers run other ops and hooks.
 * A handler of fatal signals reads those of its own thread; other threads read what running_enter
 * writes down with activity.h.
 * Before the first code of a plugin that runs for a site, the plugin is marked (culprit.h).
 */
#ifndef CORE_MODULE_RUNNING_H
#define CORE_MODULE_RUNNING_H

#include "call/call.h"

/* What is running; text of it in running_kind_name. */
enum running_kind {
	RUNNING_OP,
	RUNNING_WRITE, /* the part of a slow op or job that runs in the write lane */
	RUNNING_HOOK,
	RUNNING_JOB,
	RUNNING_DUE, /* a job is asked when it is due */
	RUNNING_MIGRATION,
	RUNNING_OPEN
};
extern const char *const running_kind_name[];

struct running {
	struct running *outer; /* NULL: it is the outermost of its thread */
	const struct stet_call *call;
	const struct loaded *module;
	enum running_kind kind;
	const char *name; /* of the op, hook or job; NULL: it has none */
	int mark; /* of culprit_mark; -1: none */
};

/* Enter before, leave after, on one thread. The frame is the caller's until then. */
void running_enter(struct running *, const struct stet_call *, const struct loaded *,
    enum running_kind, const char *name);
void running_leave(struct running *);
/* The innermost of this thread, or NULL; async-signal-safe. */
const struct running *running_here(void);

#endif
