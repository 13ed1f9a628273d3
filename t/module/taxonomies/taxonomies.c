/* taxonomies.t - definitions of taxonomies: one row for each locale; collections that are deleted
 * and created again. */
#include "inside.h"
#include "posts.h"
#include <stdio.h>
#include <stdlib.h>

/* Creates a definition and returns its id. */
static void
define(struct harness *h, char id[27], const char *body)
{
	struct outcome *o;

	harness_ok(o, say(h, editor, "POST /taxonomies", "%s", body));
	assert_int_equal(o->http, 201);
	snprintf(id, 27, "%s", harness_text(o->data, "taxonomy.id"));
}

static size_t
size_at(struct outcome *o, const char *path)
{
	return json_array_size(harness_at(o->data, path));
}

static void
a_new_site_has_categories_and_tags(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	harness_ok(o, ask(h, subscriber, "GET /taxonomies"));
	assert_int_equal(size_at(o, "taxonomies"), 2);
	assert_string_equal(harness_text(o->data, "taxonomies[0].id"), "taxdef_category");
	assert_string_equal(harness_text(o->data, "taxonomies[0].labelSingular"), "Category");
	assert_true(json_is_true(harness_at(o->data, "taxonomies[0].hierarchical")));
	assert_string_equal(harness_text(o->data, "taxonomies[0].collections[0]"), "posts");
	assert_string_equal(harness_text(o->data, "taxonomies[1].name"), "tag");
	assert_true(json_is_false(harness_at(o->data, "taxonomies[1].hierarchical")));
	assert_string_equal(harness_text(o->data, "taxonomies[1].translationGroup"), "taxdef_tag");
}

static void
a_definition_has_all_members(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27];

	define(h, id,
	    "{'name':'genre','label':'Genres','labelSingular':'Genre','hierarchical':true,"
	    "'collections':['posts','pages','posts']}");
	assert_true(stet_is_id(id));
	harness_ok(o, ask(h, subscriber, "GET /taxonomies/genre"));
	assert_string_equal(harness_text(o->data, "taxonomy.id"), id);
	assert_string_equal(harness_text(o->data, "taxonomy.label"), "Genres");
	assert_string_equal(harness_text(o->data, "taxonomy.labelSingular"), "Genre");
	assert_true(json_is_true(harness_at(o->data, "taxonomy.hierarchical")));
	assert_int_equal(size_at(o, "taxonomy.collections"), 2);
	assert_string_equal(harness_text(o->data, "taxonomy.locale"), "en");
	assert_string_equal(harness_text(o->data, "taxonomy.translationGroup"), id);
	assert_int_equal(json_object_size(harness_at(o->data, "taxonomy")), 8);
	define(h, id, "{'name':'plain','label':'Plain'}");
	harness_ok(o, ask(h, subscriber, "GET /taxonomies/plain"));
	assert_true(json_is_null(harness_at(o->data, "taxonomy.labelSingular")));
	assert_true(json_is_false(harness_at(o->data, "taxonomy.hierarchical")));
	assert_int_equal(size_at(o, "taxonomy.collections"), 0);
}

static void
bad_definitions_are_refused_by_member(void **state)
{
	static const char *const bad[][2] = {
		{ "{}", "name" },
		{ "{'name':'x'}", "label" },
		{ "{'name':'','label':'L'}", "name" },
		{ "{'name':'Genre','label':'L'}", "name" },
		{ "{'name':'1a','label':'L'}", "name" },
		{ "{'name':'a-b','label':'L'}", "name" },
		{ "{'name':'a\\n','label':'L'}", "name" },
		{ "{'name':'x','label':''}", "label" },
		{ "{'name':'x','label':'L','labelSingular':''}", "labelSingular" },
		{ "{'name':'x','label':'L','hierarchical':'yes'}", "hierarchical" },
		{ "{'name':'x','label':'L','collections':['posts','nowhere']}", "collections[1]" },
		{ "{'name':'x','label':'L','collections':'posts'}", "collections" },
		{ "{'name':'x','label':'L','collections':[7]}", "collections[0]" },
		{ "{'name':'x','label':'L','locale':'?'}", "locale" },
		{ "{'name':'x','label':'L','locale':''}", "locale" },
		{ "{'name':'x','label':'L','id':'x'}", "id" },
		{ "{'name':'x','label':'L','translationOf':'taxdef_tag'}", "translationOf" },
	};
	struct harness *h = *state;
	struct outcome *o;
	char name[80];

	for (size_t i = 0; i < COUNT(bad); i++) {
		o = say(h, editor, "POST /taxonomies", "%s", bad[i][0]);
		assert_code(o, "VALIDATION_ERROR");
		if (!harness_issue(o, bad[i][1]))
			fail_msg("no issue about %s: %s", bad[i][1], o->text);
	}
	memset(name, 'a', 64);
	name[64] = '\0';
	assert_code(say(h, editor, "POST /taxonomies", "{'name':'%s','label':'L'}", name),
	    "VALIDATION_ERROR");
	assert_ok(say(h, editor, "POST /taxonomies", "{'name':'%s','label':'L'}", name + 1));
	assert_code(
	    say(h, editor, "POST /taxonomies", "{'name':'x','label':'L','translationOf':'none'}"),
	    "NOT_FOUND");
	assert_code(
	    say(h, editor, "POST /taxonomies", "{'name':'tag','label':'Again'}"), "CONFLICT");
	harness_ok(o, ask(h, admin, "GET /taxonomies"));
	assert_int_equal(size_at(o, "taxonomies"), 3);
}

