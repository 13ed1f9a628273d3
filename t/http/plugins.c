/* plugins.c - plugins are added to a running daemon, enabled and disabled, and refused if they are
 * invalid. */
#include "remote.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define COUNT "/plugins/word-count/count?text=let%20it%20stand"

static struct daemon *d;
static struct remote admin;
static char *token;

static void
drop_examples(void)
{
	remote_plugin(
	    d, "plugin-sdk/examples/word-count/.libs/word-count.so", "word-count.so", 0644);
	remote_plugin(
	    d, "plugin-sdk/examples/house-rules/.libs/house-rules.so", "house-rules.so", 0644);
}

/* The same by a command that changes modules: the command notifies the daemon itself. */
static void
command_tells(const char *verb, const char *id)
{
	size_t at = d->said_len;

	free(COMMAND(d, "module", verb, id));
	(void)daemon_said(d, at, "read again");
}

/* Returns the plugin's entry in GET /admin/plugins, to be released; NULL if it is not listed. */
static json_t *
listed(const char *id)
{
	json_t *data = remote_must(&admin, 200, "GET", NULL, "/admin/plugins"), *item,
	       *found = NULL;
	size_t i;

	json_array_foreach(json_object_get(data, "items"), i, item)
	{
		if (strcmp(json_string_value(json_object_get(item, "id")), id) == 0)
			found = json_incref(item);
	}
	json_decref(data);
	return found;
}

static void
assert_listed(const char *id, const char *status, const char *reason)
{
	json_t *item = listed(id);
	const char *why;

	if (item == NULL)
		fail_msg("%s is not listed", id);
	assert_string_equal(json_string_value(json_object_get(item, "status")), status);
	assert_int_equal(
	    json_is_true(json_object_get(item, "enabled")), strcmp(status, "active") == 0);
	why = json_string_value(json_object_get(item, "reason"));
	if (reason != NULL && (why == NULL || strstr(why, reason) == NULL))
		fail_msg("%s: the reason is %s", id, why);
	json_decref(item);
}

/* The line of a module in the output of `stet module list`, to be freed. */
static char *
line_of(const char *id)
{
	char *all = COMMAND(d, "module", "list"), *rest = all, *line, *found = NULL;

	while ((line = strsep(&rest, "\n")) != NULL)
		if (strncmp(line, id, strlen(id)) == 0 && line[strlen(id)] == ' ')
			found = strdup(line);
	free(all);
	return found;
}

static void
expect(int status, const char *code, const char *method, const char *body, const char *path)
{
	struct answer a;

	remote_ask(&admin, &a, method, body, "%s", path);
	if (a.status != status || strcmp(answer_code(&a), code) != 0)
		fail_msg("%s %s: %s", method, path, a.body);
	answer_free(&a);
}

static void
assert_counts(bool yes)
{
	json_t *data = remote_must(&admin, yes ? 200 : 404, "GET", NULL, "%s", COUNT);

	if (yes)
		assert_int_equal(json_integer_value(json_object_get(data, "words")), 3);
	json_decref(data);
}

