/* thread.c - threads of the daemon. */
#include "base/thread.h"
#include "base/log.h"
#include <signal.h>

void
thread_start(pthread_t *thread, const char *name, void *(*fn)(void *), void *arg)
{
	sigset_t all, old;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	stet_assert(pthread_create(thread, NULL, fn, arg) == 0);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	(void)pthread_setname_np(*thread, name);
}
