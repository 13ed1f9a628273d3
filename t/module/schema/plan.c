/* plan.c - plans of definitions: over random pairs, applying a plan does what the plan said of each
 * step. */
#include "../lib/chance.h"
#include "../lib/inside.h"
#include <stdio.h>
#include <stet/content.h>
#include <string.h>

#define FIELDS 4
#define ITEMS 4

/* ---- trials and applications ---- */

struct attempt {
	const json_t *wanted;
	json_t *steps; /* the steps as JSON */
	bool keep;
	bool done;
};

static size_t
refused(const json_t *steps)
{
	size_t n = 0;

	for (size_t i = 0; i < json_array_size(steps); i++)
		n += json_object_get(json_array_get(steps, i), "refused") != NULL;
	return n;
}

static void
be_admin(struct stet_call *call)
{
	stet_principal_set(call, &(struct stet_principal){ .id = "", .role = 50 });
}

static enum stet_status
attempt(struct stet_call *call, void *arg)
{
	const struct stet_schema_1 *schema = stet_service(call, STET_SCHEMA_1);
	struct attempt *a = arg;
	const json_t *steps;

	be_admin(call);
	if (a->keep) {
		STET_TRY(schema->apply(call, stet_write_tx(call), a->wanted));
		a->done = true;
		return STET_OK;
	}
	STET_TRY(schema->take(call, stet_write_tx(call), a->wanted, &steps));
	a->steps = json_deep_copy(steps);
	return STET_DECLINED;
}

static enum stet_status
plan(struct stet_call *call, void *arg)
{
	const struct stet_schema_1 *schema = stet_service(call, STET_SCHEMA_1);
	struct attempt *a = arg;
	const json_t *steps;

	be_admin(call);
	STET_TRY(schema->plan(call, a->wanted, &steps));
	a->steps = json_deep_copy(steps);
	return STET_OK;
}

static json_t *
trial(struct harness *h, const json_t *wanted)
{
	struct attempt a = { .wanted = wanted };

	assert_int_equal(inside_write(h, attempt, &a), STET_DECLINED);
	assert_non_null(a.steps);
	return a.steps;
}

static bool
apply(struct harness *h, const json_t *wanted)
{
	struct attempt a = { .wanted = wanted, .keep = true };

	return inside_write(h, attempt, &a) == STET_OK && a.done;
}

static size_t
steps_left(struct harness *h, const json_t *wanted)
{
	struct attempt a = { .wanted = wanted };
	size_t n;

	assert_int_equal(inside_read(h, plan, &a), STET_OK);
	n = json_array_size(a.steps);
	json_decref(a.steps);
	return n;
}

/* Returns all definitions, and the tables and indexes of the collection. The caller frees it. */
static char *
state_of(struct harness *h)
{
	char *out = NULL;
	size_t size;
	FILE *f = open_memstream(&out, &size);
	struct outcome *o = harness_request(h, admin, "GET /schema/collections/c", NULL, NULL);

	assert_ok(o);
	harness_ok(o, harness_request(h, admin, "GET /schema/collections/c/fields", NULL, NULL));
	json_dumpf(o->data, f, JSON_COMPACT);
	fputs(inside_ask(h, "SELECT group_concat(sql, ';') FROM (SELECT sql FROM sqlite_schema"
			    " WHERE tbl_name = 'c_c' ORDER BY name) AS s"),
	    f);
	fclose(f);
	return out;
}

/* ---- random definitions and items ---- */

static json_t *
field_of(int i)
{
	static const char *const types[] = { "string", "string", "text", "integer" };
	char slug[8];

	snprintf(slug, sizeof(slug), "f%d", i);
	return json_pack("{s:s, s:s, s:i, s:s, s:b, s:b, s:b, s:b, s:b}", "slug", slug, "label",
	    "L", "sortOrder", i, "type", pick(6) > 0 ? "string" : types[pick(4)], "required",
	    pick(4) == 0, "unique", pick(4) == 0, "indexed", pick(3) == 0, "searchable",
	    pick(3) == 0, "translatable", pick(3) > 0);
}

/* Returns a definition with all members, as an export has them, even those that are false. */
static json_t *
definition(void)
{
	json_t *fields = json_array();

	for (int i = 0; i < FIELDS; i++)
		if (pick(6) > 0)
			json_array_append_new(fields, field_of(i));
	return json_pack("{s:{s:s, s:s, s:[s,s], s:b, s:b, s:b, s:s, s:b, s:s, s:i, s:b, s:o}}",
	    "c", "slug", "c", "label", pick(2) ? "C" : "D", "supports", "drafts", "revisions",
	    "routable", 1, "hasSeo", 0, "hidden", pick(2), "source", "manual", "commentsEnabled", 0,
	    "commentsModeration", "first_time", "commentsClosedAfterDays", 90,
	    "commentsAutoApproveUsers", 1, "fields", fields);
}

