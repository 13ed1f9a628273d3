/* filters.t - filters of lists, and the SQL of lists. */
#include "call/call.h"
#include "db/db.h"
#include "db/part.h"
#include "db/writer.h"
#include "inside.h"
#include "posts.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- filters ---- */

static void
lists_are_filtered(void **state)
{
	struct harness *h = *state;
	char query[64];

	fill(h);
	assert_int_equal(total(h, editor, "status=draft"), 14);
	assert_int_equal(total(h, editor, "status=published"), 26);
	assert_int_equal(total(h, editor, "status=scheduled"), 0);
	assert_int_equal(total(h, editor, "locale=fr"), 10);
	assert_int_equal(total(h, editor, "locale=FR&status=draft"), 4);
	assert_int_equal(total(h, editor, "slug=item-1"), 1);
	assert_int_equal(total(h, editor, "slug=item"), 0);
	snprintf(query, sizeof(query), "authorId=%s", author->id);
	assert_int_equal(total(h, editor, query), 40);
	assert_int_equal(total(h, editor, "authorId=nobody"), 0);
	assert_int_equal(total(h, editor, "locale=fr&orderBy=updatedAt&order=asc&limit=3"), 10);
	assert_int_equal(total(h, editor, "status=published&orderBy=year&limit=3"), 26);
	assert_int_equal(total(h, editor, "status=published&orderBy=publishedAt&limit=3"), 26);
	assert_int_equal(total(h, editor, "status=published&orderBy=status&limit=3"), 26);
	assert_int_equal(total(h, editor, "locale=en&orderBy=slug&limit=3&order=asc"), 30);
}

static void
dates_bound_the_list(void **state)
{
	struct harness *h = *state;

	fill(h);
	assert_int_equal(total(h, editor, "dateField=createdAt&dateFrom=2026-06-01"), 40);
	assert_int_equal(total(h, editor, "dateField=createdAt&dateTo=2026-06-01"), 40);
	assert_int_equal(total(h, editor, "dateField=createdAt&dateTo=2026-05-31"), 0);
	assert_int_equal(
	    total(h, editor, "dateField=createdAt&dateTo=2026-06-01T12:00:00.003Z"), 12);
	assert_int_equal(total(h, editor,
			     "dateField=createdAt&dateFrom=2026-06-01T14:00:00.003%2B02:00"
			     "&dateTo=2026-06-01T12:00:00.003Z"),
	    3);
	assert_int_equal(total(h, editor,
			     "dateField=createdAt&dateFrom=2026-06-01T12:00:00.005Z"
			     "&orderBy=year&limit=4"),
	    25);
	/* Items that were never published do not match. */
	assert_int_equal(total(h, editor, "dateField=publishedAt&dateFrom=2000-01-01"), 26);
	assert_int_equal(
	    total(h, editor, "dateField=publishedAt&dateFrom=2000-01-01&orderBy=publishedAt"), 26);
	/* Bounds without a field have no effect. */
	assert_int_equal(total(h, editor, "dateFrom=2030-01-01"), 40);
	/* A date without a time is the whole day. */
	assert_int_equal(total(h, editor, filters("{'createdAt':{'lte':'2026-06-01'}}")), 40);
	assert_int_equal(total(h, editor, filters("{'createdAt':{'gt':'2026-06-01'}}")), 0);
	assert_int_equal(total(h, editor, filters("{'createdAt':{'gte':'2026-06-01'}}")), 40);
	assert_int_equal(total(h, editor, filters("{'createdAt':{'lt':'2026-06-01'}}")), 0);
	assert_int_equal(
	    total(h, editor, filters("{'createdAt':{'between':['2026-06-01','2026-06-01']}}")), 40);
}

