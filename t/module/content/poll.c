/* poll.t - a reader without drafts who polls learns nothing of them: all responses are equal, byte
 * for byte, until the published version changes. */
#include "searched.h"

#define ANSWERS 9

/* The responses to one poll. */
struct poll {
	char *text[ANSWERS];
	char tag[ANSWERS][160];
};

static char item[27], sibling[27], cursor[2100];

static void
poll_free(struct poll *p)
{
	for (int i = 0; i < ANSWERS; i++)
		free(p->text[i]);
}

static void
keep(struct poll *p, int i, struct outcome *o)
{
	assert_ok(o);
	p->text[i] = strdup(o->text);
	assert_non_null(p->text[i]);
	(void)snprintf(p->tag[i], sizeof(p->tag[i]), "%s", o->etag != NULL ? o->etag : "");
}

/* Polls, and moves the clock on: a response does not depend on the time. */
static void
poll(struct harness *h, struct poll *p)
{
	work_all(h);
	keep(p, 0, ask(h, subscriber, "GET " BASE "/%s", item));
	keep(p, 1, ask(h, subscriber, "GET " BASE "/live"));
	keep(p, 2, ask(h, subscriber, "GET " BASE));
	keep(p, 3, ask(h, subscriber, "GET " BASE "?orderBy=updatedAt&includeTotal=true"));
	keep(p, 4, ask(h, subscriber, "GET " BASE "?orderBy=scheduledAt&fields=version"));
	keep(p, 5, ask(h, subscriber, "GET " BASE "/%s/translations", item));
	keep(p, 6, look(h, nobody, "wing", ""));
	keep(p, 7, ask(h, subscriber, "GET /changes?since=%s", cursor));
	keep(p, 8,
	    harness_op(
		h, subscriber, "content_get", "{\"collection\":\"posts\",\"id\":\"%s\"}", item));
}

/* Returns the number of responses that differ. */
static int
differ(const struct poll *a, const struct poll *b, const char *where)
{
	int n = 0;

	for (int i = 0; i < ANSWERS; i++) {
		if (strcmp(a->text[i], b->text[i]) == 0 && strcmp(a->tag[i], b->tag[i]) == 0)
			continue;
		if (where != NULL)
			print_error("%s: %s\n%s\nwas: %s\n%s\n", where, b->tag[i], b->text[i],
			    a->tag[i], a->text[i]);
		n++;
	}
	return n;
}

/* A change by an editor: method, rest of the path, body with " for each '. */
struct step {
	const char *method, *rest, *body;
};

static void
take(struct harness *h, const char *id, const struct step *s)
{
	char request[256];

	(void)snprintf(request, sizeof(request), "%s " BASE "/%s%s", s->method, id, s->rest);
	assert_ok(say(h, editor, request, "%s", s->body));
}

static int
begin(void **state)
{
	int failed = searched_begin(state);
	struct harness *h = *state;
	struct outcome *o;

	field(h, "posts", "isbn", "string", "'translatable':false");
	make(h, author, item,
	    "{'slug':'live','status':'published','data':{'title':'Wing','isbn':'1'}}");
	make(h, author, sibling,
	    "{'slug':'vivant','locale':'fr','translationOf':'%s','data':{'title':'Aile'}}", item);
	harness_ok(o, ask(h, subscriber, "GET /changes"));
	(void)snprintf(cursor, sizeof(cursor), "%s", harness_text(o->data, "cursor"));
	return failed;
}

#define SOON "{'scheduledAt':'2026-07-01T00:00:00Z'}"

static void
a_draft_leaves_no_trace_for_who_polls(void **state)
{
	static const struct step hidden[] = {
		{ "PUT", "", "{'data':{'title':'Wing two'}}" },
		{ "PUT", "", "{'data':{'title':'Wing three'}}" },
		{ "PUT", "", "{'slug':'other','data':{'title':'Wing four'},'skipRevision':true}" },
		{ "POST", "/schedule", SOON },
		{ "PUT", "", "{'data':{'year':7}}" },
		{ "DELETE", "/schedule", "" },
		{ "POST", "/schedule", SOON },
		{ "POST", "/discard-draft", "{}" },
		{ "POST", "/schedule", SOON }, /* without a draft */
		{ "DELETE", "/schedule", "" },
		{ "PUT", "", "{'data':{'title':'Wing five'}}" },
		{ "POST", "/discard-draft", "{}" },
	};
	struct harness *h = *state;
	struct poll before = { 0 };

	poll(h, &before);
	for (size_t i = 0; i < COUNT(hidden); i++) {
		struct poll now = { 0 };
		char where[160];

		at(h, 1000 * (int)(i + 1));
		take(h, item, &hidden[i]);
		poll(h, &now);
		(void)snprintf(where, sizeof(where), "%s %s %s", hidden[i].method, hidden[i].rest,
		    hidden[i].body);
		assert_int_equal(differ(&before, &now, where), 0);
		poll_free(&now);
	}
	poll_free(&before);
}

