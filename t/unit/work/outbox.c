/* outbox.t - NOTIFY hooks: events are stored in the transaction, delivered in order, and again
 * after failures and crashes. */
#include "base/alarm.h"
#include "counter.h"
#include "db/writer.h"
#include "op/slow.h"

/* The events that the hooks received: "module:payload" each. */
static struct {
	pthread_mutex_t lock;
	char seen[4096];
	int fail; /* how many of the next calls of hook b fail */
} log_ = { .lock = PTHREAD_MUTEX_INITIALIZER };

static enum stet_status
see(struct stet_call *call, const json_t *payload)
{
	char *text = json_dumps(payload, JSON_COMPACT | JSON_ENCODE_ANY);
	bool fails;

	stet_assert(!call->writing && call->owner != NULL);
	stet_assert(stet_principal(call)->via == STET_VIA_SYSTEM);
	pthread_mutex_lock(&log_.lock);
	fails = strcmp(call->owner->m.name, "b") == 0 && log_.fail > 0;
	if (fails)
		log_.fail--;
	snprintf(log_.seen + strlen(log_.seen), sizeof(log_.seen) - strlen(log_.seen), "%s%s:%s ",
	    fails ? "!" : "", call->owner->m.name, text);
	count(NULL);
	pthread_mutex_unlock(&log_.lock);
	free(text);
	return fails ? stet_fail(call, STET_FAULT, NULL, "not today") : STET_OK;
}

static const char *
seen(void)
{
	static char text[sizeof(log_.seen)];

	pthread_mutex_lock(&log_.lock);
	memcpy(text, log_.seen, sizeof(text));
	log_.seen[0] = '\0';
	count_anew();
	pthread_mutex_unlock(&log_.lock);
	return text;
}

static struct loaded a = { .m = { .name = "a" }, .index = 0 },
		     b = { .m = { .name = "b" }, .index = 1 };

static void
listen(struct store *s)
{
	static struct link links[] = { { &a, { .event = see }, 0 }, { &b, { .event = see }, 0 } };

	s->gen.module[0] = &a;
	s->gen.module[1] = &b;
	s->gen.module_count = 2;
	s->gen.chain[STET_AT_event] = (struct chain){ links, 2 };
}

static int
setup(void **state)
{
	struct store *s = store_new();
	char *why;

	set_clock(1000000);
	assert_int_equal(migrate_core(&s->site, &why), STET_OK);
	listen(s);
	log_.fail = 0;
	seen();
	*state = s;
	return 0;
}

static int
teardown(void **state)
{
	store_free(*state);
	return 0;
}

struct news {
	int first, count;
	bool fails;
};

static enum stet_status
tell(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	const struct news *n = arg;

	for (int i = 0; i < n->count; i++)
		STET_TRY(stet_notify(
		    call, tx, STET_AT_event, stet_json_own(call, json_integer(n->first + i))));
	return n->fails ? stet_fail(call, STET_SAVE_REJECTED, NULL, "no") : STET_OK;
}

static void
news(struct store *s, int first, int count)
{
	assert_int_equal(
	    store_write(s, tell, &(struct news){ .first = first, .count = count }), STET_OK);
}

static int64_t
waiting(struct store *s)
{
	return store_int(s, "SELECT count(*) FROM outbox WHERE dead_at IS NULL");
}

static void
each_listener_hears_in_order(void **state)
{
	struct store *s = *state;

	news(s, 1, 2);
	news(s, 3, 1);
	assert_int_equal(waiting(s), 6);
	assert_int_equal(outbox_deliver(&s->site), -1);
	assert_string_equal(seen(), "a:1 a:2 a:3 b:1 b:2 b:3 ");
	assert_int_equal(store_int(s, "SELECT count(*) FROM outbox"), 0);
	assert_int_equal(outbox_deliver(&s->site), -1);
	assert_string_equal(seen(), "");
}