static int
start(void **state)
{
	(void)state;
	d = remote_new(NULL, NULL);
	token = remote_token(d, "admin", "admin");
	free(COMMAND(d, "call", "schema_create_collection", "slug=posts", "label=Posts"));
	free(COMMAND(d, "call", "schema_create_field", "collection=posts", "slug=title",
	    "label=Title", "type=string"));
	free(COMMAND(d, "call", "schema_create_field", "collection=posts", "slug=text",
	    "label=Text", "type=text"));
	free(COMMAND(d, "call", "schema_create_field", "collection=posts", "slug=word_count",
	    "label=Words", "type=integer"));
	daemon_run(d, 0);
	remote_open(&admin, d, token);
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

/* ---- the tests, each on a daemon of its own ---- */

static void
a_dropped_plugin_is_found_on_sighup(void **state)
{
	char *line;

	(void)state;
	drop_examples();
	assert_null(listed("word-count"));
	(void)daemon_reload(d);
	assert_listed("word-count", "inactive", NULL);
	assert_listed("house-rules", "inactive", NULL);
	line = line_of("word-count");
	assert_non_null(line);
	free(line);
	assert_counts(false);
	expect(404, "NOT_FOUND", "POST", NULL, "/admin/plugins/ghost/enable");
}

/* Replaces the file of the running plugin by renaming another one, like `make install`. */
static void
replace_plugin(const char *file)
{
	char path[256];

	remote_plugin(d, "plugin-sdk/examples/word-count/.libs/word-count.so", "new", 0644);
	(void)snprintf(path, sizeof(path), "%s", daemon_path(d, file));
	assert_int_equal(rename(daemon_path(d, "new"), path), 0);
}

static void
a_replaced_plugin_is_told_of_once_and_runs_on(void **state)
{
	static const char told[] = "module word-count: its file is another one than the one that "
				   "runs; restart the daemon to use it";
	size_t at;

	(void)state;
	drop_examples();
	(void)daemon_reload(d);
	expect(200, "", "POST", NULL, "/admin/plugins/word-count/enable");
	at = daemon_reload(d);
	assert_null(strstr(d->said + at, "another one"));
	for (int i = 0; i < 2; i++) {
		replace_plugin("word-count.so");
		at = daemon_reload(d);
		assert_non_null(strstr(d->said + at, told));
		at = daemon_reload(d);
		assert_null(strstr(d->said + at, "another one"));
		assert_counts(true);
	}
	/* A deleted file does not replace the loaded module. */
	assert_int_equal(unlink(daemon_path(d, "word-count.so")), 0);
	at = daemon_reload(d);
	assert_null(strstr(d->said + at, "another one"));
	assert_counts(true);
}

static void
a_route_works_at_once_when_enabled_and_ends_when_disabled(void **state)
{
	(void)state;
	drop_examples();
	(void)daemon_reload(d);
	for (int i = 0; i < 3; i++) {
		expect(200, "", "POST", NULL, "/admin/plugins/word-count/enable");
		assert_counts(true);
		assert_listed("word-count", "active", NULL);
		expect(200, "", "POST", NULL, "/admin/plugins/word-count/disable");
		assert_counts(false);
		assert_listed("word-count", "inactive", NULL);
	}
	command_tells("enable", "word-count");
	assert_counts(true);
	assert_listed("word-count", "active", NULL);
	command_tells("disable", "word-count");
	assert_counts(false);
	assert_listed("word-count", "inactive", NULL);
}

static void
a_filter_changes_what_is_saved_while_it_is_enabled(void **state)
{
	static const char post[] = "{\"data\":{\"title\":\"T\",\"text\":\"four words of text\"}}";
	json_t *data;

	(void)state;
	drop_examples();
	(void)daemon_reload(d);
	expect(200, "", "POST", NULL, "/admin/plugins/word-count/enable");
	data = remote_must(&admin, 201, "POST", post, "/content/posts");
	assert_int_equal(json_integer_value(json_object_get(
			     json_object_get(json_object_get(data, "item"), "data"), "word_count")),
	    4);
	json_decref(data);
	expect(200, "", "POST", NULL, "/admin/plugins/word-count/disable");
	data = remote_must(&admin, 201, "POST", post, "/content/posts");
	assert_null(
	    json_object_get(json_object_get(json_object_get(data, "item"), "data"), "word_count"));
	json_decref(data);
}

static void
a_veto_rejects_saves_while_it_is_enabled(void **state)
{
	static const char post[] = "{\"data\":{\"title\":\"Short\"}}";
	struct answer a;
	json_t *data;

	(void)state;
	drop_examples();
	(void)daemon_reload(d);
	command_tells("enable", "house-rules");
	expect(200, "", "PUT", "{\"values\":{\"minTitleLength\":10}}",
	    "/admin/plugins/house-rules/settings");
	remote_ask(&admin, &a, "POST", post, "/content/posts");
	assert_int_equal(a.status, 422);
	assert_string_equal(answer_code(&a), "SAVE_REJECTED");
	assert_non_null(strstr(a.body, "The title has 5 characters; make it at least 10 long."));
	answer_free(&a);
	data = remote_must(&admin, 200, "GET", NULL, "/content/posts?includeTotal=1");
	assert_int_equal(json_integer_value(json_object_get(data, "total")), 0);
	json_decref(data);
	expect(201, "", "POST", "{\"data\":{\"title\":\"Long enough\"}}", "/content/posts");
	command_tells("disable", "house-rules");
	expect(201, "", "POST", post, "/content/posts");
}

static void
what_is_enabled_stays_so_over_a_restart(void **state)
{
	(void)state;
	drop_examples();
	(void)daemon_reload(d);
	expect(200, "", "POST", NULL, "/admin/plugins/word-count/enable");
	expect(200, "", "POST", NULL, "/admin/plugins/house-rules/enable");
	expect(200, "", "POST", NULL, "/admin/plugins/house-rules/disable");
	remote_close(&admin);
	daemon_signal(d, SIGTERM);
	assert_int_equal(daemon_ended(d), 0);
	daemon_run(d, 0);
	remote_open(&admin, d, token);
	assert_counts(true);
	assert_listed("word-count", "active", NULL);
	assert_listed("house-rules", "inactive", NULL);
}

static void
broken_plugins_are_refused_in_words_and_the_daemon_serves_on(void **state)
{
	static const struct {
		const char *from, *file, *id, *reason;
		mode_t mode;
	} bad[] = {
		{ "t/plugins/broken/.libs/wrong-abi.so", "wrong-abi.so", "wrong-abi",
		    "built for ABI 99", 0644 },
		{ "t/plugins/broken/.libs/undefined.so", "undefined.so", "undefined",
		    "stet_no_such_function", 0644 },
		{ "t/plugins/broken/.libs/no-descriptor.so", "no-descriptor.so", "no-descriptor",
		    "it has no descriptor", 0644 },
		{ "t/plugins/good/.libs/alpha.so", "Bad Name.so", "Bad Name", "its file name",
		    0644 },
		{ "t/plugins/good/.libs/notes.so", "notes.so", "notes",
		    "can be written by group or others", 0666 },
		{ "t/http/plugins.t", "junk.so", "junk", "it cannot be opened", 0644 },
	};
	char path[128], *line;

	(void)state;
	drop_examples();
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		remote_plugin(d, bad[i].from, bad[i].file, bad[i].mode);
	(void)daemon_reload(d);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_listed(bad[i].id, "refused", bad[i].reason);
		line = line_of(bad[i].id);
		assert_non_null(line);
		assert_non_null(strstr(line, "refused"));
		free(line);
	}
	for (size_t i = 0; i < 3; i++) {
		struct command c;

		(void)snprintf(path, sizeof(path), "/admin/plugins/%s/enable", bad[i].id);
		expect(409, "CONFLICT", "POST", NULL, path);
		command_run(d, &c, (const char *const[]){ "module", "enable", bad[i].id, NULL });
		assert_int_equal(c.status, 1);
		assert_non_null(strstr(c.err, bad[i].reason));
		command_free(&c);
	}
	/* Beside the invalid plugins the valid ones work. */
	expect(200, "", "POST", NULL, "/admin/plugins/word-count/enable");
	assert_counts(true);
	/* A plugin that was repaired is found at the next reload. */
	assert_int_equal(chmod(daemon_path(d, "notes.so"), 0644), 0);
	(void)daemon_reload(d);
	assert_listed("notes", "inactive", NULL);
	expect(200, "", "POST", NULL, "/admin/plugins/notes/enable");
	assert_listed("notes", "active", NULL);
}

