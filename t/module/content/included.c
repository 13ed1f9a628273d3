/*
 * included.t - related rows in the response (include=): each row once, bounded, and only rows that
 * the caller may read.
 */
#include "inside.h"
#include "posts.h"
#include <stdio.h>
#include <stdlib.h>

static struct outcome *
with(struct harness *h, const struct harness_user *user, const char *include)
{
	return ask(h, user, "GET " BASE "?limit=100&include=%s", include);
}

static json_t *
row(struct outcome *o, const char *set, const char *id)
{
	char path[64];

	snprintf(path, sizeof(path), "included.%s", set);
	return json_object_get(harness_at(o->data, path), id);
}

static size_t
links(struct outcome *o, const char *id, const char *kind)
{
	return json_array_size(
	    json_object_get(json_object_get(harness_at(o->data, "included.links"), id), kind));
}

static size_t
size(struct outcome *o, const char *set)
{
	char path[64];

	snprintf(path, sizeof(path), "included.%s", set);
	return json_object_size(harness_at(o->data, path));
}

static bool
truncated(struct outcome *o)
{
	return json_is_true(harness_at(o->data, "included.truncated"));
}

static void
published(struct harness *h, char id[27], const char *slug, const char *near)
{
	make(h, editor, id,
	    near != NULL ? "{'slug':'%s','status':'published','data':{'title':'T','near':'%s'}}"
			 : "{'slug':'%s','status':'published','data':{'title':'T'}}",
	    slug, near);
}

/* ---- the kinds ---- */

static void
term(struct harness *h, const char *locale, const char *slug, char id[27])
{
	struct outcome *o;

	harness_ok(o, say(h, editor, "POST /taxonomies/category/terms",
			  "{'slug':'%s','label':'%s','locale':'%s'}", slug, slug, locale));
	snprintf(id, 27, "%s", harness_text(o->data, "term.id"));
}

static void
a_term_of_many_items_stands_once(void **state)
{
	struct harness *h = *state;
	char a[27], b[27], french[27], news[27], sport[27];
	struct outcome *o;

	term(h, "en", "news", news);
	term(h, "en", "sport", sport);
	make(h, editor, a, "{'slug':'a','data':{},'taxonomies':{'category':['news','sport']}}");
	make(h, editor, b, "{'slug':'b','data':{},'taxonomies':{'category':['news']}}");
	make(h, editor, french, "{'slug':'c','locale':'fr','data':{},'translationOf':'%s'}", a);
	harness_ok(o, with(h, editor, "terms"));
	assert_int_equal(size(o, "terms"), 2);
	assert_string_equal(harness_text(row(o, "terms", news), "slug"), "news");
	assert_string_equal(harness_text(row(o, "terms", news), "name"), "category");
	assert_int_equal(
	    json_array_size(json_object_get(
		json_object_get(json_object_get(harness_at(o->data, "included.links"), a), "terms"),
		"category")),
	    2);
	/* A translation has the terms of its group, in the default locale. */
	assert_non_null(json_object_get(harness_at(o->data, "included.links"), french));
	assert_false(truncated(o));
	/* include= works for one item and for the tool. */
	harness_ok(o, ask(h, editor, "GET " BASE "/b?include=terms"));
	assert_int_equal(size(o, "terms"), 1);
	harness_ok(o, harness_op(h, editor, "content_get",
			  "{\"collection\":\"posts\",\"id\":\"b\",\"include\":\"terms\"}"));
	assert_int_equal(size(o, "terms"), 1);
}

static void
terms_are_told_in_the_locale_of_the_item(void **state)
{
	struct harness *h = *state;
	char a[27], b[27], english[27];
	const char *french;
	struct outcome *o;

	term(h, "en", "news", english);
	assert_ok(say(h, editor, "POST /taxonomies/category/terms/news/translations",
	    "{'locale':'fr','slug':'nouvelles','label':'N'}"));
	make(h, editor, a, "{'slug':'a','data':{},'taxonomies':{'category':['news']}}");
	make(h, editor, b, "{'slug':'b','locale':'fr','translationOf':'%s','data':{}}", a);
	harness_ok(o, with(h, editor, "terms"));
	assert_int_equal(size(o, "terms"), 2);
	french = json_string_value(json_array_get(
	    json_object_get(
		json_object_get(json_object_get(harness_at(o->data, "included.links"), b), "terms"),
		"category"),
	    0));
	assert_string_equal(harness_text(row(o, "terms", french), "locale"), "fr");
}

