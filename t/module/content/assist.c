/*
 * assist.t - items as assistants read and write them: selected members, Portable Text as Markdown,
 * patches of single blocks, errors with advice.
 */
#include "posts.h"
#include <stdio.h>

#define BLOCK(key, text)                                                                 \
	"{'_type':'block','_key':'" key "','style':'normal','markDefs':[],'children':[{" \
	"'_type':'span','_key':'s','text':'" text "','marks':[]}]}"
#define CALLOUT "{'_type':'callout','_key':'c','tone':'warn'}"
#define BODY "[" BLOCK("a", "One.") "," BLOCK("b", "Two.") "," CALLOUT "]"

static const char *
get(const char *id, const char *more)
{
	static char args[300];

	snprintf(args, sizeof(args), "{\"collection\":\"posts\",\"id\":\"%s\"%s}", id, more);
	return args;
}

/* Calls a tool; arguments have " for each '. */
STET_FMT(3, 4)
static struct outcome *
run(struct harness *h, const char *op, const char *fmt, ...)
{
	char args[3000];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(args, sizeof(args), fmt, ap);
	va_end(ap);
	return harness_op(h, editor, op, "%s", double_quotes(args));
}

static char *
rev_of(struct harness *h, const char *id, char rev[100])
{
	struct outcome *o;

	harness_ok(o, harness_op(h, editor, "content_get", "%s", get(id, "")));
	snprintf(rev, 100, "%s", harness_text(o->data, "_rev"));
	return rev;
}

static void
only_what_is_asked_for_is_answered(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27];

	make(h, editor, id, "{'slug':'x','data':{'title':'T','body':" BODY "}}");
	harness_ok(o, ask(h, editor, "GET " BASE "/%s?fields=title,status", id));
	assert_int_equal(json_object_size(harness_at(o->data, "item")), 3);
	assert_string_equal(harness_text(o->data, "item.id"), id);
	assert_string_equal(harness_text(o->data, "item.status"), "draft");
	assert_int_equal(json_object_size(harness_at(o->data, "item.data")), 1);
	harness_ok(o, ask(h, editor, "GET " BASE "?fields=slug,%%20title&orderBy=kind"));
	assert_int_equal(json_object_size(harness_at(o->data, "items[0]")), 3);
	assert_string_equal(harness_text(o->data, "items[0].data.title"), "T");
	harness_ok(o, ask(h, editor, "GET " BASE "?fields=bylines"));
	assert_int_equal(json_object_size(harness_at(o->data, "items[0]")), 3);
	o = ask(h, editor, "GET " BASE "/%s?fields=headline", id);
	assert_code(o, "VALIDATION_ERROR");
	assert_true(harness_issue(o, "fields"));
	assert_non_null(strstr(o->text, "is none of: id, type, slug"));
	assert_non_null(strstr(o->text, "title"));
}

static void
pages_by_an_order_that_is_not_shown_go_on(void **state)
{
	struct harness *h = *state;
	struct walk w = { 0 };

	fill(h);
	walk_all(h, editor, "orderBy=kind&limit=7&fields=title", &w);
	assert_int_equal(w.count, total(h, editor, ""));
}

static void
compare_tells_of_the_fields_that_are_asked_for(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27], path[100];

	make(h, editor, id,
	    "{'slug':'x','status':'published','data':{'title':'T','body':" BODY "}}");
	snprintf(path, sizeof(path), "PUT " BASE "/%s", id);
	assert_ok(say(h, editor, path, "{'data':{'title':'U','body':[]},'slug':'y'}"));
	harness_ok(o, ask(h, editor, "GET " BASE "/%s/compare?fields=title", id));
	assert_int_equal(json_array_size(harness_at(o->data, "differences")), 1);
	assert_int_equal(json_object_size(harness_at(o->data, "draft")), 1);
	assert_string_equal(harness_text(o->data, "live.title"), "T");
}

