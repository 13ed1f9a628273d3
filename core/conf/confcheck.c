/*
 * confcheck.c - checks of the values in stet.conf: of one value (confcheck_*, by the rows of
 * confkey.c), and of keys together (confcheck_whole).
 */
#include "conf/confcheck.h"
#include "archive/seal.h"
#include "base/arena.h"
#include "base/buf.h"
#include "conf/conf.h"
#include "conf/confdatabase.h"
#include "conf/confhost.h"
#include "conf/confmail.h"
#include "conf/retention.h"
#include "http/address.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <stet/call.h>
#include <string.h>

const char *const confcheck_levels[] = { "debug", "info", "warning", "error", NULL };
const char *const confcheck_formats[] = { "logfmt", "json", NULL };

#define RATE_COUNT_MAX 1000000
#define RATE_SPAN_MAX 86400000 /* a day, in milliseconds */

struct unit {
	const char *name;
	int64_t worth;
};

/* Reads a number with one of the units and returns it in the smallest unit. Returns -1 if it is
 * malformed or greater than `most`. */
static int64_t
measure(const char *text, const struct unit *units, size_t count, int64_t most)
{
	char *end;
	long long n;

	if (!isdigit((unsigned char)*text))
		return -1;
	errno = 0;
	n = strtoll(text, &end, 10);
	for (size_t i = 0; i < count; i++) {
		if (strcmp(end, units[i].name) != 0)
			continue;
		if (errno != 0 || n > most / units[i].worth)
			return -1;
		return n * units[i].worth;
	}
	return -1;
}

int64_t
confcheck_duration(const char *text)
{
	static const struct unit units[] = { { "ms", 1 }, { "s", 1000 }, { "m", 60000 },
		{ "h", 3600000 }, { "d", 86400000 } };

	return measure(text, units, sizeof(units) / sizeof(units[0]), 31536000000LL);
}

int64_t
confcheck_size(const char *text)
{
	static const struct unit units[] = { { "", 1 }, { "KiB", 1LL << 10 }, { "MiB", 1LL << 20 },
		{ "GiB", 1LL << 30 } };

	return measure(text, units, sizeof(units) / sizeof(units[0]), 1LL << 50);
}

const char *const conf_class_name[CONF_CLASSES] = {
	[CONF_READS] = "reads",
	[CONF_WRITES] = "writes",
	[CONF_COSTLY] = "costly",
	[CONF_FAILURES] = "failures",
	[CONF_PUBLIC] = "public",
};

bool
confcheck_rate(const char *text, enum conf_class *class, struct conf_rate *rate)
{
	size_t len = strcspn(text, " ");
	const char *rest = text + len + strspn(text + len, " ");
	int c = 0;
	char *end;
	long n;

	while (c < CONF_CLASSES &&
	       (strlen(conf_class_name[c]) != len || strncmp(conf_class_name[c], text, len) != 0))
		c++;
	if (c == CONF_CLASSES)
		return false;
	*class = (enum conf_class)c;
	*rate = (struct conf_rate){ 0 };
	if (strcmp(rest, "off") == 0)
		return true;
	if (!isdigit((unsigned char)*rest))
		return false;
	n = strtol(rest, &end, 10);
	if (n < 1 || n > RATE_COUNT_MAX || *end != '/')
		return false;
	*rate = (struct conf_rate){ .count = n, .span = confcheck_duration(end + 1) };
	return rate->span >= 1000 && rate->span <= RATE_SPAN_MAX;
}

static bool
good_rate(const char *text)
{
	struct conf_rate rate;
	enum conf_class class;

	return confcheck_rate(text, &class, &rate);
}

/* Token limits have no class "failures" or "public": such requests belong to no token. */
static bool
good_token_rate(const char *text)
{
	struct conf_rate rate;
	enum conf_class class;

	return confcheck_rate(text, &class, &rate) && class != CONF_FAILURES &&
	       class != CONF_PUBLIC;
}

int
confcheck_minute(const char *text)
{
	int hour, minute;

	if (strlen(text) != 5 || text[2] != ':' || strspn(text, "0123456789:") != 5 ||
	    strchr(text + 3, ':') != NULL)
		return -1;
	hour = (text[0] - '0') * 10 + text[1] - '0';
	minute = (text[3] - '0') * 10 + text[4] - '0';
	return text[1] != ':' && text[0] != ':' && hour < 24 && minute < 60 ? hour * 60 + minute
									    : -1;
}

