/*
 * filedriver.t - checks what store.c expects of a driver, for `directory`, also with
 * files-directory on another file system, for `s3` with a bucket in this process, and for a driver
 * that keeps files in memory. The code above the drivers must not depend on which one is used.
 */
#include "files/filedriver.h"
#include "base/words.h"
#include "bucket.h"
#include "call/tempfile.h"
#include "conf/confdriver.h"
#include "elsewhere.h"
#include "files/filedir.h"
#include "files/storecheck.h"
#include "harness.h"
#include "op/part.h"
#include "store.h"
#include <stet/file.h>
#include <sys/mman.h>
#include <time.h>

/* ---- a driver that keeps files in memory ---- */

#define ROOM 1200

static struct {
	char *module, *key;
	int fd; /* a memfd; 0: the slot is free */
	int64_t put_at;
} kept[ROOM];

static int
find(const struct stet_file_place *p)
{
	for (int i = 0; i < ROOM; i++)
		if (kept[i].fd != 0 && strcmp(kept[i].module, p->module) == 0 &&
		    strcmp(kept[i].key, p->key) == 0)
			return i;
	return -1;
}

static bool
take(int i, const struct stet_file_place *p, const char *from)
{
	char piece[4096];
	int fd = open(from, O_RDONLY | O_CLOEXEC);
	ssize_t n;

	if (fd < 0)
		return false;
	kept[i].fd = memfd_create("kept", MFD_CLOEXEC);
	while ((n = read(fd, piece, sizeof(piece))) > 0)
		assert_int_equal(write(kept[i].fd, piece, (size_t)n), n);
	close(fd);
	kept[i].module = strdup(p->module);
	kept[i].key = strdup(p->key);
	kept[i].put_at = time(NULL);
	return unlink(from) == 0;
}

static enum stet_status
memory_put(struct stet_call *call, const struct stet_file_place *p, const char *from)
{
	int i = 0;

	if (find(p) >= 0)
		return stet_fail(call, STET_CONFLICT, NULL, "taken");
	while (kept[i].fd != 0)
		assert_true(++i < ROOM);
	return take(i, p, from) ? STET_OK : stet_file_failed(call, from);
}

static enum stet_status
memory_open(struct stet_call *call, const struct stet_file_place *p, int *fd)
{
	int i = find(p);
	char path[64];

	*fd = -1;
	if (i < 0)
		return stet_fail(call, STET_NOT_FOUND, NULL, "There is no such file");
	(void)snprintf(path, sizeof(path), "/proc/self/fd/%d", kept[i].fd);
	*fd = open(path, O_RDONLY | O_CLOEXEC);
	return *fd >= 0 ? STET_OK : stet_file_failed(call, path);
}

static bool
memory_remove(const struct stet_file_place *p, bool named)
{
	int i = find(p);

	(void)named;
	if (i < 0)
		return false;
	close(kept[i].fd);
	free(kept[i].module);
	free(kept[i].key);
	memset(&kept[i], 0, sizeof(kept[i]));
	return true;
}

struct memory_listing {
	int i;
	const struct stet_file_place *place;
	stet_file_seen *fn;
	void *arg;
};

static enum stet_status
memory_tell(struct stet_call *call, void *arg)
{
	struct memory_listing *l = arg;

	return l->fn(call, l->place, kept[l->i].put_at, l->arg);
}

static enum stet_status
memory_each(struct stet_call *call, const struct stet_conf *conf, const char *module,
    stet_file_seen *fn, void *arg)
{
	for (int i = 0; i < ROOM; i++) {
		const struct stet_file_place place = { conf, module, kept[i].key, NULL };
		struct memory_listing l = { i, &place, fn, arg };

		if (kept[i].fd != 0 && strcmp(kept[i].module, module) == 0)
			STET_TRY(stet_scope(call, memory_tell, &l));
	}
	return STET_OK;
}

static const struct stet_file_driver memory = { .name = "memory",
	.put = memory_put,
	.open = memory_open,
	.remove = memory_remove,
	.each = memory_each };

/* ---- the bucket of `s3` ---- */

static const struct stet_file_driver *s3; /* the driver of the module files-s3 */

static struct bucket bucket;
static char credentials[128];

