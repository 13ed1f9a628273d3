/* progress.h - how far a long command is, on a terminal; and that it may be interrupted. */
#ifndef CORE_PROGRESS_H
#define CORE_PROGRESS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* From now on an interrupt sets this, and the command tidies up after itself. */
const atomic_bool *progress_stop(void);
/* What is done of all there is; shown on a terminal, now and then. arg is not used. */
void progress_show(void *arg, const char *what, uint64_t done, uint64_t all);
/* The line is free for other words. */
void progress_end(void);

#endif
