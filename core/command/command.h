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

#endif
