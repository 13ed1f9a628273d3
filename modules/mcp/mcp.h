/* mcp.h - what the files of the mcp module share. */
#ifndef MCP_H
#define MCP_H

#include <pthread.h>
#include <stet/module.h>
#include <stet/prompt.h>
#include <stet/transfer.h>

/* Error codes: JSON-RPC 2.0, section 5.1; those from -32020 on: MCP 2026-07-28. */
#define RPC_PARSE (-32700)
#define RPC_INVALID_REQUEST (-32600)
#define RPC_NO_METHOD (-32601)
#define RPC_INVALID_PARAMS (-32602)
#define RPC_INTERNAL (-32603)
#define RPC_SERVER (-32000)
#define RPC_NO_RESOURCE (-32002) /* up to 2025-11-25 */
#define RPC_HEADER_MISMATCH (-32020)
#define RPC_VERSION (-32022)

#define MESSAGES_MAX 50 /* messages in one request body */
#define META "io.modelcontextprotocol/" /* prefix of the protocol's names in _meta */

/* ---- rpc.c: reading messages ---- */

struct message {
	enum { REQUEST, NOTIFICATION, RESPONSE } kind;
	const char *method;
	const json_t *id, *params; /* params may be NULL */
};

struct rpc_error {
	int http, code; /* http 0: no error */
	const char *text;
	json_t *data; /* may be NULL; owned by the call */
};

struct inbox {
	struct message *message;
	size_t count;
	bool batch;
	const json_t *id; /* id for an error about the body: that of the only request; NULL: null */
};
/* Reads the messages of a body. Returns false with the reason in *error. */
bool rpc_read(struct stet_call *, const char *text, size_t len, struct inbox *, struct rpc_error *);

/* ---- era.c: the revision of the protocol ---- */

struct era {
	bool modern; /* 2026-07-28 and later: no handshake, _meta in each request */
	const char *version;
};
extern const char *const era_versions[]; /* all supported versions, newest first; NULL ends them */
/* Returns false if the POST is refused, with the reason in *error. */
bool era_of(struct stet_call *, const struct inbox *, struct era *, struct rpc_error *);
/* Returns the version to use with a client that asks for `requested` (NULL: for any). */
const char *era_agreed(const char *requested);

/* ---- transport.c: one POST ---- */

#define MCP_CALLS "callsPerMinute" /* name of the setting */
#define COMPACT_SCOPE "mcp:compact"

struct exchange {
	struct inbox in;
	struct era era;
	struct rpc_error refused; /* the error that refuses the whole POST */
	bool events; /* reply as an event stream */
	bool compact; /* three tools in place of all (compact.c) */
	/* The tool that is running. */
	const struct stet_op_info *tool;
	const char *dry; /* the result of a dry run; NULL: no dry run */
	const json_t *image; /* the image of its result; NULL: none */
	json_int_t
	    removes; /* what the tool would delete, of which the user is to be asked; 0: not */
	const char *uri; /* the resource that is being read; NULL: none */
	bool prompt; /* a prompt is being made */
	struct stet_json **reply; /* the replies so far */
	size_t replies, skipped; /* skipped: messages without a reply */
};
stet_handler mcp_post, mcp_not_allowed;
enum stet_lane mcp_choose(struct stet_call *);
void mcp_refuse(struct stet_call *);

/* ---- reply.c: responses ---- */

/* Begins a response; the caller writes one member "result" or "error", and closes it. */
struct stet_json *reply_open(struct stet_call *, struct exchange *, const json_t *id);
void reply_close(struct stet_json *);
void reply_error(struct stet_call *, struct exchange *, const json_t *id, int code,
    const char *text, json_t *data);
/* Opens the object "result" with the members that every result of this revision has. */
void reply_result(struct stet_json *, const struct exchange *);
void reply_server(struct stet_json *, const char *key); /* writes {name, title, version} */
/* Ends a result that clients may keep for a minute, for themselves: rights and modules may change
 * at any time. */
