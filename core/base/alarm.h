/*
 * alarm.h - something that rings at a time, by the daemon's clock. One thread sleeps until the
 * earliest; no polling. Without the thread (commands, tests) nothing rings.
 */
#ifndef CORE_ALARM_H
#define CORE_ALARM_H

#include <stddef.h>
#include <stdint.h>

/* Rings once. Zero-initialised but for ring and arg, and owned by who uses it. */
struct alarm {
	size_t at; /* its place in the heap, counted from 1; 0: it is not set */
	int64_t due; /* milliseconds since the epoch */
	void (*ring)(void *); /* on the timer thread: must not take long */
	void *arg;
};
void alarm_set(struct alarm *, int64_t due); /* moves one that is set already */
void alarm_unset(struct alarm *); /* and wait while it is ringing */

void alarms_start(void);
void alarms_stop(void);

#endif
