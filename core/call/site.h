/*
 * site.h - a site (hosts, database, enabled modules) and its generations, as data.
 *
 * A generation is the immutable result of compiling the enabled modules: router, ops, hook chains,
 * permissions and services. A call holds a reference to the generation it began in. When modules
 * change, a new generation replaces the current one; the old one is freed with its last call.
 */
#ifndef CORE_CALL_SITE_H
#define CORE_CALL_SITE_H

#include "call/loaded.h"
#include "conf/conf.h"
#include "http/router.h"
#include <pthread.h>
#include <stdatomic.h>

/* A compiled op. */
struct op {
	struct stet_op row; /* zero-extended copy */
	const struct loaded *owner;
	char *name; /* including the plugin's prefix */
	char *route; /* "GET /_cms/api/plugins/x/count"; NULL: no route */
	enum http_method method;
	int role; /* lowest role that has the permission; 0: any signed-in caller, or anybody with
		     STET_PUBLIC */
	bool keeps; /* its answer may be cached (answer.c) */
	bool csrf; /* requires X-CMS-Request: 1 with all kinds of credentials */
	int in_count;
	const char *const *names; /* members that name what is written, as in struct stet_written */
	struct meter *meter; /* metrics.c; NULL: not called yet */
};

struct link { /* one hook of a chain */
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
struct importer_slot {
	struct stet_importer row;
	const struct loaded *owner;
};
struct include_slot {
	struct stet_include row;
	const struct loaded *owner;
};

struct generation {
	atomic_int refs;
	struct site *site;
	uint64_t number; /* increases with each generation of the site */
	/* What the database said about modules and settings when it was compiled
	 * (db_common.generation); 0: this process alone uses it. */
	atomic_int_fast64_t common;
	bool wanted[MODULES_MAX]; /* by loaded.index: the modules that were requested */
	struct conf_site *conf; /* the configuration when it was compiled */
	const struct loaded *module[MODULES_MAX]; /* enabled, in load order */
	size_t module_count;
	const char *refusal[MODULES_MAX]; /* by loaded.index: why an enabled module is left out */
	json_t *setting[MODULES_MAX]; /* by loaded.index: {name: value}; NULL: it has no settings */
	struct op *op;
	size_t op_count;
	struct op **op_by_name; /* sorted */
	const struct stet_op_info **op_info; /* the same as data of the SDK, for stet_ops */
	struct router *router;
	struct chain chain[STET_HOOK_POINTS];
	struct permission *permission; /* sorted by name */
	size_t permission_count;
	struct service *service;
	size_t service_count;
	struct field_type_slot *field_type;
	size_t field_type_count;
	struct importer_slot *importer;
	size_t importer_count;
	struct include_slot *include;
	size_t include_count;
	const struct stet_status_def *
	    *status; /* rows of the core, then of the modules in load order */
	size_t status_count;
	struct stet_scope_def *scope; /* scopes that another scope opens */
	size_t scope_count;
	enum stet_status hook_failed; /* the status of a chain in which a hook failed */
	struct arena *arena; /* memory of everything above */
};

struct beacons;
struct conf_retired;
struct connpool;
struct stet_file_driver;
struct leases;
struct outbox;
struct readpool;
struct series;
struct stet_derived;
struct shares;
struct vault;
struct wakes;
struct watch;
struct work;
struct writer;

struct site {
	/* A copy. A reload replaces it under the lock; the old contents are freed with the site.
	 * Use site_conf or site_name; a call uses the copy of its generation. */
	struct conf_site conf;
	atomic_bool db_lost; /* the last question showed that its database cannot be reached */
	char *db_place; /* where its database is, as db_open takes it (confdatabase.h) */
	char *db_file; /* path of its SQLite file; NULL: the database is in PostgreSQL */
	char *tmp_path;
	struct writer *writer;
	struct connpool *connections; /* for reading, of all threads; NULL: each has its own */
	struct readpool *readers; /* threads that read (op/far.h); NULL: reads run on workers */
	struct stet_derived *derived; /* derived data apart (db/derived.c); NULL: none */
	/* by loaded.index: code of this plugin has run for this site in this process */
	atomic_bool called[MODULES_MAX];
	struct work *works; /* jobs.c, which has its own lock for it */
	/* by loaded.index: when its files were last swept (store.c); 0: not yet */
	atomic_int_fast64_t swept[MODULES_MAX];
	/* by loaded.index: its metrics (series.c); NULL: none yet */
	_Atomic(struct series *) series[MODULES_MAX];
	struct outbox *outbox; /* outbox.c; NULL: this process delivers no messages */
	bool shared; /* other processes may use the database, also on other machines */
	struct watch *watch; /* watch.c; NULL: nobody else uses the database */
	struct { /* newer.c, for the site's thread */
		int64_t at; /* db_common.generation when the journal was to be read */
		bool due; /* it is not read yet */
	} journal;
	struct leases *leases; /* lease.c; NULL: this process asks for none */
	struct wakes *wakes; /* wakes.c; the same */
	atomic_uint daemons; /* how many use the database, this one included; at least 1 */
	/* How many changes its derived data apart does not show, as far as is known. */
	atomic_int_fast64_t lag;
	struct shares *shares; /* op/limit.c, which has its own lock for it */
	struct beacons *beacons; /* beacon.c, which has locks of its own; NULL: none yet */
	int64_t shares_seen; /* failures.c: the newest change that was read there */
	atomic_bool closer; /* this process has closed the site for others, so it may write */
	/* overrides the driver of module files in tests; NULL: as configured */
	const struct stet_file_driver *files;
	_Atomic(struct vault *) vault; /* vault.c; NULL: not read yet */
	pthread_mutex_t lock; /* guards current, broken, live, closing */
	struct generation *current;
	char *broken; /* why the site refuses writes; NULL: it accepts them */
	void *state[MODULES_MAX]; /* by loaded.index; created when a module is first enabled */
	atomic_ullong
	    commits; /* commits of this process; counted before any client gets its response */
	atomic_uint waiting; /* parked calls (wait.c) */
	uint64_t id; /* unique in this process */
	int lock_fd; /* lock on DATA/stetd.lock */

