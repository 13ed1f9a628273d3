/*
 * together.t - what many items of a list have together: lists of items that have several terms, and
 * the statements and rows of related records.
 */
#include "db/snapshot.h"
#include "inside.h"
#include "posts.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Creates a term whose label is its slug. */
static void
term(struct harness *h, const char *taxonomy, const char *slug)
{
	char request[64];

	snprintf(request, sizeof(request), "POST /taxonomies/%s/terms", taxonomy);
	assert_ok(say(h, editor, request, "{'label':'%s','slug':'%s'}", slug, slug));
}

/* ---- lists of items that have several terms ---- */

#define POSTS 660 /* so many that a list by two terms does not sort those that have one */

/* Walks a list by pages; returns the slugs of its items, "p1 p2". Static buffer. */
static const char *
walk(struct harness *h, const char *query)
{
	static char text[POSTS * 8];
	char cursor[512] = "";
	struct outcome *o;
	json_t *item;
	size_t i;

	*text = '\0';
	do {
		harness_ok(o, ask(h, editor, "GET " BASE "?limit=25&%s%s%s", query,
				  *cursor != '\0' ? "&cursor=" : "", cursor));
		json_array_foreach(harness_at(o->data, "items"), i, item)
		    snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%s",
			*text != '\0' ? " " : "", harness_text(item, "slug"));
		snprintf(cursor, sizeof(cursor), "%s", harness_text(o->data, "nextCursor"));
	} while (*cursor != '\0');
	return text;
}

/* The slugs of every sixth post, in the order of creation or against it. */
static const char *
sixth(bool up)
{
	static char text[POSTS * 8];

	*text = '\0';
	for (int i = up ? 0 : POSTS - 6; i >= 0 && i < POSTS; i += up ? 6 : -6)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%sp%d",
		    *text != '\0' ? " " : "", i);
	return text;
}

/* Every other post has the tag a, every third b, all c. They are published in the opposite order of
 * their creation, so in one of the two orders the ids are not sorted. */
static void
give(struct harness *h)
{
	static char id[POSTS][27];

	for (const char *slug = "abcd"; *slug != '\0'; slug++)
		term(h, "tag", (char[]){ *slug, '\0' });
	for (int i = 0; i < POSTS; i++) {
		at(h, 1000 * i);
		make(h, author, id[i],
		    "{'slug':'p%d','data':{'title':'T'},'taxonomies':{'tag':['c'%s%s]}}", i,
		    i % 2 == 0 ? ",'a'" : "", i % 3 == 0 ? ",'b'" : "");
	}
	for (int i = POSTS - 1; i >= 0; i--) {
		at(h, 1000 * (2 * POSTS - i));
		assert_ok(ask(h, editor, "POST " BASE "/%s/publish", id[i]));
	}
}

static void
lists_of_several_terms_are_in_order(void **state)
{
	static const char *const terms[] = { "tag:a;tag:b", "tag:b;tag:a;tag:c",
		"tag:c;tag:a;tag:b", "tag:a,b;tag:a;tag:b", "tag:a;tag:b;tag:!none",
		"tag:a;tag:!d;tag:b" };
	static const char *const status[] = { "status=published", "status=published&locale=en",
		"" };
	struct harness *h = *state;
	char query[256];

	give(h);
	for (size_t t = 0; t < COUNT(terms); t++)
		for (size_t s = 0; s < COUNT(status); s++)
			for (int way = 0; way < 4; way++) {
				snprintf(query, sizeof(query), "terms=%s&%s&orderBy=%s&order=%s",
				    terms[t], status[s], way < 2 ? "createdAt" : "publishedAt",
				    way % 2 == 0 ? "asc" : "desc");
				assert_string_equal(walk(h, query), sixth(way == 0 || way == 3));
			}
}

/* Rows that the module could not change while it was off are not believed, and leave no gap. */
static void
outdated_rows_leave_no_gap(void **state)
{
	struct harness *h = *state;
	char expected[POSTS * 8] = "";

	give(h);
	inside_sql(
	    h, "UPDATE c_posts SET status = 'draft' WHERE slug <> 'p6' AND slug < 'p60'", NULL);
	for (int i = 0; i < POSTS; i += 6) {
		char slug[8];

		snprintf(slug, sizeof(slug), "p%d", i);
		if (i == 6 || strcmp(slug, "p60") >= 0)
			snprintf(expected + strlen(expected), sizeof(expected) - strlen(expected),
			    "%s%s", *expected != '\0' ? " " : "", slug);
	}
	assert_string_equal(walk(h, "terms=tag:a;tag:b&status=published&order=asc"), expected);
}

/* ---- what it costs ---- */

#define LONGEST 100 /* items of a page */
#define FORMS 9 /* 1, 2, 4 ... 256 values */

/* Makes a statement the same for lists of all lengths: takes the numbers of its values out, then
 * values that follow others. */
static void
without_values(char *sql)
{
	static const char *const more[] = { ", (?, ?, ?, ?)", ", ?" };
	char *to = sql, *at;

	for (const char *p = sql; *p != '\0'; p++) {
		*to++ = *p;
		if (*p == '?')
			p += strspn(p + 1, "0123456789");
	}
	*to = '\0';
	for (size_t i = 0; i < COUNT(more); i++)
		while ((at = strstr(sql, more[i])) != NULL)
			memmove(at, at + strlen(more[i]), strlen(at + strlen(more[i])) + 1);
}

/* Counts how often each form of a statement was prepared, and fails if it was too often. The plans
 * of statements are indented. */
