/* descriptor.c - what a module's descriptor must contain, and descriptors of other versions. */
/* cmocka.h needs these headers before it. */
/* clang-format off */
#include "base/arena.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */
#include "module/descriptor.h"
#include "call/call.h"
#include "call/json.h"
#include "module/module.h"
#include "refused.h"
#include <string.h>

static enum stet_status
run(struct stet_call *call)
{
	(void)call;
	return STET_OK;
}
static int64_t
due(struct stet_call *call)
{
	(void)call;
	return -1;
}
static enum stet_status
hook(struct stet_call *call, const json_t *payload)
{
	(void)call;
	(void)payload;
	return STET_OK;
}
static enum stet_status
define(struct stet_call *call, const struct stet_field *field)
{
	(void)call;
	(void)field;
	return STET_OK;
}
static enum stet_status
check_value(struct stet_call *call, const struct stet_field *field, const char *path,
    const json_t *value, json_t **out)
{
	(void)call;
	(void)field;
	(void)path;
	*out = json_incref((json_t *)(uintptr_t)value);
	return STET_OK;
}

static struct stet_op an_op[2];
static struct stet_hook a_hook[1];
static struct stet_migration a_migration[2];
static struct stet_permission a_permission[2];
static struct stet_field_type a_type[1];
static const struct stet_member twice[] = { { "most", STET_INTEGER }, { "most", STET_STRING },
	{ 0 } };
static struct stet_command a_command[2];
static struct stet_setting_def a_setting[2];
static struct stet_service_def a_service[1];
static struct stet_job a_job[2];
static struct stet_check a_check[2];
static struct stet_importer an_importer[2];
static struct stet_metric a_metric[STET_METRICS_MAX + 1]; /* the tests use two of them */
static struct stet_capability a_capability[2];
static struct stet_transfer a_transfer[2];
static struct stet_status_def a_status[2];
static struct stet_scope_def a_scope[1];
static const struct stet_member string_in[] = { { "id", STET_STRING }, { 0 } };
static const struct stet_member bad_in[] = { { "id", (enum stet_type)99 }, { 0 } };

static enum stet_status
read_source(struct stet_call *call, struct stet_source *source)
{
	(void)call;
	(void)source;
	return STET_OK;
}

/* Returns a descriptor that is valid in every table. */
static struct stet_module
good(void)
{
	an_op[0] = (struct stet_op){ "one", "One", "One.", "GET /one/:id", 0, STET_READ, NULL, NULL,
		string_in, NULL, run };
	an_op[1] = (struct stet_op){ "two", "Two", "Two.", NULL, 0, STET_WRITE, NULL, NULL, NULL,
		NULL, run };
	a_hook[0] = (struct stet_hook)STET_ON(event, 0, hook);
	a_migration[0] = (struct stet_migration){ 1, "one", "SELECT 1", NULL };
	a_migration[1] = (struct stet_migration){ 2, "two", "SELECT 2", NULL };
	a_permission[0] = (struct stet_permission){ "x:read", 10 };
	a_permission[1] = (struct stet_permission){ "x:write", 50 };
	a_type[0] = (struct stet_field_type){ "colour", STET_STORE_TEXT, 0, "string", false, define,
		check_value, NULL };
	a_command[0] = (struct stet_command){ .words = "x one", .op = "one" };
	a_command[1] = (struct stet_command){ .words = "x two", .op = "two" };
	a_setting[0] = (struct stet_setting_def){ { "a", STET_STRING, .fallback = "\"b\"" } };
	a_setting[1] = (struct stet_setting_def){ { "b", STET_STRING } };
	a_service[0] = (struct stet_service_def)STET_SERVICE("x/1", string_in);
	a_job[0] = (struct stet_job){ "job", due, run };
	a_job[1] = (struct stet_job){ "other", due, run };
	a_check[0] = (struct stet_check){ "tank", run };
	a_check[1] = (struct stet_check){ "mail-server", run, .seconds = 30 };
	an_importer[0] = (struct stet_importer){ "ghost", "Ghosts.", read_source };
	an_importer[1] = (struct stet_importer){ "rows", "Rows.", read_source };
	a_metric[0] = (struct stet_metric){ "visits_total", "Visits." };
	a_metric[1] = (struct stet_metric){ "guests", "Guests.", .gauge = true };
	a_capability[0] = (struct stet_capability){ "mail" };
	a_capability[1] = (struct stet_capability){ "fetch:api.example.org" };
	a_transfer[0] = (struct stet_transfer){
		.kind = "ones", .table = "one", .row = string_in, .key = "id", .name = "t.id"
	};
	a_transfer[1] = a_transfer[0];
	a_transfer[1].kind = "twos";
	a_scope[0] = (struct stet_scope_def){ "x:sign", "content:write" };
	a_status[0] = (struct stet_status_def){ "X_TORN", 409, "It is torn" };
	a_status[1] = (struct stet_status_def){ "X_LIST_ERROR", 500, "Failed to list" };
	return (struct stet_module){ STET_MODULE_HEAD(x), .ops = STET_TABLE(an_op),
		.hooks = STET_TABLE(a_hook), .migrations = STET_TABLE(a_migration),
		.permissions = STET_TABLE(a_permission), .field_types = STET_TABLE(a_type),
		.commands = STET_TABLE(a_command), .settings = STET_TABLE(a_setting),
		.services = STET_TABLE(a_service), .jobs = STET_TABLE(a_job),
		.transfers = STET_TABLE(a_transfer), .statuses = STET_TABLE(a_status),
		.scopes = STET_TABLE(a_scope), .capabilities = STET_TABLE(a_capability),
		.checks = STET_TABLE(a_check), .metrics = { a_metric, 2, sizeof(a_metric[0]) },
		.importers = STET_TABLE(an_importer) };
}

