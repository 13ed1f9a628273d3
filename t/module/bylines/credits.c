/* credits.t - the service bylines/1: storing and showing credits of items; people for importers. */
#include "db/db.h"
#include "db/part.h"
#include "inside.h"
#include "posts.h"
#include <stdio.h>
#include <stdlib.h>
#include <stet/bylines.h>
#include <string.h>

#undef check /* of posts.h */

#define ITEM "01JZZZZZZZZZZZZZZZZZZZZZA1"
#define ITEM2 "01JZZZZZZZZZZZZZZZZZZZZZA2"
#define USER "01JZZZZZZZZZZZZZZZZZZZZZZ1"

static int
begin(void **state)
{
	posts_begin(state);
	inside_sql(*state,
	    "INSERT INTO users (id, email, role, created_at, updated_at) VALUES (?1,"
	    " 'ann@example.org', 30, '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z')",
	    USER);
	inside_item(*state, "posts", ITEM);
	inside_item(*state, "posts", ITEM2);
	return 0;
}

static void
byline(struct harness *h, char id[27], const char *body)
{
	struct outcome *o;

	harness_ok(o, say(h, editor, "POST /bylines", "%s", body));
	snprintf(id, 27, "%s", harness_text(o->data, "id"));
}

/* ---- the service in calls of its own ---- */

struct errand {
	const char *id, *to, *locale, *author; /* of an item, except `to` */
	json_t *bylines;
	struct stet_byline_person person;
	json_t *out; /* the output, or the details of an error */
	char got[27];
	size_t count; /* number of items read at once */
	int64_t number;
};

static const struct stet_bylines_1 *
service(struct stet_call *call)
{
	const struct stet_bylines_1 *s = stet_service(call, STET_BYLINES_1);

	assert_non_null(s);
	return s;
}

static enum stet_status
store(struct stet_call *call, void *arg)
{
	const struct errand *e = arg;
	struct stet_credits *credits;

	STET_TRY(service(call)->check(call, "bylines", e->bylines, &credits));
	STET_TRY(stet_issues(call));
	if (credits == NULL)
		return STET_OK;
	return service(call)->store(call, stet_write_tx(call), "posts", e->id, credits);
}

/* Stores credits: JSON with " for each '; the first # is `one`, the second is `other`. */
static enum stet_status
credit(struct harness *h, const char *item, const char *credits, const char *one, const char *other)
{
	struct errand e = { .id = item };
	enum stet_status status;
	char text[1024], *to = text;

	for (const char *p = credits; *p != '\0'; p++) {
		if (*p != '#') {
			*to++ = *p == '\'' ? '"' : *p;
			continue;
		}
		to = stpcpy(to, one);
		one = other;
	}
	*to = '\0';
	e.bylines = json_loads(text, JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL);
	assert_non_null(e.bylines);
	status = inside_write(h, store, &e);
	json_decref(e.bylines);
	return status;
}

static enum stet_status
show(struct stet_call *call, void *arg)
{
	struct errand *e = arg;
	struct stet_json *out = stet_json_new(call);
	struct stet_credited items[256];
	const struct stet_table table = { items, (uint32_t)e->count, sizeof(items[0]) };
	struct stet_byline_page *page;
	uint64_t before;

	assert_true(e->count <= 256);
	for (size_t i = 0; i < e->count; i++)
		items[i] = (struct stet_credited){ e->id, e->locale, e->author };
	/* The first query of a call begins a transaction, so this one is not counted. */
	STET_TRY(service(call)->version(call, &e->number));
	before = db_statement_count(db_part(call)->db);
	STET_TRY(service(call)->read(call, "posts", &table, &page));
	e->number = (int64_t)(db_statement_count(db_part(call)->db) - before);
	stet_array(out, NULL);
	for (size_t i = 0; i < e->count; i++) {
		stet_object(out, NULL);
		service(call)->put(out, page, i);
		stet_close(out);
	}
	stet_object(out, NULL);
	service(call)->put(out, NULL, 0);
	stet_close(out);
	stet_close(out);
	e->out = json_loads(stet_json_text(out, NULL), 0, NULL);
	assert_non_null(e->out);
	return STET_OK;
}

