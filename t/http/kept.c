/* kept.c - files that a module stores, across kills, backups, exports and deletions; with the
 * example module downloads. */
#include "remote.h"

#include <dirent.h>
#include <fcntl.h>
#include <glob.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define BASE API "/plugins/downloads"
#define SIZE 200000

static struct daemon *d;
static struct remote r;
static char *token;
static const char *files = "data/files"; /* in the daemon's directory */

static int
start(void **state)
{
	(void)state;
	d = remote_new(NULL, NULL);
	remote_plugin(d, "plugin-sdk/examples/downloads/.libs/downloads.so", "downloads.so", 0644);
	free(COMMAND(d, "module", "enable", "downloads"));
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
	free(token);
	daemon_stop(d);
	return 0;
}

/* ---- uploads ---- */

#define HEAD                                                      \
	"--xx\r\nContent-Disposition: form-data; name=\"file\"; " \
	"filename=\"a.bin\"\r\nContent-Type: application/zip\r\n\r\n"
#define TAIL "\r\n--xx--\r\n"

/* Sends the head of a request and so many bytes of a file of SIZE. */
static void
begin(struct client *c, char fill, size_t bytes)
{
	static char piece[SIZE];

	client_say(c,
	    "POST " BASE "/files HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\n"
	    "X-CMS-Request: 1\r\nContent-Type: multipart/form-data; boundary=xx\r\n"
	    "Content-Length: %zu\r\n\r\n" HEAD,
	    token, strlen(HEAD) + SIZE + strlen(TAIL));
	memset(piece, fill, sizeof(piece));
	client_send(c, piece, bytes);
}

/* Uploads a file of one repeated letter; returns its id. */
static char *
upload(char fill)
{
	struct answer a;
	char *id;

	begin(&r.client, fill, SIZE);
	client_say(&r.client, TAIL);
	client_answer(&r.client, &a, false);
	assert_int_equal(a.status, 200);
	id = strdup(json_string_value(
	    json_object_get(json_object_get(json_object_get(a.json, "data"), "file"), "id")));
	answer_free(&a);
	return id;
}

static int
status_of(const char *id, char fill)
{
	char path[200];
	struct answer a;
	int status;

	(void)snprintf(path, sizeof(path), BASE "/get/%s", id);
	ask(d, &a, "GET", path);
	status = a.status;
	if (status == 200) {
		assert_int_equal(a.len, SIZE);
		for (size_t i = 0; i < SIZE; i++)
			assert_int_equal(a.body[i], fill);
	}
	answer_free(&a);
	return status;
}

static void delete (const char *id)
{
	json_decref(remote_must(&r, 200, "DELETE", NULL, "/plugins/downloads/files/%s", id));
}

static void
again(void)
{
	daemon_run(d, 0);
	remote_open(&r, d, token);
}

static void
expect_sound(void)
{
	char *said = COMMAND(d, "verify");

	assert_non_null(strstr(said, "files                ok"));
	free(said);
}

/* Returns the path of a stored file. */
static const char *
path_of(const char *id)
{
	static char path[400];
	char pattern[300];
	glob_t found;

	(void)snprintf(pattern, sizeof(pattern), "%s/%s/downloads/*/%s", d->dir, files, id);
	assert_int_equal(glob(pattern, 0, NULL, &found), 0);
	(void)snprintf(path, sizeof(path), "%s", found.gl_pathv[0]);
	globfree(&found);
	return path;
}

/* A file is removed after the commit that forgets it, in the slow lane. */
static void
wait_for_end(const char *path)
{
	for (int ms = 0; access(path, F_OK) == 0; ms += 10) {
		assert_true(ms < WAIT_MS);
		assert_int_equal(poll(NULL, 0, 10), 0);
	}
}

/* ---- tests ---- */

/* Waits until the daemon writes an upload to a file. */
static void
wait_for_upload(void)
{
	const struct dirent *entry;
	bool found = false;

	for (int ms = 0; !found; ms += 10) {
		DIR *dir = opendir(daemon_path(d, "data/tmp"));

		assert_non_null(dir);
		while ((entry = readdir(dir)) != NULL)
			found |= strncmp(entry->d_name, "upload-", 7) == 0;
		closedir(dir);
		assert_true(ms < WAIT_MS);
		assert_int_equal(poll(NULL, 0, 10), 0);
	}
}

