/* command.h - the commands of `stet`: found in modules' tables, run as calls, shown to people. */
#ifndef CORE_COMMAND_H
#define CORE_COMMAND_H

#include "call/call.h"
#include <stdio.h>

/* What the command line said before the command. */
struct options {
	const char *config, *site, *data;
	bool json;
};

#define EXIT_USAGE 2

/* A row of a module's table of commands. */
struct command {
	const struct loaded *owner;
	struct stet_command row; /* zero-extended copy */
	int words; /* how many of argv are its name */
};
/* The command whose words argv begins with: the longest. */
bool command_find(int argc, char **argv, struct command *);
/* Run it with the arguments behind its words. Returns an exit status. */
int command_run(
    struct site *, const struct options *, const struct command *, int argc, char **argv);
/* Run any op by its name: argv is NAME key=value …, or NAME --input JSON. */
int command_call(struct site *, const struct options *, int argc, char **argv);
/* A call as the administrator who runs `stet`: role 50, no user, no limits of scope. */
struct stet_call *command_begin(struct site *);
/* Say on standard error what the call failed with. Returns an exit status. */
int command_failed(struct stet_call *);

/* One line for each command whose words begin with these; how many there were. */
int command_list(FILE *, int argc, char **argv);
void command_help(FILE *, const struct command *);
/* What `stet call` takes for this op (of a plugin: with its prefix). false: no module has it. */
bool command_op_help(FILE *, const char *op);
/* The ops of a site, a line each. */
void command_ops(FILE *, struct site *);

/* ---- arguments.c: words of the command line as arguments of an op ---- */

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

/* ---- print.c: results for people ---- */

/* A result as aligned names and values, or as a table. Control characters are not passed on. */
void print_result(FILE *, const json_t *);
/* Only these columns (space separated) of the result's items. */
void print_columns(FILE *, const json_t *result, const char *columns);
/* Text on a terminal, one line. */
void print_text(FILE *, const char *);

#endif
