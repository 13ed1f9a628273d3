/* holders.c - uses of media items by widgets, sections, menus, bylines, terms, settings and rows of
 * plugins: the list of unused items, the safe delete and the usage include them. */
#include "pictures.h"
#include "used.h"
#include <stdio.h>
#include <string.h>

/* An uploaded image. */
static char media[27], url[120];

static void
upload(struct harness *h)
{
	const struct picture *p = &pictures[0];
	struct outcome *o;

	harness_ok(o, harness_op(h, admin, "media_upload",
			  "{\"filename\":\"%s\",\"contentType\":\"%s\",\"base64\":\"%s\"}", p->name,
			  p->type, p->base64));
	(void)snprintf(media, sizeof(media), "%s", harness_text(o->data, "item.id"));
	(void)snprintf(url, sizeof(url), "%s", harness_text(o->data, "item.url"));
}

static bool
is_listed_unused(struct harness *h)
{
	struct outcome *o;

	harness_ok(o, ask(h, admin, "GET /media?unused=1"));
	return json_array_size(harness_at(o->data, "items")) == 1;
}

/* Fails unless every op about the image reports its use by such a row, in this place. */
static void
assert_used_by(struct harness *h, const char *kind, const char *name, const char *place)
{
	struct outcome *o;

	assert_false(is_listed_unused(h));
	harness_ok(o, ask(h, admin, "GET /media/%s/usage", media));
	assert_int_equal(json_array_size(harness_at(o->data, "items")), 0);
	assert_int_equal(json_array_size(harness_at(o->data, "others")), 1);
	assert_string_equal(harness_text(o->data, "others[0].kind"), kind);
	assert_string_equal(harness_text(o->data, "others[0].name"), name);
	assert_string_equal(
	    harness_text(o->data, "others[0].sources[0].occurrences[0].fieldPath"), place);
	harness_ok(o, ask(h, admin, "GET /media/%s?includeUsage=1", media));
	assert_int_equal(harness_int(o->data, "item.usage.count"), 0);
	assert_string_equal(harness_text(o->data, "item.usage.coverage.status"), "complete");
	o = ask(h, admin, "DELETE /media/%s?ifUnused=1", media);
	assert_code(o, "CONFLICT");
	assert_string_equal(harness_text(o->details, "uses.others[0].kind"), kind);
	harness_ok(o, harness_op(h, admin, "media_usage_verify", "{}"));
	assert_int_equal(json_array_size(harness_at(o->data, "problems")), 0);
}

static void
assert_unused(struct harness *h)
{
	struct outcome *o;

	assert_true(is_listed_unused(h));
	harness_ok(o, harness_op(h, admin, "media_usage_verify", "{}"));
	assert_int_equal(json_array_size(harness_at(o->data, "problems")), 0);
}

/* Sends a request; the body has "@" for the URL and "$" for the id. Returns the member `id` of the
 * response. Static buffer. */
static const char *
write_row(struct harness *h, const char *request, const char *body)
{
	static char id[40];
	char text[1000];
	struct outcome *o;
	size_t len = 0;

	for (; *body != '\0'; body++)
		if (*body == '@' || *body == '$')
			len += (size_t)snprintf(
			    text + len, sizeof(text) - len, "%s", *body == '@' ? url : media);
		else
			text[len++] = *body;
	text[len] = '\0';
	harness_ok(o, say(h, admin, request, "%s", text));
	(void)snprintf(id, sizeof(id), "%s", harness_text(o->data, "id"));
	return id;
}

static void
widgets_use_media_items(void **state)
{
	struct harness *h = *state;
	char id[40];

	activate(h);
	upload(h);
	write_row(h, "POST /widget-areas", "{'name':'side','label':'S'}");
	(void)snprintf(id, sizeof(id), "%s",
	    write_row(h, "POST /widget-areas/side/widgets",
		"{'type':'content','title':'W','content':[{'_type':'image','asset':{'_ref':'$'}}]}"));
	assert_used_by(h, "widget", "W", "content[0].asset._ref");
	assert_ok(ask(h, admin, "DELETE /widget-areas/side/widgets/%s", id));
	assert_unused(h);
	write_row(h, "POST /widget-areas/side/widgets",
	    "{'type':'component','componentId':'hero','componentProps':{'shots':['$']}}");
	assert_used_by(h, "widget", "component", "component_props.shots[0]");
	write_row(h, "PUT /widget-areas/side",
	    "{'widgets':[{'type':'component','componentId':'x','componentProps':{'u':'@?w=1'}}]}");
	assert_used_by(h, "widget", "component", "component_props.u");
	assert_ok(ask(h, admin, "DELETE /widget-areas/side"));
	assert_unused(h);
}

