/* toolargs.t - arguments and results of tools: schemas that hosts accept, consistent names,
 * Markdown, selected members, and messages that name the missing role. */
#include "rpc.h"
#include <stdio.h>

/* ---- schemas ---- */

/* Checks a subschema. */
static void
check_schema(const char *tool, const json_t *schema)
{
	const json_t *type = json_object_get(schema, "type"),
		     *either = json_object_get(schema, "anyOf"), *value;
	const char *name;
	size_t i;

	if (type == NULL && either == NULL)
		fail_msg("%s: a schema says nothing: %s", tool, json_dumps(schema, 0));
	if (type != NULL && !json_is_string(type))
		fail_msg("%s: more than one type: %s", tool, json_dumps(schema, 0));
	if (type != NULL && strcmp(json_string_value(type), "array") == 0 &&
	    !json_is_object(json_object_get(schema, "items")))
		fail_msg("%s: an array of nothing: %s", tool, json_dumps(schema, 0));
	if (json_object_get(schema, "items") != NULL)
		check_schema(tool, json_object_get(schema, "items"));
	json_array_foreach((json_t *)(uintptr_t)either, i, value) check_schema(tool, value);
	json_object_foreach(json_object_get(schema, "properties"), name, value)
	    check_schema(tool, value);
}

static json_t *
list(struct harness *h)
{
	struct outcome *o =
	    rpc_post(h, admin, NULL, "{'jsonrpc':'2.0','id':1,'method':'tools/list'}");

	return harness_at(o->body, "result.tools");
}

static json_t *
tool(struct harness *h, const char *name)
{
	json_t *tools = list(h), *one;
	size_t i;

	json_array_foreach(
	    tools, i, one) if (strcmp(harness_text(one, "name"), name) == 0) return one;
	fail_msg("there is no tool %s", name);
	return NULL;
}

static void
each_schema_has_one_type_and_each_array_its_items(void **state)
{
	struct harness *h = *state;
	json_t *tools = list(h), *one;
	size_t i;

	assert_true(json_array_size(tools) > 30);
	json_array_foreach(tools, i, one)
	{
		const char *name = harness_text(one, "name");

		check_schema(name, harness_at(one, "inputSchema"));
		check_schema(name, harness_at(one, "outputSchema"));
	}
}

static void
what_may_be_null_is_a_choice_of_two(void **state)
{
	struct harness *h = *state;
	json_t *slug = harness_at(tool(h, "content_update"), "inputSchema.properties.slug");

	assert_null(harness_at(slug, "type"));
	assert_string_equal(harness_text(slug, "anyOf[0].type"), "string");
	assert_string_equal(harness_text(slug, "anyOf[1].type"), "null");
}

static void
credits_are_objects(void **state)
{
	struct harness *h = *state;
	json_t *r;

	assert_string_equal(
	    harness_text(tool(h, "content_create"), "inputSchema.properties.bylines.items.type"),
	    "object");
	r = rpc_call(h, editor, "content_create",
	    "{'collection':'posts','data':{'title':'A'},'bylines':['x']}");
	assert_string_equal(rpc_code(r), "VALIDATION_ERROR");
	assert_non_null(strstr(rpc_text(r), "bylines[0]"));
}

/* ---- filters ---- */

static void
filters_of_a_tool_are_an_object_or_its_text(void **state)
{
	static const char *const given[] = { "{'kind':'news'}",
		"'{\\u0022kind\\u0022:\\u0022news\\u0022}'" };
	struct harness *h = *state;
	char id[27];

	make(h, editor, id, "{'data':{'title':'A','kind':'news'}}");
	make(h, editor, id, "{'data':{'title':'B','kind':'note'}}");
	assert_string_equal(
	    harness_text(tool(h, "content_list"), "inputSchema.properties.fieldFilters.type"),
	    "object");
	for (size_t i = 0; i < COUNT(given); i++) {
		json_t *r = rpc_call(h, editor, "content_list",
		    "{'collection':'posts','fieldFilters':%s}", given[i]);

		assert_string_equal(rpc_code(r), "");
		assert_int_equal(json_array_size(harness_at(r, "structuredContent.items")), 1);
		assert_string_equal(harness_text(r, "structuredContent.items[0].data.title"), "A");
	}
	assert_string_equal(rpc_code(rpc_call(h, editor, "content_list",
				"{'collection':'posts','fieldFilters':['news']}")),
	    "VALIDATION_ERROR");
	/* In a request the filter still is a text. */
	assert_int_equal(total(h, editor, filters("{'kind':'news'}")), 1);
}

