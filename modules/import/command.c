/*
 * command.c - `stet import wxr`: an export from its files to the rewritten addresses of its
 * pictures, in one go. It reads what is in it, makes the collections that it needs, imports, copies
 * the media and rewrites their addresses. Run again it makes nothing twice.
 */
#include "import.h"
#include "media.h"
#include "run.h"
#include "suggest.h"
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define TYPES_MAX 1000
#define FILES_MAX 100
#define ERRORS_SHOWN 20
#define USAGE                                                                                     \
	"usage: stet import wxr FILE ... [--dry-run] [--map TYPE=COLLECTION] [--media-dir DIR]\n" \
	"       [--no-media] [--locale LOCALE]\n"

struct order {
	const char *files[FILES_MAX];
	size_t file_count;
	json_t *given; /* {type: collection} of --map; "": not imported */
	const char *locale;
	const char *media_dir;
	bool dry_run, media;

	struct stet_call *call;
	json_t *types; /* {type: {count, pictures, collection}} */
	int64_t items, attachments, terms, notices;
	int64_t shown; /* when progress was, milliseconds */
	/* Copying. */
	int directory;
	struct attachment batch[MEDIA_AT_ONCE];
	json_t *kept; /* the texts of the batch */
	size_t batch_count;
	json_t *urls; /* {old: new} */
	int64_t copied, there, failed;
};

/* ---- what is said meanwhile ---- */

static int64_t
milliseconds(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * INT64_C(1000) + now.tv_nsec / 1000000;
}

static void
progress(struct order *o, const char *what, int64_t count, int64_t of)
{
	if (!isatty(STDERR_FILENO) || milliseconds() - o->shown < 200)
		return;
	o->shown = milliseconds();
	fprintf(stderr, "\r\033[K%s %" PRId64, what, count);
	if (of > 0)
		fprintf(stderr, " of %" PRId64, of);
}

static void
progress_ends(void)
{
	if (isatty(STDERR_FILENO))
		fputs("\r\033[K", stderr);
}

/* ---- what is in the export ---- */

static enum stet_status
count_term(void *arg, const struct wxr_term *term)
{
	struct order *o = arg;

	(void)term;
	o->terms++;
	return STET_OK;
}

static bool
has_picture(const struct wxr_item *item)
{
	return meta_of(item, "_thumbnail_id") != NULL;
}

static enum stet_status
count_item(void *arg, const struct wxr_item *item)
{
	struct order *o = arg;
	json_t *type;

	progress(o, "reading: items", ++o->items, 0);
	if (strcmp(item->type, "attachment") == 0)
		o->attachments++;
	if (suggest_internal_type(item->type))
		return STET_OK;
	type = json_object_get(o->types, item->type);
	if (type == NULL && json_object_size(o->types) >= TYPES_MAX)
		return stet_fail(o->call, STET_VALIDATION_ERROR, "file",
		    "The export has more than %d types of posts", TYPES_MAX);
	if (type == NULL) {
		type = json_pack("{si}", "count", 0);
		(void)json_object_set_new(o->types, item->type, type);
	}
	(void)json_integer_set(
	    json_object_get(type, "count"), json_integer_value(json_object_get(type, "count")) + 1);
	if (has_picture(item))
		(void)json_object_set_new(type, "pictures", json_true());
	return STET_OK;
}

static enum stet_status
tell_notice(void *arg, const struct wxr_notice *notice)
{
	struct order *o = arg;

	if (o->notices++ < ERRORS_SHOWN)
		fprintf(stderr, "%s%s%s:%" PRId64 ": %s\n", o->files[0],
		    *notice->file != '\0' ? "/" : "", notice->file, notice->line, notice->text);
	return STET_OK;
}

static enum stet_status
look(struct stet_call *call, void *arg)
{
	struct order *o = arg;
	const struct wxr_sink sink = {
		.term = count_term, .item = count_item, .notice = tell_notice, .arg = o
	};
	struct wxr_totals totals;

	o->call = call;
	return wxr_read(call, o->files, o->file_count, (uint64_t)import_most(call), &sink, &totals);
}

