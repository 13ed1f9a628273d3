/*
 * crash.h - what the process says of itself when it crashes. A fatal signal (SIGSEGV, SIGBUS,
 * SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS), and with it a failed stet_assert, writes to the log:
 * the signal and its address, the module code that the thread was running, and a backtrace as
 * "object +offset", which addr2line takes. Then the signal ends the process as it would have done.
 *
 * The handler runs on a stack of its own, allocates nothing, takes no lock, and waits for nothing
 * longer than a moment: it works inside malloc, inside the log, and after a stack overflow.
 */
#ifndef CORE_BASE_CRASH_H
#define CORE_BASE_CRASH_H

#include <stdbool.h>

/* Which code of a module a thread runs. "": unknown, or none. */
struct culprit {
	char module[64], site[128], call[72], what[160];
	bool plugin; /* the module is one from the plugin path */
};

/* Callbacks of the handler into the room that knows modules. All must be async-signal-safe. */
struct crash_witness {
	/* Fills in what the calling thread runs; *out is zeroed. */
	void (*here)(struct culprit *out);
	/* If the object of this path is a plugin, fills in *out. */
	void (*by_path)(struct culprit *out, const char *path);
	/* Records the crash for the next start. `how` is the name of the signal. */
	void (*keep)(const struct culprit *, const char *how);
};

/* Handle fatal signals from here on, on all threads. Once, by the main thread. Under
 * AddressSanitizer and ThreadSanitizer, which have handlers of their own, it does nothing. */
void crash_handle(const struct crash_witness *);

#endif
