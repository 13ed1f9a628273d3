/* comments.h - what the files of this module know of each other. */
#ifndef COMMENTS_H
#define COMMENTS_H

#include <stet/comments.h>
#include <stet/module.h>

#define COMMENT_BODY_MAX 5000 /* characters */
#define COMMENT_NAME_MAX 100
#define COMMENT_BULK_MAX 100
#define COMMENT_ANONYMOUS "Anonymous"

/* ---- record.c: comments as they are stored ---- */

extern const char *const comment_statuses[STET_COMMENT_STATUSES + 1]; /* NULL-terminated */

/* The text without control characters (but \n and \t where `lines`) and blanks at its ends; lines
 * end in \n. */
char *comment_clean(struct stet_call *, const char *text, bool lines);
/* Insert; `at` is an ISO 8601 time. */
STET_MUST enum stet_status comment_insert(
    struct stet_call *, struct stet_tx *, const struct stet_comment *, const char *at);
/* The thread of a comment of this item, which is the comment that begins it. `approved`: of one
 * that the public sees. *out is NULL when there is no such comment. */
STET_MUST enum stet_status comment_thread(struct stet_call *, const struct stet_comment *of,
    const char *id, bool approved, const char **out);
/* Add " IN (?, ?, …)" of an array of strings. */
void comment_in(struct stet_sql *, const json_t *ids);
/* Set a status, or delete with the answers; *affected is how many comments changed. */
STET_MUST enum stet_status comment_set_status(struct stet_call *, struct stet_tx *,
    const json_t *ids, enum stet_comment_status, int64_t *affected);
STET_MUST enum stet_status comment_remove(
    struct stet_call *, struct stet_tx *, const json_t *ids, int64_t *affected);

/* Items and collections that are gone. */
enum stet_status comment_purge(struct stet_call *, struct stet_tx *, struct stet_entry *);
enum stet_status comment_schema(struct stet_call *, struct stet_tx *, const char *change,
    const char *collection, const char *field);

/* ---- target.c: the item that comments are about ---- */

struct target {
	const struct stet_collection *collection;
	const char *id;
	bool open; /* takes comments */
};
/* The item of the arguments collection and contentId, as the public sees it: NOT_FOUND,
 * COMMENTS_DISABLED. */
STET_MUST enum stet_status target_find(struct stet_call *, struct target *);

/* ---- threads.c: what the public reads; create.c: what it writes ---- */

extern const struct stet_member thread_list_in[], thread_list_out[], create_in[], create_out[];
stet_handler thread_list, comment_create;

/* ---- admin.c: for moderators ---- */

extern const struct stet_member comment_shape[], inbox_in[], inbox_out[], counts_out[], by_id[],
    status_in[], bulk_in[], moderate_in[], delete_in[], affected_out[], deleted_out[];
stet_handler inbox, counts, comment_get, comment_status, comment_delete, bulk, moderate,
    delete_many;

/* ---- import.c ---- */

extern const struct stet_comments_1 comments_service;

#endif
