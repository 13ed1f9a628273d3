/* snapshot.c - which definitions calls see while these change; and a field type of a plugin. */
#include "call/call.h"
#include "call/site.h"
#include "db/db.h"
#include "db/reader.h"
#include "db/rows.h"
#include "inside.h"
#include "op/args.h"
#include "op/dispatch.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static const struct stet_collection *
see(struct stet_call *call, const char *slug)
{
	const struct stet_schema_1 *schema = stet_service(call, STET_SCHEMA_1);
	const struct stet_collection *c = NULL;

	assert_non_null(schema);
	assert_int_equal(schema->collection(call, slug, &c), STET_OK);
	return c;
}

static int
begin(void **state)
{
	inside_begin(state);
	assert_ok(
	    harness_op(*state, admin, "collection_create", "{\"slug\":\"a\",\"label\":\"A\"}"));
	return 0;
}

static void
add(struct harness *h, const char *slug, const char *type)
{
	assert_ok(harness_send(h, admin, "POST /schema/collections/a/fields",
	    "{\"slug\":\"%s\",\"label\":\"L\",\"type\":\"%s\"}", slug, type));
}

/* ---- sharing ---- */

static enum stet_status
remember(struct stet_call *call, void *arg)
{
	*(const void **)arg = see(call, "a");
	return STET_OK;
}

static void
calls_share_one_snapshot_until_it_changes(void **state)
{
	const void *first, *second, *third;

	inside_read(*state, remember, &first);
	inside_read(*state, remember, &second);
	assert_ptr_equal(first, second);
	add(*state, "x", "string");
	inside_read(*state, remember, &third);
	inside_read(*state, remember, &second);
	assert_ptr_equal(second, third);
}

struct long_read {
	struct harness *h;
	uint64_t before, within;
	size_t fields_before, fields_within;
};

static enum stet_status
read_on(struct stet_call *call, void *arg)
{
	struct long_read *r = arg;
	const struct stet_collection *c = see(call, "a");

	r->before = c->version;
	r->fields_before = c->field_count;
	add(r->h, "x", "string");
	c = see(call, "a");
	r->within = c->version;
	r->fields_within = c->field_count;
	return STET_OK;
}

static enum stet_status
version_of(struct stet_call *call, void *arg)
{
	const struct stet_collection *c = see(call, "a");

	*(uint64_t *)arg = c->version;
	assert_int_equal(c->field_count, 1);
	return STET_OK;
}

/* Reads in a thread of its own, which has a read connection of its own, like a worker. */
static void *
read_aside(void *arg)
{
	struct long_read *r = arg;

	inside_read(r->h, read_on, r);
	reader_close(NULL);
	return NULL;
}

static void
a_call_sees_what_it_saw_when_it_began(void **state)
{
	struct long_read r = { .h = *state };
	uint64_t after;
	pthread_t thread;

	assert_int_equal(pthread_create(&thread, NULL, read_aside, &r), 0);
	pthread_join(thread, NULL);
	assert_true(r.before == r.within);
	assert_int_equal(r.fields_before, 0);
	assert_int_equal(r.fields_within, 0);
	inside_read(*state, version_of, &after);
	assert_true(after > r.before);
}

/* ---- changes that do not last ---- */

static enum stet_status
change_and_fail(struct stet_call *call, void *arg)
{
	const struct stet_schema_1 *schema = stet_service(call, STET_SCHEMA_1);
	json_t *def = json_pack("{s:s, s:s, s:s}", "slug", "x", "label", "L", "type", "string");

	(void)arg;
	stet_principal_set(call, &(struct stet_principal){ .id = "", .role = 50 });
	assert_int_equal(schema->create_field(call, stet_write_tx(call), "a", def), STET_OK);
	json_decref(def);
	assert_non_null(stet_field(see(call, "a"), "x"));
	return stet_fail(call, STET_SAVE_REJECTED, NULL, "no");
}

static enum stet_status
expect_none(struct stet_call *call, void *arg)
{
	(void)arg;
	assert_null(stet_field(see(call, "a"), "x"));
	return STET_OK;
}

