/* keys.c - every key of stet.conf, from its table: it is read, copied, compared, and reloaded on
 * SIGHUP. */
#include "daemon.h"

#include "base/arena.h"
#include "conf/confkey.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define TLS "tls-certificate = \"/c\"\ntls-key = \"/k\"\n"
#define PLAIN "listen = { \"127.0.0.1:0\" }\n"

/* Lines that set a key to another value than its default. */
struct sample {
	const char *key, *lines;
};

static const struct sample of_daemon[] = {
	{ "listen", "listen = { \"127.0.0.2:0\" }\n" },
	{ "tls-listen", PLAIN "tls-listen = { \"127.0.0.1:0\" }\n" TLS },
	{ "tls-certificate", TLS },
	{ "tls-key", TLS },
	{ "trusted-proxies", "trusted-proxies = { \"10.0.0.0/8\" }\n" },
	{ "module-path", "module-path = \"/nowhere\"\n" },
	{ "plugin-path", "plugin-path = \"/nowhere\"\n" },
	{ "log-file", "log-file = \"/dev/null\"\n" },
	{ "log-level", "log-level = \"debug\"\n" },
	{ "access-log", "access-log = \"/dev/null\"\n" },
	{ "access-log-format", "access-log-format = \"json\"\n" },
	{ "slow-statement", "slow-statement = \"2s\"\n" },
	{ "pid-file", "pid-file = \"/nowhere/pid\"\n" },
	{ "daemon-name", "daemon-name = \"left\"\n" },
	{ "user", "user = \"nobody\"\n" },
	{ "metrics-listen", PLAIN "metrics-listen = \"127.0.0.1:0\"\n" },
	{ "workers", "workers = 3\n" },
	{ "slow-threads", "slow-threads = 3\n" },
	{ "max-connections", "max-connections = 1000\n" },
	{ "max-connections-per-address", "max-connections-per-address = 1000\n" },
	{ "head-timeout", "head-timeout = \"11s\"\n" },
	{ "body-timeout", "body-timeout = \"11s\"\n" },
	{ "idle-timeout", "idle-timeout = \"11s\"\n" },
	{ "call-timeout", "call-timeout = \"11s\"\n" },
	{ "drain-timeout", "drain-timeout = \"11s\"\n" },
	{ "stuck-after", "stuck-after = \"70s\"\n" },
	{ "body-min-rate", "body-min-rate = 1\n" },
	{ "max-body-memory", "max-body-memory = \"1GiB\"\n" },
	{ "answer-min-rate", "answer-min-rate = 1\n" },
	{ "max-answer-memory", "max-answer-memory = \"1GiB\"\n" },
	{ "max-answer-memory-per-address", "max-answer-memory-per-address = \"1GiB\"\n" },
	{ "max-waiting-per-client", "max-waiting-per-client = 127\n" },
	{ "answer-cache", "answer-cache = \"0\"\n" },
	{ "server-timing", "server-timing = true\n" },
};

#define MAIL "mail = \"smtp://localhost\"\nmail-from = \"a@b.cd\"\n"

#define BUCKET                                                                                  \
	"s3-endpoint = \"https://s3.example.org\"\ns3-bucket = \"files\"\ns3-region = \"eu\"\n" \
	"s3-credentials-file = \"/c\"\n"

#define ENGINE "database = \"postgresql:///stet\"\nfiles-directory = \"/srv/files\"\n"

