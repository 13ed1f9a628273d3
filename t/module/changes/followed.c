/*
 * followed.t - changes filtered by terms: items that have, get or lose them, and changes of the
 * terms. Random changes are compared with a plain evaluation. FOLLOWED_STEPS (400), FOLLOWED_SEED.
 */
#include "chance.h"
#include "inside.h"
#include "posts.h"
#include <stdio.h>
#include <string.h>

static char terms[4][27]; /* ids of news, sport, world below news, and of the tag db */

static void
term(struct harness *h, int i, const char *taxonomy, const char *slug, const char *below)
{
	char request[64];
	struct outcome *o;

	snprintf(request, sizeof(request), "POST /taxonomies/%s/terms", taxonomy);
	harness_ok(o, say(h, editor, request, "{'slug':'%s','label':'%s'%s%s%s}", slug, slug,
			  below != NULL ? ",'parentId':'" : "", below != NULL ? below : "",
			  below != NULL ? "'" : ""));
	snprintf(terms[i], 27, "%s", harness_text(o->data, "term.id"));
}

static int
begin(void **state)
{
	int failed = posts_begin(state);

	term(*state, 0, "category", "news", NULL);
	term(*state, 1, "category", "sport", NULL);
	term(*state, 2, "category", "world", terms[0]);
	term(*state, 3, "tag", "db", NULL);
	return failed;
}

static void
now(struct harness *h, char out[2100])
{
	struct outcome *o;

	harness_ok(o, ask(h, editor, "GET /changes"));
	snprintf(out, 2100, "%s", harness_text(o->data, "cursor"));
}

/* Returns the changes since a cursor: "update one, term category/news delete". */
static const char *
heard(struct harness *h, const struct harness_user *user, const char *since, const char *query)
{
	static char text[8192];
	struct outcome *o;
	const json_t *item;
	size_t i, len = 0;

	harness_ok(o, ask(h, user, "GET /changes?since=%s&limit=1000&%s", since, query));
	assert_false(json_is_true(harness_at(o->data, "more")));
	text[0] = '\0';
	json_array_foreach(harness_at(o->data, "items"), i, item)
	{
		const char *slug = json_string_value(json_object_get(item, "slug"));

		len += (size_t)snprintf(text + len, sizeof(text) - len, "%s%s%s %s",
		    len > 0 ? ", " : "", slug != NULL ? "" : "term ",
		    slug != NULL ? slug : json_string_value(json_object_get(item, "id")),
		    json_string_value(json_object_get(item, "change")));
	}
	return text;
}

static void
on(struct harness *h, const char *request, const char *body)
{
	assert_ok(say(h, editor, request, "%s", body));
}

/* ---- what is told ---- */

static void
who_enters_is_in_or_leaves_is_told(void **state)
{
	struct harness *h = *state;
	char since[2100], id[27];

	now(h, since);
	make(h, editor, id,
	    "{'slug':'one','status':'published','data':{},'taxonomies':{'category':['news']}}");
	make(h, editor, id, "{'slug':'two','status':'published','data':{}}");
	assert_string_equal(heard(h, editor, since, "term=category:news"), "one create");
	assert_string_equal(heard(h, subscriber, since, "term=category:news"), "one publish");
	assert_string_equal(heard(h, subscriber, since, "term=category:sport"), "");
	now(h, since);
	on(h, "PUT " BASE "/two", "{'taxonomies':{'category':['news','sport']}}");
	/* The terms wait with the rest of the draft. */
	assert_string_equal(heard(h, subscriber, since, ""), "");
	assert_string_equal(heard(h, editor, since, "term=category:news"), "");
	assert_string_equal(heard(h, editor, since, ""), "two stage");
	on(h, "POST " BASE "/two/publish", "{}");
	on(h, "PUT " BASE "/two", "{'data':{'title':'Two'}}");
	on(h, "PUT " BASE "/one", "{'status':'published','taxonomies':{'category':[]}}");
	/* The item has the term no longer. */
	on(h, "PUT " BASE "/one", "{'status':'published','data':{'title':'One'}}");
	assert_string_equal(
	    heard(h, subscriber, since, "term=category:news"), "two publish, one publish");
	assert_string_equal(
	    heard(h, editor, since, "term=category:news"), "two publish, two stage, one publish");
	now(h, since);
	/* The public sees the new terms of a draft once it is published. */
	on(h, "PUT " BASE "/two", "{'data':{'title':'2'},'taxonomies':{'category':[]}}");
	assert_string_equal(heard(h, subscriber, since, "term=category:sport"), "");
	assert_string_equal(heard(h, editor, since, "term=category:sport"), "two stage");
	on(h, "POST " BASE "/two/publish", "{}");
	assert_string_equal(heard(h, subscriber, since, "term=category:sport"), "two publish");
	now(h, since);
	assert_ok(ask(h, editor, "DELETE " BASE "/two"));
	assert_string_equal(heard(h, subscriber, since, "term=category:sport"), "");
	assert_string_equal(heard(h, subscriber, since, ""), "two remove");
}

