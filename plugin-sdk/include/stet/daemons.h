/*
 * daemons.h - the daemons that serve a site, and its database, as administrators see them.
 */
#ifndef STET_DAEMONS_H
#define STET_DAEMONS_H

#include <stet/call.h>

/* Returns the daemons of the site, owned by the call: an array, the one that started first before
 * others. Each is an object:
 *
 *   id          16 hexadecimal digits, new with each start
 *   name, version
 *   startedAt, seenAt
 *               times; by the clock of the database if several daemons may use it
 *   isSelf      it is this process
 *   leases      names of the work that it alone does now
 *   lacks       names of modules that the site uses, and this daemon does not have
 *   indexLag    how many changes its search index does not show yet. Absent where the index is in
 *               the site's database
 *   clockOffsetMs
 *               of this process: by how much its clock is ahead of that of the database. Absent
 *               where the database has no clock of its own
 *
 * NULL after a failure, which it records. */
STET_API json_t *stet_daemons(struct stet_call *);

/* Returns what is known about the site's database, owned by the call. It connects to the database
 * once more, so call it in the slow lane. An object:
 *
 *   engine, version
 *               the program that keeps it: SQLite, PostgreSQL
 *   place       where it is, without a password
 *   schema      absent where the database is the site's alone
 *   bytes, logBytes
 *               size of the site's part; size of a log that is not in it yet, if there is one
 *   state       the number of the last write; absent with SQLite
 *   connections of daemons: an object with numbers by state; absent with SQLite
 *   maxConnections
 *               how many the server has room for; absent with SQLite
 *   clockOffsetMs
 *               as above
 *
 * NULL after a failure, which it records. */
STET_API json_t *stet_database(struct stet_call *);

#endif