static json_t *shown;

/* Returns the bylines that an item shows: {bylines, byline}. */
static json_t *
look(struct harness *h, const char *item, const char *locale, const char *writer)
{
	struct errand e = { .id = item, .locale = locale, .author = writer, .count = 1 };

	assert_int_equal(inside_read(h, show, &e), STET_OK);
	assert_int_equal(e.number, 1);
	json_decref(shown);
	shown = e.out;
	return json_array_get(shown, 0);
}

static int
end(void **state)
{
	json_decref(shown);
	shown = NULL;
	return posts_end(state);
}

static const char *
primary(struct harness *h)
{
	return inside_ask(h, "SELECT primary_byline_id FROM c_posts WHERE id = '" ITEM "'");
}

/* ---- stored and shown ---- */

static void
credits_keep_their_order_and_roles(void **state)
{
	struct harness *h = *state;
	char ann[27], bo[27];
	json_t *item;

	byline(h, ann, "{'displayName':'Ann'}");
	byline(h, bo, "{'displayName':'Bo'}");
	assert_int_equal(
	    credit(h, ITEM, "[{'bylineId':'#','roleLabel':'Words'},{'bylineId':'#'}]", bo, ann),
	    STET_OK);
	assert_string_equal(primary(h), bo);
	item = look(h, ITEM, "en", NULL);
	assert_int_equal(json_array_size(harness_at(item, "bylines")), 2);
	assert_string_equal(harness_text(item, "bylines[0].byline.id"), bo);
	assert_string_equal(harness_text(item, "bylines[0].byline.displayName"), "Bo");
	assert_int_equal(json_object_size(harness_at(item, "bylines[0].byline")), 17);
	assert_string_equal(harness_text(item, "bylines[0].roleLabel"), "Words");
	assert_string_equal(harness_text(item, "bylines[0].source"), "explicit");
	assert_int_equal(harness_int(item, "bylines[0].sortOrder"), 0);
	assert_string_equal(harness_text(item, "bylines[1].byline.id"), ann);
	assert_true(json_is_null(harness_at(item, "bylines[1].roleLabel")));
	assert_int_equal(harness_int(item, "bylines[1].sortOrder"), 1);
	assert_string_equal(harness_text(item, "byline.id"), bo);
	/* Storing again replaces the credits. */
	assert_int_equal(credit(h, ITEM, "[{'bylineId':'#'}]", ann, ""), STET_OK);
	assert_string_equal(primary(h), ann);
	item = look(h, ITEM, "en", NULL);
	assert_int_equal(json_array_size(harness_at(item, "bylines")), 1);
	assert_int_equal(credit(h, ITEM, "[]", "", ""), STET_OK);
	assert_string_equal(primary(h), "");
	item = look(h, ITEM, "en", NULL);
	assert_int_equal(json_array_size(harness_at(item, "bylines")), 0);
	assert_true(json_is_null(harness_at(item, "byline")));
}

static void
one_person_is_credited_once(void **state)
{
	struct harness *h = *state;
	char ann[27], fr[27], body[128];

	byline(h, ann, "{'displayName':'Ann'}");
	snprintf(body, sizeof(body), "{'translationOf':'%s','locale':'fr'}", ann);
	byline(h, fr, body);
	assert_int_equal(
	    credit(h, ITEM, "[{'bylineId':'#','roleLabel':'a'},{'bylineId':'#'}]", fr, ann),
	    STET_OK);
	/* A credit by a translation's row stores the group. */
	assert_string_equal(primary(h), ann);
	assert_string_equal(
	    inside_ask(h, "SELECT count(*) || min(role_label) FROM content_byline"), "1a");
}

static void
bad_credits_are_refused(void **state)
{
	static const char *const bad[] = { "{}", "'x'", "[7]", "[{}]", "[{'bylineId':7}]",
		"[{'bylineId':''}]", "[{'bylineId':'nobody'}]", "[{'bylineId':null}]",
		"[{'bylineId':'a\\u0000b'}]", "[{'bylineId':'#','roleLabel':7}]",
		"[{'bylineId':'#','role':'x'}]", "[{'bylineId':'#'},{'bylineId':'#x'}]" };
	struct harness *h = *state;
	char ann[27];

	byline(h, ann, "{'displayName':'Ann'}");
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		if (credit(h, ITEM, bad[i], ann, ann) != STET_VALIDATION_ERROR)
			fail_msg("accepted: %s", bad[i]);
	assert_string_equal(inside_ask(h, "SELECT count(*) FROM content_byline"), "0");
}

