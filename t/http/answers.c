/*
 * answers.c - the workers' caches of responses: a response is used again only while nothing has
 * changed, and only for clients that would get the same.
 */
#include "remote.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#define MIRROR "/plugins/mirror"
#define READERS 6
#define WRITES 150
#define LOOKS 300

static struct daemon *d;
static char *token, *second_token, *editor_token, *reader_token;
static struct remote admin, second, editor, reader, nobody;

static void
enable(const char *verb)
{
	size_t at = d->said_len;

	free(COMMAND(d, "module", verb, "mirror"));
	(void)daemon_said(d, at, "read again");
}

/* One worker has one cache, so responses cached for one connection are hits for the others. */
#define CONF "workers = 1\nserver-timing = true\n"

static int
start(void **state)
{
	(void)state;
	d = remote_new(CONF, NULL);
	remote_plugin(d, "t/plugins/.libs/mirror.so", "mirror.so", 0644);
	token = remote_token(d, "admin", "admin");
	second_token = COMMAND(
	    d, "token", "add", "admin@example.org", "--name", "two", "--scope", "content:read");
	editor_token = remote_token(d, "editor", "content:read");
	reader_token = remote_token(d, "subscriber", "content:read");
	remote_time_stands(d);
	daemon_run(d, 0);
	enable("enable");
	remote_open(&admin, d, token);
	remote_open(&second, d, second_token);
	remote_open(&editor, d, editor_token);
	remote_open(&reader, d, reader_token);
	remote_open(&nobody, d, NULL);
	json_decref(remote_must(&admin, 201, "POST",
	    "{\"slug\":\"notes\",\"label\":\"N\",\"supports\":[\"drafts\",\"revisions\"]}",
	    "/schema/collections"));
	json_decref(remote_must(&admin, 201, "POST",
	    "{\"slug\":\"title\",\"label\":\"T\",\"type\":\"string\"}",
	    "/schema/collections/notes/fields"));
	return 0;
}

static int
stop(void **state)
{
	(void)state;
	remote_close(&admin);
	remote_close(&second);
	remote_close(&editor);
	remote_close(&reader);
	remote_close(&nobody);
	daemon_stop(d);
	remote_time_goes_on();
	free(token);
	free(second_token);
	free(editor_token);
	free(reader_token);
	return 0;
}

/* ---- helpers ---- */

/* "hit", "miss", or "" if the response is not cached. */
static const char *
cache_of(const struct answer *a)
{
	const char *timing = answer_header(a, "Server-Timing");

	assert_non_null(timing);
	if (strstr(timing, "cache;desc=hit") != NULL)
		return "hit";
	return strstr(timing, "cache;desc=miss") != NULL ? "miss" : "";
}

static void
assert_read(struct remote *r, const char *cache, const char *path)
{
	struct answer a;

	remote_ask(r, &a, "GET", NULL, "%s", path);
	assert_int_equal(a.status, 200);
	assert_string_equal(cache_of(&a), cache);
	answer_free(&a);
}

static json_int_t
runs(struct remote *r, const char *path)
{
	json_t *data = remote_must(r, 200, "GET", NULL, "%s", path);
	json_int_t n = json_integer_value(json_object_get(data, "runs"));

	json_decref(data);
	return n;
}

static void
said(struct remote *r, const char *path, const char *want)
{
	json_t *data = remote_must(r, 200, "GET", NULL, "%s", path);

	assert_string_equal(json_string_value(json_object_get(data, "said")), want);
	json_decref(data);
}

static void
paint(void)
{
	json_decref(remote_must(&admin, 200, "POST", NULL, MIRROR "/paint"));
}

/* Makes an item; returns its id, to be freed. */
static char *
note(const char *slug, const char *status, const char *title)
{
	char body[256], *id;
	json_t *data;

	(void)snprintf(body, sizeof(body),
	    "{\"slug\":\"%s\",\"status\":\"%s\",\"data\":{\"title\":\"%s\"}}", slug, status, title);
	data = remote_must(&admin, 201, "POST", body, "/content/notes");
	id = strdup(json_string_value(json_object_get(json_object_get(data, "item"), "id")));
	json_decref(data);
	return id;
}

/* ---- kept until something changes ---- */

