/*
 * usagekills.c - a daemon is killed (SIGKILL) while content is written, and while the index of
 * media uses is activated, repaired and cleaned of deleted collections. After each start the index
 * agrees with the items (`stet media-usage verify`), the coverage is not more than was scanned, and
 * unfinished work is completed.
 *
 * USAGE_KILLS is the number of kills (12; `make long`: 300), USAGE_SEED chooses their times.
 */
#include "remote.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define USAGE "/admin/media-usage"
#define WRITERS 3
#define LIFE_US 30000 /* longest life of the daemon */
#define ITEMS 260 /* items of the scanned collection: several batches */
#define ADVANCES 200 /* most requests until everything is done */

static struct daemon *d;
static char *token;
static unsigned short seed[3];
static int heard, lost; /* answers */

static int
pick(int n)
{
	return (int)(nrand48(seed) % n);
}

/* ---- a site ---- */

static void
make_collection(struct remote *by, const char *slug)
{
	char body[100];

	(void)snprintf(body, sizeof(body), "{\"slug\":\"%s\",\"label\":\"K\"}", slug);
	json_decref(remote_must(by, 201, "POST", body, "/schema/collections"));
	json_decref(
	    remote_must(by, 201, "POST", "{\"slug\":\"hero\",\"label\":\"H\",\"type\":\"image\"}",
		"/schema/collections/%s/fields", slug));
}

/* The media item that an item refers to need not exist. */
static void
item_body(char *body, size_t size, const char *slug)
{
	(void)snprintf(body, size,
	    "{%s%s%s\"status\":\"%s\",\"data\":{\"hero\":{\"id\":\"01MMMMMMMMMMMMMMMMMMMMMMM%d\","
	    "\"darkVariant\":{\"id\":\"01NNNNNNNNNNNNNNNNNNNNNNN%d\"}}}}",
	    slug != NULL ? "\"slug\":\"" : "", slug != NULL ? slug : "", slug != NULL ? "\"," : "",
	    pick(2) == 0 ? "draft" : "published", pick(5), pick(5));
}

static void
make_items(struct remote *by, const char *collection, int count)
{
	static int names;
	char body[400], slug[20];

	for (int i = 0; i < count; i++) {
		(void)snprintf(slug, sizeof(slug), "s%d", names++);
		item_body(body, sizeof(body), slug);
		json_decref(remote_must(by, 201, "POST", body, "/content/%s", collection));
	}
}

/* ---- requests in flight ---- */

static void
say(struct remote *to, const char *method, const char *body, const char *path)
{
	remote_open(to, d, token);
	remote_say(to, method, body, "%s", path);
}

/* A complete response must not be a fault of the server. */
static void
hear(struct remote *from)
{
	struct answer a;

	if (client_hears(&from->client, &a, false) && a.whole) {
		if (a.status >= 500)
			fail_msg("%d %s", a.status, a.body);
		heard++;
	} else
		lost++;
	answer_free(&a);
	remote_close(from);
}

static void
say_write(struct remote *to)
{
	char body[400], path[80];
	int item = pick(ITEMS);

	item_body(body, sizeof(body), NULL);
	switch (pick(6)) {
	case 0:
		(void)snprintf(path, sizeof(path), "/content/posts/s%d", item);
		say(to, "DELETE", NULL, path);
		return;
	case 1:
		say(to, "POST", body, "/content/posts");
		return;
	case 2:
		(void)snprintf(path, sizeof(path), "/content/posts/s%d/duplicate", item);
		say(to, "POST", "{}", path);
		return;
	default:
		(void)snprintf(path, sizeof(path), "/content/posts/s%d", item);
		say(to, "PUT", body, path);
	}
}

/* Requests one of the procedures of the index, or a change that the index has to follow. */
static void
say_procedure(struct remote *to, const char *doomed)
{
	char path[80];

	switch (pick(6)) {
	case 0:
		say(to, "POST", "{\"writersDrained\":true}", USAGE "/activation");
		return;
	case 1:
		say(to, "POST", NULL, USAGE "/progress");
		return;
	case 2:
		say(to, "POST", "{\"scope\":\"all\"}", USAGE "/repair");
		return;
	case 3:
		(void)snprintf(path, sizeof(path), "/schema/collections/%s?force=true", doomed);
		say(to, "DELETE", NULL, path);
		return;
	case 4:
		say(to, "POST", "{\"slug\":\"more\",\"label\":\"M\",\"type\":\"image\"}",
		    "/schema/collections/posts/fields");
		return;
	default:
		say(to, "DELETE", NULL, "/schema/collections/posts/fields/more");
	}
}

