/*
 * power.c - nothing that was acknowledged is lost when the power fails. A daemon works under a
 * mixed load, and all that it does to its disk is recorded (record.c). From the record the disk is
 * built as a power cut may leave it (disk.c), the site in it is checked and served, and held
 * against what was acknowledged before the cut (load.c). Some starts after a cut are recorded and
 * cut again.
 *
 * Disks that lie about their syncs are the control: what they lose must be found.
 *
 * POWER_CUTS (12), POWER_WRITES (400) and POWER_SEED (1) are from the environment; `make long`
 * takes some hundred cuts.
 */
#include "config.h"

#include "disk.h"
#include "load.h"

#include <ftw.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define LIES 4 /* cuts of a disk on which syncs have no effect */

static struct {
	struct daemon *recorded; /* the recorded directory, with the content after the load */
	struct daemon *after; /* directory for the sites after cuts */
	struct load *load;
	struct reader record;
	struct disk *disk[DISK_LIES], *whole; /* the disks as they were before the load */
	uint64_t seed;
	size_t cuts, writes;
	size_t judged, again; /* numbers of tested cuts, and of tested cuts during a start */
} power;

struct cut {
	size_t at; /* entries before the cut */
	enum disk_mode mode, names;
	uint64_t seed;
};

static size_t
number_of(const char *name, size_t otherwise)
{
	const char *said = getenv(name);

	return said != NULL ? strtoul(said, NULL, 10) : otherwise;
}

static int
remove_one(const char *path, const struct stat *st, int what, struct FTW *ftw)
{
	(void)st;
	(void)what;
	(void)ftw;
	return remove(path);
}

static void
remove_tree(const char *path)
{
	(void)nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* Runs a daemon whose disk operations are recorded. */
static void
run_recorded(struct daemon *d, const char *record)
{
	char library[PATH_MAX];

	(void)snprintf(
	    library, sizeof(library), "%s/t/power/.libs/record.so", getenv("STET_BUILD"));
	assert_int_equal(access(library, R_OK), 0);
	(void)unlink(record);
	setenv("STET_RECORD", record, 1);
	setenv("STET_RECORD_DIR", daemon_path(d, "data"), 1);
	setenv("LD_PRELOAD", library, 1);
	daemon_run(d, 0);
	unsetenv("LD_PRELOAD");
}

static void
end(struct daemon *d, int number)
{
	daemon_signal(d, number);
	(void)daemon_ended(d);
}

/* Applies the entries up to a cut to a disk. */
static void
feed(struct disk *disk, const struct reader *r, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++) {
		const char *paths;
		const void *bytes;
		struct record_head head = reader_entry(r, i, &paths, &bytes);

		if (!disk_feed(disk, &head, paths, bytes))
			fail_msg("entry %zu of the record: %s", i, disk_why(disk));
	}
}

/* ---- a site after a cut ---- */

/* The WAL index is never synced, so it may have any content. */
static void
leave_index(uint64_t seed)
{
	FILE *file = fopen(daemon_path(power.after, "data/stet.db-shm"), "w");

	assert_non_null(file);
	for (int i = 0; i < 32768; i++)
		(void)putc((int)(disk_random(&seed) & 0xff), file);
	assert_int_equal(fclose(file), 0);
}

static void
put_back(const struct disk *disk, const struct cut *cut)
{
	const char *data = daemon_path(power.after, "data");

	remove_tree(data);
	assert_true(disk_write(disk, data, cut->mode, cut->names, cut->seed));
	if (cut->seed % 3 == 0)
		leave_index(cut->seed);
}

/* Returns false if the site is damaged. */
static bool
verified(char *why, size_t size)
{
	struct command c;
	bool good;

	command_run(power.after, &c, (const char *const[]){ "verify", NULL });
	good = c.status == 0;
	if (!good)
		(void)snprintf(why, size, "verify says: %.400s %.400s", c.out, c.err);
	command_free(&c);
	return good;
}

