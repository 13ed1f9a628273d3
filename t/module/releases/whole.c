/* whole.t - a release as a whole: previews of it, what is missing, menus and terms that it makes
 * and deletes. */
#include "inside.h"
#include "posts.h"
#include <stdio.h>
#include <string.h>

#define R "/releases"
#define SPRING R "/Spring"

static char staged[27], fresh[27], secret[27];

/* A published post with a draft, a draft, another draft that is in no release; a menu, terms. */
static int
begin(void **state)
{
	struct harness *h;

	if (posts_begin_seo(state) != 0)
		return -1;
	h = *state;
	make(h, editor, staged, "{'slug':'staged','status':'published','data':{'title':'Was'}}");
	assert_ok(say(h, editor, "PUT " BASE "/staged", "{'data':{'title':'Will be'}}"));
	make(h, editor, fresh, "{'slug':'fresh','data':{'title':'Fresh'}}");
	make(h, editor, secret, "{'slug':'secret','data':{'title':'Secret'}}");
	assert_ok(say(h, editor, "POST /menus", "{'name':'main','label':'Main'}"));
	assert_ok(
	    say(h, editor, "POST /taxonomies/category/terms", "{'slug':'news','label':'News'}"));
	assert_ok(say(h, admin, "POST /settings", "{'siteTitle':'Site'}"));
	inside_user(h, admin);
	inside_user(h, author);
	return 0;
}

/* A site whose modules answer anonymous callers. */
static int
begin_open(void **state)
{
	static const char *const all[] = { "*", NULL };

	posts_public_read = all;
	return begin(state);
}

static void
create(struct harness *h, const char *more)
{
	assert_ok(say(h, admin, "POST " R,
	    "{'name':'Spring','add':[{'type':'item','collection':'posts','item':'staged'},"
	    "{'type':'item','collection':'posts','item':'fresh'}%s]}",
	    more));
}

#define ALL                                                                          \
	",{'type':'menu','name':'main','content':{'items':[{'type':'custom',"        \
	"'label':'C','customUrl':'/c'}]}},{'type':'menu','name':'foot','content':{"  \
	"'label':'Foot','items':[{'type':'custom','label':'F','customUrl':'/f'}]}}," \
	"{'type':'term','name':'category','slug':'new','content':{'label':'New'}},"  \
	"{'type':'term','action':'delete','name':'category','slug':'news'},"         \
	"{'type':'settings','content':{'title':'In spring'}}"

/* ---- previews ---- */

static const char *
token_of(struct harness *h, const struct harness_user *user)
{
	static char token[1100];
	struct outcome *o;

	harness_ok(o, say(h, user, "POST " SPRING "/preview-links", "{'expiresIn':'1d'}"));
	assert_int_equal(o->http, 201);
	(void)snprintf(token, sizeof(token), "%s", harness_text(o->data, "token"));
	assert_non_null(strstr(harness_text(o->data, "url"), "/preview/?_preview="));
	return token;
}

#define READS                                                                       \
	"[{'op':'content_list','arguments':{'collection':'posts','orderBy':'slug'," \
	"'order':'asc'}},{'op':'content_read','arguments':{'collection':'posts',"   \
	"'id':'staged'}},{'op':'menu_get','arguments':{'name':'main'}},"            \
	"{'op':'menu_get','arguments':{'name':'foot'}},{'op':'settings_read'},"     \
	"{'op':'term_tree','arguments':{'taxonomy':'category'}},"                   \
	"{'op':'content_read','arguments':{'collection':'posts','id':'secret'}}]"

static struct outcome *
look(struct harness *h, const struct harness_user *user, const char *token)
{
	return say(h, user, "POST " R "/preview", "{'token':'%s','calls':" READS "}", token);
}