static enum stet_status
expect_integer(struct stet_call *call, void *arg)
{
	const struct stet_field *f = stet_field(see(call, "a"), "x");

	(void)arg;
	assert_non_null(f);
	assert_string_equal(f->type->name, "integer");
	return STET_OK;
}

static void
what_is_rolled_back_is_seen_by_nobody(void **state)
{
	for (int i = 0; i < 3; i++) {
		assert_int_equal(inside_write(*state, change_and_fail, NULL), STET_SAVE_REJECTED);
		inside_read(*state, expect_none, NULL);
		inside_write(*state, expect_none, NULL);
	}
	add(*state, "x", "integer");
	inside_read(*state, expect_integer, NULL);
	inside_write(*state, expect_integer, NULL);
}

static enum stet_status
expect_label(struct stet_call *call, void *arg)
{
	assert_string_equal(see(call, "a")->label, arg);
	return STET_OK;
}

static void
a_change_by_another_process_is_seen_at_once(void **state)
{
	char label[] = "Elsewhere";

	inside_read(*state, expect_label, (char[]){ "A" });
	inside_sql(*state, "UPDATE collection SET label = ?1", label);
	inside_sql(*state, "UPDATE schema_state SET version = version + 1", NULL);
	inside_read(*state, expect_label, label);
}

/* ---- the service ---- */

static enum stet_status
use_service(struct stet_call *call, void *arg)
{
	const struct stet_schema_1 *schema = stet_service(call, STET_SCHEMA_1);
	const struct stet_collection *const *list, *c;
	struct stet_tx *tx = stet_write_tx(call);
	json_t *def = stet_json_own(call, json_pack("{s:s, s:s}", "slug", "b", "label", "B"));
	json_t *field = stet_json_own(
	    call, json_pack("{s:s, s:s, s:s}", "slug", "n", "label", "N", "type", "integer"));
	size_t n;

	(void)arg;
	stet_principal_set(call, &(struct stet_principal){ .id = "", .role = 50 });
	STET_TRY(schema->create_collection(call, tx, def));
	STET_TRY(schema->create_field(call, tx, "b", field));
	STET_TRY(schema->collections(call, &list, &n));
	assert_int_equal(n, 2);
	assert_string_equal(list[0]->slug, "a");
	assert_string_equal(list[1]->slug, "b");
	assert_string_equal(list[1]->fields[0]->slug, "n");
	assert_int_equal(schema->collection(call, "none", &c), STET_COLLECTION_NOT_FOUND);
	assert_int_equal(schema->create_collection(call, tx, def), STET_COLLECTION_EXISTS);
	assert_int_equal(schema->create_field(call, tx, "b", field), STET_FIELD_EXISTS);
	assert_int_equal(schema->create_field(call, tx, "none", field), STET_COLLECTION_NOT_FOUND);
	json_object_set_new(field, "type", json_string("select"));
	json_object_set_new(field, "slug", json_string("m"));
	assert_int_equal(schema->create_field(call, tx, "b", field), STET_VALIDATION_ERROR);
	memset(&call->error, 0, sizeof(call->error));
	return STET_OK;
}

static void
importers_make_collections_by_the_service(void **state)
{
	assert_int_equal(inside_write(*state, use_service, NULL), STET_OK);
}

static void
the_version_is_read_without_a_scan(void **state)
{
	static const char sql[] =
	    "EXPLAIN QUERY PLAN SELECT version FROM schema_state WHERE one = 1";
	struct stet_rows rows;
	struct stet_call *call = call_new();

	call_enter(call, harness_site(*state));
	assert_int_equal(stet_query(call, &rows, sql, STET_NO_ARGS), STET_OK);
	assert_true(stet_row(&rows));
	assert_string_equal(
	    stet_col_str(&rows, 3), "SEARCH schema_state USING INTEGER PRIMARY KEY (rowid=?)");
	assert_false(stet_row(&rows));
	assert_int_equal(stet_rows_end(&rows), STET_OK);
	rows_end_call(call);
	call_free(call);
}

/* ---- threads ---- */

#define ROUNDS 25

struct worker_of_test {
	struct harness *h;
	const char *op; /* NULL: the thread reads */
	const char *whom; /* members that name the collection and field */
	const char *member, *also; /* members that are set to the number of the round */
};