static void
indexed_fields_are_filtered_by(void **state)
{
	struct harness *h = *state;
	char query[2048];

	fill(h);
	assert_int_equal(total(h, editor, filters("{'year':1958}")), 17);
	assert_int_equal(total(h, editor, filters("{'year':1958.0}")), 17);
	assert_int_equal(total(h, editor, filters("{'year':null}")), 6);
	assert_int_equal(total(h, editor, filters("{'year':{'in':[1958,-3,5]}}")), 34);
	assert_int_equal(total(h, editor, filters("{'year':{'gt':-3}}")), 17);
	assert_int_equal(total(h, editor, filters("{'year':{'gte':-3,'lt':1958}}")), 17);
	assert_int_equal(total(h, editor, filters("{'price':0.5}")), 10);
	assert_int_equal(total(h, editor, filters("{'price':{'lte':1.5}}")), 20);
	assert_int_equal(total(h, editor, filters("{'flag':true}")), 13);
	assert_int_equal(total(h, editor, filters("{'flag':1}")), 13);
	assert_int_equal(total(h, editor, filters("{'flag':'1'}")), 13);
	assert_int_equal(total(h, editor, filters("{'flag':{'in':['true',0]}}")), 26);
	assert_int_equal(total(h, editor, filters("{'flag':{'in':[true,false]}}")), 26);
	assert_int_equal(total(h, editor, filters("{'kind':'news'}")), 14);
	assert_int_equal(total(h, editor, filters("{'day':'2026-01-02T01:00+01:00'}")), 30);
	assert_int_equal(total(h, editor, filters("{'day':{'lt':'2026-01-02'}}")), 0);
	assert_int_equal(total(h, editor, filters("{'kind':'news','year':1958}")), 6);
	assert_int_equal(total(h, editor, filters("{}")), 40);
	/* The filter applies to the column of the order, too. */
	for (size_t i = 0; i < 4; i++) {
		static const struct {
			const char *filter;
			int count;
		} cases[] = { { "{'year':1958}", 17 }, { "{'year':null}", 6 },
			{ "{'year':{'in':[1958,-3]}}", 34 }, { "{'year':{'gt':-3}}", 17 } };

		snprintf(query, sizeof(query), "%s&orderBy=year&limit=4", filters(cases[i].filter));
		assert_int_equal(total(h, editor, query), cases[i].count);
		snprintf(query, sizeof(query), "%s&orderBy=year&limit=4&order=asc",
		    filters(cases[i].filter));
		assert_int_equal(total(h, editor, query), cases[i].count);
	}
	/* Values are bound, not inserted into the SQL. */
	assert_int_equal(total(h, editor, filters("{'kind':'news\\u0027 OR 1=1 --'}")), 0);
}

static void
bad_filters_are_refused(void **state)
{
	static const char *const bad[] = { "", "x", "[]", "5", "{'year':1", "{'year':'x'}",
		"{'year':1.5}", "{'year':true}", "{'price':'1'}", "{'flag':2}", "{'flag':'yes'}",
		"{'flag':1.0}", "{'flag':{'in':[true,-1]}}", "{'flag':{'gt':false}}", "{'kind':5}",
		"{'day':'soon'}", "{'year':[]}", "{'year':{}}", "{'year':{'in':[]}}",
		"{'year':{'in':5}}", "{'year':{'like':5}}", "{'year':{'gt':1,'gte':1}}",
		"{'year':{'gt':null}}", "{'year':{'gt':1,'in':[1]}}", "{'summary':'x'}",
		"{'title':'x'}", "{'nope':'x'}", "{'Year':1}", "{'id':'x'}", "{'deleted_at':null}",
		"{'year':1,'year':2}", "{'year\\u0022 OR 1=1 --':1}" };
	struct harness *h = *state;
	struct outcome *o;

	for (size_t i = 0; i < COUNT(bad); i++) {
		o = ask(h, editor, "GET " BASE "?%s", filters(bad[i]));
		if (strcmp(o->code, "VALIDATION_ERROR") != 0)
			fail_msg("%s: %s", bad[i], o->text);
	}
	o = ask(h, editor, "GET " BASE "?%s", filters("{'summary':'x'}"));
	assert_true(harness_issue(o, "fieldFilters.summary"));
	o = ask(h, editor, "GET " BASE "?%s", filters("{'slug':'x'}"));
	assert_non_null(strstr(o->text, "use the parameter slug"));
}

