/* fields.c - image and file fields that refer to the library: the stored value, and the types that
 * a field allows. */
#include "posts.h"
#include <stdio.h>
#include <string.h>

static char film[27], sound[27]; /* media items */

static void
upload(struct harness *h, const char *name, const char *type, const char *base64, char id[27])
{
	struct outcome *o;

	harness_ok(o,
	    harness_op(h, admin, "media_upload",
		"{\"filename\":\"%s\",\"contentType\":\"%s\",\"base64\":\"%s\",\"alt\":\"Said\"}",
		name, type, base64));
	(void)snprintf(id, 27, "%s", harness_text(o->data, "item.id"));
}

static int
begin(void **state)
{
	int failed = posts_begin(state);
	struct harness *h = *state;

	field(h, "posts", "hero", "image", "");
	field(h, "posts", "paper", "file", "");
	field(h, "posts", "clip", "file", "'validation':{'allowedMimeTypes':['video/']}");
	field(h, "posts", "gallery", "repeater",
	    "'validation':{'subFields':[{'slug':'shot','label':'Shot','type':'image'}]}");
	upload(h, "film.mp4", "video/mp4", "YSBmaWxt", film);
	upload(h, "sound.mp3", "audio/mpeg", "YSBzb3VuZA==", sound);
	return failed;
}

static struct outcome *
save(struct harness *h, const char *field, const char *value)
{
	return say(h, admin, "POST " BASE, "{'data':{'title':'T','%s':%s}}", field, value);
}

/* Returns the stored value in the last response. */
static const json_t *
value_of(const struct outcome *o, const char *path)
{
	char whole[100];

	(void)snprintf(whole, sizeof(whole), "item.data.%s", path);
	return harness_at(o->data, whole);
}

static const char *
text_of(const struct outcome *o, const char *path)
{
	const json_t *v = value_of(o, path);

	return json_is_string(v) ? json_string_value(v) : "";
}

/* Replaces $ in the text; static buffer. */
static char *
value(const char *text, const char *with)
{
	static char out[400];
	size_t len = strcspn(text, "$");

	(void)snprintf(out, sizeof(out), "%.*s%s%s", (int)len, text, with,
	    text[len] != '\0' ? text + len + 1 : "");
	return out;
}

static void
what_the_library_knows_is_stored(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char url[200], whole[300];

	harness_ok(o, harness_op(h, admin, "media_get", "{\"id\":\"%s\"}", film));
	(void)snprintf(url, sizeof(url), "%s", harness_text(o->data, "item.url"));
	harness_ok(o, save(h, "hero", value("'$'", film)));
	assert_string_equal(text_of(o, "hero.id"), film);
	assert_string_equal(text_of(o, "hero.provider"), "local");
	assert_string_equal(text_of(o, "hero.url"), url);
	assert_string_equal(text_of(o, "hero.filename"), "film.mp4");
	assert_string_equal(text_of(o, "hero.mimeType"), "video/mp4");
	assert_string_equal(text_of(o, "hero.alt"), "Said");
	assert_string_equal(text_of(o, "hero.meta.storageKey"), strrchr(url, '/') + 1);
	assert_null(value_of(o, "hero.width"));

	/* by the URL of the file or of a rendition: stored in full */
	harness_ok(o, save(h, "hero", value("'$?w=100'", url)));
	assert_string_equal(text_of(o, "hero.id"), film);
	assert_null(value_of(o, "hero.src"));
	(void)snprintf(whole, sizeof(whole), "http://localhost%s", url);
	harness_ok(o, save(h, "hero", value("'$'", whole)));
	assert_string_equal(text_of(o, "hero.id"), film);

	harness_ok(o, save(h, "paper", value("{'id':'$','meta':{'pages':3}}", sound)));
	assert_int_equal(json_integer_value(value_of(o, "paper.size")), 7);
	assert_int_equal(json_integer_value(value_of(o, "paper.meta.pages")), 3);
	assert_string_not_equal(text_of(o, "paper.meta.storageKey"), "");
	assert_null(value_of(o, "paper.alt"));
}

