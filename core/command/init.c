/* init.c - runs the modules' commands for `stet init`, after the site was created. */
#include "command/init.h"
#include "call/error.h"
#include "command/arguments.h"
#include "command/command.h"
#include "db/rows.h"
#include "module/generation.h"
#include "module/module.h"
#include "op/args.h"
#include "op/dispatch.h"
#include <stdlib.h>

#define OPS_MAX 8
#define OPTIONS_MAX 16

/* The ops that `stet init` runs, and their members, which are its options. */
struct at_init {
	struct command command[OPS_MAX];
	const struct op *op[OPS_MAX];
	size_t count;
	struct stet_member option[OPTIONS_MAX + 1];
};

static void
add_options(struct at_init *a, const struct stet_member *m)
{
	size_t n = 0;

	while (a->option[n].name != NULL)
		n++;
	for (; m != NULL && m->name != NULL && n < OPTIONS_MAX; m++)
		a->option[n++] = *m;
}

static void
find_at_init(const struct generation *gen, struct at_init *a)
{
	for (size_t i = 0; i < gen->module_count; i++) {
		struct command c = { .owner = gen->module[i] };

		for (uint32_t r = 0; r < c.owner->m.commands.count; r++) {
			const struct op *op;

			stet_table_row(&c.owner->m.commands, r, &c.row, sizeof(c.row));
			op = c.row.at_init && c.row.print != NULL ? command_op(gen, &c) : NULL;
			if (op == NULL || a->count == OPS_MAX)
				continue;
			add_options(a, op->row.in);
			a->command[a->count] = c;
			a->op[a->count++] = op;
		}
	}
}

/* Returns the options that are members of the op. */
static json_t *
own_args(const struct op *op, const json_t *given)
{
	json_t *args = json_object();

	for (const struct stet_member *m = op->row.in; m != NULL && m->name != NULL; m++)
		if (json_object_get(given, m->name) != NULL)
			json_object_set(args, m->name, json_object_get(given, m->name));
	return args;
}

/* Returns the exit status of a failure if options asked for the op, else EXIT_SUCCESS. */
static int
add_result(struct site *site, const struct op *op, const json_t *args,
    const struct stet_command *row, json_t *result)
{
	struct stet_call *call = command_begin(site);
	int status = EXIT_SUCCESS;
	const char *text;
	size_t len;
	json_t *value;

	call->op = op;
	call->owner = op->owner;
	if (args_json(call, args) == STET_OK && dispatch_run(call) == STET_OK) {
		text = stet_json_text(&call->out, &len);
		value = json_loadb(text, len, JSON_DECODE_ANY, NULL);
		json_object_set(result, row->words, json_object_get(value, row->print));
		json_decref(value);
	} else if (json_object_size(args) > 0)
		status = command_failed(call);
	rows_end_call(call);
	call_free(call);
	return status;
}

int
init_modules(struct site *site, int argc, char **argv, json_t *result)
{
	struct generation *gen = site_generation(site);
	struct at_init a = { .count = 0 };
	json_t *given = json_object();
	int status;

	find_at_init(gen, &a);
	status = argument_parse(a.option, NULL, argc, argv, given);
	if (status < 0)
		status = EXIT_SUCCESS;
	for (size_t i = 0; i < a.count && status == EXIT_SUCCESS; i++) {
		json_t *args = own_args(a.op[i], given);

		/* An op with members runs only if one of its options is given. */
		if (a.op[i]->row.in == NULL || json_object_size(args) > 0)
			status = add_result(site, a.op[i], args, &a.command[i].row, result);
		json_decref(args);
	}
	json_decref(given);
	generation_put(gen);
	return status;
}
