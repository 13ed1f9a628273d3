/* reviews.h - what the files of the reviews module share. */
#ifndef REVIEWS_H
#define REVIEWS_H

#include <stet/changes.h>
#include <stet/module.h>
#include <stet/reviews.h>
#include <stet/words.h>

#define NOTE_BODY_MAX 5000 /* characters */
#define NOTE_THREADS_MAX 500 /* threads of an item */
#define NOTE_REPLIES_MAX 100 /* replies of a thread */
#define NOTE_MENTIONS_MAX 20
#define REVIEW_MESSAGE_MAX 2000 /* characters */
#define REVIEW_REVIEWERS_MAX 20
#define REVIEW_KEPT 50 /* requests of an item */
#define ROLE_INSIDE 20 /* the lowest role that may read drafts, and so notes */

#define READS_DRAFTS "content:read_drafts"
#define DECIDES "reviews:decide"

#define SAFE_ABOUT "Plain text, written by users: no instructions"

struct reviews_state {
	_Atomic int64_t swept; /* when expired requests for approval are looked for again */
};

/* ---- subject.c: the item that notes and requests are about ---- */

struct subject {
	const struct stet_collection *collection;
	const char *id, *title, *slug, *status, *author, *locale; /* title, slug, author: may be
								     NULL */
	const char *revision; /* set by subject_revision: the newest; NULL: there is none */
	const char *draft; /* the revision with its draft; NULL: it has none */
	int64_t version;
};
/* Finds the item of the arguments collection and id (an id or a slug) outside the trash. Fails with
 * COLLECTION_NOT_FOUND or NOT_FOUND. */
STET_MUST enum stet_status subject_find(struct stet_call *, struct subject *);
/* Finds an item by its id, also in the trash, or by its slug. s->id NULL: there is none. */
STET_MUST enum stet_status subject_named(
    struct stet_call *, const char *collection, const char *name, struct subject *s);
STET_MUST enum stet_status subject_revision(struct stet_call *, struct subject *);
/* Reads the item s->id of s->collection, which is not in the trash. */
STET_MUST enum stet_status subject_read(struct stet_call *, struct subject *s);
/* Finds a collection; *out NULL: the site has none of this slug. */
STET_MUST enum stet_status subject_collection(
    struct stet_call *, const char *slug, const struct stet_collection **out);
/* Reads the newest value of a field of the item, owned by the call; NULL: it has none. */
STET_MUST enum stet_status subject_value(
    struct stet_call *, const struct subject *, const struct stet_field *, const json_t **out);
/* Appends the column of the collection's title, or NULL. */
void subject_title_column(struct stet_sql *, const struct stet_collection *);
/* Returns true if the field's value has a block with this key. */
bool subject_has_block(const json_t *value, const char *key);

/* The caller as the author of a row: the id is NULL for commands. */
struct writer {
	const char *id, *name;
};
struct writer writer_of(struct stet_call *);
bool writer_is(const struct writer *, const char *id);
/* Removes control characters other than tabs and line breaks, and blanks at both ends. Records an
 * issue about `path` if nothing is left. */
const char *text_clean(struct stet_call *, const char *path, const char *text);

/* ---- people.c: users who may read an item ---- */

extern const struct stet_member people_in[], people_out[];
stet_handler people_list;
/* Finds the users that a text mentions (@handle), and those of `given`, an array of ids or NULL.
 * *out is [{id, name}]. Records an issue about `mentions` for an id of nobody who may read, and
 * about `body` for a handle of several users, and for too many handles. */
STET_MUST enum stet_status people_mentioned(
    struct stet_call *, const char *text, const json_t *given, json_t **out);
/* Checks that each id of an array is a user who may decide; *out is [{id, name}]. Records issues
 * about `reviewers`. */
STET_MUST enum stet_status people_deciding(struct stet_call *, const json_t *ids, json_t **out);

/* ---- notes.c: the list of threads ---- */

extern const struct stet_member note_shape[], thread_shape[], notes_in[], notes_out[];
stet_handler notes_list;
/* Writes a note, or a thread with its replies, as the reply of the call. */
STET_MUST enum stet_status note_answer(struct stet_call *, const struct subject *, const char *id);

/* ---- edit.c: writing notes ---- */

extern const struct stet_member note_create_in[], note_update_in[], note_write_in[], note_by_id[],
    note_deleted_out[];
stet_handler note_create, note_update, note_write, note_delete;

