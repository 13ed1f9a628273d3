/*
 * alike.c - two daemons of one site answer as one: what was written on either is on the other with
 * the next request, and a daemon that is killed leaves the other without an error. ALIKE_ROUNDS is
 * the number of writes.
 */
#include "daemons.h"
#include <stdio.h>
#include <stdlib.h>

#define ROUNDS 1000
#define LIST "/content/notes?orderBy=updated_at&order=desc&limit=5"

static struct daemons ds;

static int
rounds(void)
{
	const char *many = getenv("ALIKE_ROUNDS");

	return many != NULL ? (int)strtol(many, NULL, 10) : ROUNDS;
}

static const char *
id_of(const json_t *data)
{
	return json_string_value(json_object_get(json_object_get(data, "item"), "id"));
}

/* Reads the same from both, on the other one first, and compares what they say. Returns the body,
 * to be freed. */
static char *
read_both(int other, const char *path)
{
	struct answer a, b;
	char *body;

	remote_ask(&ds.admin[other], &a, "GET", NULL, "%s", path);
	remote_ask(&ds.admin[1 - other], &b, "GET", NULL, "%s", path);
	assert_int_equal(a.status, 200);
	assert_int_equal(b.status, 200);
	assert_string_equal(a.body, b.body);
	assert_non_null(answer_header(&a, "ETag"));
	assert_string_equal(answer_header(&a, "ETag"), answer_header(&b, "ETag"));
	body = strdup(a.body);
	assert_non_null(body);
	answer_free(&a);
	answer_free(&b);
	return body;
}

static void
what_one_has_written_the_other_reads_at_once(void **state)
{
	char id[64], path[128];
	json_t *made;

	(void)state;
	made = remote_must(
	    &ds.admin[0], 201, "POST", "{\"data\":{\"title\":\"first\"}}", "/content/notes");
	(void)snprintf(id, sizeof(id), "%s", id_of(made));
	json_decref(made);
	(void)snprintf(path, sizeof(path), "/content/notes/%s", id);
	for (int i = 0, n = rounds(); i < n; i++) {
		int writer = i / 2 % 2, other = 1 - writer;
		char title[32], body[128], *one, *list;

		(void)snprintf(title, sizeof(title), "title %d.", i);
		(void)snprintf(body, sizeof(body), "{\"data\":{\"title\":\"%s\"}}", title);
		if (i % 8 == 7) {
			made = remote_must(&ds.admin[writer], 201, "POST", body, "/content/notes");
			(void)snprintf(path, sizeof(path), "/content/notes/%s", id_of(made));
			json_decref(made);
		} else {
			json_decref(remote_must(&ds.admin[writer], 200, "PUT", body, "%s", path));
		}
		one = read_both(other, path);
		list = read_both(other, LIST);
		assert_non_null(strstr(one, title));
		assert_non_null(strstr(list, title));
		/* Nothing was written: both are kept now. */
		free(one);
		one = read_both(other, path);
		assert_non_null(strstr(one, title));
		free(one);
		free(list);
	}
}

static void
a_killed_daemon_leaves_the_other_without_an_error(void **state)
{
	(void)state;
	for (int i = 0; i < 4; i++) {
		int killed = i % 2, other = 1 - killed;

		daemons_kill(&ds, killed);
		for (int k = 0; k < 20; k++) {
			json_decref(remote_must(&ds.admin[other], 201, "POST",
			    "{\"data\":{\"title\":\"alone\"}}", "/content/notes"));
			json_decref(remote_must(&ds.admin[other], 200, "GET", NULL, LIST));
		}
		daemons_run(&ds, killed);
		free(read_both(killed, LIST));
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_one_has_written_the_other_reads_at_once),
		cmocka_unit_test(a_killed_daemon_leaves_the_other_without_an_error),
	};
	int status;

	if (!daemons_start(&ds, 2, NULL, NULL, &status))
		return status;
	daemons_collection(&ds, "notes");
	status = cmocka_run_group_tests(tests, NULL, NULL);
	daemons_stop(&ds);
	return status;
}
