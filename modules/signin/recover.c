/* recover.c - `stet user recover`: a one-time link for a user who cannot sign in otherwise. */
#include "signin.h"
#include <stet/users.h>

const struct stet_member recover_in[] = {
	{ "email", STET_STRING, STET_REQUIRED, .about = "Address of the user",
	    STET_RANGE(1, STET_EMAIL_MAX) },
	{ 0 },
};
const struct stet_member recover_out[] = {
	{ "url", STET_STRING, STET_REQUIRED, .about = "Opens a page that signs the user in, once" },
	{ "expiresAt", STET_TIME, STET_REQUIRED },
	{ 0 },
};

enum stet_status
recover_make(struct stet_call *call)
{
	const struct stet_users_1 *users = stet_service(call, STET_USERS_1);
	const char *email = stet_arg(call, "email");
	struct stet_tx *tx = stet_write_tx(call);
	struct stet_json *out = stet_reply(call);
	int64_t minutes = json_integer_value(stet_setting(call, MINUTES_OF_LINKS));
	struct link link = { .kind = LINK_RECOVER, .lifetime = minutes * LINK_MINUTE };
	char token[SECRET_LEN + 1];

	STET_TRY(users->find(call, email, &link.user_id));
	if (link.user_id == NULL)
		return stet_fail(
		    call, STET_NOT_FOUND, "email", "No user has the address %s", email);
	secret_make(token);
	STET_TRY(link_drop(call, tx, LINK_RECOVER, link.user_id, NULL));
	STET_TRY(link_make(call, tx, &link, token));
	stet_object(out, NULL);
	stet_put_str(
	    out, "url", stet_printf(call, "%s" PAGE_SIGNIN "/link#%s", stet_base_url(call), token));
	stet_put_str(out, "expiresAt", stet_time_text(call, stet_now(call) + link.lifetime));
	stet_close(out);
	return STET_OK;
}