static void
many_are_delivered_in_order_too(void **state)
{
	struct store *s = *state;

	s->gen.chain[STET_AT_event].count = 1;
	for (int i = 0; i < 100; i++)
		news(s, i, 1);
	assert_int_equal(outbox_deliver(&s->site), -1);
	for (const char *at = seen(); *at != '\0'; at = strchr(at, ' ') + 1) {
		static long next;

		assert_int_equal(strtol(at + 2, NULL, 10), next++);
	}
	assert_int_equal(waiting(s), 0);
}

static void
a_call_that_fails_tells_nothing(void **state)
{
	struct store *s = *state;
	struct news n = { .first = 1, .count = 1, .fails = true };

	assert_int_equal(store_write(s, tell, &n), STET_SAVE_REJECTED);
	assert_int_equal(waiting(s), 0);
}

static void
nothing_is_stored_when_nobody_listens(void **state)
{
	struct store *s = *state;

	s->gen.chain[STET_AT_event].count = 0;
	news(s, 1, 3);
	assert_int_equal(waiting(s), 0);
}

static void
what_a_crash_left_is_delivered_later(void **state)
{
	struct store *s = *state;

	news(s, 1, 1);
	store_close(s);
	store_open(s);
	assert_int_equal(outbox_deliver(&s->site), -1);
	assert_string_equal(seen(), "a:1 b:1 ");
}

static void
a_failing_hook_keeps_its_order_and_holds_nobody_else(void **state)
{
	struct store *s = *state;

	log_.fail = 1;
	news(s, 1, 2);
	assert_int_equal(outbox_deliver(&s->site), 1001000);
	assert_string_equal(seen(), "a:1 a:2 !b:1 ");
	assert_true(store_logged(s, "event of module b failed 1 times: not today; again in 1 s"));
	set_clock(1000999);
	assert_int_equal(outbox_deliver(&s->site), 1001000);
	assert_string_equal(seen(), "");
	set_clock(1001000);
	assert_int_equal(outbox_deliver(&s->site), -1);
	assert_string_equal(seen(), "b:1 b:2 ");
}

/* Reports an event for each item, named by one letter. */
static enum stet_status
tell_items(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	for (const char *item = arg; *item != '\0'; item++) {
		json_t *payload = json_pack("{s:s#}", "id", item, (size_t)1);

		STET_TRY(stet_notify(call, tx, STET_AT_event, stet_json_own(call, payload)));
	}
	return STET_OK;
}

/* Returns the events that b received, as the letters of the items; failed ones with "!". */
static const char *
letters(void)
{
	static char text[64];
	const char *all = seen();
	char *out = text;

	for (const char *at = strstr(all, "b:{"); at != NULL; at = strstr(at + 1, "b:{")) {
		if (at > all && at[-1] == '!')
			*out++ = '!';
		*out++ = at[strlen("b:{\"id\":\"")];
	}
	*out = '\0';
	return text;
}

static void
a_message_that_failed_holds_up_its_own_item_only(void **state)
{
	struct store *s = *state;

	log_.fail = 1;
	assert_int_equal(store_write(s, tell_items, (char[]){ "xyxz" }), STET_OK);
	assert_int_equal(outbox_deliver(&s->site), 1001000);
	assert_string_equal(letters(), "!xyz");
	assert_int_equal(store_write(s, tell_items, (char[]){ "xw" }), STET_OK);
	assert_int_equal(outbox_deliver(&s->site), 1001000);
	assert_string_equal(letters(), "w");
	set_clock(1001000);
	assert_int_equal(outbox_deliver(&s->site), -1);
	assert_string_equal(letters(), "xxx");
}

static void
a_module_that_fails_for_eight_items_waits(void **state)
{
	struct store *s = *state;

	log_.fail = 8;
	assert_int_equal(store_write(s, tell_items, (char[]){ "abcdefghijk" }), STET_OK);
	assert_int_equal(outbox_deliver(&s->site), 1001000);
	assert_string_equal(letters(), "!a!b!c!d!e!f!g!h");
	set_clock(1000999);
	assert_int_equal(outbox_deliver(&s->site), 1001000);
	assert_string_equal(letters(), "");
	log_.fail = 8;
	set_clock(1001000);
	assert_int_equal(outbox_deliver(&s->site), 1003000);
	assert_string_equal(letters(), "!a!b!c!d!e!f!g!h");
	set_clock(1003000);
	assert_int_equal(outbox_deliver(&s->site), -1);
	assert_string_equal(letters(), "abcdefghijk");
}

