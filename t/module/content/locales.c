/* locales.t - items in several locales: lookup, lists, and shared values. */
#include "inside.h"
#include "posts.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int
begin(void **state)
{
	static const char *const locales[] = { "en", "fr", "de", NULL };

	posts_locales = locales;
	posts_begin(state);
	field(*state, "posts", "isbn", "string", "'unique':true,'translatable':false");
	field(*state, "posts", "pages", "integer", "'translatable':false,'defaultValue':1");
	return 0;
}

static int
end(void **state)
{
	posts_locales = NULL;
	return posts_end(state);
}

/* Sends a request about a post. */
static struct outcome *
on(struct harness *h, const struct harness_user *user, const char *method, const char *id,
    const char *rest, const char *body)
{
	char request[256];

	snprintf(request, sizeof(request), "%s " BASE "/%s%s", method, id, rest);
	return say(h, user, request, "%s", body);
}

static int64_t
pages(struct harness *h, const struct harness_user *user, const char *id)
{
	struct outcome *o;

	harness_ok(o, ask(h, user, "GET " BASE "/%s", id));
	return harness_int(o->data, "item.data.pages");
}

static int64_t
version(struct harness *h, const char *id)
{
	struct outcome *o;

	harness_ok(o, ask(h, editor, "GET " BASE "/%s", id));
	return harness_int(o->data, "item.version");
}

/* Creates a translation of an item, with these members. */
static void
translate(struct harness *h, const char *of, const char *locale, const char *more, char id[27])
{
	make(h, author, id, "{'translationOf':'%s','locale':'%s',%s}", of, locale, more);
}

/* ---- looked up ---- */

static void
a_draft_of_a_lower_locale_hides_nothing(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char de[27], en[27], fr[27];

	make(h, author, de, "{'slug':'same','locale':'de','data':{}}");
	make(h, author, fr, "{'slug':'same','locale':'fr','status':'published','data':{}}");
	make(h, author, en, "{'slug':'same','locale':'en','status':'published','data':{}}");
	for (int i = 0; i < 2; i++) {
		const char *query = i == 0 ? "same" : "x?slug=same";

		harness_ok(o, ask(h, subscriber, "GET " BASE "/%s", query));
		assert_string_equal(harness_text(o->data, "item.id"), en);
		harness_ok(o, ask(h, author, "GET " BASE "/%s", query));
		assert_string_equal(harness_text(o->data, "item.id"), de);
	}
	/* With a locale, only the item of that locale is found. */
	assert_code(ask(h, subscriber, "GET " BASE "/same?locale=de"), "NOT_FOUND");
	assert_code(ask(h, subscriber, "GET " BASE "/x?slug=same&locale=de"), "NOT_FOUND");
	harness_ok(o, ask(h, subscriber, "GET " BASE "/same?locale=FR"));
	assert_string_equal(harness_text(o->data, "item.id"), fr);
	assert_string_equal(harness_text(o->data, "item.locale"), "fr");
	/* In the trash, the item with the lowest locale is found. */
	assert_ok(on(h, author, "DELETE", fr, "", ""));
	assert_ok(on(h, author, "DELETE", de, "", ""));
	harness_ok(o, ask(h, author, "POST " BASE "/same/restore"));
	assert_string_equal(harness_text(o->data, "item.id"), de);
	assert_code(ask(h, author, "POST " BASE "/same/restore?locale=en"), "NOT_FOUND");
	harness_ok(o, ask(h, author, "POST " BASE "/same/restore"));
	assert_string_equal(harness_text(o->data, "item.id"), fr);
}

static void
a_preview_by_slug_finds_its_item(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char token[1024], de[27], fr[27];

	make(h, author, de, "{'slug':'same','locale':'de','status':'published','data':{}}");
	make(h, author, fr, "{'slug':'same','locale':'fr','data':{}}");
	harness_ok(o, on(h, author, "POST", fr, "/preview-url", ""));
	snprintf(token, sizeof(token), "%s", harness_text(o->data, "token"));
	harness_ok(o, ask(h, nobody, "GET " BASE "/same?_preview=%s", token));
	assert_string_equal(harness_text(o->data, "item.id"), fr);
	assert_ok(ask(h, nobody, "GET " BASE "/same?locale=fr&_preview=%s", token));
	assert_ok(ask(h, nobody, "GET " BASE "/%s?_preview=%s", fr, token));
	assert_code(ask(h, nobody, "GET " BASE "/same?locale=de&_preview=%s", token), "NOT_FOUND");
	assert_code(ask(h, nobody, "GET " BASE "/%s?_preview=%s", de, token), "NOT_FOUND");
	assert_code(ask(h, nobody, "GET /content/pages/%s?_preview=%s", fr, token), "NOT_FOUND");
	assert_ok(ask(h, nobody, "GET " BASE "/x?slug=same&_preview=%s", token));
	assert_code(ask(h, nobody, "GET " BASE "/same?slug=x&_preview=%s", token), "NOT_FOUND");
}

