/*
 * command.c - commands of modules, and ops by name: turns words into a call, runs it and prints the
 * result.
 */
#include "command/command.h"
#include "base/arena.h"
#include "base/buf.h"
#include "call/call.h"
#include "call/error.h"
#include "call/json.h"
#include "call/shape.h"
#include "call/site.h"
#include "command/arguments.h"
#include "command/disable.h"
#include "command/print.h"
#include "command/qr.h"
#include "db/rows.h"
#include "module/generation.h"
#include "module/module.h"
#include "op/args.h"
#include "op/dispatch.h"
#include "op/file.h"
#include "site/site.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- the tables of commands ---- */

/* Returns how many words of argv are the command's name, or 0 if it is another. */
static int
words_match(const char *words, int argc, char **argv)
{
	int n = 0;

	while (*words != '\0') {
		size_t len = strcspn(words, " ");

		if (n >= argc || strlen(argv[n]) != len || memcmp(argv[n], words, len) != 0)
			return 0;
		n++;
		words += len;
		words += strspn(words, " ");
	}
	return n;
}

/* Returns true if the command's name begins with these words. */
static bool
words_begin(const char *words, int argc, char **argv)
{
	for (int i = 0; i < argc; i++) {
		size_t len = strcspn(words, " ");

		if (len == 0 || strlen(argv[i]) != len || memcmp(argv[i], words, len) != 0)
			return false;
		words += len;
		words += strspn(words, " ");
	}
	return true;
}

bool
command_find(int argc, char **argv, struct command *out)
{
	*out = (struct command){ 0 };
	for (size_t i = 0; i < modules_count(); i++) {
		const struct loaded *owner = modules_at(i);

		for (uint32_t r = 0; r < owner->m.commands.count; r++) {
			struct stet_command row;
			int words;

			stet_table_row(&owner->m.commands, r, &row, sizeof(row));
			words = words_match(row.words, argc, argv);
			if (words > out->words)
				*out = (struct command){ owner, row, words };
		}
	}
	return out->words > 0;
}

int
command_list(FILE *f, int argc, char **argv)
{
	int shown = 0;

	for (size_t i = 0; i < modules_count(); i++) {
		const struct loaded *owner = modules_at(i);

		for (uint32_t r = 0; r < owner->m.commands.count; r++) {
			struct stet_command row;

			stet_table_row(&owner->m.commands, r, &row, sizeof(row));
			if (!words_begin(row.words, argc, argv))
				continue;
			fprintf(f, "  %-20s %s\n", row.words, row.about != NULL ? row.about : "");
			shown++;
		}
	}
	return shown;
}

/* Returns the row of an op in its module's table, since help needs no site. */
static bool
op_row(const struct loaded *owner, const char *name, struct stet_op *out)
{
	for (uint32_t r = 0; r < owner->m.ops.count; r++) {
		stet_table_row(&owner->m.ops, r, out, sizeof(*out));
		if (strcmp(out->name, name) == 0)
			return true;
	}
	return false;
}

/* Does the command print a link for a person? */
static bool
has_link(const struct command *c)
{
	return c->row.print != NULL && strcmp(c->row.print, "url") == 0;
}

void
command_help(FILE *f, const struct command *c)
{
	struct stet_op row;
	bool has_op = c->row.op != NULL && op_row(c->owner, c->row.op, &row);

	fprintf(f, "usage: stet %s", c->row.words);
	if (has_op) {
		argument_usage(f, row.in, c->row.operands);
		fputs(has_link(c) ? " [--qr]" : "", f);
	} else if (c->row.usage != NULL)
		fprintf(f, " %s", c->row.usage);
	fputc('\n', f);
	if (c->row.about != NULL)
		fprintf(f, "\n%s\n", c->row.about);
	if (has_op && shape_count(row.in) > 0) {
		fputc('\n', f);
		argument_details(f, row.in, c->row.operands);
	}
	if (has_link(c))
		fputs("  --qr  show the link as a code for a phone's camera, too\n", f);
	if (c->row.details != NULL)
		fprintf(f, "\n%s", c->row.details);
}

/* Finds the op's row and its module. Returns false if there is no such op. */
static bool
op_find(const char *name, struct stet_op *out, const struct loaded **module)
{
	for (size_t i = 0; i < modules_count(); i++) {
		const struct loaded *owner = modules_at(i);
		size_t len = strlen(owner->m.name);

		*module = owner;
		if (owner->bundled ? op_row(owner, name, out)
				   : strncmp(name, owner->m.name, len) == 0 &&
					 strncmp(name + len, "__", 2) == 0 &&
					 op_row(owner, name + len + 2, out))
			return true;
	}
	return false;
}

