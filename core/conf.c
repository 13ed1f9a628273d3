/* conf.c - stet.conf: what may stand in it, and what it means. */
#include "conf.h"
#include "arena.h"
#include "buf.h"
#include "confcheck.h"

#include <confuse.h>
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define FILE_MAX_BYTES (1024 * 1024)
#define LISTEN_DEFAULT "127.0.0.1:8080"
#define DATA_DEFAULT "/var/lib/stet/"

/* libconfuse hands errors to a function without a context. */
static _Thread_local struct buf first_error;

static struct {
	const char *key;
	size_t offset;
} const durations[] = {
	{ "head-timeout", offsetof(struct conf, head_timeout) },
	{ "body-timeout", offsetof(struct conf, body_timeout) },
	{ "idle-timeout", offsetof(struct conf, idle_timeout) },
	{ "call-timeout", offsetof(struct conf, call_timeout) },
	{ "drain-timeout", offsetof(struct conf, drain_timeout) },
	{ "slow-statement", offsetof(struct conf, slow_statement) },
};

/* libconfuse wants them writable. */
static char list_none[] = "{}", list_any[] = "{\"*\"}", list_en[] = "{\"en\"}",
	    list_listen[] = "{\"" LISTEN_DEFAULT "\"}";

static cfg_opt_t site_opts[] = { CFG_STR_LIST("hosts", list_any, CFGF_NONE),
	CFG_STR("base-url", NULL, CFGF_NONE), CFG_STR("data", NULL, CFGF_NONE),
	CFG_STR_LIST("locales", list_en, CFGF_NONE), CFG_STR_LIST("modules", list_any, CFGF_NONE),
	CFG_STR_LIST("cors-origins", list_none, CFGF_NONE),
	CFG_STR_LIST("address-limits", list_none, CFGF_NONE),
	CFG_STR_LIST("token-limits", list_none, CFGF_NONE),
	CFG_BOOL("cors-credentials", cfg_false, CFGF_NONE),
	CFG_STR_LIST("fetch-allow", list_none, CFGF_NONE), CFG_STR("fetch-ca", NULL, CFGF_NONE),
	CFG_STR("tls-certificate", NULL, CFGF_NONE), CFG_STR("tls-key", NULL, CFGF_NONE),
	CFG_STR("hsts", NULL, CFGF_NONE), CFG_STR("backup-dir", NULL, CFGF_NONE),
	CFG_STR("backup-at", NULL, CFGF_NONE), CFG_STR("backup-every", NULL, CFGF_NONE),
	CFG_STR("backup-keep", "7d 4w 6m", CFGF_NONE),
	CFG_STR("backup-public-key", NULL, CFGF_NONE), CFG_END() };

static cfg_opt_t file_opts[] = { CFG_STR_LIST("listen", list_listen, CFGF_NONE),
	CFG_STR_LIST("tls-listen", list_none, CFGF_NONE),
	CFG_STR("tls-certificate", NULL, CFGF_NONE), CFG_STR("tls-key", NULL, CFGF_NONE),
	CFG_STR_LIST("trusted-proxies", list_none, CFGF_NONE),
	CFG_STR("module-path", NULL, CFGF_NONE), CFG_STR("plugin-path", NULL, CFGF_NONE),
	CFG_STR("log-file", NULL, CFGF_NONE), CFG_STR("log-level", "info", CFGF_NONE),
	CFG_STR("access-log", NULL, CFGF_NONE), CFG_STR("pid-file", NULL, CFGF_NONE),
	CFG_STR("access-log-format", "logfmt", CFGF_NONE),
	CFG_STR("slow-statement", "1s", CFGF_NONE), CFG_STR("user", NULL, CFGF_NONE),
	CFG_STR("metrics-listen", NULL, CFGF_NONE), CFG_INT("workers", 0, CFGF_NONE),
	CFG_INT("slow-threads", 4, CFGF_NONE), CFG_INT("max-connections", 20000, CFGF_NONE),
	CFG_INT("max-connections-per-address", 1024, CFGF_NONE),
	CFG_STR("head-timeout", "10s", CFGF_NONE), CFG_STR("body-timeout", "10s", CFGF_NONE),
	CFG_STR("idle-timeout", "75s", CFGF_NONE), CFG_STR("call-timeout", "5m", CFGF_NONE),
	CFG_STR("drain-timeout", "30s", CFGF_NONE), CFG_INT("body-min-rate", 1024, CFGF_NONE),
	CFG_STR("max-body-memory", "256MiB", CFGF_NONE), CFG_STR("answer-cache", "4MiB", CFGF_NONE),
	CFG_BOOL("server-timing", cfg_false, CFGF_NONE),
	CFG_SEC("site", site_opts, CFGF_MULTI | CFGF_TITLE | CFGF_NO_TITLE_DUPES), CFG_END() };

