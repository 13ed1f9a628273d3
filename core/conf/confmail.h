/* confmail.h - the keys of stet.conf about mail: addresses, and the server that sends. */
#ifndef CORE_CONFMAIL_H
#define CORE_CONFMAIL_H

#include "conf/conf.h"
#include "conf/confcheck.h"
#include <stet/mail.h>

/* Values of mail-tls, by enum conf_mail_tls; NULL at the end. */
extern const char *const confmail_tls[];

/* "smtp://mail.example.org:587"; "Example <info@example.org>". */
extern const struct conf_check confmail_server, confmail_sender, confmail_tls_choice;

/* Returns true if the text is an ASCII mail address: a dot-atom, "@", and a domain of at least two
 * labels. All addresses are checked here; libcurl checks none and would pass line breaks on. */
bool confmail_address(const char *text);
/* Splits a sender into its address and the name before it; *name_len is 0 if there is no name.
 * Returns false if it is not a valid sender. */
bool confmail_from(const char *sender, char address[STET_MAIL_ADDRESS_MAX + 1], size_t *name_len);
/* Returns true if mail to the site's server is encrypted with TLS. For a server on this machine it
 * is only if mail-tls asks for it. */
bool confmail_protected(const struct conf_site *);
/* Checks the keys about mail together. Returns NULL, or what is wrong, which the caller frees. */
char *confmail_check(const struct conf_site *);

#endif
