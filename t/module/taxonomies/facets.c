/*
 * facets.t - the argument `facets` of lists: the counts by status, month and term equal those that
 * the test counts from all pages of the list, with any filter and for any reader.
 */
#include "chance.h"
#include "posts.h"
#include <stdio.h>
#include <stdlib.h>

#define ITEMS 60
#define TAGS 4

static const char *const tags[TAGS] = { "a", "b", "c", "d" };

static void
fill_posts(struct harness *h)
{
	static const char *const kinds[] = { "news", "note" };
	char id[27] = "";

	for (int i = 0; i < TAGS; i++)
		assert_ok(say(h, editor, "POST /taxonomies/tag/terms",
		    "{'label':'Tag %s','slug':'%s'}", tags[i], tags[i]));
	assert_ok(say(h, editor, "POST /taxonomies/category/terms", "{'label':'News'}"));
	for (int i = 0; i < ITEMS; i++) {
		const bool french = *id != '\0' && pick(4) == 0;
		char list[64] = "", terms[160] = "";

		for (int k = 0; k < TAGS - 1; k++)
			if (pick(2) == 0)
				snprintf(list + strlen(list), sizeof(list) - strlen(list), "%s'%s'",
				    *list != '\0' ? "," : "", tags[k]);
		/* A translation gets the terms of the previous item. */
		snprintf(terms, sizeof(terms),
		    french ? "'locale':'fr','translationOf':'%s'"
			   : "'taxonomies':{'tag':[%s],'category':[%s]}",
		    french ? id : list, pick(2) == 0 ? "'news'" : "");
		make(h, editor, id,
		    "{'status':'%s','data':{'title':'%s %d','kind':'%s'},"
		    "'publishedAt':'20%02d-%02d-15T00:00:00.000Z',%s}",
		    pick(3) == 0 ? "draft" : "published", pick(2) == 0 ? "even" : "odd", i,
		    kinds[pick(2)], 20 + pick(3), 1 + pick(3), terms);
		if (french)
			*id = '\0';
	}
}

/* Increments the count of a value. */
static void
add(json_t *to, const char *value)
{
	int64_t n = json_integer_value(json_object_get(to, value));

	(void)json_object_set_new(to, value, json_integer(n + 1));
}

static void
add_terms(const json_t *page, const json_t *item, const char *taxonomy, json_t *to)
{
	const json_t *links = json_object_get(json_object_get(page, "included"), "links");
	const json_t *of = json_object_get(links, json_string_value(json_object_get(item, "id")));
	const json_t *ids = json_object_get(json_object_get(of, "terms"), taxonomy);
	const json_t *id;
	size_t i;

	json_array_foreach(ids, i, id)
	{
		const json_t *term =
		    json_object_get(json_object_get(json_object_get(page, "included"), "terms"),
			json_string_value(id));

		add(to, json_string_value(json_object_get(term, "slug")));
	}
}

/* Counts the items of the whole list: {status, month, tag, category}, each {value: count}. */
static json_t *
counted(struct harness *h, const struct harness_user *user, const char *query)
{
	json_t *out = json_pack("{s{}s{}s{}s{}}", "status", "month", "tag", "category");
	char cursor[2100] = "";
	struct outcome *o;
	json_t *item;
	size_t i;

	do {
		harness_ok(o, ask(h, user, "GET " BASE "?limit=7&include=terms&%s%s%s", query,
				  *cursor != '\0' ? "&cursor=" : "", cursor));
		json_array_foreach(json_object_get(o->data, "items"), i, item)
		{
			char month[8];

			add(json_object_get(out, "status"), harness_text(item, "status"));
			snprintf(month, sizeof(month), "%s", harness_text(item, "publishedAt"));
			if (*month != '\0')
				add(json_object_get(out, "month"), month);
			add_terms(o->data, item, "tag", json_object_get(out, "tag"));
			add_terms(o->data, item, "category", json_object_get(out, "category"));
		}
		snprintf(cursor, sizeof(cursor), "%s", harness_text(o->data, "nextCursor"));
	} while (*cursor != '\0');
	return out;
}

