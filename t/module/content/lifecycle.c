/* lifecycle.t - what an editor does to an item: staging, publishing, unpublishing, deleting,
 * copying. */
#include "inside.h"
#include "posts.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Sends a request about a post: method, rest of the path, body with " for each '. */
static struct outcome *
on(struct harness *h, const struct harness_user *user, const char *method, const char *id,
    const char *rest, const char *body)
{
	char request[256];

	snprintf(request, sizeof(request), "%s " BASE "/%s%s", method, id, rest);
	return say(h, user, request, "%s", body);
}

static struct outcome *
get(struct harness *h, const struct harness_user *user, const char *id)
{
	struct outcome *o = ask(h, user, "GET " BASE "/%s", id);

	assert_ok(o);
	return o;
}

static int64_t
revisions(struct harness *h, const char *id)
{
	struct outcome *o = ask(h, editor, "GET " BASE "/%s/revisions", id);

	assert_ok(o);
	return harness_int(o->data, "total");
}

/* ---- staging ---- */

static void
an_edit_of_what_is_live_is_staged(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27];

	make(h, author, id, "{'status':'published','data':{'title':'A','year':1,'summary':'S'}}");
	at(h, 5);
	harness_ok(o, on(h, author, "PUT", id, "", "{'data':{'title':'B'}}"));
	assert_string_equal(harness_text(o->data, "item.data.title"), "B");
	assert_int_equal(harness_int(o->data, "item.data.year"), 1);
	assert_string_equal(harness_text(o->data, "item.liveData.title"), "A");
	assert_string_equal(harness_text(o->data, "item.status"), "published");
	assert_string_equal(harness_text(o->data, "item.updatedAt"), "2026-06-01T12:00:00.000Z");
	assert_int_equal(harness_int(o->data, "item.version"), 2);
	assert_int_equal(revisions(h, id), 2); /* the published version and the draft */
	/* The update is merged into the draft, not into the published version. */
	harness_ok(o, on(h, author, "PUT", id, "", "{'data':{'year':2,'summary':null}}"));
	assert_string_equal(harness_text(o->data, "item.data.title"), "B");
	assert_int_equal(harness_int(o->data, "item.data.year"), 2);
	assert_null(harness_at(o->data, "item.data.summary"));
	assert_string_equal(harness_text(o->data, "item.liveData.summary"), "S");
	/* Readers without the right to drafts do not see the draft; lists do not contain it. */
	o = get(h, subscriber, id);
	assert_string_equal(harness_text(o->data, "item.data.title"), "A");
	assert_null(harness_at(o->data, "item.liveData"));
	assert_null(harness_at(o->data, "item.draftRevisionId"));
	harness_ok(o, ask(h, editor, "GET " BASE));
	assert_string_equal(harness_text(o->data, "items[0].data.title"), "A");
	harness_ok(o, ask(h, editor, "GET " BASE "?q=B"));
	assert_int_equal(json_array_size(harness_at(o->data, "items")), 0);
	/* Publishing applies the whole draft. */
	at(h, 9);
	harness_ok(o, on(h, author, "POST", id, "/publish", ""));
	assert_string_equal(harness_text(o->data, "item.data.title"), "B");
	assert_null(harness_at(o->data, "item.liveData"));
	assert_true(json_is_null(harness_at(o->data, "item.draftRevisionId")));
	assert_string_equal(harness_text(o->data, "item.updatedAt"), "2026-06-01T12:00:00.009Z");
	assert_string_equal(harness_text(o->data, "item.publishedAt"), "2026-06-01T12:00:00.000Z");
	o = get(h, subscriber, id);
	assert_string_equal(harness_text(o->data, "item.data.title"), "B");
	assert_null(harness_at(o->data, "item.data.summary"));
}

