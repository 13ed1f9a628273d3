/*
 * event.c - reports sign-ins and failed sign-ins to the audit log.
 *
 * Strangers can fail as often as the limits allow. So failures are collected in memory, equal ones
 * as one with a count, and a job reports them every few seconds. Failures that do not fit are only
 * counted.
 */
#include "signin.h"
#include <stdlib.h>
#include <string.h>

#define KINDS 32 /* different failures between two runs of the job */
#define EVERY 10000 /* milliseconds between two runs while there are failures */
#define LOOK 60000 /* milliseconds between two runs otherwise: event_failed does not wake it */
#define NAME_MAX_LEN 100

struct failure {
	char method[21], name[NAME_MAX_LEN + 1], address[64];
	int64_t count;
};

struct events {
	pthread_mutex_t lock;
	struct failure failure[KINDS];
	int count;
	int64_t lost; /* number of failures that did not fit */
	int64_t told; /* when the job last ran, milliseconds */
};

struct events *
events_new(void)
{
	struct events *e = calloc(1, sizeof(*e));

	if (e != NULL && pthread_mutex_init(&e->lock, NULL) != 0) {
		free(e);
		e = NULL;
	}
	return e;
}

void
events_free(struct events *e)
{
	if (e == NULL)
		return;
	pthread_mutex_destroy(&e->lock);
	free(e);
}

static void
add(struct events *e, const struct failure *f)
{
	for (int i = 0; i < e->count; i++) {
		struct failure *has = &e->failure[i];

		if (strcmp(has->method, f->method) == 0 && strcmp(has->name, f->name) == 0 &&
		    strcmp(has->address, f->address) == 0) {
			has->count += f->count;
			return;
		}
	}
	if (e->count < KINDS)
		e->failure[e->count++] = *f;
	else
		e->lost += f->count;
}

void
event_failed(struct stet_call *call, const char *method, const char *name)
{
	struct signin_state *state = stet_state_of(call, "signin");
	struct failure f = { .count = 1 };

	copy_printable(f.method, sizeof(f.method), method);
	copy_printable(f.name, sizeof(f.name), name);
	copy_printable(f.address, sizeof(f.address), stet_client(call));
	pthread_mutex_lock(&state->events->lock);
	add(state->events, &f);
	pthread_mutex_unlock(&state->events->lock);
}

enum stet_status
event_signed_in(struct stet_call *call, struct stet_tx *tx, const char *user_id, const char *method,
    const char *address)
{
	return stet_run_account_event(call, tx,
	    &(struct stet_account_event){ .what = "sign_in",
		.module = "signin",
		.user_id = user_id,
		.method = method,
		.address = *address != '\0' ? address : NULL });
}

/* ---- the job ---- */

int64_t
event_due(struct stet_call *call)
{
	struct signin_state *state = stet_state(call);
	struct events *e = state->events;
	int64_t now = stet_now(call), due = now + LOOK;

	pthread_mutex_lock(&e->lock);
	if (e->count > 0) /* run now if the clock was set back */
		due = e->told > now ? now : e->told + EVERY;
	pthread_mutex_unlock(&e->lock);
	return due;
}

struct taken {
	struct failure failure[KINDS + 1];
	int count;
};

static enum stet_status
write_failures(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	const struct taken *t = arg;

	for (int i = 0; i < t->count; i++) {
		const struct failure *f = &t->failure[i];

		STET_TRY(stet_run_account_event(call, tx,
		    &(struct stet_account_event){ .what = "sign_in_failed",
			.module = "signin",
			.name = *f->name != '\0' ? f->name : NULL,
			.method = f->method,
			.address = *f->address != '\0' ? f->address : NULL,
			.count = f->count }));
	}
	return STET_OK;
}

enum stet_status
event_run(struct stet_call *call)
{
	struct signin_state *state = stet_state(call);
	struct events *e = state->events;
	struct taken *t = stet_alloc(call, sizeof(*t));
	enum stet_status status;

	pthread_mutex_lock(&e->lock);
	memcpy(t->failure, e->failure, sizeof(e->failure));
	t->count = e->count;
	if (e->lost > 0)
		t->failure[t->count++] = (struct failure){ .method = "others", .count = e->lost };
	e->count = 0;
	e->lost = 0;
	e->told = stet_now(call);
	pthread_mutex_unlock(&e->lock);
	status = t->count > 0 ? stet_write_lane(call, write_failures, t) : STET_OK;
	if (status == STET_OK)
		return STET_OK;
	pthread_mutex_lock(&e->lock);
	for (int i = 0; i < t->count; i++)
		add(e, &t->failure[i]);
	pthread_mutex_unlock(&e->lock);
	return status;
}
