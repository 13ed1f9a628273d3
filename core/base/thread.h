/* thread.h - threads of the daemon: named, and deaf to signals, which are the main thread's. */
#ifndef CORE_THREAD_H
#define CORE_THREAD_H

#include <pthread.h>

/* Stops the process when there can be no thread. name: at most 15 characters, for ps and gdb. */
void thread_start(pthread_t *, const char *name, void *(*fn)(void *), void *arg);

#endif
