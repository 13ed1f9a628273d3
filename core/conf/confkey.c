/*
 * confkey.c - the keys of stet.conf as two tables, one for the file and one for a site section, and
 * the functions that read, copy, compare and free fields by the tables.
 */
#include "conf/confkey.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/log.h"
#include "conf/conf.h"
#include "conf/confcheck.h"
#include "conf/confdatabase.h"
#include "conf/confmail.h"
#include "installdirs.h"

#include <stdlib.h>
#include <string.h>

#define DAEMON(field) offsetof(struct conf, field)
#define SITE(field) offsetof(struct conf_site, field)

const struct conf_key conf_keys[] = {
	{ "listen", CONF_LIST, DAEMON(listen), &confcheck_address, .fallback = "127.0.0.1:8080" },
	{ "tls-listen", CONF_LIST, DAEMON(tls_listen), &confcheck_tls_address },
	{ "tls-certificate", CONF_TEXT, DAEMON(tls_certificate), &confcheck_file },
	{ "tls-key", CONF_TEXT, DAEMON(tls_key), &confcheck_file },
	{ "trusted-proxies", CONF_LIST, DAEMON(trusted_proxies), &confcheck_block },
	{ "module-path", CONF_TEXT, DAEMON(module_path), &confcheck_directories,
	    .fallback = MODULE_PATH, .environment = "STET_MODULE_PATH" },
	{ "plugin-path", CONF_TEXT, DAEMON(plugin_path), &confcheck_directories,
	    .fallback = PLUGIN_PATH, .environment = "STET_PLUGIN_PATH" },
	{ "log-file", CONF_TEXT, DAEMON(log_file), &confcheck_file },
	{ "log-level", CONF_CHOICE, DAEMON(log_level), &confcheck_level, .fallback = "info",
	    .choices = confcheck_levels },
	{ "access-log", CONF_TEXT, DAEMON(access_log), &confcheck_file },
	{ "access-log-format", CONF_CHOICE, DAEMON(access_log_json), &confcheck_format,
	    .fallback = "logfmt", .choices = confcheck_formats },
	{ "slow-statement", CONF_SPAN, DAEMON(slow_statement), &confcheck_threshold,
	    .fallback = "1s" },
	{ "pid-file", CONF_TEXT, DAEMON(pid_file), &confcheck_file, .restart = true },
	{ "daemon-name", CONF_TEXT, DAEMON(daemon_name), &confcheck_name, .restart = true },
	{ "user", CONF_TEXT, DAEMON(user), &confcheck_user, .restart = true },
	{ "metrics-listen", CONF_TEXT, DAEMON(metrics_listen), &confcheck_metrics_address },
	{ "workers", CONF_INT, DAEMON(workers), .number = 0, .most = 256, .restart = true },
	{ "slow-threads", CONF_INT, DAEMON(slow_threads), .number = 4, .least = 1, .most = 256,
	    .restart = true },
	{ "max-connections", CONF_INT, DAEMON(max_connections), .number = 20000, .least = 1,
	    .most = 1000000 },
	{ "max-connections-per-address", CONF_INT, DAEMON(max_connections_per_address),
	    .number = 1024, .least = 1, .most = 1000000 },
	{ "head-timeout", CONF_SPAN, DAEMON(head_timeout), &confcheck_timeout, .fallback = "10s" },
	{ "body-timeout", CONF_SPAN, DAEMON(body_timeout), &confcheck_timeout, .fallback = "10s" },
	{ "idle-timeout", CONF_SPAN, DAEMON(idle_timeout), &confcheck_timeout, .fallback = "75s" },
	{ "call-timeout", CONF_SPAN, DAEMON(call_timeout), &confcheck_timeout, .fallback = "5m" },
	{ "drain-timeout", CONF_SPAN, DAEMON(drain_timeout), &confcheck_timeout,
	    .fallback = "30s" },
	{ "stuck-after", CONF_SPAN, DAEMON(stuck_after), &confcheck_bound, .fallback = "60s" },
	{ "body-min-rate", CONF_COUNT, DAEMON(body_min_rate), .number = 1024, .most = 1000000000 },
	{ "answer-min-rate", CONF_COUNT, DAEMON(answer_min_rate), .number = 1024,
	    .most = 1000000000 },
	{ "max-body-memory", CONF_SIZE, DAEMON(max_body_memory), &confcheck_memory,
	    .fallback = "64MiB" },
	{ "max-answer-memory", CONF_SIZE, DAEMON(max_answer_memory), &confcheck_memory,
	    .fallback = "160MiB" },
	{ "max-answer-memory-per-address", CONF_SIZE, DAEMON(max_answer_memory_per_address),
	    &confcheck_memory, .fallback = "32MiB" },
	{ "max-waiting-per-client", CONF_INT, DAEMON(max_waiting), .number = 128, .least = 1,
	    .most = 1000000 },
	{ "answer-cache", CONF_SIZE, DAEMON(answer_cache), &confcheck_cache, .fallback = "16MiB" },
	{ "server-timing", CONF_SWITCH, DAEMON(server_timing) },
	{ .name = NULL },
};

