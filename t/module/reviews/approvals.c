/* approvals.t - what a program may not do becomes a request, which a person allows or refuses. */
#include "colleagues.h"
#include "people.h"
#include "rpc.h"

#define DRAFTS "content:read content:draft"

/* A program of the author, and people who are signed in. */
static struct harness_user program, person_editor, person_admin, person_author, person_other;

static int
begin(void **state)
{
	colleagues_begin(state);
	program = (struct harness_user){ .id = author->id, .role = 30, .scopes = DRAFTS };
	person_editor = (struct harness_user){ .id = editor->id, .role = 40, .session = true };
	person_admin = (struct harness_user){ .id = admin->id, .role = 50, .session = true };
	person_author = (struct harness_user){ .id = author->id, .role = 30, .session = true };
	person_other = (struct harness_user){ .id = other_author->id, .role = 30, .session = true };
	return 0;
}
#define with_program(name) cmocka_unit_test_setup_teardown(name, begin, posts_end)

static const char *
status_of(struct harness *h)
{
	static char status[20];
	struct outcome *o;

	harness_ok(o, ask(h, admin, "GET /content/posts/%s", draft));
	(void)snprintf(status, sizeof(status), "%s", harness_text(o->data, "item.status"));
	return status;
}

/* The _rev of the draft. */
static const char *
rev(struct harness *h)
{
	static char text[200];
	struct outcome *o;

	harness_ok(o, ask(h, admin, "GET /content/posts/%s", draft));
	(void)snprintf(text, sizeof(text), "%s", harness_text(o->data, "_rev"));
	return text;
}

/* Asks for the publication of the draft; stores the id of the request. */
static void
ask_to_publish(struct harness *h, const struct harness_user *who, char id[27])
{
	struct outcome *o;

	harness_ok(o, say(h, who, "POST /approvals",
			  "{'op':'content_publish','arguments':{'collection':'posts','id':'%s',"
			  "'_rev':'%s'},'message':'It is ready'}",
			  draft, rev(h)));
	(void)snprintf(id, 27, "%s", harness_text(o->data, "approval.id"));
	assert_int_equal(strlen(id), 26);
}

static struct outcome *
decide(struct harness *h, const struct harness_user *who, const char *id, const char *how)
{
	char request[80];

	(void)snprintf(request, sizeof(request), "POST /approvals/%s/%s", id, how);
	return say(h, who, request, "{'message':'Fine by me'}");
}

static const char *
state_of(struct harness *h, const struct harness_user *who, const char *id)
{
	static char text[20];
	struct outcome *o;

	harness_ok(o, ask(h, who, "GET /approvals/%s", id));
	(void)snprintf(text, sizeof(text), "%s", harness_text(o->data, "approval.state"));
	return text;
}

static size_t
listed(struct harness *h, const struct harness_user *who)
{
	struct outcome *o;

	harness_ok(o, ask(h, who, "GET /approvals"));
	return json_array_size(json_object_get(o->data, "items"));
}

static void
a_refused_tool_says_how_to_ask_and_is_run_when_allowed(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27];
	json_t *r;

	r = rpc_call(h, &program, "content_publish", "{'collection':'posts','id':'%s','_rev':'%s'}",
	    draft, rev(h));
	assert_string_equal(rpc_code(r), "PUBLISH_NEEDS_APPROVAL");
	assert_non_null(strstr(rpc_text(r), "the argument approval"));
	r = rpc_call(h, &program, "content_publish",
	    "{'collection':'posts','id':'%s','_rev':'%s','approval':'It is ready'}", draft, rev(h));
	assert_string_equal(rpc_code(r), "APPROVAL_WAITING");
	(void)snprintf(id, sizeof(id), "%s", harness_text(r, "_meta.details.id"));
	assert_non_null(strstr(rpc_text(r), id));
	assert_string_equal(status_of(h), "draft");
	/* The same call is the same request. */
	r = rpc_call(h, &program, "content_publish",
	    "{'_rev':'%s','id':'%s','collection':'posts','approval':'Please'}", rev(h), draft);
	assert_string_equal(harness_text(r, "_meta.details.id"), id);
	harness_ok(o, ask(h, &person_editor, "GET /approvals"));
	assert_int_equal(json_array_size(json_object_get(o->data, "items")), 1);
	assert_string_equal(harness_text(o->data, "items[0].message"), "It is ready");
	assert_string_equal(harness_text(o->data, "items[0].askedByName"), "User");
	assert_string_equal(harness_text(o->data, "items[0].item.title"), "Plan");
	assert_true(json_is_true(harness_at(o->data, "items[0].may.decide")));
	assert_true(json_is_false(harness_at(o->data, "items[0].stale")));
	harness_ok(o, decide(h, &person_editor, id, "allow"));
	assert_string_equal(harness_text(o->data, "op"), "content_publish");
	assert_string_equal(harness_text(o->data, "result.item.status"), "published");
	assert_string_equal(status_of(h), "published");
	/* Once. */
	assert_code(decide(h, &person_editor, id, "allow"), "APPROVAL_NOT_OPEN");
	assert_code(decide(h, &person_editor, id, "refuse"), "APPROVAL_NOT_OPEN");
	r = rpc_call(h, &program, "content_publish",
	    "{'collection':'posts','id':'%s','_rev':'%s','approval':'%s'}", draft, rev(h), id);
	assert_string_equal(rpc_code(r), "APPROVAL_ALLOWED");
	assert_non_null(strstr(rpc_text(r), "Fine by me"));
	assert_string_equal(
	    inside_ask(h, "SELECT count(*) FROM audit_log WHERE op IN ('approval_ask',"
			  " 'approval_allow', 'content_publish')"),
	    "4");
}

