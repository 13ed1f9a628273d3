/* moments.t - the hooks around publish, unpublish, restore, schedule and purge: what they get, when
 * and how often they are called, and that a refusal leaves nothing behind. */
#include "call/call.h"
#include "db/db.h"
#include "db/rows.h"
#include "inside.h"
#include "posts.h"
#include "site/site.h"
#include "work/outbox.h"
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char notes[64]; /* the file that the plugin witness writes */

static int
begin(void **state)
{
	(void)snprintf(notes, sizeof(notes), "/tmp/stet-witness-%d", (int)getpid());
	(void)unlink(notes);
	setenv("STET_WITNESS", notes, 1);
	unsetenv("STET_WITNESS_DOES");
	posts_plugins = "t/plugins/witness/.libs";
	posts_begin(state);
	assert_ok(ask(*state, admin, "POST /admin/plugins/witness/enable"));
	return 0;
}

static int
end(void **state)
{
	(void)unlink(notes);
	return posts_end(state);
}

/* Returns what the witness wrote since the last call. Static buffer. */
static const char *
noted(void)
{
	static char text[8192];
	FILE *file = fopen(notes, "r");
	size_t n = 0;

	if (file != NULL) {
		n = fread(text, 1, sizeof(text) - 1, file);
		fclose(file);
		(void)unlink(notes);
	}
	text[n] = '\0';
	return text;
}

/* Runs the job that publishes scheduled items. */
static void
sweep(struct harness *h)
{
	struct stet_call *call = call_new();
	const struct generation *gen;
	struct stet_job job;
	bool found = false;

	call_enter(call, harness_site(h));
	gen = call->gen;
	for (size_t i = 0; i < gen->module_count; i++)
		if (strcmp(gen->module[i]->m.name, "content") == 0) {
			call->owner = gen->module[i];
			stet_table_row(&gen->module[i]->m.jobs, 0, &job, sizeof(job));
			found = true;
		}
	assert_true(found);
	call->principal = (struct stet_principal){
		.id = "", .email = "", .name = "", .role = 50, .via = STET_VIA_SYSTEM
	};
	call->has_principal = true;
	assert_int_equal(job.run(call), STET_OK);
	rows_end_call(call);
	call_free(call);
}

static void
deliver(struct harness *h)
{
	assert_int_equal(outbox_deliver(harness_site(h)), -1);
}

/* Returns a digest of all that a call about items may change. Static buffer. */
static const char *
stored(struct harness *h)
{
	static char text[4096];

	(void)snprintf(text, sizeof(text), "%s",
	    inside_ask(h,
		"SELECT CAST(json_group_array(json_array(id, slug, status, author_id, updated_at, "
		"published_at, scheduled_at, deleted_at, version, live_revision_id, "
		"draft_revision_id, f_title)) AS TEXT) || (SELECT count(*) FROM revision) || ' ' || "
		"(SELECT count(*) FROM witness_row) || ' ' || (SELECT count(*) FROM outbox) "
		"FROM c_posts"));
	return text;
}

static int
rows_of_witness(struct harness *h)
{
	return (int)strtol(inside_ask(h, "SELECT count(*) FROM witness_row"), NULL, 10);
}

/* ---- the moments ---- */

#define SOON "2026-06-01T12:00:05.000Z"

/* How to create an item, take it to a state, and trigger the hook; NULL: no step. $ in `before` and
 * `after` is the item's id. */
struct moment {
	const char *name;
	const char *create; /* members besides slug and data */
	const char *steps[2]; /* "METHOD rest" and a space before a body */
	const char *last;
	const char *before, *after;
	bool staged; /* the item gets a draft over its published version */
};

#define AUTHOR "author=01USERAUTHOR00000000000030"
#define ID_SLUG "\"collection\":\"posts\",\"id\":\"$\",\"slug\":\"a\","

