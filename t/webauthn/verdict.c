/*
 * verdict - the verdicts of stet on ceremonies, for main.mjs: reads one JSON object a line, writes
 * the verdict on each as a line.
 *
 *	{"register": {id, client, attestation}, "challenge": ..., "get": {id, client, data,
 *signature}, "getChallenge": ..., "counter": 5}
 *
 * Bytes are hexadecimal. Without `get` the line is the verdict on the registration; with it, the
 * registration has to be good, and the line is the verdict on the assertion.
 */
#include "../../modules/signin/webauthn.h"
#include <jansson.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const origins[] = { "https://example.org", NULL };

/* Converts hexadecimal. The result is not freed, since the process ends soon. */
static struct webauthn_bytes
hex(const json_t *of, const char *name)
{
	const char *text = json_string_value(json_object_get(of, name));
	size_t size = text != NULL ? strlen(text) / 2 + 1 : 1, len = 0;
	unsigned char *at = malloc(size);

	if (at == NULL || text == NULL ||
	    sodium_hex2bin(at, size, text, strlen(text), NULL, &len, NULL) != 0) {
		fprintf(stderr, "verdict: %s is not hexadecimal\n", name);
		exit(2);
	}
	return (struct webauthn_bytes){ at, len };
}

static enum webauthn_verdict
judge(const json_t *line)
{
	const json_t *reg = json_object_get(line, "register"), *get = json_object_get(line, "get");
	struct webauthn_expect expect = { "example.org", origins, hex(line, "challenge") };
	const struct webauthn_registration made = { hex(reg, "id"), hex(reg, "client"),
		hex(reg, "attestation") };
	struct webauthn_credential c;
	enum webauthn_verdict verdict = webauthn_register(&expect, &made, &c);

	if (get == NULL || verdict != WEBAUTHN_GOOD)
		return verdict;
	const struct webauthn_assertion in = { hex(get, "id"), hex(get, "client"), hex(get, "data"),
		hex(get, "signature") };

	expect.challenge = hex(line, "getChallenge");
	c.counter = (uint32_t)json_integer_value(json_object_get(line, "counter"));
	return webauthn_assert(&expect, &in, &c);
}

int
main(void)
{
	char *text = NULL;
	size_t size = 0;

	if (sodium_init() < 0)
		return 2;
	while (getline(&text, &size, stdin) > 0) {
		json_t *line = json_loads(text, 0, NULL);

		if (line == NULL)
			return 2;
		puts(webauthn_verdict_name(judge(line)));
		json_decref(line);
	}
	free(text);
	return 0;
}