static const struct sample of_site[] = {
	{ "hosts", "hosts = { \"a.example.org\", \"b.example.org\" }\n" },
	{ "base-url", "base-url = \"https://a.example.org\"\n" },
	{ "locales", "locales = { \"de\", \"en\" }\n" },
	{ "modules", "modules = { \"auth\" }\n" },
	{ "cors-origins", "cors-origins = { \"https://a.example.org\" }\n" },
	{ "cors-credentials", "cors-credentials = true\n" },
	{ "passkey-origins",
	    "base-url = \"https://a.example.org\"\npasskey-origins = { \"https://b.a.example.org\" }\n" },
	{ "public-read", "public-read = { \"menus\" }\n" },
	{ "public-search", "public-search = \"all\"\n" },
	{ "public-max-age", "public-max-age = \"5m\"\n" },
	{ "public-shared-max-age", "public-shared-max-age = \"1d\"\n" },
	{ "public-stale", "public-stale = \"1h\"\n" },
	{ "address-limits", "address-limits = { \"writes 121/1m\" }\n" },
	{ "token-limits", "token-limits = { \"reads 10/1s\" }\n" },
	{ "fetch-allow", "fetch-allow = { \"10.0.0.0/8\" }\n" },
	{ "fetch-ca", "fetch-ca = \"/ca\"\n" },
	{ "database", ENGINE },
	{ "database-password-file", ENGINE "database-password-file = \"/p\"\n" },
	{ "database-schema", ENGINE "database-schema = \"s\"\n" },
	{ "database-connections", "database-connections = 9\n" },
	{ "database-timeout", "database-timeout = \"6s\"\n" },
	{ "files", "files = \"directory\"\n" },
	{ "files-directory", "files-directory = \"/srv/files\"\n" },
	{ "max-media-bytes", "max-media-bytes = \"1GiB\"\n" },
	{ "s3-endpoint", BUCKET },
	{ "s3-bucket", BUCKET },
	{ "s3-region", BUCKET },
	{ "s3-credentials-file", BUCKET },
	{ "s3-prefix", BUCKET "s3-prefix = \"a/b\"\n" },
	{ "s3-style", BUCKET "s3-style = \"host\"\n" },
	{ "s3-redirect", BUCKET "s3-redirect = true\n" },
	{ "s3-timeout", BUCKET "s3-timeout = \"31s\"\n" },
	{ "file-cache", "file-cache = \"2GiB\"\n" },
	{ "key-file", "key-file = \"/key\"\n" },
	{ "mail", MAIL },
	{ "mail-from", MAIL },
	{ "mail-user", MAIL "mail-user = \"u\"\nmail-password-file = \"/p\"\n" },
	{ "mail-password-file", MAIL "mail-user = \"u\"\nmail-password-file = \"/p\"\n" },
	{ "mail-tls", "mail-tls = \"required\"\n" },
	{ "tls-certificate", TLS },
	{ "tls-key", TLS },
	{ "hsts", "hsts = \"0s\"\n" },
	{ "backup-dir", "backup-dir = \"/nowhere\"\n" },
	{ "backup-at", "backup-at = \"00:00\"\n" },
	{ "backup-every", "backup-every = \"365d\"\n" },
	{ "backup-keep", "backup-keep = \"10\"\n" },
	{ "backup-public-key", "backup-public-key = \"stet-public-"
			       "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\"\n" },
};

#define COUNT(of) (sizeof(of) / sizeof((of)[0]))

static const struct sample *
sample_of(const struct sample *samples, size_t count, const char *key)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(samples[i].key, key) == 0)
			return &samples[i];
	fail_msg("%s: a value of this key is wanted here", key);
	return NULL;
}

static struct conf *
parsed(const char *lines, const char *of_site_too)
{
	struct conf *conf;
	char text[1024], *why;

	(void)snprintf(text, sizeof(text), "%ssite \"main\" {\n%s}\n", lines, of_site_too);
	conf = conf_parse(text, "t.conf", &why);
	if (conf == NULL)
		fail_msg("%s", why);
	return conf;
}

/* Returns true if the key is one of the words after "changed". */
static bool
names(const char *text, const char *key)
{
	const char *at = text;

	while (at != NULL && (at = strstr(at, key)) != NULL) {
		bool begins = at == text || at[-1] == ' ';

		at += strlen(key);
		if (begins && (*at == '\0' || *at == ',' || *at == '\n'))
			return true;
	}
	return false;
}

/* Unsets the paths in the environment of the test suite, which override the file. */
static void
without_paths(char *was[2])
{
	static const char *const path[] = { "STET_MODULE_PATH", "STET_PLUGIN_PATH" };

	for (int i = 0; i < 2; i++) {
		was[i] = getenv(path[i]) != NULL ? xstrdup(getenv(path[i])) : NULL;
		unsetenv(path[i]);
	}
}

static void
with_paths(char *was[2])
{
	if (was[0] != NULL)
		setenv("STET_MODULE_PATH", was[0], 1);
	if (was[1] != NULL)
		setenv("STET_PLUGIN_PATH", was[1], 1);
	free(was[0]);
	free(was[1]);
}

static void
each_key_of_the_daemon_is_told_apart(void **state)
{
	struct conf *usual, *other;
	char *was[2];

	(void)state;
	without_paths(was);
	usual = parsed("", "");
	for (const struct conf_key *k = conf_keys; k->name != NULL; k++) {
		char *changed;

		other = parsed(sample_of(of_daemon, COUNT(of_daemon), k->name)->lines, "");
		changed = confkey_changed(conf_keys, usual, other, k->restart);
		if (!names(changed, k->name))
			fail_msg("%s: changed are %s", k->name, changed);
		free(changed);
		conf_free(other);
	}
	assert_null(confkey_changed(conf_keys, usual, usual, false));
	assert_null(confkey_changed(conf_keys, usual, usual, true));
	conf_free(usual);
	with_paths(was);
}

static void
each_key_of_a_site_is_told_apart_and_copied(void **state)
{
	struct conf *usual = parsed("", "");

	(void)state;
	for (const struct conf_key *k = conf_site_keys; k->name != NULL; k++) {
		struct conf *other;
		struct conf_site copy;
		const char *lines;
		char *changed;

		if (k->kind == CONF_TITLE)
			continue;
		lines = strcmp(k->name, "data") == 0
			    ? "data = \"/d\"\n"
			    : sample_of(of_site, COUNT(of_site), k->name)->lines;
		other = parsed("", lines);
		copy = conf_site_dup(&other->sites[0]);
		conf_free(other);
		changed = confkey_changed(conf_site_keys, &usual->sites[0], &copy, k->restart);
		if (!names(changed, k->name))
			fail_msg("%s: changed are %s", k->name, changed);
		free(changed);
		other = parsed("", lines);
		assert_null(confkey_changed(conf_site_keys, &other->sites[0], &copy, k->restart));
		conf_free(other);
		conf_site_drop(&copy);
	}
	conf_free(usual);
}

