/* verify.h - `stet verify`: is what a site has stored whole? */
#ifndef CORE_VERIFY_H
#define CORE_VERIFY_H

#include "command.h"

/* Runs the checks of the core, and the op `<module>_verify` of each module that has one: it answers
 * {"problems": ["…"]}. Returns an exit status. */
int verify_run(struct site *, const struct options *, int argc, char **argv);

/* dbcheck.c: what SQLite finds wrong with the file, and rows that refer to what is not there; texts
 * are added to the arrays. */
void db_check(const char *path, json_t *database, json_t *references);

#endif
