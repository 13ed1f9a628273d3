/* mails.t - mails about notes and reviews: who gets them, what they say, and that a person can turn
 * them off. */
#include "../../../modules/reviews/reviews.h"
#include "call/call.h"
#include "db/rows.h"
#include "inside.h"
#include "mail/mail.h"
#include "postbox.h"
#include "wording.h"
#include <stdio.h>
#include <string.h>

static struct postbox server;
static char item[27];

static void
person(struct harness *h, const struct harness_user *user, const char *name)
{
	char sql[300];

	(void)snprintf(sql, sizeof(sql),
	    "INSERT INTO users (id, email, name, role, created_at, updated_at) VALUES ('%s',"
	    " lower(?1) || '@example.org', ?1, %d, '2026-01-01T00:00:00.000Z',"
	    " '2026-01-01T00:00:00.000Z')",
	    user->id, user->role);
	inside_sql(h, sql, name);
}

static struct outcome *
send(struct harness *h, const struct harness_user *user, const char *below, const char *body)
{
	char request[200];

	(void)snprintf(request, sizeof(request), "POST /content/notices/%s%s", item, below);
	return harness_request(h, user, request, NULL, body);
}

static int
begin(void **state)
{
	static int day; /* limits outlive a site */
	char url[64], noon[48];
	const struct harness_options options = { .mail_server = url };
	struct harness *h;
	struct outcome *o;

	postbox_open(&server, NULL, NULL);
	(void)snprintf(url, sizeof(url), "smtp://127.0.0.1:%d", server.port);
	*state = h = harness_open(&options);
	(void)snprintf(noon, sizeof(noon), "2026-06-%02dT12:00:00.000Z", ++day);
	harness_clock(h, noon);
	person(h, author, "Ann");
	person(h, editor, "Edda");
	person(h, admin, "Ada");
	assert_ok(harness_request(h, admin, "POST /schema/collections", NULL,
	    "{\"slug\":\"notices\",\"label\":\"N\",\"labelSingular\":\"N\"}"));
	assert_ok(harness_request(h, admin, "POST /schema/collections/notices/fields", NULL,
	    "{\"slug\":\"title\",\"label\":\"T\",\"type\":\"string\"}"));
	harness_ok(o, harness_request(h, author, "POST /content/notices", NULL,
			  "{\"data\":{\"title\":\"The\\nplan\"}}"));
	(void)snprintf(item, sizeof(item), "%s", harness_text(o->data, "item.id"));
	return 0;
}

static int
end(void **state)
{
	harness_close(*state, false);
	postbox_close(&server);
	return 0;
}

/* Sends all due mails. */
static void
work(struct harness *h)
{
	bool due = true;

	while (due) {
		struct stet_call *call = inside_call(h, "reviews");

		due = mail_job.due(call) <= stet_now(call);
		if (due)
			assert_int_equal(mail_job.run(call), STET_OK);
		rows_end_call(call);
		call_free(call);
	}
}

static void
mails_go_to_reviewers_and_to_the_asker(void **state)
{
	struct harness *h = *state;

	assert_ok(send(h, author, "/review", "{\"message\":\"Please read\"}"));
	work(h);
	assert_int_equal(server.mails, 2); /* the editor and the administrator */
	assert_non_null(strstr(server.mail, "Please read"));
	assert_non_null(strstr(server.mail, "asks for a review: The plan"));
	assert_non_null(strstr(server.mail, "/_cms/admin/collections/notices/"));
	postbox_forget(&server);
	assert_ok(send(h, editor, "/review/return", "{\"message\":\"Too long\"}"));
	work(h);
	assert_int_equal(server.mails, 1);
	assert_int_equal(postbox_count(&server, "RCPT TO:<ann@example.org>"), 1);
	assert_non_null(strstr(server.mail, "Too long"));
	postbox_forget(&server);
	assert_ok(send(h, author, "/review", "{}"));
	work(h);
	assert_ok(send(h, editor, "/publish", "{}"));
	work(h);
	assert_non_null(strstr(server.mail, "has published: The plan"));
}

