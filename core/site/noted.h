/* noted.h - what the notes in a data directory ask of the database (suspension.h). */
#ifndef CORE_SITE_NOTED_H
#define CORE_SITE_NOTED_H

struct site;

/* Store requests to disable modules, and have suspensions that the audit log has not heard of
 * recorded. Waits for the writer only where no pool of writers runs. */
void noted_take(struct site *);

#endif
