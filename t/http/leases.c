/*
 * leases.c - of three daemons of a site, one does what the site does by itself. It sends what is to
 * be sent once, in order, and another goes on when it ends, is killed or stands still.
 */
#include "daemons.h"

#include "neighbour.h"
#include "postbox.h"
#include "uploads.h"
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define EVENTS 120
#define EVENT_MAX 400
#define TAKEN_OVER_MS 10000
#define IMPORTED 600 /* items of an import */
#define STILL_MS 40000
#define ANSWER_US 15000 /* time that the target takes for an event */
#define SLOW_US 400000

static struct daemons ds;
static struct neighbour target;

/* The requests that the target has received, in their order. */
static struct event {
	char id[27]; /* X-Stet-Delivery */
	int number; /* of the item */
} events[EVENT_MAX];
static _Atomic int event_count;
static _Atomic int answer_us = ANSWER_US;

/* ---- the target ---- */

static const char *
receive(const char *heard)
{
	struct event *e = &events[event_count];
	const char *id = strstr(heard, "X-Stet-Delivery: "), *slug = strstr(heard, "\"slug\":\"n-");

	if (id == NULL || slug == NULL || event_count == EVENT_MAX - 1)
		return target.answer;
	(void)snprintf(e->id, sizeof(e->id), "%.26s", id + 17);
	e->number = (int)strtol(slug + 10, NULL, 10);
	event_count++;
	usleep((useconds_t)answer_us);
	return target.answer;
}

/* Returns how often the target has received events that it knew. */
static int
repeated(void)
{
	int count = 0;

	for (int i = 0; i < event_count; i++)
		for (int k = 0; k < i; k++)
			if (strcmp(events[i].id, events[k].id) == 0) {
				count++;
				break;
			}
	return count;
}

/* Returns how many items the target knows. Each item has one event: the first time that it comes,
 * those before have come. */
static int
heard(int from)
{
	int last = from - 1;

	for (int i = 0; i < event_count; i++) {
		if (events[i].number > last + 1)
			fail_msg("event %d came after %d", events[i].number, last);
		if (events[i].number == last + 1)
			last++;
	}
	return last + 1 - from;
}

static void
await(int from, int count, long long ms)
{
	long long until = daemons_ms() + ms;

	while (heard(from) < count) {
		if (daemons_ms() > until)
			fail_msg("%d events of %d", heard(from), count);
		usleep(10000);
	}
}

/* ---- what the daemons do ---- */

/* The id of the daemon that holds the lease, in a static buffer; "": none does. */
static const char *
holder(const char *name)
{
	static char id[32];
	char sql[256], *said;

	(void)snprintf(sql, sizeof(sql),
	    "SELECT holder FROM site_lease WHERE name = '%s' AND"
	    " until > extract(epoch FROM clock_timestamp()) * 1000",
	    name);
	said = daemons_sql(&ds, sql);
	(void)snprintf(id, sizeof(id), "%s", said);
	free(said);
	return id;
}

/* Waits until another daemon than this has the lease. */
static void
await_other(const char *name, const char *than)
{
	long long until = daemons_ms() + TAKEN_OVER_MS;

	for (;;) {
		const char *now = holder(name);

		if (now[0] != '\0' && strcmp(now, than) != 0)
			return;
		if (daemons_ms() > until)
			fail_msg("nobody has taken %s", name);
		usleep(50000);
	}
}

/* Has this daemon take all leases. Returns its id, in a static buffer. */
static const char *
give_to(int daemon)
{
	static char id[32];

	for (int i = 0; i < ds.count; i++)
		if (i != daemon) {
			assert_int_not_equal(ds.at[i]->pid, 0);
			daemons_freeze(&ds, i);
		}
	free(daemons_sql(&ds, "UPDATE site_lease SET until = 0, holder = ''"));
	await_other("module:webhooks", "");
	(void)snprintf(id, sizeof(id), "%s", holder("module:webhooks"));
	await_other("module:content", "");
	assert_string_equal(holder("module:content"), id);
	for (int i = 0; i < ds.count; i++)
		if (i != daemon)
			daemons_thaw(&ds, i);
	return id;
}

/* Sends a request. A daemon that stands still in a transaction holds up the others until the
 * database ends it. */
