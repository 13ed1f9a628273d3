/*
 * invoke.c - tools/call: runs the op of a tool like a request to its route, and writes its
 * outcome as a tool result. The arguments are checked first, then the scope, then the role.
 */
#include "mcp.h"
#include <string.h>

/* The tool that a message calls; for tools_call, the tool in its arguments. */
struct target {
	const char *name;
	const json_t *args; /* may be NULL */
	bool wrapped, sound;
};

/* The object `arguments`: some clients send it as a JSON text, or null if there are none. */
static const json_t *
arguments_of(struct stet_call *call, const json_t *object)
{
	const json_t *args = json_object_get(object, "arguments"), *read;
	const char *why;

	if (json_is_null(args))
		return NULL;
	if (!json_is_string(args))
		return args;
	read = stet_json_parse(call, json_string_value(args), json_string_length(args), &why);
	return json_is_object(read) ? read : args;
}

static struct target
target_of(struct stet_call *call, const struct exchange *x, const struct message *m)
{
	struct target t = { json_string_value(json_object_get(m->params, "name")),
		arguments_of(call, m->params), false, true };
	const json_t *outer = t.args;

	if (x->compact && t.name != NULL && strcmp(t.name, compact_call.name) == 0) {
		t.wrapped = true;
		t.name = json_string_value(json_object_get(outer, "name"));
		t.args = arguments_of(call, outer);
		t.sound = json_object_size(outer) ==
			      (json_object_get(outer, "arguments") != NULL ? 2 : 1) &&
			  t.name != NULL &&
			  strlen(t.name) == json_string_length(json_object_get(outer, "name"));
	}
	t.sound = t.sound && t.name != NULL && (t.args == NULL || json_is_object(t.args));
	return t;
}

/* Finds the tool, and converts its arguments to the types that it wants (meant.c). */
static const struct stet_op_info *
find(struct stet_call *call, const struct exchange *x, const struct message *m, struct target *t)
{
	const struct stet_op_info *tool = t->sound ? compact_find(call, t->name) : NULL;

	if (tool == NULL || (compact_is(tool) && !x->compact))
		return NULL;
	t->args = elicit_arguments(call, x, m, tool, meant_arguments(call, tool, t->args));
	return tool;
}

static bool
is_call(const struct message *m)
{
	return m->kind == REQUEST && strcmp(m->method, "tools/call") == 0;
}

size_t
invoke_calls(struct stet_call *call, const struct exchange *x, const struct message *m)
{
	const struct stet_op_info *tool;
	struct target t;
	size_t inside = 0;

	if (!is_call(m))
		return 0;
	t = target_of(call, x, m);
	tool = find(call, x, m, &t);
	if (tool != NULL && (tool->op->flags & STET_BATCH) != 0)
		inside = json_array_size(json_object_get(t.args, "calls"));
	return inside > 0 ? inside : 1;
}

/* Returns the lane of the operation, for the arguments without those of the tool server itself. */
static enum stet_lane
lane_of(struct stet_call *call, const struct stet_op_info *tool, const json_t *args)
{
	const char *why;
	struct fit fit;
	bool dry;

	if (dry_take(call, tool, &args, &dry) != STET_OK ||
	    approve_take(call, tool, &args, &why) != STET_OK ||
	    fit_take(call, tool, &args, &fit) != STET_OK) {
		stet_error_clear(call);
		return STET_READ;
	}
	if (why != NULL)
		return STET_WRITE;
	return stet_op_lane(call, tool, args);
}

/* Names the call's kind for estimates of its duration: the tool with these arguments. */
static void
alike(struct stet_call *call, const struct target *t)
{
	struct stet_json *args = stet_json_new(call);
	const char *text;
	size_t len;

	if (t->args != NULL)
		stet_put_json(args, NULL, t->args);
	text = stet_json_text(args, &len);
	stet_alike(call, t->name, text, len);
}

