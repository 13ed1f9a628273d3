/*
 * usage.c - when tokens were last used.
 *
 * Requests only note the time in memory; a job writes it to the database, at most once a minute.
 * A read request therefore causes no write. Times that were not yet written are lost if the
 * daemon crashes.
 */
#include "auth.h"
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#define WRITE_EVERY 60000 /* milliseconds between two writes of a token */
#define SIZE_FIRST 64
#define SIZE_MAX_SLOTS                                                                          \
	65536 /* the table takes no further tokens beyond three quarters of this; they wait for \
		 the job */
#define WRITE_AT_ONCE 500 /* rows in one transaction, so that other writes need not wait long */

enum stet_status
usage_open(struct stet_call *call, void *state)
{
	struct auth_state *s = state;

	if (sodium_init() < 0)
		return stet_fault(call, "libsodium does not start");
	if (pthread_mutex_init(&s->lock, NULL) != 0)
		return stet_fault(call, "no lock for the usage of tokens");
	return STET_OK;
}

void
usage_close(void *state)
{
	struct auth_state *s = state;

	free(s->slot);
	pthread_mutex_destroy(&s->lock);
}

/* The slot of a token, or the free slot for it. There is always a free slot. */
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

/* Makes room for one more token. Returns false if there is no memory or the table is at its
 * limit. */
static bool
grow(struct auth_state *s)
{
	size_t size = s->size == 0 ? SIZE_FIRST : s->size * 2;
	struct usage_slot *slot;

	if (s->count < s->size / 4 * 3)
		return true;
	if (size > SIZE_MAX_SLOTS || (slot = calloc(size, sizeof(*slot))) == NULL)
		return false;
	for (size_t i = 0; i < s->size; i++)
		if (s->slot[i].id[0] != '\0')
			*find(slot, size, s->slot[i].id) = s->slot[i];
	free(s->slot);
	s->slot = slot;
	s->size = size;
	return true;
}

/* Returns true if this is the first use since the last write. */
static bool
note(struct auth_state *s, const char *id, int64_t at)
{
	struct usage_slot *slot;
	bool first;

	if (!grow(s))
		return false;
	slot = find(s->slot, s->size, id);
	first = s->count == 0;
	if (slot->id[0] == '\0') {
		memcpy(slot->id, id, 27);
		s->count++;
	}
	if (slot->at < at)
		slot->at = at;
	return first;
}

void
usage_note(struct stet_call *call, const char *token_id)
{
	struct auth_state *s = stet_state(call);
	int64_t now = stet_now(call);
	bool first;

	if (!stet_is_id(token_id))
		return;
	pthread_mutex_lock(&s->lock);
	first = note(s, token_id, now);
	pthread_mutex_unlock(&s->lock);
	if (first)
		stet_job_wake(call, USAGE_JOB);
}

int64_t
usage_due(struct stet_call *call)
{
	struct auth_state *s = stet_state(call);
	int64_t now = stet_now(call), due = -1;

	pthread_mutex_lock(&s->lock);
	if (s->count > 0) /* the clock may have been set back */
		due = s->written > now ? now : s->written + WRITE_EVERY;
	pthread_mutex_unlock(&s->lock);
	return due;
}

struct batch {
	const struct usage_slot *slot;
	size_t size;
};

static enum stet_status
write_batch(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	const struct batch *b = arg;

	for (size_t i = 0; i < b->size; i++) {
		if (b->slot[i].id[0] == '\0')
			continue;
		STET_TRY(stet_exec(call, tx,
		    "UPDATE api_tokens SET last_used_at = ?1 WHERE id = ?2"
		    " AND (last_used_at IS NULL OR last_used_at < ?1)",
		    STET_ARGS(stet_time_text(call, b->slot[i].at), (const char *)b->slot[i].id)));
	}
	return STET_OK;
}

/* Takes the noted times out of the state; requests go on with an empty table. */
static struct usage_slot *
take(struct auth_state *s, int64_t now, size_t *size)
{
	struct usage_slot *slot;

	pthread_mutex_lock(&s->lock);
	slot = s->slot;
	*size = s->size;
	s->slot = NULL;
	s->size = s->count = 0;
	s->written = now;
	pthread_mutex_unlock(&s->lock);
	return slot;
}

static void
put_back(struct auth_state *s, const struct usage_slot *slot, size_t size)
{
	pthread_mutex_lock(&s->lock);
	for (size_t i = 0; i < size; i++)
		if (slot[i].id[0] != '\0')
			note(s, slot[i].id, slot[i].at);
	pthread_mutex_unlock(&s->lock);
}

enum stet_status
usage_write(struct stet_call *call)
{
	struct auth_state *s = stet_state(call);
	enum stet_status status = STET_OK;
	size_t size, done;
	struct usage_slot *slot = take(s, stet_now(call), &size);

	for (done = 0; done < size && status == STET_OK; done += WRITE_AT_ONCE) {
		size_t n = size - done < WRITE_AT_ONCE ? size - done : WRITE_AT_ONCE;

		status = stet_write_lane(call, write_batch, &(struct batch){ slot + done, n });
	}
	if (status != STET_OK)
		put_back(s, slot, size);
	free(slot);
	return status;
}
