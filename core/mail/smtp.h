/* smtp.h - hands one mail to the SMTP server of a site. */
#ifndef CORE_MAIL_SMTP_H
#define CORE_MAIL_SMTP_H

#include "conf/conf.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SMTP_SAID 400

enum smtp_outcome {
	SMTP_SENT,
	SMTP_LATER, /* the server defers this mail */
	SMTP_REFUSED, /* the server refuses this mail for good */
	SMTP_DOWN /* no mail can be sent now: no connection, TLS, sign-in or answer */
};

struct smtp_mail {
	const char *host; /* name of the site's host, for EHLO */
	const char *from, *to; /* addresses that confmail_address has accepted */
	const char *text;
	size_t len;
	int64_t timeout; /* ms for the whole session; 0: a minute */
};

/* Sends one mail and waits for the server. `said` is its last answer, or the reason why there was
 * none: one line without control characters. */
enum smtp_outcome smtp_send(
    const struct conf_site *, const struct smtp_mail *, char said[SMTP_SAID]);

/* Connects, and signs in if the site has a mail-user, but sends nothing. Returns false if no mail
 * can be sent now. Blocks for at most 20 s. `said` as in smtp_send. */
bool smtp_probe(const struct conf_site *, const char *host, char said[SMTP_SAID]);

#endif