static void
what_was_never_published_has_no_draft_to_discard(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27];

	make(h, author, id, "{'data':{'title':'A'}}");
	o = on(h, author, "POST", id, "/discard-draft", "{}");
	assert_code(o, "CONFLICT");
	assert_non_null(strstr(o->message, "never published"));
	assert_ok(on(h, author, "PUT", id, "", "{'data':{'title':'B'}}"));
	assert_code(on(h, author, "POST", id, "/discard-draft", "{}"), "CONFLICT");
	assert_ok(on(h, author, "POST", id, "/publish", "{}"));
	assert_ok(on(h, author, "POST", id, "/discard-draft", "{}"));
	assert_ok(on(h, author, "POST", id, "/unpublish", "{}"));
	harness_ok(o, on(h, author, "POST", id, "/discard-draft", "{}"));
	assert_string_equal(harness_text(o->data, "item.data.title"), "B");
}

static void
an_edit_of_what_is_not_live_is_written(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27];

	make(h, author, id, "{'data':{'title':'A'}}");
	assert_int_equal(revisions(h, id), 0);
	harness_ok(o, on(h, author, "PUT", id, "", "{'data':{'title':'B'}}"));
	assert_null(harness_at(o->data, "item.liveData"));
	assert_int_equal(revisions(h, id), 2); /* one is of the creation */
	harness_ok(o, ask(h, editor, "GET " BASE));
	assert_string_equal(harness_text(o->data, "items[0].data.title"), "B");
	/* An equal save makes no revision; a refused one does not, either. */
	assert_ok(on(h, author, "PUT", id, "", "{'data':{'title':'B'}}"));
	assert_ok(on(h, author, "PUT", id, "", "{'data':{}}"));
	assert_code(on(h, author, "PUT", id, "", "{'data':{'year':'x'}}"), "VALIDATION_ERROR");
	assert_int_equal(revisions(h, id), 2);
	/* That revision becomes the live one, without a copy. */
	harness_ok(o, on(h, author, "POST", id, "/publish", ""));
	assert_true(json_is_string(harness_at(o->data, "item.liveRevisionId")));
	assert_int_equal(revisions(h, id), 2);
}

static void
a_collection_without_revisions_is_changed_in_place(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27];

	make(h, author, id, "{'status':'published','data':{'title':'A'}}");
	assert_ok(on(h, author, "PUT", id, "", "{'data':{'title':'stale'}}"));
	assert_ok(say(h, admin, "PUT /schema/collections/posts", "{'supports':[]}"));
	/* Publishing ignores the old draft. */
	o = get(h, author, id);
	assert_string_equal(harness_text(o->data, "item.data.title"), "A");
	harness_ok(o, on(h, editor, "POST", id, "/publish", "{'publishedAt':'2026-01-01'}"));
	assert_string_equal(harness_text(o->data, "item.data.title"), "A");
	at(h, 3);
	harness_ok(o, on(h, author, "PUT", id, "", "{'data':{'title':'C'}}"));
	assert_string_equal(harness_text(o->data, "item.updatedAt"), "2026-06-01T12:00:00.003Z");
	o = get(h, subscriber, id);
	assert_string_equal(harness_text(o->data, "item.data.title"), "C");
}

