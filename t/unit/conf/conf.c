/* conf.c - stet.conf: defaults, values, and errors with their line. */
#include "conf/conf.h"
#include "base/arena.h"
#include "base/clock.h"
#include "http/address.h"
#include "installdirs.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct conf *
good(const char *text)
{
	char *why;
	struct conf *conf = conf_parse(text, "t.conf", &why);

	if (conf == NULL)
		fail_msg("refused: %s", why);
	return conf;
}

/* Checks that the text is refused, with an error that contains both words. */
static void
bad(const char *text, const char *where, const char *what)
{
	char *why;
	struct conf *conf = conf_parse(text, "t.conf", &why);

	if (conf != NULL)
		fail_msg("accepted: %s", text);
	if (strncmp(why, where, strlen(where)) != 0 || strstr(why, what) == NULL)
		fail_msg("\"%s\": wanted %s and \"%s\", got: %s", text, where, what, why);
	free(why);
}

static void
an_empty_file_is_one_site_with_defaults(void **state)
{
	struct conf *conf = good("");

	(void)state;
	assert_string_equal(conf->listen[0], "127.0.0.1:8080");
	assert_null(conf->listen[1]);
	assert_int_equal(conf->head_timeout, 10000);
	assert_int_equal(conf->call_timeout, 300000);
	assert_int_equal(conf->body_min_rate, 1024);
	assert_int_equal(conf->log_level, STET_INFO);
	assert_int_equal(conf->site_count, 1);
	assert_string_equal(conf->sites[0].name, "main");
	assert_string_equal(conf->sites[0].data, "/var/lib/stet/main");
	assert_string_equal(conf->sites[0].base_url, "http://localhost:8080");
	assert_string_equal(conf->sites[0].hosts[0], "*");
	assert_string_equal(conf->sites[0].locales[0], "en");
	assert_string_equal(conf->sites[0].modules[0], "*");
	assert_null(conf->sites[0].cors_origins[0]);
	assert_null(conf->sites[0].fetch_allow[0]);
	assert_null(conf->sites[0].fetch_ca);
	assert_null(conf->tls_listen[0]);
	assert_null(conf->tls_certificate);
	assert_int_equal(conf->sites[0].hsts, -1);
	conf_free(conf);
}