static void
who_is_mentioned_gets_one_mail_unless_it_is_turned_off(void **state)
{
	struct harness *h = *state;

	assert_ok(send(h, editor, "/notes", "{\"body\":\"See this, @ann @edda\"}"));
	work(h);
	assert_int_equal(server.mails, 1);
	assert_non_null(strstr(server.mail, "mentioned you"));
	postbox_forget(&server);
	assert_ok(harness_request(h, author, "PUT /reviews/me", NULL, "{\"mail\":false}"));
	assert_ok(send(h, editor, "/notes", "{\"body\":\"Again, @ann\"}"));
	work(h);
	assert_int_equal(server.mails, 0);
}

static void
every_text_is_translated_with_the_same_values(void **state)
{
	(void)state;
	wording_complete(mail_languages);
}

/* Lets Edda or Ann get a mail, which says the text of its kind. */
static void
assert_mail(struct harness *h, const char *kind, const char *text)
{
	work(h);
	if (server.mails < 1 || strstr(server.mail, text) == NULL)
		fail_msg("%s: %s", kind, server.mail);
	postbox_forget(&server);
}

static void
a_request_for_approval_is_in_the_language_of_the_person(void **state)
{
	static const char *const rows[][2] = { { "en", "asks for your approval" },
		{ "de", "bittet um Ihre Freigabe" }, { "es", "pide su aprobaci" },
		{ "fr", "demande votre approbation" } };
	const struct harness_user program = {
		.id = author->id, .role = author->role, .scopes = "content:read content:draft"
	};
	struct harness *h = *state;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char noon[48];

		(void)snprintf(noon, sizeof(noon), "2026-07-%02zuT12:00:00.000Z", i + 11);
		harness_clock(h, noon);
		inside_sql(h, "UPDATE users SET language = ?1", rows[i][0]);
		assert_ok(harness_send(h, &program, "POST /approvals",
		    "{\"op\":\"menu_create\",\"arguments\":{\"name\":\"m%zu\",\"label\":\"M\"}}",
		    i));
		assert_mail(h, "approval", rows[i][1]);
	}
}

static void
each_kind_is_in_the_language_of_the_person(void **state)
{
	static const char *const rows[][6] = {
		{ "en", "mentioned you in a note", "asks for a review", "asks for changes",
		    "has approved", "has published" },
		{ "de", "hat Sie in einer Notiz", "bittet um eine Pr", "erbittet ",
		    "hat freigegeben", "hat ver" },
		{ "es", "le ha mencionado en una nota", "pide una revisi", "pide cambios",
		    "ha aprobado", "ha publicado" },
		{ "fr", "vous a mentionn", "demande une relecture", "demande des changements",
		    "a approuv", "a publi" },
	};
	struct harness *h = *state;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char noon[48];

		(void)snprintf(noon, sizeof(noon), "2026-07-%02zuT12:00:00.000Z", i + 1);
		harness_clock(h, noon);
		inside_sql(h, "UPDATE users SET language = ?1", rows[i][0]);
		assert_ok(send(h, editor, "/notes", "{\"body\":\"@ann\"}"));
		assert_mail(h, "mention", rows[i][1]);
		assert_ok(send(h, author, "/review", "{}"));
		assert_mail(h, "review", rows[i][2]);
		assert_ok(send(h, editor, "/review/return", "{\"message\":\"Long\"}"));
		assert_mail(h, "returned", rows[i][3]);
		assert_ok(send(h, author, "/review", "{}"));
		work(h);
		postbox_forget(&server);
		assert_ok(send(h, editor, "/review/approve", "{}"));
		assert_mail(h, "approved", rows[i][4]);
		assert_ok(send(h, author, "/review", "{}"));
		work(h);
		postbox_forget(&server);
		assert_ok(send(h, editor, "/publish", "{}"));
		assert_mail(h, "published", rows[i][5]);
		assert_ok(send(h, editor, "/unpublish", "{}"));
	}
}