static void
locales_of_a_taxonomy_share_a_group(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char fr[27], de[27];

	define(h, fr,
	    "{'name':'category','label':'Cat\xc3\xa9gories','locale':'FR',"
	    "'translationOf':'taxdef_category'}");
	harness_ok(o, ask(h, subscriber, "GET /taxonomies/category?locale=fr"));
	assert_string_equal(harness_text(o->data, "taxonomy.id"), fr);
	assert_string_equal(harness_text(o->data, "taxonomy.locale"), "fr");
	assert_string_equal(harness_text(o->data, "taxonomy.translationGroup"), "taxdef_category");
	/* Members that are omitted are taken from the other locale's definition. */
	assert_true(json_is_true(harness_at(o->data, "taxonomy.hierarchical")));
	assert_string_equal(harness_text(o->data, "taxonomy.collections[0]"), "posts");
	/* A locale that the site does not have, and no translationOf: it is the same taxonomy all
	 * the same. */
	define(h, de, "{'name':'category','label':'Kategorien','locale':'de'}");
	for (int i = 0; i < 2; i++) {
		harness_ok(o, ask(h, subscriber, "GET /taxonomies/category/translations%s",
				  i == 0 ? "" : "?locale=fr"));
		assert_string_equal(harness_text(o->data, "translationGroup"), "taxdef_category");
		assert_int_equal(size_at(o, "translations"), 3);
		assert_string_equal(harness_text(o->data, "translations[0].id"), de);
		assert_string_equal(harness_text(o->data, "translations[1].id"), "taxdef_category");
		assert_string_equal(harness_text(o->data, "translations[2].id"), fr);
		assert_int_equal(json_object_size(harness_at(o->data, "translations[2]")), 4);
	}
	assert_code(ask(h, subscriber, "GET /taxonomies/nothing/translations"), "NOT_FOUND");
	assert_code(
	    say(h, editor, "POST /taxonomies", "{'name':'category','label':'X','locale':'fr'}"),
	    "CONFLICT");
	harness_ok(o, ask(h, subscriber, "GET /taxonomies?locale=fr"));
	assert_int_equal(size_at(o, "taxonomies"), 1);
}

static void
a_read_falls_back_and_a_write_does_not(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27];

	define(h, id, "{'name':'genre','label':'Genres','locale':'fr'}");
	define(h, id, "{'name':'genre','label':'Gattungen','locale':'de'}");
	/* Neither the reader's nor the default locale exists: the lowest locale is shown. */
	harness_ok(o, ask(h, subscriber, "GET /taxonomies/genre"));
	assert_string_equal(harness_text(o->data, "taxonomy.locale"), "de");
	harness_ok(o, ask(h, subscriber, "GET /taxonomies/genre?locale=it"));
	assert_string_equal(harness_text(o->data, "taxonomy.locale"), "de");
	define(h, id, "{'name':'genre','label':'Genres','locale':'en'}");
	harness_ok(o, ask(h, subscriber, "GET /taxonomies/genre?locale=it"));
	assert_string_equal(harness_text(o->data, "taxonomy.locale"), "en");
	assert_code(
	    say(h, editor, "PUT /taxonomies/genre?locale=it", "{'label':'X'}"), "NOT_FOUND");
	/* Without a locale the lowest one is written, which is not the default here. */
	harness_ok(o, say(h, editor, "PUT /taxonomies/genre", "{'label':'Neu'}"));
	assert_string_equal(harness_text(o->data, "taxonomy.locale"), "de");
	assert_string_equal(harness_text(o->data, "taxonomy.label"), "Neu");
	harness_ok(o, say(h, editor, "PUT /taxonomies/genre?locale=FR", "{'label':'Neuf'}"));
	assert_string_equal(harness_text(o->data, "taxonomy.label"), "Neuf");
	harness_ok(o, ask(h, subscriber, "GET /taxonomies/genre?locale=de"));
	assert_string_equal(harness_text(o->data, "taxonomy.label"), "Neu");
	assert_code(ask(h, subscriber, "GET /taxonomies/genre?locale="), "VALIDATION_ERROR");
	assert_code(ask(h, subscriber, "GET /taxonomies/genre?locale=?"), "VALIDATION_ERROR");
}