static void keep_error(cfg_t *, const char *, va_list) __attribute__((format(printf, 2, 0)));

static void
keep_error(cfg_t *cfg, const char *fmt, va_list ap)
{
	char text[512];

	if (first_error.len != 0)
		return;
	(void)vsnprintf(text, sizeof(text), fmt, ap);
	if (cfg != NULL && cfg->filename != NULL)
		buf_printf(&first_error, "%s:%d: %s", cfg->filename, cfg->line, text);
	else
		buf_str(&first_error, text);
}

/* ---- lists ---- */

static char **
list_of(cfg_t *cfg, const char *key)
{
	unsigned n = cfg_size(cfg, key);
	char **list = xcalloc(n + 1, sizeof(*list));

	for (unsigned i = 0; i < n; i++)
		list[i] = xstrdup(cfg_getnstr(cfg, key, i));
	return list;
}

static char **
list_one(const char *word)
{
	char **list = xcalloc(2, sizeof(*list));

	list[0] = xstrdup(word);
	return list;
}

static void
list_free(char **list)
{
	for (size_t i = 0; list != NULL && list[i] != NULL; i++)
		free(list[i]);
	free(list);
}

static void
lower(char *text)
{
	for (; *text != '\0'; text++)
		*text = (char)tolower((unsigned char)*text);
}

static struct {
	const char *key;
	long least, most;
} const numbers[] = {
	{ "workers", 0, 256 },
	{ "slow-threads", 1, 256 },
	{ "max-connections", 1, 1000000 },
	{ "max-connections-per-address", 1, 1000000 },
	{ "body-min-rate", 0, 1000000000 },
};

static int
check_words(cfg_t *cfg, cfg_opt_t *opt)
{
	unsigned count = cfg_opt_size(opt);
	for (unsigned i = 0; i < count; i++) {
		const char *value = cfg_opt_getnstr(opt, i);
		const char *want = confcheck_word(opt->name, value);

		if (want != NULL) {
			cfg_error(cfg, "%s: \"%s\" is not %s", opt->name,
			    value == NULL ? "" : value, want);
			return -1;
		}
	}
	return 0;
}

static int
check_number(cfg_t *cfg, cfg_opt_t *opt)
{
	long value = cfg_opt_getnint(opt, 0);

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		if (strcmp(numbers[i].key, opt->name) != 0)
			continue;
		if (value < numbers[i].least || value > numbers[i].most) {
			cfg_error(cfg, "%s: %ld is not between %ld and %ld", opt->name, value,
			    numbers[i].least, numbers[i].most);
			return -1;
		}
	}
	return 0;
}

static int
check_site(cfg_t *cfg, cfg_opt_t *opt)
{
	const char *title = cfg_title(cfg_opt_getnsec(opt, cfg_opt_size(opt) - 1));

	if (confcheck_title(title))
		return 0;
	cfg_error(cfg, "site: \"%s\" is not a name of small letters, digits and hyphens",
	    title == NULL ? "" : title);
	return -1;
}