static void
what_the_client_says_of_it_wins(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	harness_ok(o,
	    save(h, "hero",
		value(
		    "{'id':'$','alt':'','src':'/old.png','blurhash':'L00','own':1,'filename':'x'}",
		    film)));
	assert_string_equal(text_of(o, "hero.alt"), "");
	assert_string_equal(text_of(o, "hero.blurhash"), "L00");
	assert_int_equal(json_integer_value(value_of(o, "hero.own")), 1);
	assert_string_equal(text_of(o, "hero.filename"), "film.mp4");
	assert_null(value_of(o, "hero.src"));
	assert_non_null(value_of(o, "hero.alt"));
}

static void
dark_variants_and_rows_of_repeaters_too(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char both[300];

	(void)snprintf(both, sizeof(both), "{'id':'%s','darkVariant':{'id':'%s'}}", film, sound);
	harness_ok(o, save(h, "hero", both));
	assert_string_equal(text_of(o, "hero.filename"), "film.mp4");
	assert_string_equal(text_of(o, "hero.darkVariant.filename"), "sound.mp3");
	harness_ok(o, save(h, "gallery", value("[{'shot':'$'},{'shot':null}]", film)));
	assert_string_equal(
	    json_string_value(json_object_get(
		json_object_get(json_array_get(value_of(o, "gallery"), 0), "shot"), "filename")),
	    "film.mp4");
}

static void
what_the_library_does_not_have_is_kept(void **state)
{
	static const char *const kept[] = { "{'id':'01ARZ3NDEKTSV4RRFFQ69G5FAV','alt':'gone'}",
		"{'id':'12/34','provider':'photos','src':'https://example.org/1.jpg'}",
		"{'id':'','provider':'external','src':'https://example.org/1.jpg'}" };
	struct harness *h = *state;
	struct outcome *o;

	for (size_t i = 0; i < COUNT(kept); i++) {
		json_t *same;
		char text[200];
		size_t n = strlen(kept[i]);

		for (size_t k = 0; k <= n; k++)
			text[k] = (char)(kept[i][k] == '\'' ? '"' : kept[i][k]);
		same = json_loads(text, 0, NULL);
		harness_ok(o, save(h, "hero", kept[i]));
		assert_true(json_equal(value_of(o, "hero"), same));
		json_decref(same);
	}
	/* an item with that id, but of another provider */
	harness_ok(o, save(h, "hero", value("{'id':'$','provider':'photos'}", film)));
	assert_null(value_of(o, "hero.filename"));
}

static void
a_field_takes_the_types_that_it_lists(void **state)
{
	static const char *const bad[] = { "'01ARZ3NDEKTSV4RRFFQ69G5FAV'",
		"{'id':'1','provider':'photos'}",
		"{'id':'1','provider':'photos','mimeType':'image/png'}",
		"{'id':'','provider':'external','src':'https://example.org/1.mp4'}" };
	struct harness *h = *state;
	struct outcome *o;
	char id[27], request[100];

	harness_ok(o, save(h, "clip", value("'$'", film)));
	harness_ok(
	    o, save(h, "clip", "{'id':'1','provider':'photos','mimeType':'Video/MP4; x=y'}"));
	assert_code(save(h, "clip", value("'$'", sound)), "INVALID_MIME_FOR_FIELD");
	for (size_t i = 0; i < COUNT(bad); i++)
		assert_code(save(h, "clip", bad[i]), "INVALID_MIME_FOR_FIELD");
	make(h, admin, id, "{'data':{'title':'T'}}");
	(void)snprintf(request, sizeof(request), "PUT " BASE "/%s", id);
	o = say(h, admin, request, "{'data':{'clip':'%s'}}", sound);
	assert_int_equal(o->http, 400);
	assert_string_equal(o->code, "INVALID_MIME_FOR_FIELD");
}

#define check_field(name) cmocka_unit_test_setup_teardown(name, begin, posts_end)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		check_field(what_the_library_knows_is_stored),
		check_field(what_the_client_says_of_it_wins),
		check_field(dark_variants_and_rows_of_repeaters_too),
		check_field(what_the_library_does_not_have_is_kept),
		check_field(a_field_takes_the_types_that_it_lists),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
