/* hoarder.c - a client that reads little, over TLS or without, and never blocks. */
#include "hoarder.h"

#include <errno.h>
#include <openssl/ssl.h>
#include <stdlib.h>
#include <sys/socket.h>

#define PIECE ((size_t)65536)

/* NULL: it failed. TLS 1.2 is used because the server then sends nothing after the handshake until
 * a request comes. */
static SSL *
handshake(int fd)
{
	static SSL_CTX *context;
	SSL *ssl;

	if (context == NULL)
		context = SSL_CTX_new(TLS_client_method());
	assert_non_null(context);
	ssl = SSL_new(context);
	assert_non_null(ssl);
	assert_int_equal(SSL_set_max_proto_version(ssl, TLS1_2_VERSION), 1);
	assert_int_equal(SSL_set_fd(ssl, fd), 1);
	if (SSL_connect(ssl) == 1)
		return ssl;
	SSL_free(ssl);
	return NULL;
}

bool
hoarder_open(struct hoarder *h, const struct daemon *d, int tls)
{
	struct daemon there = *d;

	if (tls != 0)
		there.port = tls;
	client_open(&h->client, &there, true);
	h->ssl = tls != 0 ? handshake(h->client.fd) : NULL;
	return tls == 0 || h->ssl != NULL;
}

void
hoarder_close(struct hoarder *h)
{
	if (h->ssl != NULL)
		SSL_free(h->ssl);
	client_close(&h->client);
}

void
hoarder_send(struct hoarder *h, const char *text, size_t len)
{
	if (h->ssl == NULL)
		client_send(&h->client, text, len);
	else
		assert_int_equal(SSL_write(h->ssl, text, (int)len), len);
}

size_t
hoarder_push(struct hoarder *h, const char *text, size_t left)
{
	ssize_t n =
	    send(h->client.fd, text, left < PIECE ? left : PIECE, MSG_DONTWAIT | MSG_NOSIGNAL);

	assert_true(n >= 0 || errno == EAGAIN || errno == EPIPE || errno == ECONNRESET);
	return n > 0 ? left - (size_t)n : left;
}

bool
hoarder_served(struct hoarder *h)
{
	char text[16] = "";

	if (h->ssl != NULL)
		(void)SSL_read(h->ssl, text, sizeof(text) - 1);
	else
		(void)recv(h->client.fd, text, sizeof(text) - 1, MSG_DONTWAIT);
	return strstr(text, " 200") != NULL;
}

int
hoarder_tls_port(struct daemon *d)
{
	size_t at = daemon_said(d, 0, "listening on https://127.0.0.1:");

	(void)daemon_said(d, at, "\n");
	return (int)strtol(d->said + at, NULL, 10);
}
