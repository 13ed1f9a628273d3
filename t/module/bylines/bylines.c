/* bylines.t - byline records: permissions, validation, locales, lists. */
#include "inside.h"
#include "posts.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define USER "01JZZZZZZZZZZZZZZZZZZZZZZ1"
#define OTHER "01JZZZZZZZZZZZZZZZZZZZZZZ2"

static void
add_user(struct harness *h, const char *id)
{
	inside_sql(h,
	    "INSERT INTO users (id, email, role, created_at, updated_at) VALUES (?1,"
	    " lower(?1) || '@example.org', 30, '2026-01-01T00:00:00.000Z',"
	    " '2026-01-01T00:00:00.000Z')",
	    id);
}

static int
begin(void **state)
{
	posts_begin(state);
	add_user(*state, USER);
	add_user(*state, OTHER);
	return 0;
}

/* Creates a byline and returns its id. */
static const char *
byline(struct harness *h, const char *body)
{
	static char id[27];
	struct outcome *o;

	harness_ok(o, say(h, editor, "POST /bylines", "%s", body));
	assert_int_equal(o->http, 201);
	snprintf(id, sizeof(id), "%s", harness_text(o->data, "id"));
	return id;
}

static void
a_byline_has_all_members(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27];

	harness_ok(o, say(h, editor, "POST /bylines",
			  "{'slug':'ann','displayName':'Ann Lee','bio':'Writes.',"
			  "'websiteUrl':'https://example.org/ann',"
			  "'userId':'" USER "'}"));
	assert_int_equal(o->http, 201);
	snprintf(id, sizeof(id), "%s", harness_text(o->data, "id"));
	assert_true(stet_is_id(id));
	assert_string_equal(harness_text(o->data, "translationGroup"), id);
	assert_string_equal(harness_text(o->data, "slug"), "ann");
	assert_string_equal(harness_text(o->data, "displayName"), "Ann Lee");
	assert_string_equal(harness_text(o->data, "bio"), "Writes.");
	assert_string_equal(harness_text(o->data, "websiteUrl"), "https://example.org/ann");
	assert_string_equal(harness_text(o->data, "userId"), USER);
	assert_true(json_is_false(harness_at(o->data, "isGuest")));
	assert_string_equal(harness_text(o->data, "locale"), "en");
	assert_string_equal(harness_text(o->data, "createdAt"), "2026-06-01T12:00:00.000Z");
	assert_int_equal(json_object_size(o->data), 17);
	harness_ok(o, ask(h, subscriber, "GET /bylines/%s", id));
	assert_string_equal(harness_text(o->data, "slug"), "ann");
	assert_int_equal(json_object_size(o->data), 17);
}

static void
a_byline_without_a_user_is_a_guest(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	harness_ok(o, say(h, editor, "POST /bylines", "{'displayName':'Bo'}"));
	assert_true(json_is_true(harness_at(o->data, "isGuest")));
	assert_true(json_is_null(harness_at(o->data, "userId")));
	harness_ok(o, say(h, editor, "POST /bylines", "{'displayName':'Cy','isGuest':false}"));
	assert_true(json_is_false(harness_at(o->data, "isGuest")));
}

static void
slugs_are_made_and_numbered(void **state)
{
	static const char *const made[][2] = {
		{ "Ann Lee", "ann-lee" },
		{ "Ann  Lee!", "ann-lee-2" },
		{ "ann_lee", "ann-lee-3" },
		{ "\xe6\x9d\x8e\xe9\x9b\xb7", "byline" },
		{ "\xe7\x8e\x8b", "byline-2" },
		{ "7 of 9", "byline-7-of-9" },
	};
	struct harness *h = *state;
	struct outcome *o;

	for (size_t i = 0; i < sizeof(made) / sizeof(made[0]); i++) {
		harness_ok(o, say(h, editor, "POST /bylines", "{'displayName':'%s'}", made[i][0]));
		assert_string_equal(harness_text(o->data, "slug"), made[i][1]);
	}
	assert_code(say(h, editor, "POST /bylines", "{'displayName':'X','slug':'ann-lee'}"),
	    "SLUG_CONFLICT");
	assert_ok(
	    say(h, editor, "POST /bylines", "{'displayName':'X','slug':'ann-lee','locale':'fr'}"));
}