static void
what_becomes_live_is_told_each_time(void **state)
{
	static const struct step shown[] = {
		{ "POST", "/publish", "{}" },
		{ "PUT", "", "{'data':{'title':'Wing six'},'status':'published'}" },
		{ "PUT", "",
		    "{'data':{'title':'Wing draft'},'publishedAt':'2026-01-02T00:00:00Z'}" },
		{ "POST", "/publish", "{}" },
	};
	struct harness *h = *state;
	struct poll last = { 0 };
	struct outcome *o;
	int64_t version = 0;

	/* The clock stops, so that no difference comes from the time. */
	take(h, item, &(struct step){ "PUT", "", "{'data':{'title':'Wing two'}}" });
	poll(h, &last);
	for (size_t i = 0; i < COUNT(shown); i++) {
		struct poll now = { 0 };

		take(h, item, &shown[i]);
		poll(h, &now);
		for (int k = 0; k < 4; k++) {
			assert_string_not_equal(last.tag[k], now.tag[k]);
			assert_string_not_equal(last.text[k], now.text[k]);
		}
		harness_ok(o, ask(h, subscriber, "GET " BASE "/live"));
		assert_true(harness_int(o->data, "item.version") > version);
		version = harness_int(o->data, "item.version");
		/* The version of the published item is the same for every caller. */
		harness_ok(o, ask(h, editor, "GET " BASE "/live"));
		assert_int_equal(harness_int(o->data, "item.version"), version);
		/* A draft in between is not visible to readers. */
		poll_free(&last);
		take(h, item, &(struct step){ "PUT", "", "{'data':{'year':1}}" });
		take(h, item, &(struct step){ "PUT", "", "{'data':{'year':null}}" });
		poll(h, &last);
		assert_int_equal(differ(&now, &last, "a draft between"), 0);
		poll_free(&now);
	}
	poll_free(&last);
}

static void
what_the_trash_gives_back_is_another(void **state)
{
	struct harness *h = *state;
	struct poll before = { 0 }, after = { 0 };

	take(h, item, &(struct step){ "PUT", "", "{'data':{'title':'Wing two'}}" });
	poll(h, &before);
	take(h, item, &(struct step){ "DELETE", "", "" });
	assert_code(ask(h, subscriber, "GET " BASE "/live"), "NOT_FOUND");
	take(h, item, &(struct step){ "POST", "/restore", "" });
	poll(h, &after);
	assert_string_not_equal(before.tag[0], after.tag[0]);
	assert_string_not_equal(before.tag[2], after.tag[2]);
	poll_free(&before);
	poll_free(&after);
}

static void
a_value_that_a_sibling_brings_as_draft_leaves_no_trace(void **state)
{
	struct harness *h = *state;
	struct poll before = { 0 }, after = { 0 };
	struct outcome *o;

	poll(h, &before);
	at(h, 9);
	take(h, sibling, &(struct step){ "PUT", "", "{'data':{'isbn':'2'}}" });
	harness_ok(o, ask(h, editor, "GET " BASE "/live"));
	assert_string_equal(harness_text(o->data, "item.data.isbn"), "2");
	assert_string_equal(harness_text(o->data, "item.liveData.isbn"), "1");
	poll(h, &after);
	assert_int_equal(differ(&before, &after, "a sibling's draft"), 0);
	poll_free(&before);
	poll_free(&after);
}

static void
a_restored_revision_leaves_no_trace(void **state)
{
	struct harness *h = *state;
	struct poll before = { 0 }, after = { 0 };
	struct outcome *o;
	char id[27];

	poll(h, &before);
	take(h, item, &(struct step){ "PUT", "", "{'data':{'title':'Wing two'}}" });
	take(h, item, &(struct step){ "POST", "/discard-draft", "{}" });
	harness_ok(o, ask(h, editor, "GET " BASE "/%s/revisions", item));
	(void)snprintf(id, sizeof(id), "%s", harness_text(o->data, "items[0].id"));
	at(h, 9);
	assert_ok(ask(h, editor, "POST /revisions/%s/restore", id));
	poll(h, &after);
	assert_int_equal(differ(&before, &after, "a restored revision"), 0);
	poll_free(&before);
	poll_free(&after);
}

/* Clients send back what they have read, including author and date. */
static void
what_is_sent_back_with_a_draft_leaves_no_trace(void **state)
{
	struct harness *h = *state;
	struct poll before = { 0 }, after = { 0 };
	struct outcome *o;

	poll(h, &before);
	harness_ok(o, ask(h, editor, "GET " BASE "/live"));
	at(h, 9);
	assert_ok(say(h, editor, "PUT " BASE "/live",
	    "{'data':{'title':'Wing two'},'authorId':'%s','publishedAt':'%s','slug':'live'}",
	    harness_text(o->data, "item.authorId"), harness_text(o->data, "item.publishedAt")));
	poll(h, &after);
	assert_int_equal(differ(&before, &after, "sent back"), 0);
	poll_free(&before);
	poll_free(&after);
}

