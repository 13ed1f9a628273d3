/*
 * mediamove.c - `stet media move`: files move to a bucket and back, with a running daemon or
 * without, and nothing is lost when a move is killed.
 *
 * MOVE_KILLS is the number of kills (12), MOVE_SEED chooses their times.
 */
#include "bucketsite.h"

#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define ITEMS 12

static struct {
	char key[64], tail[32];
} item[ITEMS];
static int items;
static bool runs;

static void
begin(void)
{
	daemon_run(library.daemon, 0);
	remote_open(&library.by_admin, library.daemon, library.admin);
	runs = true;
}

static void
end(void)
{
	if (!runs)
		return;
	remote_close(&library.by_admin);
	daemon_signal(library.daemon, SIGTERM);
	assert_int_equal(daemon_ended(library.daemon), 0);
	runs = false;
}

static void
add(void)
{
	assert_true(items < ITEMS);
	(void)snprintf(item[items].tail, sizeof(item[0].tail), "file %d", items);
	(void)snprintf(item[items].key, sizeof(item[0].key), "%s",
	    bucketsite_key(make(library.daemon, library.admin, item[items].tail)));
	items++;
}

static int
start(void **state)
{
	(void)state;
	bucket_open(&bucket);
	library.daemon = remote_new(NULL, NULL);
	library.admin = remote_token(library.daemon, "admin", "admin");
	bucketsite_write(library.daemon, "directory", "");
	begin();
	while (items < ITEMS - 3)
		add();
	return 0;
}

static int
stop(void **state)
{
	(void)state;
	end();
	free(library.admin);
	daemon_stop(library.daemon);
	assert_int_equal(bucket_count(&bucket, &bucket.refused), 0);
	bucket_close(&bucket);
	return 0;
}

/* Runs the command; its exit status and output must be these. */
static void
must_move(const char *to, int status, const char *words)
{
	struct command c;

	command_run(library.daemon, &c, (const char *const[]){ "media", "move", "--to", to, NULL });
	if (c.status != status || strstr(c.out, words) == NULL)
		fail_msg("move to %s: exit %d, %s\n%s", to, c.status, c.out, c.err);
	command_free(&c);
}

static void
all_are_served(void)
{
	struct answer a;

	bucketsite_clear_cache(library.daemon);
	for (int i = 0; i < items; i++) {
		size_t len = strlen(item[i].tail);

		remote_ask(&library.by_admin, &a, "GET", NULL, "/media/file/%s", item[i].key);
		assert_int_equal(a.status, 200);
		assert_memory_equal(a.body + a.len - len, item[i].tail, len);
		answer_free(&a);
	}
	free(COMMAND(library.daemon, "media", "verify"));
}

static int found;
static char last[300];

static int
see(const char *path, const struct stat *st, int kind, struct FTW *at)
{
	(void)st;
	(void)at;
	if (kind == FTW_F) {
		found++;
		(void)snprintf(last, sizeof(last), "%s", path);
	}
	return 0;
}

/* Returns how many files the data directory has; `last` gets one of them. */
static int
here(void)
{
	found = 0;
	(void)nftw(daemon_path(library.daemon, "data/files"), see, 8, FTW_PHYS);
	return found;
}

static void
files_go_to_the_bucket_while_the_daemon_runs(void **state)
{
	(void)state;
	must_move("s3", 0, "9 of them copied now");
	must_move("s3", 0, "The originals stay: the site keeps its files in \"directory\"");
	assert_int_equal(bucket_objects(&bucket), 9);
	assert_int_equal(here(), 9);
	add(); /* stored in the directory, which the site still uses */
	bucketsite_write(library.daemon, "s3", "");
	daemon_reload(library.daemon);
	add();
	must_move("s3", 0, "11 files are in \"s3\", 1 of them copied now");
	must_move("s3", 0, "is in use by the daemon");
	assert_int_equal(here(), 10);
	all_are_served();
	end();
	must_move("s3", 0, "10 originals are removed");
	assert_int_equal(here(), 0);
	begin();
	all_are_served();
}

static void
a_bucket_that_fails_ends_a_move_that_can_go_on(void **state)
{
	struct command c;

	(void)state;
	end();
	bucketsite_write(library.daemon, "directory", "");
	bucket_fail(&bucket, BUCKET_ANSWERS, 1000, NULL, 503, "");
	command_run(library.daemon, &c,
	    (const char *const[]){ "media", "move", "--to", "directory", NULL });
	assert_int_equal(c.status, 1);
	assert_non_null(strstr(c.err, "Files cannot be reached"));
	command_free(&c);
	bucket_fail(&bucket, BUCKET_FINE, 0, NULL, 0, NULL);
	must_move("directory", 0, "11 originals are removed");
	assert_int_equal(bucket_objects(&bucket), 0);
	assert_int_equal(here(), 11);
	begin();
	all_are_served();
}

