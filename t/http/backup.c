/* backup.c - backups of a site that is served: a backup has every write that was acknowledged
 * before it began, and of the later writes exactly the first ones. */
#include "remote.h"
#include "watcher.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define FIRST 150 /* items before the backup: enough for the rate limit to have an effect */
#define ITEMS_MAX 20000

/* ---- a backup beside ---- */

struct beside {
	pthread_t thread;
	struct daemon *daemon;
	const char *file;
	struct command command;
	atomic_bool ended;
};

static void *
make_backup(void *arg)
{
	struct beside *b = arg;

	command_run(b->daemon, &b->command,
	    (const char *const[]){ "backup", b->file, "--rate", "2MiB", NULL });
	atomic_store(&b->ended, true);
	return NULL;
}

/* ---- what is written ---- */

static void
create(struct remote *r, int n)
{
	static char body[40000];

	(void)snprintf(body, sizeof(body),
	    "{\"slug\":\"n%d\",\"data\":{\"n\":%d,\"text\":\"%0*d\"}}", n, n,
	    n <= FIRST ? 20000 : 10, n);
	json_decref(remote_must(r, 201, "POST", body, "/content/things"));
	(void)snprintf(body, sizeof(body), "{\"data\":{\"n\":%d}}", n);
	json_decref(remote_must(r, 200, "PUT", body, "/content/things/counter"));
}

static void
make_collection(struct remote *r)
{
	json_decref(remote_must(r, 201, "POST",
	    "{\"slug\":\"things\",\"label\":\"Things\",\"labelSingular\":\"Thing\"}",
	    "/schema/collections"));
	json_decref(remote_must(r, 201, "POST",
	    "{\"slug\":\"n\",\"label\":\"N\",\"type\":\"integer\",\"indexed\":true}",
	    "/schema/collections/things/fields"));
	json_decref(
	    remote_must(r, 201, "POST", "{\"slug\":\"text\",\"label\":\"Text\",\"type\":\"text\"}",
		"/schema/collections/things/fields"));
	json_decref(remote_must(
	    r, 201, "POST", "{\"slug\":\"counter\",\"data\":{\"n\":0}}", "/content/things"));
}

/* ---- the contents of the site ---- */

static int
n_of(struct remote *r, const char *slug)
{
	struct answer a;
	int n = -1;

	remote_ask(r, &a, "GET", NULL, "/content/things/%s", slug);
	if (a.status == 200)
		n = (int)json_integer_value(json_object_get(
		    json_object_get(
			json_object_get(json_object_get(a.json, "data"), "item"), "data"),
		    "n"));
	answer_free(&a);
	return n;
}

/* The items must be 1 to k without a gap, and the counter must have the value that it had with item
 * k. Returns k. */
static int
beginning(struct remote *r, int most)
{
	char slug[16];
	int k = 0, later = 0, counter = n_of(r, "counter");

	for (int n = 1; n <= most; n++) {
		(void)snprintf(slug, sizeof(slug), "n%d", n);
		if (n_of(r, slug) == n && later == 0)
			k = n;
		else if (n_of(r, slug) == n)
			fail_msg("item %d is there, and %d is not", n, later);
		else if (later == 0)
			later = n;
	}
	assert_true(counter == k || counter == k - 1);
	return k;
}

