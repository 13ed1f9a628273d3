/*
 * comments.h - the service of the comments module, and a comment as the hook comment_moderate
 * sees it. Texts are plain text: markup in them has no meaning.
 */
#ifndef STET_COMMENTS_H
#define STET_COMMENTS_H

#include <stet/call.h>

enum stet_comment_status {
	STET_COMMENT_PENDING,
	STET_COMMENT_APPROVED,
	STET_COMMENT_SPAM,
	STET_COMMENT_TRASH,
	STET_COMMENT_STATUSES
};

/* A comment that is about to be stored. Borrowed for the time of the hook. */
struct stet_comment {
	const char *id, *collection, *entry_id;
	const char *parent_id; /* the comment that this one replies to, or NULL */
	const char *author_name, *author_email;
	const char *author_user_id; /* NULL: the author is not signed in */
	const char *body;
	const char *ip_hash, *user_agent; /* "" when unknown */
	int64_t prior_approved; /* number of approved comments of the same author */
	/* The decision. FILTER hooks may change these two. */
	enum stet_comment_status status;
	const char *reason; /* for moderators; NULL: none */
	const char *created_at; /* ISO 8601; NULL: it is not stored yet */
	/* New fields go here, and nowhere else. */
};

/* A comment that an importer brings from another system. */
struct stet_comment_import {
	const char *collection, *entry_id; /* an existing item */
	const char
	    *parent_id; /* a comment of this item, or NULL; a reply to a reply joins its thread */
	const char *author_name; /* NULL or "": Anonymous */
	const char *author_email; /* may be NULL */
	const char *author_user_id; /* may be NULL */
	const char *body;
	enum stet_comment_status status;
	int64_t created_at; /* milliseconds */
	/* New fields go here, and nowhere else. */
};

typedef enum stet_status stet_comment_fn(
    struct stet_call *, const struct stet_comment *, void *arg);

#define STET_COMMENTS_1 "comments/1"
struct stet_comments_1 {
	/* Stores a comment without running hooks, and ignores the collection's rules for comments.
	 * If a comment with the same item, address, time and body exists, stores nothing and sets
	 * *added to false. *id is the comment's id. `size` is the size of the structure in the
	 * caller's headers. */
	enum stet_status (*import)(struct stet_call *, struct stet_tx *,
	    const struct stet_comment_import *, size_t size, const char **id, bool *added);
	/* Calls fn for each comment of an item, whatever its status: those that begin a thread, by
	 * status and time, each followed by its replies. For exporters, which must check rights
	 * themselves. A comment is valid until fn returns; a status that is not STET_OK ends the
	 * list with it. */
	enum stet_status (*each)(struct stet_call *, const char *collection, const char *entry_id,
	    stet_comment_fn *fn, void *arg);
	/* Counts the comments of these items of the collection, whatever their status; at most some
	 * hundred ids. */
	enum stet_status (*count)(struct stet_call *, const char *collection,
	    const char *const *ids, size_t count, int64_t *n);
	/* New functions go here, and nowhere else. */
};

#endif
