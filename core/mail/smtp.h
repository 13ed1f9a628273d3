/* smtp.h - one mail handed to the SMTP server of a site. */
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
	SMTP_DOWN /* no mail can be sent now: no connection, no TLS, not signed in, no answer */
};

struct smtp_mail {
	const char *host; /* of the site, for EHLO */
	const char *from, *to; /* addresses that confmail_address has accepted */
	const char *text;
	size_t len;
	int64_t timeout; /* ms for all of it; 0: a minute */
};

/* Waits for the server. `said` is its last answer, or why there was none: one line without control
 * characters. */
enum smtp_outcome smtp_send(
    const struct conf_site *, const struct smtp_mail *, char said[SMTP_SAID]);

/* Connects, and signs in if the site has a mail-user, but sends nothing. False: no mail can be
 * sent now. Waits, 20 s at most. `said` is as above. */
bool smtp_probe(const struct conf_site *, const char *host, char said[SMTP_SAID]);

#endif
