/*
 * mark.h - records which plugin runs, so that the next start knows which one crashed the process.
 * There are two sources.
 *
 * A mark is written before code of a plugin runs for the first time in a process (its constructor,
 * its migrations, the first call on each site) and removed after it. A mark that the next start
 * finds means that the process died in that code, whatever killed it.
 *
 * The crash handler (base/crash.h) also knows of later calls, and the address of the crash. If it
 * has written its record, marks are ignored.
 *
 * Both lie in one small file, written with pwrite(2) and without sync: the page cache survives the
 * process, and after a power failure no plugin is to blame.
 */
#ifndef CORE_MODULE_MARK_H
#define CORE_MODULE_MARK_H

#include "base/crash.h"
#include <stddef.h>
#include <stdint.h>

/* What a plugin runs while it is being loaded. */
#define MARK_CONSTRUCTOR "its constructor"

/* A plugin that was running when the last process died. site is "" if there was none. */
struct death {
	int64_t at; /* milliseconds since the epoch: of the crash, or of the mark */
	char module[64], site[128], what[192];
};

/* Begins to mark in a file, which is created and locked. Before that, fn is called for each
 * plugin and site that the last process has left there. Returns false with *why, to be freed;
 * then nothing is marked. */
bool mark_begin(const char *path, void (*fn)(const struct death *, void *), void *arg, char **why);
/* The process ends normally: removes all marks. */
void mark_end(void);

/* Mark a plugin before its code runs, and unmark it afterwards; site NULL: none. Any thread.
 * Returns a mark for mark_clear, or -1 without a mark if there is no room. */
int mark_set(const char *module, const char *site, const char *what);
/* mark_set before a plugin is loaded on this thread, which runs its constructors. */
int mark_set_loading(const char *module);
void mark_clear(int mark);
/* Returns the plugin that this thread is loading; "": none. Async-signal-safe. */
const char *mark_loading(void);

/* Copies a text, cut to `size` bytes, and fills the rest with NUL. Async-signal-safe. */
void mark_copy(char *to, size_t size, const char *from);
/* Records a plugin that ended the daemon in another way than by a crash signal. */
void mark_keep(const struct culprit *, const char *how);

#endif