static void
bylines_stand_once_and_in_order(void **state)
{
	struct harness *h = *state;
	char a[27], b[27], ann[27], bob[27];
	struct outcome *o;

	harness_ok(o, say(h, editor, "POST /bylines", "{'slug':'ann','displayName':'Ann'}"));
	snprintf(ann, sizeof(ann), "%s", harness_text(o->data, "id"));
	harness_ok(o, say(h, editor, "POST /bylines", "{'slug':'bob','displayName':'Bob'}"));
	snprintf(bob, sizeof(bob), "%s", harness_text(o->data, "id"));
	make(h, editor, a, "{'data':{},'bylines':[{'bylineId':'%s'},{'bylineId':'%s'}]}", bob, ann);
	make(h, editor, b, "{'data':{},'bylines':[{'bylineId':'%s'}]}", ann);
	harness_ok(o, with(h, editor, "bylines&fields=id"));
	assert_int_equal(size(o, "bylines"), 2);
	assert_string_equal(harness_text(row(o, "bylines", ann), "displayName"), "Ann");
	assert_int_equal(links(o, a, "bylines"), 2);
	assert_int_equal(links(o, b, "bylines"), 1);
	assert_string_equal(
	    json_string_value(json_array_get(
		json_object_get(
		    json_object_get(harness_at(o->data, "included.links"), a), "bylines"),
		0)),
	    bob);
}

static void
an_author_is_told_without_the_address(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char a[27];

	inside_sql(h,
	    "INSERT INTO users (id, email, name, role, created_at, updated_at) VALUES"
	    " (?1, 'a@example.org', 'Ann', 30, '2026', '2026')",
	    author->id);
	make(h, author, a, "{'data':{}}");
	make(h, editor, a, "{'data':{}}");
	harness_ok(o, with(h, contributor, "author"));
	assert_int_equal(size(o, "author"), 2);
	assert_string_equal(harness_text(row(o, "author", author->id), "name"), "Ann");
	assert_int_equal(json_object_size(row(o, "author", author->id)), 3);
	assert_true(json_is_null(row(o, "author", editor->id)));
	assert_code(with(h, subscriber, "author"), "FORBIDDEN");
}

static void
translations_are_items(void **state)
{
	struct harness *h = *state;
	char en[27], fr[27], de[27];
	struct outcome *o;

	make(h, editor, en, "{'slug':'a','status':'published','data':{'title':'A'}}");
	make(h, editor, fr,
	    "{'locale':'fr','status':'published','translationOf':'%s','data':{'title':'B'}}", en);
	make(h, editor, de, "{'locale':'de','translationOf':'%s','data':{'title':'C'}}", en);
	harness_ok(o, ask(h, editor, "GET " BASE "/a?include=translations"));
	assert_int_equal(size(o, "items"), 2);
	assert_string_equal(harness_text(row(o, "items", fr), "data.title"), "B");
	assert_string_equal(harness_text(row(o, "items", de), "status"), "draft");
	assert_int_equal(links(o, en, "translations"), 2);
	assert_null(json_object_get(row(o, "items", fr), "bylines"));
	/* Readers do not see a draft, not even as null. */
	harness_ok(o, ask(h, subscriber, "GET " BASE "/a?include=translations"));
	assert_int_equal(size(o, "items"), 1);
	assert_int_equal(links(o, en, "translations"), 1);
	/* In a list each item links to its translations. */
	harness_ok(o, with(h, editor, "translations"));
	assert_int_equal(size(o, "items"), 3);
	assert_int_equal(links(o, de, "translations"), 2);
}

