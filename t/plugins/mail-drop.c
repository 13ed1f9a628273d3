/* mail-drop - a transport that writes mails to the end of a file, which the key drop-file names. */
#include <stdio.h>
#include <stet/module.h>
#include <string.h>

static enum stet_mail_outcome
drop(const struct stet_mail_server *server, const struct stet_mail_letter *mail, char *said,
    size_t size)
{
	FILE *f = fopen(stet_conf_text(server->conf, "drop-file"), "a");

	(void)snprintf(said, size, "%s", f != NULL ? "dropped" : "it cannot\n be \x1b opened");
	if (f == NULL)
		return STET_MAIL_LATER;
	fprintf(f, "%s %s %s %s tls %d\n", server->url, server->host, mail->from, mail->to,
	    server->tls);
	fwrite(mail->text, 1, mail->len, f);
	fclose(f);
	return STET_MAIL_SENT;
}

static const char *
check(const struct stet_conf *conf, bool used)
{
	return used && stet_conf_text(conf, "drop-file") == NULL
		   ? "mail = \"drop:...\" needs drop-file"
		   : NULL;
}

static const struct stet_mail_transport transports[] = { { "drop", drop, NULL, check } };
static const struct stet_conf_key keys[] = { { "drop-file" } };

STET_MODULE(mail_drop) = { STET_MODULE_HEAD_AS("mail-drop"), .version = "1.0.0",
	.mail_transports = STET_TABLE(transports), .conf_keys = STET_TABLE(keys) };