static void
use_bucket(struct store *store)
{
	char text[600];
	FILE *f;

	bucket_open(&bucket);
	bucket.page = 300;
	(void)snprintf(credentials, sizeof(credentials), "%s/credentials", store->dir);
	f = fopen(credentials, "w");
	assert_non_null(f);
	(void)fprintf(f, "%s\n%s\n", BUCKET_ID, BUCKET_SECRET);
	(void)fclose(f);
	(void)chmod(credentials, 0600);
	(void)snprintf(text, sizeof(text),
	    "files = \"s3\"\ns3-endpoint = \"http://127.0.0.1:%d\"\ns3-bucket = \"" BUCKET_NAME
	    "\"\ns3-region = \"" BUCKET_REGION "\"\ns3-prefix = \"a/site\"\n"
	    "s3-credentials-file = \"%s\"\ns3-timeout = \"5s\"\n",
	    bucket.port, credentials);
	harness_files(&store->site.conf, NULL, text);
	s3 = filedriver_of(&store->site);
	store->site.conf.file_cache = 64 << 10;
}

static bool
make_object_old(const struct stet_file_place *p)
{
	char *key = words_format("a/site/%s/%s", p->module, p->key);
	struct bucket_object *o = bucket_find(&bucket, key);

	if (o != NULL)
		o->time -= 7200;
	free(key);
	return o != NULL;
}

/* Makes a file appear to have been stored two hours ago. */
static void
make_old(const struct stet_file_place *p)
{
	const struct timespec old[2] = { { .tv_sec = time(NULL) - 7200 },
		{ .tv_sec = time(NULL) - 7200 } };
	char *command;
	int i = find(p);

	if (i >= 0) {
		kept[i].put_at -= 7200;
		return;
	}
	if (bucket.port != 0 && make_object_old(p))
		return;
	/* The driver `directory`: there is one file of this name. */
	for (unsigned part = 0; part < 256; part++) {
		command = words_format("%s%s/%s/%02x/%s",
		    *elsewhere != '\0' ? elsewhere : conf_of(p->conf)->data,
		    *elsewhere != '\0' ? "" : "/files", p->module, part, p->key);
		i += utimensat(AT_FDCWD, command, old, 0) == 0;
		free(command);
	}
	assert_int_equal(i, 0);
}

/* ---- what each of them is asked ---- */

struct trial {
	struct store *store;
	const struct stet_file_driver *driver;
	struct stet_call *call;
	struct loaded owner;
};

static const struct stet_file_column columns[] = { { "f", "name", "size", "sha256" } };

/* driver NULL: `s3`. */
static struct trial *
begin(const struct stet_file_driver *driver)
{
	struct trial *t = xcalloc(1, sizeof(*t));

	t->store = store_new();
	t->store->site.conf.data = t->store->dir;
	t->store->site.conf.files_directory = *elsewhere != '\0' ? elsewhere : NULL;
	t->store->site.tmp_path = t->store->dir;
	t->store->site.files = driver == &filedir_driver ? NULL : driver;
	if (driver == NULL)
		use_bucket(t->store);
	t->driver = driver != NULL ? driver : s3;
	t->owner.m.name = "media";
	t->owner.m.files = (struct stet_table){ columns, 1, sizeof(columns[0]) };
	store_sql(
	    t->store, "CREATE TABLE f (name TEXT NOT NULL PRIMARY KEY, size INTEGER, sha256 TEXT)");
	t->call = store_call(t->store);
	t->call->owner = &t->owner;
	/* Writes of this test are not reported to anybody. */
	op_part(t->call)->told = true;
	return t;
}

static void
end(struct trial *t)
{
	store_end(t->call);
	if (t->driver == s3) {
		confdriver_free(&t->store->site.conf);
		free(t->store->site.conf.files);
	}
	store_free(t->store);
	if (t->driver == s3) {
		assert_int_equal(bucket_count(&bucket, &bucket.refused), 0);
		bucket_close(&bucket);
	}
	for (int i = 0; i < ROOM; i++)
		if (kept[i].fd != 0)
			memory_remove(
			    &(struct stet_file_place){ NULL, kept[i].module, kept[i].key, NULL },
			    false);
	free(t);
}

static struct stet_file_place
at(const struct trial *t, const char *module, const char *key)
{
	return (struct stet_file_place){ conf_public(&t->store->site.conf), module, key, NULL };
}

