/* tagged.t - the terms of items: assigned with a save and by a route, and counted for each term. */
#include "inside.h"
#include "posts.h"
#include <stdio.h>
#include <stdlib.h>

#define PUBLISHED(tags) \
	"{'status':'published','data':{'title':'T'},'taxonomies':{'tag':[" tags "]}}"
#define TAG "POST /taxonomies/tag/terms"

static void
tag(struct harness *h, char id[27], const char *slug)
{
	struct outcome *o;

	harness_ok(o, say(h, editor, TAG, "{'label':'%s','slug':'%s'}", slug, slug));
	snprintf(id, 27, "%s", harness_text(o->data, "term.id"));
}

/* Creates the translation of a tag. */
static void
tag_in(struct harness *h, const char *locale, const char *of, const char *slug)
{
	assert_ok(
	    say(h, editor, TAG, "{'label':'%s','slug':'%s','locale':'%s','translationOf':'%s'}",
		slug, slug, locale, of));
}

/* Returns the slugs of the item's terms, "a b"; the unresolved ones in brackets. Static buffer. */
static const char *
terms(struct harness *h, const char *id)
{
	static char text[512];
	struct outcome *o;
	size_t i;
	json_t *t;

	harness_ok(o, ask(h, editor, "GET " BASE "/%s/terms/tag", id));
	*text = '\0';
	json_array_foreach(harness_at(o->data, "terms"), i, t) snprintf(text + strlen(text),
	    sizeof(text) - strlen(text), "%s%s", *text != '\0' ? " " : "", harness_text(t, "slug"));
	json_array_foreach(harness_at(o->data, "unresolved"), i, t) snprintf(text + strlen(text),
	    sizeof(text) - strlen(text), "(%s)", harness_text(t, "translations[0].slug"));
	return text;
}

/* Returns how many items a tag has, in a locale (NULL: in all). */
static int64_t
count(struct harness *h, const char *slug, const char *locale)
{
	struct outcome *o;

	harness_ok(o, ask(h, subscriber, "GET /taxonomies/tag/terms/%s%s%s", slug,
			  locale != NULL ? "?locale=" : "", locale != NULL ? locale : ""));
	return harness_int(o->data, "term.count");
}

static struct outcome *
assign(struct harness *h, const struct harness_user *user, const char *id, const char *ids)
{
	char request[96];

	snprintf(request, sizeof(request), "POST " BASE "/%s/terms/tag", id);
	return say(h, user, request, "{'termIds':[%s]}", ids);
}

static void
a_save_gives_and_takes_terms(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char a[27], b[27], c[27], post[27], request[64];

	tag(h, a, "a");
	tag(h, b, "b");
	assert_ok(say(h, editor, "POST /taxonomies/category/terms", "{'label':'News'}"));
	make(h, author, post,
	    "{'data':{'title':'T'},'taxonomies':{'tag':['b','a','b'],'category':['news']}}");
	assert_string_equal(terms(h, post), "a b");
	snprintf(request, sizeof(request), "PUT " BASE "/%s", post);
	/* Only the taxonomies that the request names are replaced. */
	harness_ok(o, say(h, author, request, "{'taxonomies':{'tag':['b']}}"));
	assert_int_equal(harness_int(o->data, "item.version"), 2);
	assert_string_equal(terms(h, post), "b");
	assert_ok(say(h, author, request, "{'data':{'title':'U'}}"));
	assert_ok(say(h, author, request, "{'taxonomies':{'category':[]}}"));
	assert_string_equal(terms(h, post), "b");
	assert_string_equal(inside_ask(h, "SELECT COUNT(*) FROM content_term"), "1");
	assert_ok(say(h, author, request, "{'taxonomies':{}}"));
	assert_ok(say(h, author, request, "{'taxonomies':{'tag':[]}}"));
	assert_string_equal(terms(h, post), "");
	/* Terms of a published item change at once, also while it has a draft. */
	assert_ok(say(h, author, request, "{'status':'published','taxonomies':{'tag':['a']}}"));
	assert_string_equal(terms(h, post), "a");
	tag(h, c, "c");
	assert_ok(harness_op(h, editor, "content_create",
	    "{\"collection\":\"posts\",\"data\":{},\"taxonomies\":{\"tag\":[\"c\"]}}"));
	assert_string_equal(inside_ask(h, "SELECT COUNT(*) FROM content_term"), "2");
}