static void
what_was_shown_and_comes_back_changes_nothing(void **state)
{
	struct harness *h = *state;
	char ann[27];

	byline(h, ann, "{'displayName':'Ann','locale':'fr'}");
	assert_int_equal(credit(h, ITEM, "[{'bylineId':'#'}]", ann, ""), STET_OK);
	assert_int_equal(credit(h, ITEM,
			     "[{'byline':{'id':'x'},'sortOrder':0,'roleLabel':null,"
			     "'source':'inferred'}]",
			     "", ""),
	    STET_OK);
	assert_string_equal(primary(h), ann);
}

static void
a_hundred_credits_are_enough(void **state)
{
	struct errand e = { .id = ITEM, .bylines = json_array() };
	struct harness *h = *state;
	char body[64], id[27];

	for (int i = 0; i < STET_CREDITS_MAX; i++) {
		snprintf(body, sizeof(body), "{'displayName':'P','slug':'p-%d'}", i);
		byline(h, id, body);
		json_array_append_new(e.bylines, json_pack("{ss}", "bylineId", id));
	}
	assert_int_equal(inside_write(h, store, &e), STET_OK);
	assert_string_equal(inside_ask(h, "SELECT count(*) FROM content_byline"), "100");
	json_array_append_new(e.bylines, json_pack("{ss}", "bylineId", id));
	assert_int_equal(inside_write(h, store, &e), STET_VALIDATION_ERROR);
	json_decref(e.bylines);
}

/* ---- locales, authors ---- */

static void
a_credit_shows_where_it_has_a_locale(void **state)
{
	struct harness *h = *state;
	char ann[27], bo[27], fr[27], body[128];
	json_t *item;

	byline(h, ann, "{'displayName':'Ann'}");
	byline(h, bo, "{'displayName':'Bo'}");
	snprintf(
	    body, sizeof(body), "{'translationOf':'%s','locale':'fr','displayName':'Beau'}", bo);
	byline(h, fr, body);
	assert_int_equal(credit(h, ITEM, "[{'bylineId':'#'},{'bylineId':'#'}]", ann, bo), STET_OK);
	item = look(h, ITEM, "fr", NULL);
	assert_int_equal(json_array_size(harness_at(item, "bylines")), 1);
	assert_string_equal(harness_text(item, "bylines[0].byline.id"), fr);
	assert_string_equal(harness_text(item, "byline.displayName"), "Beau");
	item = look(h, ITEM, "de", NULL);
	assert_int_equal(json_array_size(harness_at(item, "bylines")), 0);
	assert_true(json_is_null(harness_at(item, "byline")));
}

static void
the_author_is_inferred_without_credits(void **state)
{
	struct harness *h = *state;
	char ann[27], bo[27], body[128], fr[27];
	json_t *item;

	byline(h, ann, "{'displayName':'Ann','userId':'" USER "'}");
	byline(h, bo, "{'displayName':'Bo','locale':'fr'}");
	item = look(h, ITEM, "en", USER);
	assert_int_equal(json_array_size(harness_at(item, "bylines")), 1);
	assert_string_equal(harness_text(item, "bylines[0].byline.id"), ann);
	assert_string_equal(harness_text(item, "bylines[0].source"), "inferred");
	assert_int_equal(harness_int(item, "bylines[0].sortOrder"), 0);
	assert_string_equal(harness_text(item, "byline.id"), ann);
	assert_int_equal(json_array_size(harness_at(look(h, ITEM, "fr", USER), "bylines")), 0);
	assert_int_equal(json_array_size(harness_at(look(h, ITEM, "en", NULL), "bylines")), 0);
	assert_int_equal(json_array_size(harness_at(look(h, ITEM, "en", "other"), "bylines")), 0);
	/* Any credit suppresses the inferred byline, even one without a row in this locale. */
	assert_int_equal(credit(h, ITEM, "[{'bylineId':'#'}]", bo, ""), STET_OK);
	item = look(h, ITEM, "en", USER);
	assert_int_equal(json_array_size(harness_at(item, "bylines")), 0);
	assert_true(json_is_null(harness_at(item, "byline")));
	snprintf(body, sizeof(body), "{'translationOf':'%s','locale':'en'}", bo);
	byline(h, fr, body);
	item = look(h, ITEM, "en", USER);
	assert_int_equal(json_array_size(harness_at(item, "bylines")), 1);
	assert_string_equal(harness_text(item, "bylines[0].source"), "explicit");
}

