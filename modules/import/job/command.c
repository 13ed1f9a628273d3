/*
 * command.c - `stet import wxr` and `stet import from`: a whole import in one go. It analyzes the
 * files, creates the collections that they need, imports the items, copies the media files and
 * rewrites their addresses. Running it again duplicates nothing.
 */
#include "job/asked.h"
#include "job/jobs.h"
#include "plan/given.h"
#include "state/account.h"
#include "state/map.h"
#include "state/outcome.h"
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define FILES_MAX 100
#define ERRORS_SHOWN 20
#define USAGE                                                                                     \
	"usage: stet import wxr FILE ... [--dry-run] [--map TYPE=COLLECTION] [--media-dir DIR]\n" \
	"       [--fields] [--field NAME=FIELD] [--type NAME=TYPE] [--no-media]\n"                \
	"       [--locale LOCALE] [--update] [--source NAME] [--report FILE] [--redirects FILE]\n"

#define USAGE_FROM                                                                           \
	"usage: stet import from FORMAT FILE ... [--dry-run] [--map TYPE=COLLECTION]\n"      \
	"       [--field NAME=FIELD] [--type COLUMN=TYPE] [--relation COLUMN=FILE.COLUMN]\n" \
	"       [--set NAME=VALUE] [--media-dir DIR] [--no-media]\n"                         \
	"       [--locale LOCALE] [--update] [--source NAME] [--report FILE] [--redirects FILE]\n"

struct order {
	const char *files[FILES_MAX];
	size_t file_count;
	json_t *given; /* {type: collection} of --map; "": not imported */
	const char *locale;
	const char *media_dir;
	const char *report, *redirects; /* output files; NULL: none */
	struct given from; /* the importer; NULL: the files are WXR */
	json_t *options; /* {name: value, fields: {name: field}} for it */
	const char *source; /* name under which source ids are stored; NULL: its address */
	bool dry_run, media, updates;

	struct stages stages;
	int64_t said[STAGES]; /* warnings of each stage */
	int64_t shown; /* time of the last progress line, milliseconds */
	bool terminal; /* stderr is a terminal */
};

/* ---- progress and warnings ---- */

static int64_t
milliseconds(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * INT64_C(1000) + now.tv_nsec / 1000000;
}

static void
progress_ends(void)
{
	if (isatty(STDERR_FILENO))
		fputs("\r\033[K", stderr);
}

static enum stet_status
progress(struct stages *s, enum stage stage, int64_t count, int64_t of)
{
	static const char *const what[STAGES] = { "reading: items", "", "items",
		"media:", "addresses: items" };
	struct order *o = s->arg;

	if (!o->terminal || milliseconds() - o->shown < 200)
		return STET_OK;
	o->shown = milliseconds();
	fprintf(stderr, "\r\033[K%s %" PRId64, what[stage], count);
	if (of > 0)
		fprintf(stderr, " of %" PRId64, of);
	return STET_OK;
}

/* Writes a warning: every one about a file, of other stages only the first ones. */
static void
say(struct stages *s, enum stage stage, const char *about, const char *what)
{
	struct order *o = s->arg;

	if (o->said[stage]++ >= ERRORS_SHOWN && stage != STAGE_MEDIA)
		return;
	progress_ends();
	fprintf(stderr, "%s: %s\n", about, what);
}

/* ---- output ---- */

static void
show_plan(const struct stages *s)
{
	const char *type;
	json_t *found;

	json_object_foreach(s->types, type, found)
	{
		const char *target = json_string_value(json_object_get(found, "collection"));
		int64_t count = json_integer_value(json_object_get(found, "count"));

		if (target == NULL)
			printf("%s\t%" PRId64 "\t-\tleft out\n", type, count);
		else
			printf("%s\t%" PRId64 "\t%s\t%s\n", type, count, target,
			    json_string_value(json_object_get(found, "state")));
	}
	if (s->fits)
		printf("media\t%" PRId64 "\nterms\t%" PRId64 "\n", s->attachments, s->terms);
}

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
	printf("items\t%" PRId64 " %simported\t%" PRId64 " skipped\t%" PRId64 " failed\n",
	    r->imported, run->tries ? "would be " : "", r->skipped, r->failed);
	if (run->updates)
		printf("known\t%" PRId64 " %supdated\t%" PRId64 " unchanged\t%" PRId64
		       " changed here, too\n",
		    r->updated, run->tries ? "would be " : "", r->unchanged, r->conflicts);
	json_object_foreach(r->terms_made, taxonomy, n)
	    printf("%s\t%" PRId64 " terms\n", taxonomy, (int64_t)json_integer_value(n));
	json_object_foreach(r->missing, taxonomy, n)
	    printf("%s\tleft out: there is no such taxonomy here\n", taxonomy);
	if (r->comments > 0)
		printf("comments\t%" PRId64 "\n", r->comments);
	if (r->menus_made + r->menus_changed > 0)
		printf("menus\t%" PRId64 "\t%" PRId64 " items\n", r->menus_made + r->menus_changed,
		    r->menu_items);
	if (r->sections_made > 0)
		printf("sections\t%" PRId64 "\n", r->sections_made);
}

