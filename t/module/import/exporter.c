/*
 * exporter.c - a site is analysed and imported through its exporter plugin, in one call and in
 * phases. A server on loopback simulates the site.
 */
#include "harness.h"
#include "inside.h"
#include "neighbour.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ANALYZE "POST /import/platform-plugin/analyze"
#define EXECUTE "POST /import/platform-plugin/execute"
#define CONFIG                                                                         \
	"{\"postTypeMappings\":{\"post\":{\"collection\":\"posts\",\"enabled\":true}," \
	"\"page\":{\"collection\":\"pages\",\"enabled\":true}},\"skipExisting\":true}"

static struct neighbour server;
static bool polite, nothing; /* requires credentials; has no exporter */
static const char *odd, *instead; /* requests for this path get that body; NULL: as documented */

/* ---- the site ---- */

#define ANALYSIS                                                                                  \
	"{\"site\":{\"title\":\"Caf\\u00e9\",\"url\":\"https://old.example\"},\"post_types\":["   \
	"{\"name\":\"post\",\"total\":3,\"supports\":{\"thumbnail\":true},\"custom_fields\":[{"   \
	"\"key\":\"price\",\"count\":2,\"sample\":\"1.5\"}]},{\"name\":\"page\",\"total\":1,"     \
	"\"supports\":{\"title\":true}},{\"name\":\"empty\",\"total\":0}],\"taxonomies\":[{"      \
	"\"name\":\"category\",\"term_count\":2},{\"name\":\"genre\",\"term_count\":1}],"         \
	"\"authors\":[{\"id\":4,\"login\":\"ann\",\"email\":\"a@old.example\",\"display_name\":"  \
	"\"Ann\",\"post_count\":3}],\"attachments\":{\"count\":2},\"i18n\":{\"plugin\":\"wpml\"," \
	"\"default_locale\":\"en\",\"locales\":[\"en\",\"fr\"]}}"
#define MEDIA1                                                                            \
	"{\"items\":[{\"id\":50,\"url\":\"https://old.example/a.jpg\",\"title\":\"A\"}]," \
	"\"total\":2,\"pages\":2}"
#define MEDIA2                                                                            \
	"{\"items\":[{\"id\":51,\"url\":\"https://old.example/b.png\",\"title\":\"B\"}]," \
	"\"total\":2,\"pages\":2}"
#define AUTHOR "\"author\":{\"id\":4,\"login\":\"ann\",\"display_name\":\"Ann B.\"}"
#define POSTS1                                                                                       \
	"{\"items\":[{\"id\":1,\"post_type\":\"post\",\"status\":\"publish\",\"slug\":\"one\","      \
	"\"title\":\"One &amp; only\",\"content\":\"<!-- wp:paragraph --><p>Text</p>"                \
	"<!-- /wp:paragraph -->\",\"excerpt\":\"E\",\"date_gmt\":\"2020-01-02 03:04:05\","           \
	"\"modified_gmt\":\"2021-01-02 03:04:05\"," AUTHOR ",\"parent\":null,\"menu_order\":0,"      \
	"\"taxonomies\":{\"category\":[{\"id\":7,\"name\":\"News\",\"slug\":\"news\"}],\"genre\":["  \
	"{\"id\":9,\"name\":\"Dub\",\"slug\":\"dub\"}]},\"featured_image\":{\"id\":50,\"url\":"      \
	"\"https://old.example/a.jpg\",\"alt\":\"Alt\"},\"meta\":{\"price\":\"1.5\"},\"yoast\":{"    \
	"\"title\":\"SEO\",\"description\":\"D\"},\"locale\":\"en\",\"translation_group\":\"g1\"}]," \
	"\"total\":2,\"pages\":2,\"page\":1,\"per_page\":50}"
#define POSTS2                                                                                       \
	"{\"items\":[{\"id\":2,\"post_type\":\"post\",\"status\":\"draft\",\"slug\":\"un\","         \
	"\"title\":\"Un\",\"content\":\"<p>Texte</p>\",\"date_gmt\":\"2020-01-02 03:04:05\"," AUTHOR \
	",\"taxonomies\":{},\"meta\":{},\"locale\":\"fr\",\"translation_group\":\"g1\"}],"           \
	"\"total\":2,\"pages\":2,\"page\":2,\"per_page\":50}"
