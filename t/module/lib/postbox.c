/* postbox.c - a mail server on loopback: the part of SMTP that a client needs. */
#include "postbox.h"
#include "harness.h"
#include <arpa/inet.h>
#include <openssl/ssl.h>
#include <stdio.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

struct session {
	struct postbox *p;
	int fd;
	SSL *ssl; /* NULL: no TLS yet */
	char line[2048];
};

static bool
get(struct session *s, char *byte)
{
	return s->ssl != NULL ? SSL_read(s->ssl, byte, 1) == 1 : recv(s->fd, byte, 1, 0) == 1;
}

static void
say(struct session *s, const char *text)
{
	if (s->ssl != NULL)
		(void)SSL_write(s->ssl, text, (int)strlen(text));
	else
		(void)send(s->fd, text, strlen(text), MSG_NOSIGNAL);
}

/* Reads a line without its end; cuts a line that is too long. */
static bool
hear_line(struct session *s)
{
	size_t len = 0;
	char c;

	while (get(s, &c)) {
		if (c == '\n') {
			s->line[len] = '\0';
			return true;
		}
		if (c != '\r' && len < sizeof(s->line) - 1)
			s->line[len++] = c;
	}
	return false;
}

static void
keep(char *all, size_t size, const char *line)
{
	size_t len = strlen(all);

	(void)snprintf(all + len, size - len, "%s\r\n", line);
}

static bool
begin_tls(struct session *s)
{
	s->ssl = SSL_new(s->p->tls);
	(void)SSL_set_fd(s->ssl, s->fd);
	return SSL_accept(s->ssl) == 1;
}

/* Sends the response that the test has set for this command, if any. Returns false if the session
 * ends. */
static bool
answered(struct session *s, const char *command, bool *done)
{
	const struct postbox *p = s->p;
	const char *own;
	char c;

	if (s->p->hook != NULL && (own = s->p->hook(s->p, command, s->line)) != NULL) {
		*done = true;
		say(s, own);
		return true;
	}
	*done = p->command != NULL && strcasecmp(command, p->command) == 0;
	if (!*done)
		return true;
	if (strcmp(p->answer, POSTBOX_SILENT) == 0)
		while (get(s, &c))
			continue;
	else
		say(s, p->answer);
	return strcmp(p->answer, POSTBOX_DIE) != 0 && strcmp(p->answer, POSTBOX_SILENT) != 0;
}

/* Receives a mail, and removes the leading dots that the client has added. */
static bool
hear_mail(struct session *s)
{
	bool done;

	s->p->mail[0] = '\0';
	while (hear_line(s)) {
		if (strcmp(s->line, ".") == 0) {
			s->p->mails++;
			if (!answered(s, ".", &done))
				return false;
			if (!done)
				say(s, "250 2.0.0 Taken\r\n");
			return true;
		}
		keep(s->p->mail, sizeof(s->p->mail), s->line + (s->line[0] == '.'));
	}
	return false;
}

/* Executes one command. Returns false if the session ends. */
static bool
obey(struct session *s)
{
	char command[16];
	bool done;

	(void)snprintf(command, sizeof(command), "%.*s", (int)strcspn(s->line, " :"), s->line);
	if (!answered(s, command, &done))
		return false;
	if (done)
		return true;
	if (strcasecmp(command, "EHLO") == 0)
		say(s,
		    s->p->tls != NULL && s->ssl == NULL && !s->p->plain
			? "250-postbox\r\n250-SIZE 1000000\r\n250 STARTTLS\r\n"
			: "250-postbox\r\n250-AUTH PLAIN LOGIN\r\n250-8BITMIME\r\n250 SIZE 1000000"
			  "\r\n");
	else if (strcasecmp(command, "STARTTLS") == 0) {
		say(s, "220 Go ahead\r\n");
		return begin_tls(s);
	} else if (strcasecmp(command, "AUTH") == 0) {
		say(s, "334 \r\n");
		if (!hear_line(s))
			return false;
		keep(s->p->said, sizeof(s->p->said), s->line);
		say(s, "235 Welcome\r\n");
	} else if (strcasecmp(command, "DATA") == 0) {
		say(s, "354 Go ahead\r\n");
		return hear_mail(s);
	} else if (strcasecmp(command, "QUIT") == 0)
		say(s, "221 Bye\r\n");
	else
		say(s, "250-2.1.0 Well\r\n250 2.1.0 Fine\r\n");
	return strcasecmp(command, "QUIT") != 0;
}

