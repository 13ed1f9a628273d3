/* abi.t - plugins whose structures are shorter than those of the daemon (t/abi/README). */
#include "inside.h"
#include "module/module.h"
#include "neighbour.h"
#include <stdio.h>
#include <stdlib.h>
#include <stet/fetch.h>
#include <string.h>

static struct neighbour server;
static struct harness *h;

static int
begin(void **state)
{
	const struct harness_options options = {
		.plugin_path = "t/abi/.libs:plugin-sdk/examples/house-rules/.libs",
		.fetch_allow = neighbour_block
	};

	(void)state;
	neighbour_open(&server);
	h = harness_open(&options);
	harness_clock(h, "2026-06-01T12:00:00.000Z");
	assert_ok(harness_send(h, admin, "POST /schema/collections",
	    "{\"slug\":\"posts\",\"label\":\"Posts\",\"labelSingular\":\"Post\"}"));
	assert_ok(harness_send(h, admin, "POST /schema/collections/posts/fields",
	    "{\"slug\":\"title\",\"label\":\"Title\",\"type\":\"string\"}"));
	inside_enable(h, "elder", true);
	assert_ok(harness_send(h, admin, "POST /schema/collections/posts/fields",
	    "{\"slug\":\"pairs\",\"label\":\"Pairs\",\"type\":\"even\"}"));
	assert_ok(harness_send(h, admin, "POST /schema/collections/posts/fields",
	    "{\"slug\":\"summary\",\"label\":\"Summary\",\"type\":\"text\"}"));
	return 0;
}

static int
end(void **state)
{
	(void)state;
	neighbour_close(&server);
	harness_close(h, false);
	return 0;
}

/* The id of a new item; static buffer. */
static const char *
create(const char *title, const char *summary)
{
	static char id[27];
	struct outcome *o;

	harness_ok(
	    o, harness_send(h, editor, "POST /content/posts",
		   "{\"data\":{\"title\":\"%s\",\"pairs\":4,\"summary\":\"%s\"}}", title, summary));
	snprintf(id, sizeof(id), "%s", harness_text(o->data, "item.id"));
	return id;
}

static const char *
at(struct outcome *o, const char *path)
{
	return harness_text(o->data, path);
}

#ifndef ABI_GROWN /* t/abi/grown */
#define ABI_GROWN 0
#endif