static bool
good_listen(const char *text)
{
	struct sockaddr_storage sa;
	socklen_t len;

	return address_listen(text, &sa, &len);
}

static bool
good_block(const char *text)
{
	struct address_block block;

	return address_block_parse(text, &block);
}

static bool
good_path(const char *text)
{
	return *text != '\0';
}

/* A whole number of seconds; 0 switches it off (Strict-Transport-Security). */
static bool
good_span(const char *text)
{
	return confcheck_duration(text) % 1000 == 0;
}

static bool
good_duration(const char *text)
{
	return confcheck_duration(text) > 0;
}

static bool
good_threshold(const char *text)
{
	return confcheck_duration(text) >= 0;
}

static bool
good_bound(const char *text)
{
	return strcmp(text, "off") == 0 || good_threshold(text);
}

bool
confcheck_is_one_of(const char *text, const char *const *choices)
{
	while (*choices != NULL && strcmp(text, *choices) != 0)
		choices++;
	return *choices != NULL;
}

static bool
good_level(const char *text)
{
	return confcheck_is_one_of(text, confcheck_levels);
}

bool
confcheck_driver_name(const char *text)
{
	size_t len = strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789");

	return len > 0 && len <= 32 && text[len] == '\0' && !isdigit((unsigned char)*text);
}

static bool
good_format(const char *text)
{
	return confcheck_is_one_of(text, confcheck_formats);
}

static bool
good_minute(const char *text)
{
	return confcheck_minute(text) >= 0;
}

static bool
good_keep(const char *text)
{
	struct retention r;

	return retention_parse(text, &r);
}

static bool
good_key(const char *text)
{
	struct seal_key key;

	return seal_key_parse(&key, text, false);
}

static bool
good_directory(const char *text)
{
	return *text == '/';
}

/* At least 64 KiB, one chunk of a body: with less no request would get memory. */
static bool
good_size(const char *text)
{
	return confcheck_size(text) >= 65536;
}

static bool
good_cache(const char *text)
{
	return confcheck_size(text) == 0 || good_size(text);
}

static bool
good_count_of_bytes(const char *text)
{
	return confcheck_size(text) >= 0;
}

/* Returns what follows the scheme of an http or https URL, or NULL. */
static const char *
url_rest(const char *text)
{
	static const char *const schemes[] = { "http://", "https://" };

	for (size_t i = 0; i < 2; i++) {
		size_t len = strlen(schemes[i]);

		if (strncmp(text, schemes[i], len) == 0)
			return text + len;
	}
	return NULL;
}

static bool
good_url(const char *text)
{
	const char *rest = url_rest(text);

	if (rest == NULL || !confhost_authority(rest, strcspn(rest, "/")))
		return false;
	for (const char *s = rest; *s != '\0'; s++)
		if (*s <= 0x20 || *s == 0x7f || strchr("?#\"<>\\^`{|}", *s) != NULL)
			return false;
	return strstr(rest, "//") == NULL;
}

/* Addresses of the API, pages and files begin at the root of a host. */
static bool
good_base(const char *text)
{
	const char *rest = url_rest(text), *path = rest != NULL ? strchr(rest, '/') : NULL;

	return good_url(text) && (path == NULL || path[1] == '\0');
}

static bool
good_origin(const char *text)
{
	const char *rest = url_rest(text);

	/* All names below one: https://(star).example.org. */
	if (rest != NULL && strncmp(rest, "*.", 2) == 0)
		rest += 2;
	return strcmp(text, "*") == 0 || (rest != NULL && confhost_authority(rest, strlen(rest)));
}

/* As browsers write an origin: lower case, without the port of its scheme. */
static bool
good_passkey_origin(const char *text)
{
	const char *rest = url_rest(text), *port = strrchr(text, ':');
	bool secure = strncmp(text, "https:", 6) == 0;

	for (const char *s = text; *s != '\0'; s++)
		if (isupper((unsigned char)*s))
			return false;
	return rest != NULL && confhost_authority(rest, strlen(rest)) &&
	       strcmp(port, secure ? ":443" : ":80") != 0;
}

static bool
good_module(const char *text)
{
	if (strcmp(text, "*") == 0)
		return true;
	if (!islower((unsigned char)*text) || strlen(text) > 63)
		return false;
	for (const char *s = text; *s != '\0'; s++)
		if (!islower((unsigned char)*s) && !isdigit((unsigned char)*s) && *s != '-')
			return false;
	return true;
}

