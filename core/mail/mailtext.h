/* mailtext.h - formats a mail for the server: header fields and body (RFC 5322, 2045, 2047). */
#ifndef CORE_MAIL_MAILTEXT_H
#define CORE_MAIL_MAILTEXT_H

#include "base/buf.h"
#include <stdint.h>

struct mailtext {
	const char *sender; /* as configured: "Example <info@example.org>" */
	const char *to; /* an address */
	const char *subject, *text;
	const char *id, *host; /* parts of the Message-ID */
	int64_t date; /* ms */
};

/* Returns the host of a URL, with the brackets of an IPv6 address. The caller frees it. */
char *mailtext_host(const char *url);
/* Returns NULL, or why the subject or the text cannot be sent. */
const char *mailtext_refuses(const char *subject, const char *text);
/* Appends the whole mail: ASCII lines of at most 78 characters, ended by CR LF. Subject and text
 * must have passed mailtext_refuses. */
void mailtext_write(struct buf *, const struct mailtext *);

#endif
