/* records.h - the audit log of a site, for its tests. */
#ifndef T_MODULE_RECORDS_H
#define T_MODULE_RECORDS_H

#include "inside.h"
#include "posts.h"

#define AUDIT "GET /admin/audit"

/* The newest record, or the i-th before it: until the next call. */
json_t *record(struct harness *, int i);
void assert_member(json_t *record, const char *name, const char *value);
int records(struct harness *); /* how many */
void assert_sound(struct harness *);
/* Among the problems is one with these words. */
void assert_broken(struct harness *, const char *words);

#endif