static void
tell_route(FILE *f, const struct loaded *owner, const struct stet_op *row)
{
	struct arena arena = { 0 };

	fprintf(f, "\nOver HTTP: %.*s %s\n", (int)strcspn(row->route, " "), row->route,
	    generation_path(&arena, owner, row));
	arena_free(&arena);
}

bool
command_op_help(FILE *f, const char *op)
{
	const struct loaded *owner;
	struct stet_op row;

	if (!op_find(op, &row, &owner))
		return false;
	fprintf(f, "usage: stet call %s%s\n", op, shape_count(row.in) > 0 ? " key=value ..." : "");
	if (row.about != NULL)
		fprintf(f, "\n%s\n", row.about);
	if (row.route != NULL)
		tell_route(f, owner, &row);
	if (shape_count(row.in) > 0) {
		fputc('\n', f);
		argument_keys(f, row.in);
	}
	return true;
}

void
command_ops(FILE *f, struct site *site)
{
	struct generation *gen = site_generation(site);

	for (size_t i = 0; i < gen->op_count; i++)
		fprintf(f, "  %-32s %s\n", gen->op[i].name,
		    gen->op[i].row.title != NULL ? gen->op[i].row.title : "");
	generation_put(gen);
}

/* ---- running ---- */

struct stet_call *
command_begin(struct site *site)
{
	struct stet_call *call = call_new();

	call_enter(call, site);
	stet_principal_set(
	    call, &(struct stet_principal){ .id = "", .role = 50, .via = STET_VIA_COMMAND });
	return call;
}

int
command_failed(struct stet_call *call)
{
	enum stet_status status = error_outcome(call);
	const char *text = call->error.text != NULL ? call->error.text : stet_status_text(status);

	fprintf(stderr, "stet: %s: ", stet_status_name(status));
	print_text(stderr, text);
	if (call->error.field != NULL && *call->error.field != '\0' && call->error.issues == NULL) {
		fputs(" (", stderr);
		print_text(stderr, call->error.field);
		fputc(')', stderr);
	}
	fputc('\n', stderr);
	for (const struct call_issue *i = call->error.issues; i != NULL; i = i->next) {
		fputs("stet:   ", stderr);
		print_text(stderr, i->path);
		fputs(*i->path != '\0' ? ": " : "", stderr);
		print_text(stderr, i->message);
		fputc('\n', stderr);
	}
	if (status == STET_MIGRATION_FAILED && disable_runs())
		return EXIT_BUSY; /* it can be disabled without writing */
	return status == STET_UNAVAILABLE ? EXIT_BUSY : EXIT_FAILURE;
}

static void
show_file(const struct file *f)
{
	char piece[65536];
	off_t at = 0;
	ssize_t n;

	while ((n = pread(f->fd, piece, sizeof(piece), at)) > 0 &&
	       fwrite(piece, 1, (size_t)n, stdout) == (size_t)n)
		at += n;
	if (n != 0)
		fprintf(stderr, "stet: the file ended early: %s\n", strerror(errno));
}

/* How a result is shown. */
struct shown {
	const char *alone; /* the column `print` of the command */
	bool json, qr;
};

static void
show_alone(const json_t *value, bool qr)
{
	print_result(stdout, value);
	if (qr && !qr_print(stdout, json_string_value(value)))
		fputs("stet: the link is too long for a QR code\n", stderr);
}

static void
show(struct stet_call *call, const struct shown *as)
{
	const char *text = call->out.buf.len > 0 ? call->out.buf.data : "null", *why;
	size_t len = strlen(text), position;
	json_t *result;

	if (call->reply.file != NULL) {
		show_file(call->reply.file);
		return;
	}
	if (call->reply.type != NULL) {
		fwrite(call->reply.raw.data, 1, call->reply.raw.len, stdout);
		return;
	}
	if (as->json || (result = json_parse(text, len, &why, &position)) == NULL) {
		fwrite(text, 1, len, stdout);
		fputc('\n', stdout);
		return;
	}
	if (as->alone != NULL && json_is_array(json_object_get(result, "items")))
		print_columns(stdout, result, as->alone);
	else if (as->alone != NULL && json_object_get(result, as->alone) != NULL)
		show_alone(json_object_get(result, as->alone), as->qr);
	else
		print_result(stdout, result);
	json_decref(result);
}

