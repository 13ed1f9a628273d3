/* settings.t - settings of the site: over REST and as tools, media references, robots.txt. */
#include "inside.h"
#include "posts.h"
#include <stdio.h>
#include <stdlib.h>
#include <stet/settings.h>
#include <string.h>

#define ALL                                                                                     \
	"'tagline':'T','url':'https://example.org','postsPerPage':20,"                          \
	"'dateFormat':'d. MMMM yyyy','timezone':'Europe/Paris',"                                \
	"'social':{'twitter':'@a','github':'b','facebook':'c','instagram':'d','linkedin':'e',"  \
	"'youtube':'f'},'seo':{'titleSeparator':' | ','robotsTxt':'User-agent: *\\nDisallow:'," \
	"'googleVerification':'g','bingVerification':'h'}"

/* ---- get and set ---- */

static void
a_new_site_has_no_settings(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	harness_ok(o, ask(h, editor, "GET /settings"));
	assert_int_equal(json_object_size(o->data), 0);
	harness_ok(o, harness_op(h, editor, "settings_get", "{}"));
	assert_int_equal(json_object_size(o->data), 0);
}

static void
every_member_is_stored_and_answered(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	harness_ok(o, say(h, admin, "POST /settings", "{'siteTitle':'S'," ALL "}"));
	assert_int_equal(o->http, 200);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(json_object_size(o->data), 8);
		assert_string_equal(harness_text(o->data, "siteTitle"), "S");
		assert_string_equal(harness_text(o->data, "tagline"), "T");
		assert_string_equal(harness_text(o->data, "url"), "https://example.org");
		assert_int_equal(harness_int(o->data, "postsPerPage"), 20);
		assert_string_equal(harness_text(o->data, "dateFormat"), "d. MMMM yyyy");
		assert_string_equal(harness_text(o->data, "timezone"), "Europe/Paris");
		assert_int_equal(json_object_size(harness_at(o->data, "social")), 6);
		assert_string_equal(harness_text(o->data, "social.youtube"), "f");
		assert_int_equal(json_object_size(harness_at(o->data, "seo")), 4);
		assert_string_equal(harness_text(o->data, "seo.titleSeparator"), " | ");
		harness_ok(o, ask(h, editor, "GET /settings"));
	}
}

static void
rest_and_tools_show_one_title(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	assert_ok(say(h, admin, "POST /settings", "{'siteTitle':'One'}"));
	harness_ok(o, harness_op(h, editor, "settings_get", "{}"));
	assert_string_equal(harness_text(o->data, "title"), "One");
	assert_int_equal(json_object_size(o->data), 1);
	harness_ok(o, harness_op(h, admin, "settings_update", "{\"title\":\"Two\"}"));
	assert_string_equal(harness_text(o->data, "title"), "Two");
	harness_ok(o, say(h, admin, "POST /settings", "{'title':'Three'}"));
	assert_string_equal(harness_text(o->data, "siteTitle"), "Three");
	o = say(h, admin, "POST /settings", "{'title':'Four','siteTitle':'Five'}");
	assert_code(o, "VALIDATION_ERROR");
	assert_true(harness_issue(o, "title"));
	assert_ok(say(h, admin, "POST /settings", "{'title':'Six','siteTitle':'Six'}"));
	assert_code(
	    harness_op(h, admin, "settings_update", "{\"siteTitle\":\"x\"}"), "VALIDATION_ERROR");
}

static void
what_is_omitted_stays_and_objects_are_replaced(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	assert_ok(say(h, admin, "POST /settings", "{'siteTitle':'S'," ALL "}"));
	harness_ok(
	    o, say(h, admin, "POST /settings", "{'postsPerPage':1,'social':{'github':'only'}}"));
	assert_string_equal(harness_text(o->data, "siteTitle"), "S");
	assert_int_equal(harness_int(o->data, "postsPerPage"), 1);
	assert_int_equal(json_object_size(harness_at(o->data, "social")), 1);
	assert_string_equal(harness_text(o->data, "social.github"), "only");
	assert_int_equal(json_object_size(harness_at(o->data, "seo")), 4);
	harness_ok(o, say(h, admin, "POST /settings", "{}"));
	assert_int_equal(json_object_size(o->data), 8);
}

static void
what_is_empty_is_cleared(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	assert_ok(say(h, admin, "POST /settings", "{'siteTitle':'S'," ALL "}"));
	harness_ok(o, say(h, admin, "POST /settings",
			  "{'url':'','timezone':'','dateFormat':'','tagline':'','social':{},"
			  "'seo':{'titleSeparator':'','robotsTxt':''}}"));
	assert_int_equal(json_object_size(o->data), 2);
	assert_string_equal(harness_text(o->data, "siteTitle"), "S");
	harness_ok(o, say(h, admin, "POST /settings",
			  "{'siteTitle':'','seo':{'titleSeparator':'-',"
			  "'bingVerification':''}}"));
	assert_int_equal(json_object_size(o->data), 2);
	assert_int_equal(json_object_size(harness_at(o->data, "seo")), 1);
}

