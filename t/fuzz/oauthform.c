/*
 * oauthform - requests for authorization and for tokens, and the form of the consent page. A
 * parameter of the protocol occurs once, accepted input can be written and parsed again, and no
 * client authenticates. First byte q: a query; j: a JSON body; else a form.
 * fuzz: with modules/oauth
 */
#include "../../modules/oauth/clients.h"
#include "call/call.h"
#include "fuzz.h"
#include "http/http1.h"
#include <string.h>

static const char *const known[] = { "response_type", "response_mode", "client_id", "redirect_uri",
	"code_challenge", "code_challenge_method", "scope", "state", "resource", "grant_type",
	"code", "code_verifier", "refresh_token", "token", "device_code", "user_code",
	"client_secret", "client_assertion" };

/* Written again in its simplest form, the request parses to the same result. */
static void
say_again(struct stet_call *call, const char *value)
{
	const struct stet_form_field *const *field;
	const char *text = stet_printf(call, "v=%s", uri_encode(call, value)), *again;
	size_t count;

	must(stet_form(call, text, strlen(text), &field, &count) == STET_OK);
	must(stet_form_value(field, count, "v", &again) == 1 && strcmp(again, value) == 0);
}

static void
check_params(struct stet_call *call, const struct oauth_params *p)
{
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		const char *value;

		must(stet_form_value(p->field, p->count, known[i], &value) <= 1);
		must(params_get(p, known[i]) == NULL || *value != '\0');
	}
	for (size_t i = 0; i < p->count; i++)
		say_again(call, p->field[i]->value);
}

/* Each scope occurs once, and is one of the requested scopes. */
static void
check_scopes(struct stet_call *call, const struct oauth_params *p)
{
	const char *asked = params_get(p, "scope"), *kept;

	kept = scopes_clamp(call, asked, NULL, ROLE_MAX);
	must(scopes_within(call, kept, asked != NULL ? asked : SCOPES_DEFAULT));
	must(strlen(kept) <= SCOPES_LEN);
	must(strcmp(scopes_clamp(call, kept, NULL, ROLE_MAX), kept) == 0 || *kept == '\0');
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct stet_call *call = call_new();
	struct oauth_params p;
	const char *description;
	enum stet_status status;

	if (size == 0)
		return call_free(call), 0;
	call->head = stet_alloc(call, sizeof(*call->head));
	call->head->query = stet_strndup(call, (const char *)data + 1, size - 1);
	for (char *c = call->head->query; *c != '\0'; c++)
		*c = (char)(*c >= 33 && *c < 127 ? *c : '%');
	if (*data == 'j') {
		call->head->header[0] =
		    (struct http1_header){ .name = stet_strdup(call, "content-type"),
			    .value = stet_strdup(call, "application/json") };
		call->head->header_count = 1;
	}
	call->body = (char *)(uintptr_t)data + 1;
	call->body_len = size - 1;
	status = *data == 'q' ? params_query(call, &p) : params_body(call, &p);
	if (status == STET_OK) {
		check_params(call, &p);
		check_scopes(call, &p);
		must(*data == 'q' || params_get(&p, "client_secret") == NULL);
	} else {
		must(oauth_error(call, &description) != NULL);
	}
	call_free(call);
	return 0;
}