/* ---- the list ---- */

static void
translations_are_listed_by_locale(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char en[27], fr[27], de[27], other[27];

	make(h, author, en, "{'slug':'one','status':'published','data':{}}");
	make(h, author, other, "{'slug':'other','locale':'fr','data':{}}");
	translate(h, en, "fr", "'slug':'un','data':{}", fr);
	/* A translation of a translation joins the first item's group; its locale gets the case of
	 * the configuration. */
	translate(h, fr, "DE", "'status':'published','slug':'eins','data':{}", de);
	harness_ok(o, on(h, author, "GET", fr, "/translations", ""));
	assert_string_equal(harness_text(o->data, "translationGroup"), en);
	assert_int_equal(json_array_size(harness_at(o->data, "translations")), 3);
	assert_string_equal(harness_text(o->data, "translations[0].id"), de);
	assert_string_equal(harness_text(o->data, "translations[0].locale"), "de");
	assert_string_equal(harness_text(o->data, "translations[0].status"), "published");
	assert_string_equal(harness_text(o->data, "translations[1].id"), en);
	assert_string_equal(
	    harness_text(o->data, "translations[1].updatedAt"), "2026-06-01T12:00:00.000Z");
	assert_string_equal(harness_text(o->data, "translations[2].slug"), "un");
	assert_string_equal(harness_text(o->data, "translations[2].status"), "draft");
	assert_int_equal(json_object_size(harness_at(o->data, "translations[2]")), 5);
	/* A reader without drafts gets published translations, and 404 for a draft. */
	harness_ok(o, ask(h, subscriber, "GET " BASE "/eins/translations"));
	assert_int_equal(json_array_size(harness_at(o->data, "translations")), 2);
	assert_string_equal(harness_text(o->data, "translations[1].id"), en);
	assert_code(ask(h, subscriber, "GET " BASE "/un/translations"), "NOT_FOUND");
	assert_code(ask(h, author, "GET " BASE "/one/translations?locale=fr"), "NOT_FOUND");
	assert_code(ask(h, author, "GET " BASE "/none/translations"), "NOT_FOUND");
	assert_code(ask(h, author, "GET /content/none/one/translations"), "COLLECTION_NOT_FOUND");
	assert_code(ask(h, author, "GET " BASE "/one/translations?locale=!"), "VALIDATION_ERROR");
	assert_code(ask(h, nobody, "GET " BASE "/one/translations"), "UNAUTHORIZED");
	/* Translations in the trash are left out; the tool returns the same. */
	assert_ok(on(h, author, "DELETE", de, "", ""));
	assert_code(ask(h, author, "GET " BASE "/eins/translations"), "NOT_FOUND");
	harness_ok(o, harness_op(h, author, "content_translations",
			  "{\"collection\":\"posts\",\"id\":\"%s\"}", en));
	assert_int_equal(json_array_size(harness_at(o->data, "translations")), 2);
}

/* ---- shared values ---- */

static void
a_translation_takes_what_is_shared(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char en[27], fr[27], de[27];

	make(h, author, en, "{'data':{'title':'One','pages':null,'isbn':'i','year':4}}");
	translate(h, en, "fr", "'data':{'title':'Un'}", fr);
	harness_ok(o, on(h, author, "GET", fr, "", ""));
	assert_string_equal(harness_text(o->data, "item.data.isbn"), "i");
	assert_null(
	    harness_at(o->data, "item.data.pages")); /* no default, since the source has no value */
	assert_null(harness_at(o->data, "item.data.year"));
	assert_int_equal(version(h, en), 1);
	/* A value of the new translation is written to the others. */
	at(h, 7);
	translate(h, fr, "de", "'data':{'pages':9}", de);
	assert_int_equal(pages(h, author, en), 9);
	assert_int_equal(pages(h, author, fr), 9);
	assert_int_equal(version(h, en), 2);
	harness_ok(o, on(h, author, "GET", en, "", ""));
	assert_string_equal(harness_text(o->data, "item.updatedAt"), "2026-06-01T12:00:00.007Z");
	assert_string_equal(harness_text(o->data, "item.data.title"), "One");
	/* A refused translation changes nothing. */
	assert_code(say(h, author, "POST " BASE,
			"{'translationOf':'%s','locale':'de','data':{'pages':3}}", en),
	    "CONFLICT");
	assert_int_equal(pages(h, author, en), 9);
	assert_int_equal(version(h, en), 2);
}

