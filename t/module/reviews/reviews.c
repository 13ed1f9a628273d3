/* reviews.t - requests for review: who asks, who decides, and what becomes of them. */
#include "colleagues.h"

/* Asserts the state of the present request. */
static struct outcome *
state_is(struct harness *h, const char *expected)
{
	struct outcome *o;

	harness_ok(o, on(h, contributor, "GET", "/review", NULL));
	assert_string_equal(harness_text(o->data, "review.state"), expected);
	return o;
}

static int64_t
waiting(struct harness *h, const struct harness_user *user, const char *member)
{
	struct outcome *o;

	harness_ok(o, ask(h, user, "GET /reviews/counts"));
	return harness_int(o->data, member);
}

static void
a_request_is_asked_approved_and_published(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	harness_ok(o, on(h, author, "GET", "/review", NULL));
	assert_true(json_is_null(harness_at(o->data, "review")));
	assert_true(json_is_true(harness_at(o->data, "may.ask")));
	assert_int_equal(on(h, author, "POST", "/review", "{'message':'Please'}")->http, 201);
	assert_code(on(h, author, "POST", "/review", NULL), "REVIEW_OPEN");
	assert_int_equal(waiting(h, editor, "waiting"), 1);
	assert_int_equal(waiting(h, author, "waiting"), 0);
	harness_ok(o, ask(h, editor, "GET /reviews"));
	assert_string_equal(harness_text(o->data, "items[0].item.title"), "Plan");
	assert_string_equal(harness_text(o->data, "items[0].review.message"), "Please");

	harness_ok(o, on(h, editor, "POST", "/review/approve", "{'version':1}"));
	assert_true(json_is_false(harness_at(o->data, "review.changedSince")));
	assert_int_equal(waiting(h, author, "approved"), 1);
	/* Nothing public has moved. */
	assert_code(on(h, nobody, "GET", "", NULL), "UNAUTHORIZED");
	assert_code(on(h, subscriber, "GET", "", NULL), "NOT_FOUND");
	/* A later edit is told. */
	assert_ok(on(h, author, "PUT", "", "{'data':{'title':'New plan'}}"));
	o = state_is(h, "approved");
	assert_true(json_is_true(harness_at(o->data, "review.changedSince")));
	assert_ok(on(h, editor, "PUT", "", "{'status':'published'}"));
	state_is(h, "published");
	assert_int_equal(waiting(h, author, "approved"), 0);
}

static void
a_request_is_returned_and_asked_again(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	assert_ok(on(h, author, "POST", "/review", "{}"));
	assert_code(on(h, editor, "POST", "/review/return", "{}"), "VALIDATION_ERROR");
	assert_ok(on(h, editor, "POST", "/review/return", "{'message':'Too short'}"));
	assert_code(on(h, editor, "POST", "/review/approve", NULL), "REVIEW_NOT_OPEN");
	assert_int_equal(waiting(h, author, "returned"), 1);
	harness_ok(o, ask(h, author, "GET /reviews?for=asked&state=returned"));
	assert_string_equal(harness_text(o->data, "items[0].review.answer"), "Too short");
	assert_ok(on(h, author, "POST", "/review", "{}"));
	state_is(h, "open");
	assert_int_equal(waiting(h, author, "returned"), 0);
	assert_ok(on(h, author, "POST", "/review/withdraw", NULL));
	state_is(h, "withdrawn");
	assert_string_equal(inside_ask(h, "SELECT count(*) FROM review"), "2");
}

static void
an_approval_is_of_the_version_that_was_read(void **state)
{
	struct harness *h = *state;

	assert_ok(on(h, author, "POST", "/review", NULL));
	assert_ok(on(h, author, "PUT", "", "{'data':{'title':'Other'}}"));
	assert_code(on(h, editor, "POST", "/review/approve", "{'version':1}"), "CONFLICT");
	assert_ok(on(h, editor, "POST", "/review/approve", "{'version':2}"));
}

