/* confine.c - a process that has given up its rights tries everything that an image could make it
 * try, each in a child of its own. */
#include "harness.h"

#include "../../helpers/image/confine.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define UNCONFINED 99 /* exit status */
#define MEMORY (256ULL << 20)

static char scratch[] = "/tmp/stet-confine-XXXXXX";

/* ---- what is tried; each returns an errno, or 0 if it was let through ---- */

static int
outcome(long result)
{
	return result == -1 ? errno : 0;
}

static int
opens_a_file(void)
{
	return outcome(open("/etc/passwd", O_RDONLY));
}

static int
writes_a_file(void)
{
	return outcome(open(scratch, O_WRONLY | O_TRUNC));
}

static int
opens_in_a_new_way(void)
{
	return outcome(syscall(SYS_openat2, AT_FDCWD, scratch, NULL, 0));
}

static int
removes_a_file(void)
{
	return outcome(unlink(scratch));
}

static int
makes_a_directory(void)
{
	return outcome(mkdir("/tmp/stet-confine-made", 0700));
}

static int
opens_a_socket(void)
{
	return outcome(socket(AF_INET, SOCK_STREAM, 0));
}

static int
opens_a_local_socket(void)
{
	return outcome(socket(AF_UNIX, SOCK_STREAM, 0));
}

static int
runs_a_program(void)
{
	char *argv[] = { NULL };

	return outcome(execve("/bin/true", argv, argv));
}

static int
forks(void)
{
	return outcome(syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0));
}

static int
traces_its_parent(void)
{
	return outcome(ptrace(PTRACE_ATTACH, getppid(), NULL, NULL));
}

static int
signals_its_parent(void)
{
	return outcome(syscall(SYS_kill, 1, 0));
}

static int
reads_foreign_memory(void)
{
	return outcome(syscall(SYS_process_vm_readv, 1, NULL, 0, NULL, 0, 0));
}

static int
maps_code(void)
{
	return mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) ==
		       MAP_FAILED
		   ? errno
		   : 0;
}

static int
makes_memory_executable(void)
{
	void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return page == MAP_FAILED ? UNCONFINED
				  : outcome(mprotect(page, 4096, PROT_READ | PROT_EXEC));
}

static int
raises_its_limits(void)
{
	struct rlimit more = { RLIM_INFINITY, RLIM_INFINITY };

	return outcome(syscall(SYS_prlimit64, 0, RLIMIT_AS, &more, NULL));
}

static int
ignores_the_alarm(void)
{
	struct sigaction ignore = { .sa_handler = SIG_IGN };

	return outcome(sigaction(SIGALRM, &ignore, NULL));
}

static int
stops_the_alarm(void)
{
	return outcome((long)alarm(0));
}

static int
makes_a_namespace(void)
{
	return outcome(syscall(SYS_unshare, 0x10000000));
}

static int
asks_for_a_ring(void)
{
	return outcome(syscall(SYS_io_uring_setup, 8, NULL));
}

static int
makes_a_file_in_memory(void)
{
	return outcome(syscall(SYS_memfd_create, "x", 0));
}

static int
takes_all_memory(void)
{
	for (int i = 0; i < 1000; i++)
		if (mmap(NULL, 64 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
			0) == MAP_FAILED)
			return errno;
	return 0;
}

static int
takes_all_descriptors(void)
{
	for (int i = 0; i < 1000; i++)
		if (dup(0) == -1)
			return errno;
	return 0;
}

static int
computes_for_ever(void)
{
	for (volatile unsigned i = 0;; i++)
		;
	return 0;
}

static int
waits_for_ever(void)
{
	for (;;)
		(void)poll(NULL, 0, 100000);
	return 0;
}

/* The system calls that a decoder needs are allowed. */
static int
computes(void)
{
	char *bytes = malloc(1 << 20);

	if (bytes == NULL)
		return ENOMEM;
	memset(bytes, 1, 1 << 20);
	free(bytes);
	return 0;
}

/* ---- the trials ---- */

