/*
 * longnames - slugs of 63 characters that differ in the last one. Their tables, columns and
 * indexes would have names that PostgreSQL cuts after 63 bytes, so that two would be one; and sites
 * from before names were shortened are migrated.
 */
#include "inside.h"
#include "posts.h"
#include <stdio.h>
#include <stdlib.h>

#define HEAD "abcdefghij_abcdefghij_abcdefghij_abcdefghij_abcdefg"
#define ONE HEAD "_collection1"
#define TWO HEAD "_collection2"
#define RED HEAD "_the_field_1"
#define BLUE HEAD "_the_field_2"

_Static_assert(sizeof(ONE) == 64 && sizeof(RED) == 64, "slugs as long as they may be");

static int
begin(void **state)
{
	static const char *const names[] = { ONE, TWO };
	struct harness *h;

	posts_begin(state);
	h = *state;
	for (int i = 0; i < 2; i++) {
		assert_ok(say(h, admin, "POST /schema/collections",
		    "{'slug':'%s','label':'L','supports':['drafts','revisions','search']}",
		    names[i]));
		field(h, names[i], "title", "string", "'searchable':true");
		field(h, names[i], RED, "string", "'indexed':true,'unique':true");
		field(h, names[i], BLUE, "integer", "'indexed':true");
	}
	return 0;
}

static void
add(struct harness *h, const char *collection, const char *slug, const char *red, int blue)
{
	char request[128];

	snprintf(request, sizeof(request), "POST /content/%s", collection);
	assert_ok(say(h, admin, request,
	    "{'slug':'%s','status':'published','data':{'title':'%s','" RED "':'%s','" BLUE "':%d}}",
	    slug, slug, red, blue));
}

static void
assert_items(
    struct harness *h, const char *collection, const char *query, const char *first, size_t count)
{
	struct outcome *o;

	harness_ok(o, ask(h, admin, "GET /content/%s?%s", collection, query));
	assert_int_equal(json_array_size(harness_at(o->data, "items")), count);
	assert_string_equal(harness_text(o->data, "items[0].slug"), first);
}

/* Checks two items in each collection, found through every index. */
static void
assert_whole(struct harness *h)
{
	assert_items(h, ONE, "orderBy=" RED "&order=desc", "b", 2);
	assert_items(h, ONE, "orderBy=" BLUE "&order=desc", "a", 2);
	assert_items(h, TWO, "orderBy=" RED "&order=asc", "c", 2);
	assert_items(h, ONE, "orderBy=publishedAt&order=asc", "a", 2);
	assert_items(h, ONE, filters("{'" BLUE "':{'gte':9}}"), "a", 1);
	assert_items(h, TWO, filters("{'" RED "':'w'}"), "d", 1);
	assert_code(say(h, admin, "POST /content/" ONE, "{'data':{'title':'t','" RED "':'x'}}"),
	    "CONFLICT");
}

static void
fill_both(struct harness *h)
{
	add(h, ONE, "a", "x", 9);
	add(h, ONE, "b", "y", 8);
	add(h, TWO, "c", "v", 7);
	add(h, TWO, "d", "w", 6);
}

static void
no_name_is_longer_than_postgresql_takes(void **state)
{
	struct harness *h = *state;

	assert_string_equal(
	    inside_ask(h, "SELECT count(*) FROM sqlite_schema WHERE type IN ('table', 'index')"
			  " AND length(name) > 63 AND name NOT LIKE 'sqlite_%'"),
	    "0");
	assert_string_equal(
	    inside_ask(h, "SELECT count(*) FROM sqlite_schema WHERE sql LIKE '%" HEAD "%'"), "0");
	assert_string_equal(
	    inside_ask(h, "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name LIKE"
			  " 'c\\_abc%' ESCAPE '\\'"),
	    "2");
}

static void
collections_and_fields_of_long_names_stay_apart(void **state)
{
	struct harness *h = *state;

	fill_both(h);
	assert_whole(h);
	assert_ok(ask(h, admin, "DELETE /schema/collections/" TWO "/fields/" RED));
	assert_items(h, TWO, "orderBy=" BLUE "&order=desc", "c", 2);
	assert_ok(ask(h, admin, "DELETE /schema/collections/" ONE "?force=true"));
	assert_items(h, TWO, "orderBy=title&order=desc", "d", 2);
	assert_code(ask(h, admin, "GET /content/" ONE), "COLLECTION_NOT_FOUND");
}

/* ---- a site from before ---- */

static const char *
ident(struct stet_call *call, const char *name)
{
	struct stet_sql *sql = stet_sql_new(call);

	stet_sql_ident(sql, "", name);
	return stet_strdup(call, stet_sql_text(sql));
}

static void
rename_index(struct harness *h, struct stet_call *call, const char *name, const char *rest)
{
	inside_sql(h, stet_printf(call, "DROP INDEX %s", ident(call, name)), NULL);
	inside_sql(h,
	    stet_printf(call, "CREATE %sINDEX \"%s\" ON \"c_" ONE "\" %s",
		name[0] == 'u' || strncmp(name, "i_slug", 6) == 0 ? "UNIQUE " : "", name, rest),
	    NULL);
}