static void
bad_members_are_refused_by_name(void **state)
{
	static const char *const bad[][2] = {
		{ "{}", "displayName" },
		{ "{'displayName':''}", "displayName" },
		{ "{'displayName':' '}", "displayName" },
		{ "{'displayName':null}", "displayName" },
		{ "{'displayName':7}", "displayName" },
		{ "{'displayName':'A','slug':''}", "slug" },
		{ "{'displayName':'A','slug':null}", "slug" },
		{ "{'displayName':'A','slug':'A'}", "slug" },
		{ "{'displayName':'A','slug':'1a'}", "slug" },
		{ "{'displayName':'A','slug':'a_b'}", "slug" },
		{ "{'displayName':'A','slug':'a\\n'}", "slug" },
		{ "{'displayName':'A','websiteUrl':'javascript:alert(1)'}", "websiteUrl" },
		{ "{'displayName':'A','websiteUrl':'ftp://example.org'}", "websiteUrl" },
		{ "{'displayName':'A','websiteUrl':'//example.org'}", "websiteUrl" },
		{ "{'displayName':'A','websiteUrl':'https://'}", "websiteUrl" },
		{ "{'displayName':'A','websiteUrl':'https:///x'}", "websiteUrl" },
		{ "{'displayName':'A','websiteUrl':'https://a b'}", "websiteUrl" },
		{ "{'displayName':'A','websiteUrl':'https://a\\n'}", "websiteUrl" },
		{ "{'displayName':'A','websiteUrl':' https://a'}", "websiteUrl" },
		{ "{'displayName':'A','websiteUrl':''}", "websiteUrl" },
		{ "{'displayName':'A','avatarMediaId':''}", "avatarMediaId" },
		{ "{'displayName':'A','userId':'nobody'}", "userId" },
		{ "{'displayName':'A','userId':''}", "userId" },
		{ "{'displayName':'A','userId':'" USER "','isGuest':true}", "isGuest" },
		{ "{'displayName':'A','isGuest':'yes'}", "isGuest" },
		{ "{'displayName':'A','locale':'pt'}", "locale" },
		{ "{'displayName':'A','locale':'?'}", "locale" },
		{ "{'displayName':'A','translationOf':'x'}", NULL },
		{ "{'displayName':'A','colour':'red'}", "colour" },
		{ "{'displayName':'A','id':'x'}", "id" },
	};
	struct harness *h = *state;
	struct outcome *o;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		o = say(h, editor, "POST /bylines", "%s", bad[i][0]);
		assert_code(o, "VALIDATION_ERROR");
		if (bad[i][1] != NULL && !harness_issue(o, bad[i][1]))
			fail_msg("no issue about %s: %s", bad[i][1], o->text);
	}
	harness_ok(o, ask(h, admin, "GET /bylines"));
	assert_int_equal(json_array_size(json_object_get(o->data, "items")), 0);
	assert_ok(say(h, editor, "POST /bylines",
	    "{'displayName':'A','websiteUrl':'HTTP://example.org:8080/a?b=c#d'}"));
}

static void
a_user_has_one_byline_in_a_locale(void **state)
{
	struct harness *h = *state;
	const char *id = byline(h, "{'displayName':'Ann','userId':'" USER "'}");
	char body[256];

	assert_code(
	    say(h, editor, "POST /bylines", "{'displayName':'Ann again','userId':'" USER "'}"),
	    "CONFLICT");
	snprintf(body, sizeof(body), "{'translationOf':'%s','locale':'fr'}", id);
	byline(h, body);
	assert_code(say(h, editor, "POST /bylines", "%s", body), "CONFLICT");
}

