/*
 * proof.c - the operation with which `stet doctor` tests that a URL leads to this site: the daemon
 * replies whether the site's directory has the proof that doctor put there.
 */
#include "auth.h"

const struct stet_member proof_in[] = { { "token", STET_STRING, STET_REQUIRED,
					    "The name of the proof: 32 hexadecimal digits" },
	{ 0 } };

const struct stet_member proof_out[] = {
	{ "host", STET_STRING, STET_NULLABLE, "The host that was asked for, without a port" },
	{ "client", STET_STRING, STET_REQUIRED, "Who asked, as far as proxies are trusted" },
	{ "forwardedFor", STET_STRING, STET_NULLABLE, "X-Forwarded-For as it came" },
	{ 0 },
};

enum stet_status
site_proof(struct stet_call *call)
{
	struct stet_json *out = stet_reply(call);

	if (!stet_site_proves(call, stet_arg(call, "token")))
		return stet_fail(call, STET_NOT_FOUND, NULL, "This site knows of no such proof");
	stet_header(call, "Cache-Control", "no-store");
	stet_object(out, NULL);
	stet_put_str(out, "host", stet_request_header(call, "host"));
	stet_put_str(out, "client", stet_client(call));
	stet_put_str(out, "forwardedFor", stet_request_header(call, "x-forwarded-for"));
	stet_close(out);
	return STET_OK;
}