static void
a_backup_beside_a_writer_has_the_beginning_of_what_it_wrote(void **state)
{
	struct daemon *d = remote_new(NULL, NULL);
	char *token = remote_token(d, "admin", "admin"), *out;
	struct beside b = { .daemon = d, .file = strdup(daemon_path(d, "b.tar.zst")) };
	struct command c;
	struct remote r;
	int n, k;

	(void)state;
	daemon_run(d, 0);
	remote_open(&r, d, token);
	make_collection(&r);
	for (n = 1; n <= FIRST; n++)
		create(&r, n);
	assert_int_equal(pthread_create(&b.thread, NULL, make_backup, &b), 0);
	for (; !atomic_load(&b.ended) && n < ITEMS_MAX; n++)
		create(&r, n);
	assert_int_equal(pthread_join(b.thread, NULL), 0);
	if (b.command.status != 0)
		fail_msg("backup: %s", b.command.err);
	command_free(&b.command);
	print_message("# %d items were written during the backup\n", n - 1 - FIRST);

	command_run(d, &c, (const char *const[]){ "restore", b.file, "--force", "--yes", NULL });
	assert_int_equal(c.status, 1);
	assert_non_null(strstr(c.err, "is in use by the daemon"));
	command_free(&c);
	command_run(d, &c, (const char *const[]){ "key", "rotate", NULL });
	assert_int_equal(c.status, 1);
	assert_non_null(strstr(c.err, "is in use by the daemon"));
	command_free(&c);
	remote_close(&r);
	daemon_signal(d, SIGTERM);
	assert_int_equal(daemon_ended(d), 0);

	free(COMMAND(d, "verify", b.file));
	free(COMMAND(d, "restore", b.file, "--force", "--yes"));
	out = COMMAND(d, "verify");
	assert_null(strstr(out, "DAMAGED"));
	free(out);
	daemon_run(d, 0);
	remote_open(&r, d, token);
	k = beginning(&r, n);
	assert_in_range(k, FIRST, n - 1);
	print_message("# the backup has %d of them\n", k - FIRST);
	remote_close(&r);
	free(token);
	free((char *)(uintptr_t)b.file);
	daemon_stop(d);
}

/* ---- by itself ---- */

#define NIGHT_MS 1780284000000 /* 2026-06-01T03:20:00Z */
#define MINUTE_MS 60000LL
#define DAY_MS 86400000LL

static bool
there(struct daemon *d, const char *name)
{
	return access(daemon_path(d, name), F_OK) == 0;
}

static double
bytes_of(struct daemon *d, const char *name)
{
	struct stat st;

	assert_int_equal(stat(daemon_path(d, name), &st), 0);
	return (double)st.st_size;
}

static struct daemon *
start_kept(const char *site)
{
	struct daemon *d = remote_new(WATCHED, site);

	daemon_clock(d, NIGHT_MS);
	setenv("STET_CLOCK", daemon_path(d, "clock"), 1);
	daemon_run(d, 0);
	return d;
}

static void
stop_kept(struct daemon *d)
{
	daemon_stop(d);
	unsetenv("STET_CLOCK");
}

/* Returns the value of a backup metric; -1: there is none. */
static double
heard(struct daemon *d, const char *what)
{
	char sample[96];

	(void)snprintf(sample, sizeof(sample), "stet_backup_%s{site=\"main\"}", what);
	return watcher_sample(d, sample);
}

/* The log may be ahead of the metric for a moment. */
static void
await_heard(struct daemon *d, const char *what, double value)
{
	int tries = 0;

	while (heard(d, what) != value)
		if (++tries == 20000)
			fail_msg("%s is %.16g, not %.16g", what, heard(d, what), value);
}

