/* plancheck.h - checks the query plans of plans.t. */
#ifndef T_MODULE_PLANCHECK_H
#define T_MODULE_PLANCHECK_H

/* Changes plans of later SQLite versions into those of earlier ones. Later versions call a partial
 * index covering if its condition determines the other columns of the query. */
void plancheck_level(char *text);
/* Returns the number of steps that scan a table or sort and are no exception; prints each. */
int plancheck_bad(const char *text);
/* Fails the test if a listed exception does not occur in the text. */
void plancheck_excuses(const char *text);

/* Leaves a proof of the site, as `stet doctor` does. */
struct harness;
void plancheck_leave_proof(const struct harness *, const char *token);
/* A test of plancheck_bad itself. */
void plancheck_selftest(void **state);

/* Leaves an OAuth grant of this user, with the id g. */
void plancheck_leave_grant(struct harness *, const char *user);
/* Leaves a queued import. */
void plancheck_leave_import(struct harness *, const char *user);

#endif
