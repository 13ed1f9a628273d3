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
/* This thread gives way to others, with the processor and with the disk, from now on. */
void pace_background(void);

#endif
