/* search.t - full-text search: which items callers find, in which order, on how many pages. */
#include "searched.h"

static bool
is_partial(struct harness *h, const char *q)
{
	struct outcome *o;

	harness_ok(o, look(h, nobody, q, ""));
	return json_is_true(json_object_get(o->data, "partial"));
}

/* ---- words ---- */

static void
up_to_three_words_all_match_where_an_item_has_them(void **state)
{
	struct harness *h = *state;
	char id[27];

	post(h, id, "Wings", "The distribution of pressure");
	post(h, id, "Propellers", "The pressure of time");
	assert_int_equal(hits(h, "pressure"), 2);
	assert_int_equal(hits(h, "press"), 2);
	assert_int_equal(hits(h, "pressure distribution"), 1);
	assert_int_equal(hits(h, "PRESSURE wing"), 1);
	assert_false(is_partial(h, "PRESSURE wing"));
	/* No item has both words, so items with one of them are found. */
	assert_int_equal(hits(h, "pressure nowhere"), 2);
	assert_true(is_partial(h, "pressure nowhere"));
	assert_int_equal(hits(h, "nowhere"), 0);
}

static void
quoted_words_are_a_phrase_and_a_minus_excludes(void **state)
{
	struct harness *h = *state;
	char id[27];

	post(h, id, "One", "boundary layer control");
	post(h, id, "Two", "layer boundary");
	assert_int_equal(hits(h, "boundary layer"), 2);
	assert_int_equal(hits(h, "\"boundary layer\""), 1);
	assert_int_equal(hits(h, "\"boundary layer"), 1);
	assert_int_equal(hits(h, "boundary -control"), 1);
	assert_int_equal(hits(h, "boundary -\"layer control\""), 1);
	assert_int_equal(hits(h, "-control"), 0);
	/* An excluded word excludes only itself, not all words with this prefix. */
	assert_int_equal(hits(h, "boundary -contr"), 2);
}

static void
questions_rank_by_what_matches(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27];

	post(h, id, "One", "what is the lift of a wing in a slipstream");
	post(h, id, "Two", "a wing is what it is");
	post(h, id, "Three", "nothing of that kind");
	harness_ok(o, look(h, nobody, "what is the lift of a wing", ""));
	assert_string_equal(harness_text(o->data, "items[0].title"), "One");
	assert_string_equal(harness_text(o->data, "items[1].title"), "Two");
	assert_true(json_is_true(json_object_get(o->data, "partial")));
	/* Quoted and excluded words keep their meaning in questions. */
	assert_int_equal(hits(h, "what is the lift of a wing -slipstream -nothing"), 1);
	assert_int_equal(hits(h, "what is the best of \"a wing is\""), 1);
	assert_int_equal(hits(h, "what is the best of \"wing a\""), 0);
}

static void
operators_are_words(void **state)
{
	struct harness *h = *state;
	char id[27];

	post(h, id, "Rock and roll", "this or that, near and not far");
	assert_int_equal(hits(h, "rock and roll"), 1);
	assert_int_equal(hits(h, "this OR that"), 1);
	/* No item has the word OR, so items with some of the words are found. */
	assert_true(is_partial(h, "rock OR jazz"));
	assert_true(is_partial(h, "NEAR(this that, 5)"));
	assert_int_equal(hits(h, "near NOT far"), 1);
	assert_int_equal(hits(h, "c0:rock"), 0);
	assert_true(is_partial(h, "foo AND bar:baz"));
	assert_int_equal(hits(h, "^rock* (roll) + {and}"), 1);
}

