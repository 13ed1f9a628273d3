/*
 * pace.h - long work beside the daemon's: a bounded number of bytes a second, and a flag to stop
 * it.
 */
#ifndef CORE_PACE_H
#define CORE_PACE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pace {
	uint64_t rate; /* bytes a second; 0: no limit */
	const atomic_bool *stop; /* NULL: it cannot be stopped */
	int64_t begun; /* clock_monotonic_us; 0: not begun */
	uint64_t spent;
};
/* Waits as long as so many bytes take at the rate. Returns false if the work is to stop. */
bool pace_spend(struct pace *, size_t bytes);
/* So many bytes were written to a file: now and then has the system write them back, since a
 * later commit would have to wait for all of them at once. *held starts at 0. */
void pace_write(int fd, uint64_t *held, uint64_t bytes);
/* Opens a file that is about to lose its only name, for pace_drop. Returns -1 if there is no
 * such file, or it has other names. */
int pace_hold(int dir, const char *name);
/* Closes a file. If it has no name and nobody else has it open, it is truncated piece by piece
 * first: freeing a gigabyte at once keeps the file system's journal busy, and commits wait for
 * that. fd may be -1. */
void pace_drop(int fd);
/* Gives this thread a low priority for processor and disk from now on. */
void pace_background(void);
/* Lets threads of the usual priority go first from now on. This thread still gets a third of what
 * one of them does. */
void pace_behind(void);

#endif