static void
pauses_grow_until_it_is_given_up(void **state)
{
	static const int pauses[] = { 1, 2, 4, 8, 15, 30, 60, 120, 300, 600, 1800, 3600 };
	struct store *s = *state;
	int64_t now = 1000000;

	log_.fail = 13;
	news(s, 1, 1);
	for (int i = 0; i < 12; i++) {
		assert_int_equal(outbox_deliver(&s->site), now + pauses[i] * 1000);
		now += pauses[i] * 1000;
		set_clock(now);
	}
	news(s, 2, 1);
	assert_int_equal(outbox_deliver(&s->site), -1);
	assert_non_null(strstr(seen(), "!b:1 a:2 !b:1 b:2"));
	assert_int_equal(waiting(s), 0);
	assert_int_equal(store_int(s, "SELECT count(*) FROM outbox WHERE dead_at IS NOT NULL AND"
				      " error = 'not today' AND attempts = 13"),
	    1);
	assert_true(store_logged(s, "given up, kept in the outbox as dead"));
}

/* Acts as if the daemon had ended each time that it delivered the first event. */
static void
what_ends_the_daemon_again_and_again_is_given_up(void **state)
{
	struct store *s = *state;

	news(s, 1, 2);
	for (int i = 0; i < 12; i++)
		outbox_begin(&s->site);
	assert_int_equal(store_int(s, "SELECT count(*) FROM outbox WHERE dead_at IS NULL"), 4);
	outbox_begin(&s->site);
	assert_int_equal(store_int(s, "SELECT count(*) FROM outbox WHERE dead_at IS NULL"), 2);
	outbox_deliver(&s->site);
	assert_string_equal(seen(), "a:2 b:2 ");
}

static void
what_a_disabled_module_missed_waits_for_it(void **state)
{
	struct store *s = *state;

	news(s, 1, 1);
	s->gen.module_count = 1;
	s->gen.chain[STET_AT_event].count = 1;
	assert_int_equal(outbox_deliver(&s->site), -1);
	assert_string_equal(seen(), "a:1 ");
	listen(s);
	assert_int_equal(outbox_deliver(&s->site), -1);
	assert_string_equal(seen(), "b:1 ");
}

static void
commits_wake_the_delivery(void **state)
{
	struct store *s = *state;

	news(s, 1, 1); /* before the outbox starts */
	writer_start(1);
	slow_start(2, 16);
	alarms_start();
	outbox_start(&s->site);
	wait_count(2);
	news(s, 2, 1);
	wait_count(4);
	log_.fail = 1;
	news(s, 3, 1);
	wait_count(6);
	pass_until(7); /* the failed event is delivered again */
	outbox_stop(&s->site);
	alarms_stop();
	slow_stop();
	writer_stop();
	assert_string_equal(seen(), "a:1 b:1 a:2 b:2 a:3 !b:3 b:3 ");
	outbox_wake(&s->site); /* a commit after the outbox has stopped */
	assert_int_equal(waiting(s), 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(each_listener_hears_in_order),
		TEST(many_are_delivered_in_order_too),
		TEST(a_call_that_fails_tells_nothing),
		TEST(nothing_is_stored_when_nobody_listens),
		TEST(what_a_crash_left_is_delivered_later),
		TEST(a_failing_hook_keeps_its_order_and_holds_nobody_else),
		TEST(a_message_that_failed_holds_up_its_own_item_only),
		TEST(a_module_that_fails_for_eight_items_waits),
		TEST(pauses_grow_until_it_is_given_up),
		TEST(what_ends_the_daemon_again_and_again_is_given_up),
		TEST(what_a_disabled_module_missed_waits_for_it),
		TEST(commits_wake_the_delivery),
	};

	return cmocka_run_group_tests(tests, clock_begin, clock_end);
}