static void
post_until(int by, int status, const char *body, const char *path)
{
	long long until = daemons_ms() + STILL_MS;
	struct answer a;

	for (;;) {
		bool good;

		remote_ask(&ds.admin[by], &a, "POST", body, "%s", path);
		good = a.status == status;
		if (!good && (a.status != 503 || daemons_ms() > until))
			fail_msg("%s: %d %s", path, a.status, a.body);
		answer_free(&a);
		if (good)
			return;
		usleep(100000);
	}
}

static int made; /* items so far */

static void
create(int by)
{
	char body[128];

	(void)snprintf(
	    body, sizeof(body), "{\"data\":{\"title\":\"%d\"},\"slug\":\"n-%d\"}", made, made);
	post_until(by, 201, body, "/content/notes");
	made++;
}

/* ---- the mail server ---- */

static struct postbox post;
static char recipients[EVENT_MAX][40]; /* of the mails that came */
static _Atomic int mails;

static const char *
take_mail(struct postbox *p, const char *command, const char *line)
{
	static char to[40];

	(void)p;
	if (strcmp(command, "RCPT") == 0) {
		line += strcspn(line, "<");
		(void)snprintf(to, sizeof(to), "%.*s", (int)strcspn(line, ">"), line);
	} else if (strcmp(command, ".") == 0 && mails < EVENT_MAX) {
		(void)snprintf(recipients[mails++], sizeof(to), "%s", to);
	}
	return NULL;
}

/* Waits for a mail to each that was invited, and asserts that each had one. */
static void
await_mails(int count)
{
	long long until = daemons_ms() + TAKEN_OVER_MS;

	while (mails < count && daemons_ms() < until)
		usleep(10000);
	assert_int_equal(mails, count);
	for (int i = 0; i < mails; i++)
		for (int k = 0; k < i; k++)
			assert_string_not_equal(recipients[i], recipients[k]);
}

static void
invite(int by)
{
	static int number;
	char body[64];

	(void)snprintf(body, sizeof(body), "{\"email\":\"guest%d@example.org\"}", number++);
	post_until(by, 200, body, "/auth/invite");
}

/* ---- tests ---- */

/* One more daemon starts, and the one that sends is killed. */
static void
each_event_is_sent_once(void **state)
{
	const char *id = give_to(0);

	(void)state;
	daemons_end(&ds, 2);
	for (int i = 0; i < EVENTS / 3; i++)
		create(i % 2);
	daemons_run(&ds, 2);
	for (int i = 0; i < EVENTS / 3; i++)
		create(i % 3);
	await(0, EVENTS / 3, 10000);
	assert_int_equal(repeated(), 0);
	assert_string_equal(holder("module:webhooks"), id);
	daemons_kill(&ds, 0);
	for (int i = 0; i < EVENTS / 3; i++)
		create(1 + i % 2);
	await(0, EVENTS, TAKEN_OVER_MS + EVENTS * 100);
	/* What was under way when it was killed came again, with the same id. */
	assert_true(repeated() <= 1);
	await_other("module:webhooks", id);
	daemons_run(&ds, 0);
}

/* Nobody waits for the leases of a daemon that ends to run out. */
static void
a_daemon_that_ends_lets_go(void **state)
{
	int repeats = repeated();
	long long began;

	(void)state;
	(void)give_to(1);
	daemons_end(&ds, 1);
	began = daemons_ms();
	create(0);
	await(0, made, 5000);
	assert_true(daemons_ms() - began < 5000);
	assert_int_equal(repeated(), repeats);
	daemons_run(&ds, 1);
}

/* Waits until those who have sent mails have written that down. */
static void
until_sent(void)
{
	long long until = daemons_ms() + TAKEN_OVER_MS;
	char *waiting = daemons_sql(&ds, "SELECT count(*) FROM mail");

	while (strcmp(waiting, "0") != 0) {
		assert_true(daemons_ms() < until);
		usleep(50000);
		free(waiting);
		waiting = daemons_sql(&ds, "SELECT count(*) FROM mail");
	}
	free(waiting);
}

