/*
 * plans.t - the SQL of each route: the number of statements and their query plans, compared with
 * plans.expect. UPDATE_PLANS=1 writes that file.
 */
#include "call/call.h"
#include "expected.h"
#include "people.h"
#include "plancheck.h"
#include "posts.h"
#include "site/site.h"
#include "taken.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- the calls ---- */

struct row {
	/* note: tells several calls of an op apart; REFUSED, BODILESS; or NULL */
	const char *op, *note;
	const char *args; /* with " for each ' and the kept text a for $a */
	const char *keep; /* "a=path": keeps this text of the response as $a */
};

#define REFUSED "without mail" /* the call fails */
#define BODILESS "without a body" /* the call fails, too */
#define PROOF "00000000000000000000000000000000"
#define ITEM "{'collection':'posts','id':'$a'}"
#define INFERRED ",'includeInferredBylines':true}"
#define LIST "{'collection':'posts'"
#define TERM "{'taxonomy':'genre'"
#define PAGES "{'collection':'pages'"
/* The calls, in the order in which they run: later ones use the results of earlier ones. */
static const struct row rows[] = {
#include "plans.def"
};

/* Calls on a site without an administrator. */
static const struct row setup_rows[] = {
	{ "setup_link", NULL, "", "s=url" },
	{ "setup_site", NULL, "{'token':'$s','title':'Mine','includeContent':false}", NULL },
	{ "setup_admin", NULL, "{'token':'$s','email':'first@example.org'}",
	    "l=options.challenge" },
	{ "setup_admin_verify", NULL, "@founder", NULL },
};

/* Calls by a reader without access to drafts, which use other SQL. $k comes from the rows above. */
static const struct row public_rows[] = {
	{ "changes", "in public", "", NULL },
	{ "changes", "in public, since", "{'since':'$k'}", NULL },
	{ "content_list", "in public", LIST "}", NULL },
};

/* ---- statements and plans, of the reader and the writer together ---- */

static bool
fails(const struct row *row)
{
	return row->note != NULL &&
	       (strcmp(row->note, REFUSED) == 0 || strcmp(row->note, BODILESS) == 0);
}

static void
call_row(struct harness *h, const struct harness_user *user, const struct row *row, FILE *to)
{
	char *args = taken_arguments(user, row->args);
	struct outcome *o;
	uint64_t before;

	assert_ok(ask(h, user, "GET /content/pages")); /* reads the definitions */
	before = taken_begin(h);
	o = harness_op(h, user, row->op, "%s", args);
	if (*o->code != '\0' && !fails(row))
		fail_msg("%s %s: %s", row->op, args, o->text);
	if (row->keep != NULL)
		taken_keep(o, row->op, row->keep);
	taken_end(h, before, row->op, row->note, to);
	free(args);
}

/* ---- tests ---- */

static void
every_call_has_the_plans_that_are_expected(void **state)
{
	struct harness *h = *state;
	struct person person;
	struct harness_user user[1] = { { .role = 50, .session = true } };
	static const struct expected expected = {
		"plans.expect", "UPDATE_PLANS",
		"# Calls, the number of their statements, and each one's plan; made by plans.t with\n"
		"# UPDATE_PLANS=1. Read what changes: a scan or a sort is a list that grows slow.\n"
	};
	char *got = NULL;
	size_t size;
	FILE *to = open_memstream(&got, &size);
	int bad;

	assert_non_null(to);
	for (size_t i = 0; i < COUNT(setup_rows); i++)
		call_row(h, admin, &setup_rows[i], to);
	person = person_make(h, "one@example.org", "admin", "[\"admin\"]", NULL);
	user->id = person.id;
	fill(h);
	plancheck_leave_proof(h, PROOF);
	plancheck_leave_grant(h, person.id);
	plancheck_leave_import(h, person.id);
	assert_ok(harness_op(h, admin, "plugin_disable", "{\"id\":\"audit\"}"));
	for (size_t i = 0; i < COUNT(rows); i++)
		call_row(h, user, &rows[i], to);
	for (size_t i = 0; i < COUNT(public_rows); i++)
		call_row(h, subscriber, &public_rows[i], to);
	taken_with_token(h, person.token, to);
	assert_int_equal(fclose(to), 0);
	plancheck_level(got);
	bad = plancheck_bad(got);
	expected_compare(&expected, got);
	plancheck_excuses(got);
	free(got);
	if (bad > 0)
		fail_msg("%d scans or sorts without a reason in plans.c", bad);
}

static void
every_route_is_called(void **state)
{
	const struct generation *gen = harness_site(*state)->current;

	for (const struct op *op = gen->op; op < gen->op + gen->op_count; op++) {
		/* oauth_device_authorize needs a code that a raw op makes; the others need an
		 * identity provider. */
		bool found = op->route == NULL || (op->row.flags & STET_RAW) != 0 ||
			     strcmp(op->name, "oauth_device_authorize") == 0 ||
			     strcmp(op->name, "account_link") == 0 ||
			     strcmp(op->name, "account_remove") == 0;

		for (size_t i = 0; i < COUNT(rows); i++)
			found |= strcmp(rows[i].op, op->name) == 0;
		for (size_t i = 0; i < COUNT(setup_rows); i++)
			found |= strcmp(setup_rows[i].op, op->name) == 0;
		if (!found)
			fail_msg("%s has no call in plans.c", op->name);
	}
}

static int
traced(void **state)
{
	int status;

	setenv("STET_SQL_TRACE", "1", 1);
	posts_plugins = "t/plugins/good/.libs";
	status = posts_begin(state);
	posts_plugins = NULL;
	return status;
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
		    every_call_has_the_plans_that_are_expected, traced, posts_end),
		check(every_route_is_called),
		cmocka_unit_test(plancheck_selftest),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