void reply_cached(struct stet_json *, const struct exchange *);
/* Lists have a single page. Returns true if it has refused a request for another. */
bool list_refused(struct stet_call *, struct exchange *, const struct message *);

/* ---- tools.c: operations as tools ---- */

/* Returns the operation of this name on this site, a tool or not, or NULL. */
const struct stet_op_info *tool_op(struct stet_call *, const char *name);
/* Returns true if the scopes and the role of the principal allow the tool. */
bool tool_open(struct stet_call *, const struct stet_op_info *);
/* Lists the tools that the principal may call, sorted by name. */
STET_MUST enum stet_status tools_open(
    struct stet_call *, const struct stet_op_info *const **, size_t *count);
/* Like tools_open, but of plugins only includes the tools of `plugins`. */
const struct stet_op_info *const *tools_open_of(
    struct stet_call *, const char *const *plugins, size_t *count);
/* Writes a tool. In the list, descriptions that say little are left out; with `whole`, none is. */
void tool_put(struct stet_call *, struct stet_json *, const struct stet_op_info *, bool whole);
/* tool_put_name writes the members name, title and description. tool_put_annotations writes the
 * annotations, by which a client decides whether to ask its user before a call. */
void tool_put_name(struct stet_json *, const struct stet_op_info *);
void tool_put_annotations(struct stet_json *, const struct stet_op *, bool whole);

/* ---- listed.c: tools/list, and its cache ---- */

/* A cached list. */
struct listed {
	char *key, *text; /* NULL: a free slot */
	size_t len;
	uint64_t used;
};
#define LISTS 16 /* a list has about 50 KB */
struct mcp_state {
	pthread_mutex_t lock; /* guards all members */
	struct listed list[LISTS];
	uint64_t uses;
};
enum stet_status listed_open(struct stet_call *, void *state);
void listed_close(void *state);
/* Responds with the list of all tools that the caller may call, or with the compact one. */
STET_MUST enum stet_status tools_list(
    struct stet_call *, struct exchange *, const struct message *);

/* ---- compact.c: POST /mcp?tools=compact, three tools in place of all ---- */

extern const struct stet_member compact_search_in[], compact_search_out[], compact_describe_in[],
    compact_describe_out[];
stet_handler compact_search, compact_describe;
/* The tool that calls others. It is no operation: invoke.c replaces it by the tool that it names.
 */
extern const struct stet_op_info compact_call;
/* Returns true for one of the three tools. */
bool compact_is(const struct stet_op_info *);
/* Returns the tool of this name on this site, also one of the three, or NULL. */
const struct stet_op_info *compact_find(struct stet_call *, const char *name);
size_t compact_tools(struct stet_call *, const struct stet_op_info *const **);

/* ---- find.c: tools by the words of a task ---- */

/* Sets how well each tool matches; 0: not at all. Returns false if there are no words that say
 * anything. */
bool find_score(const struct stet_op_info *const *, size_t count, const char *words, double *score);

/* ---- surface.c: tools of plugins ---- */

#define MCP_MIGRATIONS 2
extern const struct stet_migration mcp_migrations[MCP_MIGRATIONS];
extern const struct stet_member surface_in[], surface_out[];
stet_handler surface_put;
/* Lists the plugins whose tools are turned on (struct stet_mcp_1). */
STET_MUST enum stet_status surface_plugins(struct stet_call *, const char *const **);
/* Returns true if the tool belongs to one of these plugins, or to a bundled module. */
bool surface_holds(const char *const *plugins, const struct stet_op_info *);
/* Returns in *out whether the tool's plugin is turned on, or the tool is of a bundled module. */
STET_MUST enum stet_status surface_shows(
    struct stet_call *, const struct stet_op_info *, bool *out);
/* Returns the route of a plugin's tool as clients request it, or NULL. */
const char *surface_route(struct stet_call *, const struct stet_op_info *);

/* ---- schema.c: short schemas of tools ---- */