/* Every key of text, and every number, has its check. */
static void
set_checks(cfg_t *cfg)
{
	char path[64];

	for (const cfg_opt_t *o = file_opts; o->name != NULL; o++)
		if (o->type == CFGT_STR)
			cfg_set_validate_func(cfg, o->name, check_words);
	for (const cfg_opt_t *o = site_opts; o->name != NULL; o++) {
		(void)snprintf(path, sizeof(path), "site|%s", o->name);
		if (o->type == CFGT_STR)
			cfg_set_validate_func(cfg, path, check_words);
	}
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		cfg_set_validate_func(cfg, numbers[i].key, check_number);
	cfg_set_validate_func(cfg, "site", check_site);
}

/* libconfuse checks values as it reads them; an empty list has none. */
static void
check_empty(cfg_t *cfg, const char *name, const char *site)
{
	for (const cfg_opt_t *o = cfg->opts; o->name != NULL; o++) {
		const char *want = confcheck_empty(o->name);

		if (want == NULL || cfg_size(cfg, o->name) > 0 || first_error.len != 0)
			continue;
		buf_printf(&first_error, "%s: %s%s%s%s: at least one is needed: %s", name,
		    site == NULL ? "" : "site \"", site == NULL ? "" : site,
		    site == NULL ? "" : "\": ", o->name, want);
	}
}

/* What browsers send of their own accord is for pages that somebody has named. */
static void
check_cors(cfg_t *site, const char *name)
{
	if (cfg_getbool(site, "cors-credentials") != cfg_true || first_error.len != 0)
		return;
	for (unsigned i = 0; i < cfg_size(site, "cors-origins"); i++)
		if (strcmp(cfg_getnstr(site, "cors-origins", i), "*") == 0)
			buf_printf(&first_error,
			    "%s: site \"%s\": cors-credentials cannot go with the origin *", name,
			    cfg_title(site));
}

static bool
check_lists(cfg_t *cfg, const char *name)
{
	check_empty(cfg, name, NULL);
	for (unsigned i = 0; i < cfg_size(cfg, "site"); i++) {
		cfg_t *site = cfg_getnsec(cfg, "site", i);

		check_empty(site, name, cfg_title(site));
		check_cors(site, name);
	}
	return first_error.len == 0;
}

/* ---- from libconfuse's tree to ours ---- */

static char *
path_of(cfg_t *cfg, const char *key, const char *environment, const char *fallback)
{
	const char *value = getenv(environment);

	if (value == NULL || *value == '\0')
		value = cfg == NULL ? NULL : cfg_getstr(cfg, key);
	return xstrdup(value == NULL ? fallback : value);
}

static char *
str_of(cfg_t *cfg, const char *key)
{
	const char *value = cfg_getstr(cfg, key);

	return value == NULL ? NULL : xstrdup(value);
}

static int64_t *
duration_at(struct conf *conf, size_t i)
{
	return (int64_t *)(void *)((char *)conf + durations[i].offset);
}

/* Where clients of this machine reach it: the first host, on the port we listen on. */
static char *
default_url(const struct conf *conf, const struct conf_site *site)
{
	bool tls = conf->tls_listen[0] != NULL;
	const char *listen = tls ? conf->tls_listen[0] : conf->listen[0];
	const char *port = listen != NULL ? strrchr(listen, ':') : "", *host = site->hosts[0];
	int len = (int)strlen(host);
	struct buf url = { 0 };

	if (listen != NULL && strcmp(host, "*") == 0) {
		host = listen;
		len = (int)(port - listen);
		if (strncmp(listen, "0.0.0.0:", 8) == 0 || strncmp(listen, "[::]:", 5) == 0) {
			host = "localhost";
			len = 9;
		}
	}
	buf_printf(&url, "http%s://%.*s", tls ? "s" : "", len, host);
	if (strcmp(port, tls ? ":443" : ":80") != 0)
		buf_str(&url, port);
	return url.data;
}

