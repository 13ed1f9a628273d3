/* expected.h - what a test expects, as a file beside it: read, compared, written anew. */
#ifndef T_MODULE_EXPECTED_H
#define T_MODULE_EXPECTED_H

#include "harness.h"
#include <stdio.h>

struct expected {
	const char *name; /* of the file in t/module */
	const char *update; /* the variable of the environment that has it written anew */
	const char *head; /* its first lines, each with a # */
};
/* Fail the running test, with what differs, unless the file says this. */
void expected_compare(const struct expected *, const char *got);

/* ---- plans ---- */

/* Write a trace: each statement a line, the steps of its plan separated by semicolons, in the same
 * words for all versions of SQLite. */
void expected_write(FILE *to, const char *trace);

#endif