static const struct moment moments[] = {
	{ "publish a draft", "", { NULL, NULL }, "POST /publish",
	    "entry_before_publish posts $ new=0 live slug=a published en " AUTHOR
	    " title=A row=draft\n",
	    "entry_after_publish {" ID_SLUG "\"status\":\"published\",\"locale\":\"en\","
	    "\"version\":2,\"publishedAt\":\"2026-06-01T12:00:01.000Z\",\"scheduled\":false}\n",
	    false },
	{ "publish by status", "", { NULL, NULL }, "PUT  {'status':'published'}",
	    "entry_before_publish posts $ new=0 live slug=a published en " AUTHOR
	    " title=A row=draft\n",
	    "entry_after_publish {" ID_SLUG "\"status\":\"published\",\"locale\":\"en\","
	    "\"version\":2,\"publishedAt\":\"2026-06-01T12:00:01.000Z\",\"scheduled\":false}\n",
	    false },
	{ "publish what is staged", ",'status':'published'", { NULL, NULL }, "POST /publish",
	    "entry_before_publish posts $ new=0 live slug=a published en " AUTHOR
	    " title=B row=published\n",
	    "entry_after_publish {" ID_SLUG "\"status\":\"published\",\"locale\":\"en\","
	    "\"version\":3,\"publishedAt\":\"2026-06-01T12:00:00.000Z\",\"scheduled\":false}\n",
	    true },
	{ "unpublish", ",'status':'published'", { NULL, NULL }, "POST /unpublish",
	    "entry_before_unpublish posts $ new=0 draft slug=a draft en " AUTHOR
	    " title=A row=published\n",
	    "entry_after_unpublish {" ID_SLUG "\"status\":\"draft\",\"locale\":\"en\","
	    "\"version\":2,\"scheduled\":false}\n",
	    false },
	{ "unpublish by status", ",'status':'published'", { NULL, NULL }, "PUT  {'status':'draft'}",
	    "entry_before_unpublish posts $ new=0 draft slug=a draft en " AUTHOR
	    " title=A row=published\n",
	    "entry_after_unpublish {" ID_SLUG "\"status\":\"draft\",\"locale\":\"en\","
	    "\"version\":2,\"scheduled\":false}\n",
	    false },
	{ "unpublish what is scheduled", "", { "POST /schedule {'scheduledAt':'" SOON "'}", NULL },
	    "POST /unpublish",
	    "entry_before_unpublish posts $ new=0 draft slug=a draft en " AUTHOR
	    " title=A row=scheduled\n",
	    "entry_after_unpublish {" ID_SLUG "\"status\":\"draft\",\"locale\":\"en\","
	    "\"version\":3,\"scheduled\":false}\n",
	    false },
	{ "restore", "", { "DELETE ", NULL }, "POST /restore",
	    "entry_before_restore posts $ new=0 draft slug=a draft en " AUTHOR
	    " title=A row=draft-trashed\n",
	    "entry_after_restore {" ID_SLUG "\"status\":\"draft\",\"locale\":\"en\","
	    "\"version\":2}\n",
	    false },
	{ "restore what was published", ",'status':'published'", { "DELETE ", NULL },
	    "POST /restore",
	    "entry_before_restore posts $ new=0 live slug=a published en " AUTHOR
	    " title=A row=published-trashed\n",
	    "entry_after_restore {" ID_SLUG "\"status\":\"published\",\"locale\":\"en\","
	    "\"version\":2}\n",
	    false },
	{ "schedule", "", { NULL, NULL }, "POST /schedule {'scheduledAt':'" SOON "'}",
	    "entry_before_schedule posts $ new=0 draft slug=a scheduled en " AUTHOR
	    " title=A row=draft at=" SOON "\n",
	    "entry_after_schedule {" ID_SLUG "\"status\":\"scheduled\",\"locale\":\"en\","
	    "\"version\":2,\"scheduledAt\":\"" SOON "\",\"unpublishAt\":null}\n",
	    false },
	{ "schedule what is staged", ",'status':'published'", { NULL, NULL },
	    "POST /schedule {'scheduledAt':'" SOON "'}",
	    "entry_before_schedule posts $ new=0 draft slug=a published en " AUTHOR
	    " title=B row=published at=" SOON "\n",
	    "entry_after_schedule {" ID_SLUG "\"status\":\"published\",\"locale\":\"en\","
	    "\"version\":3,\"scheduledAt\":\"" SOON "\",\"unpublishAt\":null}\n",
	    true },
	{ "take a schedule away", "", { "POST /schedule {'scheduledAt':'" SOON "'}", NULL },
	    "DELETE /schedule",
	    "entry_before_schedule posts $ new=0 draft slug=a scheduled en " AUTHOR
	    " title=A row=scheduled at=NULL\n",
	    "entry_after_schedule {" ID_SLUG "\"status\":\"scheduled\",\"locale\":\"en\","
	    "\"version\":3,\"scheduledAt\":null,\"unpublishAt\":null}\n",
	    false },
	{ "purge", "", { "DELETE ", NULL }, "DELETE /permanent",
	    "entry_before_purge posts $ new=0 draft slug=a draft en " AUTHOR
	    " title=A row=draft-trashed\n",
	    "entry_after_delete {" ID_SLUG "\"permanent\":true}\n", false },
};

