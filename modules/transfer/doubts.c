/*
 * doubts.c - values that an export or an import moves although a save would refuse them now.
 * Examples are ids of deleted items, and values that a newer rule of their field excludes. The
 * values stay unchanged, and the user gets a list of them (struct stet_transfer, `doubt`). The list
 * includes ids of deleted media items (`media`).
 */
#include "transfer.h"
#include <stdio.h>
#include <stdlib.h>
#include <stet/media.h>
#include <string.h>

#define LINES_MAX 1000 /* lines of the list; further values are only counted */
#define AT_ONCE 100 /* rows in one scope */

void
doubts_begin(struct stet_call *call, struct doubts *d)
{
	*d = (struct doubts){ stet_json_own(call, json_array()), 0 };
}

static void
add(struct doubts *d, const char *file, const json_t *issue)
{
	const char *path = json_string_value(json_object_get(issue, "path"));

	d->count++;
	if (d->count <= LINES_MAX)
		json_array_append_new(
		    d->lines, json_sprintf("%s.json: %s%s%s", file, path, *path != '\0' ? ": " : "",
				  json_string_value(json_object_get(issue, "message"))));
}

/* Moves the call's recorded issues to the list. */
static void
take(struct stet_call *call, struct doubts *d, const char *file)
{
	struct stet_json *j = stet_json_new(call);
	json_t *error, *issue;
	const char *text;
	size_t len, i;

	stet_object(j, NULL);
	stet_put_error(call, j);
	stet_close(j);
	stet_error_clear(call);
	text = stet_json_text(j, &len);
	error = json_loadb(text, len, 0, NULL);
	json_array_foreach(json_object_get(json_object_get(error, "details"), "issues"), i, issue)
	    add(d, file, issue);
	json_decref(error);
}

static const char *
file_of(struct stet_call *call, const struct stet_transfer *t, const char *name)
{
	return stet_printf(call, "%s/%s", t->kind, files_name(call, name));
}

/* ---- media items ---- */

/* Checks the media items of a column: of JSON, or of an id if the column's name ends in
 * "media_id". */
static enum stet_status
check_column(struct stet_call *call, const struct stet_media_1 *media, const char *column,
    const char *text, size_t len)
{
	static const char suffix[] = "media_id";
	const size_t name = strlen(column), end = sizeof(suffix) - 1;
	json_t *value;

	if (len > 0 && (*text == '{' || *text == '['))
		value = json_loadb(text, len, 0, NULL);
	else if (name >= end && strcmp(column + name - end, suffix) == 0)
		value = json_pack("{s:s%}", "mediaId", text, len);
	else
		return STET_OK;
	return media->gone(call, column, stet_json_own(call, value));
}

/* Checks the media items of the row with this key; NULL: of all rows in the file. */
static enum stet_status
check_media(
    struct stet_call *call, const struct stet_transfer *t, const char *file, const json_t *key)
{
	const struct stet_media_1 *media = stet_service(call, STET_MEDIA_1);
	const char *column[ROWS_MEDIA_MAX];
	struct stet_rows rows;
	size_t count, len;

	if (media == NULL || t->media == NULL)
		return STET_OK;
	STET_TRY(rows_select_media(call, t, key, column, &count, &rows));
	while (stet_row(&rows)) {
		if (key == NULL && strcmp(file_of(call, t, stet_col_dup(&rows, 0)), file) != 0)
			continue;
		for (size_t i = 0; i < count; i++) {
			const char *text = stet_col_text(&rows, (int)i + 1, &len);

			if (text != NULL)
				STET_TRY(check_column(call, media, column[i], text, len));
		}
	}
	return stet_rows_end(&rows);
}

/* ---- rows ---- */

bool
doubts_may_be(const struct stet_transfer *t)
{
	return t->doubt != NULL || t->media != NULL;
}

enum stet_status
doubts_of_row(struct stet_call *call, struct doubts *d, const struct stet_transfer *t,
    const char *file, const json_t *key)
{
	if (t->doubt != NULL && key != NULL)
		STET_TRY(t->doubt(call, t->arg, key));
	STET_TRY(check_media(call, t, file, key));
	if (stet_issues(call) != STET_OK)
		take(call, d, file);
	return STET_OK;
}

/* ---- all rows of a kind ---- */

struct walk {
	const struct stet_transfer *t;
	struct doubts *d;
	char *after; /* the last key; not owned by the call, so that it outlives the scope */
	int64_t seen; /* rows of the last portion */
};

static enum stet_status
ask_portion(struct stet_call *call, void *arg)
{
	struct walk *w = arg;
	const struct stet_transfer *t = w->t;
	const char *file[AT_ONCE], *key[AT_ONCE];
	struct stet_rows rows;
	json_t *object;
	int64_t n = 0;

	object = stet_json_own(call, json_pack("{s:s}", t->key, w->after));
	STET_TRY(rows_select_after(call, t, object, AT_ONCE, &rows));
	while (stet_row(&rows) && n < AT_ONCE) {
		file[n] = file_of(call, t, stet_col_dup(&rows, 0));
		key[n++] = stet_col_dup(&rows, 1);
	}
	STET_TRY(stet_rows_end(&rows));
	for (int64_t i = 0; i < n; i++) {
		object = stet_json_own(call, json_pack("{s:s}", t->key, key[i]));
		STET_TRY(doubts_of_row(call, w->d, t, file[i], object));
	}
	w->seen = n;
	if (n == 0)
		return STET_OK;
	free(w->after);
	w->after = strdup(key[n - 1]);
	if (w->after == NULL)
		stet_out_of_memory();
	return STET_OK;
}

enum stet_status
doubts_of_kind(struct stet_call *call, struct doubts *d, const struct stet_transfer *t)
{
	struct walk w = { t, d, strdup(""), AT_ONCE };
	enum stet_status status = STET_OK;

	while (status == STET_OK && w.seen == AT_ONCE && w.after != NULL)
		status = stet_scope(call, ask_portion, &w);
	free(w.after);
	return status;
}

/* Prints a text from the export; control characters become "?", since they could control a
 * terminal. */
static void
print(const char *text)
{
	for (const unsigned char *c = (const unsigned char *)text; *c != '\0'; c++) {
		bool is_c1 = *c == 0xc2 && c[1] >= 0x80 && c[1] < 0xa0;

		putchar(*c < 0x20 || *c == 0x7f || is_c1 ? '?' : *c);
		c += is_c1;
	}
}

void
doubts_show(const struct doubts *d)
{
	json_t *line;
	size_t i;

	if (d->count > 0)
		printf("a save would refuse %lld of the values by now, or what they name is gone; "
		       "they stay as they are:\n",
		    (long long)d->count);
	json_array_foreach(d->lines, i, line)
	{
		printf("  ");
		print(json_string_value(line));
		putchar('\n');
	}
	if (d->count > LINES_MAX)
		printf("  and %lld more\n", (long long)d->count - LINES_MAX);
}
