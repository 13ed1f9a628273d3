/* folded.t - finds texts that are typed in another form: case, accents, variants of a letter, in
 * all scripts; by search, suggestions, and the arguments q and search of lists. */
#include "searched.h"
#include <string.h>

/* A text, and a query that finds it. Only phrases, since an unknown word would be corrected. */
static const char *const alike[][2] = { { "Ёжик в тумане", "ежик" }, { "ежик", "ЁЖИК" },
	{ "туман", "ТУМАН" }, { "Łódź", "lodz" }, { "Đường phố", "duong pho" },
	{ "Ørsted", "orsted" }, { "أحمد", "احمد" }, { "إسلام", "اسلام" }, { "مـدرسـة", "مدرسه" },
	{ "ＦＵＬＬｗｉｄｔｈ", "fullwidth" }, { "ｶﾀｶﾅ", "カタカナ" }, { "ｶﾞｷﾞｸﾞ", "ガギグ" },
	{ "ﬁnancial", "financial" }, { "ılık", "ilik" }, { "İZMİR", "izmir" }, { "Çeşme", "ÇEŞME" },
	{ "Zürich West", "ZURICH" }, { "Zu\u0308rcher", "zürcher" }, { "Straße", "STRASSE" },
	{ "Ὀδυσσεύς", "οδυσσευσ" }, { "שָׁלוֹם", "שלום" }, { "हिन्दी क़लम", "कलम" },
	{ "\u1112\u1161\u11ab\u1100\u116e\u11a8\u110b\u1165", "한국어" },
	{ "l’été d’eau", "d'eau" }, { "мʼята", "м'ята" }, { "so\u00adft", "soft" } };

/* Returns how many items the list has. */
static int
listed(struct harness *h, const char *route, const char *text)
{
	struct outcome *o;

	harness_ok(o, ask(h, admin, "GET %s%s", route, encoded(text)));
	return (int)json_array_size(json_object_get(o->data, "items"));
}

static void
must_find(struct harness *h, const char *text)
{
	for (size_t i = 0; i < COUNT(alike); i++) {
		char phrase[200];

		snprintf(phrase, sizeof(phrase), "\"%s\"", alike[i][1]);
		if (hits(h, phrase) < 1)
			fail_msg("%s: \"%s\" is not found as %s", text, alike[i][0], alike[i][1]);
	}
}

static void
search_finds_words_as_people_type_them(void **state)
{
	static const char *const tokenizers[] = { "porter unicode61", "unicode61", "trigram" };
	struct harness *h = *state;
	char id[27], more[100];

	for (size_t i = 0; i < COUNT(alike); i++)
		post(h, id, alike[i][0], "");
	for (size_t i = 0; i < COUNT(tokenizers); i++) {
		snprintf(more, sizeof(more), "'tokenize':'%s'", tokenizers[i]);
		enable(h, "posts", more);
		must_find(h, tokenizers[i]);
	}
	/* Letters that only look alike, or have another sound, are different. */
	assert_int_equal(hits(h, "\"カキク\""), 0);
	assert_int_equal(hits(h, "\"हनद\""), 0);
}

static void
suggestions_and_lists_fold_too(void **state)
{
	struct harness *h = *state;
	char id[27];

	for (size_t i = 0; i < COUNT(alike); i++)
		post(h, id, alike[i][0], "");
	assert_int_equal(listed(h, "/search/suggest?q=", "еж"), 2);
	assert_int_equal(listed(h, "/search/suggest?q=", "zurcher"), 1);
	for (size_t i = 0; i < COUNT(alike); i++)
		if (listed(h, BASE "?limit=100&q=", alike[i][1]) < 1)
			fail_msg("\"%s\" is not listed for %s", alike[i][0], alike[i][1]);
	assert_int_equal(listed(h, BASE "?q=", "ёж"), 2);
	/* Bodies in JSON are folded, too. */
	field(h, "posts", "note", "json", "'searchable':true");
	make(h, editor, id, "{'slug':'n','data':{'title':'N','note':{'a':'Ein \\'Ärger'}}}");
	assert_int_equal(listed(h, BASE "?q=", "\"arger"), 1);
	assert_int_equal(listed(h, BASE "?q=", "\"arges"), 0);
	assert_int_equal(listed(h, BASE "?q=", "%"), 0);
	assert_int_equal(listed(h, BASE "?q=", "％"), 0);
}

