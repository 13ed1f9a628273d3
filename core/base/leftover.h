/*
 * leftover.h - directories that something is unpacked into, and the remains of killed processes.
 */
#ifndef CORE_BASE_LEFTOVER_H
#define CORE_BASE_LEFTOVER_H

/* Makes a new directory to unpack into: marked as incomplete, and locked while the descriptor is
 * open. Returns -1 on failure, see errno. Once unclaimed, it is a directory like any other. */
int leftover_claim(const char *directory);
void leftover_unclaim(const char *directory);
/* Removes the directories whose names begin with `base` and `what`, that are marked as
 * incomplete, and whose process has ended. */
void leftover_sweep(const char *base, const char *what);
/* Removes a directory and its content. */
void leftover_remove(const char *directory);

#endif