static void
a_slug_is_staged_with_the_draft(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27], other[27];

	make(h, author, id, "{'slug':'old','status':'published','data':{'title':'A'}}");
	make(h, author, other, "{'slug':'taken','data':{}}");
	harness_ok(o, on(h, author, "PUT", id, "", "{'slug':'new'}"));
	assert_string_equal(harness_text(o->data, "item.slug"), "new");
	assert_string_equal(harness_text(o->data, "item.liveSlug"), "old");
	assert_code(ask(h, subscriber, "GET " BASE "/new"), "NOT_FOUND");
	o = get(h, subscriber, "old");
	assert_string_equal(harness_text(o->data, "item.slug"), "old");
	assert_ok(on(h, author, "POST", id, "/publish", ""));
	get(h, subscriber, "new");
	assert_code(ask(h, author, "GET " BASE "/old"), "NOT_FOUND");
	/* If the slug is taken, publishing fails and names the other item, even one in the
	 * trash. */
	assert_ok(on(h, author, "PUT", id, "", "{'slug':'taken','data':{'title':'never'}}"));
	assert_ok(on(h, author, "DELETE", other, "", ""));
	o = on(h, author, "POST", id, "/publish", "");
	assert_code(o, "SLUG_CONFLICT");
	assert_non_null(strstr(o->message, "taken"));
	assert_non_null(strstr(o->message, other));
	o = get(h, subscriber, id);
	assert_string_equal(harness_text(o->data, "item.data.title"), "A");
	/* Collections with URLs require a slug. */
	assert_code(on(h, author, "PUT", id, "", "{'slug':''}"), "VALIDATION_ERROR");
	o = get(h, editor, id);
	assert_string_equal(harness_text(o->data, "item.liveSlug"), "new");
}

static void
discarding_a_draft_brings_back_what_was(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27], rev[64];

	make(h, author, id, "{'status':'published','data':{'title':'A'}}");
	at(h, 5);
	assert_ok(on(h, author, "PUT", id, "", "{'data':{'title':'B'},'slug':'b'}"));
	o = get(h, author, id);
	snprintf(rev, sizeof(rev), "%s", harness_text(o->data, "_rev"));
	harness_ok(o, on(h, author, "POST", id, "/discard-draft", ""));
	assert_string_equal(harness_text(o->data, "item.data.title"), "A");
	assert_string_equal(harness_text(o->data, "item.slug"), "a");
	assert_string_equal(harness_text(o->data, "item.updatedAt"), "2026-06-01T12:00:00.000Z");
	/* The draft was changed since this _rev was read. */
	o = say(h, author, "PUT " BASE "/a", "{'data':{'year':1},'_rev':'%s'}", rev);
	assert_code(o, "CONFLICT");
	assert_ok(on(h, author, "POST", id, "/discard-draft", "")); /* no draft exists */
	assert_code(on(h, other_author, "POST", id, "/discard-draft", ""), "FORBIDDEN");
}

/* ---- publish, unpublish ---- */

static void
publishing_is_idempotent_and_keeps_the_date(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27];
	int64_t version;

	make(h, author, id, "{'data':{'title':'A'}}");
	at(h, 5);
	harness_ok(o, on(h, author, "POST", id, "/publish", "{}"));
	version = harness_int(o->data, "item.version");
	assert_string_equal(harness_text(o->data, "item.publishedAt"), "2026-06-01T12:00:00.005Z");
	at(h, 6);
	harness_ok(o, on(h, author, "POST", id, "/publish", "{}"));
	assert_int_equal(harness_int(o->data, "item.version"), version);
	harness_ok(o, on(h, author, "POST", id, "/unpublish", ""));
	assert_string_equal(harness_text(o->data, "item.status"), "draft");
	assert_string_equal(harness_text(o->data, "item.publishedAt"), "2026-06-01T12:00:00.005Z");
	version = harness_int(o->data, "item.version");
	harness_ok(o, on(h, author, "POST", id, "/unpublish", ""));
	assert_int_equal(harness_int(o->data, "item.version"), version);
	assert_code(ask(h, subscriber, "GET " BASE "/%s", id), "NOT_FOUND");
	harness_ok(o, on(h, author, "POST", id, "/publish", ""));
	assert_string_equal(harness_text(o->data, "item.publishedAt"), "2026-06-01T12:00:00.005Z");
	harness_ok(o,
	    on(h, editor, "POST", id, "/publish", "{'publishedAt':'2020-01-01T02:00:00+02:00'}"));
	assert_string_equal(harness_text(o->data, "item.publishedAt"), "2020-01-01T00:00:00.000Z");
	assert_code(
	    on(h, author, "POST", id, "/publish", "{'publishedAt':'2020-01-01'}"), "FORBIDDEN");
}

