/*
 * founder.c - makes the first administrator. POST /setup/admin answers with the options for a
 * passkey; POST /setup/admin/verify adds the administrator with that passkey and signs them in.
 *
 * The second request needs the texts of the first: in its body, or in a cookie that the first one
 * set. The challenge is bound to all of them, so none can be changed in between.
 */
#include "passkey.h"
#include <stet/users.h>
#include <string.h>

#define COOKIE "stet-setup"
#define COOKIE_ATTRIBUTES "; Path=/_cms/; HttpOnly; SameSite=Strict; Max-Age="
#define COOKIE_SECONDS "3600"
#define TEXT_MAX 2048 /* bytes of the cookie's text */
#define PASSKEY_NAME "Setup passkey"

#define TOKEN_IN                                                                                 \
	{                                                                                        \
		"token", STET_STRING, .about = "The token of the setup link", STET_RANGE(0, 200) \
	}
#define EMAIL_ABOUT "Address of the administrator"
#define NAME_ABOUT "Full name of the administrator"

const struct stet_member founder_options_in[] = {
	TOKEN_IN,
	{ "email", STET_STRING, STET_REQUIRED, .about = EMAIL_ABOUT, .pattern = STET_EMAIL,
	    STET_RANGE(3, STET_EMAIL_MAX) },
	{ "name", STET_STRING, .about = NAME_ABOUT, STET_RANGE(0, STET_USER_NAME_MAX) },
	{ 0 },
};
const struct stet_member founder_options_out[] = {
	{ "success", STET_BOOLEAN, STET_REQUIRED },
	{ "options", STET_OBJECT, STET_REQUIRED,
	    .about = "For navigator.credentials.create, as JSON (WebAuthn Level 3, 5.4)" },
	{ 0 },
};
const struct stet_member founder_in[] = {
	PASSKEY_CREDENTIAL_IN,
	TOKEN_IN,
	{ "email", STET_STRING, .about = EMAIL_ABOUT ", as before; without it, the cookie counts",
	    .pattern = STET_EMAIL, STET_RANGE(3, STET_EMAIL_MAX) },
	{ "name", STET_STRING, .about = NAME_ABOUT ", as before",
	    STET_RANGE(0, STET_USER_NAME_MAX) },
	{ 0 },
};

/* The texts of the first request. Never NULL; "" if one is missing. */
struct founder {
	const char *token, *email, *name;
};

static const char *
text_of(struct stet_call *call, const char *name)
{
	const char *value = stet_arg(call, name);

	return value != NULL ? value : "";
}

/* Joins the texts unambiguously: token and address have no line breaks. */
static const char *
joined(struct stet_call *call, const struct founder *f)
{
	return stet_printf(call, "%s\n%s\n%s", f->token, f->email, f->name);
}

/* ---- the cookie ---- */

static void
keep(struct stet_call *call, const struct founder *f)
{
	const char *text = joined(call, f);
	size_t len = strlen(text),
	       size = sodium_base64_encoded_len(len, sodium_base64_VARIANT_URLSAFE_NO_PADDING);
	char *coded = stet_alloc(call, size);

	if (len > TEXT_MAX)
		return; /* too long: the second request must have the texts in its body */
	sodium_bin2base64(coded, size, (const unsigned char *)text, len,
	    sodium_base64_VARIANT_URLSAFE_NO_PADDING);
	stet_header(call, "Set-Cookie",
	    stet_printf(call, COOKIE "=%s" COOKIE_ATTRIBUTES COOKIE_SECONDS "%s", coded,
		transport_is_secure(call) ? "; Secure" : ""));
}

static void
forget(struct stet_call *call)
{
	stet_header(call, "Set-Cookie",
	    stet_printf(call, COOKIE "=" COOKIE_ATTRIBUTES "0%s",
		transport_is_secure(call) ? "; Secure" : ""));
}

/* Reads the texts from the cookie. They come from the client and are checked like those of a
 * body. */
static void
recall(struct stet_call *call, struct founder *f)
{
	const char *coded = stet_request_cookie(call, COOKIE);
	char *text = stet_alloc(call, TEXT_MAX + 1), *line;
	size_t len;

	if (coded == NULL ||
	    sodium_base642bin((unsigned char *)text, TEXT_MAX, coded, strlen(coded), NULL, &len,
		NULL, sodium_base64_VARIANT_URLSAFE_NO_PADDING) != 0 ||
	    strlen(text) != len || (line = strchr(text, '\n')) == NULL)
		return;
	*line = '\0';
	f->token = text;
	f->email = line + 1;
	if ((line = strchr(line + 1, '\n')) == NULL)
		return;
	*line = '\0';
	f->name = line + 1;
}

/* ---- the two requests ---- */

enum stet_status
founder_options(struct stet_call *call)
{
	const struct founder f = { text_of(call, "token"), text_of(call, "email"),
		text_of(call, "name") };
	struct stet_json *out = stet_reply(call);

	STET_TRY(setup_check(call, f.token, "SETUP_COMPLETE"));
	stet_object(out, NULL);
	stet_put_bool(out, "success", true);
	STET_TRY(passkey_join_options(call, out, f.email, f.name, joined(call, &f)));
	stet_close(out);
	keep(call, &f);
	return STET_OK;
}

struct founding {
	const struct founder *founder;
	struct passkey_new passkey;
	struct stet_signin *signin;
};

static enum stet_status
found(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	const struct stet_users_1 *users = stet_service(call, STET_USERS_1);
	struct founding *f = arg;
	const char *id;
	bool complete;

	STET_TRY(setup_complete(call, &complete));
	if (complete) /* another request was quicker */
		return stet_fail(call, stet_code(call, "SETUP_COMPLETE"), NULL,
		    "This site has an administrator already");
	STET_TRY(users->add(call, tx,
	    &(struct stet_user_new){ .email = f->founder->email,
		.name = f->founder->name,
		.role = ROLE_ADMIN,
		.id = f->passkey.user_id },
	    sizeof(struct stet_user_new), &id));
	STET_TRY(passkey_store(call, tx, &f->passkey));
	return session_start(call, tx, f->signin, id, METHOD_SETUP, f->passkey.id);
}

enum stet_status
founder_add(struct stet_call *call)
{
	struct founder who = { text_of(call, "token"), text_of(call, "email"),
		text_of(call, "name") };
	struct founding f = { .founder = &who, .signin = session_begin(call) };

	if (*who.email == '\0')
		recall(call, &who);
	STET_TRY(setup_check(call, who.token, "SETUP_COMPLETE"));
	STET_TRY(passkey_join_read(call, joined(call, &who), &f.passkey));
	f.passkey.name = PASSKEY_NAME;
	STET_TRY(stet_write_lane(call, found, &f));
	session_finish(call, f.signin);
	forget(call);
	return session_reply(call, f.signin);
}