static void
unknown_terms_undo_the_save(void **state)
{
	static const char *const bad[][2] = {
		{ "[]", "taxonomies" },
		{ "{'tag':'a'}", "taxonomies.tag" },
		{ "{'tag':['a','none']}", "taxonomies.tag[1]" },
		{ "{'tag':['']}", "taxonomies.tag[0]" },
		{ "{'tag':[7]}", "taxonomies.tag[0]" },
		{ "{'tag':[null]}", "taxonomies.tag[0]" },
		{ "{'none':['a']}", "taxonomies.none[0]" },
		{ "{'category':['a']}", "taxonomies.category[0]" },
		{ "{'T A G':['a']}", "taxonomies" },
		/* This term exists only in another locale. */
		{ "{'tag':['fr']}", "taxonomies.tag[0]" },
	};
	struct harness *h = *state;
	struct outcome *o;
	char a[27], post[27], request[64];

	tag(h, a, "a");
	tag_in(h, "fr", a, "fr");
	make(h, author, post, "{'data':{'title':'T'},'taxonomies':{'tag':['a']}}");
	snprintf(request, sizeof(request), "PUT " BASE "/%s", post);
	for (size_t i = 0; i < COUNT(bad); i++) {
		o = say(
		    h, author, "POST " BASE, "{'data':{'title':'New'},'taxonomies':%s}", bad[i][0]);
		assert_code(o, "VALIDATION_ERROR");
		if (!harness_issue(o, bad[i][1]))
			fail_msg("no issue about %s: %s", bad[i][1], o->text);
		assert_code(
		    say(h, author, request, "{'data':{'title':'New'},'taxonomies':%s}", bad[i][0]),
		    "VALIDATION_ERROR");
	}
	harness_ok(o, ask(h, author, "GET " BASE "/%s", post));
	assert_string_equal(harness_text(o->data, "item.data.title"), "T");
	assert_string_equal(terms(h, post), "a");
	assert_int_equal(total(h, editor, ""), 1);
	/* Slugs are looked up in the item's locale. */
	assert_ok(
	    say(h, author, "POST " BASE, "{'data':{},'locale':'fr','taxonomies':{'tag':['fr']}}"));
}

