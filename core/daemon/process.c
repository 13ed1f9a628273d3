/* process.c - what stetd asks of the operating system: open files, a pid file, another user. */
#include "daemon/process.h"
#include "base/log.h"
#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define DESCRIPTORS_SPARE 256 /* descriptors for databases, logs and spooled bodies */

void
process_limits(int max_connections)
{
	struct rlimit files;
	rlim_t room;

	if (getrlimit(RLIMIT_NOFILE, &files) == -1)
		return;
	files.rlim_cur = files.rlim_max;
	(void)setrlimit(RLIMIT_NOFILE, &files);
	if (getrlimit(RLIMIT_NOFILE, &files) == -1 || files.rlim_cur == RLIM_INFINITY)
		return;
	room = files.rlim_cur > 2 * DESCRIPTORS_SPARE ? files.rlim_cur - DESCRIPTORS_SPARE
						      : files.rlim_cur / 2;
	if (room < (rlim_t)max_connections)
		log_line(room < (rlim_t)max_connections / 2 ? STET_WARN : STET_INFO,
		    "max-connections is %d, but the limit of open files is %llu: connections "
		    "beyond about %llu wait",
		    max_connections, (unsigned long long)files.rlim_cur, (unsigned long long)room);
}

bool
process_pid_file(const char *path)
{
	FILE *file;

	if (path == NULL)
		return true;
	file = fopen(path, "we");
	if (file != NULL && fprintf(file, "%ld\n", (long)getpid()) > 0 && fclose(file) == 0)
		return true;
	log_line(STET_ERROR, "cannot write \"%s\": %s", path, strerror(errno));
	return false;
}

bool
process_user(const char *user)
{
	const struct passwd *pw;

	if (user == NULL || geteuid() != 0)
		return true;
	pw = getpwnam(user);
	if (pw == NULL) {
		log_line(STET_ERROR, "there is no user \"%s\"", user);
		return false;
	}
	if (initgroups(user, pw->pw_gid) == -1 || setgid(pw->pw_gid) == -1 ||
	    setuid(pw->pw_uid) == -1) {
		log_line(STET_ERROR, "cannot run as user \"%s\": %s", user, strerror(errno));
		return false;
	}
	return true;
}
