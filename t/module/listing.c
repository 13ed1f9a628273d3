/* listing.t - lists of items: pages, orders, filters, what is not shown, and what it costs. */
#include "db.h"
#include "posts.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const orders[] = { "createdAt", "updatedAt", "publishedAt", "scheduledAt",
	"deletedAt", "slug", "status", "locale", "created_at", "updated_at", "published_at",
	"scheduled_at", "title", "year", "price", "flag", "day", "kind" };
#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* Forty items: equal values, absent values, two locales, two kinds of status. */
static void
fill(struct harness *h)
{
	char slug[16];

	for (int i = 0; i < 40; i++) {
		at(h, i / 3);
		snprintf(slug, sizeof(slug), i % 6 == 0 ? "null" : "'item-%d'", i);
		assert_ok(say(h, author, "POST " BASE,
		    "{'slug':%s,'locale':'%s','status':'%s','data':{'title':%s,'year':%s,"
		    "'price':%d.5,'flag':%s,'day':%s,'kind':%s}}",
		    slug, i % 4 == 0 ? "fr" : "en", i % 3 == 0 ? "draft" : "published",
		    i % 6 == 0   ? "null"
		    : i % 2 == 0 ? "'Even'"
				 : "'Ödd'",
		    i % 7 == 0   ? "null"
		    : i % 2 == 0 ? "1958"
				 : "-3",
		    i % 4,
		    i % 3 == 0   ? "null"
		    : i % 2 == 0 ? "true"
				 : "false",
		    i % 4 == 0 ? "null" : "'2026-01-02'", i % 3 == 0 ? "'news'" : "null"));
	}
}

/* 420 more: so many that no filter leads; half of them without values, and without a slug. */
static void
fill_up(struct harness *h)
{
	for (int i = 0; i < 420; i++) {
		const char *body = i % 2 == 0
				       ? "{'locale':'fr','data':{}}"
				       : "{'status':'published','data':{'title':'T','year':1,"
					 "'price':1,'flag':true,'day':'2026-01-01','kind':'note'}}";

		assert_ok(say(h, author, "POST " BASE, "%s", body));
	}
}

struct walk {
	char ids[200][27];
	int count, pages;
};

static bool
seen(const struct walk *w, const char *id)
{
	for (int i = 0; i < w->count; i++)
		if (strcmp(w->ids[i], id) == 0)
			return true;
	return false;
}

/* One page; the cursor goes on in place, "" at the end. */
static void
page(struct harness *h, const struct harness_user *user, const char *query, char cursor[2100],
    struct walk *w)
{
	struct outcome *o;
	json_t *item;
	size_t i;

	harness_ok(o,
	    ask(h, user, "GET " BASE "?%s%s%s", query, *cursor != '\0' ? "&cursor=" : "", cursor));
	json_array_foreach(json_object_get(o->data, "items"), i, item)
	{
		const char *id = harness_text(item, "id");

		if (seen(w, id))
			fail_msg("%s: %s comes twice", query, id);
		snprintf(w->ids[w->count++], 27, "%s", id);
	}
	snprintf(cursor, 2100, "%s", harness_text(o->data, "nextCursor"));
	w->pages++;
}

static void
walk_all(struct harness *h, const struct harness_user *user, const char *query, struct walk *w)
{
	char cursor[2100] = "";

	*w = (struct walk){ 0 };
	do
		page(h, user, query, cursor, w);
	while (*cursor != '\0');
}

/* ---- pages ---- */

static void
every_order_shows_each_item_once(void **state)
{
	struct harness *h = *state;
	struct walk up, down;
	char query[128];

	fill(h);
	for (size_t i = 0; i < COUNT(orders); i++) {
		snprintf(query, sizeof(query), "limit=7&orderBy=%s&order=asc", orders[i]);
		walk_all(h, editor, query, &up);
		assert_int_equal(up.count, 40);
		assert_int_equal(up.pages, 6);
		snprintf(query, sizeof(query), "limit=3&orderBy=%s&order=desc", orders[i]);
		walk_all(h, editor, query, &down);
		assert_int_equal(down.count, 40);
		for (int k = 0; k < 40; k++)
			assert_string_equal(up.ids[k], down.ids[39 - k]);
	}
}

