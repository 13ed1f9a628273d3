/* mcp.h - what the files of the tool server share. */
#ifndef MCP_H
#define MCP_H

#include <stet/module.h>

/* Error codes: JSON-RPC 2.0, section 5.1; those from -32020 on: MCP 2026-07-28. */
#define RPC_PARSE (-32700)
#define RPC_INVALID_REQUEST (-32600)
#define RPC_NO_METHOD (-32601)
#define RPC_INVALID_PARAMS (-32602)
#define RPC_INTERNAL (-32603)
#define RPC_SERVER (-32000)
#define RPC_HEADER_MISMATCH (-32020)
#define RPC_VERSION (-32022)

#define MESSAGES_MAX 50 /* in one body */
#define META "io.modelcontextprotocol/" /* names of the protocol's own in _meta */

/* ---- rpc.c: what came ---- */

struct message {
	enum { REQUEST, NOTIFICATION, RESPONSE } kind;
	const char *method;
	const json_t *id, *params; /* params may be NULL */
};

struct rpc_error {
	int http, code; /* http 0: none */
	const char *text;
	json_t *data; /* or NULL; owned by the call */
};

struct inbox {
	struct message *message;
	size_t count;
	bool batch;
	const json_t *id; /* of the only request, for an error about it; NULL: null */
};
/* The messages of a body. false: *error says why not. */
bool rpc_read(struct stet_call *, const char *text, size_t len, struct inbox *, struct rpc_error *);

/* ---- era.c: which protocol it is ---- */

struct era {
	bool modern; /* 2026-07-28 on: no handshake, _meta in each request */
	const char *version;
};
extern const char *const era_versions[]; /* all that is spoken, newest first; ends with NULL */
/* false: the POST is refused, *error says why. */
bool era_of(struct stet_call *, const struct inbox *, struct era *, struct rpc_error *);
/* The answer to a client that asks for this one; NULL is any. */
const char *era_agreed(const char *requested);

/* ---- transport.c: one POST ---- */

#define MCP_CALLS "callsPerMinute" /* the setting */

struct exchange {
	struct inbox in;
	struct era era;
	struct rpc_error refused; /* the POST as a whole */
	bool events; /* answer as an event stream */
	bool compact; /* compact.c */
	/* The tool that runs, and how. */
	const struct stet_op_info *tool;
	const char *dry; /* what it would answer, when it is only tried; NULL: it is not */
	struct stet_json **reply; /* so far */
	size_t replies, skipped; /* messages that have none */
};
stet_handler mcp_post, mcp_not_allowed;
enum stet_lane mcp_choose(struct stet_call *);
void mcp_refuse(struct stet_call *);

/* A response on its way: open it, write one member "result" or "error", close it. */
struct stet_json *reply_open(struct stet_call *, struct exchange *, const json_t *id);
void reply_close(struct stet_json *);
void reply_error(struct stet_call *, struct exchange *, const json_t *id, int code,
    const char *text, json_t *data);
/* Opens the object "result" with what every result of the era has. */
void reply_result(struct stet_json *, const struct exchange *);
void reply_server(struct stet_json *, const char *key); /* {name, title, version} */

/* ---- tools.c: the list ---- */

/* The tool of this name, if there is one on this site; NULL. */
const struct stet_op_info *tool_find(struct stet_call *, const char *name);
/* Does the principal's scope and role open it? */
bool tool_open(struct stet_call *, const struct stet_op_info *);
/* Those that the principal may call, by name. */
STET_MUST enum stet_status tools_open(
    struct stet_call *, const struct stet_op_info *const **, size_t *count);
STET_MUST enum stet_status tools_list(
    struct stet_call *, struct exchange *, const struct message *);
/* One entry of the list. */
void tool_put(struct stet_call *, struct stet_json *, const struct stet_op_info *);
/* Its members name, title and description; and what a host may do without asking its user. */
void tool_put_name(struct stet_json *, const struct stet_op_info *);
void tool_put_annotations(struct stet_json *, const struct stet_op *);

/* ---- compact.c: POST /mcp?tools=compact, three tools in place of all ---- */

extern const struct stet_member compact_search_in[], compact_search_out[], compact_describe_in[],
    compact_describe_out[];
stet_handler compact_search, compact_describe;
/* The tool that runs others: no op, since it is taken apart before anything runs. */
extern const struct stet_op_info compact_call;
/* Is it one of the three? */
bool compact_is(const struct stet_op_info *);
size_t compact_tools(struct stet_call *, const struct stet_op_info *const **);

/* ---- surface.c: tools of plugins ---- */

#define MCP_MIGRATIONS 1
extern const struct stet_migration mcp_migrations[MCP_MIGRATIONS];
extern const struct stet_member surface_in[], surface_out[];
stet_handler surface_put;
/* The plugins whose tools are on (struct stet_mcp_1). */
STET_MUST enum stet_status surface_plugins(struct stet_call *, const char *const **);
/* Is the tool one of these plugins', or of the core's modules? */
bool surface_holds(const char *const *plugins, const struct stet_op_info *);
/* The same for one tool. */
STET_MUST enum stet_status surface_shows(
    struct stet_call *, const struct stet_op_info *, bool *out);
/* The route of a plugin's tool as clients ask for it, or NULL. */
const char *surface_route(struct stet_call *, const struct stet_op_info *);

/* ---- schema.c: schemas of tools, in few words ---- */

/* inputSchema: the arguments of a tool. */
void schema_put_in(struct stet_call *, struct stet_json *, const struct stet_op_info *);
/* outputSchema: what it answers with. */
void schema_put_out(struct stet_json *, const struct stet_op *);

/* ---- dry.c: writes that are tried ---- */

/* The argument that asks for it, which every tool of ours has that writes: calls of a plugin's are
 * recorded. */
extern const struct stet_member dry_member;
bool dry_offered(const struct stet_op_info *);
/* Take it out of the arguments. */
STET_MUST enum stet_status dry_take(
    struct stet_call *, const struct stet_op_info *, const json_t **args, bool *dry);
/* Keep the result, and fail, so that what was written is rolled back. */
STET_MUST enum stet_status dry_end(struct stet_call *, struct exchange *, const char *json);
/* Was that why it failed? */
bool dry_ended(struct stet_call *, const struct exchange *);

/* ---- invoke.c: tools/call ---- */

/* How many calls a message asks for, as limits count: of a batch of operations each. */
size_t invoke_calls(struct stet_call *, const struct exchange *, const struct message *);
/* The code of a failure as tools say it. */
const char *invoke_code(enum stet_status);
/* Which lane the call of this tool needs: STET_READ for what will be refused anyhow. */
enum stet_lane invoke_lane(struct stet_call *, const struct exchange *, const struct message *);
/* Run it and write its response. Not STET_OK: it failed as the call's error says; invoke_failed
 * writes that as a response, after what the tool wrote has been taken back. */
STET_MUST enum stet_status invoke_run(
    struct stet_call *, struct exchange *, const struct message *);
void invoke_failed(struct stet_call *, struct exchange *, const struct message *);

#endif
