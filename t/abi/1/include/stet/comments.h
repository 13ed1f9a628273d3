/*
 * comments.h - what readers say about items: a comment as the hook comment_moderate sees it, and
 * the service of the comments module. Texts are plain text: what looks like HTML stands for itself.
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

/* A comment that is about to be stored. Borrowed for the hook. */
struct stet_comment {
	const char *id, *collection, *entry_id;
	const char *parent_id; /* the comment that it answers, or NULL */
	const char *author_name, *author_email;
	const char *author_user_id; /* NULL: nobody who is signed in */
	const char *body;
	const char *ip_hash, *user_agent; /* "" when unknown */
	int64_t prior_approved; /* earlier comments of the same author that were approved */
	/* What becomes of it; FILTER may change these two. */
	enum stet_comment_status status;
	const char *reason; /* for moderators; NULL: none */
	/* New fields go here, and nowhere else. */
};

/* A comment from elsewhere. */
struct stet_comment_import {
	const char *collection, *entry_id; /* an item that is there */
	const char *parent_id; /* of this item, or NULL; an answer to an answer joins its thread */
	const char *author_name; /* NULL or "": Anonymous */
	const char *author_email; /* may be NULL */
	const char *author_user_id; /* may be NULL */
	const char *body;
	enum stet_comment_status status;
	int64_t created_at; /* milliseconds */
	/* New fields go here, and nowhere else. */
};

#define STET_COMMENTS_1 "comments/1"
struct stet_comments_1 {
	/* Store a comment, whatever the collection says about comments, without hooks. One with the
	 * same item, address, time and body is the same: then *added is false. *id is its id. */
	enum stet_status (*import)(struct stet_call *, struct stet_tx *,
	    const struct stet_comment_import *, const char **id, bool *added);
	/* New functions go here, and nowhere else. */
};

#endif
