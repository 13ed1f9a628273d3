/* importing.c - imports that run by themselves. */
#include "importing.h"
#include "imported.h"
#include "inside.h"
#include <stdio.h>

struct harness *
importing_open(void)
{
	struct harness *h = harness_open(NULL);

	inside_sql(h,
	    "INSERT INTO users (id, email, role, created_at, updated_at) VALUES (?1,"
	    " 'admin@example.org', 50, '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z')",
	    admin->id);
	return h;
}

void
importing_create(struct harness *h, const char *config, const char *channel, char id[40])
{
	struct outcome *o;

	harness_ok(o, imported_channel(h, IMPORTING_JOBS, config, channel));
	assert_int_equal(o->http, 201);
	assert_string_equal(harness_text(o->data, "state"), "queued");
	(void)snprintf(id, 40, "%s", harness_text(o->data, "id"));
}

struct outcome *
importing_at(struct harness *h, const char *method, const char *id, const char *rest)
{
	char request[200];

	(void)snprintf(request, sizeof(request), "%s /import/jobs/%s%s", method, id, rest);
	return harness_request(h, admin, request, NULL, NULL);
}

struct outcome *
importing_job(struct harness *h, const char *id)
{
	struct outcome *o;

	harness_ok(o, importing_at(h, "GET", id, ""));
	return o;
}

struct outcome *
importing_work(struct harness *h, const char *id, const char *state)
{
	struct outcome *o;

	while (inside_work(h, "import"))
		continue;
	o = importing_job(h, id);
	if (strcmp(harness_text(o->data, "state"), state) != 0)
		fail_msg("%s, not %s: %s", harness_text(o->data, "state"), state, o->text);
	return o;
}

int
importing_begin(void **state)
{
	*state = importing_open();
	return 0;
}

int
importing_end(void **state)
{
	harness_close(*state, false);
	return 0;
}

struct outcome *
importing_run(struct harness *h, const char *config, const char *channel)
{
	char id[40];

	importing_create(h, config, channel, id);
	return importing_work(h, id, "done");
}