static void
a_preview_shows_the_site_as_it_will_be(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	const char *token;

	create(h, ALL);
	token = token_of(h, admin);
	harness_ok(o, look(h, subscriber, token));
	assert_string_equal(harness_text(o->data, "name"), "Spring");
	assert_int_equal(harness_int(o->data, "problems"), 0);
	assert_int_equal(json_array_size(harness_at(o->data, "changes")), 7);
	assert_int_equal(json_array_size(harness_at(o->data, "results[0].data.items")), 2);
	assert_string_equal(harness_text(o->data, "results[0].data.items[0].slug"), "fresh");
	assert_string_equal(harness_text(o->data, "results[1].data.item.data.title"), "Will be");
	assert_string_equal(harness_text(o->data, "results[2].data.items[0].label"), "C");
	assert_string_equal(harness_text(o->data, "results[3].data.label"), "Foot");
	assert_int_equal(json_array_size(harness_at(o->data, "results[5].data.terms")), 1);
	assert_string_equal(harness_text(o->data, "results[5].data.terms[0].slug"), "new");
	/* A draft of nobody's release. */
	assert_string_equal(harness_text(o->data, "results[6].error.code"), "NOT_FOUND");

	/* Nothing of it stays. */
	assert_code(ask(h, subscriber, "GET " BASE "/fresh"), "NOT_FOUND");
	assert_code(ask(h, editor, "GET /menus/foot"), "NOT_FOUND");
	harness_ok(o, ask(h, subscriber, "GET " BASE "/staged"));
	assert_string_equal(harness_text(o->data, "item.data.title"), "Was");
	harness_ok(o, ask(h, editor, "GET /settings"));
	assert_string_equal(harness_text(o->data, "siteTitle"), "Site");
	harness_ok(o, ask(h, editor, "GET /taxonomies/category/terms"));
	assert_string_equal(harness_text(o->data, "terms[0].slug"), "news");
	harness_ok(o, ask(h, admin, "GET " SPRING));
	assert_string_equal(harness_text(o->data, "release.status"), "open");

	/* Published, the link shows the site as it is. */
	assert_ok(say(h, admin, "POST " SPRING "/publish", "{}"));
	harness_ok(o, look(h, subscriber, token));
	assert_string_equal(harness_text(o->data, "status"), "published");
	assert_string_equal(harness_text(o->data, "results[1].data.item.data.title"), "Will be");
}