static bool
good_name(const char *text)
{
	size_t len = strlen(text);

	for (const char *s = text; *s != '\0'; s++)
		if (!isalnum((unsigned char)*s) && strchr(".:_-", *s) == NULL)
			return false;
	return len > 0 && len <= 64;
}

const struct conf_check confcheck_address = { good_listen,
	"an address and port (127.0.0.1:8080, [::1]:8080)" };
const struct conf_check confcheck_tls_address = { good_listen,
	"an address and port (0.0.0.0:443, [::]:443)" };
const struct conf_check confcheck_metrics_address = { good_listen,
	"an address and port (127.0.0.1:9090)" };
const struct conf_check confcheck_block = { good_block, "an address or a block (10.0.0.0/8)" };
const struct conf_check confcheck_host = { confhost_good, "a host name, an address or *" };
const struct conf_check confcheck_url = { good_url, "an http or https URL" };
const struct conf_check confcheck_base = { good_base, "an http or https URL without a path" };
const struct conf_check confcheck_origin = { good_origin,
	"an origin (https://www.example.org, https://*.example.org) or *" };
const struct conf_check confcheck_passkey_origin = { good_passkey_origin,
	"an origin as browsers write it (https://www.example.org)" };
const struct conf_check confcheck_some = { good_path, "a text" };
const struct conf_check confcheck_file = { good_path, "a file" };
const char *const confcheck_searches[] = { "site", "collections", "all", NULL };

static bool
good_search(const char *text)
{
	return confcheck_is_one_of(text, confcheck_searches);
}

const struct conf_check confcheck_search = { good_search, "collections, all or site" };
const struct conf_check confcheck_directory = { good_path, "a directory" };
const struct conf_check confcheck_directories = { good_path, "a list of directories" };
const struct conf_check confcheck_absolute = { good_directory, "the absolute path of a directory" };
const struct conf_check confcheck_user = { good_path, "a user" };
const struct conf_check confcheck_name = { good_name,
	"a name of letters, digits, dots, colons, hyphens and underscores, 64 at most" };
const struct conf_check confcheck_locale = { stet_is_locale, "a BCP 47 locale (en, pt-BR)" };
const struct conf_check confcheck_module = { good_module, "a module's name or *" };
const struct conf_check confcheck_level = { good_level, "debug, info, warning or error" };
const struct conf_check confcheck_driver = { confcheck_driver_name,
	"the name of a driver (directory, s3)" };
const struct conf_check confcheck_format = { good_format, "logfmt or json" };
const struct conf_check confcheck_timeout = { good_duration,
	"a duration (250ms, 10s, 5m, 1h, 2d)" };
const struct conf_check confcheck_threshold = { good_threshold,
	"a duration (250ms, 1s), or 0s for none" };
const struct conf_check confcheck_bound = { good_bound, "a duration (60s, 5m), or off" };
const struct conf_check confcheck_seconds = { good_span,
	"a duration in seconds, minutes, hours or days (365d)" };
const struct conf_check confcheck_period = { good_duration, "a duration (6h)" };
const struct conf_check confcheck_time = { good_minute, "a time of the day (03:30)" };
const struct conf_check confcheck_memory = { good_size,
	"a size of at least 64KiB (64KiB, 256MiB, 1GiB)" };
const struct conf_check confcheck_cache = { good_cache,
	"0 or a size of at least 64KiB (64KiB, 16MiB)" };
const struct conf_check confcheck_bytes = { good_count_of_bytes, "a size (10GiB, 500MiB), or 0" };
const struct conf_check confcheck_rates = { good_rate,
	"reads, writes, costly or failures with a rate or off (writes 120/1m, reads off)" };
const struct conf_check confcheck_token_rates = { good_token_rate,
	"reads, writes or costly with a rate or off (writes 600/1m, reads off)" };
const struct conf_check confcheck_keep = { good_keep,
	"a count (10), or counts by day, week and month (7d 4w 6m)" };
const struct conf_check confcheck_key = { good_key, "a key that stet backup --new-key printed" };

bool
confcheck_title(const char *title)
{
	return title != NULL && *title != '\0' && *title != '*' && good_module(title);
}

/* ---- checks of several keys ---- */

static size_t
list_count(char **list)
{
	size_t n = 0;

	while (list[n] != NULL)
		n++;
	return n;
}

static bool
list_has(char **list, size_t count, const char *word)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(list[i], word) == 0)
			return true;
	return false;
}