static void
a_page_is_one_statement(void **state)
{
	static const size_t counts[] = { 1, 2, 10, 11, 50, 51, 99, 100, 101, 256 };
	struct harness *h = *state;
	char ann[27], bo[27];

	byline(h, ann, "{'displayName':'Ann'}");
	byline(h, bo, "{'displayName':'Bo'}");
	assert_int_equal(credit(h, ITEM, "[{'bylineId':'#'},{'bylineId':'#'}]", bo, ann), STET_OK);
	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		struct errand e = { .id = ITEM, .locale = "en", .count = counts[i] };

		assert_int_equal(inside_read(h, show, &e), STET_OK);
		assert_int_equal(e.number, (counts[i] + 99) / 100);
		for (size_t k = 0; k < counts[i]; k++) {
			json_t *item = json_array_get(e.out, k);

			assert_string_equal(harness_text(item, "bylines[0].byline.id"), bo);
			assert_string_equal(harness_text(item, "bylines[1].byline.id"), ann);
			assert_int_equal(json_array_size(harness_at(item, "bylines")), 2);
		}
		assert_int_equal(
		    json_array_size(harness_at(json_array_get(e.out, counts[i]), "bylines")), 0);
		json_decref(e.out);
	}
}

static enum stet_status
explain(struct stet_call *call, void *arg)
{
	struct stet_rows rows;

	(void)arg;
	STET_TRY(stet_query(call, &rows,
	    "EXPLAIN QUERY PLAN WITH want (n, entry, locale, author) AS (VALUES (0, 'a', 'en', 'u'),"
	    " (1, 'b', 'en', NULL)) SELECT w.n, c.position, b.id FROM want AS w CROSS JOIN"
	    " content_byline AS c LEFT JOIN byline AS b ON b.translation_group = c.byline_group"
	    " AND b.locale = w.locale WHERE c.entry_id = w.entry AND c.collection = 'posts'"
	    " UNION ALL SELECT w.n, -1, b.id FROM want AS w CROSS JOIN byline AS b"
	    " WHERE b.user_id = w.author AND b.locale = w.locale ORDER BY 1, 2",
	    STET_NO_ARGS));
	while (stet_row(&rows)) {
		const char *step = stet_col_str(&rows, 3);

		if (strncmp(step, "SCAN b", 6) == 0 || strncmp(step, "SCAN c", 6) == 0)
			fail_msg("%s", step);
	}
	return stet_rows_end(&rows);
}

static void
credits_are_looked_up_by_index(void **state)
{
	assert_int_equal(inside_read(*state, explain, NULL), STET_OK);
}

static enum stet_status
version(struct stet_call *call, void *arg)
{
	struct errand *e = arg;

	STET_TRY(service(call)->version(call, &e->number));
	return STET_OK;
}

static int64_t
number(struct harness *h)
{
	struct errand e = { .number = -1 };

	assert_int_equal(inside_read(h, version, &e), STET_OK);
	return e.number;
}

static void
the_version_tells_of_changes(void **state)
{
	struct harness *h = *state;
	int64_t first, second;
	char ann[27], bo[27], request[64];

	assert_int_equal(number(h), 0);
	byline(h, ann, "{'displayName':'Ann'}");
	first = number(h);
	assert_true(first > 0);
	assert_int_equal(number(h), first);
	snprintf(request, sizeof(request), "PUT /bylines/%s", ann);
	assert_ok(say(h, editor, request, "{'bio':'x'}"));
	second = number(h);
	assert_true(second > first);
	byline(h, bo, "{'displayName':'Bo'}");
	assert_ok(ask(h, editor, "DELETE /bylines/%s", ann));
	assert_true(number(h) > second);
	assert_ok(ask(h, editor, "DELETE /bylines/%s", bo));
	assert_int_equal(number(h), 0);
}

