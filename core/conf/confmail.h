/* confmail.h - the keys of stet.conf about mail: addresses, and the server that sends. */
#ifndef CORE_CONFMAIL_H
#define CORE_CONFMAIL_H

#include "conf/conf.h"
#include "conf/confcheck.h"
#include <stet/mail.h>

/* Is TLS asked of the server? By enum conf_mail_tls; NULL at the end. */
extern const char *const confmail_tls[];

/* "smtp://mail.example.org:587"; "Example <info@example.org>". */
extern const struct conf_check confmail_server, confmail_sender, confmail_tls_choice;

/* Is this text, of ASCII alone, an address: a dot-atom, "@", and a domain of two labels at least?
 * The one grammar for addresses; libcurl checks none and would pass line breaks on. */
bool confmail_address(const char *text);
/* The address of a sender, and the name before it; *name_len is 0 when there is none. false: it is
 * no sender. */
bool confmail_from(const char *sender, char address[STET_MAIL_ADDRESS_MAX + 1], size_t *name_len);
/* Does TLS protect what is sent to the site's server? Not that of this machine, unless mail-tls
 * asks for it. */
bool confmail_protected(const struct conf_site *);
/* What no single key of these shows. NULL when all is well, else what is wrong; free it. */
char *confmail_check(const struct conf_site *);

#endif
