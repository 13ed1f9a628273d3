/* reply.c - responses in the format of RFC 6749, and the parameters of requests. */
#include "oauth.h"
#include <string.h>
#include <strings.h>

/* ---- answers ---- */

struct refusal {
	const char *error, *description;
};
static const char refusal_key;

enum stet_status
oauth_refuse(struct stet_call *call, const char *error, const char *fmt, ...)
{
	struct refusal *r = stet_alloc(call, sizeof(*r));
	char text[500];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	/* RFC 6749 5.2 allows these characters and no others. */
	for (char *c = text; *c != '\0'; c++)
		if (*c < ' ' || *c > '~' || *c == '"' || *c == '\\')
			*c = '?';
	*r = (struct refusal){ .error = error, .description = stet_strdup(call, text) };
	*stet_call_slot(call, &refusal_key) = r;
	return STET_DECLINED;
}

const char *
oauth_error(struct stet_call *call, const char **description)
{
	const struct refusal *r = *stet_call_slot(call, &refusal_key);

	*description = r != NULL ? r->description : NULL;
	return r != NULL ? r->error : NULL;
}

enum stet_status
oauth_send(struct stet_call *call, int http, struct stet_json *json)
{
	size_t len;
	const char *text = stet_json_text(json, &len);

	stet_header(call, "Cache-Control", "no-store");
	stet_header(call, "Pragma", "no-cache");
	stet_reply_type(call, "application/json");
	stet_reply_status(call, http);
	return stet_write(call, text, len);
}

enum stet_status
oauth_send_twice(
    struct stet_call *call, void (*put)(struct stet_json *, const void *), const void *arg)
{
	struct stet_json *json = stet_json_new(call);

	stet_object(json, NULL);
	put(json, arg);
	stet_put_bool(json, "success", true);
	stet_object(json, "data");
	put(json, arg);
	stet_close(json);
	stet_close(json);
	return oauth_send(call, 200, json);
}

static enum stet_status
send_error(struct stet_call *call, int http, const char *error, const char *description)
{
	struct stet_json *json = stet_json_new(call);

	stet_object(json, NULL);
	stet_put_str(json, "error", error);
	if (description != NULL)
		stet_put_str(json, "error_description", description);
	stet_close(json);
	return oauth_send(call, http, json);
}

int
oauth_http(const char *error)
{
	return strcmp(error, "invalid_client") == 0            ? 401
	       : strcmp(error, "temporarily_unavailable") == 0 ? 503
							       : 400;
}

enum stet_status
oauth_reply(struct stet_call *call, enum stet_status status)
{
	const struct refusal *r = *stet_call_slot(call, &refusal_key);

	if (status != STET_DECLINED || r == NULL)
		return status;
	return send_error(call, oauth_http(r->error), r->error, r->description);
}

void
oauth_refused(struct stet_call *call)
{
	enum stet_status status = stet_error_status(call);
	int http = stet_status_http(status);

	if (http == 429) /* a rate limit: leave it in the envelope, as everywhere on the site */
		return;
	if (send_error(call, http == 503 || http < 500 ? http : 500,
		http == 503  ? "temporarily_unavailable"
		: http < 500 ? "invalid_request"
			     : "server_error",
		NULL) != STET_OK)
		stet_log(call, STET_ERROR, "an answer of OAuth could not be written");
}

/* ---- parameters ---- */

static const char *const known[] = { "response_type", "response_mode", "client_id", "redirect_uri",
	"code_challenge", "code_challenge_method", "scope", "state", "resource", "grant_type",
	"code", "code_verifier", "refresh_token", "token", "token_type_hint", "device_code",
	"user_code", "client_secret", "client_assertion", "client_assertion_type", NULL };

static bool
is_known(const char *name)
{
	for (const char *const *k = known; *k != NULL; k++)
		if (strcmp(*k, name) == 0)
			return true;
	return false;
}

/* RFC 6749 3.1: parameters must not come more than once. */
static enum stet_status
check_repeated(struct stet_call *call, const struct oauth_params *p)
{
	const char *value;

	for (const char *const *k = known; *k != NULL; k++)
		if (stet_form_value(p->field, p->count, *k, &value) > 1)
			return oauth_refuse(call, "invalid_request", "%s is repeated", *k);
	return STET_OK;
}