static void
an_update_gives_to_siblings(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char en[27], fr[27], de[27], rev[64], request[64];

	make(h, author, en, "{'data':{'pages':2,'isbn':'i'}}");
	translate(h, en, "fr", "'data':{}", fr);
	translate(h, en, "de", "'data':{}", de);
	harness_ok(o, on(h, author, "GET", fr, "", ""));
	snprintf(rev, sizeof(rev), "%s", harness_text(o->data, "_rev"));
	/* Translatable values and unchanged values are not copied. */
	assert_ok(on(h, author, "PUT", en, "", "{'data':{'title':'A','pages':2}}"));
	assert_int_equal(version(h, fr), 1);
	assert_ok(on(h, author, "PUT", de, "", "{'data':{'pages':3,'isbn':null,'title':'B'}}"));
	for (int i = 0; i < 2; i++) {
		harness_ok(o, on(h, author, "GET", i == 0 ? en : fr, "", ""));
		assert_int_equal(harness_int(o->data, "item.data.pages"), 3);
		assert_null(harness_at(o->data, "item.data.isbn"));
		assert_int_equal(harness_int(o->data, "item.version"), i == 0 ? 3 : 2);
		assert_string_equal(harness_text(o->data, "item.data.title"), i == 0 ? "A" : "");
	}
	/* The copied value made a new version of the sibling, so an older _rev conflicts. */
	assert_code(say(h, author, "PUT " BASE "/x", "{}"), "NOT_FOUND");
	snprintf(request, sizeof(request), "PUT " BASE "/%s", fr);
	assert_code(say(h, author, request, "{'_rev':'%s','data':{'title':'C'}}", rev), "CONFLICT");
}

static void
nothing_unpublished_shows_in_siblings(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char en[27], fr[27];

	make(h, author, en, "{'status':'published','data':{'title':'One','pages':1}}");
	translate(h, en, "fr", "'slug':'un','data':{}", fr);
	assert_ok(on(h, author, "PUT", fr, "", "{'data':{'pages':5}}"));
	assert_int_equal(pages(h, subscriber, en), 1);
	harness_ok(o, on(h, author, "GET", en, "", ""));
	assert_int_equal(harness_int(o->data, "item.data.pages"), 5);
	assert_int_equal(harness_int(o->data, "item.liveData.pages"), 1);
	assert_string_equal(harness_text(o->data, "item.updatedAt"), "2026-06-01T12:00:00.000Z");
	/* Publishing applies the value to all translations, and drops drafts without other
	 * changes. */
	assert_ok(on(h, author, "POST", fr, "/publish", ""));
	assert_int_equal(pages(h, subscriber, en), 5);
	harness_ok(o, on(h, author, "GET", en, "", ""));
	assert_null(harness_at(o->data, "item.liveData"));
	assert_true(json_is_null(harness_at(o->data, "item.draftRevisionId")));
	assert_true(json_is_string(harness_at(o->data, "item.liveRevisionId")));
	/* A staged value applies to its own item only until it is published. */
	assert_ok(on(h, author, "PUT", en, "", "{'data':{'pages':6}}"));
	assert_int_equal(pages(h, author, fr), 5);
	assert_ok(on(h, author, "POST", en, "/discard-draft", ""));
	assert_int_equal(pages(h, author, fr), 5);
	assert_ok(on(h, author, "PUT", en, "", "{'data':{'pages':6}}"));
	assert_ok(on(h, author, "POST", en, "/publish", ""));
	assert_int_equal(pages(h, subscriber, fr), 6);
	/* The edit is published in one request. */
	assert_ok(on(h, author, "PUT", fr, "", "{'status':'published','data':{'pages':7}}"));
	assert_int_equal(pages(h, subscriber, en), 7);
}