/* Sends "METHOD rest body" about an item, as an administrator. */
static struct outcome *
step(struct harness *h, const char *id, const char *text)
{
	char request[128];
	const char *rest = strchr(text, ' ') + 1, *body = strchr(rest, ' ');
	size_t len = body != NULL ? (size_t)(body - rest) : strlen(rest);

	(void)snprintf(request, sizeof(request), "%.*s " BASE "/%s%.*s", (int)(rest - 1 - text),
	    text, id, (int)len, rest);
	return say(h, admin, request, "%s", body != NULL ? body + 1 : "");
}

/* Replaces each $ by the id. Static buffer. */
static const char *
with_id(const char *text, const char *id)
{
	static char out[1024];
	size_t n = 0;

	for (; *text != '\0' && n < sizeof(out) - 27; text++)
		if (*text == '$')
			n += (size_t)snprintf(out + n, sizeof(out) - n, "%s", id);
		else
			out[n++] = *text;
	out[n] = '\0';
	return out;
}

/* Creates an item in the state before the moment, and forgets the hooks called so far. */
static void
prepare(struct harness *h, const struct moment *m, char id[27])
{
	make(h, author, id, "{'slug':'a','data':{'title':'A'}%s}", m->create);
	if (m->staged)
		assert_ok(step(h, id, "PUT  {'data':{'title':'B'}}"));
	for (int i = 0; i < 2 && m->steps[i] != NULL; i++)
		assert_ok(step(h, id, m->steps[i]));
	deliver(h);
	(void)noted();
	at(h, 1000);
}

/* Deletes the item before the next moment. */
static void
clear_away(struct harness *h, const char *id)
{
	unsetenv("STET_WITNESS_DOES");
	(void)ask(h, admin, "DELETE " BASE "/%s", id);
	(void)ask(h, admin, "DELETE " BASE "/%s/permanent", id);
	assert_string_equal(inside_ask(h, "SELECT count(*) FROM c_posts"), "0");
	deliver(h);
	(void)noted();
	at(h, 0);
}

static void
noted_is(const char *name, const char *want, const char *id)
{
	const char *got = noted();

	if (strcmp(got, with_id(want, id)) != 0)
		fail_msg("%s: noted\n%snot\n%s", name, got, with_id(want, id));
}

static void
succeed(struct harness *h, const struct moment *m, const char *id)
{
	struct outcome *o = step(h, id, m->last);

	if (o->http != 200)
		fail_msg("%s: %d %s", m->name, o->http, o->text);
}

static void
each_moment_is_told_once_before_and_once_after(void **state)
{
	struct harness *h = *state;
	char id[27];

	for (size_t i = 0; i < COUNT(moments); i++) {
		const struct moment *m = &moments[i];
		int rows;

		prepare(h, m, id);
		rows = rows_of_witness(h);
		succeed(h, m, id);
		noted_is(m->name, m->before, id);
		assert_int_equal(rows_of_witness(h), rows + 1);
		deliver(h);
		noted_is(m->name, m->after, id);
		deliver(h);
		noted_is(m->name, "", id);
		clear_away(h, id);
	}
}

/* ---- refusals ---- */

