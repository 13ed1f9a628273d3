/* disable.c - disables a module in a child process, with a request on disk as the last resort. */
#include "command/disable.h"

#include "base/dir.h"
#include "module/descriptor.h"
#include "module/module.h"
#include "site/datadir.h"
#include "site/suspension.h"
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define PATIENCE_MS 30000 /* opening the database may wait ten seconds at a time */

enum end { END_CHILD, END_DONE, END_DIED, END_STUCK };

static volatile bool *loaded; /* in memory shared with the child */

void
disable_loaded(void)
{
	if (loaded != NULL)
		*loaded = true;
}

bool
disable_runs(void)
{
	return loaded != NULL;
}

/* Waits for the child. Returns false if it still runs. */
static bool
ends_in_time(pid_t pid)
{
	struct pollfd p = { .fd = (int)syscall(SYS_pidfd_open, pid, 0), .events = POLLIN };
	bool ended;

	if (p.fd < 0) /* a kernel without pidfd: wait without a limit */
		return true;
	ended = poll(&p, 1, PATIENCE_MS) != 0;
	close(p.fd);
	return ended;
}

static enum end
attempt(int *status)
{
	pid_t pid;
	int how;

	*loaded = false;
	pid = fork();
	if (pid < 0)
		return END_STUCK;
	if (pid == 0) {
		(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
		return END_CHILD;
	}
	if (!ends_in_time(pid)) {
		(void)kill(pid, SIGKILL);
		(void)waitpid(pid, &how, 0);
		return END_STUCK;
	}
	if (waitpid(pid, &how, 0) != pid || WIFSIGNALED(how))
		return END_DIED;
	*status = WEXITSTATUS(how);
	return *status == EXIT_BUSY ? END_STUCK : END_DONE;
}

static int
leave_request(const struct conf_site *site, const char *module)
{
	int pid = dir_daemon(site->data);
	char *why = NULL;

	if (!disable_request(site->data, module, &why)) {
		fprintf(stderr, "stet: %s\n", why);
		free(why);
		return EXIT_FAILURE;
	}
	printf("A request to disable %s is left in %s/" DATADIR_MODULES ": stetd leaves the module"
	       " out, and stores that when it can.\n",
	    module, site->data);
	if (pid > 0 && kill(pid, SIGHUP) != 0)
		fprintf(
		    stderr, "stet: stetd (process %d) was not told: %s\n", pid, strerror(errno));
	return EXIT_SUCCESS;
}

int
disable_begin(const struct conf_site *site, const char *module)
{
	int status = EXIT_FAILURE;
	bool at_once;
	enum end end;

	loaded =
	    mmap(NULL, sizeof(*loaded), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (loaded == MAP_FAILED || !descriptor_name_ok(module)) {
		loaded = NULL;
		return -1;
	}
	end = attempt(&status);
	at_once = !*loaded;
	if (end == END_DIED) {
		fprintf(stderr, "stet: a plugin crashed this command: again without %s\n", module);
		end = attempt(&status);
		if (end == END_CHILD)
			modules_hold_back(module, "it is being disabled");
		else if (at_once && *loaded) /* it crashes while it is loaded */
			suspension_begin(suspension_home(), SUSPENSION_DAEMON, module,
			    "it crashed \"stet module disable\" while it was loaded");
	}
	if (end == END_CHILD)
		return -1;
	return end == END_DONE ? status : leave_request(site, module);
}