static void
only_those_who_may_do_so_ask_and_decide(void **state)
{
	struct harness *h = *state;
	char own[27];

	assert_code(on(h, nobody, "POST", "/review", "{}"), "UNAUTHORIZED");
	assert_code(on(h, subscriber, "POST", "/review", "{}"), "FORBIDDEN");
	assert_code(on(h, contributor, "POST", "/review", "{}"), "FORBIDDEN");
	assert_code(on(h, other_author, "POST", "/review", "{}"), "FORBIDDEN");
	assert_ok(on(h, author, "POST", "/review", "{}"));
	assert_code(on(h, author, "POST", "/review/approve", "{}"), "FORBIDDEN");
	assert_code(on(h, author, "POST", "/review/return", "{'message':'x'}"), "FORBIDDEN");
	assert_code(harness_op(h, author, "review_decide",
			"{\"collection\":\"posts\",\"id\":\"%s\",\"action\":\"approve\"}", draft),
	    "FORBIDDEN");
	assert_code(on(h, contributor, "POST", "/review/withdraw", NULL), "FORBIDDEN");
	assert_ok(on(h, editor, "POST", "/review/withdraw", NULL));
	/* Contributors, who may not publish, ask for their own items. */
	make(h, contributor, own, "{'data':{'title':'Mine'}}");
	assert_ok(harness_op(h, contributor, "review_decide",
	    "{\"collection\":\"posts\",\"id\":\"%s\",\"action\":\"ask\"}", own));
	/* An editor may approve an own request, since an editor may publish anyway. */
	assert_ok(on(h, editor, "POST", "/review", "{}"));
	assert_int_equal(waiting(h, editor, "waiting"), 1);
	assert_ok(on(h, editor, "POST", "/review/approve", "{}"));
}

static void
reviewers_are_named(void **state)
{
	struct harness *h = *state;

	assert_code(on(h, author, "POST", "/review", "{'reviewers':['%s']}", contributor->id),
	    "VALIDATION_ERROR");
	assert_ok(on(h, author, "POST", "/review", "{'reviewers':['%s']}", admin->id));
	assert_int_equal(waiting(h, admin, "waiting"), 1);
	assert_int_equal(waiting(h, editor, "waiting"), 0);
	/* Others who may decide still can. */
	assert_ok(on(h, editor, "POST", "/review/approve", "{}"));
}

static void
requests_follow_their_item(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	assert_ok(on(h, author, "POST", "/review", "{}"));
	assert_ok(on(h, author, "DELETE", "", NULL));
	assert_int_equal(waiting(h, editor, "waiting"), 0);
	harness_ok(o, ask(h, editor, "GET /reviews?for=all&state=withdrawn"));
	assert_true(json_is_null(harness_at(o->data, "items[0].item")));
	assert_ok(on(h, author, "POST", "/restore", NULL));
	state_is(h, "withdrawn");
	assert_ok(on(h, author, "POST", "/review", "{}"));
	assert_ok(ask(h, admin, "DELETE /schema/collections/posts?force=true"));
	assert_string_equal(inside_ask(h, "SELECT count(*) FROM review"), "0");
}

/* A row of a collection that is gone hides no other. */
static void
requests_of_no_item_are_listed(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	assert_ok(on(h, author, "POST", "/review", "{}"));
	inside_sql(h,
	    "INSERT INTO review (id, collection, entry_id, state, is_current, asker_name,"
	    " reviewers, version, created_at) VALUES ('01KXREVIEW0000000000000000', 'gone', 'x',"
	    " 'open', 1, 'A', '[]', 1, '2026-06-02T12:00:00.000Z')",
	    NULL);
	harness_ok(o, ask(h, editor, "GET /reviews?for=all"));
	assert_true(json_is_null(harness_at(o->data, "items[0].item")));
	assert_string_equal(harness_text(o->data, "items[1].item.title"), "Plan");
}

static void
a_person_turns_mails_off(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	harness_ok(o, ask(h, author, "GET /reviews/me"));
	assert_true(json_is_true(harness_at(o->data, "mail")));
	assert_ok(say(h, author, "PUT /reviews/me", "{'mail':false}"));
	harness_ok(o, ask(h, author, "GET /reviews/me"));
	assert_true(json_is_false(harness_at(o->data, "mail")));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		with_colleagues(a_request_is_asked_approved_and_published),
		with_colleagues(a_request_is_returned_and_asked_again),
		with_colleagues(an_approval_is_of_the_version_that_was_read),
		with_colleagues(only_those_who_may_do_so_ask_and_decide),
		with_colleagues(reviewers_are_named),
		with_colleagues(requests_follow_their_item),
		with_colleagues(requests_of_no_item_are_listed),
		with_colleagues(a_person_turns_mails_off),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
