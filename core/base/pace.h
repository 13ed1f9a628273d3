/* pace.h - long work beside others': so many bytes a second, and until it is told to stop. */
#ifndef CORE_PACE_H
#define CORE_PACE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pace {
	uint64_t rate; /* bytes a second; 0: as fast as it goes */
	const atomic_bool *stop; /* NULL: nobody will */
	int64_t begun; /* clock_monotonic_us; 0: not yet */
	uint64_t spent;
};
/* After so many bytes: wait as long as it takes. false: stop. */
bool pace_spend(struct pace *, size_t bytes);
/* So many bytes were written to a file: hand over to the disk, now and then, what the system holds
 * back of it. Who commits would wait for all of that at once. *held starts at 0. */
void pace_write(int fd, uint64_t *held, uint64_t bytes);
/* A file that is about to lose its only name, for pace_drop; -1: it is none, or has others. */
int pace_hold(int dir, const char *name);
/* Close a file, which loses what it holds a piece at a time unless it has a name, or somebody
 * else reads it: freed at once, a gigabyte keeps the journal of the file system, and commits wait
 * for that. fd: -1 is nothing. */
void pace_drop(int fd);
/* This thread gives way to others, with the processor and with the disk, from now on. */
void pace_background(void);

#endif
