/* comments.h - what the files of the comments module share. */
#ifndef COMMENTS_H
#define COMMENTS_H

#include <stet/comments.h>
#include <stet/module.h>

#define COMMENT_BODY_MAX 5000 /* characters */
#define COMMENT_NAME_MAX 100
#define COMMENT_BULK_MAX 100
#define COMMENT_ANONYMOUS "Anonymous"

/* ---- record.c: comments in the database ---- */

extern const char *const comment_statuses[STET_COMMENT_STATUSES + 1]; /* NULL-terminated */

/* Removes control characters (with `lines`, keeps \n and \t) and blanks at both ends; lines end
 * with \n. */
char *comment_clean(struct stet_call *, const char *text, bool lines);
/* Inserts a comment; `at` is an ISO 8601 time. */
STET_MUST enum stet_status comment_insert(
    struct stet_call *, struct stet_tx *, const struct stet_comment *, const char *at);
/* Finds the thread of a comment of this item: the comment that begins it. `approved`: only if
 * the comment is public. *out is NULL if there is no such comment. */
STET_MUST enum stet_status comment_thread(struct stet_call *, const struct stet_comment *of,
    const char *id, bool approved, const char **out);
/* Appends " IN (?, ?, …)" for an array of strings. */
void comment_in(struct stet_sql *, const json_t *ids);
/* Sets a status, or deletes comments with their replies; *affected is the number of changed
 * comments. */
STET_MUST enum stet_status comment_set_status(struct stet_call *, struct stet_tx *,
    const json_t *ids, enum stet_comment_status, int64_t *affected);
STET_MUST enum stet_status comment_remove(
    struct stet_call *, struct stet_tx *, const json_t *ids, int64_t *affected);

/* Delete the comments of items and collections that are deleted. */
enum stet_status comment_purge(struct stet_call *, struct stet_tx *, struct stet_entry *);
enum stet_status comment_schema(struct stet_call *, struct stet_tx *, const char *change,
    const char *collection, const char *field);

/* ---- target.c: the item that comments are about ---- */

struct target {
	const struct stet_collection *collection;
	const char *id;
	bool open; /* accepts comments */
};
/* Finds the item of the arguments collection and contentId, if the public can see it. Fails with
 * NOT_FOUND or COMMENTS_DISABLED. */
STET_MUST enum stet_status target_find(struct stet_call *, struct target *);

/* ---- threads.c: reading by the public; create.c: writing by the public ---- */

extern const struct stet_member thread_list_in[], thread_list_out[], create_in[], create_out[];
stet_handler thread_list, comment_create;

/* ---- admin.c: for moderators ---- */

extern const struct stet_member inbox_tool_in[], inbox_tool_out[];
extern const struct stet_member comment_shape[], inbox_in[], inbox_out[], counts_out[], by_id[],
    status_in[], bulk_in[], moderate_in[], delete_in[], affected_out[], deleted_out[];
stet_handler inbox, inbox_tool, counts, comment_get, comment_status, comment_delete, bulk, moderate,
    delete_many;

/* ---- import.c ---- */

extern const struct stet_comments_1 comments_service;

#endif