static void
each_key_is_read(void **state)
{
	struct conf *conf =
	    good("# ours\n"
		 "listen = { \"127.0.0.1:1\", \"[::1]:2\" }\n"
		 "trusted-proxies = { \"10.0.0.0/8\", \"::1\" }\n"
		 "module-path = \"/m\"\nplugin-path = \"/p\"\n"
		 "log-file = \"/l\"\nlog-level = \"debug\"\naccess-log = \"/a\"\n"
		 "access-log-format = \"json\"\nslow-statement = \"0s\"\n"
		 "metrics-listen = \"[::1]:9090\"\n"
		 "daemon-name = \"a.1\"\n"
		 "pid-file = \"/pid\"\nuser = \"stet\"\nworkers = 3\nslow-threads = 5\n"
		 "max-connections = 7\nmax-connections-per-address = 6\n"
		 "head-timeout = \"250ms\"\nbody-timeout = \"2s\"\n"
		 "idle-timeout = \"1m\"\ncall-timeout = \"1h\"\n"
		 "drain-timeout = \"3s\"\nstuck-after = \"off\"\nbody-min-rate = 10\n"
		 "max-body-memory = \"3MiB\"\n"
		 "answer-cache = \"0\"\nserver-timing = true\n"
		 "site \"blog\" {\n hosts = { \"Example.ORG\", \"www.example.org\" }\n"
		 " base-url = \"https://example.org/\"\n data = \"/d/\"\n"
		 " locales = { \"en\", \"pt-BR\" }\n modules = { \"auth\" }\n"
		 " cors-origins = { \"https://WWW.example.org\" }\n fetch-ca = \"/ca\"\n"
		 " tls-certificate = \"/c\"\n tls-key = \"/k\"\n hsts = \"365d\"\n"
		 " address-limits = { \"reads 50/10s\", \"writes off\" }\n"
		 " token-limits = { \"costly 5/1h\" }\n}\n"
		 "site docs {\n hosts = { \"docs.example.org\" }\n}\n");

	(void)state;
	assert_string_equal(conf->listen[1], "[::1]:2");
	assert_string_equal(conf->trusted_proxies[0], "10.0.0.0/8");
	assert_string_equal(conf->module_path, "/m");
	assert_string_equal(conf->plugin_path, "/p");
	assert_string_equal(conf->log_file, "/l");
	assert_int_equal(conf->log_level, STET_DEBUG);
	assert_string_equal(conf->access_log, "/a");
	assert_true(conf->access_log_json);
	assert_int_equal(conf->slow_statement, 0);
	assert_string_equal(conf->metrics_listen, "[::1]:9090");
	assert_string_equal(conf->daemon_name, "a.1");
	assert_string_equal(conf->pid_file, "/pid");
	assert_string_equal(conf->user, "stet");
	assert_int_equal(conf->workers, 3);
	assert_int_equal(conf->slow_threads, 5);
	assert_int_equal(conf->max_connections, 7);
	assert_int_equal(conf->max_connections_per_address, 6);
	assert_int_equal(conf->head_timeout, 250);
	assert_int_equal(conf->body_timeout, 2000);
	assert_int_equal(conf->idle_timeout, 60000);
	assert_int_equal(conf->call_timeout, 3600000);
	assert_int_equal(conf->drain_timeout, 3000);
	assert_true(conf->stuck_after <= 0);
	assert_int_equal(conf->body_min_rate, 10);
	assert_int_equal(conf->max_body_memory, 3 << 20);
	assert_int_equal(conf->answer_cache, 0);
	assert_true(conf->server_timing);
	assert_int_equal(conf->site_count, 2);
	assert_string_equal(conf->sites[0].hosts[0], "example.org");
	assert_string_equal(conf->sites[0].base_url, "https://example.org");
	assert_string_equal(conf->sites[0].data, "/d");
	assert_string_equal(conf->sites[0].locales[1], "pt-BR");
	assert_string_equal(conf->sites[0].cors_origins[0], "https://www.example.org");
	assert_string_equal(conf->sites[0].fetch_ca, "/ca");
	assert_string_equal(conf->sites[0].tls_certificate, "/c");
	assert_string_equal(conf->sites[0].tls_key, "/k");
	assert_int_equal(conf->sites[0].hsts, 31536000000);
	assert_int_equal(conf->sites[0].rates.address[CONF_READS].count, 50);
	assert_int_equal(conf->sites[0].rates.address[CONF_READS].span, 10000);
	assert_int_equal(conf->sites[0].rates.address[CONF_WRITES].count, 0);
	/* Classes that the configuration does not mention keep their defaults. */
	assert_int_equal(conf->sites[0].rates.address[CONF_FAILURES].count, 30);
	assert_int_equal(conf->sites[0].rates.token[CONF_COSTLY].span, 3600000);
	assert_int_equal(conf->sites[0].rates.token[CONF_READS].count, 0);
	assert_int_equal(conf->sites[1].rates.address[CONF_WRITES].count, 120);
	assert_string_equal(conf->sites[1].name, "docs");
	assert_string_equal(conf->sites[1].base_url, "http://docs.example.org:1");
	assert_string_equal(conf->sites[1].data, "/var/lib/stet/docs");
	conf_free(conf);
}

static void
tls_is_what_the_defaults_are_made_of(void **state)
{
	struct conf *conf = good("listen = {}\ntls-listen = { \"[::]:443\" }\n"
				 "tls-certificate = \"/c\"\ntls-key = \"/k\"\n"
				 "site a { hosts = { \"a.example.org\" }\n hsts = \"0s\"\n }\n"
				 "site b {}\n");

	(void)state;
	assert_null(conf->listen[0]);
	assert_string_equal(conf->tls_listen[0], "[::]:443");
	assert_string_equal(conf->tls_certificate, "/c");
	assert_string_equal(conf->tls_key, "/k");
	assert_string_equal(conf->sites[0].base_url, "https://a.example.org");
	assert_string_equal(conf->sites[1].base_url, "https://localhost");
	assert_int_equal(conf->sites[0].hsts, 0);
	/* An address from the command line replaces all others, also those with TLS. */
	conf_listen(conf, "127.0.0.1:0");
	assert_null(conf->tls_listen[0]);
	conf_port(conf, 8081, 0);
	assert_string_equal(conf->sites[0].base_url, "http://a.example.org:8081");
	conf_free(conf);
	conf =
	    good("tls-listen = { \"127.0.0.1:0\" }\ntls-certificate = \"/c\"\ntls-key = \"/k\"\n");
	conf_port(conf, 1, 8443);
	assert_string_equal(conf->sites[0].base_url, "https://localhost:8443");
	conf_free(conf);
}

