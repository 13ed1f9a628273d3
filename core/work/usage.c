/*
 * usage.c - when records were last used: kept in memory by requests, written by a job of their
 * module at most once a minute.
 */
#include "call/call.h"
#include <pthread.h>
#include <stdlib.h>
#include <stet/module.h>
#include <stet/usage.h>
#include <string.h>

#define WRITE_EVERY 60000 /* milliseconds between two writes of a record */
#define SIZE_FIRST 64
#define SIZE_MAX_SLOTS                                                                           \
	65536 /* the table takes no further records beyond three quarters of this; they wait for \
		 the job */
#define WRITE_AT_ONCE 500 /* rows in one transaction, so that other writes need not wait long */

struct usage_slot {
	char id[27]; /* "": the slot is free */
	int64_t at; /* milliseconds */
};

struct stet_usage {
	pthread_mutex_t lock;
	struct usage_slot *slot; /* a hash table with open addressing, from malloc */
	size_t size, count; /* size is a power of two, or 0 */
	int64_t written; /* when the job last wrote to the database, milliseconds */
};

struct stet_usage *
stet_usage_new(void)
{
	struct stet_usage *u = calloc(1, sizeof(*u));

	if (u != NULL && pthread_mutex_init(&u->lock, NULL) != 0) {
		free(u);
		u = NULL;
	}
	return u;
}

void
stet_usage_free(struct stet_usage *u)
{
	if (u == NULL)
		return;
	free(u->slot);
	pthread_mutex_destroy(&u->lock);
	free(u);
}

/* The slot of a record, or the free slot for it. There is always a free slot. */
static struct usage_slot *
find(struct usage_slot *slot, size_t size, const char *id)
{
	uint64_t h;
	size_t i;

	memcpy(&h, id + 26 - sizeof(h), sizeof(h)); /* the last bytes of a ULID are random */
	for (i = (h * UINT64_C(0x9e3779b97f4a7c15)) >> 40;; i++) {
		struct usage_slot *s = &slot[i & (size - 1)];

		if (s->id[0] == '\0' || memcmp(s->id, id, 26) == 0)
			return s;
	}
}

/* Makes room for one more record. Returns false if there is no memory or the table is at its
 * limit. */
static bool
grow(struct stet_usage *u)
{
	size_t size = u->size == 0 ? SIZE_FIRST : u->size * 2;
	struct usage_slot *slot;

	if (u->count < u->size / 4 * 3)
		return true;
	if (size > SIZE_MAX_SLOTS || (slot = calloc(size, sizeof(*slot))) == NULL)
		return false;
	for (size_t i = 0; i < u->size; i++)
		if (u->slot[i].id[0] != '\0')
			*find(slot, size, u->slot[i].id) = u->slot[i];
	free(u->slot);
	u->slot = slot;
	u->size = size;
	return true;
}

/* Returns true if this is the first use since the last write. */
static bool
note(struct stet_usage *u, const char *id, int64_t at)
{
	struct usage_slot *slot;
	bool first;

	if (!grow(u))
		return false;
	slot = find(u->slot, u->size, id);
	first = u->count == 0;
	if (slot->id[0] == '\0') {
		memcpy(slot->id, id, 27);
		u->count++;
	}
	if (slot->at < at)
		slot->at = at;
	return first;
}

void
stet_usage_note(struct stet_call *call, struct stet_usage *u, const char *id, const char *job)
{
	int64_t now = stet_now(call);
	bool first;

	if (!stet_is_id(id))
		return;
	pthread_mutex_lock(&u->lock);
	first = note(u, id, now);
	pthread_mutex_unlock(&u->lock);
	if (first)
		stet_job_wake(call, job);
}

int64_t
stet_usage_due(struct stet_call *call, struct stet_usage *u)
{
	int64_t now = stet_now(call), due = -1;

	pthread_mutex_lock(&u->lock);
	if (u->count > 0) /* the clock may have been set back */
		due = u->written > now ? now : u->written + WRITE_EVERY;
	pthread_mutex_unlock(&u->lock);
	return due;
}

struct batch {
	const struct usage_slot *slot;
	size_t size;
	enum stet_status (*write)(struct stet_call *, struct stet_tx *, const char *, int64_t);
};

static enum stet_status
write_batch(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	const struct batch *b = arg;

	for (size_t i = 0; i < b->size; i++)
		if (b->slot[i].id[0] != '\0')
			STET_TRY(b->write(call, tx, b->slot[i].id, b->slot[i].at));
	return STET_OK;
}

/* Takes the noted times out of the state; requests go on with an empty table. */
static struct usage_slot *
take(struct stet_usage *u, int64_t now, size_t *size)
{
	struct usage_slot *slot;

	pthread_mutex_lock(&u->lock);
	slot = u->slot;
	*size = u->size;
	u->slot = NULL;
	u->size = u->count = 0;
	u->written = now;
	pthread_mutex_unlock(&u->lock);
	return slot;
}

static void
put_back(struct stet_usage *u, const struct usage_slot *slot, size_t size)
{
	pthread_mutex_lock(&u->lock);
	for (size_t i = 0; i < size; i++)
		if (slot[i].id[0] != '\0')
			note(u, slot[i].id, slot[i].at);
	pthread_mutex_unlock(&u->lock);
}

enum stet_status
stet_usage_write(struct stet_call *call, struct stet_usage *u,
    enum stet_status (*write)(struct stet_call *, struct stet_tx *, const char *, int64_t))
{
	enum stet_status status = STET_OK;
	size_t size, done;
	struct usage_slot *slot = take(u, stet_now(call), &size);

	for (done = 0; done < size && status == STET_OK; done += WRITE_AT_ONCE) {
		size_t n = size - done < WRITE_AT_ONCE ? size - done : WRITE_AT_ONCE;

		status =
		    stet_write_lane(call, write_batch, &(struct batch){ slot + done, n, write });
	}
	if (status != STET_OK)
		put_back(u, slot, size);
	free(slot);
	return status;
}
