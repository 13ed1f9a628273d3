/*
 * setup.c - a site without an administrator: the setup link, the status of the setup, and the title
 * of the site.
 *
 * The token of the setup link is derived from the site's key. So the daemon, `stet init` and `stet
 * setup-link` show the same link, and nothing is stored. Only people who can read the site's
 * directory or the daemon's log have it. It works until there is an administrator. It never works
 * again after that, since the last administrator can be neither demoted nor disabled.
 */
#include "signin.h"
#include <stet/mail.h>
#include <stet/settings.h>
#include <stet/users.h>
#include <string.h>

#define TRIES 30 /* tries from one address in TRIES_SECONDS */
#define TRIES_SECONDS 300
#define PAGE_SETUP "/_cms/setup"

/* ---- the link ---- */

static enum stet_status
setup_token(struct stet_call *call, char token[SECRET_LEN + 1])
{
	unsigned char mac[STET_MAC_SIZE];

	STET_TRY(stet_mac(call, "setup link", "1", 1, mac));
	sodium_bin2base64(
	    token, SECRET_LEN + 1, mac, SECRET_BYTES, sodium_base64_VARIANT_URLSAFE_NO_PADDING);
	sodium_memzero(mac, sizeof(mac));
	return STET_OK;
}

enum stet_status
setup_complete(struct stet_call *call, bool *out)
{
	const struct stet_users_1 *users = stet_service(call, STET_USERS_1);

	return users->has_admin(call, out);
}

enum stet_status
setup_check(struct stet_call *call, const char *given, const char *code)
{
	char token[SECRET_LEN + 1];
	bool complete, right;

	STET_TRY(cookie_check_source(call));
	STET_TRY(transport_check(call));
	STET_TRY(stet_limit(call, "setup", NULL, TRIES, TRIES_SECONDS));
	STET_TRY(setup_complete(call, &complete));
	if (complete)
		return stet_fail(
		    call, stet_code(call, code), NULL, "This site has an administrator already");
	STET_TRY(setup_token(call, token));
	right = given != NULL && strlen(given) == SECRET_LEN &&
		sodium_memcmp(given, token, SECRET_LEN) == 0;
	sodium_memzero(token, sizeof(token));
	if (!right)
		return stet_fail(call, STET_FORBIDDEN, "token",
		    "This site can be set up only with its setup link, which the daemon has logged and"
		    " `stet setup-link` prints");
	return STET_OK;
}

static enum stet_status
setup_url(struct stet_call *call, const char **url)
{
	char token[SECRET_LEN + 1];

	STET_TRY(setup_token(call, token));
	*url = stet_printf(call, "%s" PAGE_SETUP "#%s", stet_base_url(call), token);
	sodium_memzero(token, sizeof(token));
	return STET_OK;
}

const struct stet_member setup_link_out[] = {
	{ "url", STET_STRING, STET_REQUIRED, .about = "Opens a page that makes an administrator" },
	{ 0 },
};

enum stet_status
setup_link(struct stet_call *call)
{
	struct stet_json *out = stet_reply(call);
	const char *url;
	bool complete;

	STET_TRY(setup_complete(call, &complete));
	if (complete)
		return stet_fail(call, stet_code(call, "SETUP_COMPLETE"), NULL,
		    "This site has an administrator already: stet user recover EMAIL lets one in");
	STET_TRY(setup_url(call, &url));
	stet_object(out, NULL);
	stet_put_str(out, "url", url);
	stet_close(out);
	return STET_OK;
}

/* ---- the job that logs the link once after the start ---- */

int64_t
setup_tell_due(struct stet_call *call)
{
	struct signin_state *state = stet_state(call);

	return state->told ? -1 : stet_now(call);
}

enum stet_status
setup_tell(struct stet_call *call)
{
	struct signin_state *state = stet_state(call);
	const char *url;
	bool complete;

	state->told = true;
	STET_TRY(setup_complete(call, &complete));
	if (complete)
		return STET_OK;
	STET_TRY(setup_url(call, &url));
	stet_log(call, STET_WARN, "the site has no administrator yet: set it up at %s", url);
	return STET_OK;
}

