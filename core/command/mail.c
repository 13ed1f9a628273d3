/*
 * mail.c - `stet mail`. `test` hands one mail to the site's server, from this process and past the
 * queue, so that it also works while the daemon is stopped. `list` reads the queue.
 */
#include "command/mail.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/dir.h"
#include "base/log.h"
#include "base/words.h"
#include "command/arguments.h"
#include "command/print.h"
#include "conf/confdatabase.h"
#include "conf/confmail.h"
#include "db/ask.h"
#include "mail/mailtext.h"
#include "mail/mailtransport.h"
#include <signal.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

const struct stet_member mail_in[] = {
	{ "what", STET_STRING, STET_REQUIRED,
	    .about =
		"test: send a mail to an address. list: the mails that wait, and those that were"
		" given up",
	    STET_CHOICES("test", "list") },
	{ "address", STET_STRING, .about = "Where to send the test" },
	{ 0 },
};

static int
wrong(const char *text)
{
	fprintf(stderr, "stet: %s\n", text);
	return EXIT_USAGE;
}

/* ---- test ---- */

static void
write_test(const struct conf_site *conf, const char *to, const char *host, struct buf *out)
{
	char *text = words_format("This is a test of the mail server of %s.\n", conf->base_url);
	unsigned char random[16];
	char id[2 * sizeof(random) + 1];

	randombytes_buf(random, sizeof(random));
	sodium_bin2hex(id, sizeof(id), random, sizeof(random));
	mailtext_write(out, &(struct mailtext){ .sender = conf->mail_from,
				.to = to,
				.subject = "Test",
				.text = text,
				.id = id,
				.host = host,
				.date = clock_now() });
	free(text);
}

static int
send_test(const struct conf_site *conf, const struct options *o, const char *to)
{
	char from[STET_MAIL_ADDRESS_MAX + 1], said[MAILTRANSPORT_SAID], *host;
	enum stet_mail_outcome outcome;
	struct buf text = { 0 };
	size_t name;

	if (to == NULL || !confmail_address(to))
		return wrong("to which address?");
	if (conf->mail == NULL)
		return wrong("the configuration names no mail server: see mail in stet.conf(5)");
	(void)signal(SIGPIPE, SIG_IGN); /* a server may close while TLS is spoken */
	stet_assert(confmail_from(conf->mail_from, from, &name));
	host = mailtext_host(conf->base_url);
	write_test(conf, to, host, &text);
	outcome = mailtransport_send(conf,
	    &(struct stet_mail_letter){
		.from = from, .to = to, .text = text.data, .len = text.len },
	    said);
	print_command_result(stdout, o,
	    json_pack("{s:s, s:s, s:b, s:s}", "server", conf->mail, "to", to, "sent",
		outcome == STET_MAIL_SENT, "answer", said));
	buf_free(&text);
	free(host);
	return outcome == STET_MAIL_SENT ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* ---- list ---- */

static void
add_row(void *arg, const char *const *column)
{
	static const char *const names[] = { "id", "module", "mail", "to", "created", "attempts",
		"next", "givenUp", "error" };
	json_t *row = json_object();

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		json_object_set_new(
		    row, names[i], column[i] != NULL ? json_string(column[i]) : json_null());
	json_array_append_new(arg, row);
}

static int
list(const struct conf_site *conf, const struct options *o)
{
	char *database = confdatabase_place(conf), *why = NULL;
	json_t *items = json_array();
	bool good = db_ask(database,
	    "SELECT id, module, name, recipient, created_at, CAST(attempts AS TEXT),"
	    " CASE WHEN dead_at IS NULL THEN due_at END, dead_at, error FROM mail ORDER BY id",
	    9, add_row, items, &why);

	if (good)
		print_command_result(stdout, o, json_pack("{s:O}", "items", items));
	else
		fprintf(stderr, "stet: %s\n", why);
	json_decref(items);
	free(database);
	free(why);
	return good ? EXIT_SUCCESS : EXIT_FAILURE;
}

int
mail_run(const struct conf_site *conf, const struct options *o, int argc, char **argv)
{
	json_t *args = json_object();
	int status = argument_parse(mail_in, "what address", argc, argv, args);
	const char *what = json_string_value(json_object_get(args, "what"));
	const char *address = json_string_value(json_object_get(args, "address"));

	if (status < 0 && strcmp(what, "test") == 0)
		status = send_test(conf, o, address);
	else if (status < 0)
		status = address == NULL ? list(conf, o) : wrong("list takes no address");
	json_decref(args);
	return status;
}