static void
drafts_of_siblings_stay_coherent(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char en[27], fr[27], de[27];

	make(h, author, en, "{'status':'published','data':{'title':'One','pages':1}}");
	translate(h, en, "fr", "'status':'published','data':{'title':'Un'}", fr);
	translate(h, en, "de", "'status':'published','data':{'title':'Eins'}", de);
	/* fr has a draft of another field, de one of the same field. */
	assert_ok(on(h, author, "PUT", fr, "", "{'data':{'title':'Premier'}}"));
	assert_ok(on(h, author, "PUT", de, "", "{'data':{'pages':8}}"));
	assert_ok(on(h, author, "PUT", en, "", "{'status':'published','data':{'pages':2}}"));
	harness_ok(o, on(h, author, "GET", fr, "", ""));
	assert_int_equal(harness_int(o->data, "item.data.pages"), 2);
	assert_int_equal(harness_int(o->data, "item.liveData.pages"), 2);
	assert_string_equal(harness_text(o->data, "item.data.title"), "Premier");
	assert_string_equal(harness_text(o->data, "item.liveData.title"), "Un");
	harness_ok(o, on(h, author, "GET", de, "", ""));
	assert_int_equal(harness_int(o->data, "item.data.pages"), 8);
	assert_int_equal(harness_int(o->data, "item.liveData.pages"), 2);
	/* A draft with the old value of a shared field does not restore it. */
	assert_ok(on(h, author, "POST", fr, "/publish", ""));
	assert_int_equal(pages(h, subscriber, en), 2);
	assert_int_equal(pages(h, subscriber, fr), 2);
	/* A draft with a new value applies it to all translations. */
	assert_ok(on(h, author, "POST", de, "/publish", ""));
	assert_int_equal(pages(h, subscriber, en), 8);
	assert_int_equal(pages(h, subscriber, fr), 8);
	harness_ok(o, on(h, author, "GET", fr, "/compare", ""));
	assert_false(json_is_true(harness_at(o->data, "hasChanges")));
}

static void
a_due_draft_is_shared_when_it_is_published(void **state)
{
	struct harness *h = *state;
	char en[27], fr[27];

	make(h, author, en, "{'slug':'one','status':'published','data':{'pages':1}}");
	translate(h, en, "fr", "'slug':'un','status':'published','data':{}", fr);
	assert_ok(on(h, author, "PUT", en, "", "{'data':{'pages':4}}"));
	assert_ok(
	    on(h, author, "POST", en, "/schedule", "{'scheduledAt':'2026-06-01T12:00:05.000Z'}"));
	at(h, 5000);
	inside_sweep(h);
	assert_int_equal(pages(h, subscriber, en), 4);
	assert_int_equal(pages(h, subscriber, fr), 4);
}

static void
without_revisions_all_change_at_once(void **state)
{
	struct harness *h = *state;
	char en[27], fr[27];

	assert_ok(say(h, admin, "PUT /schema/collections/posts", "{'supports':[]}"));
	make(h, author, en, "{'slug':'one','status':'published','data':{'pages':1}}");
	translate(h, en, "fr", "'data':{}", fr);
	assert_ok(on(h, author, "PUT", en, "", "{'data':{'pages':2}}"));
	assert_int_equal(pages(h, author, fr), 2);
	assert_ok(on(h, author, "PUT", fr, "", "{'data':{'pages':3}}"));
	assert_int_equal(pages(h, subscriber, en), 3);
	assert_int_equal(version(h, en), 3);
}

static void
a_unique_value_must_be_free_for_each_sibling(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char en[27], fr[27], other[27];

	make(h, author, en, "{'data':{'isbn':'a','pages':1}}");
	translate(h, en, "fr", "'data':{}", fr);
	make(h, author, other, "{'locale':'fr','data':{'isbn':'b'}}");
	harness_ok(o, ask(h, author, "GET " BASE "/%s", en));
	o = on(h, author, "PUT", en, "", "{'data':{'isbn':'b','pages':2,'title':'T'}}");
	assert_code(o, "CONFLICT");
	assert_string_equal(json_string_value(json_object_get(o->details, "field")), "isbn");
	harness_ok(o, on(h, author, "GET", en, "", ""));
	assert_string_equal(harness_text(o->data, "item.data.isbn"), "a");
	assert_int_equal(harness_int(o->data, "item.version"), 1);
	assert_int_equal(pages(h, author, fr), 1);
	assert_ok(on(h, author, "DELETE", other, "", ""));
	assert_ok(on(h, author, "PUT", en, "", "{'data':{'isbn':'b'}}"));
	harness_ok(o, on(h, author, "GET", fr, "", ""));
	assert_string_equal(harness_text(o->data, "item.data.isbn"), "b");
}