/* Returns true if the command looks for problems, and the op has found some. */
static bool
found_problems(struct stet_call *call, const char *alone)
{
	json_t *result;
	const char *why;
	size_t position;
	bool found;

	if (alone == NULL || strcmp(alone, "problems") != 0 || call->out.buf.len == 0)
		return false;
	result = json_parse(call->out.buf.data, call->out.buf.len, &why, &position);
	found = json_array_size(json_object_get(result, alone)) > 0;
	json_decref(result);
	return found;
}

static int
run_op(struct site *site, const struct op *op, const json_t *args, const struct shown *as)
{
	struct stet_call *call = command_begin(site);
	int status = EXIT_SUCCESS;

	call->op = op;
	call->owner = op->owner;
	if (args_json(call, args) == STET_OK && dispatch_run(call) == STET_OK) {
		show(call, as);
		if (found_problems(call, as->alone))
			status = EXIT_FAILURE;
	} else
		status = command_failed(call);
	rows_end_call(call);
	call_free(call);
	return status;
}

/* A command with a function of its own runs like an op of the slow lane: it may call any other
 * op. */
static int
run_program(struct site *site, const struct command *c, int argc, char **argv)
{
	const struct op program = {
		.row = { .name = "command", .lane = STET_SLOW },
		.owner = c->owner,
		.name = (char *)(uintptr_t)c->row.words,
	};
	struct stet_call *call = command_begin(site);
	int status;

	call->op = &program;
	call->lane = STET_SLOW;
	call->owner = c->owner;
	status = c->row.run(call, argc, argv);
	if (status != EXIT_SUCCESS && call->error.status != STET_OK)
		command_failed(call);
	rows_end_call(call);
	call_free(call);
	return status;
}

const struct op *
command_op(const struct generation *gen, const struct command *c)
{
	for (size_t i = 0; c->row.op != NULL && i < gen->op_count; i++)
		if (gen->op[i].owner == c->owner && strcmp(gen->op[i].row.name, c->row.op) == 0)
			return &gen->op[i];
	return NULL;
}

static bool
enabled(const struct generation *gen, const struct loaded *owner)
{
	for (size_t i = 0; i < gen->module_count; i++)
		if (gen->module[i] == owner)
			return true;
	return false;
}

/* Takes "--qr" out of the arguments of a command that prints a link. Returns true if it was there.
 */
static bool
take_qr(const struct command *c, int *argc, char **argv)
{
	int kept = 0;

	for (int i = 0; i < *argc; i++)
		if (!has_link(c) || strcmp(argv[i], "--qr") != 0)
			argv[kept++] = argv[i];
	if (kept == *argc)
		return false;
	*argc = kept;
	return true;
}

/* Warns if the printed URL is only the default address, since no daemon may listen there. */
static void
tell_guess(const struct site *site, const struct options *o, const struct command *c)
{
	if (o->guessed && has_link(c))
		fprintf(stderr,
		    "stet: no running daemon says where it listens: %s is the default address\n",
		    site->conf.base_url);
}

int
command_run(
    struct site *site, const struct options *o, const struct command *c, int argc, char **argv)
{
	struct generation *gen = site_generation(site);
	const struct op *op = command_op(gen, c);
	json_t *args = json_object();
	struct shown as = { c->row.print, o->json, take_qr(c, &argc, argv) };
	int status;

	if (!enabled(gen, c->owner)) {
		fprintf(stderr, "stet: the module %s is not enabled on the site %s\n",
		    c->owner->m.name, site->conf.name);
		status = EXIT_FAILURE;
	} else if (c->row.run != NULL) /* argv[0] is the last word of the name */
		status = run_program(site, c, argc + 1, argv - 1);
	else if (op == NULL) {
		fprintf(stderr, "stet: the module %s has no operation %s\n", c->owner->m.name,
		    c->row.op != NULL ? c->row.op : "");
		status = EXIT_FAILURE;
	} else if ((status = argument_parse(op->row.in, c->row.operands, argc, argv, args)) < 0) {
		status = run_op(site, op, args, &as);
		if (status == EXIT_SUCCESS)
			tell_guess(site, o, c);
	} else
		fprintf(stderr, "stet: see \"stet help %s\"\n", c->row.words);
	json_decref(args);
	generation_put(gen);
	return status;
}

/* ---- stet call ---- */