static void
media_are_told_as_the_library_has_them(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char a[27];

	field(h, "posts", "cover", "image", "");
	inside_sql(h,
	    "INSERT INTO media_items (id, filename, mime_type, size, storage_key, kept_key, status,"
	    " created_at) VALUES (?1, 'f.png', 'image/png', 3, 'k', 'k', 'ready', '2026')",
	    "01ARZ3NDEKTSV4RRFFQ69G5FAV");
	make(h, editor, a,
	    "{'slug':'a','status':'published','data':{'cover':{'id':'01ARZ3NDEKTSV4RRFFQ69G5FAV'},'body':"
	    "[{'_type':'image','_key':'i','asset':{'_ref':'01ARZ3NDEKTSV4RRFFQ69G5FAX'}}]}}");
	harness_ok(o, with(h, subscriber, "media&fields=title"));
	assert_int_equal(size(o, "media"), 2);
	assert_string_equal(
	    harness_text(row(o, "media", "01ARZ3NDEKTSV4RRFFQ69G5FAV"), "filename"), "f.png");
	assert_true(json_is_null(row(o, "media", "01ARZ3NDEKTSV4RRFFQ69G5FAX")));
	assert_int_equal(links(o, a, "media"), 2);
}

/* ---- references ---- */

static void
references_go_as_deep_as_is_asked(void **state)
{
	struct harness *h = *state;
	char id[5][27];
	struct outcome *o;

	published(h, id[0], "i0", NULL);
	for (int i = 1; i < 5; i++) {
		char slug[8];

		snprintf(slug, sizeof(slug), "i%d", i);
		published(h, id[i], slug, id[i - 1]);
	}
	harness_ok(o, ask(h, subscriber, "GET " BASE "/i4?include=references"));
	assert_int_equal(size(o, "items"), 1);
	assert_string_equal(harness_text(row(o, "items", id[3]), "slug"), "i3");
	harness_ok(o, ask(h, subscriber, "GET " BASE "/i4?include=references(near:2)"));
	assert_int_equal(size(o, "items"), 2);
	harness_ok(o, ask(h, subscriber, "GET " BASE "/i4?include=references(*:3)&fields=slug"));
	assert_int_equal(size(o, "items"), 3);
	assert_non_null(row(o, "items", id[1]));
	assert_null(row(o, "items", id[0]));
	assert_code(
	    ask(h, subscriber, "GET " BASE "/i4?include=references(near:4)"), "VALIDATION_ERROR");
	assert_code(
	    ask(h, subscriber, "GET " BASE "/i4?include=references(title)"), "VALIDATION_ERROR");
}

static void
a_draft_refers_for_those_who_may_read_it(void **state)
{
	struct harness *h = *state;
	char a[27], b[27], c[27];
	struct outcome *o;

	published(h, a, "a", NULL);
	published(h, b, "b", NULL);
	published(h, c, "c", a);
	assert_ok(say(h, editor, "PUT " BASE "/c", "{'data':{'near':'%s'}}", b));
	harness_ok(o, ask(h, editor, "GET " BASE "/c?include=references"));
	assert_non_null(row(o, "items", b));
	assert_null(row(o, "items", a));
	harness_ok(o, ask(h, subscriber, "GET " BASE "/c?include=references"));
	assert_non_null(row(o, "items", a));
	assert_null(row(o, "items", b));
	/* A list contains published references, for every caller. */
	harness_ok(o, with(h, editor, "references(near)&slug=c"));
	assert_non_null(row(o, "items", a));
	assert_null(row(o, "items", b));
}