static void
bad_groups_are_refused(void **state)
{
	static const char *const bad[] = { "{'and':[]}", "{'or':{}}", "{'or':5}", "{'not':5}",
		"{'not':[]}", "{'or':[5]}", "{'or':[{'nope':1}]}", "{'not':{'summary':'x'}}",
		"{'year':{'between':[1]}}", "{'year':{'between':5}}",
		"{'year':{'between':['a',1]}}", "{'year':{'startsWith':1}}",
		"{'day':{'startsWith':'2026'}}", "{'createdAt':{'startsWith':'2026'}}",
		"{'kind':{'startsWith':5}}", "{'year':{'isNull':'x'}}", "{'year':{'isNull':null}}",
		"{'flag':{'between':[0,1]}}", "{'year':{'ne':'x'}}", "{'year':{'nin':[]}}",
		"{'year':{'ne':1,'gt':1}}", "{'createdAt':'soon'}", "{'scheduledAt':null}",
		"{'deletedAt':null}",
		"{'or':[{'or':[{'or':[{'or':[{'or':[{'or':[{'year':1}]}]}]}]}]}]}" };
	struct harness *h = *state;
	struct outcome *o;

	for (size_t i = 0; i < COUNT(bad); i++) {
		o = ask(h, editor, "GET " BASE "?%s", filters(bad[i]));
		if (strcmp(o->code, "VALIDATION_ERROR") != 0)
			fail_msg("%s: %s", bad[i], o->text);
	}
	o = ask(h, editor, "GET " BASE "?%s", filters("{'or':[{'year':1},{'year':{'ne':'x'}}]}"));
	assert_true(harness_issue(o, "fieldFilters.or[1].year"));
	o = ask(h, editor, "GET " BASE "?%s", filters("{'summary':'x'}"));
	assert_non_null(strstr(o->text, "\\\"indexed\\\": true"));
	assert_ok(ask(h, editor, "GET " BASE "?%s",
	    filters("{'or':[{'or':[{'or':[{'or':[{'or':[{'year':1}]}]}]}]}]}")));
}

static void
bad_terms_are_refused(void **state)
{
	static const char *const bad[] = { "", "category", "category:", ":news", "category:news;",
		"category:,news", "category:news,", "category:!", "Cat:news", "nowhere:news",
		"category:news;nowhere:x", "category:/*", ";" };
	struct harness *h = *state;
	char names[2400];

	for (size_t i = 0; i < COUNT(bad); i++)
		assert_code(ask(h, editor, "GET " BASE "?terms=%s", bad[i]), "VALIDATION_ERROR");
	for (int n = 50; n <= 51; n++) {
		char *to = names + snprintf(names, 16, "category:a");

		for (int i = 1; i < n; i++)
			to += snprintf(to, 4, ",a");
		assert_code(ask(h, editor, "GET " BASE "?terms=%s", names),
		    n == 50 ? "" : "VALIDATION_ERROR");
	}
	/* A filter by a term that does not exist matches no item. */
	assert_int_equal(total(h, editor, "terms=category:nowhere"), 0);
	assert_code(ask(h, editor, "GET " BASE "?localeFallback=1"), "VALIDATION_ERROR");
	assert_ok(harness_op(h, admin, "plugin_disable", "{\"id\":\"taxonomies\"}"));
	assert_code(ask(h, editor, "GET " BASE "?terms=category:news"), "VALIDATION_ERROR");
}

/* Returns the filter {'year':{'in':[0,…]},'price':…} with this many operands. */
static const char *
operands(int n)
{
	static char out[2048];
	char *to = out;
	int half = n / 2;

	to += snprintf(to, 64, "{'year':{'in':[0");
	for (int i = 1; i < half; i++)
		to += snprintf(to, 64, ",1");
	to += snprintf(to, 64, "]},'price':{'in':[0");
	for (int i = 1; i < n - half; i++)
		to += snprintf(to, 64, ",1");
	snprintf(to, 64, "]}}");
	return out;
}