#define PAGES                                                                                     \
	"{\"items\":[{\"id\":3,\"post_type\":\"page\",\"status\":\"publish\",\"slug\":\"about\"," \
	"\"title\":\"About\",\"content\":\"\",\"taxonomies\":[],\"meta\":[]}],\"total\":1,\"pages\":1}"
#define BLOCKS                                                                                       \
	"{\"items\":[{\"id\":8,\"post_type\":\"wp_block\",\"status\":\"publish\",\"slug\":\"foot\"," \
	"\"title\":\"Foot\",\"content\":\"<p>Foot</p>\"}],\"total\":1,\"pages\":1}"
#define TAXONOMIES                                                                                     \
	"[{\"name\":\"category\",\"label\":\"Categories\",\"hierarchical\":true,\"terms\":[{\"id\":7," \
	"\"name\":\"News\",\"slug\":\"news\",\"parent\":6},{\"id\":6,\"name\":\"All\",\"slug\":"       \
	"\"all\",\"parent\":0}]},{\"name\":\"genre\",\"label\":\"Genres\",\"hierarchical\":false,"     \
	"\"object_types\":[\"post\"],\"terms\":[{\"id\":9,\"name\":\"Dub\",\"slug\":\"dub\"}]},{"      \
	"\"name\":\"bare\",\"label\":\"Bare\",\"terms\":[]}]"
#define COMMENTS1                                                                                     \
	"{\"items\":[{\"id\":11,\"post_id\":1,\"parent_id\":null,\"author_name\":\"Bo\","             \
	"\"author_email\":\"bo@b.example\",\"body\":\"First\",\"date_gmt\":\"2020-02-01T00:00:00Z\"," \
	"\"status\":\"approved\"},{\"id\":12,\"post_id\":99,\"body\":\"Lost\"}],\"pages\":2}"
#define COMMENTS2                                                                                        \
	"{\"items\":[{\"id\":13,\"post_id\":1,\"parent_id\":11,\"author_name\":\"Cy\",\"author_email\":" \
	"\"cy@b.example\",\"body\":\"Reply\",\"date_gmt\":\"2020-02-02T00:00:00Z\",\"status\":"          \
	"\"pending\"}],\"pages\":2}"
#define MENUS                                                                                            \
	"[{\"id\":1,\"name\":\"Main\",\"slug\":\"main\",\"items\":[{\"id\":21,\"parent_id\":null,"       \
	"\"type\":\"post_type\",\"object_type\":\"page\",\"object_id\":3,\"title\":\"About us\","        \
	"\"url\":\"https://old.example/about\",\"classes\":[\"big\",\"\"]},{\"id\":22,\"parent_id\":21," \
	"\"type\":\"custom\",\"title\":\"Out\",\"url\":\"https://x.example/\"}]}]"
#define OPTIONS "{\"site_title\":\"Caf\\u00e9 old\",\"site_description\":\"Since 1990\"}"

static const struct {
	const char *asked, *answer;
} site[] = {
	{ "/analyze", ANALYSIS },
	{ "/media?per_page=500&page=1 ", MEDIA1 },
	{ "/media?per_page=500&page=2 ", MEDIA2 },
	{ "/content?post_type=post&status=any&per_page=50&page=1 ", POSTS1 },
	{ "/content?post_type=post&status=any&per_page=50&page=2 ", POSTS2 },
	{ "/content?post_type=page&status=any&per_page=50&page=1 ", PAGES },
	{ "/content?post_type=wp_block&", BLOCKS },
	{ "/taxonomies ", TAXONOMIES },
	{ "/comments?per_page=500&page=1 ", COMMENTS1 },
	{ "/comments?per_page=500&page=2 ", COMMENTS2 },
	{ "/menus ", MENUS },
	{ "/options ", OPTIONS },
};

