/* people.c - users with tokens, for tests of auth. */
#include "people.h"
#include "call/call.h"
#include "db/db.h"
#include "db/rows.h"
#include "db/writer.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int
person_begin(void **state)
{
	*state = harness_open(NULL);
	harness_clock(*state, "2026-06-01T12:00:00.000Z");
	return 0;
}

int
person_end(void **state)
{
	harness_close(*state, false);
	return 0;
}

struct person
person_make(
    struct harness *h, const char *email, const char *role, const char *scopes, const char *expires)
{
	struct person p;
	struct outcome *o;

	harness_ok(o, harness_op(h, admin, "user_add",
			  "{\"email\":\"%s\",\"name\":\"Some One\",\"role\":\"%s\"}", email, role));
	snprintf(p.id, sizeof(p.id), "%s", harness_text(o->data, "id"));
	harness_ok(o, harness_op(h, admin, "token_add",
			  "{\"email\":\"%s\",\"name\":\"test\",\"scope\":%s%s%s%s}", email, scopes,
			  expires != NULL ? ",\"expires\":\"" : "", expires != NULL ? expires : "",
			  expires != NULL ? "\"" : ""));
	snprintf(p.token, sizeof(p.token), "%s", harness_text(o->data, "token"));
	snprintf(p.token_id, sizeof(p.token_id), "%s", harness_text(o->data, "info.id"));
	return p;
}

struct outcome *
person_send(struct harness *h, const char *authorization, const char *request, const char *body)
{
	char headers[1024];

	snprintf(headers, sizeof(headers), "X-CMS-Request: 1%s%s",
	    authorization != NULL ? "\r\nAuthorization: " : "",
	    authorization != NULL ? authorization : "");
	return harness_request(h, nobody, request, headers, body);
}

struct outcome *
person_ask(struct harness *h, const char *token, const char *request, const char *body)
{
	char authorization[512];

	snprintf(authorization, sizeof(authorization), "Bearer %s", token);
	return person_send(h, authorization, request, body);
}

struct change {
	const char *sql, *arg;
};

static enum stet_status
change(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	const struct change *c = arg;

	STET_TRY(stet_exec(call, tx, c->sql, STET_ARGS(c->arg)));
	assert_true(stet_changes(call) > 0);
	return STET_OK;
}

void
person_sql(struct harness *h, const char *sql, const char *arg)
{
	struct stet_call *call = call_new();
	struct change c = { sql, arg };
	struct write_job job = { .call = call, .run = change, .arg = &c };

	call_enter(call, harness_site(h));
	assert_int_equal(writer_run(harness_site(h)->writer, &job), STET_OK);
	rows_end_call(call);
	call_free(call);
}