static enum stet_status
read_form(struct stet_call *call, const char *text, size_t len, struct oauth_params *out)
{
	if (stet_form(call, text, len, &out->field, &out->count) != STET_OK) {
		stet_error_clear(call);
		return oauth_refuse(call, "invalid_request", "The parameters cannot be decoded");
	}
	return check_repeated(call, out);
}

static enum stet_status
read_json(struct stet_call *call, const char *text, size_t len, struct oauth_params *out)
{
	const char *why = NULL, *name;
	json_t *object = stet_json_parse(call, text, len, &why), *value;
	const struct stet_form_field **field;

	if (!json_is_object(object))
		return oauth_refuse(call, "invalid_request", "The body is not a JSON object: %s",
		    why != NULL ? why : "another value");
	field = stet_alloc(call, (json_object_size(object) + 1) * sizeof(const void *));
	out->field = field;
	out->count = 0;
	json_object_foreach(object, name, value)
	{
		struct stet_form_field *f = stet_alloc(call, sizeof(*f));

		if (!is_known(name) || json_is_null(value))
			continue;
		if (!json_is_string(value))
			return oauth_refuse(call, "invalid_request", "%s is not a string", name);
		f->name = name;
		f->value = json_string_value(value);
		field[out->count++] = f;
	}
	return STET_OK;
}

/* Returns true if a Content-Type header names this media type. */
static bool
has_type(const char *header, const char *type)
{
	size_t len = strlen(type);

	return strncasecmp(header, type, len) == 0 && strchr("; \t", header[len]) != NULL;
}

/* Refuses a client that sends a secret: no client here has one, and we would not check it. */
static enum stet_status
check_client(struct stet_call *call, const struct oauth_params *p)
{
	const char *header = stet_request_header(call, "authorization");
	bool basic = header != NULL && strncasecmp(header, "basic ", 6) == 0;

	if (!basic && params_get(p, "client_secret") == NULL &&
	    params_get(p, "client_assertion") == NULL)
		return STET_OK;
	if (basic) /* RFC 6749 5.2: the scheme that the client has tried */
		stet_header(
		    call, "WWW-Authenticate", "Basic realm=\"No client has a secret here\"");
	return oauth_refuse(
	    call, "invalid_client", "Clients do not authenticate here: send client_id alone");
}

static enum stet_status
read_body(struct stet_call *call, struct oauth_params *out)
{
	const char *type = stet_request_header(call, "content-type");
	size_t len;
	const char *body = stet_body(call, &len);

	*out = (struct oauth_params){ .count = 0 };
	if (body == NULL)
		return oauth_refuse(call, "invalid_request", "The body is empty");
	if (type != NULL && has_type(type, "application/json"))
		return read_json(call, body, len, out);
	if (type == NULL || has_type(type, "application/x-www-form-urlencoded"))
		return read_form(call, body, len, out);
	return oauth_refuse(call, "invalid_request",
	    "The body is neither application/x-www-form-urlencoded nor application/json");
}

enum stet_status
params_body(struct stet_call *call, struct oauth_params *out)
{
	*out = (struct oauth_params){ .count = 0 };
	STET_TRY(check_client(call, out));
	STET_TRY(read_body(call, out));
	return check_client(call, out);
}

enum stet_status
params_query(struct stet_call *call, struct oauth_params *out)
{
	const char *query = stet_request_query(call);

	*out = (struct oauth_params){ .count = 0 };
	return read_form(call, query, strlen(query), out);
}

const char *
params_get(const struct oauth_params *p, const char *name)
{
	const char *value;

	stet_form_value(p->field, p->count, name, &value);
	return value != NULL && *value != '\0' ? value : NULL;
}

enum stet_status
params_need(
    struct stet_call *call, const struct oauth_params *p, const char *name, const char **value)
{
	*value = params_get(p, name);
	return *value != NULL ? STET_OK
			      : oauth_refuse(call, "invalid_request", "%s is required", name);
}

const char *
uri_encode(struct stet_call *call, const char *value)
{
	return *value == '\0'
		   ? ""
		   : stet_path_fill(call, "/{v}", (const char *const[]){ "v", value, NULL }) + 1;
}