enum stet_lane
invoke_lane(struct stet_call *call, const struct exchange *x, const struct message *m)
{
	const struct stet_op_info *tool;
	enum stet_lane lane;
	struct target t;

	if (!is_call(m))
		return STET_READ;
	t = target_of(call, x, m);
	tool = find(call, x, m, &t);
	if (tool != NULL && !tool->bundled) /* writes a record of the call, even if it fails */
		return STET_SLOW;
	/* A tool that will be refused needs no lane, but a request for approval is written. */
	if (tool == NULL || (!tool_open(call, tool) && !approve_asked(call, tool, t.args)))
		return STET_READ;
	lane = lane_of(call, tool, t.args);
	if (lane == STET_READ)
		alike(call, &t);
	return lane;
}

/* ---- results ---- */

/* structuredContent must be an object, so a list becomes the member `items` of one. */
static void
put_structured(struct stet_json *out, const char *json, size_t len)
{
	if (*json == '{') {
		stet_put_raw(out, "structuredContent", json, len);
		return;
	}
	stet_object(out, "structuredContent");
	stet_put_raw(out, *json == '[' ? "items" : "value", json, len);
	stet_close(out);
}

static void
put_block(struct stet_json *out, const char *text, size_t len)
{
	stet_object(out, NULL);
	stet_put_str(out, "type", "text");
	stet_put_strn(out, "text", text, len);
	stet_close(out);
}

/* Writes the text of a result, and the image that picture_take has found in it; NULL: none. */
static void
put_content(struct stet_json *out, const json_t *image, const char *text, size_t len)
{
	stet_array(out, "content");
	put_block(out, text, len);
	if (image != NULL) {
		stet_object(out, NULL);
		stet_put_str(out, "type", "image");
		stet_put_json(out, "data", json_object_get(image, "data"));
		stet_put_json(out, "mimeType", json_object_get(image, "mimeType"));
		stet_close(out);
	}
	stet_close(out);
}

/* Takes the image out of a result that has one: {mimeType, data} in the member `image`. The client
 * gets it as a block of its own. */
static void
picture_take(struct stet_call *call, struct exchange *x, const char **json, size_t *len)
{
	const struct stet_member *m = x->tool->op->out;
	struct stet_json *out;
	const char *why;
	json_t *root;

	while (m != NULL && m->name != NULL && strcmp(m->name, "image") != 0)
		m++;
	if (m == NULL || m->name == NULL || m->of == NULL || strstr(*json, "\"image\"") == NULL)
		return;
	root = json_copy((json_t *)(uintptr_t)stet_json_parse(call, *json, *len, &why));
	stet_json_own(call, root);
	x->image = json_object_get(root, "image");
	if (json_object_get(x->image, "data") == NULL) {
		x->image = NULL;
		return;
	}
	stet_json_own(call, json_incref((json_t *)(uintptr_t)x->image));
	(void)json_object_del(root, "image");
	out = stet_json_new(call);
	stet_put_json(out, NULL, root);
	*json = stet_json_text(out, len);
}

/* The content of a result that consists of blocks (STET_BLOCKS). */
static const json_t *
blocks_of(struct stet_call *call, const char *json, size_t len)
{
	const char *why;
	const json_t *content = json_object_get(stet_json_parse(call, json, len, &why), "content");

	return json_is_array(content) ? content : NULL;
}

static void
put_meta(struct stet_call *call, struct stet_json *out, const struct exchange *x)
{
	limits_put(call, out);
	if (x->era.modern)
		reply_server(out, META "serverInfo");
}

/* A result of an earlier revision has _meta only if there is something to say. */
static void
put_meta_of_success(struct stet_call *call, struct stet_json *out, const struct exchange *x)
{
	if (!x->era.modern && !limits_near(call))
		return;
	stet_object(out, "_meta");
	put_meta(call, out, x);
	stet_close(out);
}