static void
the_route_takes_ids_of_rows(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char a[27], b[27], post[27], ids[96];

	tag(h, a, "a");
	tag(h, b, "b");
	make(h, author, post, "{'slug':'p','data':{'title':'T'}}");
	snprintf(ids, sizeof(ids), "'%s','%s','%s'", b, a, b);
	harness_ok(o, assign(h, author, "p", ids));
	assert_int_equal(o->http, 200);
	assert_string_equal(harness_text(o->data, "terms[0].id"), a);
	assert_string_equal(harness_text(o->data, "terms[0].name"), "tag");
	assert_string_equal(harness_text(o->data, "terms[1].slug"), "b");
	assert_int_equal(json_array_size(harness_at(o->data, "terms")), 2);
	assert_string_equal(harness_text(o->data, "entryLocale"), "en");
	assert_string_equal(harness_text(o->data, "defaultLocale"), "en");
	assert_true(json_is_false(harness_at(o->data, "implicitDefaultLocale")));
	/* Assigning terms changes neither the version nor the date of the item. */
	at(h, 5000);
	assert_ok(assign(h, author, post, ""));
	assert_string_equal(terms(h, post), "");
	harness_ok(o, ask(h, author, "GET " BASE "/%s", post));
	assert_int_equal(harness_int(o->data, "item.version"), 1);
	assert_string_equal(harness_text(o->data, "item.updatedAt"), "2026-06-01T12:00:00.000Z");
	/* A refused request changes nothing. */
	snprintf(ids, sizeof(ids), "'%s'", a);
	assert_ok(assign(h, author, post, ids));
	snprintf(ids, sizeof(ids), "'%s','none'", b);
	assert_code(assign(h, author, post, ids), "NOT_FOUND");
	harness_ok(o, say(h, editor, "POST /taxonomies/category/terms", "{'label':'C'}"));
	snprintf(ids, sizeof(ids), "'%s'", harness_text(o->data, "term.id"));
	assert_code(assign(h, author, post, ids), "VALIDATION_ERROR");
	assert_code(assign(h, author, post, "7"), "VALIDATION_ERROR");
	assert_code(assign(h, author, "none", ""), "NOT_FOUND");
	assert_code(say(h, author, "POST /content/none/x/terms/tag", "{'termIds':[]}"),
	    "COLLECTION_NOT_FOUND");
	assert_code(say(h, author, "POST " BASE "/p/terms/tag", "{}"), "VALIDATION_ERROR");
	assert_string_equal(terms(h, post), "a");
	/* An id that is only a translation group, because its row was deleted, is not accepted. */
	tag_in(h, "fr", b, "b");
	assert_ok(ask(h, editor, "DELETE /taxonomies/tag/terms/b?locale=en"));
	snprintf(ids, sizeof(ids), "'%s'", b);
	assert_code(assign(h, author, post, ids), "NOT_FOUND");
	/* The taxonomy is not looked up if no terms are given. */
	assert_ok(say(h, author, "POST " BASE "/p/terms/none", "{'termIds':[]}"));
}

static void
rights_are_those_of_the_item(void **state)
{
	struct harness *h = *state;
	char a[27], draft[27], ids[32];

	tag(h, a, "a");
	snprintf(ids, sizeof(ids), "'%s'", a);
	make(h, author, draft, "{'data':{'title':'T'},'taxonomies':{'tag':['a']}}");
	assert_code(assign(h, nobody, draft, ids), "UNAUTHORIZED");
	assert_code(assign(h, contributor, draft, ids), "FORBIDDEN");
	assert_code(assign(h, other_author, draft, ids), "FORBIDDEN");
	assert_ok(assign(h, author, draft, ids));
	assert_ok(assign(h, editor, draft, ids));
	/* The terms of a draft are hidden like the draft. */
	assert_code(ask(h, subscriber, "GET " BASE "/%s/terms/tag", draft), "NOT_FOUND");
	assert_ok(ask(h, contributor, "GET " BASE "/%s/terms/tag", draft));
	assert_ok(ask(h, editor, "POST " BASE "/%s/publish", draft));
	assert_ok(ask(h, subscriber, "GET " BASE "/%s/terms/tag", draft));
	assert_ok(ask(h, editor, "DELETE " BASE "/%s", draft));
	assert_code(ask(h, editor, "GET " BASE "/%s/terms/tag", draft), "NOT_FOUND");
	assert_code(assign(h, editor, draft, ids), "NOT_FOUND");
}

