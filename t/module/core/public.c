/*
 * public.c - anonymous callers on a site whose public-read allows everything: which ops they may
 * use, and that they learn no more than a Subscriber.
 */
#include "http/http1.h"
#include "routes.h"
#include <stdlib.h>

/* Ops that anonymous callers may use on such a site, besides those of rights.c. */
static const char *const open_reads[] = { "content_list", "content_read", "content_terms",
	"content_translations", "feed_atom", "feed_json", "import_redirect_list", "menu_get",
	"menu_list", "menu_locales", "section_get", "section_list", "settings_read", "sitemap",
	"sitemap_part", "taxonomy_get", "taxonomy_list", "taxonomy_translations", "term_get",
	"term_translations", "term_tree", "widget_area_get", "widget_area_list" };

/* Ops that delivery tokens may use besides, but never anonymous callers: delivery.c. */
static const char *const delivered_reads[] = { "block_type_get", "block_type_list",
	"collection_get", "field_get", "field_list", "schema_get", "schema_list_collections" };

static bool
is_among(const char *const *names, size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(names[i], name) == 0)
			return true;
	return false;
}

/* Returns true for ops that anonymous callers may use on some site. */
static bool
may_open(const struct op *op)
{
	return op->row.open != NULL && !is_among(delivered_reads, COUNT(delivered_reads), op->name);
}

static void
posts_are(bool public)
{
	assert_ok(harness_op(h, admin, "schema_update_collection",
	    "{\"slug\":\"posts\",\"publicRead\":%s}", public ? "true" : "false"));
}

static int
begin(void **state)
{
	static const char *const all[] = { "*", NULL };

	routes_public_read = all;
	routes_begin(state);
	posts_are(true);
	return 0;
}

/* Returns true for ops that their row closes to anonymous callers; rights.c tests these. */
static bool
is_closed(const struct op *op)
{
	return (op->row.flags & (STET_PUBLIC | STET_ANONYMOUS)) == 0 && !may_open(op);
}

static void
what_is_listed_is_open_and_nothing_else(void **state)
{
	size_t open = 0, closed = 0;
	char path[512];

	(void)state;
	EACH_ROUTE(op)
	{
		struct outcome *o;

		if (is_among(open_reads, COUNT(open_reads), op->name) != may_open(op))
			fail_msg("%s is %slisted", op->name, may_open(op) ? "not " : "");
		path_of(op, "nothing", path, sizeof(path));
		o = request(op, nobody, path, NULL);
		if (may_open(op) ? o->http != 200 && o->http != 404
				 : is_closed(op) && o->http != 401)
			fail_msg("%s: %d %s", op->name, o->http, o->text);
		open += may_open(op);
		closed += is_closed(op);
	}
	assert_int_equal(open, COUNT(open_reads));
	assert_true(closed > 150);
}

static void
a_collection_that_is_not_public_is_as_if_nothing_were(void **state)
{
	static const char *const asked[] = { "GET /content/posts", "GET /content/posts?limit=9999",
		"GET /content/posts?bogus=1", "GET /content/nothing", "GET /content/%%ff",
		"GET /content/posts/x", "GET /content/posts/x/translations",
		"GET /content/posts/x/terms/category" };

	(void)state;
	posts_are(false);
	for (size_t i = 0; i < COUNT(asked); i++) {
		struct outcome *o = harness_request(h, nobody, asked[i], NULL, NULL);

		if (o->http != 401 || strcmp(o->code, "UNAUTHORIZED") != 0)
			fail_msg("%s: %d %s", asked[i], o->http, o->text);
	}
	posts_are(true);
	assert_int_equal(harness_request(h, nobody, asked[0], NULL, NULL)->http, 200);
	assert_int_equal(harness_request(h, nobody, asked[1], NULL, NULL)->http, 400);
	assert_int_equal(harness_request(h, nobody, asked[3], NULL, NULL)->http, 401);
}

