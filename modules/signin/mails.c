/*
 * mails.c - the mails of this module, sign-in links and invitations, and the op that asks for a
 * link.
 *
 * Anybody may ask for a mail to any address. The request stores the same row whether or not a user
 * has the address (asked.c), so neither the response nor its time tells who has an account. The
 * token is made when the mail is sent, from its id and the site's key; the database has its hash.
 */
#include "signin.h"
#include <stet/mail.h>
#include <stet/settings.h>
#include <string.h>

#define NAME_MAX_BYTES 100 /* bytes of the site's name in a subject */

/* ---- the text of a mail ---- */

static bool
is_subject(const char *title)
{
	const unsigned char *s = (const unsigned char *)title;

	if (*s == '\0' || strlen(title) > NAME_MAX_BYTES)
		return false;
	for (; *s != '\0'; s++) /* C1 controls are C2 80 to C2 9F */
		if (*s < 0x20 || *s == 0x7f || (*s == 0xc2 && s[1] < 0xa0))
			return false;
	return true;
}

/* The title of the site if it can be part of a subject, otherwise the host of the site. */
static enum stet_status
site_name(struct stet_call *call, const struct stet_word *words, const char **name)
{
	const char *base = strstr(stet_base_url(call), "://"), *title;

	STET_TRY(stet_setting_text(call, "title", &title));
	if (title == NULL || !is_subject(title))
		title = base != NULL ? base + 3 : "";
	*name = is_subject(title) ? stet_strdup(call, title) : stet_word(words, "this_site");
	return STET_OK;
}

/* A mail: its texts (`subject` and `text` are names), and the values for {link} and {time}. */
struct writing {
	const struct stet_word *words;
	const char *subject, *text, *link, *time;
};

static enum stet_status
write_text(struct stet_call *call, const struct writing *w, struct stet_mail_text *out)
{
	const char *site;

	STET_TRY(site_name(call, w->words, &site));
	out->subject = stet_word_fill(call, w->words, w->subject, "site", site, NULL);
	out->text = stet_word_fill(
	    call, w->words, w->text, "site", site, "link", w->link, "time", w->time, NULL);
	return STET_OK;
}

/* "15 minutes", by the name of the text. */
static const char *
span(struct stet_call *call, const struct stet_word *words, const char *unit, int64_t n)
{
	return stet_word_fill(call, words, unit, "n", stet_printf(call, "%d", (int)n), NULL);
}

static const char *
link_to(struct stet_call *call, const char *page, const char *token)
{
	return stet_printf(call, "%s%s#%s", stet_base_url(call), page, token);
}

/* Derives the token from the mail's id: each attempt to send the mail gets the same one. */
static enum stet_status
derive_token(struct stet_call *call, const char *mail_id, char token[SECRET_LEN + 1])
{
	unsigned char mac[STET_MAC_SIZE];

	STET_TRY(stet_mac(call, "mail link", mail_id, strlen(mail_id), mac));
	sodium_bin2base64(
	    token, SECRET_LEN + 1, mac, SECRET_BYTES, sodium_base64_VARIANT_URLSAFE_NO_PADDING);
	sodium_memzero(mac, sizeof(mac));
	return STET_OK;
}

/* ---- functions that write a mail when it is sent ---- */

struct making {
	const char *to, *invite; /* invite: the id of the invitation */
	int64_t lifetime; /* milliseconds */
	char token[SECRET_LEN + 1];
	const char *language; /* of the user's profile; NULL: none */
	bool without_passkey; /* no link for a user who has a passkey */
	bool drop;
};

/* The user of the address, with the language; NULL: nobody gets a link. */
static enum stet_status
find_user(struct stet_call *call, struct making *m, const char **id)
{
	struct stet_rows rows;

	*id = NULL;
	STET_TRY(stet_query(call, &rows,
	    "SELECT id, (SELECT count(*) FROM passkeys WHERE user_id = users.id), language"
	    " FROM users"
	    " WHERE email = ?1 AND disabled = 0",
	    STET_ARGS(m->to)));
	if (stet_row(&rows) && !(m->without_passkey && stet_col_int(&rows, 1) > 0)) {
		*id = stet_col_dup(&rows, 0);
		m->language = stet_col_dup(&rows, 2);
	}
	return stet_rows_end(&rows);
}