/* SQLite fires a trigger for each column that the statement names, even if the value is equal. */
static void
a_write_names_no_column_that_stays(void **state)
{
	struct harness *h = *state;
	char id[27];

	make(h, author, id, "{'status':'published','slug':'a','data':{'title':'A','year':1}}");
	inside_sql(h,
	    "CREATE TRIGGER stays BEFORE UPDATE OF slug, status, author_id, published_at,"
	    " scheduled_at, f_year ON c_posts BEGIN SELECT RAISE(ABORT, 'named'); END",
	    NULL);
	at(h, 5);
	assert_ok(on(h, editor, "PUT", id, "",
	    "{'slug':'a','publishedAt':'2026-06-01T12:00:00.000Z',"
	    "'data':{'title':'B','year':1}}"));
	assert_ok(on(h, editor, "POST", id, "/publish", ""));
	assert_string_equal(harness_text(get(h, editor, id)->data, "item.data.title"), "B");
	assert_ok(on(h, editor, "DELETE", id, "", "{}"));
	inside_sql(h, "DROP TRIGGER stays", NULL);
	inside_sql(h,
	    "CREATE TRIGGER stays BEFORE UPDATE OF slug, published_at, scheduled_at, f_title"
	    " ON c_posts BEGIN SELECT RAISE(ABORT, 'named'); END",
	    NULL);
	assert_ok(on(h, editor, "POST", id, "/restore", ""));
	assert_ok(on(h, editor, "POST", id, "/unpublish", ""));
	assert_ok(on(h, editor, "PUT", id, "", "{'slug':'a','data':{'title':'B','year':2}}"));
	assert_string_equal(inside_ask(h, "SELECT f_year FROM c_posts"), "2");
}

static void
each_role_publishes_what_it_may(void **state)
{
	struct harness *h = *state;
	char own[27], others[27];

	make(h, author, own, "{'data':{'title':'A'}}");
	make(h, other_author, others, "{'data':{'title':'B'}}");
	assert_code(on(h, contributor, "POST", own, "/publish", ""), "FORBIDDEN");
	assert_code(on(h, author, "POST", others, "/publish", ""), "FORBIDDEN");
	assert_code(on(h, author, "POST", others, "/unpublish", ""), "FORBIDDEN");
	assert_code(
	    on(h, author, "POST", others, "/schedule", "{'scheduledAt':'2027-01-01T00:00:00Z'}"),
	    "FORBIDDEN");
	assert_ok(on(h, author, "POST", own, "/publish", ""));
	assert_ok(on(h, editor, "POST", others, "/publish", ""));
	assert_code(on(h, nobody, "POST", own, "/publish", ""), "UNAUTHORIZED");
}

static void
what_is_required_is_there_when_it_is_published(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27];

	make(h, author, id, "{'slug':'x','data':{}}");
	field(h, "posts", "must", "string", "'required':true");
	o = on(h, author, "POST", id, "/publish", "");
	assert_code(o, "VALIDATION_ERROR");
	assert_true(harness_issue(o, "data.must"));
	assert_ok(on(h, author, "PUT", id, "", "{'data':{'must':'x'},'status':'published'}"));
}

static void
a_put_publishes_what_it_brings(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27];

	make(h, author, id, "{'status':'published','data':{'title':'A'}}");
	assert_ok(on(h, author, "PUT", id, "", "{'data':{'year':3}}"));
	harness_ok(o, on(h, author, "PUT", id, "", "{'data':{'title':'B'},'status':'published'}"));
	assert_null(harness_at(o->data, "item.liveData"));
	o = get(h, subscriber, id);
	assert_string_equal(harness_text(o->data, "item.data.title"), "B");
	assert_int_equal(harness_int(o->data, "item.data.year"), 3);
	/* Setting the status to draft keeps the new values and hides the item. */
	harness_ok(o, on(h, author, "PUT", id, "", "{'data':{'title':'C'},'status':'draft'}"));
	assert_string_equal(harness_text(o->data, "item.data.title"), "C");
	assert_string_equal(harness_text(o->data, "item.status"), "draft");
	assert_code(ask(h, subscriber, "GET " BASE "/%s", id), "NOT_FOUND");
	harness_ok(o, on(h, author, "POST", id, "/publish", ""));
	assert_string_equal(harness_text(o->data, "item.data.title"), "C");
}