/* Returns the path of a temporary file with this text, as an upload makes it; static buffer. */
static const char *
upload(const struct trial *t, const char *text)
{
	static char path[160];
	int fd;

	(void)snprintf(path, sizeof(path), "%s/upload-XXXXXX", t->store->dir);
	fd = mkstemp(path);
	assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	close(fd);
	return path;
}

static enum stet_status
put(struct trial *t, const char *module, const char *key, const char *text)
{
	const struct stet_file_place place = at(t, module, key);

	stet_error_clear(t->call);
	return filedriver_put(t->driver, t->call, &place, upload(t, text));
}

/* Returns the bytes of a file from an offset on; "-": it does not exist. Static buffer. */
static const char *
bytes(struct trial *t, const char *module, const char *key, off_t from)
{
	const struct stet_file_place place = at(t, module, key);
	static char text[64];
	enum stet_status status;
	ssize_t n;
	int fd;

	stet_error_clear(t->call);
	status = filedriver_open(t->driver, t->call, &place, &fd);
	if (status == STET_NOT_FOUND) {
		assert_int_equal(fd, -1);
		return "-";
	}
	assert_int_equal(status, STET_OK);
	n = pread(fd, text, sizeof(text) - 1, from);
	assert_true(n >= 0);
	text[n] = '\0';
	close(fd);
	return text;
}

static void
what_is_put_is_had_again(struct trial *t)
{
	assert_string_equal(bytes(t, "media", "a.jpg", 0), "-");
	assert_int_equal(put(t, "media", "a.jpg", "0123456"), STET_OK);
	assert_string_equal(bytes(t, "media", "a.jpg", 0), "0123456");
	assert_string_equal(bytes(t, "media", "a.jpg", 3), "3456");
	assert_string_equal(bytes(t, "media", "a.jpg", 100), "");
	assert_int_equal(put(t, "media", "empty", ""), STET_OK);
	assert_string_equal(bytes(t, "media", "empty", 0), "");
}

static void
the_temporary_file_is_the_drivers(struct trial *t)
{
	const struct stet_file_place place = at(t, "media", "a");
	const char *from = upload(t, "x");

	assert_int_equal(filedriver_put(t->driver, t->call, &place, from), STET_OK);
	assert_int_equal(access(from, F_OK), -1);
}

static void
a_place_that_is_taken_keeps_its_file(struct trial *t)
{
	assert_int_equal(put(t, "media", "a", "first"), STET_OK);
	assert_int_equal(put(t, "media", "a", "second"), STET_CONFLICT);
	assert_string_equal(bytes(t, "media", "a", 0), "first");
}

static void
modules_have_places_of_their_own(struct trial *t)
{
	assert_int_equal(put(t, "media", "a", "one"), STET_OK);
	assert_int_equal(put(t, "downloads", "a", "two"), STET_OK);
	assert_string_equal(bytes(t, "media", "a", 0), "one");
	assert_string_equal(bytes(t, "downloads", "a", 0), "two");
	assert_string_equal(bytes(t, "other", "a", 0), "-");
}

static void
what_is_removed_is_gone_and_read_to_its_end(struct trial *t)
{
	const struct stet_file_place a = at(t, "media", "a"), b = at(t, "media", "b");
	char text[8];
	int fd;

	assert_int_equal(put(t, "media", "a", "one"), STET_OK);
	assert_int_equal(put(t, "media", "b", "two"), STET_OK);
	assert_int_equal(filedriver_open(t->driver, t->call, &a, &fd), STET_OK);
	assert_true(filedriver_remove(t->driver, &a, true));
	assert_false(filedriver_remove(t->driver, &a, true));
	assert_true(filedriver_remove(t->driver, &b, false));
	assert_false(filedriver_remove(t->driver, &b, false));
	assert_string_equal(bytes(t, "media", "a", 0), "-");
	assert_int_equal(read(fd, text, sizeof(text)), 3);
	assert_memory_equal(text, "one", 3);
	close(fd);
	assert_int_equal(put(t, "media", "a", "again"), STET_OK);
}

struct seen {
	struct trial *trial;
	int count, stop_at;
	bool named[1000], removes;
};