static enum stet_status
make_magic_link(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	struct making *m = arg;
	struct link link = { .kind = LINK_MAGIC, .lifetime = m->lifetime, .email = m->to };

	STET_TRY(find_user(call, m, &link.user_id));
	m->drop = link.user_id == NULL;
	return m->drop ? STET_OK : link_make(call, tx, &link, m->token);
}

enum stet_status
mail_magic(
    struct stet_call *call, const struct stet_mail_request *request, struct stet_mail_text *out)
{
	int64_t minutes = json_integer_value(json_object_get(request->values, "minutes"));
	struct making m = { .to = request->to,
		.lifetime = minutes * LINK_MINUTE,
		.without_passkey =
		    json_is_false(json_object_get(request->values, "besidePasskeys")) };
	struct writing w = { .subject = "magic_subject", .text = "magic_text" };

	STET_TRY(derive_token(call, request->id, m.token));
	STET_TRY(stet_write_lane(call, make_magic_link, &m));
	out->drop = m.drop;
	if (m.drop)
		return STET_OK;
	w.words = stet_words_in(call, mail_languages, m.language)->words;
	w.link = link_to(call, PAGE_SIGNIN "/link", m.token);
	w.time = span(call, w.words, "minutes", minutes);
	return write_text(call, &w, out);
}

static enum stet_status
make_invite_link(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	struct making *m = arg;
	bool found;

	STET_TRY(link_set_token(call, tx, LINK_INVITE, m->invite, m->token, &found));
	m->drop = !found;
	return STET_OK;
}

enum stet_status
mail_invite(
    struct stet_call *call, const struct stet_mail_request *request, struct stet_mail_text *out)
{
	struct making m = { .invite =
				json_string_value(json_object_get(request->values, "invite")) };
	int64_t days = json_integer_value(json_object_get(request->values, "days"));
	struct writing w = { .subject = "invite_subject", .text = "invite_text" };

	STET_TRY(derive_token(call, request->id, m.token));
	STET_TRY(stet_write_lane(call, make_invite_link, &m));
	out->drop = m.drop; /* it was withdrawn, replaced, used, or has expired */
	if (m.drop)
		return STET_OK;
	w.words = stet_words_in(call, mail_languages, NULL)->words;
	w.link = link_to(call, PAGE_INVITE, m.token);
	w.time = days == 1 ? stet_word(w.words, "day") : span(call, w.words, "days", days);
	return write_text(call, &w, out);
}

/* ---- the request ---- */

const struct stet_member send_in[] = {
	{ "email", STET_STRING, STET_REQUIRED, .about = "Address of the account",
	    STET_RANGE(1, STET_MAIL_ADDRESS_MAX) },
	{ 0 },
};
const struct stet_member send_out[] = {
	{ "success", STET_BOOLEAN, STET_REQUIRED },
	{ "message", STET_STRING, STET_REQUIRED },
	{ 0 },
};

enum stet_status
mail_address(struct stet_call *call, const char *text, const char **out)
{
	const char *address = stet_mail_address(call, text);
	char *lower;

	if (address == NULL)
		return stet_fail(call, STET_VALIDATION_ERROR, "email", "is no address for mail");
	lower = stet_strdup(call, address);
	for (char *c = lower; *c != '\0'; c++) /* addresses are ASCII */
		if (*c >= 'A' && *c <= 'Z')
			*c += 'a' - 'A';
	*out = lower;
	return STET_OK;
}

enum stet_status
mail_reply(struct stet_call *call, const char *message, const char *invite_url)
{
	struct stet_json *out = stet_reply(call);

	stet_object(out, NULL);
	stet_put_bool(out, "success", true);
	stet_put_str(out, "message", message);
	if (invite_url != NULL)
		stet_put_str(out, "inviteUrl", invite_url);
	stet_close(out);
	return STET_OK;
}

enum stet_status
magic_send(struct stet_call *call)
{
	const char *to;

	STET_TRY(cookie_check_source(call));
	if (!stet_mail_configured(call))
		return stet_fail(
		    call, STET_EMAIL_NOT_CONFIGURED, NULL, "This site cannot send mail");
	STET_TRY(transport_check(call));
	STET_TRY(mail_address(call, stet_arg(call, "email"), &to));
	STET_TRY(ask_limit(call, to));
	STET_TRY(ask_store(call, to));
	return mail_reply(
	    call, "If an account exists for this email, a magic link has been sent.", NULL);
}