	bool daemon;
	bool looking; /* opened by site_look: nothing is written */
	/* Where migrations that wait are listed, instead of a failure; NULL: nowhere. */
	struct json_t *pending;
	/* A copy of the database made before migrations, NULL: none; guarded by compiling. */
	char *copy;
	bool upgraded; /* a migration was applied since */
	pthread_mutex_t
	    compiling; /* held from reading the database until the new generation is current */
	atomic_uint_fast64_t generations; /* number of generations made so far */
	bool migrated[MODULES_MAX]; /* by loaded.index; guarded by compiling */
	bool opened[MODULES_MAX]; /* by loaded.index; guarded by lock */
	/* by loaded.index: why its migrations are not applied; NULL: they are, or it is not in use;
	 * guarded by lock */
	char *unmigrated[MODULES_MAX];
	int live; /* generations that are not freed yet */
	/* compile.c: what the site was last heard to be compiled for, and whether somebody does. */
	atomic_int_fast64_t follow_to;
	atomic_bool following;
	/* Compiles the site for what the database says (compile.h); NULL: never needed. */
	bool (*follow)(struct site *, int64_t common);
	void (*ended)(struct site *); /* called after a generation was freed; NULL: none */
	bool closing; /* close the site with its last generation; set while compiling is held too */
	char *failure; /* why it could not be opened; NULL: it is open */
	bool closed_down; /* everything is closed; guarded by lock */
	struct conf_retired *retired; /* earlier contents of `conf` */
	uint64_t device, inode; /* of the data directory */
	/* The state on disk when the site was compiled, to find changes when the configuration is
	 * applied. */
	struct site_trace {
		int64_t database, log; /* times of last change in nanoseconds; 0: no such file */
		int64_t notes; /* time of last change of the directory with notes on modules */
		size_t modules;
	} trace;
	struct site *next; /* the next site open in this process */
};

/* Returns the current generation with a reference; release it with generation_put. NULL: the site
 * is not open; answer UNAVAILABLE. Any thread. */
struct generation *site_generation(struct site *);
void generation_put(struct generation *);
/* Frees a generation that no one else has ever seen, without the steps of generation_put. */
void generation_free(struct generation *);
/* The site's current configuration and its name. Any thread; valid until the site is freed. */
struct conf_site site_conf(struct site *);
const char *site_name(const struct site *);

/* Returns true if the first generation has all modules of the second. */
bool generation_covers(const struct generation *, const struct generation *);
const struct op *generation_op(const struct generation *, const char *name);
/* Returns the service of this name, or NULL if no enabled module has it. */
const struct service *generation_service(const struct generation *, const char *name);
/* Order by name, for qsort and bsearch. */
int permission_order(const void *, const void *);
/* Returns the lowest role that has the permission, or -1 if no enabled module declares it. */
int generation_role(const struct generation *, const char *permission);

#endif
