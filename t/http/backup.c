/* backup.c - backups of a site that is served: what was acknowledged before is in them, and of what
 * came meanwhile exactly the beginning. */
#include "remote.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define FIRST 150 /* items before the backup: enough that its pace is seen */
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

/* ---- what is there ---- */

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

/* The items are 1 to k, without a gap, and the counter was at it: how many? */
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

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_backup_beside_a_writer_has_the_beginning_of_what_it_wrote),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
