/*
 * backupfull.c - backups on request while a disk is full: the error is described, no partial file
 * is left, earlier archives stay, and the site is served. The disks are small tmpfs that no other
 * process sees; without the right to mount one, the tests are skipped.
 */
#include "remote.h"
#include "tmpdisk.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mount.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#define DATA 64 /* megabytes: of these, 16 have to be free beside a copy of the database */
#define KEPT 2 /* megabytes */
#define LARGE ((size_t)4 << 20) /* bytes that cannot be compressed */

static struct daemon *d;
static struct remote r;
static char *token;

static int
start(void **state)
{
	char site[256], options[40];

	(void)state;
	daemon_modules = "modules/.libs";
	d = daemon_new(NULL, NULL);
	tmpdisk_mount(d, DATA);
	(void)snprintf(options, sizeof(options), "size=%dm,mode=700", KEPT);
	assert_int_equal(mkdir(daemon_path(d, "kept"), 0700), 0);
	assert_int_equal(mount("tmpfs", daemon_path(d, "kept"), "tmpfs", 0, options), 0);
	(void)snprintf(site, sizeof(site), "backup-dir = \"%s\"\n", daemon_path(d, "kept"));
	daemon_write_conf(d, NULL, site);
	free(COMMAND(d, "init"));
	token = remote_token(d, "admin", "admin");
	daemon_run(d, 0);
	remote_open(&r, d, token);
	return 0;
}

static int
stop(void **state)
{
	(void)state;
	remote_close(&r);
	daemon_signal(d, SIGTERM);
	assert_int_equal(daemon_ended(d), 0);
	assert_int_equal(umount(daemon_path(d, "kept")), 0);
	tmpdisk_unmount(d);
	daemon_stop(d);
	free(token);
	return 0;
}

/* Puts a file into the data directory that makes the archive larger than its disk. */
static void
make_large(void)
{
	unsigned char part[256];
	int fd;

	(void)mkdir(daemon_path(d, "data/large"), 0700);
	fd = open(daemon_path(d, "data/large/file"), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	assert_true(fd >= 0);
	for (size_t len = 0; len < LARGE; len += sizeof(part)) {
		assert_int_equal(getrandom(part, sizeof(part), 0), sizeof(part));
		assert_int_equal(write(fd, part, sizeof(part)), sizeof(part));
	}
	close(fd);
}

/* Requests a backup and waits until it ends. */
static json_t *
ask_for_one(void)
{
	json_decref(remote_must(&r, 200, "POST", NULL, "/admin/backups"));
	for (int tries = 0; tries < 20000; tries++) {
		json_t *data = remote_must(&r, 200, "GET", NULL, "/admin/backups");

		if (strcmp(json_string_value(json_object_get(data, "state")), "idle") == 0)
			return data;
		json_decref(data);
	}
	fail_msg("the backup does not end");
	return NULL;
}

static const char *
requested(const json_t *data, const char *name)
{
	return json_string_value(json_object_get(json_object_get(data, "requested"), name));
}

static size_t
archives(const json_t *data)
{
	return json_array_size(json_object_get(data, "archives"));
}

/* The number of files in the directory of the archives. */
static int
files(void)
{
	DIR *dir = opendir(daemon_path(d, "kept"));
	int n = 0;

	assert_non_null(dir);
	while (readdir(dir) != NULL)
		n++;
	closedir(dir);
	return n - 2; /* . and .. */
}

static void
assert_served(const char *slug)
{
	char body[80];

	(void)snprintf(body, sizeof(body), "{\"slug\":\"%s\",\"label\":\"%s\"}", slug, slug);
	json_decref(remote_must(&r, 201, "POST", body, "/schema/collections"));
}

static void
a_full_disk_of_archives_fails_the_backup_and_nothing_else(void **state)
{
	json_t *data = ask_for_one();

	(void)state;
	assert_int_equal(archives(data), 1);
	assert_null(requested(data, "error"));
	json_decref(data);
	make_large();
	data = ask_for_one();
	if (requested(data, "error") == NULL ||
	    strstr(requested(data, "error"), "No space left") == NULL)
		fail_msg("error: %s", requested(data, "error"));
	/* The earlier good backup is listed, and its file exists. */
	assert_non_null(requested(data, "madeAt"));
	assert_int_equal(archives(data), 1);
	assert_int_equal(files(), 1);
	json_decref(data);
	assert_served("one");
	assert_int_equal(unlink(daemon_path(d, "data/large/file")), 0);
	data = ask_for_one();
	assert_null(requested(data, "error"));
	assert_int_equal(archives(data), 2);
	json_decref(data);
}

static void
a_full_disk_of_data_refuses_or_fails_and_says_why(void **state)
{
	struct answer a;
	json_t *data;

	(void)state;
	/* There is room for the record of the request, but not for a copy of the database. */
	tmpdisk_fill(d, (size_t)8 << 20);
	data = ask_for_one();
	if (requested(data, "error") == NULL ||
	    strstr(requested(data, "error"), "has room for") == NULL)
		fail_msg("error: %s", requested(data, "error"));
	assert_int_equal(archives(data), 2);
	json_decref(data);
	/* There is no room for the record, so no backup is begun. */
	tmpdisk_fill(d, 4096);
	for (int i = 0; i < 100; i++) {
		remote_ask(&r, &a, "POST", NULL, "/admin/backups");
		if (a.status == 507)
			i = 100;
		else if (a.status != 200 && a.status != 409)
			fail_msg("%d %s", a.status, a.body);
		answer_free(&a);
	}
	data = remote_must(&r, 200, "GET", NULL, "/admin/backups");
	assert_int_equal(archives(data), 2);
	assert_non_null(requested(data, "error"));
	json_decref(data);
	tmpdisk_free(d);
	assert_served("two");
	data = ask_for_one();
	assert_null(requested(data, "error"));
	assert_int_equal(archives(data), 3);
	json_decref(data);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_full_disk_of_archives_fails_the_backup_and_nothing_else),
		cmocka_unit_test(a_full_disk_of_data_refuses_or_fails_and_says_why),
	};

	if (!tmpdisk_permitted()) {
		printf("1..0 # SKIP a file system of one's own needs the right to mount\n");
		return 0;
	}
	return cmocka_run_group_tests(tests, start, stop);
}
