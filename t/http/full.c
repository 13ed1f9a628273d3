/*
 * full.c - a full disk: errors are clean, reads work, nothing acknowledged is lost, and writes work
 * as soon as there is room. The disk is a small tmpfs that no other process sees; without the right
 * to mount one, the tests are skipped.
 */
#include "remote.h"
#include "tmpdisk.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define DISK 8 /* megabytes */
#define ROOM ((size_t)1 << 20) /* bytes that the filler leaves at most */
#define WRITERS 4
#define ITEMS_MAX 4000

static struct daemon *d;
static struct remote writer[WRITERS];
static char *token;
static struct {
	char id[27];
	int n;
} stored[ITEMS_MAX]; /* items whose creation was acknowledged */
static int stored_count, next_n, refused;
static time_t begun;

/* ---- requests ---- */

/* A storage error in the envelope that mentions neither files nor SQL. */
static void
assert_clean(const struct answer *a)
{
	const char *code = answer_code(a);

	if (a->status < 500 || a->status > 599 || *code == '\0' ||
	    !json_is_false(json_object_get(a->json, "success")) ||
	    strcasestr(a->body, "sqlite") != NULL || strcasestr(a->body, "disk") != NULL ||
	    strstr(a->body, "/tmp") != NULL)
		fail_msg("answer: %s%s", a->head, a->body);
	if (strcmp(code, "INSUFFICIENT_STORAGE") != 0 && strstr(code, "_ERROR") == NULL)
		fail_msg("code: %s", code);
	refused++;
}

static void
remember(const struct answer *a, int n)
{
	json_t *item = json_object_get(json_object_get(a->json, "data"), "item");
	const char *id = json_string_value(json_object_get(item, "id"));

	assert_non_null(id);
	assert_true(stored_count < ITEMS_MAX);
	(void)snprintf(stored[stored_count].id, 27, "%s", id);
	stored[stored_count++].n = n;
}

/* Every writer creates an item at the same time, so that they share batches. Returns how many
 * succeeded. */
static int
create_round(int size)
{
	char *body = malloc((size_t)size + 256);
	int good = 0;

	assert_non_null(body);
	for (int i = 0; i < WRITERS; i++) {
		(void)snprintf(body, (size_t)size + 256,
		    "{\"data\":{\"title\":\"Item %d\",\"n\":%d,\"text\":\"%0*d\"}}", next_n + i,
		    next_n + i, size, 0);
		remote_say(&writer[i], "POST", body, "/content/things");
	}
	for (int i = 0; i < WRITERS; i++) {
		struct answer a;

		remote_hear(&writer[i], &a);
		if (a.status == 201) {
			remember(&a, next_n + i);
			good++;
		} else
			assert_clean(&a);
		answer_free(&a);
	}
	next_n += WRITERS;
	free(body);
	return good;
}

/* Every acknowledged item is there and complete. */
static void
assert_all_there(void)
{
	json_t *data;

	for (int i = 0; i < stored_count; i++) {
		json_t *n;

		data = remote_must(
		    &writer[i % WRITERS], 200, "GET", NULL, "/content/things/%s", stored[i].id);
		n = json_object_get(json_object_get(json_object_get(data, "item"), "data"), "n");
		assert_int_equal(json_integer_value(n), stored[i].n);
		json_decref(data);
	}
	data = remote_must(
	    &writer[0], 200, "GET", NULL, "/content/things?includeTotal=1&limit=5&orderBy=n");
	assert_int_equal(json_array_size(json_object_get(data, "items")), 5);
	assert_int_equal(json_integer_value(json_object_get(data, "total")), stored_count);
	json_decref(data);
}

static void
connect_all(void)
{
	for (int i = 0; i < WRITERS; i++)
		remote_open(&writer[i], d, token);
}

static void
disconnect_all(void)
{
	for (int i = 0; i < WRITERS; i++)
		remote_close(&writer[i]);
}

static int
start(void **state)
{
	(void)state;
	daemon_modules = "modules/.libs";
	d = daemon_new("workers = 2\n", NULL);
	tmpdisk_mount(d, DISK);
	free(COMMAND(d, "init"));
	free(COMMAND(d, "call", "schema_create_collection", "slug=things", "label=Things",
	    "supports=[\"drafts\"]"));
	free(COMMAND(d, "call", "schema_create_field", "collection=things", "slug=title",
	    "label=Title", "type=string"));
	free(COMMAND(d, "call", "schema_create_field", "collection=things", "slug=text",
	    "label=Text", "type=text"));
	free(COMMAND(d, "call", "schema_create_field", "collection=things", "slug=n", "label=N",
	    "type=integer", "indexed=true"));
	token = remote_token(d, "admin", "admin");
	begun = time(NULL);
	daemon_run(d, 0);
	connect_all();
	return 0;
}

static int
stop(void **state)
{
	(void)state;
	disconnect_all();
	daemon_signal(d, SIGTERM);
	assert_int_equal(daemon_ended(d), 0);
	tmpdisk_unmount(d);
	daemon_stop(d);
	free(token);
	return 0;
}

/* ---- the tests, in turn ---- */

/* Sends only reads for so long. Meanwhile the idle writer tries to checkpoint the WAL, for which
 * there is no room. */
