/*
 * schema.c - "stet schema diff|plan|apply DIR": compares the definitions of a site with those of an
 * export. Shows or applies the steps that make them equal, with the number of rows that each step
 * writes or loses. To make a plan, the steps are applied and rolled back, so it shows which steps
 * would be refused.
 */
#include "transfer.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct plan {
	const char *dir, *expected; /* fingerprint that the plan must have, or NULL */
	bool yes;
	bool trial; /* take_steps is rolled back */
	bool taken; /* all steps could be taken */
	bool shown; /* the steps were printed */
	struct stet_call *call; /* of the command; `wanted` and `steps` belong to it */
	const struct stet_schema_1 *schema;
	json_t *wanted; /* {slug: definition}; of a type of blocks, "blocks/<slug>" */
	const json_t *steps;
	char fingerprint[17];
};

static enum stet_status
read_wanted(struct stet_call *call, struct plan *p)
{
	struct files files;
	json_t *taken, *value;
	const char *name;

	p->wanted = stet_json_own(call, json_object());
	STET_TRY(files_list(call, p->dir, &files));
	if (json_object_get(files.names, "stet") == NULL)
		return stet_fail(call, STET_INVALID_INPUT, NULL,
		    "%s: is no export: it has no " MANIFEST, p->dir);
	json_object_foreach(files.names, name, taken)
	{
		const bool block = strncmp(name, "blocks/", 7) == 0;

		if (!block && strncmp(name, "schema/", 7) != 0)
			continue;
		STET_TRY(files_read(call, &files, name, &value));
		json_object_set_new(p->wanted, block ? name : name + 7, value);
	}
	return STET_OK;
}

/* Computes the fingerprint from everything that the steps depend on: the definitions, whose version
 * counts changes, and the numbers of rows. */
static enum stet_status
set_fingerprint(struct stet_call *call, struct plan *p)
{
	const struct stet_collection *const *list;
	const json_t *planned;
	size_t count;
	char *steps, *wanted;

	STET_TRY(p->schema->collections(call, &list, &count));
	STET_TRY(p->schema->plan(call, p->wanted, &planned));
	steps = json_dumps(planned, JSON_COMPACT);
	wanted = json_dumps(p->wanted, JSON_COMPACT | JSON_SORT_KEYS);
	snprintf(p->fingerprint, sizeof(p->fingerprint), "%016llx",
	    (unsigned long long)files_hash(stet_printf(call, "%llu %s %s",
		count > 0 ? (unsigned long long)list[0]->version : 0ULL, steps, wanted)));
	free(steps);
	free(wanted);
	return STET_OK;
}

static size_t
count_refused(const json_t *steps)
{
	size_t i, n = 0;
	json_t *step;

	json_array_foreach((json_t *)(uintptr_t)steps, i, step) n +=
	    json_object_get(step, "refused") != NULL;
	return n;
}

/* Takes all steps in one transaction, which is rolled back if one is refused. */
static enum stet_status
take_steps(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	struct plan *p = arg;
	const json_t *steps;

	STET_TRY(set_fingerprint(call, p));
	if (p->expected != NULL && strcmp(p->expected, p->fingerprint) != 0)
		return stet_fail(call, STET_CONFLICT, NULL,
		    "The site, or the export, has changed since the plan %s was made", p->expected);
	STET_TRY(p->schema->take(call, tx, p->wanted, &steps));
	p->steps = stet_json_own(p->call, json_incref((json_t *)(uintptr_t)steps));
	p->taken = count_refused(steps) == 0;
	return p->trial || !p->taken ? stet_fail(call, STET_DECLINED, NULL, "not done") : STET_OK;
}

/* Runs the steps; with `trial`, rolls them back. Returns false if they could not even be tried. */
static bool
run(struct plan *p, bool trial)
{
	enum stet_status status;

	p->trial = trial;
	p->steps = NULL;
	status = stet_write_lane(p->call, take_steps, p);
	if (p->steps != NULL && status == STET_DECLINED)
		stet_error_clear(p->call);
	return p->steps != NULL && (status == STET_OK || status == STET_DECLINED);
}

static void
show_refused(const json_t *refused)
{
	printf(": CANNOT BE TAKEN, %lld rows are in the way: %s",
	    (long long)json_integer_value(json_object_get(refused, "rows")),
	    json_string_value(json_object_get(refused, "message")));
}