static void
one_of_many_wins_with_a_revision(void **state)
{
	static const struct {
		const char *method, *rest, *body;
	} writes[] = {
		{ "PUT", "", "{'data':{'year':4},'_rev':'%s'}" },
		{ "POST", "/publish", "{'_rev':'%s'}" },
		{ "POST", "/discard-draft", "{'_rev':'%s'}" },
		{ "POST", "/unpublish", "{'_rev':'%s'}" },
		{ "POST", "/schedule", "{'_rev':'%s','scheduledAt':'2027-01-01T00:00:00Z'}" },
	};
	struct harness *h = *state;
	struct outcome *o;
	char id[27], rev[64], body[256];

	make(h, author, id, "{'status':'published','data':{'title':'A'}}");
	for (size_t i = 0; i < COUNT(writes); i++) {
		assert_ok(on(h, author, "POST", id, "/publish", ""));
		snprintf(body, sizeof(body), "{'data':{'summary':'%zu'}}", i);
		assert_ok(on(h, author, "PUT", id, "", body));
		o = get(h, author, id);
		snprintf(rev, sizeof(rev), "%s", harness_text(o->data, "_rev"));
		for (size_t k = 0; k < COUNT(writes); k++) {
			size_t w = (i + k) % COUNT(writes);
			char *text = NULL, *at_rev;

			text = strdup(writes[w].body);
			at_rev = strstr(text, "%s");
			snprintf(body, sizeof(body), "%.*s%s%s", (int)(at_rev - text), text, rev,
			    at_rev + 2);
			free(text);
			o = on(h, author, writes[w].method, id, writes[w].rest, body);
			assert_code(o, k == 0 ? "" : "CONFLICT");
		}
	}
}

static void
tools_will_not_write_blindly(void **state)
{
	static const char *const tools[] = { "content_publish", "content_unpublish",
		"content_discard_draft", "content_update" };
	struct harness *h = *state;
	struct outcome *o;
	char id[27], rev[64];

	make(h, author, id, "{'data':{'title':'A'}}");
	for (size_t i = 0; i < COUNT(tools); i++) {
		o = harness_op(h, author, tools[i], "{\"collection\":\"posts\",\"id\":\"%s\"}", id);
		assert_code(o, "VALIDATION_ERROR");
		assert_true(harness_issue(o, "_rev"));
	}
	snprintf(rev, sizeof(rev), "%s", harness_text(get(h, author, id)->data, "_rev"));
	assert_ok(harness_op(h, author, "content_publish",
	    "{\"collection\":\"posts\",\"id\":\"%s\",\"_rev\":\"%s\"}", id, rev));
	assert_code(harness_op(h, author, "content_unpublish",
			"{\"collection\":\"posts\",\"id\":\"%s\",\"_rev\":\"%s\"}", id, rev),
	    "CONFLICT");
}

/* ---- trash, copies ---- */

