/* mailtransport.h - hands a mail to the transport of a site (stet/mailtransport.h). */
#ifndef CORE_MAIL_MAILTRANSPORT_H
#define CORE_MAIL_MAILTRANSPORT_H

#include "conf/conf.h"
#include <stet/mailtransport.h>

#define MAILTRANSPORT_SAID 400

/* Sends one mail and waits for the server. `said` is its last answer, or the reason why there was
 * none: one line of ASCII without control characters. If the module of the transport is missing,
 * no mail can be sent now. */
enum stet_mail_outcome mailtransport_send(
    const struct conf_site *, const struct stet_mail_letter *, char said[MAILTRANSPORT_SAID]);

/* Connects, and signs in if the site has a mail-user, but sends nothing. Returns false if no mail
 * can be sent now. Blocks for at most 20 s. `said` as in mailtransport_send. */
bool mailtransport_probe(const struct conf_site *, char said[MAILTRANSPORT_SAID]);

#endif
