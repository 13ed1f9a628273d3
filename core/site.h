/*
 * site.h - a site: hosts, database, enabled modules; and its generations. A generation is the
 * immutable result of compiling the enabled modules: router, ops, hook chains, permissions,
 * services. A call holds the one it began with until it ends.
 */
#ifndef CORE_SITE_H
#define CORE_SITE_H

#include "conf.h"
#include "module.h"
#include "router.h"
#include "writer.h"
#include <pthread.h>
#include <stdatomic.h>

/* An op, compiled. */
struct op {
	struct stet_op row; /* zero-extended copy */
	const struct loaded *owner;
	char *name; /* with the plugin's prefix */
	char *route; /* "GET /_cms/api/plugins/x/count", or NULL */
	enum http_method method;
	int role; /* lowest that has the permission; 0: signed in is enough, or STET_PUBLIC */
	bool csrf; /* needs X-CMS-Request: 1 whatever the credentials */
	int in_count;
};

struct link { /* of a hook chain */
	const struct loaded *owner;
	union stet_hook_fn fn;
	int16_t order;
};
struct chain {
	struct link *link;
	size_t count;
};
struct permission {
	const char *name;
	int role;
};
struct service {
	const char *name;
	const void *functions;
	const struct loaded *owner;
};
struct field_type_slot {
	struct stet_field_type type;
	const struct loaded *owner;
};

struct generation {
	atomic_int refs;
	struct site *site;
	uint64_t number; /* counts up */
	const struct loaded *module[MODULES_MAX]; /* enabled, in load order */
	size_t module_count;
	struct op *op;
	size_t op_count;
	struct router *router;
	struct chain chain[STET_HOOK_POINTS];
	struct permission *permission; /* sorted by name */
	size_t permission_count;
	struct service *service;
	size_t service_count;
	struct field_type_slot *field_type;
	size_t field_type_count;
	struct arena *arena; /* what the above lies in */
};

struct site {
	struct conf_site conf; /* copy */
	char *db_path, *tmp_path;
	struct writer *writer;
	struct outbox *outbox; /* outbox.c; NULL: nothing is delivered by this process */
	pthread_mutex_t lock; /* guards current and broken */
	struct generation *current;
	char *broken; /* why the site refuses writes; NULL: it does not */
	void *state[MODULES_MAX]; /* by loaded.index; made when a module is first enabled */
	uint64_t id; /* unique in the process */
	int lock_fd; /* DATA/stetd.lock */
};

/* Open: directories, lock (daemon only), database, migrations, first generation. NULL: *why says it
 * in words; free it. A failed migration does not fail: the site is `broken`. */
struct site *site_open(const struct conf_site *, bool daemon, char **why);
void site_close(struct site *);
/* The pid of the daemon that has this site open, or 0. */
int site_daemon(const struct site *);

/* The current generation, with a reference; let go with generation_put. */
struct generation *site_generation(struct site *);
void generation_put(struct generation *);
/* Compile what is enabled now (reads the database, runs migrations of newly enabled modules) and
 * swap it in. */
enum stet_status site_compile(struct site *, char **why);
const struct op *generation_op(const struct generation *, const char *name);
/* The lowest role that has it, or -1 when no enabled module declares it. */
int generation_role(const struct generation *, const char *permission);
const struct stet_field_type *generation_field_type(const struct generation *, const char *name);

/* All sites of the daemon (or the one of a command). */
struct site *sites_find(const char *host); /* by Host; "*" answers for the rest; NULL: none */
struct site *sites_named(const char *name);
/* Open, close and change sites to match the configuration. A site that cannot be opened is logged,
 * and answers 503 until the next SIGHUP. */
void sites_apply(const struct conf *, bool daemon);
void sites_close(void);
void sites_each(void (*fn)(struct site *, void *), void *);

#endif