/* A name of 200 characters and a long title make a subject that is short enough. */
static void
long_names_and_titles_are_cut(void **state)
{
	struct harness *h = *state;
	char name[201], sql[400];

	memset(name, 'n', 200);
	name[200] = '\0';
	(void)snprintf(sql, sizeof(sql), "UPDATE users SET name = ?1 WHERE id = '%s'", editor->id);
	inside_sql(h, sql, name);
	(void)snprintf(sql, sizeof(sql), "PUT /content/notices/%s", item);
	assert_ok(harness_send(h, admin, sql, "{\"data\":{\"title\":\"%s\"}}", name));
	assert_ok(send(h, editor, "/notes", "{\"body\":\"@ann\"}"));
	assert_mail(h, "mention", "mentioned you in a note");
}

/* Also one who is turned off, or may not read drafts any more, while the mail waits. */
static void
what_waits_is_judged_again(void **state)
{
	struct harness *h = *state;

	assert_ok(send(h, editor, "/notes", "{\"body\":\"@ann\"}"));
	inside_sql(h, "UPDATE users SET role = 10 WHERE id = ?1", author->id);
	work(h);
	assert_int_equal(server.mails, 0);
	assert_string_equal(inside_ask(h, "SELECT count(*) FROM mail"), "0");
}

/* Too many mails are no reason to refuse a note, nor to keep a link to sign in from the person. */
static void
too_many_mails_fail_nothing(void **state)
{
	struct harness *h = *state;

	for (int i = 0; i < STET_MAIL_PENDING_TO_MAX + 3; i++)
		assert_ok(send(h, editor, "/notes", "{\"body\":\"@ann\"}"));
	assert_string_equal(inside_ask(h, "SELECT count(*) FROM mail"), "5");
	assert_string_equal(inside_ask(h, "SELECT count(*) FROM note"), "8");
	assert_ok(send(h, admin, "/notes", "{\"body\":\"@ann\"}"));
	assert_string_equal(inside_ask(h, "SELECT count(*) FROM mail"), "5");
	assert_ok(harness_request(
	    h, nobody, "POST /auth/magic-link/send", NULL, "{\"email\":\"ann@example.org\"}"));
	assert_true(inside_work(h, "signin"));
	assert_string_equal(
	    inside_ask(h, "SELECT count(*) FROM mail WHERE module = 'signin'"), "1");
}

static void
a_note_is_mailed_to_a_person_once(void **state)
{
	static const char *const bodies[] = { "{\"body\":\"no\"}", "{\"body\":\"@ann yes\"}",
		"{\"body\":\"@ada\"}", "{\"body\":\"@ann @ada\"}" };
	struct harness *h = *state;
	struct outcome *o;
	char request[200];

	harness_ok(o, send(h, editor, "/notes", "{\"body\":\"@ann\"}"));
	(void)snprintf(request, sizeof(request), "PUT /content/notices/%s/notes/%s", item,
	    harness_text(o->data, "id"));
	for (size_t i = 0; i < sizeof(bodies) / sizeof(bodies[0]); i++)
		assert_ok(harness_request(h, editor, request, NULL, bodies[i]));
	assert_string_equal(inside_ask(h, "SELECT count(*) FROM mail"), "2");
}

/* Asking and withdrawing sends no flood. */
static void
a_person_is_not_flooded(void **state)
{
	struct harness *h = *state;

	for (int i = 0; i < 8; i++) {
		assert_ok(send(h, author, "/review", "{}"));
		assert_ok(send(h, author, "/review/withdraw", "{}"));
		work(h);
	}
	assert_int_equal(postbox_count(&server, "RCPT TO:<edda@example.org>"), 5);
	assert_int_equal(postbox_count(&server, "RCPT TO:<ada@example.org>"), 5);
}

int
main(void)
{
#define mailed(name) cmocka_unit_test_setup_teardown(name, begin, end)
	const struct CMUnitTest tests[] = {
		mailed(mails_go_to_reviewers_and_to_the_asker),
		mailed(who_is_mentioned_gets_one_mail_unless_it_is_turned_off),
		cmocka_unit_test(every_text_is_translated_with_the_same_values),
		mailed(a_request_for_approval_is_in_the_language_of_the_person),
		mailed(each_kind_is_in_the_language_of_the_person),
		mailed(long_names_and_titles_are_cut),
		mailed(what_waits_is_judged_again),
		mailed(too_many_mails_fail_nothing),
		mailed(a_note_is_mailed_to_a_person_once),
		mailed(a_person_is_not_flooded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