static void
what_comes_back_from_the_trash_takes_what_is_shared(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char en[27], fr[27], second[27];

	make(h, author, en, "{'slug':'one','status':'published','data':{'isbn':'a','pages':1}}");
	translate(h, en, "fr", "'status':'published','data':{'title':'Un'}", fr);
	assert_ok(on(h, author, "DELETE", fr, "", ""));
	assert_ok(
	    on(h, author, "PUT", en, "", "{'status':'published','data':{'isbn':'b','pages':2}}"));
	harness_ok(o, on(h, author, "POST", fr, "/restore", ""));
	assert_string_equal(harness_text(o->data, "item.data.isbn"), "b");
	assert_int_equal(harness_int(o->data, "item.data.pages"), 2);
	assert_string_equal(harness_text(o->data, "item.data.title"), "Un");
	assert_int_equal(pages(h, subscriber, fr), 2);
	/* Another translation may have taken the locale. */
	assert_ok(on(h, author, "DELETE", fr, "", ""));
	translate(h, en, "fr", "'data':{}", second);
	o = on(h, author, "POST", fr, "/restore", "");
	assert_code(o, "CONFLICT");
	assert_ok(on(h, author, "DELETE", second, "", ""));
	assert_ok(on(h, author, "POST", fr, "/restore", ""));
	/* Restored alone, it keeps its own value. */
	assert_ok(on(h, author, "DELETE", fr, "", ""));
	assert_ok(on(h, author, "DELETE", en, "", ""));
	assert_ok(on(h, author, "POST", fr, "/restore", ""));
	assert_int_equal(pages(h, author, fr), 2);
}

static void
a_locale_that_the_site_has_not_is_refused(void **state)
{
	static const char *const writes[][2] = {
		{ "POST " BASE, "{'locale':'pt','data':{}}" },
		{ "POST /menus", "{'name':'pt','label':'P','locale':'pt'}" },
		{ "POST /taxonomies", "{'name':'pt','label':'P','locale':'pt'}" },
		{ "POST /taxonomies/category/terms", "{'label':'P','locale':'pt'}" },
		{ "POST /bylines", "{'displayName':'P','locale':'pt'}" },
	};
	struct harness *h = *state;
	struct outcome *o;

	for (size_t i = 0; i < COUNT(writes); i++) {
		o = say(h, editor, writes[i][0], "%s", writes[i][1]);
		assert_code(o, "VALIDATION_ERROR");
		assert_true(harness_issue(o, "locale"));
		assert_non_null(strstr(o->text, "which has "));
		assert_non_null(strstr(o->text, ", fr"));
	}
	assert_ok(say(h, editor, "POST /menus", "{'name':'pt','label':'P'}"));
	o = say(h, editor, "POST /menus/pt/translations", "{'locale':'pt'}");
	assert_true(harness_issue(o, "locale"));
	assert_ok(say(h, editor, "POST /menus/pt/translations", "{'locale':'FR'}"));
}

static void
a_restored_revision_gives_to_siblings(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char en[27], fr[27], path[96];

	make(h, author, en, "{'data':{'pages':1}}");
	translate(h, en, "fr", "'data':{}", fr);
	assert_ok(on(h, author, "PUT", en, "", "{'data':{'pages':2}}"));
	harness_ok(o, on(h, author, "GET", en, "/revisions", ""));
	snprintf(
	    path, sizeof(path), "POST /revisions/%s/restore", harness_text(o->data, "items[0].id"));
	assert_ok(on(h, author, "PUT", en, "", "{'data':{'pages':3}}"));
	assert_int_equal(pages(h, author, fr), 3);
	/* Siblings have a revision of the change. */
	harness_ok(o, on(h, author, "GET", fr, "/revisions", ""));
	assert_int_equal(harness_int(o->data, "total"), 3); /* one is of the creation */
	assert_int_equal(harness_int(o->data, "items[0].data.pages"), 3);
	assert_ok(ask(h, author, "%s", path));
	assert_int_equal(pages(h, author, en), 2);
	assert_int_equal(pages(h, author, fr), 2);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_draft_of_a_lower_locale_hides_nothing),
		TEST(a_preview_by_slug_finds_its_item),
		TEST(translations_are_listed_by_locale),
		TEST(a_translation_takes_what_is_shared),
		TEST(an_update_gives_to_siblings),
		TEST(nothing_unpublished_shows_in_siblings),
		TEST(drafts_of_siblings_stay_coherent),
		TEST(a_due_draft_is_shared_when_it_is_published),
		TEST(without_revisions_all_change_at_once),
		TEST(a_unique_value_must_be_free_for_each_sibling),
		TEST(what_comes_back_from_the_trash_takes_what_is_shared),
		TEST(a_locale_that_the_site_has_not_is_refused),
		TEST(a_restored_revision_gives_to_siblings),
	};

	return cmocka_run_group_tests_name("locales", tests, NULL, NULL);
}
