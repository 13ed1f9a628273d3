/* noted.h - stores in the database the requests and suspensions noted in a data directory
 * (suspension.h). */
#ifndef CORE_SITE_NOTED_H
#define CORE_SITE_NOTED_H

struct site;

/* Stores requests to disable modules, and records suspensions that the audit log does not have
 * yet. Waits for the writer only if there is no pool of writers. */
void noted_take(struct site *);

#endif