static void
sections_use_media_items(void **state)
{
	struct harness *h = *state;

	activate(h);
	upload(h);
	write_row(h, "POST /sections", "{'slug':'a','title':'A','content':'One.\\n\\n![x](@)'}");
	assert_used_by(h, "section", "A", "content[1].asset._ref");
	write_row(h, "PUT /sections/a", "{'content':'One.'}");
	assert_unused(h);
	write_row(h, "PUT /sections/a", "{'content':[{'_type':'htmlBlock','html':'<img src=@>'}]}");
	assert_used_by(h, "section", "A", "content[0].html");
	assert_ok(ask(h, admin, "DELETE /sections/a"));
	assert_unused(h);
}

static void
menus_and_terms_use_media_items(void **state)
{
	struct harness *h = *state;

	activate(h);
	upload(h);
	write_row(h, "POST /menus", "{'name':'main','label':'M','locale':'en'}");
	write_row(h, "PUT /menus/main/items?locale=en",
	    "{'items':[{'type':'custom','label':'PDF','customUrl':'@'}]}");
	assert_used_by(h, "menu_item", "PDF", "custom_url");
	assert_ok(ask(h, admin, "DELETE /menus/main?locale=en"));
	assert_unused(h);
	write_row(h, "POST /taxonomies/tag/terms",
	    "{'slug':'t','label':'T','description':'<img src=\\\"@\\\">'}");
	assert_used_by(h, "term", "T", "description");
	write_row(h, "PUT /taxonomies/tag/terms/t", "{'description':'none'}");
	assert_unused(h);
	write_row(h, "PUT /taxonomies/tag/terms/t", "{'description':'@'}");
	assert_ok(ask(h, admin, "DELETE /taxonomies/tag/terms/t"));
	assert_unused(h);
}

static void
bylines_and_settings_use_media_items(void **state)
{
	struct harness *h = *state;
	char request[60];

	activate(h);
	upload(h);
	(void)snprintf(request, sizeof(request), "PUT /bylines/%s",
	    write_row(h, "POST /bylines", "{'displayName':'Ann','bio':'My CV: @'}"));
	assert_used_by(h, "byline", "Ann", "bio");
	write_row(h, request, "{'bio':null,'avatarMediaId':'$'}");
	assert_used_by(h, "byline", "Ann", "avatar_media_id");
	write_row(h, request, "{'avatarMediaId':null}");
	assert_unused(h);
	write_row(h, "POST /settings", "{'tagline':'See @'}");
	assert_used_by(h, "settings", "tagline", "value");
	write_row(h, "POST /settings", "{'tagline':'','logo':{'mediaId':'$'}}");
	assert_used_by(h, "settings", "logo", "value.mediaId");
	write_row(h, "POST /settings", "{'logo':{'mediaId':''}}");
	assert_unused(h);
}

static void
default_values_of_fields_use_media_items(void **state)
{
	struct harness *h = *state;

	activate(h);
	upload(h);
	assert_ok(say(h, admin, "POST /schema/collections/posts/fields",
	    "{'slug':'cover','label':'C','type':'image','defaultValue':{'id':'%s'}}", media));
	assert_used_by(h, "field", "posts.cover", "default_value.id");
	assert_ok(ask(h, admin, "DELETE /schema/collections/posts/fields/cover"));
	assert_unused(h);
	assert_ok(say(h, admin, "POST /schema/collections/posts/fields",
	    "{'slug':'foot','label':'F','type':'text'}"));
	assert_ok(say(h, admin, "PUT /schema/collections/posts/fields/foot",
	    "{'defaultValue':'See %s'}", url));
	assert_used_by(h, "field", "posts.foot", "default_value");
	assert_ok(
	    say(h, admin, "PUT /schema/collections/posts/fields/foot", "{'defaultValue':'None'}"));
	assert_unused(h);
	assert_ok(say(h, admin, "POST /schema/collections", "{'slug':'more','label':'M'}"));
	assert_ok(say(h, admin, "POST /schema/collections/more/fields",
	    "{'slug':'foot','label':'F','type':'text','defaultValue':'%s'}", url));
	assert_used_by(h, "field", "more.foot", "default_value");
	assert_ok(ask(h, admin, "DELETE /schema/collections/more"));
	assert_unused(h);
}

