/* actions.c - tools with an action for each of several ops, and the schema in one call. */
#include "inside.h"
#include "rpc.h"
#include <stdio.h>
#include <stdlib.h>

static const char *
code(struct harness *h, const struct harness_user *user, const char *tool, const char *arguments)
{
	return rpc_code(rpc_call(h, user, tool, "%s", arguments));
}

static void
folders_are_made_renamed_and_deleted(void **state)
{
	struct harness *h = *state;
	json_t *result = rpc_call(h, admin, "media_folders", "{'action':'create','name':'Boats'}");
	char id[27];

	snprintf(id, sizeof(id), "%s", harness_text(result, "structuredContent.item.id"));
	assert_string_equal(
	    code(h, admin, "media_folders", "{'action':'create','name':'boats'}"), "CONFLICT");
	result = rpc_call(h, admin, "media_folders",
	    "{'action':'rename','id':'%s','name':'Ships','dry_run':true}", id);
	assert_string_equal(rpc_code(result), "");
	result = rpc_call(h, admin, "media_folders", "{'action':'list'}");
	assert_string_equal(harness_text(result, "structuredContent.items[0].name"), "Boats");
	result =
	    rpc_call(h, admin, "media_folders", "{'action':'rename','id':'%s','name':'Ships'}", id);
	assert_string_equal(harness_text(result, "structuredContent.item.name"), "Ships");
	assert_string_equal(inside_ask(h, "SELECT name FROM media_folders"), "Ships");
	result = rpc_call(h, admin, "media_folders", "{'action':'delete','id':'%s'}", id);
	assert_string_equal(rpc_code(result), "");
	assert_string_equal(inside_ask(h, "SELECT count(*) FROM media_folders"), "0");
	/* One record for each change, with the op that made it. */
	assert_string_equal(
	    inside_ask(h, "SELECT group_concat(op, ' ') FROM (SELECT op FROM audit_log"
			  " WHERE op LIKE 'media_folder%' ORDER BY seq)"),
	    "media_folder_create media_folder_update media_folder_delete");
}

static void
folders_are_for_editors(void **state)
{
	const struct harness_user reads[1] = {
		{ .id = admin->id, .role = 50, .scopes = "media:read" }
	};
	const struct harness_user young[1] = { { .id = admin->id, .role = 30, .scopes = "admin" } };
	struct harness *h = *state;

	assert_string_equal(code(h, reads, "media_folders", "{'action':'create','name':'A'}"),
	    "INSUFFICIENT_SCOPE");
	assert_string_equal(code(h, young, "media_folders", "{'action':'create','name':'A'}"),
	    "INSUFFICIENT_PERMISSIONS");
	assert_string_equal(
	    code(h, admin, "media_folders", "{'action':'create'}"), "VALIDATION_ERROR");
	assert_string_equal(
	    code(h, admin, "media_folders", "{'action':'move','id':'x'}"), "VALIDATION_ERROR");
	assert_string_equal(
	    code(h, admin, "media_folders", "{'action':'delete','id':'x'}"), "NOT_FOUND");
}

#define NEWS                                                                              \
	"{'slug':'news','label':'News','fields':[{'slug':'title','label':'Title','type':" \
	"'string','required':true},{'slug':'about','label':'About','type':'reference',"   \
	"'options':{'collection':'people'}}]}"
#define PEOPLE                                                                              \
	"{'slug':'people','label':'People','fields':[{'slug':'name','label':'Name','type':" \
	"'string'}]}"