static char *
read_all(FILE *f)
{
	struct buf b = { 0 };
	char part[65536];
	size_t n;

	while ((n = fread(part, 1, sizeof(part), f)) > 0)
		buf_add(&b, part, n);
	return b.data != NULL ? b.data : xstrdup("");
}

/* Reads "-" from standard input, "@FILE" from a file; anything else is the JSON itself. Returns
 * NULL after an error message. */
static json_t *
read_input(const char *word)
{
	FILE *f = *word == '@' ? fopen(word + 1, "re") : stdin;
	const char *why = NULL;
	size_t position = 0;
	json_t *value;
	char *text;

	if (f == NULL) {
		fprintf(stderr, "stet: cannot read %s: %m\n", word + 1);
		return NULL;
	}
	text = *word == '@' || strcmp(word, "-") == 0 ? read_all(f) : xstrdup(word);
	if (f != stdin)
		fclose(f);
	value = json_parse(text, strlen(text), &why, &position);
	if (value == NULL)
		fprintf(stderr, "stet: the input is not JSON: %s (byte %zu)\n", why, position);
	free(text);
	return value;
}

static const struct stet_member *
member_of(const struct op *op, const char *name, size_t len)
{
	for (const struct stet_member *m = op->row.in; m != NULL && m->name != NULL; m++)
		if (strlen(m->name) == len && memcmp(m->name, name, len) == 0 && argument_usable(m))
			return m;
	return NULL;
}

/* Reads key=value into args. Returns -1, or an exit status. */
static int
take_pair(const struct op *op, const char *word, json_t *args)
{
	size_t len = strcspn(word, "=");
	const struct stet_member *m = member_of(op, word, len);
	const char *why;
	json_t *value;

	if (word[len] != '=') {
		fprintf(stderr, "stet: %s is not key=value\n", word);
		return EXIT_USAGE;
	}
	if (m == NULL) {
		fprintf(stderr, "stet: %s has no member %.*s; it has", op->name, (int)len, word);
		for (m = op->row.in; m != NULL && m->name != NULL; m++)
			if (argument_usable(m))
				fprintf(stderr, " %s", m->name);
		fputc('\n', stderr);
		return EXIT_USAGE;
	}
	if ((value = argument_value(m, word + len + 1, &why)) == NULL) {
		fprintf(stderr, "stet: %s %s\n", m->name, why != NULL ? why : "is not JSON");
		return EXIT_USAGE;
	}
	json_object_set_new(args, m->name, value);
	return -1;
}

int
command_input(int argc, char **argv, json_t **args)
{
	*args = NULL;
	if (argc != 2) {
		fputs("stet: --input takes JSON, - or @FILE, and nothing after it\n", stderr);
		return EXIT_USAGE;
	}
	*args = read_input(argv[1]);
	return *args != NULL ? -1 : EXIT_FAILURE;
}

static int
call_arguments(const struct op *op, int argc, char **argv, json_t **args)
{
	int status = -1;

	if (argc > 0 && strcmp(argv[0], "--input") == 0)
		return command_input(argc, argv, args);
	*args = json_object();
	for (int i = 0; i < argc && status < 0; i++)
		status = take_pair(op, argv[i], *args);
	return status;
}

int
command_call(struct site *site, const struct options *o, int argc, char **argv)
{
	struct generation *gen = site_generation(site);
	const struct op *op = argc > 0 ? generation_op(gen, argv[0]) : NULL;
	json_t *args = NULL;
	int status = EXIT_USAGE;

	(void)o;
	if (argc == 0)
		fputs("stet: which operation? \"stet call --list\" names them\n", stderr);
	else if (strcmp(argv[0], "--list") == 0) {
		command_ops(stdout, site);
		status = EXIT_SUCCESS;
	} else if (op == NULL)
		fprintf(stderr, "stet: there is no operation %s; \"stet call --list\" names them\n",
		    argv[0]);
	else if ((op->row.flags & (STET_SPOOL | STET_MULTIPART)) != 0)
		fprintf(
		    stderr, "stet: %s takes a file, which a command cannot hand over\n", argv[0]);
	else if ((status = call_arguments(op, argc - 1, argv + 1, &args)) < 0)
		status = run_op(site, op, args, &(struct shown){ .json = true });
	json_decref(args);
	generation_put(gen);
	return status;
}

bool
command_can_open(const struct conf_site *site)
{
	char *why = site_lacks_engine(site);
	bool can = why == NULL;

	if (!can)
		fprintf(stderr, "stet: site %s: %s\n", site->name, why);
	free(why);
	return can;
}