static void
a_text_is_read_and_edited_as_markdown(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27], rev[100];

	make(h, editor, id,
	    "{'slug':'x','status':'published','data':{'title':'T','body':" BODY "}}");
	harness_ok(o, harness_op(h, editor, "content_get", "%s", get(id, ",\"markdown\":true")));
	assert_string_equal(harness_text(o->data, "item.data.body"),
	    "One.\n\nTwo.\n\n<!--block {\"_type\":\"callout\",\"_key\":\"c\",\"tone\":\"warn\"}-->");
	harness_ok(
	    o, run(h, "content_update",
		   "{'collection':'posts','id':'%s','_rev':'%s','data':{'body':'One, "
		   "**edited**.\\n\\nTwo.\\n\\n<!--block "
		   "{\\'_type\\':\\'callout\\',\\'_key\\':\\'c\\',\\'tone\\':\\'warn\\'}-->'}}",
		   id, rev_of(h, id, rev)));
	/* A write in Markdown is answered in Markdown, both the draft and the published version. */
	assert_non_null(strstr(harness_text(o->data, "item.data.body"), "One, **edited**."));
	assert_non_null(strstr(harness_text(o->data, "item.liveData.body"), "One.\n\nTwo."));
	harness_ok(o, harness_op(h, editor, "content_get", "%s", get(id, "")));
	assert_int_equal(json_array_size(harness_at(o->data, "item.data.body")), 3);
	assert_string_equal(harness_text(o->data, "item.data.body[0]._key"), "a");
	assert_string_equal(harness_text(o->data, "item.data.body[2].tone"), "warn");
	harness_ok(o, ask(h, editor, "GET " BASE "?markdown=true"));
	assert_non_null(strstr(harness_text(o->data, "items[0].data.body"), "One.\n\nTwo."));
	/* The error names what the Markdown would lose; nothing is written. */
	o = run(h, "content_update",
	    "{'collection':'posts','id':'%s','_rev':'%s','data':{'body':'One.'}}", id,
	    rev_of(h, id, rev));
	assert_code(o, "VALIDATION_ERROR");
	assert_true(harness_issue(o, "data.body"));
	assert_non_null(strstr(o->text, "block \\\"c\\\""));
}

static void
a_text_is_created_from_markdown_by_tools_alone(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	harness_ok(o, run(h, "content_create",
			  "{'collection':'posts','data':{'title':'T','body':'# Head\\n\\nText'},"
			  "'fields':'body'}"));
	assert_string_equal(harness_text(o->data, "item.data.body"), "# Head\n\nText");
	assert_null(harness_at(o->data, "item.data.title"));
	assert_code(say(h, editor, "POST " BASE, "{'data':{'title':'T','body':'# Head'}}"),
	    "VALIDATION_ERROR");
}

static void
what_is_lost_of_markdown_is_answered(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27], rev[100];

	harness_ok(o, run(h, "content_create",
			  "{'collection':'posts','data':{'title':'T','body':'a\\n\\n> > x'}}"));
	assert_string_equal(harness_text(o->data, "lost[0].field"), "data.body");
	assert_int_equal(harness_int(o->data, "lost[0].line"), 3);
	assert_string_equal(harness_text(o->data, "lost[0].what"), "a quotation in a quotation");
	(void)snprintf(id, sizeof(id), "%s", harness_text(o->data, "item.id"));
	harness_ok(o, run(h, "content_update",
			  "{'collection':'posts','id':'%s','_rev':'%s','data':{'body':'> # x'}}",
			  id, rev_of(h, id, rev)));
	assert_string_equal(harness_text(o->data, "lost[0].what"), "a quotation around a heading");
	harness_ok(o, run(h, "content_patch",
			  "{'collection':'posts','id':'%s','_rev':'%s','field':'body','blocks':["
			  "{'op':'insert_after','value':'> ---'}]}",
			  id, rev_of(h, id, rev)));
	assert_string_equal(harness_text(o->data, "lost[0].field"), "blocks[0].value");
	harness_ok(o, run(h, "content_update",
			  "{'collection':'posts','id':'%s','_rev':'%s','data':{'body':'x'}}", id,
			  rev_of(h, id, rev)));
	assert_null(harness_at(o->data, "lost"));
}

static void
blocks_are_patched_by_their_keys(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27], rev[100];

	make(h, editor, id, "{'slug':'x','data':{'title':'T','body':" BODY "}}");
	harness_ok(o,
	    run(h, "content_patch",
		"{'collection':'posts','id':'%s','_rev':'%s','field':'body','blocks':["
		"{'op':'replace','key':'a','value':'First.'},"
		"{'op':'insert_after','key':'a','value':" BLOCK("b",
		    "Taken.") "},"
			      "{'op':'insert_before','value':'Begin.\\n\\nGo on.'},"
			      "{'op':'insert_after','value':'End.'},"
			      "{'op':'move_before','key':'c','to':'a'},"
			      "{'op':'remove','key':'b'}],'set':{'title':'U'},'fields':'title,body'}",
		id, rev_of(h, id, rev)));
	assert_string_equal(harness_text(o->data, "item.data.title"), "U");
	assert_string_equal(harness_text(o->data, "item.data.body"),
	    "Begin.\n\nGo on.\n\n<!--block {\"_type\":\"callout\",\"_key\":\"c\",\"tone\":\"warn\"}-->"
	    "\n\nFirst.\n\nTaken.\n\nEnd.");
	harness_ok(o, harness_op(h, editor, "content_get", "%s", get(id, "")));
	assert_string_equal(harness_text(o->data, "item.data.body[3]._key"), "a");
	assert_string_not_equal(harness_text(o->data, "item.data.body[4]._key"), "b");
}