static void
a_schema_is_planned_and_applied(void **state)
{
	struct harness *h = *state;
	json_t *result = rpc_call(
	    h, admin, "schema_apply", "{'collections':[" NEWS "," PEOPLE "],'dry_run':true}");

	assert_string_equal(rpc_code(result), "");
	assert_int_equal(json_array_size(harness_at(result, "structuredContent.steps")), 5);
	assert_string_equal(
	    inside_ask(h, "SELECT count(*) FROM collection WHERE slug = 'news'"), "0");
	result = rpc_call(h, admin, "schema_apply", "{'collections':[" NEWS "," PEOPLE "]}");
	assert_int_equal(json_array_size(harness_at(result, "structuredContent.steps")), 5);
	result = rpc_call(h, admin, "schema_apply", "{'collections':[" NEWS "," PEOPLE "]}");
	assert_int_equal(json_array_size(harness_at(result, "structuredContent.steps")), 0);
	/* What schema_get_collection answers is a definition of the collection as it is. */
	result = rpc_call(h, admin, "schema_get_collection", "{'slug':'news'}");
	{
		char *is = json_dumps(harness_at(result, "structuredContent"), 0);

		for (char *c = is; *c != '\0'; c++)
			*c = *c == '"' ? '\'' : *c;
		result = rpc_call(h, admin, "schema_apply", "{'collections':[%s]}", is);
		free(is);
	}
	assert_string_equal(rpc_code(result), "");
	assert_int_equal(json_array_size(harness_at(result, "structuredContent.steps")), 0);
}

static void
what_a_definition_leaves_out_stays(void **state)
{
	struct harness *h = *state;
	const char *values = "SELECT f_title || coalesce(f_title2, '') FROM c_posts";
	char id[27];
	json_t *result;

	make(h, admin, id, "{'data':{'title':'A'}}");
	result = rpc_call(h, admin, "schema_apply",
	    "{'collections':[{'slug':'posts','label':'Texts','fields':[{'slug':'title2','label':"
	    "'T','type':'string'}]}]}");
	assert_string_equal(rpc_code(result), "");
	assert_int_equal(json_array_size(harness_at(result, "structuredContent.steps")), 2);
	assert_string_equal(inside_ask(h, values), "A");
	assert_string_equal(
	    inside_ask(h, "SELECT label FROM collection WHERE slug = 'posts'"), "Texts");
	/* With `remove`, fields go with their values; a dry run says how many. */
	result = rpc_call(h, admin, "schema_apply",
	    "{'dry_run':true,'remove':true,'collections':[{'slug':'posts','fields':[{'slug':"
	    "'title2'}]}]}");
	assert_string_equal(rpc_code(result), "");
	assert_string_equal(
	    harness_text(result, "structuredContent.steps[0].step"), "delete field");
	assert_true(json_is_true(harness_at(result, "structuredContent.steps[0].loses")));
	assert_int_equal(harness_int(result, "structuredContent.steps[0].rows"), 1);
	assert_string_equal(inside_ask(h, values), "A");
}

static void
a_schema_is_applied_whole_or_not_at_all(void **state)
{
	const struct harness_user lower[1] = { { .id = admin->id, .role = 40, .scopes = "admin" } };
	struct harness *h = *state;
	char id[27];
	json_t *result;

	make(h, admin, id, "{'data':{'title':'A'}}");
	result = rpc_call(h, admin, "schema_apply",
	    "{'collections':[" PEOPLE ",{'slug':'posts','fields':[{'slug':'title','type':"
	    "'integer'},{'slug':'more','label':'M','type':'no such type'}]}]}");
	assert_string_equal(rpc_code(result), "INVALID_INPUT");
	assert_non_null(strstr(rpc_text(result), "posts.title"));
	assert_non_null(strstr(rpc_text(result), "posts.more"));
	assert_int_equal(json_array_size(harness_at(result, "_meta.details.steps")), 4);
	assert_string_equal(
	    inside_ask(h, "SELECT count(*) FROM collection WHERE slug = 'people'"), "0");
	assert_string_equal(
	    code(h, admin, "schema_apply", "{'collections':[{'label':'X','fields':[]}]}"),
	    "VALIDATION_ERROR");
	assert_string_equal(
	    code(h, admin, "schema_apply", "{'collections':[{'slug':'x','fields':{}}]}"),
	    "VALIDATION_ERROR");
	assert_string_equal(code(h, lower, "schema_apply", "{'collections':[" PEOPLE "]}"),
	    "INSUFFICIENT_PERMISSIONS");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		check(folders_are_made_renamed_and_deleted),
		check(folders_are_for_editors),
		check(a_schema_is_planned_and_applied),
		check(what_a_definition_leaves_out_stays),
		check(a_schema_is_applied_whole_or_not_at_all),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