static void
a_preview_adds_no_rights(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	const char *token;
	char link[27], item[27];

	create(h, ALL);
	token = token_of(h, admin);
	/* Anonymous callers read what is public, and here nothing is. */
	harness_ok(o, look(h, nobody, token));
	assert_string_equal(harness_text(o->data, "results[0].error.code"), "UNAUTHORIZED");
	assert_string_equal(harness_text(o->data, "results[4].error.code"), "UNAUTHORIZED");
	assert_string_equal(harness_text(o->data, "results[6].error.code"), "UNAUTHORIZED");
	/* But for the items that the release publishes: that is what the link was made for. */
	(void)snprintf(item, sizeof(item), "%s",
	    harness_text(ask(h, admin, "GET " BASE "/fresh")->data, "item.id"));
	harness_ok(
	    o, say(h, nobody, "POST " R "/preview",
		   "{'token':'%s','calls':[{'op':'content_read','arguments':{'collection':'posts',"
		   "'id':'%s'}},{'op':'content_read','arguments':{'collection':'posts','id':'%s',"
		   "'slug':'secret','include':['terms']}},{'op':'content_list','arguments':{"
		   "'collection':'posts'}}]}",
		   token, item, item));
	assert_string_equal(harness_text(o->data, "results[0].data.item.slug"), "fresh");
	assert_string_equal(harness_text(o->data, "results[0].data.item.status"), "published");
	assert_string_equal(harness_text(o->data, "results[1].data.item.slug"), "fresh");
	assert_string_equal(harness_text(o->data, "results[2].error.code"), "UNAUTHORIZED");
	/* What was changed since is not published, so it is not shown either. */
	assert_ok(say(h, editor, "PUT " BASE "/fresh", "{'data':{'title':'Newer'}}"));
	harness_ok(o, say(h, nobody, "POST " R "/preview",
			  "{'token':'%s','calls':[{'op':'content_read','arguments':{'collection':"
			  "'posts','id':'%s'}}]}",
			  token, item));
	assert_string_equal(harness_text(o->data, "results[0].error.code"), "NOT_FOUND");
	/* Nothing is written, by nobody. */
	harness_ok(
	    o, say(h, admin, "POST " R "/preview",
		   "{'token':'%s','calls':[{'op':'content_delete','arguments':{'collection':"
		   "'posts','id':'staged'}},{'op':'release_publish','arguments':{'id':'Spring'}}]}",
		   token));
	assert_string_equal(harness_text(o->data, "results[0].error.code"), "INVALID_INPUT");
	assert_string_equal(harness_text(o->data, "results[1].error.code"), "INVALID_INPUT");
	assert_ok(ask(h, subscriber, "GET " BASE "/staged"));
	/* Settings are for administrators: an editor could not publish this release. */
	inside_user(h, editor);
	assert_code(say(h, editor, "POST " SPRING "/preview-links", "{}"), "FORBIDDEN");
	assert_code(say(h, contributor, "POST " SPRING "/preview-links", "{}"), "FORBIDDEN");
	/* The token of an item shows no release, and that of a release no item. */
	assert_code(ask(h, nobody, "GET " BASE "/fresh?_preview=%s", token), "UNAUTHORIZED");
	harness_ok(o, say(h, admin, "POST " BASE "/fresh/preview-url", "{}"));
	assert_code(look(h, subscriber, harness_text(o->data, "token")), "NOT_FOUND");
	/* A link that was withdrawn, or has ended. */
	harness_ok(o, ask(h, contributor, "GET " SPRING "/preview-links"));
	assert_int_equal(json_array_size(harness_at(o->data, "items")), 1);
	(void)snprintf(link, sizeof(link), "%s", harness_text(o->data, "items[0].id"));
	assert_code(ask(h, author, "DELETE " SPRING "/preview-links/%s", link), "FORBIDDEN");
	assert_ok(ask(h, admin, "DELETE " SPRING "/preview-links/%s", link));
	assert_code(look(h, subscriber, token), "NOT_FOUND");
	token = token_of(h, admin);
	assert_ok(look(h, subscriber, token));
	at(h, 86400 * 1000);
	assert_code(look(h, subscriber, token), "NOT_FOUND");
}

/* The credentials that a site has: none, or a token that is nobody's. */
static void
a_site_previews_with_what_it_reads_with(void **state)
{
	static const struct harness_user delivery[1] = {
		{ .id = "", .role = 10, .scopes = "content:read" }
	};
	struct harness *h = *state;
	struct outcome *o;
	const char *token;

	assert_ok(say(h, admin, "PUT /schema/collections/posts", "{'publicRead':true}"));
	create(h, ALL);
	token = token_of(h, admin);
	for (int i = 0; i < 2; i++) {
		harness_ok(o, look(h, i == 0 ? nobody : delivery, token));
		assert_int_equal(json_array_size(harness_at(o->data, "results[0].data.items")), 2);
		assert_string_equal(
		    harness_text(o->data, "results[1].data.item.data.title"), "Will be");
		assert_string_equal(
		    harness_text(o->data, "results[4].data.siteTitle"), "In spring");
		assert_string_equal(harness_text(o->data, "results[6].error.code"), "NOT_FOUND");
	}
	assert_code(ask(h, nobody, "GET " BASE "/fresh"), "NOT_FOUND");
}

