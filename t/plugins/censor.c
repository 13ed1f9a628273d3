/* censor.c - a plugin that approves or refuses comments by a word in them, and observes their
 * changes. */
#include <stet/module.h>
#include <string.h>

static enum stet_status
judge(struct stet_call *call, struct stet_tx *tx, struct stet_comment *comment)
{
	(void)tx;
	if (strstr(comment->body, "casino") != NULL) {
		comment->status = STET_COMMENT_SPAM;
		comment->reason = "casino";
	}
	if (strstr(comment->body, "fine") != NULL)
		comment->status = STET_COMMENT_APPROVED;
	if (strstr(comment->body, "nonsense") != NULL)
		comment->status = STET_COMMENT_STATUSES;
	if (strstr(comment->body, "crash") != NULL)
		return stet_fault(call, "the censor is ill");
	if (strstr(comment->body, "never") != NULL)
		return stet_fail(call, STET_COMMENT_REJECTED, "body", "Say it another way");
	return STET_OK;
}

static enum stet_status
hear(struct stet_call *call, const json_t *payload)
{
	stet_log(call, STET_INFO, "%s", json_string_value(json_object_get(payload, "status")));
	return STET_OK;
}

static const struct stet_hook hooks[] = {
	STET_ON(comment_moderate, 0, judge),
	STET_ON(comment_after_create, 0, hear),
	STET_ON(comment_after_moderate, 0, hear),
};

STET_MODULE(censor) = {
	STET_MODULE_HEAD(censor),
	.version = "1.0",
	.summary = "Judges comments by a word in them",
	.license = "MIT",
	.hooks = STET_TABLE(hooks),
};
