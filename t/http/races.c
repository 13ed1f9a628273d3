/*
 * races.c - many clients change the same items at the same time: each revision has one winner, each
 * item its own slug, every result is one that a client asked for; and no term is above itself.
 */
#include "remote.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#define CLIENTS 8
#define ROUNDS 20
#define WINS 10 /* successful writes of each client that runs freely */
#define EACH 5 /* items that each client makes */
#define TURNS 25

static struct daemon *d;
static char *token;
static struct remote admin;

static int
start(void **state)
{
	static const char *const fields[] = { "title", "summary" };
	static const char *const collections[] = { "posts", "plain" };

	(void)state;
	d = remote_new(NULL, NULL);
	token = remote_token(d, "admin", "admin");
	daemon_run(d, 0);
	remote_open(&admin, d, token);
	json_decref(remote_must(&admin, 201, "POST",
	    "{\"slug\":\"posts\",\"label\":\"Posts\",\"supports\":[\"drafts\",\"revisions\"]}",
	    "/schema/collections"));
	json_decref(remote_must(&admin, 201, "POST",
	    "{\"slug\":\"plain\",\"label\":\"Plain\",\"supports\":[]}", "/schema/collections"));
	for (int i = 0; i < 4; i++) {
		char body[128];

		(void)snprintf(body, sizeof(body),
		    "{\"slug\":\"%s\",\"label\":\"F\",\"type\":\"string\"}", fields[i % 2]);
		json_decref(remote_must(&admin, 201, "POST", body, "/schema/collections/%s/fields",
		    collections[i / 2]));
	}
	return 0;
}

static int
stop(void **state)
{
	(void)state;
	remote_close(&admin);
	daemon_stop(d);
	free(token);
	return 0;
}

/* ---- items ---- */

static const char *
text_of(json_t *object, const char *member)
{
	const char *s = json_string_value(json_object_get(object, member));

	return s != NULL ? s : "";
}

/* An item that clients change at the same time, and what these clients share. */
struct race {
	const char *collection;
	char id[32], rev[128];
	int round;
	char (*id_of)[32]; /* ids, for races over several items */
	pthread_barrier_t line;
	struct runner {
		struct race *race;
		struct remote remote;
		int number, status;
		int count;
		char kept[EACH > WINS ? EACH : WINS][128];
	} runner[CLIENTS];
};

static void
make(struct race *r, const char *collection, const char *status)
{
	char body[128];
	json_t *data;

	r->collection = collection;
	(void)snprintf(body, sizeof(body),
	    "{\"status\":\"%s\",\"data\":{\"title\":\"0\",\"summary\":\"0\"}}", status);
	data = remote_must(&admin, 201, "POST", body, "/content/%s", collection);
	(void)snprintf(r->id, sizeof(r->id), "%s", text_of(json_object_get(data, "item"), "id"));
	(void)snprintf(r->rev, sizeof(r->rev), "%s", text_of(data, "_rev"));
	json_decref(data);
}

/* {item, _rev}, to be released. */
static json_t *
get(struct remote *remote, const struct race *r)
{
	return remote_must(remote, 200, "GET", NULL, "/content/%s/%s", r->collection, r->id);
}

/* Runs this function in one thread for each client; waits for all. */
static void
race(struct race *r, void *(*run)(void *))
{
	pthread_t thread[CLIENTS];

	assert_int_equal(pthread_barrier_init(&r->line, NULL, CLIENTS), 0);
	for (int i = 0; i < CLIENTS; i++) {
		r->runner[i] = (struct runner){ .race = r, .number = i };
		remote_open(&r->runner[i].remote, d, token);
	}
	for (int i = 0; i < CLIENTS; i++)
		assert_int_equal(pthread_create(&thread[i], NULL, run, &r->runner[i]), 0);
	for (int i = 0; i < CLIENTS; i++) {
		assert_int_equal(pthread_join(thread[i], NULL), 0);
		remote_close(&r->runner[i].remote);
	}
	(void)pthread_barrier_destroy(&r->line);
}

/* ---- one revision ---- */

