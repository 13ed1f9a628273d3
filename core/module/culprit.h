/*
 * culprit.h - finds out, after a crash, which plugin was running. There are two sources.
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
#ifndef CORE_MODULE_CULPRIT_H
#define CORE_MODULE_CULPRIT_H

#include "base/crash.h"
#include <stdint.h>

/* A plugin that was running when the last process died. site is "" if there was none. */
struct death {
	int64_t at; /* milliseconds since the epoch: of the crash, or of the mark */
	char module[64], site[128], what[192];
};

/* Begins to mark in a file, which is created and locked. Before that, fn is called for each
 * plugin and site that the last process has left there. Returns false with *why, to be freed;
 * then nothing is marked. */
bool culprit_begin(
    const char *path, void (*fn)(const struct death *, void *), void *arg, char **why);
/* The process ends normally: removes all marks. */
void culprit_end(void);

/* Mark a plugin before its code runs, and unmark it afterwards; site NULL: none. Any thread.
 * Returns a mark for culprit_unmark, or -1 without a mark if there is no room. */
int culprit_mark(const char *module, const char *site, const char *what);
/* culprit_mark before a plugin is loaded on this thread, which runs its constructors. */
int culprit_mark_loading(const char *module);
void culprit_unmark(int mark);

/* Records a plugin that ended the daemon in another way than by a crash signal. */
void culprit_keep(const struct culprit *, const char *how);
extern const struct crash_witness culprit_witness;

#endif
