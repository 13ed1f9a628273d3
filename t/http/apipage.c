/*
 * apipage.c - stet-api(7): each example of the page is sent to a daemon, and its answer has what
 * the page shows.
 *
 * Literal blocks of the page that begin with a method are exchanges: the request, an empty line,
 * the status, the answer. Those that begin with "field" define a field, send a value and compare
 * what is answered. In a shown answer, a text of capitals stands for any value, and is replaced by
 * that value in what is sent and compared later. Members that the page leaves out are not compared.
 */
#include "remote.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct daemon *d;
static struct remote r;
static json_t *known; /* values by the capitals that stand for them */

/* A picture of one pixel. */
#define PIXEL                                                              \
	"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9Q" \
	"DwADhgGAWjR9awAAAABJRU5ErkJggg=="

static int
start(void **state)
{
	json_t *made;
	char *token;

	(void)state;
	d = remote_new(NULL, NULL);
	daemon_run(d, 0);
	free(COMMAND(d, "user", "add", "ann@example.org", "--name", "Ann", "--role", "admin"));
	token = COMMAND(d, "token", "add", "ann@example.org", "--name", "t", "--scope", "admin");
	remote_open(&r, d, token);
	free(token);
	known = json_object();
	json_decref(remote_must(&r, 201, "POST",
	    "{\"slug\": \"posts\", \"label\": \"Posts\", \"labelSingular\": \"Post\"}",
	    "/schema/collections"));
	json_decref(remote_must(&r, 201, "POST",
	    "{\"slug\": \"title\", \"label\": \"Title\", \"type\": \"string\", \"required\": true}",
	    "/schema/collections/posts/fields"));
	made = remote_must(&r, 201, "POST", "{\"data\": {\"title\": \"Other\"}}", "/content/posts");
	json_object_set(known, "OTHER", json_object_get(json_object_get(made, "item"), "id"));
	json_decref(made);
	token = COMMAND(
	    d, "call", "media_upload", "filename=a.png", "contentType=image/png", "base64=" PIXEL);
	made = json_loads(token, 0, NULL);
	json_object_set(known, "MEDIA", json_object_get(json_object_get(made, "item"), "id"));
	assert_non_null(json_object_get(known, "MEDIA"));
	json_decref(made);
	free(token);
	return 0;
}

static int
stop(void **state)
{
	(void)state;
	json_decref(known);
	remote_close(&r);
	daemon_stop(d);
	return 0;
}

/* ---- the page ---- */

/* Returns the page as it is shown: without requests of mdoc, which end a block, and with \e as a
 * backslash. */
static char *
page_text(void)
{
	char path[600], *line = NULL, *text;
	size_t size = 0, len;
	bool literal = false;
	FILE *f, *out = open_memstream(&text, &len);

	(void)snprintf(path, sizeof(path), "%s/man/stet-api.7", getenv("STET_SOURCE"));
	f = fopen(path, "re");
	assert_true(f != NULL && out != NULL);
	while (getline(&line, &size, f) > 0) {
		if (strncmp(line, ".Bd -literal", 12) == 0) {
			literal = true;
			(void)fputc('\f', out);
		} else if (strncmp(line, ".Ed", 3) == 0) {
			literal = false;
		} else if (literal) {
			for (const char *at = line; *at != '\0'; at++) {
				(void)fputc(*at, out);
				at += strncmp(at, "\\e", 2) == 0;
			}
		}
	}
	free(line);
	assert_int_equal(fclose(f), 0);
	assert_int_equal(fclose(out), 0);
	return text;
}

static bool
is_capitals(const char *text)
{
	return *text != '\0' && strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == strlen(text);
}

/* Returns a text with values in place of the words of capitals that are known, to be freed. */
static char *
filled(const char *text)
{
	char *made;
	size_t len;
	FILE *out = open_memstream(&made, &len);

	assert_non_null(out);
	while (*text != '\0') {
		char word[40];
		size_t n = strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ");
		const char *value = NULL;

		if (n > 0 && n < sizeof(word)) {
			(void)snprintf(word, sizeof(word), "%.*s", (int)n, text);
			value = json_string_value(json_object_get(known, word));
		}
		if (value != NULL)
			(void)fputs(value, out);
		else
			(void)fwrite(text, 1, n > 0 ? n : 1, out);
		text += n > 0 ? n : 1;
	}
	assert_int_equal(fclose(out), 0);
	return made;
}

/* Compares what is shown with what came, and notes the values of capitals. */
static bool
fits(const json_t *shown, json_t *got)
{
	const char *name;
	json_t *member;
	size_t i;

	if (json_is_string(shown) && is_capitals(json_string_value(shown))) {
		json_object_set(known, json_string_value(shown), got);
		return json_is_string(got);
	}
	if (json_typeof(shown) != json_typeof(got))
		return false;
	if (!json_is_object(shown) && !json_is_array(shown))
		return json_equal(shown, got) == 1;
	json_object_foreach((json_t *)(uintptr_t)shown, name, member)
	{
		if (json_object_get(got, name) == NULL || !fits(member, json_object_get(got, name)))
			return false;
	}
	if (json_array_size(shown) != json_array_size(got))
		return false;
	json_array_foreach(shown, i, member)
	{
		if (!fits(member, json_array_get(got, i)))
			return false;
	}
	return true;
}