static void
tls_without_all_it_takes_is_refused(void **state)
{
	(void)state;
	bad("tls-listen = { \"127.0.0.1:443\" }\n", "t.conf: ", "there is no tls-certificate");
	bad("tls-certificate = \"/c\"\n", "t.conf: ", "go together");
	bad("tls-key = \"/k\"\n", "t.conf: ", "go together");
	bad("site \"a\" {\n tls-key = \"/k\"\n}\n", "t.conf: site \"a\"", "go together");
	bad("tls-listen = { \"443\" }\n", "t.conf:1:", "0.0.0.0:443");
	bad("site \"a\" {\n tls-key = \"\"\n}\n", "t.conf:2:", "a file");
	bad("site \"a\" {\n hsts = \"500ms\"\n}\n", "t.conf:2:", "365d");
	bad("site \"a\" {\n hsts = \"366d\"\n}\n", "t.conf:2:", "365d");
	bad("listen = {}\n", "t.conf: listen", "at least one");
}

#define SERVER "mail = \"smtp://mail.example.org\"\n"
#define SENDER "mail-from = \"a@example.org\"\n"
#define USER "mail-user = \"u\"\n"
#define PASSWORD "mail-password-file = \"/p\"\n"

static void
passkey_origins_lie_at_or_below_the_host_of_base_url(void **state)
{
	static const struct {
		const char *base, *origin;
		bool good;
	} cases[] = { { "https://example.org", "https://example.org:8443", true },
		{ "https://Example.org/", "https://www.example.org", true },
		{ "http://localhost:8080", "http://localhost:3000", true },
		{ "https://example.org", "https://xexample.org", false },
		{ "https://example.org", "https://example.org.evil.test", false },
		{ "https://www.example.org", "https://example.org", false },
		{ "https://example.org", "https://WWW.example.org", false },
		{ "https://example.org", "https://www.example.org:443", false },
		{ "https://example.org", "https://www.example.org/", false },
		{ "https://example.org", "https://*.example.org", false },
		{ "https://example.org", "*", false }, { "http://[::1]", "http://[::2]", false } };

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char text[300], *why = NULL;
		struct conf *conf;

		(void)snprintf(text, sizeof(text),
		    "site \"main\" { base-url = \"%s\" passkey-origins = { \"%s\" } }",
		    cases[i].base, cases[i].origin);
		conf = conf_parse(text, "t.conf", &why);
		if ((conf != NULL) != cases[i].good)
			fail_msg("%s: %s", text, why != NULL ? why : "taken");
		if (conf != NULL)
			conf_free(conf);
		else
			assert_non_null(strstr(why, "passkey-origins"));
		free(why);
	}
}

static void
mail_without_all_it_takes_is_refused(void **state)
{
	static const char *const servers[] = { "mail.example.org", "http://mail.example.org",
		"smtp://", "smtp://u:p@mail.example.org", "smtp://mail.example.org/x",
		"smtp://mail.example.org:x", "smtp://a b", "smtp://a\\r\\nb",
		"smtp:mail.example.org" };
	static const char *const senders[] = { "", "example.org", "Ann <ann>", "Ann <a@b.cd",
		"Ann\\nBcc: x@y.zz <a@b.cd>", "a@b.cd, c@d.ef" };
	char text[256];
	(void)state;

	conf_free(good("site \"a\" {\n" SERVER SENDER USER PASSWORD "}\n"));
	conf_free(good("site \"a\" {\n" SERVER SENDER "mail-tls = \"off\"\n}\n"));
	bad("site \"a\" {\n" SERVER "}\n", "t.conf: site \"a\"", "mail and mail-from");
	bad("site \"a\" {\n" SENDER "}\n", "t.conf: site \"a\"", "mail and mail-from");
	bad("site \"a\" {\n" SERVER SENDER USER "}\n", "t.conf: site \"a\"", "mail-user and");
	bad("site \"a\" {\n" USER PASSWORD "}\n", "t.conf: site \"a\"", "there is no mail");
	bad("site \"a\" {\n" SERVER SENDER USER PASSWORD "mail-tls = \"off\"\n}\n",
	    "t.conf: site \"a\"", "in clear");
	bad("site \"a\" {\nmail-tls = \"maybe\"\n}\n", "t.conf:2:", "auto, required or off");
	for (size_t i = 0; i < sizeof(servers) / sizeof(servers[0]); i++) {
		(void)snprintf(
		    text, sizeof(text), "site \"a\" {\nmail = \"%s\"\n" SENDER "}\n", servers[i]);
		bad(text, "t.conf:2:", "the URL of a mail server");
	}
	for (size_t i = 0; i < sizeof(senders) / sizeof(senders[0]); i++) {
		(void)snprintf(
		    text, sizeof(text), "site \"a\" {\nmail-from = \"%s\"\n}\n", senders[i]);
		bad(text, "t.conf:2:", "a sender");
	}
}