/* ---- sections ---- */

static void
a_section_is_named_alike_by_every_tool(void **state)
{
	struct harness *h = *state;
	json_t *r =
	    rpc_call(h, editor, "section_create", "{'slug':'cta','title':'Call','content':[]}");

	assert_string_equal(rpc_code(r), "");
	r = rpc_call(h, editor, "section_get", "{'section':'cta'}");
	assert_string_equal(harness_text(r, "structuredContent.title"), "Call");
	r = rpc_call(h, editor, "section_update", "{'section':'cta','slug':'call'}");
	assert_string_equal(harness_text(r, "structuredContent.slug"), "call");
	r = rpc_call(h, editor, "section_delete", "{'section':'call'}");
	assert_string_equal(rpc_code(r), "");
}

static void
a_section_takes_markdown_as_items_do(void **state)
{
	struct harness *h = *state;
	json_t *r = rpc_call(h, editor, "section_create",
	    "{'slug':'cta','title':'Call','content':'# One\\n\\nTwo **three**'}");
	char key[64];
	struct outcome *o;

	assert_string_equal(rpc_code(r), "");
	assert_non_null(strstr(harness_text(r, "structuredContent.content"), "# One"));
	harness_ok(o, ask(h, editor, "GET /sections/cta"));
	assert_string_equal(harness_text(o->data, "content[0].style"), "h1");
	assert_string_equal(harness_text(o->data, "content[1].children[1].text"), "three");
	(void)snprintf(key, sizeof(key), "%s", harness_text(o->data, "content[1]._key"));
	assert_string_not_equal(key, "");
	/* An unchanged block keeps its key. */
	harness_ok(
	    o, say(h, editor, "PUT /sections/cta", "{'content':'# New\\n\\nTwo **three**'}"));
	assert_non_null(strstr(harness_text(o->data, "content"), "# New"));
	harness_ok(o, ask(h, editor, "GET /sections/cta"));
	assert_string_equal(harness_text(o->data, "content[1]._key"), key);
	/* Reads return Markdown if asked to. */
	harness_ok(o, ask(h, editor, "GET /sections/cta?markdown=true"));
	assert_non_null(strstr(harness_text(o->data, "content"), "**three**"));
	assert_string_equal(harness_text(o->data, "slug"), "cta");
	assert_string_equal(harness_text(o->data, "source"), "user");
	harness_ok(o, ask(h, editor, "GET /sections?markdown=true"));
	assert_non_null(strstr(harness_text(o->data, "items[0].content"), "# New"));
	assert_code(say(h, editor, "PUT /sections/cta", "{'content':7}"), "VALIDATION_ERROR");
}

/* ---- members to answer ---- */

static void
each_tool_of_the_life_of_an_item_answers_what_is_asked_for(void **state)
{
	static const char *const steps[] = { "content_publish", "content_unpublish",
		"content_schedule", "content_unschedule", "content_discard_draft",
		"content_duplicate", "content_delete", "content_restore" };
	struct harness *h = *state;
	char id[27], rev[256] = "";

	make(h, editor, id, "{'data':{'title':'A','year':3}}");
	for (size_t i = 0; i < COUNT(steps); i++) {
		const char *step = steps[i];
		json_t *r =
		    rpc_call(h, editor, "content_get", "{'collection':'posts','id':'%s'}", id);
		bool needs_rev = i < 2 || i == 4;

		if (i < 7)
			(void)snprintf(
			    rev, sizeof(rev), "%s", harness_text(r, "structuredContent._rev"));
		r = rpc_call(h, editor, step, "{'collection':'posts','id':'%s'%s%s%s%s%s}", id,
		    needs_rev ? ",'_rev':'" : "", needs_rev ? rev : "", needs_rev ? "'" : "",
		    i == 2 ? ",'scheduledAt':'2099-01-01T00:00:00Z'" : "",
		    i == 6 ? "" : ",'fields':'status,title'");
		if (*rpc_code(r) != '\0')
			fail_msg("%s: %s", step, rpc_text(r));
		if (i == 6)
			continue;
		assert_int_equal(json_object_size(harness_at(r, "structuredContent.item")), 3);
		assert_int_equal(json_object_size(harness_at(r, "structuredContent.item.data")), 1);
		assert_string_not_equal(harness_text(r, "structuredContent.item.status"), "");
		assert_string_not_equal(harness_text(r, "structuredContent._rev"), "");
	}
}