/* Assigns terms by their own route: no new version, and all locales of the item change. */
static void
terms_alone_are_told_of_each_translation(void **state)
{
	struct harness *h = *state;
	char since[2100], id[27], fr[27], request[128], body[128], save[128];
	struct outcome *o;

	make(h, editor, id, "{'slug':'en','status':'published','data':{}}");
	make(h, editor, fr,
	    "{'slug':'fr','status':'published','locale':'fr','translationOf':'%s','data':{}}", id);
	on(h, "PUT " BASE "/en", "{'data':{'title':'draft'}}");
	now(h, since);
	snprintf(request, sizeof(request), "POST " BASE "/%s/terms/category", id);
	snprintf(body, sizeof(body), "{'termIds':['%s']}", terms[0]);
	on(h, request, body);
	on(h, request, body); /* already assigned, so no change */
	assert_string_equal(
	    heard(h, subscriber, since, "term=category:news"), "en update, fr update");
	harness_ok(o, ask(h, subscriber, "GET /changes?since=%s", since));
	/* The version of the draft is not disclosed. */
	assert_int_equal(harness_int(o->data, "items[0].version"), 1);
	now(h, since);
	on(h, request, "{'termIds':[]}");
	assert_string_equal(
	    heard(h, subscriber, since, "term=category:news"), "en update, fr update");
	now(h, since);
	/* Saving an item reports that item only once. */
	snprintf(save, sizeof(save), "{'taxonomies':{'tag':['%s']}}", terms[3]); /* not in fr */
	on(h, "PUT " BASE "/fr?locale=fr", save);
	on(h, "POST " BASE "/fr/publish?locale=fr", "{}");
	assert_string_equal(heard(h, editor, since, ""), "fr stage, en update, fr publish");
	now(h, since);
	assert_ok(ask(h, editor, "DELETE " BASE "/fr?locale=fr"));
	on(h, request, body);
	assert_string_equal(heard(h, editor, since, "term=category:news"), "en update");
}

static void
terms_and_their_taxonomies_are_told(void **state)
{
	struct harness *h = *state;
	char since[2100], id[27];

	make(h, editor, id,
	    "{'slug':'one','status':'published','data':{},'taxonomies':{'category':['sport']}}");
	now(h, since);
	assert_ok(say(h, admin, "PUT /taxonomies/category/terms/news", "{'label':'N'}"));
	assert_ok(say(h, admin, "PUT /taxonomies/category/terms/sport", "{'label':'S'}"));
	assert_ok(say(h, admin, "PUT /taxonomies/category", "{'label':'C'}"));
	assert_ok(say(h, admin, "PUT /taxonomies/tag", "{'label':'T'}"));
	assert_ok(say(h, admin, "POST /menus", "{'name':'category','label':'M'}"));
	assert_string_equal(heard(h, subscriber, since, "term=category:sport"),
	    "term category/sport update, term category update");
	/* With term and collection: the items that have the term, and changes of both
	 * definitions. */
	assert_ok(say(h, admin, "PUT /schema/collections/posts", "{'label':'P'}"));
	assert_ok(say(h, admin, "PUT /schema/collections/pages", "{'label':'P'}"));
	assert_string_equal(heard(h, editor, since, "term=tag:db&collection=posts"),
	    "term tag update, term posts update");
	on(h, "PUT " BASE "/one", "{'status':'published','data':{'title':'1'}}");
	assert_string_equal(heard(h, editor, since, "term=category:sport&collection=pages"),
	    "term category/sport update, term category update, term pages update");
}

static void
what_cannot_be_followed_is_refused(void **state)
{
	static const char *const bad[] = { "", "category", "category:", "nowhere:news",
		"category:nowhere", "category:news,nowhere", "category:!nowhere",
		"category:news;tag:x", "category:news%00" };
	struct harness *h = *state;
	struct outcome *o;

	for (size_t i = 0; i < COUNT(bad); i++) {
		o = ask(h, subscriber, "GET /changes?term=%s", bad[i]);
		if (o->http != 400)
			fail_msg("%s: %s", bad[i], o->text);
	}
	o = ask(h, subscriber, "GET /changes?term=category:nowhere");
	assert_code(o, "VALIDATION_ERROR");
	assert_true(harness_issue(o, "term"));
	assert_non_null(strstr(o->text, "category/nowhere"));
	assert_ok(ask(h, subscriber, "GET /changes?term=category:news,!sport;tag:db"));
	assert_code(ask(h, nobody, "GET /changes?term=category:news"), "UNAUTHORIZED");
	assert_ok(harness_op(h, admin, "plugin_disable", "{\"id\":\"taxonomies\"}"));
	assert_code(ask(h, subscriber, "GET /changes?term=category:news"), "VALIDATION_ERROR");
}

