/*
 * contains.t - lists filtered by the words of a field: how words match, who may see which items,
 * which filters are refused or time out, short pages, and cursors while items change. The property
 * test of all filters is content/asking.t.
 */
#include "searched.h"
#include <sodium.h>
#include <string.h>

#define MANY 35000
#define OLD 8000 /* the oldest items, which contain a word of their own */

/* Returns how many items of the list with this filter have the word. */
static int
count(struct harness *h, const struct harness_user *user, const char *filter)
{
	return (int)total(h, user, filters(filter));
}

static int
having(struct harness *h, const char *field, const char *words)
{
	char text[400];

	snprintf(text, sizeof(text), "{'%s':{'contains':'%s'}}", field, words);
	return count(h, editor, text);
}

static void
refused(struct harness *h, const char *list, const char *filter, const char *why)
{
	struct outcome *o = ask(h, editor, "GET %s?%s", list, filters(filter));

	assert_code(o, "VALIDATION_ERROR");
	if (strstr(o->text, why) == NULL)
		fail_msg("%s: %s", filter, o->text);
}

static void
unavailable(struct harness *h, const char *why)
{
	struct outcome *o =
	    ask(h, subscriber, "GET " BASE "?%s", filters("{'title':{'contains':'zebra'}}"));

	assert_code(o, "UNAVAILABLE");
	assert_non_null(strstr(o->text, why));
}

/* ---- words ---- */

static void
all_words_have_to_be_in_the_field(void **state)
{
	struct harness *h = *state;
	char id[27];

	post(h, id, "Grévy zebra, running", "the well-known stripes of \\u00c9quus");
	post(h, id, "A horse", "zebra");
	assert_int_equal(having(h, "title", "zebra"), 1);
	assert_int_equal(having(h, "body", "zebra"), 1);
	assert_int_equal(having(h, "title", "ZEBRA grevy"), 1);
	assert_int_equal(having(h, "title", "zebra horse"), 0);
	/* Words match by their stem, but not by a prefix. */
	assert_int_equal(having(h, "title", "runs zebras"), 1);
	assert_int_equal(having(h, "title", "zeb"), 0);
	/* The parts of a hyphenated word must be adjacent. */
	assert_int_equal(having(h, "body", "well-known"), 1);
	assert_int_equal(having(h, "body", "known-well"), 0);
	assert_int_equal(having(h, "body", "known well equus"), 1);
	/* Quotes, a minus and other syntax of FTS5 have no meaning. */
	assert_int_equal(having(h, "title", "\\\"running zebra\\\""), 1);
	assert_int_equal(having(h, "title", "-zebra --running"), 1);
	assert_int_equal(having(h, "title", "zebra OR horse"), 0);
	assert_int_equal(having(h, "title", "zebra* ) AND ("), 0);
	assert_int_equal(having(h, "title", "zebra* ( , :"), 1);
	assert_int_equal(having(h, "title", "title:zebra"), 0);
	assert_int_equal(having(h, "title", "zebra) || (x"), 0);
	/* Names of members of Portable Text are not searched. */
	assert_int_equal(having(h, "body", "block"), 0);
	assert_int_equal(count(h, editor, "{'not':{'title':{'contains':'zebra'}}}"), 1);
	assert_int_equal(
	    count(
		h, editor, "{'or':[{'title':{'contains':'zebra'}},{'body':{'contains':'zebra'}}]}"),
	    2);
	assert_int_equal(
	    count(
		h, editor, "{'body':{'contains':'zebra'},'not':[{'title':{'contains':'zebra'}}]}"),
	    1);
}

static void
a_text_without_words_is_refused(void **state)
{
	struct harness *h = *state;
	char text[400], word[300] = "";

	refused(h, BASE, "{'title':{'contains':''}}", "1 to 200 characters");
	refused(h, BASE, "{'title':{'contains':5}}", "1 to 200 characters");
	refused(h, BASE, "{'title':{'contains':null}}", "1 to 200 characters");
	refused(h, BASE, "{'title':{'contains':['a']}}", "1 to 200 characters");
	refused(h, BASE, "{'title':{'contains':' - , \\\" .'}}", "there is none");
	refused(h, BASE, "{'title':{'contains':'a','eq':'b'}}", "one operator");
	memset(word, 'x', 201);
	snprintf(text, sizeof(text), "{'title':{'contains':'%s'}}", word);
	refused(h, BASE, text, "1 to 200 characters");
	*word = '\0';
	for (int i = 0; i < 17; i++)
		snprintf(word + strlen(word), sizeof(word) - strlen(word), "w%d ", i);
	snprintf(text, sizeof(text), "{'title':{'contains':'%s'}}", word);
	refused(h, BASE, text, "16 different words");
	snprintf(text, sizeof(text), "{'and':[");
	for (int i = 0; i < 11; i++)
		snprintf(text + strlen(text), sizeof(text) - strlen(text),
		    "%s{'title':{'contains':'a'}}", i > 0 ? "," : "");
	snprintf(text + strlen(text), sizeof(text) - strlen(text), "]}");
	refused(h, BASE, text, "at most 10 conditions");
}