/* ---- where it goes ---- */

static const char *
target_of(struct stet_call *call, const struct order *o, const char *type)
{
	const char *given = json_string_value(json_object_get(o->given, type));

	if (given != NULL)
		return *given != '\0' ? given : NULL;
	return suggest_collection(call, type);
}

/* What becomes of the collection, in words; *good: it can be imported into. */
static const char *
state_of(struct stet_call *call, const json_t *status, bool *good)
{
	const json_t *fields = json_object_get(status, "fieldStatus");
	const char *missing = "", *name, *reason;
	json_t *field;

	*good = json_is_true(json_object_get(status, "canImport"));
	if (!json_is_true(json_object_get(status, "exists")))
		return "new";
	reason = json_string_value(json_object_get(status, "reason"));
	if (!*good)
		return reason != NULL ? stet_strdup(call, reason) : "cannot be imported into";
	json_object_foreach((json_t *)(uintptr_t)fields, name, field)
	{
		if (strcmp(json_string_value(json_object_get(field, "status")), "missing") == 0)
			missing = stet_printf(
			    call, "%s%s%s", missing, *missing != '\0' ? ", " : "", name);
	}
	return *missing != '\0' ? stet_printf(call, "gets %s", missing) : "is there";
}

/* Prints a line for each type, and notes what to prepare. */
static enum stet_status
plan(struct stet_call *call, struct order *o, json_t *prepare, json_t *mappings)
{
	const char *type;
	json_t *found;
	bool all_good = true;

	json_object_foreach(o->types, type, found)
	{
		const char *target = target_of(call, o, type), *state;
		int64_t count = json_integer_value(json_object_get(found, "count"));
		json_t *fields, *status = NULL;
		bool good;

		if (target == NULL) {
			printf("%s\t%" PRId64 "\t-\tleft out\n", type, count);
			continue;
		}
		fields = suggest_fields(json_object_get(found, "pictures") != NULL);
		STET_TRY(suggest_status(call, target, stet_json_own(call, fields), &status));
		state = state_of(call, stet_json_own(call, status), &good);
		printf("%s\t%" PRId64 "\t%s\t%s\n", type, count, target, state);
		all_good = all_good && good;
		(void)json_array_append_new(
		    prepare, json_pack("{ss ss sb sO}", "name", type, "collection", target,
				 "enabled", 1, "fields", fields));
		(void)json_object_set_new(
		    mappings, type, json_pack("{ss sb}", "collection", target, "enabled", 1));
	}
	return all_good ? STET_OK
			: stet_fail(call, STET_CONFLICT, NULL,
			      "A collection has fields of other types: choose another (--map)");
}

static enum stet_status
prepare_all(struct stet_call *call, json_t *types)
{
	const json_t *errors;
	json_t *reply;

	STET_TRY(op_run(call, "import_prepare", json_pack("{sO}", "postTypes", types), &reply));
	errors = json_object_get(reply, "errors");
	if (json_array_size(errors) == 0)
		return STET_OK;
	return stet_fail(call, STET_CONFLICT, NULL, "%s: %s",
	    json_string_value(json_object_get(json_array_get(errors, 0), "collection")),
	    json_string_value(json_object_get(json_array_get(errors, 0), "error")));
}

/* ---- media ---- */

static enum stet_status
media_copied(
    struct stet_call *call, void *arg, size_t i, const char *id, const char *url, bool was_there)
{
	struct order *o = arg;

	(void)call;
	(void)id;
	(void)json_object_set_new(o->urls, o->batch[i].url, json_string(url));
	o->copied += !was_there;
	o->there += was_there;
	progress(o, "media:", o->copied + o->there + o->failed, o->attachments);
	return STET_OK;
}

static enum stet_status
media_failed(struct stet_call *call, void *arg, size_t i, const char *why)
{
	struct order *o = arg;

	(void)call;
	o->failed++;
	progress_ends();
	fprintf(stderr, "%s: %s\n", o->batch[i].url, why);
	return STET_OK;
}