static void
a_revision_is_restored_and_answered_in_part(void **state)
{
	struct harness *h = *state;
	char id[27], revision[64];
	struct outcome *o;
	json_t *r;

	make(h, editor, id, "{'data':{'title':'A'},'status':'published'}");
	assert_ok(say(h, editor, "PUT /content/posts/a", "{'data':{'title':'B'}}"));
	harness_ok(o, ask(h, editor, "GET /content/posts/%s/revisions", id));
	(void)snprintf(revision, sizeof(revision), "%s", harness_text(o->data, "items[1].id"));
	r = rpc_call(
	    h, editor, "revision_restore", "{'revisionId':'%s','fields':'title'}", revision);
	assert_string_equal(rpc_code(r), "");
	assert_int_equal(json_object_size(harness_at(r, "structuredContent.item")), 2);
	assert_string_equal(harness_text(r, "structuredContent.item.data.title"), "A");
}

/* ---- roles ---- */

static void
who_may_not_is_told_which_role_may(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27];
	json_t *r = rpc_call(h, author, "menu_create", "{'name':'m','label':'M'}");

	assert_string_equal(rpc_code(r), "INSUFFICIENT_PERMISSIONS");
	assert_string_equal(rpc_text(r),
	    "[INSUFFICIENT_PERMISSIONS] Insufficient permissions: needs the role Editor; you are "
	    "Author");
	o = say(h, author, "POST /menus", "{'name':'m','label':'M'}");
	assert_code(o, "FORBIDDEN");
	assert_string_equal(
	    o->message, "Insufficient permissions: needs the role Editor; you are Author");
	make(h, editor, id, "{'data':{'title':'A'}}");
	r = rpc_call(h, author, "content_delete", "{'collection':'posts','id':'%s'}", id);
	assert_string_equal(rpc_code(r), "INSUFFICIENT_PERMISSIONS");
	assert_non_null(
	    strstr(rpc_text(r), "needs the role Editor for what is not your own; you are Author"));
	r = rpc_call(h, contributor, "content_create",
	    "{'collection':'posts','data':{'title':'A'},'status':'published'}");
	assert_non_null(strstr(rpc_text(r), "needs the role Author; you are Contributor"));
	/* A hidden item stays hidden. */
	assert_code(ask(h, subscriber, "GET /content/posts/%s", id), "NOT_FOUND");
}

static void
bounds_of_numbers_are_in_the_schema(void **state)
{
	json_t *limit = harness_at(tool(*state, "content_list"), "inputSchema.properties.limit");

	/* A lower bound of 0 or 1 is left out. */
	assert_null(harness_at(limit, "minimum"));
	assert_int_equal(harness_int(limit, "maximum"), 100);
	limit = harness_at(tool(*state, "settings_update"), "inputSchema.properties.postsPerPage");
	assert_int_equal(harness_int(limit, "maximum"), 100);
	assert_non_null(harness_at(
	    tool(*state, "content_list"), "inputSchema.properties.dateFrom.description"));
}

/* Fails unless each number has a maximum. */
static void
check_numbers(const char *name, const char *member, json_t *schema)
{
	json_t *branch;
	size_t i;

	json_array_foreach(json_object_get(schema, "anyOf"), i, branch)
	{
		check_numbers(name, member, branch);
	}
	if (strcmp(harness_text(schema, "type"), "integer") == 0 &&
	    harness_at(schema, "maximum") == NULL)
		fail_msg("%s: %s has no maximum", name, member);
}

static void
every_limit_has_its_bounds(void **state)
{
	json_t *tools = list(*state), *one;
	size_t i;

	json_array_foreach(tools, i, one)
	{
		json_t *limit = harness_at(one, "inputSchema.properties.limit");

		if (limit != NULL)
			check_numbers(harness_text(one, "name"), "limit", limit);
	}
}