static void
no_query_is_an_error_of_the_server(void **state)
{
	static const char *const hostile[] = { "\"", "\"\"", "\"\"\"", "'", "''; DROP TABLE x", "-",
		"- - -", "--", "-\"", "*", "**", "a*", "^", "(", ")", "((", "{", "}", "c0 :", ":",
		"AND", "OR", "NOT", "NEAR", "NEAR(", "a AND", "NOT a", "+", "a + b", "\\", "%", "_",
		" ", "\t\n", "\x01\x02", "\xf0\x9f\x98\x80", "\xf0\x9f\x98\x80 wing",
		"\xe3\x80\x80", "\xcc\x81", "rank", "rowid", "c0", "search_fts_2", "!!! wing",
		"wi-fi c++ a.b.c", "\xef\xbf\xbd", "0", "1e9999", "wing -", "wing \"" };
	struct harness *h = *state;
	char id[27], *large = calloc(1, 11001);

	post(h, id, "Wing", "a wing in a slipstream");
	for (size_t i = 0; i < COUNT(hostile); i++) {
		struct outcome *o = look(h, nobody, hostile[i], "");

		if (o->http != 200)
			fail_msg("%s: %s", hostile[i], o->text);
		assert_ok(ask(h, nobody, "GET /search/suggest?q=%s", encoded(hostile[i])));
	}
	assert_int_equal(hits(h, "\xf0\x9f\x98\x80 wing"), 1);
	assert_int_equal(hits(h, "!!! wing"), 1);
	/* Long queries: one word, many words, many quotes. Sent in the body, since the size of a
	 * head is limited. */
	for (int kind = 0; kind < 3; kind++) {
		memset(large, kind == 2 ? '\'' : 'a', 10240);
		for (int i = 1; kind == 1 && i < 10240; i += 2)
			large[i] = ' ';
		assert_ok(harness_op(h, subscriber, "search", "{\"query\":\"%s\"}", large));
	}
	free(large);
	assert_code(ask(h, nobody, "GET /search?q=a%%00b"), "VALIDATION_ERROR");
	assert_code(ask(h, nobody, "GET /search?q=%%ff"), "VALIDATION_ERROR");
	assert_code(ask(h, nobody, "GET /search?q="), "VALIDATION_ERROR");
	assert_code(ask(h, nobody, "GET /search"), "VALIDATION_ERROR");
	assert_ok(harness_op(h, subscriber, "search", "{\"query\":\"\"}"));
}

/* ---- who finds what ---- */

static void
drafts_and_trash_are_never_found_by_the_public(void **state)
{
	struct harness *h = *state;
	char id[27];

	make(h, editor, id, "{'data':{'title':'Secret zebra','summary':'stripes'}}");
	assert_int_equal(hits(h, "zebra"), 0);
	assert_ok(ask(h, nobody, "GET /search/suggest?q=zebra"));
	assert_ok(say(h, editor, "POST " BASE "/secret-zebra/publish", "{}"));
	assert_int_equal(hits(h, "zebra"), 1);
	/* Staged values are not found before they are published. */
	assert_ok(say(h, editor, "PUT " BASE "/secret-zebra", "{'data':{'summary':'okapi'}}"));
	assert_int_equal(hits(h, "okapi"), 0);
	assert_int_equal(hits(h, "stripes"), 1);
	assert_ok(say(h, editor, "POST " BASE "/secret-zebra/publish", "{}"));
	assert_int_equal(hits(h, "okapi"), 1);
	assert_int_equal(hits(h, "stripes"), 0);
	assert_ok(say(h, editor, "POST " BASE "/secret-zebra/unpublish", "{}"));
	assert_int_equal(hits(h, "zebra"), 0);
	assert_ok(say(h, editor, "POST " BASE "/secret-zebra/publish", "{}"));
	assert_ok(ask(h, editor, "DELETE " BASE "/secret-zebra"));
	assert_int_equal(hits(h, "zebra"), 0);
	assert_int_equal(indexed(h, "posts"), 0);
}

static void
other_states_than_published_need_the_right_to_read_drafts(void **state)
{
	static const struct harness_user narrow[1] = {
		{ .id = "01USEREDITOR0000000000040", .role = 40, .scopes = "media:read" }
	};
	struct harness *h = *state;
	struct outcome *o;
	char id[27];

	make(h, editor, id, "{'data':{'title':'Secret zebra'}}");
	post(h, id, "Public zebra", "x");
	assert_code(look(h, nobody, "zebra", "&status=draft"), "UNAUTHORIZED");
	assert_code(look(h, subscriber, "zebra", "&status=draft"), "FORBIDDEN");
	assert_code(look(h, narrow, "zebra", "&status=draft"), "INSUFFICIENT_SCOPE");
	assert_code(look(h, contributor, "zebra", "&status=any"), "VALIDATION_ERROR");
	harness_ok(o, look(h, contributor, "zebra", "&status=draft"));
	assert_int_equal(json_array_size(json_object_get(o->data, "items")), 1);
	assert_string_equal(harness_text(o->data, "items[0].title"), "Secret zebra");
	/* The tool finds only published items, whoever calls it. */
	harness_ok(o, harness_op(h, admin, "search", "{\"query\":\"zebra\"}"));
	assert_int_equal(json_array_size(json_object_get(o->data, "items")), 1);
	assert_string_equal(harness_text(o->data, "items[0].title"), "Public zebra");
}

