/* module.c - which files become modules, and with what words the others are refused. */
#include "arena.h"
#include "harness.h"
#include "log.h"
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- files ---- */

static char place[64]; /* a directory for plugins */

static const char *
path_of(const char *name)
{
	static char path[512];

	snprintf(path, sizeof(path), "%s/%s", place, name);
	return path;
}

static void
copy(const char *from, const char *name)
{
	char bytes[65536];
	FILE *in = fopen(harness_path("STET_BUILD", from), "rb");
	FILE *out = fopen(path_of(name), "wb");
	size_t n;

	assert_non_null(in);
	assert_non_null(out);
	while ((n = fread(bytes, 1, sizeof(bytes), in)) > 0)
		assert_int_equal(fwrite(bytes, 1, n, out), n);
	fclose(in);
	fclose(out);
}

static int
new_place(void **state)
{
	(void)state;
	snprintf(place, sizeof(place), "/tmp/stet-plugins-XXXXXX");
	return mkdtemp(place) != NULL ? 0 : -1;
}

static int
remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

static int
remove_place(void **state)
{
	(void)state;
	return nftw(place, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

/* ---- refusals ---- */

struct wanted {
	const char *name;
	char reason[512];
};

static void
take(const struct module_refusal *r, void *arg)
{
	struct wanted *w = arg;

	if (strcmp(r->name, w->name) == 0)
		snprintf(w->reason, sizeof(w->reason), "%s", r->reason);
}

static const char *
reason(const char *name)
{
	static struct wanted w;

	w.name = name;
	w.reason[0] = '\0';
	modules_refused(take, &w);
	return w.reason;
}

#define assert_refused(name, text)                                           \
	do {                                                                 \
		const char *why_ = reason(name);                             \
		if (strstr(why_, (text)) == NULL)                            \
			fail_msg("%s is refused with \"%s\"", (name), why_); \
		assert_null(modules_find(name));                             \
	} while (0)

static void
scan(const char *plugins)
{
	modules_scan(harness_path("STET_BUILD", "modules/.libs"), plugins);
}

static void
scan_broken(void)
{
	char plugins[1024];

	snprintf(
	    plugins, sizeof(plugins), "%s", harness_path("STET_BUILD", "t/plugins/broken/.libs"));
	scan(plugins);
}

static void
another_abi_is_refused(void **state)
{
	(void)state;
	scan_broken();
	assert_refused("wrong-abi", "built for ABI 2, and this is 1");
	assert_refused("new-abi", "which is newer");
	assert_refused("wrong-note", "jansson3 time32");
}

static void
a_missing_symbol_is_refused(void **state)
{
	(void)state;
	scan_broken();
	assert_refused("no-descriptor", "does not export no_descriptor_LTX_stet_module");
	assert_refused("undefined", "stet_no_such_function");
}

static void
a_name_that_is_not_the_file_name_is_refused(void **state)
{
	(void)state;
	scan_broken();
	assert_refused("other-name", "its name is some-name, and that of its file is other-name");
}

static void
an_unknown_permission_is_refused(void **state)
{
	(void)state;
	scan_broken();
	assert_refused("unknown-permission", "castles:build, which no module declares");
}

static void
a_plugin_route_outside_its_place_is_refused(void **state)
{
	(void)state;
	scan_broken();
	assert_refused("at-root", "outside /plugins/at-root");
}

static void
unmet_and_circular_needs_are_refused(void **state)
{
	(void)state;
	scan_broken();
	assert_refused("lonely", "needs the module nobody, which is not there");
	assert_refused("ring-a", "ring-b, which");
	assert_refused("ring-b", "ring-a, which");
	assert_refused("follower", "needs the module wrong-abi, which is refused");
}

static void
a_file_that_others_can_write_is_refused_until_they_cannot(void **state)
{
	(void)state;
	copy("t/plugins/good/.libs/alpha.so", "alpha.so");
	assert_int_equal(chmod(path_of("alpha.so"), 0664), 0);
	scan(place);
	assert_refused("alpha", "its file can be written by group or others");
	assert_int_equal(chmod(path_of("alpha.so"), 0646), 0);
	scan(place);
	assert_refused("alpha", "its file can be written by group or others");
	assert_int_equal(chmod(path_of("alpha.so"), 0644), 0);
	scan(place);
	assert_non_null(modules_find("alpha"));
	assert_false(modules_find("alpha")->bundled);
	assert_string_equal(reason("alpha"), "");
}

static void
a_directory_that_others_can_write_is_refused(void **state)
{
	(void)state;
	copy("t/plugins/good/.libs/beta.so", "beta.so");
	assert_int_equal(chmod(path_of("beta.so"), 0644), 0);
	assert_int_equal(chmod(place, 0777), 0);
	scan(place);
	assert_refused("beta", "can be written by group or others");
	assert_int_equal(chmod(place, 0700), 0);
}

static void
a_file_of_another_user_is_refused(void **state)
{
	(void)state;
	if (geteuid() != 0)
		skip();
	copy("t/plugins/good/.libs/beta.so", "beta.so");
	assert_int_equal(chmod(path_of("beta.so"), 0644), 0);
	assert_int_equal(chown(path_of("beta.so"), 12345, 12345), 0);
	scan(place);
	assert_refused("beta", "belongs neither to root nor to the daemon's user");
}

static void
a_link_is_judged_by_what_it_leads_to(void **state)
{
	char target[512];

	(void)state;
	snprintf(target, sizeof(target), "%s/sub", place);
	assert_int_equal(mkdir(target, 0777), 0);
	assert_int_equal(chmod(target, 0777), 0);
	copy("t/plugins/good/.libs/beta.so", "sub/beta.so");
	assert_int_equal(chmod(path_of("sub/beta.so"), 0644), 0);
	assert_int_equal(symlink("sub/beta.so", path_of("beta.so")), 0);
	assert_int_equal(symlink("nowhere.so", path_of("dangling.so")), 0);
	scan(place);
	assert_refused("beta", "can be written by group or others");
	assert_refused("dangling", "cannot be examined");
}

static void
what_is_no_shared_object_is_refused(void **state)
{
	FILE *f;

	(void)state;
	f = fopen(path_of("garbage.so"), "w");
	assert_non_null(f);
	fputs("not an ELF file", f);
	fclose(f);
	assert_int_equal(mkdir(path_of("folder.so"), 0755), 0);
	assert_int_equal(mkfifo(path_of("pipe.so"), 0600), 0);
	copy("t/plugins/good/.libs/beta.so", "Beta.so");
	copy("t/plugins/good/.libs/beta.so", ".hidden.so");
	copy("t/plugins/good/.libs/beta.so", "notes.txt");
	scan(place);
	assert_refused("garbage", "cannot be opened");
	assert_refused("folder", "not a regular file");
	assert_refused("pipe", "not a regular file");
	assert_refused("Beta", "its file name is not made of");
	assert_string_equal(reason(".hidden"), "");
	assert_string_equal(reason("notes"), "");
}

static void
a_name_that_is_taken_is_refused(void **state)
{
	(void)state;
	scan(NULL);
	assert_non_null(modules_find("auth"));
	copy("t/plugins/good/.libs/beta.so", "auth.so");
	scan(place);
	assert_non_null(strstr(reason("auth"), "another module of this name"));
	assert_true(modules_find("auth")->bundled);
}

static void
a_second_scan_picks_up_what_is_new(void **state)
{
	size_t before;
	const struct loaded *first;

	(void)state;
	scan(place);
	before = modules_count();
	first = modules_at(0);
	copy("t/plugins/good/.libs/notes.so", "notes.so");
	scan(place);
	assert_int_equal(modules_count(), before + 1);
	assert_string_equal(modules_at(before)->m.name, "notes");
	assert_int_equal(modules_at(before)->index, before);
	scan(place);
	assert_int_equal(modules_count(), before + 1);
	assert_ptr_equal(modules_at(0), first);
}

static void
modules_come_after_what_they_need_and_bundled_ones_first(void **state)
{
	char plugins[1024];

	(void)state;
	/* A .la file stands for the object in .libs. */
	snprintf(plugins, sizeof(plugins), "%s", harness_path("STET_BUILD", "t/plugins/good"));
	scan(plugins);
	assert_non_null(modules_find("needy"));
	assert_non_null(modules_find("stumbler"));
	for (size_t i = 0; i < modules_count(); i++) {
		const struct loaded *l = modules_at(i);

		assert_int_equal(l->index, i);
		for (const char *const *need = l->m.needs; need != NULL && *need != NULL; need++) {
			assert_non_null(modules_find(*need));
			assert_true(modules_find(*need)->index < l->index);
		}
	}
	assert_true(modules_find("auth")->index < modules_find("alpha")->index);
	assert_true(modules_find("plugins")->index < modules_find("alpha")->index);
}

/* ---- descriptors ---- */

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
static struct stet_command a_command[1];
static struct stet_setting_def a_setting[2];
static struct stet_service_def a_service[1];
static struct stet_job a_job[1];
static const struct stet_member string_in[] = { { "id", STET_STRING }, { 0 } };
static const struct stet_member bad_in[] = { { "id", (enum stet_type)99 }, { 0 } };

/* A descriptor that is good in every table. */
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
	a_setting[0] = (struct stet_setting_def){ { "a", STET_STRING, .fallback = "\"b\"" } };
	a_setting[1] = (struct stet_setting_def){ { "b", STET_STRING } };
	a_service[0] = (struct stet_service_def){ "x/1", string_in };
	a_job[0] = (struct stet_job){ "job", due, run };
	return (struct stet_module){ STET_MODULE_HEAD(x), .ops = STET_TABLE(an_op),
		.hooks = STET_TABLE(a_hook), .migrations = STET_TABLE(a_migration),
		.permissions = STET_TABLE(a_permission), .field_types = STET_TABLE(a_type),
		.commands = STET_TABLE(a_command), .settings = STET_TABLE(a_setting),
		.services = STET_TABLE(a_service), .jobs = STET_TABLE(a_job) };
}

static void
a_good_descriptor_is_taken(void **state)
{
	struct stet_module m = good();

	(void)state;
	assert_null(module_check(&m, "x"));
	assert_null(module_check(&m, NULL));
	assert_null(module_check_plugin(&m));
	assert_non_null(module_check(NULL, "x"));
	assert_non_null(module_check(&m, "y"));
}

#define assert_bad(change, text)                                            \
	do {                                                                \
		struct stet_module m = good();                              \
		const char *why_;                                           \
		change;                                                     \
		why_ = module_check(&m, NULL);                              \
		if (why_ == NULL || strstr(why_, (text)) == NULL)           \
			fail_msg("%s: %s", #change, why_ ? why_ : "taken"); \
	} while (0)

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
	assert_bad(an_op[0].route = "GET /one/:id/", "bad route");
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
	assert_bad(a_permission[1].name = "x:read", "declares the permission x:read twice");
	assert_bad(a_permission[1].name = "X write", "has a bad name");
	assert_bad(a_permission[1].role = 0, "a role that does not exist");
	assert_bad(a_permission[1].role = 60, "a role that does not exist");
	assert_bad(a_type[0].name = "co lour", "bad name");
	assert_bad(a_type[0].check = NULL, "lacks define or check");
	assert_bad(a_type[0].type_name = NULL, "no TypeScript");
	assert_bad(a_type[0].storage = (enum stet_storage)9, "unknown storage");
	assert_bad(a_command[0].words = "rm -rf /", "bad words");
	assert_bad(a_command[0].op = NULL, "not one of op and run");
	assert_bad(a_command[0].op = "three", "operation three, which it does not have");
	assert_bad(a_setting[1].member.name = "a", "two settings a");
	assert_bad(a_setting[1].member.name = NULL, "bad name");
	assert_bad(a_setting[1].member.fallback = "{", "setting b");
	assert_bad(a_service[0].name = NULL, "has no name");
	assert_bad(a_service[0].functions = NULL, "has no functions");
	assert_bad(a_job[0].run = NULL, "lacks due or run");
}

static void
a_name_that_is_too_long_with_its_prefix_is_refused(void **state)
{
	struct stet_module m = good();

	(void)state;
	an_op[0].name = "a12345678901234567890123456789012345678901234567890123456789a";
	a_command[0].op = "two";
	assert_null(module_check(&m, "x"));
	assert_null(module_check_plugin(&m)); /* 64 with x__ */
	m.name = "xy";
	assert_non_null(strstr(module_check_plugin(&m), "more than 64 characters"));
}

/* As an older SDK would have built it: its rows end before fields that came later. */
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
	} old[2] = { { .name = "one", .run = run }, { .name = "two", .run = run } };
	struct stet_module m = good(), copied;
	struct stet_op row;

	(void)state;
	m.ops = (struct stet_table)STET_TABLE(old);
	m.commands.count = 0;
	assert_true(m.ops.stride < sizeof(struct stet_op));
	assert_null(module_check(&m, "x"));
	stet_table_row(&m.ops, 1, &row, sizeof(row));
	assert_string_equal(row.name, "two");
	assert_int_equal(row.error, STET_OK);
	assert_int_equal(row.body_max, 0);
	module_copy(&m, &copied);
	assert_int_equal(copied.ops.stride, sizeof(struct stet_op));
	stet_table_row(&copied.ops, 1, &row, sizeof(row));
	assert_string_equal(row.name, "two");
	assert_ptr_equal(row.run, run);
	assert_int_equal(row.body_max, 0);
	module_copy_free(&copied);
}

