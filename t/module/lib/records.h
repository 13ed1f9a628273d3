/* records.h - the audit log of a site, for its tests. */
#ifndef T_MODULE_RECORDS_H
#define T_MODULE_RECORDS_H

#include "inside.h"
#include "posts.h"

#define AUDIT "GET /admin/audit"

/* Returns the newest record, or the i-th before it; valid until the next call. */
json_t *record(struct harness *, int i);
void assert_member(json_t *record, const char *name, const char *value);
int records(struct harness *); /* returns the number of records */
void assert_sound(struct harness *);
/* Fails unless verification reports a problem that contains these words. */
void assert_broken(struct harness *, const char *words);

#endif