struct refusal {
	const char *does, *code, *message;
	int http;
};
static const struct refusal refusals[] = {
	{ "reject", "SAVE_REJECTED", "not while I watch", 422 },
	{ "block", "DELETE_BLOCKED", "it stays", 400 },
	{ "fault", "CONTENT_HOOK_ERROR", NULL, 500 },
	{ "other", "CONTENT_HOOK_ERROR", NULL, 500 },
};

/* Makes the hook of this line of notes act so from now on. */
static void
witness_does(const char *before, const char *does)
{
	char text[64];

	(void)snprintf(text, sizeof(text), "%.*s %s", (int)strcspn(before, " "), before, does);
	setenv("STET_WITNESS_DOES", text, 1);
}

static void
refused_by(const struct outcome *o, const struct refusal *r, const char *name)
{
	if (strcmp(o->code, r->code) != 0 || o->http != r->http)
		fail_msg("%s, %s: %d %s", name, r->does, o->http, o->text);
	if (r->message != NULL)
		assert_string_equal(o->message, r->message);
	assert_null(strstr(o->text, "secret"));
}

static void
what_is_refused_leaves_nothing_and_tells_nothing(void **state)
{
	struct harness *h = *state;
	char id[27], *was;

	for (size_t i = 0; i < COUNT(moments); i++) {
		const struct moment *m = &moments[i];

		prepare(h, m, id);
		was = strdup(stored(h));
		for (size_t k = 0; k < COUNT(refusals); k++) {
			witness_does(m->before, refusals[k].does);
			refused_by(step(h, id, m->last), &refusals[k], m->name);
			noted_is(m->name, m->before, id);
			assert_string_equal(stored(h), was);
			deliver(h);
			noted_is(m->name, "", id);
		}
		free(was);
		/* Without the hook's refusal the call succeeds, so nothing of the refused one is
		 * left. */
		unsetenv("STET_WITNESS_DOES");
		succeed(h, m, id);
		clear_away(h, id);
	}
}

static void
what_is_created_published_is_asked_for(void **state)
{
	static const char body[] = "{'slug':'a','status':'published','data':{'title':'A'}}";
	struct harness *h = *state;
	struct outcome *o;
	char id[27], want[512], *was;

	was = strdup(stored(h));
	for (size_t k = 0; k < COUNT(refusals); k++) {
		witness_does("entry_before_publish", refusals[k].does);
		refused_by(say(h, author, "POST " BASE, body), &refusals[k], "create");
		assert_non_null(strstr(
		    noted(), " new=1 live slug=a published en " AUTHOR " title=A row=none\n"));
		assert_string_equal(stored(h), was);
		deliver(h);
		assert_string_equal(noted(), "");
	}
	free(was);
	unsetenv("STET_WITNESS_DOES");
	harness_ok(o, say(h, author, "POST " BASE, body));
	(void)snprintf(id, sizeof(id), "%s", harness_text(o->data, "item.id"));
	noted_is("create",
	    "entry_before_publish posts $ new=1 live slug=a published en " AUTHOR
	    " title=A row=none\n",
	    id);
	deliver(h);
	(void)snprintf(want, sizeof(want), "%s",
	    "entry_after_publish {" ID_SLUG "\"status\":\"published\",\"locale\":\"en\","
	    "\"version\":1,\"publishedAt\":\"2026-06-01T12:00:00.000Z\",\"scheduled\":false}\n");
	noted_is("create", want, id);
}

/* ---- when its time has come ---- */

#define DUE                                                                   \
	"entry_before_publish posts $ new=0 live slug=a published en " AUTHOR \
	" title=A row=scheduled\n"

static void
the_time_that_comes_asks_and_tells_as_well(void **state)
{
	struct harness *h = *state;
	char id[27];

	make(h, author, id, "{'slug':'a','data':{'title':'A'}}");
	assert_ok(step(h, id, "POST /schedule {'scheduledAt':'" SOON "'}"));
	deliver(h);
	(void)noted();
	at(h, 4999);
	sweep(h);
	assert_string_equal(noted(), "");
	at(h, 7000);
	sweep(h);
	noted_is("due", DUE, id);
	deliver(h);
	noted_is("due",
	    "entry_after_publish {" ID_SLUG "\"status\":\"published\",\"locale\":\"en\","
	    "\"version\":3,\"publishedAt\":\"" SOON "\",\"scheduled\":true}\n",
	    id);
	sweep(h);
	deliver(h);
	assert_string_equal(noted(), "");
}