/* The list leaves out descriptions that say little, and tools_describe has all. */
static void
each_argument_is_described(void **state)
{
	json_t *tools = json_incref(list(*state)), *one, *in;
	const char *member;
	int described = 0;
	size_t i;

	json_array_foreach(tools, i, one)
	{
		const char *name = harness_text(one, "name");
		char in_json[128];
		struct outcome *o;

		(void)snprintf(in_json, sizeof(in_json), "{\"name\":\"%s\"}", name);
		harness_ok(o, harness_op(*state, admin, "tools_describe", "%s", in_json));
		json_object_foreach(harness_at(o->data, "inputSchema.properties"), member, in)
		{
			if (harness_at(in, "description") == NULL &&
			    harness_at(in, "anyOf[0].description") == NULL)
				fail_msg("%s: %s has no description", name, member);
			described++;
		}
	}
	assert_true(described > 400);
	json_decref(tools);
}

/* ---- as clients send them ---- */

/* Calls a tool, which must succeed. */
static void
takes(struct harness *h, const char *name, const char *args)
{
	json_t *r = rpc_call(h, admin, name, "%s", args);

	if (json_is_true(harness_at(r, "isError")))
		fail_msg("%s %s: %s", name, args, rpc_text(r));
}

static void
refuses(struct harness *h, const char *name, const char *args, const char *why)
{
	json_t *r = rpc_call(h, admin, name, "%s", args);

	if (!json_is_true(harness_at(r, "isError")) || strstr(rpc_text(r), why) == NULL)
		fail_msg("%s %s: %s", name, args, rpc_text(r));
}

static void
arguments_are_read_as_clients_send_them(void **state)
{
	static const struct {
		const char *tool, *args;
	} calls[] = {
		{ "content_create",
		    "{'collection':'posts','data':'{\\u0022title\\u0022:\\u0022x\\u0022}'}" },
		{ "content_create", "{'collection':'posts','data':{'title':'x'},'bylines':'[]'}" },
		{ "content_create", "{'collection':'posts','data':{'title':'x'},'status':null}" },
		{ "content_create",
		    "{'collection':'posts','data':{'title':'x'},'dry_run':'true'}" },
		{ "content_list", "{'collection':'posts','status':null}" },
		{ "content_list", "{'collection':'posts','status':'','cursor':'','locale':''}" },
		{ "content_list", "{'collection':'posts','limit':'5'}" },
		{ "content_list", "{'collection':'posts','includeTotal':'1'}" },
		{ "content_list", "{'collection':'posts','includeTotal':0}" },
		{ "content_list", "{'collection':'posts','includeTotal':'True'}" },
		{ "content_create", "{'collection':'posts','data':{'title':'x'},'status':''}" },
		{ "content_get", "{'collection':'posts','id':'x','markdown':'true'}" },
		{ "content_create", "{'collection':'posts','data':{'title':'x'},'dry_run':1}" },
		{ "media_list", "{'includeUsage':true}" },
		{ "media_list", "{'includeUsage':1}" },
		{ "media_list", "{'includeUsage':'1','unused':false}" },
		{ "media_list", "{'includeUsage':'false','unused':'0'}" },
		{ "schema_list_collections", "{'random_string':'x'}" },
		{ "batch",
		    "{'calls':'[{\\u0022op\\u0022:\\u0022content_list\\u0022,\\u0022arguments\\u0022:{\\u0022collection\\u0022:\\u0022posts\\u0022,\\u0022limit\\u0022:\\u00221\\u0022}}]'}" },
	};
	struct harness *h = *state;

	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++)
		takes(h, calls[i].tool, calls[i].args);
}

static void
what_can_mean_two_things_is_refused(void **state)
{
	struct harness *h = *state;

	refuses(h, "content_list", "{'collection':''}", "Collection");
	refuses(h, "content_list", "{'collection':null}", "collection");
	refuses(h, "content_list", "{'collection':'posts','limit':'five'}", "limit");
	refuses(h, "content_list", "{'collection':'posts','limit':'5.5'}", "limit");
	refuses(h, "content_list", "{'collection':'posts','nope':'x'}", "nope");
	refuses(h, "content_list", "{'collection':'posts','includeTotal':'yes'}", "includeTotal");
	refuses(h, "content_create", "{'collection':'posts','data':'text'}", "data");
	refuses(h, "content_create", "{'collection':'posts','data':'[1]'}", "data");
	refuses(h, "content_create", "{'collection':'posts','data':{},'dry_run':2}", "dry_run");
	refuses(h, "media_list", "{'includeUsage':'yes'}", "includeUsage");
	refuses(h, "media_upload", "{'filename':'a.png','base64':'AA=='}", "contentType");
}