static void
items_that_refer_to_each_other_end(void **state)
{
	struct harness *h = *state;
	char a[27], b[27], c[27];
	struct outcome *o;

	field(h, "posts", "many", "reference",
	    "'options':{'collection':'posts','allowMultiple':true}");
	published(h, a, "a", NULL);
	published(h, b, "b", a);
	published(h, c, "c", b);
	assert_ok(say(h, editor, "PUT " BASE "/a",
	    "{'status':'published','data':{'many':['%s','%s','%s']}}", a, c, b));
	/* a refers to itself, c and b; c refers to b, b refers to a. */
	harness_ok(o, ask(h, subscriber, "GET " BASE "/a?include=references(many:3,near)"));
	assert_int_equal(size(o, "items"), 3);
	harness_ok(o, with(h, subscriber, "references(*:3),translations"));
	assert_int_equal(size(o, "items"), 3);
	/* An item at the depth limit of one field is followed through another field. */
	harness_ok(o, ask(h, subscriber, "GET " BASE "/c?include=references(near:2)"));
	assert_int_equal(size(o, "items"), 2);
	assert_non_null(row(o, "items", a));
}

static void
what_is_named_by_a_shallow_and_a_deep_field_is_followed_by_both(void **state)
{
	struct harness *h = *state;
	char end[27], middle[27], two[27], one[27];
	struct outcome *o;

	field(h, "posts", "deep", "reference", "'options':{'collection':'posts'}");
	published(h, end, "end", NULL);
	published(h, middle, "middle", end);
	published(h, two, "two", middle);
	make(h, editor, one, "{'slug':'one','status':'published','data':{'near':'%s','deep':'%s'}}",
	    middle, two);
	/* middle is referred to directly, at the depth limit, and by two, with a level left. */
	harness_ok(o, ask(h, subscriber, "GET " BASE "/one?include=references(near:1,deep:3)"));
	assert_int_equal(size(o, "items"), 3);
	assert_non_null(row(o, "items", end));
	harness_ok(o, ask(h, subscriber, "GET " BASE "/one?include=references(near:1,deep:2)"));
	assert_int_equal(size(o, "items"), 2);
}

/* References to 1,200 missing items: bounded, and marked as truncated. */
static void
an_item_that_names_too_many_is_cut(void **state)
{
	struct harness *h = *state;
	json_t *ids = json_array();
	struct outcome *o;
	char a[27], b[27], *text;

	field(h, "posts", "many", "reference",
	    "'options':{'collection':'posts','allowMultiple':true}");
	published(h, b, "b", NULL);
	published(h, a, "a", NULL);
	for (int i = 0; i < 1200; i++) {
		char id[27];

		snprintf(id, sizeof(id), "01ARZ3NDEKTSV4RRFFQ6%06d", i);
		json_array_append_new(ids, json_string(id));
	}
	json_array_append_new(ids, json_string(b));
	text = json_dumps(ids, JSON_COMPACT);
	inside_sql(h, "UPDATE c_posts SET f_many = ?1 WHERE slug = 'a'", text);
	free(text);
	json_decref(ids);
	harness_ok(o, ask(h, subscriber, "GET " BASE "/a?include=references,translations"));
	assert_int_equal(size(o, "items"), 1000);
	assert_true(truncated(o));
	harness_ok(o, ask(h, subscriber, "GET " BASE "/b?include=references"));
	assert_false(truncated(o));
	/* Stored values that are not ids are ignored. */
	inside_sql(h, "UPDATE c_posts SET f_many = ?1 WHERE slug = 'a'",
	    "[\"x\", 1, {\"a\": [\"\\\"]}, \"]\", null");
	harness_ok(o, with(h, subscriber, "references&slug=b"));
	assert_int_equal(size(o, "items"), 0);
}

static void
a_field_that_is_not_answered_is_followed_all_the_same(void **state)
{
	struct harness *h = *state;
	char a[27], b[27];
	struct outcome *o;

	published(h, a, "a", NULL);
	published(h, b, "b", a);
	harness_ok(o, with(h, subscriber, "references(near)&fields=slug,title"));
	assert_int_equal(size(o, "items"), 1);
	assert_null(harness_at(o->data, "items[0].data.near"));
	harness_ok(o, with(h, subscriber, "references&fields=slug&markdown=true"));
	assert_int_equal(size(o, "items"), 1);
}

/* ---- kinds of plugins ---- */

static int
visited_begin(void **state)
{
	posts_plugins = "t/plugins/visits/.libs";
	(void)posts_begin(state);
	inside_enable(*state, "visits", true);
	return 0;
}