static void
backups_are_made_each_day_and_old_ones_go(void **state)
{
	struct daemon *d = start_kept("backup-at = \"03:30\"\nbackup-keep = \"2\"\n");
	size_t at;

	(void)state;
	/* The first backup is made at once, since there is none. */
	at = daemon_said(d, 0, "site main: backup ");
	assert_true(there(d, "data/backups/main-20260601T032000Z.tar.zst"));
	await_heard(d, "last_success_timestamp_seconds", NIGHT_MS / 1000);
	await_heard(d, "next_timestamp_seconds", NIGHT_MS / 1000 + 600);
	assert_true(heard(d, "last_size_bytes") ==
		    bytes_of(d, "data/backups/main-20260601T032000Z.tar.zst"));
	assert_true(heard(d, "last_duration_seconds") >= 0);
	assert_true(heard(d, "failures_total") == 0);
	assert_true(heard(d, "failing") == 0);
	daemon_clock(d, NIGHT_MS + 10 * MINUTE_MS);
	at = daemon_said(d, at, "site main: backup ");
	assert_true(there(d, "data/backups/main-20260601T033000Z.tar.zst"));
	free(COMMAND(d, "verify", daemon_path(d, "data/backups/main-20260601T033000Z.tar.zst")));
	daemon_clock(d, NIGHT_MS + DAY_MS + 10 * MINUTE_MS);
	at = daemon_said(d, at, "site main: backup ");
	(void)daemon_said(d, at, "main-20260601T032000Z.tar.zst is removed");
	assert_false(there(d, "data/backups/main-20260601T032000Z.tar.zst"));
	assert_true(there(d, "data/backups/main-20260601T033000Z.tar.zst"));
	assert_true(there(d, "data/backups/main-20260602T033000Z.tar.zst"));
	stop_kept(d);
}

static void
a_backup_that_was_missed_is_made_after_the_start(void **state)
{
	struct daemon *d = start_kept("backup-at = \"03:30\"\n");
	size_t at = daemon_said(d, 0, "site main: backup ");

	(void)state;
	daemon_signal(d, SIGTERM);
	assert_int_equal(daemon_ended(d), 0);
	daemon_clock(d, NIGHT_MS + 2 * DAY_MS);
	daemon_run(d, 0);
	(void)daemon_said(d, at, "main-20260603T032000Z.tar.zst");
	stop_kept(d);
}

static void
a_backup_that_fails_is_told_and_tried_again(void **state)
{
	struct daemon *d = remote_new(NULL, NULL);
	char site[256];
	json_t *status;
	size_t at;

	(void)state;
	(void)snprintf(site, sizeof(site), "backup-every = \"6h\"\nbackup-dir = \"%s\"\n",
	    daemon_path(d, "stet.conf/no"));
	daemon_write_conf(d, WATCHED, site);
	daemon_clock(d, NIGHT_MS);
	setenv("STET_CLOCK", daemon_path(d, "clock"), 1);
	daemon_run(d, 0);
	at = daemon_said(d, 0, "the backup failed: ");
	await_heard(d, "failures_total", 1);
	await_heard(d, "failing", 1);
	assert_true(heard(d, "last_success_timestamp_seconds") == 0);
	await_heard(d, "next_timestamp_seconds", NIGHT_MS / 1000 + 900);
	(void)snprintf(site, sizeof(site), "backup-every = \"6h\"\nbackup-dir = \"%s\"\n",
	    daemon_path(d, "kept"));
	daemon_write_conf(d, WATCHED, site);
	at = daemon_reload(d);
	status = json_load_file(daemon_path(d, "data/backup.json"), 0, NULL);
	if (json_object_get(status, "error") == NULL)
		fail_msg("the status has no error; the log: %s", d->said);
	json_decref(status);
	daemon_clock(d, NIGHT_MS + 15 * MINUTE_MS);
	at = daemon_said(d, at, "site main: backup ");
	assert_true(there(d, "kept/main-20260601T033500Z.tar.zst"));
	await_heard(d, "failing", 0);
	assert_true(heard(d, "failures_total") == 1);
	daemon_clock(d, NIGHT_MS + 15 * MINUTE_MS + DAY_MS / 4);
	(void)daemon_said(d, at, "kept/main-20260601T093500Z.tar.zst");
	/* A start does not forget earlier failures. If backups are off, nothing is reported. */
	daemon_signal(d, SIGTERM);
	assert_int_equal(daemon_ended(d), 0);
	at = d->said_len;
	daemon_run(d, 0);
	(void)daemon_said(d, at, "metrics are at");
	await_heard(d, "failures_total", 1);
	daemon_write_conf(d, WATCHED, NULL);
	(void)daemon_reload(d);
	assert_true(heard(d, "failures_total") == -1);
	stop_kept(d);
}