/* Shows what was lost, name by name, and how much of each kind was read and stored. */
static void
show_account(const json_t *account)
{
	json_t *list = account_list(account), *row;
	const char *what = "";
	int64_t read = 0, stored = 0, left = 0;
	size_t i, count = json_array_size(list);

	for (i = 0; i < count; i++) {
		row = json_array_get(list, i);
		if (json_integer_value(json_object_get(row, "lost")) > 0) {
			const char *name = json_string_value(json_object_get(row, "name"));

			fprintf(stderr, "%s%s%s: %lld of %lld lost\n",
			    json_string_value(json_object_get(row, "what")),
			    name != NULL ? " " : "", name != NULL ? name : "",
			    (long long)json_integer_value(json_object_get(row, "lost")),
			    (long long)json_integer_value(json_object_get(row, "read")));
		}
	}
	for (i = 0; i <= count; i++) {
		const char *next;

		row = json_array_get(list, i);
		next = row != NULL ? json_string_value(json_object_get(row, "what")) : "";
		if (strcmp(next, what) != 0 && *what != '\0')
			printf("account\t%s\t%" PRId64 " read\t%" PRId64 " stored\t%" PRId64
			       " left by choice\n",
			    what, read, stored, left);
		if (strcmp(next, what) != 0)
			read = stored = left = 0;
		what = next;
		read += json_integer_value(json_object_get(row, "read"));
		stored += json_integer_value(json_object_get(row, "stored"));
		left += json_integer_value(json_object_get(row, "left"));
	}
	json_decref(list);
}

static enum stet_status
copy_media(struct stages *s)
{
	STET_TRY(stages_media(s));
	progress_ends();
	printf("media\t%" PRId64 " copied\t%" PRId64 " were there\t%" PRId64 " failed\n", s->copied,
	    s->there, s->failed);
	if (s->attachments == 0)
		return stages_rewrite(s, false);
	STET_TRY(stages_rewrite(s, true));
	progress_ends();
	printf(
	    "addresses\t%" PRId64 " rewritten in %" PRId64 " items\n", s->addresses, s->rewritten);
	return STET_OK;
}

static enum stet_status
import_all(struct order *o)
{
	struct stages *s = &o->stages;
	enum stet_status status;

	s->run.locale = stet_locale_stored(s->call, o->locale);
	STET_TRY(stet_issues(s->call));
	STET_TRY(o->dry_run ? stages_try(s) : stages_execute(s));
	progress_ends();
	show(&s->run);
	status = o->dry_run ? STET_OK : o->media ? copy_media(s) : stages_rewrite(s, false);
	if (status == STET_OK && !(o->media && o->dry_run))
		stages_media_account(s, o->media, s->run.report.account);
	show_account(s->run.report.account);
	STET_TRY(status);
	return s->run.report.failed > 0 || s->failed > 0 || account_lost(s->run.report.account) > 0
		   ? stet_fail(s->call, STET_CONFLICT, NULL, "not all could be imported")
		   : STET_OK;
}