static void
terms_show_in_the_locale_of_the_item(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char a[27], b[27], en[27], fr[27];

	tag(h, a, "a");
	tag_in(h, "fr", a, "ah");
	tag(h, b, "b");
	make(h, author, en, "{'data':{'title':'T'},'taxonomies':{'tag':['a','b']}}");
	make(h, author, fr, "{'locale':'fr','translationOf':'%s','data':{'title':'U'}}", en);
	assert_string_equal(terms(h, en), "a b");
	/* The term in the item's locale, and the term in the default locale if it has no
	 * translation. */
	assert_string_equal(terms(h, fr), "ah b");
	tag_in(h, "de", b, "be");
	assert_ok(ask(h, editor, "DELETE /taxonomies/tag/terms/b?locale=en"));
	assert_string_equal(terms(h, fr), "ah(be)");
	harness_ok(o, ask(h, author, "GET " BASE "/%s/terms/tag", fr));
	assert_string_equal(harness_text(o->data, "unresolved[0].translationGroup"), b);
	assert_string_equal(harness_text(o->data, "unresolved[0].availableLocales[0]"), "de");
	assert_string_equal(harness_text(o->data, "unresolved[0].translations[0].locale"), "de");
	assert_string_equal(harness_text(o->data, "entryLocale"), "fr");
	/* Deleting the last translation of a term deletes its assignments. */
	assert_ok(ask(h, editor, "DELETE /taxonomies/tag/terms/be?locale=de"));
	assert_string_equal(terms(h, fr), "ah");
	assert_string_equal(terms(h, en), "a");
	assert_string_equal(inside_ask(h, "SELECT COUNT(*) FROM content_term"), "1");
}

/* ---- counts ---- */

static void
counts_follow_what_the_public_sees(void **state)
{
	struct harness *h = *state;
	char a[27], id[27], fr[27];

	tag(h, a, "a");
	tag_in(h, "fr", a, "a");
	make(h, author, id, "{'data':{'title':'T'},'taxonomies':{'tag':['a']}}");
	assert_int_equal(count(h, "a", NULL), 0);
	assert_ok(ask(h, editor, "POST " BASE "/%s/publish", id));
	assert_int_equal(count(h, "a", NULL), 1);
	assert_int_equal(count(h, "a", "en"), 1);
	assert_int_equal(count(h, "a", "fr"), 0);
	/* One item in two locales counts once. */
	make(h, author, fr,
	    "{'locale':'fr','status':'published','translationOf':'%s','data':{'title':'U'}}", id);
	assert_int_equal(count(h, "a", NULL), 1);
	assert_int_equal(count(h, "a", "fr"), 1);
	assert_ok(ask(h, editor, "POST " BASE "/%s/unpublish", id));
	assert_int_equal(count(h, "a", NULL), 1);
	assert_int_equal(count(h, "a", "en"), 0);
	assert_ok(ask(h, editor, "DELETE " BASE "/%s", fr));
	assert_int_equal(count(h, "a", NULL), 0);
	assert_ok(ask(h, editor, "POST " BASE "/%s/restore", fr));
	assert_int_equal(count(h, "a", "fr"), 1);
	assert_ok(assign(h, editor, fr, ""));
	assert_int_equal(count(h, "a", NULL), 0);
	assert_int_equal(count(h, "a", "fr"), 0);
	make(h, author, id,
	    "{'status':'published','data':{'title':'V'},'taxonomies':{'tag':['a']}}");
	assert_int_equal(count(h, "a", NULL), 1);
	assert_string_equal(
	    inside_ask(h, "SELECT COUNT(*) FROM term_count WHERE n NOT IN (0, 1)"), "0");
}

static void
a_scheduled_item_counts_from_its_time_on(void **state)
{
	struct harness *h = *state;
	char a[27], id[27], request[64];

	tag(h, a, "a");
	make(h, author, id, "{'data':{'title':'T'},'taxonomies':{'tag':['a']}}");
	snprintf(request, sizeof(request), "POST " BASE "/%s/schedule", id);
	assert_ok(say(h, editor, request, "{'scheduledAt':'2026-06-01T12:01:00Z'}"));
	assert_int_equal(count(h, "a", NULL), 0);
	at(h, 61000);
	inside_sweep(h);
	assert_int_equal(count(h, "a", NULL), 1);
}