static json_t *
value_at(struct outcome *o, size_t i, const char *path)
{
	return harness_at(json_array_get(json_object_get(o->data, "items"), i), path);
}

static void
absent_values_come_first_ascending_and_last_descending(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	fill(h);
	harness_ok(o, ask(h, editor, "GET " BASE "?orderBy=year&order=asc&limit=100"));
	for (size_t i = 0; i < 40; i++) {
		json_t *year = value_at(o, i, "data.year");

		assert_true((year == NULL) == (i < 6));
		if (i >= 6)
			assert_int_equal(json_integer_value(year), i < 23 ? -3 : 1958);
	}
	harness_ok(o, ask(h, editor, "GET " BASE "?orderBy=year&order=desc&limit=100"));
	for (size_t i = 0; i < 40; i++)
		assert_true((value_at(o, i, "data.year") == NULL) == (i >= 34));
	harness_ok(o, ask(h, editor, "GET " BASE "?orderBy=slug&order=asc&limit=100"));
	assert_true(json_is_null(value_at(o, 0, "slug")));
	assert_false(json_is_null(value_at(o, 39, "slug")));
}

static void
the_newest_come_first_by_default(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char a[27], b[27];

	make(h, author, a, "{'data':{}}");
	at(h, 1);
	make(h, author, b, "{'data':{}}");
	harness_ok(o, ask(h, author, "GET " BASE));
	assert_string_equal(harness_text(o->data, "items[0].id"), b);
	assert_string_equal(harness_text(o->data, "items[1].id"), a);
	assert_null(json_object_get(o->data, "nextCursor"));
	assert_null(json_object_get(o->data, "total"));
	assert_non_null(o->etag);
	harness_ok(o, ask(h, author, "GET " BASE "?order=asc"));
	assert_string_equal(harness_text(o->data, "items[0].id"), a);
	/* The last page has no cursor, even when it is full. */
	harness_ok(o, ask(h, author, "GET " BASE "?limit=2"));
	assert_null(json_object_get(o->data, "nextCursor"));
	harness_ok(o, ask(h, author, "GET " BASE "?limit=1"));
	assert_non_null(json_object_get(o->data, "nextCursor"));
}

static void
a_walk_is_stable_while_others_write(void **state)
{
	struct harness *h = *state;
	static const char *const moving[] = { "createdAt", "slug", "title", "year", "publishedAt" };
	char cursor[2100], query[128], id[27];
	struct walk w, before;

	fill(h);
	for (size_t i = 0; i < COUNT(moving); i++) {
		for (int desc = 0; desc < 2; desc++) {
			snprintf(query, sizeof(query), "limit=4&orderBy=%s&order=%s", moving[i],
			    desc ? "desc" : "asc");
			walk_all(h, editor, query, &before);
			w = (struct walk){ 0 };
			*cursor = '\0';
			do {
				page(h, editor, query, cursor, &w);
				/* One comes, and the last that was shown goes. */
				make(h, editor, id, "{'data':{'title':'Even','year':1958}}");
				assert_ok(ask(h, editor, "DELETE " BASE "/%s", w.ids[w.count - 1]));
			} while (*cursor != '\0');
			for (int k = 0; k < before.count; k++)
				if (!seen(&w, before.ids[k]))
					fail_msg("%s: %s was left out", query, before.ids[k]);
		}
	}
}

static void
a_cursor_is_good_for_its_order_alone(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char cursor[2100];

	fill(h);
	harness_ok(o, ask(h, editor, "GET " BASE "?limit=1&orderBy=year"));
	snprintf(cursor, sizeof(cursor), "%s", harness_text(o->data, "nextCursor"));
	assert_ok(ask(h, editor, "GET " BASE "?orderBy=year&cursor=%s", cursor));
	o = ask(h, editor, "GET " BASE "?orderBy=price&cursor=%s", cursor);
	assert_code(o, "INVALID_CURSOR");
	assert_int_equal(o->http, 400);
	assert_code(ask(h, editor, "GET " BASE "?cursor=%s", cursor), "INVALID_CURSOR");
	assert_code(ask(h, editor, "GET /content/pages?cursor=%s", cursor), "INVALID_CURSOR");
	assert_code(ask(h, editor, "GET " BASE "?cursor="), "INVALID_CURSOR");
	assert_code(ask(h, editor, "GET " BASE "?cursor=%%25%%20"), "INVALID_CURSOR");
	assert_code(ask(h, editor, "GET " BASE "?cursor=bm90IGpzb24="), "INVALID_CURSOR");
	/* Both spellings are one order. */
	harness_ok(o, ask(h, editor, "GET " BASE "?limit=1&orderBy=created_at"));
	snprintf(cursor, sizeof(cursor), "%s", harness_text(o->data, "nextCursor"));
	assert_ok(ask(h, editor, "GET " BASE "?orderBy=createdAt&cursor=%s", cursor));
}

