/* site.c - data directories, locks, broken sites, and changes of the sites by SIGHUP. */
#include "call/site.h"
#include "base/log.h"
#include "call/call.h"
#include "conf/conf.h"
#include "db/db.h"
#include "db/reader.h"
#include "db/rows.h"
#include "harness.h"
#include "module/module.h"
#include "op/args.h"
#include "op/dispatch.h"
#include "site/compile.h"
#include "site/datadir.h"
#include "site/site.h"
#include "site/sites.h"
#include <fcntl.h>
#include <ftw.h>
#include <pthread.h>
#include <signal.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static char base[64]; /* the parent of the sites' directories */

static int
new_base(void **state)
{
	(void)state;
	snprintf(base, sizeof(base), "/tmp/stet-site-XXXXXX");
	return mkdtemp(base) != NULL ? 0 : -1;
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
remove_base(void **state)
{
	(void)state;
	reader_close(NULL);
	sites_close();
	return nftw(base, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

/* ---- configurations ---- */

struct terms {
	char data[128];
	char name[32], host[2][64];
	char *hosts[3], *locales[2], *modules[2], *none[1];
	struct conf_site conf;
};

static char star[] = "*", locale[] = "en", other_locale[] = "fr", url[] = "http://localhost";

static struct conf_site *
site_terms(struct terms *t, const char *name, const char *dir, const char *host, const char *more)
{
	memset(t, 0, sizeof(*t));
	snprintf(t->data, sizeof(t->data), "%s/%s", base, dir);
	snprintf(t->name, sizeof(t->name), "%s", name);
	snprintf(t->host[0], sizeof(t->host[0]), "%s", host);
	t->hosts[0] = t->host[0];
	if (more != NULL) {
		snprintf(t->host[1], sizeof(t->host[1]), "%s", more);
		t->hosts[1] = t->host[1];
	}
	t->locales[0] = locale;
	t->modules[0] = star;
	t->conf = (struct conf_site){ .name = t->name,
		.base_url = url,
		.data = t->data,
		.hosts = t->hosts,
		.locales = t->locales,
		.modules = t->modules,
		.cors_origins = t->none };
	return &t->conf;
}

static struct site *
open_site(const char *dir, bool daemon, char **why)
{
	struct terms t;

	return site_open(site_terms(&t, "one", dir, "*", NULL), daemon, why);
}

static struct site *
must_open(const char *dir, bool daemon)
{
	char *why = NULL;
	struct site *site = open_site(dir, daemon, &why);

	if (site == NULL)
		fail_msg("%s", why);
	return site;
}

static void
must_close(struct site *site)
{
	reader_close(NULL);
	site_close(site);
}

static void
assert_not_opened(const char *dir, bool daemon, const char *text)
{
	char *why = NULL;

	assert_null(open_site(dir, daemon, &why));
	if (strstr(why, text) == NULL)
		fail_msg("not opened because \"%s\"", why);
	free(why);
}

/* ---- one site ---- */

static void
directories_are_made_for_the_daemon_alone(void **state)
{
	struct site *site = must_open("deep/er/site", true);
	char path[256];
	struct stat st;

	(void)state;
	assert_int_equal(stat(site->conf.data, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0700);
	snprintf(path, sizeof(path), "%s/tmp", site->conf.data);
	assert_string_equal(site->tmp_path, path);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0700);
	must_close(site);
}

static void
a_directory_that_cannot_be_made_is_said_in_words(void **state)
{
	char path[128];
	FILE *f;

	(void)state;
	snprintf(path, sizeof(path), "%s/file", base);
	f = fopen(path, "w");
	assert_non_null(f);
	fclose(f);
	assert_not_opened("file", true, "Not a directory");
	assert_not_opened("file/below", true, "Not a directory");
}

static void
two_daemons_do_not_share_a_directory(void **state)
{
	struct site *site;
	int ready[2], go[2], status;
	char byte, text[64];
	pid_t pid;

	(void)state;
	assert_int_equal(pipe(ready), 0);
	assert_int_equal(pipe(go), 0);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) { /* the child is the daemon */
		char *why;
		bool good = open_site("d", true, &why) != NULL;

		(void)signal(SIGHUP, SIG_DFL);
		if (write(ready[1], good ? "y" : "n", 1) != 1 || read(go[0], &byte, 1) != 1)
			_exit(1);
		_exit(0);
	}
	assert_int_equal(read(ready[0], &byte, 1), 1);
	assert_int_equal(byte, 'y');
	snprintf(text, sizeof(text), "in use by the daemon with process id %d", (int)pid);
	assert_not_opened("d", true, text);
	/* A command can open the site at the same time, knows the daemon's process id, and can
	 * notify it of changes. */
	site = must_open("d", false);
	assert_int_equal(datadir_site_daemon(site), pid);
	datadir_tell_daemon(site);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGHUP);
	assert_int_equal(datadir_site_daemon(site), 0);
	must_close(site);
	close(ready[0]), close(ready[1]), close(go[0]), close(go[1]);
	must_close(must_open("d", true));
}

static void
one_daemon_does_not_open_a_directory_twice(void **state)
{
	struct site *site = must_open("d", true), *command;

	(void)state;
	assert_not_opened("d", true, "is the data directory of site one already");
	command = must_open("d", false);
	assert_int_equal(datadir_site_daemon(command), (int)getpid());
	must_close(command);
	/* This process still holds the lock. */
	assert_int_equal(datadir_site_daemon(site), (int)getpid());
	assert_not_opened("d", true, "already");
	must_close(site);
}

static struct stet_call *
call_of(struct site *site, const char *name)
{
	struct stet_call *call = call_new();

	call_enter(call, site);
	call->op = generation_op(call->gen, name);
	assert_non_null(call->op);
	call->owner = call->op->owner;
	stet_principal_set(
	    call, &(struct stet_principal){
		      .id = "01USERADMIN000000000000050", .role = 50, .via = STET_VIA_COMMAND });
	return call;
}

static enum stet_status
run(struct site *site, const char *name, const char *args)
{
	struct stet_call *call = call_of(site, name);
	json_t *value = json_loads(args, 0, NULL);
	enum stet_status status = args_json(call, value);

	if (status == STET_OK)
		status = dispatch_run(call);
	rows_end_call(call);
	call_free(call);
	json_decref(value);
	return status;
}

static void
change_database(const char *dir, const char *sql)
{
	char path[256], *why = NULL;
	struct db *db;

	snprintf(path, sizeof(path), "%s/%s/stet.db", base, dir);
	db = db_open(path, DB_WRITE);
	assert_non_null(db);
	if (db_script(db, sql, &why) != STET_OK)
		fail_msg("%s", why);
	db_close(db);
}

static void
a_database_of_a_newer_module_takes_no_writes(void **state)
{
	struct site *site = must_open("d", true);
	char *why = NULL;

	(void)state;
	must_close(site);
	change_database("d", "INSERT INTO migration (module, version, name, applied_at, digest)"
			     " VALUES ('auth', 99, 'from the future', '', '')");
	site = must_open("d", true);
	assert_non_null(site->broken);
	assert_non_null(strstr(site->broken, "auth"));
	assert_int_equal(run(site, "plugin_list", "{}"), STET_OK);
	assert_int_equal(run(site, "plugin_enable", "{\"id\": \"alpha\"}"), STET_MIGRATION_FAILED);
	/* After the database is repaired, SIGHUP opens the site. */
	change_database("d", "DELETE FROM migration WHERE version = 99");
	assert_int_equal(compile_site(site, &why), STET_OK);
	assert_null(site->broken);
	assert_int_equal(run(site, "plugin_enable", "{\"id\": \"alpha\"}"), STET_OK);
	must_close(site);
}

static void
a_foreign_database_is_left_alone(void **state)
{
	struct site *site;
	char path[256];

	(void)state;
	snprintf(path, sizeof(path), "%s/d", base);
	assert_int_equal(mkdir(path, 0700), 0);
	change_database("d", "CREATE TABLE theirs (id INTEGER)");
	site = must_open("d", true);
	assert_non_null(site->broken);
	assert_int_equal(run(site, "plugin_enable", "{\"id\": \"alpha\"}"), STET_MIGRATION_FAILED);
	must_close(site);
}

/* route_thief would be left out because of its conflict if the configuration named it. */
static void
bundled_modules_are_those_of_the_configuration(void **state)
{
	static char schema[] = "schema";
	char path[1024], *why = NULL;
	const struct loaded *thief;
	struct site *site;
	struct terms t;

	(void)state;
	snprintf(path, sizeof(path), "%s", harness_path("STET_BUILD", "t/plugins/bundled/.libs"));
	modules_scan(path, NULL);
	thief = modules_find("route_thief");
	assert_non_null(thief);
	site = must_open("d", true);
	assert_non_null(site->current->refusal[thief->index]);
	must_close(site);
	site_terms(&t, "one", "d", "*", NULL);
	t.modules[0] = schema;
	site = site_open(&t.conf, true, &why);
	assert_non_null(site);
	assert_null(site->current->refusal[thief->index]);
	assert_non_null(generation_op(site->current, "plugin_list")); /* part of every site */
	must_close(site);
}

static void
what_another_process_enables_is_there_after_a_hangup(void **state)
{
	struct site *daemon = must_open("d", true);
	struct site *command = must_open("d", false);
	char *why = NULL;

	(void)state;
	assert_null(generation_op(daemon->current, "notes__peek"));
	assert_int_equal(run(command, "plugin_enable", "{\"id\": \"notes\"}"), STET_OK);
	assert_non_null(generation_op(command->current, "notes__peek"));
	assert_int_equal(compile_site(daemon, &why), STET_OK);
	assert_non_null(generation_op(daemon->current, "notes__peek"));
	assert_int_equal(run(daemon, "notes__peek", "{}"), STET_OK);
	must_close(command);
	must_close(daemon);
}

/* ---- all sites ---- */

static void
apply(struct conf_site *a, struct conf_site *b)
{
	struct conf_site list[2] = { *a };
	struct conf conf = { .sites = list, .site_count = 1 };

	if (b != NULL) {
		list[1] = *b;
		conf.site_count = 2;
	}
	sites_apply(&conf, true);
}

static void
a_host_finds_its_site(void **state)
{
	struct terms a, b;

	(void)state;
	assert_null(sites_find("example.org"));
	apply(site_terms(&a, "a", "a", "Example.org", "www.example.org"),
	    site_terms(&b, "b", "b", "b.example", NULL));
	assert_string_equal(sites_find("example.org")->conf.name, "a");
	assert_string_equal(sites_find("www.example.org")->conf.name, "a");
	assert_string_equal(sites_find("b.example")->conf.name, "b");
	assert_null(sites_find("c.example"));
	assert_null(sites_find(""));
	assert_ptr_equal(sites_named("b"), sites_find("b.example"));
	assert_null(sites_named("c"));
	apply(site_terms(&a, "a", "a", "example.org", "b.example"),
	    site_terms(&b, "b", "b", "b.example", "*"));
	assert_string_equal(sites_find("b.example")->conf.name, "a"); /* the first one */
	assert_string_equal(sites_find("c.example")->conf.name, "b");
	assert_string_equal(sites_find("")->conf.name, "b");
}

static void
a_site_that_stays_is_not_opened_again(void **state)
{
	struct terms a, b;
	struct site *first;
	struct stet_call *old, *now;

	(void)state;
	apply(site_terms(&a, "a", "a", "a.example", NULL), NULL);
	first = sites_find("a.example");
	old = call_of(first, "plugin_list");
	site_terms(&a, "renamed", "a", "other.example", NULL);
	a.locales[0] = other_locale;
	apply(&a.conf, site_terms(&b, "b", "b", "b.example", NULL));
	assert_ptr_equal(sites_find("other.example"), first);
	assert_ptr_equal(sites_named("renamed"), first);
	assert_null(sites_find("a.example"));
	now = call_of(first, "plugin_list");
	assert_string_equal(old->gen->conf->locales[0], "en");
	assert_string_equal(now->gen->conf->locales[0], "fr");
	assert_int_equal(dispatch_run(now), STET_OK);
	call_free(now);
	call_free(old);
}

static void
wait_closed(struct site *site)
{
	const struct timespec moment = { .tv_nsec = 1000000 };

	for (int i = 0; i < 5000 && site->writer != NULL; i++) {
		bool down;

		pthread_mutex_lock(&site->lock);
		down = site->live == 0;
		pthread_mutex_unlock(&site->lock);
		if (down)
			return;
		nanosleep(&moment, NULL);
	}
	fail_msg("the site stays open");
}

static void
a_site_that_goes_is_closed_with_its_last_call(void **state)
{
	struct terms a, b;
	struct site *gone;
	struct stet_call *call;

	(void)state;
	apply(site_terms(&a, "a", "a", "a.example", NULL),
	    site_terms(&b, "b", "b", "b.example", NULL));
	gone = sites_find("b.example");
	call = call_of(gone, "plugin_enable");
	apply(site_terms(&a, "a", "a", "a.example", NULL), NULL);
	assert_null(sites_find("b.example"));
	assert_null(sites_named("b"));
	/* A call that began before the change may still write. */
	assert_int_equal(
	    args_json(
		call, json_object_get(
			  stet_json_own(call, json_pack("{s:{s:s}}", "a", "id", "alpha")), "a")),
	    STET_OK);
	assert_int_equal(dispatch_run(call), STET_OK);
	reader_close(NULL);
	call_free(call);
	wait_closed(gone);
	assert_null(site_generation(gone));
	/* Another site can use its directory. */
	for (int i = 0; i < 1000; i++) {
		const struct timespec moment = { .tv_nsec = 1000000 };

		apply(site_terms(&a, "a", "a", "a.example", NULL),
		    site_terms(&b, "again", "b", "b.example", NULL));
		if (sites_find("b.example")->failure == NULL)
			break;
		nanosleep(&moment, NULL);
	}
	assert_null(sites_find("b.example")->failure);
	assert_ptr_not_equal(sites_find("b.example"), gone);
}

static void
a_site_that_cannot_be_opened_has_no_generation_until_it_can(void **state)
{
	struct terms a, b;
	char path[128];
	FILE *f;

	(void)state;
	snprintf(path, sizeof(path), "%s/b", base);
	f = fopen(path, "w");
	assert_non_null(f);
	fclose(f);
	apply(site_terms(&a, "a", "a", "a.example", NULL),
	    site_terms(&b, "b", "b", "b.example", NULL));
	assert_non_null(sites_find("b.example"));
	assert_non_null(sites_find("b.example")->failure);
	assert_null(site_generation(sites_find("b.example")));
	assert_null(sites_find("a.example")->failure);
	assert_int_equal(unlink(path), 0);
	apply(&a.conf, &b.conf);
	assert_null(sites_find("b.example")->failure);
	assert_non_null(sites_find("b.example")->current);
}

/* ---- readers beside SIGHUP ---- */

static atomic_bool stop;

static void *
reader(void *arg)
{
	size_t *calls = arg;

	while (!atomic_load(&stop)) {
		struct site *site = sites_find("a.example");
		struct stet_call *call = call_new();

		call_enter(call, site);
		if (call->gen != NULL && generation_op(call->gen, "plugin_list") != NULL)
			++*calls;
		call_free(call);
	}
	return NULL;
}

static void
requests_go_on_while_sites_and_modules_change(void **state)
{
	struct terms a, b;
	pthread_t thread[2];
	size_t calls[2] = { 0 };

	(void)state;
	atomic_store(&stop, false);
	apply(site_terms(&a, "a", "a", "a.example", NULL), NULL);
	for (int i = 0; i < 2; i++)
		assert_int_equal(pthread_create(&thread[i], NULL, reader, &calls[i]), 0);
	for (int i = 0; i < 20; i++) {
		site_terms(&a, "a", "a", "a.example", i % 2 ? "more.example" : NULL);
		apply(&a.conf, i % 3 == 0 ? site_terms(&b, "b", "b", "b.example", NULL) : NULL);
		assert_int_equal(
		    run(sites_find("a.example"), i % 2 ? "plugin_enable" : "plugin_disable",
			"{\"id\": \"notes\"}"),
		    STET_OK);
	}
	atomic_store(&stop, true);
	for (int i = 0; i < 2; i++) {
		pthread_join(thread[i], NULL);
		assert_true(calls[i] > 0);
	}
}

int
main(void)
{
	char modules[1024], plugins[1024];
#define IN_A_BASE(test) cmocka_unit_test_setup_teardown(test, new_base, remove_base)
	const struct CMUnitTest tests[] = {
		IN_A_BASE(two_daemons_do_not_share_a_directory),
		IN_A_BASE(directories_are_made_for_the_daemon_alone),
		IN_A_BASE(a_directory_that_cannot_be_made_is_said_in_words),
		IN_A_BASE(one_daemon_does_not_open_a_directory_twice),
		IN_A_BASE(a_database_of_a_newer_module_takes_no_writes),
		IN_A_BASE(a_foreign_database_is_left_alone),
		IN_A_BASE(what_another_process_enables_is_there_after_a_hangup),
		IN_A_BASE(a_host_finds_its_site),
		IN_A_BASE(a_site_that_stays_is_not_opened_again),
		IN_A_BASE(a_site_that_goes_is_closed_with_its_last_call),
		IN_A_BASE(a_site_that_cannot_be_opened_has_no_generation_until_it_can),
		IN_A_BASE(requests_go_on_while_sites_and_modules_change),
		IN_A_BASE(bundled_modules_are_those_of_the_configuration),
	};

	log_open(
	    getenv("STET_TEST_LOG") != NULL ? getenv("STET_TEST_LOG") : "/dev/null", STET_DEBUG);
	db_global_init();
	if (sodium_init() < 0)
		return 1;
	snprintf(modules, sizeof(modules), "%s", harness_path("STET_BUILD", "modules/.libs"));
	snprintf(
	    plugins, sizeof(plugins), "%s", harness_path("STET_BUILD", "t/plugins/good/.libs"));
	modules_scan(modules, plugins);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
