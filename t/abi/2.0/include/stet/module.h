/*
 * module.h - what a module is: one constant, made of tables. The loader reads it; nothing registers
 * itself. Zero in any field means "as before it existed".
 */
#ifndef STET_MODULE_H
#define STET_MODULE_H

#include <stet/call.h>
#include <stet/comments.h>
#include <stet/content.h>
#include <stet/file.h>
#include <stet/table.h>
#include <stet/transfer.h>

#define STET_MAGIC 0x53544554U /* "STET" */
#define STET_ABI_MAJOR 2 /* equal or refused */
#define STET_ABI_MINOR 0 /* at most the host's */
#define STET_ABI_NOTE "jansson4 time64" /* equal or refused */

typedef enum stet_status stet_handler(struct stet_call *);

/* Where a handler runs: on a worker inside one read transaction; on the site's writer inside a
 * savepoint of a shared transaction (no outside effects: it can be run again); on a bounded pool.
 */
enum stet_lane { STET_READ, STET_WRITE, STET_SLOW };

/* Flags of an op. */
#define STET_TOOL 0x001u /* also an MCP tool of the op's name */
#define STET_PUBLIC 0x002u /* anonymous callers may; credentials are still looked at */
#define STET_CREATED 0x004u /* answers 201 */
#define STET_DESTRUCTIVE 0x008u /* tool annotation destructiveHint: true */
#define STET_ADDITIVE 0x010u /* tool annotation destructiveHint: false */
#define STET_IDEMPOTENT 0x020u /* tool annotation idempotentHint: true */
#define STET_BODY_OPTIONAL 0x040u /* an empty body reads as {} */
#define STET_SPOOL 0x080u /* the body goes to a temporary file as it comes (stet_parts) */
#define STET_MULTIPART 0x100u /* multipart/form-data, parts spooled as they come (stet_parts) */
#define STET_STREAM \
	0x200u /* slow lane: stet_write sends while the handler runs; read lane: while it waits */
#define STET_OUT_LIST 0x400u /* the result is an array of `out` */
#define STET_AT_ROOT 0x800u /* the route is absolute, not below /_cms/api */
#define STET_SECRET \
	0x1000u /* the reply holds a secret: never stored, not even for a repeated key */
#define STET_RAW 0x2000u /* the body is not read as arguments: stet_body has its bytes */
#define STET_ANY_SCOPE 0x4000u /* a token needs no scope: what runs inside asks for its own */
#define STET_ANONYMOUS                                                                          \
	0x8000u /* a read whose handler anonymous callers reach, to be asked for more (a signed \
		   link); others need permission and scope as ever */
#define STET_UNTOLD 0x10000u /* its writes are bookkeeping: no op_written, no record of them */
#define STET_BLOCKS                                                                             \
	0x20000u /* the result is {"content": [...]}, blocks of the tool protocol (text, image, \
		    audio, resource): the tool hands them on as they are */

#define STET_FILE 0x80000u /* a GET that is answered with a file (stet_reply_file) */

#define STET_COSTLY 0x40000u /* limits of rate count it apart, as all ops of the slow lane */
#define STET_ANY_QUERY                                                                      \
	0x200000u /* parameters of the query that are no member are ignored, as a standard  \
		     that the op follows says. Otherwise they are refused by name, unless   \
		     they begin with "_" or "utm_". With STET_AT_ROOT and STET_FILE it goes \
		     without saying */
#define STET_FOR_ALL                                                                        \
	0x100000u /* with STET_PUBLIC: the same for everybody. A request's credentials are  \
		     not looked at: who sends an expired token, as browsers and proxies do, \
		     gets it too */
#define STET_BATCH                                                                       \
	0x400000u /* its argument `calls` is a list of {op, arguments}, which it runs by \
		     stet_invoke_alone: limits count each */

/*
 * One operation, said once. The row yields the REST route, the MCP tool with its schemas, the
 * OpenAPI operation, `stet call`, the audit label, the metric, and a row of the authorization test.
 * A plugin's route is mounted below /plugins/<id>, its tool is called <id>__<name>.
 */
