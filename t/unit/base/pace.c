/* pace.c - files that are deleted bit by bit. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/pace.h"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define SIZE (100 << 20)

struct file {
	char path[40];
	int held, seen; /* pace_drop takes `held`; `seen` is a copy of it */
};

static struct file
held_file(void)
{
	struct file f = { .path = "/tmp/stet-pace-XXXXXX" };
	int fd = mkstemp(f.path);

	assert_true(fd >= 0);
	assert_int_equal(ftruncate(fd, SIZE), 0); /* a sparse file */
	close(fd);
	f.held = pace_hold(AT_FDCWD, f.path);
	assert_true(f.held >= 0);
	f.seen = dup(f.held);
	return f;
}

static off_t
size_of(int fd)
{
	struct stat st;

	assert_int_equal(fstat(fd, &st), 0);
	return st.st_size;
}

static void
it_is_cut_when_nobody_has_it(void **state)
{
	struct file f = held_file();

	(void)state;
	unlink(f.path);
	pace_drop(f.held);
	assert_true(size_of(f.seen) <= 16 << 20);
	close(f.seen);
}

static void
who_reads_it_reads_on(void **state)
{
	struct file f = held_file();
	int reader = open(f.path, O_RDONLY);

	(void)state;
	unlink(f.path);
	pace_drop(f.held);
	assert_int_equal(size_of(reader), SIZE);
	close(reader);
	close(f.seen);
}

static void
what_has_a_name_stays(void **state)
{
	struct file f = held_file();
	char other[60];

	(void)state;
	pace_drop(f.held);
	assert_int_equal(size_of(f.seen), SIZE);
	close(f.seen);
	snprintf(other, sizeof(other), "%s.2", f.path);
	assert_int_equal(link(f.path, other), 0);
	assert_int_equal(pace_hold(AT_FDCWD, f.path), -1);
	unlink(other);
	unlink(f.path);
	assert_int_equal(pace_hold(AT_FDCWD, f.path), -1);
	assert_int_equal(pace_hold(AT_FDCWD, "/dev/null"), -1);
	pace_drop(-1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_is_cut_when_nobody_has_it),
		cmocka_unit_test(who_reads_it_reads_on),
		cmocka_unit_test(what_has_a_name_stays),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
