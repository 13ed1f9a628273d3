/* dryrun.t - dry runs of writes: their results, and that nothing is written. */
#include "inside.h"
#include "rpc.h"
#include "site/site.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t
generations(struct harness *h)
{
	return atomic_load(&harness_site(h)->generations);
}

/* Describes everything that a write may leave, as one text. */
static void
census(struct harness *h, char out[4000])
{
	static const char *const tables[] = { "c_posts", "revision", "collection", "field", "menu",
		"module_state", "site_setting", "outbox", "audit_log", "change_feed",
		"schema_state", "content_byline", "byline", "taxonomy" };

	*out = '\0';
	for (size_t i = 0; i < COUNT(tables); i++) {
		char sql[200];

		snprintf(sql, sizeof(sql),
		    "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = '%s'",
		    tables[i]);
		if (strcmp(inside_ask(h, sql), "1") != 0)
			continue;
		snprintf(sql, sizeof(sql), "SELECT count(*) FROM %s", tables[i]);
		snprintf(
		    out + strlen(out), 4000 - strlen(out), "%s=%s ", tables[i], inside_ask(h, sql));
	}
	snprintf(out + strlen(out), 4000 - strlen(out), "%s",
	    inside_ask(h, "SELECT group_concat(id || version || status || f_title) FROM c_posts"));
}

static void
nothing_remains_of_a_write_that_is_tried(void **state)
{
	static const struct {
		const char *tool, *arguments; /* $ stands for the _rev */
	} cases[] = {
		{ "content_create",
		    "{'collection':'posts','data':{'title':'New'},'dry_run':true}" },
		{ "content_create",
		    "{'collection':'posts','data':{'title':'New'},'status':'published',"
		    "'dry_run':true}" },
		{ "content_update",
		    "{'collection':'posts','id':'x','_rev':'$','data':{'title':'U'},'dry_run':true}" },
		{ "content_patch",
		    "{'collection':'posts','id':'x','_rev':'$','set':{'title':'U'},'dry_run':true}" },
		{ "content_publish", "{'collection':'posts','id':'x','_rev':'$','dry_run':true}" },
		{ "content_schedule",
		    "{'collection':'posts','id':'x','scheduledAt':'2036-01-01T00:00:00Z',"
		    "'dry_run':true}" },
		{ "content_delete", "{'collection':'posts','id':'x','dry_run':true}" },
		{ "schema_create_collection", "{'slug':'new','label':'New','dry_run':true}" },
		{ "schema_delete_collection", "{'slug':'pages','force':true,'dry_run':true}" },
		{ "menu_create", "{'name':'m','label':'M','dry_run':true}" },
	};
	struct harness *h = *state;
	char before[4000], after[4000], rev[200], id[27];
	uint64_t generation = generations(h);

	make(h, admin, id, "{'slug':'x','data':{'title':'T'}}");
	snprintf(rev, sizeof(rev), "%s",
	    harness_text(rpc_call(h, admin, "content_get", "{'collection':'posts','id':'x'}"),
		"structuredContent._rev"));
	census(h, before);
	for (size_t i = 0; i < COUNT(cases); i++) {
		const char *cut = strchr(cases[i].arguments, '$');
		int head = (int)(cut != NULL ? (size_t)(cut - cases[i].arguments)
					     : strlen(cases[i].arguments));
		json_t *r = rpc_call(h, admin, cases[i].tool, "%.*s%s%s", head, cases[i].arguments,
		    cut != NULL ? rev : "", cut != NULL ? cut + 1 : "");

		if (*rpc_code(r) != '\0')
			fail_msg("%s: %s", cases[i].tool, rpc_text(r));
		assert_true(json_is_true(harness_at(r, "structuredContent.dryRun")));
		assert_memory_equal(rpc_text(r), "{\"dryRun\":true,", 15);
		census(h, after);
		assert_string_equal(after, before);
	}
	assert_int_equal(generations(h), generation);
}