static void
titles_longer_than_a_cursor_are_walked_too(void **state)
{
	struct harness *h = *state;
	char title[4001], id[27];
	struct walk w;

	memset(title, 'x', 4000);
	title[4000] = '\0';
	for (int i = 0; i < 9; i++) {
		title[3999] = (char)('a' + i / 2);
		make(h, author, id, "{'slug':null,'data':{'title':'%s'}}", title);
	}
	walk_all(h, author, "limit=2&orderBy=title&order=asc", &w);
	assert_int_equal(w.count, 9);
	walk_all(h, author, "limit=2&orderBy=title", &w);
	assert_int_equal(w.count, 9);
}

static void
what_is_out_of_range_is_refused(void **state)
{
	static const char *const bad[][2] = { { "limit=0", "limit" }, { "limit=101", "limit" },
		{ "limit=x", "limit" }, { "limit=1.5", "limit" }, { "order=up", "order" },
		{ "status=trash", "status" }, { "locale=", "locale" }, { "locale=x!", "locale" },
		{ "q=", "q" }, { "q=%20", "q" }, { "authorId=", "authorId" },
		{ "dateField=deletedAt", "dateField" },
		{ "dateField=createdAt&dateFrom=soon", "dateFrom" },
		{ "dateField=createdAt&dateTo=2026-02-30", "dateTo" },
		{ "orderBy=body", "orderBy" }, { "orderBy=summary", "orderBy" },
		{ "orderBy=nothing", "orderBy" }, { "orderBy=name", "orderBy" },
		{ "orderBy=author_id", "orderBy" }, { "orderBy=f_year", "orderBy" },
		{ "orderBy=id%20DESC--", "orderBy" }, { "orderBy=extra", "orderBy" },
		{ "includeTotal=maybe", "includeTotal" } };
	struct harness *h = *state;

	for (size_t i = 0; i < COUNT(bad); i++) {
		struct outcome *o = ask(h, editor, "GET " BASE "?%s", bad[i][0]);

		assert_code(o, "VALIDATION_ERROR");
		if (!harness_issue(o, bad[i][1]))
			fail_msg("%s: %s", bad[i][0], o->text);
		assert_int_equal(json_array_size(json_object_get(o->details, "issues")), 1);
	}
	assert_ok(ask(h, editor, "GET " BASE "?limit=1&limit=100&utm_source=x"));
	assert_code(
	    ask(h, editor, "GET /content/none?orderBy=nothing&fieldFilters=%%7B%%22x%%22:1%%7D"),
	    "COLLECTION_NOT_FOUND");
}

/* ---- filters ---- */

static int64_t
total(struct harness *h, const struct harness_user *user, const char *query)
{
	struct outcome *o;
	struct walk w;
	int64_t n;

	harness_ok(o, ask(h, user, "GET " BASE "?includeTotal=1&limit=2&%s", query));
	n = harness_int(o->data, "total");
	walk_all(h, user, query, &w);
	assert_int_equal(w.count, n);
	return n;
}

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
	/* What was never published has no such date. */
	assert_int_equal(total(h, editor, "dateField=publishedAt&dateFrom=2000-01-01"), 26);
	assert_int_equal(
	    total(h, editor, "dateField=publishedAt&dateFrom=2000-01-01&orderBy=publishedAt"), 26);
	/* Bounds without a field bound nothing. */
	assert_int_equal(total(h, editor, "dateFrom=2030-01-01"), 40);
}

