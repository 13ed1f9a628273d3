/*
 * heard.c - what daemons of one site know of each other: what is enabled, set, granted and revoked
 * on one holds on the other with the next request; who waits on one hears of a commit of the other;
 * each is counted.
 */
#include "daemons.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define ROUNDS 20
#define TOKENS "/admin/api-tokens"
#define END_SESSIONS                                                    \
	"SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity" \
	" WHERE application_name = 'stetd'"
#define NODES "SELECT count(*) FROM site_node"

static struct daemons ds;

/* Waits until the database answers this. */
static void
until(const char *sql, const char *want)
{
	char *said = NULL;

	for (int ms = 0; ms < 10000; ms += 100) {
		free(said);
		said = daemons_sql(&ds, sql);
		if (strcmp(said, want) == 0)
			break;
		(void)usleep(100000);
	}
	assert_string_equal(said, want);
	free(said);
}

/* ---- with the next request ---- */

static int
status_of(struct remote *r, const char *path)
{
	struct answer a;
	int status;

	remote_ask(r, &a, "GET", NULL, "%s", path);
	status = a.status;
	answer_free(&a);
	return status;
}

static void
modules_are_followed(void **state)
{
	(void)state;
	for (int i = 0; i < ROUNDS; i++) {
		struct remote *a = &ds.admin[i % 2], *b = &ds.admin[1 - i % 2];
		struct answer made;

		json_decref(remote_must(a, 200, "POST", "{}", "/admin/plugins/menus/disable"));
		assert_int_equal(status_of(b, "/menus"), 404);
		assert_int_equal(status_of(a, "/menus"), 404);
		json_decref(remote_must(b, 200, "POST", "{}", "/admin/plugins/menus/enable"));
		/* The first request to the other one may write. */
		remote_ask(a, &made, "POST", "{\"name\":\"main\",\"label\":\"M\"}", "/menus");
		assert_int_equal(made.status, i == 0 ? 201 : 409);
		answer_free(&made);
		assert_int_equal(status_of(b, "/menus"), 200);
	}
}

static void
modules_are_followed_by_commands(void **state)
{
	(void)state;
	for (int i = 0; i < 2; i++) {
		free(COMMAND(ds.at[0], "module", "disable", "menus"));
		assert_int_equal(status_of(&ds.admin[1], "/menus"), 404);
		assert_int_equal(status_of(&ds.admin[0], "/menus"), 404);
		free(COMMAND(ds.at[1], "module", "enable", "menus"));
		assert_int_equal(status_of(&ds.admin[0], "/menus"), 200);
		assert_int_equal(status_of(&ds.admin[1], "/menus"), 200);
	}
}

static size_t
feed_items(int daemon)
{
	struct answer a;
	size_t n;

	ask(ds.at[daemon], &a, "GET", "/feeds/notes/feed.json");
	assert_int_equal(a.status, 200);
	n = json_array_size(json_object_get(a.json, "items"));
	answer_free(&a);
	return n;
}

static void
settings_are_followed(void **state)
{
	(void)state;
	json_decref(remote_must(&ds.admin[0], 200, "PUT",
	    "{\"publicRead\":true,\"urlPattern\":\"/n/{slug}\"}", "/schema/collections/notes"));
	for (int i = 0; i < 3; i++)
		json_decref(remote_must(&ds.admin[0], 201, "POST",
		    "{\"status\":\"published\",\"data\":{\"title\":\"T\"}}", "/content/notes"));
	for (int i = 0; i < ROUNDS; i++) {
		char body[64];

		(void)snprintf(body, sizeof(body), "{\"values\":{\"items\":%d}}", 1 + i % 3);
		json_decref(remote_must(
		    &ds.admin[i % 2], 200, "PUT", body, "/admin/plugins/feeds/settings"));
		assert_int_equal(feed_items(1 - i % 2), 1 + i % 3);
		assert_int_equal(feed_items(i % 2), 1 + i % 3);
	}
}