/* Writes a title with this _rev; returns the status, 200 or a conflict. */
static int
write_title(struct runner *me, const char *rev, const char *title)
{
	struct answer a;
	char body[512];
	int status;

	(void)snprintf(body, sizeof(body),
	    "{\"_rev\":\"%s\",\"data\":{\"title\":\"%s\",\"summary\":\"%s\"}}", rev, title, title);
	remote_ask(
	    &me->remote, &a, "PUT", body, "/content/%s/%s", me->race->collection, me->race->id);
	status = a.status;
	if (status == 409)
		assert_string_equal(answer_code(&a), "CONFLICT");
	else if (status != 200)
		fail_msg("PUT: %d %s", status, a.body);
	else
		assert_string_equal(
		    text_of(json_object_get(
				json_object_get(json_object_get(a.json, "data"), "item"), "data"),
			"title"),
		    title);
	answer_free(&a);
	return status;
}

static void *
write_once(void *arg)
{
	struct runner *me = arg;
	char title[32];

	(void)snprintf(title, sizeof(title), "%d by %d", me->race->round, me->number);
	(void)pthread_barrier_wait(&me->race->line);
	me->status = write_title(me, me->race->rev, title);
	return NULL;
}

static const struct {
	const char *collection, *status;
} kinds[] = { { "posts", "draft" }, { "posts", "published" }, { "plain", "draft" },
	{ "plain", "published" } };
#define KINDS (sizeof(kinds) / sizeof(kinds[0]))

/* The only client whose write succeeded. */
static int
winner_of(const struct race *r)
{
	int winner = -1;

	for (int i = 0; i < CLIENTS; i++) {
		if (r->runner[i].status != 200)
			continue;
		if (winner >= 0)
			fail_msg("%d and %d wrote on one revision", winner, i);
		winner = i;
	}
	assert_true(winner >= 0);
	return winner;
}

static void
each_revision_has_one_winner(void **state)
{
	struct race r;

	(void)state;
	for (size_t k = 0; k < KINDS; k++) {
		make(&r, kinds[k].collection, kinds[k].status);
		for (int round = 0; round < ROUNDS; round++) {
			int winner;
			char title[32];
			json_t *data, *item;

			r.round = round; /* a write without a change would have no winner */
			race(&r, write_once);
			winner = winner_of(&r);
			data = get(&admin, &r);
			item = json_object_get(data, "item");
			(void)snprintf(title, sizeof(title), "%d by %d", round, winner);
			assert_string_equal(text_of(json_object_get(item, "data"), "title"), title);
			assert_string_equal(text_of(item, "status"), kinds[k].status);
			assert_string_not_equal(text_of(data, "_rev"), r.rev);
			(void)snprintf(r.rev, sizeof(r.rev), "%s", text_of(data, "_rev"));
			json_decref(data);
		}
	}
}

/* Reads and writes until it has succeeded so often; records the revisions of its writes. */
static void *
write_often(void *arg)
{
	struct runner *me = arg;
	char title[32];

	(void)pthread_barrier_wait(&me->race->line);
	while (me->count < WINS) {
		json_t *data = get(&me->remote, me->race);
		const char *rev = text_of(data, "_rev");

		(void)snprintf(title, sizeof(title), "%d of %d", me->count, me->number);
		if (write_title(me, rev, title) == 200)
			(void)snprintf(me->kept[me->count++], sizeof(me->kept[0]), "%s", rev);
		json_decref(data);
	}
	return NULL;
}

/* The revisions that all clients recorded, which must differ: a set, to be released. */
static json_t *
kept_by_all(struct race *r)
{
	json_t *all = json_object();

	for (int i = 0; i < CLIENTS; i++)
		for (int k = 0; k < r->runner[i].count; k++) {
			const char *kept = r->runner[i].kept[k];

			if (json_object_get(all, kept) != NULL)
				fail_msg("%s comes twice", kept);
			json_object_set_new(all, kept, json_true());
		}
	return all;
}

