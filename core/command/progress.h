/* progress.h - shows the progress of a long command on a terminal, and handles interrupts. */
#ifndef CORE_PROGRESS_H
#define CORE_PROGRESS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* From now on an interrupt sets this flag, and the command cleans up after itself. */
const atomic_bool *progress_stop(void);
/* Shows how much is done, now and then, if standard error is a terminal. arg is not used. */
void progress_show(void *arg, const char *what, uint64_t done, uint64_t all);
/* Clears the line for other output. */
void progress_end(void);

#endif