static void
a_preview_shows_what_it_can(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	const char *token;

	create(h, "");
	token = token_of(h, admin);
	assert_ok(say(h, editor, "PUT " BASE "/staged", "{'data':{'title':'Newer'}}"));
	harness_ok(o, look(h, subscriber, token));
	assert_int_equal(harness_int(o->data, "problems"), 1);
	assert_int_equal(json_array_size(harness_at(o->data, "results[0].data.items")), 2);
	/* What was changed since stays as it is. */
	assert_string_equal(harness_text(o->data, "results[1].data.item.data.title"), "Was");
	/* A release without changes. */
	assert_ok(ask(h, admin, "DELETE " SPRING));
	assert_ok(say(h, admin, "POST " R, "{'name':'Spring'}"));
	token = token_of(h, admin);
	harness_ok(o, look(h, subscriber, token));
	assert_int_equal(json_array_size(harness_at(o->data, "results[0].data.items")), 1);
}

/* Each preview publishes and undoes the release, while others wait. */
static void
previews_are_bounded(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	const char *token;
	char other[1100];

	harness_clock(h, "2026-06-01T12:00:00.000Z"); /* the limit is one of a minute */
	create(h, ALL);
	(void)snprintf(other, sizeof(other), "%s", token_of(h, admin));
	token = token_of(h, admin);
	assert_code(say(h, subscriber, "POST " R "/preview",
			"{'token':'%s','calls':[{'op':'a'},{'op':'a'},{'op':'a'},{'op':'a'},"
			"{'op':'a'},{'op':'a'},{'op':'a'},{'op':'a'},{'op':'a'},{'op':'a'},"
			"{'op':'a'},{'op':'a'},{'op':'a'},{'op':'a'},{'op':'a'},{'op':'a'},"
			"{'op':'a'},{'op':'a'},{'op':'a'},{'op':'a'},{'op':'a'}]}",
			token),
	    "VALIDATION_ERROR");
	for (int i = 0; i < 30; i++)
		assert_ok(say(h, subscriber, "POST " R "/preview", "{'token':'%s'}", token));
	assert_code(say(h, nobody, "POST " R "/preview", "{'token':'%s'}", token), "RATE_LIMITED");
	assert_ok(say(h, nobody, "POST " R "/preview", "{'token':'%s'}", other));
	/* What the maker could not change any more is not named. */
	inside_sql(h, "UPDATE users SET role = 40 WHERE id = ?1", admin->id);
	harness_ok(o, say(h, subscriber, "POST " R "/preview", "{'token':'%s'}", other));
	assert_int_equal(harness_int(o->data, "problems"), 1);
	assert_int_equal(json_array_size(harness_at(o->data, "changes")), 6);
	inside_sql(h, "UPDATE users SET role = 50 WHERE id = ?1", admin->id);
	/* The token of an item is none of a release, whatever that is called. */
	assert_ok(say(h, admin, "POST " R, "{'name':'%s'}", fresh + 3));
	harness_ok(o, say(h, admin, "POST " BASE "/fresh/preview-url", "{}"));
	assert_code(say(h, subscriber, "POST " R "/preview", "{'token':'%s'}",
			harness_text(o->data, "token")),
	    "NOT_FOUND");
}

/* ---- what is missing ---- */

static void
links_of_menus_to_what_is_not_public_are_missing(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char link[300];

	(void)snprintf(link, sizeof(link),
	    ",{'type':'menu','name':'main','content':{'items':[{'type':'post','label':'Fresh',"
	    "'referenceId':'%s'},{'type':'post','label':'Hidden','referenceId':'%s'}]}}",
	    fresh, secret);
	create(h, link);
	harness_ok(o, say(h, admin, "POST " SPRING "/check", "{}"));
	assert_int_equal(json_array_size(harness_at(o->data, "problems")), 1);
	assert_string_equal(harness_text(o->data, "problems[0].code"), "MISSING_REFERENCE");
	assert_non_null(strstr(harness_text(o->data, "problems[0].message"), "Hidden"));
	assert_code(say(h, admin, "POST " SPRING "/publish", "{}"), "RELEASE_BLOCKED");
	assert_ok(say(h, admin, "POST " SPRING "/publish", "{'allowMissing':true}"));
}

/* ---- menus and terms ---- */

