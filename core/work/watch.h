/*
 * watch.h - the thread that a daemon has for each of its sites whose database others may use, too
 * (db_driver.shared): what it does from time to time there, and what it does when others have
 * committed something. Other sites have none.
 */
#ifndef CORE_WORK_WATCH_H
#define CORE_WORK_WATCH_H

#include <stdint.h>

struct site;
struct stamp;
struct stet_call;

/* Something that is done for each such site, on the site's thread; it may wait for the database.
 * Each function may be NULL. */
struct watch_beat {
	struct watch_beat *next; /* watch.c */
	/* From the end of one beat to the beginning of the next; the first is at once. */
	int64_t every_ms;
	void (*beat)(struct site *);
	/* The database has another state than the thread has known: something was committed, maybe
	 * by this process. */
	void (*heard)(struct site *, const struct stamp *);
	void (*end)(struct site *); /* the site closes */
};

/* Call it before the first site is opened. */
void watch_add(struct watch_beat *);

#define WATCH_BEAT_ADD(id)                                      \
	__attribute__((constructor)) static void id##_add(void) \
	{                                                       \
		watch_add(&(id));                               \
	}

/* Sets a function that the thread calls when others may have committed something: site->commits is
 * raised then. Call it before the first site is opened. */
void watch_listen(void (*)(struct site *));

/* Starts the thread if the site needs one. */
void watch_start(struct site *);
/* Ends it; frees what is left, when no other thread knows the site any more. */
void watch_stop(struct site *);
void watch_free(struct site *);

/* This process has committed something: others are told soon. Any thread; also for sites without
 * such a thread. */
void watch_ring(struct site *);
/* Parked calls of this process run again, although nothing was committed: something that is not in
 * the database has changed. The same. */
void watch_told(struct site *);
/* A call of this process waits for a commit, and none has waited before. The same. */
void watch_wait(struct site *);

/* For beats: a call whose changes are past the state of the database (DB_ASIDE): each statement is
 * a transaction of its own, does not wait for the site's writer, and wakes nobody. What it changes
 * is read by such a call, or by one that has just begun, and by no op whose answer is kept.
 * Its transaction for stet_exec is stet_write_tx. NULL: the database cannot be reached. */
struct stet_call *watch_begin(struct site *);
void watch_end(struct stet_call *);

/* Who this process is among the daemons of a site: 16 hexadecimal digits that no other has. */
const char *watch_id(void);

#endif
