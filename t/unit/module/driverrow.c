/* driverrow.c - descriptors of modules that serve the daemon: drivers, and SQL extensions of
 * SQLite. */
/* cmocka.h needs these headers before it. */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */
#include "module/driverrow.h"
#include "module/descriptor.h"
#include "refused.h"
#include <string.h>

static struct stet_module
good(void)
{
	return (struct stet_module){ STET_MODULE_HEAD(x) };
}

static enum stet_mail_outcome
send_nothing(const struct stet_mail_server *server, const struct stet_mail_letter *mail, char *said,
    size_t size)
{
	(void)server;
	(void)mail;
	(void)said;
	(void)size;
	return STET_MAIL_DOWN;
}

static void
bad_transports_of_mails_are_refused(void **state)
{
	struct stet_mail_transport a[] = { { "post", send_nothing }, { "post", send_nothing } };
	struct stet_conf_key keys[] = { { "post-region" } };
	struct stet_module post = good();
	(void)state;

	post.name = "mail-post";
	post.mail_transports = (struct stet_table){ a, 1, sizeof(a[0]) };
	post.conf_keys = (struct stet_table)STET_TABLE(keys);
	assert_null(descriptor_check(&post, NULL));
	assert_bad((m = post, m.name = "files-post"), "not that of its file without \"mail-\"");
	assert_bad((m = post, m.name = "post"), "only drivers can");
	post.conf_keys.count = 0;
	assert_bad((m = post, m.name = "post"), "not that of its file without \"mail-\"");
	assert_bad((m = post, m.mail_transports.count = 2), "two transports");
	keys[0].name = "mail-region";
	assert_bad((m = post, m.conf_keys.count = 1), "a bad name");
	assert_bad((m = post, a[0].send = NULL), "lacks send");
	a[0] = (struct stet_mail_transport){ "hosts", send_nothing };
	assert_bad((m = post, m.name = "mail-hosts"), "that of a key of stet.conf");
	post.mail_transports.count = 0;
	assert_string_equal(driverrow_lacks(&post), "it has no transport of mails");
}

static int
open_nothing(struct sqlite3 *db, void **kept)
{
	(void)db;
	(void)kept;
	return 0;
}

static void
an_extension_of_sqlite_has_to_open(void **state)
{
	struct stet_sqlite_extension a[] = { { open_nothing, NULL, NULL } };
	struct stet_module m = good();
	(void)state;

	m.sqlite_extensions = (struct stet_table)STET_TABLE(a);
	assert_null(descriptor_check(&m, NULL));
	a[0].open = NULL;
	assert_string_equal(descriptor_check(&m, NULL), "an extension of SQLite of it lacks open");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bad_transports_of_mails_are_refused),
		cmocka_unit_test(an_extension_of_sqlite_has_to_open),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