static enum stet_status
open_directory(struct order *o)
{
	struct stages *s = &o->stages;

	if (o->media_dir == NULL)
		return STET_OK;
	s->directory = open(o->media_dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return s->directory != -1 ? STET_OK
				  : stet_fail(s->call, STET_NOT_FOUND, NULL,
					"there is no directory %.500s", o->media_dir);
}

/* ---- report files ---- */

static bool
ends_with(const char *text, const char *end)
{
	size_t m = strlen(text), n = strlen(end);

	return m >= n && strcmp(text + m - n, end) == 0;
}

static const char *
report_format(const char *file)
{
	return ends_with(file, ".csv")     ? "csv"
	       : ends_with(file, ".jsonl") ? "jsonl"
	       : ends_with(file, ".json")  ? "json"
					   : NULL;
}

static const char *
redirects_format(const char *file)
{
	return ends_with(file, ".csv")         ? "csv"
	       : ends_with(file, ".map")       ? "nginx"
	       : ends_with(file, "_redirects") ? "netlify"
					       : NULL;
}

static enum stet_status
put_bytes(struct stet_call *call, void *file, const char *text, size_t len)
{
	return fwrite(text, 1, len, file) == len ? STET_OK
						 : stet_fail(call, STET_INSUFFICIENT_STORAGE, NULL,
						       "cannot write: %s", strerror(errno));
}

static enum stet_status
write_file(struct order *o, const char *name, bool redirects)
{
	struct stet_call *call = o->stages.call;
	const char *run = o->stages.run.id;
	enum stet_status status;
	FILE *file;

	if (name == NULL)
		return STET_OK;
	file = fopen(name, "we");
	if (file == NULL)
		return stet_fail(call, STET_INVALID_INPUT, NULL, "cannot write %.500s: %s", name,
		    strerror(errno));
	status = redirects ? redirects_write(call, run, redirects_format(name), put_bytes, file)
			   : report_write(call, run, report_format(name), put_bytes, file);
	if (fclose(file) != 0 && status == STET_OK)
		status = stet_fail(call, STET_INSUFFICIENT_STORAGE, NULL, "cannot write %.500s: %s",
		    name, strerror(errno));
	return status;
}

/* Imports, and writes the report files even if that fails. They are first written before the
 * import, to find errors early. */
static enum stet_status
import_and_tell(struct order *o)
{
	struct stages *s = &o->stages;
	enum stet_status status, written;
	const char *why;

	/* A dry run has no redirects, since they need the new items. */
	if (o->dry_run)
		o->redirects = NULL;
	s->run.lasts = o->report != NULL || o->redirects != NULL;
	if (!s->run.lasts)
		return import_all(o);
	s->run.id = stet_id(s->call);
	STET_TRY(write_file(o, o->report, false));
	STET_TRY(write_file(o, o->redirects, true));
	status = import_all(o);
	why = status != STET_OK ? stet_error_text(s->call) : NULL;
	stet_error_clear(s->call);
	written = write_file(o, o->report, false);
	if (written == STET_OK)
		written = write_file(o, o->redirects, true);
	if (written == STET_OK)
		written = map_clear(s->call, s->run.id);
	if (written == STET_OK)
		written = outcome_clear(s->call, s->run.id);
	if (status == STET_OK || written != STET_OK)
		return written;
	return stet_fail(s->call, status, NULL, "%s", why + strcspn(why, " ") + 1);
}

static enum stet_status
carry_out(struct order *o)
{
	struct stages *s = &o->stages;

	for (size_t i = 0; i < o->file_count; i++)
		if (access(o->files[i], R_OK) != 0)
			return stet_fail(s->call, STET_NOT_FOUND, NULL, "cannot read %.500s: %s",
			    o->files[i], strerror(errno));
	STET_TRY(open_directory(o));
	s->files = o->files;
	s->file_count = o->file_count;
	stages_source(s, o->source, o->updates);
	s->run.names->given = o->given;
	s->run.names->chosen = json_object_get(o->options, "fields");
	s->asked = json_object_get(o->options, "types");
	STET_TRY(stages_open(s));
	STET_TRY(stages_analyze(s));
	progress_ends();
	STET_TRY(stages_plan(s));
	STET_TRY(stages_tell(s));
	show_plan(s);
	STET_TRY(asked_show(s));
	if (!s->fits)
		return stet_fail(s->call, STET_CONFLICT, NULL,
		    "A collection has fields of other types: choose another (--map)");
	if (!o->dry_run)
		STET_TRY(stages_prepare(s));
	return import_and_tell(o);
}

/* ---- the command line ---- */

/* Checks the collection name now: otherwise each item would be refused, after everything else. */
static bool
take_map(struct order *o, const char *text)
{
	const char *at = strchr(text, '=');

	if (!asked_pair(o->given, text))
		return asked_refuse("map", text, "must be TYPE=COLLECTION");
	return at[1] == '\0' || stet_is_name(at + 1) ||
	       asked_refuse("map", text, "a collection is named by a-z, 0-9 and _, a letter first");
}

static bool
take_field(struct order *o, const char *text)
{
	const char *at = strrchr(text, '=');

	if (!asked_pair_at(json_object_get(o->options, "fields"), text, at))
		return asked_refuse("field", text, "must be NAME=FIELD");
	/* oldLinks is a member of rows. */
	return at[1] == '\0' || stet_is_name(at + 1) || strcmp(at + 1, "oldLinks") == 0 ||
	       asked_refuse("field", text, "a field is named by a-z, 0-9 and _, a letter first");
}

static bool
parse(struct order *o, int argc, char **argv)
{
	static const struct option options[] = { { "dry-run", no_argument, NULL, 'n' },
		{ "map", required_argument, NULL, 'm' },
		{ "media-dir", required_argument, NULL, 'd' }, { "fields", no_argument, NULL, 'g' },
		{ "no-media", no_argument, NULL, 'x' }, { "locale", required_argument, NULL, 'l' },
		{ "report", required_argument, NULL, 'r' },
		{ "redirects", required_argument, NULL, 'a' }, { "update", no_argument, NULL, 'u' },
		{ "field", required_argument, NULL, 'f' }, { "set", required_argument, NULL, 'o' },
		{ "type", required_argument, NULL, 't' },
		{ "relation", required_argument, NULL, 'e' },
		{ "source", required_argument, NULL, 's' }, { NULL, 0, NULL, 0 } };
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
		case 'f':
			good = take_field(o, optarg);
			break;
		case 'o':
			good = asked_pair(o->options, optarg) ||
			       asked_refuse("set", optarg, "must be NAME=VALUE");
			break;
		case 't':
			good = asked_type(o->stages.call, o->options, optarg);
			break;
		case 'e':
			good = asked_relation(o->options, optarg);
			break;
		case 'd':
			o->media_dir = optarg;
			break;
		case 'g':
			o->stages.fields = true;
			break;
		case 'x':
			o->media = false;
			break;
		case 'l':
			o->locale = optarg;
			break;
		case 'u':
			o->updates = true;
			break;
		case 's':
			o->source = optarg;
			break;
		case 'r':
			o->report = optarg;
			good =
			    report_format(optarg) != NULL ||
			    asked_refuse("report", optarg, "must end with .csv, .json or .jsonl");
			break;
		case 'a':
			o->redirects = optarg;
			good = redirects_format(optarg) != NULL ||
			       asked_refuse(
				   "redirects", optarg, "must end with .csv, .map or _redirects");
			break;
		default:
			good = false;
		}
	for (int i = optind; i < argc && o->file_count < FILES_MAX; i++)
		o->files[o->file_count++] = argv[i];
	return good && o->file_count > 0;
}

