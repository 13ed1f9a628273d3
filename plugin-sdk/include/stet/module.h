/*
 * module.h - the descriptor of a module: one constant, made of tables. The loader reads it; a
 * module calls no function to register anything. A zero in a member means the behaviour from before
 * the member existed.
 */
#ifndef STET_MODULE_H
#define STET_MODULE_H

#include <stet/call.h>
#include <stet/check.h>
#include <stet/comments.h>
#include <stet/content.h>
#include <stet/file.h>
#include <stet/importer.h>
#include <stet/include.h>
#include <stet/mail.h>
#include <stet/mailtransport.h>
#include <stet/metric.h>
#include <stet/op.h>
#include <stet/pages.h>
#include <stet/sqlite.h>
#include <stet/table.h>
#include <stet/transfer.h>
#include <stet/vault.h>

#define STET_MAGIC 0x53544554U /* "STET" */
#define STET_ABI_MAJOR 2 /* must equal the host's */
#define STET_ABI_MINOR 0 /* must not exceed the host's */
#define STET_ABI_NOTE "jansson4 time64" /* must equal the host's */

/* The event of the hook op_written. The arguments are those of the call (stet_arg). */
struct stet_written {
	const char *name; /* of the op, with a plugin's prefix; or the words of a command */
	const char *module;
	/* The members of `in` that identify the written record: those that are parameters in a
	 * route of this module. NULL-terminated, or NULL. */
	const char *const *names;
	/* The result so far as JSON; "" if there is none yet. It may contain secrets. */
	const char *reply;
	size_t reply_len;
	/* New fields go here, and nowhere else. */
};
/* For the hook op_written: the op that wrote. Its `in` is NULL for a command with a program of
 * its own. */
static inline const struct stet_op *stet_written_op(struct stet_call *);

/* The event of the hook tool_called. */
struct stet_tool_call {
	const char *plugin, *tool;
	const char *route; /* as clients request it; NULL: it has none */
	const char *outcome; /* "success", "failure" or "denied" */
	const char *reason; /* the error code of the tool; NULL if it succeeded */
	/* New fields go here, and nowhere else. */
};

/* The event of the hook account_event. All texts but the first two may be NULL. */
struct stet_account_event {
	const char *what; /* "sign_in", "sign_in_failed": like the name of an op */
	const char *module;
	const char *user_id; /* the account */
	const char *name; /* if there is no user: an address without an account, a client */
	const char *method; /* how: "passkey", "link" */
	const char *address; /* of the client */
	int64_t count; /* equal failures since the last reported one; 0: a success */
	/* New fields go here, and nowhere else. */
};

#define STET_HOOK(name, phase, params, args) typedef enum stet_status stet_##name##_fn params;
#include <stet/hooks.def>
#undef STET_HOOK

enum stet_hook_point {
#define STET_HOOK(name, phase, params, args) STET_AT_##name,
#include <stet/hooks.def>
#undef STET_HOOK
	STET_HOOK_POINTS
};

union stet_hook_fn {
#define STET_HOOK(name, phase, params, args) stet_##name##_fn *name;
#include <stet/hooks.def>
#undef STET_HOOK
};

struct stet_hook {
	uint16_t at;
	int16_t order; /* lower values run first; equal values in load order */
	union stet_hook_fn fn;
	/* New fields go here, and nowhere else. */
};
#define STET_ON(name_, order_, fn_)                                         \
	{                                                                   \
		.at = STET_AT_##name_, .order = (order_), .fn.name_ = (fn_) \
	}

/* stet_run_<point> runs the chain of a hook point: all hooks that modules have there. Only the
 * module whose hook point it is calls it. For RESOLVE, FILTER and VETO points. */
#define STET_RUNS_RESOLVE(name, params) STET_API STET_MUST enum stet_status stet_run_##name params;
#define STET_RUNS_FILTER(name, params) STET_RUNS_RESOLVE(name, params)
#define STET_RUNS_VETO(name, params) STET_RUNS_RESOLVE(name, params)
#define STET_RUNS_NOTIFY(name, params)
#define STET_HOOK(name, phase, params, args) STET_RUNS_##phase(name, params)
#include <stet/hooks.def>
#undef STET_HOOK
/* Calls the NOTIFY hooks of this point after this call's transaction is committed. The payload
 * is stored in the transaction, so a crash in between does not lose it; nothing is stored if no
 * module has a hook there. */
STET_API STET_MUST enum stet_status stet_notify(
    struct stet_call *, struct stet_tx *, enum stet_hook_point, const json_t *payload);
/* Returns true if an enabled module has a hook at this point. */
STET_API bool stet_hooked(struct stet_call *, enum stet_hook_point);