/* ---- against a plain evaluation ---- */

#define ITEMS 12

static struct item {
	char id[27];
	bool has[4];
} items[ITEMS];

static const struct question {
	const char *text;
	int with[3], without; /* indexes of terms; -1: none */
} questions[] = {
	{ "term=category:news", { 0, -1, -1 }, -1 },
	{ "term=category:news/*", { 0, 2, -1 }, -1 },
	{ "term=category:sport,world", { 1, 2, -1 }, -1 },
	{ "term=category:!sport", { -1, -1, -1 }, 1 },
	{ "term=category:news,!sport", { 0, -1, -1 }, 1 },
	{ "term=tag:db", { 3, -1, -1 }, -1 },
};

static bool
passes(const struct question *q, const bool has[4])
{
	bool any = q->with[0] < 0;

	for (int i = 0; i < 3; i++)
		any = any || (q->with[i] >= 0 && has[q->with[i]]);
	return any && !(q->without >= 0 && has[q->without]);
}

static void
choose(bool has[4], char body[128], const char *more)
{
	static const char *const names[] = { "news", "sport", "world" };
	size_t len;

	len = (size_t)snprintf(body, 128, "{%s'taxonomies':{'category':[", more);
	for (int i = 0, n = 0; i < 3; i++)
		if ((has[i] = pick(3) == 0))
			len += (size_t)snprintf(
			    body + len, 128 - len, "%s'%s'", n++ > 0 ? "," : "", names[i]);
	has[3] = pick(3) == 0;
	snprintf(body + len, 128 - len, "],'tag':[%s]}}", has[3] ? "'db'" : "");
}

/* Changes one item at random; `had` receives its terms before the change. */
static struct item *
step(struct harness *h, bool had[4])
{
	struct item *item = &items[pick(ITEMS)];
	char body[128], request[128];
	struct outcome *o;

	memcpy(had, item->has, sizeof(item->has));
	if (item->id[0] == '\0') {
		choose(item->has, body, "'data':{},");
		memcpy(had, item->has, sizeof(item->has)); /* a new item had no terms before */
		harness_ok(o, say(h, editor, "POST " BASE, "%s", body));
		snprintf(item->id, 27, "%s", harness_text(o->data, "item.id"));
		return item;
	}
	if (pick(2)) {
		choose(item->has, body, pick(2) ? "'data':{'year':1}," : "");
		snprintf(request, sizeof(request), "PUT " BASE "/%s", item->id);
		on(h, request, body);
		return item;
	}
	item->has[3] = !item->has[3];
	snprintf(request, sizeof(request), "POST " BASE "/%s/terms/tag", item->id);
	snprintf(body, sizeof(body), "{'termIds':[%s%s%s]}", item->has[3] ? "'" : "",
	    item->has[3] ? terms[3] : "", item->has[3] ? "'" : "");
	on(h, request, body);
	return item;
}

static void
each_change_is_told_to_whom_it_concerns(void **state)
{
	struct harness *h = *state;

	memset(items, 0, sizeof(items));
	chance_from("FOLLOWED_SEED", "FOLLOWED_STEPS", 400);
	for (int i = 0; i < chance.steps; i++) {
		char since[2100];
		const struct item *item;
		struct outcome *o;
		bool had[4];

		now(h, since);
		item = step(h, had);
		for (size_t k = 0; k < COUNT(questions); k++) {
			const struct question *q = &questions[k];
			const size_t n = passes(q, had) || passes(q, item->has);

			harness_ok(o, ask(h, editor, "GET /changes?since=%s&%s", since, q->text));
			if (json_array_size(harness_at(o->data, "items")) != n)
				fail_msg(
				    "step %d, seed %u: %s: %s", i, chance.seed, q->text, o->text);
		}
	}
	assert_string_equal(inside_ask(h, "SELECT count(*) FROM change_had"), "0");
}

#define T(name) cmocka_unit_test_setup_teardown(name, begin, posts_end)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		T(who_enters_is_in_or_leaves_is_told),
		T(terms_alone_are_told_of_each_translation),
		T(terms_and_their_taxonomies_are_told),
		T(what_cannot_be_followed_is_refused),
		T(each_change_is_told_to_whom_it_concerns),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
