/* pace.c - long work at a bounded rate and a low priority. */
#include "base/pace.h"
#include "base/clock.h"
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define NAP_US 50000 /* the longest sleep: a stop is noticed within this time */
#define NICE 10
#define NICE_BEHIND 5 /* weighs a third of 0: sched(7) */
#define HELD_MAX (1u << 20)
#define PIECE (16 << 20) /* bytes by which a large file is truncated at a time */
#define PIECE_NAP_US 10000
/* linux/ioprio.h, which is not everywhere */
#define IOPRIO_WHO_THREAD 1
#define IOPRIO_IDLE (3 << 13)

static bool
told(const struct pace *p)
{
	return p->stop != NULL && atomic_load(p->stop);
}

bool
pace_spend(struct pace *p, size_t bytes)
{
	int64_t ahead;

	if (p->begun == 0)
		p->begun = clock_monotonic_us();
	p->spent += bytes;
	while (p->rate != 0 && !told(p)) {
		ahead = (int64_t)((double)p->spent * 1e6 / (double)p->rate) -
			(clock_monotonic_us() - p->begun);
		if (ahead <= 0)
			break;
		if (ahead > NAP_US)
			ahead = NAP_US;
		nanosleep(&(struct timespec){ .tv_nsec = ahead * 1000 }, NULL);
	}
	return !told(p);
}

void
pace_write(int fd, uint64_t *held, uint64_t bytes)
{
	*held += bytes;
	if (*held < HELD_MAX)
		return;
	*held = 0;
	/* Writes back the pages alone: fsync would make the file system's journal wait, and the
	 * commits in it. */
	(void)sync_file_range(fd, 0, 0,
	    SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE | SYNC_FILE_RANGE_WAIT_AFTER);
}

int
pace_hold(int dir, const char *name)
{
	int fd = openat(dir, name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	struct stat st;

	if (fd >= 0 && (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode) || st.st_nlink != 1)) {
		close(fd);
		fd = -1;
	}
	return fd;
}

/* Returns true if the file has no name and nobody else has it open: only then the kernel grants
 * a lease (fcntl(2)), which is given back. */
static bool
is_nobodys(int fd, const struct stat *st)
{
	return st->st_nlink == 0 && fcntl(fd, F_SETLEASE, F_WRLCK) == 0 &&
	       fcntl(fd, F_SETLEASE, F_UNLCK) == 0;
}

void
pace_drop(int fd)
{
	struct stat st;

	if (fd < 0)
		return;
	if (fstat(fd, &st) != 0 || !is_nobodys(fd, &st))
		st.st_size = 0;
	while (st.st_size > PIECE && ftruncate(fd, st.st_size -= PIECE) == 0)
		nanosleep(&(struct timespec){ .tv_nsec = PIECE_NAP_US * 1000 }, NULL);
	close(fd);
}

void
pace_behind(void)
{
	(void)setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid), NICE_BEHIND);
}

void
pace_background(void)
{
	/* On a machine without these calls the work runs at the usual priority. */
	(void)setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid), NICE);
	(void)syscall(SYS_ioprio_set, IOPRIO_WHO_THREAD, 0, IOPRIO_IDLE);
}