static int
run(struct order *o)
{
	enum stet_status status = carry_out(o);

	progress_ends();
	if (o->stages.directory != -1)
		close(o->stages.directory);
	return status == STET_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}

static struct order *
order_new(struct stet_call *call)
{
	struct order *o = stet_alloc(call, sizeof(*o));

	stages_begin(&o->stages, call);
	o->stages.run.alone = true;
	o->stages.step = progress;
	o->stages.says = say;
	o->stages.runs = true;
	o->stages.arg = o;
	o->media = true;
	o->terminal = isatty(STDERR_FILENO) == 1;
	o->given = stet_json_own(call, json_object());
	o->options = stet_json_own(call, json_pack("{s{}}", "fields"));
	return o;
}

/* Of the options that importers have, an export of WordPress takes --field and --type alone. */
static bool
is_for_wxr(const json_t *options)
{
	size_t types = json_object_get(options, "types") != NULL ? 1 : 0;

	return json_object_size(options) == 1 + types;
}

int
command_wxr(struct stet_call *call, int argc, char **argv)
{
	struct order *o = order_new(call);

	if (!parse(o, argc, argv) || !is_for_wxr(o->options)) {
		fputs(USAGE, stderr);
		return 2;
	}
	return run(o);
}

/* ---- import from ---- */

static bool
is_importer(struct stet_call *call, const char *name)
{
	const char *const *all = stet_importers(call);

	while (*all != NULL && strcmp(*all, name) != 0)
		all++;
	return *all != NULL;
}

static void
show_importers(struct stet_call *call)
{
	const char *const *all = stet_importers(call);

	fputs("importers:", stderr);
	for (size_t i = 0; all[i] != NULL; i++)
		fprintf(stderr, " %s", all[i]);
	fputc('\n', stderr);
}

static bool
is_directory(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

int
command_from(struct stet_call *call, int argc, char **argv)
{
	struct order *o = order_new(call);

	bool good = parse(o, argc, argv);

	if (good && !is_importer(call, o->files[0])) {
		fprintf(stderr, "stet: there is no importer %s\n", o->files[0]);
		good = false;
	}
	if (!good || o->file_count < 2) {
		fputs(USAGE_FROM, stderr);
		show_importers(call);
		return 2;
	}
	o->from = (struct given){ .importer = o->files[0], .options = o->options };
	o->stages.run.from = &o->from;
	for (size_t i = 1; i < o->file_count; i++)
		o->files[i - 1] = o->files[i];
	o->file_count--;
	if (o->media_dir == NULL && is_directory(o->files[0]))
		o->media_dir = o->files[0];
	return run(o);
}
