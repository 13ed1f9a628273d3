/* module.c - which files are loaded as modules, and why others are refused. */
#include "module/module.h"
#include "base/arena.h"
#include "base/log.h"
#include "harness.h"
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- files ---- */

static char place[64]; /* a directory of plugins */

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
	assert_refused("wrong-abi", "built for ABI 99, and this is 2: build it anew");
	assert_refused("new-abi", "which is newer");
	assert_refused("wrong-note", "jansson3 time32");
}

static void
a_missing_symbol_is_refused(void **state)
{
	(void)state;
	scan_broken();
	assert_refused("no-descriptor", "does not export no_descriptor_LTX_stet_module");
	assert_refused(
	    "undefined", "stet_no_such_function: it was built for another version of stet");
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
	assert_refused("page-permission",
	    "its admin page a needs the permission castles:see, which no module declares");
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
	if (geteuid() != 0) {
		print_message("# skipped: only root gives files away\n");
		return;
	}
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

/* In one scan the names decide which of two comes first; later the loaded one stays. */
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

/* A loaded object stays open, so a changed file with the same path would not be read. */
static void
a_refused_file_that_is_mended_wants_a_restart(void **state)
{
	(void)state;
	copy("t/plugins/broken/.libs/wrong-abi.so", "wrong-abi.so");
	scan(place);
	assert_refused("wrong-abi", "built for ABI 99");
	scan(place);
	assert_refused("wrong-abi", "built for ABI 99");
	assert_int_equal(unlink(path_of("wrong-abi.so")), 0);
	copy("t/plugins/good/.libs/notes.so", "wrong-abi.so");
	scan(place);
	assert_refused("wrong-abi",
	    "its file is another one than that which was refused; restart the daemon to use it");
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
		IN_A_PLACE(a_refused_file_that_is_mended_wants_a_restart),
		cmocka_unit_test(modules_come_after_what_they_need_and_bundled_ones_first),
		IN_A_PLACE(names_that_differ_in_hyphens_alone_are_refused),
	};

	log_open("/dev/null", STET_ERROR);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
