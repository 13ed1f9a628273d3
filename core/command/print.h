/* print.h - prints results for people. */
#ifndef CORE_COMMAND_PRINT_H
#define CORE_COMMAND_PRINT_H

#include <jansson.h>
#include <stdio.h>

struct options;

/* Prints a result as aligned names and values, or as a table. Control characters are replaced. */
void print_result(FILE *, const json_t *);
/* Prints the result of a command in the form that its options select, as JSON on one line or like
 * print_result, and releases it. */
void print_command_result(FILE *, const struct options *, json_t *result);
/* Prints only these columns (separated by spaces) of the result's items. */
void print_columns(FILE *, const json_t *result, const char *columns);
/* Prints text as one line for a terminal. */
void print_text(FILE *, const char *);

#endif
