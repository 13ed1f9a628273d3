/* mailed.c - a site with a mail server, for tests of mails that sign people in. */
#include "mailed.h"
#include "browser.h"
#include "inside.h"

#include "call/call.h"
#include "db/rows.h"
#include "mail/mail.h"
#include <stdio.h>
#include <time.h>

struct postbox server;
static time_t start; /* of the running test; each has its own, since limits outlive a site */

/* Sets the clock to so many seconds after the start of the test. */
void
later(struct harness *h, int seconds)
{
	const time_t at = start + seconds;
	char text[40];
	struct tm tm;

	assert_non_null(gmtime_r(&at, &tm));
	assert_true(strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%S.000Z", &tm) > 0);
	harness_clock(h, text);
}

static int
open_site(void **state, bool with_mail, const char *const *locales)
{
	char url[64], id[27];
	const struct harness_options options = { .mail_server = with_mail ? url : NULL,
		.locales = locales };

	postbox_open(&server, NULL, NULL);
	(void)snprintf(url, sizeof(url), "smtp://127.0.0.1:%d", server.port);
	*state = harness_open(&options);
	start = start == 0 ? 1780315200 : start + 86400 * 30;
	later(*state, 0);
	browser_user(*state, ANN, "author", id);
	return 0;
}

int
begin(void **state)
{
	return open_site(state, true, NULL);
}

int
begin_without(void **state)
{
	return open_site(state, false, NULL);
}

int
begin_in(void **state, const char *const *locales)
{
	return open_site(state, true, locales);
}

int
end(void **state)
{
	harness_close(*state, false);
	postbox_close(&server);
	return 0;
}

/* Runs the job that makes mails of the requests, until no request waits. */
static void
sort_out(struct harness *h)
{
	for (int i = 0; i < 100 && strcmp(inside_ask(h, WAITING), "0") != 0; i++)
		(void)inside_work(h, "signin");
}

/* Makes mails of the requests, then runs the job that sends mails while it is due. */
void
work(struct harness *h)
{
	bool due;

	sort_out(h);

	do {
		struct stet_call *call = inside_call(h, "signin");

		due = mail_job.due(call) <= stet_now(call);
		if (due)
			assert_int_equal(mail_job.run(call), STET_OK);
		rows_end_call(call);
		call_free(call);
	} while (due);
}

struct outcome *
post(struct harness *h, const char *request, const char *member, const char *value)
{
	char body[600];

	(void)snprintf(body, sizeof(body), "{\"%s\":\"%s\"}", member, value);
	return browser_send(h, NULL, request, body);
}

void
set(struct harness *h, const char *setting, int value)
{
	char body[80];

	(void)snprintf(body, sizeof(body), "{\"values\":{\"%s\":%d}}", setting, value);
	assert_ok(harness_request(h, admin, "PUT /admin/plugins/signin/settings", NULL, body));
}