static void
finish_site(const struct conf *conf, struct conf_site *site)
{
	size_t len;

	for (size_t i = 0; site->hosts[i] != NULL; i++)
		lower(site->hosts[i]);
	for (size_t i = 0; site->cors_origins[i] != NULL; i++)
		lower(site->cors_origins[i]);
	if (site->base_url == NULL)
		site->base_url = default_url(conf, site);
	len = strlen(site->base_url);
	while (len > 0 && site->base_url[len - 1] == '/')
		site->base_url[--len] = '\0';
	if (site->data == NULL) {
		struct buf data = { 0 };

		buf_printf(&data, "%s%s", DATA_DEFAULT, site->name);
		site->data = data.data;
	}
	len = strlen(site->data);
	while (len > 1 && site->data[len - 1] == '/')
		site->data[--len] = '\0';
}

/* What a site does not say. */
static const struct conf_rates rates_default = {
	.address = {
		[CONF_WRITES] = { 60000, 120 },
		[CONF_COSTLY] = { 60000, 300 },
		[CONF_FAILURES] = { 60000, 30 },
	},
};

static void
read_rates(cfg_t *cfg, const char *key, struct conf_rate rates[CONF_CLASSES])
{
	unsigned count = cfg_size(cfg, key);
	struct conf_rate rate;
	enum conf_class class;

	for (unsigned i = 0; i < count; i++)
		if (confcheck_rate(cfg_getnstr(cfg, key, i), &class, &rate))
			rates[class] = rate;
}

static void
read_site(struct conf *conf, cfg_t *cfg)
{
	struct conf_site *site = &conf->sites[conf->site_count++];

	site->name = xstrdup(cfg_title(cfg));
	site->base_url = str_of(cfg, "base-url");
	site->data = str_of(cfg, "data");
	site->hosts = list_of(cfg, "hosts");
	site->locales = list_of(cfg, "locales");
	site->modules = list_of(cfg, "modules");
	site->cors_origins = list_of(cfg, "cors-origins");
	site->cors_credentials = cfg_getbool(cfg, "cors-credentials") == cfg_true;
	site->fetch_allow = list_of(cfg, "fetch-allow");
	site->fetch_ca = str_of(cfg, "fetch-ca");
	site->tls_certificate = str_of(cfg, "tls-certificate");
	site->tls_key = str_of(cfg, "tls-key");
	site->hsts =
	    cfg_getstr(cfg, "hsts") == NULL ? -1 : confcheck_duration(cfg_getstr(cfg, "hsts"));
	site->rates = rates_default;
	read_rates(cfg, "address-limits", site->rates.address);
	read_rates(cfg, "token-limits", site->rates.token);
	site->backup_dir = str_of(cfg, "backup-dir");
	site->backup_keep = str_of(cfg, "backup-keep");
	site->backup_key = str_of(cfg, "backup-public-key");
	if (cfg_getstr(cfg, "backup-every") != NULL)
		site->backup_every = confcheck_duration(cfg_getstr(cfg, "backup-every"));
	site->backup_daily = cfg_getstr(cfg, "backup-at") != NULL;
	if (site->backup_daily)
		site->backup_minute = confcheck_minute(cfg_getstr(cfg, "backup-at"));
	finish_site(conf, site);
}

static struct conf_site
default_site(const char *data)
{
	return (struct conf_site){ .name = xstrdup("main"),
		.data = data == NULL ? NULL : xstrdup(data),
		.hosts = list_one("*"),
		.locales = list_one("en"),
		.modules = list_one("*"),
		.cors_origins = xcalloc(1, sizeof(char *)),
		.fetch_allow = xcalloc(1, sizeof(char *)),
		.rates = rates_default,
		.hsts = -1 };
}