static void
what_was_acknowledged_outlives_a_kill(void **state)
{
	char *id = upload('a'), *other;
	struct client c;
	json_t *data;

	(void)state;
	client_open(&c, d, false);
	begin(&c, 'b', SIZE / 2);
	wait_for_upload();
	other = upload('c');
	daemon_signal(d, SIGKILL);
	assert_int_equal(daemon_ended(d), 128 + SIGKILL);
	client_close(&c);
	remote_close(&r);
	again();
	(void)daemon_said(d, 0, "files of interrupted uploads and backups are removed");
	assert_int_equal(status_of(id, 'a'), 200);
	assert_int_equal(status_of(other, 'c'), 200);
	data = remote_must(&r, 200, "GET", NULL, "/plugins/downloads/files");
	assert_int_equal(json_array_size(json_object_get(data, "items")), 2);
	json_decref(data);
	expect_sound();
	free(other);
	free(id);
}

static void
a_deleted_file_is_gone(void **state)
{
	char *id = upload('d'), path[400];

	(void)state;
	(void)snprintf(path, sizeof(path), "%s", path_of(id));
	delete (id);
	assert_int_equal(status_of(id, 'd'), 404);
	wait_for_end(path);
	free(id);
}

static void
verify_reads_every_byte(void **state)
{
	char *id = upload('e'), text[200];
	struct command c;
	int fd;

	(void)state;
	fd = open(path_of(id), O_WRONLY | O_CLOEXEC);
	assert_true(fd >= 0);
	assert_int_equal(pwrite(fd, "E", 1, SIZE - 1), 1);
	command_run(d, &c, (const char *const[]){ "verify", NULL });
	assert_int_equal(c.status, 1);
	(void)snprintf(text, sizeof(text), "file %s of downloads is not what it was", id);
	assert_non_null(strstr(c.out, text));
	command_free(&c);
	assert_int_equal(pwrite(fd, "e", 1, SIZE - 1), 1);
	close(fd);
	expect_sound();
	free(id);
}

static void
an_export_brings_them_along(void **state)
{
	char *id = upload('f'), file[400], kept[400], *said;
	const char *tree = daemon_path(d, "tree");
	struct command c;

	(void)state;
	free(COMMAND(d, "export", tree));
	free(COMMAND(d, "export", tree)); /* the export replaces an earlier one */
	(void)snprintf(file, sizeof(file), "%s/files/downloads/%s", tree, id);
	assert_int_equal(access(file, F_OK), 0);
	said = COMMAND(d, "import", "site", tree, "--dry-run");
	assert_non_null(strstr(said, "files                        0 created"));
	free(said);
	delete (id);
	assert_int_equal(status_of(id, 'f'), 404);
	said = COMMAND(d, "import", "site", tree);
	assert_non_null(strstr(said, "downloads                    1 created"));
	free(said);
	assert_int_equal(status_of(id, 'f'), 200);
	expect_sound();
	/* If a file is missing in the tree, import creates no row for it. */
	delete (id);
	wait_for_end(kept);
	assert_int_equal(unlink(file), 0);
	command_run(d, &c, (const char *const[]){ "import", "site", tree, NULL });
	assert_int_equal(c.status, 1);
	assert_non_null(strstr(c.err, "neither here nor in the export"));
	command_free(&c);
	assert_int_equal(status_of(id, 'f'), 404);
	free(id);
}

static void
a_mirror_removes_the_files_of_rows_that_go(void **state)
{
	char *stays = upload('p'), *goes, path[400], *said;
	const char *tree = daemon_path(d, "mirror");

	(void)state;
	free(COMMAND(d, "export", tree));
	goes = upload('q');
	(void)snprintf(path, sizeof(path), "%s", path_of(goes));
	said = COMMAND(d, "import", "site", tree);
	assert_non_null(strstr(said, "files                        0 created, 0 deleted"));
	free(said);
	said = COMMAND(d, "import", "site", tree, "--delete", "--dry-run");
	assert_non_null(strstr(said, "files                        0 created, 1 deleted"));
	free(said);
	assert_int_equal(status_of(goes, 'q'), 200);
	free(COMMAND(d, "import", "site", tree, "--delete"));
	assert_int_equal(access(path, F_OK), -1);
	assert_int_equal(status_of(goes, 'q'), 404);
	assert_int_equal(status_of(stays, 'p'), 200);
	expect_sound();
	free(stays);
	free(goes);
}

static void
an_import_replaces_no_file(void **state)
{
	char *id = upload('g'), file[400];
	const char *tree = daemon_path(d, "changed");
	struct command c;
	FILE *f;

	(void)state;
	free(COMMAND(d, "export", tree));
	(void)snprintf(file, sizeof(file), "%s/files/downloads/%s", tree, id);
	f = fopen(file, "w");
	assert_true(f != NULL && fputs("other", f) >= 0 && fclose(f) == 0);
	command_run(d, &c, (const char *const[]){ "import", "site", tree, NULL });
	assert_int_equal(c.status, 1);
	assert_non_null(strstr(c.err, "Another file is kept"));
	command_free(&c);
	assert_int_equal(unlink(file), 0);
	/* Invalid keys, and files of unknown modules, are refused. */
	(void)snprintf(file, sizeof(file), "%s/files/downloads/a b", tree);
	f = fopen(file, "w");
	assert_true(f != NULL && fclose(f) == 0);
	command_run(d, &c, (const char *const[]){ "import", "site", tree, NULL });
	assert_int_equal(c.status, 1);
	assert_non_null(strstr(c.err, "no module that is enabled here takes it"));
	command_free(&c);
	assert_int_equal(status_of(id, 'g'), 200);
	free(id);
}

