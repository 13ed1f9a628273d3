/*
 * mail-smtp.c - a transport of mails: a session with the SMTP server of a site, by libcurl.
 * Certificates are verified whenever TLS is used, and the password is read from its file for each
 * mail.
 */
#include <curl/curl.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <stet/fetch.h>
#include <stet/module.h>
#include <string.h>

#define MUST(x) ((x) ? (void)0 : abort()) /* a bug if not, or no memory */
#define TIMEOUT_MS 60000
#define PROBE_MS 20000
#define CONNECT_MS 10000
#define PASSWORD_MAX 1024

struct session {
	const struct stet_mail_letter *mail; /* without a recipient: only connect and sign in */
	size_t read; /* bytes of the text sent so far */
	bool asked; /* RCPT was sent: answers are about the recipient or the mail */
	bool quit; /* QUIT was sent: ignore further answers */
	bool whole; /* the last answer is complete */
	char *said;
	size_t said_len, said_size;
};

/* ---- the password ---- */

/* Reads the password file. On failure returns false; `said` is the reason. */
static bool
read_password(const char *path, char password[PASSWORD_MAX], char *said, size_t size)
{
	char *why = stet_secret_file(path, password, PASSWORD_MAX);
	bool good;

	password[strcspn(password, "\r\n")] = '\0';
	if (why == NULL && *password == '\0')
		why = stet_format_dup("it is empty");
	good = why == NULL;
	if (!good)
		(void)snprintf(said, size, "mail-password-file %s: %s", path, why);
	free(why);
	return good;
}

/* ---- the server's answers ---- */

static void
add_said(struct session *s, const char *line, size_t len)
{
	size_t room;

	while (len > 0 && (line[len - 1] == '\n' || line[len - 1] == '\r'))
		len--;
	if (s->whole)
		s->said_len = 0;
	s->whole = len < 4 || line[3] != '-';
	room = s->said_size - 1 - s->said_len;
	len = len < room ? len : room;
	for (size_t i = 0; i < len; i++)
		s->said[s->said_len++] = line[i] >= ' ' && line[i] <= '~' ? line[i] : '?';
	s->said[s->said_len] = '\0';
}

static int
hear(CURL *curl, curl_infotype type, char *data, size_t len, void *arg)
{
	struct session *s = arg;

	(void)curl;
	if (type == CURLINFO_HEADER_IN && !s->quit)
		add_said(s, data, len);
	else if (type == CURLINFO_HEADER_OUT && len > 4) {
		s->asked |= memcmp(data, "RCPT", 4) == 0;
		s->quit |= memcmp(data, "QUIT", 4) == 0;
	}
	return 0;
}

static size_t
give(char *to, size_t one, size_t room, void *arg)
{
	struct session *s = arg;
	size_t left = s->mail->len - s->read, n = one * room < left ? one * room : left;

	memcpy(to, s->mail->text + s->read, n);
	s->read += n;
	return n;
}

static enum stet_mail_outcome
outcome(CURL *curl, const struct session *s, CURLcode code, const char *error)
{
	long answer = 0;

	if (code == CURLE_OK)
		return STET_MAIL_SENT;
	(void)curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &answer);
	if (s->asked && answer >= 500 && answer < 600)
		return STET_MAIL_REFUSED;
	if (s->asked && answer >= 400 && answer < 500)
		return STET_MAIL_LATER;
	if (answer < 400)
		(void)snprintf(
		    s->said, s->said_size, "%s", *error != '\0' ? error : curl_easy_strerror(code));
	return STET_MAIL_DOWN;
}

/* ---- sending ---- */

#define SET(option_, value_) MUST(curl_easy_setopt(curl, option_, value_) == CURLE_OK)