static const struct trial {
	const char *name;
	int (*run)(void);
	int signal, error; /* the signal or status with which the child ends */
} trials[] = {
	{ "computes", computes, 0, 0 },
	{ "opens a file", opens_a_file, 0, EACCES },
	{ "writes a file", writes_a_file, 0, EACCES },
	{ "opens in a new way", opens_in_a_new_way, SIGSYS, 0 },
	{ "removes a file", removes_a_file, SIGSYS, 0 },
	{ "makes a directory", makes_a_directory, SIGSYS, 0 },
	{ "opens a socket", opens_a_socket, SIGSYS, 0 },
	{ "opens a local socket", opens_a_local_socket, SIGSYS, 0 },
	{ "runs a program", runs_a_program, SIGSYS, 0 },
	{ "forks", forks, SIGSYS, 0 },
	{ "traces its parent", traces_its_parent, SIGSYS, 0 },
	{ "signals its parent", signals_its_parent, SIGSYS, 0 },
	{ "reads foreign memory", reads_foreign_memory, SIGSYS, 0 },
	{ "maps code", maps_code, SIGSYS, 0 },
	{ "makes memory executable", makes_memory_executable, SIGSYS, 0 },
	{ "raises its limits", raises_its_limits, SIGSYS, 0 },
	{ "ignores the alarm", ignores_the_alarm, SIGSYS, 0 },
	{ "stops the alarm", stops_the_alarm, SIGSYS, 0 },
	{ "makes a namespace", makes_a_namespace, SIGSYS, 0 },
	{ "asks for a ring", asks_for_a_ring, SIGSYS, 0 },
	{ "makes a file in memory", makes_a_file_in_memory, SIGSYS, 0 },
	{ "takes all memory", takes_all_memory, 0, ENOMEM },
	{ "takes all descriptors", takes_all_descriptors, 0, EMFILE },
	{ "waits for ever", waits_for_ever, SIGALRM, 0 },
};

static int
status_of(pid_t pid)
{
	int status;

	assert_int_equal(waitpid(pid, &status, 0), pid);
	return status;
}

static void
nothing_but_computing_is_let_through(void **state)
{
	static const struct confine_limits limits = { 1, MEMORY, 1 << 20 };

	(void)state;
	for (size_t i = 0; i < sizeof(trials) / sizeof(trials[0]); i++) {
		const struct trial *t = &trials[i];
		pid_t pid = fork();
		bool landlock;
		int status;

		if (pid == 0)
			_exit(confine_server(&landlock) && confine_worker(&limits) ? t->run()
										   : UNCONFINED);
		status = status_of(pid);
		if (t->signal != 0 ? !WIFSIGNALED(status) || WTERMSIG(status) != t->signal
				   : !WIFEXITED(status) || WEXITSTATUS(status) != t->error)
			fail_msg("%s: status %#x", t->name, (unsigned)status);
	}
}

/* Processor time ends the child, too: by the alarm or by the limit, whichever comes first. */
static void
a_loop_without_end_is_ended(void **state)
{
	static const struct confine_limits limits = { 1, MEMORY, 1 << 20 };
	bool landlock;
	pid_t pid = fork();
	int status;

	(void)state;
	if (pid == 0)
		_exit(confine_server(&landlock) && confine_worker(&limits) ? computes_for_ever()
									   : UNCONFINED);
	status = status_of(pid);
	assert_true(WIFSIGNALED(status));
	assert_true(WTERMSIG(status) == SIGALRM || WTERMSIG(status) == SIGXCPU ||
		    WTERMSIG(status) == SIGKILL);
}

/* If the kernel has landlock, the server itself cannot open any file. */
static void
the_server_opens_no_file(void **state)
{
	pid_t pid = fork();
	bool landlock;

	(void)state;
	if (pid == 0) {
		if (!confine_server(&landlock))
			_exit(UNCONFINED);
		_exit(landlock ? opens_a_file() : EACCES);
	}
	assert_int_equal(WEXITSTATUS(status_of(pid)), EACCES);
}

static int
begin(void **state)
{
	int fd = mkstemp(scratch);

	(void)state;
	return fd == -1 ? -1 : close(fd);
}

static int
end(void **state)
{
	(void)state;
	return unlink(scratch);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_but_computing_is_let_through),
		cmocka_unit_test(a_loop_without_end_is_ended),
		cmocka_unit_test(the_server_opens_no_file),
	};

	return cmocka_run_group_tests(tests, begin, end);
}
