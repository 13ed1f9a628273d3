/*
 * disk.h - what may be on a disk after a power cut. A model of a directory is fed with a record
 * (record.h) up to the cut. What was synced is there. Each write, change of size and change of a
 * name since then may be there or not, as the mode says, for a file and its names apart.
 */
#ifndef T_POWER_DISK_H
#define T_POWER_DISK_H

#include "record.h"

#include <stdbool.h>
#include <stddef.h>

enum disk_mode {
	DISK_DROPPED, /* no change survives that was not synced */
	DISK_KEPT, /* all changes survive, in order */
	DISK_SOME, /* some whole writes are there, others not: they were reordered */
	DISK_TORN_4096, /* the same for each block of a write */
	DISK_TORN_512,
	DISK_MODES
};

/* Which syncs do nothing. With all but DISK_HONEST, acknowledged writes must be lost. */
enum disk_lie {
	DISK_HONEST,
	DISK_NO_SYNC, /* no sync does anything */
	DISK_NO_NAMES, /* syncs of directories do nothing */
	DISK_LATE, /* each works only when the next of its file or directory has ended */
	DISK_LIES
};

struct disk;

/* Makes a disk with the present content of the directory, all of it durable. Only regular files and
 * directories count. */
struct disk *disk_new(const char *directory, enum disk_lie);
void disk_free(struct disk *);

/* Applies one entry. Its bytes must outlive the disk. Returns false if it cannot be modelled;
 * disk_why says why. */
bool disk_feed(struct disk *, const struct record_head *, const char *paths, const void *bytes);
const char *disk_why(const struct disk *);

/* Write what may be there after a cut to a directory, which is made. `names` is the mode of what
 * directories hold; the seed chooses. */
bool disk_write(const struct disk *, const char *directory, enum disk_mode, enum disk_mode names,
    uint64_t seed);
/* Returns true if the directory has the content that the disk would have without losses. Otherwise
 * the first difference goes to `why`. Ignores WAL indexes (-shm). */
bool disk_same(const struct disk *, const char *directory, char *why, size_t size);

/* A number from a seed, which moves on (splitmix64). */
uint64_t disk_random(uint64_t *seed);

#endif
