/* arguments.h - turns words of the command line into arguments of an op. */
#ifndef CORE_COMMAND_ARGUMENTS_H
#define CORE_COMMAND_ARGUMENTS_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stet/shape.h>

/* Converts text to a value of the member: lists separated by commas, objects as JSON. Returns
 * NULL if it is malformed, with *why for the user. */
json_t *argument_value(const struct stet_member *, const char *text, const char **why);
/* Reads options and operands into args. Returns -1, or an exit status after the error was written
 * to standard error. */
int argument_parse(
    const struct stet_member *in, const char *operands, int argc, char **argv, json_t *args);
/* "--create-schema" for createSchema; "NAME" for name. out has room for 80. */
void argument_option(const struct stet_member *, char out[80]);
void argument_metavar(const char *name, char out[80]);
/* Returns true if the member can be given as an option or operand. */
bool argument_usable(const struct stet_member *);
/* Returns true if the member is one of the operands (separated by spaces; NULL: none). */
bool argument_operand(const char *operands, const char *name);
/* Write the usage of an op's members, "EMAIL --role ROLE [--name NAME]", and a line about each. */
void argument_usage(FILE *, const struct stet_member *in, const char *operands);
void argument_details(FILE *, const struct stet_member *in, const char *operands);
/* Writes a line for each member, as `stet call` takes it: "limit=INTEGER", and its description. */
void argument_keys(FILE *, const struct stet_member *in);

#endif