static void
a_trashed_item_comes_back_or_goes_for_good(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27], other[27];

	make(h, author, id, "{'status':'published','data':{'title':'A','code':'x'}}");
	make(h, author, other, "{'data':{'title':'B'}}");
	assert_ok(on(h, author, "PUT", id, "", "{'data':{'year':1}}"));
	assert_code(on(h, admin, "DELETE", id, "/permanent", ""), "NOT_FOUND");
	get(h, author, id);
	at(h, 1);
	assert_ok(on(h, author, "DELETE", id, "", ""));
	at(h, 2);
	assert_ok(on(h, author, "DELETE", other, "", ""));
	assert_code(on(h, author, "DELETE", id, "", ""), "NOT_FOUND");
	assert_code(on(h, author, "POST", id, "/publish", ""), "NOT_FOUND");
	assert_code(on(h, author, "PUT", id, "", "{'data':{}}"), "NOT_FOUND");
	assert_code(ask(h, author, "GET " BASE "/%s/revisions", id), "NOT_FOUND");
	harness_ok(o, ask(h, contributor, "GET " BASE "/trash?limit=1"));
	assert_string_equal(harness_text(o->data, "items[0].id"), other);
	harness_ok(o, ask(h, contributor, "GET " BASE "/trash?limit=1&cursor=%s",
			  harness_text(o->data, "nextCursor")));
	assert_string_equal(harness_text(o->data, "items[0].id"), id);
	assert_string_equal(
	    harness_text(o->data, "items[0].deletedAt"), "2026-06-01T12:00:00.001Z");
	assert_null(harness_at(o->data, "nextCursor"));
	assert_code(ask(h, subscriber, "GET " BASE "/trash"), "FORBIDDEN");
	assert_code(ask(h, author, "GET " BASE "/trash?cursor=eA=="), "INVALID_CURSOR");
	/* Another item may have taken a unique value meanwhile. */
	assert_ok(say(h, author, "POST " BASE, "{'slug':'c','data':{'code':'x'}}"));
	assert_code(on(h, author, "POST", id, "/restore", ""), "CONFLICT");
	assert_ok(on(h, author, "PUT", "c", "", "{'data':{'code':null}}"));
	assert_code(on(h, other_author, "POST", id, "/restore", ""), "FORBIDDEN");
	harness_ok(o, on(h, author, "POST", id, "/restore", ""));
	assert_true(json_is_true(harness_at(o->data, "restored")));
	assert_int_equal(harness_int(o->data, "item.data.year"), 1); /* of its draft */
	assert_string_equal(harness_text(o->data, "item.updatedAt"), "2026-06-01T12:00:00.000Z");
	assert_code(on(h, author, "POST", id, "/restore", ""), "NOT_FOUND");
	assert_code(on(h, editor, "DELETE", other, "/permanent", ""), "FORBIDDEN");
	assert_ok(on(h, admin, "DELETE", other, "/permanent", ""));
	assert_code(on(h, author, "POST", other, "/restore", ""), "NOT_FOUND");
	assert_ok(on(h, author, "DELETE", id, "", ""));
	assert_ok(on(h, admin, "DELETE", id, "/permanent", ""));
	/* The revisions are deleted with the item; the two that are left belong to "c". */
	assert_string_equal(inside_ask(h, "SELECT COUNT(*) FROM revision"), "2");
}

static void
a_copy_is_a_draft_of_its_own(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27];

	make(h, author, id,
	    "{'status':'published','locale':'fr','data':{'title':'A','code':'x','tags':['a']}}");
	assert_ok(on(h, author, "PUT", id, "", "{'data':{'title':'Newest'}}"));
	harness_ok(o, on(h, editor, "POST", id, "/duplicate", ""));
	assert_int_equal(o->http, 201);
	assert_string_equal(harness_text(o->data, "item.data.title"), "Newest (Copy)");
	assert_string_equal(harness_text(o->data, "item.slug"), "newest-copy");
	assert_string_equal(harness_text(o->data, "item.status"), "draft");
	assert_string_equal(harness_text(o->data, "item.locale"), "fr");
	assert_string_equal(harness_text(o->data, "item.authorId"), editor->id);
	assert_string_equal(
	    harness_text(o->data, "item.translationGroup"), harness_text(o->data, "item.id"));
	assert_true(json_is_null(harness_at(o->data, "item.publishedAt")));
	assert_null(harness_at(o->data, "item.data.code")); /* unique, so not copied */
	assert_string_equal(harness_text(o->data, "item.data.tags[0]"), "a");
	harness_ok(o, on(h, author, "POST", id, "/duplicate", ""));
	assert_string_equal(harness_text(o->data, "item.slug"), "newest-copy-2");
	assert_code(on(h, other_author, "POST", id, "/duplicate", ""), "FORBIDDEN");
	assert_code(on(h, subscriber, "POST", id, "/duplicate", ""), "FORBIDDEN");
	assert_ok(harness_op(
	    h, contributor, "content_duplicate", "{\"collection\":\"posts\",\"id\":\"%s\"}", id));
}

