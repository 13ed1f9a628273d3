/* users.h - what the files of the users module share. */
#ifndef USERS_H
#define USERS_H

#include <stet/include.h>
#include <stet/module.h>
#include <stet/users.h>

/* ---- record.c: users in the database ---- */

/* The order of user_shape. */
enum user_column {
	U_ID,
	U_EMAIL,
	U_NAME,
	U_AVATAR,
	U_ROLE,
	U_VERIFIED,
	U_DISABLED,
	U_CREATED,
	U_UPDATED,
	U_LOGIN
};
#define USER_COLUMNS                                                                      \
	"SELECT id, email, name, avatar_url, role, email_verified, disabled, created_at," \
	" updated_at, last_login_at FROM users"
#define USER_NAME_MAX STET_USER_NAME_MAX
#define ROLE_ADMIN 50

extern const struct stet_member user_shape[];

struct user {
	const char *id, *email, *name; /* name may be NULL */
	int role;
	bool disabled;
};

/* Fails with NOT_FOUND; otherwise the row is current. */
STET_MUST enum stet_status user_find(struct stet_call *, const char *id, struct stet_rows *);
STET_MUST enum stet_status user_load(struct stet_call *, const char *id, struct user *);
/* Reads the user of the argument `email`, in upper or lower case. */
STET_MUST enum stet_status user_load_by_email(struct stet_call *, struct user *);
/* Stores the differences between *from and *to. Fails with LAST_ADMIN or EMAIL_IN_USE. */
STET_MUST enum stet_status user_store(
    struct stet_call *, struct stet_tx *, const struct user *from, const struct user *to);
/* Returns a name without blanks at its ends; NULL: none is left, or an issue is recorded. */
const char *user_name(struct stet_call *, const char *text);

/* Adds a user; see struct stet_users_1, but the values are checked already. */
STET_MUST enum stet_status user_insert(
    struct stet_call *, struct stet_tx *, const struct stet_user_new *, const char **id);
extern const struct stet_users_1 user_service;

/* ---- admin.c: over REST, where roles are numbers ---- */

extern const struct stet_member admin_list_in[], admin_list_out[], admin_by_id[], admin_update_in[],
    admin_item_out[], admin_done_out[];
stet_handler admin_list, admin_get, admin_update, admin_enable, admin_disable;

/* ---- author.c: authors beside items ---- */

extern const struct stet_include user_includes[1];

/* ---- commands.c: for `stet`, with names of roles, and addresses of users ---- */

extern const struct stet_member user_add_in[], user_out[], users_out[], by_email[], set_role_in[],
    rename_in[];
stet_handler user_add, user_list, user_show, user_set_role, user_rename, user_enable, user_disable;

#endif