static void
the_tool_says_that_search_is_off_and_what_turns_it_on(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	assert_ok(say(h, admin, "POST /schema/collections",
	    "{'slug':'hidden','label':'Hidden','supports':['drafts']}"));
	assert_ok(say(h, admin, "POST /schema/collections",
	    "{'slug':'off','label':'Off','supports':['search']}"));
	o = harness_op(h, admin, "search", "{\"query\":\"x\",\"collections\":[\"off\"]}");
	assert_string_equal(o->code, "SEARCH_NOT_ENABLED");
	assert_non_null(strstr(o->message, "\"off\""));
	assert_non_null(strstr(o->message, "search_enable turns it on"));
	assert_null(strstr(o->message, "schema_update_collection"));
	o = harness_op(h, admin, "search", "{\"query\":\"x\",\"collections\":[\"hidden\"]}");
	assert_string_equal(o->code, "SEARCH_NOT_ENABLED");
	assert_non_null(strstr(o->message, "schema_update_collection"));
	assert_ok(say(h, admin, "POST /search/enable", "{'collection':'posts','enabled':false}"));
	o = harness_op(h, admin, "search", "{\"query\":\"x\"}");
	assert_string_equal(o->code, "SEARCH_NOT_ENABLED");
}

static void
the_tool_searches_what_lists_search_in_supports(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27];

	assert_ok(say(h, admin, "POST /schema/collections",
	    "{'slug':'hidden','label':'Hidden','supports':['drafts'],'publicRead':true}"));
	field(h, "hidden", "title", "string", "'searchable':true");
	enable(h, "hidden", "");
	post(h, id, "Public zebra", "x");
	assert_ok(say(h, editor, "POST /content/hidden",
	    "{'slug':'z','status':'published','data':{'title':'Hidden zebra'}}"));
	harness_ok(o, look(h, nobody, "zebra", ""));
	assert_int_equal(json_array_size(json_object_get(o->data, "items")), 2);
	harness_ok(o, harness_op(h, admin, "search", "{\"query\":\"zebra\"}"));
	assert_int_equal(json_array_size(json_object_get(o->data, "items")), 1);
	assert_string_equal(harness_text(o->data, "items[0].id"), id);
}

static void
scores_do_not_tell_what_drafts_say(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27];
	double before;

	post(h, id, "One", "zebra crossing");
	post(h, id, "Two", "nothing of it");
	harness_ok(o, look(h, nobody, "zebra", ""));
	before = json_real_value(harness_at(o->data, "items[0].score"));
	for (int i = 0; i < 5; i++)
		make(h, editor, id, "{'data':{'title':'D%d','summary':'zebra'}}", i);
	harness_ok(o, look(h, nobody, "zebra", ""));
	assert_true(before > 0);
	assert_true(json_real_value(harness_at(o->data, "items[0].score")) == before);
}

static void
the_trash_is_out_of_the_index_and_what_is_restored_is_in_it(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27];

	post(h, id, "Zebra", "stripes");
	assert_ok(ask(h, editor, "DELETE " BASE "/%s", id));
	assert_int_equal(hits(h, "zebra"), 0);
	assert_int_equal(indexed(h, "posts"), 0);
	harness_ok(o, harness_op(h, editor, "content_restore",
			  "{\"collection\":\"posts\",\"id\":\"%s\"}", id));
	assert_int_equal(indexed(h, "posts"), 1);
	assert_ok(ask(h, editor, "DELETE " BASE "/%s", id));
	assert_ok(ask(h, admin, "DELETE " BASE "/%s/permanent", id));
	assert_int_equal(indexed(h, "posts"), 0);
	harness_ok(o, harness_op(h, admin, "search_verify", "{}"));
	assert_int_equal(json_array_size(json_object_get(o->data, "problems")), 0);
}

static void
managing_takes_an_administrator(void **state)
{
	static const char *const body = "{'collection':'posts','enabled':true}";
	struct harness *h = *state;

	assert_code(say(h, nobody, "POST /search/enable", "%s", body), "UNAUTHORIZED");
	assert_code(say(h, editor, "POST /search/enable", "%s", body), "FORBIDDEN");
	assert_code(say(h, editor, "POST /search/rebuild", "%s", body), "FORBIDDEN");
	assert_code(ask(h, editor, "GET /search/stats"), "FORBIDDEN");
	assert_code(ask(h, nobody, "GET /search/stats"), "UNAUTHORIZED");
}

