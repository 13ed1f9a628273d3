/*
 * dryrun.c - a dry run reports each item as an import would, and writes nothing but its own rows.
 */
#include "harness.h"
#include "imported.h"
#include "importing.h"
#include "inside.h"
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

#define TRIES "{\"importMedia\":false,\"dryRun\":true}"
#define WRITES "{\"importMedia\":false}"
#define CHANGES "{\"importMedia\":false,\"update\":true,\"source\":\"there\"}"
#define TRIES_CHANGES "{\"importMedia\":false,\"update\":true,\"source\":\"there\",\"dryRun\":true}"

static void
field(struct harness *h, const char *collection, const char *slug, const char *more)
{
	char body[300];

	(void)snprintf(body, sizeof(body),
	    "{\"collection\":\"%s\",\"slug\":\"%s\",\"label\":\"%s\",%s}", collection, slug, slug,
	    more);
	assert_ok(harness_op(h, admin, "schema_create_field", "%s", body));
}

static int
begin(void **state)
{
	struct harness *h = importing_open();

	*state = h;
	imported_prepare(h);
	field(h, "posts", "isbn", "\"type\":\"string\",\"validation\":{\"maxLength\":5}");
	field(h, "posts", "kind",
	    "\"type\":\"select\",\"required\":true,\"validation\":{\"options\":[\"a\",\"b\"]}");
	field(h, "posts", "opened", "\"type\":\"datetime\"");
	return 0;
}

/* ---- nothing is written ---- */

/* Writes the number of rows of a table, and a hash of all values (FNV-1a). */
static void
put_table(FILE *to, sqlite3 *db, const char *table)
{
	uint64_t h = UINT64_C(14695981039346656037), rows = 0;
	sqlite3_stmt *q;
	char sql[200];

	(void)snprintf(sql, sizeof(sql), "/* test */ SELECT * FROM \"%s\"", table);
	assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &q, NULL), SQLITE_OK);
	for (; sqlite3_step(q) == SQLITE_ROW; rows++) {
		for (int i = 0; i < sqlite3_column_count(q); i++) {
			const unsigned char *value = sqlite3_column_blob(q, i);

			for (int n = 0; n < sqlite3_column_bytes(q, i); n++)
				h = (h ^ value[n]) * UINT64_C(1099511628211);
			h = (h ^ 0xff) * UINT64_C(1099511628211);
		}
	}
	assert_int_equal(sqlite3_finalize(q), SQLITE_OK);
	(void)fprintf(to, "%s %llu %llx\n", table, (unsigned long long)rows, (unsigned long long)h);
}

