/* mailer.c - sends mails; the secret in a mail is made only when the mail is sent. */
#include <stet/module.h>
#include <string.h>

static enum stet_status
make_link(struct stet_call *call, const struct stet_mail_request *r, struct stet_mail_text *out)
{
	const char *secret = json_string_value(json_object_get(r->values, "secret"));
	unsigned char mac[STET_MAC_SIZE];

	if (strncmp(r->to, "nobody@", 7) == 0) {
		out->drop = true;
		return STET_OK;
	}
	if (strncmp(r->to, "unmade@", 7) == 0)
		return stet_fail(call, STET_NOT_FOUND, NULL, "not today");
	STET_TRY(stet_mac(call, "link", r->id, strlen(r->id), mac));
	out->subject = strncmp(r->to, "bad@", 4) == 0 ? "a\r\nBcc: evil@example.org" : "Your link";
	out->text = stet_printf(call, "attempt %d\n.\nsecret %s\ntoken-%02x%02x%02x%02x%02x%02x\n",
	    (int)r->attempt, secret != NULL ? secret : "none", mac[0], mac[1], mac[2], mac[3],
	    mac[4], mac[5]);
	return STET_OK;
}

static const struct stet_mail_def mails[] = { { "link", make_link }, { "other", make_link } };

static enum stet_status
ask(struct stet_call *call)
{
	const char *name = stet_arg(call, "name");
	const struct stet_mail mail = { .name = name != NULL ? name : "link",
		.to = stet_arg(call, "to"),
		.values = stet_arg_json(call, "values"),
		.once = stet_arg_bool(call, "once"),
		.lifetime = stet_arg_int(call, "lifetime") };

	STET_TRY(stet_mail(call, stet_write_tx(call), &mail));
	if (stet_arg_bool(call, "fail"))
		return stet_fail(call, STET_CONFLICT, NULL, "it is undone");
	stet_object(stet_reply(call), NULL);
	stet_close(stet_reply(call));
	return STET_OK;
}

static const struct stet_member in[] = {
	{ "to", STET_STRING, STET_REQUIRED },
	{ "name", STET_STRING },
	{ "values", STET_ANY },
	{ "once", STET_BOOLEAN },
	{ "fail", STET_BOOLEAN },
	{ "lifetime", STET_INTEGER },
	{ 0 },
};
static const struct stet_member out[] = { { 0 } };

static const struct stet_op ops[] = {
	{ "ask", "Ask", .route = "POST /ask", .lane = STET_WRITE, .permission = "users:manage",
	    .in = in, .out = out, .run = ask },
};
static const char *const needs[] = { "users", NULL };

STET_MODULE(mailer) = {
	STET_MODULE_HEAD(mailer),
	.version = "1.0.0",
	.summary = "Asks for mails",
	.needs = needs,
	.ops = STET_TABLE(ops),
	.mails = STET_TABLE(mails),
};
