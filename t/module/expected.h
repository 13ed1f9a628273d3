/* expected.h - the plans that plans.t expects: read, compared, written anew. */
#ifndef T_MODULE_EXPECTED_H
#define T_MODULE_EXPECTED_H

#include "harness.h"
#include <stdio.h>

/* Fail the running test, with what differs, unless the file says this. */
void expected_compare(const char *path, const char *got);
void expected_update(const char *path, const char *text);
/* Write a trace: each statement a line, the steps of its plan separated by semicolons. */
void expected_write(FILE *to, const char *trace);

#endif
