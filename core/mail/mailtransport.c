/* mailtransport.c - hands a mail to the transport of a site, which is a driver (adr/0080). */
#include "mail/mailtransport.h"
#include "base/log.h"
#include "conf/confdriver.h"
#include "conf/confmail.h"
#include "mail/mailtext.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Returns the transport. If there is none, `said` is the reason: the one of SMTP is missing, since
 * stet.conf is refused without any other (confdriver_sends). */
static const struct stet_mail_transport *
transport_of(const struct conf_site *conf, char said[MAILTRANSPORT_SAID])
{
	const struct stet_mail_transport *transport = confdriver_mail(conf);

	*said = '\0';
	if (transport == NULL)
		(void)snprintf(said, MAILTRANSPORT_SAID,
		    "the module mail-smtp, which sends mails by SMTP, is not there");
	return transport;
}

/* The caller frees the host. */
static struct stet_mail_server
server_of(const struct conf_site *conf, const struct stet_mail_transport *transport)
{
	bool asked = conf->mail[strlen(transport->name)] == 's'; /* "smtps:" */

	return (struct stet_mail_server){ .conf = conf_public(conf),
		.url = conf->mail,
		.user = conf->mail_user,
		.password_file = conf->mail_password_file,
		.ca = conf->fetch_ca,
		.host = mailtext_host(conf->base_url),
		.tls = asked || confmail_protected(conf) };
}

/* Plugins may say what they like. */
static void
clean(char said[MAILTRANSPORT_SAID])
{
	said[MAILTRANSPORT_SAID - 1] = '\0';
	for (char *c = said; *c != '\0'; c++)
		if (*c < ' ' || *c > '~')
			*c = '?';
}

enum stet_mail_outcome
mailtransport_send(const struct conf_site *conf, const struct stet_mail_letter *mail,
    char said[MAILTRANSPORT_SAID])
{
	const struct stet_mail_transport *transport = transport_of(conf, said);
	enum stet_mail_outcome outcome = STET_MAIL_DOWN;
	struct stet_mail_server server;

	stet_assert(confmail_address(mail->to) && confmail_address(mail->from));
	if (transport == NULL)
		return outcome;
	server = server_of(conf, transport);
	outcome = transport->send(&server, mail, said, MAILTRANSPORT_SAID);
	clean(said);
	free((char *)(uintptr_t)server.host);
	return outcome <= STET_MAIL_DOWN ? outcome : STET_MAIL_DOWN;
}

bool
mailtransport_probe(const struct conf_site *conf, char said[MAILTRANSPORT_SAID])
{
	const struct stet_mail_transport *transport = transport_of(conf, said);
	struct stet_mail_server server;
	bool good;

	if (transport == NULL || transport->probe == NULL)
		return transport != NULL;
	server = server_of(conf, transport);
	good = transport->probe(&server, said, MAILTRANSPORT_SAID);
	clean(said);
	free((char *)(uintptr_t)server.host);
	return good;
}
