/* retention.c - which backups are kept. */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */
#include "conf/retention.h"
#include "backup/keeper.h"

#define HOUR 3600000LL
#define DAY (24 * HOUR)
#define MONDAY 1780272000000LL /* 2026-06-01T00:00:00Z */

/* Returns how many of `count` backups this rule keeps; each is `step` older than the next. */
static size_t
kept_of(const char *text, int64_t newest, int64_t step, size_t count, size_t *oldest)
{
	static int64_t times[1000];
	static bool kept[1000];
	struct retention r;
	size_t n = 0;

	assert_true(retention_parse(text, &r) && count <= 1000);
	for (size_t i = 0; i < count; i++)
		times[i] = newest - (int64_t)i * step;
	retention_choose(&r, times, count, kept);
	for (size_t i = 0; i < count; i++)
		if (kept[i]) {
			n++;
			*oldest = i;
		}
	return n;
}

static void
a_count_keeps_the_newest(void **state)
{
	size_t oldest;

	(void)state;
	assert_int_equal(kept_of("3", MONDAY, HOUR, 10, &oldest), 3);
	assert_int_equal(oldest, 2);
	assert_int_equal(kept_of("30", MONDAY, HOUR, 10, &oldest), 10);
	assert_int_equal(kept_of("1", MONDAY, HOUR, 0, &oldest), 0);
}

static void
days_keep_the_newest_of_each(void **state)
{
	size_t oldest;

	(void)state;
	/* Hourly backups, at 05:00: today has six of them. */
	assert_int_equal(kept_of("3d", MONDAY + 5 * HOUR, HOUR, 200, &oldest), 3);
	assert_int_equal(oldest, 6 + 24);
}

static void
weeks_begin_on_monday_and_months_by_the_calendar(void **state)
{
	size_t oldest;

	(void)state;
	assert_int_equal(kept_of("2w", MONDAY + 12 * HOUR, DAY, 30, &oldest), 2);
	assert_int_equal(oldest, 1); /* Sunday */
	assert_int_equal(kept_of("2m", MONDAY + 12 * HOUR, DAY, 90, &oldest), 2);
	assert_int_equal(oldest, 1); /* the 31st of May */
	assert_int_equal(kept_of("3m", MONDAY + 12 * HOUR, DAY, 90, &oldest), 3);
	assert_int_equal(oldest, 32); /* the 30th of April */
}

static void
what_several_rules_keep_is_kept_once(void **state)
{
	size_t oldest;

	(void)state;
	assert_int_equal(kept_of("2 7d 4w 6m", MONDAY + 12 * HOUR, DAY, 1000, &oldest), 7 + 2 + 4);
	assert_int_equal(oldest, 121); /* the 31st of January */
}

static void
other_words_are_no_rule(void **state)
{
	static const char *const bad[] = { "", " ", "0", "7x", "-1", "7d 7d", "7 8", "d", "7dd",
		"1001", "99999999999", "7d4w" };
	struct retention r;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		if (retention_parse(bad[i], &r))
			fail_msg("\"%s\" is taken", bad[i]);
	assert_true(retention_parse(" 2  7d 4w 6m ", &r));
	assert_true(r.newest == 2 && r.days == 7 && r.weeks == 4 && r.months == 6);
}

/* ---- when ---- */

static int64_t
due(const struct conf_site *conf, int64_t tried, int64_t made, bool failed, int64_t now)
{
	json_t *status =
	    json_pack("{s:I, s:I}", "tried", (json_int_t)tried, "made", (json_int_t)made);
	int64_t at;

	if (failed)
		json_object_set_new(status, "error", json_string("x"));
	at = keeper_due(conf, status, now);
	json_decref(status);
	return at;
}

static void
a_backup_is_due_at_its_time_of_the_day(void **state)
{
	const struct conf_site conf = { .backup_at = { true, 210 } };
	const int64_t at = MONDAY + 210 * 60000;

	(void)state;
	assert_true(due(&conf, 0, 0, false, MONDAY) <= MONDAY); /* no backup was ever made */
	assert_int_equal(due(&conf, at - DAY, at - DAY + 1, false, MONDAY), at);
	assert_int_equal(due(&conf, at, at + 1, false, at + HOUR), at + DAY);
	assert_true(due(&conf, at - DAY, at - DAY, false, at + HOUR) <= at + HOUR); /* missed */
}

static void
a_backup_is_due_so_long_after_the_last(void **state)
{
	const struct conf_site conf = { .backup_every = 6 * HOUR }, none = { 0 };

	(void)state;
	assert_int_equal(due(&conf, 0, 0, false, MONDAY), MONDAY);
	assert_int_equal(due(&conf, MONDAY, MONDAY, false, MONDAY + HOUR), MONDAY + 6 * HOUR);
	assert_int_equal(due(&none, 0, 0, false, MONDAY), -1);
}

static void
after_a_failure_there_is_a_pause(void **state)
{
	const struct conf_site conf = { .backup_every = 6 * HOUR };

	(void)state;
	assert_int_equal(due(&conf, MONDAY, 0, true, MONDAY + 1), MONDAY + HOUR / 4);
	/* A clock that was set back must not delay backups for long. */
	assert_int_equal(due(&conf, MONDAY + DAY, 0, true, MONDAY), MONDAY);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_count_keeps_the_newest),
		cmocka_unit_test(days_keep_the_newest_of_each),
		cmocka_unit_test(weeks_begin_on_monday_and_months_by_the_calendar),
		cmocka_unit_test(what_several_rules_keep_is_kept_once),
		cmocka_unit_test(other_words_are_no_rule),
		cmocka_unit_test(a_backup_is_due_at_its_time_of_the_day),
		cmocka_unit_test(a_backup_is_due_so_long_after_the_last),
		cmocka_unit_test(after_a_failure_there_is_a_pause),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