static void
a_read_is_answered_again_without_its_handler(void **state)
{
	char *id = note("again", "published", "A");
	struct answer first, again;

	(void)state;
	remote_ask(&reader, &first, "GET", NULL, "/content/notes/again");
	assert_string_equal(cache_of(&first), "miss");
	remote_ask(&reader, &again, "GET", NULL, "/content/notes/again");
	assert_string_equal(cache_of(&again), "hit");
	assert_int_equal(again.status, 200);
	assert_string_equal(first.body, again.body);
	assert_string_equal(answer_header(&first, "ETag"), answer_header(&again, "ETag"));
	assert_string_equal(
	    answer_header(&first, "Cache-Control"), answer_header(&again, "Cache-Control"));
	assert_string_not_equal(
	    answer_header(&first, "X-Request-Id"), answer_header(&again, "X-Request-Id"));
	answer_free(&first);
	answer_free(&again);
	free(id);
}

static void
parameters_that_are_ignored_make_no_copies(void **state)
{
	struct answer a;

	(void)state;
	paint();
	assert_read(&reader, "miss", MIRROR "/look?size=101");
	assert_read(&reader, "hit", MIRROR "/look?size=101&_x=1");
	assert_read(&reader, "hit", MIRROR "/look?_x=2&size=101&utm_source=mail&");
	remote_ask(&reader, &a, "GET", NULL, MIRROR "/look?size=101&x=1");
	assert_int_equal(a.status, 400);
	answer_free(&a);
}

static void
head_is_answered_from_what_get_left(void **state)
{
	struct answer a;

	(void)state;
	paint();
	assert_read(&reader, "miss", MIRROR "/look?size=100");
	remote_ask(&reader, &a, "HEAD", NULL, MIRROR "/look?size=100");
	assert_int_equal(a.status, 200);
	assert_string_equal(cache_of(&a), "hit");
	assert_true(strtol(answer_header(&a, "Content-Length"), NULL, 10) > 100);
	answer_free(&a);
}

static void
each_commit_ends_what_was_kept(void **state)
{
	json_int_t n;

	(void)state;
	paint();
	n = runs(&reader, MIRROR "/look");
	assert_int_equal(runs(&reader, MIRROR "/look"), n);
	paint();
	assert_int_equal(runs(&reader, MIRROR "/look"), n + 1);
	assert_int_equal(runs(&reader, MIRROR "/look"), n + 1);
}

static void
a_write_that_is_refused_changes_nothing(void **state)
{
	json_int_t n;
	struct answer a;

	(void)state;
	paint();
	n = runs(&reader, MIRROR "/look");
	remote_ask(&admin, &a, "POST", NULL, MIRROR "/refuse");
	assert_int_equal(a.status, 422);
	answer_free(&a);
	assert_int_equal(runs(&reader, MIRROR "/look"), n);
}

static void
the_command_beside_the_daemon_ends_what_was_kept(void **state)
{
	json_int_t n, images;
	json_t *data;

	(void)state;
	paint();
	n = runs(&reader, MIRROR "/look");
	assert_int_equal(runs(&reader, MIRROR "/look"), n);
	data = remote_must(&reader, 200, "GET", NULL, MIRROR "/look");
	images = json_integer_value(json_object_get(data, "images"));
	json_decref(data);
	for (int i = 1; i <= 3; i++) {
		free(COMMAND(d, "call", "mirror__paint"));
		data = remote_must(&reader, 200, "GET", NULL, MIRROR "/look");
		assert_int_equal(json_integer_value(json_object_get(data, "images")), images + i);
		json_decref(data);
	}
}

static void
what_is_enabled_and_configured_ends_what_was_kept(void **state)
{
	struct answer a;
	json_int_t n;

	(void)state;
	n = runs(&reader, MIRROR "/look");
	assert_int_equal(runs(&reader, MIRROR "/look"), n);
	enable("disable");
	remote_ask(&reader, &a, "GET", NULL, MIRROR "/look");
	assert_int_equal(a.status, 404);
	answer_free(&a);
	enable("enable");
	assert_int_equal(runs(&reader, MIRROR "/look"), n + 1);
	daemon_write_conf(d, CONF, "cors-origins = { \"https://www.example.org\" }\n");
	(void)daemon_reload(d);
	assert_int_equal(runs(&reader, MIRROR "/look"), n + 2);
}