static const char *
answer_with(const char *status, const char *body)
{
	static char text[8000];

	(void)snprintf(text, sizeof(text),
	    "HTTP/1.1 %s\r\nContent-Type: application/json\r\nContent-Length: %zu\r\n"
	    "Connection: close\r\n\r\n%s",
	    status, strlen(body), body);
	return text;
}

static const char *
choose(const char *heard)
{
	bool ours = strncmp(heard, "GET /wp-json/emdash/v1/", 23) == 0;

	if (ours && polite && strstr(heard, "Authorization: Basic YTpi\r\n") == NULL)
		return answer_with("401 Unauthorized", "{\"message\":\"secret words\"}");
	for (size_t i = 0; ours && !nothing && i < sizeof(site) / sizeof(site[0]); i++) {
		const char *line = heard + 22; /* the path after the namespace */

		if (odd != NULL && strncmp(line, odd, strlen(odd)) == 0)
			return answer_with("200 OK", instead);
		if (strncmp(line, site[i].asked, strlen(site[i].asked)) == 0)
			return answer_with("200 OK", site[i].answer);
	}
	return answer_with("404 Not Found", "{}");
}

static int
begin(void **state)
{
	struct harness_options options = { .fetch_allow = neighbour_block,
		.locales = (const char *const[]){ "en", "fr", NULL } };
	struct harness *h;

	neighbour_open(&server);
	server.choose = choose;
	polite = true;
	nothing = false;
	odd = NULL;
	h = *state = harness_open(&options);
	assert_ok(harness_send(h, admin, "POST /import/platform/prepare",
	    "{\"postTypes\":[{\"name\":\"post\",\"collection\":\"posts\"},"
	    "{\"name\":\"page\",\"collection\":\"pages\"}]}"));
	assert_ok(harness_op(h, admin, "schema_create_field",
	    "{\"collection\":\"posts\",\"slug\":\"price\",\"label\":\"P\",\"type\":\"number\"}"));
	return 0;
}

static int
end(void **state)
{
	neighbour_site_close(&server, *state);
	return 0;
}

static struct outcome *
ask(struct harness *h, const char *request, const char *token, const char *more)
{
	return harness_send(h, admin, request, "{\"url\":\"%s\",\"token\":\"%s\"%s}",
	    neighbour_url(&server, "/"), token, more);
}

/* ---- analysis ---- */

static void
a_site_is_analysed(void **state)
{
	struct outcome *o;

	harness_ok(o, ask(*state, ANALYZE, "YTpi", ""));
	assert_true(json_is_true(harness_at(o->data, "success")));
	assert_string_equal(harness_text(o->data, "analysis.sourceId"), "platform-plugin");
	assert_string_equal(harness_text(o->data, "analysis.site.title"), "Café");
	assert_int_equal(json_array_size(harness_at(o->data, "analysis.postTypes")), 2);
	assert_string_equal(harness_text(o->data, "analysis.postTypes[0].name"), "post");
	assert_int_equal(harness_int(o->data, "analysis.postTypes[0].count"), 3);
	/* Only posts have a field for images. */
	assert_int_equal(
	    json_array_size(harness_at(o->data, "analysis.postTypes[0].requiredFields")), 4);
	assert_int_equal(
	    json_array_size(harness_at(o->data, "analysis.postTypes[1].requiredFields")), 3);
	/* The files of all pages of the exporter's list. */
	assert_int_equal(harness_int(o->data, "analysis.attachments.count"), 2);
	assert_string_equal(harness_text(o->data, "analysis.attachments.items[1].url"),
	    "https://old.example/b.png");
	assert_int_equal(harness_int(o->data, "analysis.categories"), 2);
	assert_int_equal(harness_int(o->data, "analysis.authors[0].postCount"), 3);
	assert_string_equal(harness_text(o->data, "analysis.customFields[0].key"), "price");
	assert_int_equal(harness_int(o->data, "analysis.customFields[0].count"), 2);
	assert_string_equal(harness_text(o->data, "analysis.i18n.defaultLocale"), "en");
	assert_string_equal(harness_text(o->data, "analysis.navMenus[0].name"), "main");
	assert_int_equal(harness_int(o->data, "analysis.navMenus[0].itemCount"), 2);
	assert_string_equal(harness_text(o->data, "analysis.customTaxonomies[0].slug"), "genre");
	assert_string_equal(harness_text(o->data, "analysis.reusableBlocks[0].title"), "Foot");
}