static void
a_field_that_is_not_searched_is_refused(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	field(h, "posts", "plain", "string", "'indexed':true");
	refused(h, BASE, "{'plain':{'contains':'a'}}", "must be searchable");
	/* Unknown fields and dates get the same error. */
	refused(h, BASE, "{'nothing':{'contains':'a'}}", "must be searchable");
	refused(h, BASE, "{'createdAt':{'contains':'a'}}", "must be searchable");
	refused(h, BASE, "{'title':{'eq':'a'}}", "must be indexed");
	/* Search of a collection is disabled. */
	assert_ok(
	    say(h, admin, "PUT /schema/collections/pages/fields/name", "{'searchable':true}"));
	refused(h, "/content/pages", "{'name':{'contains':'a'}}", "search_enable turns it on");
	refused(h, "/content/pages", "{'name':{'contains':'a'}}", "add search to its supports");
	assert_ok(harness_op(h, admin, "plugin_disable", "{\"id\":\"search\"}"));
	o = ask(h, editor, "GET " BASE "?%s", filters("{'or':[{'title':{'contains':'a'}}]}"));
	assert_code(o, "VALIDATION_ERROR");
	assert_true(harness_issue(o, "fieldFilters.or[0].title"));
	assert_non_null(strstr(o->text, "not enabled"));
}

static void
trigrams_are_parts_of_words(void **state)
{
	struct harness *h = *state;
	char id[27];

	post(h, id, "Zebra", "x");
	enable(h, "posts", "'tokenize':'trigram'");
	work_all(h);
	assert_int_equal(having(h, "title", "ebr"), 1);
	assert_int_equal(having(h, "title", "zebra bra"), 1);
	assert_int_equal(having(h, "title", "ebx"), 0);
	refused(h, BASE, "{'title':{'contains':'zebra ze'}}", "three characters");
}

/* ---- rights ---- */

static int
found(struct harness *h, const struct harness_user *user, const char *word)
{
	char text[100];

	snprintf(text, sizeof(text), "{'title':{'contains':'%s'}}", word);
	return count(h, user, text);
}

static void
readers_find_by_what_they_may_read(void **state)
{
	struct harness *h = *state;
	char id[27], staged[27], gone[27], query[600];
	struct outcome *o;

	post(h, id, "Zebra", "x");
	make(h, author, id, "{'data':{'title':'Draft of a zebra'}}");
	make(h, editor, id, "{'status':'published','locale':'fr','data':{'title':'Un zebra'}}");
	post(h, staged, "Zebra that becomes", "x");
	snprintf(query, sizeof(query), "PUT " BASE "/%s", staged);
	assert_ok(say(h, editor, query, "{'data':{'title':'Okapi in secret'}}"));
	post(h, gone, "Zebra that goes", "x");
	assert_ok(ask(h, editor, "DELETE " BASE "/%s", gone));
	assert_int_equal(found(h, subscriber, "zebra"), 3);
	assert_int_equal(found(h, editor, "zebra"), 4);
	assert_int_equal(found(h, subscriber, "draft"), 0);
	/* Staged words of a draft are hidden, as staged values are. */
	assert_int_equal(found(h, subscriber, "okapi"), 0);
	assert_int_equal(found(h, editor, "secret"), 0);
	assert_int_equal(found(h, subscriber, "becomes"), 1);
	assert_int_equal(count(h, subscriber, "{'not':{'title':{'contains':'draft'}}}"), 3);
	snprintf(query, sizeof(query), "locale=fr&%s", filters("{'title':{'contains':'zebra'}}"));
	assert_int_equal(total(h, subscriber, query), 1);
	snprintf(
	    query, sizeof(query), "status=draft&%s", filters("{'title':{'contains':'zebra'}}"));
	assert_int_equal(total(h, editor, query), 1);
	assert_int_equal(total(h, subscriber, query), 3); /* subscribers may not choose a status */
	harness_ok(o, ask(h, subscriber, "GET " BASE "?facets=status&%s",
			  filters("{'title':{'contains':'zebra'}}")));
	assert_int_equal(json_array_size(harness_at(o->data, "facets.status.values")), 1);
	snprintf(query, sizeof(query), "POST " BASE "/%s/publish", staged);
	assert_ok(say(h, editor, query, "{}"));
	assert_int_equal(found(h, subscriber, "okapi"), 1);
	assert_int_equal(found(h, subscriber, "becomes"), 0);
	snprintf(query, sizeof(query), "POST " BASE "/%s/restore", gone);
	assert_ok(say(h, editor, query, "{}"));
	assert_int_equal(found(h, editor, "goes"), 1);
}