static void
no_write_is_lost(void **state)
{
	struct race r;

	(void)state;
	for (size_t k = 0; k < KINDS; k++) {
		json_t *data, *all;

		make(&r, kinds[k].collection, kinds[k].status);
		race(&r, write_often);
		all = kept_by_all(&r);
		assert_int_equal(json_object_size(all), CLIENTS * WINS);
		json_decref(all);
		/* Each write increased the version by one, and nothing else did. */
		data = get(&admin, &r);
		assert_int_equal(
		    json_integer_value(json_object_get(json_object_get(data, "item"), "version")),
		    1 + CLIENTS * WINS);
		json_decref(data);
	}
}

/* ---- one title, one slug ---- */

static void *
create_often(void *arg)
{
	struct runner *me = arg;

	(void)pthread_barrier_wait(&me->race->line);
	while (me->count < EACH) {
		json_t *data = remote_must(&me->remote, 201, "POST",
		    "{\"data\":{\"title\":\"The Same\",\"summary\":\"s\"}}", "/content/posts");

		(void)snprintf(me->kept[me->count++], sizeof(me->kept[0]), "%s",
		    text_of(json_object_get(data, "item"), "slug"));
		json_decref(data);
	}
	return NULL;
}

static void
one_title_makes_many_slugs(void **state)
{
	struct race r = { 0 };
	json_t *all;

	(void)state;
	race(&r, create_often);
	all = kept_by_all(&r);
	assert_int_equal(json_object_size(all), CLIENTS * EACH);
	assert_non_null(json_object_get(all, "the-same"));
	for (int i = 2; i <= CLIENTS * EACH; i++) {
		char slug[32];

		(void)snprintf(slug, sizeof(slug), "the-same-%d", i);
		if (json_object_get(all, slug) == NULL)
			fail_msg("nobody got %s", slug);
	}
	json_decref(all);
}

static void *
create_one_slug(void *arg)
{
	struct runner *me = arg;
	struct answer a;

	(void)pthread_barrier_wait(&me->race->line);
	remote_ask(&me->remote, &a, "POST", "{\"slug\":\"mine\",\"data\":{\"title\":\"M\"}}",
	    "/content/posts");
	me->status = a.status;
	if (a.status != 201)
		assert_string_equal(answer_code(&a), "SLUG_CONFLICT");
	answer_free(&a);
	return NULL;
}

static void
a_slug_that_is_asked_for_goes_to_one(void **state)
{
	struct race r = { 0 };
	int made = 0;

	(void)state;
	race(&r, create_one_slug);
	for (int i = 0; i < CLIENTS; i++)
		made += r.runner[i].status == 201;
	assert_int_equal(made, 1);
}

/* ---- publish, unpublish, edit ---- */

/* Title and summary are always written together. */
static void
is_whole(json_t *values)
{
	assert_string_not_equal(text_of(values, "title"), "");
	assert_string_equal(text_of(values, "title"), text_of(values, "summary"));
}

static void
item_is_whole(json_t *data, const char *status)
{
	json_t *item = json_object_get(data, "item"), *live = json_object_get(item, "liveData");

	is_whole(json_object_get(item, "data"));
	if (json_is_object(live))
		is_whole(live);
	if (status != NULL)
		assert_string_equal(text_of(item, "status"), status);
}

static void *
quarrel(void *arg)
{
	struct runner *me = arg;
	const struct race *r = me->race;
	char body[128];

	(void)pthread_barrier_wait(&me->race->line);
	for (int i = 1; i <= TURNS; i++) {
		const char *rest = me->number % 4 == 0 ? "/publish" : "/unpublish";
		json_t *data;

		switch (me->number % 4) {
		case 0:
		case 1:
			data = remote_must(&me->remote, 200, "POST", NULL, "/content/%s/%s%s",
			    r->collection, r->id, rest);
			item_is_whole(data, me->number % 4 == 0 ? "published" : "draft");
			break;
		case 2:
			(void)snprintf(body, sizeof(body),
			    "{\"data\":{\"title\":\"%d-%d\",\"summary\":\"%d-%d\"}}", me->number, i,
			    me->number, i);
			data = remote_must(
			    &me->remote, 200, "PUT", body, "/content/%s/%s", r->collection, r->id);
			item_is_whole(data, NULL);
			break;
		default:
			data = get(&me->remote, r);
			item_is_whole(data, NULL);
			break;
		}
		json_decref(data);
	}
	return NULL;
}