/* A token that lacks the scope of an op reads what anonymous callers read, and no more. */
static void
credentials_that_do_not_suffice_are_as_good_as_none(void **state)
{
	static const struct harness_user weak[] = { { "01WEAK00000000000000000000", 50,
							"media:read", false, 0 },
		{ "01WEAK00000000000000000001", 10, "content:read", false, 0 } };
	struct item item;
	char path[512], *text;

	(void)state;
	item_make(author, DRAFT, &item);
	EACH_ROUTE(op)
	{
		if (!may_open(op))
			continue;
		path_of(op, item.id, path, sizeof(path));
		text = strdup(request(op, nobody, path, NULL)->text);
		for (size_t i = 0; i < COUNT(weak); i++) {
			struct outcome *o = request(op, &weak[i], path, NULL);

			if (i == 0 && strcmp(o->text, text) != 0)
				fail_msg("%s: %s is not %s", path, o->text, text);
			if (o->http == 401 || o->http == 403 || strstr(o->text, "Secret") != NULL)
				fail_msg("%s: %d %s", path, o->http, o->text);
		}
		free(text);
	}
	posts_are(false);
	assert_code(
	    harness_request(h, &weak[0], "GET /content/posts", NULL, NULL), "INSUFFICIENT_SCOPE");
	posts_are(true);
	/* The response does not disclose whether the collection exists. */
	assert_code(
	    harness_request(h, &weak[0], "GET /content/nothing", NULL, NULL), "INSUFFICIENT_SCOPE");
	/* An op that is closed to anonymous callers refuses the token. */
	assert_code(harness_request(h, &weak[1], "GET /media", NULL, NULL), "INSUFFICIENT_SCOPE");
}

/* Anonymous callers may do at most what a Subscriber may do with a token. */
static void
nobody_learns_what_a_subscriber_does_not(void **state)
{
	static const struct harness_user reader[1] = { { "01READER0000000000000000AB", 10,
	    "content:read", false, 0 } };
	char path[512], *text;
	size_t compared = 0;

	(void)state;
	for (int how = 0; how < ITEM_STATES; how++) {
		struct item item;

		item_make(author, (enum item_state)how, &item);
		EACH_ROUTE(op)
		{
			if (!may_open(op) || strncmp(op->name, "settings_", 9) == 0)
				continue;
			path_of(op, item.id, path, sizeof(path));
			text = strdup(request(op, reader, path, NULL)->text);
			if (strcmp(request(op, nobody, path, NULL)->text, text) != 0)
				fail_msg("%s: not %s", path, text);
			if (strstr(text, "Secret") != NULL)
				fail_msg("%s: %s", path, text);
			free(text);
			compared++;
		}
	}
	assert_true(compared > 40);
}

static void
no_question_finds_what_is_not_published(void **state)
{
	static const char *const queries[] = { "", "?status=draft", "?status=scheduled",
		"?q=Secret", "?orderBy=scheduledAt", "?orderBy=updatedAt&order=asc",
		"?includeTotal=1&status=draft",
		"?fields=data,liveData,draftRevisionId,liveRevisionId",
		"?authorId=01AUTHOR000000000000000000",
		"?dateField=updatedAt&dateFrom=2000-01-01" };
	struct item item[ITEM_STATES];
	char request[128];

	(void)state;
	for (int how = 0; how < ITEM_STATES; how++)
		item_make(author, (enum item_state)how, &item[how]);
	for (size_t i = 0; i < COUNT(queries); i++) {
		struct outcome *o;

		(void)snprintf(request, sizeof(request), "GET /content/posts%s", queries[i]);
		o = harness_request(h, nobody, request, NULL, NULL);
		if (o->http == 401 || strstr(o->text, "Secret") != NULL ||
		    strstr(o->text, item[DRAFT].id) != NULL ||
		    strstr(o->text, item[TRASHED].id) != NULL ||
		    strstr(o->text, item[PUBLISHED].revision) != NULL)
			fail_msg("%s: %s", request, o->text);
	}
	for (int how = DRAFT; how < ITEM_STATES; how++) {
		(void)snprintf(request, sizeof(request), "GET /content/posts/%s", item[how].id);
		assert_code(harness_request(h, nobody, request, NULL, NULL), "NOT_FOUND");
	}
}