static void
counts_are_of_the_declared_collections(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char a[27];

	tag(h, a, "a");
	assert_ok(say(h, editor, "POST /content/pages",
	    "{'status':'published','data':{'name':'N'},'taxonomies':{'tag':['a']}}"));
	assert_int_equal(count(h, "a", NULL), 0);
	assert_ok(say(h, editor, "PUT /taxonomies/tag", "{'collections':['posts','pages']}"));
	assert_int_equal(count(h, "a", NULL), 1);
	harness_ok(o, ask(h, subscriber, "GET /taxonomies/tag/terms"));
	assert_int_equal(harness_int(o->data, "terms[0].count"), 1);
	harness_ok(o, ask(h, subscriber, "GET /taxonomies/tag/terms?locale=fr"));
	assert_int_equal(json_array_size(harness_at(o->data, "terms")), 0);
	harness_ok(o, ask(h, subscriber, "GET /taxonomies/tag/terms?includeCounts=false"));
	assert_null(harness_at(o->data, "terms[0].count"));
	/* Deleting the collection removes its counts; creating it again does not bring them
	 * back. */
	assert_ok(ask(h, admin, "DELETE /schema/collections/pages?force=true"));
	assert_int_equal(count(h, "a", NULL), 0);
	assert_string_equal(inside_ask(h, "SELECT COUNT(*) FROM content_term"), "0");
	assert_ok(say(h, admin, "POST /schema/collections", "{'slug':'pages','label':'Pages'}"));
	assert_int_equal(count(h, "a", NULL), 0);
	assert_ok(say(h, editor, "PUT /taxonomies/tag", "{'collections':[]}"));
	assert_int_equal(count(h, "a", NULL), 0);
}

static void
what_is_purged_has_no_terms(void **state)
{
	struct harness *h = *state;
	char a[27], en[27], fr[27];

	tag(h, a, "a");
	make(h, author, en,
	    "{'status':'published','data':{'title':'T'},'taxonomies':{'tag':['a']}}");
	make(h, author, fr,
	    "{'locale':'fr','status':'published','translationOf':'%s','data':{'title':'U'}}", en);
	assert_ok(ask(h, editor, "DELETE " BASE "/%s", en));
	assert_ok(ask(h, admin, "DELETE " BASE "/%s/permanent", en));
	/* The translation keeps the terms. */
	assert_string_equal(terms(h, fr), "a");
	assert_int_equal(count(h, "a", NULL), 1);
	assert_ok(ask(h, editor, "DELETE " BASE "/%s", fr));
	assert_int_equal(count(h, "a", NULL), 0);
	assert_ok(ask(h, admin, "DELETE " BASE "/%s/permanent", fr));
	assert_string_equal(inside_ask(h, "SELECT COUNT(*) FROM content_term"), "0");
	assert_int_equal(count(h, "a", NULL), 0);
}

static void
without_the_module_items_have_no_terms(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char a[27], id[27];

	tag(h, a, "a");
	make(h, author, id, "{'data':{'title':'T'},'taxonomies':{'tag':['a']}}");
	assert_ok(ask(h, admin, "POST /admin/plugins/taxonomies/disable"));
	assert_code(ask(h, editor, "GET " BASE "/%s/terms/tag", id), "NOT_FOUND");
	assert_code(ask(h, editor, "GET /taxonomies"), "NOT_FOUND");
	o = say(h, author, "POST " BASE, "{'data':{},'taxonomies':{'tag':['a']}}");
	assert_code(o, "VALIDATION_ERROR");
	assert_true(harness_issue(o, "taxonomies"));
	assert_ok(say(h, author, "POST " BASE, "{'data':{},'taxonomies':{}}"));
	assert_ok(ask(h, admin, "POST /admin/plugins/taxonomies/enable"));
	assert_string_equal(terms(h, id), "a");
}

/* Creates six hundred more terms of the taxonomy, and as many items with the first term: more than
 * one transaction deletes. */
static void
crowd(struct harness *h, const char *group)
{
	inside_sql(h,
	    "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 600)"
	    " INSERT INTO term (id, taxonomy, slug, label, parent_group, position, locale,"
	    " translation_group) SELECT 'many' || i, 'tag', 'many' || i, 'M', '', i + 9, 'en',"
	    " 'many' || i FROM n WHERE ?1 <> ''",
	    group);
	inside_sql(h,
	    "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 600)"
	    " INSERT INTO content_term (collection, entry_group, taxonomy, term_group, shown)"
	    " SELECT 'posts', 'entry' || i, 'tag', ?1, '' FROM n",
	    group);
}