static void
an_update_changes_what_it_names(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	harness_ok(o, say(h, editor, "PUT /taxonomies/tag", "{'collections':['pages']}"));
	assert_string_equal(harness_text(o->data, "taxonomy.label"), "Tags");
	assert_string_equal(harness_text(o->data, "taxonomy.labelSingular"), "Tag");
	assert_string_equal(harness_text(o->data, "taxonomy.collections[0]"), "pages");
	assert_int_equal(size_at(o, "taxonomy.collections"), 1);
	harness_ok(
	    o, say(h, editor, "PUT /taxonomies/tag", "{'labelSingular':null,'hierarchical':true}"));
	assert_true(json_is_null(harness_at(o->data, "taxonomy.labelSingular")));
	assert_true(json_is_true(harness_at(o->data, "taxonomy.hierarchical")));
	harness_ok(o, say(h, editor, "PUT /taxonomies/tag", "{}"));
	assert_code(say(h, editor, "PUT /taxonomies/none", "{'label':'X'}"), "NOT_FOUND");
	/* Each of these requests is refused as a whole. */
	o = say(h, editor, "PUT /taxonomies/tag", "{'name':'tags','label':'X'}");
	assert_code(o, "VALIDATION_ERROR");
	assert_true(harness_issue(o, "name"));
	o = say(h, editor, "PUT /taxonomies/tag", "{'locale':'en','label':'X'}");
	assert_code(o, "VALIDATION_ERROR");
	assert_true(harness_issue(o, "locale"));
	o = say(h, editor, "PUT /taxonomies/tag", "{'collections':['nowhere'],'label':'X'}");
	assert_code(o, "VALIDATION_ERROR");
	assert_true(harness_issue(o, "collections[0]"));
	assert_code(say(h, editor, "PUT /taxonomies/tag", "{'label':null}"), "VALIDATION_ERROR");
	harness_ok(o, ask(h, subscriber, "GET /taxonomies/tag"));
	assert_string_equal(harness_text(o->data, "taxonomy.label"), "Tags");
	assert_string_equal(harness_text(o->data, "taxonomy.collections[0]"), "pages");
}

static void
collections_that_are_gone_are_hidden_and_come_back(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	assert_ok(say(h, editor, "PUT /taxonomies/tag", "{'collections':['pages','posts']}"));
	assert_ok(ask(h, admin, "DELETE /schema/collections/pages"));
	harness_ok(o, ask(h, subscriber, "GET /taxonomies/tag"));
	assert_int_equal(size_at(o, "taxonomy.collections"), 1);
	harness_ok(o, ask(h, subscriber, "GET /taxonomies"));
	assert_int_equal(size_at(o, "taxonomies[1].collections"), 1);
	/* Nobody can name the deleted collection any more, but sending back what was read does not
	 * remove it. */
	assert_code(say(h, editor, "PUT /taxonomies/tag", "{'collections':['posts','pages']}"),
	    "VALIDATION_ERROR");
	assert_ok(say(h, editor, "PUT /taxonomies/tag", "{'collections':['posts']}"));
	assert_ok(say(h, admin, "POST /schema/collections", "{'slug':'pages','label':'Pages'}"));
	harness_ok(o, ask(h, subscriber, "GET /taxonomies/tag"));
	assert_int_equal(size_at(o, "taxonomy.collections"), 2);
	assert_ok(say(h, editor, "PUT /taxonomies/tag", "{'collections':[]}"));
	harness_ok(o, ask(h, subscriber, "GET /taxonomies/tag"));
	assert_int_equal(size_at(o, "taxonomy.collections"), 0);
}