/* ---- what is refused ---- */

static void
bad_members_are_refused_by_name(void **state)
{
	static const char *const bad[][2] = {
		{ "{'siteTitle':null}", "siteTitle" },
		{ "{'siteTitle':7}", "siteTitle" },
		{ "{'siteTitle':'a\\nb'}", "siteTitle" },
		{ "{'nonsense':'x'}", "nonsense" },
		{ "{'logo':null}", "logo" },
		{ "{'logo':'m'}", "logo" },
		{ "{'logo':{}}", "logo.mediaId" },
		{ "{'logo':{'mediaId':'m'}}", "logo.mediaId" },
		{ "{'logo':{'mediaId':''},'favicon':{'mediaId':'m'}}", "favicon.mediaId" },
		{ "{'url':'javascript:alert(1)'}", "url" },
		{ "{'url':'ftp://example.org'}", "url" },
		{ "{'url':'//example.org'}", "url" },
		{ "{'url':'example.org'}", "url" },
		{ "{'url':'https://'}", "url" },
		{ "{'url':'https://a b'}", "url" },
		{ "{'url':'https://a\\n'}", "url" },
		{ "{'url':'\\n'}", "url" },
		{ "{'url':null}", "url" },
		{ "{'postsPerPage':0}", "postsPerPage" },
		{ "{'postsPerPage':101}", "postsPerPage" },
		{ "{'postsPerPage':1.5}", "postsPerPage" },
		{ "{'postsPerPage':'5'}", "postsPerPage" },
		{ "{'dateFormat':'l, F j, Y'}", "dateFormat" },
		{ "{'dateFormat':'yyyy\\u0027'}", "dateFormat" },
		{ "{'timezone':'Europe/Nowhere'}", "timezone" },
		{ "{'timezone':'Europe'}", "timezone" },
		{ "{'timezone':'europe/paris'}", "timezone" },
		{ "{'timezone':'../../etc/passwd'}", "timezone" },
		{ "{'timezone':'/etc/localtime'}", "timezone" },
		{ "{'timezone':'Europe/../Europe/Paris'}", "timezone" },
		{ "{'timezone':'posix/Europe/Paris'}", "timezone" },
		{ "{'timezone':'Europe/Paris\\n'}", "timezone" },
		{ "{'timezone':'+01:00'}", "timezone" },
		{ "{'social':{'mastodon':'x'}}", "social.mastodon" },
		{ "{'social':{'twitter':null}}", "social.twitter" },
		{ "{'social':[]}", "social" },
		{ "{'seo':{'titleSeparator':'12345678901'}}", "seo.titleSeparator" },
		{ "{'seo':{'defaultOgImage':{'mediaId':'m'}}}", "seo.defaultOgImage.mediaId" },
		{ "{'seo':{'defaultOgImage':{'alt':'m'}}}", "seo.defaultOgImage.mediaId" },
		{ "{'seo':{'keywords':'x'}}", "seo.keywords" },
	};
	struct harness *h = *state;

	assert_ok(say(h, admin, "POST /settings", "{'tagline':'stays'}"));
	for (size_t i = 0; i < COUNT(bad); i++) {
		struct outcome *o = say(h, admin, "POST /settings", "%s", bad[i][0]);

		if (strcmp(o->code, "VALIDATION_ERROR") != 0 || !harness_issue(o, bad[i][1]))
			fail_msg("%s: %s", bad[i][0], o->text);
	}
	assert_string_equal(inside_ask(h, "SELECT count(*) FROM site_setting"), "1");
}

static void
all_problems_are_told_at_once_and_nothing_is_written(void **state)
{
	struct harness *h = *state;
	struct outcome *o = say(h, admin, "POST /settings",
	    "{'siteTitle':'x','timezone':'Mars/Olympus','logo':{'mediaId':'m'}}");

	assert_code(o, "VALIDATION_ERROR");
	assert_true(harness_issue(o, "timezone") && harness_issue(o, "logo.mediaId"));
	assert_string_equal(inside_ask(h, "SELECT count(*) FROM site_setting"), "0");
}