/* ---- text ---- */

static void
structure_is_not_text(void **state)
{
	static const char *const structural[] = { "block", "span", "normal", "_type", "children",
		"k1", "strong", "marks", "image", "m1", "style", "javascript" };
	struct harness *h = *state;
	char id[27];

	make(h, editor, id,
	    "{'status':'published','data':{'title':'T','body':[{'_type':'block','_key':'k1',"
	    "'style':'normal','markDefs':[{'_key':'m1','_type':'link','href':'https://x.y'}],"
	    "'children':[{'_type':'span','_key':'s1','text':'Hello ','marks':['strong']},"
	    "{'_type':'span','_key':'s2','text':'prose','marks':['m1']}]},"
	    "{'_type':'image','_key':'k2','alt':'a giraffe','caption':'in Kenya'},"
	    "{'_type':'code','_key':'k3','language':'javascript','code':'let answer = 42'},"
	    "{'_type':'gallery','_key':'k4','images':[{'_type':'image','alt':'two rhinos'}]}]}}");
	for (size_t i = 0; i < COUNT(structural); i++)
		if (hits(h, structural[i]) != 0)
			fail_msg("%s is found", structural[i]);
	assert_int_equal(hits(h, "\"hello prose\""), 1);
	assert_int_equal(hits(h, "giraffe"), 1);
	assert_int_equal(hits(h, "kenya"), 1);
	assert_int_equal(hits(h, "answer"), 1);
	assert_int_equal(hits(h, "rhino"), 1);
}

static void
a_body_that_is_plain_text_is_found(void **state)
{
	struct harness *h = *state;
	char id[27];

	post(h, id, "Old", "x");
	inside_sql(h, "UPDATE c_posts SET f_body = '\"legacy words\"' WHERE id = ?1", id);
	assert_ok(say(h, admin, "POST /search/rebuild", "{'collection':'posts'}"));
	assert_int_equal(hits(h, "legacy"), 1);
	inside_sql(h, "UPDATE c_posts SET f_body = 'no json' WHERE id = ?1", id);
	assert_ok(say(h, admin, "POST /search/rebuild", "{'collection':'posts'}"));
	assert_int_equal(hits(h, "old"), 1);
}

static void
titles_weigh_more_unless_told_otherwise(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27];

	post(h, id, "About zebras", "stripes and more stripes of an animal");
	post(h, id, "Stripes", "of an animal that is a zebra");
	harness_ok(o, look(h, nobody, "zebra", ""));
	assert_string_equal(harness_text(o->data, "items[0].title"), "About zebras");
	assert_true(json_real_value(harness_at(o->data, "items[0].score")) >
		    json_real_value(harness_at(o->data, "items[1].score")));
	enable(h, "posts", "'weights':{'title':0.1,'body':5}");
	harness_ok(o, look(h, nobody, "zebra", ""));
	assert_string_equal(harness_text(o->data, "items[0].title"), "Stripes");
	/* The weights stay if only the tokenizer changes. */
	enable(h, "posts", "'tokenize':'unicode61'");
	harness_ok(o, look(h, nobody, "zebra", ""));
	assert_string_equal(harness_text(o->data, "items[0].title"), "Stripes");
}

/* ---- pages ---- */

struct seen {
	char ids[6000][27];
	int count, pages;
};

static void
read_page(struct harness *h, const char *q, const char *more, char cursor[2100], struct seen *seen)
{
	struct outcome *o;
	json_t *item;
	size_t i;
	char rest[2200];

	snprintf(rest, sizeof(rest), "%s%s%s", more, *cursor != '\0' ? "&cursor=" : "", cursor);
	harness_ok(o, look(h, nobody, q, rest));
	json_array_foreach(json_object_get(o->data, "items"), i, item)
	{
		for (int k = 0; k < seen->count; k++)
			if (strcmp(seen->ids[k], harness_text(item, "id")) == 0)
				fail_msg("%s comes twice", seen->ids[k]);
		snprintf(seen->ids[seen->count++], 27, "%s", harness_text(item, "id"));
	}
	snprintf(cursor, 2100, "%s", harness_text(o->data, "nextCursor"));
	seen->pages++;
}