/* Filters match published values only, so that nobody can guess the values of a draft. */
static void
no_filter_tells_of_values_that_are_not_published(void **state)
{
	static const struct {
		const char *query;
		int total;
	} asked[] = {
		{ "fieldFilters={\"title\":\"Open\"}", 1 },
		{ "fieldFilters={\"title\":\"Secret\"}", 0 },
		{ "fieldFilters={\"title\":\"Secret%20two\"}", 0 },
		{ "fieldFilters={\"title\":{\"startsWith\":\"Sec\"}}", 0 },
		{ "fieldFilters={\"not\":{\"title\":\"Secret%20two\"}}", 1 },
		{ "fieldFilters={\"or\":[{\"title\":{\"gt\":\"P\"}},{\"title\":{\"isNull\":true}}]}",
		    0 },
		{ "orderBy=title&order=desc", 1 },
		{ "locale=fr&localeFallback=true", 1 },
		{ "terms=category:!none", 1 },
		{ "q=Secret", 0 },
	};
	struct item item[ITEM_STATES];
	struct outcome *o;

	(void)state;
	assert_ok(harness_send(
	    h, admin, "PUT /schema/collections/posts/fields/title", "{\"indexed\":true}"));
	for (int how = 0; how < ITEM_STATES; how++)
		item_make(author, (enum item_state)how, &item[how]);
	for (size_t i = 0; i < COUNT(asked); i++) {
		char request[256];

		(void)snprintf(request, sizeof(request), "GET /content/posts?includeTotal=1&%s",
		    asked[i].query);
		o = harness_request(h, nobody, request, NULL, NULL);
		assert_ok(o);
		if (harness_int(o->data, "total") != asked[i].total ||
		    json_array_size(json_object_get(o->data, "items")) != (size_t)asked[i].total)
			fail_msg("%s: %s", request, o->text);
	}
}

static void
what_belongs_to_items_needs_credentials(void **state)
{
	static const char *const kinds[] = { "references", "translations", "terms", "bylines",
		"author", "media", "nothing" };
	struct item item;
	char path[2][160];

	(void)state;
	item_make(author, PUBLISHED, &item);
	for (size_t i = 0; i < COUNT(kinds); i++) {
		(void)snprintf(path[0], sizeof(path[0]), "GET /content/posts?include=%s", kinds[i]);
		(void)snprintf(path[1], sizeof(path[1]), "GET /content/posts/%s?include=%s",
		    item.id, kinds[i]);
		for (int k = 0; k < 2; k++) {
			assert_code(
			    harness_request(h, nobody, path[k], NULL, NULL), "UNAUTHORIZED");
			if (i < 4)
				assert_ok(harness_request(h, subscriber, path[k], NULL, NULL));
		}
	}
}

static void
what_names_other_items_needs_credentials(void **state)
{
	static const char *const below[] = { "neighbors", "related", "compare", "revisions" };
	struct item item;
	char path[160];

	(void)state;
	item_make(author, PUBLISHED, &item);
	for (size_t i = 0; i < COUNT(below); i++) {
		(void)snprintf(path, sizeof(path), "GET /content/posts/%s/%s", item.id, below[i]);
		assert_code(harness_request(h, nobody, path, NULL, NULL), "UNAUTHORIZED");
		assert_string_not_equal(
		    harness_request(h, editor, path, NULL, NULL)->code, "UNAUTHORIZED");
	}
	assert_code(
	    harness_request(h, nobody, "GET /admin/manifest/posts", NULL, NULL), "UNAUTHORIZED");
}

/* Decision 47. */
static void
a_draft_leaves_no_trace(void **state)
{
	char request[128], *before, etag[128];
	struct outcome *o;
	json_t *data;

	(void)state;
	harness_ok(
	    o, harness_send(h, author, "POST /content/posts",
		   "{\"slug\":\"traced\",\"status\":\"published\",\"data\":{\"title\":\"A\"}}"));
	(void)snprintf(
	    request, sizeof(request), "PUT /content/posts/%s", harness_text(o->data, "item.id"));
	harness_ok(o, harness_request(h, nobody, "GET /content/posts/traced", NULL, NULL));
	before = strdup(o->text);
	(void)snprintf(etag, sizeof(etag), "%s", o->etag);
	assert_ok(harness_send(h, author, request, "{\"data\":{\"title\":\"Secret\"}}"));
	harness_ok(o, harness_request(h, nobody, "GET /content/posts/traced", NULL, NULL));
	assert_string_equal(o->text, before);
	assert_string_equal(o->etag, etag);
	data = json_object_get(o->data, "item");
	assert_true(json_is_null(json_object_get(data, "liveRevisionId")));
	assert_null(json_object_get(data, "draftRevisionId"));
	free(before);
}

