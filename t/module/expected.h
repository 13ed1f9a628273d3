/* expected.h - the plans that plans.t expects: read, compared, written anew. */
#ifndef T_MODULE_EXPECTED_H
#define T_MODULE_EXPECTED_H

#include "harness.h"

/* Fail the running test, with what differs, unless the file says this. */
void expected_compare(const char *path, const char *got);
void expected_update(const char *path, const char *text);

#endif