static void
old_names_become_short_ones(void **state)
{
	struct harness *h = *state;
	struct stet_call *call;

	/* Not recorded for PostgreSQL (t/portable): its databases never had such names. */
	if (getenv("STET_RECORD") != NULL)
		return;
	call = call_new();
	fill_both(h);
	inside_sql(h,
	    stet_printf(call, "ALTER TABLE %s RENAME TO \"c_" ONE "\"", ident(call, "c_" ONE)),
	    NULL);
	inside_sql(h,
	    stet_printf(call, "ALTER TABLE \"c_" ONE "\" RENAME COLUMN %s TO \"f_" RED "\"",
		ident(call, "f_" RED)),
	    NULL);
	inside_sql(h,
	    stet_printf(call, "ALTER TABLE \"c_" ONE "\" RENAME COLUMN %s TO \"f_" BLUE "\"",
		ident(call, "f_" BLUE)),
	    NULL);
	rename_index(h, call, "i_slug_" ONE, "(slug, locale)");
	rename_index(h, call, "i_published_" ONE, "(published_at, id) WHERE deleted_at IS NULL");
	rename_index(h, call, "f63_" ONE "_" RED, "(\"f_" RED "\", id) WHERE deleted_at IS NULL");
	rename_index(
	    h, call, "u63_" ONE "_" RED, "(\"f_" RED "\", locale) WHERE deleted_at IS NULL");
	/* All columns of the other collection have long names. */
	for (int i = 0; i < 2; i++)
		inside_sql(h,
		    stet_printf(call, "ALTER TABLE %s RENAME COLUMN %s TO \"f_%s\"",
			ident(call, "c_" TWO), ident(call, i == 0 ? "f_" RED : "f_" BLUE),
			i == 0 ? RED : BLUE),
		    NULL);
	inside_sql(h,
	    stet_printf(call, "ALTER TABLE %s RENAME TO \"c_" TWO "\"", ident(call, "c_" TWO)),
	    NULL);
	inside_sql(h, "ALTER TABLE \"c_" TWO "\" DROP COLUMN live_version", NULL);
	inside_sql(h, "ALTER TABLE \"c_" ONE "\" DROP COLUMN live_version", NULL);
	inside_sql(h, "ALTER TABLE c_posts DROP COLUMN live_version", NULL);
	inside_sql(h, "ALTER TABLE \"c_" TWO "\" DROP COLUMN f__seo", NULL);
	inside_sql(h, stet_printf(call, "DROP INDEX %s", ident(call, "i_unpublish_" TWO)), NULL);
	inside_sql(h, "ALTER TABLE \"c_" TWO "\" DROP COLUMN schedule_error", NULL);
	inside_sql(h, "ALTER TABLE \"c_" TWO "\" DROP COLUMN unpublish_at", NULL);
	inside_sql(h, "ALTER TABLE \"c_" ONE "\" DROP COLUMN f__seo", NULL);
	inside_sql(h, stet_printf(call, "DROP INDEX %s", ident(call, "i_unpublish_" ONE)), NULL);
	inside_sql(h, "ALTER TABLE \"c_" ONE "\" DROP COLUMN schedule_error", NULL);
	inside_sql(h, "ALTER TABLE \"c_" ONE "\" DROP COLUMN unpublish_at", NULL);
	inside_sql(h, "ALTER TABLE c_posts DROP COLUMN f__seo", NULL);
	inside_sql(h, "DROP INDEX i_unpublish_posts", NULL);
	inside_sql(h, "ALTER TABLE c_posts DROP COLUMN schedule_error", NULL);
	inside_sql(h, "ALTER TABLE c_posts DROP COLUMN unpublish_at", NULL);
	inside_sql(h, "ALTER TABLE c_pages DROP COLUMN live_version", NULL);
	inside_sql(h, "ALTER TABLE c_pages DROP COLUMN f__seo", NULL);
	inside_sql(h, "DROP INDEX i_unpublish_pages", NULL);
	inside_sql(h, "ALTER TABLE c_pages DROP COLUMN schedule_error", NULL);
	inside_sql(h, "ALTER TABLE c_pages DROP COLUMN unpublish_at", NULL);
	inside_sql(h, "ALTER TABLE collection DROP COLUMN indexes", NULL);
	inside_sql(h, "ALTER TABLE collection DROP COLUMN public_read", NULL);
	inside_sql(h, "ALTER TABLE field DROP COLUMN building", NULL);
	inside_sql(h, "ALTER TABLE collection DROP COLUMN building", NULL);
	inside_sql(h, "ALTER TABLE collection DROP COLUMN required_on", NULL);
	inside_sql(h, "ALTER TABLE collection DROP COLUMN url_patterns", NULL);
	inside_sql(h, "DROP TABLE block_type", NULL);
	inside_sql(h, "DELETE FROM migration WHERE module = 'schema' AND version >= 2", NULL);
	call_free(call);
	*state = h = harness_again(h);
	no_name_is_longer_than_postgresql_takes(state);
	assert_whole(h);
}

#define named(name) cmocka_unit_test_setup_teardown(name, begin, posts_end)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		named(no_name_is_longer_than_postgresql_takes),
		named(collections_and_fields_of_long_names_stay_apart),
		named(old_names_become_short_ones),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