const struct conf_key conf_site_keys[] = {
	{ "name", CONF_TITLE, SITE(name) },
	{ "hosts", CONF_LIST, SITE(hosts), &confcheck_host, .fallback = "*", .some = true },
	{ "base-url", CONF_TEXT, SITE(base_url), &confcheck_base },
	{ "data", CONF_TEXT, SITE(data), &confcheck_directory },
	{ "database", CONF_TEXT, SITE(database), &confdatabase_uri, .restart = true },
	{ "database-password-file", CONF_TEXT, SITE(database_password_file), &confcheck_file,
	    .restart = true },
	{ "database-schema", CONF_TEXT, SITE(database_schema), &confdatabase_schema,
	    .restart = true },
	{ "database-connections", CONF_INT, SITE(database_connections), .number = 8, .least = 1,
	    .most = 1000, .restart = true },
	{ "database-timeout", CONF_SPAN, SITE(database_timeout), &confcheck_timeout,
	    .fallback = "5s", .restart = true },
	{ "locales", CONF_LIST, SITE(locales), &confcheck_locale, .fallback = "en", .some = true },
	{ "modules", CONF_LIST, SITE(modules), &confcheck_module, .fallback = "*" },
	{ "cors-origins", CONF_LIST, SITE(cors_origins), &confcheck_origin },
	{ "cors-credentials", CONF_SWITCH, SITE(cors_credentials) },
	{ "public-read", CONF_LIST, SITE(public_read), &confcheck_module },
	{ "public-search", CONF_CHOICE, SITE(public_search), &confcheck_search, .fallback = "site",
	    .choices = confcheck_searches },
	{ "public-max-age", CONF_SPAN, SITE(public_max_age), &confcheck_seconds,
	    .fallback = "60s" },
	{ "public-shared-max-age", CONF_SPAN, SITE(public_shared_max_age), &confcheck_seconds,
	    .number = -1 },
	{ "public-stale", CONF_SPAN, SITE(public_stale), &confcheck_seconds, .fallback = "10m" },
	{ "passkey-origins", CONF_LIST, SITE(passkey_origins), &confcheck_passkey_origin },
	{ "address-limits", CONF_RATES, SITE(rates.address), &confcheck_rates,
	    .fallback = "writes 120/1m,costly 300/1m,failures 30/1m" },
	{ "token-limits", CONF_RATES, SITE(rates.token), &confcheck_token_rates },
	{ "fetch-allow", CONF_LIST, SITE(fetch_allow), &confcheck_block },
	{ "fetch-ca", CONF_TEXT, SITE(fetch_ca), &confcheck_file },
	{ "files", CONF_TEXT, SITE(files), &confcheck_driver },
	{ "files-directory", CONF_TEXT, SITE(files_directory), &confcheck_absolute },
	{ "max-media-bytes", CONF_SIZE, SITE(max_media_bytes), &confcheck_bytes, .fallback = "0" },
	{ "file-cache", CONF_SIZE, SITE(file_cache), &confcheck_memory, .fallback = "1GiB" },
	{ "key-file", CONF_TEXT, SITE(key_file), &confcheck_file },
	{ "tls-certificate", CONF_TEXT, SITE(tls_certificate), &confcheck_file },
	{ "tls-key", CONF_TEXT, SITE(tls_key), &confcheck_file },
	{ "hsts", CONF_SPAN, SITE(hsts), &confcheck_seconds, .number = -1 },
	{ "mail", CONF_TEXT, SITE(mail), &confmail_server },
	{ "mail-from", CONF_TEXT, SITE(mail_from), &confmail_sender },
	{ "mail-user", CONF_TEXT, SITE(mail_user), &confcheck_user },
	{ "mail-password-file", CONF_TEXT, SITE(mail_password_file), &confcheck_file },
	{ "mail-tls", CONF_CHOICE, SITE(mail_tls), &confmail_tls_choice, .fallback = "auto",
	    .choices = confmail_tls },
	{ "backup-dir", CONF_TEXT, SITE(backup_dir), &confcheck_absolute },
	{ "backup-at", CONF_MINUTE, SITE(backup_at), &confcheck_time },
	{ "backup-every", CONF_SPAN, SITE(backup_every), &confcheck_period },
	{ "backup-keep", CONF_TEXT, SITE(backup_keep), &confcheck_keep, .fallback = "7d 4w 6m" },
	{ "backup-public-key", CONF_TEXT, SITE(backup_key), &confcheck_key },
	{ .name = NULL },
};