/* ---- when somebody asks ---- */

#define GIB (INT64_C(1) << 30)

/* Polls until the state is this one; returns the response. */
static json_t *
await_state(struct remote *r, const char *state)
{
	for (int tries = 0; tries < 20000; tries++) {
		json_t *data = remote_must(r, 200, "GET", NULL, "/admin/backups");

		if (strcmp(json_string_value(json_object_get(data, "state")), state) == 0)
			return data;
		json_decref(data);
	}
	fail_msg("no backup is %s", state);
	return NULL;
}

static const char *
said(const json_t *data, const char *part, const char *name)
{
	const char *text = json_string_value(json_object_get(json_object_get(data, part), name));

	return text != NULL ? text : "";
}

static void
ask_for_one(struct daemon *d, struct remote *r, size_t *at, int64_t now)
{
	daemon_clock(d, now);
	json_decref(remote_must(r, 200, "POST", NULL, "/admin/backups"));
	*at = daemon_said(d, *at, "site main: backup ");
	json_decref(await_state(r, "idle"));
}

static void
one_that_is_asked_for_is_made_and_removes_no_scheduled_one(void **state)
{
	struct daemon *d = remote_new(WATCHED, "backup-at = \"03:30\"\nbackup-keep = \"1\"\n");
	char *token = remote_token(d, "admin", "admin");
	struct remote r;
	json_t *answer;
	size_t at;

	(void)state;
	daemon_clock(d, NIGHT_MS);
	setenv("STET_CLOCK", daemon_path(d, "clock"), 1);
	daemon_run(d, 0);
	remote_open(&r, d, token);
	at = daemon_said(d, 0, "site main: backup ");
	json_decref(await_state(&r, "idle"));
	for (int i = 1; i <= 4; i++)
		ask_for_one(d, &r, &at, NIGHT_MS + i * MINUTE_MS);
	assert_true(there(d, "data/backups/main-20260601T032000Z.tar.zst"));
	assert_false(there(d, "data/backups/main-20260601T032100Z-asked.tar.zst"));
	assert_true(there(d, "data/backups/main-20260601T032200Z-asked.tar.zst"));
	assert_true(there(d, "data/backups/main-20260601T032400Z-asked.tar.zst"));
	free(COMMAND(
	    d, "verify", daemon_path(d, "data/backups/main-20260601T032400Z-asked.tar.zst")));
	/* The schedule is not changed by a backup that was requested. */
	await_heard(d, "last_success_timestamp_seconds", NIGHT_MS / 1000);
	await_heard(d, "next_timestamp_seconds", NIGHT_MS / 1000 + 600);
	daemon_clock(d, NIGHT_MS + 10 * MINUTE_MS);
	at = daemon_said(d, at, "site main: backup ");
	(void)daemon_said(d, at, "main-20260601T032000Z.tar.zst is removed");
	assert_true(there(d, "data/backups/main-20260601T032400Z-asked.tar.zst"));
	answer = await_state(&r, "idle");
	assert_string_equal(said(answer, "schedule", "at"), "03:30");
	assert_string_equal(said(answer, "scheduled", "madeAt"), "2026-06-01T03:30:00.000Z");
	assert_string_equal(said(answer, "requested", "madeAt"), "2026-06-01T03:24:00.000Z");
	assert_string_equal(
	    json_string_value(json_object_get(answer, "nextAt")), "2026-06-02T03:30:00.000Z");
	json_decref(answer);
	answer = remote_must(&r, 200, "GET", NULL, "/admin/audit?op=backups_start");
	assert_int_equal(json_array_size(json_object_get(answer, "items")), 4);
	json_decref(answer);
	/* Two backups in the same second get different names. */
	at = d->said_len;
	ask_for_one(d, &r, &at, NIGHT_MS + 20 * MINUTE_MS);
	ask_for_one(d, &r, &at, NIGHT_MS + 20 * MINUTE_MS);
	assert_true(there(d, "data/backups/main-20260601T034000Z-asked.tar.zst"));
	assert_true(there(d, "data/backups/main-20260601T034001Z-asked.tar.zst"));
	remote_close(&r);
	free(token);
	stop_kept(d);
}