static void
switch_module(struct harness *h, int ms, const char *verb)
{
	at(h, ms);
	assert_ok(ask(h, admin, "POST /admin/plugins/taxonomies/%s", verb));
}

/* Runs the jobs as long as one is due; returns how many ran. */
static int
work(struct harness *h)
{
	int rounds = 0;

	while (inside_work(h, "taxonomies"))
		assert_true(++rounds < 100);
	return rounds;
}

static void
counts_are_right_again_when_the_module_is_back(void **state)
{
	struct harness *h = *state;
	char a[27], hidden[27], shown[27], trashed[27], purged[27], fr[27];

	tag(h, a, "a");
	tag_in(h, "fr", a, "a-fr");
	make(h, editor, hidden, PUBLISHED("'a'"));
	make(h, editor, trashed, PUBLISHED("'a'"));
	make(h, editor, purged, PUBLISHED("'a'"));
	make(h, editor, shown, "{'data':{'title':'T'},'taxonomies':{'tag':['a']}}");
	assert_int_equal(count(h, "a", NULL), 3);
	assert_int_equal(work(h), 0);
	switch_module(h, 1, "disable");
	assert_ok(ask(h, editor, "POST " BASE "/%s/unpublish", hidden));
	assert_ok(ask(h, editor, "DELETE " BASE "/%s", trashed));
	assert_ok(ask(h, editor, "DELETE " BASE "/%s", purged));
	assert_ok(ask(h, admin, "DELETE " BASE "/%s/permanent", purged));
	assert_ok(ask(h, editor, "POST " BASE "/%s/publish", shown));
	make(h, editor, fr,
	    "{'locale':'fr','status':'published','translationOf':'%s','data':{'title':'U'}}",
	    shown);
	switch_module(h, 2, "enable");
	assert_int_equal(count(h, "a", NULL), 3);
	assert_int_equal(work(h), 1);
	assert_int_equal(count(h, "a", NULL), 1);
	assert_int_equal(count(h, "a", "en"), 1);
	assert_int_equal(count(h, "a-fr", "fr"), 1);
	assert_string_equal(inside_ask(h, "SELECT COUNT(*) FROM content_term"), "3");
	/* Counts follow the changes from here on. */
	assert_ok(ask(h, editor, "POST " BASE "/%s/restore", trashed));
	assert_ok(ask(h, editor, "POST " BASE "/%s/publish", hidden));
	assert_int_equal(count(h, "a", "en"), 3);
	/* After each disabling and enabling the counts are correct again. */
	switch_module(h, 3, "disable");
	assert_ok(ask(h, editor, "POST " BASE "/%s/unpublish", fr));
	switch_module(h, 4, "enable");
	assert_int_equal(work(h), 1);
	assert_int_equal(count(h, "a-fr", "fr"), 0);
	assert_int_equal(count(h, "a", NULL), 3);
}

static void
what_went_without_the_module_is_let_go_when_it_is_back(void **state)
{
	struct harness *h = *state;
	char a[27], post[27];

	tag(h, a, "a");
	make(h, editor, post, PUBLISHED("'a'"));
	crowd(h, a); /* no item has these assignments */
	inside_sql(h,
	    "INSERT INTO content_term (collection, entry_group, taxonomy, term_group, shown)"
	    " VALUES ('gone', 'x', 'tag', ?1, 'en')",
	    a);
	inside_sql(h,
	    "INSERT INTO term_count (term_group, locale, collection, n)"
	    " VALUES (?1, 'en', 'gone', 1), (?1, '', 'gone', 1)",
	    a);
	switch_module(h, 1, "disable");
	switch_module(h, 2, "enable");
	assert_true(work(h) > 0);
	assert_string_equal(inside_ask(h, "SELECT COUNT(*) FROM content_term"), "1");
	assert_string_equal(
	    inside_ask(h, "SELECT SUM(n) FROM term_count WHERE collection = 'gone'"), "0");
	assert_int_equal(count(h, "a", NULL), 1);
	assert_string_equal(terms(h, post), "a");
}