/* Returns a digest of all tables except those of the import; the caller frees it. */
static char *
site_as_it_is(struct harness *h)
{
	char path[200], *out = NULL;
	size_t len;
	FILE *to = open_memstream(&out, &len);
	sqlite3_stmt *tables;
	sqlite3 *db;

	assert_non_null(to);
	(void)snprintf(path, sizeof(path), "%s/stet.db", harness_data(h));
	assert_int_equal(sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
	assert_int_equal(
	    sqlite3_prepare_v2(db,
		"/* test */ SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB"
		" 'import_*' AND sql NOT LIKE 'CREATE VIRTUAL%' ORDER BY name",
		-1, &tables, NULL),
	    SQLITE_OK);
	while (sqlite3_step(tables) == SQLITE_ROW)
		put_table(to, db, (const char *)sqlite3_column_text(tables, 0));
	assert_int_equal(sqlite3_finalize(tables), SQLITE_OK);
	assert_int_equal(sqlite3_close(db), SQLITE_OK);
	assert_int_equal(fclose(to), 0);
	assert_non_null(strstr(out, "c_posts "));
	return out;
}

/* Returns the outcome of each item, one a line, without ids of this site; the caller frees it. */
static char *
told(struct harness *h, const char *id)
{
	struct outcome *o = importing_at(h, "GET", id, "/report");
	json_t *list = json_loads(o->text, 0, NULL), *one;
	char *out;
	size_t i;

	assert_non_null(list);
	json_array_foreach(list, i, one)
	{
		(void)json_object_del(one, "id");
		/* The place of a reference that was set later names the item by its id. */
		if (strchr(json_string_value(json_object_get(one, "title")), '/') != NULL)
			(void)json_object_del(one, "title");
	}
	out = json_dumps(list, JSON_INDENT(1) | JSON_SORT_KEYS);
	assert_non_null(out);
	json_decref(list);
	return out;
}

/* Runs a dry run of the channel; returns the outcomes of its items, which the caller frees. */
static char *
tried(struct harness *h, const char *config, const char *channel, struct outcome **o)
{
	char id[40], *before, *after, *said;

	importing_create(h, config, channel, id);
	before = site_as_it_is(h);
	(void)importing_work(h, id, "done");
	after = site_as_it_is(h);
	assert_string_equal(before, after);
	free(before);
	free(after);
	assert_string_equal(inside_ask(h, "SELECT count(*) FROM import_map"), "0");
	said = told(h, id);
	*o = importing_job(h, id);
	return said;
}

static char *
written(struct harness *h, const char *config, const char *channel)
{
	char id[40];

	importing_create(h, config, channel, id);
	(void)importing_work(h, id, "done");
	return told(h, id);
}

/* ---- the same as the import says ---- */

#define POST(id, slug, more) ITEM(id, "post", slug, "<title>T" id "</title>" more)
#define KIND META("kind", "a")
#define PLAIN KIND "<content:encoded><![CDATA[<p>Text</p>]]></content:encoded>"

static const char some[] =
    "<wp:category><wp:category_nicename>c</wp:category_nicename><wp:cat_name>C</wp:cat_name>"
    "</wp:category><wp:category><wp:category_nicename>d</wp:category_nicename><wp:cat_name>D"
    "</wp:cat_name><wp:category_parent>c</wp:category_parent></wp:category>"
    /* Refused: a value that is no option, one that is too long, a missing one. */
    POST("1", "good", PLAIN LABELLED("category", "d", "D")) POST("2", "choice", META("kind", "z"))
	POST("3", "long", KIND META("isbn", "123456")) POST("4", "lacks", "")
	    POST("5", "date", KIND META("opened", "31.31.2020"))
    /* Two slugs come twice; one of them is of a refused item. */
    POST("6", "good", PLAIN) POST("7", "lacks", PLAIN)
    /* A parent that follows its child, a missing parent, and a section. */
    ITEM("8", "page", "child", "<title>C</title><wp:post_parent>9</wp:post_parent>")
	ITEM("9", "page", "parent", "<title>P</title>")
	    ITEM("10", "page", "orphan", "<title>O</title><wp:post_parent>999</wp:post_parent>")
		ITEM("11", "wp_block", "block", "<title>Block</title>")
		    POST("13", "odd", KIND META("_locale", "xx_XX"))
			LINK("102", "1", "0", "post_type", "8", "", "A");

/* Enough items for several batches, some of them refused; children before and after their
 * parents. */
static char *
many(void)
{
	char *text;
	size_t len;
	FILE *to = open_memstream(&text, &len);

	assert_non_null(to);
	(void)fputs(some, to);
	for (int i = 200; i < 640; i++) {
		bool bad = i % 37 == 0;

		(void)fprintf(to,
		    "<item><wp:post_id>%d</wp:post_id><wp:post_type>%s</wp:post_type>"
		    "<wp:post_name>s%d</wp:post_name><title>N%d</title><wp:post_parent>%d"
		    "</wp:post_parent>%s</item>\n",
		    i, i % 3 == 0 ? "page" : "post", i % 50, i,
		    i % 3 == 0 ? 201 + 3 * (i * 7 % 146) : 0, bad ? "" : PLAIN);
	}
	assert_int_equal(fclose(to), 0);
	return text;
}

static void
a_dry_run_says_of_each_item_what_the_import_says(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char *text = many(), *first, *then;

	first = tried(h, TRIES, text, &o);
	assert_true(harness_int(o->data, "result.items.created") > 300);
	assert_true(harness_int(o->data, "result.items.draft") > 5);
	assert_true(harness_int(o->data, "result.items.failed") > 0);
	assert_int_equal(harness_int(o->data, "result.terms.made.category"), 2);
	assert_int_equal(harness_int(o->data, "result.assignments"), 1);
	assert_string_equal(inside_ask(h, "SELECT count(*) FROM c_posts"), "0");
	assert_non_null(strstr(first, "kind"));
	then = written(h, WRITES, text);
	assert_string_equal(first, then);
	free(first);
	free(then);
	/* The items exist already. */
	first = tried(h, TRIES, text, &o);
	assert_true(harness_int(o->data, "result.items.skipped") > 400);
	then = written(h, WRITES, text);
	assert_string_equal(first, then);
	free(first);
	free(then);
	free(text);
}

static void
changes_are_tried_likewise(void **state)
{
	static const char is[] = POST("1", "one", PLAIN) POST("2", "two", PLAIN)
	    POST("3", "three", PLAIN) POST("4", "four", PLAIN);
	static const char becomes[] = POST("1", "one", PLAIN META("isbn", "1"))
	    POST("2", "two", PLAIN) POST("3", "three", META("kind", "b"))
		POST("4", "four", PLAIN META("isbn", "4")) POST("5", "five", PLAIN);
	struct harness *h = *state;
	struct outcome *o;
	char *first, *then;

	free(written(h, CHANGES, is));
	harness_ok(o, harness_request(h, admin, "GET /content/posts/four", NULL, NULL));
	assert_ok(harness_send(h, admin, "PUT /content/posts/four",
	    "{\"data\":{\"title\":\"Ours\"},\"_rev\":\"%s\"}", harness_text(o->data, "_rev")));
	first = tried(h, TRIES_CHANGES, becomes, &o);
	assert_int_equal(harness_int(o->data, "result.items.updated"), 2);
	assert_int_equal(harness_int(o->data, "result.items.unchanged"), 1);
	assert_int_equal(harness_int(o->data, "result.items.conflict"), 1);
	assert_int_equal(harness_int(o->data, "result.items.created"), 1);
	then = written(h, CHANGES, becomes);
	assert_string_equal(first, then);
	free(first);
	free(then);
}

/* ---- what the import makes before its items ---- */

#define MAKES(more)                                                                             \
	"{\"importMedia\":false,\"importFields\":true," more "\"postTypeMappings\":{\"page\":{" \
	"\"collection\":\"leaves\",\"enabled\":true}}}"

/* A collection, a field, a taxonomy for two collections, and a menu. */
static const char anew[] =
    ITEM("1", "page", "p", "<title>P</title>" LABELLED("genre", "dub", "Dub"))
	POST("2", "a", PLAIN META("weight", "5") LABELLED("genre", "dub", "Dub"))
	    POST("3", "b", PLAIN META("weight", "much"))
		ITEM("4", "page", "q", "<title>Q</title>" META("_locale", "xx_XX"))
		    LINK("100", "1", "0", "post_type", "1", "", "")
			LINK("101", "2", "0", "post_type", "999", "", "Odd")
			    LINK("102", "3", "0", "custom", "", "javascript:x()", "Bad");

static void
what_the_import_makes_is_made_and_undone(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char *first, *then, *account, id[40];

	first = tried(h, MAKES("\"dryRun\":true,"), anew, &o);
	assert_string_equal(harness_text(o->data, "found.types.page.state"), "new");
	assert_int_equal(harness_int(o->data, "result.items.created"), 3);
	assert_int_equal(harness_int(o->data, "result.items.failed"), 1);
	assert_int_equal(harness_int(o->data, "result.menus.created"), 1);
	assert_int_equal(harness_int(o->data, "result.menus.items"), 3);
	assert_int_equal(harness_int(o->data, "result.assignments"), 2);
	assert_null(strstr(first, "Not checked"));
	assert_non_null(strstr(first, "leads nowhere"));
	account = json_dumps(harness_at(o->data, "result.account"), 0);
	assert_code(
	    harness_request(h, admin, "GET /content/leaves", NULL, NULL), "COLLECTION_NOT_FOUND");
	importing_create(h, MAKES(""), anew, id);
	o = importing_work(h, id, "done");
	then = told(h, id);
	assert_string_equal(first, then);
	free(first);
	free(then);
	o = importing_job(h, id);
	then = json_dumps(harness_at(o->data, "result.account"), 0);
	assert_string_equal(account, then);
	free(then);
	free(account);
}

/* If existing fields have other types, nothing is tried. A collection that cannot be made ends the
 * dry run as it ends the import. */
static void
what_cannot_be_made_is_told(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[40], *first;

	assert_ok(harness_send(
	    h, admin, "POST /schema/collections", "{\"slug\":\"leaves\",\"label\":\"Leaves\"}"));
	field(h, "leaves", "title", "\"type\":\"boolean\"");
	importing_create(h, MAKES("\"dryRun\":true,"), anew, id);
	o = importing_work(h, id, "done");
	assert_null(harness_at(o->data, "result.items"));
#define WRONG(more) \
	"{" more "\"postTypeMappings\":{\"page\":{\"collection\":\"Bad Name\",\"enabled\":true}}}"
	importing_create(h, WRONG("\"dryRun\":true,"), anew, id);
	first = strdup(harness_text(importing_work(h, id, "failed")->data, "error"));
	assert_non_null(strstr(first, "Failed to prepare collection"));
	importing_create(h, WRONG(""), anew, id);
	o = importing_work(h, id, "failed");
	assert_string_equal(harness_text(o->data, "error"), first);
	free(first);
}

/* Puts zeros for ids of this site. */
static void
without_ids(char *text)
{
	for (size_t len; *text != '\0'; text += len + (text[len] != '\0')) {
		len = strspn(text, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ");
		if (len == 26)
			memset(text, '0', len);
	}
}

/* References to items of other batches of the same export: required ones, lists, one to an item of
 * a wrong collection, those to items that follow, and a parent. */
static void
references_are_tried_too(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char *text, *first, *then;
	size_t len;
	FILE *to = open_memstream(&text, &len);

	field(h, "posts", "home",
	    "\"type\":\"reference\",\"required\":true,\"options\":{\"collection\":\"pages\"}");
	field(h, "pages", "many",
	    "\"type\":\"reference\",\"options\":{\"collection\":\"posts\",\"allowMultiple\":true}");
	assert_non_null(to);
	(void)fputs(ITEM("1", "page", "p", "<title>P</title>" META("many", "[2,3]")), to);
	for (int i = 2; i < 250; i++)
		(void)fprintf(to,
		    ITEM("%d", "post", "s%d", "<title>N%d</title>" PLAIN META("home", "%d")), i, i,
		    i,
		    i == 5   ? 2
		    : i == 6 ? 999
			     : 1);
	(void)fputs(
	    ITEM("300", "page", "q",
		"<title>Q</title>" META("many", "[2,240]") "<wp:post_parent>1</wp:post_parent>"),
	    to);
	(void)fputs(ITEM("301", "page", "r", "<title>R</title>" META("many", "300")), to);
	(void)fputs(ITEM("302", "page", "s", "<title>S</title>" META("many", "303"))
			ITEM("303", "page", "t", "<title>T</title>"),
	    to);
	assert_int_equal(fclose(to), 0);
	first = tried(h, TRIES, text, &o);
	assert_int_equal(harness_int(o->data, "result.items.created"), 251);
	assert_int_equal(harness_int(o->data, "result.items.draft"), 2);
	assert_null(strstr(first, "Not checked"));
	assert_non_null(strstr(first, "in collection 'pages'"));
	then = written(h, WRITES, text);
	assert_non_null(strstr(then, "in collection 'pages'"));
	without_ids(first);
	without_ids(then);
	assert_string_equal(first, then);
	free(first);
	free(then);
	free(text);
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, importing_end)
	const struct CMUnitTest tests[] = {
		TEST(a_dry_run_says_of_each_item_what_the_import_says),
		TEST(changes_are_tried_likewise),
		TEST(what_the_import_makes_is_made_and_undone),
		TEST(what_cannot_be_made_is_told),
		TEST(references_are_tried_too),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
