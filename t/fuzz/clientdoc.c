/*
 * clientdoc.c - documents with which clients describe themselves: an accepted one has its own id,
 * allowed redirect URIs and a valid name; a refused one has a reason.
 * fuzz: with modules/oauth
 */
#include "../../modules/oauth/clients.h"
#include "call/call.h"
#include "fuzz.h"
#include <string.h>

#define URL "https://client.example/id"

static void
check_client(const struct oauth_client *c)
{
	json_t *kept = c->metadata != NULL ? json_loads(c->metadata, 0, NULL) : NULL;
	const char *why;

	must(strcmp(c->id, URL) == 0 && strcmp(c->kind, CLIENT_DOCUMENT) == 0);
	must(c->name != NULL && *c->name != '\0' && strlen(c->name) < 1000);
	for (const char *n = c->name; *n != '\0'; n++)
		must((unsigned char)*n >= ' ' && *n != 127);
	must(c->metadata == NULL || json_is_object(kept));
	json_decref(kept);
	for (size_t i = 0; i < json_array_size(c->redirect_uris); i++) {
		const char *uri = json_string_value(json_array_get(c->redirect_uris, i));

		must(uri != NULL && redirect_allowed(uri, &why));
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct stet_call *call = call_new();
	struct oauth_client client;
	const char *description;
	json_t *whole;

	if (document_read(call, URL, stet_strndup(call, (const char *)data, size), size, &client) ==
	    STET_OK) {
		check_client(&client);
		whole = json_loadb((const char *)data, size, 0, NULL);
		must(strcmp(json_string_value(json_object_get(whole, "client_id")), URL) == 0);
		must(json_object_get(whole, "client_secret") == NULL);
		json_decref(whole);
	} else {
		must(strcmp(oauth_error(call, &description), "invalid_client") == 0);
		for (; *description != '\0'; description++)
			must(*description >= ' ' && *description <= '~' && *description != '"' &&
			     *description != '\\');
	}
	call_free(call);
	return 0;
}