static void
a_missing_rev_says_where_to_get_it(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27];

	make(h, editor, id, "{'slug':'x','data':{'title':'T'}}");
	o = run(h, "content_update", "{'collection':'posts','id':'%s','data':{'title':'U'}}", id);
	assert_code(o, "VALIDATION_ERROR");
	assert_true(harness_issue(o, "_rev"));
	assert_non_null(strstr(o->text, "is required: As content_get answered it"));
	o = run(h, "content_update",
	    "{'collection':'posts','id':'%s','_rev':'MToyMDIw','data':{'title':'U'}}", id);
	assert_code(o, "CONFLICT");
	assert_non_null(strstr(o->text, "content_get"));
}

static void
a_patch_that_cannot_be_says_why(void **state)
{
	static const struct {
		const char *blocks, *path, *says;
	} cases[] = {
		{ "{'op':'remove','key':'z'}", "blocks[0].key", "there are: a, b, c" },
		{ "{'op':'remove','key':'a'},{'op':'remove','key':'a'}", "blocks[1].key",
		    "there are: b, c" },
		{ "{'op':'remove'}", "blocks[0].key", "is required" },
		{ "{'op':'move_after','key':'a'}", "blocks[0].to", "is required" },
		{ "{'op':'insert_after','key':'a'}", "blocks[0].value", "Markdown" },
		{ "{'op':'replace','key':'c','value':'x'}", "blocks[0].value", "block" },
		{ "{'op':'paint','key':'a'}", "blocks[0].op", "replace, remove" },
		{ "{'op':'insert_after','value':[3]}", "data.body[3]", "" },
	};
	struct harness *h = *state;
	char id[27], rev[100];

	make(h, editor, id, "{'slug':'x','data':{'title':'T','body':" BODY "}}");
	rev_of(h, id, rev);
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct outcome *o = run(h, "content_patch",
		    "{'collection':'posts','id':'%s','_rev':'%s','field':'body','blocks':[%s]}", id,
		    rev, cases[i].blocks);

		assert_code(o, "VALIDATION_ERROR");
		if (!harness_issue(o, cases[i].path) || strstr(o->text, cases[i].says) == NULL)
			fail_msg("%s: %s", cases[i].blocks, o->text);
	}
	assert_true(harness_issue(run(h, "content_patch",
				      "{'collection':'posts','id':'%s','_rev':'%s','field':'title',"
				      "'blocks':[]}",
				      id, rev),
	    "field"));
	assert_true(harness_issue(
	    run(h, "content_patch", "{'collection':'posts','id':'%s','set':{}}", id), "_rev"));
	assert_code(run(h, "content_patch",
			"{'collection':'posts','id':'%s','_rev':'MTox','set':{'title':'x'}}", id),
	    "CONFLICT");
	/* Only callers who may edit get keys of blocks. */
	assert_code(
	    harness_op(h, author, "content_patch",
		"{\"collection\":\"posts\",\"id\":\"%s\",\"_rev\":\"%s\",\"field\":\"body\","
		"\"blocks\":[{\"op\":\"remove\",\"key\":\"z\"}]}",
		id, rev),
	    "FORBIDDEN");
}

static void
an_unknown_field_is_told_which_there_are(void **state)
{
	struct outcome *o = say(*state, editor, "POST " BASE, "{'data':{'headline':'T'}}");

	assert_code(o, "VALIDATION_ERROR");
	assert_true(harness_issue(o, "data.headline"));
	assert_non_null(strstr(o->text, "which has: title"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		check(only_what_is_asked_for_is_answered),
		check(pages_by_an_order_that_is_not_shown_go_on),
		check(compare_tells_of_the_fields_that_are_asked_for),
		check(a_text_is_read_and_edited_as_markdown),
		check(a_text_is_created_from_markdown_by_tools_alone),
		check(what_is_lost_of_markdown_is_answered),
		check(blocks_are_patched_by_their_keys),
		check(a_missing_rev_says_where_to_get_it),
		check(a_patch_that_cannot_be_says_why),
		check(an_unknown_field_is_told_which_there_are),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