/* Editors get the current version. */
static void
who_may_write_has_the_true_version(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char seen[80], rev[80], match[128];

	take(h, item, &(struct step){ "PUT", "", "{'data':{'title':'Wing two'}}" });
	harness_ok(o, ask(h, subscriber, "GET " BASE "/live"));
	(void)snprintf(seen, sizeof(seen), "%s", harness_text(o->data, "_rev"));
	harness_ok(o, ask(h, editor, "GET " BASE "/live"));
	assert_int_equal(harness_int(o->data, "item.version"), 2);
	(void)snprintf(rev, sizeof(rev), "%s", harness_text(o->data, "_rev"));
	assert_string_not_equal(seen, rev);
	assert_code(say(h, editor, "PUT " BASE "/live", "{'data':{'year':1},'_rev':'%s'}", seen),
	    "CONFLICT");
	assert_ok(say(h, editor, "PUT " BASE "/live", "{'data':{'year':1},'_rev':'%s'}", rev));
	harness_ok(o, ask(h, editor, "GET " BASE "/live"));
	(void)snprintf(match, sizeof(match), "If-Match: \"%s\"", o->etag);
	assert_ok(
	    harness_request(h, editor, "PUT " BASE "/live", match, "{\"data\":{\"year\":2}}"));
	/* The editor's old tag is stale now; the reader's tag still is that of the published
	 * version. */
	o = harness_request(h, editor, "PUT " BASE "/live", match, "{\"data\":{\"year\":3}}");
	assert_code(o, "PRECONDITION_FAILED");
	harness_ok(o, ask(h, subscriber, "GET " BASE "/live"));
	assert_string_equal(harness_text(o->data, "_rev"), seen);
}

/* Tables of older versions, which lack the column. */
static void
older_tables_get_the_column(void **state)
{
	struct harness *h = *state;
	struct poll before = { 0 }, after = { 0 };
	struct outcome *o;

	inside_sql(h, "ALTER TABLE c_posts DROP COLUMN live_version", NULL);
	inside_sql(h, "ALTER TABLE c_pages DROP COLUMN live_version", NULL);
	inside_sql(h, "ALTER TABLE c_posts DROP COLUMN f__seo", NULL);
	inside_sql(h, "ALTER TABLE c_pages DROP COLUMN f__seo", NULL);
	inside_sql(h, "ALTER TABLE c_posts DROP COLUMN schedule_error", NULL);
	inside_sql(h, "DROP INDEX i_unpublish_posts", NULL);
	inside_sql(h, "ALTER TABLE c_posts DROP COLUMN unpublish_at", NULL);
	inside_sql(h, "ALTER TABLE c_pages DROP COLUMN schedule_error", NULL);
	inside_sql(h, "DROP INDEX i_unpublish_pages", NULL);
	inside_sql(h, "ALTER TABLE c_pages DROP COLUMN unpublish_at", NULL);
	inside_sql(h, "ALTER TABLE collection DROP COLUMN indexes", NULL);
	inside_sql(h, "ALTER TABLE collection DROP COLUMN public_read", NULL);
	inside_sql(h, "ALTER TABLE field DROP COLUMN building", NULL);
	inside_sql(h, "ALTER TABLE collection DROP COLUMN building", NULL);
	inside_sql(h, "ALTER TABLE collection DROP COLUMN required_on", NULL);
	inside_sql(h, "ALTER TABLE collection DROP COLUMN url_patterns", NULL);
	inside_sql(h, "DROP TABLE block_type", NULL);
	inside_sql(h, "DELETE FROM migration WHERE module = 'schema' AND version >= 2", NULL);
	*state = h = harness_again(h);
	poll(h, &before);
	take(h, item, &(struct step){ "PUT", "", "{'data':{'title':'Wing two'}}" });
	poll(h, &after);
	assert_int_equal(differ(&before, &after, "an older table"), 0);
	harness_ok(o, say(h, editor, "POST /content/pages", "{'data':{'name':'A'}}"));
	assert_int_equal(harness_int(o->data, "item.version"), 1);
	poll_free(&before);
	poll_free(&after);
}

#define polled(name) cmocka_unit_test_setup_teardown(name, begin, posts_end)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		polled(a_draft_leaves_no_trace_for_who_polls),
		polled(what_becomes_live_is_told_each_time),
		polled(what_the_trash_gives_back_is_another),
		polled(a_value_that_a_sibling_brings_as_draft_leaves_no_trace),
		polled(a_restored_revision_leaves_no_trace),
		polled(what_is_sent_back_with_a_draft_leaves_no_trace),
		polled(who_may_write_has_the_true_version),
		polled(older_tables_get_the_column),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