static void
a_password_in_clear_is_for_this_machine_only(void **state)
{
	static const char *const local[] = { "localhost", "localhost:25", "127.0.0.1:25",
		"127.8.8.8", "[::1]:25" };
	char text[256];
	(void)state;

	for (size_t i = 0; i < sizeof(local) / sizeof(local[0]); i++) {
		(void)snprintf(text, sizeof(text),
		    "site \"a\" {\nmail = \"smtp://%s\"\nmail-tls = \"off\"\n" SENDER USER PASSWORD
		    "}\n",
		    local[i]);
		conf_free(good(text));
	}
	bad("site \"a\" {\nmail = \"smtp://localhost.evil.org\"\nmail-tls = \"off\"\n" SENDER USER
		PASSWORD "}\n",
	    "t.conf: site \"a\"", "in clear");
}

static void
an_unknown_key_is_refused_with_its_line(void **state)
{
	(void)state;
	bad("\n\nlissten = { \"127.0.0.1:1\" }\n", "t.conf:3:", "lissten");
	bad("site \"a\" {\n  bogus = 1\n}\n", "t.conf:2:", "bogus");
	bad("site \"a\" {\n  hosts = { \"a\" \n", "t.conf:", "");
}

static void
bad_values_are_refused_with_their_line(void **state)
{
	(void)state;
	bad("\nlisten = { \"127.0.0.1:1\", \"localhost:80\" }\n", "t.conf:2:", "localhost:80");
	bad("listen = { }\n", "t.conf: listen", "at least one");
	bad("max-body-memory = \"65535\"\n", "t.conf:1:", "65535");
	bad("answer-cache = \"65535\"\n", "t.conf:1:", "16MiB");
	bad("max-body-memory = \"1 MiB\"\n", "t.conf:1:", "256MiB");
	bad("max-body-memory = \"9999999999GiB\"\n", "t.conf:1:", "a size");
	bad("listen = { \"127.0.0.1:65536\" }\n", "t.conf:1:", "65536");
	bad("listen = { \"127.0.0.1\" }\n", "t.conf:1:", "127.0.0.1");
	bad("listen = { \"::1:80\" }\n", "t.conf:1:", "::1:80");
	bad("trusted-proxies = { \"10.0.0.0/33\" }\n", "t.conf:1:", "10.0.0.0/33");
	bad("head-timeout = \"10\"\n", "t.conf:1:", "duration");
	bad("head-timeout = \"0s\"\n", "t.conf:1:", "duration");
	bad("head-timeout = \"99999999999999999999s\"\n", "t.conf:1:", "duration");
	bad("log-level = \"loud\"\n", "t.conf:1:", "loud");
	bad("workers = -1\n", "t.conf:1:", "workers");
	bad("workers = many\n", "t.conf:1:", "workers");
	bad("max-connections = 0\n", "t.conf:1:", "max-connections");
	bad("site \"Main\" { }\n", "t.conf:1:", "Main");
	bad("site \"a\" {\n hosts = { \"exa mple\" }\n}", "t.conf:2:", "exa mple");
	bad("site \"a\" {\n hosts = { }\n}", "t.conf: site \"a\": hosts", "at least one");
	bad("site \"a\" {\n base-url = \"ftp://x\"\n}", "t.conf:2:", "ftp://x");
	bad("site \"a\" {\n base-url = \"https://x/?q\"\n}", "t.conf:2:", "?q");
	bad("site \"a\" {\n base-url = \"https://\"\n}", "t.conf:2:", "URL");
	bad("site \"a\" {\n base-url = \"https://x/cms\"\n}", "t.conf:2:", "without a path");
	bad("site \"a\" {\n base-url = \"https://x:y\"\n}", "t.conf:2:", "x:y");
	bad("site \"a\" {\n data = \"\"\n}", "t.conf:2:", "directory");
	bad("site \"a\" {\n locales = { \"english\" }\n}", "t.conf:2:", "english");
	bad("site \"a\" {\n cors-origins = { \"https://x/\" }\n}", "t.conf:2:", "https://x/");
	bad("site \"a\" {\n address-limits = { \"reads 0/1s\" }\n}", "t.conf:2:", "reads 0/1s");
	bad("site \"a\" {\n address-limits = { \"reads 5/1ms\" }\n}", "t.conf:2:", "rate or off");
	bad("site \"a\" {\n address-limits = { \"all 5/1s\" }\n}", "t.conf:2:", "all 5/1s");
	bad("site \"a\" {\n token-limits = { \"failures 5/1s\" }\n}", "t.conf:2:", "failures");
	bad("slow-statement = \"-1s\"\n", "t.conf:1:", "duration");
	bad("access-log-format = \"xml\"\n", "t.conf:1:", "logfmt");
	bad("metrics-listen = \"9090\"\n", "t.conf:1:", "9090");
	bad("site \"a\" {\n modules = { \"../x\" }\n}", "t.conf:2:", "../x");
}