static void
only_what_is_shown_of_settings_is_public(void **state)
{
	struct outcome *o;

	(void)state;
	assert_ok(harness_send(h, admin, "POST /settings",
	    "{\"siteTitle\":\"Ours\",\"url\":\"https://example.org\",\"seo\":{\"robotsTxt\":\"Hidden\","
	    "\"googleVerification\":\"Hidden\",\"bingVerification\":\"Hidden\","
	    "\"titleSeparator\":\"|\"}}"));
	harness_ok(o, harness_request(h, nobody, "GET /settings", NULL, NULL));
	assert_string_equal(harness_text(o->data, "siteTitle"), "Ours");
	assert_string_equal(harness_text(o->data, "seo.titleSeparator"), "|");
	assert_null(strstr(o->text, "Hidden"));
	harness_ok(o, harness_request(h, editor, "GET /settings", NULL, NULL));
	assert_non_null(strstr(o->text, "Hidden"));
	harness_ok(o, harness_request(h, subscriber, "GET /settings", NULL, NULL));
	assert_null(strstr(o->text, "Hidden"));
}

/* ---- what shows items of several collections ---- */

static void
other_collections_are_not_told_of(void **state)
{
	struct outcome *o;
	char id[27], term[27], body[300];

	(void)state;
	assert_ok(harness_send(
	    h, admin, "POST /schema/collections", "{\"slug\":\"memos\",\"label\":\"Memos\"}"));
	assert_ok(harness_send(h, admin, "POST /schema/collections/memos/fields",
	    "{\"slug\":\"title\",\"label\":\"T\",\"type\":\"string\"}"));
	assert_ok(harness_send(h, admin, "POST /taxonomies",
	    "{\"name\":\"topic\",\"label\":\"Topics\",\"collections\":[\"posts\",\"memos\"]}"));
	harness_ok(o, harness_send(h, admin, "POST /taxonomies/topic/terms",
			  "{\"slug\":\"db\",\"label\":\"DB\"}"));
	(void)snprintf(term, sizeof(term), "%s", harness_text(o->data, "term.id"));
	for (int i = 0; i < 3; i++)
		assert_ok(
		    harness_send(h, admin, i == 0 ? "POST /content/posts" : "POST /content/memos",
			"{\"status\":\"published\",\"data\":{\"title\":\"Memo\"},"
			"\"taxonomies\":{\"topic\":[\"db\"]}}"));
	(void)snprintf(id, sizeof(id), "%s",
	    harness_text(
		h != NULL
		    ? harness_request(h, admin, "GET /content/memos?limit=1", NULL, NULL)->data
		    : NULL,
		"items[0].id"));
	assert_int_equal(strlen(id), 26);
	harness_ok(o, harness_request(h, subscriber, "GET /taxonomies/topic/terms/db", NULL, NULL));
	assert_int_equal(harness_int(o->data, "term.count"), 3);
	harness_ok(o, harness_request(h, nobody, "GET /taxonomies/topic/terms/db", NULL, NULL));
	assert_int_equal(harness_int(o->data, "term.count"), 1);
	harness_ok(o, harness_request(h, nobody, "GET /taxonomies/topic/terms", NULL, NULL));
	assert_int_equal(harness_int(o->data, "terms[0].count"), 1);
	harness_ok(o, harness_request(h, nobody, "GET /taxonomies/topic", NULL, NULL));
	assert_non_null(strstr(o->text, "\"collections\":[\"posts\"]"));
	harness_ok(o, harness_request(h, nobody, "GET /taxonomies", NULL, NULL));
	assert_null(strstr(o->text, "memos"));
	/* A menu item with a label of its own shows it, even if the reader may not read the
	 * target. */
	assert_ok(harness_send(h, admin, "POST /menus", "{\"name\":\"main\",\"label\":\"Main\"}"));
	(void)snprintf(body, sizeof(body),
	    "{\"items\":[{\"type\":\"post\",\"label\":\"Own\",\"referenceCollection\":\"memos\","
	    "\"referenceId\":\"%s\"}]}",
	    id);
	assert_ok(harness_request(h, admin, "PUT /menus/main/items", NULL, body));
	harness_ok(o, harness_request(h, subscriber, "GET /menus/main", NULL, NULL));
	assert_string_equal(harness_text(o->data, "items[0].title"), "Memo");
	harness_ok(o, harness_request(h, nobody, "GET /menus/main", NULL, NULL));
	assert_string_equal(harness_text(o->data, "items[0].label"), "Own");
	assert_true(json_is_null(harness_at(o->data, "items[0].title")));
	assert_true(json_is_null(harness_at(o->data, "items[0].url")));
	assert_ok(harness_send(h, admin, "PUT /schema/collections/memos", "{\"publicRead\":true}"));
	harness_ok(o, harness_request(h, nobody, "GET /menus/main", NULL, NULL));
	assert_string_equal(harness_text(o->data, "items[0].title"), "Memo");
	harness_ok(o, harness_request(h, nobody, "GET /taxonomies/topic/terms/db", NULL, NULL));
	assert_int_equal(harness_int(o->data, "term.count"), 3);
}

