/*
 * mail.h - mail. A module asks for a mail inside the transaction of the change that it is about;
 * only a request is stored. A job sends it soon after the commit: it has the module make subject
 * and text at that moment, and hands them to the server that the configuration names (mail of
 * stet.conf(5)), by SMTP or another transport (mailtransport.h). So a link with a secret that the
 * maker puts into the text is never in the database, in a backup or in the log.
 *
 * A mail is sent at least once. When the server cannot be reached or defers it, it is tried again
 * after 30 s, 1 min and so on up to an hour, with the same Message-ID and Date. It is given up
 * when its time is over or the server refuses it for good; the log says so, and `stet mail list`
 * shows it for 30 days.
 */
#ifndef STET_MAIL_H
#define STET_MAIL_H

#include <stet/call.h>

#define STET_MAIL_ADDRESS_MAX 254 /* bytes */
#define STET_MAIL_SUBJECT_MAX 200 /* characters */
#define STET_MAIL_TEXT_MAX 65536 /* bytes */
#define STET_MAIL_VALUES_MAX 16384 /* bytes of JSON */
#define STET_MAIL_PENDING_MAX 1000 /* mails of a site that wait */
#define STET_MAIL_PENDING_TO_MAX 5 /* of these, to one address */
#define STET_MAIL_LIFETIME INT64_C(86400000) /* ms */

/* A mail that is to be sent now, for its maker. */
struct stet_mail_request {
	/* The same in each attempt, and known to nobody: a maker had better derive its secret from
	 * it (stet_mac), so that all attempts carry the same one. Mail readers may show only the
	 * first of several that arrive. */
	const char *id;
	const char *to;
	const json_t *values; /* as they were given to stet_mail; NULL: none were */
	int64_t attempt; /* counts from 1 */
	/* New fields go here, and nowhere else. */
};

/* What the maker makes of it: memory of the call. */
struct stet_mail_text {
	const char *subject; /* one line, UTF-8, without control characters */
	const char *text; /* plain text, UTF-8; lines end with \n */
	/* Send nothing, and forget the request: nobody has this address, or the link is not wanted
	 * any more. */
	bool drop;
	/* New fields go here, and nowhere else. */
};

/*
 * A kind of mail, for the table `mails` of the descriptor. `make` runs in the slow lane, as a job
 * does: it may read, and write by stet_write_lane. If it fails it is run again at the next attempt;
 * the text of its error is logged and stored, so it must hold no secret.
 */
struct stet_mail_def {
	const char *name; /* [a-z][a-z0-9_]* */
	enum stet_status (*make)(
	    struct stet_call *, const struct stet_mail_request *, struct stet_mail_text *);
	/* New fields go here, and nowhere else. */
};

/* What is asked for. */
struct stet_mail {
	const char *name; /* of a row in the module's table `mails` */
	const char *to; /* an address */
	const json_t *values; /* an object for the maker, stored sealed; NULL: none */
	/* If a mail of this name to this address waits already, that one is enough. */
	bool once;
	int64_t lifetime; /* ms after which it is not sent any more; 0: 24 hours, the most */
	/* Mails of this name that wait at most; 0: as many as the site may have. A kind that
	 * strangers ask for leaves room for the others. */
	int64_t most;
	/* New fields go here, and nowhere else. */
};

/*
 * Ask for a mail, in the write lane. Fails with VALIDATION_ERROR (field "to") when `to` is no
 * address, EMAIL_NOT_CONFIGURED when the site has no mail server, RATE_LIMITED when too many mails
 * of the site, or to this address, wait, and KEY_UNAVAILABLE when `values` cannot be sealed.
 */
STET_MUST static inline enum stet_status stet_mail(
    struct stet_call *, struct stet_tx *, const struct stet_mail *);
/* Does the configuration name a mail server for the site? */
STET_API bool stet_mail_configured(struct stet_call *);
/*
 * The address as it is sent to, owned by the call; NULL: the text is no address. The local part is
 * a dot-atom of ASCII and stays as it is. The domain has at least two labels of letters, digits and
 * hyphens, whose letters become small; one in another script has to be given in its ASCII form
 * (xn--). There are no blanks, quotes, comments, control characters or IP addresses, and at most
 * STET_MAIL_ADDRESS_MAX bytes.
 */
STET_API const char *stet_mail_address(struct stet_call *, const char *text);

/* What it is to the host: it is told how long the structure was when its caller was built. */
STET_API STET_MUST enum stet_status stet_mail_sized(
    struct stet_call *, struct stet_tx *, const struct stet_mail *, size_t);

static inline enum stet_status
stet_mail(struct stet_call *call, struct stet_tx *tx, const struct stet_mail *mail)
{
	return stet_mail_sized(call, tx, mail, sizeof(*mail));
}

#endif
