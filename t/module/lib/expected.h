/* expected.h - a file with the expected output of a test: read, compared, written again. */
#ifndef T_MODULE_EXPECTED_H
#define T_MODULE_EXPECTED_H

#include "harness.h"
#include <stdio.h>

struct expected {
	const char *name; /* name of the file in t/module */
	const char *update; /* environment variable that makes the test write the file */
	const char *head; /* first lines of the file, each with a # */
};
/* Fails the running test and prints the difference, unless the file contains this text. */
void expected_compare(const struct expected *, const char *got);

/* ---- plans ---- */

/* Writes a trace, one statement a line, with the steps of its plan separated by semicolons. The
 * words are the same for all versions of SQLite. */
void expected_write(FILE *to, const char *trace);

#endif