/* ---- access to fields ---- */

/* The size of a field, by kind. */
static const size_t sizes[] = {
	[CONF_TITLE] = sizeof(char *),
	[CONF_TEXT] = sizeof(char *),
	[CONF_LIST] = sizeof(char **),
	[CONF_INT] = sizeof(int),
	[CONF_COUNT] = sizeof(uint64_t),
	[CONF_SWITCH] = sizeof(bool),
	[CONF_CHOICE] = sizeof(int),
	[CONF_SPAN] = sizeof(int64_t),
	[CONF_SIZE] = sizeof(uint64_t),
	[CONF_MINUTE] = sizeof(struct conf_minute),
	[CONF_RATES] = sizeof(struct conf_rate[CONF_CLASSES]),
};

static void *
field(const struct conf_key *k, void *conf)
{
	return (char *)conf + k->offset;
}

static const void *
field_of(const struct conf_key *k, const void *conf)
{
	return (const char *)conf + k->offset;
}

static char *
text_of(const struct conf_key *k, const void *conf)
{
	return *(char *const *)field_of(k, conf);
}

static char **
list_of(const struct conf_key *k, const void *conf)
{
	return *(char **const *)field_of(k, conf);
}

static bool
is_text(const struct conf_key *k)
{
	return k->kind == CONF_TITLE || k->kind == CONF_TEXT;
}

static char **
list_dup(const char *const *words, size_t count)
{
	char **list = xcalloc(count + 1, sizeof(*list));

	for (size_t i = 0; i < count; i++)
		list[i] = xstrdup(words[i]);
	return list;
}

static size_t
list_count(char **list)
{
	size_t n = 0;

	while (list != NULL && list[n] != NULL)
		n++;
	return n;
}

/* ---- reading ---- */

void
confkey_set_number(const struct conf_key *k, void *conf, int64_t number)
{
	switch (k->kind) {
	case CONF_INT:
	case CONF_CHOICE:
		*(int *)field(k, conf) = (int)number;
		break;
	case CONF_SWITCH:
		*(bool *)field(k, conf) = number != 0;
		break;
	case CONF_SPAN:
		*(int64_t *)field(k, conf) = number;
		break;
	case CONF_COUNT:
	case CONF_SIZE:
		*(uint64_t *)field(k, conf) = (uint64_t)number;
		break;
	case CONF_TITLE:
	case CONF_TEXT:
	case CONF_LIST:
	case CONF_MINUTE:
	case CONF_RATES:
		stet_assert(!"a key that holds no number");
	}
}

int64_t
confkey_number(const struct conf_key *k, const void *conf)
{
	switch (k->kind) {
	case CONF_INT:
	case CONF_CHOICE:
		return *(const int *)field_of(k, conf);
	case CONF_SWITCH:
		return *(const bool *)field_of(k, conf);
	case CONF_SPAN:
	case CONF_COUNT:
	case CONF_SIZE:
		return *(const int64_t *)field_of(k, conf);
	default:
		return 0;
	}
}

const char *
confkey_text(const struct conf_key *k, const void *conf)
{
	return is_text(k) ? text_of(k, conf) : NULL;
}