static void
a_site_that_refuses_is_told_without_its_words(void **state)
{
	struct outcome *o = ask(*state, ANALYZE, "wrong", "");

	assert_code(o, "SOURCE_ERROR");
	assert_non_null(strstr(o->message, "401"));
	assert_null(strstr(o->text, "secret words"));
	nothing = true;
	o = ask(*state, ANALYZE, "YTpi", "");
	assert_code(o, "SOURCE_ERROR");
	assert_non_null(strstr(o->message, "no exporter"));
	/* A token cannot add a header. */
	assert_code(ask(*state, ANALYZE, "a\\r\\nX: y", ""), "VALIDATION_ERROR");
	assert_code(harness_send(*state, admin, ANALYZE,
			"{\"url\":\"http://192.168.0.1\",\"token\":\"YTpi\"}"),
	    "SSRF_BLOCKED");
	assert_code(
	    harness_send(*state, editor, ANALYZE, "{\"url\":\"a\",\"token\":\"b\"}"), "FORBIDDEN");
}

/* ---- import ---- */

static void
check_content(struct harness *h)
{
	struct outcome *o;

	harness_ok(o, harness_request(h, admin, "GET /content/posts/one?locale=en", NULL, NULL));
	assert_string_equal(harness_text(o->data, "item.data.title"), "One & only");
	assert_string_equal(harness_text(o->data, "item.data.content[0].children[0].text"), "Text");
	assert_string_equal(harness_text(o->data, "item.data.seo_title"), "SEO");
	assert_string_equal(
	    harness_text(o->data, "item.data.featured_image.src"), "https://old.example/a.jpg");
	assert_string_equal(harness_text(o->data, "item.status"), "published");
	assert_string_equal(harness_text(o->data, "item.createdAt"), "2020-01-02T03:04:05.000Z");
	assert_string_equal(harness_text(o->data, "item.bylines[0].byline.displayName"), "Ann B.");
	assert_true(json_real_value(harness_at(o->data, "item.data.price")) == 1.5);
	assert_string_equal(
	    inside_ask(h, "SELECT count(DISTINCT translation_group) FROM c_posts"), "1");
	assert_string_equal(inside_ask(h, "SELECT count(*) FROM c_posts"), "2");
	assert_string_equal(
	    inside_ask(h,
		"SELECT p.slug FROM term t JOIN term p ON p.translation_group = t.parent_group"
		" WHERE t.slug = 'news' AND t.locale = 'en' AND p.locale = 'en'"),
	    "all");
}

/* A request of an import or an analysis, by its beginning. */
static const char *const paths[] = { "/content?post_type=post&status=any&per_page=50&page=1 ",
	"/content?post_type=post&status=any&per_page=50&page=2 ", "/content?post_type=page",
	"/content?post_type=wp_block", "/taxonomies", "/comments?per_page=500&page=1 ",
	"/comments?per_page=500&page=2 ", "/menus", NULL };

