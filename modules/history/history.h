/* history.h - what the files of the history module share. */
#ifndef HISTORY_H
#define HISTORY_H

#include <stet/history.h>
#include <stet/module.h>
#include <stet/releases.h>

/* ---- tracked.c: ops whose writes are recorded ---- */

enum kind { ITEM, TERM, TAXONOMY, MENU, AREA, BYLINE, SETTINGS, KINDS };
extern const char *const kind_names[KINDS + 1]; /* NULL-terminated */

/* What a write changes. Texts that its kind does not have are NULL. */
struct subject {
	enum kind kind;
	const char *name; /* of an item: its collection; of a term: its taxonomy */
	const char *id; /* of an item or a byline: its id; of a term: its slug */
	const char *locale; /* of a term, a taxonomy or a menu */
	bool deleted; /* the op deletes it: its state has all that bringing it back needs */
};

/* An op that is recorded. */
struct tracked {
	const char *op;
	enum kind kind;
	const char *name, *id; /* arguments that name the subject; NULL: none */
	const char
	    *later; /* argument with the slug that the subject gets; NULL: it keeps its own */
	bool creates; /* its reply names the subject */
};
/* Returns the row of the op; NULL: it is not recorded. */
const struct tracked *tracked_find(const char *op);
/* Returns in *out what the running op is about to change; out->kind KINDS: nothing known yet. */
STET_MUST enum stet_status tracked_subject(
    struct stet_call *, const struct tracked *, struct subject *out);
/* Updates the subject after the op, from its arguments and its reply. */
void tracked_after(
    struct stet_call *, const struct tracked *, const char *reply, size_t len, struct subject *);
/* The subject as one text: "posts/01K...", "category/news", "main". Owned by the call. */
const char *subject_text(struct stet_call *, const struct subject *);
/* Reads what subject_text has written. */
void subject_read(struct stet_call *, const char *kind, const char *text, const char *locale,
    struct subject *out);

/* ---- state.c ---- */

/* Reads the present state of a subject, and completes its locale, and of an item its id. NULL:
 * there is none. Owned by the call. */
STET_MUST enum stet_status state_read(struct stet_call *, struct subject *, const json_t **out);
/* The number of changes of an item since it was made, the member "version" of its state; 0: there
 * is no such item. */
STET_MUST enum stet_status state_version(struct stet_call *, const struct subject *, int64_t *out);
/* A state without what only undoing needs. Owned by the call; NULL for NULL. */
const json_t *state_shown(struct stet_call *, enum kind, const json_t *state);
const char *text_of(const json_t *object, const char *name);
const struct stet_releases_1 *releases(struct stet_call *);
/* The subject as the module releases names it. */
struct stet_release_part part_of(const struct subject *, const json_t *groups);

/* ---- merge.c: comparing and merging states ---- */

/* The members of a state that people change; those that follow from them, and ids that a
 * restored thing does not get back, are left out. */
json_t *merge_plain(struct stet_call *, enum kind, const json_t *state);
bool merge_same(struct stet_call *, enum kind, const json_t *a, const json_t *b);
/* The members in which two states differ, owned by the call; of an item's data "data.title". */
json_t *merge_changed(struct stet_call *, enum kind, const json_t *before, const json_t *after);
/* Takes a change back in the present state, member by member: a member that is still as the change
 * left it gets its value from before. `result` is the merged state, `take` the members that were
 * taken back, `kept` those that somebody has changed since. */
struct merged {
	json_t *result, *take, *kept;
	json_t
	    *theirs; /* given: members of the thing that others have changed after a later record of
			the session, which are kept, whatever they are now; NULL: none is known */
	bool marks; /* given: adds to `theirs` */
};
void merge_back(struct stet_call *, enum kind, const json_t *before, const json_t *after,
    const json_t *now, struct merged *out);

/* ---- session.c ---- */

