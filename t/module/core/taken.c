/* taken.c - the statements that ran, and what a first administrator sends. */
#include "taken.h"
#include "authenticator.h"
#include "call/call.h"
#include "db/db.h"
#include "db/part.h"
#include "db/reader.h"
#include "db/rows.h"
#include "db/writer.h"
#include "expected.h"
#include "people.h"
#include "site/site.h"
#include <stdlib.h>

/* The plans of the statements since the last call of db_trace_take, and the number of all
 * statements. */
struct taken {
	char *text; /* to be freed */
	uint64_t count;
};

static enum stet_status
take_writer(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	struct taken *t = arg;

	(void)tx;
	t->text = db_trace_take(db_part(call)->db);
	t->count = db_statement_count(db_part(call)->db);
	db_release_memory(
	    /* the next call must prepare its statements again, so that they are traced */
	    db_part(call)->db);
	return STET_OK;
}

static void
take_both(struct harness *h, struct taken *reader, struct taken *writer)
{
	struct stet_call *call = call_new();
	struct db *db;
	struct write_job job = { .call = call, .run = take_writer, .arg = writer };

	call_enter(call, harness_site(h));
	assert_int_equal(writer_run(harness_site(h)->writer, &job), STET_OK);
	rows_end_call(call);
	call_free(call);
	assert_non_null(db = reader_get(harness_site(h)));
	*reader = (struct taken){ db_trace_take(db), db_statement_count(db) };
	db_release_memory(db);
	reader_put(db);
	assert_non_null(reader->text);
	assert_non_null(writer->text);
}

uint64_t
taken_begin(struct harness *h)
{
	struct taken reader, writer;

	take_both(h, &reader, &writer);
	free(reader.text);
	free(writer.text);
	return reader.count + writer.count;
}

void
taken_end(struct harness *h, uint64_t before, const char *op, const char *note, FILE *to)
{
	struct taken reader, writer;

	take_both(h, &reader, &writer);
	fprintf(to, "%s", op);
	if (note != NULL)
		fprintf(to, " (%s)", note);
	fprintf(to, ": %d\n", (int)(reader.count + writer.count - before));
	expected_write(to, reader.text);
	expected_write(to, writer.text);
	free(reader.text);
	free(writer.text);
}

char *
founder_text(const char *challenge, const char *token)
{
	struct authenticator own;
	json_t *body;
	char *text;

	authenticator_open(&own, -7, "localhost", "http://localhost");
	text = authenticator_text(&own, true, challenge, "");
	body = json_loads(text, 0, NULL);
	free(text);
	json_object_set_new(body, "token", json_string(token));
	json_object_set_new(body, "email", json_string("first@example.org"));
	text = json_dumps(body, 0);
	json_decref(body);
	authenticator_close(&own);
	return text;
}

/* ---- arguments ---- */

char taken_kept[26][256];

void
taken_keep(const struct outcome *o, const char *op, const char *keep)
{
	const char *value = harness_text(o->data, keep + 2);

	if (*value == '\0')
		fail_msg("%s: no %s in %s", op, keep + 2, o->text);
	if (strchr(value, '#') != NULL) /* the text is a link with a token in its fragment */
		value = strchr(value, '#') + 1;
	(void)snprintf(taken_kept[*keep - 'a'], sizeof(taken_kept[0]), "%s", value);
}

char *
taken_arguments(const struct harness_user *user, const char *args)
{
	static struct authenticator key;
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	assert_non_null(to);
	if (*args == '@') {
		fclose(to);
		free(text);
		if (args[1] == 'f')
			return founder_text(taken_kept['l' - 'a'], taken_kept['s' - 'a']);
		if (key.key == NULL)
			authenticator_open(&key, -7, "localhost", "http://localhost");
		return authenticator_text(&key, args[1] == 'c', taken_kept['l' - 'a'], user->id);
	}
	for (; *args != '\0'; args++) {
		if (*args == '$')
			fputs(taken_kept[*++args - 'a'], to);
		else
			fputc(*args == '\'' ? '"' : *args, to);
	}
	assert_int_equal(fclose(to), 0);
	return text;
}

/* A request with a token. */
static struct outcome *
call_with(struct harness *h, const char *token, const char *op, const char *request,
    const char *body, FILE *to)
{
	uint64_t before = taken_begin(h);
	struct outcome *o = person_ask(h, token, request, body);

	assert_ok(o);
	taken_end(h, before, op, "with a token", to);
	return o;
}

void
taken_with_token(struct harness *h, const char *token, FILE *to)
{
	char request[100], session[27];

	(void)call_with(h, token, "me_get", "GET /auth/me", NULL, to);
	(void)call_with(
	    h, token, "menu_add", "POST /menus", "{\"name\":\"bot\",\"label\":\"B\"}", to);
	(void)call_with(h, token, "content_add", "POST /content/posts",
	    "{\"slug\":\"bot\",\"data\":{\"title\":\"Bot\"}}", to);
	(void)call_with(h, token, "content_put", "PUT /content/posts/bot",
	    "{\"data\":{\"title\":\"Bot 2\"}}", to);
	snprintf(session, sizeof(session), "%s",
	    harness_text(
		call_with(h, token, "assistant_sessions", "GET /assistant-sessions", NULL, to)
		    ->data,
		"items[0].id"));
	snprintf(request, sizeof(request), "GET /assistant-sessions/%s", session);
	(void)call_with(h, token, "assistant_session", request, NULL, to);
	snprintf(request, sizeof(request), "POST /assistant-sessions/%s/undo", session);
	(void)call_with(h, token, "assistant_session_undo", request, NULL, to);
}
