/*
 * site.h - a site: hosts, database, enabled modules; and its generations. A generation is the
 * immutable result of compiling the enabled modules: router, ops, hook chains, permissions,
 * services. A call holds the one it began with until it ends.
 */
#ifndef CORE_CALL_SITE_H
#define CORE_CALL_SITE_H

#include "call/loaded.h"
#include "conf/conf.h"
#include "http/router.h"
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
	bool keeps; /* its answer may be kept (answer.c) */
	bool csrf; /* needs X-CMS-Request: 1 whatever the credentials */
	int in_count;
	const char *const *names; /* as in struct stet_written */
	struct meter *meter; /* metrics.c; NULL: not called yet */
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
	bool wanted[MODULES_MAX]; /* by loaded.index: what it was asked to have */
	struct conf_site *conf; /* as it was when this was compiled */
	const struct loaded *module[MODULES_MAX]; /* enabled, in load order */
	size_t module_count;
	const char *refusal[MODULES_MAX]; /* by loaded.index: why an enabled module is left out */
	json_t *setting[MODULES_MAX]; /* by loaded.index: {name: value}; NULL: it has no settings */
	struct op *op;
	size_t op_count;
	struct op **op_by_name; /* sorted */
	const struct stet_op_info **op_info; /* the same, for stet_ops */
	struct router *router;
	struct chain chain[STET_HOOK_POINTS];
	struct permission *permission; /* sorted by name */
	size_t permission_count;
	struct service *service;
	size_t service_count;
	struct field_type_slot *field_type;
	size_t field_type_count;
	const struct stet_status_def **status; /* the core's, then in load order */
	size_t status_count;
	struct stet_scope_def *scope; /* that another one opens too */
	size_t scope_count;
	enum stet_status hook_failed; /* what a chain ends with when a hook of it failed */
	struct arena *arena; /* what the above lies in */
};

struct conf_retired;
struct outbox;
struct vault;
struct work;
struct writer;

struct site {
	/* Copy. What SIGHUP changes in it is replaced whole, under the lock, and freed with the
	 * site: site_conf, site_name. Calls had better read that of their generation. */
	struct conf_site conf;
	char *db_path, *tmp_path;
	struct writer *writer;
	/* By loaded.index: code of this plugin has run for this site, in this process. */
	atomic_bool called[MODULES_MAX];
	struct work *works; /* jobs.c, which has the lock of it */
	/* By loaded.index: when its files were last swept (store.c); 0: not yet. */
	atomic_int_fast64_t swept[MODULES_MAX];
	struct outbox *outbox; /* outbox.c; NULL: nothing is delivered by this process */
	_Atomic(struct vault *) vault; /* vault.c; NULL: not read yet */
	pthread_mutex_t lock; /* guards current, broken, live, closing */
	struct generation *current;
	char *broken; /* why the site refuses writes; NULL: it does not */
	void *state[MODULES_MAX]; /* by loaded.index; made when a module is first enabled */
	atomic_ullong commits; /* of this process, counted before anybody is told */
	atomic_uint waiting; /* calls that are parked (wait.c) */
	uint64_t id; /* unique in the process */
	int lock_fd; /* DATA/stetd.lock */

	bool daemon;
	bool copied; /* the database, before migrations; guarded by compiling */
	pthread_mutex_t compiling; /* from reading the database to swapping the result in */
	atomic_uint_fast64_t generations; /* made so far */
	bool migrated[MODULES_MAX]; /* by loaded.index; guarded by compiling */
	bool opened[MODULES_MAX]; /* by loaded.index; guarded by lock */
	int live; /* generations that are not freed */
	void (*ended)(struct site *); /* is told when one was freed; NULL: nobody is */
	bool closing; /* to be closed with the last of them; set with compiling held too */
	char *failure; /* why it could not be opened; NULL: it is open */
	bool closed_down; /* nothing is open any more; guarded by lock */
	struct conf_retired *retired; /* what `conf` held before */
	uint64_t device, inode; /* of the data directory */
	/* When it was compiled; for who applies the configuration. */
	struct site_trace {
		int64_t database, log; /* times of last change, in nanoseconds; 0: no file */
		int64_t notes; /* likewise, of the directory with notes on modules */
		size_t modules;
	} trace;
	struct site *next; /* of those open in this process */
};

/* The current generation, with a reference; let go with generation_put. NULL: the site is not open,
 * and the answer is UNAVAILABLE. */
struct generation *site_generation(struct site *);
void generation_put(struct generation *);
/* Frees it, and nothing else: for one that was never given away. */
void generation_free(struct generation *);
/* What it says now, and its name: for any thread, good until the site is freed. */
struct conf_site site_conf(struct site *);
const char *site_name(const struct site *);

/* Does the first have all modules that the second has? */
bool generation_covers(const struct generation *, const struct generation *);
const struct op *generation_op(const struct generation *, const char *name);
/* Their order, by name, for qsort and bsearch. */
int permission_order(const void *, const void *);
/* The lowest role that has it, or -1 when no enabled module declares it. */
int generation_role(const struct generation *, const char *permission);

#endif
