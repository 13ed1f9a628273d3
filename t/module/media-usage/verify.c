/* verify.c - verifying the index against all items, and repairing differences. */
#include "used.h"
#include <stdio.h>
#include <string.h>

/* Returns the problems, one a line, without the advice how to repair them. Static buffer. */
static const char *
problems(struct harness *h)
{
	static char text[4096];
	struct outcome *o = harness_op(h, admin, "media_usage_verify", "{}");
	const json_t *list;
	size_t len = 0;

	assert_ok(o);
	list = harness_at(o->data, "problems");
	assert_true(json_is_array(list));
	text[0] = '\0';
	for (size_t i = 0; i < json_array_size(list); i++) {
		const char *one = json_string_value(json_array_get(list, i));
		const char *end = strstr(one, "; stet media-usage repair collection ");

		assert_non_null(end);
		len += (size_t)snprintf(text + len, sizeof(text) - len, "%s%.*s", i > 0 ? "\n" : "",
		    (int)(end - one), one);
		assert_true(len < sizeof(text));
	}
	return text;
}

static void
make_entry(struct harness *h, char id[27])
{
	struct outcome *o;

	harness_ok(o, say(h, admin, "POST /content/plain", "{'data':{'title':'T'," HERO(M1) "}}"));
	(void)snprintf(id, 27, "%s", harness_text(o->data, "item.id"));
}

static void
mended(struct harness *h)
{
	struct outcome *o;

	harness_ok(o, repair(h, ""));
	assert_string_equal(harness_text(o->data, "status"), "complete");
	assert_string_equal(problems(h), "");
	assert_int_equal(uses(h, M1), 1);
}

static void
an_index_that_is_right_has_no_problems(void **state)
{
	struct harness *h = *state;
	char id[27];

	make_entry(h, id);
	activate(h);
	assert_string_equal(problems(h), "");
	assert_code(harness_op(h, editor, "media_usage_verify", "{}"), "FORBIDDEN");
}

static void
whatever_differs_is_named_and_mended(void **state)
{
	static const struct {
		const char *sql, *why;
	} row[] = {
		{ "DELETE FROM media_use WHERE content_id = ?1",
		    "uses " M1 ", which the index does not say" },
		{ "UPDATE media_use SET media_id = '" M2 "' WHERE content_id = ?1",
		    "uses " M1 ", which the index does not say" },
		{ "UPDATE media_use SET active = 0 WHERE content_id = ?1",
		    "uses " M1 " otherwise than the index says" },
		{ "UPDATE media_use SET sources = '[]' WHERE content_id = ?1",
		    "uses " M1 " otherwise than the index says" },
		{ "DELETE FROM c_plain WHERE id = ?1", "does not use " M1 ", as the index says" },
	};
	struct harness *h = *state;
	char id[27], other[27], want[200];

	make_entry(h, id);
	activate(h);
	for (size_t i = 0; i < COUNT(row); i++) {
		if (i == COUNT(row) - 1)
			make_entry(h, other);
		inside_sql(h, row[i].sql, id);
		(void)snprintf(want, sizeof(want), "plain: %s %s", id, row[i].why);
		assert_memory_equal(problems(h), want, strlen(want));
		mended(h);
	}
}

static void
wrong_numbers_are_named_and_counted_anew(void **state)
{
	static const char *const sql[] = {
		"UPDATE media_use_count SET active = active + 1",
		"UPDATE media_use_count SET uses = 77",
		"DELETE FROM media_use_count",
	};
	struct harness *h = *state;
	char id[27];

	make_entry(h, id);
	activate(h);
	for (size_t i = 0; i < COUNT(sql); i++) {
		inside_sql(h, sql[i], NULL);
		assert_string_equal(problems(h), "plain: " M1 " is counted wrongly");
		mended(h);
	}
}

static void
what_the_index_does_not_claim_is_no_problem(void **state)
{
	struct harness *h = *state;

	inside_item(h, "plain", "01OLD000000000000000000001");
	assert_string_equal(problems(h), "");
	inside_sql(h,
	    "INSERT INTO media_use_count (media_id, collection_id, active, uses) VALUES ('x', 'y', "
	    "1, 1)",
	    NULL);
	assert_string_equal(problems(h), "");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		used(an_index_that_is_right_has_no_problems),
		used(whatever_differs_is_named_and_mended),
		used(wrong_numbers_are_named_and_counted_anew),
		used(what_the_index_does_not_claim_is_no_problem),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