static void
set_rate(struct conf_rate rates[CONF_CLASSES], const char *text)
{
	struct conf_rate rate;
	enum conf_class class;

	if (confcheck_rate(text, &class, &rate))
		rates[class] = rate;
}

/* Sets the default limits first; limits in the file then replace those of the same class. */
static void
set_rates(const struct conf_key *k, void *conf, const char *const *words, size_t count)
{
	struct conf_rate *rates = field(k, conf);
	char *usual = k->fallback != NULL ? xstrdup(k->fallback) : NULL, *rest = usual, *word;

	while ((word = strsep(&rest, ",")) != NULL)
		set_rate(rates, word);
	free(usual);
	for (size_t i = 0; i < count; i++)
		set_rate(rates, words[i]);
}

static int
choice(const struct conf_key *k, const char *word)
{
	int i = 0;

	while (k->choices[i] != NULL && strcmp(k->choices[i], word) != 0)
		i++;
	return i;
}

void
confkey_set(const struct conf_key *k, void *conf, const char *const *words, size_t count)
{
	const char *word = count > 0 ? words[0] : NULL;

	if (is_text(k))
		*(char **)field(k, conf) = word != NULL ? xstrdup(word) : NULL;
	else if (k->kind == CONF_LIST)
		*(char ***)field(k, conf) = list_dup(words, count);
	else if (k->kind == CONF_RATES)
		set_rates(k, conf, words, count);
	else if (k->kind == CONF_MINUTE && word != NULL)
		*(struct conf_minute *)field(k, conf) =
		    (struct conf_minute){ .set = true, .of_day = confcheck_minute(word) };
	else if (k->kind == CONF_SPAN)
		confkey_set_number(k, conf, word != NULL ? confcheck_duration(word) : k->number);
	else if (k->kind == CONF_SIZE)
		confkey_set_number(k, conf, word != NULL ? confcheck_size(word) : k->number);
	else if (k->kind == CONF_CHOICE)
		confkey_set_number(k, conf, choice(k, word));
}

/* ---- functions over each kind ---- */

void
confkey_move(const struct conf_key *k, void *to, const void *from)
{
	memcpy(field(k, to), field_of(k, from), sizes[k->kind]);
}

void
confkey_copy(const struct conf_key *k, void *to, const void *from)
{
	char **list;

	confkey_move(k, to, from);
	if (is_text(k) && text_of(k, from) != NULL)
		*(char **)field(k, to) = xstrdup(text_of(k, from));
	else if (k->kind == CONF_LIST) {
		list = list_of(k, from);
		*(char ***)field(k, to) =
		    list_dup((const char *const *)(const void *)list, list_count(list));
	}
}

static bool
same_list(char **a, char **b)
{
	size_t count = list_count(a), i = 0;

	if (list_count(b) != count)
		return false;
	while (i < count && strcmp(a[i], b[i]) == 0)
		i++;
	return i == count;
}

static bool
same_text(const char *a, const char *b)
{
	return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

static bool
same_minute(const struct conf_minute *a, const struct conf_minute *b)
{
	return a->set == b->set && a->of_day == b->of_day;
}

bool
confkey_same(const struct conf_key *k, const void *a, const void *b)
{
	if (is_text(k))
		return same_text(text_of(k, a), text_of(k, b));
	if (k->kind == CONF_LIST)
		return same_list(list_of(k, a), list_of(k, b));
	if (k->kind == CONF_MINUTE)
		return same_minute(field_of(k, a), field_of(k, b));
	return memcmp(field_of(k, a), field_of(k, b), sizes[k->kind]) == 0;
}

void
confkey_free(const struct conf_key *k, void *conf)
{
	if (is_text(k))
		free(text_of(k, conf));
	else if (k->kind == CONF_LIST) {
		char **list = list_of(k, conf);

		for (size_t i = 0; list != NULL && list[i] != NULL; i++)
			free(list[i]);
		free(list);
	}
}

char *
confkey_changed(const struct conf_key *keys, const void *a, const void *b, bool restart)
{
	struct buf names = { 0 };

	for (const struct conf_key *k = keys; k->name != NULL; k++)
		if (k->restart == restart && !confkey_same(k, a, b))
			buf_printf(&names, "%s%s", names.len > 0 ? ", " : "", k->name);
	return names.data;
}