/* The daemon runs already, and may scan what was missed. */
static void
live(const char *doomed)
{
	struct timespec moment = { 0, pick(LIFE_US) * 1000L };
	struct remote writer[WRITERS], procedure[2];

	for (int i = 0; i < 2; i++)
		say_procedure(&procedure[i], doomed);
	for (int i = 0; i < WRITERS; i++)
		say_write(&writer[i]);
	(void)nanosleep(&moment, NULL);
	assert_int_equal(kill(d->pid, SIGKILL), 0);
	(void)daemon_ended(d);
	for (int i = 0; i < WRITERS; i++)
		hear(&writer[i]);
	for (int i = 0; i < 2; i++)
		hear(&procedure[i]);
}

/* ---- after it ---- */

static bool
is_text(const json_t *object, const char *key, const char *wanted)
{
	const char *text = json_string_value(json_object_get(object, key));

	return text != NULL && strcmp(text, wanted) == 0;
}

/* Continues activation after the kill, until the index is active. */
static void
activate(struct remote *by)
{
	bool active = false;

	for (int i = 0; !active; i++) {
		json_t *data =
		    remote_must(by, 200, "POST", "{\"writersDrained\":true}", USAGE "/activation");

		active = is_text(data, "outcome", "active");
		json_decref(data);
		assert_true(i < ADVANCES);
	}
}

/* Repeats the request until nothing is left to do. The daemon's job does the same meanwhile. */
static void
advance(struct remote *by)
{
	bool ready = false;

	for (int i = 0; !ready; i++) {
		json_t *data = remote_must(by, 200, "POST", NULL, USAGE "/progress");

		ready = is_text(json_object_get(data, "progress"), "status", "ready") &&
			!json_is_integer(json_object_get(data, "nextRequestInMs"));
		json_decref(data);
		assert_true(i < ADVANCES);
	}
}

/* The index has nothing left of deleted collections. */
static void
check_deletions(struct remote *by)
{
	static const char *const states[] = { "pending", "retry", "leased", "failed" };

	for (size_t i = 0; i < 4; i++) {
		json_t *data = remote_must(
		    by, 200, "GET", NULL, USAGE "/collection-deletions?state=%s", states[i]);

		assert_int_equal(json_array_size(json_object_get(data, "items")), 0);
		json_decref(data);
	}
}

/* COMMAND fails if the command does: verify compares the index with all items. */
static void
check_all(const char *doomed)
{
	struct remote by;
	struct answer a;

	free(COMMAND(d, "media-usage", "verify"));
	daemon_run(d, 0);
	remote_open(&by, d, token);
	activate(&by);
	advance(&by);
	check_deletions(&by);
	free(COMMAND(d, "media-usage", "verify"));
	/* If the collection is still there, its deletion is completed by the next daemon. */
	remote_ask(&by, &a, "DELETE", NULL, "/schema/collections/%s?force=true", doomed);
	assert_true(a.status == 200 || a.status == 404);
	answer_free(&a);
	remote_close(&by);
}

/* ---- before it ---- */

static void
stop(void)
{
	daemon_signal(d, SIGTERM);
	assert_int_equal(daemon_ended(d), 0);
}

/* Writes items that the index does not know, while the module is off. The daemon is stopped
 * afterwards. */
static void
write_unseen(int count)
{
	struct remote by;

	stop();
	free(COMMAND(d, "module", "disable", "media-usage"));
	daemon_run(d, 0);
	remote_open(&by, d, token);
	make_items(&by, "posts", count);
	remote_close(&by);
	stop();
	free(COMMAND(d, "module", "enable", "media-usage"));
}

/* A collection to be deleted, and every third time something to scan. */
static void
prepare(int round, char doomed[20])
{
	struct remote by;

	(void)snprintf(doomed, 20, "k%d", round);
	remote_open(&by, d, token);
	make_collection(&by, doomed);
	make_items(&by, doomed, 5);
	remote_close(&by);
	if (round % 3 != 0)
		return;
	write_unseen(round == 0 ? ITEMS : 20);
	daemon_run(d, 0);
}

static void
the_index_is_right_after_each_kill(void **state)
{
	const char *kills = getenv("USAGE_KILLS"), *from = getenv("USAGE_SEED");
	int count = kills != NULL ? (int)strtol(kills, NULL, 10) : 12;
	struct remote by;
	char doomed[20];

	(void)state;
	seed[0] = (unsigned short)(from != NULL ? strtol(from, NULL, 10) : time(NULL));
	print_message("# USAGE_SEED=%d\n", seed[0]);
	daemon_run(d, 0);
	remote_open(&by, d, token);
	make_collection(&by, "posts");
	remote_close(&by);
	for (int round = 0; round < count; round++) {
		prepare(round, doomed);
		live(doomed);
		check_all(doomed);
	}
	print_message("# %d kills: %d answers, %d requests without one\n", count, heard, lost);
	assert_true(heard + lost > 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_index_is_right_after_each_kill),
	};
	int failed;

	d = remote_new(NULL, NULL);
	token = remote_token(d, "admin", "admin");
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	free(token);
	daemon_stop(d);
	return failed;
}
