/*
 * remote.c - `stet call` on a site that is reached by its URL. The site's OpenAPI document lists
 * the operations of this user and their parameters, so operations of plugins can be called too.
 */
#include "command/remote.h"
#include "base/arena.h"
#include "base/words.h"
#include "call/json.h"
#include "command/arguments.h"
#include "command/disable.h"
#include "command/login.h"
#include "command/print.h"
#include "command/request.h"
#include <stdlib.h>
#include <string.h>

#define DOCUMENT_MAX (64u << 20)
#define ANSWER_MAX (256u << 20)
#define DOCUMENT_SECONDS 60

struct remote {
	char *url, *token;
	json_t *document;
};

struct remote_op {
	const char *path, *method;
	const json_t *op; /* its row in the document */
	bool at_root; /* its path is not below the API's */
};

static const char *
text_of(const json_t *object, const char *key)
{
	return json_string_value(json_object_get(object, key));
}

bool
remote_is_url(const char *site)
{
	return site != NULL && strstr(site, "://") != NULL;
}

/* ---- requests ---- */

/* Prints an error of the API. Returns the exit status. */
static int
failed(const char *url, const struct response *r)
{
	const json_t *error = json_object_get(r->json, "error");
	const json_t *issues = json_object_get(json_object_get(error, "details"), "issues");

	if (r->code != CURLE_OK)
		fprintf(stderr, "stet: %s: %s\n", url, response_problem(r));
	else if (text_of(error, "message") == NULL)
		fprintf(stderr, "stet: %s answers %ld, and not as stet does\n", url, r->status);
	else {
		fprintf(stderr, "stet: %s: ", text_of(error, "code"));
		print_text(stderr, text_of(error, "message"));
		fputc('\n', stderr);
	}
	for (size_t i = 0; i < json_array_size(issues); i++) {
		const json_t *issue = json_array_get(issues, i);
		const char *path = text_of(issue, "path"), *text = text_of(issue, "message");

		fputs("stet:   ", stderr);
		print_text(stderr, path != NULL ? path : "");
		fputs(path != NULL && *path != '\0' ? ": " : "", stderr);
		print_text(stderr, text != NULL ? text : "");
		fputc('\n', stderr);
	}
	return r->status == 503 ? EXIT_BUSY : EXIT_FAILURE;
}

/* Sends a request with the token of the login, which is renewed if the site refuses it. */
static void
send_signed(struct remote *remote, struct request *request, struct response *r)
{
	char *renewed;

	request->token = remote->token;
	request_send(request, r);
	if (r->code != CURLE_OK || r->status != 401 ||
	    (renewed = login_token(remote->url, remote->token)) == NULL)
		return;
	if (strcmp(renewed, remote->token) != 0) {
		response_free(r);
		request->token = renewed;
		request_send(request, r);
	}
	free(remote->token);
	remote->token = renewed;
}

static bool
open_remote(struct remote *remote, const char *site)
{
	char *why = NULL, *where;
	struct response r;

	*remote = (struct remote){ .url = request_site_url(site, &why) };
	if (remote->url == NULL) {
		fprintf(stderr, "stet: %s\n", why);
		free(why);
		return false;
	}
	if ((remote->token = login_token(remote->url, NULL)) == NULL)
		return false;
	where = words_format("%s/_cms/api/openapi.json", remote->url);
	send_signed(remote,
	    &(struct request){ .url = where, .seconds = DOCUMENT_SECONDS, .most = DOCUMENT_MAX },
	    &r);
	if (r.code == CURLE_OK && r.status == 200 && json_object_get(r.json, "paths") != NULL)
		remote->document = json_incref(r.json);
	else
		failed(remote->url, &r);
	response_free(&r);
	free(where);
	return remote->document != NULL;
}

static void
close_remote(struct remote *remote)
{
	free(remote->url);
	free(remote->token);
	json_decref(remote->document);
}

/* ---- the document ---- */

static bool
is_method(const char *name)
{
	static const char *const methods[] = { "get", "post", "put", "patch", "delete" };

	for (size_t i = 0; i < sizeof(methods) / sizeof(methods[0]); i++)
		if (strcmp(methods[i], name) == 0)
			return true;
	return false;
}

/* Calls fn for each operation, until it returns true. */
static bool
each_op(const struct remote *remote, bool (*fn)(const struct remote_op *, void *), void *arg)
{
	json_t *paths = json_object_get(remote->document, "paths"), *item, *op;
	const char *path, *method;

	json_object_foreach(paths, path, item) json_object_foreach(item, method, op)
	{
		const struct remote_op row = { path, method, op,
			json_object_get(item, "servers") != NULL };

		if (is_method(method) && text_of(op, "operationId") != NULL && fn(&row, arg))
			return true;
	}
	return false;
}