static struct conf *
read_tree(cfg_t *cfg)
{
	struct conf *conf = xcalloc(1, sizeof(*conf));
	unsigned sites = cfg_size(cfg, "site");

	conf->listen = list_of(cfg, "listen");
	conf->tls_listen = list_of(cfg, "tls-listen");
	conf->tls_certificate = str_of(cfg, "tls-certificate");
	conf->tls_key = str_of(cfg, "tls-key");
	conf->trusted_proxies = list_of(cfg, "trusted-proxies");
	conf->module_path = path_of(cfg, "module-path", "STET_MODULE_PATH", MODULE_PATH);
	conf->plugin_path = path_of(cfg, "plugin-path", "STET_PLUGIN_PATH", PLUGIN_PATH);
	conf->log_file = str_of(cfg, "log-file");
	conf->access_log = str_of(cfg, "access-log");
	conf->access_log_json = strcmp(cfg_getstr(cfg, "access-log-format"), "json") == 0;
	conf->pid_file = str_of(cfg, "pid-file");
	conf->user = str_of(cfg, "user");
	conf->metrics_listen = str_of(cfg, "metrics-listen");
	while (strcmp(confcheck_levels[conf->log_level], cfg_getstr(cfg, "log-level")) != 0)
		conf->log_level++;
	conf->workers = (int)cfg_getint(cfg, "workers");
	conf->slow_threads = (int)cfg_getint(cfg, "slow-threads");
	conf->max_connections = (int)cfg_getint(cfg, "max-connections");
	conf->max_connections_per_address = (int)cfg_getint(cfg, "max-connections-per-address");
	conf->body_min_rate = (uint64_t)cfg_getint(cfg, "body-min-rate");
	conf->max_body_memory = (uint64_t)confcheck_size(cfg_getstr(cfg, "max-body-memory"));
	conf->answer_cache = (uint64_t)confcheck_size(cfg_getstr(cfg, "answer-cache"));
	conf->server_timing = cfg_getbool(cfg, "server-timing") == cfg_true;
	for (size_t i = 0; i < sizeof(durations) / sizeof(durations[0]); i++)
		*duration_at(conf, i) = confcheck_duration(cfg_getstr(cfg, durations[i].key));
	conf->sites = xcalloc(sites == 0 ? 1 : sites, sizeof(*conf->sites));
	for (unsigned i = 0; i < sites; i++)
		read_site(conf, cfg_getnsec(cfg, "site", i));
	if (sites == 0) {
		conf->sites[conf->site_count++] = default_site(NULL);
		finish_site(conf, &conf->sites[0]);
	}
	return conf;
}

/* ---- what others call ---- */

struct conf *
conf_parse(const char *text, const char *name, char **why)
{
	cfg_t *cfg = cfg_init(file_opts, CFGF_NONE);
	struct conf *conf = NULL;
	char *wrong = NULL;
	FILE *file;

	*why = NULL;
	if (cfg == NULL) {
		*why = xstrdup("libconfuse: out of memory");
		return NULL;
	}
	cfg_set_error_function(cfg, keep_error);
	set_checks(cfg);
	free(cfg->filename);
	cfg->filename = xstrdup(name);
	file = fmemopen((char *)(uintptr_t)text, strlen(text), "r");
	if ((file == NULL ? *text == '\0' : cfg_parse_fp(cfg, file) == CFG_SUCCESS) &&
	    first_error.len == 0 && check_lists(cfg, name)) {
		conf = read_tree(cfg);
		wrong = confcheck_whole(conf);
	}
	if (wrong != NULL) {
		buf_printf(&first_error, "%s: %s", name, wrong);
		free(wrong);
		conf_free(conf);
		conf = NULL;
	}
	if (conf == NULL) {
		if (first_error.len == 0)
			buf_printf(&first_error, "%s: cannot be read", name);
		*why = first_error.data;
		first_error = (struct buf){ 0 };
	}
	if (file != NULL)
		(void)fclose(file);
	cfg_free(cfg);
	return conf;
}