static enum stet_status
copy_batch(struct stet_call *call, void *arg)
{
	struct order *o = arg;
	const struct media_sink sink = { NULL, media_copied, media_failed, o };
	bool late;

	return media_copy(call, o->batch, o->batch_count, o->directory, &sink, &late);
}

static enum stet_status
flush_media(struct order *o)
{
	enum stet_status status = STET_OK;

	if (o->batch_count > 0)
		status = stet_scope(o->call, copy_batch, o);
	o->batch_count = 0;
	(void)json_array_clear(o->kept);
	return status;
}

/* A text that lives as long as the batch; NULL: "". */
static const char *
keep(struct order *o, const char *text)
{
	json_t *copy = text != NULL && *text != '\0' ? json_string(text) : NULL;

	if (copy == NULL)
		return NULL;
	(void)json_array_append_new(o->kept, copy);
	return json_string_value(copy);
}

static enum stet_status
take_media(void *arg, const struct wxr_item *item)
{
	struct order *o = arg;
	const char *url = wxr_attachment_url(item);

	if (strcmp(item->type, "attachment") != 0 || *url == '\0')
		return STET_OK;
	o->batch[o->batch_count++] = (struct attachment){ .source_id = item->id,
		.url = keep(o, url),
		.alt = keep(o, meta_of(item, "_wp_attachment_image_alt")),
		.caption = keep(o, item->excerpt) };
	return o->batch_count < MEDIA_AT_ONCE ? STET_OK : flush_media(o);
}

