/* rights.t - who sees and takes back what assistants did: people, and tokens of every kind. */
#include "inside.h"
#include "people.h"
#include "posts.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct person bot;
static char post[27], session[27], record_of_post[27], record_of_menu[27];

/* Sends a request with a token, with " for each ' in its body. */
static struct outcome *
act(struct harness *h, const char *token, const char *request, const char *body)
{
	char *text = body != NULL ? double_quotes(strdup(body)) : NULL;
	struct outcome *o = person_ask(h, token, request, text);

	free(text);
	return o;
}

/* A request whose path has an id in place of %s. */
static struct outcome *
of(struct harness *h, const char *token, const char *request, const char *id)
{
	const char *at = strstr(request, "%s");
	char text[200];

	assert_non_null(at);
	snprintf(text, sizeof(text), "%.*s%s%s", (int)(at - request), request, id, at + 2);
	return act(h, token, text, NULL);
}

/* The assistant of an administrator writes a post, a page, a menu and a setting. */
static int
begin(void **state)
{
	struct harness *h;

	if (posts_begin_seo(state) != 0)
		return -1;
	h = *state;
	bot = person_make(h, "bot@example.org", "admin", "[\"admin\"]", NULL);
	make(h, editor, post, "{'slug':'a','data':{'title':'A'}}");
	assert_ok(act(h, bot.token, "PUT " BASE "/a", "{'data':{'title':'Bot'}}"));
	assert_ok(act(h, bot.token, "POST /content/pages", "{'slug':'p','data':{'name':'P'}}"));
	assert_ok(act(h, bot.token, "POST /menus", "{'name':'main','label':'Main'}"));
	assert_ok(act(h, bot.token, "POST /settings", "{'siteTitle':'Bot'}"));
	snprintf(session, 27, "%s", inside_ask(h, "SELECT id FROM assistant_session"));
	snprintf(record_of_post, 27, "%s",
	    inside_ask(h, "SELECT id FROM history WHERE kind = 'item' AND op = 'content_put'"));
	snprintf(
	    record_of_menu, 27, "%s", inside_ask(h, "SELECT id FROM history WHERE kind = 'menu'"));
	return 0;
}

/* The assistant's token has these scopes from now on. */
static void
narrow(struct harness *h, const char *scopes)
{
	person_sql(h, "UPDATE api_tokens SET scopes = ?1 WHERE name = 'test'", scopes);
}

/* The kinds of the records of the session that the token sees, newest first. */
static void
sees(struct harness *h, const char *token, const char *want)
{
	struct outcome *o = of(h, token, "GET /assistant-sessions/%s", session);
	json_t *item;
	char *text;
	size_t i, len;
	FILE *to = open_memstream(&text, &len);

	assert_ok(o);
	assert_non_null(to);
	json_array_foreach(harness_at(o->data, "items"), i, item)
	{
		fprintf(to, "%s%s", i > 0 ? " " : "", harness_text(item, "subject"));
	}
	fclose(to);
	for (char *s = text; *s != '\0'; s++)
		if (*s == '/')
			*s = ' ', s[1] = '\0';
	if (strcmp(text, want) != 0)
		fail_msg("sees \"%s\", not \"%s\": %s", text, want, o->text);
	free(text);
}

static int64_t
sessions(struct outcome *o)
{
	assert_ok(o);
	return (int64_t)json_array_size(harness_at(o->data, "items"));
}

static bool
is_as_the_assistant_left_it(struct harness *h)
{
	struct outcome *o;
	bool is;

	harness_ok(o, ask(h, admin, "GET " BASE "/a"));
	is = strcmp(harness_text(o->data, "item.data.title"), "Bot") == 0;
	harness_ok(o, ask(h, admin, "GET /menus/main"));
	return is && strcmp(harness_text(o->data, "label"), "Main") == 0;
}

static void
a_token_that_reads_takes_nothing_back(void **state)
{
	struct harness *h = *state;

	narrow(h, "content:read");
	assert_int_equal(sessions(act(h, bot.token, "GET /assistant-sessions", NULL)), 1);
	assert_ok(of(h, bot.token, "GET /history/%s", record_of_post));
	assert_code(act(h, bot.token, "GET /history?kind=settings", NULL), "INSUFFICIENT_SCOPE");
	assert_code(
	    of(h, bot.token, "POST /history/%s/restore", record_of_post), "INSUFFICIENT_SCOPE");
	assert_code(
	    of(h, bot.token, "POST /assistant-sessions/%s/undo", session), "INSUFFICIENT_SCOPE");
	narrow(h, "media:read");
	assert_code(act(h, bot.token, "GET /assistant-sessions", NULL), "INSUFFICIENT_SCOPE");
	assert_code(of(h, bot.token, "GET /history/%s", record_of_post), "INSUFFICIENT_SCOPE");
	assert_true(is_as_the_assistant_left_it(h));
}

static void
a_token_for_drafts_takes_nothing_back(void **state)
{
	struct harness *h = *state;

	narrow(h, "content:read content:draft");
	assert_int_equal(sessions(act(h, bot.token, "GET /assistant-sessions", NULL)), 1);
	assert_code(
	    of(h, bot.token, "POST /history/%s/restore", record_of_post), "PUBLISH_NEEDS_APPROVAL");
	assert_code(of(h, bot.token, "POST /assistant-sessions/%s/undo", session),
	    "PUBLISH_NEEDS_APPROVAL");
	assert_true(is_as_the_assistant_left_it(h));
}