static void
run_op(struct harness *h, const char *op, const char *text)
{
	struct stet_call *call = call_new();
	json_t *args = json_loads(text, 0, NULL);

	call_enter(call, harness_site(h));
	stet_principal_set(call, &(struct stet_principal){ .id = "", .role = 50 });
	call->op = generation_op(call->gen, op);
	call->owner = call->op->owner;
	assert_int_equal(args_json(call, args), STET_OK);
	assert_int_equal(dispatch_run(call), STET_OK);
	json_decref(args);
	call_free(call);
}

static enum stet_status
expect_pair(struct stet_call *call, void *arg)
{
	const struct stet_collection *c = see(call, "a");

	(void)arg;
	if (c->description != NULL)
		assert_string_equal(c->description, c->icon);
	return STET_OK;
}

static void *
work(void *arg)
{
	struct worker_of_test *w = arg;
	char text[256];

	for (int i = 0; i < ROUNDS; i++) {
		if (w->op == NULL) {
			inside_read(w->h, expect_pair, NULL);
			continue;
		}
		snprintf(text, sizeof(text), "{%s,\"%s\":\"r%d\",\"%s\":\"r%d\"}", w->whom,
		    w->member, i, w->also, i);
		run_op(w->h, w->op, text);
	}
	reader_close(NULL);
	return NULL;
}

static void
changes_of_different_members_all_last(void **state)
{
	static const char a[] = "\"slug\":\"a\"", x[] = "\"collection\":\"a\",\"fieldSlug\":\"x\"";
	struct worker_of_test w[] = {
		{ *state, "schema_update_collection", a, "description", "icon" },
		{ *state, "schema_update_collection", a, "labelSingular", "label" },
		{ *state, "schema_update_field", x, "label", "label" },
		{ *state, "schema_update_field", x, "widget", "widget" },
		{ *state },
		{ *state },
	};
	pthread_t thread[6];
	struct outcome *o;

	add(*state, "x", "string");
	for (int i = 0; i < 6; i++)
		assert_int_equal(pthread_create(&thread[i], NULL, work, &w[i]), 0);
	for (int i = 0; i < 6; i++)
		pthread_join(thread[i], NULL);
	harness_ok(o, harness_request(*state, admin, "GET /schema/collections/a?includeFields=true",
			  NULL, NULL));
	assert_string_equal(harness_text(o->data, "item.description"), "r24");
	assert_string_equal(harness_text(o->data, "item.labelSingular"), "r24");
	assert_string_equal(harness_text(o->data, "item.fields[0].label"), "r24");
	assert_string_equal(harness_text(o->data, "item.fields[0].widget"), "r24");
}

/* ---- a plugin ---- */

static int
begin_with_plugin(void **state)
{
	static const struct harness_options options = { .plugin_path = "t/plugins/.libs" };

	begin(state);
	harness_close(*state, false);
	*state = harness_open(&options);
	assert_ok(
	    harness_op(*state, admin, "collection_create", "{\"slug\":\"a\",\"label\":\"A\"}"));
	inside_enable(*state, "colour", true);
	return 0;
}

struct hue {
	const char *value, *stored;
};

static enum stet_status
check_hue(struct stet_call *call, void *arg)
{
	struct hue *hue = arg;
	json_t *value = stet_json_own(call, json_string(hue->value)), *out;

	assert_int_equal(
	    stet_field_check(call, stet_field(see(call, "a"), "hue"), "data.hue", value, &out),
	    STET_OK);
	assert_true((out != NULL) == (call->error.issues == NULL));
	stet_json_own(call, out);
	hue->stored = out != NULL ? strdup(json_string_value(out)) : NULL;
	return STET_OK;
}

static void
assert_hue(struct harness *h, const char *value, const char *stored)
{
	struct hue hue = { value, NULL };

	inside_read(h, check_hue, &hue);
	if (stored == NULL)
		assert_null(hue.stored);
	else
		assert_string_equal(hue.stored, stored);
	free((char *)(uintptr_t)hue.stored);
}

