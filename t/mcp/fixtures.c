/*
 * fixtures.c - the tools that the public conformance suites of the Model Context Protocol call by
 * name. The daemon under test loads it as a bundled module, since tools of a plugin would have a
 * prefix. It is never installed.
 */
#include <stet/module.h>

/* A PNG of one red pixel, and a WAV of one silent sample, both in base64. */
#define PNG                                                            \
	"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR42mP4" \
	"z8AAAAMBAQD3A0FDAAAAAElFTkSuQmCC"
#define WAV "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQIAAAAAAA=="

static void
put_text(struct stet_json *out, const char *text)
{
	stet_object(out, NULL);
	stet_put_str(out, "type", "text");
	stet_put_str(out, "text", text);
	stet_close(out);
}

static void
put_bytes(struct stet_json *out, const char *type, const char *base64, const char *media_type)
{
	stet_object(out, NULL);
	stet_put_str(out, "type", type);
	stet_put_str(out, "data", base64);
	stet_put_str(out, "mimeType", media_type);
	stet_close(out);
}

static void
put_resource(struct stet_json *out, const char *uri, const char *media_type, const char *text)
{
	stet_object(out, NULL);
	stet_put_str(out, "type", "resource");
	stet_object(out, "resource");
	stet_put_str(out, "uri", uri);
	stet_put_str(out, "mimeType", media_type);
	stet_put_str(out, "text", text);
	stet_close(out);
	stet_close(out);
}

static struct stet_json *
blocks(struct stet_call *call)
{
	struct stet_json *out = stet_reply(call);

	stet_object(out, NULL);
	stet_array(out, "content");
	return out;
}

static enum stet_status
done(struct stet_json *out)
{
	stet_close(out);
	stet_close(out);
	return STET_OK;
}

static enum stet_status
simple_text(struct stet_call *call)
{
	struct stet_json *out = blocks(call);

	put_text(out, "This is a simple text response for testing.");
	return done(out);
}

static enum stet_status
image_content(struct stet_call *call)
{
	struct stet_json *out = blocks(call);

	put_bytes(out, "image", PNG, "image/png");
	return done(out);
}

static enum stet_status
audio_content(struct stet_call *call)
{
	struct stet_json *out = blocks(call);

	put_bytes(out, "audio", WAV, "audio/wav");
	return done(out);
}

static enum stet_status
embedded_resource(struct stet_call *call)
{
	struct stet_json *out = blocks(call);

	put_resource(
	    out, "test://embedded-resource", "text/plain", "This is an embedded resource content.");
	return done(out);
}

static enum stet_status
multiple_content_types(struct stet_call *call)
{
	struct stet_json *out = blocks(call);

	put_text(out, "Multiple content types test:");
	put_bytes(out, "image", PNG, "image/png");
	put_resource(out, "test://mixed-content-resource", "application/json",
	    "{\"test\":\"data\",\"value\":123}");
	return done(out);
}

static enum stet_status
error_handling(struct stet_call *call)
{
	return stet_fail(
	    call, STET_SAVE_REJECTED, NULL, "This tool intentionally returns an error for testing");
}

/* Log lines of a tool go to the daemon's log, whoever calls. */
static enum stet_status
logging_tool(struct stet_call *call)
{
	struct stet_json *out = blocks(call);

	stet_log(call, STET_WARN, "a tool of the conformance suite logs");
	put_text(out, "Logged.");
	return done(out);
}

/* The tool does not ask the user for anything; it only returns a result. */
static enum stet_status
streaming_elicitation(struct stet_call *call)
{
	struct stet_json *out = blocks(call);

	put_text(out, "Nobody was asked.");
	return done(out);
}

/* Returns a value that a tool with STET_BLOCKS must not return. */
static enum stet_status
no_blocks(struct stet_call *call)
{
	struct stet_json *out = stet_reply(call);

	stet_object(out, NULL);
	stet_close(out);
	return STET_OK;
}

static const struct stet_member out[] = {
	{ "content", STET_ARRAY, STET_REQUIRED, .item = STET_OBJECT }, { 0 }
};

#define TOOL(name_, about_, run_)                                                       \
	{                                                                               \
		(name_), (about_), .about = (about_), .flags = STET_TOOL | STET_BLOCKS, \
				   .lane = STET_READ, .permission = "fixtures:call",    \
				   .scope = "content:read", .out = out, .run = (run_)   \
	}

static const struct stet_op ops[] = {
	TOOL("test_simple_text", "One text", simple_text),
	TOOL("test_image_content", "One image", image_content),
	TOOL("test_audio_content", "One sound", audio_content),
	TOOL("test_embedded_resource", "One embedded resource", embedded_resource),
	TOOL("test_multiple_content_types", "A text, an image and a resource",
	    multiple_content_types),
	TOOL("test_error_handling", "Fails, always", error_handling),
	TOOL("test_logging_tool", "Logs, and says so", logging_tool),
	TOOL("test_streaming_elicitation", "Answers at once", streaming_elicitation),
	{ "test_no_blocks", "Breaks its promise", .about = "Has no content.",
	    .flags = STET_TOOL | STET_BLOCKS, .lane = STET_READ, .permission = "fixtures:call",
	    .scope = "content:read", .run = no_blocks },
};

static const struct stet_permission permissions[] = { { "fixtures:call", 10 } };

STET_MODULE(fixtures) = {
	STET_MODULE_HEAD(fixtures),
	.version = "1.0",
	.summary = "Tools that conformance suites call",
	.license = "MIT",
	.ops = STET_TABLE(ops),
	.permissions = STET_TABLE(permissions),
};