/* Filters by words work with all other arguments of lists. */
static void
words_go_with_all_that_lists_have(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27], query[700];

	for (int i = 0; i < 12; i++)
		make(h, editor, id, "{'status':'published','data':{'title':'%s %d','year':%d}}",
		    i % 2 ? "Zebra" : "Horse", i, 2000 + i % 4);
	snprintf(query, sizeof(query), "%s&orderBy=title&order=asc&limit=4",
	    filters("{'title':{'contains':'zebra'},'year':{'gte':2001}}"));
	harness_ok(
	    o, ask(h, subscriber,
		   "GET " BASE "?includeTotal=1&facets=status,month&include=terms&%s", query));
	assert_int_equal(json_array_size(harness_at(o->data, "items")), 4);
	assert_int_equal(harness_int(o->data, "total"), 6);
	assert_int_equal(harness_int(o->data, "facets.month.values[0].count"), 6);
	assert_int_equal(total(h, subscriber, query), 6);
	snprintf(query, sizeof(query), "search=zebra&%s",
	    filters("{'title':{'contains':'zebra'},'not':{'title':{'contains':'3'}}}"));
	harness_ok(o, ask(h, subscriber, "GET " BASE "?includeTotal=1&%s", query));
	assert_int_equal(json_array_size(harness_at(o->data, "items")), 5);
	assert_int_equal(harness_int(o->data, "total"), 5);
	/* An op of a batch finds items that earlier ops have written. */
	harness_ok(o,
	    say(h, admin, "POST /batch",
		"{'calls':[{'op':'content_add','arguments':{'collection':'posts','data':{'title':"
		"'Okapi'}}},{'op':'content_list','arguments':{'collection':'posts','fieldFilters':"
		"{'title':{'contains':'okapi'}}}}]}"));
	assert_int_equal(json_array_size(harness_at(o->data, "results[1].data.items")), 1);
}

/* ---- when there is no answer ---- */

static void
an_index_that_is_behind_gives_no_answer(void **state)
{
	struct harness *h = *state;
	char id[27];

	post(h, id, "Zebra", "x");
	assert_int_equal(found(h, subscriber, "zebra"), 1);
	/* An index beside the database is brought up to date by who asks. */
	if (!engine_is_postgresql()) {
		inside_sql(
		    h, "INSERT INTO search_pending (collection, entry) SELECT 'posts', ?1", id);
		unavailable(h, "brought up to date");
	}
	work_all(h);
	assert_int_equal(found(h, subscriber, "zebra"), 1);
	/* If an item could not be indexed, such filters fail until the index is rebuilt. */
	index_sql(h, "INSERT INTO search_failed (collection, entry) VALUES ('posts', ?1)", id);
	unavailable(h, "rebuild");
	assert_int_equal(hits(h, "zebra"), 1);
	assert_ok(say(h, admin, "POST /search/rebuild", "{'collection':'posts'}"));
	work_all(h);
	assert_int_equal(found(h, subscriber, "zebra"), 1);
	/* Saving the item indexes it, too. */
	index_sql(h, "INSERT INTO search_failed (collection, entry) VALUES ('posts', ?1)", id);
	assert_ok(ask(h, editor, "DELETE " BASE "/%s", id));
	assert_int_equal(found(h, subscriber, "zebra"), 0);
}

