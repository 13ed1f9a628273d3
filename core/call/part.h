/*
 * part.h - parts of a call that belong to later rooms.
 *
 * A room declares a structure with its own members of a call, and registers it while the program
 * starts. Each call has all parts behind struct stet_call in the same block of memory, zeroed with
 * it, so a part costs no allocation of its own. struct call_part is the id by which the room finds
 * its part in a call; adr/0082.
 */
#ifndef CORE_CALL_PART_H
#define CORE_CALL_PART_H

#include <stddef.h>
#include <stdint.h>

struct stet_call;

struct call_part {
	size_t size;
	/* Frees what the part refers to. Called first of all when a call is freed. NULL: nothing
	 * to do. */
	void (*end)(struct stet_call *);
	size_t at; /* offset from the call, set by call_part_add */
	struct call_part *next;
};

/* Ends the process if a call was made before. */
void call_part_add(struct call_part *);
/* Registers the part `id` by a constructor: the offsets are assigned before main, by one thread. */
#define CALL_PART_ADD(id)                                       \
	__attribute__((constructor)) static void id##_add(void) \
	{                                                       \
		call_part_add(&(id));                           \
	}
/* The size of a call with all its parts. No part can be added after this. */
size_t call_parts_size(void);
/* Calls the end function of each part that has one. */
void call_parts_end(struct stet_call *);

/* The part of this call. */
static inline void *
call_part(const struct stet_call *call, const struct call_part *part)
{
	return (char *)(uintptr_t)call + part->at;
}

/* The call of which this is the part. */
static inline struct stet_call *
call_of_part(void *at, const struct call_part *part)
{
	return (struct stet_call *)(void *)((char *)at - part->at);
}

#endif
