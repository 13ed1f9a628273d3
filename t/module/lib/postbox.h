/* postbox.h - a mail server on loopback for tests: it accepts mails, and records the session. */
#ifndef T_MODULE_POSTBOX_H
#define T_MODULE_POSTBOX_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#define POSTBOX_DIE "" /* as `answer`: closes the connection */
#define POSTBOX_SILENT "-" /* as `answer`: never answers, until the client disconnects */

struct postbox {
	int fd, port;
	pthread_t thread;
	void *tls; /* SSL_CTX; NULL: without TLS */
	bool at_once; /* TLS from the first byte */
	bool plain; /* STARTTLS is not offered */
	/* A command and the response to it, whole lines. "." means the end of a mail, "" the
	 * greeting. Set these while no client is connected. */
	const char *command, *answer;
	/* Called in the server's thread before a command (as above) is answered. Its result is the
	 * response, unless it is NULL. */
	const char *(*hook)(struct postbox *, const char *command, const char *line);
	/* Recorded since postbox_forget: all command lines, and the last mail. Read these while no
	 * client is connected. */
	char said[16384], mail[200000];
	_Atomic int connections, mails;
};

/* Starts the server on a free port. dir: the directory of NAME.pem and NAME.key, for TLS; NULL: no
 * TLS. */
void postbox_open(struct postbox *, const char *dir, const char *name);
void postbox_close(struct postbox *);
void postbox_forget(struct postbox *);
/* Returns how often a text occurs in the command lines. */
int postbox_count(const struct postbox *, const char *text);
/* Finds the link to this page in a mail, and returns the token in its fragment. Returns false if
 * there is no such link. */
bool postbox_link(const char *mail, const char *page, char token[64]);
/* Returns the token of the last mail, which must have such a link. */
void postbox_token(const struct postbox *, const char *page, char token[64]);

#endif