static void
with_the_last_locale_go_the_credits(void **state)
{
	struct harness *h = *state;
	char ann[27], bo[27], fr[27], body[128];

	byline(h, ann, "{'displayName':'Ann'}");
	byline(h, bo, "{'displayName':'Bo'}");
	snprintf(body, sizeof(body), "{'translationOf':'%s','locale':'fr'}", ann);
	byline(h, fr, body);
	assert_int_equal(credit(h, ITEM, "[{'bylineId':'#'},{'bylineId':'#'}]", ann, bo), STET_OK);
	assert_int_equal(credit(h, ITEM2, "[{'bylineId':'#'}]", ann, ""), STET_OK);
	assert_ok(ask(h, editor, "DELETE /bylines/%s", ann));
	assert_string_equal(primary(h), ann);
	assert_int_equal(json_array_size(harness_at(look(h, ITEM, "fr", NULL), "bylines")), 1);
	assert_ok(ask(h, editor, "DELETE /bylines/%s", fr));
	assert_string_equal(primary(h), bo);
	assert_string_equal(harness_text(look(h, ITEM, "en", NULL), "byline.id"), bo);
	assert_int_equal(harness_int(look(h, ITEM, "en", NULL), "bylines[0].sortOrder"), 0);
	assert_string_equal(
	    inside_ask(h, "SELECT primary_byline_id FROM c_posts WHERE id = '" ITEM2 "'"), "");
	assert_string_equal(inside_ask(h, "SELECT count(*) FROM content_byline"), "1");
}

static enum stet_status
copy(struct stet_call *call, void *arg)
{
	struct errand *e = arg;

	return service(call)->copy(call, stet_write_tx(call), "posts", e->id, e->to);
}

static enum stet_status
forget(struct stet_call *call, void *arg)
{
	struct errand *e = arg;

	return service(call)->forget(call, stet_write_tx(call), "posts", e->id);
}

static void
credits_are_copied_and_forgotten(void **state)
{
	struct errand e = { .id = ITEM, .to = ITEM2 };
	struct harness *h = *state;
	char ann[27], bo[27];

	byline(h, ann, "{'displayName':'Ann'}");
	byline(h, bo, "{'displayName':'Bo'}");
	assert_int_equal(inside_write(h, copy, &e), STET_OK);
	assert_int_equal(credit(h, ITEM, "[{'bylineId':'#'},{'bylineId':'#'}]", bo, ann), STET_OK);
	assert_int_equal(inside_write(h, copy, &e), STET_OK);
	assert_string_equal(
	    inside_ask(h, "SELECT primary_byline_id FROM c_posts WHERE id = '" ITEM2 "'"), bo);
	assert_int_equal(json_array_size(harness_at(look(h, ITEM2, "en", NULL), "bylines")), 2);
	assert_int_equal(inside_write(h, forget, &e), STET_OK);
	assert_string_equal(
	    inside_ask(h, "SELECT group_concat(entry_id) FROM content_byline"), ITEM2 "," ITEM2);
}

static void
with_a_collection_go_its_credits(void **state)
{
	struct harness *h = *state;
	char ann[27];

	byline(h, ann, "{'displayName':'Ann'}");
	assert_int_equal(credit(h, ITEM, "[{'bylineId':'#'}]", ann, ""), STET_OK);
	assert_ok(ask(h, admin, "DELETE /schema/collections/pages"));
	assert_string_equal(inside_ask(h, "SELECT count(*) FROM content_byline"), "1");
	assert_ok(ask(h, admin, "DELETE /schema/collections/posts?force=true"));
	assert_string_equal(inside_ask(h, "SELECT count(*) FROM content_byline"), "0");
	assert_ok(ask(h, editor, "DELETE /bylines/%s", ann));
}