/* ---- compare, authors, preview ---- */

static void
a_draft_is_compared_block_by_block(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27];

	make(h, author, id,
	    "{'status':'published','data':{'title':'A','year':1,'body':["
	    "{'_type':'b','_key':'1','t':'one'},{'_type':'b','_key':'2','t':'two'},"
	    "{'_type':'b','_key':'3','t':'three'}]}}");
	harness_ok(o, ask(h, contributor, "GET " BASE "/%s/compare", id));
	assert_true(json_is_false(harness_at(o->data, "hasChanges")));
	assert_true(json_is_null(harness_at(o->data, "draft")));
	assert_string_equal(harness_text(o->data, "live.title"), "A");
	assert_ok(on(h, author, "PUT", id, "",
	    "{'slug':'b','data':{'year':null,'flag':true,'body':["
	    "{'_type':'b','_key':'3','t':'three'},{'_type':'b','_key':'1','t':'ONE'},"
	    "{'_type':'b','_key':'4','t':'four'}]}}"));
	harness_ok(o, ask(h, contributor, "GET " BASE "/%s/compare", id));
	assert_true(json_is_true(harness_at(o->data, "hasChanges")));
	assert_string_equal(harness_text(o->data, "draft._slug"), "b");
	assert_string_equal(harness_text(o->data, "differences[0].field"), "_slug");
	assert_string_equal(harness_text(o->data, "differences[1].field"), "body");
	assert_string_equal(harness_text(o->data, "differences[1].blocks[0].key"), "2");
	assert_string_equal(harness_text(o->data, "differences[1].blocks[0].change"), "removed");
	assert_string_equal(harness_text(o->data, "differences[1].blocks[1].key"), "1");
	assert_string_equal(harness_text(o->data, "differences[1].blocks[1].change"), "changed");
	assert_string_equal(harness_text(o->data, "differences[1].blocks[2].change"), "added");
	assert_string_equal(harness_text(o->data, "differences[2].field"), "year");
	assert_string_equal(harness_text(o->data, "differences[2].change"), "removed");
	assert_string_equal(harness_text(o->data, "differences[3].change"), "added");
	assert_code(ask(h, subscriber, "GET " BASE "/%s/compare", id), "FORBIDDEN");
}

static void
authors_are_those_with_items(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27], one[27], two[27];

	harness_ok(o, harness_op(h, admin, "user_add",
			  "{\"email\":\"z@example.org\",\"name\":\"Ann\",\"role\":\"author\"}"));
	snprintf(one, sizeof(one), "%s", harness_text(o->data, "id"));
	harness_ok(o, harness_op(h, admin, "user_add",
			  "{\"email\":\"a@example.org\",\"name\":\"Bob\",\"role\":\"author\"}"));
	snprintf(two, sizeof(two), "%s", harness_text(o->data, "id"));
	for (int i = 0; i < 3; i++)
		assert_ok(say(h, &(struct harness_user){ .id = one, .role = 30 }, "POST " BASE,
		    "{'data':{}}"));
	make(h, &(struct harness_user){ .id = two, .role = 30 }, id, "{'data':{}}");
	harness_ok(o, ask(h, contributor, "GET " BASE "/authors"));
	assert_int_equal(json_array_size(harness_at(o->data, "items")), 2);
	assert_string_equal(harness_text(o->data, "items[0].name"), "Ann");
	assert_ok(on(h, editor, "DELETE", id, "", ""));
	harness_ok(o, ask(h, contributor, "GET " BASE "/authors"));
	assert_int_equal(json_array_size(harness_at(o->data, "items")), 1);
	assert_code(ask(h, subscriber, "GET " BASE "/authors"), "FORBIDDEN");
	assert_code(ask(h, contributor, "GET /content/none/authors"), "COLLECTION_NOT_FOUND");
}