static void
lengths_are_exact(void **state)
{
	struct harness *h = *state;
	char text[5002];

	memset(text, 'x', sizeof(text) - 1);
	text[5001] = '\0';
	assert_code(say(h, admin, "POST /settings", "{'seo':{'robotsTxt':'%s'}}", text),
	    "VALIDATION_ERROR");
	assert_ok(say(h, admin, "POST /settings", "{'seo':{'robotsTxt':'%s'}}", text + 1));
	assert_code(say(h, admin, "POST /settings", "{'seo':{'googleVerification':'%s'}}",
			text + 5001 - 101),
	    "VALIDATION_ERROR");
	assert_ok(say(
	    h, admin, "POST /settings", "{'seo':{'googleVerification':'%s'}}", text + 5001 - 100));
	assert_ok(say(h, admin, "POST /settings",
	    "{'seo':{'titleSeparator':'\xe2\x80\xa2\xe2\x80\xa2\xe2\x80\xa2\xe2\x80\xa2'}}"));
}

static void
zones_and_formats_of_many_kinds_are_taken(void **state)
{
	static const char *const zones[] = { "UTC", "America/Argentina/Buenos_Aires", "Etc/GMT+5",
		"Asia/Kolkata", "America/Port-au-Prince" };
	static const char *const formats[] = { "yyyy-MM-dd", "MMMM d, yyyy",
		"EEEE d MMM yy HH:mm:ss.SSS zzz", "'on' d. MMMM", "YYYY-MM-DD", "dd/MM/yyyy" };
	struct harness *h = *state;

	for (size_t i = 0; i < COUNT(zones); i++)
		assert_ok(
		    harness_op(h, admin, "settings_update", "{\"timezone\":\"%s\"}", zones[i]));
	for (size_t i = 0; i < COUNT(formats); i++)
		assert_ok(
		    harness_op(h, admin, "settings_update", "{\"dateFormat\":\"%s\"}", formats[i]));
}

static void
without_a_database_of_zones_the_form_has_to_do(void **state)
{
	struct harness *h = *state;

	setenv("TZDIR", "/nowhere", 1);
	assert_ok(say(h, admin, "POST /settings", "{'timezone':'Mars/Olympus'}"));
	assert_code(say(h, admin, "POST /settings", "{'timezone':'../x'}"), "VALIDATION_ERROR");
	unsetenv("TZDIR");
}

static void
editors_read_and_administrators_write(void **state)
{
	struct harness *h = *state;
	const struct harness_user reads[1] = {
		{ .id = admin->id, .role = 50, .scopes = "settings:read" }
	};

	assert_code(ask(h, author, "GET /settings"), "FORBIDDEN");
	assert_code(say(h, editor, "POST /settings", "{'siteTitle':'x'}"), "FORBIDDEN");
	assert_ok(ask(h, reads, "GET /settings"));
	assert_code(say(h, reads, "POST /settings", "{'siteTitle':'x'}"), "INSUFFICIENT_SCOPE");
	assert_code(ask(h, nobody, "GET /settings"), "UNAUTHORIZED");
}

/* ---- media ---- */

static int
begin_gallery(void **state)
{
	posts_plugins = "t/plugins/gallery/.libs";
	posts_begin(state);
	inside_enable(*state, "media", false); /* one module has the service */
	assert_ok(ask(*state, admin, "POST /admin/plugins/gallery/enable"));
	return 0;
}

static int
end_gallery(void **state)
{
	posts_plugins = NULL;
	return posts_end(state);
}

static void
media_references_are_resolved(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	assert_ok(say(h, admin, "POST /settings",
	    "{'logo':{'mediaId':'picture','alt':'A bird'},'favicon':{'mediaId':'text'},"
	    "'seo':{'defaultOgImage':{'mediaId':'picture'}}}"));
	harness_ok(o, ask(h, editor, "GET /settings"));
	assert_int_equal(json_object_size(harness_at(o->data, "logo")), 6);
	assert_string_equal(harness_text(o->data, "logo.mediaId"), "picture");
	assert_string_equal(harness_text(o->data, "logo.alt"), "A bird");
	assert_string_equal(harness_text(o->data, "logo.url"), "/picture.png");
	assert_string_equal(harness_text(o->data, "logo.contentType"), "image/png");
	assert_int_equal(harness_int(o->data, "logo.width"), 64);
	assert_int_equal(harness_int(o->data, "logo.height"), 32);
	assert_int_equal(json_object_size(harness_at(o->data, "favicon")), 3);
	assert_int_equal(harness_int(o->data, "seo.defaultOgImage.width"), 64);
}

static void
references_go_round_and_store_no_more_than_they_are(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char *text;

	assert_ok(say(h, admin, "POST /settings", "{'logo':{'mediaId':'picture','alt':'A bird'}}"));
	harness_ok(o, ask(h, editor, "GET /settings"));
	text = json_dumps(o->data, 0);
	assert_ok(say(h, admin, "POST /settings", "%s", text));
	free(text);
	assert_string_equal(inside_ask(h, "SELECT value FROM site_setting WHERE name = 'logo'"),
	    "{\"mediaId\":\"picture\",\"alt\":\"A bird\"}");
}