/* Decision 65: an answer of another shape is a failing source, on every page. */
static void
an_answer_of_another_shape_is_a_failing_source(void **state)
{
	static const char *const bodies[] = {
		"{}", "null", "\"sorry\"", "[1]", "<p>Sorry</p>", "{\"items\":{}}",
		"{\"items\":[null],\"pages\":1}", "{\"items\":\"none\",\"pages\":\"x\"}",
		"{\"code\":\"rest_error\",\"message\":\"secret words\",\"data\":{\"status\":500}}"
	};

	for (size_t i = 0; paths[i] != NULL; i++)
		for (size_t k = 0; k < sizeof(bodies) / sizeof(bodies[0]); k++) {
			struct outcome *o;

			odd = paths[i];
			instead = bodies[k];
			o = ask(*state, EXECUTE, "YTpi", ",\"config\":" CONFIG);
			if (o->http != 502)
				fail_msg("%s gets %s: %s", odd, instead, o->text);
			assert_code(o, "SOURCE_ERROR");
			assert_null(strstr(o->text, "secret words"));
		}
	for (size_t k = 0; k < sizeof(bodies) / sizeof(bodies[0]); k++) {
		instead = bodies[k];
		odd = "/media?per_page=500&page=2 ";
		assert_code(ask(*state, ANALYZE, "YTpi", ""), "SOURCE_ERROR");
		odd = "/analyze";
		assert_code(ask(*state, ANALYZE, "YTpi", ""), "SOURCE_ERROR");
	}
	/* Items are known by their ids. */
	odd = paths[0];
	instead = "{\"items\":[{\"post_type\":\"post\",\"title\":\"x\"}],\"pages\":1}";
	assert_code(ask(*state, EXECUTE, "YTpi", ",\"config\":" CONFIG), "SOURCE_ERROR");
	odd = NULL;
	assert_ok(ask(*state, EXECUTE, "YTpi", ",\"config\":" CONFIG));
	assert_string_equal(inside_ask(*state, "SELECT count(*) FROM c_posts"), "2");
}

static void
a_site_is_imported_at_once(void **state)
{
	struct outcome *o;

	harness_ok(o, ask(*state, EXECUTE, "YTpi", ",\"config\":" CONFIG));
	assert_int_equal(harness_int(o->data, "result.imported"), 3);
	assert_int_equal(harness_int(o->data, "result.failed"), 0);
	assert_int_equal(harness_int(o->data, "result.byCollection.posts"), 2);
	assert_int_equal(harness_int(o->data, "result.sections.created"), 1);
	assert_int_equal(harness_int(o->data, "result.menus.created"), 1);
	assert_int_equal(harness_int(o->data, "result.menus.items"), 2);
	assert_int_equal(harness_int(o->data, "result.comments.imported"), 2);
	assert_string_equal(harness_text(o->data, "result.taxonomiesCreated[0]"), "genre");
	assert_null(harness_at(o->data, "result.taxonomiesCreated[1]"));
	assert_string_equal(harness_text(o->data, "result.siteSettings[0]"), "title");
	assert_string_equal(harness_text(o->data, "result.siteSettings[2]"), "publicSearch");
	assert_null(harness_at(o->data, "done"));
	/* Public search covers all published items. */
	harness_ok(o, harness_op(*state, admin, "search_public", "{}"));
	assert_string_equal(harness_text(o->data, "publicSearch"), "all");
	check_content(*state);
	harness_ok(o, harness_request(*state, admin, "GET /settings", NULL, NULL));
	assert_non_null(strstr(o->text, "\"Café old\""));
	assert_string_equal(inside_ask(*state, "SELECT count(*) FROM import_map"), "0");
	/* A second import creates nothing. */
	harness_ok(o, ask(*state, EXECUTE, "YTpi", ",\"config\":" CONFIG));
	assert_int_equal(harness_int(o->data, "result.imported"), 0);
	assert_int_equal(harness_int(o->data, "result.skipped"), 3);
	assert_int_equal(harness_int(o->data, "result.comments.imported"), 0);
	assert_int_equal(harness_int(o->data, "result.menus.created"), 0);
	assert_null(harness_at(o->data, "result.siteSettings[0]"));
}

/* Sends the next request of a phase, with the cursor and maps that the last response returned. */
static struct outcome *
next(struct harness *h, const char *phase, json_t *cursor, json_t *ids, json_t *groups,
    json_t *roots)
{
	json_t *body = json_pack("{ss ss ss so so* so* so* so*}", "url",
	    neighbour_url(&server, "/"), "token", "YTpi", "phase", phase, "config",
	    json_loads(CONFIG, 0, NULL), "cursor", json_incref(cursor), "idMap", json_incref(ids),
	    "translationGroups", json_incref(groups), "commentRoots", json_incref(roots));
	char *text = json_dumps(body, 0);
	struct outcome *o = harness_request(
	    h, admin, EXECUTE, "X-CMS-Request: 1\r\nContent-Type: application/json", text);

	free(text);
	json_decref(body);
	assert_code(o, "");
	return o;
}