static void
filters_by_words_fold_too(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27];

	post(h, id, "Łódź", "");
	harness_ok(o, ask(h, editor, "GET " BASE "?%s", filters("{'title':{'contains':'lodz'}}")));
	assert_int_equal(json_array_size(json_object_get(o->data, "items")), 1);
}

static void
snippets_mark_the_text_as_it_was_written(void **state)
{
	struct harness *h = *state;
	char id[27];

	post(h, id, "x",
	    "Die Stra\u00dfe nach Zu\u0308rich, \uff26\uff35\uff2c\uff2c, der \u0401жик & die "
	    "\ufdfa der \u0141\u00f3d\u017a");
	assert_string_equal(snippet(h, "strasse zurich lodz"),
	    "Die <mark>Straße</mark> nach <mark>Zu\u0308rich</mark>, ＦＵＬＬ, der Ёжик &amp; die "
	    "\ufdfa der <mark>Łódź</mark>");
	assert_string_equal(snippet(h, "full ежик"),
	    "Die Straße nach Zu\u0308rich, <mark>ＦＵＬＬ</mark>, der <mark>Ёжик</mark> &amp; die "
	    "\ufdfa der Łódź");
	/* One character that stands for several words. */
	assert_string_equal(snippet(h, "\"الله عليه\""),
	    "Die Straße nach Zu\u0308rich, ＦＵＬＬ, der Ёжик &amp; die "
	    "<mark>\ufdfa</mark> der Łódź");
	enable(h, "posts", "'tokenize':'trigram'");
	assert_string_equal(snippet(h, "zuri odz"),
	    "...nach <mark>Zu\u0308ri</mark>ch, ＦＵＬＬ, der Ёжик &amp; die "
	    "\ufdfa der Ł<mark>ódź</mark>");
}

/* The index folds a long text in parts, and must not lose words between them. */
static void
long_texts_are_searched_to_the_end(void **state)
{
	struct harness *h = *state;
	char id[27], *text = calloc(1, 300000), *p = text;

	for (int i = 0; i < 40000; i++)
		p += snprintf(p, 8, "%s%d", i > 0 ? " é" : "é", i % 10);
	p = stpcpy(p, " Łódź");
	post(h, id, "Long", text);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(hits(h, "\"lodz\""), 1);
		assert_int_equal(hits(h, "\"e8 e9 lodz\""), 1);
		assert_int_equal(hits(h, "\"e6 e7 lodz\""), 0);
		enable(h, "posts", "'tokenize':'trigram'");
	}
	free(text);
}

static void
corrections_compare_folded_words(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27];

	post(h, id, "Żółwie łódzkie", "");
	harness_ok(o, look(h, nobody, "zolwje", ""));
	assert_string_equal(harness_text(o->data, "corrected"), "żółwie");
	harness_ok(o, look(h, nobody, "łudzkie", ""));
	assert_string_equal(harness_text(o->data, "corrected"), "łódzkie");
}

/* A site whose index is from an earlier version: it has only the words of FTS5. */
static void
older_indexes_are_made_again(void **state)
{
	struct harness *h = *state;
	char id[27];

	post(h, id, "Łódź", "");
	inside_sql(h, "DROP TABLE search_change", NULL);
	inside_sql(h, "DELETE FROM migration WHERE module = 'search' AND version >= 6", NULL);
	inside_sql(h, "UPDATE search_doc SET digest = 'old'", NULL);
	*state = h = harness_again(h);
	assert_string_equal(
	    inside_ask(h, "SELECT group_concat(state) FROM search_index"), "serving,building");
	/* The old index is used until the new one is built. */
	assert_int_equal(hits(h, "\"lodz\""), 1);
	work_all(h);
	assert_string_equal(
	    inside_ask(h, "SELECT group_concat(state) FROM search_index"), "serving");
	assert_string_equal(
	    inside_ask(h, "SELECT count(*) FROM search_doc WHERE digest = 'old'"), "0");
	assert_int_equal(hits(h, "\"lodz\""), 1);
}

/* ---- other lists ---- */