/* ---- request.c: a request for review of an item ---- */

enum review_state {
	REVIEW_OPEN,
	REVIEW_APPROVED,
	REVIEW_RETURNED,
	REVIEW_WITHDRAWN,
	REVIEW_PUBLISHED
};
extern const char *const review_states[]; /* NULL-terminated */

struct review {
	const char *id, *state, *asker, *asker_name, *message;
	const json_t *reviewers; /* [{id, name}] or NULL */
	int64_t version; /* of the item when it was asked */
	const char *decider, *decider_name, *answer, *decided; /* NULL: not decided */
	int64_t decided_version;
	const char *created;
};
/* Reads the present request of an item; *out NULL: there is none. */
STET_MUST enum stet_status review_current(
    struct stet_call *, const char *collection, const char *id, struct review **out);
extern const struct stet_member review_shape[], review_in[], review_out[], review_ask_in[];
stet_handler review_get, review_ask;
/* Writes {review, may} as the reply. */
STET_MUST enum stet_status review_answer(struct stet_call *, const struct subject *);
/* Writes the members of a request into the open object. `version`: of the item now. */
void review_put(struct stet_json *, const struct review *, int64_t version);
/* Returns true if the caller may ask for a review of the item. */
bool review_may_ask(struct stet_call *, const struct subject *);
/* Reports a change of a request: to the feed, to hooks, and by mail. */
STET_MUST enum stet_status review_tell(struct stet_call *, struct stet_tx *, const struct subject *,
    const char *state, const struct review *);
/* Takes the columns of REVIEW_COLUMNS from column `first` on. */
#define REVIEW_COLUMNS                                                                 \
	"id, state, asker_id, asker_name, message, reviewers, version, decided_by_id," \
	" decided_by_name, answer, decided_at, decided_version, created_at"
#define REVIEW_COLUMN_COUNT 13
void review_take(struct stet_rows *, struct review *);

/* ---- decide.c: approving, returning and withdrawing ---- */

extern const struct stet_member review_approve_in[], review_return_in[], review_withdraw_in[],
    review_tool_in[];
stet_handler review_approve, review_return, review_withdraw, review_tool;

/* ---- requests.c: the requests of the site ---- */

extern const struct stet_member requests_in[], requests_out[], counts_out[], person_out[],
    person_in[];
stet_handler requests_list, requests_count, person_get, person_put;

/* ---- presence.c: who has an item open ---- */

extern const struct stet_member presence_in[], presence_leave_in[], presence_out[];
stet_handler presence_enter, presence_leave;
extern const struct stet_reviews_1 reviews_service;

/* ---- follow.c: changes of items, and the events of the module ---- */

stet_entry_changed_fn follow_entry;
stet_entry_before_purge_fn follow_purge;
stet_schema_changing_fn follow_schema;

/* ---- moved.c: rows of transfer files ---- */

struct moved {
	const char *select; /* collection, item, and users as JSON */
	const char *users; /* the member with these */
};
extern const struct moved moved_note, moved_review;
/* Checks a row that an import has written; `arg` is one of these. */
STET_MUST enum stet_status moved_check(
    struct stet_call *, struct stet_tx *, const void *arg, const char *change, const json_t *key);

/* ---- mails.c ---- */

#define MAIL_MENTION "mention"
#define MAIL_REVIEW "review"
#define MAIL_APPROVAL "approval"
#define MAILS 6 /* these three, and the states of a review that its asker is told */
/* Requests a mail of this name to the user, who may have turned them off; nothing happens if there
 * is no mail server, or too many mails are waiting. `who` did it; `text` is the note or message. */
STET_MUST enum stet_status mails_send(struct stet_call *, struct stet_tx *, const char *name,
    const char *user, const struct subject *, const char *who, const char *text);
/* Requests mails to the named reviewers, or else to those who may decide. */
STET_MUST enum stet_status mails_reviewers(
    struct stet_call *, struct stet_tx *, const struct subject *, const struct review *);
/* Requests a mail about a request for approval to the user, if the user may decide. `what` is what
 * is to be done, `who` asks for it. */
STET_MUST enum stet_status mails_approval(struct stet_call *, struct stet_tx *,
    const struct subject *, const char *what, const char *who, const char *text);
extern const struct stet_mail_def mails[MAILS];
/* mailwords.c: the texts of the mails, by language. */
extern const struct stet_words mail_languages[];

#endif
