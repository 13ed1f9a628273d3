/* postbox.h - a mail server on loopback for tests: it takes mails, and keeps what it heard. */
#ifndef T_MODULE_POSTBOX_H
#define T_MODULE_POSTBOX_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#define POSTBOX_DIE "" /* as an answer: close the connection */
#define POSTBOX_SILENT "-" /* never answer, until the client goes */

struct postbox {
	int fd, port;
	pthread_t thread;
	void *tls; /* SSL_CTX; NULL: without TLS */
	bool at_once; /* TLS from the first byte */
	bool plain; /* STARTTLS is not offered */
	/* A command, or "." for the end of a mail and "" for the greeting, that is answered
	 * otherwise, with whole lines. Set these while nobody is connected. */
	const char *command, *answer;
	/* Called, in the server's thread, before a command (as above) is answered; what it returns
	 * is the answer, unless NULL. */
	const char *(*hook)(struct postbox *, const char *command, const char *line);
	/* What was heard since postbox_forget: lines of commands, and the last mail. Read these
	 * while nobody is connected. */
	char said[16384], mail[200000];
	_Atomic int connections, mails;
};

/* Begin on a free port. dir: where NAME.pem and NAME.key lie, for TLS; NULL: none. */
void postbox_open(struct postbox *, const char *dir, const char *name);
void postbox_close(struct postbox *);
void postbox_forget(struct postbox *);
/* How often a text is in what was said. */
int postbox_count(const struct postbox *, const char *text);
/* The token of the link to this page in a mail: what follows the # in it. false: none is there. */
bool postbox_link(const char *mail, const char *page, char token[64]);
/* The same of the last mail, which must have one. */
void postbox_token(const struct postbox *, const char *page, char token[64]);

#endif
