/* thread.c - threads of the daemon. */
#include "base/thread.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/log.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define STACK_BYTES 65536 /* the size of a signal stack; the unwinder needs some 10 KiB */

/* The lowest page is a guard page: an overflow of the signal stack faults there instead of
 * damaging other memory. */
void *
thread_stack_make(void)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	char *memory = mmap(NULL, page + STACK_BYTES, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
	stack_t stack = { .ss_size = STACK_BYTES };

	if (memory == MAP_FAILED)
		return NULL;
	stack.ss_sp = memory + page;
	if (mprotect(memory, page, PROT_NONE) == 0 && sigaltstack(&stack, NULL) == 0)
		return memory;
	(void)munmap(memory, page + STACK_BYTES);
	return NULL;
}

void
thread_stack_drop(void *memory)
{
	stack_t none = { .ss_flags = SS_DISABLE };

	if (memory == NULL)
		return;
	(void)sigaltstack(&none, NULL);
	(void)munmap(memory, (size_t)sysconf(_SC_PAGESIZE) + STACK_BYTES);
}

struct start {
	char name[16]; /* includes the NUL */
	void *(*fn)(void *);
	void *arg;
};

static void *
run(void *arg)
{
	struct start start = *(struct start *)arg;
	void *stack = thread_stack_make(), *result;

	free(arg);
	(void)pthread_setname_np(pthread_self(), start.name);
	result = start.fn(start.arg);
	thread_stack_drop(stack);
	return result;
}

/* Blocks all signals but those of a crash: a blocked one would end the process without a report. */
static void
fill_mask(sigset_t *set)
{
	static const int fatal[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS };

	sigfillset(set);
	for (size_t i = 0; i < sizeof(fatal) / sizeof(fatal[0]); i++)
		sigdelset(set, fatal[i]);
}

static bool
create(
    pthread_t *thread, const pthread_attr_t *attr, const char *name, void *(*fn)(void *), void *arg)
{
	struct start *start = xmalloc(sizeof(*start));
	sigset_t set, old;
	bool good;

	*start = (struct start){ .fn = fn, .arg = arg };
	(void)snprintf(start->name, sizeof(start->name), "%s", name);
	fill_mask(&set);
	pthread_sigmask(SIG_SETMASK, &set, &old);
	good = pthread_create(thread, attr, run, start) == 0;
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	if (!good)
		free(start);
	return good;
}

bool
thread_try(pthread_t *thread, const char *name, void *(*fn)(void *), void *arg)
{
	return create(thread, NULL, name, fn, arg);
}

void
thread_start(pthread_t *thread, const char *name, void *(*fn)(void *), void *arg)
{
	if (thread_try(thread, name, fn, arg))
		return;
	log_line(
	    STET_ERROR, "the thread %s does not start, for want of memory or by a limit", name);
	_exit(EXIT_FAILURE);
}

bool
thread_detach(const char *name, void *(*fn)(void *), void *arg)
{
	pthread_attr_t detached;
	pthread_t thread;
	bool good;

	pthread_attr_init(&detached);
	pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
	good = create(&thread, &detached, name, fn, arg);
	pthread_attr_destroy(&detached);
	return good;
}

bool
thread_lock_by(pthread_mutex_t *mutex, int64_t by)
{
#ifdef __SANITIZE_THREAD__ /* it knows nothing of pthread_mutex_clocklock */
	while (pthread_mutex_trylock(mutex) != 0) {
		if (clock_monotonic() >= by)
			return false;
		(void)usleep(1000);
	}
	return true;
#else
	const struct timespec until = { .tv_sec = by / 1000, .tv_nsec = by % 1000 * 1000000 };

	return pthread_mutex_clocklock(mutex, CLOCK_MONOTONIC, &until) == 0;
#endif
}
