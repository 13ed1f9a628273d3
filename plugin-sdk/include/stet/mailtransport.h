/*
 * mailtransport.h - transports: drivers (driver.h) that hand mails to a server. The scheme of
 * `mail` in stet.conf(5) names one: `mail = "NAME://..."`, or `NAMEs://...` where a scheme with TLS
 * has an s at its end, loads the module or plugin mail-NAME. So does a key that begins with NAME
 * and a hyphen.
 *
 * The core keeps the queue, has the text made and written as a mail, and tries again; a transport
 * makes one attempt with one mail. It may block. Several threads may be in it at once.
 */
#ifndef STET_MAILTRANSPORT_H
#define STET_MAILTRANSPORT_H

#include <stet/driver.h>

/* The server of a site, from the keys that every transport uses. The host makes it. */
struct stet_mail_server {
	const struct stet_conf *conf; /* for the transport's own keys */
	const char *url; /* `mail`: "smtp://mail.example.org:587" */
	const char *user, *password_file; /* to sign in with; both are NULL: without signing in */
	const char *ca; /* a file of further authorities to trust; NULL: none */
	const char *host; /* the host in the URL of the site */
	bool tls; /* use TLS, and verify the certificate, or send nothing */
	/* New fields go here, and nowhere else. */
};

/* A mail. The host makes it. */
struct stet_mail_letter {
	const char *from, *to; /* addresses (stet_mail_address) */
	const char *text; /* header and body: ASCII, short lines that end with CR LF */
	size_t len;
	int64_t timeout; /* ms for the whole attempt; 0: the transport's default */
	/* New fields go here, and nowhere else. */
};

enum stet_mail_outcome {
	STET_MAIL_SENT,
	STET_MAIL_LATER, /* the server defers this mail */
	STET_MAIL_REFUSED, /* the server refuses this mail for good: it is given up */
	STET_MAIL_DOWN /* no mail can be sent now: other mails of the module wait, too */
};

/* A row of the table `mail_transports`. `said` is an empty text at first; the function puts the
 * server's last answer there, or the reason why there was none, in one line without secrets. It is
 * logged and stored. */
struct stet_mail_transport {
	const char *name; /* the scheme of `mail`; the module is mail-NAME */
	enum stet_mail_outcome (*send)(const struct stet_mail_server *,
	    const struct stet_mail_letter *, char *said, size_t size);
	/* For `stet doctor`: connects and signs in, and sends nothing. Returns false if no mail can
	 * be sent now. Takes 20 s at most. NULL: nothing can be tried. */
	bool (*probe)(const struct stet_mail_server *, char *said, size_t size);
	/* Returns what several keys of a site show to be wrong, in words that are never freed;
	 * NULL: nothing. `used`: the site sends its mails by this transport. NULL: there is nothing
	 * to check. */
	const char *(*check)(const struct stet_conf *, bool used);
	/* New fields go here, and nowhere else. */
};

#endif