static void
clear_away(struct harness *h)
{
	assert_true(work(h) > 0);
	assert_string_equal(inside_ask(h, "SELECT COUNT(*) FROM taxonomy_gone"), "0");
}

static void
a_term_of_many_items_is_gone_at_once(void **state)
{
	struct harness *h = *state;
	char a[27], again[27], post[27];

	tag(h, a, "a");
	make(h, author, post, "{'data':{'title':'T'},'taxonomies':{'tag':['a']}}");
	crowd(h, a);
	assert_ok(ask(h, editor, "DELETE /taxonomies/tag/terms/a"));
	assert_string_not_equal(inside_ask(h, "SELECT COUNT(*) FROM content_term"), "0");
	/* The name can be used again, and the new term has no items. */
	tag(h, again, "a");
	assert_string_equal(terms(h, post), "");
	clear_away(h);
	assert_string_equal(inside_ask(h, "SELECT COUNT(*) FROM content_term"), "0");
	assert_int_equal(count(h, "a", NULL), 0);
}

static void
a_large_taxonomy_is_gone_at_once(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char a[27], post[27];

	tag(h, a, "a");
	make(h, author, post, "{'data':{'title':'T'},'taxonomies':{'tag':['a']}}");
	crowd(h, a);
	assert_ok(ask(h, editor, "DELETE /taxonomies/tag"));
	assert_string_not_equal(inside_ask(h, "SELECT COUNT(*) FROM term"), "0");
	for (int i = 0; i < 2; i++) {
		assert_code(ask(h, editor, "GET /taxonomies/tag/terms"), "NOT_FOUND");
		assert_code(ask(h, editor, "GET /taxonomies/tag/terms/many600"), "NOT_FOUND");
		assert_code(ask(h, editor, "DELETE /taxonomies/tag/terms/many600"), "NOT_FOUND");
		assert_string_equal(terms(h, post), "");
		assert_code(assign(h, editor, post, "'many600'"), "NOT_FOUND");
		o = say(h, author, "POST " BASE,
		    "{'data':{'title':'U'},'taxonomies':{'tag':['many600']}}");
		assert_code(o, "VALIDATION_ERROR");
		if (i == 0) {
			assert_code(
			    say(h, editor, "POST /taxonomies", "{'name':'tag','label':'T'}"),
			    "CONFLICT");
			clear_away(h);
		}
	}
	assert_string_equal(inside_ask(h, "SELECT COUNT(*) FROM term"), "0");
	assert_string_equal(inside_ask(h, "SELECT COUNT(*) FROM content_term"), "0");
	assert_string_equal(inside_ask(h, "SELECT COUNT(*) FROM term_count"), "0");
	assert_ok(say(h, editor, "POST /taxonomies", "{'name':'tag','label':'T'}"));
	harness_ok(o, ask(h, editor, "GET /taxonomies/tag/terms"));
	assert_int_equal(json_array_size(harness_at(o->data, "terms")), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		check(a_save_gives_and_takes_terms),
		check(unknown_terms_undo_the_save),
		check(the_route_takes_ids_of_rows),
		check(rights_are_those_of_the_item),
		check(terms_show_in_the_locale_of_the_item),
		check(counts_follow_what_the_public_sees),
		check(a_scheduled_item_counts_from_its_time_on),
		check(counts_are_of_the_declared_collections),
		check(what_is_purged_has_no_terms),
		check(without_the_module_items_have_no_terms),
		check(counts_are_right_again_when_the_module_is_back),
		check(what_went_without_the_module_is_let_go_when_it_is_back),
		check(a_term_of_many_items_is_gone_at_once),
		check(a_large_taxonomy_is_gone_at_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