static void
pages_are_disjoint_and_complete(void **state)
{
	static struct seen seen;
	struct harness *h = *state;
	char id[27], cursor[2100] = "", title[40];

	for (int i = 0; i < 43; i++) {
		snprintf(title, sizeof(title), "Zebra %s", i % 3 == 0 ? "zebra" : "");
		post(h, id, title, i % 2 == 0 ? "zebra" : "horse");
	}
	seen = (struct seen){ 0 };
	do
		read_page(h, "zebra", "&limit=5", cursor, &seen);
	while (*cursor != '\0');
	assert_int_equal(seen.count, 43);
	assert_int_equal(seen.pages, 9);
	seen = (struct seen){ 0 };
	read_page(h, "zebra", "&limit=43", cursor, &seen);
	assert_string_equal(cursor, "");
}

static void
items_that_come_and_go_between_pages_do_not_move_the_others(void **state)
{
	static struct seen seen;
	struct harness *h = *state;
	char ids[40][27], id[27], cursor[2100] = "";
	int missing = 0;

	for (int i = 0; i < 40; i++)
		post(h, ids[i], "Zebra", "and nothing else");
	seen = (struct seen){ 0 };
	do {
		read_page(h, "zebra", "&limit=7", cursor, &seen);
		post(h, id, "Zebra zebra", "one more that is better than those before");
		/* Deletes the last item of the page before the next page is requested. */
		if (seen.pages == 2)
			assert_ok(ask(h, editor, "DELETE " BASE "/%s", seen.ids[13]));
	} while (*cursor != '\0');
	for (int i = 0; i < 40; i++) {
		bool found = false;

		for (int k = 0; k < seen.count; k++)
			found |= strcmp(seen.ids[k], ids[i]) == 0;
		missing += !found;
	}
	assert_int_equal(missing, 0);
}

static void
more_matches_than_a_window_and_a_shard_hold_come_page_by_page(void **state)
{
	static struct seen seen;
	struct harness *h = *state;
	char cursor[2100] = "";

	many(h, 5000);
	assert_ok(say(h, admin, "POST /search/rebuild", "{'collection':'posts'}"));
	assert_int_equal(indexed(h, "posts"), 5000);
	assert_string_equal(index_ask(h, "SELECT count(*) FROM search_shard"), "2");
	seen = (struct seen){ 0 };
	do
		read_page(h, "zebra", "&limit=100", cursor, &seen);
	while (*cursor != '\0');
	assert_int_equal(seen.count, 5000);
	assert_int_equal(hits(h, "okapi"), 5);
	assert_int_equal(hits(h, "zebra 4711"), 1);
	assert_int_equal(hits(h, "zebra -horse"), 5);
}

static void
cursors_of_other_searches_are_refused(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27], cursor[2100], more[2200];

	for (int i = 0; i < 3; i++)
		post(h, id, "Zebra", "x");
	harness_ok(o, look(h, nobody, "zebra", "&limit=1"));
	snprintf(cursor, sizeof(cursor), "%s", harness_text(o->data, "nextCursor"));
	snprintf(more, sizeof(more), "&limit=1&cursor=%s", cursor);
	assert_ok(look(h, nobody, "zebra", more));
	assert_code(look(h, nobody, "zebr", more), "INVALID_CURSOR");
	snprintf(more, sizeof(more), "&limit=1&locale=en&cursor=%s", cursor);
	assert_code(look(h, nobody, "zebra", more), "INVALID_CURSOR");
	assert_code(look(h, nobody, "zebra", "&cursor="), "INVALID_CURSOR");
	assert_code(look(h, nobody, "zebra", "&cursor=abc"), "INVALID_CURSOR");
	harness_ok(o, ask(h, editor, "GET " BASE "?limit=1"));
	snprintf(more, sizeof(more), "&cursor=%s", harness_text(o->data, "nextCursor"));
	assert_code(look(h, nobody, "zebra", more), "INVALID_CURSOR");
	assert_code(look(h, nobody, "zebra", "&limit=101"), "VALIDATION_ERROR");
	assert_code(look(h, nobody, "zebra", "&limit=0"), "VALIDATION_ERROR");
}

