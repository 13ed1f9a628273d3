/* webhooks.h - what the files of the webhooks module share. */
#ifndef WEBHOOKS_H
#define WEBHOOKS_H

#include <pthread.h>
#include <stet/module.h>

#define SENDERS 2 /* jobs that send at the same time: half of the default size of the slow pool */
#define ID_SIZE 27

struct webhooks_state {
	pthread_mutex_t lock;
	char busy[SENDERS]
		 [ID_SIZE]; /* the target that each job sends to; "": none. Guarded by the lock. */
	_Atomic int64_t keep_due; /* when old deliveries are next looked for; 0: now */
};
enum stet_status webhooks_open(struct stet_call *, void *state);
void webhooks_close(void *state);

/* ---- target.c: the targets and their secrets ---- */

extern const struct stet_member targets_out[], target_create_in[], target_secret_out[],
    target_by_id[], target_out[], target_update_in[], target_done_out[];
stet_handler target_list, target_create, target_get, target_update, target_delete, target_rotate;

/* The column of the sealed secrets. */
#define TARGET_SECRET                                               \
	{                                                           \
		"webhook", "secret", "id", "stet webhook rotate ID" \
	}
/* Migration: seals the secrets that older versions stored in plain text. */
STET_MUST enum stet_status target_seal_all(struct stet_call *, struct stet_tx *);
/* Unseals the secret of a target. */
STET_MUST enum stet_status target_secret(
    struct stet_call *, const char *id, const char *sealed, const char **secret);
/* Fails with NOT_FOUND if there is no such target. */
STET_MUST enum stet_status target_check(struct stet_call *, const char *id);

/* ---- check.c: a check of `stet doctor` ---- */

stet_handler check_targets;

/* ---- event.c: the names, subjects and bodies of events ---- */

#define EVENT_PING "ping"
#define EVENT_PURGE "cache.purge"

struct happening {
	const char *event;
	const char *collection; /* NULL: the event belongs to no collection */
	const char *subject; /* events of one subject are sent in order */
	const char *data; /* JSON text */
};

/* Returns true for the name of an event, or of a family of events (content.*). */
bool event_known(const char *name);
/* All names that event_known accepts, separated by commas; for the text of an error. */
const char *event_names(struct stet_call *);
/* The subject of an event with this payload; "" if it has none. */
const char *event_subject(struct stet_call *, const char *event, const json_t *data);
/* The body of a delivery; `data` is JSON text. */
const char *event_body(
    struct stet_call *, const char *delivery, const char *event, const char *now, const char *data);

/* ---- subscriber.c: the enabled targets, and the events that each gets ---- */

/* The failures of a target. */
struct backoff {
	int64_t failing; /* deliveries whose first attempt failed, since the last success */
	const char *retry_at; /* tried deliveries wait until then; NULL: no failure */
};

/* An enabled target. */
struct subscriber {
	struct subscriber *next;
	const char *id, *events, *collections; /* the last two are JSON */
	int64_t waiting;
	struct backoff backoff;
	const char *due_at; /* time of the next attempt; NULL: no delivery waits */
};
STET_MUST enum stet_status subscriber_list(struct stet_call *, struct subscriber **);
/* Returns true if one of the subscribers wants the event. */
bool subscriber_wants(struct stet_call *, const struct subscriber *, const struct happening *);
/* Stores a delivery for each subscriber that wants the event. */
STET_MUST enum stet_status subscriber_deliver(
    struct stet_call *, struct stet_tx *, const struct subscriber *, const struct happening *);

/* ---- hooks.c: turns changes of the site into events ---- */

stet_entry_address_left_fn hook_left;
stet_entry_changed_fn hook_entry;
stet_schema_changing_fn hook_schema;
stet_entry_overdue_fn hook_overdue;
stet_release_told_fn hook_release;
stet_comment_after_create_fn hook_comment_created;
stet_comment_after_moderate_fn hook_comment_moderated;
stet_note_after_change_fn hook_note;
stet_review_after_change_fn hook_review;
stet_byline_after_save_fn hook_byline_saved;
stet_byline_after_delete_fn hook_byline_deleted;

/* ---- purge.c: events for the caches in front of the site ---- */

STET_MUST enum stet_status purge_entry(struct stet_call *, struct stet_tx *,
    const struct subscriber *, const struct stet_collection *, const char *id, const char *change);
STET_MUST enum stet_status purge_schema(
    struct stet_call *, struct stet_tx *, const struct subscriber *, const char *collection);
stet_op_written_fn purge_written;

/* ---- send.c: sending deliveries ---- */

/* One request to a target, and its result. */
struct attempt {
	const char *id, *event, *subject, *body, *url;
	const char *target, *sealed; /* id of the target, and its secret in sealed form */
	int64_t number; /* counts from 1 */
	/* Set by send_once. */
	bool good, gone; /* gone: the receiver wants no further deliveries (410) */
	bool unsent; /* another daemon sends now */
	int status; /* HTTP status; 0: no response */
	int64_t duration; /* ms */
	const char *error; /* in words; NULL if good */
	const char *response; /* the beginning of the response's body */
};
void send_once(struct stet_call *, struct attempt *);
/* The due times and the functions of the two jobs that send. The first job serves all targets, the
 * second only those without failures. An attempt at a failing target may take ten seconds, but
 * failing targets hold up one job at most. */
int64_t send_due_any(struct stet_call *);
int64_t send_due_sound(struct stet_call *);
stet_handler send_run_any, send_run_sound;

/* ---- queue.c: the pending deliveries of a target, and their order ---- */

/* The names of the jobs that send. */
#define SENDER_ANY "send1"
#define SENDER_SOUND "send2"

#define WAITING_MAX 100000 /* pending deliveries of one target */

/* Stores a delivery for the subscriber. If the subscriber has WAITING_MAX pending deliveries,
 * stores this one as dead (given up). */
STET_MUST enum stet_status queue_add(
    struct stet_call *, struct stet_tx *, const struct subscriber *, const struct happening *);
/* Finds the delivery of the target out->target that is to be sent next, and the time for it.
 * out->id stays NULL if no delivery is pending. */
STET_MUST enum stet_status queue_next(
    struct stet_call *, const struct backoff *, struct attempt *out, const char **due);
/* Makes the oldest pending delivery of the subject its head. Call it when the head is no longer
 * pending. */
STET_MUST enum stet_status queue_release(
    struct stet_call *, struct stet_tx *, const char *target, const char *subject);
/* The same, but only if the subject has no head. For changes by which it may have lost its head. */
STET_MUST enum stet_status queue_mend(
    struct stet_call *, struct stet_tx *, const char *target, const char *subject);
/* Ends all pauses of a target: its pending deliveries are due at once. */
STET_MUST enum stet_status queue_wake(struct stet_call *, struct stet_tx *, const char *target);
/* Makes the jobs look for due targets. */
void queue_wake_jobs(struct stet_call *);
/* Migration: gives subjects and heads to the deliveries that earlier versions stored. */
STET_MUST enum stet_status queue_migrate(struct stet_call *, struct stet_tx *);

/* ---- backlog.c: replaying and dropping deliveries ---- */

extern const struct stet_member replay_in[], replay_out[], drop_in[], drop_out[];
stet_handler delivery_replay, delivery_drop;

/* ---- delivery.c: the log ---- */

extern const struct stet_member deliveries_in[], deliveries_out[], delivery_by_id[], delivery_out[];
stet_handler deliveries, delivery_get, target_test;
int64_t keep_due(struct stet_call *);
stet_handler keep_run;

#endif
