/* diary.c - a plugin for the tests of import and of the admin pages. Its importer reads days of a
 * diary, one in each line: "id|title|text|parent". A line without "|" is reported; "!" returns an
 * item that is not an object. Its field type is a mood. */
#include <stdio.h>
#include <stdlib.h>
#include <stet/module.h>
#include <string.h>

static enum stet_status
put_line(struct stet_source *source, char *line)
{
	char *part[4] = { line, NULL, NULL, NULL };

	if (strcmp(line, "!") == 0)
		return stet_source_put(source, STET_SOURCE_ITEM, json_array());
	for (int i = 1; i < 4; i++) {
		char *end = part[i - 1] != NULL ? strchr(part[i - 1], '|') : NULL;

		if (end == NULL)
			break;
		*end = '\0';
		part[i] = end + 1;
	}
	if (part[2] == NULL)
		return stet_source_put(source, STET_SOURCE_NOTICE,
		    json_pack(
			"{ss ss sb}", "place", line, "text", "It has no parts", "skipped", 1));
	return stet_source_put(source, STET_SOURCE_ITEM,
	    json_pack("{ss ss ss ss ss* ss s[s] s{s[{ss ss}]}}", "type", "day", "id", part[0],
		"title", part[1], "markdown", part[2], "parent", part[3], "status", "published",
		"authors", "me", "terms", "category", "slug", "days", "name", "Days & nights"));
}

static enum stet_status
read_diary(struct stet_call *call, struct stet_source *source)
{
	const char *title = json_string_value(json_object_get(source->options, "title"));
	enum stet_status status = STET_OK;
	char line[1000];
	FILE *f;

	STET_TRY(stet_source_put(source, STET_SOURCE_SITE,
	    json_pack("{ss ss}", "url", "https://diary.example/", "title",
		title != NULL ? title : "Diary")));
	STET_TRY(stet_source_put(
	    source, STET_SOURCE_AUTHOR, json_pack("{ss ss}", "login", "me", "name", "Me & you")));
	f = fopen(source->path[0], "re");
	if (f == NULL)
		return stet_fail(call, STET_VALIDATION_ERROR, "file", "cannot be opened");
	while (status == STET_OK && fgets(line, sizeof(line), f) != NULL) {
		line[strcspn(line, "\n")] = '\0';
		status = put_line(source, line);
	}
	(void)fclose(f);
	return status;
}

/* ---- the field type: a mood in a few words ---- */

#define MOOD_MAX 40 /* characters, unless the option `most` says otherwise */

static enum stet_status
define_mood(struct stet_call *call, const struct stet_field *field)
{
	const json_t *most = json_object_get(field->options, "most");

	if (most != NULL && (!json_is_integer(most) || json_integer_value(most) < 1))
		stet_issue(call, "options.most", "must be a whole number of at least 1");
	return STET_OK;
}

static enum stet_status
check_mood(struct stet_call *call, const struct stet_field *field, const char *path,
    const json_t *value, json_t **out)
{
	const json_t *most = json_object_get(field->options, "most");
	size_t max = most != NULL ? (size_t)json_integer_value(most) : MOOD_MAX;

	*out = NULL;
	if (!json_is_string(value) || json_string_length(value) > max)
		stet_issue(call, path, "must be a mood of at most %zu characters", max);
	else
		*out = json_incref((json_t *)(uintptr_t)value);
	return STET_OK;
}

static const struct stet_member mood_options[] = {
	{ "most", STET_INTEGER, .about = "Most characters of a mood", STET_RANGE(1, MOOD_MAX) },
	{ "shared", STET_BOOLEAN, .about = "Others may read it" },
	{ "scale", STET_STRING, .about = "What it is measured by", STET_CHOICES("sun", "sea") },
	{ 0 },
};
static const struct stet_field_type types[] = {
	{ .name = "mood",
	    .storage = STET_STORE_TEXT,
	    .flags = STET_INDEXABLE,
	    .type_name = "string",
	    .define = define_mood,
	    .check = check_mood,
	    .label = "Mood of a day",
	    .about = "How a day was, in a few words.",
	    .options = mood_options },
};

/* ---- the descriptor ---- */

static const struct stet_member diary_options[] = {
	{ "title", STET_STRING, .about = "What the diary is called", .max = 100 },
	{ 0 },
};
static const struct stet_importer importers[] = {
	{ "diary", "Days of a diary.", read_diary, .label = "Diary of somebody",
	    .files = (const char *const[]){ ".diary", "text/plain", NULL },
	    .options = diary_options },
};
static const char *const needs[] = { "schema", NULL };

STET_MODULE(diary) = {
	STET_MODULE_HEAD(diary),
	.version = "1.0",
	.summary = "Reads diaries",
	.license = "MIT",
	.needs = needs,
	.field_types = STET_TABLE(types),
	.importers = STET_TABLE(importers),
};