struct stet_op {
	const char *name; /* "menu_get": unique in the module, [a-z][a-z0-9_]*, at most 64 with its
			     prefix */
	const char *title; /* "Get Menu with Items" */
	const char *about; /* for people and assistants: what it does and when to use it */
	const char *route; /* "GET /menus/:name"; NULL: no REST route */
	uint32_t flags;
	enum stet_lane lane;
	const char *permission; /* NULL: anyone who is signed in */
	const char *scope; /* what a token needs; NULL with STET_PUBLIC, else "admin" is meant */
	const struct stet_member *in, *out;
	stet_handler *run;
	enum stet_status error; /* what clients see of a fault; STET_OK: INTERNAL_ERROR */
	uint64_t body_max; /* bytes; 0: 10 MiB */
	/*
	 * For an op that speaks a protocol of its own (the tool server). `choose` picks the lane,
	 * once the arguments and the body are there; NULL: `lane`. `refuse` writes the reply of a
	 * call that failed, or was refused at the gate: stet_error_status and the like say why. If
	 * it sets no stet_reply_type, the envelope is sent, with the headers it added. Neither may
	 * use the database. Of a call that stet_invoke runs `choose` is asked, unless it is
	 * STET_RAW, and `refuse` is not.
	 */
	enum stet_lane (*choose)(struct stet_call *);
	void (*refuse)(struct stet_call *);
	/* Content types that it may answer with in place of the envelope (stet_reply_type), space
	 * separated, for its description; NULL: none. Without `out` it has no other answer. */
	const char *answers;
	/* The reply of this read follows from the database, the arguments, what is enabled and
	 * configured, and from what the handler asks its call for: not from chance, from files, or
	 * from what the module keeps in its state beyond copies of the database. A worker may then
	 * give it again without running the handler, as long as nothing has changed; one that asked
	 * for the time, the client's address, a header or an id is never kept. */
	bool cached;
	/* New fields go here, and nowhere else. */
};

/* An op of an enabled module, as it is called here. */
struct stet_op_info {
	const char *name; /* a plugin's with its prefix */
	const char *module;
	const struct stet_op *op; /* zero-extended */
	bool bundled;
	int role; /* the lowest that may; 0: whoever is signed in, or STET_PUBLIC */
	const char *route; /* as it is mounted: "GET /_cms/api/menus/:name"; NULL: none */
	bool csrf; /* its route wants the header X-CMS-Request: 1, whoever is asking */
	/* New fields go here, and nowhere else. */
};
/* All of them by name, as long as the call: *out is an array of so many pointers. */
static inline size_t stet_ops(struct stet_call *, const struct stet_op_info *const **out);
/* Would the gate let this call's principal through to it, by role and scope? `scope` NULL: that of
 * its route. */
STET_API bool stet_op_open(struct stet_call *, const struct stet_op_info *, const char *scope);

/* What op_written is told. The arguments are those of the call (stet_arg). */
struct stet_written {
	const char *name; /* of the op, with a plugin's prefix; or the words of a command */
	const char *module;
	/* Members of `in` that name what is written: text that stands as a parameter in a route of
	 * this module. NULL-terminated, or NULL. */
	const char *const *names;
	/* The result so far, as JSON; "" before there is any. It may hold secrets. */
	const char *reply;
	size_t reply_len;
	/* New fields go here, and nowhere else. */
};
/* For the hook op_written: the op that wrote. Its `in` is NULL for a command with a program of its
 * own. */
static inline const struct stet_op *stet_written_op(struct stet_call *);

/* What tool_called is told. */
struct stet_tool_call {
	const char *plugin, *tool;
	const char *route; /* as clients ask for it; NULL: it has none */
	const char *outcome; /* "success", "failure" or "denied" */
	const char *reason; /* the code that the tool answered; NULL for a success */
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
	int16_t order; /* lower first; then load order */
	union stet_hook_fn fn;
	/* New fields go here, and nowhere else. */
};
#define STET_ON(name_, order_, fn_)                                         \
	{                                                                   \
		.at = STET_AT_##name_, .order = (order_), .fn.name_ = (fn_) \
	}

/* Run a chain, from the module whose point it is. RESOLVE, FILTER and VETO chains only. */
#define STET_RUNS_RESOLVE(name, params) STET_API STET_MUST enum stet_status stet_run_##name params;
#define STET_RUNS_FILTER(name, params) STET_RUNS_RESOLVE(name, params)
#define STET_RUNS_VETO(name, params) STET_RUNS_RESOLVE(name, params)
#define STET_RUNS_NOTIFY(name, params)
#define STET_HOOK(name, phase, params, args) STET_RUNS_##phase(name, params)
#include <stet/hooks.def>
#undef STET_HOOK
/* Tell the NOTIFY hooks of this point, once this call's transaction is committed. The payload is
 * stored with it, so a crash in between does not lose it; nothing is stored when nobody listens. */
STET_API STET_MUST enum stet_status stet_notify(
    struct stet_call *, struct stet_tx *, enum stet_hook_point, const json_t *payload);