static void
a_taxonomy_goes_with_its_locales_and_terms(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27], term[27], post[27];

	define(h, id, "{'name':'tag','label':'Mots','locale':'fr'}");
	harness_ok(o, say(h, editor, "POST /taxonomies/tag/terms", "{'label':'Up'}"));
	snprintf(term, sizeof(term), "%s", harness_text(o->data, "term.id"));
	assert_ok(
	    say(h, editor, "POST /taxonomies/tag/terms", "{'label':'Down','parentId':'%s'}", term));
	assert_ok(say(h, editor, "POST /taxonomies/category/terms", "{'label':'Other'}"));
	make(h, editor, post,
	    "{'data':{'title':'T'},'taxonomies':{'tag':['up'],'category':['other']}}");
	harness_ok(o, ask(h, editor, "DELETE /taxonomies/tag"));
	assert_true(json_is_true(harness_at(o->data, "deleted")));
	assert_code(ask(h, editor, "DELETE /taxonomies/tag"), "NOT_FOUND");
	assert_code(ask(h, editor, "GET /taxonomies/tag"), "NOT_FOUND");
	assert_code(ask(h, editor, "GET /taxonomies/tag/terms"), "NOT_FOUND");
	assert_code(ask(h, editor, "GET /taxonomies/tag/terms/up"), "NOT_FOUND");
	assert_string_equal(inside_ask(h, "SELECT COUNT(*) FROM content_term"), "1");
	assert_ok(ask(h, editor, "GET " BASE "/%s", post));
	harness_ok(o, ask(h, editor, "GET " BASE "/%s/terms/category", post));
	assert_int_equal(size_at(o, "terms"), 1);
	/* A taxonomy created later with the same name begins without terms. */
	define(h, id, "{'name':'tag','label':'Tags'}");
	harness_ok(o, ask(h, editor, "GET /taxonomies/tag/terms"));
	assert_int_equal(size_at(o, "terms"), 0);
}

static void
slugs_of_terms_are_made_and_numbered(void **state)
{
	static const char *const made[][2] = {
		{ "New Wave", "new-wave" },
		{ "new wave", "new-wave-1" },
		{ "New_Wave", "new-wave-2" },
		{ "\xe7\x8e\x8b", "\xe7\x8e\x8b" },
		{ "!?", "term" },
		{ "!!", "term-1" },
	};
	struct harness *h = *state;
	struct outcome *o;

	for (size_t i = 0; i < COUNT(made); i++) {
		harness_ok(
		    o, say(h, editor, "POST /taxonomies/tag/terms", "{'label':'%s'}", made[i][0]));
		assert_string_equal(harness_text(o->data, "term.slug"), made[i][1]);
	}
	assert_code(say(h, editor, "POST /taxonomies/tag/terms", "{'label':'X','slug':'new-wave'}"),
	    "CONFLICT");
	assert_ok(say(h, editor, "POST /taxonomies/tag/terms",
	    "{'label':'X','slug':'new-wave','locale':'fr'}"));
	assert_ok(
	    say(h, editor, "POST /taxonomies/category/terms", "{'label':'X','slug':'new-wave'}"));
	/* Any text may be a slug, and is found in a path unchanged. */
	assert_ok(say(h, editor, "POST /taxonomies/tag/terms", "{'label':'X','slug':'a/b %% c'}"));
	assert_ok(ask(h, subscriber, "GET /taxonomies/tag/terms/a%%2Fb%%20%%25%%20c"));
}

static void
tools_are_the_same_operations(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	assert_ok(harness_op(h, editor, "taxonomy_create",
	    "{\"name\":\"genre\",\"label\":\"Genres\",\"collections\":[\"posts\"]}"));
	harness_ok(o, harness_op(h, editor, "taxonomy_update",
			  "{\"name\":\"genre\",\"label\":\"G\",\"locale\":\"en\"}"));
	assert_string_equal(harness_text(o->data, "taxonomy.label"), "G");
	harness_ok(o, harness_op(h, subscriber, "taxonomy_get", "{\"name\":\"genre\"}"));
	assert_string_equal(harness_text(o->data, "taxonomy.label"), "G");
	harness_ok(o, harness_op(h, subscriber, "taxonomy_list", "{\"locale\":\"en\"}"));
	assert_int_equal(size_at(o, "taxonomies"), 3);
	assert_code(harness_op(h, author, "taxonomy_delete", "{\"name\":\"genre\"}"), "FORBIDDEN");
	harness_ok(o, harness_op(h, editor, "taxonomy_delete", "{\"name\":\"genre\"}"));
	assert_true(json_is_true(harness_at(o->data, "deleted")));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		check(a_new_site_has_categories_and_tags),
		check(a_definition_has_all_members),
		check(bad_definitions_are_refused_by_member),
		check(locales_of_a_taxonomy_share_a_group),
		check(a_read_falls_back_and_a_write_does_not),
		check(an_update_changes_what_it_names),
		check(collections_that_are_gone_are_hidden_and_come_back),
		check(a_taxonomy_goes_with_its_locales_and_terms),
		check(slugs_of_terms_are_made_and_numbered),
		check(tools_are_the_same_operations),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