static enum stet_status
copy_all(struct stet_call *call, struct order *o)
{
	const struct wxr_sink sink = { .item = take_media, .arg = o };
	struct wxr_totals totals;

	o->directory = -1;
	if (o->media_dir != NULL) {
		o->directory = open(o->media_dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		if (o->directory == -1)
			return stet_fail(call, STET_NOT_FOUND, NULL, "there is no directory %.500s",
			    o->media_dir);
	}
	o->call = call;
	STET_TRY(
	    wxr_read(call, o->files, o->file_count, (uint64_t)import_most(call), &sink, &totals));
	STET_TRY(flush_media(o));
	progress_ends();
	printf("media\t%" PRId64 " copied\t%" PRId64 " were there\t%" PRId64 " failed\n", o->copied,
	    o->there, o->failed);
	return STET_OK;
}

static enum stet_status
rewrite(struct stet_call *call, const struct order *o)
{
	struct rewritten done;

	STET_TRY(rewrite_content(call, o->urls, NULL, &done));
	printf("addresses\t%" PRId64 " rewritten in %" PRId64 " items\n", done.urls, done.updated);
	for (size_t i = 0; i < json_array_size(done.errors) && i < ERRORS_SHOWN; i++)
		fprintf(stderr, "%s: %s\n",
		    json_string_value(json_object_get(json_array_get(done.errors, i), "id")),
		    json_string_value(json_object_get(json_array_get(done.errors, i), "error")));
	return STET_OK;
}

/* ---- the whole ---- */

static void
show_list(const json_t *list, const char *what)
{
	size_t count = json_array_size(list);

	for (size_t i = 0; i < count && i < ERRORS_SHOWN; i++)
		fprintf(stderr, "%s: %s\n",
		    json_string_value(json_object_get(json_array_get(list, i), "title")),
		    json_string_value(json_object_get(json_array_get(list, i), what)));
	if (count > ERRORS_SHOWN)
		fprintf(stderr, "and %zu more\n", count - ERRORS_SHOWN);
}

static void
show(const struct run *run)
{
	const struct report *r = &run->report;
	const char *taxonomy;
	json_t *n;

	show_list(r->errors, "error");
	show_list(r->notices, "notice");
	printf("items\t%" PRId64 " imported\t%" PRId64 " skipped\t%" PRId64 " failed\n",
	    r->imported, r->skipped, r->failed);
	json_object_foreach(r->terms_made, taxonomy, n)
	    printf("%s\t%" PRId64 " terms\n", taxonomy, (int64_t)json_integer_value(n));
	json_object_foreach(r->missing, taxonomy, n)
	    printf("%s\tleft out: there is no such taxonomy here\n", taxonomy);
	if (r->comments > 0)
		printf("comments\t%" PRId64 "\n", r->comments);
	if (r->menus_made > 0)
		printf("menus\t%" PRId64 "\t%" PRId64 " items\n", r->menus_made, r->menu_items);
	if (r->sections_made > 0)
		printf("sections\t%" PRId64 "\n", r->sections_made);
}

static enum stet_status
import_all(struct stet_call *call, struct order *o, const json_t *mappings)
{
	struct run run = { .call = call,
		.paths = o->files,
		.path_count = o->file_count,
		.types = mappings,
		.skip_existing = true,
		.sections = true,
		.menus = true,
		.taxonomies = true,
		.media = true,
		.locale = stet_locale_stored(call, o->locale) };

	STET_TRY(stet_issues(call));
	STET_TRY(run_all(call, &run));
	show(&run);
	if (o->media)
		STET_TRY(copy_all(call, o));
	if (o->media && json_object_size(o->urls) > 0)
		STET_TRY(rewrite(call, o));
	return run.report.failed > 0 || o->failed > 0
		   ? stet_fail(call, STET_CONFLICT, NULL, "not all could be imported")
		   : STET_OK;
}

static enum stet_status
carry_out(struct stet_call *call, struct order *o)
{
	json_t *prepare = stet_json_own(call, json_array());
	json_t *mappings = stet_json_own(call, json_object());

	for (size_t i = 0; i < o->file_count; i++)
		if (access(o->files[i], R_OK) != 0)
			return stet_fail(call, STET_NOT_FOUND, NULL, "cannot read %.500s: %s",
			    o->files[i], strerror(errno));
	STET_TRY(stet_scope(call, look, o));
	progress_ends();
	STET_TRY(plan(call, o, prepare, mappings));
	printf("media\t%" PRId64 "\nterms\t%" PRId64 "\n", o->attachments, o->terms);
	if (o->dry_run)
		return STET_OK;
	STET_TRY(prepare_all(call, prepare));
	return import_all(call, o, mappings);
}

/* ---- the command line ---- */

static bool
take_map(struct order *o, const char *text)
{
	size_t len = strcspn(text, "=");
	char *type = strndup(text, len);

	if (type == NULL)
		stet_out_of_memory();
	if (text[len] == '=')
		(void)json_object_set_new(o->given, type, json_string(text + len + 1));
	free(type);
	return text[len] == '=' && len > 0;
}

static bool
parse(struct order *o, int argc, char **argv)
{
	static const struct option options[] = { { "dry-run", no_argument, NULL, 'n' },
		{ "map", required_argument, NULL, 'm' },
		{ "media-dir", required_argument, NULL, 'd' },
		{ "no-media", no_argument, NULL, 'x' }, { "locale", required_argument, NULL, 'l' },
		{ NULL, 0, NULL, 0 } };
	bool good = true;
	int c;

	optind = 0;
	while (good && (c = getopt_long(argc, argv, "", options, NULL)) != -1)
		switch (c) {
		case 'n':
			o->dry_run = true;
			break;
		case 'm':
			good = take_map(o, optarg);
			break;
		case 'd':
			o->media_dir = optarg;
			break;
		case 'x':
			o->media = false;
			break;
		case 'l':
			o->locale = optarg;
			break;
		default:
			good = false;
		}
	for (int i = optind; i < argc && o->file_count < FILES_MAX; i++)
		o->files[o->file_count++] = argv[i];
	return good && o->file_count > 0;
}

int
command_wxr(struct stet_call *call, int argc, char **argv)
{
	struct order *o = stet_alloc(call, sizeof(*o));
	enum stet_status status;

	o->media = true;
	o->directory = -1;
	o->given = stet_json_own(call, json_object());
	o->types = stet_json_own(call, json_object());
	o->kept = stet_json_own(call, json_array());
	o->urls = stet_json_own(call, json_object());
	if (!parse(o, argc, argv)) {
		fputs(USAGE, stderr);
		return 2;
	}
	status = carry_out(call, o);
	progress_ends();
	if (o->directory != -1)
		close(o->directory);
	return status == STET_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