static void
limits_of_filters_are_exact(void **state)
{
	struct harness *h = *state;
	char name[24], *text = malloc(20000), *to;
	struct outcome *o;

	assert_non_null(text);
	assert_ok(ask(h, editor, "GET " BASE "?%s", filters(operands(50))));
	assert_code(ask(h, editor, "GET " BASE "?%s", filters(operands(51))), "VALIDATION_ERROR");
	to = text + snprintf(text, 20000, "{'year':{'in':[0");
	for (int i = 1; i < 51; i++)
		to += snprintf(to, 8, ",0");
	snprintf(to, 8, "]}}");
	assert_code(ask(h, editor, "GET " BASE "?%s", filters(text)), "VALIDATION_ERROR");
	/* 20 fields are allowed, 21 are not. */
	for (int i = 0; i < 21; i++) {
		snprintf(name, sizeof(name), "n%d", i);
		field(h, "posts", name, "integer", "'indexed':true");
	}
	for (int n = 20; n <= 21; n++) {
		to = text;
		for (int i = 0; i < n; i++)
			to += snprintf(to, 32, "%s'n%d':null", i == 0 ? "{" : ",", i);
		snprintf(to, 4, "}");
		assert_code(ask(h, editor, "GET " BASE "?%s", filters(text)),
		    n == 20 ? "" : "VALIDATION_ERROR");
	}
	/* The limit counts characters, not bytes. */
	field(h, "posts", "word", "string", "'indexed':true");
	for (int n = 2048; n <= 2049; n++) {
		to = text + snprintf(text, 32, "{'word':'");
		for (int i = 0; i < n; i++)
			to += snprintf(to, 4, "ä");
		snprintf(to, 8, "'}");
		o = harness_op(h, editor, "content_list",
		    "{\"collection\":\"posts\",\"fieldFilters\":\"{\\\"word\\\":\\\"%.*s\\\"}\"}",
		    2 * n, text + 9);
		assert_code(o, n == 2048 ? "" : "VALIDATION_ERROR");
	}
	memset(text, ' ', 8193);
	memcpy(text, "{}", 2);
	text[8193] = '\0';
	assert_code(harness_op(h, editor, "content_list",
			"{\"collection\":\"posts\",\"fieldFilters\":\"%s\"}", text),
	    "VALIDATION_ERROR");
	text[8192] = '\0';
	assert_ok(harness_op(
	    h, editor, "content_list", "{\"collection\":\"posts\",\"fieldFilters\":\"%s\"}", text));
	free(text);
}

static void
q_finds_text_anywhere(void **state)
{
	struct harness *h = *state;
	char id[27];

	fill(h);
	make(h, author, id,
	    "{'slug':'q1','data':{'title':'50%% of_all \\u0022things\\u0022','summary':'deep Down',"
	    "'body':[{'_type':'block','children':[{'_type':'span','text':'say \\u0022hi\\u0022'}]}],"
	    "'code':'hidden'}}");
	assert_int_equal(total(h, editor, "q=50%25"), 1);
	assert_int_equal(total(h, editor, "q=%25"), 1);
	assert_int_equal(total(h, editor, "q=of_all"), 1);
	assert_int_equal(total(h, editor, "q=_all"), 1);
	assert_int_equal(total(h, editor, "q=xx%25"), 0);
	assert_int_equal(total(h, editor, "q=%22things%22"), 1);
	assert_int_equal(total(h, editor, "q=%20DOWN%20"), 1);
	assert_int_equal(total(h, editor, "q=say+%22hi%22"), 1);
	assert_int_equal(total(h, editor, "q=%5C"), 0);
	assert_int_equal(total(h, editor, "q='"), 0);
	assert_int_equal(total(h, editor, "q=item-3"), 9);
	assert_int_equal(total(h, editor, "q=hidden"), 0); /* the field is not searchable */
	assert_int_equal(total(h, editor, "q=even&limit=2"), 13);
	assert_ok(ask(h, author, "DELETE " BASE "/q1"));
	assert_int_equal(total(h, editor, "q=50%25"), 0);
}

