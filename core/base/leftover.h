/* leftover.h - directories that something is unpacked into, and what a killed process left of them.
 */
#ifndef CORE_BASE_LEFTOVER_H
#define CORE_BASE_LEFTOVER_H

/* A new directory for what is being unpacked: it is marked as such, and locked while the descriptor
 * is open; -1: errno. Unclaimed, it is a directory like any other. */
int leftover_claim(const char *directory);
void leftover_unclaim(const char *directory);
/* Remove the directories whose names begin with `base` and `what` and that are marked as claimed,
 * but whose process is gone. */
void leftover_sweep(const char *base, const char *what);
/* Remove a directory and what is in it. */
void leftover_remove(const char *directory);

#endif