static void
a_refusal_at_its_time_leaves_it_scheduled(void **state)
{
	struct harness *h = *state;
	char id[27], *was;

	make(h, author, id, "{'slug':'a','data':{'title':'A'}}");
	assert_ok(step(h, id, "POST /schedule {'scheduledAt':'" SOON "'}"));
	deliver(h);
	(void)noted();
	was = strdup(stored(h));
	for (size_t k = 0; k < COUNT(refusals); k++) {
		witness_does("entry_before_publish", refusals[k].does);
		at(h, 7000 + (int)k * 60000);
		sweep(h);
		/* The job tries the item with the others, and then alone. */
		noted_is(refusals[k].does, DUE DUE, id);
		deliver(h); /* delivers entry_overdue to its listeners */
		assert_string_equal(noted(), "");
		assert_string_equal(stored(h), was);
	}
	free(was);
	unsetenv("STET_WITNESS_DOES");
	at(h, 7000 + (int)COUNT(refusals) * 60000);
	sweep(h);
	noted_is("due", DUE, id);
	deliver(h);
	assert_non_null(strstr(noted(), "\"publishedAt\":\"" SOON "\",\"scheduled\":true}\n"));
}

/* ---- what is no moment ---- */

static void
what_changes_nothing_asks_nobody(void **state)
{
	static const struct {
		const char *create, *last;
	} cases[] = {
		{ ",'status':'published'", "POST /publish" },
		{ "", "POST /unpublish" },
		{ "", "DELETE /schedule" },
		{ "", "POST /schedule {'scheduledAt':'2020-01-01T00:00:00Z'}" },
		{ "", "POST /restore" },
		{ "", "DELETE /permanent" },
		{ "", "PUT  {'data':{'title':'C'}}" },
		{ ",'status':'published'", "PUT  {'data':{'title':'C'}}" },
		{ "", "POST /publish {'_rev':'bm90aGluZw'}" },
	};
	struct harness *h = *state;
	char id[27];

	for (size_t i = 0; i < COUNT(cases); i++) {
		make(h, author, id, "{'slug':'a','data':{'title':'A'}%s}", cases[i].create);
		deliver(h);
		(void)noted();
		(void)step(h, id, cases[i].last);
		deliver(h);
		noted_is(cases[i].last, "", id);
		clear_away(h, id);
	}
}

/* A failure after the hook rolls back the hook's writes, and the later hook is not called. */
static void
a_write_that_fails_is_not_told(void **state)
{
	struct harness *h = *state;
	char id[27], other[27], *was;

	make(h, author, id, "{'slug':'a','status':'published','data':{'title':'A'}}");
	assert_ok(step(h, id, "PUT  {'slug':'taken'}"));
	make(h, author, other, "{'slug':'taken','data':{'title':'O'}}");
	deliver(h);
	(void)noted();
	was = strdup(stored(h));
	assert_code(step(h, id, "POST /publish"), "SLUG_CONFLICT");
	assert_non_null(strstr(noted(), "entry_before_publish posts "));
	assert_string_equal(stored(h), was);
	free(was);
	deliver(h);
	assert_string_equal(noted(), "");
}

#define witnessed(name) cmocka_unit_test_setup_teardown(name, begin, end)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		witnessed(each_moment_is_told_once_before_and_once_after),
		witnessed(what_is_refused_leaves_nothing_and_tells_nothing),
		witnessed(what_is_created_published_is_asked_for),
		witnessed(the_time_that_comes_asks_and_tells_as_well),
		witnessed(a_refusal_at_its_time_leaves_it_scheduled),
		witnessed(what_changes_nothing_asks_nobody),
		witnessed(a_write_that_fails_is_not_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