static void
a_new_menu_is_made_and_taken_back(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	assert_code(say(h, admin, "POST " R,
			"{'name':'Spring','add':[{'type':'menu','name':'foot','content':{"
			"'items':[]}}]}"),
	    "VALIDATION_ERROR");
	create(h, ",{'type':'menu','name':'foot','content':{'label':'Foot','items':[{"
		  "'type':'custom','label':'F','customUrl':'/f'}]}}");
	harness_ok(o, ask(h, admin, "GET " SPRING));
	assert_string_equal(harness_text(o->data, "release.changes[2].does"), "create");
	assert_null(harness_at(o->data, "release.changes[2].problem"));
	assert_ok(say(h, admin, "POST " SPRING "/publish", "{}"));
	harness_ok(o, ask(h, subscriber, "GET /menus/foot"));
	assert_string_equal(harness_text(o->data, "items[0].label"), "F");
	assert_ok(say(h, admin, "POST " SPRING "/undo", "{}"));
	assert_code(ask(h, editor, "GET /menus/foot"), "NOT_FOUND");
	/* It can be published again; another menu of this name stands against it. */
	assert_ok(say(h, editor, "POST /menus", "{'name':'foot','label':'Other'}"));
	assert_code(say(h, admin, "POST " SPRING "/publish", "{}"), "RELEASE_BLOCKED");
	assert_ok(ask(h, editor, "DELETE /menus/foot"));
	assert_ok(say(h, admin, "POST " SPRING "/publish", "{}"));
}

static void
a_deleted_term_comes_back_with_its_items(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27], other[27];

	make(h, editor, id,
	    "{'slug':'tagged','status':'published','data':{'title':'T'},"
	    "'taxonomies':{'category':['news']}}");
	make(h, editor, other,
	    "{'slug':'tagged-too','data':{'title':'U'},'taxonomies':{'category':['news']}}");
	assert_code(say(h, admin, "POST " R,
			"{'name':'X','add':[{'type':'term','action':'delete','name':'category',"
			"'slug':'nope'}]}"),
	    "NOT_FOUND");
	assert_code(say(h, admin, "POST " R,
			"{'name':'X','add':[{'type':'item','action':'delete','collection':'posts',"
			"'item':'fresh'}]}"),
	    "VALIDATION_ERROR");
	create(h, ",{'type':'term','action':'delete','name':'category','slug':'news'}");
	harness_ok(o, ask(h, admin, "GET " SPRING));
	assert_string_equal(harness_text(o->data, "release.changes[2].does"), "delete");
	assert_ok(say(h, admin, "POST " SPRING "/publish", "{}"));
	assert_code(ask(h, editor, "GET /taxonomies/category/terms/news"), "NOT_FOUND");
	harness_ok(o, ask(h, admin, "GET " SPRING));
	assert_null(harness_at(o->data, "release.changes[2].problem"));
	/* The items have got another term meanwhile, which they keep. */
	assert_ok(
	    say(h, editor, "POST /taxonomies/category/terms", "{'slug':'more','label':'More'}"));
	assert_ok(
	    say(h, editor, "PUT " BASE "/tagged-too", "{'taxonomies':{'category':['more']}}"));
	assert_ok(say(h, admin, "POST " SPRING "/undo", "{}"));
	harness_ok(o, ask(h, editor, "GET /taxonomies/category/terms/news"));
	assert_string_equal(harness_text(o->data, "term.label"), "News");
	harness_ok(o, ask(h, editor, "GET " BASE "/tagged/terms/category"));
	assert_string_equal(harness_text(o->data, "terms[0].slug"), "news");
	harness_ok(o, ask(h, editor, "GET " BASE "/tagged-too/terms/category"));
	assert_int_equal(json_array_size(harness_at(o->data, "terms")), 2);
	assert_ok(say(h, admin, "POST " SPRING "/publish", "{}"));
	/* A new term of this name is not taken away by undoing. */
	assert_ok(
	    say(h, editor, "POST /taxonomies/category/terms", "{'slug':'news','label':'Again'}"));
	assert_code(say(h, admin, "POST " SPRING "/undo", "{}"), "RELEASE_BLOCKED");
}