static void
a_damaged_index_gives_no_answer(void **state)
{
	struct harness *h = *state;
	char id[27], sql[100];

	post(h, id, "Zebra", "x");
	snprintf(sql, sizeof(sql), "DROP TABLE search_fts_%s",
	    index_ask(h, "SELECT max(id) FROM search_shard"));
	index_sql(h, sql, NULL);
	assert_true(ask(h, subscriber, "GET " BASE "?%s", filters("{'title':{'contains':'zebra'}}"))
			->http == 500);
	post(h, id, "Okapi", "x");
	work_all(h);
	unavailable(h, "rebuild");
	assert_string_equal(index_ask(h, "SELECT entry FROM search_failed"), id);
	assert_ok(say(h, admin, "POST /search/rebuild", "{'collection':'posts'}"));
	work_all(h);
	assert_int_equal(found(h, subscriber, "okapi"), 1);
	assert_int_equal(found(h, subscriber, "zebra"), 1);
}

static void
a_field_that_becomes_searchable_is_waited_for(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27];

	field(h, "posts", "note", "string", "");
	make(h, editor, id, "{'status':'published','data':{'title':'Zebra','note':'okapi'}}");
	assert_ok(
	    say(h, admin, "PUT /schema/collections/posts/fields/note", "{'searchable':true}"));
	o = ask(h, subscriber, "GET " BASE "?%s", filters("{'note':{'contains':'okapi'}}"));
	assert_code(o, "UNAVAILABLE");
	assert_non_null(strstr(o->text, "being made"));
	assert_int_equal(having(h, "title", "zebra"), 1);
	work_all(h);
	assert_int_equal(having(h, "note", "okapi"), 1);
	assert_int_equal(having(h, "title", "okapi"), 0);
}

/* ---- pages ---- */

/* Reads all pages of the list, and counts items and pages; no item may occur twice. */
static void
walk_pages(struct harness *h, const char *query, int *items, int *pages, int *empty)
{
	char cursor[2100] = "", before[27] = "";
	struct outcome *o;
	json_t *item;
	size_t i;

	*items = *pages = *empty = 0;
	do {
		harness_ok(o, ask(h, subscriber, "GET " BASE "?limit=100&%s%s%s", query,
				  *cursor != '\0' ? "&cursor=" : "", cursor));
		json_array_foreach(json_object_get(o->data, "items"), i, item)
		{
			/* Newest first, so all ids differ. */
			const char *id = harness_text(item, "id");

			assert_true(*before == '\0' || strcmp(id, before) < 0);
			snprintf(before, sizeof(before), "%s", id);
			++*items;
		}
		++*pages;
		*empty += json_array_size(json_object_get(o->data, "items")) == 0;
		snprintf(cursor, sizeof(cursor), "%s", harness_text(o->data, "nextCursor"));
	} while (*cursor != '\0');
}

/* Checks that the item at which a cursor ends is published. */
static void
shows_no_draft(const char *cursor)
{
	unsigned char raw[1600];
	size_t len = 0;

	assert_int_equal(sodium_base642bin(raw, sizeof(raw), cursor, strlen(cursor), NULL, &len,
			     NULL, sodium_base64_VARIANT_URLSAFE_NO_PADDING),
	    0);
	assert_true(len > 26);
	assert_int_equal(memcmp(raw + len - 26, "01MANY", 6), 0);
	assert_int_not_equal(raw[len - 4], '9');
}

static void
a_page_of_a_long_walk_is_short(void **state)
{
	struct harness *h = *state;
	int items, pages, empty;
	struct outcome *o;
	char sql[200], query[600];

	many(h, MANY);
	snprintf(sql, sizeof(sql),
	    "UPDATE c_posts SET f_summary = 'zebu' WHERE id <= printf('01MANY%%020d', %d)", OLD);
	inside_sql(h, sql, NULL);
	inside_sql(h,
	    "UPDATE c_posts SET status = 'draft' WHERE id LIKE '01MANY________________9___'", NULL);
	assert_ok(say(h, admin, "POST /search/rebuild", "{'collection':'posts'}"));
	work_all(h);
	/* No index serves a filter by missing words. */
	snprintf(query, sizeof(query), "%s",
	    filters("{'not':[{'summary':{'contains':'horse'}},{'summary':{'contains':'okapi'}}]}"));
	harness_ok(o, ask(h, subscriber, "GET " BASE "?limit=100&%s", query));
	assert_int_equal(json_array_size(json_object_get(o->data, "items")), 0);
	shows_no_draft(harness_text(o->data, "nextCursor"));
	walk_pages(h, query, &items, &pages, &empty);
	assert_int_equal(items, OLD);
	assert_int_equal(empty, 1);
	assert_true(pages <= OLD / 100 + 3);
	harness_ok(
	    o, ask(h, subscriber, "GET " BASE "?limit=1&includeTotal=1&facets=status&%s", query));
	assert_int_equal(harness_int(o->data, "total"), OLD);
	assert_int_equal(harness_int(o->data, "facets.status.values[0].count"), OLD);
	/* Neighbours have no short page, so the request fails. */
	o = ask(h, subscriber, "GET " BASE "/01MANY%020d/neighbors?%s", MANY, query);
	assert_code(o, "REQUEST_TIMEOUT");
	assert_non_null(strstr(o->text, "contains"));
	/* Items with the word are found by the index, wherever they are in the order. */
	snprintf(query, sizeof(query), "%s", filters("{'summary':{'contains':'zebu'}}"));
	assert_ok(ask(h, subscriber, "GET " BASE "/01MANY%020d/neighbors?%s", MANY, query));
	walk_pages(h, query, &items, &pages, &empty);
	assert_int_equal(items, OLD);
	assert_int_equal(empty, 0);
	/* A filter that few items pass is served without empty pages. */
	snprintf(query, sizeof(query), "%s", filters("{'title':{'contains':'17'}}"));
	walk_pages(h, query, &items, &pages, &empty);
	assert_int_equal(items, 1);
	assert_int_equal(pages, 1);
}