/* As a newer SDK of the same minor version could not, but a careless one might. */
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
	struct stet_permission row;

	(void)state;
	big.m.size = sizeof(big);
	big.m.permissions = (struct stet_table)STET_TABLE(wide);
	assert_null(module_check(&big.m, "x"));
	module_copy(&big.m, &copied);
	assert_int_equal(copied.size, sizeof(copied));
	stet_table_row(&copied.permissions, 1, &row, sizeof(row));
	assert_string_equal(row.name, "x:write");
	assert_int_equal(row.role, 20);
	module_copy_free(&copied);
}

/* Which of two comes first in one scan is a matter of their names; after that, of what is there. */
static void
names_that_differ_in_hyphens_alone_are_refused(void **state)
{
	(void)state;
	copy("t/plugins/twins/.libs/twin-a.so", "twin-a.so");
	copy("t/plugins/twins/other/.libs/twin_a.so", "twin_a.so");
	scan(place);
	assert_non_null(modules_find("twin-a"));
	assert_refused("twin_a", "its name is that of the module twin-a but for - and _");
	assert_int_equal(unlink(path_of("twin-a.so")), 0);
	scan(place);
	assert_refused("twin_a", "its name is that of the module twin-a but for - and _");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(another_abi_is_refused),
		cmocka_unit_test(a_missing_symbol_is_refused),
		cmocka_unit_test(a_name_that_is_not_the_file_name_is_refused),
		cmocka_unit_test(an_unknown_permission_is_refused),
		cmocka_unit_test(a_plugin_route_outside_its_place_is_refused),
		cmocka_unit_test(unmet_and_circular_needs_are_refused),
#define IN_A_PLACE(test) cmocka_unit_test_setup_teardown(test, new_place, remove_place)
		IN_A_PLACE(a_directory_that_others_can_write_is_refused),
		IN_A_PLACE(a_file_of_another_user_is_refused),
		IN_A_PLACE(a_link_is_judged_by_what_it_leads_to),
		IN_A_PLACE(what_is_no_shared_object_is_refused),
		IN_A_PLACE(a_name_that_is_taken_is_refused),
		IN_A_PLACE(a_second_scan_picks_up_what_is_new),
		IN_A_PLACE(a_file_that_others_can_write_is_refused_until_they_cannot),
		cmocka_unit_test(modules_come_after_what_they_need_and_bundled_ones_first),
		cmocka_unit_test(a_good_descriptor_is_taken),
		cmocka_unit_test(a_bad_head_is_refused),
		cmocka_unit_test(a_malformed_table_is_refused),
		cmocka_unit_test(a_bad_operation_is_refused),
		cmocka_unit_test(bad_rows_of_the_other_tables_are_refused),
		cmocka_unit_test(a_name_that_is_too_long_with_its_prefix_is_refused),
		cmocka_unit_test(short_rows_read_as_zero_extended),
		cmocka_unit_test(long_rows_and_descriptors_are_cut),
		IN_A_PLACE(names_that_differ_in_hyphens_alone_are_refused),
	};

	log_open("/dev/null", STET_ERROR);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