/* More items than a common word may find if not all words have to match. */
static void
a_common_word_finds_items_where_none_has_the_rare_ones(void **state)
{
	static const char *const questions[] = { "zebra unknownword", "what zebra of animal",
		"zebra \"horse\" unknownword", "zebra unknownword -okapi" };
	struct harness *h = *state;
	char cursor[2100] = "";
	struct seen seen = { 0 };

	many(h, 1500);
	assert_ok(say(h, admin, "POST /search/rebuild", "{'collection':'posts'}"));
	work_all(h);
	for (size_t i = 0; i < COUNT(questions); i++) {
		assert_int_equal(hits(h, questions[i]), 100);
		assert_true(is_partial(h, questions[i]));
	}
	assert_int_equal(hits(h, "zebra \"unknownword\""), 0);
	/* If some items have the word, only these are found. */
	assert_int_equal(hits(h, "okapi unknownword"), 2);
	do
		read_page(h, "zebra unknownword", "&limit=100", cursor, &seen);
	while (*cursor != '\0');
	assert_int_equal(seen.count, 1500);
}

struct forged {
	char key[200]; /* in the form of place.c: mode, score, window, last documents, streams */
	char cursor[2100];
};

static enum stet_status
make_cursor(struct stet_call *call, void *arg)
{
	struct forged *f = arg;

	snprintf(f->cursor, sizeof(f->cursor), "&limit=1&cursor=%s",
	    stet_cursor_make(call, "[\"search\",\"zebra\",\"published\",null,null]",
		stet_json_own(call, json_string(f->key)), "search"));
	return STET_OK;
}

static struct outcome *
forge(struct harness *h, const char *numbers)
{
	struct forged f = { 0 };

	snprintf(f.key, sizeof(f.key), "[false,-1,true,[],[%s,\"en\",%s]]",
	    index_ask(h, "SELECT max(index_id) FROM search_shard"), numbers);
	assert_int_equal(inside_read(h, make_cursor, &f), STET_OK);
	return look(h, nobody, "zebra", f.cursor);
}

static void
numbers_of_cursors_are_not_trusted(void **state)
{
	static const char *const wrong[] = { "1,-9223372036854775808,-1,0", "1,-1,-1,0",
		"1,4098,-1,0", "-1,1,-1,0", "2147483647,4097,-2,0", "2147483647,4097,0,-1",
		"2147483647,4097,0,9223372036854775807" };
	struct harness *h = *state;
	struct outcome *o;
	char id[27];

	post(h, id, "Zebra", "x");
	harness_ok(o, forge(h, "2147483647,4097,-1,0"));
	assert_string_equal(harness_text(o->data, "items[0].id"), id);
	for (size_t i = 0; i < COUNT(wrong); i++)
		assert_code(forge(h, wrong[i]), "INVALID_CURSOR");
}

/* The oldest item would be the best match. */
static void
a_window_that_a_cursor_makes_is_bounded(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	many(h, 16100);
	inside_sql(h, "UPDATE c_posts SET f_title = 'Zebra' WHERE slug = 'many-1'", NULL);
	assert_ok(say(h, admin, "POST /search/rebuild", "{'collection':'posts'}"));
	work_all(h);
	harness_ok(o, forge(h, "2147483647,4097,0,0"));
	assert_string_not_equal(harness_text(o->data, "items[0].slug"), "many-1");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		searched(up_to_three_words_all_match_where_an_item_has_them),
		searched(quoted_words_are_a_phrase_and_a_minus_excludes),
		searched(questions_rank_by_what_matches),
		searched(operators_are_words),
		searched(no_query_is_an_error_of_the_server),
		searched(drafts_and_trash_are_never_found_by_the_public),
		searched(other_states_than_published_need_the_right_to_read_drafts),
		searched(the_tool_searches_what_lists_search_in_supports),
		searched(the_tool_says_that_search_is_off_and_what_turns_it_on),
		searched(scores_do_not_tell_what_drafts_say),
		searched(the_trash_is_out_of_the_index_and_what_is_restored_is_in_it),
		searched(managing_takes_an_administrator),
		searched(structure_is_not_text),
		searched(a_body_that_is_plain_text_is_found),
		searched(titles_weigh_more_unless_told_otherwise),
		searched(pages_are_disjoint_and_complete),
		searched(items_that_come_and_go_between_pages_do_not_move_the_others),
		searched(more_matches_than_a_window_and_a_shard_hold_come_page_by_page),
		searched(cursors_of_other_searches_are_refused),
		searched(a_common_word_finds_items_where_none_has_the_rare_ones),
		searched(numbers_of_cursors_are_not_trusted),
		searched(a_window_that_a_cursor_makes_is_bounded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
