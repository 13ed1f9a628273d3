/*
 * thread.h - threads of the daemon. They have a name, block the signals that the main thread
 * handles, and have a signal stack, on which crashes are reported (crash.h).
 */
#ifndef CORE_THREAD_H
#define CORE_THREAD_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

/* Starts a thread; ends the process if that is impossible. name: at most 15 characters, shown by
 * ps and gdb. */
void thread_start(pthread_t *, const char *name, void *(*fn)(void *), void *arg);
/* The same, but returns false if that is impossible. */
bool thread_try(pthread_t *, const char *name, void *(*fn)(void *), void *arg);
/* Starts a thread that is not joined. Returns false if that is impossible. */
bool thread_detach(const char *name, void *(*fn)(void *), void *arg);

/* Locks a mutex by a time (clock_monotonic). Returns false if it is not free until then. */
bool thread_lock_by(pthread_mutex_t *, int64_t by);

/* Gives the calling thread a signal stack, so that the handler of a stack overflow can run. If
 * there is no memory for it the thread goes on without. It is freed when the thread ends.
 * Threads of thread_start and thread_detach have one. */
void *thread_stack_make(void);
void thread_stack_drop(void *stack);

#endif