/* Returns true if the site has every write that was acknowledged before a place in the record. With
 * `record`, the daemon's start with this site is recorded, too. */
static bool
sound(size_t at, bool verify_first, const char *record, char *why, size_t size)
{
	size_t lost;

	power.judged++;
	if (verify_first && !verified(why, size))
		return false;
	if (record != NULL)
		run_recorded(power.after, record);
	else
		daemon_run(power.after, 0);
	lost = load_lost(power.load, power.after, at, why, size);
	end(power.after, SIGKILL);
	return lost == 0 && (verify_first || verified(why, size));
}

static void
expect_sound(const struct cut *cut, const char *record)
{
	char why[1000] = "";

	if (!sound(cut->at, record == NULL && cut->seed % 2 == 0, record, why, sizeof(why)))
		fail_msg("cut before entry %zu, mode %d, names %d, seed %llu: %s", cut->at,
		    cut->mode, cut->names, (unsigned long long)cut->seed, why);
}

/* ---- cuts ---- */

static int
by_place(const void *a, const void *b)
{
	const struct cut *x = a, *y = b;

	return x->at < y->at ? -1 : x->at > y->at;
}

/* Half of the cuts are anywhere, the others just after an acknowledgement. */
static struct cut *
choose_cuts(size_t count, uint64_t seed)
{
	struct cut *cuts = calloc(count, sizeof(*cuts));

	assert_non_null(cuts);
	for (size_t i = 0; i < count; i++) {
		uint64_t place = disk_random(&seed);

		cuts[i].at = i % 2 == 0 ? place % (power.record.count + 1)
					: load_acknowledged(power.load, place);
		cuts[i].mode = (enum disk_mode)(disk_random(&seed) % DISK_MODES);
		cuts[i].names = (enum disk_mode)(disk_random(&seed) % (DISK_SOME + 1));
		cuts[i].seed = disk_random(&seed);
	}
	qsort(cuts, count, sizeof(*cuts), by_place);
	return cuts;
}

/* The start after a cut is recorded, and cut as well. */
static void
cut_again(const struct cut *first)
{
	struct disk *disk = disk_new(daemon_path(power.after, "data"), DISK_HONEST);
	const char *path = daemon_path(power.after, "record");
	struct cut cut = *first;
	struct reader r;

	expect_sound(first, path);
	assert_true(reader_open(&r, path));
	feed(disk, &r, 0, (size_t)(first->seed / 7 % (r.count + 1)));
	put_back(disk, &cut);
	expect_sound(&cut, NULL);
	power.again++;
	reader_free(&r);
	disk_free(disk);
}

static void
nothing_acknowledged_is_lost(void **state)
{
	struct cut *cuts = choose_cuts(power.cuts, power.seed);
	struct disk *disk = power.disk[DISK_HONEST];
	size_t at = 0;

	(void)state;
	for (size_t i = 0; i < power.cuts; i++) {
		feed(disk, &power.record, at, cuts[i].at);
		at = cuts[i].at;
		put_back(disk, &cuts[i]);
		if (i % 4 == 3)
			cut_again(&cuts[i]);
		else
			expect_sound(&cuts[i], NULL);
	}
	print_message("# %zu power cuts, %zu of them during the start after another, of %zu writes "
		      "in %zu entries\n",
	    power.judged, power.again, load_count(power.load, power.record.count),
	    power.record.count);
	free(cuts);
}

/* Returns how often offset 0 of a file was written. */
static size_t
begun_anew(const char *name)
{
	struct stat st;
	size_t count = 0;

	assert_int_equal(stat(daemon_path(power.recorded, name), &st), 0);
	for (size_t i = 0; i < power.record.count; i++) {
		const char *paths;
		const void *bytes;
		struct record_head head = reader_entry(&power.record, i, &paths, &bytes);

		count += head.kind == RECORD_WRITE && head.ino == st.st_ino && head.at == 0;
	}
	return count;
}