#define TERMS "/taxonomies/category/terms"
#define DELETES(slug, more) \
	",{'type':'term','action':'delete','name':'category','slug':'" slug "'" more "}"

static void
deleted_terms_come_back_below_their_parents_and_with_their_translations(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[64], group[64], item[27];

	harness_ok(o, ask(h, editor, "GET " TERMS "/news"));
	(void)snprintf(group, sizeof(group), "%s", harness_text(o->data, "term.translationGroup"));
	(void)snprintf(id, sizeof(id), "%s", harness_text(o->data, "term.id"));
	assert_ok(
	    say(h, editor, "POST " TERMS, "{'slug':'local','label':'Local','parentId':'%s'}", id));
	assert_ok(say(h, editor, "POST " TERMS,
	    "{'slug':'neu','label':'Neu','locale':'de','translationOf':'%s'}", id));
	make(h, editor, item,
	    "{'slug':'tagged','status':'published','data':{'title':'T'},"
	    "'taxonomies':{'category':['news']}}");
	create(h, DELETES("local", "") DELETES("neu", ",'locale':'de'") DELETES("news", ""));
	assert_ok(say(h, admin, "POST " SPRING "/publish", "{}"));
	assert_code(ask(h, editor, "GET " TERMS "/news"), "NOT_FOUND");
	assert_ok(say(h, admin, "POST " SPRING "/undo", "{}"));
	harness_ok(o, ask(h, editor, "GET " TERMS "/news"));
	assert_string_not_equal(harness_text(o->data, "term.translationGroup"), group);
	(void)snprintf(group, sizeof(group), "%s", harness_text(o->data, "term.translationGroup"));
	harness_ok(o, ask(h, editor, "GET " TERMS "/local"));
	assert_string_equal(harness_text(o->data, "term.parentId"), group);
	harness_ok(o, ask(h, editor, "GET " TERMS "/neu?locale=de"));
	assert_string_equal(harness_text(o->data, "term.translationGroup"), group);
	/* Again, and the item is deleted meanwhile. */
	assert_ok(say(h, admin, "POST " SPRING "/publish", "{}"));
	assert_ok(ask(h, editor, "DELETE " BASE "/%s", item));
	assert_ok(ask(h, admin, "DELETE " BASE "/%s/permanent", item));
	assert_ok(say(h, admin, "POST " SPRING "/undo", "{}"));
	assert_ok(ask(h, editor, "GET " TERMS "/local"));
	/* ... or all of its collection. */
	assert_ok(ask(h, admin, "DELETE " SPRING));
	make(h, editor, item,
	    "{'slug':'late','data':{'title':'L'},'taxonomies':{'category':['news']}}");
	assert_ok(say(h, admin, "POST " R,
	    "{'name':'Spring','add':[{'type':'term',"
	    "'action':'delete','name':'category','slug':'local'},{'type':'term','action':'delete',"
	    "'name':'category','slug':'news'}]}"));
	assert_ok(say(h, admin, "POST " SPRING "/publish", "{}"));
	assert_ok(ask(h, admin, "DELETE /schema/collections/posts?force=true"));
	assert_ok(say(h, admin, "POST " SPRING "/undo", "{}"));
	assert_ok(ask(h, editor, "GET " TERMS "/news"));
}

#define with(name) cmocka_unit_test_setup_teardown(name, begin, posts_end)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		with(a_preview_shows_the_site_as_it_will_be),
		with(a_preview_adds_no_rights),
		cmocka_unit_test_setup_teardown(
		    a_site_previews_with_what_it_reads_with, begin_open, posts_end),
		with(a_preview_shows_what_it_can),
		with(previews_are_bounded),
		with(links_of_menus_to_what_is_not_public_are_missing),
		with(a_new_menu_is_made_and_taken_back),
		with(a_deleted_term_comes_back_with_its_items),
		with(deleted_terms_come_back_below_their_parents_and_with_their_translations),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