struct conf *
conf_read(const char *path, char **why)
{
	struct buf text = { 0 }, error = { 0 };
	struct conf *conf = NULL;
	FILE *file = fopen(path, "re");
	char block[4096];
	size_t n;

	*why = NULL;
	if (file == NULL) {
		buf_printf(&error, "%s: %s", path, strerror(errno));
		*why = error.data;
		return NULL;
	}
	buf_str(&text, "");
	while ((n = fread(block, 1, sizeof(block), file)) > 0 && text.len <= FILE_MAX_BYTES)
		buf_add(&text, block, n);
	if (ferror(file))
		buf_printf(&error, "%s: %s", path, strerror(errno));
	else if (text.len > FILE_MAX_BYTES)
		buf_printf(&error, "%s: larger than 1 MiB", path);
	else if (memchr(text.data, '\0', text.len) != NULL)
		buf_printf(&error, "%s: holds a NUL byte", path);
	else
		conf = conf_parse(text.data, path, why);
	if (error.len != 0)
		*why = error.data;
	(void)fclose(file);
	buf_free(&text);
	return conf;
}

struct conf *
conf_embedded(const char *data, const char *listen)
{
	char *why;
	struct conf *conf = conf_parse("", "built in", &why);

	if (conf == NULL) /* the defaults are good */
		abort();
	free(conf->sites[0].data);
	conf->sites[0].data = xstrdup(data);
	if (listen != NULL)
		conf_listen(conf, listen);
	finish_site(conf, &conf->sites[0]);
	return conf;
}

void
conf_listen(struct conf *conf, const char *listen)
{
	for (size_t i = 0; i < conf->site_count; i++) {
		struct conf_site *site = &conf->sites[i];
		char *was = default_url(conf, site);

		/* A URL that came from the old address goes with it. */
		if (strcmp(was, site->base_url) == 0) {
			free(site->base_url);
			site->base_url = NULL;
		}
		free(was);
	}
	list_free(conf->listen);
	list_free(conf->tls_listen);
	conf->listen = list_one(listen);
	conf->tls_listen = xcalloc(1, sizeof(char *));
	for (size_t i = 0; i < conf->site_count; i++)
		if (conf->sites[i].base_url == NULL)
			conf->sites[i].base_url = default_url(conf, &conf->sites[i]);
}

void
conf_port(struct conf *conf, unsigned plain, unsigned tls)
{
	for (size_t i = 0; i < conf->site_count; i++) {
		char **url = &conf->sites[i].base_url;
		size_t len = strlen(*url);
		struct buf real = { 0 };

		if (len < 2 || strcmp(*url + len - 2, ":0") != 0)
			continue;
		buf_printf(&real, "%.*s:%u", (int)(len - 2), *url,
		    strncmp(*url, "https:", 6) == 0 ? tls : plain);
		free(*url);
		*url = real.data;
	}
}

void
conf_free(struct conf *conf)
{
	if (conf == NULL)
		return;
	for (size_t i = 0; i < conf->site_count; i++) {
		struct conf_site *site = &conf->sites[i];

		free(site->name);
		free(site->base_url);
		free(site->data);
		list_free(site->hosts);
		list_free(site->locales);
		list_free(site->modules);
		list_free(site->cors_origins);
		list_free(site->fetch_allow);
		free(site->fetch_ca);
		free(site->tls_certificate);
		free(site->tls_key);
		free(site->backup_dir);
		free(site->backup_keep);
		free(site->backup_key);
	}
	free(conf->sites);
	list_free(conf->listen);
	list_free(conf->tls_listen);
	free(conf->tls_certificate);
	free(conf->tls_key);
	list_free(conf->trusted_proxies);
	free(conf->module_path);
	free(conf->plugin_path);
	free(conf->log_file);
	free(conf->access_log);
	free(conf->pid_file);
	free(conf->user);
	free(conf->metrics_listen);
	free(conf);
}