/* The filter is JSON with ' for ". */
static const char *
filters(const char *text)
{
	static char out[16384];
	char *to = out;

	to += snprintf(out, sizeof(out), "fieldFilters=");
	for (; *text != '\0' && to < out + sizeof(out) - 4; text++)
		to += snprintf(to, 4, "%%%02X", *text == '\'' ? '"' : (unsigned char)*text);
	return out;
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
	assert_int_equal(total(h, editor, filters("{'flag':{'in':[true,false]}}")), 26);
	assert_int_equal(total(h, editor, filters("{'kind':'news'}")), 14);
	assert_int_equal(total(h, editor, filters("{'day':'2026-01-02T01:00+01:00'}")), 30);
	assert_int_equal(total(h, editor, filters("{'day':{'lt':'2026-01-02'}}")), 0);
	assert_int_equal(total(h, editor, filters("{'kind':'news','year':1958}")), 6);
	assert_int_equal(total(h, editor, filters("{}")), 40);
	/* On the column of the order as well. */
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
	/* Values are values. */
	assert_int_equal(total(h, editor, filters("{'kind':'news\\u0027 OR 1=1 --'}")), 0);
}

static void
bad_filters_are_refused(void **state)
{
	static const char *const bad[] = { "", "x", "[]", "5", "{'year':1", "{'year':'x'}",
		"{'year':1.5}", "{'year':true}", "{'price':'1'}", "{'flag':1}",
		"{'flag':{'gt':false}}", "{'kind':5}", "{'day':'soon'}", "{'year':[]}",
		"{'year':{}}", "{'year':{'in':[]}}", "{'year':{'in':5}}", "{'year':{'like':5}}",
		"{'year':{'gt':1,'gte':1}}", "{'year':{'gt':null}}", "{'year':{'gt':1,'in':[1]}}",
		"{'summary':'x'}", "{'title':'x'}", "{'nope':'x'}", "{'Year':1}", "{'id':'x'}",
		"{'deleted_at':null}", "{'year':1,'year':2}", "{'year\\u0022 OR 1=1 --':1}" };
	struct harness *h = *state;
	struct outcome *o;

	for (size_t i = 0; i < COUNT(bad); i++) {
		o = ask(h, editor, "GET " BASE "?%s", filters(bad[i]));
		if (strcmp(o->code, "VALIDATION_ERROR") != 0)
			fail_msg("%s: %s", bad[i], o->text);
	}
	o = ask(h, editor, "GET " BASE "?%s", filters("{'summary':'x'}"));
	assert_true(harness_issue(o, "fieldFilters.summary"));
}

/* {'year':{'in':[0,…]},'price':…} with so many operands. */
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
	/* 20 fields, 21 fields. */
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
	/* Characters, not bytes. */
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
	assert_int_equal(total(h, editor, "q=hidden"), 0); /* not a searchable field */
	assert_int_equal(total(h, editor, "q=even&limit=2"), 13);
	assert_ok(ask(h, author, "DELETE " BASE "/q1"));
	assert_int_equal(total(h, editor, "q=50%25"), 0);
}

/* ---- what is not shown ---- */

static void
readers_without_drafts_see_published_items_alone(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	json_t *item;
	size_t i;

	fill(h);
	assert_int_equal(total(h, subscriber, ""), 26);
	assert_int_equal(total(h, subscriber, "status=draft"), 26); /* whatever is asked for */
	assert_int_equal(total(h, subscriber, "q=item-3"), 6);
	assert_int_equal(total(h, subscriber, filters("{'kind':'news'}")), 0);
	assert_int_equal(total(h, contributor, ""), 40);
	harness_ok(o, ask(h, subscriber, "GET " BASE "?limit=100"));
	json_array_foreach(json_object_get(o->data, "items"), i, item)
	{
		assert_string_equal(harness_text(item, "status"), "published");
		assert_null(json_object_get(item, "draftRevisionId"));
	}
	assert_code(ask(h, nobody, "GET " BASE), "UNAUTHORIZED");
	/* The order of schedules says nothing to them. */
	assert_int_equal(total(h, subscriber, "orderBy=scheduledAt&limit=5"), 26);
}