static void
without_room_nothing_is_kept(void **state)
{
	json_int_t n;

	(void)state;
	daemon_write_conf(d, "workers = 1\nserver-timing = true\nanswer-cache = \"0\"\n", NULL);
	(void)daemon_reload(d);
	n = runs(&reader, MIRROR "/look");
	assert_int_equal(runs(&reader, MIRROR "/look"), n + 1);
	assert_read(&reader, "", MIRROR "/look");
	daemon_write_conf(d, "workers = 1\nserver-timing = true\nanswer-cache = \"64KiB\"\n", NULL);
	(void)daemon_reload(d);
	/* Makes more responses than the cache holds, and one that alone is too large for it. */
	for (int i = 0; i < 100; i++)
		json_decref(
		    remote_must(&reader, 200, "GET", NULL, MIRROR "/look?size=%d", 2000 + i));
	assert_read(&reader, "hit", MIRROR "/look?size=2000");
	/* Responses that are requested again replace those that are not. */
	assert_read(&reader, "miss", MIRROR "/look?size=2099");
	assert_read(&reader, "hit", MIRROR "/look?size=2099");
	assert_read(&reader, "hit", MIRROR "/look?size=2000");
	assert_read(&reader, "miss", MIRROR "/look?size=60000");
	assert_read(&reader, "miss", MIRROR "/look?size=60000");
	daemon_write_conf(d, "workers = 1\nserver-timing = true\n", NULL);
	(void)daemon_reload(d);
}

/* ---- 304 ---- */

static void
expect_unmodified(struct remote *r, struct answer *a, const char *tag, const char *path)
{
	(void)snprintf(r->more, sizeof(r->more), "If-None-Match: \"other\", %s\r\n", tag);
	remote_ask(r, a, "GET", NULL, "%s", path);
	r->more[0] = '\0';
}

static void
what_a_client_has_is_not_sent_again_nor_made_again(void **state)
{
	static const char *const paths[] = { "/content/notes/tagged", "/content/notes?limit=50",
		"/schema/collections/notes", "/settings", MIRROR "/look?size=3000000" };
	char *id = note("tagged", "published", "A"), *tag;
	struct answer a;

	(void)state;
	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
		remote_ask(&admin, &a, "GET", NULL, "%s", paths[i]);
		assert_int_equal(a.status, 200);
		tag = strdup(answer_header(&a, "ETag"));
		answer_free(&a);
		expect_unmodified(&admin, &a, tag, paths[i]);
		assert_int_equal(a.status, 304);
		assert_int_equal(a.len, 0);
		assert_string_equal(answer_header(&a, "ETag"), tag);
		assert_string_equal(cache_of(&a), "hit");
		answer_free(&a);
		free(tag);
	}
	free(id);
}

static void
a_tag_outlives_commits_that_changed_something_else(void **state)
{
	char *id = note("lasting", "published", "A"), *tag;
	struct answer a;

	(void)state;
	remote_ask(&admin, &a, "GET", NULL, "/content/notes/lasting");
	tag = strdup(answer_header(&a, "ETag"));
	answer_free(&a);
	paint();
	expect_unmodified(&admin, &a, tag, "/content/notes/lasting");
	assert_int_equal(a.status, 304);
	assert_string_equal(cache_of(&a), "miss");
	answer_free(&a);
	json_decref(remote_must(
	    &admin, 200, "PUT", "{\"data\":{\"title\":\"B\"}}", "/content/notes/%s", id));
	expect_unmodified(&admin, &a, tag, "/content/notes/lasting");
	assert_int_equal(a.status, 200);
	answer_free(&a);
	free(tag);
	free(id);
}

/* ---- never for others ---- */

static void
what_a_handler_asks_for_decides_who_shares(void **state)
{
	json_int_t n;

	(void)state;
	paint();
	/* Cached per role and scopes: the editor and the reader have the same scopes. */
	said(&editor, MIRROR "/look?ask=role", "more");
	said(&reader, MIRROR "/look?ask=role", "less");
	said(&editor, MIRROR "/look?ask=role", "more");
	/* Cached per user: two users of one role, and two tokens of one user. */
	said(&admin, MIRROR "/look?ask=user", "admin@example.org");
	said(&reader, MIRROR "/look?ask=user", "subscriber@example.org");
	n = runs(&reader, MIRROR "/look?ask=user");
	assert_int_equal(runs(&reader, MIRROR "/look?ask=user"), n);
	assert_int_equal(runs(&second, MIRROR "/look?ask=user"), n + 1);
	assert_int_equal(runs(&reader, MIRROR "/look?ask=user"), n);
	/* Responses for anonymous callers are not used for users, and the other way round. */
	said(&nobody, MIRROR "/open?ask=user", "nobody");
	said(&reader, MIRROR "/open?ask=user", "subscriber@example.org");
	said(&nobody, MIRROR "/open?ask=user", "nobody");
	n = runs(&nobody, MIRROR "/open");
	assert_int_equal(runs(&nobody, MIRROR "/open"), n);
	assert_int_equal(runs(&reader, MIRROR "/open"), n + 1);
}