/* ---- names for caches ---- */

static void
assert_keys(const char *request, const char *want)
{
	struct outcome *o = harness_request(h, nobody, request, NULL, NULL);
	char line[400];

	assert_ok(o);
	(void)snprintf(line, sizeof(line), "Surrogate-Key: %s\n", want);
	if (strstr(o->headers, line) == NULL)
		fail_msg("%s: %s", request, o->headers);
	o = harness_request(h, editor, request, NULL, NULL);
	assert_ok(o);
	assert_null(strstr(o->headers, "Surrogate-Key"));
}

static void
replies_name_what_they_show(void **state)
{
	struct outcome *o;
	char keys[200];

	(void)state;
	harness_ok(
	    o, harness_send(h, author, "POST /content/posts",
		   "{\"slug\":\"keyed\",\"status\":\"published\",\"data\":{\"title\":\"A\"}}"));
	(void)snprintf(keys, sizeof(keys), "i:%s c:posts k:bylines k:content",
	    harness_text(o->data, "item.id"));
	assert_keys("GET /content/posts/keyed", keys);
	assert_keys("GET /content/posts", "l:posts c:posts k:bylines k:content");
	assert_keys("GET /content/posts/keyed/translations", "l:posts c:posts k:bylines k:content");
	assert_keys("GET /widget-areas", "k:widgets");
	assert_keys("GET /sections", "k:sections");
	assert_keys("GET /settings", "k:settings");
	assert_ok(harness_send(h, admin, "POST /menus", "{\"name\":\"foot\",\"label\":\"F\"}"));
	assert_ok(harness_send(h, admin, "PUT /menus/foot/items",
	    "{\"items\":[{\"type\":\"collection\",\"label\":\"C\","
	    "\"referenceCollection\":\"posts\"}]}"));
	assert_keys("GET /menus/foot", "l:posts k:menus");
}

int
main(void)
{
#define t(name) cmocka_unit_test_setup_teardown(name, begin, routes_end)
	const struct CMUnitTest tests[] = {
		t(what_is_listed_is_open_and_nothing_else),
		t(a_collection_that_is_not_public_is_as_if_nothing_were),
		t(credentials_that_do_not_suffice_are_as_good_as_none),
		t(nobody_learns_what_a_subscriber_does_not),
		t(no_question_finds_what_is_not_published),
		t(no_filter_tells_of_values_that_are_not_published),
		t(what_belongs_to_items_needs_credentials),
		t(what_names_other_items_needs_credentials),
		t(a_draft_leaves_no_trace),
		t(only_what_is_shown_of_settings_is_public),
		t(other_collections_are_not_told_of),
		t(replies_name_what_they_show),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
