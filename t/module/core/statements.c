/*
 * statements.t - how many statements the usual requests run, of people and of programs with a
 * token, with all modules, compared with statements.expect. UPDATE_STATEMENTS=1 writes that file;
 * no number in it may grow without a reason, since each is a round trip where the database is on
 * another machine. "make bench" prints it.
 */
#include "call/call.h"
#include "db/db.h"
#include "db/part.h"
#include "db/rows.h"
#include "db/writer.h"
#include "expected.h"
#include "people.h"
#include "site/site.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))
#define ITEMS "/content/news"

/* A request that may run again: %d counts its runs. */
static const struct row {
	const char *name, *request, *body;
} rows[] = {
	{ "GET of an item", "GET " ITEMS "/read-1", NULL },
	{ "list of 50", "GET " ITEMS "?limit=50", NULL },
	{ "changes", "GET /changes", NULL },
	{ "create", "POST " ITEMS, "{\"data\":{\"title\":\"New %d\",\"year\":1}}" },
	{ "create, published", "POST " ITEMS,
	    "{\"status\":\"published\",\"data\":{\"title\":\"Out %d\",\"year\":1}}" },
	{ "update of a draft", "PUT " ITEMS "/new-%d", "{\"data\":{\"title\":\"Other %d\"}}" },
	{ "update of a published item", "PUT " ITEMS "/out-%d",
	    "{\"data\":{\"title\":\"Other %d\"}}" },
	{ "publish", "POST " ITEMS "/out-%d/publish", "{}" },
	{ "publish, first", "POST " ITEMS "/new-%d/publish", "{}" },
	{ "unpublish", "POST " ITEMS "/new-%d/unpublish", "{}" },
	{ "delete", "DELETE " ITEMS "/new-%d", NULL },
};

/* ---- counting ---- */

static enum stet_status
read_count(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	(void)tx;
	*(uint64_t *)arg = db_statement_count(db_part(call)->db);
	return STET_OK;
}

static uint64_t
count(struct harness *h)
{
	struct stet_call *call = call_new();
	uint64_t n = 0;
	struct write_job job = { .call = call, .run = read_count, .arg = &n };

	call_enter(call, harness_site(h));
	assert_int_equal(writer_run(harness_site(h)->writer, &job), STET_OK);
	call_free(call);
	return n + harness_statements(h);
}

/* Copies the text with the number for %d. */
static void
numbered(char *out, size_t size, const char *text, int number)
{
	size_t len = strcspn(text, "%");

	if (text[len] == '\0')
		(void)snprintf(out, size, "%s", text);
	else
		(void)snprintf(out, size, "%.*s%d%s", (int)len, text, number, text + len + 2);
}

/* Who asks: a person in the browser, or (user NULL) a program with a token, whose writes are
 * recorded by the module history. */
struct asker {
	const struct harness_user *user;
	const char *token, *suffix;
	int run; /* number of the last run */
};

static int
cost(struct harness *h, struct asker *who, const struct row *row, int run)
{
	char request[100], body[200] = "";
	uint64_t before = count(h);
	struct outcome *o;

	numbered(request, sizeof(request), row->request, who->run + run);
	if (row->body != NULL)
		numbered(body, sizeof(body), row->body, who->run + run);
	o = who->user != NULL
		? harness_request(h, who->user, request, NULL, row->body != NULL ? body : NULL)
		: person_ask(h, who->token, request, row->body != NULL ? body : NULL);
	if (*o->code != '\0')
		fail_msg("%s %s: %s", request, body, o->text);
	return (int)(count(h) - before);
}

/* Writes by another connection: nothing that has been read may be kept. */
static void
write_elsewhere(struct harness *h)
{
	struct db *other = db_open(harness_site(h)->db_place, DB_WRITE);
	char *why = NULL;

	assert_int_equal(db_script(other,
			     "CREATE TABLE IF NOT EXISTS elsewhere (n INTEGER);"
			     " INSERT INTO elsewhere VALUES (1)",
			     &why),
	    STET_OK);
	db_close(other);
}

static void
put_row(struct harness *h, struct asker *who, const struct row *row, FILE *to)
{
	bool writes = strncmp(row->request, "GET", 3) != 0;

	(void)cost(h, who, row, 1); /* makes what is made once */
	write_elsewhere(h);
	fprintf(to, "%s%s: %d", row->name, who->suffix, cost(h, who, row, 2));
	if (writes)
		fprintf(to, " alone, %d among others", cost(h, who, row, 3));
	fputc('\n', to);
}

/* ---- the test ---- */

static void
add_collection(struct harness *h)
{
	static const char *const fields[] = {
		"\"slug\":\"title\",\"label\":\"T\",\"type\":\"string\",\"searchable\":true",
		"\"slug\":\"year\",\"label\":\"Y\",\"type\":\"integer\",\"indexed\":true",
		"\"slug\":\"body\",\"label\":\"B\",\"type\":\"portableText\",\"searchable\":true"
	};

	assert_ok(harness_op(h, admin, "schema_create_collection",
	    "{\"slug\":\"news\",\"label\":\"News\","
	    "\"supports\":[\"drafts\",\"revisions\",\"search\"]}"));
	for (size_t i = 0; i < COUNT(fields); i++)
		assert_ok(harness_op(
		    h, admin, "schema_create_field", "{\"collection\":\"news\",%s}", fields[i]));
	for (int i = 1; i <= 60; i++)
		assert_ok(harness_op(h, admin, "content_create",
		    "{\"collection\":\"news\",\"slug\":\"read-%d\",\"status\":\"published\","
		    "\"data\":{\"title\":\"Read\",\"year\":%d}}",
		    i, i));
}

static void
no_request_runs_more_statements(void **state)
{
	static const struct expected expected = {
		"statements.expect", "UPDATE_STATEMENTS",
		"# Statements of each request, without those that begin and end transactions; made by\n"
		"# statements.t with UPDATE_STATEMENTS=1. \"alone\": somebody else has written before.\n"
	};
	struct harness *h = *state;
	struct person person = person_make(h, "one@example.org", "admin", "[\"admin\"]", NULL);
	const struct harness_user user = { .id = person.id, .role = 50, .session = true };
	struct asker people = { .user = &user, .suffix = "" },
		     programs = { .token = person.token, .suffix = ", by a program", .run = 3 };
	char *got = NULL;
	size_t size;
	FILE *to = open_memstream(&got, &size);

	assert_non_null(to);
	add_collection(h);
	for (size_t i = 0; i < COUNT(rows); i++)
		put_row(h, &people, &rows[i], to);
	for (size_t i = 0; i < COUNT(rows); i++)
		put_row(h, &programs, &rows[i], to);
	assert_int_equal(fclose(to), 0);
	expected_compare(&expected, got);
	free(got);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
		    no_request_runs_more_statements, person_begin, person_end),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