static void
serve_one(struct session *s)
{
	bool done, more = !s->p->at_once || begin_tls(s);

	if (more && (more = answered(s, "", &done)) && !done)
		say(s, "220-postbox.example.org\r\n220 ESMTP\r\n");
	while (more && hear_line(s)) {
		keep(s->p->said, sizeof(s->p->said), s->line);
		more = obey(s);
	}
	SSL_free(s->ssl);
	close(s->fd);
}

static void *
serve(void *arg)
{
	struct postbox *p = arg;
	int fd;

	while ((fd = accept(p->fd, NULL, NULL)) >= 0) {
		struct session s = { .p = p, .fd = fd };

		p->connections++;
		serve_one(&s);
	}
	return NULL;
}

static void
load_certificate(struct postbox *p, const char *dir, const char *name)
{
	char file[256];

	p->tls = SSL_CTX_new(TLS_server_method());
	(void)snprintf(file, sizeof(file), "%s/%s.pem", dir, name);
	assert_int_equal(SSL_CTX_use_certificate_chain_file(p->tls, file), 1);
	(void)snprintf(file, sizeof(file), "%s/%s.key", dir, name);
	assert_int_equal(SSL_CTX_use_PrivateKey_file(p->tls, file, SSL_FILETYPE_PEM), 1);
}

void
postbox_open(struct postbox *p, const char *dir, const char *name)
{
	struct sockaddr_in sa = { .sin_family = AF_INET, .sin_addr = { htonl(INADDR_LOOPBACK) } };
	socklen_t len = sizeof(sa);

	memset(p, 0, sizeof(*p));
	if (dir != NULL)
		load_certificate(p, dir, name);
	p->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	assert_true(p->fd >= 0);
	assert_int_equal(bind(p->fd, (struct sockaddr *)&sa, len), 0);
	assert_int_equal(getsockname(p->fd, (struct sockaddr *)&sa, &len), 0);
	assert_int_equal(listen(p->fd, 16), 0);
	p->port = ntohs(sa.sin_port);
	assert_int_equal(pthread_create(&p->thread, NULL, serve, p), 0);
}

void
postbox_close(struct postbox *p)
{
	(void)shutdown(p->fd, SHUT_RDWR);
	(void)pthread_join(p->thread, NULL);
	close(p->fd);
	SSL_CTX_free(p->tls);
}

void
postbox_forget(struct postbox *p)
{
	p->said[0] = p->mail[0] = '\0';
	p->mails = p->connections = 0;
}

int
postbox_count(const struct postbox *p, const char *text)
{
	const char *at = p->said;
	int count = 0;

	while ((at = strstr(at, text)) != NULL) {
		count++;
		at += strlen(text);
	}
	return count;
}

bool
postbox_link(const char *mail, const char *page, char token[64])
{
	const char *at = strstr(mail, "\r\n\r\n");
	char text[8192];
	size_t len = 0;

	for (; at != NULL && *at != '\0' && len < sizeof(text) - 1; at++)
		if (strncmp(at, "=\r\n", 3) == 0) /* a soft line break of quoted-printable */
			at += 2;
		else
			text[len++] = *at;
	text[len] = '\0';
	at = strstr(text, page);
	if (at == NULL || at[strlen(page)] != '#')
		return false;
	(void)snprintf(token, 64, "%.43s", at + strlen(page) + 1);
	return strlen(token) == 43;
}

void
postbox_token(const struct postbox *p, const char *page, char token[64])
{
	if (!postbox_link(p->mail, page, token))
		fail_msg("no link to %s in: %s", page, p->mail);
}