static enum stet_status
succeed(struct stet_call *call, struct exchange *x, const struct message *m, const char *json,
    size_t len)
{
	bool made_of_blocks = (x->tool->op->flags & STET_BLOCKS) != 0;
	const json_t *blocks = made_of_blocks ? blocks_of(call, json, len) : NULL;
	struct stet_json *out;

	if (made_of_blocks && blocks == NULL)
		return stet_fault(call, "%s promised blocks of content", x->tool->name);
	out = reply_open(call, x, m->id);
	reply_result(out, x);
	if (made_of_blocks) {
		stet_put_json(out, "content", blocks);
	} else {
		put_content(out, x->image, json, len);
		put_structured(out, json, len);
	}
	put_meta_of_success(call, out, x);
	stet_close(out);
	reply_close(out);
	return STET_OK;
}

/* ---- failures ---- */

const char *
invoke_code(enum stet_status status)
{
	switch (status) {
	case STET_FORBIDDEN:
		return "INSUFFICIENT_PERMISSIONS";
	case STET_COLLECTION_NOT_FOUND:
		return "NOT_FOUND";
	default:
		return stet_status_name(status);
	}
}

static const char *
code_of(struct stet_call *call, const struct exchange *x, enum stet_status *status)
{
	*status = stet_error_status(call);
	if (*status == STET_INTERNAL_ERROR && x->tool != NULL && x->tool->op->error != STET_OK)
		*status = x->tool->op->error;
	return invoke_code(*status);
}

/* The text of an error with all issues, each with its member. */
static const char *
text_of(struct stet_call *call, enum stet_status status)
{
	const char *text = stet_error_text(call);

	if (stet_status_http(status) == 500) /* a fault reveals nothing about its cause */
		return stet_status_text(status);
	text += strcspn(text, ":");
	return *text == ':' ? text + 2 : stet_status_text(status);
}

/* Writes a result that is an error. */
static void
put_failed(struct stet_call *call, struct exchange *x, const struct message *m, const char *text,
    const char *code, const json_t *details)
{
	struct stet_json *out = reply_open(call, x, m->id);

	reply_result(out, x);
	put_content(out, NULL, text, strlen(text));
	stet_put_bool(out, "isError", true);
	stet_object(out, "_meta");
	stet_put_str(out, "code", code);
	if (details != NULL)
		stet_put_json(out, "details", details);
	put_meta(call, out, x);
	stet_close(out);
	stet_close(out);
	reply_close(out);
}

void
invoke_failed(struct stet_call *call, struct exchange *x, const struct message *m)
{
	enum stet_status status;
	const char *code = code_of(call, x, &status);
	const char *text = stet_printf(
	    call, "[%s] %s%s", code, text_of(call, status), approve_hint(call, x->tool, status));

	if (dry_ended(call, x)) {
		succeed(call, x, m, x->dry, strlen(x->dry));
		return;
	}
	if (elicit_put(call, x, m, status))
		return;
	if (x->uri != NULL) {
		resource_refuse(call, x, m, text);
		return;
	}
	if (x->prompt) {
		reply_error(call, x, m->id, RPC_INVALID_PARAMS, text, NULL);
		return;
	}
	if (x->tool == NULL) { /* the message failed before its tool was found */
		reply_error(call, x, m->id, RPC_INTERNAL, "Internal server error", NULL);
		return;
	}
	put_failed(call, x, m, text, code, json_object_get(stet_error_json(call), "details"));
}

/* ---- the call ---- */

struct run {
	const struct stet_op_info *tool;
	const json_t *args;
	const char *json;
	size_t len;
	struct stet_tool_call told;
};

/* Answers how a request for approval stands. */
static enum stet_status
ask(struct stet_call *call, struct exchange *x, const struct message *m, const struct run *run,
    const char *why)
{
	const json_t *approval;
	const char *text;

	STET_TRY(approve_run(call, run->tool->name, run->args, why, &text, &approval));
	put_failed(
	    call, x, m, text, stet_strndup(call, text + 1, strcspn(text, "]") - 1), approval);
	return STET_OK;
}

