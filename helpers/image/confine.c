/* confine.c - landlock, resource limits and a list of system calls (seccomp) for helper programs.
 */
#include "confine.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <sched.h>
#include <seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#define OPEN_MOST 16 /* descriptors */

static scmp_filter_ctx filter;

/* ---- files ---- */

/* Denies every kind of access that the first version of landlock knows, below no exception. */
static bool
deny_files(void)
{
	struct landlock_ruleset_attr rules = { .handled_access_fs =
						   (LANDLOCK_ACCESS_FS_MAKE_SYM << 1) - 1 };
	int fd = (int)syscall(SYS_landlock_create_ruleset, &rules, sizeof(rules), 0);
	bool good;

	if (fd < 0)
		return false;
	good = syscall(SYS_landlock_restrict_self, fd, 0) == 0;
	close(fd);
	return good;
}

/* ---- system calls ---- */

/* What computing takes: memory, threads, time, descriptors that are open. */
static const char *const allowed[] = { "brk", "clock_getres", "clock_gettime", "clock_nanosleep",
	"close", "dup", "exit", "exit_group", "fcntl", "fdatasync", "fstat", "fsync", "ftruncate",
	"futex", "futex_wait", "futex_waitv", "futex_wake", "getcpu", "getegid", "geteuid",
	"getgid", "getpid", "getrandom", "gettid", "gettimeofday", "getuid", "lseek", "madvise",
	"mremap", "munmap", "nanosleep", "poll", "ppoll", "pread64", "preadv", "pwrite64", "read",
	"readv", "restart_syscall", "rseq", "rt_sigprocmask", "rt_sigreturn", "sched_getaffinity",
	"sched_yield", "set_robust_list", "set_tid_address", "sigaltstack", "write", "writev",
	NULL };

/* What libraries try, and do without. */
static const struct {
	const char *name;
	int error;
} refused[] = {
	{ "access", EACCES },
	{ "faccessat", EACCES },
	{ "faccessat2", EACCES },
	{ "open", EACCES },
	{ "openat", EACCES },
	{ "getppid", EPERM },
	{ "readlink", EACCES },
	{ "readlinkat", EACCES },
	{ "stat", EACCES },
	{ "statx", ENOSYS },
	{ "clone3", ENOSYS }, /* its flags are in memory: glibc then takes clone */
	{ "prctl", EPERM }, /* names of threads */
	{ "sched_getattr", EPERM },
	{ "sched_setattr", EPERM },
	{ "sysinfo", EPERM },
	{ "uname", EPERM },
};

static bool
rule(uint32_t action, const char *name)
{
	int number = seccomp_syscall_resolve_name(name);

	return number == __NR_SCMP_ERROR || seccomp_rule_add(filter, action, number, 0) == 0;
}

#if defined(__s390x__)
#define CLONE_FLAGS 1 /* which argument of clone has the flags */
#else
#define CLONE_FLAGS 0
#endif
#define THREAD (CLONE_VM | CLONE_THREAD | CLONE_SIGHAND)

/* Calls that are fine with some arguments: memory that is not executable, threads of this process,
 * the two signals that glibc handles for itself, the size of an open file. */
static const struct {
	const char *name;
	struct scmp_arg_cmp when;
} partly[] = {
	{ "mmap", { 2, SCMP_CMP_MASKED_EQ, PROT_EXEC, 0 } },
	{ "mprotect", { 2, SCMP_CMP_MASKED_EQ, PROT_EXEC, 0 } },
	{ "clone", { CLONE_FLAGS, SCMP_CMP_MASKED_EQ, THREAD, THREAD } },
	{ "rt_sigaction", { 0, SCMP_CMP_EQ, __SIGRTMIN, 0 } },
	{ "rt_sigaction", { 0, SCMP_CMP_EQ, __SIGRTMIN + 1, 0 } },
	{ "newfstatat", { 3, SCMP_CMP_MASKED_EQ, AT_EMPTY_PATH, AT_EMPTY_PATH } },
};

static bool
rule_of_argument(const char *name, struct scmp_arg_cmp when)
{
	int number = seccomp_syscall_resolve_name(name);

	return number == __NR_SCMP_ERROR ||
	       seccomp_rule_add_array(filter, SCMP_ACT_ALLOW, number, 1, &when) == 0;
}

static bool
prepare(void)
{
	bool good;

	filter = seccomp_init(SCMP_ACT_KILL_PROCESS);
	good = filter != NULL;
	for (size_t i = 0; good && i < sizeof(partly) / sizeof(partly[0]); i++)
		good = rule_of_argument(partly[i].name, partly[i].when);
	for (size_t i = 0; good && allowed[i] != NULL; i++)
		good = rule(SCMP_ACT_ALLOW, allowed[i]);
	for (size_t i = 0; good && i < sizeof(refused) / sizeof(refused[0]); i++)
		good = rule(SCMP_ACT_ERRNO((uint32_t)refused[i].error), refused[i].name);
	return good;
}

bool
confine_server(bool *landlock)
{
	struct rlimit none = { 0, 0 };

	*landlock = false;
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || setrlimit(RLIMIT_CORE, &none) != 0 ||
	    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0)
		return false;
	*landlock = deny_files();
	return prepare();
}

static bool
limit(int what, uint64_t most)
{
	struct rlimit to = { most, most };

	return setrlimit((__rlimit_resource_t)what, &to) == 0;
}

/* RLIMIT_NPROC would count the threads of the daemon, which has the same user. It is not needed:
 * the list of system calls has no new process, and threads are limited by the address space. */
bool
confine_worker(const struct confine_limits *to)
{
	if (!limit(RLIMIT_AS, to->memory) || !limit(RLIMIT_CPU, to->seconds) ||
	    !limit(RLIMIT_FSIZE, to->size) || !limit(RLIMIT_NOFILE, OPEN_MOST))
		return false;
	/* The kernel ends the process: nothing in it can take this back, since setitimer and
	 * rt_sigaction are not on the list. */
	(void)alarm(to->seconds);
	return filter != NULL && seccomp_load(filter) == 0;
}
