/*
 * storm_backup.c - backups during the storm. Every other one is killed by SIGKILL: its file is then
 * either missing or complete. A backup that reported success is complete. A low rate and no
 * compression make the writing take long, so that the kill hits it.
 */
#include "storm.h"

#include <fcntl.h>
#include <ftw.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define BACKUPS_MAX 6 /* backups in one round */

static char directory[64] = "/tmp/stet-storm-backups-XXXXXX";
static struct {
	bool killed, good;
} made[BACKUPS_MAX];
static int count;
static size_t begun, whole, cut;
static atomic_bool stopping;
static pthread_t thread;
static unsigned short dice[3];

static const char *
path_of(char path[96], int i)
{
	snprintf(path, 96, "%s/%d", directory, i);
	return path;
}

static void
backup(int i, int null)
{
	char path[96];
	const char *const words[] = { "backup", path_of(path, i), "--uncompressed", "--rate",
		"16MiB", NULL };
	pid_t pid = storm_spawn(words, null);
	int status = -1;

	if (begun++ % 2 == 1) {
		usleep((unsigned)nrand48(dice) % 150000);
		kill(pid, SIGKILL);
	}
	if (waitpid(pid, &status, 0) != pid)
		storm_bail("waitpid");
	made[i].killed = WIFSIGNALED(status);
	made[i].good = WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static void *
backups(void *arg)
{
	int null = open("/dev/null", O_WRONLY | O_CLOEXEC);

	(void)arg;
	for (count = 0; count < BACKUPS_MAX && !stopping; count++)
		backup(count, null);
	close(null);
	return NULL;
}

void
storm_backups_prepare(void)
{
	if (mkdtemp(directory) == NULL)
		storm_bail("mkdtemp");
}

void
storm_backups_begin(unsigned seed)
{
	dice[0] = (unsigned short)seed;
	stopping = false;
	if (pthread_create(&thread, NULL, backups, NULL) != 0)
		storm_bail("pthread_create");
}

void
storm_backups_end(void)
{
	stopping = true;
	pthread_join(thread, NULL);
}

static size_t
check_one(int i)
{
	char path[96], line[256];
	const char *const words[] = { "verify", path_of(path, i), NULL };
	bool there = access(path, F_OK) == 0;

	cut += made[i].killed;
	if (!made[i].good && !made[i].killed)
		return STORM_LOST("a backup failed\n");
	if (made[i].good && !there)
		return STORM_LOST("a backup that was made\n");
	if (there && !storm_stet(line, sizeof(line), words))
		return STORM_LOST("a backup is not whole: %s\n", line);
	whole += made[i].good;
	return 0;
}

size_t
storm_backups_check(void)
{
	char path[96];
	size_t lost = 0;

	for (int i = 0; i < count; i++) {
		lost += check_one(i);
		(void)unlink(path_of(path, i));
	}
	return lost;
}

size_t
storm_backups_whole(void)
{
	return whole;
}

size_t
storm_backups_cut(void)
{
	return cut;
}

static int
remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

void
storm_backups_remove(void)
{
	nftw(directory, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}
