/*
 * watch.h - the thread that a daemon has for each of its sites whose database others may use, too
 * (db_driver.shared): what it does from time to time there. Other sites have none.
 */
#ifndef CORE_WORK_WATCH_H
#define CORE_WORK_WATCH_H

#include <stdint.h>

struct site;
struct stet_call;

/* Something that is done for each such site. */
struct watch_beat {
	struct watch_beat *next; /* watch.c */
	int64_t
	    every_ms; /* from the end of one to the beginning of the next; the first is at once */
	void (*beat)(struct site *); /* on the site's thread; may wait for the database */
	void (*end)(struct site *); /* the site closes */
};

/* Call it before the first site is opened. */
void watch_add(struct watch_beat *);

#define WATCH_BEAT_ADD(id)                                      \
	__attribute__((constructor)) static void id##_add(void) \
	{                                                       \
		watch_add(&(id));                               \
	}

/* Starts the thread if the site needs one. */
void watch_start(struct site *);
/* Ends it. */
void watch_stop(struct site *);

/* For beats: a call whose changes are past the state of the database (DB_ASIDE): each statement is
 * a transaction of its own, does not wait for the site's writer, and wakes nobody. What it changes
 * is read by such a call, or by one that has just begun, and by no op whose answer is kept.
 * Its transaction for stet_exec is stet_write_tx. NULL: the database cannot be reached. */
struct stet_call *watch_begin(struct site *);
void watch_end(struct stet_call *);

/* Who this process is among the daemons of a site: 16 hexadecimal digits that no other has. */
const char *watch_id(void);

#endif