/* Refuses an unknown tool: writes a protocol error, or for tools_call a failed result. */
static enum stet_status
refuse(struct stet_call *call, struct exchange *x, const struct message *m, const struct target *t)
{
	if (t->wrapped) {
		x->tool = &compact_call;
		if (!t->sound)
			return stet_fail(call, STET_VALIDATION_ERROR, "arguments",
			    "tools_call takes two arguments: name, a string, and arguments, an object "
			    "of what the tool takes");
		return stet_fail(call, STET_NOT_FOUND, "name",
		    "There is no tool \"%.64s\": find one with tools_search", t->name);
	}
	reply_error(call, x, m->id, RPC_INVALID_PARAMS,
	    t->sound ? stet_printf(call, "Unknown tool: %.64s", t->name)
		     : "Invalid params: name must be a string, arguments an object",
	    NULL);
	return STET_OK;
}

/* ---- tools of plugins ---- */

static enum stet_status
record(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	const struct run *run = arg;

	return stet_run_tool_called(call, tx, &run->told);
}

static enum stet_status
run_writing(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	struct run *run = arg;

	STET_TRY(stet_invoke(call, run->tool->name, run->args, &run->json, &run->len));
	return record(call, tx, run);
}

/* Runs a plugin's tool, in the slow lane: refused calls are recorded too, which needs a write. */
static enum stet_status
run_foreign(struct stet_call *call, const struct exchange *x, struct run *run)
{
	bool writes = run->tool->op->lane == STET_WRITE;
	enum stet_status status, code;

	run->told = (struct stet_tool_call){ .plugin = run->tool->module,
		.tool = run->tool->name,
		.route = surface_route(call, run->tool),
		.outcome = "success" };
	status = writes ? stet_write_lane(call, run_writing, run)
			: stet_invoke(call, run->tool->name, run->args, &run->json, &run->len);
	if (!stet_hooked(call, STET_AT_tool_called) || (writes && status == STET_OK))
		return status;
	if (status != STET_OK) {
		run->told.reason = code_of(call, x, &code);
		run->told.outcome = code == STET_INSUFFICIENT_SCOPE || code == STET_FORBIDDEN
					? "denied"
					: "failure";
	}
	STET_TRY(stet_write_lane(call, record, run));
	return status;
}

/* Finds the tool, if the site shows it to assistants. */
static enum stet_status
find_shown(struct stet_call *call, struct exchange *x, const struct message *m, struct target *t)
{
	const struct stet_op_info *tool = find(call, x, m, t);
	bool shown = false;

	if (tool != NULL)
		STET_TRY(surface_shows(call, tool, &shown));
	x->tool = shown ? tool : NULL;
	return STET_OK;
}

enum stet_status
invoke_run(struct stet_call *call, struct exchange *x, const struct message *m)
{
	struct target t = target_of(call, x, m);
	struct run run = { 0 };
	enum stet_status status;
	const char *why;
	struct fit fit;
	bool dry, late;

	x->dry = NULL;
	x->image = NULL;
	x->removes = 0;
	STET_TRY(find_shown(call, x, m, &t));
	if (x->tool == NULL)
		return refuse(call, x, m, &t);
	STET_TRY(dry_take(call, x->tool, &t.args, &dry));
	STET_TRY(approve_take(call, x->tool, &t.args, &why));
	STET_TRY(fit_take(call, x->tool, &t.args, &fit));
	run.args = t.args;
	run.tool = x->tool;
	if (why != NULL && !dry)
		return ask(call, x, m, &run, why);
	late = !dry && elicit_counts_late(call, x, m);
	STET_TRY(limits_take(call, run.tool, run.args, dry || late));
	stet_tool_set(call, run.tool->name);
	status = run.tool->bundled ? stet_invoke(call, run.tool->name, t.args, &run.json, &run.len)
				   : run_foreign(call, x, &run);
	stet_tool_set(call, NULL);
	STET_TRY(status);
	if (!dry)
		STET_TRY(elicit_check(call, x, m, run.json, run.len));
	if (late)
		STET_TRY(limits_take(call, run.tool, run.args, false));
	if (run.tool->bundled)
		picture_take(call, x, &run.json, &run.len);
	if ((x->tool->op->flags & STET_BLOCKS) == 0)
		STET_TRY(fit_answer(call, &fit, &run.json, &run.len));
	if (dry)
		return dry_end(call, x, run.json);
	return succeed(call, x, m, run.json, run.len);
}
