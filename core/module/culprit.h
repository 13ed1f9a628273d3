/*
 * culprit.h - which plugin was running when the daemon died. Two things say so after a death:
 *
 * A mark: it is written before code of a plugin runs for the first time in a process (its
 * constructor, its migrations, and the first call of each site) and taken away after it. A mark
 * that is found at the next start means that the process died in that code, however it died.
 *
 * The word of the crash handler (base/crash.h): it knows of every later call too, and where the
 * crash was. If the handler wrote, marks are ignored.
 *
 * Both lie in one small file, which is written with pwrite(2): the page cache outlives the process,
 * and after a loss of power there is nobody to blame.
 */
#ifndef CORE_MODULE_CULPRIT_H
#define CORE_MODULE_CULPRIT_H

#include "base/crash.h"
#include <stdint.h>

/* One plugin that was running when the last process died. site "": none is concerned. */
struct death {
	int64_t at; /* milliseconds since the epoch: of the crash, or of the mark */
	char module[64], site[128], what[192];
};

/* Begin to mark in a file, which is made, and kept from other processes. fn is called before, for
 * each plugin and site that the last process left there. false: *why, to be freed; nothing is
 * marked then. */
bool culprit_begin(
    const char *path, void (*fn)(const struct death *, void *), void *arg, char **why);
/* The process ends as it should: nothing was running. */
void culprit_end(void);

/* Mark before, and unmark after. site NULL: none is concerned. Any thread. Returns what unmark
 * takes; a mark for which there is no room is not made. */
int culprit_mark(const char *module, const char *site, const char *what);
/* The same before a plugin is loaded, which runs its constructors, in the calling thread. */
int culprit_mark_loading(const char *module);
void culprit_unmark(int mark);

/* A plugin took the daemon down, or made it end itself. For other ends than a crash. */
void culprit_keep(const struct culprit *, const char *how);
extern const struct crash_witness culprit_witness;

#endif