/* Does anybody listen at this point on this site? */
STET_API bool stet_hooked(struct stet_call *, enum stet_hook_point);

/* A step of the module's schema: SQL, then run (either may be NULL), in one transaction with its
 * journal row. Versions count up from 1 without gaps and are never changed once released. */
struct stet_migration {
	uint32_t version;
	const char *name;
	const char *sql;
	enum stet_status (*run)(struct stet_call *, struct stet_tx *);
	/* New fields go here, and nowhere else. */
};

struct stet_permission {
	const char *name;
	int role; /* the lowest that has it */
	/* New fields go here, and nowhere else. */
};

/* A command of `stet`: runs an op with words of the command line as its arguments. "user add" with
 * operands "email": `stet user add ann@example.org --name Ann` calls the op with email and name. */
struct stet_command {
	const char *words; /* "user add" */
	const char *op; /* of this module */
	const char *operands; /* members given by position, space separated */
	const char *print; /* the member of the result that is printed alone; of a result with
			      `items` the columns of their table, space separated; NULL: all */
	const char *about;
	/* Instead of op: a command with a program of its own. argv[0] is the last word. Returns an
	 * exit status. */
	int (*run)(struct stet_call *, int argc, char **argv);
	const char *usage; /* of `run`: "FILE --collection SLUG" */
	/* New fields go here, and nowhere else. */
};

/* A value that an admin sets per site. It is a member and nothing else: it grows as members do. */
struct stet_setting_def {
	struct stet_member member; /* fallback is its default */
};

struct stet_service_def {
	const char *name; /* "schema/1" */
	/* Constants. Callers get a copy, behind which zeros follow: a function that this module was
	 * built without is NULL to them. */
	const void *functions;
	size_t size; /* of *functions */
	/* New fields go here, and nowhere else. */
};
#define STET_SERVICE(name_, functions_)                    \
	{                                                  \
		(name_), &(functions_), sizeof(functions_) \
	}

/* Work that is due at times: `due` answers when it wants to run next (milliseconds since the epoch,
 * or -1 for never) and is asked at start, after each run and after stet_job_wake; `run` runs in the
 * slow lane. */
struct stet_job {
	const char *name;
	int64_t (*due)(struct stet_call *);
	stet_handler *run;
	/* New fields go here, and nowhere else. */
};
STET_API void stet_job_wake(struct stet_call *, const char *name);
/* `due` of a job that takes away what has become too old, so that an idle site is not written to:
 * now when `look` finds some, otherwise a period after it looked. *next, of the module's state, is
 * kept for it; 0: look at once. A fault of `look` is logged, and finds none. */
STET_API int64_t stet_cleaning_due(struct stet_call *, _Atomic int64_t *next, int64_t period_ms,
    enum stet_status (*look)(struct stet_call *, bool *found));

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
	size_t state_size; /* zeroed, one per site where the module is enabled */
	enum stet_status (*open)(struct stet_call *, void *state);
	void (*close)(void *state);
	uint32_t member_size; /* of a struct stet_member when it was built */
	struct stet_table transfers;
	struct stet_table files; /* struct stet_file_column (file.h) */
	/* New fields go here, and nowhere else. */
};

#define STET_MODULE(ident_)                                                \
	STET_API extern const struct stet_module ident_##_LTX_stet_module; \
	STET_API const struct stet_module ident_##_LTX_stet_module
/* The name is the file's name; `ident` is it with hyphens as underscores. */
#define STET_MODULE_HEAD_AS(name_)                                                      \
	.magic = STET_MAGIC, .abi_major = STET_ABI_MAJOR, .abi_minor = STET_ABI_MINOR,  \
	.size = sizeof(struct stet_module), .abi_note = STET_ABI_NOTE, .name = (name_), \
	.member_size = sizeof(struct stet_member)
#define STET_MODULE_HEAD(ident_) STET_MODULE_HEAD_AS(#ident_)

/* ---- modules of this site (what `GET /admin/plugins` is made of) ---- */

struct stet_module_info {
	const struct stet_module *module; /* zero-extended copy of the descriptor */
	bool bundled, enabled, essential;
	const char *installed_at, *activated_at, *deactivated_at; /* NULL: never */
	/* Why it is not used although it should be, in words; NULL: no reason. A file that the
	 * loader refused is not enabled, and its module has a name and nothing else. */
	const char *refused;
	/* Since when it is suspended, because the daemon died while it ran; NULL: it is not. Then
	 * `refused` says why. Enabling it ends the suspension. */
	const char *suspended_at;
	/* Of a struct stet_member when it was built: lists that its functions make have these
	 * (stet_members). Those of its tables are the caller's. */
	uint32_t member_size;
	/* New fields go here, and nowhere else. */
};
/* All that the daemon has loaded, in load order, then the files it refused: *out is an array of
 * `*count` pointers. Owned by the call. */
