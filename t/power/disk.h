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
	DISK_DROPPED, /* only changes that were synced survive */
	DISK_KEPT, /* all changes survive, in order */
	DISK_SOME, /* some whole writes survive and others do not, as if they were reordered */
	DISK_TORN_4096, /* the same, for each block of a write */
	DISK_TORN_512,
	DISK_MODES
};

/* Which syncs have no effect. With all values except DISK_HONEST, acknowledged writes must be
 * lost. */
enum disk_lie {
	DISK_HONEST,
	DISK_NO_SYNC, /* no sync has an effect */
	DISK_NO_NAMES, /* syncs of directories have no effect */
	DISK_LATE, /* a sync takes effect when the next sync of the same file or directory has ended
		    */
	DISK_LIES
};

struct disk;

/* Makes a disk with the present content of the directory, all of it durable. Only regular files and
 * directories count. */
struct disk *disk_new(const char *directory, enum disk_lie);
void disk_free(struct disk *);

/* Applies one entry. Its bytes must live as long as the disk. Returns false if the entry cannot be
 * modelled; disk_why returns the reason. */
bool disk_feed(struct disk *, const struct record_head *, const char *paths, const void *bytes);
const char *disk_why(const struct disk *);

/* Writes a state that may exist after a cut to a directory, which is created. `names` is the mode
 * for directory entries; the seed chooses among the possible states. */
bool disk_write(const struct disk *, const char *directory, enum disk_mode, enum disk_mode names,
    uint64_t seed);
/* Returns true if the directory has the content that the disk would have without losses. Otherwise
 * the first difference goes to `why`. Ignores WAL indexes (-shm). */
bool disk_same(const struct disk *, const char *directory, char *why, size_t size);

/* Returns a random number from a seed, and advances the seed (splitmix64). */
uint64_t disk_random(uint64_t *seed);

#endif