struct search {
	const char *name;
	struct remote_op found;
};

static bool
has_name(const struct remote_op *op, void *arg)
{
	struct search *s = arg;

	if (strcmp(text_of(op->op, "operationId"), s->name) != 0)
		return false;
	s->found = *op;
	return true;
}

static bool
show_op(const struct remote_op *op, void *arg)
{
	const char *summary = text_of(op->op, "summary");

	(void)arg;
	printf("  %-32s ", text_of(op->op, "operationId"));
	print_text(stdout, summary != NULL ? summary : "");
	putchar('\n');
	return false;
}

static json_t *
parameter_of(const struct remote_op *op, const char *name)
{
	json_t *list = json_object_get(op->op, "parameters"), *parameter;
	size_t i;

	json_array_foreach(list, i, parameter)
	{
		const char *own = text_of(parameter, "name");

		if (own != NULL && strcmp(own, name) == 0)
			return parameter;
	}
	return NULL;
}

static json_t *
content_of(const struct remote_op *op)
{
	return json_object_get(json_object_get(op->op, "requestBody"), "content");
}

/* Returns the members of the request body; NULL: no body, or none known. */
static json_t *
members_of(const struct remote_op *op)
{
	json_t *json = json_object_get(content_of(op), "application/json");

	return json_object_get(json_object_get(json, "schema"), "properties");
}

static enum stet_type
type_of(const json_t *schema)
{
	static const struct {
		const char *name;
		enum stet_type type;
	} types[] = { { "string", STET_STRING }, { "integer", STET_INTEGER },
		{ "number", STET_NUMBER }, { "boolean", STET_BOOLEAN }, { "array", STET_ARRAY },
		{ "object", STET_OBJECT } };
	const json_t *said = json_object_get(schema, "type");
	const char *name = json_string_value(json_is_array(said) ? json_array_get(said, 0) : said);

	for (size_t i = 0; name != NULL && i < sizeof(types) / sizeof(types[0]); i++)
		if (strcmp(types[i].name, name) == 0)
			return types[i].type;
	return STET_ANY;
}

/* ---- arguments ---- */

static int
unknown_argument(const struct remote_op *op, const char *word, size_t len)
{
	json_t *parameter, *members = members_of(op), *schema;
	const char *name;
	size_t i;

	fprintf(stderr, "stet: %s has no member %.*s; it has", text_of(op->op, "operationId"),
	    (int)len, word);
	json_array_foreach(json_object_get(op->op, "parameters"), i,
	    parameter) if (text_of(parameter, "name") != NULL)
	    fprintf(stderr, " %s", text_of(parameter, "name"));
	json_object_foreach(members, name, schema) fprintf(stderr, " %s", name);
	fputc('\n', stderr);
	return EXIT_USAGE;
}

/* Reads key=value into args. Returns -1, or an exit status. */
static int
take_pair(const struct remote_op *op, const char *word, json_t *args)
{
	size_t len = strcspn(word, "=");
	char *key = words_format("%.*s", (int)len, word);
	const json_t *parameter = parameter_of(op, key), *schema;
	struct stet_member member = { .name = key };
	json_t *value = NULL;
	const char *why;
	int status = -1;

	schema = parameter != NULL ? json_object_get(parameter, "schema")
				   : json_object_get(members_of(op), key);
	member.type = type_of(schema);
	member.item = type_of(json_object_get(schema, "items"));
	if (json_is_array(json_object_get(schema, "type")))
		member.flags = STET_NULLABLE;
	if (word[len] != '=' || (parameter == NULL && schema == NULL))
		status = unknown_argument(op, word, len);
	else if ((value = argument_value(&member, word + len + 1, &why)) != NULL)
		json_object_set_new(args, key, value);
	else {
		fprintf(stderr, "stet: %s %s\n", key, why != NULL ? why : "is not JSON");
		status = EXIT_USAGE;
	}
	free(key);
	return status;
}

static int
read_arguments(const struct remote_op *op, int argc, char **argv, json_t **args)
{
	int status = -1;

	if (argc > 0 && strcmp(argv[0], "--input") == 0)
		return command_input(argc, argv, args);
	*args = json_object();
	for (int i = 0; i < argc && status < 0; i++)
		status = take_pair(op, argv[i], *args);
	return status;
}

/* ---- the request of an operation ---- */

static void
add_escaped(struct buf *b, const char *text)
{
	char *escaped = curl_easy_escape(NULL, text, 0);

	if (escaped == NULL)
		stet_out_of_memory();
	buf_str(b, escaped);
	curl_free(escaped);
}