static enum stet_status
see(struct stet_call *call, const struct stet_file_place *place, int64_t put_at, void *arg)
{
	struct seen *s = arg;
	long n = strtol(place->key + 1, NULL, 10);

	/* Modification times may be a clock tick ahead of time(). */
	assert_true(put_at <= time(NULL) + 1 && put_at > time(NULL) - 600);
	assert_string_equal(place->module, "media");
	assert_in_range(n, 0, 999);
	assert_false(s->named[n]);
	s->named[n] = true;
	if (s->removes)
		assert_true(filedriver_remove(s->trial->driver, place, true));
	if (++s->count == s->stop_at)
		return stet_fail(call, STET_CONFLICT, NULL, "enough");
	return STET_OK;
}

static void
a_listing_tells_each_file_once_and_may_remove_it(struct trial *t)
{
	struct seen all = { .trial = t }, some = { .trial = t, .stop_at = 7 },
		    gone = { .trial = t, .removes = true }, none = { .trial = t };
	char key[16];

	for (int i = 0; i < 1000; i++) {
		(void)snprintf(key, sizeof(key), "k%d", i);
		assert_int_equal(put(t, "media", key, "x"), STET_OK);
	}
	assert_int_equal(put(t, "downloads", "other", "x"), STET_OK);
	assert_int_equal(
	    t->driver->each(t->call, conf_public(&t->store->site.conf), "media", see, &all),
	    STET_OK);
	assert_int_equal(all.count, 1000);
	assert_int_equal(
	    t->driver->each(t->call, conf_public(&t->store->site.conf), "media", see, &some),
	    STET_CONFLICT);
	assert_int_equal(some.count, 7);
	stet_error_clear(t->call);
	assert_int_equal(
	    t->driver->each(t->call, conf_public(&t->store->site.conf), "media", see, &gone),
	    STET_OK);
	assert_int_equal(gone.count, 1000);
	assert_int_equal(
	    t->driver->each(t->call, conf_public(&t->store->site.conf), "media", see, &none),
	    STET_OK);
	assert_int_equal(none.count, 0);
	assert_int_equal(
	    t->driver->each(t->call, conf_public(&t->store->site.conf), "nobody", see, &none),
	    STET_OK);
}

static void
what_is_not_there_to_be_put_is_a_fault_and_nothing_is_kept(struct trial *t)
{
	const struct stet_file_place place = at(t, "media", "a");

	assert_int_equal(filedriver_put(t->driver, t->call, &place, "/nowhere/at/all"), STET_FAULT);
	assert_string_equal(bytes(t, "media", "a", 0), "-");
}

/* ---- what is made of it ---- */

static enum stet_status
make_row(struct stet_call *call, struct stet_tx *tx, void *key)
{
	return stet_exec(
	    call, tx, "INSERT INTO f (name, size) VALUES (?1, 3)", STET_ARGS((const char *)key));
}

static enum stet_status
refuse_row(struct stet_call *call, struct stet_tx *tx, void *key)
{
	(void)tx;
	(void)key;
	return stet_fail(call, STET_VALIDATION_ERROR, NULL, "no");
}

static enum stet_status
forget_row(struct stet_call *call, struct stet_tx *tx, void *key)
{
	static struct loaded owner = { .m.name = "media" };

	call->owner = &owner;
	stet_file_forget(call, tx, key);
	return stet_exec(call, tx, "DELETE FROM f WHERE name = ?1", STET_ARGS((const char *)key));
}

static enum stet_status
keep(struct trial *t, const char *key, store_fn *fn)
{
	struct stet_part part = { .path = upload(t, "one"), .size = 3 };

	stet_error_clear(t->call);
	return stet_file_keep(t->call, &part, key, fn, (void *)(uintptr_t)key);
}

static void
a_file_is_kept_with_its_row_or_not_at_all(struct trial *t)
{
	int fd;

	assert_int_equal(keep(t, "a", make_row), STET_OK);
	assert_string_equal(bytes(t, "media", "a", 0), "one");
	assert_int_equal(keep(t, "b", refuse_row), STET_VALIDATION_ERROR);
	assert_string_equal(bytes(t, "media", "b", 0), "-");
	stet_error_clear(t->call);
	assert_int_equal(stet_file_open(t->call, "a", &fd), STET_OK);
	close(fd);
	assert_int_equal(store_write(t->store, forget_row, (void *)(uintptr_t) "a"), STET_OK);
	assert_string_equal(bytes(t, "media", "a", 0), "-");
}