static void
structures_of_the_host_are_as_long_as_the_plugins_or_longer(void **state)
{
	struct outcome *o;

	(void)state;
	harness_ok(o, harness_op(h, admin, "elder__sizes", "%s", ""));
#define LONGER(type_) \
	assert_true(sizeof(struct type_) >= (size_t)harness_int(o->data, #type_) + ABI_GROWN)
	LONGER(stet_field);
	LONGER(stet_member);
	LONGER(stet_op);
	LONGER(stet_fetch);
	LONGER(stet_module);
}

static void
fields_of_a_collection_are_told_apart(void **state)
{
	struct outcome *o;

	(void)state;
	harness_ok(o, harness_op(h, admin, "elder__fields", "{\"collection\":\"posts\"}"));
	assert_string_equal(at(o, "[0]"), "0 title: string, Title");
	assert_string_equal(at(o, "[1]"), "1 pairs: even, Pairs");
	assert_string_equal(at(o, "[2]"), "2 summary: text, Summary");
}

static void
hooks_see_every_field(void **state)
{
	struct outcome *o;

	(void)state;
	o = harness_send(h, editor, "POST /content/posts",
	    "{\"data\":{\"title\":\"A\",\"summary\":\"it is forbidden\"}}");
	assert_code(o, "SAVE_REJECTED");
	assert_string_equal(o->message, "Summary holds what is forbidden");
	create("Allowed", "it is");
	harness_ok(o, harness_op(h, admin, "elder__notes", "%s", ""));
	assert_non_null(strstr(o->text, "create in posts, which has 3 fields"));
	assert_non_null(strstr(o->text, "content_add of "));
}

/* The descriptor of elder.c ends before the tables of pages and field widgets. */
static void
an_older_plugin_has_neither_pages_nor_field_widgets(void **state)
{
	struct outcome *o;

	(void)state;
	harness_ok(o, harness_request(h, admin, "GET /admin/manifest", NULL, NULL));
	assert_null(harness_at(o->data, "pages"));
	assert_null(harness_at(o->data, "fieldWidgets"));
	harness_ok(o, harness_request(h, admin, "GET /admin/plugins/elder", NULL, NULL));
	assert_int_equal(json_array_size(harness_at(o->data, "item.pages")), 0);
	assert_int_equal(json_array_size(harness_at(o->data, "item.fieldWidgets")), 0);
	assert_code(
	    harness_op(h, admin, "admin_plugin_file", "{\"plugin\":\"elder\",\"file\":\"a.html\"}"),
	    "NOT_FOUND");
}

/* The example plugin of the book. When struct stet_field had grown, it let a forbidden word
 * pass. */
static void
house_rules_rejects_a_forbidden_word_in_any_field(void **state)
{
	static const char *const places[] = { "title", "summary" };

	(void)state;
	inside_enable(h, "house-rules", true);
	assert_ok(harness_send(h, admin, "PUT /admin/plugins/house-rules/settings",
	    "{\"values\":{\"forbiddenWords\":[\"never\"]}}"));
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++)
		assert_code(harness_send(h, editor, "POST /content/posts",
				"{\"data\":{\"%s\":\"say never\"}}", places[i]),
		    "SAVE_REJECTED");
	create("Good", "and well");
	inside_enable(h, "house-rules", false);
}

static void
a_field_type_defines_and_checks(void **state)
{
	(void)state;
	assert_code(harness_send(h, editor, "POST /content/posts", "{\"data\":{\"pairs\":3}}"),
	    "VALIDATION_ERROR");
	assert_ok(harness_send(h, editor, "POST /content/posts", "{\"data\":{\"pairs\":2}}"));
	assert_code(
	    harness_send(h, admin, "POST /schema/collections/posts/fields",
		"{\"slug\":\"odd\",\"label\":\"O\",\"type\":\"even\",\"options\":{\"odd\":1}}"),
	    "VALIDATION_ERROR");
}

static void
structures_are_filled_as_far_as_they_go(void **state)
{
	struct outcome *o;

	(void)state;
	harness_ok(o, harness_op(h, admin, "elder__type", "{\"name\":\"even\"}"));
	assert_string_equal(at(o, "name"), "even");
	assert_string_equal(at(o, "typeName"), "number");
	harness_ok(o, harness_op(h, admin, "elder__type", "{\"name\":\"string\"}"));
	assert_string_equal(at(o, "name"), "string");
	assert_code(harness_op(h, admin, "elder__type", "{\"name\":\"none\"}"), "NOT_FOUND");
	harness_ok(o, harness_op(h, admin, "elder__absence", "%s", ""));
	assert_int_equal(harness_int(o->data, "number"), 0);
	inside_enable(h, "elder", false);
	inside_enable(h, "elder", true);
	harness_ok(o, harness_op(h, admin, "elder__absence", "%s", ""));
	assert_int_equal(harness_int(o->data, "number"), 1);
	assert_true(json_is_true(harness_at(o->data, "open")));
	assert_int_equal(strlen(at(o, "until")), strlen("2026-06-01T12:00:00.000Z"));
}

static void
structures_are_read_as_far_as_they_go(void **state)
{
	struct outcome *o;

	(void)state;
	harness_ok(o, harness_op(h, admin, "elder__become", "%s", ""));
	assert_string_equal(at(o, "email"), "elder@example.org");
	assert_string_equal(at(o, "scopes"), "content:read");
	assert_int_equal(harness_int(o->data, "role"), 10);
	harness_ok(o,
	    harness_op(h, admin, "elder__fetch", "{\"url\":\"%s\"}", neighbour_url(&server, "/x")));
	assert_int_equal(harness_int(o->data, "status"), 200);
	assert_string_equal(at(o, "type"), "text/plain");
	assert_string_equal(at(o, "body"), "hell");
	assert_true(json_is_true(harness_at(o->data, "cut")));
	assert_non_null(strstr(server.heard, "PUT /x"));
	assert_non_null(strstr(server.heard, "X-Elder: yes"));
}

static void
pages_follow_each_other(void **state)
{
	char cursor[2100];
	struct outcome *o;

	(void)state;
	for (int i = 0; i < 5; i++)
		assert_ok(harness_op(h, admin, "elder__write_note", "{\"what\":\"note %d\"}", i));
	harness_ok(o, harness_op(h, admin, "elder__page", "%s", ""));
	assert_string_equal(at(o, "items[0]"), "note 4");
	assert_string_equal(at(o, "items[1]"), "note 3");
	assert_null(harness_at(o->data, "items[2]"));
	snprintf(cursor, sizeof(cursor), "%s", at(o, "nextCursor"));
	harness_ok(
	    o, harness_op(h, admin, "elder__page", "{\"limit\":9,\"cursor\":\"%s\"}", cursor));
	assert_string_equal(at(o, "items[2]"), "note 0");
	assert_null(harness_at(o->data, "nextCursor"));
}

static void
files_are_kept_listed_and_answered(void **state)
{
	static const char body[] =
	    "--xx\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\none\r\n"
	    "--xx\r\nContent-Disposition: form-data; name=\"file\"; filename=\"f.txt\"\r\n"
	    "Content-Type: text/plain\r\n\r\nfour\r\n--xx--\r\n";
	char key[27], request[80], line[80];
	struct outcome *o;

	(void)state;
	harness_ok(
	    o, harness_request(h, editor, "POST /plugins/elder/files",
		   "X-CMS-Request: 1\r\nContent-Type: multipart/form-data; boundary=xx", body));
	assert_string_equal(at(o, "parts[0]"), "a: one");
	assert_string_equal(at(o, "parts[1]"), "file: f.txt");
	snprintf(key, sizeof(key), "%s", at(o, "key"));
	snprintf(line, sizeof(line), "elder/%s: 4", key);
	harness_ok(o, harness_op(h, admin, "elder__files_kept", "%s", ""));
	assert_string_equal(at(o, "[0]"), line);
	snprintf(request, sizeof(request), "GET /plugins/elder/files/%s", key);
	o = harness_request(h, editor, request, NULL, NULL);
	assert_int_equal(o->http, 200);
	assert_string_equal(o->etag, "elder-1");
}

static void
lists_of_members_have_the_size_of_who_reads_them(void **state)
{
	struct outcome *o;

	(void)state;
	harness_ok(o,
	    harness_op(h, admin, "elder__schema", "{\"given\":{\"first\":{\"colour\":\"red\"}}}"));
	assert_string_equal(at(o, "plain.properties.first.properties.colour.description"), "Which");
	assert_string_equal(at(o, "plain.properties.last.items.properties.size.type"), "integer");
	assert_string_equal(at(o, "styled.properties.first.description"), "first");
	assert_string_equal(at(o, "styled.properties.first.$ref"), "#/inner");
	assert_string_equal(at(o, "styled.properties.last.items.$ref"), "#/inner");
	assert_int_equal(harness_int(o->data, "asked"), 2);
	o = harness_op(h, admin, "elder__schema", "{\"given\":{\"first\":{\"size\":99}}}");
	assert_code(o, "VALIDATION_ERROR");
	assert_true(harness_issue(o, "given.first.size"));
	harness_ok(o, harness_op(h, admin, "elder__modules", "%s", ""));
	assert_string_equal(at(o, "own[0]"), "limit");
	assert_string_equal(at(o, "own[1]"), "cursor");
	assert_true(json_is_true(harness_at(o->data, "enabled")));
}

static int64_t
count_members(const struct stet_member *list, int depth)
{
	int64_t n = 0;

	for (; depth < 6 && list != NULL && list->name != NULL; list++)
		n += 1 + (list->about != NULL && *list->about == '\0') +
		     count_members(list->of, depth + 1);
	return n;
}

static enum stet_status
count_all(struct stet_call *call, void *arg)
{
	const struct stet_op_info *const *op;
	size_t count = stet_ops(call, &op);

	for (size_t i = 0; i < count; i++)
		*(int64_t *)arg +=
		    count_members(op[i]->op->in, 0) + count_members(op[i]->op->out, 0);
	return STET_OK;
}

static void
ops_of_others_are_read_to_the_last_member(void **state)
{
	int64_t members = 0;
	struct outcome *o;

	(void)state;
	assert_int_equal(inside_read(h, count_all, &members), STET_OK);
	harness_ok(o, harness_op(h, admin, "elder__ops", "%s", ""));
	assert_int_equal(harness_int(o->data, "members"), members);
	assert_string_equal(at(o, "own[0]"), "limit");
	assert_string_equal(at(o, "own[1]"), "cursor");
	assert_string_equal(at(o, "other[0]"), "collection");
	assert_string_equal(at(o, "schema.properties.slug.type"), "string");
}

static void
services_take_and_give_what_their_callers_know(void **state)
{
	char post[27], byline[27], term[2][27];
	struct outcome *o;

	(void)state;
	snprintf(post, sizeof(post), "%s", create("Credited", ""));
	harness_ok(o, harness_op(h, admin, "elder__import_comment", "{\"id\":\"%s\"}", post));
	harness_ok(
	    o, harness_request(h, editor, "GET /admin/comments?status=approved", NULL, NULL));
	assert_string_equal(at(o, "items[0].body"), "As it was");
	assert_string_equal(at(o, "items[0].authorName"), "Elder");
	assert_ok(harness_op(h, admin, "elder__person", "%s", ""));
	harness_ok(o, harness_request(h, editor, "GET /bylines", NULL, NULL));
	assert_string_equal(at(o, "items[0].displayName"), "Elder");
	snprintf(byline, sizeof(byline), "%s", at(o, "items[0].id"));
	harness_ok(o, harness_send(h, editor, "POST /content/posts",
			  "{\"data\":{},\"bylines\":[{\"bylineId\":\"%s\"}]}", byline));
	snprintf(post, sizeof(post), "%s", at(o, "item.id"));
	harness_ok(o, harness_op(h, admin, "elder__credits", "{\"id\":\"%s\"}", post));
	assert_string_equal(at(o, "[1].byline.displayName"), "Elder");
	assert_true(json_is_null(harness_at(o->data, "[0].byline")));
	assert_ok(harness_send(h, admin, "POST /taxonomies",
	    "{\"name\":\"topic\",\"label\":\"Topics\",\"collections\":[\"posts\"]}"));
	for (int i = 0; i < 2; i++) {
		harness_ok(o, harness_send(h, editor, "POST /taxonomies/topic/terms",
				  "{\"slug\":\"t-%d\",\"label\":\"Term %d\"}", i, i));
		snprintf(term[i], sizeof(term[i]), "%s", at(o, "term.id"));
	}
	harness_ok(o, harness_op(h, admin, "elder__terms", "{\"one\":\"%s\",\"two\":\"%s\"}",
			  term[0], term[1]));
	assert_true(json_is_null(harness_at(o->data, "[0]")));
	assert_string_equal(at(o, "[1]"), "Term 0");
	assert_string_equal(at(o, "[2]"), "Term 1");
}

static void
what_a_plugin_gives_is_read_by_its_own_stride(void **state)
{
	struct outcome *o;

	(void)state;
	inside_enable(h, "media", false); /* Only one module has the service. */
	inside_enable(h, "gallery", true);
	assert_ok(harness_send(h, admin, "POST /settings",
	    "{\"logo\":{\"mediaId\":\"a\"},\"favicon\":{\"mediaId\":\"b\"}}"));
	harness_ok(o, harness_request(h, admin, "GET /settings", NULL, NULL));
	assert_string_equal(at(o, "logo.url"), "/gallery/a");
	assert_string_equal(at(o, "favicon.url"), "/gallery/b");
	inside_enable(h, "gallery", false);
	inside_enable(h, "media", true);
}

struct found {
	const char *name;
	uint64_t flags, more;
};

static enum stet_status
find_op(struct stet_call *call, void *arg)
{
	struct found *f = arg;
	const struct op *op = generation_op(call->gen, f->name);

	assert_non_null(op);
	f->flags = op->row.flags;
	f->more = op->row.more;
	return STET_OK;
}

/* The row of elder is shorter. Its flag has a value that is a bit of `more` today. */
static void
ops_have_more_flags_whether_their_rows_end_before_them_or_not(void **state)
{
	struct found elder = { .name = "elder__mend" }, none = { .name = "elder__notes" },
		     gallery = { .name = "gallery__mend" }, plain = { .name = "gallery__plain" };
	struct found *all[] = { &elder, &none, &gallery, &plain };

	(void)state;
	inside_enable(h, "media", false); /* Only one module has the service. */
	inside_enable(h, "gallery", true);
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		assert_int_equal(inside_read(h, find_op, all[i]), STET_OK);
	assert_int_equal(elder.flags, 0);
	assert_int_equal(elder.more, STET_MORE_MENDS);
	assert_int_equal(none.more, 0);
	assert_int_equal(gallery.more, STET_MORE_MENDS);
	assert_int_equal(plain.more, 0);
	assert_ok(harness_op(h, admin, "elder__mend", "%s", ""));
	assert_ok(harness_op(h, admin, "gallery__mend", "%s", ""));
	inside_enable(h, "gallery", false);
	inside_enable(h, "media", true);
}

/* Reads the plugin's kinds in the same way as the module transfer. */
static enum stet_status
read_kinds(struct stet_call *call, void *arg)
{
	const struct stet_module_info *info;
	struct stet_transfer t, kind;
	struct stet_table kinds;
	FILE *out = arg;

	STET_TRY(stet_module_find(call, "elder", &info));
	stet_table_row(&info->module->transfers, 0, &t, sizeof(t));
	STET_TRY(t.kinds(call, &kinds));
	for (uint32_t i = 0; i < kinds.count; i++) {
		const struct stet_member *row;

		stet_table_row(&kinds, i, &kind, sizeof(kind));
		row = stet_members(call, kind.row, info->member_size);
		fprintf(out, "%s", kind.kind);
		for (; row->name != NULL; row++)
			fprintf(out, " %s", row->name);
		fprintf(out, ";");
	}
	return STET_OK;
}

static void
kinds_of_transfers_are_read_by_their_own_stride(void **state)
{
	char text[256] = "";
	FILE *out = fmemopen(text, sizeof(text), "w");

	(void)state;
	assert_non_null(out);
	assert_int_equal(inside_read(h, read_kinds, out), STET_OK);
	fclose(out);
	assert_string_equal(text, "elder-files key size;elder-more key size;");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(structures_of_the_host_are_as_long_as_the_plugins_or_longer),
		cmocka_unit_test(fields_of_a_collection_are_told_apart),
		cmocka_unit_test(hooks_see_every_field),
		cmocka_unit_test(an_older_plugin_has_neither_pages_nor_field_widgets),
		cmocka_unit_test(house_rules_rejects_a_forbidden_word_in_any_field),
		cmocka_unit_test(a_field_type_defines_and_checks),
		cmocka_unit_test(structures_are_filled_as_far_as_they_go),
		cmocka_unit_test(structures_are_read_as_far_as_they_go),
		cmocka_unit_test(pages_follow_each_other),
		cmocka_unit_test(files_are_kept_listed_and_answered),
		cmocka_unit_test(lists_of_members_have_the_size_of_who_reads_them),
		cmocka_unit_test(ops_of_others_are_read_to_the_last_member),
		cmocka_unit_test(services_take_and_give_what_their_callers_know),
		cmocka_unit_test(what_a_plugin_gives_is_read_by_its_own_stride),
		cmocka_unit_test(ops_have_more_flags_whether_their_rows_end_before_them_or_not),
		cmocka_unit_test(kinds_of_transfers_are_read_by_their_own_stride),
	};

	return cmocka_run_group_tests(tests, begin, end);
}
