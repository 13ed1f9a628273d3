/* slow.h - the bounded pool for work that waits: hashing, images, outgoing requests, long exports.
 */
#ifndef CORE_SLOW_H
#define CORE_SLOW_H

#include <stdbool.h>

void slow_start(int threads, unsigned queue_max);
void slow_stop(void); /* finish what is queued, join */
/* Run fn(arg) on the pool. false: the queue is full. */
bool slow_submit(void (*fn)(void *), void *arg);

#endif