/* Publishes the item in its final state: all of its values become live, and no draft is left. */
static void
settles(const struct race *r)
{
	json_t *before = get(&admin, r), *after, *compared, *values;

	item_is_whole(before, NULL);
	values = json_object_get(json_object_get(before, "item"), "data");
	after =
	    remote_must(&admin, 200, "POST", NULL, "/content/%s/%s/publish", r->collection, r->id);
	item_is_whole(after, "published");
	assert_true(json_equal(json_object_get(json_object_get(after, "item"), "data"), values));
	compared =
	    remote_must(&admin, 200, "GET", NULL, "/content/%s/%s/compare", r->collection, r->id);
	assert_true(json_is_false(json_object_get(compared, "hasChanges")));
	json_decref(compared);
	json_decref(after);
	json_decref(before);
}

static void
a_quarrel_ends_in_something_whole(void **state)
{
	struct race r;

	(void)state;
	for (size_t k = 0; k < KINDS; k++) {
		make(&r, kinds[k].collection, kinds[k].status);
		race(&r, quarrel);
		settles(&r);
		/* The state is on disk, not only in memory. */
		daemon_signal(d, SIGKILL);
		(void)daemon_ended(d);
		remote_close(&admin);
		daemon_run(d, 0);
		remote_open(&admin, d, token);
		settles(&r);
	}
}

/* ---- terms below terms ---- */

/* Move a term below each of the others in turn: done, or refused because it would be above itself.
 */
static void *
move_about(void *arg)
{
	struct runner *me = arg;
	struct answer a;
	char body[64];

	(void)pthread_barrier_wait(&me->race->line);
	for (int i = 1; i < CLIENTS * 3; i++) {
		int below = (me->number + i) % CLIENTS;

		if (below == me->number)
			continue;
		(void)snprintf(body, sizeof(body), "{\"parentId\":\"%s\"}", me->race->id_of[below]);
		remote_ask(
		    &me->remote, &a, "PUT", body, "/taxonomies/category/terms/t%d", me->number);
		if (a.status == 200)
			me->count++;
		else
			assert_string_equal(answer_code(&a), "VALIDATION_ERROR");
		answer_free(&a);
	}
	return NULL;
}

static size_t
terms_in(const json_t *terms)
{
	size_t i, count = 0;
	json_t *t;

	json_array_foreach((json_t *)(uintptr_t)terms, i, t) count +=
	    1 + terms_in(json_object_get(t, "children"));
	return count;
}

static void
no_term_comes_to_stand_above_itself(void **state)
{
	struct race r = { 0 };
	char id[CLIENTS][32], body[64];
	json_t *data;
	int moved = 0;

	(void)state;
	for (int i = 0; i < CLIENTS; i++) {
		(void)snprintf(body, sizeof(body), "{\"label\":\"T%d\"}", i);
		data = remote_must(&admin, 201, "POST", body, "/taxonomies/category/terms");
		(void)snprintf(
		    id[i], sizeof(id[i]), "%s", text_of(json_object_get(data, "term"), "id"));
		json_decref(data);
	}
	r.id_of = id;
	race(&r, move_about);
	for (int i = 0; i < CLIENTS; i++)
		moved += r.runner[i].count;
	assert_true(moved > CLIENTS);
	/* Terms in a cycle would not be below the root, and so would be missing. */
	data = remote_must(&admin, 200, "GET", NULL, "/taxonomies/category/terms");
	assert_int_equal(terms_in(json_object_get(data, "terms")), CLIENTS);
	json_decref(data);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_revision_has_one_winner),
		cmocka_unit_test(no_write_is_lost),
		cmocka_unit_test(one_title_makes_many_slugs),
		cmocka_unit_test(a_slug_that_is_asked_for_goes_to_one),
		cmocka_unit_test(a_quarrel_ends_in_something_whole),
		cmocka_unit_test(no_term_comes_to_stand_above_itself),
	};

	return cmocka_run_group_tests(tests, start, stop);
}