static void
a_copy_is_made_once(struct trial *t)
{
	int same = open(upload(t, "one"), O_RDONLY), other = open(upload(t, "two"), O_RDONLY);
	bool is_new;

	assert_int_equal(stet_file_copy(t->call, "media", "a", same, &is_new), STET_OK);
	assert_true(is_new);
	assert_int_equal(stet_file_copy(t->call, "media", "a", same, &is_new), STET_OK);
	assert_false(is_new);
	assert_int_equal(stet_file_copy(t->call, "media", "a", other, &is_new), STET_CONFLICT);
	assert_string_equal(bytes(t, "media", "a", 0), "one");
	close(same);
	close(other);
}

static void
files_and_rows_are_held_against_each_other(struct trial *t)
{
	const struct stet_file_place stray = at(t, "media", "stray"),
				     named = at(t, "media", "named");
	json_t *problems = json_array(), *notes = json_array();
	int64_t gone;

	assert_int_equal(keep(t, "named", make_row), STET_OK);
	assert_int_equal(put(t, "media", "stray", "x"), STET_OK);
	assert_int_equal(put(t, "media", "young", "x"), STET_OK);
	make_old(&stray);
	make_old(&named);
	store_sql(t->store, "INSERT INTO f (name) VALUES ('lost')");
	assert_int_equal(storecheck_verify(t->call, problems, notes), STET_OK);
	assert_int_equal(json_array_size(problems), 1);
	assert_non_null(strstr(json_string_value(json_array_get(problems, 0)), "lost"));
	assert_int_equal(json_array_size(notes), 1);
	assert_non_null(strstr(json_string_value(json_array_get(notes, 0)), "stray"));
	assert_int_equal(stet_file_sweep(t->call, &gone), STET_OK);
	assert_int_equal(gone, 1);
	assert_string_equal(bytes(t, "media", "stray", 0), "-");
	assert_string_equal(bytes(t, "media", "young", 0), "x");
	assert_string_equal(bytes(t, "media", "named", 0), "one");
	json_decref(problems);
	json_decref(notes);
}

/* ---- for every driver ---- */

static void
run(const struct stet_file_driver *driver, void (*test)(struct trial *))
{
	struct trial *t = begin(driver);

	assert_ptr_equal(filedriver_of(&t->store->site), t->driver);
	test(t);
	end(t);
}

static void
ask_all(void **state)
{
	void (*const *test)(struct trial *) = *state;

	run(&filedir_driver, *test);
	elsewhere_go();
	run(&filedir_driver, *test);
	elsewhere_end();
	run(&memory, *test);
	run(NULL, *test);
}

#define TEST(name) static void (*const name##_)(struct trial *) = name
TEST(what_is_put_is_had_again);
TEST(the_temporary_file_is_the_drivers);
TEST(a_place_that_is_taken_keeps_its_file);
TEST(modules_have_places_of_their_own);
TEST(what_is_removed_is_gone_and_read_to_its_end);
TEST(a_listing_tells_each_file_once_and_may_remove_it);
TEST(what_is_not_there_to_be_put_is_a_fault_and_nothing_is_kept);
TEST(a_file_is_kept_with_its_row_or_not_at_all);
TEST(a_copy_is_made_once);
TEST(files_and_rows_are_held_against_each_other);

#define ASK(name)                                                       \
	{                                                               \
#name, ask_all, NULL, NULL, (void *)(uintptr_t)&name##_ \
	}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		ASK(what_is_put_is_had_again),
		ASK(the_temporary_file_is_the_drivers),
		ASK(a_place_that_is_taken_keeps_its_file),
		ASK(modules_have_places_of_their_own),
		ASK(what_is_removed_is_gone_and_read_to_its_end),
		ASK(a_listing_tells_each_file_once_and_may_remove_it),
		ASK(what_is_not_there_to_be_put_is_a_fault_and_nothing_is_kept),
		ASK(a_file_is_kept_with_its_row_or_not_at_all),
		ASK(a_copy_is_made_once),
		ASK(files_and_rows_are_held_against_each_other),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
