/* mailtext.h - a mail as it goes to the server: header fields and body (RFC 5322, 2045, 2047). */
#ifndef CORE_MAIL_MAILTEXT_H
#define CORE_MAIL_MAILTEXT_H

#include "base/buf.h"
#include <stdint.h>

struct mailtext {
	const char *sender; /* as the configuration says it: "Example <info@example.org>" */
	const char *to; /* an address */
	const char *subject, *text;
	const char *id, *host; /* of the Message-ID */
	int64_t date; /* ms */
};

/* The host of a URL, with the brackets of an IPv6 address; to be freed. */
char *mailtext_host(const char *url);
/* NULL, or what is wrong with a subject and a text. */
const char *mailtext_refuses(const char *subject, const char *text);
/* Adds the whole mail, of ASCII, in lines of at most 78 characters that end with CR LF. Subject and
 * text are good by mailtext_refuses. */
void mailtext_write(struct buf *, const struct mailtext *);

#endif