static void
a_token_for_some_collections_sees_and_takes_back_those(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	narrow(h, "content:read content:write collection:pages");
	sees(h, bot.token, "pages ");
	harness_ok(o, act(h, bot.token, "GET /history?kind=item", NULL));
	assert_int_equal(json_array_size(harness_at(o->data, "items")), 1);
	assert_code(of(h, bot.token, "GET /history/%s", record_of_post), "INSUFFICIENT_SCOPE");
	assert_code(of(h, bot.token, "GET /history/%s", record_of_menu), "INSUFFICIENT_SCOPE");
	assert_code(act(h, bot.token, "GET /history?kind=menu", NULL), "INSUFFICIENT_SCOPE");
	assert_code(
	    of(h, bot.token, "POST /history/%s/restore", record_of_post), "INSUFFICIENT_SCOPE");
	assert_code(
	    of(h, bot.token, "POST /history/%s/restore", record_of_menu), "INSUFFICIENT_SCOPE");
	harness_ok(o, of(h, bot.token, "POST /assistant-sessions/%s/undo", session));
	assert_int_equal(json_array_size(harness_at(o->data, "items")), 1);
	if (strcmp(harness_text(o->data, "items[0].result"), "undone") != 0)
		fail_msg("%s", o->text);
	assert_code(ask(h, admin, "GET /content/pages/p"), "NOT_FOUND");
	assert_true(is_as_the_assistant_left_it(h));
}

/* An undo runs as the caller: what they may not change is told, and stays. */
static void
what_the_scopes_do_not_open_stays(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	narrow(h, "content:read content:write settings:read");
	harness_ok(o, of(h, bot.token, "POST /assistant-sessions/%s/undo", session));
	assert_int_equal(json_array_size(harness_at(o->data, "items")), 4);
	assert_string_equal(harness_text(o->data, "items[0].result"), "skipped");
	for (int i = 1; i < 4; i++)
		if (strcmp(harness_text(
			       json_array_get(harness_at(o->data, "items"), (size_t)i), "result"),
			"undone") != 0)
			fail_msg("%s", o->text);
	harness_ok(o, ask(h, admin, "GET /settings"));
	assert_string_equal(harness_text(o->data, "siteTitle"), "Bot");
	/* What the undo wrote belongs to no session: a second one does not undo the first. */
	harness_ok(o, of(h, bot.token, "POST /assistant-sessions/%s/undo", session));
	assert_int_equal(json_array_size(harness_at(o->data, "items")), 1);
}

static void
a_token_sees_its_own_sessions_and_a_person_all_of_theirs(void **state)
{
	struct harness *h = *state;
	const struct harness_user person[1] = { { .id = bot.id, .role = 50, .session = true } },
				  plain[1] = { { .id = bot.id, .role = 20, .session = true } };
	struct person other =
	    person_make(h, "other@example.org", "admin", "[\"content:read\"]", NULL);
	struct outcome *o;

	person_sql(h, "UPDATE api_tokens SET user_id = (SELECT id FROM users WHERE email = ?1)",
	    "bot@example.org");
	assert_int_equal(sessions(act(h, other.token, "GET /assistant-sessions", NULL)), 0);
	assert_code(
	    of(h, other.token, "GET /assistant-sessions/%s", session), "INSUFFICIENT_SCOPE");
	assert_int_equal(sessions(ask(h, person, "GET /assistant-sessions")), 1);
	assert_int_equal(sessions(ask(h, plain, "GET /assistant-sessions")), 1);
	assert_int_equal(sessions(ask(h, admin, "GET /assistant-sessions")), 1);
	assert_int_equal(sessions(ask(h, editor, "GET /assistant-sessions")), 0);
	assert_code(ask(h, editor, "GET /assistant-sessions/%s", session), "FORBIDDEN");
	assert_code(ask(h, editor, "POST /assistant-sessions/%s/undo", session), "FORBIDDEN");
	assert_code(ask(h, subscriber, "GET /assistant-sessions"), "FORBIDDEN");
	assert_code(ask(h, nobody, "GET /assistant-sessions"), "UNAUTHORIZED");
	assert_code(ask(h, nobody, "GET /history?kind=item"), "UNAUTHORIZED");
	assert_code(ask(h, subscriber, "GET /history/%s", record_of_post), "FORBIDDEN");
	/* A contributor changes no items of others: nothing is taken back. */
	harness_ok(o, ask(h, plain, "POST /assistant-sessions/%s/undo", session));
	assert_true(is_as_the_assistant_left_it(h));
}

/* A write reads states as the system: what the caller then does is judged by their own rights. */
static void
a_write_does_not_leave_the_rights_of_the_system(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	narrow(h, "content:write");
	o = act(h, bot.token, "PUT " BASE "/a", "{'_rev':'MTox','data':{'title':'B'}}");
	assert_code(o, "CONFLICT");
	assert_null(json_object_get(o->details, "currentRev"));
	assert_null(json_object_get(o->details, "currentRevisionId"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, posts_end)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_token_that_reads_takes_nothing_back),
		TEST(a_token_for_drafts_takes_nothing_back),
		TEST(a_token_for_some_collections_sees_and_takes_back_those),
		TEST(what_the_scopes_do_not_open_stays),
		TEST(a_token_sees_its_own_sessions_and_a_person_all_of_theirs),
		TEST(a_write_does_not_leave_the_rights_of_the_system),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