static json_t *
shown_json(const char *text)
{
	json_error_t error;
	json_t *value = json_loads(text, JSON_DECODE_ANY, &error);

	if (value == NULL)
		fail_msg("%s: %s", error.text, text);
	return value;
}

static void
compare(const char *what, const char *shown, json_t *got)
{
	json_t *want = shown_json(shown);

	if (!fits(want, got)) {
		char *text = json_dumps(got, JSON_ENCODE_ANY);

		fail_msg("%s is shown to answer %s and answers %s", what, shown, text);
	}
	json_decref(want);
}

/* ---- exchanges ---- */

static bool
is_exchange(const char *block)
{
	size_t len = strcspn(block, " ");

	return len < 8 && strspn(block, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == len &&
	       strncmp(block + len, " " API "/", strlen(API) + 2) == 0 &&
	       strstr(block, "\n\n") != NULL;
}

static void
hold_exchange(char *block)
{
	char *answer = strstr(block, "\n\n"), *body, *method, *path, *json;
	struct answer a;

	*answer = '\0';
	answer += 2;
	json = strchr(answer, '\n');
	body = strchr(block, '\n');
	if (body != NULL)
		*body++ = '\0';
	method = strtok_r(block, " ", &path);
	path = filled(path + strlen(API));
	body = body != NULL ? filled(body) : NULL;
	remote_ask(&r, &a, method, body, "%s", path);
	if (a.status != (int)strtol(answer, NULL, 10))
		fail_msg("%s %s: %d %s", method, path, a.status, a.body);
	compare(path, json, a.json);
	answer_free(&a);
	free(path);
	free(body);
}

static int
hold_all(bool (*is)(const char *), void (*hold)(char *))
{
	char *text = page_text(), *at, *block;
	int count = 0;

	for (block = strtok_r(text, "\f", &at); block != NULL; block = strtok_r(NULL, "\f", &at))
		if (is(block)) {
			hold(block);
			count++;
		}
	free(text);
	return count;
}

static void
exchanges_are_as_shown(void **state)
{
	(void)state;
	assert_in_range(hold_all(is_exchange, hold_exchange), 10, 100);
}

/* ---- fields ---- */

static json_t *types; /* types of fields that the page shows */

static bool
is_field(const char *block)
{
	return strncmp(block, "field ", 6) == 0;
}

static void
hold_field(char *block)
{
	static int number;
	char *sent = strstr(block, "\nsent "), *answer = strstr(block, "\nanswer "), *text,
	     slug[20];
	json_t *field, *made, *data;

	assert_true(sent != NULL && answer != NULL);
	*sent = *answer = '\0';
	field = shown_json(block + strlen("field "));
	json_object_set(types, json_string_value(json_object_get(field, "type")), field);
	(void)snprintf(slug, sizeof(slug), "f%d", number++);
	json_object_set_new(field, "slug", json_string(slug));
	json_object_set_new(field, "label", json_string(slug));
	text = json_dumps(field, 0);
	json_decref(remote_must(&r, 201, "POST", text, "/schema/collections/posts/fields"));
	free(text);
	text = filled(sent + strlen("\nsent "));
	data = json_pack("{s:{s:s, s:o}}", "data", "title", slug, slug, shown_json(text));
	free(text);
	text = json_dumps(data, 0);
	made = remote_must(&r, 201, "POST", text, "/content/posts");
	free(text);
	text = filled(answer + strlen("\nanswer "));
	compare(block, text,
	    json_object_get(json_object_get(json_object_get(made, "item"), "data"), slug));
	free(text);
	json_decref(made);
	json_decref(data);
	json_decref(field);
}

/* The types of the bundled modules are those that a collection's field may have without plugins. */
static void
fields_are_as_shown(void **state)
{
	json_t *all = remote_must(&r, 200, "GET", NULL, "/admin/manifest/field-types"), *one;
	size_t i;

	(void)state;
	types = json_object();
	assert_in_range(hold_all(is_field, hold_field), 10, 100);
	assert_true(json_array_size(json_object_get(all, "items")) > 10);
	json_array_foreach(json_object_get(all, "items"), i, one)
	{
		const char *name = json_string_value(json_object_get(one, "name"));

		if (json_object_get(types, name) == NULL)
			fail_msg("stet-api(7) does not show the field type %s", name);
	}
	json_decref(types);
	json_decref(all);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(exchanges_are_as_shown),
		cmocka_unit_test(fields_are_as_shown),
	};

	return cmocka_run_group_tests(tests, start, stop);
}