static void
a_file_that_is_not_what_it_was_stays_and_is_told(void **state)
{
	char path[300], kept;
	FILE *f;

	(void)state;
	end();
	bucketsite_write(library.daemon, "s3", "");
	assert_int_equal(here(), 11);
	(void)snprintf(path, sizeof(path), "%s", last);
	f = fopen(path, "r+");
	assert_non_null(f);
	assert_int_equal(fseek(f, 40, SEEK_SET), 0);
	kept = (char)fgetc(f);
	assert_int_equal(fseek(f, 40, SEEK_SET), 0);
	assert_int_not_equal(fputc(kept + 1, f), EOF);
	assert_int_equal(fclose(f), 0);
	must_move("s3", 1, "is not what it was when it was kept");
	assert_int_equal(here(), 1);
	f = fopen(path, "r+");
	assert_non_null(f);
	assert_int_equal(fseek(f, 40, SEEK_SET), 0);
	assert_int_not_equal(fputc(kept, f), EOF);
	assert_int_equal(fclose(f), 0);
	must_move("s3", 0, "1 originals are removed");
	assert_int_equal(here(), 0);
	begin();
	all_are_served();
}

/* Kills the command after so many requests to the bucket. Returns true if it had ended before. */
static bool
kill_after(const char *to, unsigned requests)
{
	const struct timespec pause = { .tv_nsec = 100000 };
	unsigned until = bucket_count(&bucket, &bucket.requests) + requests;
	pid_t pid = command_start(library.daemon, STDERR_FILENO, STDERR_FILENO,
	    (const char *const[]){ "media", "move", "--to", to, NULL });
	pid_t ended = 0;
	int status;

	while ((ended = waitpid(pid, &status, WNOHANG)) == 0 &&
	       bucket_count(&bucket, &bucket.requests) < until)
		(void)nanosleep(&pause, NULL);
	if (ended == 0) {
		assert_int_equal(kill(pid, SIGKILL), 0);
		assert_int_equal(waitpid(pid, &status, 0), pid);
	}
	return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static unsigned long
number(const char *name, unsigned long usual)
{
	const char *text = getenv(name);

	return text != NULL ? strtoul(text, NULL, 10) : usual;
}

/* Moves the files to the bucket and back, changing the direction whenever a move was completed. */
static void
nothing_is_lost_by_kills(void **state)
{
	static const char *const to[] = { "directory", "s3" };
	unsigned long kills = number("MOVE_KILLS", 12), seed = number("MOVE_SEED", 1);
	unsigned short at[3] = { (unsigned short)seed, (unsigned short)(seed >> 16), 16 };
	int way = 0;

	(void)state;
	end();
	bucketsite_write(library.daemon, to[way], "");
	for (unsigned long i = 0; i < kills; i++)
		if (kill_after(to[way], 1 + (unsigned)(nrand48(at) % 50))) {
			assert_int_equal(here(), way == 0 ? items : 0);
			assert_int_equal(bucket_objects(&bucket), way == 0 ? 0 : items);
			way = !way;
			bucketsite_write(library.daemon, to[way], "");
		}
	must_move(to[way], 0, "originals are removed");
	assert_int_equal(here(), way == 0 ? items : 0);
	begin();
	all_are_served();
}

static void
it_wants_to_know_where_to(void **state)
{
	struct command c;

	(void)state;
	command_run(library.daemon, &c, (const char *const[]){ "media", "move", NULL });
	assert_int_equal(c.status, 2);
	command_free(&c);
	command_run(
	    library.daemon, &c, (const char *const[]){ "media", "move", "--to", "nowhere", NULL });
	assert_int_equal(c.status, 1);
	command_free(&c);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(files_go_to_the_bucket_while_the_daemon_runs),
		cmocka_unit_test(a_bucket_that_fails_ends_a_move_that_can_go_on),
		cmocka_unit_test(a_file_that_is_not_what_it_was_stays_and_is_told),
		cmocka_unit_test(nothing_is_lost_by_kills),
		cmocka_unit_test(it_wants_to_know_where_to),
	};

	return cmocka_run_group_tests(tests, start, stop);
}