static void
people_files_and_comments_are_found_without_accents(void **state)
{
	struct harness *h = *state;
	char id[27], request[100];

	inside_sql(h,
	    "INSERT INTO users (id, email, name, role, email_verified, created_at, updated_at)"
	    " VALUES ('u', 'o@b.org', 'Öznur Şahin', 40, 0, "
	    "'2026-06-01T12:00:00.000Z', '2026-06-01T12:00:00.000Z')",
	    NULL);
	assert_int_equal(listed(h, "/admin/users?search=", "oznur sahin"), 1);
	assert_int_equal(listed(h, "/admin/users?search=", "ÖZNUR"), 1);
	assert_int_equal(listed(h, "/admin/users?search=", "oznur_sahin"), 0);
	assert_ok(harness_op(h, admin, "media_upload",
	    "{\"filename\":\"Ёлка Łódź.mp4\",\"contentType\":\"video/mp4\",\"base64\":\"YQ==\"}"));
	assert_int_equal(listed(h, "/media?q=", "ЕЛКА lodz"), 1);
	assert_int_equal(listed(h, "/media?q=", "ЕЛКИ"), 0);
	assert_ok(say(h, admin, "POST /media/folders", "{'name':'Fotoğraflar'}"));
	assert_int_equal(listed(h, "/media/folders?q=", "FOTOGRAFL"), 1);
	assert_ok(say(h, editor, "POST /bylines", "{'slug':'ana','displayName':'Ana Muñoz'}"));
	assert_int_equal(listed(h, "/bylines?search=", "munoz"), 1);
	assert_ok(say(h, editor, "POST /sections",
	    "{'slug':'a','title':'Über uns','content':[],'keywords':['Öl']}"));
	assert_int_equal(listed(h, "/sections?search=", "UBER"), 1);
	assert_int_equal(listed(h, "/sections?search=", "ol"), 1);
	post(h, id, "Post", "");
	assert_ok(say(h, admin, "PUT /schema/collections/posts", "{'commentsEnabled':true}"));
	snprintf(request, sizeof(request), "POST /comments/posts/%s", id);
	assert_ok(say(
	    h, nobody, request, "{'authorName':'Jürgen','authorEmail':'a@b.org','body':'Ёлка'}"));
	assert_int_equal(listed(h, "/admin/comments?search=", "елка"), 1);
	assert_int_equal(listed(h, "/admin/comments?search=", "JURGEN"), 1);
}

static void
terms_are_found_by_labels_and_slugs_without_accents(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	assert_ok(say(h, admin, "POST /taxonomies",
	    "{'name':'city','label':'Cities','collections':['posts']}"));
	assert_ok(
	    say(h, admin, "POST /taxonomies/city/terms", "{'slug':'łódź-1','label':'Üsküdar'}"));
	for (int older = 0; older < 2; older++) {
		harness_ok(o, ask(h, editor, "GET /taxonomies/city/terms?locale=en&search=uskud"));
		assert_int_equal(json_array_size(json_object_get(o->data, "terms")), 1);
		harness_ok(o, ask(h, editor, "GET /taxonomies/city/terms?locale=en&search=LODZ-"));
		assert_int_equal(json_array_size(json_object_get(o->data, "terms")), 1);
		harness_ok(o, ask(h, editor, "GET /taxonomies/city/terms?locale=en&search=odz"));
		assert_int_equal(json_array_size(json_object_get(o->data, "terms")), 0);
		/* A site from an earlier version. */
		inside_sql(h, "UPDATE term SET label_key = 'üsküdar'", NULL);
		inside_sql(h, "DROP INDEX term_slug_key", NULL);
		inside_sql(h, "ALTER TABLE term DROP COLUMN slug_key", NULL);
		inside_sql(h,
		    "CREATE INDEX term_slug_key ON term (taxonomy, locale, lower(slug), id)", NULL);
		inside_sql(
		    h, "DELETE FROM migration WHERE module = 'taxonomies' AND version >= 7", NULL);
		*state = h = harness_again(h);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		searched(search_finds_words_as_people_type_them),
		searched(suggestions_and_lists_fold_too),
		searched(filters_by_words_fold_too),
		searched(snippets_mark_the_text_as_it_was_written),
		searched(long_texts_are_searched_to_the_end),
		searched(corrections_compare_folded_words),
		searched(older_indexes_are_made_again),
		searched(people_files_and_comments_are_found_without_accents),
		searched(terms_are_found_by_labels_and_slugs_without_accents),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