static void
a_translation_starts_from_the_other(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27], fr[27];

	snprintf(id, sizeof(id), "%s",
	    byline(h, "{'displayName':'Ann','bio':'Writes.','userId':'" USER "'}"));
	harness_ok(o, say(h, editor, "POST /bylines",
			  "{'translationOf':'%s','locale':'FR','bio':'\xc3\x89"
			  "crit.'}",
			  id));
	snprintf(fr, sizeof(fr), "%s", harness_text(o->data, "id"));
	assert_string_equal(harness_text(o->data, "locale"), "fr");
	assert_string_equal(harness_text(o->data, "slug"), "ann");
	assert_string_equal(harness_text(o->data, "displayName"), "Ann");
	assert_string_equal(harness_text(o->data, "bio"), "\xc3\x89"
							  "crit.");
	assert_string_equal(harness_text(o->data, "userId"), USER);
	assert_string_equal(harness_text(o->data, "translationGroup"), id);
	harness_ok(o, ask(h, subscriber, "GET /bylines/%s/translations", fr));
	assert_string_equal(harness_text(o->data, "translationGroup"), id);
	assert_string_equal(harness_text(o->data, "translations[0].id"), id);
	assert_string_equal(harness_text(o->data, "translations[1].id"), fr);
	assert_int_equal(json_array_size(harness_at(o->data, "translations")), 2);
	/* The source's own locale is taken, and so is the default locale. */
	assert_code(say(h, editor, "POST /bylines", "{'translationOf':'%s','userId':null}", fr),
	    "CONFLICT");
	assert_code(ask(h, subscriber, "GET /bylines/nobody/translations"), "NOT_FOUND");
}

static void
translations_are_made_below_their_source(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27], request[96];

	snprintf(id, sizeof(id), "%s", byline(h, "{'displayName':'Bo'}"));
	snprintf(request, sizeof(request), "POST /bylines/%s/translations", id);
	o = say(h, editor, request, "{}");
	assert_code(o, "VALIDATION_ERROR");
	assert_true(harness_issue(o, "locale"));
	harness_ok(o, say(h, editor, request, "{'locale':'fr','displayName':'Beau'}"));
	assert_int_equal(o->http, 201);
	assert_string_equal(harness_text(o->data, "displayName"), "Beau");
	assert_string_equal(harness_text(o->data, "translationGroup"), id);
	assert_code(say(h, editor, request, "{'locale':'fr'}"), "CONFLICT");
}

static void
an_update_changes_what_it_names(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char request[64];

	byline(h, "{'displayName':'Other','slug':'other','userId':'" OTHER "'}");
	snprintf(request, sizeof(request), "PUT /bylines/%s",
	    byline(h, "{'displayName':'Ann','bio':'Writes.','websiteUrl':'http://a.example'}"));
	at(h, 5000);
	harness_ok(o, say(h, editor, request, "{'displayName':'Ann Lee','bio':null}"));
	assert_string_equal(harness_text(o->data, "displayName"), "Ann Lee");
	assert_true(json_is_null(harness_at(o->data, "bio")));
	assert_string_equal(harness_text(o->data, "websiteUrl"), "http://a.example");
	assert_string_equal(harness_text(o->data, "slug"), "ann");
	assert_string_equal(harness_text(o->data, "createdAt"), "2026-06-01T12:00:00.000Z");
	assert_string_equal(harness_text(o->data, "updatedAt"), "2026-06-01T12:00:05.000Z");
	harness_ok(o, say(h, editor, request, "{'userId':'" USER "'}"));
	assert_true(json_is_false(harness_at(o->data, "isGuest")));
	assert_code(say(h, editor, request, "{'isGuest':true}"), "VALIDATION_ERROR");
	assert_code(say(h, editor, request, "{'userId':'" OTHER "'}"), "CONFLICT");
	assert_code(say(h, editor, request, "{'slug':'other'}"), "SLUG_CONFLICT");
	assert_code(say(h, editor, request, "{'displayName':null}"), "VALIDATION_ERROR");
	assert_code(say(h, editor, request, "{'locale':'fr'}"), "VALIDATION_ERROR");
	harness_ok(o, say(h, editor, request, "{'userId':null}"));
	assert_true(json_is_true(harness_at(o->data, "isGuest")));
	assert_code(say(h, editor, "PUT /bylines/nobody", "{}"), "NOT_FOUND");
}

static void
a_deleted_byline_is_gone(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27];

	snprintf(id, sizeof(id), "%s", byline(h, "{'displayName':'Ann'}"));
	harness_ok(o, ask(h, editor, "DELETE /bylines/%s", id));
	assert_string_equal(harness_text(o->data, "deleted"), id);
	assert_code(ask(h, editor, "DELETE /bylines/%s", id), "NOT_FOUND");
	assert_code(ask(h, editor, "GET /bylines/%s", id), "NOT_FOUND");
	byline(h, "{'displayName':'Ann','slug':'ann'}");
}