static enum stet_status
person(struct stet_call *call, void *arg)
{
	struct errand *e = arg;
	const char *id;

	STET_TRY(
	    service(call)->person(call, stet_write_tx(call), &e->person, sizeof(e->person), &id));
	snprintf(e->got, sizeof(e->got), "%s", id);
	return STET_OK;
}

static const char *
find(struct harness *h, const char *user, const char *name, const char *slug, const char *locale)
{
	static char got[4][27];
	static int at_;
	struct errand e = { .person = { user, name, slug, locale } };

	assert_int_equal(inside_write(h, person, &e), STET_OK);
	at_ = (at_ + 1) % 4;
	memcpy(got[at_], e.got, 27);
	return got[at_];
}

static void
guests_of_importers_are_found_again(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char ann[27];
	const char *id, *other;

	byline(h, ann, "{'displayName':'Ann','slug':'admin','userId':'" USER "'}");
	id = find(h, NULL, "The Admin", "admin", "en");
	assert_string_not_equal(id, ann);
	harness_ok(o, ask(h, admin, "GET /bylines/%s", id));
	assert_string_equal(harness_text(o->data, "slug"), "admin-2");
	assert_string_equal(harness_text(o->data, "displayName"), "The Admin");
	assert_true(json_is_true(harness_at(o->data, "isGuest")));
	assert_string_equal(find(h, NULL, "The Admin", "admin", "en"), id);
	other = find(h, NULL, "Another", "admin", "en");
	harness_ok(o, ask(h, admin, "GET /bylines/%s", other));
	assert_string_equal(harness_text(o->data, "slug"), "admin-3");
	harness_ok(
	    o, ask(h, admin, "GET /bylines/%s", find(h, NULL, "J\xc3\xbcrgen M.", NULL, "fr")));
	assert_string_equal(harness_text(o->data, "slug"), "jrgen-m");
	assert_string_equal(harness_text(o->data, "locale"), "fr");
	/* In another locale the person is the same; another name is another person. */
	id = harness_text(o->data, "id");
	(void)snprintf(ann, sizeof(ann), "%s", id);
	harness_ok(
	    o, ask(h, admin, "GET /bylines/%s", find(h, NULL, "J\xc3\xbcrgen M.", NULL, "en")));
	assert_string_equal(harness_text(o->data, "slug"), "jrgen-m");
	assert_string_equal(harness_text(o->data, "translationGroup"), ann);
	other = find(h, NULL, "J. M.", "jrgen-m", "fr");
	harness_ok(o, ask(h, admin, "GET /bylines/%s", other));
	assert_string_equal(harness_text(o->data, "translationGroup"), other);
}

static void
users_of_importers_get_one_byline(void **state)
{
	struct errand e = { .person = { "nobody", "X", NULL, "en" } };
	struct harness *h = *state;
	struct outcome *o;
	const char *id = find(h, USER, "Ann", "ann", "en"), *fr;

	assert_string_equal(find(h, USER, "Other Name", "x", "en"), id);
	fr = find(h, USER, "Ann", "ann", "fr");
	assert_string_not_equal(fr, id);
	harness_ok(o, ask(h, admin, "GET /bylines/%s", fr));
	assert_string_equal(harness_text(o->data, "translationGroup"), id);
	assert_string_equal(harness_text(o->data, "userId"), USER);
	assert_true(json_is_false(harness_at(o->data, "isGuest")));
	assert_int_equal(inside_write(h, person, &e), STET_VALIDATION_ERROR);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(credits_keep_their_order_and_roles),
		TEST(one_person_is_credited_once),
		TEST(bad_credits_are_refused),
		TEST(what_was_shown_and_comes_back_changes_nothing),
		TEST(a_hundred_credits_are_enough),
		TEST(a_credit_shows_where_it_has_a_locale),
		TEST(the_author_is_inferred_without_credits),
		TEST(a_page_is_one_statement),
		TEST(credits_are_looked_up_by_index),
		TEST(the_version_tells_of_changes),
		TEST(with_the_last_locale_go_the_credits),
		TEST(credits_are_copied_and_forgotten),
		TEST(with_a_collection_go_its_credits),
		TEST(guests_of_importers_are_found_again),
		TEST(users_of_importers_get_one_byline),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