/* A file that ends inside a comment or string is refused, and does not affect the next file. */
static void
what_has_no_end_is_refused_and_the_next_file_is_read(void **state)
{
	static const struct {
		const char *text, *where;
	} cases[] = {
		{ "/* a comment", "t.conf:1:" },
		{ "workers = 3\n/* one line\nand another *", "t.conf:2:" },
		{ "\"$", "t.conf:1:" },
		{ "data = \"${HOME", "t.conf:1:" },
		{ "\nuser = \"nobody\n", "t.conf:2:" },
		{ "\nuser = 'nobody\n", "t.conf:2:" },
		{ "user = \"nobody\\", "t.conf:1:" },
		{ "user = 'nobody\\", "t.conf:1:" },
		{ "user = \"a\\777\"", "t.conf:1:" },
		{ "user = \"a\\0b\"", "t.conf:1:" },
		{ "user = \"a\\8\"", "t.conf:1:" },
		{ "user = (nobody)", "t.conf:1:" },
		{ "listen + { \"127.0.0.1:1\" }", "t.conf:1:" },
		{ "hosts = { * }", "t.conf:1:" },
		{ "site \"a\" {\n hosts = { \"b\"\n", "t.conf:" },
		{ "workers = 3 }", "t.conf:1:" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct conf *conf;

		bad(cases[i].text, cases[i].where, "");
		conf = good("workers = 7\n");
		assert_int_equal(conf->workers, 7);
		conf_free(conf);
	}
}

static void
texts_and_comments_are_read_as_they_are_written(void **state)
{
	struct conf *conf;

	(void)state;
	setenv("STET_TEST_USER", "from", 1);
	unsetenv("STET_TEST_NONE");
	conf = good("# one // two\n// three /* four\n/* \"five\n*/ workers = 4 /***/\n"
		    "user = \"${STET_TEST_USER}-${STET_TEST_NONE:-none}${STET_TEST_NONE}\"\n"
		    "module-path = '/a \\'b\\' \\x ${STET_TEST_USER}'\n"
		    "plugin-path = \"/\\x41\\102\\t\\\"\\\n#/*\"\n"
		    "log-file = /var/x\r\n"
		    "listen = { \"127.0.0.1:1\" }\nlisten += { '127.0.0.1:2', 127.0.0.1:3 }\n");
	assert_int_equal(conf->workers, 4);
	assert_string_equal(conf->user, "from-none");
	assert_string_equal(conf->module_path, "/a 'b' \\x ${STET_TEST_USER}");
	assert_string_equal(conf->plugin_path, "/AB\t\"#/*");
	assert_string_equal(conf->log_file, "/var/x");
	assert_string_equal(conf->listen[1], "127.0.0.1:2");
	assert_string_equal(conf->listen[2], "127.0.0.1:3");
	conf_free(conf);
	unsetenv("STET_TEST_USER");
	bad("/* one\ntwo */\n# three\nuser = \"x\ny\"\nbogus = 1\n", "t.conf:6:", "bogus");
}

static void
sites_do_not_share_names_hosts_or_data(void **state)
{
	(void)state;
	bad("site \"a\" { hosts = { \"x\" } }\nsite \"a\" { hosts = { \"y\" } }\n", "t.conf:", "a");
	bad("site \"a\" { hosts = { \"x\" } }\nsite \"b\" { hosts = { \"X\" } }\n",
	    "t.conf:", "host \"x\"");
	bad("site \"a\" { }\nsite \"b\" { }\n", "t.conf:", "host \"*\"");
	bad("site \"a\" { hosts = { \"x\", \"x\" } }\n", "t.conf:", "host \"x\"");
	bad("site \"a\" { hosts = { \"x\" } data = \"/d\" }\n"
	    "site \"b\" { hosts = { \"y\" } data = \"/d/\" }\n",
	    "t.conf:", "data directory");
	bad("site \"a\" { locales = { \"en\", \"en\" } }\n", "t.conf:", "locale \"en\"");
}

static void
without_a_file_one_site_answers_any_host(void **state)
{
	struct conf *conf = conf_embedded("/tmp/x/", "[::]:0");

	(void)state;
	assert_string_equal(conf->sites[0].name, "main");
	assert_string_equal(conf->sites[0].data, "/tmp/x");
	assert_string_equal(conf->sites[0].hosts[0], "*");
	assert_string_equal(conf->listen[0], "[::]:0");
	assert_string_equal(conf->sites[0].base_url, "http://localhost:0");
	conf_port(conf, 4711, 0);
	assert_string_equal(conf->sites[0].base_url, "http://localhost:4711");
	conf_free(conf);
	conf = conf_embedded("/tmp/x", NULL);
	assert_string_equal(conf->listen[0], "127.0.0.1:8080");
	assert_string_equal(conf->sites[0].base_url, "http://localhost:8080");
	conf_free(conf);
}

static void
a_file_that_is_not_there_is_named(void **state)
{
	char *why;

	(void)state;
	assert_null(conf_read("/nonexistent/stet.conf", &why));
	assert_non_null(strstr(why, "/nonexistent/stet.conf"));
	free(why);
	assert_null(conf_read("/tmp", &why));
	free(why);
}

static void
the_environment_wins_over_paths(void **state)
{
	struct conf *conf;

	(void)state;
	setenv("STET_MODULE_PATH", "/env/m", 1);
	setenv("STET_PLUGIN_PATH", "/env/p", 1);
	conf = good("module-path = \"/m\"\n");
	assert_string_equal(conf->module_path, "/env/m");
	assert_string_equal(conf->plugin_path, "/env/p");
	conf_free(conf);
	unsetenv("STET_MODULE_PATH");
	unsetenv("STET_PLUGIN_PATH");
	conf = good("");
	assert_string_equal(conf->module_path, MODULE_PATH);
	conf_free(conf);
}

/* ---- addresses ---- */

/* Returns the client's address for a request with this X-Forwarded-For from a peer, if 10/8 and
 * fd00::/8 are trusted proxies. */
static const char *
client(const char *peer, const char *value)
{
	static char text[ADDRESS_TEXT_SIZE];
	struct address_block trusted[2];
	struct http1_head head = { .header_count = 1 };
	struct address from, out;
	char *copy = xstrdup(value);

	head.header[0].name = (char *)(uintptr_t) "x-forwarded-for";
	head.header[0].value = copy;
	assert_true(address_block_parse("10.0.0.0/8", &trusted[0]));
	assert_true(address_block_parse("fd00::/8", &trusted[1]));
	assert_true(address_parse(peer, &from));
	address_forwarded(&head, &from, trusted, 2, &out);
	address_text(&out, text);
	free(copy);
	return text;
}

static void
forwarded_for_is_believed_from_trusted_proxies_only(void **state)
{
	(void)state;
	assert_string_equal(client("192.0.2.1", "198.51.100.7"), "192.0.2.1");
	assert_string_equal(client("10.1.1.1", "198.51.100.7"), "198.51.100.7");
	assert_string_equal(client("10.1.1.1", "1.1.1.1, 198.51.100.7 , 10.2.2.2"), "198.51.100.7");
	assert_string_equal(client("fd00::1", "2001:db8::5"), "2001:db8::5");
	assert_string_equal(client("10.1.1.1", "[2001:db8::5]:443"), "2001:db8::5");
	assert_string_equal(client("10.1.1.1", "198.51.100.7:99"), "198.51.100.7");
	assert_string_equal(client("::ffff:10.1.1.1", "198.51.100.7"), "198.51.100.7");
	/* If all addresses are trusted, the first is the client. A malformed one ends the
	 * search. */
	assert_string_equal(client("10.1.1.1", "10.3.3.3, 10.2.2.2"), "10.3.3.3");
	assert_string_equal(client("10.1.1.1", "198.51.100.7, bogus, 10.2.2.2"), "10.2.2.2");
	assert_string_equal(client("10.1.1.1", ""), "10.1.1.1");
	assert_string_equal(client("10.1.1.1", ","), "10.1.1.1");
}

static void
an_ipv6_client_is_its_64_bit_network(void **state)
{
	struct address a, b, ka, kb;

	(void)state;
	assert_true(address_parse("2001:db8:1:2:3::1", &a));
	assert_true(address_parse("2001:db8:1:2:ffff::9", &b));
	address_client_key(&a, &ka);
	address_client_key(&b, &kb);
	assert_memory_equal(&ka, &kb, sizeof(ka));
	assert_true(address_parse("192.0.2.1", &a));
	assert_true(address_parse("192.0.2.2", &b));
	address_client_key(&a, &ka);
	address_client_key(&b, &kb);
	assert_memory_not_equal(&ka, &kb, sizeof(ka));
}

static void
times_are_written_as_iso_8601(void **state)
{
	static const struct {
		int64_t ms;
		const char *text;
	} cases[] = { { 0, "1970-01-01T00:00:00.000Z" }, { -1, "1969-12-31T23:59:59.999Z" },
		{ 951782400123, "2000-02-29T00:00:00.123Z" },
		{ 1795176000000, "2026-11-20T12:00:00.000Z" },
		{ 4107542399999, "2100-02-28T23:59:59.999Z" },
		{ 4107542400000, "2100-03-01T00:00:00.000Z" },
		{ -62167219200000, "0000-01-01T00:00:00.000Z" },
		{ 253402300799999, "9999-12-31T23:59:59.999Z" },
		{ INT64_MAX, "9999-12-31T23:59:59.999Z" },
		{ INT64_MIN, "0000-01-01T00:00:00.000Z" } };
	char text[CLOCK_TEXT_SIZE];

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		clock_text(cases[i].ms, text);
		assert_string_equal(text, cases[i].text);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_empty_file_is_one_site_with_defaults),
		cmocka_unit_test(each_key_is_read),
		cmocka_unit_test(tls_is_what_the_defaults_are_made_of),
		cmocka_unit_test(tls_without_all_it_takes_is_refused),
		cmocka_unit_test(passkey_origins_lie_at_or_below_the_host_of_base_url),
		cmocka_unit_test(mail_without_all_it_takes_is_refused),
		cmocka_unit_test(a_password_in_clear_is_for_this_machine_only),
		cmocka_unit_test(an_unknown_key_is_refused_with_its_line),
		cmocka_unit_test(bad_values_are_refused_with_their_line),
		cmocka_unit_test(what_has_no_end_is_refused_and_the_next_file_is_read),
		cmocka_unit_test(texts_and_comments_are_read_as_they_are_written),
		cmocka_unit_test(sites_do_not_share_names_hosts_or_data),
		cmocka_unit_test(without_a_file_one_site_answers_any_host),
		cmocka_unit_test(a_file_that_is_not_there_is_named),
		cmocka_unit_test(the_environment_wins_over_paths),
		cmocka_unit_test(forwarded_for_is_believed_from_trusted_proxies_only),
		cmocka_unit_test(an_ipv6_client_is_its_64_bit_network),
		cmocka_unit_test(times_are_written_as_iso_8601),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
