/*
 * running.h - the module code that a thread runs now: an op, a hook, a job, a migration.
 *
 * Frames are on the C stack in a linked list, the innermost first, since handlers run other ops and
 * hooks. The handler of fatal signals reads the frames of its own thread; other threads read what
 * running_enter writes to activity.h. Before the first code of a plugin runs for a site,
 * running_enter marks the plugin (mark.h).
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
	RUNNING_DUE, /* asking a job for its next time */
	RUNNING_MIGRATION,
	RUNNING_OPEN,
	RUNNING_SERVICE
};
extern const char *const running_kind_name[];

struct running {
	struct running *outer; /* NULL: the outermost of its thread */
	const struct stet_call *call;
	const struct loaded *module;
	enum running_kind kind;
	const char *name; /* name of the op, hook or job; NULL: it has none */
	int mark; /* number from mark_set; -1: none */
};

/* Enter before and leave after, on the same thread. The frame must stay valid until then. */
void running_enter(struct running *, const struct stet_call *, const struct loaded *,
    enum running_kind, const char *name);
void running_leave(struct running *);
/* Returns the innermost frame of this thread, or NULL. Async-signal-safe. */
const struct running *running_here(void);

#endif