static int
visited_end(void **state)
{
	posts_plugins = NULL;
	return posts_end(state);
}

static void
a_plugin_brings_a_kind(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char a[27], b[27];
	json_t *link;

	published(h, a, "a", NULL);
	published(h, b, "b", a);
	harness_ok(o, with(h, subscriber, "visits,references"));
	assert_int_equal(size(o, "visits"), 3);
	assert_int_equal(harness_int(row(o, "visits", "all"), "items"), 2);
	assert_string_equal(json_string_value(row(o, "visits", a)), "en of posts");
	link = json_object_get(json_object_get(harness_at(o->data, "included.links"), a), "visits");
	/* Links are by group; missing rows and rows without a group are left out. */
	assert_int_equal(json_object_size(link), 2);
	assert_int_equal(json_array_size(json_object_get(link, "every")), 2);
	harness_ok(o, with(h, subscriber, "visits(b)"));
	assert_non_null(row(o, "visits", "b"));
	inside_enable(h, "visits", false);
	assert_code(with(h, subscriber, "visits"), "VALIDATION_ERROR");
}

/* ---- rights ---- */

enum { STATES = 6 };

/* Creates items in each state, and for each a published item that refers to it. */
static void
fill_states(struct harness *h, char id[STATES][27], char from[STATES][27])
{
	static const char *const members[STATES] = { "'status':'published'", "'status':'draft'",
		"'status':'draft'", "'status':'published'", "'status':'published'",
		"'status':'published','locale':'fr'" };

	for (int i = 0; i < STATES; i++) {
		make(h, author, id[i], "{%s,'data':{'title':'Secret'}}", members[i]);
		make(h, editor, from[i],
		    "{'status':'published','data':{'title':'From','near':'%s'}}", id[i]);
	}
	assert_ok(harness_op(h, editor, "content_schedule_at",
	    "{\"collection\":\"posts\",\"id\":\"%s\",\"scheduledAt\":\"2036-01-01T00:00:00Z\"}",
	    id[2]));
	assert_ok(ask(h, editor, "DELETE " BASE "/%s", id[3]));
	assert_ok(ask(h, editor, "DELETE " BASE "/%s", id[4]));
	assert_ok(ask(h, admin, "DELETE " BASE "/%s/permanent", id[4]));
}

/* The caller may read every included row by itself, and may not read rows that are null. */
static void
nobody_is_told_what_they_could_not_read(void **state)
{
	const struct harness_user *const users[] = { subscriber, contributor, author, editor,
		admin };
	struct harness *h = *state;
	char id[STATES][27], from[STATES][27];

	fill_states(h, id, from);
	for (size_t u = 0; u < COUNT(users); u++)
		for (int i = 0; i < STATES; i++) {
			struct outcome *o;
			bool told, reads;

			o = ask(h, users[u], "GET " BASE "/%s?include=references,translations",
			    from[i]);
			assert_ok(o);
			assert_non_null(row(o, "items", id[i]));
			told = !json_is_null(row(o, "items", id[i]));
			assert_true(told == (strstr(o->text, "Secret") != NULL));
			o = ask(h, users[u], "GET " BASE "/%s", id[i]);
			reads = o->http == 200;
			if (told != reads)
				fail_msg("role %d, state %d: told %d, reads %d", users[u]->role, i,
				    told, reads);
		}
	assert_int_equal(ask(h, nobody, "GET " BASE "?include=references")->http, 401);
}

struct kind {
	const char *name, *request; /* request of an op that reads such rows */
};

static void
check_kind(
    struct harness *h, const struct harness_user *role, const char *scopes, const struct kind *kind)
{
	struct harness_user user = *role;
	bool may, told;

	user.scopes = scopes;
	may = ask(h, &user, "%s", kind->request)->http == 200;
	told = with(h, &user, kind->name)->http == 200;
	if (may != told)
		fail_msg("role %d, scopes %s, %s: may %d, told %d", user.role,
		    scopes != NULL ? scopes : "all", kind->name, may, told);
}