/* ---- what it costs ---- */

static int
cost(struct harness *h, const struct harness_user *user, const char *request)
{
	uint64_t before;

	assert_ok(ask(h, user, "GET %s", request)); /* reads the schema */
	before = harness_statements(h);
	assert_ok(ask(h, user, "GET %s", request));
	return (int)(harness_statements(h) - before);
}

/* Two statements are not the handler's: they check whether the definitions are current and whether
 * bylines exist. */
static void
statements_of_a_read_are_counted(void **state)
{
	struct harness *h = *state;
	char id[27], request[64];

	fill(h);
	make(h, author, id, "{'slug':'one','data':{}}");
	snprintf(request, sizeof(request), BASE "/%s", id);
	assert_int_equal(cost(h, editor, request), 3);
	assert_int_equal(cost(h, editor, BASE "/one"), 3);
	assert_int_equal(cost(h, editor, BASE), 3);
	assert_int_equal(cost(h, subscriber, BASE), 3);
	assert_int_equal(cost(h, editor, BASE "?orderBy=year&limit=5"), 3);
	assert_int_equal(cost(h, editor, BASE "?orderBy=year&limit=50"), 4);
	assert_int_equal(cost(h, editor, BASE "?includeTotal=1"), 4);
	/* A few drafts are sorted by their ids, and the page is read at once: these are in the
	 * order of the titles. */
	assert_int_equal(cost(h, editor, BASE "?status=draft&orderBy=title&limit=5"), 5);
}

static enum stet_status
read_count(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	(void)tx;
	*(uint64_t *)arg = db_statement_count(db_part(call)->db);
	return STET_OK;
}

/* Returns the number of statements that calls have run in the write lane. */
static uint64_t
written(struct harness *h)
{
	struct stet_call *call = call_new();
	uint64_t n = 0;
	struct write_job job = { .call = call, .run = read_count, .arg = &n };

	call_enter(call, harness_site(h));
	assert_int_equal(writer_run(harness_site(h)->writer, &job), STET_OK);
	call_free(call);
	return n;
}

static int
cost_of_writing(struct harness *h, const char *request, const char *body)
{
	uint64_t before = written(h);

	assert_ok(say(h, author, request, "%s", body));
	return (int)(written(h) - before);
}

/* Each write has one statement for the change feed; unless the item is new, one reads its terms and
 * one its row after the change. Definitions, the version of bylines and whether the collection is
 * searched are known from the write before. */
static const struct {
	const char *request, *body;
	int cost;
} writes[] = {
	/* Look for the slug, insert, four counts. */
	{ "POST " BASE, "{'data':{'title':'One','tags':['a']}}", 7 },
	{ "POST " BASE, "{'slug':'two','data':{}}", 6 },
	/* A taken slug takes one more statement for the next number. */
	{ "POST " BASE, "{'data':{'title':'One'}}", 8 },
	/* Find, update, read the newest revision, store the old values, store the new ones. */
	{ "PUT " BASE "/one", "{'data':{'year':1,'title':'x'}}", 8 },
	/* Publish: find, find an equal revision, update, keep it. Counts change; those that become
	 * 0 are deleted. */
	{ "PUT " BASE "/one", "{'status':'published'}", 11 },
	/* Stage: find, two statements for revisions, update, read the draft. */
	{ "PUT " BASE "/one", "{'data':{'year':2}}", 8 },
	{ "DELETE " BASE "/one", "", 7 },
};

static void
statements_of_a_write_are_counted(void **state)
{
	struct harness *h = *state;
	bool good = true;
	char id[27];

	/* Those of other modules are the same for every write: see plans.expect. */
	assert_ok(harness_op(h, admin, "plugin_disable", "{\"id\":\"audit\"}"));
	assert_ok(harness_op(h, admin, "plugin_disable", "{\"id\":\"webhooks\"}"));
	assert_ok(harness_op(h, admin, "plugin_disable", "{\"id\":\"media-usage\"}"));
	assert_ok(harness_op(h, admin, "plugin_disable", "{\"id\":\"redirects\"}"));
	make(h, author, id, "{'slug':'warm','data':{}}");
	for (size_t i = 0; i < sizeof(writes) / sizeof(writes[0]); i++) {
		int cost = cost_of_writing(h, writes[i].request, writes[i].body);

		if (cost != writes[i].cost)
			print_error("%s %s: %d statements, not %d\n", writes[i].request,
			    writes[i].body, cost, writes[i].cost);
		good = good && cost == writes[i].cost;
	}
	assert_true(good);
}