static void
a_byline_outlives_its_user(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	const char *id = byline(h, "{'displayName':'Ann','userId':'" USER "'}");

	inside_sql(h, "DELETE FROM users WHERE id = ?1", USER);
	harness_ok(o, ask(h, editor, "GET /bylines/%s", id));
	assert_true(json_is_null(harness_at(o->data, "userId")));
}

/* ---- lists ---- */

static int64_t
count(struct harness *h, const char *query)
{
	struct outcome *o;

	harness_ok(o, ask(h, subscriber, "GET /bylines?%s", query));
	return (int64_t)json_array_size(json_object_get(o->data, "items"));
}

static void
lists_are_filtered(void **state)
{
	struct harness *h = *state;

	byline(h, "{'displayName':'Ann 100%','slug':'a-one','userId':'" USER "'}");
	byline(h, "{'displayName':'Bo_b','slug':'b-two'}");
	byline(h, "{'displayName':'Cyd','slug':'c-three','locale':'fr'}");
	assert_int_equal(count(h, ""), 3);
	assert_int_equal(count(h, "isGuest=true"), 2);
	assert_int_equal(count(h, "isGuest=0"), 1);
	assert_int_equal(count(h, "userId=" USER), 1);
	assert_int_equal(count(h, "userId=" OTHER), 0);
	assert_int_equal(count(h, "locale=FR"), 1);
	assert_int_equal(count(h, "locale=en&isGuest=1"), 1);
	assert_int_equal(count(h, "search=ANN"), 1);
	assert_int_equal(count(h, "search=-t"), 2);
	assert_int_equal(count(h, "search=%25"), 1);
	assert_int_equal(count(h, "search=_"), 1);
	assert_int_equal(count(h, "search=%5C"), 0);
	assert_int_equal(count(h, "search=%27"), 0);
	assert_code(ask(h, subscriber, "GET /bylines?locale=pt"), "VALIDATION_ERROR");
	assert_code(ask(h, subscriber, "GET /bylines?locale="), "VALIDATION_ERROR");
	assert_code(ask(h, subscriber, "GET /bylines?isGuest=maybe"), "VALIDATION_ERROR");
	assert_code(ask(h, subscriber, "GET /bylines?limit=0"), "VALIDATION_ERROR");
	assert_code(ask(h, subscriber, "GET /bylines?limit=101"), "VALIDATION_ERROR");
}

static void
pages_meet_and_end(void **state)
{
	struct harness *h = *state;
	char seen[8][27], next[256] = "";
	struct outcome *o;
	int n = 0, pages = 0;

	/* Three bylines have the same time; the id breaks the tie. */
	for (int i = 0; i < 7; i++) {
		at(h, i / 3 * 1000);
		byline(h, i % 2 == 0 ? "{'displayName':'Even'}" : "{'displayName':'Odd'}");
	}
	do {
		harness_ok(o, ask(h, subscriber, "GET /bylines?limit=2%s%s",
				  *next != '\0' ? "&cursor=" : "", next));
		for (size_t i = 0; i < json_array_size(harness_at(o->data, "items")); i++) {
			char path[32];

			snprintf(path, sizeof(path), "items[%zu].id", i);
			snprintf(seen[n++], 27, "%s", harness_text(o->data, path));
			assert_true(n < 8);
			assert_true(n == 1 || strcmp(seen[n - 2], seen[n - 1]) > 0);
		}
		snprintf(next, sizeof(next), "%s", harness_text(o->data, "nextCursor"));
		pages++;
	} while (*next != '\0');
	assert_int_equal(n, 7);
	assert_int_equal(pages, 4);
	assert_null(harness_at(o->data, "nextCursor"));
	assert_int_equal(count(h, "limit=7"), 7);
	assert_code(ask(h, subscriber, "GET /bylines?cursor=x"), "INVALID_CURSOR");
	assert_code(ask(h, subscriber, "GET /bylines?cursor="), "VALIDATION_ERROR");
}

/* ---- who may ---- */