static void
fields_are_followed(void **state)
{
	(void)state;
	for (int i = 0; i < ROUNDS; i++) {
		struct remote *a = &ds.admin[i % 2], *b = &ds.admin[1 - i % 2];
		char body[128];

		(void)snprintf(body, sizeof(body),
		    "{\"slug\":\"f%d\",\"label\":\"F\",\"type\":\"string\"}", i);
		json_decref(remote_must(a, 201, "POST", body, "/schema/collections/notes/fields"));
		(void)snprintf(body, sizeof(body), "{\"data\":{\"title\":\"T\",\"f%d\":\"v\"}}", i);
		json_decref(remote_must(b, 201, "POST", body, "/content/notes"));
		json_decref(
		    remote_must(a, 200, "DELETE", NULL, "/schema/collections/notes/fields/f%d", i));
		json_decref(remote_must(b, 400, "POST", body, "/content/notes"));
	}
}

static void
tokens_are_followed(void **state)
{
	(void)state;
	for (int i = 0; i < ROUNDS; i++) {
		struct remote *a = &ds.admin[i % 2], other;
		json_t *data = remote_must(
		    a, 201, "POST", "{\"name\":\"t\",\"scopes\":[\"content:read\"]}", TOKENS);

		remote_open(
		    &other, ds.at[1 - i % 2], json_string_value(json_object_get(data, "token")));
		assert_int_equal(status_of(&other, "/content/notes"), 200);
		json_decref(remote_must(a, 200, "DELETE", NULL, TOKENS "/%s",
		    json_string_value(json_object_get(json_object_get(data, "info"), "id"))));
		assert_int_equal(status_of(&other, "/content/notes"), 401);
		remote_close(&other);
		json_decref(data);
	}
}

/* ---- under load ---- */

#define CLIENTS 4

static atomic_bool over;
static struct client_of {
	struct remote remote;
	int wrote, read, gone, odd; /* answers: 201; 200; 404 of a module; anything else */
} clients[CLIENTS];

static void *
works(void *arg)
{
	struct client_of *c = arg;

	while (!atomic_load(&over)) {
		struct answer a;

		remote_ask(
		    &c->remote, &a, "POST", "{\"data\":{\"title\":\"T\"}}", "/content/notes");
		c->wrote += a.status == 201;
		c->odd += a.status != 201;
		answer_free(&a);
		remote_ask(&c->remote, &a, "GET", NULL, "/menus");
		c->read += a.status == 200;
		c->gone += a.status == 404;
		c->odd += a.status != 200 && a.status != 404;
		answer_free(&a);
	}
	return NULL;
}

static void
changes_under_load_fail_nothing(void **state)
{
	pthread_t thread[CLIENTS];
	int wrote = 0, gone = 0;

	(void)state;
	for (int i = 0; i < CLIENTS; i++) {
		remote_open(&clients[i].remote, ds.at[1 - i % 2], ds.token);
		assert_int_equal(pthread_create(&thread[i], NULL, works, &clients[i]), 0);
	}
	for (int i = 0; i < ROUNDS; i++) {
		struct remote *a = &ds.admin[i % 2];

		json_decref(remote_must(a, 200, "POST", "{}", "/admin/plugins/menus/disable"));
		json_decref(remote_must(a, 201, "POST",
		    "{\"slug\":\"busy\",\"label\":\"B\",\"type\":\"string\"}",
		    "/schema/collections/notes/fields"));
		json_decref(remote_must(a, 200, "POST", "{}", "/admin/plugins/menus/enable"));
		json_decref(
		    remote_must(a, 200, "DELETE", NULL, "/schema/collections/notes/fields/busy"));
	}
	atomic_store(&over, true);
	for (int i = 0; i < CLIENTS; i++) {
		assert_int_equal(pthread_join(thread[i], NULL), 0);
		remote_close(&clients[i].remote);
		assert_int_equal(clients[i].odd, 0);
		assert_true(clients[i].wrote > 0 && clients[i].read > 0);
		wrote += clients[i].wrote;
		gone += clients[i].gone;
	}
	printf("# under load: %d writes, %d reads of a disabled module\n", wrote, gone);
}

/* ---- who waits ---- */