/* Every statement of a list walks along an index; none sorts. */
static void
check_plans(struct harness *h, const char *query)
{
	char *plans;

	assert_ok(ask(h, editor, "GET /content/pages")); /* reads the schema */
	free(harness_trace(h));
	assert_ok(ask(h, editor, "GET " BASE "?%s", query));
	plans = harness_trace(h);
	assert_non_null(plans);
	/* Several parallel walks are sorted, one page of each. */
	if ((strstr(plans, "TEMP B-TREE") != NULL && strstr(plans, ") AS way") == NULL) ||
	    strstr(plans, "SCAN c_posts\n") != NULL || strstr(plans, "AUTOMATIC") != NULL)
		fail_msg("%s:\n%s", query, plans);
	free(plans);
}

static void
every_order_walks_an_index(void **state)
{
	static const char *const also[] = { "", "&status=published", "&locale=fr", "&q=x",
		"&dateField=createdAt&dateFrom=2026-01-01&dateTo=2027-01-01" };
	struct harness *h = *state;
	char query[512], cursor[300];

	fill(h);
	fill_up(h);
	for (size_t i = 0; orders[i] != NULL; i++) {
		for (int k = 0; k < 4; k++) {
			struct outcome *o;
			const char *order = k % 2 ? "asc" : "desc";

			*cursor = '\0';
			if (k >= 2) {
				o = ask(h, editor, "GET " BASE "?limit=1&orderBy=%s&order=%s",
				    orders[i], order);
				snprintf(cursor, sizeof(cursor), "&cursor=%s",
				    harness_text(o->data, "nextCursor"));
			}
			for (size_t n = 0; n < COUNT(also); n++) {
				snprintf(query, sizeof(query), "orderBy=%s&order=%s%s%s", orders[i],
				    order, also[n], cursor);
				check_plans(h, query);
			}
		}
	}
	check_plans(h, filters("{'year':1}"));
	check_plans(h, filters("{'flag':true}"));
	check_plans(h, filters("{'kind':{'in':['note','news']}}"));
	check_plans(h, filters("{'year':{'gte':1}}"));
	check_plans(h, filters("{'year':null}"));
}

/* Returns the plans of one list; to be freed. */
static char *
plans_of(struct harness *h, const char *query)
{
	free(harness_trace(h));
	assert_ok(ask(h, editor, "GET " BASE "?%s", query));
	return harness_trace(h);
}

/* The index of the field has the order of the list: each walk starts at the value, or at the
 * cursor. */
static void
a_filter_on_a_field_walks_its_items_alone(void **state)
{
	static const struct {
		const char *query, *filter, *index;
	} cases[] = {
		{ "status=published&", "{'kind':'note'}", "c5_posts_kind (status=? AND f_kind=?)" },
		{ "status=published&order=asc&", "{'flag':true}",
		    "c5_posts_flag (status=? AND f_flag=?)" },
		{ "status=published&orderBy=publishedAt&", "{'year':1}",
		    "p5_posts_year (status=? AND f_year=? AND published_at>" },
		{ "status=draft&", "{'year':null}", "c5_posts_year (status=? AND f_year=?)" },
		{ "", "{'kind':'note'}", "c5_posts_kind (status=? AND f_kind=?)" },
		{ "status=published&", "{'kind':{'in':['note','essay']}}",
		    "c5_posts_kind (status=? AND f_kind=?)" },
		{ "orderBy=publishedAt&", "{'price':{'in':[1,2.5]}}",
		    "p5_posts_price (status=? AND f_price=? AND published_at>" },
	};
	struct harness *h = *state;
	char query[512];

	fill(h);
	fill_up(h);
	for (size_t i = 0; i < COUNT(cases); i++) {
		char *plans;

		snprintf(query, sizeof(query), "%s%s", cases[i].query, filters(cases[i].filter));
		plans = plans_of(h, query);
		if (strstr(plans, cases[i].index) == NULL)
			fail_msg("%s%s:\n%s", cases[i].query, cases[i].filter, plans);
		free(plans);
	}
}