static void
a_trial_answers_what_would_be(void **state)
{
	struct harness *h = *state;
	json_t *r = rpc_call(h, author, "content_create",
	    "{'collection':'posts','data':{'title':'Hello There'},'dry_run':true}");

	assert_string_equal(harness_text(r, "structuredContent.item.slug"), "hello-there");
	r = rpc_call(
	    h, author, "content_create", "{'collection':'posts','data':{'nope':1},'dry_run':true}");
	assert_string_equal(rpc_code(r), "VALIDATION_ERROR");
	r = rpc_call(h, subscriber, "content_create",
	    "{'collection':'posts','data':{'title':'T'},'dry_run':true}");
	assert_string_equal(rpc_code(r), "INSUFFICIENT_PERMISSIONS");
	r = rpc_call(
	    h, author, "content_create", "{'collection':'posts','data':{'title':'T'},'dry_run':2}");
	assert_string_equal(rpc_code(r), "VALIDATION_ERROR");
	/* Reads have no dry run. */
	r = rpc_call(h, author, "content_list", "{'collection':'posts','dry_run':true}");
	assert_string_equal(rpc_code(r), "VALIDATION_ERROR");
	r = rpc_call(h, author, "content_create",
	    "{'collection':'posts','data':{'title':'T'},'dry_run':false}");
	assert_null(harness_at(r, "structuredContent.dryRun"));
	assert_string_equal(inside_ask(h, "SELECT count(*) FROM c_posts"), "1");
}

static void
in_a_batch_only_what_is_no_trial_is_done(void **state)
{
	struct harness *h = *state;
	struct outcome *o = rpc_post(h, author, NULL,
	    "[{'jsonrpc':'2.0','id':1,'method':'tools/call','params':{'name':'content_create',"
	    "'arguments':{'collection':'posts','data':{'title':'A'},'dry_run':true}}},"
	    "{'jsonrpc':'2.0','id':2,'method':'tools/call','params':{'name':'content_create',"
	    "'arguments':{'collection':'posts','data':{'title':'B'}}}}]");

	assert_int_equal(json_array_size(o->body), 2);
	assert_true(json_is_true(
	    harness_at(json_array_get(o->body, 0), "result.structuredContent.dryRun")));
	assert_null(harness_at(json_array_get(o->body, 0), "result.isError"));
	assert_null(harness_at(json_array_get(o->body, 1), "result.structuredContent.dryRun"));
	assert_string_equal(inside_ask(h, "SELECT group_concat(f_title) FROM c_posts"), "B");
}

/* ---- every tool that writes ---- */

/* Tools of the slow lane have no transaction that could be rolled back, and no dry run. */
static bool
is_slow(const char *name)
{
	return strncmp(name, "media_upload", 12) == 0 || strcmp(name, "media_create") == 0 ||
	       strcmp(name, "search_enable") == 0 || strncmp(name, "media_usage_repair", 18) == 0 ||
	       strcmp(name, "import") == 0;
}

/* Returns true if tools_describe has dry_run among the arguments of the tool. */
static bool
describes(struct harness *h, const char *name)
{
	char body[300];
	struct outcome *o;

	snprintf(body, sizeof(body),
	    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":"
	    "\"tools_describe\",\"arguments\":{\"name\":\"%s\"}}}",
	    name);
	o = harness_request(h, admin, "POST /mcp?tools=compact", RPC_HEADERS, body);
	assert_non_null(harness_at(o->body, "result.structuredContent.inputSchema"));
	return harness_at(o->body, "result.structuredContent.inputSchema.properties.dry_run") !=
	       NULL;
}

/* Every write can be tried, and no read. The list shows dry_run with tools that destroy, and with
 * batch, which can try all others: models that give only what a schema has use that. */
static void
every_write_can_be_tried(void **state)
{
	static const char *const shown[] = { "batch", "content_delete", "content_permanent_delete",
		"content_discard_draft", "schema_delete_collection", "schema_delete_field",
		"taxonomy_delete", "media_delete", "menu_delete" };
	struct harness *h = *state;
	struct outcome *o =
	    rpc_post(h, admin, NULL, "{'jsonrpc':'2.0','id':1,'method':'tools/list'}");
	json_t *tools = json_incref(harness_at(o->body, "result.tools")), *tool;
	size_t i, found = 0, writes = 0;

	json_array_foreach(tools, i, tool)
	{
		const char *name = harness_text(tool, "name");
		const bool write =
		    !json_is_true(harness_at(tool, "annotations.readOnlyHint")) && !is_slow(name);
		const bool lists = harness_at(tool, "inputSchema.properties.dry_run") != NULL;
		json_t *r;
		bool takes;

		/* A host that validates arguments must accept those that are not listed. */
		assert_null(harness_at(tool, "inputSchema.additionalProperties"));
		writes += write;
		if ((lists && !write) || describes(h, name) != write)
			fail_msg("%s: dry_run is described wrongly", name);
		for (size_t k = 0; k < COUNT(shown); k++)
			if (strcmp(shown[k], name) == 0)
				found += lists;
		r = rpc_call(h, admin, name, "{'dry_run':[]}");
		takes = strstr(rpc_text(r), "dry_run: must be a boolean") != NULL;
		if (takes != write)
			fail_msg("%s: %s", name, rpc_text(r));
	}
	assert_int_equal(found, COUNT(shown));
	assert_in_range(writes, 40, json_array_size(tools));
	json_decref(tools);
}