static void
no_program_decides(void **state)
{
	struct harness *h = *state;
	struct harness_user all = { .id = editor->id, .role = 40 },
			    named = { .id = admin->id,
				    .role = 50,
				    .scopes = "content:write admin" },
			    own = { .id = author->id, .role = 30, .scopes = "content:write" };
	char id[27];

	ask_to_publish(h, &program, id);
	assert_code(decide(h, &program, id, "allow"), "PUBLISH_NEEDS_APPROVAL");
	assert_code(decide(h, &program, id, "refuse"), "PUBLISH_NEEDS_APPROVAL");
	assert_code(decide(h, &all, id, "allow"), "NOT_FOUND");
	assert_code(decide(h, &named, id, "allow"), "NOT_FOUND");
	/* Its own user's, with a token that could publish: it may, but not in a person's name. */
	assert_code(decide(h, &own, id, "allow"), "FORBIDDEN");
	assert_string_equal(
	    rpc_code(rpc_call(h, &program, "batch",
		"{'calls':[{'op':'content_publish','arguments':{'collection':'posts','id':'%s',"
		"'_rev':'%s'}}],'atomic':true}",
		draft, rev(h))),
	    "PUBLISH_NEEDS_APPROVAL");
	assert_string_equal(status_of(h), "draft");
	assert_string_equal(state_of(h, &person_author, id), "open");
}

static void
a_program_reads_its_own_requests_only(void **state)
{
	struct harness *h = *state;
	struct harness_user stranger = { .id = other_author->id, .role = 30, .scopes = DRAFTS },
			    reads = { .id = author->id,
				    .role = 30,
				    .scopes = "content:read content:write" };
	struct person first, second;
	struct outcome *o;
	char id[27], path[60];

	ask_to_publish(h, &program, id);
	assert_code(ask(h, &stranger, "GET /approvals/%s", id), "NOT_FOUND");
	assert_code(ask(h, &person_other, "GET /approvals/%s", id), "NOT_FOUND");
	assert_code(decide(h, &person_other, id, "allow"), "NOT_FOUND");
	assert_code(decide(h, &stranger, id, "refuse"), "PUBLISH_NEEDS_APPROVAL");
	assert_int_equal(listed(h, &stranger), 0);
	assert_int_equal(listed(h, &person_other), 0);
	assert_int_equal(listed(h, &reads), 1);
	/* Two tokens of one editor: neither sees what the other has asked. */
	first =
	    person_make(h, "a@example.org", "editor", "[\"content:read\",\"content:draft\"]", NULL);
	harness_ok(o, harness_op(h, admin, "token_add",
			  "{\"email\":\"a@example.org\",\"name\":\"two\",\"scope\":"
			  "[\"content:read\",\"content:draft\"]}"));
	(void)snprintf(second.token, sizeof(second.token), "%s", harness_text(o->data, "token"));
	harness_ok(
	    o, person_ask(h, first.token, "POST /approvals",
		   "{\"op\":\"menu_create\",\"arguments\":{\"name\":\"m\",\"label\":\"M\"}}"));
	assert_string_equal(harness_text(o->data, "approval.client"), "test");
	(void)snprintf(
	    path, sizeof(path), "GET /approvals/%s", harness_text(o->data, "approval.id"));
	assert_ok(person_ask(h, first.token, path, NULL));
	assert_code(person_ask(h, second.token, path, NULL), "NOT_FOUND");
	harness_ok(o, person_ask(h, second.token, "GET /approvals", NULL));
	assert_int_equal(json_array_size(json_object_get(o->data, "items")), 0);
	/* Its access ends, and so does what it has asked for. */
	assert_int_equal(listed(h, &person_editor), 2);
	person_sql(h, "DELETE FROM api_tokens WHERE id = ?1", first.token_id);
	assert_int_equal(listed(h, &person_editor), 1);
	(void)snprintf(id, sizeof(id), "%.26s", path + sizeof("GET /approvals/") - 1);
	assert_string_equal(state_of(h, &person_editor, id), "withdrawn");
	assert_code(decide(h, &person_editor, id, "allow"), "APPROVAL_NOT_OPEN");
}

