/*
 * alarm.h - functions that are called at a time of the daemon's clock. One thread sleeps until
 * the earliest; nothing polls. Without that thread (commands, tests) no alarm rings.
 */
#ifndef CORE_ALARM_H
#define CORE_ALARM_H

#include <stddef.h>
#include <stdint.h>

/* An alarm rings once. Initialise it with zeros, ring and arg. The caller owns it. */
struct alarm {
	size_t at; /* its index in the heap, counted from 1; 0: it is not set */
	int64_t due; /* milliseconds since the epoch */
	void (*ring)(void *); /* called on the timer thread, which it must not block */
	void *arg;
};
void alarm_set(struct alarm *, int64_t due); /* Sets the alarm, or moves it if it is set. */
void alarm_unset(
    struct alarm *); /* Takes the alarm back. If it is ringing, waits until that has ended. */

void alarms_start(void);
void alarms_stop(void);

#endif
