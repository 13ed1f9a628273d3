/*
 * model.c - random sequences of all that changes which content uses which media items (steps.c,
 * elsewhere.c). Every few steps the index is compared with a scan of all items as clients get them
 * (fullscan.c), the module's own verification has to agree, and so do counts, details and the list
 * of unused items.
 *
 * USAGE_STEPS says how many steps (1500; `make long`: 100000), USAGE_SEED which.
 */
#include "chance.h"
#include "changes.h"
#include "fullscan.h"
#include <stdio.h>

#define COMPARE_EVERY 10

struct world world = { .now = 12 * 3600 * 1000 };

int
chosen(int n)
{
	return pick(n);
}

/* ---- time ---- */

const char *
time_in(int ms)
{
	static char text[40];
	int64_t s = ((int64_t)world.now + ms) / 1000;

	(void)snprintf(text, sizeof(text), "2026-06-%02dT%02d:%02d:%02d.%03dZ",
	    1 + (int)(s / 86400), (int)(s / 3600 % 24), (int)(s / 60 % 60), (int)(s % 60),
	    (world.now + ms) % 1000);
	return text;
}

void
time_goes_on(int ms)
{
	harness_clock(world.site, time_in(ms));
	world.now += ms;
}

static void
until_idle(void)
{
	time_goes_on(20000);
	for (int i = 0; inside_work(world.site, "media-usage"); i++)
		assert_true(i < 100);
	world.missed = false;
}

/* ---- comparing ---- */

/* Drops collections without coverage, for which the index may be incomplete. */
static void
drop_uncovered(json_t *all)
{
	const char *key;
	json_t *use;
	void *next;
	char slug[40];

	json_object_foreach_safe(all, next, key, use)
	{
		const char *from = strchr(key, ' ') + 1;

		(void)snprintf(slug, sizeof(slug), "%.*s", (int)strcspn(from, " "), from);
		if (strcmp(state_of(world.site, slug), "complete") != 0)
			json_object_del(all, key);
	}
}

static void
compare_uses(json_t *is, json_t *wanted)
{
	const char *key;
	json_t *use;

	json_object_foreach(wanted, key, use) if (!json_equal(use, json_object_get(is, key)))
	    fail_msg("%s: the item has %s, the index %s", key, json_dumps(use, 0),
		json_dumps(json_object_get(is, key), 0));
	json_object_foreach(is, key, use) if (json_object_get(wanted, key) == NULL)
	    fail_msg("%s: only the index has %s", key, json_dumps(use, 0));
}

/* What clients are told about the use of a media item. */
struct told {
	int count, groups;
	bool unused, others;
};

static void
hear(const char *id, struct told *t)
{
	struct outcome *o;
	json_t *list;

	harness_ok(o, ask(world.site, admin, "GET /media/%s?includeUsage=1", id));
	t->count = (int)harness_int(o->data, "item.usage.count");
	harness_ok(o, ask(world.site, admin, "GET /media/%s/usage?limit=100", id));
	t->groups = (int)json_array_size(harness_at(o->data, "items"));
	t->others = json_array_size(harness_at(o->data, "others")) > 0;
	harness_ok(o, ask(world.site, admin, "GET /media?unused=1&limit=100"));
	list = harness_at(o->data, "items");
	t->unused = false;
	for (size_t i = 0; i < json_array_size(list); i++)
		t->unused |= strcmp(harness_text(json_array_get(list, i), "id"), id) == 0;
}

static bool
is_complete(void)
{
	struct outcome *o = ask(world.site, admin, "GET " USAGE "/progress");

	if (strcmp(o->code, "MEDIA_USAGE_PROGRESS_NOT_ACTIVE") == 0)
		return false;
	assert_ok(o);
	return strcmp(harness_text(o->data, "status"), "ready") == 0;
}

static void
compare(void)
{
	bool complete = is_complete();
	const char *id = world.media[chosen(SLOTS)];
	json_t *is = index_dump(world.site), *wanted;
	struct outcome *o;
	struct told told;

	harness_ok(o, harness_op(world.site, admin, "media_usage_verify", "{}"));
	if (json_array_size(harness_at(o->data, "problems")) > 0)
		fail_msg("%s", o->text);
	complete = complete && *id != '\0';
	if (complete)
		hear(id, &told);
	wanted = items_scan(world.site);
	drop_uncovered(is);
	drop_uncovered(wanted);
	compare_uses(is, wanted);
	if (complete) {
		assert_int_equal(told.count, uses_in(wanted, id, true));
		assert_int_equal(told.groups, uses_in(wanted, id, false));
		assert_int_equal(told.others, is_used_elsewhere(id));
		assert_int_equal(told.unused, told.groups == 0 && !told.others);
	}
	json_decref(is);
	json_decref(wanted);
}

/* Fails if rows of deleted things are left, or if a collection has no coverage. */
static void
compare_idle(void)
{
	static const char *const table[] = { "media_use", "media_use_count", "media_work",
		"media_deletion", "media_coverage" };
	char sql[200];

	until_idle();
	for (size_t i = 0; i < COUNT(table); i++) {
		(void)snprintf(sql, sizeof(sql),
		    "SELECT count(*) FROM %s WHERE collection_id NOT IN (SELECT id FROM collection) "
		    "AND collection_id NOT LIKE '=%%'",
		    table[i]);
		if (number(sql) != 0)
			fail_msg("%d of %s are left", number(sql), table[i]);
	}
	compare();
}

/* ---- the whole ---- */

static void
the_index_goes_as_the_items_go(void **state)
{
	world.site = *state;
	field(world.site, "pages", "title", "string", "");
	for (int i = 1; i <= chance.steps; i++) {
		time_goes_on(chosen(30));
		step();
		if (world.absent || i % COMPARE_EVERY != 0)
			continue;
		if (chosen(2) == 0 && !world.missed)
			compare();
		else
			compare_idle();
	}
	if (world.absent)
		(void)step_module();
	while (!is_complete()) {
		until_idle();
		(void)step_activate();
	}
	compare_idle();
	for (size_t i = 0; kinds[i].name != NULL; i++)
		print_message("# %s: %d\n", kinds[i].name, kinds[i].done);
	for (size_t i = 0; kinds[i].name != NULL && chance.steps >= 5000; i++)
		assert_true(kinds[i].done > 0);
}

static int
end(void **state)
{
	remove_export();
	*state = world.site;
	return posts_end(state);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(the_index_goes_as_the_items_go, used_begin, end),
	};

	chance_from("USAGE_SEED", "USAGE_STEPS", 1500);
	print_message("# USAGE_SEED=%u USAGE_STEPS=%d\n", chance.seed, chance.steps);
	return cmocka_run_group_tests_name("media-usage/model", tests, NULL, NULL);
}