static void
who_has_asked_may_withdraw(void **state)
{
	struct harness *h = *state;
	char id[27], path[60];

	ask_to_publish(h, &program, id);
	(void)snprintf(path, sizeof(path), "POST /approvals/%s/withdraw", id);
	assert_code(say(h, &person_editor, path, "{}"), "FORBIDDEN");
	assert_ok(say(h, &program, path, "{}"));
	assert_string_equal(state_of(h, &person_editor, id), "withdrawn");
	assert_code(say(h, &program, path, "{}"), "APPROVAL_NOT_OPEN");
}

static void
an_item_that_has_changed_is_not_allowed(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27], again[27];

	ask_to_publish(h, &program, id);
	assert_ok(say(h, author, "PUT /content/posts/plan", "{'data':{'title':'Another'}}"));
	harness_ok(o, ask(h, &person_editor, "GET /approvals/%s", id));
	assert_true(json_is_true(harness_at(o->data, "approval.stale")));
	o = decide(h, &person_editor, id, "allow");
	assert_code(o, "CONFLICT");
	assert_non_null(strstr(o->message, "version"));
	assert_string_equal(status_of(h), "draft");
	assert_string_equal(state_of(h, &program, id), "open");
	ask_to_publish(h, &program, again);
	assert_string_not_equal(again, id);
	assert_ok(decide(h, &person_editor, again, "allow"));
	assert_string_equal(status_of(h), "published");
	/* In the trash it is nothing to decide about. */
	assert_ok(decide(h, &person_editor, id, "refuse"));
}

static void
a_request_ends_with_its_item_its_user_and_its_time(void **state)
{
	struct harness *h = *state;
	char id[27];

	ask_to_publish(h, &program, id);
	assert_ok(ask(h, author, "DELETE /content/posts/plan"));
	assert_string_equal(state_of(h, &program, id), "withdrawn");
	assert_code(decide(h, &person_editor, id, "allow"), "APPROVAL_NOT_OPEN");
	assert_ok(harness_op(
	    h, admin, "content_restore", "{\"collection\":\"posts\",\"id\":\"%s\"}", draft));
	ask_to_publish(h, &program, id);
	inside_sql(h, "UPDATE users SET disabled = 1 WHERE id = ?1", author->id);
	assert_string_equal(state_of(h, &person_editor, id), "withdrawn");
	assert_int_equal(listed(h, &person_editor), 0);
	inside_sql(h, "UPDATE users SET disabled = 0 WHERE id = ?1", author->id);
	assert_ok(decide(h, &person_editor, id, "refuse"));
	assert_string_equal(state_of(h, &program, id), "refused");
	ask_to_publish(h, &program, id);
	assert_ok(say(h, &program, "POST /approvals",
	    "{'op':'menu_create','arguments':"
	    "{'name':'m','label':'M'}}"));
	harness_clock(h, "2026-06-08T12:00:00.000Z");
	assert_string_equal(state_of(h, &program, id), "expired");
	assert_code(decide(h, &person_editor, id, "allow"), "APPROVAL_NOT_OPEN");
	assert_int_equal(listed(h, &person_editor), 0);
	inside_run_job(h, "reviews");
	assert_string_equal(
	    inside_ask(h, "SELECT count(*) FROM approval WHERE state = 'expired'"), "2");
	harness_clock(h, "2026-12-08T12:00:00.000Z");
	inside_run_job(h, "reviews");
	assert_string_equal(inside_ask(h, "SELECT count(*) FROM approval"), "0");
}

static void
what_is_allowed_is_done_with_the_rights_of_who_allows_it(void **state)
{
	struct harness *h = *state;
	struct harness_user demoted = { .id = editor->id, .role = 20, .session = true };
	struct harness_user ada = { .id = admin->id, .role = 50, .scopes = DRAFTS };
	struct outcome *o;
	char id[27];

	ask_to_publish(h, &program, id);
	assert_code(decide(h, &demoted, id, "allow"), "NOT_FOUND");
	assert_ok(decide(h, &person_author, id, "allow")); /* the item is theirs */
	/* An administrator's program asks for what an editor may not do. */
	o = say(h, &ada, "POST /approvals",
	    "{'op':'schema_create_collection','arguments':{'slug':'new','label':'N',"
	    "'labelSingular':'N'}}");
	harness_ok(o, o);
	(void)snprintf(id, sizeof(id), "%s", harness_text(o->data, "approval.id"));
	assert_int_equal(listed(h, &person_editor), 0);
	assert_code(ask(h, &person_editor, "GET /approvals/%s", id), "NOT_FOUND");
	assert_code(decide(h, &person_editor, id, "allow"), "NOT_FOUND");
	assert_code(decide(h, &person_editor, id, "refuse"), "NOT_FOUND");
	assert_int_equal(listed(h, &person_admin), 1);
	harness_ok(o, decide(h, &person_admin, id, "allow"));
	assert_ok(ask(h, admin, "GET /schema/collections/new"));
}

