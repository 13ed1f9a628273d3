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

/* Which module code a thread runs. "": not known, or none. */
struct culprit {
	char module[64], site[128], call[72], what[160];
	bool plugin; /* the module is one from the plugin path */
};

/* What the handler asks of those who know modules; async-signal-safe. */
struct crash_witness {
	/* What the calling thread runs; *out is zeroed. */
	void (*here)(struct culprit *out);
	/* If the object of this path is a plugin, says so in *out. */
	void (*by_path)(struct culprit *out, const char *path);
	/* Keep it for the next start. `how` is the name of the signal. */
	void (*keep)(const struct culprit *, const char *how);
};

/* Handle fatal signals from here on, on all threads. Once, by the main thread. Under
 * AddressSanitizer and ThreadSanitizer, which have handlers of their own, it does nothing. */
void crash_handle(const struct crash_witness *);

#endif