static void
a_batch_tries_all_its_calls(void **state)
{
	struct harness *h = *state;
	json_t *r = rpc_call(h, author, "batch",
	    "{'calls':[{'op':'content_create','arguments':{'collection':'posts','data':{'title':"
	    "'A'}}},{'op':'content_list','arguments':{'collection':'posts'}}],'dry_run':true}");

	assert_string_equal(rpc_code(r), "");
	assert_true(json_is_true(harness_at(r, "structuredContent.dryRun")));
	assert_string_equal(
	    harness_text(r, "structuredContent.results[1].data.items[0].data.title"), "A");
	assert_string_equal(inside_ask(h, "SELECT count(*) FROM c_posts"), "0");
}

/* ---- content_replace ---- */

static void
a_text_is_replaced_in_many_items(void **state)
{
	struct harness *h = *state;
	char id[27], cursor[300];
	json_t *r;

	field(h, "posts", "text", "portableText", "'required':false");
	for (int i = 0; i < 3; i++)
		make(h, editor, id,
		    "{'data':{'title':'Tke \xc3\xa4 number %d of tke','text':[{'_type':'block',"
		    "'children':[{'_type':'span','text':'See Tke Tke end'}]}]},'status':'%s'}",
		    i, i == 0 ? "draft" : "published");
	make(h, editor, id, "{'data':{'title':'The other'}}");
	r = rpc_call(h, editor, "content_replace",
	    "{'collection':'posts','find':'Tke','with':'The','dry_run':true}");
	assert_int_equal(json_array_size(harness_at(r, "structuredContent.items")), 3);
	assert_int_equal(harness_int(r, "structuredContent.looked"), 4);
	assert_int_equal(harness_int(r, "structuredContent.items[0].count"), 3);
	assert_string_equal(harness_text(r, "structuredContent.items[0].places[0].after"),
	    " \xc3\xa4 number 0 of tke");
	assert_string_equal(harness_text(r, "structuredContent.items[0].places[1].before"), "See ");
	r = rpc_call(h, editor, "content_replace",
	    "{'collection':'posts','find':'Tke','with':'The','fields':'title','limit':2}");
	assert_int_equal(json_array_size(harness_at(r, "structuredContent.items")), 2);
	assert_int_equal(harness_int(r, "structuredContent.items[0].count"), 1);
	snprintf(cursor, sizeof(cursor), "%s", harness_text(r, "structuredContent.nextCursor"));
	r = rpc_call(h, editor, "content_replace",
	    "{'collection':'posts','find':'Tke','with':'The','cursor':'%s'}", cursor);
	assert_int_equal(json_array_size(harness_at(r, "structuredContent.items")), 1);
	assert_null(harness_at(r, "structuredContent.nextCursor"));
	/* What is published has a draft now, whose _rev was answered. */
	snprintf(id, sizeof(id), "%s", harness_text(r, "structuredContent.items[0].id"));
	snprintf(cursor, sizeof(cursor), "%s", harness_text(r, "structuredContent.items[0]._rev"));
	r = rpc_call(h, editor, "content_compare", "{'collection':'posts','id':'%s'}", id);
	assert_true(strncmp(harness_text(r, "structuredContent.live.title"), "Tke", 3) == 0);
	assert_true(strncmp(harness_text(r, "structuredContent.draft.title"), "The", 3) == 0);
	r = rpc_call(h, editor, "content_publish", "{'collection':'posts','id':'%s','_rev':'%s'}",
	    id, cursor);
	assert_string_equal(rpc_code(r), "");
	/* Items of others are left alone. */
	r = rpc_call(
	    h, author, "content_replace", "{'collection':'posts','find':'The','with':'A'}");
	assert_int_equal(json_array_size(harness_at(r, "structuredContent.items")), 0);
}