/* ---- plugins ---- */

static int
begin_with_posters(void **state)
{
	int failed;

	posts_plugins = "t/plugins/posters/.libs";
	failed = used_begin(state);
	inside_enable(*state, "posters", true);
	return failed;
}

static int
end_with_posters(void **state)
{
	posts_plugins = NULL;
	return posts_end(state);
}

static void
rows_and_settings_of_plugins_use_media_items(void **state)
{
	struct harness *h = *state;

	activate(h);
	upload(h);
	write_row(h, "PUT /plugins/posters/one", "{'body':'@'}");
	assert_used_by(h, "poster", "one", "body");
	/* The data of a disabled plugin still count as uses, since it may be enabled again. */
	inside_enable(h, "posters", false);
	assert_false(is_listed_unused(h));
	inside_enable(h, "posters", true);
	write_row(h, "PUT /plugins/posters/one", "{'body':'{\\\"id\\\":\\\"$\\\"}'}");
	assert_used_by(h, "poster", "one", "body.id");
	write_row(h, "PUT /plugins/posters/one", "{'body':'x'}");
	assert_unused(h);
	assert_ok(harness_op(h, admin, "plugin_settings_put",
	    "{\"id\":\"posters\",\"values\":{\"frame\":\"https://example.org%s\"}}", url));
	assert_used_by(h, "module_setting", "posters.frame", "value");
	assert_ok(harness_op(
	    h, admin, "plugin_settings_put", "{\"id\":\"posters\",\"values\":{\"frame\":null}}"));
	assert_unused(h);
}

/* ---- the index of a site from before ---- */

static void
rows_from_before_are_found_by_the_job(void **state)
{
	struct harness *h = *state;

	activate(h);
	upload(h);
	write_row(h, "POST /settings", "{'tagline':'See @'}");
	inside_sql(h, "DELETE FROM media_use", NULL);
	inside_sql(h, "DELETE FROM media_use_count", NULL);
	inside_sql(h, "DELETE FROM media_coverage WHERE collection_id LIKE '=%'", NULL);
	assert_code(ask(h, admin, "DELETE /media/%s?ifUnused=1", media), "CONFLICT");
	assert_code(ask(h, admin, "GET /media?unused=1"), "CONFLICT");
	while (inside_work(h, "media-usage"))
		;
	assert_used_by(h, "settings", "tagline", "value");
}

/* A full repair corrects them, too; its counts are those of content. */
static void
a_repair_mends_what_other_tables_use(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	activate(h);
	upload(h);
	write_row(h, "POST /settings", "{'tagline':'See @'}");
	inside_sql(h, "UPDATE site_setting SET value = '\"none\"'", NULL);
	harness_ok(o, harness_op(h, admin, "media_usage_verify", "{}"));
	assert_non_null(strstr(o->text, "site_setting: tagline does not use"));
	harness_ok(o, repair(h, ""));
	assert_string_equal(harness_text(o->data, "status"), "complete");
	assert_int_equal(harness_int(o->data, "indexedSourceCount"), 0);
	assert_unused(h);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		used(widgets_use_media_items),
		used(sections_use_media_items),
		used(menus_and_terms_use_media_items),
		used(bylines_and_settings_use_media_items),
		used(default_values_of_fields_use_media_items),
		cmocka_unit_test_setup_teardown(rows_and_settings_of_plugins_use_media_items,
		    begin_with_posters, end_with_posters),
		used(rows_from_before_are_found_by_the_job),
		used(a_repair_mends_what_other_tables_use),
	};

	return cmocka_run_group_tests_name("media-usage/holders", tests, NULL, NULL);
}
