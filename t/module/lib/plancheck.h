/* plancheck.h - judging the plans of plans.t. */
#ifndef T_MODULE_PLANCHECK_H
#define T_MODULE_PLANCHECK_H

/* Makes the plans of later versions of SQLite those of earlier ones: a partial index may cover a
 * query whose other columns its condition says. */
void plancheck_level(char *text);
/* How many steps scan a table or sort, without an excuse; each is printed. */
int plancheck_bad(const char *text);
/* Fails the test when a plan is excused that is not in the text. */
void plancheck_excuses(const char *text);

/* Leaves a proof of the site as stet doctor does. */
struct harness;
void plancheck_leave_proof(const struct harness *, const char *token);
/* A test of plancheck_bad itself. */
void plancheck_selftest(void **state);

/* Leaves a grant of OAuth of this user, with the id g. */
void plancheck_leave_grant(struct harness *, const char *user);
/* Leave an import that is queued. */
void plancheck_leave_import(struct harness *, const char *user);

#endif
