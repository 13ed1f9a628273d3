/* outlived.c - things that act for a user later, and stop when the user loses the right: schedules,
 * preview links, delivery tokens, tokens. Invitations are in t/module/signin/invites.c, grants in
 * t/module/oauth, sessions in t/module/signin/sessions.c, imports in t/module/import. */
#include "browser.h"
#include "inside.h"
#include "people.h"
#include "posts.h"
#include <stdio.h>

#define NAME "eve@example.org"

/* A user of the site, who makes requests. */
struct maker {
	char id[27];
	struct harness_user user;
};

static void
make_user(struct harness *h, struct maker *m, const char *role, int number)
{
	browser_user(h, NAME, role, m->id);
	m->user = (struct harness_user){ .id = m->id, .role = number };
}

static void
set_role(struct harness *h, const char *role)
{
	assert_ok(harness_op(
	    h, admin, "user_set_role", "{\"email\":\"" NAME "\",\"role\":\"%s\"}", role));
}

static void
let_in(struct harness *h, bool in)
{
	assert_ok(
	    harness_op(h, admin, in ? "user_enable" : "user_disable", "{\"email\":\"" NAME "\"}"));
}

/* ---- schedules ---- */

static void
schedule(struct harness *h, const struct maker *m, const char *request)
{
	assert_ok(say(h, &m->user, request, "{'scheduledAt':'2026-06-01T12:00:10Z'}"));
}

/* Returns the status of the item after the job has run at this time. */
static const char *
status_at(struct harness *h, const char *id, int ms)
{
	struct outcome *o;

	at(h, ms);
	inside_sweep(h);
	harness_ok(o, ask(h, editor, "GET " BASE "/%s", id));
	return harness_text(o->data, "item.status");
}

static void
a_schedule_waits_while_its_user_may_not_publish(void **state)
{
	struct harness *h = *state;
	char id[27], request[100];
	struct maker eve;

	make_user(h, &eve, "editor", 40);
	make(h, author, id, "{'data':{'title':'A'}}");
	snprintf(request, sizeof(request), "POST " BASE "/%s/schedule", id);
	schedule(h, &eve, request);
	let_in(h, false);
	assert_string_equal(status_at(h, id, 10000), "scheduled");
	let_in(h, true);
	set_role(h, "author"); /* authors may not publish items of others */
	assert_string_equal(status_at(h, id, 80000), "scheduled");
	set_role(h, "editor");
	assert_string_equal(status_at(h, id, 160000), "published");
}

static void
a_schedule_of_ones_own_needs_the_right_for_ones_own(void **state)
{
	struct harness *h = *state;
	char id[27], request[100];
	struct maker eve;

	make_user(h, &eve, "author", 30);
	make(h, &eve.user, id, "{'data':{'title':'A'}}");
	snprintf(request, sizeof(request), "POST " BASE "/%s/schedule", id);
	schedule(h, &eve, request);
	set_role(h, "contributor");
	assert_string_equal(status_at(h, id, 10000), "scheduled");
	set_role(h, "author");
	assert_string_equal(status_at(h, id, 80000), "published");
}

static void
somebody_else_may_take_a_schedule_over(void **state)
{
	struct harness *h = *state;
	char id[27], request[100];
	struct maker eve;

	make_user(h, &eve, "editor", 40);
	make(h, author, id, "{'data':{'title':'A'}}");
	snprintf(request, sizeof(request), "POST " BASE "/%s/schedule", id);
	schedule(h, &eve, request);
	inside_sql(h, "DELETE FROM users WHERE id = ?1", eve.id);
	assert_string_equal(status_at(h, id, 10000), "scheduled");
	assert_ok(say(h, editor, request, "{'scheduledAt':'2026-06-01T12:00:20Z'}"));
	assert_string_equal(status_at(h, id, 80000), "published");
	assert_string_equal(inside_ask(h, "SELECT COUNT(*) FROM item_scheduler"), "0");
}

/* ---- links and tokens ---- */