/* A daemon that stands still for longer than its leases last finds that another has them. */
static void
a_daemon_that_stood_still_acts_no_more(void **state)
{
	const char *id = give_to(0);
	int repeats = repeated();

	(void)state;
	invite(0);
	invite(1);
	await_mails(2);
	until_sent();
	daemons_freeze(&ds, 0);
	for (int i = 0; i < 6; i++)
		create(1 + i % 2);
	invite(1);
	invite(2);
	await_other("module:webhooks", id);
	daemons_thaw(&ds, 0);
	for (int i = 0; i < 6; i++)
		create(i % 3);
	invite(0);
	await(0, made, TAKEN_OVER_MS);
	await_mails(5);
	assert_string_not_equal(holder("module:webhooks"), id);
	assert_int_equal(repeated(), repeats);
}

/* A daemon that could not renew its lease in time sends no more. That is no failure of the target,
 * and no attempt. */
static void
what_a_lease_refuses_is_no_attempt(void **state)
{
	char *failed;

	(void)state;
	(void)give_to(0);
	answer_us = SLOW_US;
	for (int i = 0; i < 20; i++)
		create(0);
	/* For the database it is held for longer than the daemon believes. */
	free(daemons_sql(&ds, "UPDATE site_lease SET until = until + 5000"));
	failed = daemons_sql(&ds,
	    "BEGIN; LOCK TABLE site_lease IN EXCLUSIVE MODE; DO $$ BEGIN PERFORM pg_sleep(7.5); END $$;"
	    "SELECT failing, failures, failed_at, (SELECT count(*) FROM webhook_delivery"
	    " WHERE state = 'pending' AND attempts > 0) FROM webhook; COMMIT");
	assert_string_equal(failed, "0|0||0");
	free(failed);
	assert_true(heard(0) < made);
	answer_us = ANSWER_US;
	await(0, made, TAKEN_OVER_MS);
}

/* Returns the number of rows that a query counts. */
static int
count(const char *sql)
{
	char *said = daemons_sql(&ds, sql);
	int n = (int)strtol(said, NULL, 10);

	free(said);
	return n;
}

/* The daemon that publishes hears of a schedule that another has stored. */
static void
an_item_is_published_once_at_its_time(void **state)
{
	long long until = daemons_ms() + 2LL * TAKEN_OVER_MS;
	time_t at;
	char body[96], text[32];
	json_t *data;

	(void)state;
	(void)give_to(2);
	at = time(NULL) + 3;
	(void)strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", gmtime(&at));
	(void)snprintf(body, sizeof(body), "{\"scheduledAt\":\"%s\"}", text);
	for (int i = 0; i < 2; i++) {
		char item[64];

		(void)snprintf(item, sizeof(item), "{\"data\":{},\"slug\":\"later-%d\"}", i);
		data = remote_must(&ds.admin[i], 201, "POST", item, "/content/posts");
		json_decref(
		    remote_must(&ds.admin[i], 200, "POST", body, "/content/posts/%s/schedule",
			json_string_value(json_object_get(json_object_get(data, "item"), "id"))));
		json_decref(data);
	}
	while (count("SELECT count(*) FROM change_feed WHERE change = 'publish'") < 2) {
		if (daemons_ms() > until)
			fail_msg("the items are not published");
		usleep(50000);
	}
	usleep(1000000);
	assert_int_equal(count("SELECT count(*) FROM change_feed WHERE change = 'publish'"), 2);
}

/* ---- imports ---- */

static void
start_import(int by, char id[40])
{
	struct answer a;
	struct file f = { "export.xml", "text/xml", .path = "/import/jobs",
		.more = "--xx\r\nContent-Disposition: form-data; name=\"config\"\r\n\r\n"
			"{\"skipExisting\":false,\"importMedia\":false}\r\n" };
	char *text;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	assert_non_null(out);
	(void)fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?><rss "
		    "xmlns:wp=\"http://wordpress.org/export/1.2/\" "
		    "xmlns:content=\"http://purl.org/rss/1.0/modules/content/\"><channel>"
		    "<title>Site</title><wp:wxr_version>1.2</wp:wxr_version>",
	    out);
	for (int i = 1; i <= IMPORTED; i++)
		(void)fprintf(out,
		    "<item><title>Item %d</title><wp:post_id>%d</wp:post_id><wp:post_type>post"
		    "</wp:post_type><wp:post_name>s</wp:post_name><wp:status>publish</wp:status>"
		    "<content:encoded><![CDATA[<p>Text of %d</p>]]></content:encoded></item>\n",
		    i, i, i);
	(void)fputs("</channel></rss>", out);
	(void)fclose(out);
	f.bytes = text;
	f.len = len;
	upload(ds.at[by], &a, ds.token, &f);
	if (a.status != 201)
		fail_msg("%d: %.1000s", a.status, a.body);
	(void)snprintf(id, 40, "%s", text_of(json_object_get(a.json, "data"), "id"));
	answer_free(&a);
	free(text);
}