/* Items that cannot be changed are told, and the others are changed. */
static void
an_item_that_cannot_be_changed_stays(void **state)
{
	const struct harness_user drafts[1] = {
		{ .id = admin->id, .role = 50, .scopes = "content:read content:draft" }
	};
	struct harness *h = *state;
	char id[4][27];
	struct outcome *o;
	json_t *r;

	field(h, "posts", "short", "string", "'validation':{'maxLength':10}");
	make(h, admin, id[0], "{'data':{'title':'A','short':'Tke one'}}");
	make(h, admin, id[1], "{'data':{'title':'B','short':'Tke second'}}");
	make(h, admin, id[2], "{'slug':'c','data':{'title':'C','short':'Tke two'}}");
	make(h, admin, id[3], "{'data':{'title':'D','short':'Tke six'}}");
	assert_ok(say(
	    h, admin, "POST /content/posts/c/schedule", "{'scheduledAt':'2099-01-01T00:00:00Z'}"));
	r = rpc_call(
	    h, drafts, "content_replace", "{'collection':'posts','find':'Tke','with':'Them'}");
	assert_string_equal(rpc_code(r), "");
	assert_int_equal(json_array_size(harness_at(r, "structuredContent.items")), 2);
	assert_string_equal(harness_text(r, "structuredContent.items[0].id"), id[0]);
	assert_string_equal(harness_text(r, "structuredContent.items[1].id"), id[3]);
	assert_int_equal(json_array_size(harness_at(r, "structuredContent.failed")), 2);
	assert_string_equal(harness_text(r, "structuredContent.failed[0].id"), id[1]);
	assert_string_equal(
	    harness_text(r, "structuredContent.failed[0].error.code"), "VALIDATION_ERROR");
	assert_string_equal(harness_text(r, "structuredContent.failed[1].id"), id[2]);
	assert_string_equal(
	    harness_text(r, "structuredContent.failed[1].error.code"), "PUBLISH_NEEDS_APPROVAL");
	assert_int_equal(harness_int(r, "structuredContent.looked"), 4);
	harness_ok(o, ask(h, admin, "GET /content/posts/%s", id[0]));
	assert_string_equal(harness_text(o->data, "item.data.short"), "Them one");
	harness_ok(o, ask(h, admin, "GET /content/posts/%s", id[1]));
	assert_string_equal(harness_text(o->data, "item.data.short"), "Tke second");
	/* The same over REST, where an item that fails counts towards the limit, too. */
	harness_ok(o,
	    say(h, admin, "POST /content/posts/replace", "{'find':'Tke','with':'Them','limit':1}"));
	assert_string_equal(harness_text(o->data, "failed[0].id"), id[1]);
	assert_string_not_equal(harness_text(o->data, "nextCursor"), "");
}

/* A result is bounded, and so is what a call reads. */
static void
long_texts_are_replaced_in_parts(void **state)
{
	struct harness *h = *state;
	const size_t len = 600000;
	char *body = malloc(len + 200);
	struct outcome *o;

	assert_non_null(body);
	for (int i = 0; i < 16; i++) {
		const char *head = "{\"data\":{\"title\":\"A\",\"summary\":\"", *tail = "\"}}";

		memcpy(body, head, strlen(head));
		memset(body + strlen(head), 'a', len);
		memcpy(body + strlen(head) + len, tail, strlen(tail) + 1);
		assert_ok(harness_request(h, admin, "POST /content/posts", NULL, body));
	}
	free(body);
	harness_ok(
	    o, say(h, admin, "POST /content/posts/replace",
		   "{'find':'a','with':'0123456789012345678901234567890123456789','limit':2}"));
	assert_int_equal(json_array_size(harness_at(o->data, "items")), 0);
	assert_int_equal(json_array_size(harness_at(o->data, "failed")), 2);
	assert_string_equal(harness_text(o->data, "failed[0].error.code"), "VALIDATION_ERROR");
	assert_non_null(strstr(harness_text(o->data, "failed[0].error.message"), "1 MiB"));
	harness_ok(o, say(h, admin, "POST /content/posts/replace", "{'find':'b','with':''}"));
	assert_int_equal(harness_int(o->data, "looked"), 14);
	assert_string_not_equal(harness_text(o->data, "nextCursor"), "");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		check(nothing_remains_of_a_write_that_is_tried),
		check(a_trial_answers_what_would_be),
		check(in_a_batch_only_what_is_no_trial_is_done),
		check(every_write_can_be_tried),
		check(a_batch_tries_all_its_calls),
		check(a_text_is_replaced_in_many_items),
		check(an_item_that_cannot_be_changed_stays),
		check(long_texts_are_replaced_in_parts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
