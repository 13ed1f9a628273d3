/*
 * site.h - a site: hosts, database, enabled modules; and its generations. A generation is the
 * immutable result of compiling the enabled modules: router, ops, hook chains, permissions,
 * services. A call holds the one it began with until it ends.
 */
#ifndef CORE_SITE_H
#define CORE_SITE_H

#include "conf/conf.h"
#include "db/writer.h"
#include "http/router.h"
#include "module/module.h"
#include <pthread.h>
#include <stdatomic.h>

#define SITE_DATABASE "stet.db" /* in the data directory */

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
	struct stet_op_info *op_info; /* the same, for stet_ops */
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

/* What a generation is made of: what the database and the configuration ask for. */
struct site_wants {
	/* By loaded.index. */
	bool enabled[MODULES_MAX];
	bool known[MODULES_MAX]; /* has a row in module_state */
	bool off[MODULES_MAX]; /* which says that it was disabled since it was enabled */
	json_t *setting[MODULES_MAX]; /* owned */
};

struct conf_retired;

struct site {
	/* Copy. What SIGHUP changes in it is replaced whole, under the lock, and freed with the
	 * site: site_conf, site_name. Calls had better read that of their generation. */
	struct conf_site conf;
	char *db_path, *tmp_path;
	struct writer *writer;
	struct work *works; /* jobs.c, which has the lock of it */
	/* By loaded.index: when its files were last swept (store.c); 0: not yet. */
	atomic_int_fast64_t swept[MODULES_MAX];
	struct outbox *outbox; /* outbox.c; NULL: nothing is delivered by this process */
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
	bool migrated[MODULES_MAX], opened[MODULES_MAX]; /* by loaded.index; guarded by compiling */
	int live; /* generations that are not freed */
	bool closing; /* to be closed with the last of them; set with compiling held too */
	char *failure; /* why it could not be opened; NULL: it is open */
	bool closed_down; /* nothing is open any more; guarded by lock */
	struct conf_retired *retired; /* what `conf` held before */
	uint64_t device, inode; /* of the data directory */
	/* When it was compiled; for who applies the configuration. */
	struct site_trace {
		int64_t database, log; /* times of last change, in nanoseconds; 0: no file */
		size_t modules;
	} trace;
	struct site *next; /* of those open in this process */
};

/* Open: directories, lock (daemon only), database, migrations, first generation. NULL: *why says it
 * in words; free it. A failed migration does not fail: the site is `broken`. */
struct site *site_open(const struct conf_site *, bool daemon, char **why);
/* Close it, at once or with its last call; in any case the pointer is the caller's no more. */
void site_close(struct site *);
/* The pid of the daemon that has this site open, or 0. */
int site_daemon(const struct site *);
/* After a change that the running daemon must read again: SIGHUP. Does nothing in the daemon
 * itself, or without one. */
void site_tell_daemon(const struct site *);

/* The current generation, with a reference; let go with generation_put. NULL: the site is not open,
 * and the answer is UNAVAILABLE. */
struct generation *site_generation(struct site *);
void generation_put(struct generation *);
/* generation.c tells site.c that one is freed. */
void site_generation_ended(struct site *);
/* Compile what is enabled now (reads the database, runs migrations of newly enabled modules) and
 * swap it in. Not to be called from inside a write transaction: see site_compile_later. */
enum stet_status site_compile(struct site *, char **why);
/* The same where it may have become another: not when the site is well and wants what it has. What
 * depends on the database alone, as jobs, is looked at in any case. */
enum stet_status site_recompile(struct site *, bool same_conf, char **why);
/* May the site's database, or the modules, have changed since it was compiled, or does it ail? */
bool site_touched(struct site *);
/* Do so after this call's commit: for what changes modules and settings. */
void site_compile_later(struct stet_call *);
/* datadir.c: make the directories; lock them if this is the daemon; let go of them. */
bool datadir_make(struct site *, char **why);
bool datadir_take(struct site *, char **why);
void datadir_leave(struct site *);
/* printf into memory of its own. */
char *site_words(const char *fmt, ...) STET_FMT(1, 2);
/* Other terms from the configuration: what is said of the site by name, hosts, locales and so on.
 * The data directory stays. */
void site_configure(struct site *, const struct conf_site *);
/* The keys of which this says something else; NULL: none. Free it. */
char *site_changed(struct site *, const struct conf_site *);
/* What it says now, and its name: for any thread, good until the site is freed. */
struct conf_site site_conf(struct site *);
const char *site_name(const struct site *);
/* A site that could not be opened, for whom it may concern: it answers UNAVAILABLE. */
struct site *site_failed(const struct conf_site *, const char *why);
/* No new calls; close with the last that runs. What else has to end first is waited for, or not.
 * The struct stays until site_free. */
void site_shut(struct site *, bool wait);
/* After site_shut: wait for it a while, then free. */
void site_free(struct site *);

/* enabled.c. What the database says as this call sees it, filled up from the configuration. Release
 * it whatever comes back. */
enum stet_status wants_read(struct stet_call *, struct site_wants *);
void wants_default(const struct conf_site *, struct site_wants *);
void wants_release(struct site_wants *);
/* Does module_state not say yet when this came to be so? */
bool wants_news(const struct site_wants *, size_t index);
/* Say it. `decided`: whatever the configuration says from here on. */
enum stet_status wants_store(
    struct stet_call *, struct stet_tx *, const struct loaded *, bool enable, bool decided);
/* Make the module's state for this call's site, running its `open` in this call. */
enum stet_status state_open(struct stet_call *, const struct loaded *, void **state);
/* setting.c. The settings of one module: stored values that still fit, else fallbacks. Owned by the
 * caller. */
enum stet_status settings_read(struct stet_call *, const struct loaded *, json_t **out);

/* Compile for `site`, without touching it. The module that cannot be had beside the others is left
 * out, the later one of two in conflict; refusal[] says why. */
struct generation *generation_new(
    struct site *, const struct conf_site *, const struct site_wants *);
const struct op *generation_op(const struct generation *, const char *name);
/* The lowest role that has it, or -1 when no enabled module declares it. */
int generation_role(const struct generation *, const char *permission);

/* hook.c. The name of a hook point, and one link of a NOTIFY chain, for the outbox: a chain's links
 * are delivered one by one. */
const char *hook_point_name(enum stet_hook_point);
enum stet_status hook_tell(
    struct stet_call *, enum stet_hook_point, const struct link *, const json_t *payload);

/* All sites of the daemon (or the one of a command). */
struct site *sites_find(const char *host); /* by Host; "*" answers for the rest; NULL: none */
struct site *sites_named(const char *name);
/* For each, with the list held: fn asks little, and calls nothing that opens or closes sites. */
void sites_each(void (*fn)(struct site *, void *), void *arg);
/* Open, close and change sites to match the configuration. A site that cannot be opened is logged,
 * and answers 503 until the next SIGHUP. On any thread, one at a time; the sites that there were
 * serve meanwhile. */
void sites_apply(const struct conf *, bool daemon);
/* Leave no log to recover where anything was written, as far as time goes (clock_monotonic). After
 * writer_stop. */
void sites_settle(int64_t deadline);
void sites_close(void);

#endif