/* Writes inputSchema: the arguments of a tool; with `whole`, each with its description. */
void schema_put_in(struct stet_call *, struct stet_json *, const struct stet_op_info *, bool whole);
/* Writes outputSchema: the result of a tool. */
void schema_put_out(struct stet_json *);

/* ---- dry.c: dry runs ---- */

/* The argument dry_run. Tools of bundled modules that write have it; plugins' tools do not,
 * since their calls are recorded. */
extern const struct stet_member dry_member;
bool dry_offered(const struct stet_op_info *);
/* Removes dry_run from the arguments. */
STET_MUST enum stet_status dry_take(
    struct stet_call *, const struct stet_op_info *, const json_t **args, bool *dry);
/* Stores the result in the exchange, and fails, so that all writes are rolled back. */
STET_MUST enum stet_status dry_end(struct stet_call *, struct exchange *, const char *json);
/* Returns true if the call failed because of dry_end. */
bool dry_ended(struct stet_call *, const struct exchange *);

/* ---- meant.c: arguments as clients send them ---- */

/* Returns the arguments of a tool, converted to the types of its shape; owned by the call. */
const json_t *meant_arguments(struct stet_call *, const struct stet_op_info *, const json_t *args);

/* ---- weight.c: the length of a value in an answer ---- */

/* The maximum weight of an answer: bytes of its text and structuredContent together, about 25,000
 * tokens. */
#define ANSWER_MOST ((size_t)96000)
/* Estimates the weight of a value in an answer, in the unit of ANSWER_MOST. */
size_t weight_of(const json_t *);

/* ---- fit.c: answers that fit into an assistant's context ---- */

#define FIT_MEMBERS 4

/* The caller's arguments about the length of an answer. */
struct fit {
	const struct stet_op_info *tool;
	const json_t *args; /* the arguments of the op; may be NULL */
	bool whole, brief, form_said; /* form_said: brief is given, true or false */
	const char *fields, *cursor; /* NULL: not given */
	int64_t limit; /* 0: not given */
	size_t most; /* the maximum weight of the answer */
};
/* Writes the arguments that the tool server adds to a tool and lists; returns their number. The
 * `limit` of pages that it makes itself is listed only if `whole`. */
size_t fit_members(const struct stet_op_info *, bool whole, struct stet_member out[FIT_MEMBERS]);
/* Returns the arguments of fit_members, `whole` and `max_bytes`, which every tool takes but none
 * lists: the instructions name them. The array ends like a shape. */
const struct stet_member *fit_all_members(struct stet_call *, const struct stet_op_info *);
/* Moves these from the arguments to *fit. */
STET_MUST enum stet_status fit_take(
    struct stet_call *, const struct stet_op_info *, const json_t **args, struct fit *);
/* Shortens an answer as the caller asks, and as far as the limit requires. */
STET_MUST enum stet_status fit_answer(
    struct stet_call *, const struct fit *, const char **json, size_t *len);

/* ---- approve.c: asking a person for what a token may not do ---- */

/* Moves the argument `approval` from the arguments to *why; NULL: there is none. */
STET_MUST enum stet_status approve_take(
    struct stet_call *, const struct stet_op_info *, const json_t **args, const char **why);
/* Returns true if the tool can be asked for: the argument `approval` is the tool server's. */
bool approve_offered(struct stet_call *, const struct stet_op_info *);
/* Returns true if the arguments have `approval`. */
bool approve_asked(struct stet_call *, const struct stet_op_info *, const json_t *args);
/* Asks for an approval of the tool with these arguments, or looks up the request of the id `why`.
 * *text says how the request stands. */
STET_MUST enum stet_status approve_run(struct stet_call *, const char *tool, const json_t *args,
    const char *why, const char **text, const json_t **approval);
/* Returns what a refusal with this status adds: how to ask for an approval, or "". */
const char *approve_hint(struct stet_call *, const struct stet_op_info *, enum stet_status status);

/* ---- elicit.c: questions to the person at the client ---- */