/* ---- drafts only ---- */

static void
a_draft_changes_no_translation_that_is_live(void **state)
{
	const struct harness_user drafts[1] = {
		{ .id = admin->id, .role = 50, .scopes = "content:read content:draft" }
	};
	struct harness *h = *state;
	char en[27], fr[27], rev[200];
	json_t *r;

	field(h, "posts", "sku", "string", "'translatable':false");
	assert_ok(say(h, admin, "POST /taxonomies",
	    "{'name':'topic','label':'Topics','collections':['posts']}"));
	assert_ok(say(h, admin, "POST /taxonomies/topic/terms", "{'slug':'a','label':'A'}"));
	make(h, admin, en, "{'slug':'x','data':{'title':'A','sku':'1'},'status':'published'}");
	r = rpc_call(h, drafts, "content_create",
	    "{'collection':'posts','locale':'fr','translationOf':'%s','data':{'title':'F'}}", en);
	assert_string_equal(rpc_code(r), "");
	snprintf(fr, sizeof(fr), "%s", harness_text(r, "structuredContent.item.id"));
	for (int i = 0; i < 2; i++) {
		r = rpc_call(h, drafts, "content_get", "{'collection':'posts','id':'%s'}", fr);
		snprintf(rev, sizeof(rev), "%s", harness_text(r, "structuredContent._rev"));
		r = rpc_call(h, drafts, "content_update",
		    "{'collection':'posts','id':'%s','_rev':'%s',%s}", fr, rev,
		    i == 0 ? "'data':{'sku':'2'}" : "'taxonomies':{'topic':['a']}");
		assert_string_equal(rpc_code(r), i == 0 ? "" : "PUBLISH_NEEDS_APPROVAL");
	}
	r = rpc_call(
	    h, subscriber, "content_get", "{'collection':'posts','id':'%s','include':'terms'}", en);
	assert_string_equal(harness_text(r, "structuredContent.item.data.sku"), "1");
	assert_null(harness_at(r, "structuredContent.item.terms.topic[0]"));
	r = rpc_call(
	    h, drafts, "content_publish", "{'collection':'posts','id':'%s','_rev':'x'}", fr);
	assert_string_equal(rpc_code(r), "PUBLISH_NEEDS_APPROVAL");
	/* So it is of one that is scheduled to be live. */
	assert_ok(say(h, admin, "POST /content/posts/x/unpublish", "{}"));
	for (int i = 0; i < 2; i++) {
		if (i == 0)
			assert_ok(say(h, admin, "POST /content/posts/x/schedule",
			    "{'scheduledAt':'2099-01-01T00:00:00Z'}"));
		else
			assert_ok(ask(h, admin, "DELETE /content/posts/x/schedule"));
		r = rpc_call(h, drafts, "content_get", "{'collection':'posts','id':'%s'}", fr);
		snprintf(rev, sizeof(rev), "%s", harness_text(r, "structuredContent._rev"));
		r = rpc_call(h, drafts, "content_update",
		    "{'collection':'posts','id':'%s','_rev':'%s','taxonomies':{'topic':[]}}", fr,
		    rev);
		assert_string_equal(rpc_code(r), i == 0 ? "PUBLISH_NEEDS_APPROVAL" : "");
	}
}

/* ---- the short list ---- */

static void
a_token_chooses_the_short_list(void **state)
{
	const struct harness_user brief[1] = {
		{ .id = admin->id, .role = 50, .scopes = "content:read mcp:compact" }
	};
	struct outcome *o =
	    rpc_post(*state, brief, NULL, "{'jsonrpc':'2.0','id':1,'method':'tools/list'}");

	assert_int_equal(json_array_size(harness_at(o->body, "result.tools")), 3);
	o = harness_request(*state, brief, "POST /mcp?tools=all", RPC_HEADERS,
	    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}");
	assert_true(json_array_size(harness_at(o->body, "result.tools")) > 3);
}

/* Returns true if one of the first three tools is in the list (space separated). */
static bool
is_found(json_t *found, const char *wanted)
{
	for (size_t i = 0; i < 3; i++) {
		const char *name = harness_text(json_array_get(found, i), "name");
		size_t len = strlen(name);

		for (const char *at = wanted; len > 0 && (at = strstr(at, name)) != NULL; at += len)
			if ((at == wanted || at[-1] == ' ') && (at[len] == ' ' || at[len] == '\0'))
				return true;
	}
	return false;
}