/* A step of the module's database schema: first the SQL, then `run` (either may be NULL), in one
 * transaction with the row that records the step. Versions count from 1 without gaps. A released
 * step is never changed.
 *
 * STET_ADDITIVE: it only adds tables, indexes, and columns that may be NULL or have a default, so
 * what the version before writes remains right, and its daemons go on with the database. They end
 * at any other step that they do not know. */
struct stet_migration {
	uint32_t version;
	const char *name;
	const char *sql;
	enum stet_status (*run)(struct stet_call *, struct stet_tx *);
	uint32_t flags; /* STET_ADDITIVE (op.h) or 0 */
	/* New fields go here, and nowhere else. */
};

struct stet_permission {
	const char *name;
	int role; /* the lowest role that has it */
	/* New fields go here, and nowhere else. */
};

/* A scope of tokens, and another scope that includes it: a token with `opened_by` may do what
 * requires `name`. The names of a plugin begin with its own name ("hello:sign"). */
struct stet_scope_def {
	const char *name, *opened_by;
	/* New fields go here, and nowhere else. */
};

/* A command of `stet` that runs an op with the words of the command line as its arguments. "user
 * add" with the operands "email": `stet user add ann@example.org --name Ann` calls the op with
 * email and name. */
struct stet_command {
	const char *words; /* "user add" */
	const char *op; /* of this module */
	const char *operands; /* members given by position, space separated */
	const char *print; /* the member of the result to print alone; for a result with `items`,
			      the columns of the table, space separated; NULL: everything.
			      "problems": the command fails if that list is not empty */
	const char *about;
	/* Instead of `op`: the command runs this function. argv[0] is the last word of `words`.
	 * Returns an exit status. */
	int (*run)(struct stet_call *, int argc, char **argv);
	const char *usage; /* the usage line of `run`: "FILE --collection SLUG" */
	const char *details; /* for its help, below `about`: what operands and options mean, whole
				lines, each with its line break; NULL: nothing */
	bool at_init; /* `stet init` runs the op, too, and shows the member `print` of its result
			 as a line of its own; nothing, if the op fails. Members of its `in` are
			 options of `stet init`: then it runs only if one of them is given */
	/* New fields go here, and nowhere else. */
};

/* A setting that an administrator sets for a site. It never grows: new properties of settings
 * are members of struct stet_member. */
struct stet_setting_def {
	struct stet_member member; /* its fallback is the default */
};

struct stet_service_def {
	const char *name; /* "schema/1" */
	/* A constant structure of function pointers. Callers get a copy followed by zeros, so a
	 * function that was added after this module was built is NULL to them. */
	const void *functions;
	size_t size; /* of *functions */
	/* New fields go here, and nowhere else. */
};
#define STET_SERVICE(name_, functions_)                    \
	{                                                  \
		(name_), &(functions_), sizeof(functions_) \
	}

/* The job is about what this process keeps in memory or in files of its own: each daemon of a site
 * runs it. */
#define STET_JOB_EVERYWHERE 0x1u

/* Background work that runs when it is due. `due` returns the time of the next run in
 * milliseconds since the epoch, or -1 for never; it is called at start, after each run, and
 * after stet_job_wake. `run` runs in the slow lane.
 *
 * If several daemons serve a site, one of them calls both functions of all jobs of a module. When
 * it ends or is cut off, another does so within ten seconds, and asks `due` first; what the first
 * one was still to write fails (UNAVAILABLE). So what a run has to remember is in rows. */
struct stet_job {
	const char *name;
	int64_t (*due)(struct stet_call *);
	stet_handler *run;
	uint32_t flags; /* STET_JOB_EVERYWHERE */
	/* New fields go here, and nowhere else. */
};
STET_API void stet_job_wake(struct stet_call *, const char *name);
/* Returns true if a long-running job should return soon, and continue in its next run: the daemon
 * is stopping, or the enabled modules or the configuration have changed. For jobs. */
STET_API bool stet_job_ends(struct stet_call *);
/* A `due` for jobs that delete old rows, which avoids writes on an idle site. Returns the
 * present time if `look` finds rows to delete, otherwise a period after the last look. *next, in
 * the module's state, keeps that time; 0: look at once. A fault of `look` is logged and counts
 * as nothing found. */
STET_API int64_t stet_cleaning_due(struct stet_call *, _Atomic int64_t *next, int64_t period_ms,
    enum stet_status (*look)(struct stet_call *, bool *found));