static void
the_record_accounts_for_every_byte(void **state)
{
	char why[PATH_MAX + 100] = "";
	size_t copied = begun_anew("data/stet.db");

	(void)state;
	feed(power.whole, &power.record, 0, power.record.count);
	if (!disk_same(power.whole, daemon_path(power.recorded, "data"), why, sizeof(why)))
		fail_msg("%s", why);
	print_message("# the log was copied %zu times\n", copied);
	assert_true(copied > 0);
}

/* ---- disks that lie ---- */

/* Checks that losses of such a disk are noticed in at least half of the cuts. */
static void
is_found_out(enum disk_lie lie)
{
	struct cut *cuts = choose_cuts(LIES, power.seed);
	struct disk *disk = power.disk[lie];
	size_t at = 0, found = 0;
	char why[1000] = "";

	for (size_t i = 0; i < LIES; i++) {
		feed(disk, &power.record, at, cuts[i].at);
		at = cuts[i].at;
		cuts[i].mode = cuts[i].names = DISK_DROPPED;
		put_back(disk, &cuts[i]);
		found += !sound(at, true, NULL, why, sizeof(why));
	}
	print_message("# %zu of %d cuts lose something: %s\n", found, LIES, why);
	assert_true(found >= LIES / 2);
	free(cuts);
}

static void
a_disk_that_ignores_syncs_is_found_out(void **state)
{
	(void)state;
	is_found_out(DISK_NO_SYNC);
}

static void
a_disk_that_forgets_names_is_found_out(void **state)
{
	(void)state;
	is_found_out(DISK_NO_NAMES);
}

static void
a_disk_that_syncs_too_late_is_found_out(void **state)
{
	(void)state;
	is_found_out(DISK_LATE);
}

/* ---- the run ---- */

static int
record_the_load(void **state)
{
	struct daemon *d = remote_new(NULL, NULL);
	const char *path;

	(void)state;
	power.cuts = number_of("POWER_CUTS", 12);
	power.writes = number_of("POWER_WRITES", 400);
	power.seed = number_of("POWER_SEED", 1);
	power.recorded = d;
	power.load = load_new(d);
	for (int i = 0; i < DISK_LIES; i++)
		power.disk[i] = disk_new(daemon_path(d, "data"), (enum disk_lie)i);
	power.whole = disk_new(daemon_path(d, "data"), DISK_HONEST);
	path = daemon_path(d, "record");
	run_recorded(d, path);
	load_run(power.load, d, path, power.writes, power.seed);
	end(d, SIGTERM);
	if (!reader_open(&power.record, daemon_path(d, "record")))
		return -1;
	load_place(power.load, &power.record);
	power.after = daemon_new(NULL, NULL);
	remote_plugin(
	    power.after, "plugin-sdk/examples/downloads/.libs/downloads.so", "downloads.so", 0644);
	return 0;
}

static int
forget(void **state)
{
	(void)state;
	for (int i = 0; i < DISK_LIES; i++)
		disk_free(power.disk[i]);
	disk_free(power.whole);
	reader_free(&power.record);
	load_free(power.load);
	daemon_stop(power.recorded);
	daemon_stop(power.after);
	return 0;
}

int
main(void)
{
#ifdef STET_SANITIZED
	puts("1..0 # SKIP a sanitizer has to be the first library, and so has the recorder");
	return 0;
#endif
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_record_accounts_for_every_byte),
		cmocka_unit_test(nothing_acknowledged_is_lost),
		cmocka_unit_test(a_disk_that_ignores_syncs_is_found_out),
		cmocka_unit_test(a_disk_that_forgets_names_is_found_out),
		cmocka_unit_test(a_disk_that_syncs_too_late_is_found_out),
	};

	return cmocka_run_group_tests(tests, record_the_load, forget);
}