static void
a_preview_link_shows_one_item_for_a_time(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27], other[27], token[600];

	make(h, author, id, "{'slug':'p q','status':'published','data':{'title':'A'}}");
	make(h, author, other, "{'data':{'title':'B'}}");
	assert_ok(on(h, author, "PUT", id, "", "{'data':{'title':'draft'}}"));
	harness_ok(o, on(h, contributor, "POST", id, "/preview-url",
			  "{'expiresIn':'1m','pathPattern':'/x/{collection}/{slug}?a=1'}"));
	assert_non_null(strstr(harness_text(o->data, "url"), "/x/posts/p%20q?a=1&_preview="));
	snprintf(token, sizeof(token), "%s", harness_text(o->data, "token"));
	harness_ok(o, ask(h, nobody, "GET " BASE "/%s?_preview=%s", id, token));
	assert_string_equal(harness_text(o->data, "item.data.title"), "draft");
	assert_null(harness_at(o->data, "item.liveData"));
	/* The token is valid for this item and route only. */
	assert_code(ask(h, nobody, "GET " BASE "/%s?_preview=%s", other, token), "NOT_FOUND");
	assert_code(ask(h, nobody, "GET " BASE "/%s", id), "UNAUTHORIZED");
	assert_code(ask(h, nobody, "GET " BASE "/%s?_preview=x", id), "UNAUTHORIZED");
	assert_code(ask(h, nobody, "GET " BASE "/%s?_preview=x%s", id, token), "UNAUTHORIZED");
	token[strlen(token) - 2] ^= 1;
	assert_code(ask(h, nobody, "GET " BASE "/%s?_preview=%s", id, token), "UNAUTHORIZED");
	token[strlen(token) - 2] ^= 1;
	at(h, 60000);
	assert_code(ask(h, nobody, "GET " BASE "/%s?_preview=%s", id, token), "UNAUTHORIZED");
	assert_code(on(h, contributor, "POST", id, "/preview-url", "{'expiresIn':'0s'}"),
	    "VALIDATION_ERROR");
	assert_code(
	    on(h, contributor, "POST", id, "/preview-url", "{'expiresIn':'9999999999999w'}"),
	    "VALIDATION_ERROR");
	assert_code(
	    on(h, contributor, "POST", id, "/preview-url", "{'pathPattern':'//evil.example/'}"),
	    "VALIDATION_ERROR");
	assert_code(on(h, subscriber, "POST", id, "/preview-url", ""), "FORBIDDEN");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		check(an_edit_of_what_is_live_is_staged),
		check(what_was_never_published_has_no_draft_to_discard),
		check(an_edit_of_what_is_not_live_is_written),
		check(a_collection_without_revisions_is_changed_in_place),
		check(a_slug_is_staged_with_the_draft),
		check(discarding_a_draft_brings_back_what_was),
		check(publishing_is_idempotent_and_keeps_the_date),
		check(a_write_names_no_column_that_stays),
		check(each_role_publishes_what_it_may),
		check(what_is_required_is_there_when_it_is_published),
		check(a_put_publishes_what_it_brings),
		check(one_of_many_wins_with_a_revision),
		check(tools_will_not_write_blindly),
		check(a_trashed_item_comes_back_or_goes_for_good),
		check(a_copy_is_a_draft_of_its_own),
		check(a_draft_is_compared_block_by_block),
		check(authors_are_those_with_items),
		check(a_preview_link_shows_one_item_for_a_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