/* Two sites must not share a host or a data directory. */
static char *
check_sites(const struct conf *conf)
{
	struct buf why = { 0 };

	for (size_t i = 0; i < conf->site_count; i++) {
		const struct conf_site *s = &conf->sites[i];

		for (size_t h = 0; s->hosts[h] != NULL && why.len == 0; h++) {
			bool twice = list_has(s->hosts, h, s->hosts[h]);

			for (size_t k = 0; k < i && !twice; k++)
				twice = list_has(conf->sites[k].hosts,
				    list_count(conf->sites[k].hosts), s->hosts[h]);
			if (twice)
				buf_printf(&why, "site \"%s\": the host \"%s\" is already taken",
				    s->name, s->hosts[h]);
		}
		for (size_t l = 0; s->locales[l] != NULL && why.len == 0; l++)
			if (list_has(s->locales, l, s->locales[l]))
				buf_printf(&why, "site \"%s\": the locale \"%s\" is listed twice",
				    s->name, s->locales[l]);
		for (size_t k = 0; k < i && why.len == 0; k++)
			if (strcmp(conf->sites[k].data, s->data) == 0)
				buf_printf(&why, "site \"%s\": the data directory of \"%s\"",
				    s->name, conf->sites[k].name);
	}
	return why.data;
}

/* There must be an address to listen on, and a certificate if TLS is used. */
static char *
check_tls(const struct conf *conf)
{
	bool any = conf->tls_certificate != NULL;
	struct buf why = { 0 };

	if ((conf->tls_certificate == NULL) != (conf->tls_key == NULL))
		return xstrdup("tls-certificate and tls-key go together");
	if (conf->listen[0] == NULL && conf->tls_listen[0] == NULL)
		return xstrdup("listen: at least one is needed, or a tls-listen");
	for (size_t i = 0; i < conf->site_count && why.len == 0; i++) {
		const struct conf_site *s = &conf->sites[i];

		any = any || s->tls_certificate != NULL;
		if ((s->tls_certificate == NULL) != (s->tls_key == NULL))
			buf_printf(
			    &why, "site \"%s\": tls-certificate and tls-key go together", s->name);
	}
	if (why.len == 0 && conf->tls_listen[0] != NULL && !any)
		buf_str(&why, "tls-listen: there is no tls-certificate");
	return why.data;
}

static char *
check_mail(const struct conf *conf)
{
	char *why = NULL;

	for (size_t i = 0; i < conf->site_count && why == NULL; i++)
		why = confmail_check(&conf->sites[i]);
	return why;
}

static char *
check_backups(const struct conf *conf)
{
	struct buf why = { 0 };

	for (size_t i = 0; i < conf->site_count && why.len == 0; i++)
		if (conf->sites[i].backup_every > 0 && conf->sites[i].backup_at.set)
			buf_printf(&why,
			    "site \"%s\": backup-at and backup-every exclude each other",
			    conf->sites[i].name);
	return why.data;
}

/* Returns true if the host of this URL is `domain`, or a name below it. */
static bool
is_below(const char *url, const char *domain, size_t len)
{
	const char *host = url_rest(url);
	size_t own = host != NULL ? strcspn(host, ":/") : 0;

	return host != NULL && own >= len && strncasecmp(host + own - len, domain, len) == 0 &&
	       (own == len || host[own - len - 1] == '.');
}

/* Browsers use a passkey at or below the domain that it was made for: the host of base-url. */
static char *
check_passkeys(const struct conf *conf)
{
	struct buf why = { 0 };

	for (size_t i = 0; i < conf->site_count && why.len == 0; i++) {
		const struct conf_site *s = &conf->sites[i];
		const char *host = s->base_url != NULL ? url_rest(s->base_url) : NULL;
		size_t len = host != NULL && *host != '[' ? strcspn(host, ":/") : 0;

		for (size_t n = 0; s->passkey_origins[n] != NULL && why.len == 0; n++)
			if (len == 0 || !is_below(s->passkey_origins[n], host, len))
				buf_printf(&why,
				    "site \"%s\": passkey-origins: %s is neither the host of base-url"
				    " (%s) nor below it",
				    s->name, s->passkey_origins[n], s->base_url);
	}
	return why.data;
}

char *
confcheck_whole(const struct conf *conf)
{
	char *why = check_tls(conf);

	if (why == NULL)
		why = check_sites(conf);
	if (why == NULL)
		why = check_mail(conf);
	if (why == NULL)
		why = confdatabase_check(conf);
	if (why == NULL)
		why = check_passkeys(conf);
	return why != NULL ? why : check_backups(conf);
}