static json_t *
kept(struct outcome *o, const char *path, json_t *old)
{
	json_t *value = harness_at(o->data, path);

	json_decref(old);
	return json_deep_copy(value);
}

static void
a_site_is_imported_in_phases(void **state)
{
	json_t *cursor = NULL, *ids = NULL, *groups = NULL, *roots = NULL;
	struct harness *h = *state;
	struct outcome *o;
	int requests = 0;
	bool done;

	do {
		o = next(h, "content", cursor, ids, groups, NULL);
		done = json_is_true(harness_at(o->data, "done"));
		cursor = kept(o, "cursor", cursor);
		ids = kept(o, "chunk.idMap", ids);
		groups = kept(o, "chunk.translationGroups", groups);
		requests++;
	} while (!done);
	assert_int_equal(requests, 4);
	assert_null(cursor);
	assert_int_equal(json_object_size(ids), 3);
	assert_string_equal(harness_text(ids, "3.collection"), "pages");
	assert_int_equal(json_object_size(groups), 1);
	assert_string_equal(harness_text(groups, "g1.collection"), "posts");
	check_content(h);
	o = next(h, "comments", NULL, ids, groups, NULL);
	assert_true(json_is_false(harness_at(o->data, "done")));
	assert_int_equal(harness_int(o->data, "result.comments.imported"), 1);
	assert_int_equal(harness_int(o->data, "result.comments.skipped"), 1);
	cursor = kept(o, "cursor", NULL);
	roots = kept(o, "chunk.commentRoots", NULL);
	assert_int_equal(json_object_size(roots), 1);
	/* A reply finds its parent, which an earlier request has imported. */
	o = next(h, "comments", cursor, ids, groups, roots);
	assert_true(json_is_true(harness_at(o->data, "done")));
	assert_string_equal(
	    inside_ask(h, "SELECT p.body FROM comment c JOIN comment p ON p.id = c.parent_id"
			  " WHERE c.body = 'Reply'"),
	    "First");
	o = next(h, "finalize", NULL, ids, groups, roots);
	assert_true(json_is_true(harness_at(o->data, "done")));
	assert_int_equal(harness_int(o->data, "result.menus.items"), 2);
	harness_ok(o, harness_request(h, admin, "GET /menus/main", NULL, NULL));
	assert_non_null(strstr(o->text, harness_text(ids, "3.id")));
	json_decref(cursor);
	json_decref(ids);
	json_decref(groups);
	json_decref(roots);
}

static void
what_makes_no_sense_is_refused(void **state)
{
	assert_code(ask(*state, EXECUTE, "YTpi", ""), "VALIDATION_ERROR");
	assert_code(ask(*state, EXECUTE, "YTpi", ",\"config\":{\"postTypeMappings\":{}}"),
	    "VALIDATION_ERROR");
	assert_code(ask(*state, EXECUTE, "YTpi", ",\"phase\":\"nothing\",\"config\":" CONFIG),
	    "VALIDATION_ERROR");
	assert_code(ask(*state, EXECUTE, "YTpi",
			",\"phase\":\"content\",\"cursor\":{\"postTypeIndex\":7,\"page\":1},"
			"\"config\":" CONFIG),
	    "VALIDATION_ERROR");
	assert_code(ask(*state, EXECUTE, "YTpi",
			",\"phase\":\"content\",\"cursor\":{\"page\":-1},\"config\":" CONFIG),
	    "VALIDATION_ERROR");
	assert_string_equal(inside_ask(*state, "SELECT count(*) FROM c_posts"), "0");
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
	const struct CMUnitTest tests[] = {
		TEST(a_site_is_analysed),
		TEST(a_site_that_refuses_is_told_without_its_words),
		TEST(an_answer_of_another_shape_is_a_failing_source),
		TEST(a_site_is_imported_at_once),
		TEST(a_site_is_imported_in_phases),
		TEST(what_makes_no_sense_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