/* ---- cursors ---- */

struct steady {
	char id[60][27];
	int seen[60];
};

/* Changes items other than the steady ones: adds and removes words and items. */
static void
disturb(struct harness *h, int i)
{
	char id[27], request[100];

	at(h, 1000 + i);
	post(h, id, i % 2 ? "Zebra that comes" : "Horse", "x");
	snprintf(request, sizeof(request), "PUT " BASE "/%s", id);
	assert_ok(say(h, editor, request, "{'data':{'title':'%s'}}", i % 3 ? "Zebra now" : "Mule"));
	snprintf(request, sizeof(request), "POST " BASE "/%s/publish", id);
	assert_ok(say(h, editor, request, "{}"));
	if (i % 5 == 0)
		assert_ok(ask(h, editor, "DELETE " BASE "/%s", id));
}

static void
walk_steady(struct harness *h, struct steady *s, const char *query)
{
	char cursor[2100] = "";
	struct outcome *o;
	json_t *item;
	size_t k;
	int n = 0;

	memset(s->seen, 0, sizeof(s->seen));
	do {
		harness_ok(o, ask(h, subscriber, "GET " BASE "?limit=3&%s%s%s", query,
				  *cursor != '\0' ? "&cursor=" : "", cursor));
		json_array_foreach(json_object_get(o->data, "items"), k,
		    item) for (int i = 0; i < 60; i++) s->seen[i] +=
		    strcmp(s->id[i], harness_text(item, "id")) == 0;
		snprintf(cursor, sizeof(cursor), "%s", harness_text(o->data, "nextCursor"));
		disturb(h, n++);
	} while (*cursor != '\0' && n < 400);
	assert_true(n < 400);
	for (int i = 0; i < 60; i++)
		assert_int_equal(s->seen[i], i % 2);
}

static void
what_stays_comes_once_while_others_change(void **state)
{
	static const char *const order[] = { "createdAt&order=asc", "createdAt&order=desc",
		"publishedAt&order=desc", "title&order=asc", "slug&order=asc" };
	struct harness *h = *state;
	struct steady *s = calloc(1, sizeof(*s));
	char title[40], query[500];

	for (int i = 0; i < 60; i++) {
		at(h, i);
		snprintf(title, sizeof(title), "%s %d", i % 2 ? "Zebra" : "Horse", i);
		post(h, s->id[i], title, "x");
	}
	/* In ascending order of dates new items would be appended for ever, so they must stop. */
	for (size_t i = 1; i < COUNT(order); i++) {
		snprintf(query, sizeof(query), "orderBy=%s&%s", order[i],
		    filters("{'title':{'contains':'zebra'}}"));
		walk_steady(h, s, query);
	}
	free(s);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		searched(all_words_have_to_be_in_the_field),
		searched(a_text_without_words_is_refused),
		searched(a_field_that_is_not_searched_is_refused),
		searched(trigrams_are_parts_of_words),
		searched(readers_find_by_what_they_may_read),
		searched(words_go_with_all_that_lists_have),
		searched(an_index_that_is_behind_gives_no_answer),
		searched(a_damaged_index_gives_no_answer),
		searched(a_field_that_becomes_searchable_is_waited_for),
		searched(a_page_of_a_long_walk_is_short),
		searched(what_stays_comes_once_while_others_change),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