static void
a_good_descriptor_is_taken(void **state)
{
	struct stet_module m = good();

	(void)state;
	assert_null(descriptor_check(&m, "x"));
	assert_null(descriptor_check(&m, NULL));
	assert_null(descriptor_check_plugin(&m));
	assert_non_null(descriptor_check(NULL, "x"));
	assert_non_null(descriptor_check(&m, "y"));
}

static void
a_bad_head_is_refused(void **state)
{
	(void)state;
	assert_bad(m.magic = 0, "not one of stet's");
	assert_bad(m.size = 16, "has 16 bytes");
	assert_bad(m.abi_note = NULL, "other options");
	assert_bad(m.name = NULL, "its name is not made of");
	assert_bad(m.name = "", "its name is not made of");
	assert_bad(m.name = "X", "its name is not made of");
	assert_bad(m.name = "9x", "its name is not made of");
	assert_bad(m.name = "a/b", "its name is not made of");
	assert_bad(m.name = "a123456789012345678901234567890123456789012345678901234567890123",
	    "its name is not made of");
	assert_bad(m.needs = ((const char *const[]){ "x", NULL }), "needs itself");
	assert_bad(m.needs = ((const char *const[]){ "../x", NULL }), "impossible name");
	assert_bad(m.state_size = (size_t)1 << 40, "state is too large");
}

static void
a_malformed_table_is_refused(void **state)
{
	(void)state;
	assert_bad(m.ops.row = NULL, "table of ops is malformed");
	assert_bad(m.hooks.stride = 0, "table of hooks is malformed");
	assert_bad(m.jobs.stride = 1U << 20, "table of jobs is malformed");
	assert_bad(m.migrations.count = 1U << 20, "table of migrations is malformed");
}

static void
a_bad_operation_is_refused(void **state)
{
	(void)state;
	assert_bad(an_op[1].name = "one", "two operations one");
	assert_bad(an_op[1].name = NULL, "without a name");
	assert_bad(an_op[1].name = "Two", "operation Two");
	assert_bad(an_op[1].run = NULL, "operation two");
	assert_bad(an_op[1].lane = (enum stet_lane)7, "operation two");
	assert_bad(an_op[0].route = "GET one/:id", "operation one");
	assert_bad(an_op[0].route = "FETCH /one/:id", "operation one");
	assert_bad(an_op[0].route = "GET /one//:id", "bad route: its path has an empty segment");
	assert_bad(an_op[0].route = "GET /one/:id//", "bad route");
	assert_bad(an_op[0].route = "GET /../:id", "dot segment");
	assert_bad(an_op[0].permission = "", "empty permission");
	assert_bad(an_op[0].in = bad_in, "operation one");
}

