/*
 * mail.h - mail. A module asks for a mail inside the transaction of the change that it is about;
 * only a request is stored. A job sends it soon after the commit: it has the module make subject
 * and text at that moment, and hands them to the server that the configuration names (mail of
 * stet.conf(5)), by SMTP or another transport (mailtransport.h). So a link with a secret that the
 * maker puts into the text is never in the database, in a backup or in the log.
 *
 * A mail is sent at least once. If the server cannot be reached or defers the mail, it is tried
 * again after 30 s, 1 min and further delays up to an hour, with the same Message-ID and Date. The
 * job gives up when the mail's lifetime is over or the server refuses it permanently; this is
 * logged, and `stet mail list` shows the mail for 30 days.
 */
#ifndef STET_MAIL_H
#define STET_MAIL_H

#include <stet/call.h>

#define STET_MAIL_ADDRESS_MAX 254 /* bytes */
#define STET_MAIL_SUBJECT_MAX 200 /* characters */
#define STET_MAIL_TEXT_MAX 65536 /* bytes */
#define STET_MAIL_VALUES_MAX 16384 /* bytes of JSON */
#define STET_MAIL_PENDING_MAX 1000 /* waiting mails of a site */
#define STET_MAIL_PENDING_TO_MAX 5 /* of these, of one module to one address */
#define STET_MAIL_LIFETIME INT64_C(86400000) /* ms */

/* A mail that is being sent: the input of `make`. */
struct stet_mail_request {
	/* The same in each attempt, and secret. `make` should derive a secret link from it
	 * (stet_mac), so that all attempts carry the same link: if several copies arrive, a mail
	 * program may show only the first. */
	const char *id;
	const char *to;
	const json_t *values; /* as they were given to stet_mail; NULL: none were */
	int64_t attempt; /* counts from 1 */
	/* New fields go here, and nowhere else. */
};

/* The output of `make`, in memory of the call. */
struct stet_mail_text {
	const char *subject; /* one line, UTF-8, without control characters */
	const char *text; /* plain text, UTF-8; lines end with \n */
	/* Send nothing and delete the request: nobody has this address, or the link is no longer
	 * needed. */
	bool drop;
	/* New fields go here, and nowhere else. */
};

/*
 * A kind of mail, for the table `mails` of the descriptor. `make` runs in the slow lane, like a
 * job: it may read, and write by stet_write_lane. If it fails it runs again at the next attempt;
 * the text of its error is logged and stored, so it must not contain a secret.
 */
struct stet_mail_def {
	const char *name; /* [a-z][a-z0-9_]* */
	enum stet_status (*make)(
	    struct stet_call *, const struct stet_mail_request *, struct stet_mail_text *);
	/* New fields go here, and nowhere else. */
};

/* A request for a mail. */
struct stet_mail {
	const char *name; /* of a row in the module's table `mails` */
	const char *to; /* an address */
	const json_t *values; /* an object for the maker, stored sealed; NULL: none */
	/* Do nothing if a mail of this name to this address is already waiting. */
	bool once;
	int64_t lifetime; /* ms after which it is not sent any more; 0: 24 hours, the most */
	/* The most waiting mails of this name; 0: the limit of the site. Set it for mails that
	 * anonymous people can cause, so that other mails have room. */
	int64_t most;
	/* New fields go here, and nowhere else. */
};

/*
 * Requests a mail, in the write lane. Fails with VALIDATION_ERROR (field "to") if `to` is not an
 * address, EMAIL_NOT_CONFIGURED if the site has no mail server, RATE_LIMITED if too many mails of
 * the site, or of the module to this address, are waiting, and KEY_UNAVAILABLE if `values` cannot
 * be sealed.
 */
STET_MUST static inline enum stet_status stet_mail(
    struct stet_call *, struct stet_tx *, const struct stet_mail *);
/* Returns true if the configuration names a mail server for the site. */
STET_API bool stet_mail_configured(struct stet_call *);
/*
 * Returns the normalised address, owned by the call; NULL: the text is not an address. The local
 * part is a dot-atom of ASCII and stays as it is. The domain has at least two labels of letters,
 * digits and hyphens, and becomes lower case; a domain in another script must be in its ASCII form
 * (xn--). Blanks, quotes, comments, control characters and IP addresses are not allowed. At most
 * STET_MAIL_ADDRESS_MAX bytes.
 */
STET_API const char *stet_mail_address(struct stet_call *, const char *text);

/* The host's side of stet_mail: gets the size of the structure in the caller's headers. */
STET_API STET_MUST enum stet_status stet_mail_sized(
    struct stet_call *, struct stet_tx *, const struct stet_mail *, size_t);

static inline enum stet_status
stet_mail(struct stet_call *call, struct stet_tx *tx, const struct stet_mail *mail)
{
	return stet_mail_sized(call, tx, mail, sizeof(*mail));
}

#endif