static void
roles_and_scopes_are_asked_for(void **state)
{
	static const struct harness_user *const low[] = { subscriber, contributor, author };
	static const struct harness_user reader = { "01JZZZZZZZZZZZZZZZZZZZZZZR", 50,
		"content:read", false };
	static const struct harness_user writer = { "01JZZZZZZZZZZZZZZZZZZZZZZR", 50,
		"content:write", false };
	struct harness *h = *state;
	char id[27], put[64], translate[96];

	snprintf(id, sizeof(id), "%s", byline(h, "{'displayName':'Ann'}"));
	snprintf(put, sizeof(put), "PUT /bylines/%s", id);
	snprintf(translate, sizeof(translate), "POST /bylines/%s/translations", id);
	for (size_t i = 0; i < 3; i++) {
		assert_ok(ask(h, low[i], "GET /bylines"));
		assert_ok(ask(h, low[i], "GET /bylines/%s", id));
		assert_ok(ask(h, low[i], "GET /bylines/%s/translations", id));
		assert_ok(ask(h, low[i], "GET /admin/bylines"));
		assert_code(say(h, low[i], "POST /bylines", "{'displayName':'B'}"), "FORBIDDEN");
		assert_code(
		    say(h, low[i], "POST /admin/bylines", "{'displayName':'B'}"), "FORBIDDEN");
		assert_code(say(h, low[i], translate, "{'locale':'fr'}"), "FORBIDDEN");
		assert_code(say(h, low[i], put, "{}"), "FORBIDDEN");
		assert_code(ask(h, low[i], "DELETE /bylines/%s", id), "FORBIDDEN");
		assert_code(ask(h, low[i], "DELETE /admin/bylines/%s", id), "FORBIDDEN");
	}
	assert_code(ask(h, nobody, "GET /bylines"), "UNAUTHORIZED");
	assert_code(say(h, nobody, "POST /bylines", "{}"), "UNAUTHORIZED");
	assert_ok(ask(h, &reader, "GET /bylines"));
	assert_code(ask(h, &reader, "GET /admin/bylines"), "INSUFFICIENT_SCOPE");
	assert_code(say(h, &reader, "POST /bylines", "{}"), "INSUFFICIENT_SCOPE");
	assert_ok(say(h, &writer, "POST /bylines", "{'displayName':'B'}"));
	assert_code(say(h, &writer, "POST /admin/bylines", "{}"), "INSUFFICIENT_SCOPE");
	assert_ok(say(h, admin, put, "{}"));
	assert_ok(ask(h, editor, "DELETE /bylines/%s", id));
}

static void
the_admin_routes_do_the_same(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27], request[96];

	harness_ok(o, say(h, editor, "POST /admin/bylines", "{'displayName':'Ann'}"));
	assert_int_equal(o->http, 201);
	snprintf(id, sizeof(id), "%s", harness_text(o->data, "id"));
	harness_ok(o, ask(h, editor, "GET /admin/bylines/%s", id));
	assert_string_equal(harness_text(o->data, "displayName"), "Ann");
	snprintf(request, sizeof(request), "POST /admin/bylines/%s/translations", id);
	assert_ok(say(h, editor, request, "{'locale':'fr'}"));
	harness_ok(o, ask(h, editor, "GET /admin/bylines/%s/translations", id));
	assert_int_equal(json_array_size(harness_at(o->data, "translations")), 2);
	snprintf(request, sizeof(request), "PUT /admin/bylines/%s", id);
	assert_ok(say(h, editor, request, "{'displayName':'Ann Lee'}"));
	assert_code(harness_request(h, editor, request, "", "{}"), "CSRF_REJECTED");
	assert_ok(ask(h, editor, "DELETE /admin/bylines/%s", id));
	harness_ok(o, ask(h, editor, "GET /admin/bylines"));
	assert_string_equal(harness_text(o->data, "items[0].translationGroup"), id);
	assert_int_equal(json_array_size(harness_at(o->data, "items")), 1);
}