static void
a_plugin_brings_a_field_type(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	o = harness_send(h, admin, "POST /schema/collections/a/fields",
	    "{\"slug\":\"hue\",\"label\":\"Hue\",\"type\":\"colour\",\"options\":{\"named\":3}}");
	assert_code(o, "VALIDATION_ERROR");
	assert_true(harness_issue(o, "options.named"));
	harness_ok(
	    o, harness_send(h, admin, "POST /schema/collections/a/fields",
		   "{\"slug\":\"hue\",\"label\":\"Hue\",\"type\":\"colour\",\"indexed\":true,"
		   "\"options\":{\"named\":true},\"defaultValue\":\"#ABC\"}"));
	assert_string_equal(harness_text(o->data, "item.columnType"), "TEXT");
	assert_string_equal(harness_text(o->data, "item.defaultValue"), "#abc");
	assert_hue(h, "#A0B1C2", "#a0b1c2");
	assert_hue(h, "blue", NULL);
	/* The value comes from the plugin's own setting: its code runs as the plugin. */
	assert_hue(h, "rebeccapurple", "#663399");
	harness_ok(o, harness_request(h, admin, "GET /plugins/colour/checked", NULL, NULL));
	assert_int_equal(harness_int(o->data, "checked"), 4);
	harness_ok(o, harness_request(h, admin, "GET /schema?format=typescript", NULL, NULL));
	assert_non_null(strstr(o->text, "  hue?: `#${string}`;\n"));
}

static void
a_field_outlives_its_type(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	add(h, "hue", "colour");
	inside_enable(h, "colour", false);
	harness_ok(
	    o, harness_request(h, admin, "GET /schema/collections/a/fields/hue", NULL, NULL));
	assert_string_equal(harness_text(o->data, "item.type"), "colour");
	assert_string_equal(harness_text(o->data, "item.columnType"), "TEXT");
	assert_hue(h, "#aabbcc", NULL);
	assert_code(harness_send(h, admin, "POST /schema/collections/a/fields",
			"{\"slug\":\"x\",\"label\":\"X\",\"type\":\"colour\"}"),
	    "VALIDATION_ERROR");
	inside_enable(h, "colour", true);
	assert_hue(h, "#AABBCC", "#aabbcc");
}

static void
an_objection_takes_the_whole_change_back(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	add(h, "precious", "string");
	o = harness_send(h, admin, "POST /schema/collections/a/fields",
	    "{\"slug\":\"colorless\",\"label\":\"C\",\"type\":\"string\",\"indexed\":true}");
	assert_code(o, "SAVE_REJECTED");
	assert_int_equal(o->http, 422);
	assert_string_equal(o->message, "no field without a colour");
	assert_code(
	    harness_request(h, admin, "DELETE /schema/collections/a/fields/precious", NULL, NULL),
	    "SAVE_REJECTED");
	assert_code(
	    harness_request(h, admin, "PUT /schema/collections/a", NULL, "{\"label\":\"Grey\"}"),
	    "SAVE_REJECTED");
	harness_ok(o,
	    harness_request(h, admin, "GET /schema/collections/a?includeFields=true", NULL, NULL));
	assert_string_equal(harness_text(o->data, "item.label"), "A");
	assert_int_equal(json_array_size(harness_at(o->data, "item.fields")), 1);
	assert_null(
	    strstr(inside_ask(h, "SELECT sql FROM sqlite_schema WHERE name = 'c_a'"), "colorless"));
	assert_string_equal(
	    inside_ask(h, "SELECT count(*) FROM sqlite_schema WHERE name LIKE '%colorless'"), "0");
}

#define T(name) cmocka_unit_test_setup_teardown(name, begin, inside_end)
#define P(name) cmocka_unit_test_setup_teardown(name, begin_with_plugin, inside_end)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		T(calls_share_one_snapshot_until_it_changes),
		T(a_call_sees_what_it_saw_when_it_began),
		T(what_is_rolled_back_is_seen_by_nobody),
		T(a_change_by_another_process_is_seen_at_once),
		T(importers_make_collections_by_the_service),
		T(the_version_is_read_without_a_scan),
		T(changes_of_different_members_all_last),
		P(a_plugin_brings_a_field_type),
		P(a_field_outlives_its_type),
		P(an_objection_takes_the_whole_change_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