/* Returns the arguments with `approval`, if the person has said why it is to be asked for. */
const json_t *elicit_arguments(struct stet_call *, const struct exchange *, const struct message *,
    const struct stet_op_info *, const json_t *args);
/* Returns true if limits are to count the call after its tool has run, since until then it may turn
 * out that the person is to be asked first. What is in a batch is counted as it runs. */
bool elicit_counts_late(struct stet_call *, const struct exchange *, const struct message *);
/* After a tool has run: fails, so that its writes are rolled back, if it has deleted more than the
 * token may in a day, and the person was not asked yet, or has not confirmed it. `json` is its
 * result. */
STET_MUST enum stet_status elicit_check(
    struct stet_call *, struct exchange *, const struct message *, const char *json, size_t len);
/* Writes a question as the response of a call that has failed with this status. Returns false if
 * nothing is to be asked. */
bool elicit_put(
    struct stet_call *, struct exchange *, const struct message *, enum stet_status status);

/* ---- limits.c: limits of a token ---- */

/* Counts the call of a tool against the limits of the caller's token. Fails with RATE_LIMITED. */
STET_MUST enum stet_status limits_take(
    struct stet_call *, const struct stet_op_info *, const json_t *args, bool dry);
/* Returns true if little is left of a limit; limits_put then writes the member `limits`. */
bool limits_near(struct stet_call *);
void limits_put(struct stet_call *, struct stet_json *);

/* ---- omit.c: values that are left out ---- */

/* Leaves out the longest values of an answer until its weight is at most `most`. Its member
 * `omitted` lists them, and `hint` says how to get them. */
void omit_longest(struct stet_call *, const struct stet_op *, json_t *root, size_t most);

/* ---- guide.c: the house rules of the site ---- */

#define GUIDE_TRANSFERS 1
extern const struct stet_member guide_in[], guide_out[];
extern const struct stet_transfer guide_transfers[GUIDE_TRANSFERS];
stet_handler guide_get, guide_put;
/* Reads the text, "" if there is none, and when it was written, or NULL. */
STET_MUST enum stet_status guide_text(struct stet_call *, const char **text, const char **updated);

/* ---- resources.c: resources ---- */

STET_MUST enum stet_status resources_list(
    struct stet_call *, struct exchange *, const struct message *);
STET_MUST enum stet_status resources_templates(
    struct stet_call *, struct exchange *, const struct message *);
STET_MUST enum stet_status resources_read(
    struct stet_call *, struct exchange *, const struct message *);
/* Writes the error for the resource that is being read. */
void resource_refuse(
    struct stet_call *, struct exchange *, const struct message *, const char *text);

/* ---- prompts.c: prompts ---- */

extern const struct stet_member prompt_article_in[], prompt_none_in[], prompt_out[];
stet_handler prompt_run;
static inline bool
prompt_is(const struct stet_op_info *op)
{
	return (op->op->more & STET_MORE_PROMPT) != 0;
}
STET_MUST enum stet_status prompts_list(
    struct stet_call *, struct exchange *, const struct message *);
STET_MUST enum stet_status prompts_get(
    struct stet_call *, struct exchange *, const struct message *);

/* ---- invoke.c: tools/call ---- */

/* The number of calls in a message that rate limits count: a batch of operations counts each. */
size_t invoke_calls(struct stet_call *, const struct exchange *, const struct message *);
/* Returns the error code of a failure in tool results. */
const char *invoke_code(enum stet_status);
/* The lane that the call of this tool needs; STET_READ for a call that will be refused. */
enum stet_lane invoke_lane(struct stet_call *, const struct exchange *, const struct message *);
/* Runs the tool and writes its response. If it returns an error, the call's recorded error says
 * why; once the tool's writes are rolled back, invoke_failed writes that error as the response. */
STET_MUST enum stet_status invoke_run(
    struct stet_call *, struct exchange *, const struct message *);
void invoke_failed(struct stet_call *, struct exchange *, const struct message *);

#endif