/*
 * Something outside of its own tables that a module uses, declared so that an administrator sees it
 * before enabling the module:
 *
 *	fetch:HOST, mail, files, content:read, content:write, settings:read
 *
 * A name is a word of a to z, 0 to 9 and - . _, for some followed by a colon and an object of the
 * same characters. The loader checks this form; `stet module list` and GET /admin/plugins show the
 * names. Nothing is enforced yet, and a module may declare none.
 */
struct stet_capability {
	const char *name;
	/* New fields go here, and nowhere else. */
};

/* Flags of a module. */
#define STET_ESSENTIAL 0x1u /* cannot be disabled */

struct stet_module {
	uint32_t magic;
	uint16_t abi_major, abi_minor;
	uint32_t size;
	uint32_t flags;
	const char *abi_note;
	const char *name, *version, *summary, *license;
	const char *const *needs; /* NULL-terminated names of modules that load first */
	struct stet_table ops, hooks, migrations, permissions, field_types, commands, settings,
	    services, jobs;
	size_t state_size; /* bytes of zeroed state, for each site that enables the module */
	enum stet_status (*open)(struct stet_call *, void *state);
	void (*close)(void *state);
	uint32_t member_size; /* the size of struct stet_member when the module was built */
	struct stet_table transfers;
	struct stet_table files; /* struct stet_file_column (file.h) */
	struct stet_table statuses; /* struct stet_status_def (status.h) */
	struct stet_table scopes; /* struct stet_scope_def */
	/* Paths ("/admin") below which every request that changes something needs the header
	 * X-CMS-Request: 1, whatever its credentials (cross-site request forgery).
	 * NULL-terminated. For a bundled module: paths of the API, for the routes of all
	 * modules. For a plugin: paths below its own mount point. */
	const char *const *guarded;
	struct stet_table sealed; /* struct stet_sealed_column (vault.h) */
	struct stet_table capabilities;
	struct stet_table mails; /* struct stet_mail_def (mail.h) */
	struct stet_table checks; /* struct stet_check (check.h) */
	struct stet_table metrics; /* struct stet_metric (metric.h) */
	struct stet_table importers; /* struct stet_importer (importer.h) */
	struct stet_table includes; /* struct stet_include (include.h) */
	struct stet_table admin_pages; /* struct stet_admin_page (pages.h) */
	struct stet_table field_widgets; /* struct stet_field_widget (pages.h) */
	struct stet_table file_drivers; /* struct stet_file_driver (driver.h): of drivers only */
	struct stet_table conf_keys; /* struct stet_conf_key (driver.h): of drivers only */
	struct stet_table sqlite_extensions; /* struct stet_sqlite_extension (sqlite.h) */
	struct stet_table mail_transports; /* struct stet_mail_transport (mailtransport.h) */
	struct stet_table database_drivers; /* struct stet_database_driver (driver.h) */
	/* Names of tables that the module makes from others, and can make again: an index, counts.
	 * A copy of the site into another database (stet database copy) has them empty, and for
	 * the module it begins with an absence (stet_absence). A plugin names tables of its own.
	 * NULL-terminated. */
	const char *const *derived;
	/* New fields go here, and nowhere else. */
};

#define STET_MODULE(ident_)                                                \
	STET_API extern const struct stet_module ident_##_LTX_stet_module; \
	STET_API const struct stet_module ident_##_LTX_stet_module
/* The module's name is its file's name; ident_ is that name with underscores for hyphens. */
#define STET_MODULE_HEAD_AS(name_)                                                      \
	.magic = STET_MAGIC, .abi_major = STET_ABI_MAJOR, .abi_minor = STET_ABI_MINOR,  \
	.size = sizeof(struct stet_module), .abi_note = STET_ABI_NOTE, .name = (name_), \
	.member_size = sizeof(struct stet_member)
#define STET_MODULE_HEAD(ident_) STET_MODULE_HEAD_AS(#ident_)

/* ---- the modules of this site (GET /admin/plugins shows them) ---- */

struct stet_module_info {
	const struct stet_module *module; /* zero-extended copy of the descriptor */
	bool bundled, enabled, essential;
	const char *installed_at, *activated_at, *deactivated_at; /* NULL: never */
	/* Why a module that should be in use is not, or is with tables that it could not migrate,
	 * in words; NULL: it is in use, or need not be. A file that the loader refused is not
	 * enabled, and its descriptor has only a name. */
	const char *refused;
	/* Since when the module is suspended because the daemon crashed while it ran; NULL: it
	 * is not. `refused` then says why. Enabling the module ends the suspension. */
	const char *suspended_at;
	/* The size of struct stet_member when the module was built. Lists that its functions
	 * return have this size (read them with stet_members); those in its tables are converted
	 * already. */
	uint32_t member_size;
	/* New fields go here, and nowhere else. */
};
/* All modules that the daemon has loaded, in load order, then the files that it refused. *out is
 * an array of *count pointers, owned by the call. */