static void
set_server(CURL *curl, const struct stet_mail_server *server, const char *password)
{
	/* libcurl sends the text after the slash in EHLO; without it, the name of this machine. */
	char *url = *server->host == '[' ? stet_format_dup("%s", server->url)
					 : stet_format_dup("%s/%s", server->url, server->host);

	SET(CURLOPT_URL, url);
	free(url);
	SET(CURLOPT_PROTOCOLS_STR, "smtp,smtps");
	SET(CURLOPT_NOSIGNAL, 1L);
	SET(CURLOPT_PROXY, "");
	SET(CURLOPT_NETRC, (long)CURL_NETRC_IGNORED);
	SET(CURLOPT_USE_SSL, (long)(server->tls ? CURLUSESSL_ALL : CURLUSESSL_NONE));
	SET(CURLOPT_SSL_VERIFYPEER, 1L);
	SET(CURLOPT_SSL_VERIFYHOST, 2L);
	if (server->ca != NULL)
		SET(CURLOPT_CAINFO, server->ca);
	if (server->user != NULL) {
		SET(CURLOPT_USERNAME, server->user);
		SET(CURLOPT_PASSWORD, password);
	}
}

static struct curl_slist *
set_mail(CURL *curl, struct session *s)
{
	struct curl_slist *to = curl_slist_append(NULL, s->mail->to);

	MUST(to != NULL);
	SET(CURLOPT_MAIL_FROM, s->mail->from);
	SET(CURLOPT_MAIL_RCPT, to);
	SET(CURLOPT_UPLOAD, 1L);
	SET(CURLOPT_INFILESIZE_LARGE, (curl_off_t)s->mail->len);
	SET(CURLOPT_READFUNCTION, give);
	SET(CURLOPT_READDATA, s);
	return to;
}

static void
set_session(CURL *curl, struct session *s, char error[CURL_ERROR_SIZE])
{
	long timeout = (long)(s->mail->timeout > 0 ? s->mail->timeout : TIMEOUT_MS);

	SET(CURLOPT_VERBOSE, 1L);
	SET(CURLOPT_DEBUGFUNCTION, hear);
	SET(CURLOPT_DEBUGDATA, s);
	SET(CURLOPT_ERRORBUFFER, error);
	SET(CURLOPT_CONNECTTIMEOUT_MS, (long)CONNECT_MS);
	SET(CURLOPT_TIMEOUT_MS, timeout);
	/* Also bounds the QUIT after the mail. */
	SET(CURLOPT_SERVER_RESPONSE_TIMEOUT, (timeout + 1999) / 2000);
	SET(CURLOPT_FORBID_REUSE, 1L);
}

/* Runs one session. Without a recipient nothing is sent: the session ends after signing in. */
static enum stet_mail_outcome
hold_session(const struct stet_mail_server *server, const struct stet_mail_letter *mail, char *said,
    size_t size)
{
	struct session s = { .mail = mail, .said = said, .said_size = size };
	char password[PASSWORD_MAX] = "", error[CURL_ERROR_SIZE] = "";
	enum stet_mail_outcome result;
	struct curl_slist *to = NULL;
	CURLcode code;
	CURL *curl;

	*said = '\0';
	if (server->user != NULL && !read_password(server->password_file, password, said, size))
		return STET_MAIL_DOWN;
	stet_fetch_library();
	curl = curl_easy_init();
	MUST(curl != NULL);
	set_server(curl, server, password);
	sodium_memzero(password, sizeof(password));
	set_session(curl, &s, error);
	if (mail->to != NULL)
		to = set_mail(curl, &s);
	else
		SET(CURLOPT_CONNECT_ONLY, 1L);
	code = curl_easy_perform(curl);
	result = outcome(curl, &s, code, error);
	SET(CURLOPT_VERBOSE, 0L);
	curl_slist_free_all(to);
	curl_easy_cleanup(curl);
	return result;
}

static bool
probe(const struct stet_mail_server *server, char *said, size_t size)
{
	const struct stet_mail_letter nothing = { .timeout = PROBE_MS };

	return hold_session(server, &nothing, said, size) == STET_MAIL_SENT;
}

static const struct stet_mail_transport transports[] = {
	{ .name = "smtp", .send = hold_session, .probe = probe },
};

STET_MODULE(mail_smtp) = { STET_MODULE_HEAD_AS("mail-smtp"), .version = "1.0.0",
	.summary = "Sends mails by an SMTP server", .license = "MIT",
	.mail_transports = STET_TABLE(transports) };
