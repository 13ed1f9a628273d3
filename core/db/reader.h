/*
 * reader.h - read connections: one for each thread and site, or those that a site has for all
 * threads (connpool.h).
 */
#ifndef CORE_DB_READER_H
#define CORE_DB_READER_H

#include "db/db.h"

/* Returns this thread's read connection to the site, opened on first use. NULL if that failed; the
 * reason is in the log. */
struct db *reader_get(struct site *);
/* The call or whoever got it does not use it any more. Connections of a pool (connpool.h) go back
 * to it; others stay with their thread. */
void reader_put(struct db *);
/* This thread keeps few connections open, because it is one of several of its kind and is not in a
 * hurry. */
void reader_keep_few(void);
/* This thread is going to wait: its connections release what memory they can, also those in the
 * middle of rows. */
void reader_rest(void);
/* Closes this thread's connection to the site, or all of them (NULL). The end of a thread does the
 * same. */
void reader_close(struct site *);
/* The site closes: this thread's connection to it is closed now, and those of other threads when
 * these next ask for a connection. */
void reader_retire(struct site *);

#endif