static void
an_enabled_plugin_that_goes_bad_does_not_stop_the_start(void **state)
{
	(void)state;
	drop_examples();
	(void)daemon_reload(d);
	expect(200, "", "POST", NULL, "/admin/plugins/word-count/enable");
	expect(200, "", "POST", NULL, "/admin/plugins/house-rules/enable");
	remote_close(&admin);
	daemon_signal(d, SIGTERM);
	assert_int_equal(daemon_ended(d), 0);
	assert_int_equal(chmod(daemon_path(d, "word-count.so"), 0666), 0);
	assert_int_equal(unlink(daemon_path(d, "house-rules.so")), 0);
	daemon_run(d, 0);
	remote_open(&admin, d, token);
	assert_counts(false);
	assert_listed("word-count", "refused", "can be written by group or others");
	expect(201, "", "POST", "{\"data\":{\"title\":\"T\"}}", "/content/posts");
	/* The plugin stays enabled, and is loaded as soon as its file is valid again. */
	assert_int_equal(chmod(daemon_path(d, "word-count.so"), 0644), 0);
	(void)daemon_reload(d);
	assert_counts(true);
}

/* Requests the manifest like a client that has it with this entity tag. */
static void
ask_again(struct answer *a, const char *tag)
{
	(void)snprintf(admin.more, sizeof(admin.more), "If-None-Match: %s\r\n", tag);
	remote_ask(&admin, a, "GET", NULL, "/admin/manifest");
	admin.more[0] = '\0';
}

static void
a_manifest_is_sent_again_when_a_module_was_enabled(void **state)
{
	struct answer a;
	char *tag;

	(void)state;
	drop_examples();
	(void)daemon_reload(d);
	remote_ask(&admin, &a, "GET", NULL, "/admin/manifest");
	assert_int_equal(a.status, 200);
	tag = strdup(answer_header(&a, "ETag"));
	answer_free(&a);
	ask_again(&a, tag);
	assert_int_equal(a.status, 304);
	assert_int_equal(a.len, 0);
	answer_free(&a);
	expect(200, "", "POST", NULL, "/admin/plugins/word-count/enable");
	ask_again(&a, tag);
	assert_int_equal(a.status, 200);
	assert_non_null(strstr(a.body, "\"word-count\""));
	answer_free(&a);
	free(tag);
}

int
main(void)
{
#define ON_A_DAEMON(test) cmocka_unit_test_setup_teardown(test, start, stop)
	const struct CMUnitTest tests[] = {
		ON_A_DAEMON(a_dropped_plugin_is_found_on_sighup),
		ON_A_DAEMON(a_replaced_plugin_is_told_of_once_and_runs_on),
		ON_A_DAEMON(a_route_works_at_once_when_enabled_and_ends_when_disabled),
		ON_A_DAEMON(a_filter_changes_what_is_saved_while_it_is_enabled),
		ON_A_DAEMON(a_veto_rejects_saves_while_it_is_enabled),
		ON_A_DAEMON(what_is_enabled_stays_so_over_a_restart),
		ON_A_DAEMON(broken_plugins_are_refused_in_words_and_the_daemon_serves_on),
		ON_A_DAEMON(an_enabled_plugin_that_goes_bad_does_not_stop_the_start),
		ON_A_DAEMON(a_manifest_is_sent_again_when_a_module_was_enabled),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
