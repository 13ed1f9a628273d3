/*
 * users.h - the service of the users module: adds and finds users, for modules with which people
 * get accounts (setup, invitations, identity providers). They check rights themselves.
 *
 * SQL of other modules may use the table users (id, email, name, avatar_url, role, email_verified,
 * disabled, created_at, last_login_at, language), which the module auth owns: they read it, join it
 * and refer to its ids. This module writes it, and signin sets email_verified and last_login_at.
 * SQL of other modules may use the table api_tokens (id, user_id, name, expires_at: NULL without an
 * end) to learn whose a token is and what it is called.
 */
#ifndef STET_USERS_H
#define STET_USERS_H

#include <stet/call.h>

#define STET_USER_NAME_MAX 200 /* characters */
#define STET_USER_NAME_BAD "has line breaks, control characters or marks of direction"
/* Returns a name without blanks at its ends. NULL: it has control characters, line breaks, or marks
 * that set the direction of text (STET_USER_NAME_BAD): names stand in lines with other text, in
 * lists and mails. */
STET_API const char *stet_user_name(struct stet_call *, const char *name);

/* A user who is added. */
struct stet_user_new {
	const char *email; /* an address; stored in lower case */
	const char *name; /* NULL or "": none */
	int role; /* 10, 20, 30, 40 or 50 */
	bool verified; /* the user has shown that the address is theirs */
	const char *id; /* an id from stet_id that was handed out before; NULL: a new one */
	/* New fields go here, and nowhere else. */
};

#define STET_USERS_1 "users/1"
struct stet_users_1 {
	/* Adds a user; *id is the new id, owned by the call. `size` is the size of struct
	 * stet_user_new in the caller's headers. Fails with USER_EXISTS if somebody has the
	 * address, and with VALIDATION_ERROR. */
	enum stet_status (*add)(struct stet_call *, struct stet_tx *, const struct stet_user_new *,
	    size_t size, const char **id);
	/* The id of the user with this address, in upper or lower case; NULL: nobody has it. */
	enum stet_status (*find)(struct stet_call *, const char *email, const char **id);
	/* Returns true in *out if there is an administrator who is not disabled. */
	enum stet_status (*has_admin)(struct stet_call *, bool *out);
	/* Returns in *role the current role of a user; 0 if the user is disabled or deleted. For
	 * actions of the user that take effect later: an invitation, a schedule, a link. */
	enum stet_status (*role)(struct stet_call *, const char *id, int *role);
	/* Returns in *language the language that a user has chosen ("de"), owned by the call;
	 * NULL: none. */
	enum stet_status (*language)(struct stet_call *, const char *id, const char **language);
	/* New functions go here, and nowhere else. */
};

#endif