static void
show(const struct plan *p, bool costs)
{
	json_t *step;
	size_t i;

	json_array_foreach((json_t *)(uintptr_t)p->steps, i, step)
	{
		const char *field = json_string_value(json_object_get(step, "field"));
		const char *block = json_string_value(json_object_get(step, "block"));
		long long rows = json_integer_value(json_object_get(step, "rows"));
		bool loses = json_is_true(json_object_get(step, "loses"));
		const json_t *refused = json_object_get(step, "refused");

		printf("%s %s%s%s", json_string_value(json_object_get(step, "step")),
		    block != NULL ? block : json_string_value(json_object_get(step, "collection")),
		    field != NULL ? "." : "", field != NULL ? field : "");
		if (refused != NULL)
			show_refused(refused);
		else if (costs && loses)
			printf(": LOSES what %lld rows have", rows);
		else if (costs)
			printf(": %lld rows", rows);
		putchar('\n');
	}
}

/* Shows the steps. Fails if one of them is refused. */
static bool
show_plan(const struct plan *p)
{
	show(p, true);
	if (!p->taken)
		stet_fail(p->call, STET_INVALID_INPUT, NULL,
		    "%zu of %zu steps cannot be taken: nothing was changed",
		    count_refused(p->steps), json_array_size(p->steps));
	return p->taken;
}

/* Returns true at once if the command line has --yes or --plan. If not, shows the result of a trial
 * and asks the user. */
static bool
confirmed(struct plan *p)
{
	char answer[8] = "";

	if (p->yes || p->expected != NULL)
		return true;
	if (!run(p, true) || !show_plan(p))
		return false;
	p->shown = true;
	p->expected = stet_strdup(p->call, p->fingerprint);
	if (json_array_size(p->steps) == 0)
		return true;
	fputs("Apply these steps? [y/N] ", stdout);
	fflush(stdout);
	if (fgets(answer, sizeof(answer), stdin) != NULL && (answer[0] == 'y' || answer[0] == 'Y'))
		return true;
	puts("nothing was changed");
	return false;
}

static bool
begin(struct stet_call *call, struct plan *p)
{
	p->call = call;
	p->schema = stet_service(call, STET_SCHEMA_1);
	return read_wanted(call, p) == STET_OK;
}

static bool
parse(struct plan *p, bool applies, int argc, char **argv)
{
	*p = (struct plan){ 0 };
	for (int i = 1; i < argc; i++)
		if (applies && strcmp(argv[i], "--yes") == 0)
			p->yes = true;
		else if (applies && strcmp(argv[i], "--plan") == 0 && i + 1 < argc)
			p->expected = argv[++i];
		else if (p->dir == NULL && argv[i][0] != '-')
			p->dir = argv[i];
		else
			return false;
	return p->dir != NULL;
}

/* The exit status is like that of diff(1): 1 if the definitions differ. */
int
schema_diff_run(struct stet_call *call, int argc, char **argv)
{
	struct plan p;

	if (!parse(&p, false, argc, argv)) {
		fputs("usage: stet schema diff DIR\n", stderr);
		return 2;
	}
	if (!begin(call, &p) || p.schema->plan(call, p.wanted, &p.steps) != STET_OK)
		return 2;
	show(&p, false);
	return json_array_size(p.steps) > 0 ? 1 : 0;
}

int
schema_plan_run(struct stet_call *call, int argc, char **argv)
{
	struct plan p;

	if (!parse(&p, false, argc, argv)) {
		fputs("usage: stet schema plan DIR\n", stderr);
		return 2;
	}
	if (!begin(call, &p) || !run(&p, true) || !show_plan(&p))
		return EXIT_FAILURE;
	printf("%zu steps, plan %s\n", json_array_size(p.steps), p.fingerprint);
	return EXIT_SUCCESS;
}

int
schema_apply_run(struct stet_call *call, int argc, char **argv)
{
	struct plan p;

	if (!parse(&p, true, argc, argv)) {
		fputs("usage: stet schema apply DIR [--yes | --plan FINGERPRINT]\n", stderr);
		return 2;
	}
	if (!begin(call, &p) || !confirmed(&p) || !run(&p, false))
		return EXIT_FAILURE;
	if ((!p.shown || !p.taken) && !show_plan(&p))
		return EXIT_FAILURE;
	printf("%zu steps done\n", json_array_size(p.steps));
	return EXIT_SUCCESS;
}