static void
check_forms(char *trace)
{
	json_t *count = json_object();

	for (char *line = trace, *next; *line != '\0'; line = next) {
		json_int_t n;

		next = line + strcspn(line, "\n");
		if (*next != '\0')
			*next++ = '\0';
		if (*line == ' ' || *line == '\0')
			continue;
		without_values(line);
		n = json_integer_value(json_object_get(count, line)) + 1;
		if (n > FORMS)
			fail_msg("more than %d statements of: %s", FORMS, line);
		json_object_set_new(count, line, json_integer(n));
	}
	assert_true(json_object_size(count) > 6);
	json_decref(count);
}

static void
lists_of_all_lengths_share_their_statements(void **state)
{
	struct harness *h = *state;
	char id[27], near[27] = "", slug[16];
	char *trace;

	assert_ok(say(h, editor, "POST /bylines", "{'slug':'ann','displayName':'Ann'}"));
	for (int i = 0; i < LONGEST; i++) {
		snprintf(slug, sizeof(slug), "t%d", i);
		term(h, "category", slug);
		make(h, editor, id,
		    "{'status':'published','data':{'title':'T'%s%s%s},'taxonomies':{'category':['%s']}}",
		    i > 0 ? ",'near':'" : "", near, i > 0 ? "'" : "", slug);
		memcpy(near, id, sizeof(near));
	}
	free(harness_trace(h));
	for (int n = 1; n <= LONGEST; n++)
		assert_ok(ask(h, editor,
		    "GET " BASE "?limit=%d&include=terms,author,bylines,references,translations",
		    n));
	trace = harness_trace(h);
	assert_non_null(trace);
	check_forms(trace);
	free(trace);
}

/* ---- what calls of a snapshot share ---- */

static void
keep_open(void *arg)
{
	(void)arg;
}

/* Makes two pages of posts that refer to published and unpublished ones, with terms in two locales
 * and a draft of other terms. */
static void
relate(struct harness *h)
{
	char id[3][27], post[27], request[64];

	term(h, "category", "a");
	term(h, "category", "b");
	assert_ok(say(h, editor, "POST /taxonomies/category/terms/a/translations",
	    "{'locale':'fr','slug':'a','label':'A'}"));
	make(h, editor, id[0], "{'data':{'title':'draft'}}");
	make(h, editor, id[1], "{'status':'published','data':{'title':'one'}}");
	make(h, editor, id[2], "{'status':'published','data':{'title':'two','near':'%s'}}", id[1]);
	for (int i = 0; i < 9; i++)
		make(h, editor, post,
		    "{'locale':'%s','status':'published','data':{'title':'T','near':'%s'},"
		    "'taxonomies':{'category':['a'%s]}}",
		    i % 4 == 3 ? "fr" : "en", id[i % 3], i % 2 == 0 && i % 4 != 3 ? ",'b'" : "");
	snprintf(request, sizeof(request), "PUT " BASE "/%s", post);
	assert_ok(say(h, editor, request, "{'taxonomies':{'category':['b']}}"));
}

static void
answers_are_the_same_whoever_asked_before(void **state)
{
	static const char *const queries[] = { "include=terms,references",
		"include=references(near:2)", "include=references,translations&limit=4",
		"include=terms&limit=2&order=asc", "include=references&markdown=true",
		"include=terms,references&locale=fr" };
	const struct harness_user *users[] = { editor, subscriber };
	struct harness *h = *state;
	char *told[COUNT(queries)][COUNT(users)];

	relate(h);
	for (size_t q = 0; q < COUNT(queries); q++)
		for (size_t u = 0; u < COUNT(users); u++)
			told[q][u] = strdup(ask(h, users[u], "GET " BASE "?%s", queries[q])->text);
	snapshot_share(keep_open, NULL);
	for (size_t i = 0; i < 20 * COUNT(queries) * COUNT(users); i++) {
		const size_t q = i * 7 % COUNT(queries), u = i / COUNT(queries) % COUNT(users);

		assert_string_equal(
		    ask(h, users[u], "GET " BASE "?%s", queries[q])->text, told[q][u]);
	}
	/* A change ends the snapshot. */
	assert_ok(say(h, editor, "PUT /taxonomies/category/terms/b", "{'label':'Changed'}"));
	assert_non_null(strstr(ask(h, editor, "GET " BASE "?%s", queries[0])->text, "\"Changed\""));
	snapshot_rest();
	snapshot_share(NULL, NULL);
	for (size_t q = 0; q < COUNT(queries); q++)
		for (size_t u = 0; u < COUNT(users); u++)
			free(told[q][u]);
}

/* A snapshot is shared for some milliseconds, which may be too short on a busy machine. */
static void
rows_are_read_once_in_a_snapshot(void **state)
{
	struct harness *h = *state;
	uint64_t before, first = 0, least = UINT64_MAX;

	relate(h);
	snapshot_share(keep_open, NULL);
	for (int i = 0; i < 100; i++) {
		before = harness_statements(h);
		assert_ok(
		    ask(h, editor, "GET " BASE "?limit=%d&include=terms,references", i % 2 + 8));
		before = harness_statements(h) - before;
		first = i == 0 ? before : first;
		least = before < least ? before : least;
	}
	snapshot_rest();
	snapshot_share(NULL, NULL);
	/* Neither pairs, nor terms, nor the items that others refer to. */
	assert_true(least + 3 <= first);
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
		check(lists_of_several_terms_are_in_order),
		check(outdated_rows_leave_no_gap),
		check(answers_are_the_same_whoever_asked_before),
		check(rows_are_read_once_in_a_snapshot),
		cmocka_unit_test_setup_teardown(
		    lists_of_all_lengths_share_their_statements, traced, posts_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
