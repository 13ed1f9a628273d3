/* thread.h - threads of the daemon: named, deaf to signals, which are the main thread's, and with a
 * signal stack, on which a crash is told (crash.h). */
#ifndef CORE_THREAD_H
#define CORE_THREAD_H

#include <pthread.h>
#include <stdbool.h>

/* Stops the process when there can be no thread. name: at most 15 characters, for ps and gdb. */
void thread_start(pthread_t *, const char *name, void *(*fn)(void *), void *arg);
/* One that nobody joins. false: there can be none. */
bool thread_detach(const char *name, void *(*fn)(void *), void *arg);

/* A signal stack for the calling thread, so that the handler of a stack overflow can run: made when
 * the thread starts, dropped when it ends. Without memory for it the thread goes on without one.
 * Those that thread_start and thread_detach start have one. */
void *thread_stack_make(void);
void thread_stack_drop(void *stack);

#endif