/* What editors ask for, in their words, and the tools of which one is right. */
static void
a_task_in_the_words_of_an_editor_finds_its_tool(void **state)
{
	static const struct {
		const char *words, *tools;
	} tasks[] = {
		{ "undelete an article", "content_restore" },
		{ "navigation", "menu_list menu_get menu_set_items" },
		{ "sidebar", "widget_area_list widget_area_get widget_create" },
		{ "version history", "revision_list" },
		{ "publish a draft", "content_publish" },
		{ "fix typos in many articles", "content_replace batch content_patch" },
		{ "write a new blog post", "content_create" },
		{ "take a page offline", "content_unpublish" },
		{ "put an article live next Monday", "content_schedule" },
		{ "cancel the planned publication", "content_unschedule" },
		{ "throw an article away", "content_delete" },
		{ "empty the recycle bin", "content_permanent_delete" },
		{ "go back to an earlier version", "revision_restore" },
		{ "what has changed since it was published", "content_compare" },
		{ "forget my unpublished changes", "content_discard_draft" },
		{ "copy an article as a template", "content_duplicate" },
		{ "translate an article into French", "content_translations content_create" },
		{ "which articles are drafts", "content_list" },
		{ "read an article", "content_get" },
		{ "upload a photo", "media_upload" },
		{ "change the alt text of an image", "media_update" },
		{ "find pictures that nobody uses", "media_list" },
		{ "remove an image from the library", "media_delete" },
		{ "rename a category", "taxonomy_update_term" },
		{ "add a tag", "taxonomy_create_term" },
		{ "list all categories", "taxonomy_list_terms taxonomy_list" },
		{ "get rid of a tag", "taxonomy_delete_term" },
		{ "set up a new category system", "taxonomy_create" },
		{ "reorder the main menu", "menu_set_items" },
		{ "add a link to the navigation", "menu_set_items" },
		{ "credit an author", "byline_create content_update" },
		{ "change the biography of an author", "byline_update" },
		{ "approve the comment of a reader", "comment_moderate" },
		{ "mark comments as spam", "comment_moderate comment_delete" },
		{ "search the site for a word", "search" },
		{ "make a collection searchable", "search_enable" },
		{ "change the title of the site", "settings_update" },
		{ "what is the time zone of the site", "settings_get" },
		{ "add a field to a content type", "schema_create_field" },
		{ "which content types are there", "schema_list_collections" },
		{ "leave a note for a colleague", "note_write" },
		{ "ask the editor for a review", "review_decide" },
		{ "publish several changes together", "release_publish release_save batch" },
		{ "reusable block for the newsletter signup", "section_create section_list" },
	};
	size_t found = 0;

	for (size_t i = 0; i < COUNT(tasks); i++) {
		struct outcome *o =
		    harness_op(*state, admin, "tools_search", "{\"words\":\"%s\"}", tasks[i].words);
		bool is = is_found(harness_at(o->data, "items"), tasks[i].tools);

		found += is;
		if (!is)
			print_message("# \"%s\" finds %s, %s, %s\n", tasks[i].words,
			    harness_text(o->data, "items[0].name"),
			    harness_text(o->data, "items[1].name"),
			    harness_text(o->data, "items[2].name"));
	}
	print_message("# %zu of %zu tasks find their tool\n", found, COUNT(tasks));
	assert_true(found >= 40);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		check(each_schema_has_one_type_and_each_array_its_items),
		check(what_may_be_null_is_a_choice_of_two),
		check(credits_are_objects),
		check(filters_of_a_tool_are_an_object_or_its_text),
		check(a_section_is_named_alike_by_every_tool),
		check(a_section_takes_markdown_as_items_do),
		check(each_tool_of_the_life_of_an_item_answers_what_is_asked_for),
		check(a_revision_is_restored_and_answered_in_part),
		check(who_may_not_is_told_which_role_may),
		check(bounds_of_numbers_are_in_the_schema),
		check(every_limit_has_its_bounds),
		check(each_argument_is_described),
		check(arguments_are_read_as_clients_send_them),
		check(what_can_mean_two_things_is_refused),
		check(a_draft_changes_no_translation_that_is_live),
		check(a_token_chooses_the_short_list),
		check(a_task_in_the_words_of_an_editor_finds_its_tool),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