static void
bad_rows_of_the_other_tables_are_refused(void **state)
{
	(void)state;
	assert_bad(a_hook[0].at = 999, "a point that does not exist");
	assert_bad(a_hook[0].fn.event = NULL, "has no function");
	assert_bad(a_migration[1].version = 3, "count up from 1");
	assert_bad(a_migration[0].version = 0, "count up from 1");
	assert_bad(a_migration[1].sql = NULL, "does nothing");
	assert_bad(a_migration[1].name = NULL, "its migration 2 has no name");
	assert_bad(a_permission[1].name = "x:read", "declares the permission x:read twice");
	assert_bad(a_permission[1].name = "X write", "has a bad name");
	assert_bad(a_permission[1].role = 0, "a role that does not exist");
	assert_bad(a_permission[1].role = 60, "a role that does not exist");
	assert_bad(a_type[0].name = "co lour", "bad name");
	assert_bad(a_type[0].check = NULL, "lacks define or check");
	assert_bad(a_type[0].type_name = NULL, "no TypeScript");
	assert_bad(a_type[0].storage = (enum stet_storage)9, "unknown storage");
	assert_bad(a_type[0].holds = (enum stet_holds)20, "colour cannot hold what it says");
	assert_bad(a_type[0].holds = STET_HOLDS_BLOCKS, "colour cannot hold what it says");
	assert_bad((a_type[0].storage = STET_STORE_REAL, a_type[0].holds = STET_HOLDS_TIME),
	    "colour cannot hold what it says");
	assert_bad(a_type[0].label = "", "its field type colour has a label");
	assert_bad(a_type[0].options = twice, "its field type colour ");
	assert_bad(a_type[0].validation = twice, "its field type colour ");
	assert_bad(a_command[0].words = "rm -rf /", "bad words");
	assert_bad(a_command[0].op = NULL, "not one of op and run");
	assert_bad(a_command[1].words = "x one", "it has two commands \"x one\"");
	assert_bad(a_command[0].op = "three", "operation three, which it does not have");
	assert_bad(a_setting[1].member.name = "a", "two settings a");
	assert_bad(a_setting[1].member.name = NULL, "bad name");
	assert_bad(a_setting[1].member.fallback = "{", "setting b");
	assert_bad(a_setting[1].member.fallback = "7", "setting b has a fallback that its member");
	assert_bad(a_setting[1].member.name = "", "bad name");
	assert_bad(a_setting[1].member.pattern = "([", "setting b has a member whose pattern");
	assert_bad(a_setting[1].member.choices = ((const char *const[]){ NULL }),
	    "setting b has a member with an empty list of choices");
	assert_bad(a_service[0].name = NULL, "has no name");
	assert_bad(a_service[0].functions = NULL, "has no functions");
	assert_bad(a_service[0].size = 0, "does not say how large it is");
	assert_bad(a_service[0].size = 1U << 20, "does not say how large it is");
	assert_bad(a_job[0].run = NULL, "lacks due or run");
	assert_bad(a_job[1].name = "job", "it has two jobs job");
	assert_bad(a_check[0].name = NULL, "a check of it has a bad name");
	assert_bad(a_check[0].name = "Tank", "a check of it has a bad name");
	assert_bad(a_check[0].name = "a/b", "a check of it has a bad name");
	assert_bad(a_check[0].run = NULL, "a check of it has no function");
	assert_bad(a_check[0].seconds = 301, "a check of it takes too long");
	assert_bad(a_check[1].name = "tank", "it has two checks of one name");
	assert_bad(an_importer[0].name = "Ghost", "its importer 0 has a bad name");
	assert_bad(an_importer[1].read = NULL, "its importer rows lacks read or about");
	assert_bad(an_importer[1].about = NULL, "its importer rows lacks read or about");
	assert_bad(an_importer[1].name = "ghost", "it has two importers ghost");
	assert_bad(an_importer[0].options = twice, "its importer ghost ");
	assert_bad(an_importer[0].label = "", "its importer ghost has a label");
	assert_bad(a_metric[0].name = NULL, "a metric of it has a bad name");
	assert_bad(a_metric[0].name = "a-b_total", "a metric of it has a bad name");
	assert_bad(a_metric[0].help = NULL, "a metric of it has no line of help");
	assert_bad(a_metric[0].help = "a\nb", "a metric of it has no line of help");
	assert_bad(a_metric[0].name = "visits",
	    "a counter's name ends with _total, and a gauge's does not");
	assert_bad(
	    a_metric[0].gauge = true, "a counter's name ends with _total, and a gauge's does not");
	assert_bad((a_metric[0].name = "guests", a_metric[0].gauge = true),
	    "it has two metrics of one name");
	assert_bad(m.metrics.count = STET_METRICS_MAX + 1, "it has too many metrics");
	assert_bad(a_capability[0].name = NULL, "a capability of it is not a word");
	assert_bad(a_capability[0].name = "Mail", "a capability of it is not a word");
	assert_bad(a_capability[0].name = ":mail", "a capability of it is not a word");
	assert_bad(a_capability[0].name = "fetch:", "a capability of it is not a word");
	assert_bad(a_capability[0].name = "fetch:a:b", "a capability of it is not a word");
	assert_bad(a_capability[0].name = "fetch:a b", "a capability of it is not a word");
	assert_bad(a_capability[1].name = "mail", "it has a capability twice");
	assert_bad(a_transfer[0].kind = "../x", "has a bad kind");
	assert_bad(a_transfer[0].key = NULL, "lacks table, row, key or name");
	assert_bad(a_transfer[1].kind = "ones", "two transfers ones");
}

