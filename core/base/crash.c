/*
 * crash.c - the handler of fatal signals. Everything that it calls is async-signal-safe: system
 * calls, its own formatting into static memory, clock_text, and backtrace(), which is called once
 * at the start because its first call loads libgcc. Addresses become "object +offset" by
 * /proc/self/maps, read with read(2): that also knows an object whose constructor runs just now.
 */
#include "base/crash.h"

#include "base/clock.h"
#include "base/log.h"
#include "base/thread.h"

#include <elf.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#define FRAMES_MAX 48
#define PATH_BYTES 256
#define WRITE_MS 1000 /* how long a line may wait for a reader of the log */
#define GIVE_UP_S 10 /* how long the handler may take */

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif

#ifndef SANITIZED

/* ---- text, without the C library ---- */

struct line {
	char text[1024];
	size_t len;
};

static void
put_text(struct line *l, const char *text)
{
	for (; *text != '\0' && l->len < sizeof(l->text) - 1; text++) {
		unsigned char c = (unsigned char)*text;

		l->text[l->len++] = c < 0x20 || c == 0x7f ? ' ' : *text;
	}
}

static void
put_number(struct line *l, unsigned long long n, unsigned base)
{
	static const char digit[] = "0123456789abcdef";
	char text[24], *at = text + sizeof(text) - 1;

	*at = '\0';
	do {
		*--at = digit[n % base];
		n /= base;
	} while (n != 0);
	put_text(l, at);
}

static void
put_address(struct line *l, uintptr_t address)
{
	put_text(l, "0x");
	put_number(l, address, 16);
}

static void
line_begin(struct line *l)
{
	char now[CLOCK_TEXT_SIZE];

	l->len = 0;
	clock_text(clock_now(), now);
	put_text(l, now);
	put_text(l, " error crash: ");
}

/* A log that nobody reads, such as a full pipe, must not keep the process from ending. */
static void
write_to(int fd, const char *text, size_t len)
{
	struct pollfd p = { .fd = fd, .events = POLLOUT };

	while (len > 0 && poll(&p, 1, WRITE_MS) == 1) {
		ssize_t n = write(fd, text, len);

		if (n == -1 && errno == EINTR)
			continue;
		if (n <= 0)
			return;
		text += n;
		len -= (size_t)n;
	}
}

static void
line_end(struct line *l)
{
	int fd = log_fd();

	l->text[l->len++] = '\n';
	write_to(fd, l->text, l->len);
	if (fd != STDERR_FILENO)
		write_to(STDERR_FILENO, l->text, l->len);
}

/* ---- what happened ---- */

static const struct {
	int number;
	const char *name;
} fatal[] = {
	{ SIGSEGV, "SIGSEGV" },
	{ SIGBUS, "SIGBUS" },
	{ SIGFPE, "SIGFPE" },
	{ SIGILL, "SIGILL" },
	{ SIGTRAP, "SIGTRAP" },
	{ SIGABRT, "SIGABRT" },
	{ SIGSYS, "SIGSYS" },
};
#define FATAL (sizeof(fatal) / sizeof(fatal[0]))

static const char *
name_of(int number)
{
	for (size_t i = 0; i < FATAL; i++)
		if (fatal[i].number == number)
			return fatal[i].name;
	return "signal";
}

/* Returns true if another process sent the signal. If it was a fault, or this process sent it,
 * the running module is to blame. */
static bool
is_foreign(const siginfo_t *info)
{
	return info->si_code <= 0 && info->si_pid != getpid();
}

static void
tell_signal(struct line *l, const siginfo_t *info)
{
	put_text(l, name_of(info->si_signo));
	if (is_foreign(info)) {
		put_text(l, " sent by process ");
		put_number(l, (unsigned long long)info->si_pid, 10);
	} else if (info->si_signo == SIGSYS) {
		put_text(l, " at system call ");
		put_number(l, (unsigned long long)info->si_syscall, 10);
	} else if (info->si_code > 0) {
		put_text(l, " at address ");
		put_address(l, (uintptr_t)info->si_addr);
	}
}