STET_MUST static inline enum stet_status stet_modules(
    struct stet_call *, const struct stet_module_info *const **out, size_t *count);
/* The module of this name; fails with NOT_FOUND. */
STET_MUST static inline enum stet_status stet_module_find(
    struct stet_call *, const char *name, const struct stet_module_info **);
/* Enables or disables a module on this site, in this call's transaction. Calls that begin after
 * the commit see the change. Fails with NOT_FOUND for an unknown module. Fails with CONFLICT if
 * the file was refused, if a module that it needs is off, or if it would not work with the
 * enabled modules; and, when disabling, if it is essential or another module needs it. */
STET_API STET_MUST enum stet_status stet_module_enable(
    struct stet_call *, struct stet_tx *, const char *name, bool enable);

/* Excludes a module from this site at once, although the site accepts no writes, by a request file
 * in the data directory. For ops with STET_MORE_MENDS, in the slow lane. *writable: the site
 * accepts writes again; then disable the module with stet_module_enable, which replaces the
 * request. Otherwise the daemon stores the change when it can. Fails with CONFLICT like
 * stet_module_enable, and with MIGRATION_FAILED for a module that is not loaded. */
STET_API STET_MUST enum stet_status stet_module_leave(
    struct stet_call *, const char *name, bool *writable);

/* ---- while a module is off ---- */

/* The times during which the calling module was off on this site after it had been on: disabled,
 * removed from the configuration, its file missing or refused. A disabled module gets no hooks,
 * so what it stores about items is stale when it is enabled again, until it catches up (in a
 * job: see the book). */
struct stet_absence {
	int64_t number; /* the number of the latest absence, counted from 1; 0: there was none */
	bool open; /* the module has not yet called stet_absence_over for it */
	/* While open: the beginning and the end of the time that was missed; otherwise NULL. */
	const char *from, *until;
	/* New fields go here, and nowhere else. */
};
STET_MUST static inline enum stet_status stet_absence(struct stet_call *, struct stet_absence *);
/* The absence of another module by its name. The functions of a service run as their caller's
 * module, so they ask for that of their own module this way. */
STET_MUST static inline enum stet_status stet_absence_of(
    struct stet_call *, const char *module, struct stet_absence *);
/* Records that the module has caught up with the absences up to this number. An absence that began
 * later stays open. */
STET_API STET_MUST enum stet_status stet_absence_over(
    struct stet_call *, struct stet_tx *, int64_t number);

/* The settings of a module on this site, {name: value}: the stored ones and fallbacks. Owned by
 * the call. */
STET_API STET_MUST enum stet_status stet_settings_get(
    struct stet_call *, const char *module, json_t **out);
/* Stores settings; null removes one. Unknown names and invalid values fail with
 * VALIDATION_ERROR, and then nothing is stored. */
STET_API STET_MUST enum stet_status stet_settings_put(
    struct stet_call *, struct stet_tx *, const char *module, const json_t *values);

/* ---- the host's side of the functions above: it is told the sizes of the structures in the
 * caller's headers ---- */

STET_API const struct stet_op *stet_written_op_sized(struct stet_call *, size_t member);
STET_API STET_MUST enum stet_status stet_modules_sized(
    struct stet_call *, const struct stet_module_info *const **, size_t *, size_t member);
STET_API STET_MUST enum stet_status stet_module_find_sized(
    struct stet_call *, const char *, const struct stet_module_info **, size_t member);
STET_API STET_MUST enum stet_status stet_absence_sized(
    struct stet_call *, struct stet_absence *, size_t);
STET_API STET_MUST enum stet_status stet_absence_of_sized(
    struct stet_call *, const char *module, struct stet_absence *, size_t);

static inline const struct stet_op *
stet_written_op(struct stet_call *call)
{
	return stet_written_op_sized(call, sizeof(struct stet_member));
}

static inline enum stet_status
stet_modules(struct stet_call *call, const struct stet_module_info *const **out, size_t *count)
{
	return stet_modules_sized(call, out, count, sizeof(struct stet_member));
}

static inline enum stet_status
stet_module_find(struct stet_call *call, const char *name, const struct stet_module_info **out)
{
	return stet_module_find_sized(call, name, out, sizeof(struct stet_member));
}

static inline enum stet_status
stet_absence(struct stet_call *call, struct stet_absence *out)
{
	return stet_absence_sized(call, out, sizeof(*out));
}

static inline enum stet_status
stet_absence_of(struct stet_call *call, const char *module, struct stet_absence *out)
{
	return stet_absence_of_sized(call, module, out, sizeof(*out));
}

#endif