static void
a_bad_status_is_refused(void **state)
{
	(void)state;
	assert_bad(a_status[0].name = NULL, "status 0 has a bad name");
	assert_bad(a_status[0].name = "x_torn", "status 0 has a bad name");
	assert_bad(a_status[0].name = "_TORN", "status 0 has a bad name");
	assert_bad(a_status[1].http = 200, "X_LIST_ERROR has no HTTP status");
	assert_bad(a_status[1].http = 600, "X_LIST_ERROR has no HTTP status");
	assert_bad(a_status[1].text = "", "has no text");
	assert_bad(a_status[1].name = "X_TORN", "two statuses X_TORN");
	assert_bad(a_status[0].name = "NOT_FOUND", "NOT_FOUND is one of the core");
	assert_bad((an_op[1].error = STET_CONFLICT, an_op[1].fault = "X_TORN"), "two statuses");
}

static void
bad_scopes_and_guarded_paths_are_refused(void **state)
{
	struct stet_module given = good();

	(void)state;
	assert_bad(a_scope[0].name = "x sign", "scope 0 has a bad name");
	assert_bad(a_scope[0].opened_by = NULL, "scope 0 has a bad name");
	assert_bad(m.guarded = ((const char *const[]){ "/a", "b", NULL }), "guarded path 1");
	assert_bad(m.guarded = ((const char *const[]){ "/../a", NULL }), "guarded path 0");
	assert_bad(m.derived = ((const char *const[]){ "x_sums", "users", NULL }), "not its own");
	assert_bad(m.derived = ((const char *const[]){ "x_a b", NULL }), "not its own");
	given = good();
	a_scope[0].name = "admin";
	assert_null(descriptor_check(&given, "x"));
	assert_non_null(strstr(descriptor_check_plugin(&given), "does not begin with x:"));
}

static void
a_plugin_cannot_claim_a_status_of_a_bundled_module(void **state)
{
	struct stet_module m = good();

	(void)state;
	a_status[0].number = STET_SAVE_REJECTED;
	assert_null(descriptor_check(&m, "x"));
	assert_non_null(strstr(descriptor_check_plugin(&m), "one of a bundled module"));
	a_status[0] = (struct stet_status_def){ "X_TORN", 500, "It is torn", STET_HOOK_FAILED };
	assert_non_null(strstr(descriptor_check_plugin(&m), "one of a bundled module"));
}

static void
a_name_that_is_too_long_with_its_prefix_is_refused(void **state)
{
	struct stet_module m = good();

	(void)state;
	an_op[0].name = "a12345678901234567890123456789012345678901234567890123456789a";
	a_command[0].op = a_command[1].op;
	assert_null(descriptor_check(&m, "x"));
	assert_null(descriptor_check_plugin(&m)); /* 64 bytes with the prefix x__ */
	m.name = "xy";
	assert_non_null(strstr(descriptor_check_plugin(&m), "more than 64 characters"));
}