static void
what_depends_on_the_moment_is_not_kept(void **state)
{
	static const char *const asks[] = { "time", "header", "client" };

	(void)state;
	for (size_t i = 0; i < sizeof(asks) / sizeof(asks[0]); i++) {
		char path[64];
		json_int_t n;

		(void)snprintf(path, sizeof(path), MIRROR "/open?ask=%s", asks[i]);
		n = runs(&nobody, path);
		assert_int_equal(runs(&nobody, path), n + 1);
	}
	/* Responses of an op without the flag for caching are not cached either. */
	json_int_t n = runs(&nobody, MIRROR "/glance");
	assert_int_equal(runs(&nobody, MIRROR "/glance"), n + 1);
}

static void
the_gate_is_asked_each_time(void **state)
{
	struct remote other;
	struct answer a;
	char *minted;
	json_t *data;

	(void)state;
	data = remote_must(
	    &admin, 201, "POST", "{\"name\":\"t\",\"scopes\":[\"admin\"]}", "/admin/api-tokens");
	minted = strdup(json_string_value(json_object_get(data, "token")));
	remote_open(&other, d, minted);
	json_decref(remote_must(&admin, 200, "GET", NULL, MIRROR "/look"));
	assert_read(&admin, "hit", MIRROR "/look");
	assert_read(&other, "hit", MIRROR "/look");
	remote_ask(&nobody, &a, "GET", NULL, MIRROR "/look");
	assert_int_equal(a.status, 401);
	answer_free(&a);
	json_decref(remote_must(&admin, 200, "DELETE", NULL, "/admin/api-tokens/%s",
	    json_string_value(json_object_get(json_object_get(data, "info"), "id"))));
	json_decref(remote_must(&admin, 200, "GET", NULL, MIRROR "/look"));
	assert_read(&admin, "hit", MIRROR "/look");
	remote_ask(&other, &a, "GET", NULL, MIRROR "/look");
	assert_int_equal(a.status, 401);
	answer_free(&a);
	/* A scope that does not open the op. */
	assert_read(&admin, "miss", "/settings");
	assert_read(&admin, "hit", "/settings");
	remote_ask(&reader, &a, "GET", NULL, "/settings");
	assert_int_equal(a.status, 403);
	answer_free(&a);
	remote_close(&other);
	json_decref(data);
	free(minted);
}

static void
failures_and_questions_that_are_wrong_are_not_kept(void **state)
{
	struct answer a;

	(void)state;
	for (int i = 0; i < 2; i++) {
		remote_ask(&reader, &a, "GET", NULL, "/content/notes/absent");
		assert_int_equal(a.status, 404);
		assert_string_equal(cache_of(&a), "miss");
		answer_free(&a);
		remote_ask(&reader, &a, "GET", NULL, MIRROR "/look?ask=wrong");
		assert_int_equal(a.status, 400);
		assert_string_equal(cache_of(&a), "miss");
		answer_free(&a);
	}
}

/* ---- many at once ---- */

static struct {
	struct daemon *daemon;
	atomic_int told; /* the number of the last title whose write was answered */
	atomic_bool over;
	const char *token;
} race;

static void *
read_on(void *arg)
{
	const char *path = arg;
	struct remote r;

	remote_open(&r, race.daemon, race.token);
	while (!atomic_load(&race.over)) {
		int least = atomic_load(&race.told);
		json_t *data = remote_must(&r, 200, "GET", NULL, "/content/race%s", path), *item;
		const char *title;

		item = json_object_get(data, "item");
		if (item == NULL)
			item = json_array_get(json_object_get(data, "items"), 0);
		title = json_string_value(json_object_get(json_object_get(item, "data"), "title"));
		assert_non_null(title);
		assert_true(strtol(title, NULL, 10) >= least);
		json_decref(data);
	}
	remote_close(&r);
	return NULL;
}

