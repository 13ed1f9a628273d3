/* diary - a plugin for the tests of import: it reads days of a diary, "id|title|text|parent" in
 * each line. A line without parts is told; "!" hands on what is no object. */
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

static const struct stet_importer importers[] = {
	{ "diary", "Days of a diary.", read_diary },
};

STET_MODULE(diary) = {
	STET_MODULE_HEAD(diary),
	.version = "1.0",
	.summary = "Reads diaries",
	.license = "MIT",
	.importers = STET_TABLE(importers),
};