/* Descriptors of an older SDK: their rows end before members that were added later. */
static void
short_rows_read_as_zero_extended(void **state)
{
	struct {
		const char *name, *title, *about, *route;
		uint32_t flags;
		enum stet_lane lane;
		const char *permission, *scope;
		const struct stet_member *in, *out;
		stet_handler *run;
	} old[2] = { { .name = "one", .run = run },
		{ .name = "two", .flags = MENDS_BEFORE, .lane = STET_WRITE, .run = run } };
	struct stet_module m = good(), copied;
	struct arena lists = { 0 };
	struct stet_op row;

	(void)state;
	m.ops = (struct stet_table)STET_TABLE(old);
	m.commands.count = 0;
	assert_true(m.ops.stride < sizeof(struct stet_op));
	assert_null(descriptor_check(&m, "x"));
	stet_table_row(&m.ops, 1, &row, sizeof(row));
	assert_string_equal(row.name, "two");
	assert_int_equal(row.error, STET_OK);
	assert_int_equal(row.body_max, 0);
	descriptor_copy(&m, &copied, &lists, sizeof(struct stet_member));
	assert_int_equal(copied.ops.stride, sizeof(struct stet_op));
	stet_table_row(&copied.ops, 1, &row, sizeof(row));
	assert_string_equal(row.name, "two");
	assert_ptr_equal(row.run, run);
	assert_int_equal(row.body_max, 0);
	assert_int_equal(row.flags, 0);
	assert_int_equal(row.more, STET_MORE_MENDS);
	arena_free(&lists);
}

/* Descriptors with longer rows: an SDK of the same minor version cannot make them, but a faulty
 * build might. */
static void
long_rows_and_descriptors_are_cut(void **state)
{
	struct {
		struct stet_permission row;
		char more[16];
	} wide[2] = { { { "x:read", 10 }, "more" }, { { "x:write", 20 }, "more" } };
	struct {
		struct stet_module m;
		char more[16];
	} big = { good(), "more" };
	struct stet_module copied;
	struct arena lists = { 0 };
	struct stet_permission row;

	(void)state;
	big.m.size = sizeof(big);
	big.m.permissions = (struct stet_table)STET_TABLE(wide);
	assert_null(descriptor_check(&big.m, "x"));
	descriptor_copy(&big.m, &copied, &lists, sizeof(struct stet_member));
	assert_int_equal(copied.size, sizeof(copied));
	stet_table_row(&copied.permissions, 1, &row, sizeof(row));
	assert_string_equal(row.name, "x:write");
	assert_int_equal(row.role, 20);
	arena_free(&lists);
}
/* struct stet_member of a version without patterns and fallbacks. */
struct short_member {
	const char *name;
	enum stet_type type;
	uint32_t flags;
	const char *about;
	const void *of;
	enum stet_type item;
	double min, max;
	const char *const *choices;
};

static struct short_member inner[3], outer[4];

static struct stet_module
short_module(void)
{
	struct stet_module m = good();

	inner[0] = (struct short_member){ .name = "label", .type = STET_STRING, .max = 7 };
	/* A shape that refers to itself, for trees. */
	inner[1] = (struct short_member){ .name = "below", .type = STET_ARRAY, .of = outer };
	outer[0] = (struct short_member){ .name = "id", .type = STET_STRING, .about = "Which" };
	outer[1] = (struct short_member){ .name = "items", .type = STET_ARRAY, .of = inner };
	outer[2] = (struct short_member){ .name = "more", .type = STET_OBJECT, .of = inner };
	m.member_size = sizeof(struct short_member);
	an_op[0].in = (const struct stet_member *)(const void *)outer;
	an_op[0].out = (const struct stet_member *)(const void *)inner;
	a_setting[0].member.type = STET_OBJECT;
	a_setting[0].member.fallback = NULL;
	a_setting[0].member.of = (const struct stet_member *)(const void *)inner;
	return m;
}

static void
short_members_read_as_zero_extended(void **state)
{
	struct stet_module m = short_module(), copied;
	const struct stet_member *in, *out;
	struct arena lists = { 0 };
	struct stet_setting_def def;
	struct stet_op row;

	(void)state;
	inner[1] = (struct short_member){ 0 };
	assert_null(descriptor_check(&m, "x"));
	descriptor_copy(&m, &copied, &lists, sizeof(struct stet_member));
	assert_int_equal(copied.member_size, sizeof(struct stet_member));
	stet_table_row(&copied.ops, 0, &row, sizeof(row));
	in = row.in;
	out = row.out;
	assert_string_equal(in[0].name, "id");
	assert_string_equal(in[0].about, "Which");
	assert_string_equal(in[2].name, "more");
	assert_null(in[3].name);
	for (int i = 0; i < 3; i++) {
		assert_null(in[i].pattern);
		assert_null(in[i].fallback);
	}
	assert_string_equal(in[1].of[0].name, "label");
	assert_true(in[1].of[0].max == 7);
	assert_null(in[1].of[0].fallback);
	assert_null(in[1].of[1].name);
	/* A list that is used twice stays one list. */
	assert_ptr_equal(in[1].of, in[2].of);
	assert_ptr_equal(in[1].of, out);
	stet_table_row(&copied.settings, 0, &def, sizeof(def));
	assert_ptr_equal(def.member.of, out);
	arena_free(&lists);
}