static void
nobody_reads_what_is_older_than_what_was_answered(void **state)
{
	char item[40], list[] = "?limit=1";
	pthread_t thread[READERS];
	struct daemon *mine;
	struct remote writer;
	char *key, body[64];
	json_t *data;

	(void)state;
	race.daemon = mine = remote_new("workers = 3\n", NULL);
	race.token = key = remote_token(mine, "admin", "admin");
	daemon_run(mine, 0);
	remote_open(&writer, mine, key);
	json_decref(remote_must(&writer, 201, "POST",
	    "{\"slug\":\"race\",\"label\":\"R\",\"supports\":[]}", "/schema/collections"));
	json_decref(remote_must(&writer, 201, "POST",
	    "{\"slug\":\"title\",\"label\":\"T\",\"type\":\"string\"}",
	    "/schema/collections/race/fields"));
	data = remote_must(&writer, 201, "POST", "{\"data\":{\"title\":\"0\"}}", "/content/race");
	(void)snprintf(item, sizeof(item), "/%s",
	    json_string_value(json_object_get(json_object_get(data, "item"), "id")));
	json_decref(data);
	for (int i = 0; i < READERS; i++)
		assert_int_equal(
		    pthread_create(&thread[i], NULL, read_on, i % 2 == 0 ? item : list), 0);
	for (int i = 1; i <= WRITES; i++) {
		(void)snprintf(body, sizeof(body), "{\"data\":{\"title\":\"%d\"}}", i);
		json_decref(remote_must(&writer, 200, "PUT", body, "/content/race%s", item));
		atomic_store(&race.told, i);
	}
	atomic_store(&race.over, true);
	for (int i = 0; i < READERS; i++)
		assert_int_equal(pthread_join(thread[i], NULL), 0);
	remote_close(&writer);
	daemon_stop(mine);
	free(key);
}

struct looker {
	const char *token, *title;
};

/* The same URL, requested with the rights of one of the callers. */
static void *
look_on(void *arg)
{
	const struct looker *l = arg;
	struct remote r;

	remote_open(&r, d, l->token);
	for (int i = 0; i < LOOKS; i++) {
		json_t *data = remote_must(&r, 200, "GET", NULL, "/content/notes/both");

		assert_string_equal(
		    json_string_value(json_object_get(
			json_object_get(json_object_get(data, "item"), "data"), "title")),
		    l->title);
		json_decref(data);
	}
	remote_close(&r);
	return NULL;
}

static void
who_may_see_drafts_and_who_may_not_never_see_each_others_answer(void **state)
{
	struct looker lookers[] = { { editor_token, "staged" }, { reader_token, "live" } };
	char *id = note("both", "published", "live");
	pthread_t thread[4];

	(void)state;
	json_decref(remote_must(
	    &admin, 200, "PUT", "{\"data\":{\"title\":\"staged\"}}", "/content/notes/%s", id));
	for (int i = 0; i < 4; i++)
		assert_int_equal(pthread_create(&thread[i], NULL, look_on, &lookers[i % 2]), 0);
	for (int i = 0; i < LOOKS / 10; i++)
		paint();
	for (int i = 0; i < 4; i++)
		assert_int_equal(pthread_join(thread[i], NULL), 0);
	free(id);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_read_is_answered_again_without_its_handler),
		cmocka_unit_test(head_is_answered_from_what_get_left),
		cmocka_unit_test(parameters_that_are_ignored_make_no_copies),
		cmocka_unit_test(each_commit_ends_what_was_kept),
		cmocka_unit_test(a_write_that_is_refused_changes_nothing),
		cmocka_unit_test(the_command_beside_the_daemon_ends_what_was_kept),
		cmocka_unit_test(what_is_enabled_and_configured_ends_what_was_kept),
		cmocka_unit_test(without_room_nothing_is_kept),
		cmocka_unit_test(what_a_client_has_is_not_sent_again_nor_made_again),
		cmocka_unit_test(a_tag_outlives_commits_that_changed_something_else),
		cmocka_unit_test(what_a_handler_asks_for_decides_who_shares),
		cmocka_unit_test(what_depends_on_the_moment_is_not_kept),
		cmocka_unit_test(the_gate_is_asked_each_time),
		cmocka_unit_test(failures_and_questions_that_are_wrong_are_not_kept),
		cmocka_unit_test(nobody_reads_what_is_older_than_what_was_answered),
		cmocka_unit_test(who_may_see_drafts_and_who_may_not_never_see_each_others_answer),
	};

	return cmocka_run_group_tests(tests, start, stop);
}
