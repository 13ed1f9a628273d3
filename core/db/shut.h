/*
 * shut.h - closes the database of a site that is not open in this process for all others, such as
 * while a command replaces it: they read, and do not write (struct db_common; core/adr/0089).
 */
#ifndef CORE_DB_SHUT_H
#define CORE_DB_SHUT_H

#include <stdbool.h>

struct shut;

/* Closes it, and keeps it closed. Returns NULL with *why, to be freed, if that is impossible, or
 * another process has closed it. The engine is one that several processes use. */
struct shut *shut_begin(const char *place, char **why);
/* Renews for the last time, before the database gets another name: it stays closed for half a
 * minute from now. Returns false if it was not closed all the time, or cannot be renewed. NULL:
 * nothing to do. */
bool shut_last(struct shut *);
/* Ends it, and frees it. `open`: others may write at once; otherwise the time of the last renewal
 * has to pass, as in a database that was replaced. NULL: nothing to do. */
void shut_end(struct shut *, bool open);

#endif