static void
tools_are_the_same_operations(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27];

	harness_ok(o, harness_op(h, editor, "byline_create", "{\"displayName\":\"Ann\"}"));
	snprintf(id, sizeof(id), "%s", harness_text(o->data, "id"));
	assert_ok(harness_op(h, editor, "byline_update", "{\"id\":\"%s\",\"bio\":\"x\"}", id));
	harness_ok(o, harness_op(h, subscriber, "byline_get", "{\"id\":\"%s\"}", id));
	assert_string_equal(harness_text(o->data, "bio"), "x");
	harness_ok(o, harness_op(h, subscriber, "byline_list", "{\"search\":\"ann\"}"));
	assert_string_equal(harness_text(o->data, "items[0].id"), id);
	harness_ok(o, harness_op(h, subscriber, "byline_translations", "{\"id\":\"%s\"}", id));
	assert_string_equal(harness_text(o->data, "translations[0].id"), id);
	assert_code(harness_op(h, author, "byline_delete", "{\"id\":\"%s\"}", id), "FORBIDDEN");
	harness_ok(o, harness_op(h, editor, "byline_delete", "{\"id\":\"%s\"}", id));
	assert_string_equal(harness_text(o->data, "deleted"), id);
}

static void
the_module_can_be_turned_off(void **state)
{
	struct harness *h = *state;

	byline(h, "{'displayName':'Ann'}");
	assert_ok(ask(h, admin, "POST /admin/plugins/bylines/disable"));
	assert_code(ask(h, admin, "GET /bylines"), "NOT_FOUND");
	assert_ok(ask(h, admin, "POST /admin/plugins/bylines/enable"));
	assert_int_equal(count(h, ""), 1);
}

/* ---- hooks ---- */

static int
begin_listening(void **state)
{
	posts_plugins = "t/plugins/listener/.libs";
	begin(state);
	assert_ok(ask(*state, admin, "POST /admin/plugins/listener/enable"));
	return 0;
}

static int
end_listening(void **state)
{
	posts_plugins = NULL;
	return posts_end(state);
}

static void
listeners_are_told_after_the_commit(void **state)
{
	static const char told[] = "SELECT group_concat(point || payload, '\n') FROM"
				   " (SELECT point, payload FROM outbox WHERE module = 'listener'"
				   " ORDER BY id) AS o";
	struct harness *h = *state;
	char id[27], request[64], want[1024];

	snprintf(id, sizeof(id), "%s", byline(h, "{'displayName':'Ann','userId':'" USER "'}"));
	snprintf(request, sizeof(request), "PUT /bylines/%s", id);
	assert_ok(say(h, editor, request, "{'slug':'lee','userId':null}"));
	assert_code(say(h, editor, request, "{'slug':'?'}"), "VALIDATION_ERROR");
	assert_ok(ask(h, editor, "DELETE /bylines/%s", id));
	snprintf(want, sizeof(want),
	    "byline_after_save{\"id\":\"%s\",\"slug\":\"ann\",\"displayName\":\"Ann\","
	    "\"userId\":\"" USER "\",\"locale\":\"en\",\"translationGroup\":\"%s\","
	    "\"isNew\":true}\n"
	    "byline_after_save{\"id\":\"%s\",\"slug\":\"lee\",\"displayName\":\"Ann\","
	    "\"userId\":null,\"locale\":\"en\",\"translationGroup\":\"%s\",\"isNew\":false}\n"
	    "byline_after_delete{\"id\":\"%s\",\"slug\":\"lee\",\"locale\":\"en\","
	    "\"translationGroup\":\"%s\"}",
	    id, id, id, id, id, id);
	assert_string_equal(inside_ask(h, told), want);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, posts_end)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_byline_has_all_members),
		TEST(a_byline_without_a_user_is_a_guest),
		TEST(slugs_are_made_and_numbered),
		TEST(bad_members_are_refused_by_name),
		TEST(a_user_has_one_byline_in_a_locale),
		TEST(a_translation_starts_from_the_other),
		TEST(translations_are_made_below_their_source),
		TEST(an_update_changes_what_it_names),
		TEST(a_deleted_byline_is_gone),
		TEST(a_byline_outlives_its_user),
		TEST(lists_are_filtered),
		TEST(pages_meet_and_end),
		TEST(roles_and_scopes_are_asked_for),
		TEST(the_admin_routes_do_the_same),
		TEST(tools_are_the_same_operations),
		TEST(the_module_can_be_turned_off),
		cmocka_unit_test_setup_teardown(
		    listeners_are_told_after_the_commit, begin_listening, end_listening),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