/* Waits until the import has made so many items. */
static void
await_items(int wanted, long long ms)
{
	long long until = daemons_ms() + ms;

	while (count("SELECT count(*) FROM import_outcome") < wanted) {
		if (daemons_ms() > until)
			fail_msg("the import stands still: %s",
			    daemons_sql(&ds, "SELECT state, stage, attempts FROM import_job"));
		usleep(20000);
	}
}

static void
an_import_goes_on_elsewhere(void **state)
{
	const char *here = give_to(0);
	char id[40], *said;
	int at;

	(void)state;
	start_import(1, id);
	await_items(50, 40000);
	daemons_kill(&ds, 0);
	at = count("SELECT count(*) FROM import_outcome");
	assert_true(at < IMPORTED);
	await_other("module:import", here);
	await_items(at + 1, 20000);
	for (said = NULL; said == NULL || strcmp(said, "done") != 0;) {
		json_t *job = remote_must(&ds.admin[1], 200, "GET", NULL, "/import/jobs/%s", id);

		free(said);
		said = strdup(text_of(job, "state"));
		json_decref(job);
		if (strcmp(said, "failed") == 0)
			fail_msg("the import failed");
		usleep(20000);
	}
	free(said);
	assert_int_equal(
	    count(
		"SELECT count(*) FROM change_feed WHERE change = 'create' AND collection = 'posts'"),
	    IMPORTED + 2);
	daemons_run(&ds, 0);
}

/* Whoever had the lease for it meanwhile. */
static void
one_backup_was_made(void **state)
{
	char noted[64] = "";
	int files = 0;

	(void)state;
	for (int i = 0; i < 3; i++) {
		json_t *o = remote_must(&ds.admin[i], 200, "GET", NULL, "/admin/backups");
		const char *at = text_of(json_object_get(o, "scheduled"), "madeAt");

		assert_string_not_equal(at, "");
		if (i > 0)
			assert_string_equal(at, noted);
		(void)snprintf(noted, sizeof(noted), "%s", at);
		files += (int)json_integer_value(json_object_get(o, "archiveCount"));
		json_decref(o);
	}
	assert_int_equal(files, 1);
}

static int
start(void **state)
{
	char body[256];

	(void)state;
	daemons_collection(&ds, "notes");
	json_decref(remote_must(&ds.admin[0], 201, "POST",
	    "{\"slug\":\"posts\",\"label\":\"Posts\",\"supports\":[\"drafts\",\"revisions\"]}",
	    "/schema/collections"));
	(void)snprintf(body, sizeof(body), "{\"url\":\"%s\",\"events\":[\"content.create\"]}",
	    neighbour_url(&target, "/in"));
	json_decref(remote_must(&ds.admin[0], 201, "POST", body, "/admin/webhooks"));
	return 0;
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_event_is_sent_once),
		cmocka_unit_test(a_daemon_that_ends_lets_go),
		cmocka_unit_test(a_daemon_that_stood_still_acts_no_more),
		cmocka_unit_test(what_a_lease_refuses_is_no_attempt),
		cmocka_unit_test(an_item_is_published_once_at_its_time),
		cmocka_unit_test(an_import_goes_on_elsewhere),
		cmocka_unit_test(one_backup_was_made),
	};
	char site[256];
	int status;

	daemon_modules = "modules/.libs";
	postbox_open(&post, NULL, NULL);
	post.hook = take_mail;
	(void)snprintf(site, sizeof(site),
	    "fetch-allow = { \"127.0.0.1\" }\nmail = \"smtp://127.0.0.1:%d\"\n"
	    "mail-from = \"Example <info@example.org>\"\nbackup-every = \"1d\"\n",
	    post.port);
	if (!daemons_start(&ds, 3, NULL, site, &status)) {
		postbox_close(&post);
		return status;
	}
	neighbour_open(&target);
	target.choose = receive;
	status = cmocka_run_group_tests(tests, start, NULL);
	daemons_stop(&ds);
	neighbour_close(&target);
	postbox_close(&post);
	return status;
}