static void
a_filter_that_few_pass_leads(void **state)
{
	struct harness *h = *state;
	char query[128];
	char *plans;

	fill(h);
	free(harness_trace(h));
	snprintf(query, sizeof(query), "orderBy=title&%s", filters("{'kind':'news'}"));
	assert_int_equal(total(h, editor, query), 14);
	plans = harness_trace(h);
	if (strstr(plans, "(f_kind=?)") == NULL)
		fail_msg("%s", plans);
	free(plans);
}

#define WALKED 12000
#define LAST 100 /* number of items that pass both filters; a walk meets them last */

/* Longer and longer walks, and then a sort: each matching item comes once and in order. */
static void
a_long_walk_misses_nothing(void **state)
{
	struct harness *h = *state;
	const char *walked[] = { "orderBy=title&order=asc", "orderBy=createdAt&order=asc" };
	char cursor[2100], want[16];

	inside_sql(h,
	    "WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 11999) "
	    "INSERT INTO c_posts (id, slug, status, created_at, updated_at, version, locale,"
	    " translation_group, f_title, f_year, f_price) SELECT printf('01WALK%020d', i), 'walk-' || i,"
	    " 'draft', printf('2026-01-01T00:00:00.%03dZ', i / 12), '2026-01-01T00:00:00.000Z', 1, 'en',"
	    " printf('01WALK%020d', i), printf('%05d', i),"
	    " CASE WHEN i % 2 = 1 AND i < 11900 THEN 2000 ELSE 1990 END,"
	    " CASE WHEN i % 2 = 1 OR i >= 11900 THEN 5.0 ELSE 100.0 END FROM n WHERE ?1 = 'walk'",
	    "walk");
	for (size_t k = 0; k < sizeof(walked) / sizeof(walked[0]); k++) {
		int count = 0;

		*cursor = '\0';
		do {
			struct outcome *o;
			json_t *item;
			size_t i;

			harness_ok(o, ask(h, editor, "GET " BASE "?limit=30&%s&%s%s%s", walked[k],
					  filters("{'year':{'lt':1995},'price':{'lt':10}}"),
					  *cursor != '\0' ? "&cursor=" : "", cursor));
			json_array_foreach(json_object_get(o->data, "items"), i, item)
			{
				snprintf(want, sizeof(want), "%05d", WALKED - LAST + count++);
				assert_string_equal(harness_text(item, "data.title"), want);
			}
			snprintf(cursor, sizeof(cursor), "%s", harness_text(o->data, "nextCursor"));
		} while (*cursor != '\0');
		assert_int_equal(count, LAST);
	}
}

static int
traced(void **state)
{
	setenv("STET_SQL_TRACE", "1", 1);
	return posts_begin(state);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		check(lists_are_filtered),
		check(dates_bound_the_list),
		check(indexed_fields_are_filtered_by),
		check(bad_filters_are_refused),
		check(bad_groups_are_refused),
		check(bad_terms_are_refused),
		check(limits_of_filters_are_exact),
		check(q_finds_text_anywhere),
		check(a_long_walk_misses_nothing),
		check(statements_of_a_read_are_counted),
		check(statements_of_a_write_are_counted),
		cmocka_unit_test_setup_teardown(every_order_walks_an_index, traced, posts_end),
		cmocka_unit_test_setup_teardown(a_filter_that_few_pass_leads, traced, posts_end),
		cmocka_unit_test_setup_teardown(
		    a_filter_on_a_field_walks_its_items_alone, traced, posts_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
