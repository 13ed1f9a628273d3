/*
 * confmail.c - the keys of stet.conf about mail, and the grammar of addresses.
 */
#include "conf/confmail.h"
#include "base/utf8.h"
#include "base/words.h"
#include "conf/confhost.h"
#include "http/address.h"
#include <string.h>

#define LOCAL_MAX 64 /* bytes before the @ */
#define LABEL_MAX 63
#define NAME_MAX_LEN 100 /* bytes of a sender's name */
#define ALPHA "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
#define DIGIT "0123456789"

const char *const confmail_tls[] = { "auto", "required", "off", NULL };

/* ---- addresses ---- */

static bool
good_local(const char *text, size_t len)
{
	static const char atext[] = ALPHA DIGIT "!#$%&'*+-/=?^_`{|}~";
	size_t i = 0, atom;

	if (len == 0 || len > LOCAL_MAX)
		return false;
	for (; i < len; i += atom + 1) {
		atom = strspn(text + i, atext);
		if (atom == 0 || (i + atom < len && text[i + atom] != '.'))
			return false;
	}
	return i == len + 1; /* it does not end with a dot */
}

static bool
good_label(const char *text, size_t len)
{
	return len > 0 && len <= LABEL_MAX && text[0] != '-' && text[len - 1] != '-' &&
	       strspn(text, ALPHA DIGIT "-") >= len;
}

/* The last label begins with a letter, so that no IP address is a domain. */
static bool
good_domain(const char *text)
{
	const char *dot;

	if (strchr(text, '.') == NULL)
		return false;
	while ((dot = strchr(text, '.')) != NULL) {
		if (!good_label(text, (size_t)(dot - text)))
			return false;
		text = dot + 1;
	}
	return good_label(text, strlen(text)) && strspn(text, ALPHA) > 0;
}

bool
confmail_address(const char *text)
{
	const char *at = strchr(text, '@');

	return at != NULL && strlen(text) <= STET_MAIL_ADDRESS_MAX &&
	       good_local(text, (size_t)(at - text)) && good_domain(at + 1);
}

/* A name is UTF-8 without control characters, quotes and brackets, so that headers need no
 * escaping. */
static bool
good_name(const char *text, size_t len)
{
	const unsigned char *c = (const unsigned char *)text, *end = c + len;
	size_t sequence;

	for (; c < end; c += sequence) {
		sequence = utf8_sequence(c, (size_t)(end - c));
		if (sequence == 0 || *c < ' ' || strchr("\"<>\\\x7f", *c) != NULL)
			return false;
	}
	return len <= NAME_MAX_LEN;
}

bool
confmail_from(const char *sender, char address[STET_MAIL_ADDRESS_MAX + 1], size_t *name_len)
{
	const char *open = strchr(sender, '<'), *from = open != NULL ? open + 1 : sender;
	size_t len = strlen(from), name = open != NULL ? (size_t)(open - sender) : 0;

	if (open != NULL && (len == 0 || from[--len] != '>'))
		return false;
	if (len > STET_MAIL_ADDRESS_MAX)
		return false;
	memcpy(address, from, len);
	address[len] = '\0';
	while (name > 0 && sender[name - 1] == ' ')
		name--;
	*name_len = name;
	return good_name(sender, name) && confmail_address(address);
}

static bool
good_sender(const char *text)
{
	char address[STET_MAIL_ADDRESS_MAX + 1];
	size_t name;

	return confmail_from(text, address, &name);
}

/* ---- the server ---- */

/* Returns what follows the scheme of a URL, or NULL. confdriver.c knows which schemes exist. */
static const char *
authority(const char *url)
{
	size_t len = strspn(url, "abcdefghijklmnopqrstuvwxyz0123456789");

	return len > 0 && strncmp(url + len, "://", 3) == 0 ? url + len + 3 : NULL;
}

static bool
good_server(const char *text)
{
	const char *host = authority(text);

	return host != NULL && confhost_authority(host, strlen(host));
}

/* Returns true if the server's host name is one of this machine. */
static bool
is_local(const char *url)
{
	const char *host = authority(url);
	char text[ADDRESS_TEXT_SIZE];
	struct address address;
	size_t len;

	if (*host == '[')
		len = strcspn(++host, "]");
	else
		len = strcspn(host, ":");
	if (len >= sizeof(text))
		return false;
	memcpy(text, host, len);
	text[len] = '\0';
	return strcmp(text, "localhost") == 0 ||
	       (address_parse(text, &address) && address_is_local(&address));
}

bool
confmail_protected(const struct conf_site *site)
{
	if (strncmp(site->mail, "smtps:", 6) == 0 || site->mail_tls == CONF_TLS_REQUIRED)
		return true;
	return site->mail_tls == CONF_TLS_AUTO && !is_local(site->mail);
}

char *
confmail_check(const struct conf_site *site)
{
	const char *why = NULL;

	if ((site->mail == NULL) != (site->mail_from == NULL))
		why = "mail and mail-from go together";
	else if ((site->mail_user == NULL) != (site->mail_password_file == NULL))
		why = "mail-user and mail-password-file go together";
	else if (site->mail == NULL && site->mail_user != NULL)
		why = "mail-user: there is no mail";
	else if (site->mail_user != NULL && !confmail_protected(site) && !is_local(site->mail))
		why = "mail-tls = \"off\" would send the password of mail-user in clear";
	return why != NULL ? words_format("site \"%s\": %s", site->name, why) : NULL;
}

static bool
good_tls(const char *text)
{
	const char *const *choice = confmail_tls;

	while (*choice != NULL && strcmp(*choice, text) != 0)
		choice++;
	return *choice != NULL;
}

const struct conf_check confmail_server = { good_server,
	"the URL of a mail server (smtp://mail.example.org:587, smtps://mail.example.org)" };
const struct conf_check confmail_sender = { good_sender,
	"a sender (info@example.org, Example <info@example.org>)" };
const struct conf_check confmail_tls_choice = { good_tls, "auto, required or off" };