/* ---- the status of the setup ---- */

const struct stet_member setup_status_out[] = {
	{ "needsSetup", STET_BOOLEAN, STET_REQUIRED, .about = "There is no administrator yet" },
	{ "setupComplete", STET_BOOLEAN, STET_REQUIRED },
	{ "hasUsers", STET_BOOLEAN, STET_REQUIRED },
	{ "step", STET_STRING, .about = "What comes next", STET_CHOICES("start", "admin") },
	{ "seedInfo", STET_OBJECT, STET_NULLABLE, .about = "null: the site begins empty" },
	{ "authMode", STET_STRING, .about = "How people sign in: passkey" },
	{ "title", STET_STRING, .about = "Of the site, if it has one" },
	{ "mail", STET_BOOLEAN, STET_REQUIRED, .about = "Whether the site can mail links" },
	{ "signIn", STET_BOOLEAN, STET_REQUIRED,
	    .about = "false: at this address nobody can, since it is http and not this machine" },
	{ 0 },
};

static enum stet_status
has_users(struct stet_call *call, bool *out)
{
	struct stet_rows rows;

	STET_TRY(stet_query(call, &rows, "SELECT 1 FROM users LIMIT 1", STET_NO_ARGS));
	*out = stet_row(&rows);
	return stet_rows_end(&rows);
}

enum stet_status
setup_status(struct stet_call *call)
{
	struct stet_json *out = stet_reply(call);
	const char *title;
	bool complete, users;

	STET_TRY(setup_complete(call, &complete));
	STET_TRY(has_users(call, &users));
	STET_TRY(stet_setting_text(call, "title", &title));
	stet_object(out, NULL);
	stet_put_bool(out, "needsSetup", !complete);
	stet_put_bool(out, "setupComplete", complete);
	stet_put_bool(out, "hasUsers", users);
	if (!complete) {
		stet_put_str(out, "step",
		    title != NULL || stet_service(call, STET_SETTINGS_1) == NULL ? "admin"
										 : "start");
		stet_put_null(out, "seedInfo");
		stet_put_str(out, "authMode", "passkey");
	}
	if (title != NULL)
		stet_put_str(out, "title", title);
	stet_put_bool(out, "mail", stet_mail_configured(call));
	stet_put_bool(out, "signIn", transport_is_safe(call));
	stet_close(out);
	return STET_OK;
}

/* ---- the title ---- */

const struct stet_member setup_site_in[] = {
	{ "token", STET_STRING, .about = "The token of the setup link", STET_RANGE(0, 200) },
	{ "title", STET_STRING, STET_REQUIRED, .about = "Title of the site", STET_RANGE(1, 200) },
	{ "tagline", STET_STRING, .about = "Its subtitle", STET_RANGE(0, 500) },
	{ "includeContent", STET_BOOLEAN, STET_REQUIRED,
	    .about = "Whether to add example content; there is none" },
	{ 0 },
};
const struct stet_member setup_site_out[] = {
	{ "success", STET_BOOLEAN, STET_REQUIRED },
	{ "setupComplete", STET_BOOLEAN, STET_REQUIRED },
	{ "result", STET_OBJECT, STET_REQUIRED, .about = "What was added: nothing" },
	{ 0 },
};

enum stet_status
setup_site(struct stet_call *call)
{
	const struct stet_settings_1 *settings = stet_service(call, STET_SETTINGS_1);
	struct stet_json *out = stet_reply(call);

	STET_TRY(setup_check(call, stet_arg(call, "token"), "ALREADY_CONFIGURED"));
	if (settings != NULL)
		STET_TRY(settings->set_title(
		    call, stet_write_tx(call), stet_arg(call, "title"), stet_arg(call, "tagline")));
	stet_object(out, NULL);
	stet_put_bool(out, "success", true);
	stet_put_bool(out, "setupComplete", false);
	stet_object(out, "result");
	stet_close(out);
	stet_close(out);
	return STET_OK;
}