static void
tell_what(const siginfo_t *info, const struct culprit *c)
{
	static struct line l;

	line_begin(&l);
	tell_signal(&l, info);
	put_text(&l, ", thread ");
	put_number(&l, (unsigned long long)syscall(SYS_gettid), 10);
	if (c->what[0] != '\0') {
		put_text(&l, ", in ");
		put_text(&l, c->what);
	}
	if (c->module[0] != '\0') {
		put_text(&l, " of module ");
		put_text(&l, c->module);
	}
	if (c->site[0] != '\0') {
		put_text(&l, ", site ");
		put_text(&l, c->site);
	}
	if (c->call[0] != '\0') {
		put_text(&l, ", call ");
		put_text(&l, c->call);
	}
	line_end(&l);
}

/* ---- where ---- */

static const struct crash_witness *witness;

struct frame {
	uintptr_t address,
	    base; /* base: the address where its object begins; 0: the address is in no object */
	char path[PATH_BYTES];
};
static struct frame frames[FRAMES_MAX];
static int frame_count;

static uintptr_t
fault_address(const void *context)
{
	const ucontext_t *uc = context;

#if defined(__x86_64__)
	return (uintptr_t)uc->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
	return (uintptr_t)uc->uc_mcontext.pc;
#else
	(void)uc;
	return 0;
#endif
}

/* Begins at the frame that faulted: those above it belong to the handler. */
static void
take_frames(uintptr_t fault)
{
	static void *found[FRAMES_MAX];
	int n = backtrace(found, FRAMES_MAX), first = 0;

	while (first < n && (uintptr_t)found[first] != fault)
		first++;
	if (first == n)
		first = 0;
	for (int i = first; i < n; i++)
		frames[frame_count++].address = (uintptr_t)found[i];
}

/* A line of the map: "start-end perms offset device inode   path". */
struct mapping {
	uintptr_t start, end, offset;
	const char *path;
};

static const char *
read_hex(const char *at, uintptr_t *out)
{
	for (*out = 0;; at++) {
		if (*at >= '0' && *at <= '9')
			*out = *out * 16 + (uintptr_t)(*at - '0');
		else if (*at >= 'a' && *at <= 'f')
			*out = *out * 16 + (uintptr_t)(*at - 'a' + 10);
		else
			return at;
	}
}

static bool
read_mapping(const char *text, struct mapping *m)
{
	text = read_hex(text, &m->start);
	if (*text++ != '-')
		return false;
	text = read_hex(text, &m->end);
	if (*text++ != ' ' || (text = strchr(text, ' ')) == NULL)
		return false;
	(void)read_hex(text + 1, &m->offset);
	m->path = strchr(text, '/');
	return m->path != NULL;
}

/* Offsets count from the start of the object, except in programs that are not
 * position-independent. */
static uintptr_t
base_of(const struct mapping *m)
{
	const unsigned char *header = (const unsigned char *)m->start; // NOLINT(performance-*)
	uint16_t type;

	memcpy(&type, header + offsetof(Elf64_Ehdr, e_type), sizeof(type));
	return type == ET_EXEC ? 1 : m->start;
}

static void
locate(const struct mapping *m)
{
	static char path[PATH_BYTES];
	static uintptr_t base;
	size_t len;

	if (m->offset == 0) {
		base = base_of(m);
		len = strnlen(m->path, sizeof(path) - 1);
		memcpy(path, m->path, len);
		path[len] = '\0';
	}
	for (int i = 0; i < frame_count; i++)
		if (frames[i].address >= m->start && frames[i].address < m->end &&
		    strncmp(path, m->path, sizeof(path) - 1) == 0) {
			frames[i].base = base;
			memcpy(frames[i].path, path, sizeof(path));
		}
}

static void
locate_frames(void)
{
	static char text[8192];
	int fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
	size_t len = 0;
	ssize_t n;

	while (fd >= 0 && (n = read(fd, text + len, sizeof(text) - 1 - len)) > 0) {
		char *line = text, *end;
		struct mapping m;

		len += (size_t)n;
		text[len] = '\0';
		for (; (end = strchr(line, '\n')) != NULL; line = end + 1) {
			*end = '\0';
			if (read_mapping(line, &m))
				locate(&m);
		}
		len -= (size_t)(line - text);
		memmove(text, line, len);
		if (len == sizeof(text) - 1) /* no line is as long */
			len = 0;
	}
	if (fd >= 0)
		close(fd);
}