static void
restore(const char *file)
{
	remote_close(&r);
	daemon_signal(d, SIGTERM);
	assert_int_equal(daemon_ended(d), 0);
	free(COMMAND(d, "restore", file, "--force", "--yes"));
	again();
}

static void
a_backup_holds_them(void **state)
{
	char *id = upload('h');
	const char *file = daemon_path(d, "site.backup");

	(void)state;
	free(COMMAND(d, "backup", file));
	delete (id);
	restore(file);
	assert_int_equal(status_of(id, 'h'), 200);
	expect_sound();
	free(id);
}

/* When the first bytes of the archive arrive, the backup has its rows; it reads the files only as
 * the client reads on. */
static void
what_goes_during_a_backup_is_in_it(void **state)
{
	char *id = upload('i'), *other, block[65536];
	const char *file = daemon_path(d, "slow.backup");
	int to = open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600), from[2], status;
	ssize_t n;
	pid_t pid;

	(void)state;
	assert_true(to >= 0);
	assert_int_equal(pipe2(from, O_CLOEXEC), 0);
	pid = command_start(d, from[1], STDERR_FILENO,
	    (const char *const[]){ "backup", "-", "--uncompressed", NULL });
	close(from[1]);
	n = read(from[0], block, 512);
	assert_true(n > 0);
	delete (id);
	assert_int_equal(status_of(id, 'i'), 404);
	other = upload('j');
	do
		assert_int_equal(write(to, block, (size_t)n), n);
	while ((n = read(from[0], block, sizeof(block))) > 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	close(from[0]);
	close(to);
	restore(file);
	assert_int_equal(status_of(id, 'i'), 200);
	assert_int_equal(status_of(other, 'j'), 404);
	expect_sound();
	free(id);
	free(other);
}

/* As stet.conf(5) says: the daemon is stopped, its files are moved. */
static void
they_may_be_in_a_directory_elsewhere(void **state)
{
	char *before = upload('k'), *id, keys[200], path[400], *said;
	struct command c;

	(void)state;
	(void)snprintf(keys, sizeof(keys), " files-directory = \"%s\"\n", daemon_path(d, "shared"));
	remote_close(&r);
	daemon_signal(d, SIGTERM);
	assert_int_equal(daemon_ended(d), 0);
	assert_int_equal(rename(daemon_path(d, "data/files"), daemon_path(d, "shared")), 0);
	daemon_write_conf(d, NULL, keys);
	files = "shared";
	again();
	assert_int_equal(status_of(before, 'k'), 200);
	id = upload('l');
	assert_int_equal(status_of(id, 'l'), 200);
	(void)snprintf(path, sizeof(path), "%s", path_of(id));
	assert_int_equal(access(daemon_path(d, "data/files"), F_OK), -1);
	expect_sound();
	said = COMMAND(d, "backup", daemon_path(d, "elsewhere.backup"));
	assert_non_null(strstr(said, "files          0\n"));
	free(said);
	delete (id);
	wait_for_end(path);
	/* Not mounted: nothing is stored in place of it, and it is served again when it is back. */
	assert_int_equal(rename(daemon_path(d, "shared"), daemon_path(d, "away")), 0);
	assert_int_equal(status_of(before, 'k'), 404);
	command_run(d, &c, (const char *const[]){ "verify", NULL });
	assert_int_equal(c.status, 1);
	command_free(&c);
	assert_int_equal(access(daemon_path(d, "shared"), F_OK), -1);
	assert_int_equal(rename(daemon_path(d, "away"), daemon_path(d, "shared")), 0);
	assert_int_equal(status_of(before, 'k'), 200);
	free(before);
	free(id);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_acknowledged_outlives_a_kill),
		cmocka_unit_test(a_deleted_file_is_gone),
		cmocka_unit_test(verify_reads_every_byte),
		cmocka_unit_test(an_export_brings_them_along),
		cmocka_unit_test(a_mirror_removes_the_files_of_rows_that_go),
		cmocka_unit_test(an_import_replaces_no_file),
		cmocka_unit_test(a_backup_holds_them),
		cmocka_unit_test(what_goes_during_a_backup_is_in_it),
		cmocka_unit_test(they_may_be_in_a_directory_elsewhere),
	};

	(void)signal(SIGPIPE, SIG_IGN);
	return cmocka_run_group_tests(tests, start, stop);
}