static void
only_read(int ms)
{
	struct timespec from, now;

	assert_int_equal(clock_gettime(CLOCK_MONOTONIC, &from), 0);
	do {
		json_decref(remote_must(&writer[0], 200, "GET", NULL, "/schema/collections"));
		assert_int_equal(clock_gettime(CLOCK_MONOTONIC, &now), 0);
	} while ((now.tv_sec - from.tv_sec) * 1000 + (now.tv_nsec - from.tv_nsec) / 1000000 < ms);
}

static void
writes_are_refused_cleanly_when_the_disk_is_full(void **state)
{
	static const char *const other[][3] = {
		{ "POST", "/schema/collections", "{\"slug\":\"more_%d\",\"label\":\"More\"}" },
		{ "POST", "/schema/collections/things/fields",
		    "{\"slug\":\"f%d\",\"label\":\"F\",\"type\":\"string\",\"indexed\":true}" },
		{ "POST", "/admin/api-tokens", "{\"name\":\"t%d\",\"scopes\":[\"admin\"]}" },
	};
	char body[256];

	(void)state;
	(void)create_round(10);
	assert_int_equal(stored_count, WRITERS);
	tmpdisk_fill(d, ROOM);
	for (int i = 0; i < 500 && refused < 40; i++)
		(void)create_round(20000);
	assert_true(refused >= 40);
	/* Small writes may still find room; a change of the schema needs more. */
	for (int i = 0; i < 20; i++) {
		(void)create_round(i % 2 == 0 ? 10 : 3000);
		only_read(150);
	}
	for (int i = 0; i < 30; i++) {
		struct answer a;

		(void)snprintf(body, sizeof(body), "%.*s%d%s",
		    (int)(strchr(other[i % 3][2], '%') - other[i % 3][2]), other[i % 3][2], i,
		    strchr(other[i % 3][2], '%') + 2);
		remote_ask(&writer[i % WRITERS], &a, other[i % 3][0], body, "%s", other[i % 3][1]);
		if (a.status != 201)
			assert_clean(&a);
		answer_free(&a);
	}
	print_message("# %d stored, %d refused\n", stored_count, refused);
}

static void
reads_go_on_while_the_disk_is_full(void **state)
{
	struct remote r;

	(void)state;
	assert_all_there();
	remote_open(&r, d, token);
	json_decref(remote_must(&r, 200, "GET", NULL, "/schema/collections"));
	json_decref(remote_must(&r, 200, "GET", NULL, "/auth/me"));
	remote_close(&r);
}

/* Counts the lines about the full disk in the first `len` bytes of the log. */
static int
told(size_t len)
{
	int lines = 0;

	for (const char *line = d->said; line < d->said + len; line += strcspn(line, "\n") + 1) {
		size_t n = strcspn(line, "\n");

		lines += memmem(line, n, "is full", 7) != NULL ||
			 memmem(line, n, "rolled back", 11) != NULL ||
			 memmem(line, n, "sqlite ", 7) != NULL;
	}
	return lines;
}

static void
a_start_on_a_full_disk_serves_what_is_there(void **state)
{
	size_t len;
	int most;

	(void)state;
	disconnect_all();
	daemon_signal(d, SIGTERM);
	len = daemon_said(d, 0, "stopping");
	/* Hundreds of writes were refused, with one line for each reason and minute. */
	most = 12 * ((int)(time(NULL) - begun) / 60 + 1);
	if (told(len) < 1 || told(len) > most)
		fail_msg("%d lines in %d s:\n%s", told(len), (int)(time(NULL) - begun), d->said);
	assert_int_equal(daemon_ended(d), 0);
	daemon_run(d, 0);
	connect_all();
	/* Stopping may have freed space, which is filled again. */
	for (int i = 0; i < 500 && create_round(20000) > 0; i++)
		continue;
	assert_all_there();
}

static void
writes_go_on_when_there_is_room_again(void **state)
{
	int before = stored_count;

	(void)state;
	tmpdisk_free(d);
	for (int i = 0; i < 10; i++)
		assert_int_equal(create_round(20000), WRITERS);
	assert_int_equal(stored_count, before + 10 * WRITERS);
	json_decref(remote_must(&writer[0], 201, "POST", "{\"slug\":\"late\",\"label\":\"Late\"}",
	    "/schema/collections"));
	json_decref(remote_must(
	    &writer[0], 200, "DELETE", NULL, "/content/things/%s", stored[--stored_count].id));
	assert_all_there();
}

static void
nothing_is_lost_and_verify_is_content(void **state)
{
	struct command c;

	(void)state;
	disconnect_all();
	daemon_signal(d, SIGTERM);
	assert_int_equal(daemon_ended(d), 0);
	command_run(d, &c, (const char *const[]){ "verify", NULL });
	if (c.status != 0)
		fail_msg("verify: %s\n%s", c.out, c.err);
	command_free(&c);
	daemon_run(d, 0);
	connect_all();
	assert_all_there();
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(writes_are_refused_cleanly_when_the_disk_is_full),
		cmocka_unit_test(reads_go_on_while_the_disk_is_full),
		cmocka_unit_test(a_start_on_a_full_disk_serves_what_is_there),
		cmocka_unit_test(writes_go_on_when_there_is_room_again),
		cmocka_unit_test(nothing_is_lost_and_verify_is_content),
	};

	if (!tmpdisk_permitted()) {
		printf("1..0 # SKIP a file system of one's own needs the right to mount\n");
		return 0;
	}
	return cmocka_run_group_tests(tests, start, stop);
}