static void
tell_frames(void)
{
	static struct line l;

	for (int i = 0; i < frame_count; i++) {
		const struct frame *f = &frames[i];

		/* Of an endless recursion the first and the last frames are enough. */
		if (i > 0 && i + 1 < frame_count && f->address == f[-1].address &&
		    f->address == f[1].address)
			continue;
		line_begin(&l);
		put_text(&l, "#");
		put_number(&l, (unsigned long long)i, 10);
		put_text(&l, " ");
		if (f->base == 0) {
			put_address(&l, f->address);
		} else {
			put_text(&l, f->path);
			put_text(&l, " +");
			put_address(&l, f->base == 1 ? f->address : f->address - f->base);
		}
		line_end(&l);
	}
}

/* A thread that runs no call, such as one that a plugin has started, is identified by its code. */
static void
blame_by_frames(struct culprit *c)
{
	for (int i = 0; i < frame_count && !c->plugin; i++)
		if (frames[i].base != 0)
			witness->by_path(c, frames[i].path);
}

/* ---- the handler ---- */

static atomic_int crashed; /* the thread that crashed; 0: none yet */
static int crash_signal;

/* The core dump and the exit status are those of the signal. A fault happens again when the
 * handler returns; other signals are sent again. */
static void
end_by(int number)
{
	sigset_t set;

	(void)signal(number, SIG_DFL);
	sigemptyset(&set);
	sigaddset(&set, number);
	(void)syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), number);
	(void)pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

/* The handler took too long: SIGALRM ends the process. */
static void
give_up(int number)
{
	(void)number;
	end_by(crash_signal);
	_exit(128 + crash_signal);
}

static void
begin_countdown(void)
{
	struct sigaction action = { .sa_handler = give_up };
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGALRM);
	(void)sigaction(SIGALRM, &action, NULL);
	(void)pthread_sigmask(SIG_UNBLOCK, &set, NULL);
	(void)alarm(GIVE_UP_S);
}

static void
tell_all(const siginfo_t *info, const void *context)
{
	static struct culprit c;
	bool foreign = is_foreign(info);

	witness->here(&c);
	/* What must survive the process is written first; the rest may fail. */
	if (!foreign && c.plugin)
		witness->keep(&c, name_of(info->si_signo));
	tell_what(info, &c);
	take_frames(fault_address(context));
	locate_frames();
	if (!foreign && !c.plugin) {
		blame_by_frames(&c);
		witness->keep(&c, name_of(info->si_signo));
	}
	tell_frames();
}

static void
on_fatal(int number, siginfo_t *info, void *context)
{
	int none = 0, self = (int)syscall(SYS_gettid);

	if (!atomic_compare_exchange_strong(&crashed, &none, self)) {
		/* Another thread is reporting its crash and ends the process in a moment. A
		 * crash inside the handler ends it now. */
		while (none != self)
			(void)pause();
		end_by(number);
		return;
	}
	crash_signal = number;
	begin_countdown();
	tell_all(info, context);
	if (info->si_code <= 0 || number == SIGSYS || number == SIGTRAP)
		end_by(number);
	else
		(void)signal(number, SIG_DFL);
}

void
crash_handle(const struct crash_witness *asked)
{
	struct sigaction action = { .sa_sigaction = on_fatal, .sa_flags = SA_SIGINFO | SA_ONSTACK };
	void *frame;

	witness = asked;
	(void)backtrace(&frame, 1);
	(void)thread_stack_make(); /* as long as the process */
	/* A fault inside the handler is not handled: the kernel ends the process by it. */
	sigfillset(&action.sa_mask);
	for (size_t i = 0; i < FATAL; i++)
		stet_assert(sigaction(fatal[i].number, &action, NULL) == 0);
}

#else

void
crash_handle(const struct crash_witness *asked)
{
	(void)asked;
}

#endif
