/*
 * doctor_mail.c - checks mail. Signs in to the server, so that a changed password or an untrusted
 * certificate is found before a user misses a mail.
 */
#include "base/dir.h"
#include "base/words.h"
#include "command/doctor.h"
#include "conf/confdatabase.h"
#include "db/ask.h"
#include "mail/mailtransport.h"
#include <signal.h>
#include <stdlib.h>
#include <string.h>

static void
check_server(struct doctor *d)
{
	char said[MAILTRANSPORT_SAID];

	(void)signal(SIGPIPE, SIG_IGN); /* a server may close while TLS is spoken */
	if (mailtransport_probe(d->site, said))
		doctor_say(d, "mail", STET_FINE, NULL, "%s answers", d->site->mail);
	else
		doctor_say(d, "mail", STET_TROUBLE,
		    "Mails wait until it does, for a day at most. \"stet mail test ADDRESS\" tries"
		    " again.",
		    "%s: %s", d->site->mail, said);
}

static void
take_count(void *arg, const char *const *column)
{
	*(long *)arg = strtol(column[0], NULL, 10);
}

static void
check_dead(struct doctor *d)
{
	char *database = confdatabase_place(d->site), *why = NULL;
	long dead = 0;

	/* Errors are ignored: other checks report a broken database, and an old one has no table of
	 * mails. */
	if (db_ask(database, "SELECT CAST(COUNT(*) AS TEXT) FROM mail WHERE dead_at IS NOT NULL", 1,
		take_count, &dead, &why) &&
	    dead > 0)
		doctor_say(d, "mail", STET_NOTE, "\"stet mail list\" says why.",
		    "mails that were given up in the last 30 days: %ld", dead);
	free(database);
	free(why);
}

void
doctor_mail(struct doctor *d)
{
	if (d->site->mail != NULL)
		check_server(d);
	check_dead(d);
}