static int
order(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

static void
write_one(int i)
{
	char body[96];

	(void)snprintf(body, sizeof(body), "{\"data\":{\"title\":\"heard %d\"}}", i);
	json_decref(remote_must(&ds.admin[0], 201, "POST", body, "/content/notes"));
}

static void
now(struct remote *r, char out[2100])
{
	json_t *data = remote_must(r, 200, "GET", NULL, "/changes");

	(void)snprintf(out, 2100, "%s", json_string_value(json_object_get(data, "cursor")));
	json_decref(data);
}

static void
a_long_poll_hears_what_the_other_commits(void **state)
{
	int took[ROUNDS];

	(void)state;
	for (int i = 0; i < ROUNDS; i++) {
		char cursor[2100];
		struct answer a;
		long long began;

		now(&ds.admin[1], cursor);
		remote_say(&ds.admin[1], "GET", NULL, "/changes?wait=60&since=%s", cursor);
		assert_true(client_quiet(&ds.admin[1].client, 20));
		write_one(i);
		began = daemons_ms();
		remote_hear(&ds.admin[1], &a);
		took[i] = (int)(daemons_ms() - began);
		assert_int_equal(a.status, 200);
		assert_int_equal(
		    json_array_size(json_object_get(json_object_get(a.json, "data"), "items")), 1);
		answer_free(&a);
	}
	qsort(took, ROUNDS, sizeof(took[0]), order);
	printf("# a long poll: %d ms, %d at most\n", took[ROUNDS / 2], took[ROUNDS - 1]);
	assert_in_range(took[ROUNDS / 2], 0, 100);
}

static void
events_hear_what_the_other_commits(void **state)
{
	static char said[1 << 20];
	int took[ROUNDS];
	struct client c;
	size_t len = 0;

	(void)state;
	client_open(&c, ds.at[1], false);
	client_say(&c,
	    "GET " API "/changes HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\n"
	    "Accept: text/event-stream\r\n\r\n",
	    ds.token);
	while (strstr(said, "id:") == NULL)
		len += client_read(&c, said + len, sizeof(said) - 1 - len);
	for (int i = 0; i < ROUNDS; i++) {
		long long began;

		write_one(i);
		began = daemons_ms();
		said[len = 0] = '\0';
		while (strstr(said, "id:") == NULL) {
			size_t n = client_read(&c, said + len, sizeof(said) - 1 - len);

			assert_true(n > 0);
			said[len += n] = '\0';
		}
		took[i] = (int)(daemons_ms() - began);
		(void)usleep(20000);
	}
	client_close(&c);
	qsort(took, ROUNDS, sizeof(took[0]), order);
	printf("# events: %d ms, %d at most\n", took[ROUNDS / 2], took[ROUNDS - 1]);
	assert_in_range(took[ROUNDS / 2], 0, 100);
}

/* A transaction of somebody who tells nobody, as if behind a pooler: the state is asked for. */
/* Returns how many people have the item open, as this daemon says. */
static size_t
people(struct remote *r, const char *tab, const char *id)
{
	char body[64];
	json_t *data;
	size_t count;

	(void)snprintf(body, sizeof(body), "{\"tab\":\"%s\"}", tab);
	data = remote_must(r, 200, "POST", body, "/content/notes/%s/presence", id);
	count = (size_t)json_integer_value(
	    json_object_get(json_array_get(json_object_get(data, "people"), 0), "tabs"));
	json_decref(data);
	return count;
}

/* Daemons tell one another who has an item open, and the state of the database stays as it is. */
static void
tabs_on_either_daemon_are_known(void **state)
{
	char *before, *after, id[27] = "";
	size_t there = 0;
	json_t *item;

	(void)state;
	item = remote_must(
	    &ds.admin[0], 201, "POST", "{\"data\":{\"title\":\"P\"}}", "/content/notes");
	(void)snprintf(id, sizeof(id), "%s",
	    json_string_value(json_object_get(json_object_get(item, "item"), "id")));
	json_decref(item);
	before = daemons_sql(&ds, "SELECT n FROM site_state");
	assert_int_equal(people(&ds.admin[0], "tab-a", id), 1);
	for (int ms = 0; ms < 10000 && there != 2; ms += 100) {
		(void)usleep(100000);
		there = people(&ds.admin[1], "tab-b", id);
	}
	assert_int_equal(there, 2);
	after = daemons_sql(&ds, "SELECT n FROM site_state");
	assert_string_equal(before, after);
	free(before);
	free(after);
}

static void
what_nobody_tells_is_heard(void **state)
{
	char cursor[2100];
	struct answer a;
	long long began;

	(void)state;
	now(&ds.admin[1], cursor);
	remote_say(&ds.admin[1], "GET", NULL, "/changes?wait=60&since=%s", cursor);
	assert_true(client_quiet(&ds.admin[1].client, 300));
	daemon_put_file(
	    ds.at[0], "items.jsonl", "{\"slug\":\"quiet\",\"data\":{\"title\":\"Quiet\"}}\n");
	free(COMMAND(ds.at[0], "import", "jsonl", daemon_path(ds.at[0], "items.jsonl"),
	    "--collection", "notes"));
	began = daemons_ms();
	remote_hear(&ds.admin[1], &a);
	printf("# untold: %d ms\n", (int)(daemons_ms() - began));
	assert_in_range(daemons_ms() - began, 0, 500);
	assert_int_equal(a.status, 200);
	assert_int_equal(
	    json_array_size(json_object_get(json_object_get(a.json, "data"), "items")), 1);
	answer_free(&a);
}

/* All sessions end, as when the server is started anew: daemons hear each other again. */
static void
lost_sessions_are_made_again(void **state)
{
	(void)state;
	free(daemons_sql(&ds, END_SESSIONS));
	for (int i = 0; i < 2; i++) {
		long long began = daemons_ms();

		while (status_of(&ds.admin[i], "/content/notes") != 200)
			assert_in_range(daemons_ms() - began, 0, 10000);
	}
	/* A watcher that writes its row listens, too. */
	free(daemons_sql(&ds, "UPDATE site_node SET seen = seen - 7000"));
	until("SELECT count(*) FROM site_node WHERE seen >"
	      " extract(epoch FROM clock_timestamp()) * 1000 - 6000",
	    "2");
	a_long_poll_hears_what_the_other_commits(state);
}

static void *
hold_state(void *arg)
{
	(void)arg;
	free(daemons_sql(&ds,
	    "BEGIN; LOCK TABLE site_state IN ACCESS EXCLUSIVE MODE; SELECT pg_sleep(2); COMMIT"));
	return NULL;
}

/* Sessions are lost while calls wait for the state: one for which there is no route, and a stream
 * that has not begun. */
static void
calls_that_have_not_begun_are_repeated(void **state)
{
	static char said[1 << 16];
	pthread_t thread;
	struct answer a;
	struct client c;
	size_t len = 0, n;

	(void)state;
	assert_int_equal(pthread_create(&thread, NULL, hold_state, NULL), 0);
	(void)usleep(400000);
	remote_say(&ds.admin[1], "GET", NULL, "/nothing");
	client_open(&c, ds.at[1], false);
	client_say(&c,
	    "GET " API "/changes HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\n"
	    "Accept: text/event-stream\r\n\r\n",
	    ds.token);
	(void)usleep(400000);
	free(daemons_sql(&ds, END_SESSIONS));
	remote_hear(&ds.admin[1], &a);
	assert_int_equal(a.status, 404);
	answer_free(&a);
	while (strstr(said, "id:") == NULL &&
	       (n = client_read(&c, said + len, sizeof(said) - 1 - len)) > 0)
		len += n;
	assert_int_equal(strncmp(said, "HTTP/1.1 200", 12), 0);
	assert_non_null(strstr(said, "id:"));
	client_close(&c);
	assert_int_equal(pthread_join(thread, NULL), 0);
}

/* ---- what all must have in common ---- */

/* Starts one more daemon on this database, with this key. Its log must say these texts, and it does
 * not serve the site. */
static void
refuse(const char *key, const char *const *texts)
{
	struct daemon *d;
	struct answer a;
	char *lines;

	assert_true(asprintf(&lines,
			"database = \"%s\"\nfiles-directory = \"%s/files\"\nkey-file = \"%s\"\n",
			ds.uri, ds.dir, key) > 0);
	d = daemon_new(NULL, lines);
	daemon_run(d, 0);
	for (; *texts != NULL; texts++)
		if (strstr(d->said, *texts) == NULL)
			fail_msg("not said: %s", *texts);
	ask(d, &a, "GET", API "/content/notes");
	assert_int_equal(a.status, 503);
	answer_free(&a);
	daemon_stop(d);
	free(lines);
}

static void
a_daemon_with_another_key_does_not_open_the_site(void **state)
{
	char key[128];
	const char *texts[] = { "site main cannot be opened", key, NULL };

	(void)state;
	(void)snprintf(key, sizeof(key), "%s/other", ds.dir);
	refuse(key, texts); /* there is none */
	free(COMMAND(ds.at[0], "key", "make", key));
	refuse(key, texts);
	json_decref(remote_must(&ds.admin[0], 200, "GET", NULL, "/content/notes"));
}

static void
nobody_writes_while_the_site_is_closed(void **state)
{
	struct answer a;

	(void)state;
	free(daemons_sql(&ds,
	    "UPDATE site_state SET closed = extract(epoch FROM clock_timestamp()) * 1000 + 1500"));
	for (int i = 0; i < 2; i++) {
		remote_ask(
		    &ds.admin[i], &a, "POST", "{\"data\":{\"title\":\"T\"}}", "/content/notes");
		assert_int_equal(a.status, 503);
		assert_non_null(answer_header(&a, "Retry-After"));
		answer_free(&a);
		json_decref(remote_must(&ds.admin[i], 200, "GET", NULL, "/content/notes"));
	}
	(void)usleep(1500000);
	for (int i = 0; i < 2; i++)
		json_decref(remote_must(
		    &ds.admin[i], 201, "POST", "{\"data\":{\"title\":\"T\"}}", "/content/notes"));
}

/* ---- who is there ---- */

static void
daemons_are_counted(void **state)
{
	char *before, *after;

	(void)state;
	until(NODES, "2");
	before = daemons_sql(&ds, "SELECT string_agg(name, ' ' ORDER BY name) FROM site_node");
	assert_string_equal(before, "a b");
	free(before);
	before = daemons_sql(&ds, "SELECT n FROM site_state");
	(void)usleep(2500000);
	after = daemons_sql(&ds, "SELECT n FROM site_state");
	/* To be there changes nothing that anybody keeps. */
	assert_string_equal(before, after);
	free(before);
	free(after);
	daemons_end(&ds, 0);
	until(NODES, "1");
	daemons_run(&ds, 0);
	until(NODES, "2");
	daemons_kill(&ds, 1);
	free(daemons_sql(&ds, "UPDATE site_node SET seen = seen - 60000"));
	until(NODES, "1");
	daemons_run(&ds, 1);
	until(NODES, "2");
}

/* As a migration does in its transaction. */
#define MIGRATED                                                                 \
	"; UPDATE site_state SET n = n + 1, mark = decode(md5(n::text), 'hex')," \
	" generation = generation + 1"

/* A newer version has migrated the database; not if that was only additive. */
static void
an_old_daemon_ends(void **state)
{
	(void)state;
	free(daemons_sql(&ds,
	    "INSERT INTO migration SELECT module, 98, name, applied_at, digest || '+'"
	    " FROM migration WHERE module = 'core' AND version = 1" MIGRATED));
	(void)usleep(2500000);
	json_decref(remote_must(&ds.admin[1], 200, "GET", NULL, "/content/notes"));
	free(daemons_sql(&ds,
	    "UPDATE migration SET digest = left(digest, 32), version = 99 WHERE version = 98" MIGRATED));
	for (int i = 0; i < 2; i++) {
		(void)daemon_said(ds.at[i], 0, "This daemon ends");
		assert_int_equal(daemon_ended(ds.at[i]), 0);
		remote_close(&ds.admin[i]);
	}
	free(daemons_sql(&ds, "DELETE FROM migration WHERE version = 99"));
	for (int i = 0; i < 2; i++)
		daemons_run(&ds, i);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(modules_are_followed),
		cmocka_unit_test(modules_are_followed_by_commands),
		cmocka_unit_test(settings_are_followed),
		cmocka_unit_test(fields_are_followed),
		cmocka_unit_test(tokens_are_followed),
		cmocka_unit_test(changes_under_load_fail_nothing),
		cmocka_unit_test(a_long_poll_hears_what_the_other_commits),
		cmocka_unit_test(events_hear_what_the_other_commits),
		cmocka_unit_test(tabs_on_either_daemon_are_known),
		cmocka_unit_test(what_nobody_tells_is_heard),
		cmocka_unit_test(lost_sessions_are_made_again),
		cmocka_unit_test(calls_that_have_not_begun_are_repeated),
		cmocka_unit_test(a_daemon_with_another_key_does_not_open_the_site),
		cmocka_unit_test(nobody_writes_while_the_site_is_closed),
		cmocka_unit_test(daemons_are_counted),
		cmocka_unit_test(an_old_daemon_ends),
	};
	int status;

	if (!daemons_start(&ds, 2, NULL, NULL, &status))
		return status;
	daemons_collection(&ds, "notes");
	status = cmocka_run_group_tests(tests, NULL, NULL);
	daemons_stop(&ds);
	return status;
}
