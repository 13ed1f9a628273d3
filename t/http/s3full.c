/*
 * s3full.c - a site whose files are in a bucket and whose own disk is full: the cache removes files
 * to make room for requested ones, and an upload that has no room leaves nothing behind. Without
 * the right to mount a disk the tests are skipped.
 */
#include "bucketsite.h"
#include "tmpdisk.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SIZE ((size_t)1 << 20)
#define ITEMS 5
#define LEFT ((size_t)128 << 10) /* less than a file, but enough for the WAL of the database */

static char *bytes;
static char key[ITEMS][64];

/* The content of file n; files differ at their ends. */
static struct file
big(int n)
{
	memset(bytes, 'x', SIZE);
	memcpy(bytes, pixel, PIXEL_SIZE);
	(void)snprintf(bytes + SIZE - 16, 16, "file %d", n);
	return (struct file){ "a.png", "image/png", bytes, SIZE, NULL };
}

static int
start(void **state)
{
	(void)state;
	bytes = malloc(SIZE);
	assert_non_null(bytes);
	bucket_open(&bucket);
	daemon_modules = "modules/.libs";
	library.daemon = daemon_new(NULL, NULL);
	tmpdisk_mount(library.daemon, 32);
	bucketsite_write(library.daemon, "s3", "file-cache = \"16MiB\"\n");
	free(COMMAND(library.daemon, "init"));
	library.admin = remote_token(library.daemon, "admin", "admin");
	daemon_run(library.daemon, 0);
	remote_open(&library.by_admin, library.daemon, library.admin);
	return 0;
}

static int
stop(void **state)
{
	(void)state;
	remote_close(&library.by_admin);
	daemon_signal(library.daemon, SIGTERM);
	assert_int_equal(daemon_ended(library.daemon), 0);
	tmpdisk_unmount(library.daemon);
	daemon_stop(library.daemon);
	bucket_close(&bucket);
	free(library.admin);
	free(bytes);
	return 0;
}

/* Uploads the file. Returns the status, and its storage key. */
static int
put(int n, char out[64])
{
	const struct file file = big(n);
	struct answer a;
	int status;

	upload(library.daemon, &a, library.admin, &file);
	status = a.status;
	if (status == 201)
		(void)snprintf(out, 64, "%s", text_of(item_of(&a), "storageKey"));
	else
		assert_string_equal(answer_code(&a), "INSUFFICIENT_STORAGE");
	answer_free(&a);
	return status;
}

static int
get(int n)
{
	struct answer a;
	int status;

	remote_ask(&library.by_admin, &a, "GET", NULL, "/media/file/%s", key[n]);
	status = a.status;
	if (status == 200) {
		assert_int_equal(a.len, SIZE);
		(void)big(n);
		assert_memory_equal(a.body, bytes, SIZE);
	} else
		assert_string_equal(answer_code(&a), "INSUFFICIENT_STORAGE");
	answer_free(&a);
	return status;
}

static int
kept(void)
{
	DIR *dir = opendir(daemon_path(library.daemon, "data/file-cache"));
	int count = 0;

	assert_non_null(dir);
	for (const struct dirent *entry; (entry = readdir(dir)) != NULL;)
		count += entry->d_name[0] != '.';
	closedir(dir);
	return count;
}

static void
the_cache_gives_way_to_a_file_that_is_asked_for(void **state)
{
	char path[200];

	(void)state;
	for (int i = 0; i < ITEMS; i++)
		assert_int_equal(put(i, key[i]), 201);
	assert_int_equal(kept(), ITEMS);
	(void)snprintf(path, sizeof(path), "data/file-cache/media@%s", key[0]);
	assert_int_equal(unlink(daemon_path(library.daemon, path)), 0);
	tmpdisk_fill(library.daemon, LEFT);
	assert_int_equal(get(0), 200);
	assert_int_equal(kept(), 1);
	assert_int_equal(get(1), 200);
}

static void
an_upload_without_room_leaves_nothing(void **state)
{
	char none[64];

	(void)state;
	bucketsite_clear_cache(library.daemon);
	tmpdisk_fill(library.daemon, LEFT);
	assert_int_equal(put(ITEMS, none), 507);
	assert_int_equal(bucket_objects(&bucket), ITEMS);
	assert_int_equal(get(2), 507);
}

static void
all_is_well_when_there_is_room_again(void **state)
{
	char *said, more[64];

	(void)state;
	tmpdisk_free(library.daemon);
	for (int i = 0; i < ITEMS; i++)
		assert_int_equal(get(i), 200);
	assert_int_equal(put(ITEMS, more), 201);
	assert_int_equal(bucket_objects(&bucket), ITEMS + 1);
	said = COMMAND(library.daemon, "media", "verify");
	assert_non_null(strstr(said, "6 files, all as they should be"));
	free(said);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_cache_gives_way_to_a_file_that_is_asked_for),
		cmocka_unit_test(an_upload_without_room_leaves_nothing),
		cmocka_unit_test(all_is_well_when_there_is_room_again),
	};

	if (!tmpdisk_permitted()) {
		printf("1..0 # SKIP a file system of one's own needs the right to mount\n");
		return 0;
	}
	return cmocka_run_group_tests(tests, start, stop);
}