static void
a_reference_to_nothing_is_refused_and_one_is_cleared(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	o = say(h, admin, "POST /settings",
	    "{'logo':{'mediaId':'picture'},'seo':{'defaultOgImage':{'mediaId':'gone'}}}");
	assert_code(o, "VALIDATION_ERROR");
	assert_true(harness_issue(o, "seo.defaultOgImage.mediaId"));
	assert_false(harness_issue(o, "logo"));
	assert_ok(say(h, admin, "POST /settings", "{'logo':{'mediaId':'picture','alt':'x'}}"));
	harness_ok(o, say(h, admin, "POST /settings", "{'logo':{'mediaId':'','alt':'x'}}"));
	assert_null(harness_at(o->data, "logo"));
}

/* The module is disabled: the setting is still returned, as far as it can be resolved. */
static void
a_reference_outlives_what_it_refers_to(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	assert_ok(say(h, admin, "POST /settings", "{'logo':{'mediaId':'picture','alt':'x'}}"));
	inside_enable(h, "gallery", false);
	harness_ok(o, ask(h, editor, "GET /settings"));
	assert_int_equal(json_object_size(harness_at(o->data, "logo")), 2);
}

/* ---- robots.txt ---- */

static void
robots_read_what_the_settings_say(void **state)
{
	struct harness *h = *state;
	struct outcome *o = ask(h, nobody, "GET //robots.txt");

	assert_int_equal(o->http, 200);
	assert_string_equal(o->text, "User-agent: *\nDisallow: /_cms/\n");
	/* Every caller gets it, with any credentials. */
	o = harness_request(
	    h, nobody, "GET //robots.txt", "Authorization: Bearer cms_pat_expired", NULL);
	assert_int_equal(o->http, 200);
	assert_ok(say(h, admin, "POST /settings", "{'seo':{'robotsTxt':'User-agent: x\\n'}}"));
	assert_string_equal(ask(h, nobody, "GET //robots.txt")->text, "User-agent: x\n");
	assert_ok(say(h, admin, "POST /settings", "{'seo':{}}"));
	assert_string_equal(
	    ask(h, nobody, "GET //robots.txt")->text, "User-agent: *\nDisallow: /_cms/\n");
}

/* ---- the service ---- */

static enum stet_status
set_title(struct stet_call *call, void *arg)
{
	const struct stet_settings_1 *settings = stet_service(call, STET_SETTINGS_1);
	const char **titles = arg;

	return settings->set_title(call, stet_write_tx(call), titles[0], titles[1]);
}

static enum stet_status
get_all(struct stet_call *call, void *arg)
{
	const struct stet_settings_1 *settings = stet_service(call, STET_SETTINGS_1);
	const json_t *all;
	char *text;

	STET_TRY(settings->get(call, &all));
	text = json_dumps(all, JSON_COMPACT | JSON_SORT_KEYS);
	snprintf(arg, 200, "%s", text);
	free(text);
	return STET_OK;
}

static void
other_modules_read_settings_and_set_the_title(void **state)
{
	struct harness *h = *state;
	const char *both[] = { "A", "B" }, *one[] = { "C", NULL }, *cleared[] = { NULL, "" };
	char text[200];

	assert_int_equal(inside_write(h, set_title, both), STET_OK);
	assert_int_equal(inside_read(h, get_all, text), STET_OK);
	assert_string_equal(text, "{\"tagline\":\"B\",\"title\":\"A\"}");
	assert_int_equal(inside_write(h, set_title, one), STET_OK);
	assert_int_equal(inside_write(h, set_title, cleared), STET_OK);
	assert_int_equal(inside_read(h, get_all, text), STET_OK);
	assert_string_equal(text, "{\"title\":\"C\"}");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		check(a_new_site_has_no_settings),
		check(every_member_is_stored_and_answered),
		check(rest_and_tools_show_one_title),
		check(what_is_omitted_stays_and_objects_are_replaced),
		check(what_is_empty_is_cleared),
		check(bad_members_are_refused_by_name),
		check(all_problems_are_told_at_once_and_nothing_is_written),
		check(lengths_are_exact),
		check(zones_and_formats_of_many_kinds_are_taken),
		check(without_a_database_of_zones_the_form_has_to_do),
		check(editors_read_and_administrators_write),
		cmocka_unit_test_setup_teardown(
		    media_references_are_resolved, begin_gallery, end_gallery),
		cmocka_unit_test_setup_teardown(references_go_round_and_store_no_more_than_they_are,
		    begin_gallery, end_gallery),
		cmocka_unit_test_setup_teardown(
		    a_reference_to_nothing_is_refused_and_one_is_cleared, begin_gallery,
		    end_gallery),
		cmocka_unit_test_setup_teardown(
		    a_reference_outlives_what_it_refers_to, begin_gallery, end_gallery),
		check(robots_read_what_the_settings_say),
		check(other_modules_read_settings_and_set_the_title),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
