/*
 * command.h - the commands of `stet`: finds them in modules' tables, runs them as calls and prints
 * the results.
 */
#ifndef CORE_COMMAND_H
#define CORE_COMMAND_H

#include "call/call.h"
#include <stdio.h>

/* The options before the command. */
struct options {
	const char *config, *site, *data;
	bool json;
	const char *module_path, *plugin_path; /* of the configuration */
	bool guessed; /* no configuration or daemon gives the site's URL */
};

#define EXIT_USAGE 2

/* A row of a module's table of commands. */
struct command {
	const struct loaded *owner;
	struct stet_command row; /* copy; members that an older header lacks are zero */
	int words; /* words of argv that are the command's name */
};
/* Finds the command with the longest name that argv begins with. */
bool command_find(int argc, char **argv, struct command *);
/* Returns the op of a command; NULL if it has none, or the op is not on the site. */
const struct op *command_op(const struct generation *, const struct command *);
/* Runs it with the arguments that follow its name. Returns an exit status. */
int command_run(
    struct site *, const struct options *, const struct command *, int argc, char **argv);
/* Runs any op by name: argv is NAME key=value ..., or NAME --input JSON. */
int command_call(struct site *, const struct options *, int argc, char **argv);
/* Reads the arguments of an op from argv, "--input" and JSON, - or @FILE. Returns -1 with *args, or
 * an exit status after an error message. */
int command_input(int argc, char **argv, json_t **args);
/* Returns false after an error message if no module brings the engine of the site's database. */
bool command_can_open(const struct conf_site *);
/* Makes a call of the administrator who runs `stet`: role 50, no user, all scopes. */
struct stet_call *command_begin(struct site *);
/* Writes the call's error to standard error. Returns an exit status. */
int command_failed(struct stet_call *);

/* Writes one line for each command whose name begins with these words. Returns their number. */
int command_list(FILE *, int argc, char **argv);
void command_help(FILE *, const struct command *);
/* Writes what `stet call` takes for this op (with the plugin's prefix). Returns false if no
 * module has it. */
bool command_op_help(FILE *, const char *op);
/* Writes the ops of a site, one line each. */
void command_ops(FILE *, struct site *);

#endif
