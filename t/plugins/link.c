/* link - the plugins alpha, beta and needy: hooks of one chain, which do what the first letter of
 * the entry's text says. */
#include <stet/module.h>
#include <string.h>

static enum stet_status
act(struct stet_call *call, struct stet_tx *tx, struct stet_entry *entry)
{
	char *text = (char *)entry;

	(void)tx;
	if (text[0] == 'R' && NAME[0] == 'a')
		return stet_fail(call, STET_SAVE_REJECTED, "data.title", "No %s today", "titles");
	if (text[0] == 'Q' && NAME[0] == 'a')
		return STET_SAVE_REJECTED;
	if (text[0] == 'F' && NAME[0] == 'a')
		return stet_fail(call, STET_NOT_FOUND, "secret", "the secret table is gone");
	if (text[0] == 'I' && NAME[0] == 'a') {
		stet_issue(call, "data.title", "is bad");
		return stet_issues(call);
	}
	if (text[0] == 'S') { /* leaves an error, and succeeds */
		(void)stet_fail(call, STET_NOT_FOUND, NULL, "nothing there");
		stet_issue(call, "data.title", "was not liked");
	}
	text[strlen(text)] = NAME[0];
	return STET_OK;
}

static enum stet_status
authenticate(struct stet_call *call)
{
	const char *who = stet_request_header(call, "x-who");

	if (who == NULL || who[0] != NAME[0])
		return STET_DECLINED;
	if (strcmp(who, "alpha") != 0)
		return stet_fail(call, STET_UNAUTHORIZED, NULL, "Not you");
	stet_principal_set(call, &(struct stet_principal){ .id = who, .role = 40 });
	return STET_OK;
}

static const struct stet_hook hooks[] = {
	STET_ON(entry_before_save, ORDER, act),
	STET_ON(request_authenticate, 0, authenticate),
};

#ifndef NEEDS
#define NEEDS NULL
#endif
static const char *const need_names[] = { NEEDS, NULL };

STET_API extern const struct stet_module SYMBOL;
STET_API const struct stet_module SYMBOL = {
	STET_MODULE_HEAD_AS(NAME),
	.version = "1.0",
	.summary = "A link of the tests",
	.needs = need_names,
	.hooks = STET_TABLE(hooks),
};