static json_t *
told(struct harness *h, const struct harness_user *user, const char *query)
{
	json_t *out = json_object();
	struct outcome *o;
	const char *name;
	json_t *facet, *one;
	size_t i;

	harness_ok(
	    o, ask(h, user, "GET " BASE "?limit=1&facets=status,month,tag,category&%s", query));
	json_object_foreach(json_object_get(o->data, "facets"), name, facet)
	{
		json_t *values = json_object();
		int64_t before = ITEMS;

		assert_null(json_object_get(facet, "partial"));
		assert_null(json_object_get(facet, "more"));
		json_array_foreach(json_object_get(facet, "values"), i, one)
		{
			int64_t n = harness_int(one, "count");

			(void)json_object_set_new(
			    values, harness_text(one, "value"), json_integer(n));
			if (strcmp(name, "tag") == 0) {
				assert_true(n <= before); /* most frequent first */
				before = n;
				assert_int_equal(strncmp(harness_text(one, "label"), "Tag ", 4), 0);
			}
		}
		(void)json_object_set_new(out, name, values);
	}
	return out;
}

static void
they_are_what_a_walk_of_the_list_finds(void **state)
{
	static const char *const queries[] = { "order=asc", "status=published", "status=draft",
		"locale=fr", "terms=tag:a", "terms=tag:a,b;tag:!c", "q=even",
		"dateField=publishedAt&dateFrom=2021-01-01&dateTo=2021-12-31", "orderBy=title",
		"locale=fr&localeFallback=true", "slug=nothing", "terms=category:news&q=odd" };
	const struct harness_user *const users[] = { editor, subscriber };
	struct harness *h = *state;

	fill_posts(h);
	for (size_t i = 0; i < COUNT(queries); i++)
		for (size_t k = 0; k < COUNT(users); k++) {
			json_t *want = counted(h, users[k], queries[i]),
			       *got = told(h, users[k], queries[i]);

			if (!json_equal(want, got)) {
				char *a = json_dumps(want, JSON_SORT_KEYS),
				     *b = json_dumps(got, JSON_SORT_KEYS);

				fail_msg("%s: %s\nis not %s", queries[i], b, a);
			}
			json_decref(want);
			json_decref(got);
		}
}

static void
what_is_unknown_is_refused(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27];

	o = ask(h, editor, "GET " BASE "?facets=status,nothing");
	assert_code(o, "VALIDATION_ERROR");
	assert_true(harness_issue(o, "facets"));
	assert_code(ask(h, editor, "GET " BASE "?facets=month,month"), "VALIDATION_ERROR");
	o = ask(h, editor, "GET " BASE "?facets=a,a,a,a,a,a,a,a,a,a,a");
	assert_code(o, "VALIDATION_ERROR");
	harness_ok(o, ask(h, editor, "GET " BASE "?facets="));
	assert_true(json_is_object(harness_at(o->data, "facets")));
	harness_ok(o, ask(h, editor, "GET " BASE));
	assert_null(harness_at(o->data, "facets"));
	/* A deleted term is not counted any more. */
	assert_ok(say(h, editor, "POST /taxonomies/tag/terms", "{'label':'Gone'}"));
	make(h, editor, id, "{'data':{'title':'x'},'taxonomies':{'tag':['gone']}}");
	harness_ok(o, ask(h, editor, "GET " BASE "?facets=tag"));
	assert_string_equal(harness_text(o->data, "facets.tag.values[0].label"), "Gone");
	assert_ok(harness_request(h, editor, "DELETE /taxonomies/tag/terms/gone", NULL, NULL));
	harness_ok(o, ask(h, editor, "GET " BASE "?facets=tag"));
	assert_null(harness_at(o->data, "facets.tag.values[0]"));
}

/* The entity tag changes with the counts, also if they count items that are not on the page. */
static void
the_entity_tag_follows(void **state)
{
	struct harness *h = *state;
	char a[27], b[27], tag[200];
	struct outcome *o;

	make(h, editor, a, "{'data':{'title':'a'}}");
	at(h, 5);
	make(h, editor, b, "{'data':{'title':'b'}}");
	harness_ok(o, ask(h, editor, "GET " BASE "?limit=1&facets=status"));
	assert_non_null(o->etag);
	snprintf(tag, sizeof(tag), "%s", o->etag);
	assert_ok(ask(h, editor, "POST " BASE "/%s/publish", a));
	harness_ok(o, ask(h, editor, "GET " BASE "?limit=1&facets=status"));
	assert_string_not_equal(o->etag, tag);
	assert_int_equal(harness_int(o->data, "facets.status.values[0].count"), 1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		check(they_are_what_a_walk_of_the_list_finds),
		check(what_is_unknown_is_refused),
		check(the_entity_tag_follows),
	};

	chance_begin(1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
