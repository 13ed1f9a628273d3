/* told.c - tests of webhooks: two target servers, the jobs that send, the requests received. */
#include "told.h"
#include "call/call.h"
#include "db/db.h"
#include "db/rows.h"
#include "site/site.h"
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct neighbour here, there;

static int
begin_with(void **state, const char *const *allow)
{
	posts_fetch_allow = allow;
	posts_begin(state);
	neighbour_open(&here);
	neighbour_open(&there);
	return 0;
}

int
told_begin(void **state)
{
	return begin_with(state, neighbour_block);
}

int
told_begin_closed(void **state)
{
	return begin_with(state, NULL);
}

int
told_end(void **state)
{
	neighbour_close(&here);
	neighbour_close(&there);
	posts_fetch_allow = NULL;
	return posts_end(state);
}

/* Creates a webhook; `more`: further members, for example ", 'events': [...]". */
void
hook(struct harness *h, const struct neighbour *n, const char *more, struct hook *out)
{
	struct outcome *o;

	harness_ok(
	    o, say(h, admin, "POST " HOOKS, "{'url':'%s'%s}", neighbour_url(n, "/in"), more));
	assert_int_equal(o->http, 201);
	(void)snprintf(out->id, sizeof(out->id), "%s", harness_text(o->data, "item.id"));
	(void)snprintf(out->secret, sizeof(out->secret), "%s", harness_text(o->data, "secret"));
}

/* Reverts migration 3 of the module: the queue as earlier versions stored it. */
void
told_older(struct harness *h)
{
	static const char *const drops[] = { "INDEX webhook_delivery_subject",
		"INDEX webhook_delivery_due" };
	static const char *const columns[] = { "webhook DROP COLUMN waiting",
		"webhook DROP COLUMN failing", "webhook DROP COLUMN retry_at",
		"webhook DROP COLUMN last_error", "webhook_delivery DROP COLUMN subject",
		"webhook_delivery DROP COLUMN due_at", "webhook_delivery DROP COLUMN dropped" };
	char sql[100];

	for (size_t i = 0; i < COUNT(drops); i++) {
		(void)snprintf(sql, sizeof(sql), "DROP %s", drops[i]);
		inside_sql(h, sql, NULL);
	}
	for (size_t i = 0; i < COUNT(columns); i++) {
		(void)snprintf(sql, sizeof(sql), "ALTER TABLE %s", columns[i]);
		inside_sql(h, sql, NULL);
	}
	inside_sql(h, "DELETE FROM migration WHERE module = 'webhooks' AND version >= 3", NULL);
}

/* Closes the site and opens it again. */
struct harness *
told_again(void **state)
{
	struct harness *h = *state;
	char *data = strdup(harness_data(h));

	harness_close(h, true);
	h = harness_open(&(struct harness_options){ .fetch_allow = neighbour_block, .data = data });
	harness_clock(h, "2026-06-01T12:00:00.000Z");
	free(data);
	*state = h;
	return h;
}

/* ---- the jobs ---- */

/* Runs a job if it is due now. Returns false if it is not. */
bool
run_due(struct harness *h, uint32_t number)
{
	struct stet_call *call;
	struct stet_job job;
	bool due;

	inside_job_of(h, "webhooks", &call, &job);
	stet_table_row(&call->owner->m.jobs, number, &job, sizeof(job));
	due = job.due(call) <= stet_now(call);
	if (due)
		assert_int_equal(job.run(call), STET_OK);
	rows_end_call(call);
	call_free(call);
	return due;
}

/* Sends what is due. Returns the number of requests. */
int
sent(struct harness *h)
{
	int before = here.connections + there.connections;

	while (run_due(h, 0))
		continue;
	return here.connections + there.connections - before;
}

void
sweep(struct harness *h)
{
	while (run_due(h, 2))
		continue;
}

int64_t
logged(struct harness *h, const struct hook *hook, const char *state)
{
	struct outcome *o;

	harness_ok(o, ask(h, admin, "GET " HOOKS "/%s/deliveries%s%s", hook->id,
			  *state != '\0' ? "?state=" : "", state));
	return (int64_t)json_array_size(json_object_get(o->data, "items"));
}

/* Returns a member of the newest delivery in the log. */
const char *
newest(struct harness *h, const struct hook *hook, const char *member)
{
	static char path[64];
	struct outcome *o;

	harness_ok(o, ask(h, admin, "GET " HOOKS "/%s/deliveries?limit=1", hook->id));
	(void)snprintf(path, sizeof(path), "items[0].%s", member);
	return harness_text(o->data, path);
}

struct outcome *
look(struct harness *h, const struct hook *hook)
{
	struct outcome *o;

	harness_ok(o, ask(h, admin, "GET " HOOKS "/%s", hook->id));
	return o;
}

/* ---- requests received ---- */

const char *
heard_header(const struct neighbour *n, const char *name)
{
	static char value[2][256];
	static int turn;
	char *out = value[turn = !turn], line[64];
	const char *at;

	(void)snprintf(line, sizeof(line), "\r\n%s: ", name);
	at = strstr(n->heard, line);
	assert_non_null(at);
	at += strlen(line);
	(void)snprintf(out, sizeof(value[0]), "%.*s", (int)strcspn(at, "\r"), at);
	return out;
}

json_t *
heard_body(const struct neighbour *n)
{
	const char *at = strstr(n->heard, "\r\n\r\n");
	json_t *value;

	assert_non_null(at);
	value = json_loads(at + 4, 0, NULL);
	assert_non_null(value);
	return value;
}

/* Checks the signature as a receiver does. */
bool
signed_with(const struct neighbour *n, const char *secret)
{
	const char *text = strstr(n->heard, "\r\n\r\n") + 4,
		   *time = heard_header(n, "X-Stet-Timestamp");
	unsigned char mac[crypto_auth_hmacsha256_BYTES];
	char whole[4096], want[7 + 2 * sizeof(mac) + 1] = "sha256=";
	crypto_auth_hmacsha256_state state;

	(void)snprintf(whole, sizeof(whole), "%s.%s", time, text);
	crypto_auth_hmacsha256_init(&state, (const unsigned char *)secret, strlen(secret));
	crypto_auth_hmacsha256_update(&state, (const unsigned char *)whole, strlen(whole));
	crypto_auth_hmacsha256_final(&state, mac);
	sodium_bin2hex(want + 7, sizeof(want) - 7, mac, sizeof(mac));
	return strcmp(want, heard_header(n, "X-Stet-Signature")) == 0;
}
