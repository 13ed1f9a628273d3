/* house-rules - checks every save by an editor's rules, which are settings. A save that breaks
 * one is rejected with a text that says what to change. */
#include <stet/module.h>
#include <string.h>

/* Returns true if the rules apply to this collection. An empty list means all collections. */
static bool
applies(struct stet_call *call, const struct stet_collection *collection)
{
	const json_t *list = stet_setting(call, "collections");
	const json_t *slug;
	size_t i;

	if (json_array_size(list) == 0)
		return true;
	json_array_foreach(
	    list, i, slug) if (strcmp(json_string_value(slug), collection->slug) == 0) return true;
	return false;
}

static const char *
title_field(const struct stet_collection *collection)
{
	return collection->title_field != NULL ? collection->title_field : "title";
}

static enum stet_status
check_title(struct stet_call *call, const struct stet_entry *entry)
{
	const char *field = title_field(stet_entry_collection(entry));
	int64_t least = json_integer_value(stet_setting(call, "minTitleLength"));
	int64_t length;

	if (stet_field(stet_entry_collection(entry), field) == NULL)
		return STET_OK;
	length = stet_utf8_length(stet_entry_str(entry, field));
	if (length >= least)
		return STET_OK;
	return stet_fail(call, STET_SAVE_REJECTED, stet_printf(call, "data.%s", field),
	    "The title has %lld characters; make it at least %lld long.", (long long)length,
	    (long long)least);
}

static enum stet_status
check_summary(struct stet_call *call, const struct stet_entry *entry)
{
	const char *field = stet_setting_str(call, "summaryField");

	if (!json_is_true(stet_setting(call, "requireSummary")) ||
	    stet_field(stet_entry_collection(entry), field) == NULL)
		return STET_OK;
	if (stet_entry_text(call, entry, field)[0] != '\0')
		return STET_OK;
	return stet_fail(call, STET_SAVE_REJECTED, stet_printf(call, "data.%s", field),
	    "The %s is empty; write a sentence or two.", field);
}

/* A pattern that finds the word as a whole word, in upper or lower case. */
static const char *
word_pattern(struct stet_call *call, const char *word)
{
	static const char lead[] = "(?i)(?<!\\w)", trail[] = "(?!\\w)";
	char *pattern = stet_alloc(call, sizeof(lead) + 2 * strlen(word) + sizeof(trail));
	char *to = pattern;

	memcpy(to, lead, sizeof(lead) - 1);
	to += sizeof(lead) - 1;
	for (; *word != '\0'; word++) {
		if (strchr("\\^$.[]|()?*+{}#-", *word) != NULL)
			*to++ = '\\';
		*to++ = *word;
	}
	memcpy(to, trail, sizeof(trail));
	return pattern;
}

static enum stet_status
check_words_of(struct stet_call *call, const char *field, const char *text)
{
	const json_t *words = stet_setting(call, "forbiddenWords");
	const json_t *word;
	const char *why;
	bool found;
	size_t i;

	json_array_foreach(words, i, word)
	{
		STET_TRY(stet_match(
		    call, word_pattern(call, json_string_value(word)), text, &found, &why));
		if (found)
			return stet_fail(call, STET_SAVE_REJECTED,
			    stet_printf(call, "data.%s", field),
			    "The word \"%s\" is not used here; choose another one.",
			    json_string_value(word));
	}
	return STET_OK;
}

static enum stet_status
check_words(struct stet_call *call, const struct stet_entry *entry)
{
	const struct stet_collection *collection = stet_entry_collection(entry);
	size_t i;

	if (json_array_size(stet_setting(call, "forbiddenWords")) == 0)
		return STET_OK;
	for (i = 0; i < collection->field_count; i++) {
		const char *field = collection->fields[i]->slug;

		STET_TRY(check_words_of(call, field, stet_entry_text(call, entry, field)));
	}
	return STET_OK;
}

static enum stet_status
check(struct stet_call *call, struct stet_tx *tx, struct stet_entry *entry)
{
	(void)tx;
	if (!applies(call, stet_entry_collection(entry)))
		return STET_OK;
	STET_TRY(check_title(call, entry));
	STET_TRY(check_summary(call, entry));
	return check_words(call, entry);
}

static const struct stet_hook hooks[] = {
	STET_ON(entry_before_save, 0, check),
};

static const struct stet_setting_def settings[] = {
	{ { "minTitleLength", STET_INTEGER, STET_BOUNDED, .about = "Fewest characters of a title",
	    STET_RANGE(0, 1000), .fallback = "0" } },
	{ { "forbiddenWords", STET_ARRAY, STET_BOUNDED, .about = "Words that no field may hold",
	    .item = STET_STRING, STET_RANGE(0, 200), .fallback = "[]" } },
	{ { "requireSummary", STET_BOOLEAN, .about = "Refuse items without a summary",
	    .fallback = "false" } },
	{ { "summaryField", STET_STRING, .about = "The field that holds the summary",
	    .fallback = "\"summary\"" } },
	{ { "collections", STET_ARRAY, .about = "Slugs of the collections; all when empty",
	    .item = STET_STRING, .fallback = "[]" } },
};

STET_MODULE(house_rules) = {
	STET_MODULE_HEAD_AS("house-rules"),
	.version = "1.0.0",
	.summary = "Rejects saves that break the editor's rules",
	.license = "MIT",
	.hooks = STET_TABLE(hooks),
	.settings = STET_TABLE(settings),
};