#define SESSION_GAP (30 * 60000) /* ms without a write after which a new session begins */
extern const struct stet_history_1 history_service;

/* ---- take.c: records ---- */

stet_op_writing_fn take_before;
stet_op_written_fn take_after;
/* While a session is undone: what that writes belongs to no session, since the next call would undo
 * it again. */
extern _Thread_local bool take_undoing;

/* ---- list.c: records over REST ---- */

struct record {
	const char *id, *op, *created_at, *actor, *session, *undone_at;
	struct subject subject;
	const json_t *before, *after; /* NULL: it did not exist */
};
#define RECORD_COLUMNS                                                                       \
	"id, kind, subject, locale, op, created_at, actor, actor_name, token, client, tool," \
	" session, undone_at, before_state, after_state"
/* Reads a row of RECORD_COLUMNS. */
STET_MUST enum stet_status record_read(struct stet_call *, struct stet_rows *, struct record *out);
/* Writes the members of a record of the row; with `states`, also what was there before and after.
 */
void record_put(struct stet_call *, struct stet_json *, const char *key, struct stet_rows *,
    const struct record *, bool states);
/* Fails unless the caller may read the thing: with FORBIDDEN for its role, with INSUFFICIENT_SCOPE
 * for the scopes of its token. Without a name, it is about things of this kind. */
STET_MUST enum stet_status record_open(struct stet_call *, const struct subject *);
/* The same without an error: for lists, which leave out what the caller may not read. */
bool record_is_open(struct stet_call *, const struct subject *);
/* Pages of records, newest first, by the arguments `cursor` and `limit`. page_begin returns in
 * *before the id before which the page begins. page_put writes the member `items` with those
 * records of the rows (RECORD_COLUMNS, one more than the limit) that the caller may read, and
 * nextCursor; it closes the object and ends the rows. */
STET_MUST enum stet_status page_begin(struct stet_call *, const char *listing, const char **before);
STET_MUST enum stet_status page_put(
    struct stet_call *, struct stet_json *, struct stet_rows *, const char *listing);
extern const struct stet_member record_shape[], history_list_in[], history_list_out[],
    history_by_id[], history_one_out[], history_restored_out[];
stet_handler history_list, history_get, history_restore;

/* ---- back.c: taking back ---- */

/* How taking back one record went. */
struct outcome {
	const char *result; /* "undone", "partly", "nothing" or "skipped" */
	const char *reason; /* NULL: none */
	const json_t *kept; /* members that somebody has changed since; NULL: none */
};
/* What the records of one undo share: objects, owned by the call. */
struct trail {
	json_t *groups; /* of terms that came back: see <stet/releases.h> */
	json_t *theirs; /* by thing: the members that others have changed, see `struct merged` */
	json_t
	    *left; /* by item: its versions before the record that was taken back, and after that */
};
struct trail trail_new(struct stet_call *);
/* Takes the change of the record back. `whole`: the state before is restored although it was
 * changed since. */
STET_MUST enum stet_status back_take(
    struct stet_call *, const struct record *, const struct trail *, bool whole, struct outcome *);

/* ---- sessions.c, undo.c ---- */

extern const struct stet_member sessions_in[], sessions_out[], session_by_id[], session_out[],
    undo_in[], undo_out[], undo_tool_in[];
stet_handler sessions_list, session_get, session_undo, session_undo_tool;
/* Fails with NOT_FOUND, or with FORBIDDEN if the session is another user's, and the caller may not
 * see those. */
STET_MUST enum stet_status session_mine(struct stet_call *, const char *id);
/* Returns in *id the last session of the caller's own token. */
STET_MUST enum stet_status session_own(struct stet_call *, const char **id);

/* ---- clean.c ---- */

#define KEPT "kept"
#define DAYS "days"
struct history_state {
	_Atomic int64_t due; /* time of the next look for old records; 0: now */
};
int64_t clean_due(struct stet_call *);
enum stet_status clean_run(struct stet_call *);

#endif
