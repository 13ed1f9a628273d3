/* conf.h - stet.conf, read with libconfuse. Every key has a default; an unknown key is an error. */
#ifndef CORE_CONF_H
#define CORE_CONF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stet/call.h>

/* Requests are counted apart by what they cost; failures are credentials that are none. */
enum conf_class { CONF_READS, CONF_WRITES, CONF_COSTLY, CONF_FAILURES, CONF_CLASSES };
struct conf_rate {
	int64_t span; /* milliseconds */
	int64_t count; /* 0: not limited */
};
struct conf_rates {
	struct conf_rate address[CONF_CLASSES], token[CONF_CLASSES];
};
extern const char *const conf_class_name[CONF_CLASSES];

/* Is the connection to a mail server protected? auto: yes, unless it is on this machine. */
enum conf_mail_tls { CONF_TLS_AUTO, CONF_TLS_REQUIRED, CONF_TLS_OFF };

struct conf_minute {
	bool set;
	int of_day;
};

/* A field here has its row in confkey.c; all else follows from that. */
struct conf_site {
	char *name, *base_url, *data;
	char **hosts, **locales, **modules, **cors_origins, **fetch_allow; /* NULL-terminated */
	char *fetch_ca; /* a file of certificates; NULL: none */
	char *key_file; /* of what the site seals; NULL: DATA/key */
	char *tls_certificate, *tls_key; /* files; NULL: the daemon's */
	int64_t hsts; /* milliseconds; -1: nothing is said */
	struct conf_rates rates;
	char *backup_dir, *backup_keep, *backup_key; /* NULL: the usual one, all, not sealed */
	int64_t backup_every; /* milliseconds; 0: not so */
	struct conf_minute backup_at; /* each day, UTC */
	char *mail, *mail_from; /* server and sender of mails; NULL: none are sent */
	char *mail_user, *mail_password_file; /* NULL: without signing in */
	int mail_tls; /* enum conf_mail_tls */
	bool cors_credentials; /* browsers may send theirs with requests of those origins */
};
/* As struct conf_site. */
struct conf {
	char **listen; /* "127.0.0.1:8080", "[::1]:8080" */
	char **tls_listen; /* the same, with TLS */
	char *tls_certificate, *tls_key; /* files; NULL: none */
	char **trusted_proxies; /* addresses or CIDR blocks */
	char *module_path, *plugin_path; /* colon-separated directories */
	char *log_file, *access_log, *pid_file, *user; /* NULL: none */
	char *metrics_listen; /* NULL: nobody watches */
	int access_log_json; /* 1; 0: logfmt */
	int64_t slow_statement; /* milliseconds; 0: none is told */
	enum stet_level log_level;
	int workers; /* threads; 0: one per core */
	int slow_threads;
	int max_connections, max_connections_per_address;
	/* Milliseconds. */
	int64_t head_timeout; /* from a head's first byte to its end */
	int64_t body_timeout; /* the span in which the rates must be kept, both ways */
	int64_t idle_timeout; /* between requests */
	int64_t call_timeout, drain_timeout;
	int64_t stuck_after; /* a worker may be held up for so long; 0 or -1: for ever */
	uint64_t body_min_rate, answer_min_rate; /* bytes per second */
	uint64_t max_body_memory; /* bytes, of all bodies together */
	uint64_t max_answer_memory; /* bytes, of all answers that wait for their clients */
	uint64_t max_answer_memory_per_address;
	uint64_t answer_cache; /* bytes, of each worker; 0: none */
	bool server_timing; /* say where the time went */
	struct conf_site *sites;
	size_t site_count;
};

/* Read a file. NULL: *why says what is wrong, with the line; free it. */
struct conf *conf_read(const char *path, char **why);
/* The same from text, of which `name` is told in errors. */
struct conf *conf_parse(const char *text, const char *name, char **why);
/* Without a file: one site "main" in `data`, answering any host. listen NULL: 127.0.0.1:8080. */
struct conf *conf_embedded(const char *data, const char *listen);
/* Listen on this address alone, whatever the file says. */
void conf_listen(struct conf *, const char *listen);
/* The ports are known now: they take the place of port 0 in the sites' URLs. */
void conf_port(struct conf *, unsigned plain, unsigned tls);
void conf_free(struct conf *);
/* A copy of its own, with a URL, if an empty one; let go with conf_site_drop. */
struct conf_site conf_site_dup(const struct conf_site *);
void conf_site_drop(struct conf_site *);

#endif
