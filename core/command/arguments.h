/* arguments.h - words of the command line as arguments of an op. */
#ifndef CORE_COMMAND_ARGUMENTS_H
#define CORE_COMMAND_ARGUMENTS_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stet/shape.h>

/* The value of a member as said in words: lists parted by commas, objects as JSON. NULL when it is
 * none, with *why for people. */
json_t *argument_value(const struct stet_member *, const char *text, const char **why);
/* Options and operands into args. -1 when all is well, otherwise an exit status, and it is said on
 * standard error what is wrong. */
int argument_parse(
    const struct stet_member *in, const char *operands, int argc, char **argv, json_t *args);
/* "--create-schema" for createSchema; "NAME" for name. out has room for 80. */
void argument_option(const struct stet_member *, char out[80]);
void argument_metavar(const char *name, char out[80]);
/* The members that may be said as options or operands. */
bool argument_usable(const struct stet_member *);
/* Is this member among the operands (space separated; NULL: none)? */
bool argument_operand(const char *operands, const char *name);
/* The usage of an op's members: "EMAIL --role ROLE [--name NAME]", and a line about each. */
void argument_usage(FILE *, const struct stet_member *in, const char *operands);
void argument_details(FILE *, const struct stet_member *in, const char *operands);
/* A line for each member, as `stet call` takes it: "limit=INTEGER", and about it. */
void argument_keys(FILE *, const struct stet_member *in);

#endif