static void
refused(bool of_a_site, const struct conf_key *k, const char *value, const char *want)
{
	char text[256], *why = NULL;

	(void)snprintf(text, sizeof(text),
	    of_a_site ? "site \"main\" {\n%s = %s\n}\n" : "%s = %s\nsite \"main\" {}\n", k->name,
	    value);
	assert_null(conf_parse(text, "t.conf", &why));
	if (strstr(why, k->name) == NULL || strstr(why, want) == NULL)
		fail_msg("%s = %s: %s", k->name, value, why);
	free(why);
}

/* Every key with a check refuses an empty value, and says what it wants instead. Keys that need at
 * least one value refuse an empty list. */
static void
each_key_says_what_it_wants_instead(void **state)
{
	static const struct conf_key *const tables[] = { conf_keys, conf_site_keys };

	(void)state;
	for (size_t i = 0; i < 2; i++)
		for (const struct conf_key *k = tables[i]; k->name != NULL; k++) {
			bool list = k->kind == CONF_LIST || k->kind == CONF_RATES;

			if (k->check == NULL) {
				assert_true(k->kind == CONF_INT || k->kind == CONF_COUNT ||
					    k->kind == CONF_SWITCH || k->kind == CONF_TITLE);
				continue;
			}
			refused(i == 1, k, list ? "{ \"\" }" : "\"\"", k->check->want);
			if (k->some)
				refused(i == 1, k, "{}", "at least one is needed");
		}
}

/* Sends SIGHUP; returns the log up to the confirmation. */
static const char *
told(struct daemon *d)
{
	size_t at = daemon_reload(d);

	return d->said + at;
}

static void
take(struct daemon *d, const char *conf, const char *site, const char *key, const char *say)
{
	const char *line, *text;

	daemon_write_conf(d, conf, site);
	text = told(d);
	line = strstr(text, say);
	if (line == NULL || !names(line, key))
		fail_msg("%s: the daemon said: %s", key, text);
	/* The key has the new value now. */
	text = told(d);
	if (strstr(text, "changed") != NULL)
		fail_msg("%s: nothing changed, but the daemon said: %s", key, text);
	daemon_write_conf(d, NULL, NULL);
	(void)told(d);
}

/* Keys of drivers do not. */
static bool
needs_restart(const char *key)
{
	const struct conf_key *k = conf_site_keys;

	while (k->name != NULL && strcmp(k->name, key) != 0)
		k++;
	return k->restart;
}

/* The reload applies the key, or says that it needs a restart. */
static void
sighup_takes_each_key_of_a_site(void **state)
{
	struct daemon *d = daemon_start(NULL, NULL, 0);
	char driver[4096];

	(void)state;
	/* The daemon of this test has no bundled modules; the driver is there as a plugin. */
	(void)snprintf(
	    driver, sizeof(driver), "%s/modules/.libs/files-s3.so", getenv("STET_BUILD"));
	assert_int_equal(symlink(driver, daemon_path(d, "files-s3.so")), 0);
	for (size_t i = 0; i < COUNT(of_site); i++)
		take(d, NULL, of_site[i].lines, of_site[i].key,
		    needs_restart(of_site[i].key)
			? "site main: takes effect when stetd is started again: "
			: "site main: changed: ");
	daemon_stop(d);
}

/* The reload applies the key, or says that it needs a restart. */
static void
sighup_takes_each_key_of_the_daemon(void **state)
{
	struct daemon *d = daemon_start(NULL, NULL, 0);
	size_t at;

	(void)state;
	for (const struct conf_key *k = conf_keys; k->name != NULL; k++) {
		const char *lines = sample_of(of_daemon, COUNT(of_daemon), k->name)->lines;

		/* Except keys that the environment overrides, and the file of the log, in which
		 * this test reads. */
		if (k->environment == NULL && strcmp(k->name, "log-file") != 0)
			take(d, lines, NULL, k->name,
			    k->restart ? "takes effect when stetd is started again: "
				       : "changed: ");
	}
	at = d->said_len;
	daemon_write_conf(d, "log-file = \"/dev/null\"\n", NULL);
	daemon_signal(d, SIGHUP);
	(void)daemon_said(d, at, "changed: log-file\n");
	daemon_stop(d);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_key_of_the_daemon_is_told_apart),
		cmocka_unit_test(each_key_of_a_site_is_told_apart_and_copied),
		cmocka_unit_test(each_key_says_what_it_wants_instead),
		cmocka_unit_test(sighup_takes_each_key_of_a_site),
		cmocka_unit_test(sighup_takes_each_key_of_the_daemon),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
