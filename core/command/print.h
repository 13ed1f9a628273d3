/* print.h - results for people. */
#ifndef CORE_COMMAND_PRINT_H
#define CORE_COMMAND_PRINT_H

#include <jansson.h>
#include <stdio.h>

/* A result as aligned names and values, or as a table. Control characters are not passed on. */
void print_result(FILE *, const json_t *);
/* Only these columns (space separated) of the result's items. */
void print_columns(FILE *, const json_t *result, const char *columns);
/* Text on a terminal, one line. */
void print_text(FILE *, const char *);

#endif
