/* word-count - counts the words of a text or an item, and stores the number in a field of the
 * item. */
#include <stet/module.h>
#include <stet/prompt.h>
#include <string.h>

/* If a collection has an integer field of this slug, its items store their number of words
 * there. */
#define FIELD "word_count"

/* The length in bytes of the blank at the start of the text, or 0: ASCII blanks, and the
 * no-break, ideographic and typographic spaces. */
static size_t
blank(const char *text)
{
	static const char *const wide[] = { "\xc2\xa0", "\xe3\x80\x80", "\xe2\x80\xa8",
		"\xe2\x80\xa9", "\xe2\x80\xaf" };
	size_t i;

	if (*text != '\0' && strchr(" \t\r\n\f\v", *text) != NULL)
		return 1;
	for (i = 0; i < sizeof(wide) / sizeof(wide[0]); i++)
		if (strncmp(text, wide[i], strlen(wide[i])) == 0)
			return strlen(wide[i]);
	/* U+2000 to U+200A */
	if (strncmp(text, "\xe2\x80", 2) == 0 && (unsigned char)text[2] >= 0x80 &&
	    (unsigned char)text[2] <= 0x8a)
		return 3;
	return 0;
}

/* Returns true for a character of a word (not punctuation): letters, digits, and everything
 * outside of ASCII. */
static bool
is_wordly(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       (c & 0x80) != 0;
}

/* Counts the runs between blanks that contain a letter or a digit. */
static int64_t
count_words(const char *text)
{
	int64_t words = 0;
	bool inside = false;
	size_t skip;

	while (*text != '\0') {
		skip = blank(text);
		if (skip > 0) {
			inside = false;
			text += skip;
			continue;
		}
		if (!inside && is_wordly(*text)) {
			inside = true;
			words++;
		}
		text++;
	}
	return words;
}

static bool
is_prose(const struct stet_field *field)
{
	return strcmp(field->type->name, "text") == 0 ||
	       strcmp(field->type->name, "portableText") == 0;
}

static int64_t
count_entry(struct stet_call *call, const struct stet_entry *entry)
{
	const struct stet_collection *collection = stet_entry_collection(entry);
	int64_t words = 0;
	size_t i;

	for (i = 0; i < collection->field_count; i++)
		if (is_prose(collection->fields[i]))
			words +=
			    count_words(stet_entry_text(call, entry, collection->fields[i]->slug));
	return words;
}

/* Reads the item with the op content_get, which checks the caller's rights and hides drafts. */
static enum stet_status
count_item(struct stet_call *call, const char *slug, const char *id, int64_t *words)
{
	const struct stet_schema_1 *schema = stet_service(call, STET_SCHEMA_1);
	const struct stet_collection *collection;
	const char *text;
	json_t *args, *answer, *data;
	size_t len;

	if (schema == NULL)
		return stet_fail(call, STET_UNAVAILABLE, NULL, "The schema module is not enabled");
	STET_TRY(schema->collection(call, slug, &collection));
	args = stet_json_own(call, json_pack("{s:s,s:s}", "collection", slug, "id", id));
	STET_TRY(stet_invoke(call, "content_get", args, &text, &len));
	answer = stet_json_own(call, json_loadb(text, len, 0, NULL));
	data = json_object_get(json_object_get(answer, "item"), "data");
	if (data == NULL)
		return stet_fault(call, "content_get answered without data");
	*words = count_entry(call, stet_entry_new(call, collection, id, false, data));
	return STET_OK;
}

static enum stet_status
count(struct stet_call *call)
{
	struct stet_json *out = stet_reply(call);
	int64_t words = 0;

	if (stet_has(call, "text"))
		words = count_words(stet_arg(call, "text"));
	else if (stet_has(call, "collection") && stet_has(call, "id"))
		STET_TRY(
		    count_item(call, stet_arg(call, "collection"), stet_arg(call, "id"), &words));
	else
		return stet_fail(call, STET_VALIDATION_ERROR, "text",
		    "Give a text, or the collection and the id of an item");
	stet_object(out, NULL);
	stet_put_int(out, "words", words);
	stet_close(out);
	return STET_OK;
}

/* A prompt: people choose it in their assistant, which then gets this text. */
static enum stet_status
shorten(struct stet_call *call)
{
	struct stet_json *out = stet_reply(call);

	stet_object(out, NULL);
	stet_put_str(out, "text",
	    stet_printf(call,
		"Read the item %s of the collection %s, and shorten its text to %lld words, as a draft. "
		"Count them with word-count__count before you save it.",
		stet_arg(call, "id"), stet_arg(call, "collection"),
		(long long)stet_arg_int(call, "words")));
	stet_close(out);
	return STET_OK;
}

/* Runs before the item is validated, so that the number is checked like any other value. */
static enum stet_status
keep_count(struct stet_call *call, struct stet_tx *tx, struct stet_entry *entry)
{
	const struct stet_field *field = stet_field(stet_entry_collection(entry), FIELD);

	(void)tx;
	if (field != NULL && strcmp(field->type->name, "integer") == 0)
		stet_entry_set(entry, FIELD, json_integer(count_entry(call, entry)));
	return STET_OK;
}

static const struct stet_member count_in[] = {
	{ "text", STET_STRING, .about = "The text to count" },
	{ "collection", STET_STRING, .about = "Slug of the item's collection" },
	{ "id", STET_STRING, .about = "Id or slug of the item" },
	{ 0 },
};
static const struct stet_member count_out[] = {
	{ "words", STET_INTEGER, STET_REQUIRED, .about = "Number of words" },
	{ 0 },
};

static const struct stet_member shorten_in[] = {
	{ "collection", STET_STRING, STET_REQUIRED, .about = "Slug of the item's collection" },
	{ "id", STET_STRING, STET_REQUIRED, .about = "Id or slug of the item" },
	{ "words", STET_INTEGER, .about = "Words that it may have", STET_RANGE(10, 10000),
	    .fallback = "300" },
	{ 0 },
};
static const struct stet_member prompt_out[] = {
	{ "text", STET_STRING, STET_REQUIRED, .about = "What the assistant is told" },
	{ 0 },
};

static const struct stet_op ops[] = {
	{ "count", "Count Words",
	    .about = "How many words a text has, or the prose fields of an item.",
	    .route = "GET /count", .flags = STET_TOOL | STET_IDEMPOTENT, .lane = STET_READ,
	    .permission = "content:read", .scope = "content:read", .in = count_in, .out = count_out,
	    .run = count },
	{ "shorten", "Shorten an Item", .about = "Shorten an item to a number of words.",
	    .lane = STET_READ, .permission = "content:read", .scope = "content:read",
	    .in = shorten_in, .out = prompt_out, .run = shorten, .more = STET_MORE_PROMPT },
};

static const struct stet_hook hooks[] = {
	STET_ON(entry_filter, 0, keep_count),
};

/* What an administrator reads before turning it on. */
static const struct stet_capability capabilities[] = { { "content:read" }, { "content:write" } };

static const char *const needs[] = { "content", "schema", NULL };

STET_MODULE(word_count) = {
	STET_MODULE_HEAD_AS("word-count"),
	.version = "1.0.0",
	.summary = "Counts words, and keeps the number in a field",
	.license = "MIT",
	.needs = needs,
	.ops = STET_TABLE(ops),
	.hooks = STET_TABLE(hooks),
	.capabilities = STET_TABLE(capabilities),
};