/* Adds a value to a path or query: texts unchanged, lists with commas, all else as JSON. */
static void
add_value(struct buf *b, const json_t *value)
{
	char *text;

	if (json_is_string(value))
		add_escaped(b, json_string_value(value));
	else if (json_is_array(value))
		for (size_t i = 0; i < json_array_size(value); i++) {
			buf_str(b, i > 0 ? "," : "");
			add_value(b, json_array_get(value, i));
		}
	else {
		text = json_text(value);
		add_escaped(b, text);
		free(text);
	}
}

/* Writes the URL, and removes the arguments in its path and query from args. Returns false after an
 * error message. */
static bool
make_url(const struct remote *remote, const struct remote_op *op, json_t *args, struct buf *url)
{
	const char *p = op->path, *name;
	struct buf query = { 0 };
	void *next;
	json_t *value;

	buf_printf(url, "%s%s", remote->url, op->at_root ? "" : "/_cms/api");
	while (*p != '\0') {
		size_t plain = strcspn(p, "{"), len = strcspn(p + plain, "}");
		char *key;

		buf_add(url, p, plain);
		p += plain;
		if (*p == '\0')
			break;
		key = words_format("%.*s", len > 0 ? (int)len - 1 : 0, p + 1);
		if ((value = json_object_get(args, key)) == NULL) {
			fprintf(stderr, "stet: %s is missing\n", key);
			free(key);
			return false;
		}
		add_value(url, value);
		json_object_del(args, key);
		free(key);
		p += len + (p[len] == '}');
	}
	json_object_foreach_safe(args, next, name, value)
	{
		const char *in = text_of(parameter_of(op, name), "in");

		if (in == NULL || strcmp(in, "query") != 0)
			continue;
		buf_printf(&query, "%s%s=", query.len > 0 ? "&" : "?", name);
		add_value(&query, value);
		json_object_del(args, name);
	}
	if (query.len > 0)
		buf_add(url, query.data, query.len);
	buf_free(&query);
	return true;
}

static int
show(const struct remote *remote, const struct response *r)
{
	const json_t *data = json_object_get(r->json, "data");
	char *text;

	if (r->code != CURLE_OK || r->status < 200 || r->status >= 300)
		return failed(remote->url, r);
	if (r->json == NULL)
		return EXIT_SUCCESS; /* the body went to standard output, or there is none */
	text = json_text(data != NULL ? data : r->json);
	puts(text);
	free(text);
	return EXIT_SUCCESS;
}

static const char *
upper(const char *method, char out[8])
{
	size_t i = 0;

	for (; method[i] != '\0' && i < 7; i++)
		out[i] = (char)(method[i] - ('a' - 'A'));
	out[i] = '\0';
	return out;
}

static int
run_op(struct remote *remote, const struct remote_op *op, json_t *args)
{
	static const char *const headers[] = { "Accept: application/json, */*", "X-CMS-Request: 1",
		NULL };
	struct buf url = { 0 };
	char *body = NULL, method[8];
	struct response r;
	int status;

	if (!make_url(remote, op, args, &url)) {
		buf_free(&url);
		return EXIT_USAGE;
	}
	if (content_of(op) != NULL)
		body = json_text(args);
	send_signed(remote,
	    &(struct request){ .url = url.data,
		.method = upper(op->method, method),
		.type = "application/json",
		.body = body,
		.headers = headers,
		.most = ANSWER_MAX,
		.to = stdout },
	    &r);
	status = show(remote, &r);
	response_free(&r);
	buf_free(&url);
	free(body);
	return status;
}

static int
call_named(struct remote *remote, int argc, char **argv)
{
	struct search s = { .name = argv[0] };
	json_t *args = NULL;
	int status;

	if (!each_op(remote, has_name, &s)) {
		fprintf(stderr,
		    "stet: %s has no operation %s for you; \"stet call --site %s --list\" names them\n",
		    remote->url, argv[0], remote->url);
		return EXIT_USAGE;
	}
	if (content_of(&s.found) != NULL &&
	    json_object_get(content_of(&s.found), "application/json") == NULL) {
		fprintf(
		    stderr, "stet: %s takes a file, which a command cannot hand over\n", argv[0]);
		return EXIT_USAGE;
	}
	status = read_arguments(&s.found, argc - 1, argv + 1, &args);
	if (status < 0)
		status = run_op(remote, &s.found, args);
	json_decref(args);
	return status;
}

int
remote_call(const struct options *o, int argc, char **argv)
{
	struct remote remote;
	int status = EXIT_SUCCESS;

	if (argc == 0) {
		fputs(
		    "stet: which operation? \"stet call --site URL --list\" names them\n", stderr);
		return EXIT_USAGE;
	}
	if (!open_remote(&remote, o->site))
		status = EXIT_FAILURE;
	else if (strcmp(argv[0], "--list") == 0)
		each_op(&remote, show_op, NULL);
	else
		status = call_named(&remote, argc, argv);
	close_remote(&remote);
	return status;
}