static void
a_call_that_fails_leaves_the_request_open(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27];

	harness_ok(o, say(h, &program, "POST /approvals",
			  "{'op':'menu_create','arguments':{'name':'main','label':'M'}}"));
	(void)snprintf(id, sizeof(id), "%s", harness_text(o->data, "approval.id"));
	assert_ok(harness_op(h, admin, "menu_create", "{\"name\":\"main\",\"label\":\"M\"}"));
	assert_int_equal(decide(h, &person_editor, id, "allow")->http, 409);
	assert_string_equal(state_of(h, &program, id), "open");
	assert_ok(decide(h, &person_editor, id, "refuse"));
}

static void
what_needs_no_approval_or_cannot_be_is_not_asked_for(void **state)
{
	static const struct {
		const char *body, *code;
	} bad[] = {
		{ "{'op':'nothing'}", "NOT_FOUND" },
		{ "{'op':'batch','arguments':{'calls':[]}}", "INVALID_INPUT" },
		{ "{'op':'content_publish','arguments':{'collection':'posts'}}",
		    "VALIDATION_ERROR" },
		{ "{'op':'content_publish','arguments':{'collection':'posts','id':'none',"
		  "'_rev':'x'}}",
		    "NOT_FOUND" },
		{ "{'op':'content_publish','arguments':{'collection':'none','id':'none',"
		  "'_rev':'x'}}",
		    "NOT_FOUND" },
		{ "{'op':'content_list','arguments':{'collection':'posts'}}",
		    "APPROVAL_NOT_NEEDED" },
		{ "{'op':'menu_create','arguments':{'name':'m','label':'M'},'message':' '}",
		    "VALIDATION_ERROR" },
	};
	struct harness_user writes = { .id = editor->id, .role = 40, .scopes = "content:write" },
			    sub = { .id = subscriber->id, .role = 10, .scopes = DRAFTS };
	struct harness *h = *state;

	for (size_t i = 0; i < COUNT(bad); i++)
		assert_code(say(h, &program, "POST /approvals", "%s", bad[i].body), bad[i].code);
	assert_code(say(h, &program, "POST /approvals",
			"{'op':'content_update','arguments':{'collection':'posts','id':'%s',"
			"'_rev':'%s','data':{'title':'No'}}}",
			draft, rev(h)),
	    "APPROVAL_NOT_NEEDED");
	assert_code(say(h, &writes, "POST /approvals",
			"{'op':'content_publish','arguments':{'collection':'posts','id':'%s',"
			"'_rev':'%s'}}",
			draft, rev(h)),
	    "APPROVAL_NOT_NEEDED");
	assert_code(say(h, &sub, "POST /approvals", "{'op':'menu_create'}"), "FORBIDDEN");
	assert_string_equal(
	    inside_ask(h, "SELECT status || ' ' || f_title FROM c_posts WHERE slug = 'plan'"),
	    "draft Plan");
	assert_string_equal(inside_ask(h, "SELECT count(*) FROM approval"), "0");
}

static void
open_requests_of_a_program_are_bounded(void **state)
{
	struct harness *h = *state;

	for (int i = 0; i < 21; i++) {
		struct outcome *o = say(h, &program, "POST /approvals",
		    "{'op':'menu_create','arguments':{'name':'m%d','label':'M'}}", i);

		assert_code(o, i < 20 ? "" : "APPROVALS_FULL");
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		with_program(a_refused_tool_says_how_to_ask_and_is_run_when_allowed),
		with_program(no_program_decides),
		with_program(a_program_reads_its_own_requests_only),
		with_program(who_has_asked_may_withdraw),
		with_program(an_item_that_has_changed_is_not_allowed),
		with_program(a_request_ends_with_its_item_its_user_and_its_time),
		with_program(what_is_allowed_is_done_with_the_rights_of_who_allows_it),
		with_program(a_call_that_fails_leaves_the_request_open),
		with_program(what_needs_no_approval_or_cannot_be_is_not_asked_for),
		with_program(open_requests_of_a_program_are_bounded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
