/*
 * activity.h - what each thread of the daemon runs now, for other threads to read while it runs.
 *
 * A thread writes down each step it enters (an op, inside it a hook, inside that another op) and
 * takes it back when it leaves. The record of a thread has a fixed size: entering allocates nothing
 * after the thread's first step, and takes no lock. A reader gets a copy that is whole: a sequence
 * number tells it that the thread was writing meanwhile, and it reads again.
 */
#ifndef CORE_BASE_ACTIVITY_H
#define CORE_BASE_ACTIVITY_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum activity_lane { ACTIVITY_OTHER, ACTIVITY_READ, ACTIVITY_WRITE, ACTIVITY_SLOW, ACTIVITY_LANES };
extern const char *const activity_lane_name[ACTIVITY_LANES];

#define ACTIVITY_STEPS 4 /* deeper steps are counted, but not recorded */

struct activity_step {
	int64_t begun; /* clock_monotonic, of the last tick */
	const char *kind,
	    *module; /* a kind such as "hook", and the module; both live as long as the process */
	char name[64]; /* truncated if longer; "": none */
};

struct activity {
	int64_t deadline; /* deadline of the call, clock_monotonic; 0: none */
	uint64_t serial; /* a new number for each outermost step of the thread */
	uint32_t depth; /* steps; 0: the thread runs no code of modules */
	int32_t lane; /* enum activity_lane */
	pid_t thread; /* as in /proc/self/task */
	int32_t spare;
	char site[64], call[72]; /* site and id of the outermost step's call */
	struct activity_step step[ACTIVITY_STEPS]; /* the outermost first */
};

/* Says which lane the calling thread serves until it ends. Threads that do not call it are
 * ACTIVITY_OTHER. */
void activity_thread(enum activity_lane);
/* Enter a step and leave it, on one thread. `kind` and `module` live as long as the process, as
 * modules do; the rest is copied. NULL is "". */
void activity_enter(const char *kind, const char *module, const char *name, const char *site,
    const char *call, int64_t deadline);
void activity_leave(void);

/* Copies the record of each thread that has a step. From any thread. */
void activity_each(void (*fn)(const struct activity *, void *), void *arg);
/* Describes what the thread runs: "hook content_before_save of module a, in operation
 * content_create of module content". */
void activity_text(const struct activity *, char *out, size_t size);

#endif
