/* filedir.c - the driver `directory` with files-directory: what only concerns directories. */
#include "files/filedir.h"
#include "base/words.h"
#include "elsewhere.h"
#include "files/storecheck.h"
#include "store.h"
#include <stet/file.h>
#include <time.h>

struct trial {
	struct store *store;
	struct stet_call *call;
	struct loaded owner;
};

static void
begin(struct trial *t)
{
	static const struct stet_file_column columns[] = { { "f", "name", "size", "sha256" } };

	elsewhere_go();
	memset(t, 0, sizeof(*t));
	t->store = store_new();
	t->store->site.conf.data = t->store->dir;
	t->store->site.conf.files_directory = elsewhere;
	t->owner.m.name = "media";
	t->owner.m.files = (struct stet_table){ columns, 1, sizeof(columns[0]) };
	store_sql(t->store, "CREATE TABLE f (name TEXT PRIMARY KEY, size INTEGER, sha256 TEXT)");
	t->call = store_call(t->store);
	t->call->owner = &t->owner;
}

static void
end(struct trial *t)
{
	store_end(t->call);
	store_free(t->store);
	elsewhere_end();
}

/* A file system that is not mounted must not be replaced by a directory of the same name. */
static void
a_files_directory_that_is_not_there_is_not_made(void **state)
{
	struct trial t;
	struct stet_file_place p;
	char *from;

	(void)state;
	begin(&t);
	p = (struct stet_file_place){ conf_public(&t.store->site.conf), "media", "a-key", NULL };
	from = words_format("%s/upload", t.store->dir);
	close(open(from, O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
	assert_int_equal(rmdir(elsewhere), 0);
	assert_int_equal(filedir_driver.put(t.call, &p, from), STET_FAULT);
	assert_int_equal(access(elsewhere, F_OK), -1);
	assert_int_equal(access(from, F_OK), 0);
	free(from);
	end(&t);
}

static void
copies_that_a_killed_daemon_left_are_removed_after_a_day(void **state)
{
	const struct timespec old[2] = { { .tv_sec = time(NULL) - 90000 },
		{ .tv_sec = time(NULL) - 90000 } };
	char *name[4];
	struct trial t;
	int64_t gone;

	(void)state;
	begin(&t);
	name[0] = words_format("%s/media", elsewhere);
	name[1] = words_format("%s/07", name[0]);
	name[2] = words_format("%s/.part-old", name[1]);
	name[3] = words_format("%s/.part-new", name[1]);
	for (int i = 0; i < 2; i++)
		assert_int_equal(mkdir(name[i], 0700), 0);
	for (int i = 2; i < 4; i++)
		close(open(name[i], O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
	assert_int_equal(utimensat(AT_FDCWD, name[2], old, 0), 0);
	assert_int_equal(storecheck_sweep(t.call, &filedir_driver, &gone), STET_OK);
	assert_int_equal(gone, 0);
	assert_int_equal(access(name[2], F_OK), -1);
	assert_int_equal(access(name[3], F_OK), 0);
	for (int i = 0; i < 4; i++)
		free(name[i]);
	end(&t);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_files_directory_that_is_not_there_is_not_made),
		cmocka_unit_test(copies_that_a_killed_daemon_left_are_removed_after_a_day),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