/* Makes a sparse file of eight gigabytes, which takes two minutes at the rate of backups. */
static void
make_slow(struct daemon *d)
{
	int fd;

	(void)mkdir(daemon_path(d, "data/large"), 0700);
	fd = open(daemon_path(d, "data/large/file"), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	assert_true(fd >= 0);
	assert_int_equal(ftruncate(fd, 8 * GIB), 0);
	close(fd);
}

static void
a_second_one_is_refused_and_the_end_of_the_daemon_ends_it(void **state)
{
	struct daemon *d = remote_new(NULL, NULL);
	char *token = remote_token(d, "admin", "admin");
	struct remote r;
	json_t *answer;

	(void)state;
	make_slow(d);
	daemon_run(d, 0);
	remote_open(&r, d, token);
	json_decref(remote_must(&r, 200, "POST", NULL, "/admin/backups"));
	answer = await_state(&r, "running");
	assert_string_not_equal(said(answer, "progress", "step"), "");
	json_decref(answer);
	json_decref(remote_must(&r, 409, "POST", NULL, "/admin/backups"));
	/* A request that is refused is not recorded. */
	answer = remote_must(&r, 200, "GET", NULL, "/admin/audit?op=backups_start");
	assert_int_equal(json_array_size(json_object_get(answer, "items")), 1);
	json_decref(answer);
	remote_close(&r);
	daemon_signal(d, SIGTERM);
	assert_int_equal(daemon_ended(d), 0);
	assert_int_equal(unlink(daemon_path(d, "data/large/file")), 0);
	daemon_run(d, 0);
	remote_open(&r, d, token);
	answer = await_state(&r, "idle");
	assert_string_not_equal(said(answer, "requested", "error"), "");
	assert_string_equal(said(answer, "requested", "madeAt"), "");
	assert_int_equal(json_array_size(json_object_get(answer, "archives")), 0);
	json_decref(answer);
	remote_close(&r);
	free(token);
	daemon_stop(d);
}

static void
one_that_is_asked_for_and_fails_says_why(void **state)
{
	struct daemon *d = remote_new(NULL, NULL);
	char site[256], *token = remote_token(d, "admin", "admin");
	struct remote r;
	json_t *answer;

	(void)state;
	(void)snprintf(site, sizeof(site), "backup-dir = \"%s\"\n", daemon_path(d, "stet.conf/no"));
	daemon_write_conf(d, NULL, site);
	daemon_run(d, 0);
	remote_open(&r, d, token);
	json_decref(remote_must(&r, 200, "POST", NULL, "/admin/backups"));
	(void)daemon_said(d, 0, "the backup failed: ");
	answer = await_state(&r, "idle");
	assert_non_null(strstr(said(answer, "requested", "error"), "stet.conf/no"));
	json_decref(answer);
	remote_close(&r);
	free(token);
	daemon_stop(d);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_backup_beside_a_writer_has_the_beginning_of_what_it_wrote),
		cmocka_unit_test(backups_are_made_each_day_and_old_ones_go),
		cmocka_unit_test(a_backup_that_was_missed_is_made_after_the_start),
		cmocka_unit_test(a_backup_that_fails_is_told_and_tried_again),
		cmocka_unit_test(one_that_is_asked_for_is_made_and_removes_no_scheduled_one),
		cmocka_unit_test(a_second_one_is_refused_and_the_end_of_the_daemon_ends_it),
		cmocka_unit_test(one_that_is_asked_for_and_fails_says_why),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
