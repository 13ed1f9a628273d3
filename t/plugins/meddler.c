/* meddler - a plugin for the tests of content. The title of an item says what the plugin does to
 * it. */
#include <stdlib.h>
#include <stet/module.h>
#include <string.h>

static bool
titled(const struct stet_entry *entry, const char *title)
{
	return strcmp(stet_entry_str(entry, "title"), title) == 0;
}

static enum stet_status
filter(struct stet_call *call, struct stet_tx *tx, struct stet_entry *entry)
{
	(void)tx;
	if (titled(entry, "filter"))
		stet_entry_set(entry, "summary", json_string("filtered"));
	if (titled(entry, "filter badly"))
		stet_entry_set(entry, "year", json_string("late"));
	if (titled(entry, "filter unknown"))
		stet_entry_set(entry, "nope", json_true());
	if (titled(entry, "filter clear"))
		stet_entry_set(entry, "summary", NULL);
	if (titled(entry, "filter cut")) {
		json_t *blocks = json_deep_copy(stet_entry_get(entry, "content"));

		(void)json_array_remove(blocks, 1);
		stet_entry_set(entry, "content", blocks);
	}
	if (titled(entry, "filter reject"))
		return stet_fail(call, STET_SAVE_REJECTED, "data.title", "not filtered");
	if (titled(entry, "filter fault"))
		return stet_fault(call, "the plugin's secret");
	return STET_OK;
}

/* Rejects the item; the error text has everything that the hook sees. */
static enum stet_status
tell(struct stet_call *call, const struct stet_entry *entry)
{
	struct stet_json *data = stet_json_new(call);

	stet_put_json(data, NULL, stet_entry_data(entry));
	return stet_fail(call, STET_SAVE_REJECTED, NULL, "%d %s %s %s %s %s",
	    stet_entry_is_new(entry), stet_entry_str(entry, "slug"),
	    stet_entry_str(entry, "status"), stet_entry_str(entry, "locale"),
	    stet_entry_str(entry, "authorId"), stet_json_text(data, NULL));
}

static enum stet_status
before_save(struct stet_call *call, struct stet_tx *tx, struct stet_entry *entry)
{
	if (titled(entry, "tell"))
		return tell(call, entry);
	if (titled(entry, "reject"))
		return stet_fail(call, STET_SAVE_REJECTED, "data.title", "I do not like it");
	if (titled(entry, "fault"))
		return stet_fault(call, "the plugin's secret");
	if (titled(entry, "write and reject")) {
		STET_TRY(
		    stet_exec(call, tx, "UPDATE c_posts SET f_title = 'meddled'", STET_NO_ARGS));
		return stet_fail(call, STET_SAVE_REJECTED, NULL, "changed my mind");
	}
	return STET_OK;
}

static enum stet_status
before_delete(struct stet_call *call, struct stet_tx *tx, struct stet_entry *entry)
{
	(void)tx;
	if (titled(entry, "keep"))
		return stet_fail(call, STET_DELETE_BLOCKED, NULL, "It stays");
	return STET_OK;
}

static enum stet_status
hear(struct stet_call *call, const json_t *payload)
{
	char *text = json_dumps(payload, JSON_SORT_KEYS | JSON_COMPACT);

	stet_log(call, STET_INFO, "%s", text);
	free(text);
	return STET_OK;
}

static const struct stet_hook hooks[] = {
	STET_ON(entry_filter, 0, filter),
	STET_ON(entry_before_save, 0, before_save),
	STET_ON(entry_before_delete, 0, before_delete),
	STET_ON(entry_after_save, 0, hear),
	STET_ON(entry_after_delete, 0, hear),
};

STET_MODULE(meddler) = {
	STET_MODULE_HEAD(meddler),
	.version = "1.0",
	.summary = "Does what titles say",
	.license = "MIT",
	.hooks = STET_TABLE(hooks),
};