static void
a_preview_link_ends_when_its_maker_may_not_read_drafts(void **state)
{
	struct harness *h = *state;
	char id[27], token[600];
	struct outcome *o;
	struct maker eve;

	make_user(h, &eve, "contributor", 20);
	make(h, author, id, "{'data':{'title':'A'}}");
	harness_ok(o, ask(h, &eve.user, "POST " BASE "/%s/preview-url", id));
	snprintf(token, sizeof(token), "%s", harness_text(o->data, "token"));
	assert_ok(ask(h, nobody, "GET " BASE "/%s?_preview=%s", id, token));
	set_role(h, "subscriber");
	assert_code(ask(h, nobody, "GET " BASE "/%s?_preview=%s", id, token), "UNAUTHORIZED");
	set_role(h, "author");
	assert_ok(ask(h, nobody, "GET " BASE "/%s?_preview=%s", id, token));
	let_in(h, false);
	assert_code(ask(h, nobody, "GET " BASE "/%s?_preview=%s", id, token), "UNAUTHORIZED");
}

static struct outcome *
read_by(struct harness *h, const char *token)
{
	return person_ask(h, token, "GET " BASE, NULL);
}

static void
a_delivery_token_works_while_its_maker_may_make_one(void **state)
{
	struct harness *h = *state;
	char token[64], kept[64];
	struct outcome *o;
	struct maker eve;

	make_user(h, &eve, "admin", 50);
	harness_ok(o, say(h, &eve.user, "POST /admin/delivery-tokens", "{'name':'a'}"));
	assert_string_equal(harness_text(o->data, "info.createdBy"), eve.id);
	assert_true(json_is_false(harness_at(o->data, "info.suspended")));
	snprintf(token, sizeof(token), "%s", harness_text(o->data, "token"));
	harness_ok(o, harness_op(h, admin, "token_add", "{\"delivery\":true,\"name\":\"b\"}"));
	snprintf(kept, sizeof(kept), "%s", harness_text(o->data, "token"));
	assert_ok(read_by(h, token));
	set_role(h, "editor");
	assert_code(read_by(h, token), "UNAUTHORIZED");
	harness_ok(o, ask(h, admin, "GET /admin/delivery-tokens"));
	assert_true(json_is_false(harness_at(o->data, "items[0].suspended")));
	assert_true(json_is_true(harness_at(o->data, "items[1].suspended")));
	set_role(h, "admin");
	assert_ok(read_by(h, token));
	let_in(h, false);
	assert_code(read_by(h, token), "UNAUTHORIZED");
	inside_sql(h, "DELETE FROM users WHERE id = ?1", eve.id);
	assert_code(read_by(h, token), "UNAUTHORIZED");
	assert_ok(read_by(h, kept)); /* no user made it */
}

static void
a_token_has_the_rights_that_its_user_has_now(void **state)
{
	struct harness *h = *state;
	struct person eve = person_make(h, NAME, "admin", "[\"admin\"]", NULL);

	assert_ok(person_ask(h, eve.token, "GET /admin/users", NULL));
	set_role(h, "editor");
	assert_code(person_ask(h, eve.token, "GET /admin/users", NULL), "FORBIDDEN");
	let_in(h, false);
	assert_code(person_ask(h, eve.token, "GET /auth/me", NULL), "UNAUTHORIZED");
}

/* Opens a site with another administrator, who stays. */
static int
begin(void **state)
{
	char id[27];
	int failed = posts_begin(state);

	browser_user(*state, "root@example.org", "admin", id);
	return failed;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, posts_end)

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(a_schedule_waits_while_its_user_may_not_publish),
		TEST(a_schedule_of_ones_own_needs_the_right_for_ones_own),
		TEST(somebody_else_may_take_a_schedule_over),
		TEST(a_preview_link_ends_when_its_maker_may_not_read_drafts),
		TEST(a_delivery_token_works_while_its_maker_may_make_one),
		TEST(a_token_has_the_rights_that_its_user_has_now),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