static void
a_list_that_refers_to_itself_is_refused_however_long(void **state)
{
	struct stet_module m = short_module();

	(void)state;
	assert_non_null(strstr(descriptor_check(&m, "x"), "a shape that is too deep"));
}

static void
what_is_wrong_with_short_members_is_found(void **state)
{
	struct stet_module m = short_module();

	(void)state;
	inner[1] = (struct short_member){ 0 };
	inner[0].type = (enum stet_type)99;
	assert_non_null(strstr(descriptor_check(&m, "x"), "a member of an unknown type"));
}

static void
longer_members_need_a_newer_host(void **state)
{
	(void)state;
	assert_bad(m.member_size = sizeof(struct stet_member) + 8, "it needs a newer version");
	assert_bad(m.member_size = 0, "which no version had");
	assert_bad(m.member_size = 8, "which no version had");
	assert_bad(m.member_size = sizeof(struct stet_member) - 1, "which no version had");
}

/* A module built when the service had fewer functions: the others are NULL. */
static void
functions_that_a_module_lacks_are_null(void **state)
{
	static void (*const functions[2])(void) = { (void (*)(void))run, (void (*)(void))due };
	struct stet_module m = good(), copied;
	struct stet_service_def def;
	void (*const *theirs)(void);
	struct arena lists = { 0 };

	(void)state;
	a_service[0] = (struct stet_service_def){ "x/1", functions, sizeof(functions[0]) };
	assert_null(descriptor_check(&m, "x"));
	descriptor_copy(&m, &copied, &lists, sizeof(struct stet_member));
	stet_table_row(&copied.services, 0, &def, sizeof(def));
	theirs = def.functions;
	assert_true(theirs[0] == functions[0]);
	for (int i = 1; i < 100; i++)
		assert_null(theirs[i]);
	arena_free(&lists);
}

static void
another_major_version_is_refused_and_told_what_to_do(void **state)
{
	(void)state;
	assert_bad(m.abi_major = 1, "it was built for ABI 1, and this is 2: build it anew");
	assert_bad(m.abi_major = 3, "it was built for ABI 3, and this is 2: build it anew");
	assert_bad(m.abi_minor = 999, "which is newer than this");
}

static void
schemas_of_short_members_are_written(void **state)
{
	struct stet_json j = { 0 };

	(void)state;
	(void)short_module();
	inner[1] = (struct short_member){ 0 };
	stet_put_schema_sized(
	    &j, NULL, (const struct stet_member *)(const void *)inner, sizeof(struct short_member));
	assert_string_equal(j.buf.data,
	    "{\"type\":\"object\",\"properties\":{\"label\":{\"type\":\"string\",\"maxLength\":7}},"
	    "\"additionalProperties\":false}");
	json_free(&j);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_good_descriptor_is_taken),
		cmocka_unit_test(a_bad_head_is_refused),
		cmocka_unit_test(a_malformed_table_is_refused),
		cmocka_unit_test(a_bad_operation_is_refused),
		cmocka_unit_test(bad_rows_of_the_other_tables_are_refused),
		cmocka_unit_test(a_bad_status_is_refused),
		cmocka_unit_test(bad_scopes_and_guarded_paths_are_refused),
		cmocka_unit_test(a_plugin_cannot_claim_a_status_of_a_bundled_module),
		cmocka_unit_test(a_name_that_is_too_long_with_its_prefix_is_refused),
		cmocka_unit_test(short_rows_read_as_zero_extended),
		cmocka_unit_test(long_rows_and_descriptors_are_cut),
		cmocka_unit_test(short_members_read_as_zero_extended),
		cmocka_unit_test(a_list_that_refers_to_itself_is_refused_however_long),
		cmocka_unit_test(what_is_wrong_with_short_members_is_found),
		cmocka_unit_test(longer_members_need_a_newer_host),
		cmocka_unit_test(functions_that_a_module_lacks_are_null),
		cmocka_unit_test(another_major_version_is_refused_and_told_what_to_do),
		cmocka_unit_test(schemas_of_short_members_are_written),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