static enum stet_status
run(struct stet_call *call, void *sql)
{
	return stet_exec(call, stet_write_tx(call), sql, STET_NO_ARGS);
}

/* Gives each item other values, as far as unique indexes allow that. */
static void
fill(struct harness *h)
{
	static const char *const values[] = { "NULL", "''", "'1'", "'2'", "'3'" };
	char sql[200];

	for (int i = 0; i < FIELDS; i++) {
		bool all = pick(2) == 0;

		snprintf(sql, sizeof(sql), "SELECT count(*) FROM field WHERE slug = 'f%d'", i);
		for (int k = 0; k < ITEMS && strcmp(inside_ask(h, sql), "1") == 0; k++) {
			char set[200];

			snprintf(set, sizeof(set),
			    "/* test */ UPDATE c_c SET f_f%d = %s WHERE slug = 'i%d'", i,
			    values[all ? 2 + (k & 2) / 2 : pick(5)], k);
			(void)inside_write(h, run, set); /* a taken value stays as it is */
		}
	}
}

static void
what_a_plan_says_an_application_does(void **state)
{
	struct harness *h = *state;
	int taken = 0, refusals = 0;
	json_t *wanted = definition();

	assert_true(apply(h, wanted));
	inside_item(h, "c", "i0");
	inside_item(h, "c", "i1");
	inside_item(h, "c", "i2");
	inside_item(h, "c", "i3");
	inside_sql(h, "UPDATE c_c SET translation_group = 'i0' WHERE slug = 'i1'", NULL);
	for (int i = 0; i < chance.steps; i++) {
		char *before, *after;
		json_t *steps;
		bool done;

		json_decref(wanted);
		wanted = definition();
		fill(h);
		before = state_of(h);
		steps = trial(h, wanted);
		after = state_of(h);
		assert_string_equal(after, before);
		free(after);
		done = apply(h, wanted);
		assert_int_equal(done, refused(steps) == 0);
		if (done) {
			assert_int_equal(steps_left(h, wanted), 0);
			taken++;
		} else {
			after = state_of(h);
			assert_string_equal(after, before);
			free(after);
			refusals++;
		}
		free(before);
		json_decref(steps);
	}
	json_decref(wanted);
	print_message("# %d taken, %d refused\n", taken, refusals);
	assert_true(taken > chance.steps / 8 && refusals > chance.steps / 8);
}

static const char *
verb(const json_t *steps)
{
	return harness_text(json_array_get(steps, 0), "step");
}

/* Types of blocks are planned and applied as collections are. Without a file of one, none goes. */
static void
types_of_blocks_are_planned(void **state)
{
	struct harness *h = *state;
	json_t *wanted = definition(), *card, *steps;

	assert_true(apply(h, wanted));
	card = json_pack("{s:s, s:s, s:[{s:s, s:s, s:s}]}", "slug", "card", "label", "Card",
	    "fields", "slug", "head", "label", "Headline", "type", "string");
	json_object_set_new(wanted, "blocks/card", card);
	steps = trial(h, wanted);
	assert_string_equal(verb(steps), "create block");
	json_decref(steps);
	assert_true(apply(h, wanted));
	assert_int_equal(steps_left(h, wanted), 0);
	json_object_set_new(card, "label", json_string("A card"));
	steps = trial(h, wanted);
	assert_string_equal(verb(steps), "change block");
	json_decref(steps);
	json_object_set_new(card, "label", json_string("Card"));
	/* a broken one is refused, and nothing of it stays */
	json_object_set_new(wanted, "blocks/bad",
	    json_pack("{s:s, s:s, s:[{s:s, s:s, s:s}]}", "slug", "bad", "label", "B", "fields",
		"slug", "x", "label", "X", "type", "nonsense"));
	steps = trial(h, wanted);
	assert_int_equal(refused(steps), 1);
	json_decref(steps);
	assert_false(apply(h, wanted));
	json_object_del(wanted, "blocks/bad");
	assert_int_equal(steps_left(h, wanted), 0);
	/* another file alone deletes it, no file leaves it */
	json_object_set_new(wanted, "blocks/other",
	    json_pack("{s:s, s:s, s:[]}", "slug", "other", "label", "O", "fields"));
	json_object_del(wanted, "blocks/card");
	assert_int_equal(steps_left(h, wanted), 2);
	assert_true(apply(h, wanted));
	assert_string_equal(
	    inside_ask(h, "SELECT max(slug) || min(slug) FROM block_type"), "otherother");
	json_object_del(wanted, "blocks/other");
	assert_int_equal(steps_left(h, wanted), 0);
	json_decref(wanted);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
		    what_a_plan_says_an_application_does, inside_begin, inside_end),
		cmocka_unit_test_setup_teardown(
		    types_of_blocks_are_planned, inside_begin, inside_end),
	};

	chance_begin(40);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