/* A kind requires the same role and scope as an op that reads its rows. */
static void
a_kind_takes_the_right_of_its_op(void **state)
{
	static const struct kind kinds[] = { { "terms", "GET /taxonomies" },
		{ "bylines", "GET /bylines" }, { "author", "GET " BASE "/authors" },
		{ "media", "GET /media" }, { "references", "GET " BASE },
		{ "translations", "GET " BASE } };
	static const char *const scopes[] = { NULL, "content:read", "content:read media:read",
		"content:read taxonomies:manage", "content:write content:read" };
	const struct harness_user *const users[] = { subscriber, contributor, author, editor,
		admin };
	struct harness *h = *state;

	for (size_t u = 0; u < COUNT(users); u++)
		for (size_t s = 0; s < COUNT(scopes); s++)
			for (size_t k = 0; k < COUNT(kinds); k++)
				check_kind(h, users[u], scopes[s], &kinds[k]);
}

/* ---- answers that are kept, and tags ---- */

static void
the_tag_changes_with_what_is_included(void **state)
{
	struct harness *h = *state;
	char tag[2][128], list[2][128], news[27], a[27];
	struct outcome *o;

	term(h, "en", "news", news);
	make(h, editor, a, "{'slug':'a','data':{},'taxonomies':{'category':['news']}}");
	for (int i = 0; i < 2; i++) {
		harness_ok(o, ask(h, editor, "GET " BASE "/a?include=terms"));
		snprintf(tag[i], sizeof(tag[i]), "%s", o->etag);
		harness_ok(o, with(h, editor, "terms"));
		snprintf(list[i], sizeof(list[i]), "%s", o->etag);
		assert_ok(say(h, editor, "PUT /taxonomies/category/terms/news", "{'label':'N'}"));
	}
	assert_string_not_equal(tag[0], tag[1]);
	assert_string_not_equal(list[0], list[1]);
	harness_ok(o, ask(h, editor, "GET " BASE "/a?include=terms"));
	snprintf(tag[0], sizeof(tag[0]), "%s", o->etag);
	harness_ok(o, ask(h, editor, "GET " BASE "/a?include=terms"));
	assert_string_equal(tag[0], o->etag);
}

/* ---- the argument ---- */

static void
what_cannot_be_read_is_refused(void **state)
{
	static const char *const bad[] = { "", ",", "terms,", "terms,,author", "terms(", "terms)",
		"terms(x)", "terms,terms", "Terms", "nothing", "references()", "references(near:0)",
		"references(near:22)", "references(near:)", "references(:1)", "references(near,)",
		"references(near;title)", "items", "links", "truncated", "terms%00", "a%20b",
		"references(nothing)", "translations(en)", NULL };
	struct harness *h = *state;

	for (size_t i = 0; bad[i] != NULL; i++) {
		struct outcome *o = with(h, editor, bad[i]);

		if (strcmp(o->code, "VALIDATION_ERROR") != 0)
			fail_msg("%s: %s", bad[i], o->text);
	}
	assert_ok(with(h, editor, "terms%20,%20author"));
	assert_ok(with(h, editor, "references(%20near:2%20,%20*)"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		check(a_term_of_many_items_stands_once),
		check(terms_are_told_in_the_locale_of_the_item),
		check(bylines_stand_once_and_in_order),
		check(an_author_is_told_without_the_address),
		check(translations_are_items),
		check(media_are_told_as_the_library_has_them),
		check(references_go_as_deep_as_is_asked),
		check(a_draft_refers_for_those_who_may_read_it),
		check(items_that_refer_to_each_other_end),
		check(what_is_named_by_a_shallow_and_a_deep_field_is_followed_by_both),
		check(an_item_that_names_too_many_is_cut),
		check(a_field_that_is_not_answered_is_followed_all_the_same),
		cmocka_unit_test_setup_teardown(a_plugin_brings_a_kind, visited_begin, visited_end),
		check(nobody_is_told_what_they_could_not_read),
		check(a_kind_takes_the_right_of_its_op),
		check(the_tag_changes_with_what_is_included),
		check(what_cannot_be_read_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
