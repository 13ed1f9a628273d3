/* dbcheck.h - what SQLite finds wrong with a database. */
#ifndef CORE_DBCHECK_H
#define CORE_DBCHECK_H

#include <jansson.h>

/* Damage of the file, and rows that refer to what is not there: texts are added to the arrays. */
void dbcheck_run(const char *path, json_t *database, json_t *references);

#endif