STET_MUST static inline enum stet_status stet_modules(
    struct stet_call *, const struct stet_module_info *const **out, size_t *count);
/* The one of this name; otherwise NOT_FOUND. */
STET_MUST static inline enum stet_status stet_module_find(
    struct stet_call *, const char *name, const struct stet_module_info **);
/* Enable or disable one on this site. Stored in this call's transaction; the new generation serves
 * the calls that begin after the commit. NOT_FOUND, or CONFLICT for an essential module or an unmet
 * need. */
STET_API STET_MUST enum stet_status stet_module_enable(
    struct stet_call *, struct stet_tx *, const char *name, bool enable);

/* ---- while a module is off ---- */

/* The times that the calling module was off on this site after it had been on: disabled, left out
 * of the configuration, its file gone or refused. It hears of nothing meanwhile: what it keeps
 * about items is stale when it is back, until it makes up for that (a job does: see the book). */
struct stet_absence {
	int64_t number; /* of the last one, counted from 1; 0: there was none */
	bool open; /* the module has not said stet_absence_over of it */
	/* While it is open: since when something was missed, and until when; else NULL. */
	const char *from, *until;
	/* New fields go here, and nowhere else. */
};
STET_MUST static inline enum stet_status stet_absence(struct stet_call *, struct stet_absence *);
/* What was missed up to and with this one is made up for. One that began since stays open. */
STET_API STET_MUST enum stet_status stet_absence_over(
    struct stet_call *, struct stet_tx *, int64_t number);

/* The settings of a module on this site: {name: value}, stored ones and fallbacks. Owned by the
 * call. */
STET_API STET_MUST enum stet_status stet_settings_get(
    struct stet_call *, const char *module, json_t **out);
/* Store settings; null removes one. Unknown names and bad values are a VALIDATION_ERROR, nothing
 * written. */
STET_API STET_MUST enum stet_status stet_settings_put(
    struct stet_call *, struct stet_tx *, const char *module, const json_t *values);

/* Run another op of this site inside this call (the tool server, commands, batches): arguments are
 * checked against its shape, scope and permission against this call's principal, and the lane must
 * be this one's or STET_READ. The result is written to *out (owned by the call) on STET_OK. The op
 * of another plugin asks for the scope mcp:tools:<plugin>, in place of its route's. */
STET_API STET_MUST enum stet_status stet_invoke(
    struct stet_call *, const char *op, const json_t *args, const char **out, size_t *len);
/* The lane in which the op runs with these arguments. STET_READ for arguments that it refuses. */
STET_API enum stet_lane stet_op_lane(
    struct stet_call *, const struct stet_op_info *, const json_t *args);
/* Does the op run inside another: is it a tool that is called? */
STET_API bool stet_nested(struct stet_call *);
/* Run an op of a bundled module, of the read or the write lane, as a call of its own inside this
 * one (a batch). It takes its tokens of rate limits, passes the gate of its route (X-CMS-Request,
 * scope, permission), is told to hooks and recorded, and finds nothing that others have left with
 * the call. When it fails, all that it wrote is undone, and nothing else. A result of more than
 * `most` bytes is a failure. What takes or answers other than JSON, waits, answers a secret, or
 * is a batch itself fails with INVALID_INPUT, and what this call could not ask for alone with
 * NOT_FOUND: where this op is a tool, what is none. */
STET_API STET_MUST enum stet_status stet_invoke_alone(struct stet_call *, const char *op,
    const json_t *args, size_t most, const char **out, size_t *len);

/* ---- what these are to the host: it is told how long structures were when their caller was built
 * ---- */

STET_API size_t stet_ops_sized(
    struct stet_call *, const struct stet_op_info *const **, size_t member);
STET_API const struct stet_op *stet_written_op_sized(struct stet_call *, size_t member);
STET_API STET_MUST enum stet_status stet_modules_sized(
    struct stet_call *, const struct stet_module_info *const **, size_t *, size_t member);
STET_API STET_MUST enum stet_status stet_module_find_sized(
    struct stet_call *, const char *, const struct stet_module_info **, size_t member);
STET_API STET_MUST enum stet_status stet_absence_sized(
    struct stet_call *, struct stet_absence *, size_t);

static inline size_t
stet_ops(struct stet_call *call, const struct stet_op_info *const **out)
{
	return stet_ops_sized(call, out, sizeof(struct stet_member));
}

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

#endif