static void
the_total_is_that_of_all_pages(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char cursor[2100] = "";
	int pages = 0;

	fill(h);
	do {
		harness_ok(
		    o, ask(h, editor, "GET " BASE "?includeTotal=true&limit=9&status=published%s%s",
			   *cursor != '\0' ? "&cursor=" : "", cursor));
		assert_int_equal(harness_int(o->data, "total"), 26);
		snprintf(cursor, sizeof(cursor), "%s", harness_text(o->data, "nextCursor"));
		pages++;
	} while (*cursor != '\0');
	assert_int_equal(pages, 3);
}

/* ---- what it costs ---- */

static uint64_t
statements(struct harness *h)
{
	return db_statement_count(db_reader(harness_site(h)));
}

static int
cost(struct harness *h, const struct harness_user *user, const char *request)
{
	uint64_t before;

	assert_ok(ask(h, user, "GET %s", request)); /* the schema is read */
	before = statements(h);
	assert_ok(ask(h, user, "GET %s", request));
	return (int)(statements(h) - before);
}

/* One more than the handler's: the schema module looks whether its definitions are still good. */
static void
statements_of_a_read_are_counted(void **state)
{
	struct harness *h = *state;
	char id[27], request[64];

	fill(h);
	make(h, author, id, "{'slug':'one','data':{}}");
	snprintf(request, sizeof(request), BASE "/%s", id);
	assert_int_equal(cost(h, editor, request), 2);
	assert_int_equal(cost(h, editor, BASE "/one"), 2);
	assert_int_equal(cost(h, editor, BASE), 2);
	assert_int_equal(cost(h, subscriber, BASE), 2);
	assert_int_equal(cost(h, editor, BASE "?orderBy=year&limit=5"), 2);
	assert_int_equal(cost(h, editor, BASE "?orderBy=year&limit=50"), 3);
	assert_int_equal(cost(h, editor, BASE "?includeTotal=1"), 3);
	assert_int_equal(cost(h, editor, BASE "?status=draft&orderBy=title&limit=5"), 3);
}

/* The plans of a list's statements: every one a walk along an index, none a sort. */
static void
check_plans(struct harness *h, const char *query)
{
	char *plans;

	assert_ok(ask(h, editor, "GET /content/pages")); /* the schema is read */
	free(db_trace_take(db_reader(harness_site(h))));
	assert_ok(ask(h, editor, "GET " BASE "?%s", query));
	plans = db_trace_take(db_reader(harness_site(h)));
	assert_non_null(plans);
	if (strstr(plans, "TEMP B-TREE") != NULL || strstr(plans, "SCAN c_posts\n") != NULL ||
	    strstr(plans, "AUTOMATIC") != NULL)
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
	for (size_t i = 0; i < COUNT(orders); i++) {
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

static void
a_filter_that_few_pass_leads(void **state)
{
	struct harness *h = *state;
	char *plans;

	fill(h);
	free(db_trace_take(db_reader(harness_site(h))));
	assert_int_equal(total(h, editor, filters("{'kind':'news'}")), 14);
	plans = db_trace_take(db_reader(harness_site(h)));
	if (strstr(plans, "(f_kind=?)") == NULL)
		fail_msg("%s", plans);
	free(plans);
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
		check(every_order_shows_each_item_once),
		check(absent_values_come_first_ascending_and_last_descending),
		check(the_newest_come_first_by_default),
		check(a_walk_is_stable_while_others_write),
		check(a_cursor_is_good_for_its_order_alone),
		check(titles_longer_than_a_cursor_are_walked_too),
		check(what_is_out_of_range_is_refused),
		check(lists_are_filtered),
		check(dates_bound_the_list),
		check(indexed_fields_are_filtered_by),
		check(bad_filters_are_refused),
		check(limits_of_filters_are_exact),
		check(q_finds_text_anywhere),
		check(readers_without_drafts_see_published_items_alone),
		check(the_total_is_that_of_all_pages),
		check(statements_of_a_read_are_counted),
		cmocka_unit_test_setup_teardown(every_order_walks_an_index, traced, posts_end),
		cmocka_unit_test_setup_teardown(a_filter_that_few_pass_leads, traced, posts_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
